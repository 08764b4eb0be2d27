"""A run, kept step by step: as it happens, or afterwards; saved to a file, and opened again."""

import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from types import SimpleNamespace
from typing import Any

from pydantic import ValidationError

from ..loop import Round, add_reminder, result
from ..nag import Nag
from ..todo import TodoManager
from ..tools import Call
from .saved import SavedCall, SavedRound, SavedRun

FORMAT = "agentlib trace 1"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
WANTED = (
    "A run is made of Rounds: objects or dicts with a text and calls (each with a name, an "
    "input and an output), or the SDK's replies. This is something else: "
)


@dataclass(frozen=True)
class Step:
    """One step of a run: a Round, and how things stood after it.

    A step without a `round` is a prompt, as the first one is, or a round that was stopped.
    `messages` are those that the step added, as they are on the wire; `items` is the todo list,
    `waited` the rounds without a call of the todo tool.
    """

    round: Round | None
    messages: tuple[dict[str, Any], ...]
    items: tuple[dict[str, Any], ...]
    waited: int


class Trace:
    """A run as `steps`. `after` is the threshold of its nag in rounds, or None; `title` a name."""

    def __init__(self, title: str = "The run", after: int | None = None) -> None:
        self.title, self.after = title, after
        self.steps: list[Step] = []

    def follow(
        self,
        rounds: Iterable[Round],
        messages: Sequence[Mapping[str, Any]] | None = None,
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> Iterator[Round]:
        """Pass the Rounds of a live run on, and keep each with what it did to the others.

        `messages`, `todo` and `nag` are those of the run. What is not given is worked out from
        the Rounds, as far as they tell.
        """
        if not self.steps:
            self._add(None, plain(messages or []), todo, nag)
        for number, given in enumerate(rounds, 1):
            round = as_round(given, number)
            seen = sum(len(step.messages) for step in self.steps)
            added = as_messages(round) if messages is None else plain(messages[seen:])
            self._add(round, added, todo, nag)
            yield given

    def catch_up(
        self,
        messages: Sequence[Mapping[str, Any]],
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> None:
        """Keep what a live run has said outside of a whole Round, as a step without one.

        That is a prompt, or what a round had done when it was stopped.
        """
        seen = sum(len(step.messages) for step in self.steps)
        if len(messages) > seen:
            self._add(None, plain(messages[seen:]), todo, nag)

    @classmethod
    def of(
        cls,
        rounds: Iterable[Round],
        messages: Sequence[Mapping[str, Any]] = (),
        title: str = "The run",
        after: int | None = None,
    ) -> "Trace":
        """The Trace of a run that is over: all its Rounds, and the messages at its end."""
        trace = cls(title, after)
        rounds = [as_round(round, number) for number, round in enumerate(rounds, 1)]
        opening, parts = split(rounds, plain(messages))
        trace._add(None, opening)
        for round, part in zip(rounds, parts, strict=True):
            trace._add(round, part)
        return trace

    def _add(
        self,
        round: Round | None,
        messages: list[dict[str, Any]],
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> None:
        """Keep one step. A list or a count that is not given follows from the calls."""
        last = self.steps[-1] if self.steps else Step(None, (), (), 0)
        items = last.items if todo is None else plain(todo.items)
        waited = last.waited
        for call in round.calls if round else ():
            if todo is None and call.name == "todo" and call.ok:
                items = listed(call.input)
        if nag is not None:
            waited = nag.rounds
        elif round and round.calls:
            waited = 0 if any(call.name == "todo" for call in round.calls) else waited + 1
        self.steps.append(Step(round, tuple(messages), tuple(items), waited))

    def save(self, path: str | Path) -> Path:
        """Write the run to the file `path`, as JSON. Returns the path.

        It holds all that was said, but for your key: look before you share it.
        """
        steps = [vars(step) | {"round": step.round and unpack(step.round)} for step in self.steps]
        data = {"format": FORMAT, "title": self.title, "after": self.after, "steps": steps}
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        for key in filter(None, map(os.environ.get, KEYS)):
            text = text.replace(key, "[your key]") if len(key) >= 16 else text
        # First beside it: a stop in the middle does not harm what was saved before.
        # Its name cannot be guessed, so no link can lie in wait there that leads to another file.
        path = Path(path)
        part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
        try:
            with part.open("xb") as file:
                file.write(text.encode("utf-8", "replace"))
            return part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    @classmethod
    def open(cls, path: str | Path) -> "Trace":
        """Read a run that `save` wrote. Raises ValueError where the file is something else."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise ValueError(f"it does not say that its format is {FORMAT!r}")
            SavedRun.model_validate(data)
        except (ValueError, RecursionError) as problem:
            reason = str(problem)
            if isinstance(problem, ValidationError):
                fault = problem.errors(include_url=False, include_input=False)[0]
                reason = f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
            raise ValueError(
                f"{Path(path).name} is not a run saved by this package, or not all of it "
                f"({shorten(reason, 200)}). Trace.save and Player.save write such files."
            ) from None
        trace = cls(data["title"], data["after"])
        for step in data["steps"]:
            round = step["round"] and pack(step["round"])
            trace.steps.append(
                Step(round, tuple(step["messages"]), tuple(step["items"]), step["waited"])
            )
        return trace


def as_round(given: Any, number: int) -> Round:
    """A Round from what any loop yields: what names things as a Round does, or a reply of the SDK.

    `number` is for one that has none. Raises TypeError where `given` is neither.
    """
    try:
        text, calls = told(given)
    except (AttributeError, KeyError, TypeError):
        kind = type(given).__name__
        raise TypeError(f"{WANTED}{kind}, {shorten(repr(given), 80)}") from None
    return Round(
        field(given, "number", number),
        text,
        calls,
        field(given, "reminder", None),
        SimpleNamespace(**tokens(field(given, "usage", None))),
        field(given, "stop_reason", None),
    )


def told(given: Any) -> tuple[str, tuple[Call, ...]]:
    """The text and the calls of a Round or a reply. What is not there raises as it does in Python.

    What came of a reply's calls it does not tell: their output is empty.
    """
    if isinstance(field(given, "content", None), str | list):
        message = {"role": field(given, "role", "assistant"), "content": field(given, "content")}
        if message["role"] != "assistant":
            raise TypeError("a turn of the user is no reply")
        text, uses = said(plain(message))
        return text, tuple(Call(name, given, "", True) for name, given in uses)
    if field(given, "text", None) is None and field(given, "calls", None) is None:
        raise TypeError("no text, no calls")
    return str(field(given, "text", None) or ""), tuple(
        Call(
            str(field(call, "name")),
            plain(field(call, "input")),
            str(field(call, "output")),
            bool(field(call, "ok", True)),
        )
        for call in field(given, "calls", None) or ()
    )


def field(thing: Any, name: str, *default: Any) -> Any:
    """`thing.name`, or `thing["name"]` where it is a dict; `default` where that is not there."""
    if not isinstance(thing, Mapping):
        return getattr(thing, name, *default)
    return thing.get(name, *default) if default else thing[name]


def tokens(usage: Any) -> dict[str, int]:
    """The counts in a reply's usage, whatever kind of object it is."""
    fields = plain(usage)
    fields = fields if isinstance(fields, dict) else {}
    return {name: count for name, count in fields.items() if isinstance(count, int)}


def plain(thing: Any) -> Any:
    """A copy of `thing` in plain dicts and lists, also where the SDK's objects are in it."""
    return json.loads(
        json.dumps(
            thing,
            default=lambda one: (
                one.to_dict() if hasattr(one, "to_dict") else getattr(one, "__dict__", str(one))
            ),
        )
    )


def unpack(round: Round) -> dict[str, Any]:
    """A Round as plain data."""
    return {
        **vars(round),
        "calls": [vars(call) for call in round.calls],
        "usage": tokens(round.usage),
    }


def pack(data: Mapping[str, Any]) -> Round:
    """The Round that `unpack` took apart. What a newer version may have added is left out."""
    calls = tuple(Call(*(call[name] for name in SavedCall.model_fields)) for call in data["calls"])
    kept = {name: data[name] for name in SavedRound.model_fields}
    return Round(**{**kept, "calls": calls, "usage": SimpleNamespace(**data["usage"])})


def said(message: Mapping[str, Any]) -> tuple[str, list]:
    """What a turn of the model says and asks for, as a Round has it."""
    content = message.get("content") if message.get("role") == "assistant" else None
    if isinstance(content, str):
        return content, []
    blocks = content or []
    words = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    return words, [
        (block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"
    ]


def split(rounds: Sequence[Round], messages: Sequence[dict]) -> tuple[list, list[list]]:
    """The messages before the run, and those that each Round added; from the last to the first."""
    end, parts = len(messages), []
    for round in reversed(rounds):
        deed = round.text, [(call.name, call.input) for call in round.calls]
        places = [
            n
            for n in range(end)
            if messages[n]["role"] == "assistant" and said(messages[n]) == deed
        ]
        if places:
            end = places[-1]
            parts.append(list(messages[end : end + 1 + bool(round.calls)]))
        else:
            parts.append(as_messages(round))
    return list(messages[:end]), parts[::-1]


def as_messages(round: Round) -> list[dict[str, Any]]:
    """The turns of one Round, as they must have been. The ids are our own.

    The result of a call is left out where nobody has told its output.
    """
    words = [{"type": "text", "text": round.text}] if round.text else []
    ids = [f"toolu_{round.number}_{n}" for n, _ in enumerate(round.calls, 1)]
    uses = [
        {"type": "tool_use", "id": id, "name": call.name, "input": call.input}
        for id, call in zip(ids, round.calls, strict=True)
    ]
    results = [
        result(id, call.output, call.ok)
        for id, call in zip(ids, round.calls, strict=True)
        if call.output
    ]
    if results and round.reminder:
        add_reminder(results, round.reminder)
    turns = [{"role": "assistant", "content": words + uses}, {"role": "user", "content": results}]
    return [turn for turn in turns if turn["content"]]


def listed(written: Any) -> tuple[dict[str, Any], ...]:
    """The todo list that the input of a todo call wrote, with what the rules fill in."""
    items = next(iter(written.values()), ()) if isinstance(written, Mapping) else ()
    try:
        items = json.loads(items) if isinstance(items, str) else items
        known = [TodoManager().check(item, position) for position, item in enumerate(items, 1)]
    except (TypeError, ValueError, RecursionError):
        return ()
    return tuple({**item, **more} for item, more in zip(items, known, strict=True))
