"""The arena: scripted models against harnesses that grow by one part at a time.

The reader guesses before each row which model its part will rescue. Every cell is a run that was
played, and opens it. GitHub and tests see the questions, and only the rows that were guessed.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import traitlets

from ..pluralize import pluralize
from ..practice.models import MODELS
from ..runs.agent_arena import play_agent, remember_version
from ..runs.arena_cells import Cell, cell, play_folded
from ..runs.arena_rows import FAILING, FINISH, GROWING, ROWS, SORTED, Row, find_compared
from ..runs.arena_trial import MAX_REQUESTS
from .base import View
from .player import Player

REPORT = re.compile(r"https://github\.com/(\S+?)/(?:issues|pull)/(\d+)")
NOBODY = "none of them"
LEDE = (
    "*We wrote these models.* Most imitate a failure that was reported of a real model. Each does "
    "the same ten steps, and you add the parts of its harness."
)
END = "A list keeps what is planned, and a check shows what is done. Each of them misses something."


class Arena(View):
    """The table, one row after each guess: `Arena()`; or your own loop: `Arena(agent)`.

    `guesses` has the reader's guess for each row after the first: the name of a model,
    "none of them", or a number. `chosen` is the cell that is open: its row and its model. A model
    has a letter until a row has told of it, because its name says how it fails.
    """

    kind = "arena"
    guesses: Any = traitlets.List().tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)
    opened: Any = traitlets.List().tag(sync=True)  # a run, and the name of its player's model

    def __init__(self, agent: Callable[..., Any] | None = None) -> None:
        """Show the questions, or how `agent` did.

        `agent` may be your own function, `agent(client, messages, workspace, after=3, missing=…,
        **settings)`. It is played against each model before this returns, in a few seconds;
        the first version of this kernel stays next to it. Ours, which `keep` returns instead of one
        that fails its check, is no version of yours. Raises TypeError if it is no function.
        """
        self.versions: list[dict[str, Cell]] = []
        self._is_ours = str(getattr(agent, "__module__", "")).startswith("lesson.")
        if agent is not None:
            played = play_agent(agent)
            self.versions = [played] if self._is_ours else remember_version(played)
        self._player: Player | None = None
        super().__init__(state=self._state())
        self.observe(self._show_player, "chosen")

    def _state(self) -> dict[str, Any]:
        names = ["First version", "This version"]
        if len(self.versions) == 1:
            names = ["Our agent" if self._is_ours else "Your agent"]
        own = [draw_version(*pair) for pair in zip(names, self.versions, strict=False)]
        return {
            "lede": LEDE,
            "end": "" if own else END,
            "models": [describe_model(name) for name in MODELS],
            "sorted": [list(MODELS).index(name) for name in SORTED],
            "mostRequests": MAX_REQUESTS,
            "parts": len(GROWING),
            "rows": own or list(map(draw_row, ROWS.values())),
            "notes": list(self._notes()),
        }

    def _notes(self) -> Iterator[str]:
        """Yield what the learner's loop would have to notice, and in the runs of which models."""
        names: dict[str, list[str]] = {}
        for name, one in (self.versions[-1] if self.versions else {}).items():
            if not one.is_finished:
                names.setdefault(one.why, []).append(name)
        for why, those in names.items():
            yield f"*{', '.join(those)}*: {why}"

    def open_player(self, row: str, model: str) -> Player:
        """Play a cell's run again: `open_player("+ the nag", "Ticker")`.

        Return a Player at its decisive round: the one in which the row's new part acts first, or
        the last one. Raise ValueError if the table has no row or no model of this name.
        """
        for name, names in ((row, ROWS), (model, MODELS)):
            if name not in names:
                raise ValueError(f"The arena has no {name!r}. It has: {', '.join(names)}.")
        return make_player(row, model, title=f"{model}, {row}")

    def _show_player(self, _: Any) -> None:
        """Put the chosen run into the player below its row, or close the player."""
        old, self._player = self._player, None
        if self.chosen and not self.versions:
            row, model = list(ROWS)[self.chosen[0]], self.chosen[1]
            self._player = make_player(row, model, title=row)  # the name may not be earned yet
        player = self._player
        self.opened = [self.chosen, f"anywidget:{player.model_id}"] if player else []
        if old is not None:
            old.close()

    def text(self) -> str:
        """Return the rows that were guessed, or those of the learner's agent, and the question."""
        if self.versions:
            pairs = zip(self.state["rows"], self.versions, strict=True)
            rows = [f"{row['name']:14} {finishing(list(own.values()))}" for row, own in pairs]
            return "\n".join([*rows, *(note.replace("*", "") for note in self.state["notes"])])
        lines = [LEDE.replace("*", ""), ""]
        shown = min(1 + len(self.guesses), len(ROWS))
        for row in list(ROWS)[1:shown]:
            lines.append(f"{row}: {finishing([cell(row, model) for model in MODELS])}")
        if shown == len(ROWS):
            return "\n".join([*lines, "", END])
        asked = self.state["rows"][shown]
        return "\n".join([*lines, "".join(asked["part"]), asked["question"]])


