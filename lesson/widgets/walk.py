"""The walk: one reminder through the running code, station by station and line by line."""

import ast
from pathlib import Path
from typing import Any

import traitlets

from ..my_agent import FILE
from ..runs.trial import Trial
from ..walk.code import Code, find_function, own_code, package_code, with_one_mistake
from ..walk.film import AFTER, Film, play_recorded
from ..walk.recorder import RULES
from .base import View

REJECTED, REMINDED, REPLACED = 6, 4, 5  # rounds; the first is one of an eager model
LISTS_KEPT = ["both", "only the left one", "only the right one", "neither"]


class Walk(View):
    """Three rounds of the ten steps, as they ran: one rejects a list, in two is a reminder.

    The list and the nag are the classes that you pass, or those that `keep` has saved in `file`,
    or else the package's. `at` is the number of the station, and `line` that of the step in it, or
    -1 for the whole station. `beside` is the film next to the first one (-1: the one that fits, 0:
    none), and `answers` are the reader's, by the number of the question.
    """

    kind = "walk"
    at = traitlets.Int(0).tag(sync=True)
    line = traitlets.Int(-1).tag(sync=True)
    beside = traitlets.Int(-1).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)

    def __init__(self, *written: type, file: str | Path = FILE) -> None:
        super().__init__()
        try:
            own, problem = own_code(Path(file), written), ""
        except Exception as error:
            own, problem = None, f"{file} cannot be run: {type(error).__name__}: {error}. "
        state = record(own)
        self.state = state | {"whose": problem + state["whose"]}
        self.at = self.state["first"]

    def text(self) -> str:
        """Return the questions and the stations, without the answers."""
        lines = [self.state["whose"], "", *(one["ask"] for one in self.state["questions"])]
        for title, part in zip(self.state["titles"], self.state["films"][0]["parts"], strict=True):
            lines += [
                "",
                title,
                *(f"{one['name'] or '·'} {one['title']}" for one in part["stations"]),
            ]
        return "\n".join(lines)


def record(own: Code | None) -> dict[str, Any]:
    """Record all films and return what the browser draws."""
    next(iter(Trial()))  # imports what the first request needs, which is slow if it is traced
    package = package_code()
    code, film = own or package, Film()
    films = [make_film(film, code)]
    films += [] if not own else [make_film(film, package)]
    wrong = make_mistake(film, films[0], code)
    if own and not wrong:
        wrong = make_mistake(film, films[1], package)
    state: dict[str, Any] = {
        "films": films + ([wrong] if wrong else []),
        "functions": film.functions,
        "messages": film.messages,
        "rules": list(RULES),
        "after": AFTER,
        "mistake": len(films) if wrong else 0,
        "package": len(films) - 1,
    }
    parts = films[0]["parts"]
    state["titles"] = [
        f"Round {part['round']}" + (" (eager model)" if part["eager"] else "") for part in parts
    ]
    state["questions"] = ask_questions(state, code)
    state["first"] = min((one["at"] for one in state["questions"]), default=0)
    state["whose"] = say_whose(code, own)
    return state


def make_film(film: Film, code: Code) -> dict[str, Any]:
    plays = [play_recorded(code, (REJECTED,), eager=True)]
    if not plays[0].problem.startswith("The"):  # else the others would stop in the same round
        plays.append(play_recorded(code, (REMINDED, REPLACED)))
    return film.make(code, plays)


def make_mistake(film: Film, right: dict[str, Any], code: Code) -> dict[str, Any] | None:
    """Return the film of the rejected list with code that replaces the list too early.

    None if moving one statement does not make this mistake: it is tried, and has to lose the list.
    """
    update = find_update(film, right)
    steps = [step for part in right["parts"] for step in part["steps"] if step["f"] == update]
    replaces = [step["a"] for step in steps if "items" in step]
    rejects = [step["a"] for step in steps if "error" in step]
    wrong = replaces and rejects and with_one_mistake(code, replaces[-1], rejects[0])
    if not wrong:
        return None
    made = film.make(wrong, [play_recorded(wrong, (REJECTED,), eager=True)])
    seen = [step for part in made["parts"] for step in part["steps"]]
    is_lost = any("items" in step for step in seen) and any("error" in step for step in seen)
    return made if is_lost and not made["problem"].startswith("The") else None


def find_update(film: Film, made: dict[str, Any]) -> int:
    """Return the number of the function that is the list's `update`, or -1."""
    found = (step["f"] for part in made["parts"] for step in part["steps"])
    return next((n for n in found if film.functions[n]["name"].endswith(".update")), -1)


