"""Play some rounds of the ten steps, record them, and divide each into the lesson's stations."""

import io
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, redirect_stdout, suppress
from dataclasses import dataclass, field
from typing import Any

from agentlib.loop import INTERRUPTED, NOT_RUN, Round
from agentlib.tools import Tool

from ..blocks import blocks_of, is_list_tool
from ..program import list_tool
from ..runs.summaries import describe_message, headline
from ..runs.trial import Trial
from .code import Code, draw_function
from .recorder import LOOP, MAX_EVENTS, Recorder, Step, TooLongError

AFTER = 3
TITLES = {
    "": "The model calls a tool",
    "1": "The model calls todo",
    "2": "update checks the list",
    "3": "The list replaces the old one",
    "4": "Rounds without a todo call are counted",
    "5": "The reminder goes into the results",
}


class Recorded(Trial):
    """A trial with a list that may have only the method `update`, and any nag, or none."""

    def __init__(self, code: Code, eager: bool) -> None:
        super().__init__(
            todo=code.make_todo(), nag=lambda todo, _: code.make_nag(todo), eager=eager
        )

    def _tools(self) -> list[Tool]:
        return [*self.workspace.tools(), list_tool(self.todo)]


@dataclass
class Play:
    """A run that was recorded: its steps by round, and what stopped it, if anything did."""

    steps: dict[int, list[Step]]
    rounds: dict[int, Round]
    messages: list[Any]  # what the states refer to
    counter: str = ""  # the attribute of the nag that counts the rounds; "" if there is none
    lines: int = 0  # that ran in these rounds
    problem: str = ""
    trial: Trial | None = None
    keys: dict[str, int] = field(default_factory=dict)
    noted: list[int] = field(default_factory=list)


def play_recorded(
    code: Code, numbers: Sequence[int], eager: bool = False, traced: bool = True
) -> Play:
    """Play the ten steps and record the rounds with these numbers.

    A run that raises, or does not end, is recorded until then, whatever its round.
    """
    made = Play({}, {}, [])
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            made.trial = trial = Recorded(code, eager)
        except Exception as error:
            made.problem = f"It cannot be created: {type(error).__name__}: {error}."
            return made
        nag: Any = trial.nag
        names = {name for name, value in vars(nag).items() if value == 0} if nag else set()
        waited = 0

        def watch() -> tuple[Any, ...]:
            counts = {name: vars(nag).get(name) for name in names}
            return counts, read_items(trial.todo), note_messages(made, trial.messages)

        recorder, running = Recorder(code.sources, watch), iter(trial)
        for number in range(1, max(numbers) + 1):
            recorder.begin()
            try:
                with ExitStack() as stack:
                    if traced:
                        stack.enter_context(recorder.tracing())
                    turn = next(running)
            except (Exception, TooLongError) as error:
                kind = (
                    f"more than {MAX_EVENTS:,} lines ran"
                    if isinstance(error, TooLongError)
                    else f"{type(error).__name__}: {error}"
                )
                made.problem = f"The recording stops in round {number}: {kind}."
                made.steps[number] = recorder.shown()
                break
            # A learner may give the count any name: it is the attribute that has counted so far.
            waited = 0 if any(is_list_tool(call.name) for call in turn.calls) else waited + 1
            right = {name for name in names if vars(nag)[name] == waited}
            if number in numbers:
                made.steps[number], made.rounds[number] = recorder.shown(), turn
                made.lines += recorder.lines
            names = right
        # The states were recorded with more names than have counted right to the end.
        made.counter = min(names, default="")
    if lines := printed.getvalue().count("\n"):
        made.problem += f" It printed {lines} lines."
    return made


def read_items(todo: Any) -> tuple[tuple[str, str], ...]:
    """Return each item as its text and its status."""
    items = getattr(todo, "items", ())
    with suppress(Exception):
        return tuple((str(one["text"]), str(one["status"])) for one in items)
    return tuple((str(one), "") for one in items) if isinstance(items, Iterable) else ()


