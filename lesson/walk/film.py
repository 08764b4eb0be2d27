"""Play two runs of the ten steps, record three rounds of them, and say what their lines did."""

import ast
import io
import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

from agentlib.prompts import system_prompt

from ..message_blocks import find_reminders, read_items
from ..model_choice import connect_practice
from ..picture_letters import find_letter
from ..program.my_parts import MyPart, make_nag
from ..program.sections import FILE
from ..runs.trial import Trial, list_tool
from ..time_limit import exhaust
from .recorder import Recorder, Step

TITLES = {
    "1": "The model calls a tool",
    "2": "update checks the list",
    "3": "The list is replaced",
    "4": "The nag counts the rounds",
    "5": "The reminder goes into the results",
}
# A loop may put a reminder into a result first, and then that result into the messages.
PUTS = ("Assign", "AugAssign", "Expr")
KEPT = "The error goes back through the loop to the model, and the old list is still in self.items."
LOST = "The error comes too late: the list was replaced before, and the old one is lost."


class EndOfFilm(BaseException):  # noqa: N818  # no error, and no `except Exception` may catch it
    """Ends a run after the last round that is recorded."""


@dataclass(frozen=True)
class State:
    """What the lines of a run change: the count of its nag, its list, and its messages."""

    count: int | None
    items: tuple[tuple[str, str], ...]  # the text and the status of each task
    messages: str  # the last two: no other one changes
    length: int  # of all messages
    is_reminded: bool  # by the last message

    def draw(self) -> dict[str, Any]:
        """Return what the browser draws: of each task its mark."""
        marks = "".join(find_letter({"status": status}, ()) for _, status in self.items)
        drawn = {"count": self.count, "marks": marks, "messages": self.length}
        return drawn | {"reminded": self.is_reminded}


def read_state(trial: Trial) -> State:
    """Return the state of a run now. Its list and its nag may be a learner's."""
    count, items, last = getattr(trial.nag, "rounds", None), trial.items, trial.messages[-2:]
    given = items if isinstance(items, list | tuple) else ()
    tasks = [item if isinstance(item, Mapping) else {"text": item} for item in given]
    return State(
        count=count if isinstance(count, int) else None,
        items=tuple((str(task.get("text", "")), str(task.get("status", ""))) for task in tasks),
        messages=str(last),
        length=len(trial.messages),
        is_reminded=any(map(find_reminders, last[-1:])),
    )


