"""Session files of Claude Code, read as runs, so that the player can show them.

A session is a file of JSON lines in `~/.claude/projects`. A reply is spread over several lines
that share a message id, with tool results, prompts and the program's own notes between them. The
list is kept by TodoWrite, which replaces it, or by TaskCreate and TaskUpdate, which change one task
at a time. This is the format of versions 2.0 to 2.1; unknown records are skipped.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from agentlib.history import read_usage
from agentlib.loop import Round
from agentlib.tools import Call

from .messages import Message, blocks_of, round_of
from .step import Step, count_waited

LIST_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet")
NAG = re.compile(r"(TodoWrite|task tools?) (tool )?ha(s|ve)n't been used", re.IGNORECASE)
CREATED = re.compile(r"Task #(\w+) created")
NOTES = ("isSidechain", "isMeta", "isVisibleInTranscriptOnly", "isApiErrorMessage")


@dataclass
class Turn:
    """One reply of the model, collected from its records, and what came back before the next."""

    id: str
    before: list[Message]
    blocks: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    model: str = ""
    stop_reason: str | None = None


def is_session(data: bytes) -> bool:
    """Whether a file begins like a session of Claude Code: with a record that has a type."""
    first = data.lstrip()[: 2**20].split(b"\n", 1)[0]
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and "type" in record and "format" not in record


def read_session(data: bytes) -> list[Step]:
    """The steps of a session file. Raises ValueError if there is no run, with half a sentence."""
    turns = read_turns(read_records(data))
    if not turns:
        raise ValueError("it contains no reply from a model")
    steps = [Step(None, tuple(turns[0].before), (), 0)]
    turns[0].before = []
    tasks: dict[str, dict[str, Any]] = {}
    waited = 0
    for number, turn in enumerate(turns, 1):
        played = round_of_turn(turn, number, is_last=number == len(turns))
        for call in played.calls:
            follow_list(tasks, call)
        waited = count_waited(waited, played.calls, LIST_TOOLS)
        items = tuple(dict(task) for task in tasks.values())
        steps.append(Step(played, played.messages, items, waited))
    return steps


def read_records(data: bytes) -> Iterator[dict[str, Any]]:
    """The records of the conversation itself, without subagents, notes and truncated lines."""
    for line in data.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # a session that is still running may end in half a line
        if not isinstance(record, dict):
            continue
        if any(map(record.get, NOTES)) and not record.get("isCompactSummary"):
            continue
        if record.get("type") in ("user", "assistant") and isinstance(record.get("message"), dict):
            yield record


def read_turns(records: Iterable[dict[str, Any]]) -> list[Turn]:
    """The turns of the model, each with the messages before it."""
    turns: list[Turn] = []
    waiting: list[Message] = []
    for record in records:
        message = record["message"]
        blocks = blocks_of(message)
        if record["type"] == "assistant":
            if not turns or turns[-1].id != message.get("id"):
                turns.append(Turn(str(message.get("id")), waiting))
                waiting = []
            add_blocks(turns[-1], message, blocks)
            continue
        results = [block for block in blocks if block["type"] == "tool_result"]
        if results and turns:
            turns[-1].results += results
        elif blocks:
            waiting.append({"role": "user", "content": blocks})
    return turns


def add_blocks(turn: Turn, message: Message, blocks: list[dict[str, Any]]) -> None:
    """Add the contents of one record to its turn. The last record has the final counts."""
    turn.blocks += [block for block in blocks if block not in turn.blocks]
    turn.stop_reason = message.get("stop_reason") or turn.stop_reason
    if isinstance(message.get("usage"), dict):
        turn.usage, turn.model = message["usage"], str(message.get("model", ""))


def round_of_turn(turn: Turn, number: int, is_last: bool) -> Round:
    """The Round of one turn, with what only a session file knows: the tokens, for example."""
    messages: list[Message] = [{"role": "assistant", "content": turn.blocks}]
    if turn.results:
        messages.append({"role": "user", "content": turn.results})
    return replace(
        round_of(messages, number, is_last, NAG),
        usage=read_usage(turn.usage, turn.model),
        stop_reason=turn.stop_reason,
        messages=(*turn.before, *messages),
    )


def follow_list(tasks: dict[str, dict[str, Any]], call: Call) -> None:
    """Change `tasks`, a dict of items by id, as this call of a list tool changed them."""
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
    """A task as an item of our todo list."""
    text = given.get("subject") or given.get("content") or "(no text)"
    item = {"id": name, "text": str(text), "status": str(given.get("status") or "pending")}
    if given.get("activeForm"):
        item["activeForm"] = str(given["activeForm"])
    return item
