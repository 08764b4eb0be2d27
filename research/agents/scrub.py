"""Scrub a recorded session: keep what its picture needs, and nothing of what was said.

    python research/agents/scrub.py FILE > SCRUBBED

Types, ids, times, usage, names of tools, and the lists that the model wrote are kept. What was said
becomes its length, because prompts, outputs, system prompts and schemas belong to their makers, and
paths to a machine. Fields that are not named here are left out.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator

# The fields whose strings are kept, if they look like a name, an id or a time.
NAMES = set(
    "type subtype role id uuid uuids allUuids parentUuid sessionId name tool_use_id call_id "
    "response_id compaction_response_id timestamp model version cli_version status stop_reason "
    "trigger madeBy taskId from to promptSource retractedMessageUuids updatedFields".split()
)
# Those that are kept with their numbers and with what is in them.
PARTS = set(
    "message content text payload attachment toolUseResult task statusChange success usage output "
    "input_tokens output_tokens compactMetadata preservedMessages preTokens itemCount is_error "
    "isSidechain isMeta isCompactSummary isVisibleInTranscriptOnly isApiErrorMessage "
    "isAbortedMidStream truncatedAfterOutput "
    "replacement_history encrypted_content characters".split()
)
NAME = re.compile(r"[\w.:+-]{1,80}")
LENGTH = re.compile(r"\(\d+ characters\)")  # of a string that was scrubbed before
# The fields of a list in the input of a tool that writes one, as an object or as JSON in a string.
LIST_TOOLS = {"TodoWrite", "TaskCreate", "TaskUpdate", "update_plan"}
LIST_FIELDS = {"todos", "plan", "content", "step", "subject", "status", "taskId", "id"}
REMINDERS = {"todo_reminder", "task_reminder"}  # their `content` is the list
# What Claude Code writes in place of a reply when it goes on after it was killed.
SAID_BY_THE_PROGRAM = {"No response requested.", "<synthetic>"}
# The lines and the attachments that say something of the list. Of others, only this is kept: what
# they are, when they came, and how long they are.
LINES = set(
    "user assistant system attachment session_meta turn_context response_item compacted "
    "token_usage_record".split()
)
ATTACHMENTS = {*REMINDERS, "queued_command"}


def scrub(lines: Iterable[bytes]) -> Iterator[str]:
    """Yield each line of a JSONL file without what was said, as JSON."""
    for line in lines:
        if line.strip():
            data, size = json.loads(line), len(line)
            kind = data.get("attachment", {}).get("type")
            is_other = data.get("type") == "attachment" and kind not in ATTACHMENTS
            if is_other:
                old = data["attachment"].get("characters", size)
                data["attachment"] = {"type": kind, "characters": old}
            elif data.get("type") not in LINES:
                kept = {name: data[name] for name in ("type", "timestamp") if name in data}
                kind = data.get("payload", {}).get("type")
                payload = {"payload": {"type": kind}} if kind else {}
                data = kept | payload | {"characters": data.get("characters", size)}
            yield json.dumps(scrub_value(data), ensure_ascii=False, separators=(",", ":")) + "\n"


def scrub_value(value: object, key: str = "") -> object:
    """Return a value without what was said. `key` is the field that has it."""
    if isinstance(value, dict):
        found = {
            name: scrub_value(one, name)
            for name, one in value.items()
            if name in NAMES | PARTS and one not in (None, False, "")
        }
        for name in ("input", "arguments"):
            if name in value:
                is_list = str(value.get("name")) in LIST_TOOLS
                found[name] = keep_list(value[name]) if is_list else empty(value[name])
        if value.get("type") in REMINDERS and isinstance(value.get("content"), list):
            found["content"] = [keep_list(one) for one in value["content"]]
        return found
    if isinstance(value, list):
        return [scrub_value(one, key) for one in value]
    if isinstance(value, str) and not is_kept(value, key):
        return f"({len(value)} characters)"
    return value


def is_kept(value: str, key: str) -> bool:
    """Return whether a string is a name, an id or a time, or is known to be the program's."""
    if LENGTH.fullmatch(value) or value in SAID_BY_THE_PROGRAM:
        return True
    return key in NAMES and NAME.fullmatch(value) is not None


def empty(given: object) -> object:
    """Return the input of another tool without its fields, as an object or as JSON."""
    return "{}" if isinstance(given, str) else {}


def keep_list(given: object) -> object:
    """Return the input of a list tool with the fields of its list only."""
    if isinstance(given, str):
        return json.dumps(keep_list(json.loads(given)), ensure_ascii=False)
    if isinstance(given, dict):
        kept = {name: value for name, value in given.items() if name in LIST_FIELDS}
        return {
            name: [keep_list(one) for one in value] if isinstance(value, list) else value
            for name, value in kept.items()
        }
    return {}


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        sys.stdout.writelines(scrub(file))
