"""The walk: one reminder through the running code, station by station and line by line."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import traitlets

from agentlib.nag import AFTER

from ..program.save import FILE
from ..runs.trial import Trial
from ..walk.code import Code, own_code, package_code, read_function, with_one_mistake
from ..walk.film import Film
from ..walk.recorder import RULES, Step, list_statements
from .base import View

# Rounds after the nag's first ones; the first is one of an eager model.
REJECTED, REMINDED, REPLACED = AFTER + 3, AFTER + 1, AFTER + 2
# A question at a station, by its number. Only one has a line that moved, on the left and right.
QUESTION = ("at", "ask", "choices", "right", "why", "moved")
END = (
    " This is the end. You have seen what update() does with a list that breaks a rule, and how a "
    "reminder gets from the nag into a tool result, and so to the model."
)
LISTS_KEPT = {
    (True, True): "both",
    (True, False): "only the left one",
    (False, True): "only the right one",
    (False, False): "neither",
}


class Walk(View):
    """Three rounds of the ten steps, as they ran: one rejects a list, in two is a reminder.

    The list and the nag are those that `keep` has saved in `file`, or else the package's. `at` is
    the number of the station, and `line` that of the step in it, or -1 for the whole station.
    `beside` is the film next to the first one (-1: the one that fits, 0: none), and `answers` are
    the reader's, by the number of the question.
    """

    kind = "walk"
    at = traitlets.Int(0).tag(sync=True)
    line = traitlets.Int(-1).tag(sync=True)
    beside = traitlets.Int(-1).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)

    def __init__(self, file: str | Path = FILE) -> None:
        super().__init__()
        self.state = record(Path(file))
        self.at = min((one["at"] for one in self.state["questions"]), default=0)

    def text(self) -> str:
        """Return the questions and the stations, without the answers."""
        lines = [self.state["whose"], "", *(one["ask"] for one in self.state["questions"])]
        for part in self.state["films"][0]["parts"]:
            stations = (f"{one['name'] or '·'} {one['title']}" for one in part["stations"])
            lines += ["", part["title"], *stations]
        return "\n".join(lines)


def record(file: Path) -> dict[str, Any]:
    """Record all films and return what the browser draws.

    Code in `file` that raises an exception is named, and the package's is shown alone.
    """
    next(iter(Trial()))  # imports what the first request needs, which is slow if it is traced
    tables: dict[str, list[Any]] = {}
    films = [record_film(package_code(), tables)]
    whose = f"the package's, because {FILE} has no class for a list or a nag"
    try:
        if own := own_code(file):
            films.insert(0, record_film(own, tables))
            whose = own.name
    except Exception as error:
        whose = f"the package's, because {file} has raised {type(error).__name__}: {error}"
    wrong = next(filter(None, map(make_mistake, films)), None)
    return {
        "whose": f"The list and the nag are {whose}. The list checks what the model "
        "sends. The nag counts the rounds without a todo call, and reminds the model after "
        f"{AFTER}.",
        "films": [film.drawn() for film in (*films, *filter(None, [wrong]))],
        **tables,
        "rules": list(RULES),
        "lines": films[0].lines,
        "after": AFTER,
        "mistake": len(films) if wrong else 0,
        "package": len(films) - 1,
        "questions": [
            dict(zip(QUESTION, asked, strict=False)) for asked in ask_questions(films[0], wrong)
        ],
    }


def record_film(code: Code, tables: dict[str, list[Any]]) -> Film:
    """Return the film of both runs. Raise any exception of the code."""
    film = Film(code, tables)
    film.record([REJECTED], eager=True)
    film.record([REMINDED, REPLACED])
    film.parts[-1]["stations"][-1]["words"] += END
    return film


def make_mistake(right: Film) -> Film | None:
    """Return the film of the rejected list with code that replaces the list too early.

    None if moving one line does not make this mistake: it is tried, and has to lose the list.
    """
    if not (right.replaces and right.rejects):
        return None
    with suppress(Exception):
        rejects = right.rejects.statement.first
        wrong = Film(with_one_mistake(right.code, right.replaces, rejects), right.tables)
        wrong.record([REJECTED], eager=True)
        if wrong.replaces and wrong.rejects:
            return wrong
    return None


def ask_questions(film: Film, wrong: Film | None) -> Iterator[tuple[Any, ...]]:
    """Yield the questions, as QUESTION says. Their right answers are in the recording."""
    places = [(part, station) for part in film.parts for station in part["stations"]]
    for at, (part, station) in enumerate(places):
        start, now = part["nows"][0], part["nows"][part["steps"][station["key"]]["now"]]
        count, last = now["count"], len(now["messages"])
        name = part["eager"] * "rejected " + station["name"]
        if name == "rejected 2" and film.rejects:
            step, lines = film.rejects, list_choices(film, film.rejects)
            is_called = step.is_back and step.statement.kind not in ("Raise", "Assert")
            raises = "calls the function that raises" if is_called else "raises"
            sent = film.tables["lists"][now["sent"]]
            busy = sum(item["status"] == "in_progress" for item in sent)
            yield (
                at,
                f"Of the {len(sent)} tasks that it sends, {busy} are in progress. Which line of "
                "update() rejects the list?",
                list(lines.values()),
                list(lines).index(step.statement.first),
                f"Line {step.statement.first} {raises} the error. No line above it has rejected "
                "the list.",
            )
        if name == "rejected 2" and film.rejects and wrong:
            yield (
                at,
                "On the right, one line has moved. Which side still has the old list after the "
                "error?",
                list(LISTS_KEPT.values()),
                list(LISTS_KEPT).index((now["list"] == start["list"], False)),
                "Python leaves update() at the line that says no. What ran before it has happened, "
                "and what comes after it has not.",
                [(film.replaces, "where it was"), (wrong.replaces, "moved up")],
            )
        if name == "rejected 4" and film.counter and count != start["count"]:
            yield (
                at,
                f"The list was rejected, and the count is {start['count']}. What is it after the "
                "nag has run?",
                [str(number) for number in range(AFTER + 2)],
                count,
                "The nag does not know that the list was rejected: it asks whether "
                "todo was called. The model has just read what is wrong with its list, so it needs "
                "no reminder.",
            )
        if station["name"] == "5":
            result = f"message {last}, the result of the call"
            yield (
                at,
                "In which message will the reminder be?",
                ["the system prompt", f"message {last - 1}, the model's call", result,
                 f"a new message {last + 1}"],
                2,
                f"In message {last}, whose role is user: the reminder is inside the result of the "
                "tool call. The loop put it there, and the nag only returned its text.",
            )  # fmt: skip


def list_choices(film: Film, rejects: Step) -> dict[int, str]:
    """Return the statements of `update` by their first lines; of a block, only what is inside."""
    source = film.code.sources[rejects.code.co_filename]
    found = list_statements(source).values()
    firsts = {it.first for it in found if it == rejects.statement or it.kind and not it.body}
    lines = read_function(source, rejects.code)
    return {n: f"{n}  {line.strip()}" for n, line in lines if n in firsts}