def make_player(row: str, model: str, title: str) -> Player:
    """Play a cell's run again, and return its Player at the decisive round."""
    trial, shown = play_folded(row, model)
    player = Player(trial, title=title)
    player.at = shown
    return player


def draw_row(row: Row) -> dict[str, Any]:
    """Return a row as the page draws it: its words, the choices, the right answers, its cells."""
    names, home = list(ROWS), SORTED[-1]
    before = find_compared(row)
    cells = [cell(row.name, model) for model in MODELS]
    was = [cell(before.name, model) if before else None for model in MODELS]
    answers = find_answers(row)
    facts = {
        "finish": finishing(cells),
        "found": " and ".join(map(str, answers)),
        "own": round(cell(row.name, home).tokens / 1000),
        "alone": round(cell(names[0], home).tokens / 1000),
        "now": dict(zip(MODELS, cells, strict=True)),
        "was": dict(zip(MODELS, was, strict=True)),
    }
    models = MODELS if row in GROWING else SORTED  # as the columns are sorted
    choices = [*range(len(MODELS) + 1)] if row.question == FINISH else [*models, NOBODY]
    return {
        "name": row.name,
        "part": [f"Row {names.index(row.name) + 1} of {len(ROWS)}: ", row.part],
        "question": row.question,
        "choices": choices if row.question else [],
        "answers": answers,
        "told": row.told.format(**facts),
        "than": names.index(before.name) if before else None,
        "cells": list(map(draw_cell, cells, was)),
    }


def draw_version(name: str, cells: dict[str, Cell]) -> dict[str, Any]:
    """Return a row of the learner's own agent. Nothing is asked about it."""
    played = [draw_cell(one) for one in cells.values()]
    return {"name": name, "choices": [], "than": None, "cells": played}


def draw_cell(one: Cell, before: Cell | None = None) -> dict[str, Any]:
    """Return a cell, and what it shows next to the one that it is compared with, as `words`."""
    done, was = one.steps_done, before and before.steps_done
    parts = [
        f"the files show {done} of {len(one.marks)} steps",
        f", before {was}" if was not in (None, done) else "",
        f", cut off after {one.requests} requests" if one.is_stopped else "",
        f". Its list says {one.claims}" if one.claims else "",
        f". {pluralize(one.requests, 'request')}, {round(one.tokens / 1000)} thousand tokens.",
    ]
    return {**one._asdict(), "words": "".join(parts)}


def find_answers(row: Row) -> list[str | int]:
    """Return the right answers to the question before a row."""
    done = [name for name in SORTED if cell(row.name, name).is_finished]
    if row.question == FINISH:
        return [len(done)]
    if row.question == FAILING:
        found = [name for name in SORTED if name not in done]
    else:
        before = find_compared(row)
        found = [n for n in done if before and not cell(before.name, n).is_finished]
    return [*found] or [NOBODY]


def finishing(row: list[Cell]) -> str:
    return f"{sum(one.is_finished for one in row)} of {len(row)} models finish"


def describe_model(name: str) -> dict[str, str]:
    """Return what the page says about a model, with the first of its reports."""
    model = MODELS[name]
    link = model.reports[0] if model.reports else ""
    return {
        "name": name,
        "does": model.does,
        "note": "" if model.imitates else "We made it up.",
        "report": REPORT.sub(r"\1#\2", link),
        "link": link,
    }
