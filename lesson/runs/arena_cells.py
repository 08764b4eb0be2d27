"""The cells of the arena: what each played run shows, and where its row's new part acts first."""

from collections.abc import Iterable, Mapping
from copy import copy
from functools import cache
from typing import Any, NamedTuple

from ..picture_letters import CLAIMED, OPEN, SHOWN, VANISHED
from ..practice.models import MODELS
from .arena_rows import ROWS
from .arena_trial import ArenaTrial
from .harness_parts import STEPS
from .kept_runs import read_file
from .measured import count_claims

REPEATED = 3  # equal rounds are shown, and the next ones are left out


class Cell(NamedTuple):
    """A whole run: a letter for each step, what its list claims ("4 of 4"), and its size.

    The letters of `marks` are SHOWN, CLAIMED, VANISHED or OPEN. `requests` were sent, and `tokens`
    used. `round` is the one in which the row's new part acts first, or the last. `why` is about the
    learner's own agent: what its loop would have to notice, or "" if the run has finished.
    """

    marks: str
    claims: str
    requests: int
    tokens: int
    is_stopped: bool
    round: int
    why: str = ""

    @property
    def steps_done(self) -> int:
        return self.marks.count(SHOWN)

    @property
    def is_finished(self) -> bool:
        return self.steps_done == len(self.marks) and not self.is_stopped and not self.why


def set_up(row: str, model: str) -> ArenaTrial:
    """Return the run of a cell, which is not played yet: a name in ROWS, and one in MODELS."""
    return ArenaTrial(MODELS[model].policy, ROWS[row])


@cache
def read_cells() -> dict[tuple[str, str], Cell]:
    return {(row, model): Cell(*fields) for row, model, *fields in read_file()["cells"]}


def cell(row: str, model: str) -> Cell:
    """Return the cell of a name in ROWS and one in MODELS. The repository keeps it."""
    return read_cells()[row, model]


def describe(trial: ArenaTrial) -> Cell:
    """Return the cell of a run that has ended."""
    marks, claims = mark_steps(trial.done, trial.items), count_claims(trial.items)
    requests = len(trial.rounds)
    return Cell(marks, claims, requests, trial.tokens, trial.is_stopped, find_decisive(trial))


def find_decisive(trial: ArenaTrial) -> int:
    """Return the number of the round in which the row's new part acts first, or of the last."""
    for number, turn in enumerate(trial.rounds, 1):
        if trial.row.acts and trial.row.acts(turn):
            return number
    return len(trial.rounds)


def mark_steps(done: Iterable[bool], items: Iterable[Mapping[str, Any]]) -> str:
    """Return the letters of a Cell: `done` is what the files show, and `items` is the list."""
    status = {item["text"]: item["status"] for item in items}
    letters = ""
    for step, is_done in zip(STEPS, done, strict=True):
        if is_done:
            letters += SHOWN
        elif step.text in status:
            letters += CLAIMED if status[step.text] == "completed" else OPEN
        else:
            letters += VANISHED if status else OPEN
    return letters


def play_folded(row: str, model: str) -> tuple[ArenaTrial, int]:
    """Play a cell's run again, to show it without the repetitions at its end.

    Return the run without the last rounds that are the same call as the REPEATED rounds before,
    which it counts as `left_out`; and the number of the round in which the row's new part acts
    first, or of the last one that is shown.
    """
    trial = set_up(row, model).play()
    rounds = trial.rounds
    facts = [
        # A round without a call is never the same: the harness asks between two of them.
        (turn.text, turn.reminder, [(c.name, c.input) for c in turn.calls] or turn.number)
        for turn in rounds
    ]
    kept = len(rounds)
    while kept > REPEATED and facts[kept - REPEATED - 1 : kept - 1] == [facts[kept - 1]] * REPEATED:
        kept -= 1
    folded = copy(trial)
    folded.rounds, folded.progress = rounds[:kept], trial.progress[: kept + 1]
    added = sum(len(turn.messages) for turn in rounds[kept:])
    folded.messages = trial.messages[: len(trial.messages) - added]
    folded.left_out = len(rounds) - kept
    return folded, min(find_decisive(trial), kept)
