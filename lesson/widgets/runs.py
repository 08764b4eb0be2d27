"""A chart of runs: a row for each threshold of the reminder, a cell for each round."""

from collections.abc import Iterator
from typing import Any

import traitlets

from agentlib.nag import AFTER, Nag

from ..picture_letters import OPEN, ROUNDS, SHOWN
from ..pluralize import pluralize
from ..practice.policy.next_reply import WINDOW
from ..runs.measured import THRESHOLDS, WINDOWS, Measured, Setting, known_runs, measure, measured
from ..samples.jobs import load_job
from .background import Latest
from .base import View, is_watched, make_drawable
from .player import Player

TITLE = "How soon should the reminder come?"
QUESTION = "Which is the last threshold with which all {steps} steps still get done?"


class Runs(View):
    """A job, played with every threshold of the reminder, without a reminder, and without a list.

    `after` (in rounds; None: no reminder), `plan` (False: no list) and `window` (in messages)
    choose a run, by hand or in code, and `round` chooses one of its rounds. `is_open` shows the
    chosen run in a player below the chart. No run is measured twice in a kernel.
    """

    kind = "runs"
    after = traitlets.Int(AFTER, allow_none=True, min=THRESHOLDS[0], max=THRESHOLDS[-1]).tag(
        sync=True
    )
    plan = traitlets.Bool(True).tag(sync=True)
    window = traitlets.Int(WINDOW, min=WINDOWS[0], max=WINDOWS[-1]).tag(sync=True)
    round = traitlets.Int(0).tag(sync=True)
    bets = traitlets.Dict().tag(sync=True)  # by window, as a string
    columns = traitlets.Dict().tag(sync=True)  # the measured runs, by window
    problem = traitlets.Unicode().tag(sync=True)
    is_open = traitlets.Bool(False).tag(sync=True)  # whether the chosen run is in a player below
    opened: Any = traitlets.List().tag(sync=True)  # a run, and the name of its player's model

    def __init__(
        self,
        job: str = "ten_steps",
        *,
        window: int = WINDOW,
        after: int | None = AFTER,
        bet: bool | int = False,
        nag: type[Nag] = Nag,
    ) -> None:
        """Show the seventeen runs with one `window`.

        The runs of the ten steps are kept with the lesson. Those of another task, or with your own
        class as `nag`, are played: on a page they appear one by one; without a page, they are
        measured when this returns. If `bet` is True, the page hides them until the reader has made
        a bet; a number is the reader's bet for this window.

        Raises FileNotFoundError for an unknown job, and TraitError for a threshold or a window
        that is out of range.
        """
        self._base = Setting(job, nag=nag)
        self._latest = Latest(self._failed)
        self._player: Player | None = None
        self._played: Setting | None = None  # the run that is in the player
        bets = {} if isinstance(bet, bool) else {str(window): bet}
        super().__init__(after=after, window=window, bets=bets, state=describe_job(job, bool(bet)))
        self.observe(self._start, "window")
        self.observe(self._show_player, ["is_open", "after", "plan", "window"])
        if is_watched():
            self._start()
        else:
            for _ in self._measure():
                pass

    @property
    def bet(self) -> int | None:
        """Return the last threshold that the reader expects to finish, with the chosen window."""
        return self.bets.get(str(self.window))

    @property
    def _is_bet_open(self) -> bool:
        return self.state["bet"] and not self.bets

    @property
    def setting(self) -> Setting:
        after = self.after if self.plan else None
        return self._base._replace(after=after, window=self.window, plan=self.plan)

    @property
    def chosen(self) -> Measured:
        return measured(self.setting)

    @property
    def runs(self) -> list[Measured]:
        """Return the runs with the chosen window.

        There is one for each threshold, one without a reminder, and last one without a list.
        """
        return [measured(setting) for setting in self.setting.column()]

    @property
    def highest(self) -> int | None:
        """Return the highest threshold that finishes the job, once all runs are measured."""
        finished = [run.setting.after for run in self.wait().runs if run.is_finished]
        return max((after for after in finished if after), default=None)

    def wait(self) -> "Runs":
        """Return when all runs with the chosen window are measured."""
        self._latest.wait()
        return self

    def open_player(self) -> Player:
        """Play the chosen run again, and return a Player of it, at the chosen round if any."""
        trial = self.setting.trial().play()
        player = Player(trial, title=name_run(self.setting))
        if self.round:
            player.at = min(self.round, len(trial.rounds))
        return player

    def _show_player(self, _: Any) -> None:
        wanted = self.setting if self.is_open else None
        if wanted == self._played:
            return
        old, self._played = self._player, wanted
        self._player = self.open_player() if wanted else None
        run, player = [self.window, self.plan, self.after], self._player
        self.opened = [run, f"anywidget:{player.model_id}"] if player else []
        if old is not None:
            old.close()

    def _start(self, _: Any = None) -> None:
        self._latest.start(self._measure())

    def _measure(self) -> Iterator[None]:
        self.problem = ""
        chosen = self.setting
        for setting in chosen.column():
            if setting not in known_runs():
                yield from measure(setting)
                self._add_column(chosen)
        self._add_column(chosen)

    def _add_column(self, setting: Setting) -> None:
        self.columns = self.columns | {str(setting.window): encode_column(setting)}

    def _failed(self, problem: Exception) -> None:
        self.problem = make_drawable(f"The measurement failed: {problem}")

    def text(self) -> str:
        title = f"{TITLE} ({self._base.job}, window of {pluralize(self.window, 'message')})"
        if self._is_bet_open:
            return f"{title}\n\n{self.state['question']}"
        if not is_complete(self.setting):  # a page must not wait
            return f"{title}\n\nThe runs are being measured: print this again for the result."
        why = f"{name_run(self.setting)}: {self.chosen.outcome}. {self.chosen.why()}"
        return "\n\n".join([title, summarize_column(self.runs), why])


