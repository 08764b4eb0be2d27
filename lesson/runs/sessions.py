"""Read session files of Claude Code as runs, so that the player can show them.

A session is a file of JSON lines in `~/.claude/projects`. A reply is spread over several lines
that share a message id, with tool results, prompts and bookkeeping between them. TodoWrite
replaces the todo list; TaskCreate and TaskUpdate change one task at a time. Since version 2.1,
Claude Code's own reminders, and prompts typed while it works, are attachments. This is the format
of versions 2.0 to 2.1; unknown records are skipped.
"""

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentlib.history import Usage, read_usage
from agentlib.loop import Round
from agentlib.tools import Call

from ..redaction import redact
from .messages import Message, blocks_of, is_block, read_json, round_of
from .step import Step, count_waited, is_list_tool

NAG = re.compile(r"(TodoWrite|task tools?) (tool )?ha(s|ve)n't been used", re.IGNORECASE)
CREATED = re.compile(r"Task #(\w+) created")
BOOKKEEPING = ("isMeta", "isVisibleInTranscriptOnly", "isApiErrorMessage")
REMINDED = "<system-reminder>The {tools} been used recently.</system-reminder>"
REMINDERS = {
    "todo_reminder": REMINDED.format(tools="TodoWrite tool hasn't"),
    "task_reminder": REMINDED.format(tools="task tools haven't"),
}
COMPACTED = "(Compaction: Claude Code replaced the conversation before this by a summary.)"
# A page contains the whole list of each step in which it changed.
MAX_LIST_CHARS = 20_000_000
MAX_LIST_ITEMS = 1_000  # of one list, which is drawn again for each step


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


@dataclass
class Turn:
    """One reply of the model, collected from its records, and the results before the next one."""

    id: str
    before: list[Message]
    blocks: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    usage: Usage = Usage()
    stop_reason: str | None = None


def is_session(data: bytes) -> bool:
    """Return whether a file begins like a session of Claude Code: with a record that has a type."""
    first = data[: 2**20].lstrip().split(b"\n", 1)[0]
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and "type" in record and "format" not in record


def read_session(data: bytes) -> list[Step]:
    """Return the steps of a session file, without keys.

    Raise ValueError if there is no run; the message is the second half of a sentence.
    """
    turns = read_turns(read_conversation(data))
    if not turns:
        raise ValueError("it contains no reply from a model")
    steps = [Step(None, tuple(turns[0].before), (), 0)]
    turns[0].before = []
    tasks: dict[str, dict[str, Any]] = {}
    items: tuple[dict[str, Any], ...] = ()
    waited = chars = 0
    for number, turn in enumerate(turns, 1):
        played = round_of_turn(turn, number, is_last=number == len(turns))
        if any([follow_list(tasks, call) for call in played.calls]):
            items = tuple(tasks.values())
            chars += sum(len(str(item)) for item in items)
            if chars > MAX_LIST_CHARS or len(items) > MAX_LIST_ITEMS:
                raise ValueError("its todo lists are too long to be shown")
        waited = count_waited(waited, played.calls)
        steps.append(Step(played, played.messages, items, waited))
    return steps


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
    replies = [record for record in records if record.is_reply]
    reply_ids = {record.reply_id for record in replies if record.uuid in active}
    replies = [record for record in replies if record.reply_id in reply_ids]
    calls = set[str]().union(*(record.ids("id") for record in replies))
    return [
        record
        for record in records
        if record.uuid in active
        or (record.is_reply and record.reply_id in reply_ids)
        or record.ids("tool_use_id") & calls
    ]


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


def read_turns(records: Sequence[Record]) -> list[Turn]:
    """Return the turns of the model, each with the messages before it."""
    turns: list[Turn] = []
    waiting: list[Message] = []
    for record in records:
        if record.is_reply:
            if not turns or turns[-1].id != record.reply_id:
                turns.append(Turn(record.reply_id, waiting))
                waiting = []
            turn, message = turns[-1], record.message
            turn.blocks += record.blocks
            if isinstance(message.get("stop_reason"), str):
                turn.stop_reason = message["stop_reason"]
            if "usage" in message:  # the last record has the final token counts
                turn.usage = read_usage(message["usage"], message.get("model", ""))
        elif turns and (record.ids("tool_use_id") or is_reminder(record)):
            turns[-1].results += record.blocks
        else:
            waiting.append({"role": "user", "content": record.blocks})
    return turns


def is_reminder(record: Record) -> bool:
    """Return whether a record is a reminder of Claude Code."""
    return record.blocks[0].get("text") in REMINDERS.values()


def round_of_turn(turn: Turn, number: int, is_last: bool) -> Round:
    """Return the Round of one turn, with its token counts, which only a session file contains."""
    messages: list[Message] = [{"role": "assistant", "content": turn.blocks}]
    if turn.results:
        messages.append({"role": "user", "content": turn.results})
    found = round_of(messages, number, is_reminder=lambda text: bool(NAG.search(text)))
    return replace(
        found,
        usage=turn.usage,
        stop_reason=turn.stop_reason,
        messages=(*turn.before, *messages),
        is_last=is_last and found.is_last,
    )


def follow_list(tasks: dict[str, dict[str, Any]], call: Call) -> bool:
    """Change `tasks`, a dict of items by id, as this call did. Return whether it may have changed.

    Items are replaced, never changed in place, because earlier steps contain them.
    """
    given = call.input if isinstance(call.input, dict) else {}
    if not call.ok or not is_list_tool(call.name):
        return False
    name = str(given.get("taskId"))
    if call.name == "TodoWrite":
        items = given.get("todos")
        tasks.clear()
        for number, item in enumerate(items if isinstance(items, list) else [], 1):
            if isinstance(item, dict):
                tasks[str(number)] = item_of(str(number), item)
    elif call.name == "TaskCreate":
        created = CREATED.search(call.output)
        name = created[1] if created else str(len(tasks) + 1)
        tasks[name] = item_of(name, given)
    elif call.name == "TaskUpdate" and given.get("status") == "deleted":
        tasks.pop(name, None)
    elif call.name == "TaskUpdate" and name in tasks:
        old = tasks[name]
        tasks[name] = old | item_of(name, {"content": old["text"], **old, **given})
    return True


def item_of(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return a task as an item of this package's todo list."""
    text = given.get("subject") or given.get("content") or "(no text)"
    item = {"id": name, "text": str(text), "status": str(given.get("status") or "pending")}
    if given.get("activeForm"):
        item["activeForm"] = str(given["activeForm"])
    return item
