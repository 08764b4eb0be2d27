"""The walk: one reminder through the running code, line by line, the learner's code first."""

from collections.abc import Mapping
from keyword import kwlist
from typing import Any

import traitlets

from agentlib.nag import AFTER

from ..program.my_parts import PACKAGE, MyPart, read_my_parts
from ..program.sections import FILE
from ..runs.trial import Trial
from ..walk.film import Film
from .base import View


class Walk(View):
    """Three rounds of the ten steps, as they ran: one rejects a list, in two is a reminder.

    The loop, the list and the nag are those of `my_agent.py`, or else the package's.
    `at` is the number of the step, `film` that of the film (1 is the package's, beside own code),
    and `answers` are the lines that the reader has clicked, by film and question.
    """

    kind = "walk"
    at = traitlets.Int(0).tag(sync=True)
    film = traitlets.Int(0).tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)
    presented = traitlets.Bool(False).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(state=record())
        self.at = min((one["at"] for one in self.state["films"][0]["questions"]), default=0)

    def text(self) -> str:
        """Return the questions and the stations, without the answers."""
        film = self.state["films"][0]
        lines = [self.state["whose"], "", *(one["ask"] for one in film["questions"])]
        for one in film["rounds"]:
            lines += ["", one["name"], *(station["title"] for station in one["stations"])]
        return "\n".join(lines)


def record() -> dict[str, Any]:
    """Record the learner's film, if there is one, and the package's. Return what the browser draws.

    If the learner's code raises an exception, it is named, and the package's is shown alone.
    """
    next(iter(Trial()))  # imports what the first request needs, which is slow if it is traced
    films = [record_film(PACKAGE)]
    whose = f"the package's, because {FILE} has no loop, list or nag that can run here"
    parts = read_my_parts()
    if any(part.is_yours for part in parts.values()):
        try:
            films.insert(0, record_film(parts))
            whose = films[0]["name"]
        except Exception as error:
            whose = f"the package's, because {FILE} has raised {type(error).__name__}: {error}"
    given = {"after": AFTER, "keywords": "|".join(kwlist)}
    return given | {"whose": f"The code is {whose}.", "films": films}


def record_film(parts: Mapping[str, MyPart]) -> dict[str, Any]:
    """Return the film of both runs as data. Raise any exception of the code."""
    film = Film(parts)
    film.record([AFTER + 3], eager=True)
    film.record([AFTER + 1, AFTER + 2])
    return film.draw()
