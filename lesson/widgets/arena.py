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
from ..runs.harnesses import GROWING, HARNESSES, MAX_REQUESTS, SORTED
from . import arena_rows
from .base import View
from .player import Player

REPORT = re.compile(r"https://github\.com/(\S+?)/(?:issues|pull)/(\d+)")
NOBODY = "none of them"


class Arena(View):
    """The table, one row after each guess: `Arena()`; or your own loop: `Arena(agent)`.

    `guesses` has the reader's guess for each row after the first: the name of a model,
    "none of them", a number, or None for a row that was shown without a guess. `chosen` is the
    cell that is open: its row and its model. `read` are the models that the reader has read about,
    the newest last: the others are shown with a letter, because a name says how its model fails.
    """

    kind = "arena"
    guesses: Any = traitlets.List().tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)
    opened: Any = traitlets.List().tag(sync=True)  # a run, and the name of its player's model
    read: Any = traitlets.List().tag(sync=True)

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
            "lede": arena_rows.LEDE,
            "end": "" if own else arena_rows.END,
            "models": [describe_model(name) for name in MODELS],
            "sorted": [list(MODELS).index(name) for name in SORTED],
            "mostRequests": MAX_REQUESTS,
            "parts": len(GROWING),
            "rows": own or [draw_row(row) for row in range(len(HARNESSES))],
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

    def open_player(self, row: int, model: str | int) -> Player:
        """Play a cell's run again, and return a Player of it at its decisive round.

        That is the round in which the row's new part acts first, or the last one. `model` is a
        name, or the number of a column: then the player does not name the model.
        """
        name = model if isinstance(model, str) else list(MODELS)[model]
        trial, trace, shown = play_folded(row, name)
        title = f"{model}, {HARNESSES[row].name}" if name == model else HARNESSES[row].name
        player = Player(trace, title=title, trial=trial)
        player.at = shown
        return player

    def _show_player(self, _: Any) -> None:
        """Put the chosen run into the player below its row, or close the player."""
        old, self._player = self._player, None
        if self.chosen and not self.versions:
            self._player = self.open_player(*self.chosen)
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
        lines = [arena_rows.LEDE.replace("*", ""), ""]
        shown = min(1 + len(self.guesses), len(HARNESSES))
        for row in range(1, shown):
            lines.append(f"{HARNESSES[row].name}: {finishing([cell(row, m) for m in MODELS])}")
        if shown == len(HARNESSES):
            return "\n".join([*lines, "", arena_rows.END])
        asked = self.state["rows"][shown]
        return "\n".join([*lines, "".join(asked["part"]), asked["question"]])


def draw_row(row: int) -> dict[str, Any]:
    """Return a row as the page draws it: its words, the choices, the right answers, its cells."""
    said, home = arena_rows.ROWS[row], SORTED[-1]
    cells = [cell(row, name) for name in MODELS]
    before = [None if said.than is None else cell(said.than, name) for name in MODELS]
    answers = find_answers(row)
    facts = {
        "finish": finishing(cells),
        "found": " and ".join(map(str, answers)),
        "own": round(cell(row, home).tokens / 1000),
        "alone": round(cell(0, home).tokens / 1000),
        "now": dict(zip(MODELS, cells, strict=True)),
        "was": dict(zip(MODELS, before, strict=True)),
    }
    names = MODELS if row < len(GROWING) else SORTED  # as the columns are sorted
    choices = [*range(len(MODELS) + 1)] if said.kind == "finish" else [*names, NOBODY]
    return {
        "name": HARNESSES[row].name,
        "part": [f"Row {row + 1} of {len(HARNESSES)}: ", said.part],
        "question": said.question,
        "choices": choices if said.kind else [],
        "answers": answers,
        "told": said.told.format(**facts),
        "than": said.than,
        "cells": list(map(draw_cell, cells, before)),
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


def find_answers(row: int) -> list[str | int]:
    """Return the right answers to the question before a row."""
    said = arena_rows.ROWS[row]
    done = [name for name in SORTED if cell(row, name).is_finished]
    if said.kind == "finish":
        return [len(done)]
    if said.kind == "failing":
        found = [name for name in SORTED if name not in done]
    else:
        found = [name for name in done if not cell(said.than or 0, name).is_finished]
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
