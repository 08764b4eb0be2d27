"""Play some rounds of the ten steps, record them, and divide each into the lesson's stations."""

import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from types import CodeType
from typing import Any

from agentlib.loop import INTERRUPTED, NOT_RUN, Round
from agentlib.tools import Tool

from ..blocks import blocks_of, is_list_tool, read_items
from ..letters import find_letter
from ..program.run import list_tool
from ..runs.summaries import describe_message, headline
from ..runs.trial import Trial
from .code import Code, read_function
from .recorder import ENTRIES, LOOP, Recorder, Step

TITLES = {
    "": "The model calls a tool",
    "1": "The model calls todo",
    "2": "update checks the list",
    "3": "The list replaces the old one",
    "4": "Rounds without a todo call are counted",
    "5": "The reminder goes into the results",
}
CONDITIONS = {"yes": "the condition is true", "no": "the condition is false"}  # of a chip

# The place of a result until the tool has run: the loop puts an error there in case it is stopped.
WAITING = {NOT_RUN: "no result yet", INTERRUPTED: "no result yet, the tool is running"}


class Recorded(Trial):
    """A trial with a list that may have only the method `update`."""

    def __init__(self, code: Code, eager: bool) -> None:
        super().__init__(
            todo=code.make_todo(), nag=lambda todo, _: code.make_nag(todo), eager=eager
        )

    def _tools(self) -> list[Tool]:
        return [*self.workspace.tools(), list_tool(self.todo)]


