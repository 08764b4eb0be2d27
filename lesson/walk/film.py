"""Play two runs of the ten steps, record three rounds of them, and draw what their lines did."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from agentlib.loop import INTERRUPTED, NOT_RUN
from agentlib.prompts import system_prompt

from ..blocks import blocks_of, is_list_tool, read_items
from ..letters import find_letter
from ..model_choice import connect_practice
from ..program.run import list_tool
from ..runs.summaries import describe_message
from ..runs.trial import Trial
from .code import Code, read_function
from .recorder import Recorder, Step

TITLES = {
    "1": "The model calls a tool",
    "2": "update checks the list",
    "3": "The list replaces the old one",
    "4": "The rounds without a todo call are counted",
    "5": "The reminder goes into the results",
}
CONDITIONS = {"yes": "the condition is true", "no": "the condition is false"}  # of a chip
# The place of a result until the tool has run: the loop puts an error there in case it is stopped.
WAITING = {NOT_RUN: "no result yet", INTERRUPTED: "no result yet, the tool is running"}


class EndOfFilm(BaseException):  # noqa: N818  # no error, and no `except Exception` may catch it
    """Ends a run after the last round that is recorded."""


@dataclass
class Watched:
    """A client that records the rounds with these `numbers`, and ends the run after them.

    A round goes from the model's reply to the next request. `show` gets its steps.
    """

    client: Any
    recorder: Recorder
    numbers: Sequence[int]
    show: Any
    number: int = 0

    @property
    def messages(self) -> "Watched":
        return self

    def create(self, **request: Any) -> Any:
        if self.number in self.numbers:
            self.show(self.number, self.recorder.end())
        if self.number == max(self.numbers):
            raise EndOfFilm
        reply = self.client.messages.create(**request)
        self.number += 1
        if self.number in self.numbers:
            self.recorder.begin()
        return reply


class Film:
    """Three rounds of two runs with the same code: what each line did, in the order of the steps.

    `tables` has each function, list and message that is shown once.
    """

    def __init__(self, code: Code) -> None:
        self.code = code
        self.tables: dict[str, list[Any]] = {"functions": [], "lists": [], "messages": []}
        self.states: list[dict[str, Any]] = []
        self.key: tuple[Any, ...] = ()  # of the last state
        self.steps: list[Step] = []
        self.chapters: list[dict[str, Any]] = []

    def record(self, numbers: Sequence[int], eager: bool = False) -> Trial:
        """Play the ten steps, record the rounds with these numbers, and return the run.

        Raise any exception of the code. What it prints is dropped.
        """
        trial = Trial(
            todo=self.code.make_todo(), nag=lambda todo, _: self.code.make_nag(todo), eager=eager
        )
        model = connect_practice(trial.model)
        settings = {**model.settings, "system": system_prompt(trial.workspace.name)}
        recorder = Recorder(self.code.sources, lambda: self.watch(trial))
        client = Watched(
            model.client, recorder, numbers, lambda number, steps: self.add(number, steps, eager)
        )
        tools = [*trial.workspace.tools(), list_tool(trial.todo)]
        with redirect_stdout(io.StringIO()), suppress(EndOfFilm), recorder.tracing():
            self.code.loop(client, trial.messages, tools, remind=trial.nag, **settings)
        return trial

    def watch(self, trial: Trial) -> int:
        """Return the number of the run's state, which is a new one if anything has changed."""
        count, items = getattr(trial.nag, "rounds", None), list_items(trial.todo)
        # Only the last two messages can change: a result takes the place of "not run".
        key = (count, items, len(trial.messages), str(trial.messages[-2:]))
        if key != self.key:
            self.key = key
            sent = read_items(find_call(trial.messages[-2:]))
            self.states.append(
                {
                    "count": count if isinstance(count, int) else None,
                    "list": self.share("lists", draw_list(items)),
                    "sent": self.share("lists", draw_list(sent)),
                    "messages": [
                        self.share("messages", draw_message(one)) for one in trial.messages
                    ],
                }
            )
        return len(self.states) - 1

    def share(self, table: str, one: Any) -> int:
        """Return the number of something in a table."""
        found = self.tables[table]
        if one not in found:
            found.append(one)
        return found.index(one)

    def add(self, number: int, steps: Sequence[Step], eager: bool) -> None:
        """Add the steps of a round, and a chapter for each station in it."""
        names = self.name_stations(steps)
        run = "An eager model" if eager else "A reminder"
        for place, name in enumerate(names):
            if place == 0 or name != names[place - 1]:
                chapter = {"round": f"{run}, round {number}", "name": name, "title": TITLES[name]}
                self.chapters.append({**chapter, "from": len(self.steps) + place})
        self.steps += steps

    def changes(self, step: Step) -> set[str]:
        """Return what a step has changed: the count, the list, the messages, how many there are."""
        before, after = self.states[step.before], self.states[step.after]
        found = {what for what in ("count", "list", "messages") if before[what] != after[what]}
        has_added = len(before["messages"]) != len(after["messages"])
        return found | {"added"} if has_added else found

    def name_stations(self, steps: Sequence[Step]) -> list[str]:
        """Return the station of each step. They only go on, and begin with their event."""
        names, now = [], "1"
        is_rejected = any(step.error for step in steps if step.code.co_name == "update")
        for step in steps:
            changes, name = self.changes(step), step.code.co_name
            if now == "1" and name == "update":
                now = "2"
            elif now == "2" and "list" in changes and not is_rejected:
                now = "3"
            elif now < "4" and (name == "__call__" or "count" in changes):
                now = "4"
            elif now == "4" and "messages" in changes and self.is_reminded(step):
                now = "5"
            names.append(now)
        return names

    def is_reminded(self, step: Step) -> bool:
        """Return whether the last message contains a reminder after a step."""
        last = self.states[step.after]["messages"][-1]
        return bool(self.tables["messages"][last]["reminder"])

    def draw(self) -> dict[str, Any]:
        """Return what the browser draws."""
        return {
            "name": self.code.name,
            "chapters": self.chapters,
            "states": self.states,
            "steps": [self.draw_step(step) for step in self.steps],
            "questions": list(self.ask()),
            **self.tables,
        }

    def draw_step(self, step: Step) -> dict[str, Any]:
        """Return where a step is, what it said and changed, and the states around it."""
        before, after = self.states[step.before], self.states[step.after]
        old, new = len(before["messages"]), len(after["messages"])
        changes = self.changes(step)
        chips = [("", f"{step.times} times")] if step.times > 1 else []
        chips += [("", step.said)] if step.said else []
        if "count" in changes:
            chips.append(("count", f"self.rounds {before['count']} → {after['count']}"))
        if "list" in changes:
            chips.append(("list", "self.items changes"))
        if "messages" in changes:
            words = f"messages {old} → {new}" if "added" in changes else f"message {new} changes"
            chips.append(("messages", words))
        if step.error:
            chips.append(("error", step.error))
        elif not changes:
            values = (f"{name} = {words}" for name, words in step.values.items())
            chips += [("", words) for words in values if words.partition(" = ")[2] != step.said]
        number = self.draw_function(step.code)
        said = (
            f"Line {step.statement.first} of {self.tables['functions'][number]['name']}() has run"
        )
        said += ": " * bool(chips) + ", ".join(CONDITIONS.get(words, words) for _, words in chips)
        return {
            "function": number,
            "first": step.statement.first,
            "last": step.statement.last,
            "waits": [[self.draw_function(code), line] for code, line in step.waits],
            "chips": chips,
            "said": f"{said}.",
            "before": step.before,
            "after": step.after,
        }

    def draw_function(self, code: CodeType) -> int:
        file = code.co_filename
        name = code.co_qualname.replace("<locals>.", "")
        lines = read_function(self.code.sources[file], code)
        return self.share("functions", {"file": Path(file).name, "name": name, "lines": lines})

    def ask(self) -> Iterator[dict[str, Any]]:
        """Yield the questions: before which step, in which function, and the lines that are right.

        A question whose answer did not happen in that function is left out.
        """
        steps = list(enumerate(self.steps))
        checks = [
            (at, one) for at, one in steps if one.code.co_name == "update" and at < self.second_run
        ]
        rejects = {one.statement.first for _, one in checks if one.error}
        if rejects:
            sent = self.tables["lists"][self.states[checks[0][1].before]["sent"]]
            busy = sum(item["status"] == "in_progress" for item in sent)
            start, end = (self.states[n] for n in (checks[0][1].before, checks[-1][1].after))
            is_kept = start["list"] == end["list"]  # a list may also have been put back
            yield self.question(
                checks, rejects, f"Of the {len(sent)} tasks that the model sends, {busy} are in "
                "progress. Which line of update() rejects the list?",
                "The error goes back through the loop to the model, and the old list is still in "
                "self.items." if is_kept else "The error comes too late: the list was replaced "
                "before, and the old one is lost.",
            )  # fmt: skip
        nags = [
            (at, one)
            for at, one in steps
            if one.code.co_name == "__call__" and at < self.second_run
        ]
        counts = {one.statement.first for _, one in nags if "count" in self.changes(one)}
        if counts:
            count = self.states[nags[0][1].before]["count"]
            yield self.question(
                nags,
                counts,
                f"The list was rejected, and self.rounds is {count}. Which line of "
                "the nag changes it now?",
                "The nag asks whether todo was called, and not whether the list was accepted. The "
                "model has just read what is wrong with its list, so it needs no reminder.",
            )
        later = [(at, one) for at, one in steps if at >= self.second_run]
        called = max((at for at, one in later if one.said.startswith("returns '<")), default=None)
        if called is not None:
            loop = [(at, one) for at, one in later if at > called]
            loop = [pair for pair in loop if pair[1].code is loop[0][1].code]
            puts = next((n for n, (_, one) in enumerate(loop) if self.changes(one)), None)
            if puts is not None:
                # A loop may put it into a result first, and then that result into the messages.
                right = {
                    one.statement.first
                    for _, one in loop[: puts + 1]
                    if self.changes(one)
                    or one.statement.kind in ("Assign", "AugAssign", "Expr")
                    and not one.is_back
                }
                yield self.question(
                    loop[: puts + 1],
                    right,
                    "The nag has returned the reminder. Which line of the "
                    "loop puts it where the model will read it?",
                    "It goes inside the result of the last call, and the model reads it with the "
                    "next request.",
                )

    @property
    def second_run(self) -> int:
        """Return the step at which the second run begins."""
        first, *later = self.chapters
        return next(int(one["from"]) for one in later if one["round"] != first["round"])

    def question(
        self, steps: Sequence[tuple[int, Step]], right: set[int], ask: str, why: str
    ) -> dict[str, Any]:
        """Return a question about the function of these steps, which is asked before the first."""
        at, first = steps[0]
        then = max(place for place, one in steps if one.statement.first in right)
        return {"at": at, "function": self.draw_function(first.code), "then": then,
                "right": sorted(right), "ask": ask, "why": why}  # fmt: skip


