"""The session files of Claude Code, read as runs: your own agent, in the player.

A session is a file of JSON lines in `~/.claude/projects`. A reply is spread over several lines
that share a message id; tool results, prompts and notes of the program stand between them. The
list is kept by TodoWrite, which replaces it, or by TaskCreate and TaskUpdate, which change it one
task at a time. Seen in versions 2.0 to 2.1; what is not known is passed over.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..history import Usage
from ..loop import Round
from ..tools import Call
from .foreign import Message, blocks_of, call_of, text_of
from .step import Step

LIST_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet")
NAG = re.compile(r"(TodoWrite|task tools?) (tool )?ha(s|ve)n't been used", re.IGNORECASE)
CREATED = re.compile(r"Task #(\w+) created")
NOTES = ("isSidechain", "isMeta", "isVisibleInTranscriptOnly", "isApiErrorMessage")


@dataclass
class Turn:
    """One reply of the model as it is put together, and what came back before the next."""

    id: str
    before: list[Message]
    blocks: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    stop_reason: str | None = None


def is_session(data: bytes) -> bool:
    """Whether a file begins as a session of Claude Code does: with a record that has a type."""
    first = data.lstrip()[: 2**20].split(b"\n", 1)[0]
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and "type" in record and "format" not in record


def read_session(data: bytes) -> list[Step]:
    """The steps of a session file. Raises ValueError, half a sentence, where there is no run."""
    turns, opening = read_turns(read_records(data))
    if not turns:
        raise ValueError("there is no reply of a model in it")
    steps = [Step(None, tuple(opening), (), 0)]
    tasks: dict[str, dict[str, Any]] = {}
    waited = 0
    for number, turn in enumerate(turns, 1):
        round = round_of(turn, number, is_last=number == len(turns))
        for call in round.calls:
            follow_list(tasks, call)
        if any(call.name in LIST_TOOLS for call in round.calls):
            waited = 0
        elif round.calls:
            waited += 1
        items = tuple(dict(task) for task in tasks.values())
        steps.append(Step(round, round.messages, items, waited))
    return steps


def read_records(data: bytes) -> Iterator[dict[str, Any]]:
    """The records of the conversation itself: no subagents, no notes, no line that was cut."""
    for line in data.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # the last line of a session that still runs, or that was cut
        if not isinstance(record, dict) or any(record.get(note) for note in NOTES):
            if not (isinstance(record, dict) and record.get("isCompactSummary")):
                continue
        if record.get("type") in ("user", "assistant") and isinstance(record.get("message"), dict):
            yield record


def read_turns(records: Iterable[dict[str, Any]]) -> tuple[list[Turn], list[Message]]:
    """The turns of the model, and the messages before the first of them."""
    turns: list[Turn] = []
    waiting: list[Message] = []
    opening: list[Message] = []
    for record in records:
        message = record["message"]
        blocks = blocks_of(message)
        if record["type"] == "assistant":
            if not turns or turns[-1].id != message.get("id"):
                if turns:
                    turns.append(Turn(str(message.get("id")), waiting))
                else:
                    opening = waiting
                    turns.append(Turn(str(message.get("id")), []))
                waiting = []
            add_blocks(turns[-1], message, blocks)
            continue
        results = [block for block in blocks if block["type"] == "tool_result"]
        if results and turns:
            turns[-1].results += results
        elif blocks:
            waiting.append({"role": "user", "content": blocks})
    return turns, opening


def add_blocks(turn: Turn, message: Message, blocks: list[dict[str, Any]]) -> None:
    """Add to a turn what one of its records holds; the last record has the final counts."""
    turn.blocks += [block for block in blocks if block not in turn.blocks]
    turn.stop_reason = message.get("stop_reason") or turn.stop_reason
    if isinstance(message.get("usage"), dict):
        turn.usage = message["usage"]


def round_of(turn: Turn, number: int, is_last: bool) -> Round:
    """The Round of one turn."""
    results = {block.get("tool_use_id"): block for block in turn.results}
    uses = [block for block in turn.blocks if block["type"] == "tool_use"]
    calls = tuple(call_of(use, results.get(use.get("id"))) for use in uses)
    texts = [text_of(part) for result in turn.results for part in blocks_of(result)]
    reminders = [text for text in texts if NAG.search(text)]
    messages = [*turn.before, {"role": "assistant", "content": turn.blocks}]
    if turn.results:
        messages.append({"role": "user", "content": turn.results})
    names = Usage.__dataclass_fields__
    counts = {name: count for name, count in turn.usage.items() if name in names}
    return Round(
        number,
        "\n".join(text_of(block).strip() for block in turn.blocks if text_of(block).strip()),
        calls,
        reminders[-1] if reminders else None,
        Usage(**{name: count for name, count in counts.items() if isinstance(count, int)}),
        turn.stop_reason,
        tuple(messages),
        is_last and not uses,
    )


def follow_list(tasks: dict[str, dict[str, Any]], call: Call) -> None:
    """Change `tasks`, which are kept by their id, as a call of a list tool has changed them."""
    given = call.input if isinstance(call.input, dict) else {}
    if not call.ok:
        return
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
    elif call.name == "TaskUpdate":
        name = str(given.get("taskId"))
        if given.get("status") == "deleted":
            tasks.pop(name, None)
        elif name in tasks:
            tasks[name] |= item_of(name, {"content": tasks[name]["text"], **tasks[name], **given})


def item_of(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """A task as our list has it."""
    text = given.get("subject") or given.get("content") or "(no text)"
    item = {"id": name, "text": str(text), "status": str(given.get("status") or "pending")}
    if given.get("activeForm"):
        item["activeForm"] = str(given["activeForm"])
    return item