def say_whose(code: Code, own: Code | None) -> str:
    """Return whose list and nag are shown, and what they do."""
    whose = code.name if own else f"the package's, because {FILE} has no list and no nag"
    whose = f"The list and the nag are {whose}"
    return (f"{whose}. The list checks what the model sends. The nag counts the rounds without a "
            f"todo call, and reminds the model after {AFTER}.")  # fmt: skip


def ask_questions(state: dict[str, Any], code: Code) -> list[dict[str, Any]]:
    """Return the questions with their right answers, which are in the recording.

    `at` is the station, and `before` the step of its round before which the question is asked.
    """
    parts = state["films"][0]["parts"]
    places = [(part, station) for part in parts for station in part["stations"]]
    names = state["functions"]
    questions = []

    def add(at: int, before: int, ask: str, choices: list[str], right: int, why: str) -> None:
        questions.append({"at": at, "before": before, "ask": ask, "choices": choices,
                          "right": right, "why": why})  # fmt: skip

    for at, (part, station) in enumerate(places):
        steps = range(station["from"], station["to"])
        one = part["steps"][station["key"]]
        before = part["start"]["count"]
        choices = list_choices(code, one["a"])
        if station["name"] == "2" and "error" in one and part["eager"] and choices:
            messages = (state["messages"][n] for n in known_before(part, one))
            sent = [message["sent"] for message in messages if message["sent"]][-1]
            busy = sum(status == "in_progress" for _, status in sent)
            add(
                at,
                station["from"],
                f"Of the {len(sent)} tasks that it sends, {busy} are in progress. Which line of "
                "update() rejects the list?",
                *choices,
                f"Line {one['a']} raises the error, and the checks above it have passed.",
            )
            if state["mistake"]:
                wrong = state["films"][state["mistake"]]["parts"][-1]
                kept = [not any("items" in step for step in it["steps"]) for it in (part, wrong)]
                add(
                    at,
                    station["from"],
                    "On the right, one line has moved. Which list is still the "
                    "old one when the list has been rejected?",
                    LISTS_KEPT,
                    [(True, True), (True, False), (False, True), (False, False)].index(
                        (kept[0], kept[1])
                    ),
                    "Python leaves update() at the line that says no. What ran before it has "
                    "happened, and what comes after it has not.",
                )
        counts = [n for n in steps if "count" in part["steps"][n]]
        if station["name"] == "4" and counts and part["eager"]:
            nag = next(
                n for n in steps if names[part["steps"][n]["f"]]["name"].endswith("__call__")
            )
            count = part["steps"][counts[-1]]["count"]
            add(
                at,
                nag,
                f"The list was rejected, and the count is {before}. What is it after the nag "
                "has run?",
                [str(n) for n in range(AFTER + 2)],
                count,
                f"It is {count}. The nag does not know that the list was rejected: it asks whether "
                "todo was called. The model has just read what is wrong with its list, so it needs "
                "no reminder.",
            )
        if station["name"] == "5":
            last = len(part["start"]["messages"]) + 2
            add(
                at,
                station["from"],
                "In which message will the reminder be?",
                [
                    "the system prompt",
                    f"message {last - 1}, the model's call",
                    f"message {last}, the result of the call",
                    f"a new message {last + 1}",
                ],
                2,
                f"In message {last}, whose role is user: the reminder is inside the result of the "
                "tool call. The loop put it there, and the nag only returned its text.",
            )
    return questions


def list_choices(code: Code, line: int) -> tuple[list[str], int] | None:
    """Return the statements of `update`, and which of them is at `line`; None if none is."""
    update = getattr(getattr(code.make_todo, "update", None), "__code__", None)
    if update is None or update.co_filename not in code.sources:
        return None
    source = code.sources[update.co_filename]
    body = find_function(source, update).body
    lines = body[1:] if ast.get_docstring(find_function(source, update)) else body
    right = [n for n, one in enumerate(lines) if one.lineno <= line <= (one.end_lineno or 0)]
    text = source.splitlines()
    words = [f"{one.lineno}  {text[one.lineno - 1].strip()}" for one in lines]
    return (words, right[0]) if right else None


def known_before(part: dict[str, Any], one: dict[str, Any]) -> list[int]:
    """Return the messages that were there when a step of a round ran."""
    known = part["start"]["messages"]
    for step in part["steps"][: part["steps"].index(one)]:
        known = step.get("messages", known)
    return list(known)