def list_items(todo: Any) -> list[dict[str, str]]:
    """Return each item of a learner's list as its text and its status."""
    items = getattr(todo, "items", ())
    with suppress(Exception):
        return [{"text": str(one["text"]), "status": str(one["status"])} for one in items]
    return [{"text": str(one), "status": ""} for one in items] if isinstance(items, list) else []


def draw_list(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return items as every todo list is drawn."""
    return [
        {"id": str(number), "text": str(item.get("text", "")), "status": item["status"],
         "letter": find_letter(item, ()), "active": None, "more": []}
        for number, item in enumerate(items, 1)
    ]  # fmt: skip


def find_call(messages: Iterable[Any]) -> Any:
    """Return the input of the last todo call in some messages, or None."""
    uses = [block for message in messages for block in blocks_of(message)]
    return next((use["input"] for use in uses if is_list_tool(str(use.get("name")))), None)


def draw_message(message: Any) -> dict[str, Any]:
    """Return a message on one line, its look, and whether it contains a reminder."""
    mark, text = describe_message(message)
    look = "plan" if mark == "≡" else ""
    for block in blocks_of(message):
        if block["type"] == "tool_result" and block.get("is_error"):
            waiting = WAITING.get(str(block["content"]))
            look, text = ("waits", waiting) if waiting else ("failed", text)
    return {"text": f"{message['role']}: {text}", "look": look, "reminder": mark == "▼"}
