"""The run view: a run while it is played, and afterwards round by round."""

from collections.abc import Callable
from time import sleep
from uuid import uuid4

from IPython.display import display, update_display
from ipywidgets import HTML, Box, IntSlider, Play, jslink

from ..drawing.run_picture import (
    draw_counts,
    draw_legend,
    draw_notes,
    draw_round,
    draw_rounds,
    draw_score,
    run_text,
)
from ..ipython_shell import find_shell
from ..runs.run import Moment, Run
from .drawn import Drawn
from .watching import find_request, is_run_from_above, is_watched

# The pause after each round of the first runs, and then of every run, while the reader watches.
PAUSES_SECONDS = [0.3, 0.2, 0.1]
REPLAY_MILLISECONDS = 700
FEWEST_ROUNDS = 12  # a tape is laid out for so many, or for more if the run has more


class RunView(Drawn):
    """Draws a run in one of its rounds. ▲ is its slider for the round; `run` is the run."""

    def __init__(self, run: Run) -> None:
        """Draw `run` as far as it was played."""
        self.run = run
        self._counts, self._tape, self._score = HTML(), HTML(), HTML()
        self._round, self._legend, self._notes = HTML(), HTML(), HTML()
        self.round = IntSlider(min=1, max=2, value=1, readout=False, description="round 1")
        self.replay = Play(min=1, max=2, interval=REPLAY_MILLISECONDS, show_repeat=False)
        jslink((self.round, "value"), (self.replay, "value"))
        self.round.observe(lambda change: self._draw(change.new), "value")
        parts = {
            self._counts: "counts",
            self._tape: "tape",
            self.replay: "steer",
            self.round: "steer",
            self._score: "list",
            self._round: "round",
        }
        for part, place in parts.items():
            part.add_class(f"lp-run-{place}")
        super().__init__(Box([*parts]), self._notes, self._legend, look="lp-run")
        self.draw_last()

    def draw_last(self) -> None:
        """Draw the newest round."""
        size = len(self.run.moments)
        self.round.max = self.replay.max = max(2, size)
        self.round.value = max(1, size)
        self._draw(self.round.value)
        self._notes.value = draw_notes(self.run)

    def _draw(self, at: int) -> None:
        """Draw a round, from 1."""
        self.round.description = f"round {at}"
        if at > len(self.run.moments):
            self._tape.value = "" if self.run.moments else "<p class='lp-note'>No round yet.</p>"
            return
        most = max(FEWEST_ROUNDS, self.round.max)
        size = self.set_numbers(most=most, long=self.round.max - 1)
        self._counts.value = draw_counts(self.run, at)
        self._tape.value = size + draw_rounds(self.run, at)
        self._score.value = draw_score(self.run, at)
        self._round.value = draw_round(self.run, at)
        self._legend.value = draw_legend(self.run, at)

    def text(self) -> str:
        """Return the whole run as text."""
        return run_text(self.run)


class ShownRun(Run):
    """A run that is shown while it is played, and once: not again as the last value of its cell.

    `print(run)` prints all of it.
    """

    _shown_by = ""  # the request of the cell that has shown it
    view: RunView

    def __str__(self) -> str:
        return run_text(self)

    __repr__ = __str__

    def play_and_show(self) -> None:
        """Play the run. On a page, draw each round; otherwise show the whole run at its end."""
        self.view, self._shown_by = RunView(self), name_request()
        if not is_watched():
            self.play()
            self.view.draw_last()
            display(self.view)
            return
        name, pause = uuid4().hex, find_pause()
        display(self.view, display_id=name)

        def show(moment: Moment) -> None:
            self.view.draw_last()
            sleep(pause())

        try:
            self.play(show)
        finally:
            self.view.draw_last()
            update_display(self.view, display_id=name)  # now with its whole text

    def _ipython_display_(self) -> None:
        if self._shown_by != name_request():
            display(self.view)


def name_request() -> str:
    """Return what is unique to the execution of a cell."""
    shell = find_shell()
    return (
        find_request().get("header", {}).get("msg_id") or f"cell {shell and shell.execution_count}"
    )


def find_pause() -> Callable[[], float]:
    """Return a function that says how long to wait after a round, in seconds.

    A run waits only while somebody watches: not if several cells are run at once.
    """
    seconds = PAUSES_SECONDS.pop(0) if len(PAUSES_SECONDS) > 1 else PAUSES_SECONDS[0]
    return lambda: 0 if is_run_from_above() else seconds
