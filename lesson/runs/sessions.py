"""Read session files of Claude Code as messages, so that the player can show the run.

A session is a file of JSON lines in `~/.claude/projects`. A reply is spread over several lines
that share a message id, with tool results, prompts and bookkeeping between them. Since version
2.1, Claude Code's own reminders, and prompts typed while it works, are attachments. This is the
format of versions 2.0 to 2.1; unknown records are skipped.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentlib.replies import read_usage

from ..redaction import redact
from ..window import Message, blocks_of
from .messages import is_block, read_json

BOOKKEEPING = ("isMeta", "isVisibleInTranscriptOnly", "isApiErrorMessage")
REMINDED = "<system-reminder>The {tools} been used recently.</system-reminder>"
REMINDERS = {
    "todo_reminder": REMINDED.format(tools="TodoWrite tool hasn't"),
    "task_reminder": REMINDED.format(tools="task tools haven't"),
}
COMPACTED = "(Compaction: Claude Code replaced the conversation before this by a summary.)"


@dataclass
class Record:
    """A line of the conversation: a part of a reply, tool results, or a prompt."""

    uuid: str
    is_reply: bool
    is_sidechain: bool
    message: Message  # its content is a list of blocks

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Return the content."""
        return self.message["content"]

    @property
    def reply_id(self) -> str:
        """Return the id that all records of a reply share."""
        return str(self.message.get("id"))

    def ids(self, name: str) -> set[str]:
        """Return the field `name` of all blocks that have it."""
        return {str(block[name]) for block in self.blocks if name in block}


def is_session(data: bytes) -> bool:
    """Return whether a file begins like a session of Claude Code: with a record that has a type."""
    first = data[: 2**20].lstrip().split(b"\n", 1)[0]
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and "type" in record and "format" not in record


def read_session(data: bytes) -> tuple[list[Message], list[dict[str, Any]]]:
    """Return the messages of a session file, without keys, and what else it says of each turn.

    These are fields of its Round: token counts and stop_reason. Raise ValueError if there is no
    turn of a model; the message is the second half of a sentence.
    """
    messages: list[Message] = []
    facts: list[dict[str, Any]] = []
    turn: list[Message] = []
    results: list[Message] = []
    turn_id = ""
    for record in read_conversation(data):
        if record.is_reply:
            if not facts or turn_id != record.reply_id:
                turn_id, turn, results = record.reply_id, [], []
                messages.append({"role": "assistant", "content": turn})
                messages.append({"role": "user", "content": results})
                facts.append({"stop_reason": None})
            turn += record.blocks
            facts[-1] |= read_facts(record.message)
        elif facts and (record.ids("tool_use_id") or is_reminder(record)):
            results += record.blocks
        else:
            messages.append({"role": "user", "content": record.blocks})
    if not facts:
        raise ValueError("it contains no reply from a model")
    return [message for message in messages if message["content"]], facts


def read_facts(message: Message) -> dict[str, Any]:
    """Return fields of a Round that its messages do not contain."""
    facts: dict[str, Any] = {}
    if isinstance(message.get("stop_reason"), str):
        facts["stop_reason"] = message["stop_reason"]
    if "usage" in message:  # the last record has the final token counts
        facts["usage"] = read_usage(message["usage"], message.get("model", ""))
    return facts


def read_conversation(data: bytes) -> list[Record]:
    """Return the records of the conversation, without branches that the user rewound.

    Each record names its parent, the record before it. A rewind continues from an earlier record,
    so the conversation is the last record and its ancestors. Results of parallel tool calls are
    not ancestors; they belong to it if their calls do.
    """
    records: list[Record] = []
    parents: dict[str, str] = {}
    previous = ""
    for line in read_lines(data):
        uuid = str(line.get("uuid") or "")
        if uuid and not line.get("isSidechain"):
            parent = str(line.get("parentUuid") or line.get("logicalParentUuid") or "")
            # A parent that is not in the file, as after compaction, is the record before.
            is_root = not parent and not (is_compaction(line) or line.get("isCompactSummary"))
            parents[uuid] = parent if is_root or parent in parents else previous
            previous = uuid
        record = read_record(line, uuid)
        if record:
            records.append(record)
    # The file of a subagent has only records of a sidechain.
    records = [record for record in records if not record.is_sidechain] or records
    uuid = records[-1].uuid if records else ""
    if uuid not in parents:
        return records
    active = set()
    while uuid and uuid not in active:
        active.add(uuid)
        uuid = parents.get(uuid, "")
    reply_ids = {record.reply_id for record in records if record.is_reply and record.uuid in active}
    kept: list[Record] = []
    calls: set[str] = set()
    for record in records:
        is_part = record.is_reply and record.reply_id in reply_ids
        if record.uuid in active or is_part or record.ids("tool_use_id") & calls:
            kept.append(record)
            calls |= record.ids("id")
    return kept


def read_lines(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield each line that is a JSON object."""
    for line in io.BytesIO(data):
        try:
            record = read_json(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue  # a session that is still running may end in half a line
        if isinstance(record, dict):
            yield record


def is_compaction(line: dict[str, Any]) -> bool:
    """Return whether a line marks where Claude Code compacted the conversation."""
    return line.get("type") == "system" and line.get("subtype") == "compact_boundary"


def read_record(line: dict[str, Any], uuid: str) -> Record | None:
    """Return a line's part of the conversation, without keys, or None if it has none."""
    kind, attachment = line.get("type"), line.get("attachment")
    message: Any = line.get("message")
    if line.get("isCompactSummary"):
        pass  # it is marked as bookkeeping, but the model reads it
    elif is_compaction(line):
        message = {"content": COMPACTED}
    elif any(map(line.get, BOOKKEEPING)):
        return None
    elif kind == "attachment" and isinstance(attachment, dict):
        if attachment.get("type") == "queued_command":
            message = {"content": attachment.get("prompt")}
        else:
            message = {"content": REMINDERS.get(str(attachment.get("type")))}
    elif kind not in ("user", "assistant"):
        return None
    content = blocks_of(message) if isinstance(message, dict) else []
    content = [block for block in content if is_block(block)]
    if not content:
        return None
    redacted = redact({**message, "content": content})
    return Record(uuid, kind == "assistant", bool(line.get("isSidechain")), redacted)


def is_reminder(record: Record) -> bool:
    """Return whether a record is a reminder of Claude Code."""
    return record.blocks[0].get("text") in REMINDERS.values()