class Film:
    """Three rounds of two runs with the same code: what each line did, in the order of the steps.

    `parts` are its loop, list and nag. `replies` are the model's, one for each round.
    """

    def __init__(self, parts: Mapping[str, MyPart]) -> None:
        self.parts = parts
        self.rounds: dict[str, list[Step]] = {}
        self.replies: list[Any] = []

    @property
    def steps(self) -> list[Step]:
        return [step for steps in self.rounds.values() for step in steps]

    def record(self, numbers: Sequence[int], eager: bool = False) -> Trial:
        """Play the ten steps, record the rounds with these numbers, and return the run.

        Raise any exception of the code. What it prints is dropped, and a debugger waits.
        """
        loop, list_, nag = (self.parts[part].made for part in ("loop", "list", "nag"))
        trial = Trial(todo=list_(), nag=partial(make_nag, nag), eager=eager)
        model = connect_practice(trial.model)
        settings = {**model.settings, "system": system_prompt(trial.workspace.name)}
        recorder = Recorder(lambda: read_state(trial))
        name, number = "An eager model" if eager else "A reminder", 0

        def create(**request: Any) -> Any:
            """Send a request. A round goes from the reply to the next request."""
            nonlocal number
            if number in numbers:
                self.rounds[f"{name}, round {number}"] = recorder.end()
            if number == max(numbers):
                raise EndOfFilm
            reply = model.client.messages.create(**request)
            number += 1
            if number in numbers:
                self.replies.append(reply)
                recorder.begin()
            return reply

        client: Any = SimpleNamespace(messages=SimpleNamespace(create=create))
        tools = [*trial.workspace.tools(), list_tool(trial.todo)]
        debugger = sys.gettrace()
        try:
            with redirect_stdout(io.StringIO()), suppress(EndOfFilm):
                exhaust(loop(client, trial.messages, tools, remind=trial.nag, **settings))
        finally:
            sys.settrace(debugger)
        return trial

    def draw(self) -> dict[str, Any]:
        """Return what the browser draws."""
        own = [part.name for part in self.parts.values() if part.is_yours]
        return {
            "name": f"your {', '.join(own)} ({FILE})" if own else "the package",
            "titles": TITLES,
            "rounds": list(map(self.draw_round, self.rounds)),
            "steps": [self.draw_step(step) for step in self.steps],
            "questions": list(self.ask()),
            "functions": {
                find_name(code): draw_function(code)
                for code in dict.fromkeys(step.code for step in self.steps)
            },
        }

    def draw_round(self, name: str) -> dict[str, Any]:
        """Return a round's stations, each with the number of its first step. They only go on.

        `jump` is why it passes over a station, or "".
        """
        steps = self.rounds[name]
        stations: dict[str, int] = {}
        is_rejected = any(step.error for step in steps if step.code.co_name == "update")
        for step in steps:
            station = find_station(step, is_rejected)
            if station > max(stations, default=""):
                stations[station] = self.steps.index(step)
        drawn = [{"number": n, "title": TITLES[n], "from": at} for n, at in stations.items()]
        jump = "rejected" if is_rejected else "no list sent" if "2" not in stations else ""
        return {"name": name, "stations": drawn, "jump": jump}

    def draw_step(self, step: Step) -> dict[str, Any]:
        """Return where a step is, what it said and changed, and the state after it.

        A chip is some words and their colour, which has the name that it has in palette.css.
        """
        before, after, changes = step.before, step.after, step.changes
        longer, same = (
            f"messages {before.length} → {after.length}",
            f"message {after.length} changes",
        )
        chips = [
            ("line", f"{step.times} times" if step.times > 1 else ""),
            ("line", step.condition),
            ("reminder", "count" in changes and f"self.rounds {before.count} → {after.count}"),
            ("plan", "items" in changes and "self.items changes"),
            ("ink", "messages" in changes and (longer if "length" in changes else same)),
            ("lost", step.error),
        ]
        if not changes and not step.error:
            chips += [("line", words) for words in step.values.values()]
        return {
            "function": find_name(step.code),
            "first": step.statement.first,
            "last": step.statement.last,
            "waits": list(map(find_name, step.waits)),
            "chips": [chip for chip in chips if chip[1]],
            "state": after.draw(),
        }

    def ask(self) -> Iterator[dict[str, Any]]:
        """Yield the questions. One whose answer did not happen in its function is left out."""
        rejected, reminded, _ = self.rounds.values()
        start, end = rejected[0].before, rejected[-1].after
        calls = (block for block in self.replies[0].content if block.type == "tool_use")
        sent = next(read_items(call.input) for call in calls if call.name == "todo")
        busy = sum(item["status"] == "in_progress" for item in sent)
        checks = [step for step in rejected if step.code.co_name == "update"]
        yield from self.question(
            checks,
            [step for step in checks if step.error],
            f"Of the {len(sent)} tasks that the model sends, {busy} are in progress. Which "
            "line of update() rejects the list?",
            # A list may also have been put back.
            KEPT if start.items == end.items else LOST,
        )
        nags = [step for step in rejected if step.code.co_name == "__call__"]
        yield from self.question(
            nags,
            [step for step in nags if "count" in step.changes],
            f"The list was rejected, and self.rounds is {start.count}. Which line of the nag "
            "changes it now?",
            "The nag asks whether todo was called, and not whether the list was accepted. The "
            "model has just read what is wrong with its list, so it needs no reminder.",
        )
        returned = [n for n, step in enumerate(reminded, 1) if step.code.co_name == "__call__"]
        later = reminded[returned[-1] :] if returned else []
        loop = [step for step in later if step.code is later[0].code]
        end_of_put = next((n for n, step in enumerate(loop, 1) if step.changes), 0)
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
                "then": self.steps.index(right[-1]),
                "right": sorted({step.statement.first for step in right if step.code is code}),
                "ask": ask,
                "why": why,
            }


def find_name(code: CodeType) -> str:
    """Return the name of a function, with its class."""
    return code.co_qualname.replace("<locals>.", "")


def draw_function(code: CodeType) -> dict[str, Any]:
    """Return a function's file and its numbered lines, without its docstring."""
    source = linecache.getlines(code.co_filename)
    tree = ast.parse("".join(source))
    # Its first line may be that of a decorator.
    node = min(
        (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.lineno >= code.co_firstlineno
        ),
        key=lambda node: node.lineno,
    )
    left_out = range(0)
    if ast.get_docstring(node) is not None and len(node.body) > 1:
        left_out = range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    numbered = list(enumerate(source, 1))[node.lineno - 1 : node.end_lineno]
    lines = [(n, line[node.col_offset :].rstrip("\n")) for n, line in numbered if n not in left_out]
    return {"file": Path(code.co_filename).name.strip("<>"), "lines": lines}


def find_station(step: Step, is_rejected: bool) -> str:
    """Return the station that begins with a step like this one."""
    if "messages" in step.changes and step.after.is_reminded:
        return "5"
    if "count" in step.changes or step.code.co_name == "__call__":
        return "4"
    if "items" in step.changes and not is_rejected:
        return "3"
    return "2" if step.code.co_name == "update" else "1"