def note_messages(play: Play, messages: Sequence[Any]) -> tuple[int, ...]:
    """Return a number for each message; equal messages have the same one."""
    # Only the last two can change: a result takes the place of "not run".
    known = play.noted[: max(0, len(messages) - 2)]
    known += [note_message(play, one) for one in messages[len(known) :]]
    play.noted = known
    return tuple(known)


def note_message(play: Play, message: Any) -> int:
    key = str(message)
    if key not in play.keys:
        play.keys[key] = len(play.messages)
        mark, text = describe_message(message)
        results = [block for block in blocks_of(message) if block["type"] == "tool_result"]
        is_waiting = any(str(one["content"]) in (NOT_RUN, INTERRUPTED) for one in results)
        sent = [
            use["input"].get("items") for use in blocks_of(message) if use.get("name") == "todo"
        ]
        play.messages.append(
            {
                "role": message["role"],
                "mark": mark,
                "text": text,
                "look": "waits"
                if is_waiting
                else "failed"
                if any(one.get("is_error") for one in results)
                else "",
                "sent": [[one["text"], one["status"]] for one in sent[0]] if sent else None,
            }
        )
    return play.keys[key]


class Film:
    """What the browser draws: parts, one for each round, each divided into stations.

    `functions` and `messages` are shared by all films of a page, so each is sent once.
    """

    def __init__(self) -> None:
        self.functions: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []

    def make(self, code: Code, plays: Sequence[Play]) -> dict[str, Any]:
        """Return the film of some plays with the same code."""
        return {
            "name": code.name,
            "counter": plays[0].counter and f"self.{plays[0].counter}",
            "problem": " ".join(play.problem for play in plays if play.problem).strip(),
            "lines": sum(play.lines for play in plays),
            "parts": [
                self.make_part(code, play, number)
                for play in plays
                for number, steps in play.steps.items()
                if steps
            ],
        }

    def make_part(self, code: Code, play: Play, number: int) -> dict[str, Any]:
        """Return one round: its steps, and its stations with the steps of each."""
        steps, turn = play.steps[number], play.rounds.get(number)
        state = self.draw_state(play, steps[0].before)
        drawn = [self.draw_step(code, play, step) for step in steps]
        groups: list[tuple[str, list[int]]] = []
        for place, name in enumerate(name_stations(steps, state)):
            if not groups or groups[-1][0] != name:
                groups.append((name, []))
            groups[-1][1].append(place)
        is_eager = bool(play.trial and play.trial.eager)
        stations: list[dict[str, Any]] = []
        part: dict[str, Any] = {"round": number, "eager": is_eager, "start": state, "steps": drawn}
        part["stations"] = stations
        for name, places in groups:
            station: dict[str, Any] = {
                "name": name,
                "title": TITLES[name],
                "from": places[0],
                "to": places[-1] + 1,
            }
            station["key"] = max(places, key=lambda at: (weigh(steps[at], name), at))
            stations.append(station)
        for station in stations:
            station["words"] = describe_station(station["name"], part, turn, play.counter)
        return part

    def draw_step(self, code: Code, play: Play, step: Step) -> dict[str, Any]:
        waits = [[self.number(code, one), line] for one, line in step.waits]
        drawn = {
            "f": self.number(code, step.code), "a": step.first, "z": step.last, "waits": waits,
            "said": step.said, "error": step.error, "times": step.times,
            "values": [f"{name} = {value}" for name, value in step.values.items()
                       if value not in step.said],
        }  # fmt: skip
        before, after = (self.draw_state(play, one) for one in (step.before, step.after))
        changed = {key: value for key, value in after.items() if before[key] != value}
        return {key: value for key, value in (drawn | changed).items() if value or key in "fcount"}

    def draw_state(self, play: Play, state: Any) -> dict[str, Any]:
        counts, items, messages = state
        known = [self.share(self.messages, play.messages[one]) for one in messages]
        return {
            "count": counts.get(play.counter),
            "items": list(map(list, items)),
            "messages": known,
        }

    def number(self, code: Code, function: Any) -> int:
        drawn = draw_function(code.sources[function.co_filename], function)
        return self.share(self.functions, drawn | {"inLoop": function.co_filename in LOOP})

    def share(self, table: list[dict[str, Any]], one: dict[str, Any]) -> int:
        if one not in table:
            table.append(one)
        return table.index(one)