def describe_job(job: str, bet: bool) -> dict[str, Any]:
    """Return what the page needs only once: the words, the steps, the ranges."""
    column = Setting(job).column()
    return {
        "title": TITLE,
        "question": QUESTION.format(steps=len(load_job(job).steps)),
        "bet": bet,
        "thresholds": list(THRESHOLDS),
        "names": [name_run(setting) for setting in column],
        "rows": [name_row(setting) for setting in column],
        "windows": [WINDOWS[0], WINDOWS[-1]],
        "kinds": ROUNDS,
    }


def name_run(setting: Setting) -> str:
    """Return the name of a run: what distinguishes it from the others in its column."""
    if not setting.plan:
        return "Without a list"
    if setting.after is None:
        return "List, no reminder"
    return f"Reminded after {pluralize(setting.after, 'round')}"


def name_row(setting: Setting) -> str:
    if not setting.plan:
        return "no list"
    return f"after {setting.after}" if setting.after else "no reminder"


def summarize_column(runs: list[Measured]) -> str:
    """Return which thresholds finish, and which of them is the cheapest."""
    steps = len(runs[0].done)
    finishing = [run for run in runs if run.setting.after is not None and run.is_finished]
    if not finishing:
        return f"With this window no threshold finishes all {steps} steps."
    names = ", ".join(str(run.setting.after) for run in finishing)
    best = min(finishing, key=lambda run: run.tokens)
    cheapest = f"The cheapest is {best.setting.after}: {pluralize(best.tokens, 'token')}."
    return f"All {steps} steps are done with: {names}. {cheapest}"


def is_complete(setting: Setting) -> bool:
    return all(one in known_runs() for one in setting.column())


def encode_column(setting: Setting) -> list[dict[str, Any] | None]:
    """Return the runs of a column as the page draws them; None for those not measured yet."""
    known = [known_runs().get(one) for one in setting.column()]
    return [run and encode_run(run) for run in known]


def encode_run(run: Measured) -> dict[str, Any]:
    """Return a run as the page draws it: see `Measured` in types.js."""
    return {
        "cells": run.cells,
        "steps": run.steps,
        "done": "".join(SHOWN if ok else OPEN for ok in run.done),
        "claims": run.claims,
        "tokens": run.tokens,
        "outcome": run.outcome,
        "why": run.why(mark="*"),
    }
