"""Play two runs of the ten steps, record three rounds of them, and draw what their lines did."""

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

from agentlib.loop import INTERRUPTED, NOT_RUN
from agentlib.prompts import system_prompt

from ..blocks import blocks_of, is_list_tool, read_items
from ..letters import find_letter
from ..model_choice import connect_practice
from ..runs.summaries import describe_message
from ..runs.trial import Trial, list_tool
from .code import Code, read_function
from .recorder import Recorder, Step

TITLES = {
    "1": "The model calls a tool",
    "2": "update checks the list",
    "3": "The list replaces the old one",
    "4": "The rounds without a todo call are counted",
    "5": "The reminder goes into the results",
}
# The place of a result until the tool has run: the loop puts an error there in case it is stopped.
WAITING = {NOT_RUN: "no result yet", INTERRUPTED: "no result yet, the tool is running"}


# A loop may put a reminder into a result first, and then that result into the messages.
PUTS = ("Assign", "AugAssign", "Expr")
KEPT = "The error goes back through the loop to the model, and the old list is still in self.items."
LOST = "The error comes too late: the list was replaced before, and the old one is lost."


class EndOfFilm(BaseException):  # noqa: N818  # no error, and no `except Exception` may catch it
    """Ends a run after the last round that is recorded."""


@dataclass
class Watched:
    """A client that records the rounds with these `numbers`, and ends the run after them.

    A round goes from the model's reply to the next request. `add` gets its number and its steps.
    """

    client: Any
    recorder: Recorder
    numbers: Sequence[int]
    add: Any
    number: int = 0

    @property
    def messages(self) -> "Watched":
        return self

    def create(self, **request: Any) -> Any:
        if self.number in self.numbers:
            self.add(self.number, self.recorder.end())
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
        self.rounds: list[list[Step]] = []
        self.chapters: list[dict[str, Any]] = []

    @property
    def steps(self) -> list[Step]:
        return [step for steps in self.rounds for step in steps]

    def record(self, numbers: Sequence[int], eager: bool = False) -> Trial:
        """Play the ten steps, record the rounds with these numbers, and return the run.

        Raise any exception of the code. What it prints is dropped, and a debugger waits.
        """
        trial = Trial(
            todo=self.code.make_todo(), nag=lambda todo, _: self.code.make_nag(todo), eager=eager
        )
        model = connect_practice(trial.model)
        settings = {**model.settings, "system": system_prompt(trial.workspace.name)}
        recorder = Recorder(self.code.sources, lambda: self.watch(trial))
        add = partial(self.add, "An eager model" if eager else "A reminder")
        client = Watched(model.client, recorder, numbers, add)
        tools = [*trial.workspace.tools(), list_tool(trial.todo)]
        debugger = sys.gettrace()
        try:
            with redirect_stdout(io.StringIO()), suppress(EndOfFilm):
                self.code.loop(client, trial.messages, tools, remind=trial.nag, **settings)
        finally:
            sys.settrace(debugger)
        return trial

    def watch(self, trial: Trial) -> int:
        """Return the number of the run's state, which is a new one if anything has changed."""
        count, items = getattr(trial.nag, "rounds", None), draw_list(trial.items)
        # Only the last two messages can change: a result takes the place of "not run".
        key = (count, items, len(trial.messages), str(trial.messages[-2:]))
        if key != self.key:
            self.key = key
            sent = draw_list(read_items(find_call(trial.messages[-2:])))
            self.states.append(
                {
                    "count": count if isinstance(count, int) else None,
                    "list": self.share("lists", items),
                    "sent": self.share("lists", sent),
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

    def add(self, run: str, number: int, steps: list[Step]) -> None:
        """Add the steps of a round, and a chapter for each station in it. They only go on."""
        is_rejected = any(step.error for step in steps if step.code.co_name == "update")
        now = ""
        for place, step in enumerate(steps, len(self.steps)):
            name = self.find_station(step, is_rejected)
            if name > now:
                now = name
                chapter = {"round": f"{run}, round {number}", "name": name, "title": TITLES[name]}
                self.chapters.append(chapter | {"from": place})
        self.rounds.append(steps)

    def find_station(self, step: Step, is_rejected: bool) -> str:
        """Return the station that begins with a step like this one."""
        changes, last = self.changes(step), self.states[step.after]["messages"][-1]
        if "messages" in changes and self.tables["messages"][last]["reminder"]:
            return "5"
        if "count" in changes or step.code.co_name == "__call__":
            return "4"
        if "list" in changes and not is_rejected:
            return "3"
        return "2" if step.code.co_name == "update" else "1"

    def changes(self, step: Step) -> set[str]:
        """Return what a step has changed: the count, the list, the messages."""
        before, after = self.states[step.before], self.states[step.after]
        return {what for what in ("count", "list", "messages") if before[what] != after[what]}

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
        chips += [("", step.condition)] if step.condition else []
        if "count" in changes:
            chips.append(("count", f"self.rounds {before['count']} → {after['count']}"))
        if "list" in changes:
            chips.append(("list", "self.items changes"))
        if "messages" in changes:
            words = f"messages {old} → {new}" if old != new else f"message {new} changes"
            chips.append(("messages", words))
        if step.error:
            chips.append(("error", step.error))
        elif not changes:
            chips += [("", words) for words in step.values.values()]
        return {
            "function": self.draw_function(step.code),
            "first": step.statement.first,
            "last": step.statement.last,
            "waits": [[self.draw_function(code), line] for code, line in step.waits],
            "chips": chips,
            "before": step.before,
            "after": step.after,
        }

    def draw_function(self, code: CodeType) -> int:
        file = code.co_filename
        name = code.co_qualname.replace("<locals>.", "")
        lines = read_function(self.code.sources[file], code)
        return self.share("functions", {"file": Path(file).name, "name": name, "lines": lines})

    def ask(self) -> Iterator[dict[str, Any]]:
        """Yield the questions. One whose answer did not happen in its function is left out."""
        rejected, reminded, _ = self.rounds
        start, end = self.states[rejected[0].before], self.states[rejected[-1].after]
        sent = self.tables["lists"][end["sent"]]
        busy = sum(item["status"] == "in_progress" for item in sent)
        checks = [step for step in rejected if step.code.co_name == "update"]
        yield from self.question(
            checks,
            [step for step in checks if step.error],
            f"Of the {len(sent)} tasks that the model sends, {busy} are in progress. Which line of "
            "update() rejects the list?",
            # A list may also have been put back.
            KEPT if start["list"] == end["list"] else LOST,
        )
        nags = [step for step in rejected if step.code.co_name == "__call__"]
        yield from self.question(
            nags,
            [step for step in nags if "count" in self.changes(step)],
            f"The list was rejected, and self.rounds is {start['count']}. Which line of the nag "
            "changes it now?",
            "The nag asks whether todo was called, and not whether the list was accepted. The "
            "model has just read what is wrong with its list, so it needs no reminder.",
        )
        returned = [n for n, step in enumerate(reminded, 1) if step.code.co_name == "__call__"]
        later = reminded[returned[-1] :] if returned else []
        loop = [step for step in later if step.code is later[0].code]
        end_of_put = next((n for n, step in enumerate(loop, 1) if self.changes(step)), 0)
        puts = [step for step in loop[:end_of_put] if step.statement.kind in PUTS]
        yield from self.question(
            loop,
            [step for step in puts if not step.is_back],
            "The nag has returned the reminder. Which line of the loop puts it where the model "
            "will read it?",
            "It goes inside the result of the last call, and the model reads it with the next "
            "request.",
        )

    def question(
        self, steps: Sequence[Step], right: Sequence[Step], ask: str, why: str
    ) -> Iterator[dict[str, Any]]:
        """Yield a question before the first of these steps in the function of the last right one.

        The step `then` has the answer. A method may call the one that it extends.
        """
        if right:
            code = right[-1].code
            yield {
                "at": self.steps.index(next(step for step in steps if step.code is code)),
                "function": self.draw_function(code),
                "then": self.steps.index(right[-1]),
                "right": sorted({step.statement.first for step in right if step.code is code}),
                "ask": ask,
                "why": why,
            }


def draw_list(items: Any) -> list[dict[str, Any]]:
    """Return the items of a learner's list as every todo list is drawn."""
    given = items if isinstance(items, list | tuple) else ()
    found = [item if isinstance(item, Mapping) else {"text": item} for item in given]
    return [
        {"id": str(number), "text": str(item.get("text", "")), "status": status,
         "letter": find_letter({"status": status}, ()), "active": None, "more": []}
        for number, item in enumerate(found, 1)
        for status in [str(item.get("status", ""))]
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