def name_stations(steps: Sequence[Step], start: dict[str, Any]) -> list[str]:
    """Return the station of each step. In a round they only go on, so each begins with its event.

    The request goes out before the first one ("").
    """
    names, now = [], ""
    for step in steps:
        counts, items, messages = step.before
        if len(step.after[2]) > len(messages):
            now = "1"
        name = step.code.co_name
        if now == "1" and name == "update":
            now = "2"
        if now in "123" and step.after[1] != items:
            now = "3"
        if name == "answer" and now != "5":
            now = "4"
        if (
            now == "4"
            and name == "answer"
            and len(step.after[2]) == len(messages)
            and step.after[2] != messages
        ):
            now = "5"
        names.append(now)
    # A round that does not call todo has no station before the count.
    return names if "2" in names else ["" if one in ("", "1") else one for one in names]


def weigh(step: Step, name: str) -> int:
    """Return how much a step says about its station: the one that says most is shown with it."""
    counts, items, messages = (
        bool(one != two) for one, two in zip(step.before, step.after, strict=True)
    )
    is_update = step.code.co_name == "update"
    weights: dict[str, int] = {
        "2": (4 if step.error else 2) * is_update,
        "3": 4 * items + (2 if step.error else 0) * is_update,
        "4": 4 * counts + 2 * (step.code.co_name == "__call__"),
    }
    return weights.get(name, 4 * messages)


def describe_station(name: str, part: dict[str, Any], turn: Round | None, counter: str) -> str:
    """Return what happens at a station, from what was recorded."""
    steps, start, number = part["steps"], part["start"], part["round"]
    key = steps[next(one["key"] for one in part["stations"] if one["name"] == name)]
    call = next((one for one in turn.calls if is_list_tool(one.name)), None) if turn else None
    sent = call.input["items"] if call else []
    changed = next((step for step in steps if "items" in step), start)
    count = next((step["count"] for step in steps if "count" in step), start["count"])
    counted = f", so the count goes from {start['count']} to {count}." if counter else "."
    if name == "" and call:
        return f"Request {number} contains the reminder, and only now does the model read it."
    if name == "":
        return (
            f"The loop sends request {number} with all the messages so far. The model answers with "
            f"{headline(turn) if turn else 'a call'}. The tool runs, and its result is appended."
        )
    if name == "1":
        busy = sum(one.get("status") == "in_progress" for one in sent)
        return (
            f"It sends a whole new list of {len(sent)} tasks, {busy} of them in progress. "
            "Two messages are appended: this call, and a result that still says “not run”."
        )
    if name in "23" and "error" in key and changed is not start:
        return (
            "The error comes too late: the list had been replaced before, and the old one is lost."
        )
    if name in "23" and "error" in key:
        return (
            f"Line {key['a']} says no. Python leaves update() there, so the line that replaces the "
            "list never runs, and self.items is still the old list."
        )
    if name == "2":
        return "No line says no. Until here, self.items is still the old list."
    if name == "3":
        new = sum(one != two for one, two in zip(start["items"], key["items"], strict=False))
        return (
            f"Every check is above line {key['a']}, which replaces the list: {new} of its "
            f"{len(key['items'])} tasks are different. As text, it becomes the result of the call."
        )
    if name == "4":
        was = "It was" if call else "It was not"
        was += ", although the list was rejected" if call and not call.ok else ""
        return f"The nag asks whether todo was called in this round. {was}{counted}"
    return (
        f"The loop puts the text that the nag returned into message {len(key['messages'])}, inside "
        "the result of the last tool call. No message is added."
    )