class Film:
    """Some rounds of runs with the same code, recorded and drawn, with their stations.

    `tables` has the functions, lists and messages of all films, so that each is sent once.
    `counter` is the attribute of the nag that counts the rounds, or "" if there is none. `replaces`
    is the last line of `update` that replaced the list, and `rejects` its last step with an error.
    """

    def __init__(self, code: Code, tables: dict[str, list[Any]]) -> None:
        self.code, self.tables = code, tables
        self.parts: list[dict[str, Any]] = []
        self.counter = ""
        self.lines = self.replaces = 0
        self.rejects: Step | None = None

    def drawn(self) -> dict[str, Any]:
        counter = self.counter and f"self.{self.counter}"
        return {"name": self.code.name, "counter": counter, "parts": self.parts}

    def record(self, numbers: Sequence[int], eager: bool = False) -> Trial:
        """Play the ten steps, record the rounds with these numbers, and return the run.

        Raise any exception of the code. What it prints is dropped.
        """
        waited = 0
        recorder = Recorder(self.code.sources, lambda: self.watch(trial))
        with redirect_stdout(io.StringIO()):
            trial = Recorded(self.code, eager)
            counts = vars(trial.nag)
            names = {name for name, value in counts.items() if value == 0}
            playing = iter(trial)
            for number in range(1, max(numbers) + 1):
                self.nows: list[dict[str, Any]] = []
                self.known: dict[Any, int] = {}
                with recorder.tracing():
                    turn = next(playing)
                if number in numbers:
                    self.add_part(recorder, turn, eager)
                # A learner may give the count any name: it is what has counted so far.
                called = any(is_list_tool(call.name) for call in turn.calls)
                waited = 0 if called else waited + 1
                names = {name for name in names if counts[name] == waited}
                self.counter = min(names, default="")
        return trial

    def watch(self, trial: Any) -> int:
        """Return the number of the run's state in this round; equal states have the same."""
        count, items = vars(trial.nag).get(self.counter), list_items(trial.todo)
        # Only the last two messages can change: a result takes the place of "not run".
        key = (count, items, len(trial.messages), str(trial.messages[-2:]))
        if key not in self.known:
            self.known[key] = len(self.nows)
            self.nows.append(self.draw_now(count, items, trial.messages))
        return self.known[key]

    def draw_now(self, count: Any, items: Any, messages: list[Any]) -> dict[str, Any]:
        """Return the count, the list, the list that the model sent, and the messages."""
        drawn = [draw_message(message) for message in messages]
        sent, has_failed = read_items(find_call(messages[-2:])), drawn[-1]["look"] == "failed"
        shown = draw_list({"text": text, "status": status} for text, status in items)
        number = self.share("lists", shown)
        is_new = bool(self.nows) and number != self.nows[0]["list"]
        words = "the new list" if is_new else "the old list"
        if has_failed and sent:
            words = "the old list is lost" if is_new else "the old list, unchanged"
        return {
            "count": count,
            "list": number,
            "words": words,
            "sent": self.share("lists", draw_list(sent)) if sent else None,
            "isNew": is_new,
            "rejected": has_failed,
            "messages": [self.share("messages", one) for one in drawn],
        }

    def share(self, table: str, one: Any) -> int:
        """Return the number of something in a table of all films."""
        found = self.tables.setdefault(table, [])
        if one not in found:
            found.append(one)
        return found.index(one)

    def add_part(self, recorder: Recorder, turn: Round, eager: bool) -> None:
        """Add one round: its steps, and its stations with the steps of each."""
        steps = recorder.shown()
        self.lines += recorder.lines
        for step in steps:
            if step.code.co_name == "update" and "list" in self.changes(step):
                self.replaces = step.statement.first
            if step.code.co_name == "update" and step.error:
                self.rejects = step
        names = self.name_stations(steps)
        stations = [
            self.draw_station(name, steps, [n for n, one in enumerate(names) if one == name], turn)
            for name in dict.fromkeys(names)
        ]
        self.parts.append(
            {
                "title": f"{'Run 1, an eager model' if eager else 'Run 2, a reminder'}: "
                f"round {turn.number}",
                "eager": eager,
                "nows": self.nows,
                "steps": [self.draw_step(step) for step in steps],
                "stations": stations,
            }
        )

    def changes(self, step: Step) -> set[str]:
        """Return what a step has changed: the count, the list, the messages, how many there are."""
        before, after = self.nows[step.before], self.nows[step.after]
        found = {what for what in ("count", "list", "messages") if before[what] != after[what]}
        has_added = len(before["messages"]) != len(after["messages"])
        return found | {"added"} if has_added else found

    def name_stations(self, steps: Sequence[Step]) -> list[str]:
        """Return the station of each step. In a round they only go on, and begin with their event.

        The request goes out before the first one (""). A list that is rejected has no station 3.
        """
        names, now = [], ""
        is_rejected = any(step.error and step.code.co_name == "update" for step in steps)
        for step in steps:
            changes, name = self.changes(step), step.code.co_name
            if "added" in changes:
                now = "1"
            elif now == "1" and name == "update":
                now = "2"
            elif name == "answer" and now != "5":
                now = "5" if "messages" in changes else "4"
            if now == "2" and "list" in changes and not is_rejected:
                now = "3"
            names.append(now)
        # A round that does not call todo has no station before the count.
        return names if "2" in names else ["" if one in ("", "1") else one for one in names]

    def draw_step(self, step: Step) -> dict[str, Any]:
        """Return where a step is, what it said and changed, and the state after it."""
        before, after = self.nows[step.before], self.nows[step.after]
        old, new = len(before["messages"]), len(after["messages"])
        changes = self.changes(step)
        chips = [("", f"{step.times} times")] if step.times > 1 else []
        chips += [("", step.said)] if step.said else []
        if self.counter and "count" in changes:
            chips.append(("count", f"self.{self.counter} {before['count']} → {after['count']}"))
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
        first, last, *_ = step.statement
        waits = [[self.draw_function(code), line] for code, line in step.waits]
        number = self.draw_function(step.code)
        said = f"Line {first} of {self.tables['functions'][number]['name']}() has run"
        said += ": " * bool(chips) + ", ".join(CONDITIONS.get(words, words) for _, words in chips)
        return {"f": number, "a": first, "z": last, "waits": waits,
                "chips": chips, "said": f"{said}.", "now": step.after}  # fmt: skip

    def draw_function(self, code: CodeType) -> int:
        file = code.co_filename
        lines = read_function(self.code.sources[file], code)
        name = code.co_qualname.replace("<locals>.", "")
        drawn = {"file": Path(file).name, "name": name, "lines": lines}
        return self.share("functions", drawn | {"inLoop": file in LOOP})

    def draw_station(
        self, name: str, steps: Sequence[Step], places: Sequence[int], turn: Round
    ) -> dict[str, Any]:
        """Return a station: its steps, the one that says most, and what happens in it."""

        def weigh(place: int) -> tuple[int, int]:
            step = steps[place]
            what = {"3": "list", "4": "count"}.get(name, "messages")
            tells = step.error if name == "2" else what in self.changes(step)
            return 2 * bool(tells) + (name in "234" and step.code.co_name in ENTRIES), place

        key = max(places, key=weigh)
        in_function = (n for n in places if steps[n].code is steps[key].code)
        words = self.describe(name, steps[key], turn)
        return {"name": name, "title": TITLES[name], "words": words, "from": places[0],
                "to": places[-1] + 1, "key": key, "ask": next(in_function)}  # fmt: skip

    def describe(self, name: str, key: Step, turn: Round) -> str:
        """Return what happens at a station, from what was recorded."""
        start, end = self.nows[0], self.nows[key.after]
        call = next((one for one in turn.calls if is_list_tool(one.name)), None)
        line = key.statement.first
        if name == "":
            if self.tables["messages"][start["messages"][-1]]["reminder"]:
                return "The request contains the reminder, and only now does the model read it."
            return (
                f"The loop sends all {len(start['messages'])} messages. The model answers with "
                f"{headline(turn)}. The tool runs, and its result is appended."
            )
        if name == "1":
            sent = read_items(call.input) if call else []
            busy = sum(item["status"] == "in_progress" for item in sent)
            return (
                f"It sends a whole new list of {len(sent)} tasks, {busy} of them in progress. "
                "Two messages are appended: this call, and one that waits for its result."
            )
        if name == "2":
            if not key.error:
                return "No line says no. Until here, self.items is still the old list."
            if end["list"] != start["list"]:
                return "The error comes too late: the list was replaced, and the old one is lost."
            return (
                f"Line {line} says no. Python leaves update() there, so the line that replaces "
                "the list never runs, and self.items is still the old list."
            )
        if name == "3":
            old, new = (self.tables["lists"][now["list"]] for now in (start, end))
            changed = sum(one != two for one, two in zip(old, new, strict=False))
            return (
                f"Every check is above line {line}, which replaces the list: {changed} of its "
                f"{len(new)} tasks are different. As text, it becomes the result of the call."
            )
        if name == "4":
            was = "It was" if call else "It was not"
            was += ", although the list was rejected" if call and not call.ok else ""
            counted = f", so the count goes from {start['count']} to {end['count']}"
            return f"The nag asks whether todo was called in this round. {was}" + (
                f"{counted}." if self.counter else "."
            )
        return (
            f"The loop puts the text that the nag returned into message {len(end['messages'])}, "
            "inside the result of the last tool call. No message is added."
        )


def list_items(todo: Any) -> tuple[tuple[str, str], ...]:
    """Return each item of a learner's list as its text and its status."""
    items = getattr(todo, "items", ())
    with suppress(Exception):
        return tuple((str(one["text"]), str(one["status"])) for one in items)
    return tuple((str(one), "") for one in items) if isinstance(items, Iterable) else ()


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
    return next((use["input"] for use in uses if use.get("name") == "todo"), None)


def draw_message(message: Any) -> dict[str, Any]:
    """Return a message on one line, its look, and whether it contains a reminder."""
    mark, text = describe_message(message)
    look = "plan" if mark == "≡" else ""
    for block in blocks_of(message):
        if block["type"] == "tool_result" and block.get("is_error"):
            waiting = WAITING.get(str(block["content"]))
            look, text = ("waits", waiting) if waiting else ("failed", text)
    return {"text": f"{message['role']}: {text}", "look": look, "reminder": mark == "▼"}
