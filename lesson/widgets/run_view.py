"""The run view: a run while it is played, and afterwards round by round."""

from functools import partial

from ipywidgets import HTML, Box, IntSlider, Play, ToggleButton, link

from ..drawing.changes import draw_changes
from ..drawing.cost import draw_cost
from ..drawing.request_view import draw_request
from ..drawing.run_picture import (
    draw_notes,
    draw_round,
    draw_run_counts,
    draw_run_legend,
    draw_run_tape,
    draw_run_timeline,
    format_run,
)
from ..kernel.watching import find_event_loop
from ..runs.record import Record
from .drawn import Drawn, draw_new_signs, set_class

REPLAY_MILLISECONDS = 500  # for each round, or less if the run would take longer than this:
LONGEST_MILLISECONDS = 8000
START_SECONDS = 0.7  # Play starts only if its view in the browser exists
PATIENCE_SECONDS = 2  # for a browser that is busy
SEE, SENDS = "what the model sees", "what each round sends"
FEWEST_ROUNDS = 12  # a tape has room for so many: the squares of a short run stay small


class RunView(Drawn):
    """Draws a run in one of its rounds. ▲ is its slider for the round; `run` is the run."""

    def __init__(self, run: Record) -> None:
        """Draw `run` as far as it was played."""
        self.run = run
        self._counts, self._tape, self._timeline = HTML(), HTML(), HTML()
        self._round, self._changes, self._legend = HTML(), HTML(), HTML()
        self._notes, self._still = HTML(), HTML()
        self.round = IntSlider(1, min=1, max=2, readout=False, description="round 1", tooltip="")
        self.see = ToggleButton(description=SEE, tooltip="")  # with None, it says "null"
        self.cost = ToggleButton(description=SENDS, tooltip="")
        self.cost.observe(self.in_turn(lambda change: self._draw(self.round.value)), "value")
        self.see.observe(self.in_turn(lambda change: self._draw(self.round.value)), "value")
        self.replay = Play(min=1, max=2, interval=REPLAY_MILLISECONDS, show_repeat=False)
        # Not with jslink: the pages of two people in one notebook would undo each other's moves.
        link((self.round, "value"), (self.replay, "value"))
        self.round.observe(self.in_turn(lambda change: self._draw(change.new)), "value")
        parts = {
            self._counts: "counts",
            self._tape: "tape",
            self.replay: "steer",
            self.round: "steer",
            self._timeline: "list",
            self._round: "round",
            self.see: "see",
            self.cost: "cost",
            self._legend: "legend",
        }
        for part, place in parts.items():
            part.add_class(f"lp-run-{place}")
        self._still.add_class("lp-still")
        box = Box([*parts])
        box.add_class("lp-run-box")
        super().__init__(self._still, box, self._notes, self._changes, css_class="lp-run")
        self.replay.observe(self.in_turn(lambda change: change.new or self._rest()), "playing")
        self._drawn = 0  # the round that is on the page
        self.draw_last()

    def draw_last(self) -> None:
        """Draw the newest round."""
        self._draw_at(max(1, len(self.run.records)))

    def _draw_at(self, at: int) -> None:
        """Move ▲ to a round of a run that may have more rounds than before, and draw it."""
        size = len(self.run.records)
        self.round.max = self.replay.max = max(2, size)
        self.replay.interval = min(REPLAY_MILLISECONDS, LONGEST_MILLISECONDS // max(size, 1))
        self.round.value = at
        self._draw(at)
        self._notes.value = draw_notes(self.run)

    def move_soon(self) -> None:
        """Draw the first round, and let Play move ▲ to the last one in the browser.

        Nothing waits for it. If no loop is running, draw the last round.
        """
        loop = find_event_loop()
        if loop is None or len(self.run.records) < 2 or self.run.problem:
            self.draw_last()
            return
        self._draw_at(1)
        loop.call_later(START_SECONDS, self._move)

    def _move(self) -> None:
        """Start Play, unless the reader has moved ▲. A reader who wants no motion sees the end."""
        loop = find_event_loop()
        if self.round.value != 1 or self.replay.playing or loop is None:
            return
        last = len(self.run.records)
        self._still.value = draw_still(self.run, last)
        self.add_class("lp-moving")
        self.replay.playing = True
        loop.call_later(last * self.replay.interval / 1000 + PATIENCE_SECONDS, self._end)

    def _end(self) -> None:
        """End Play if it has not moved: its view may not be on the page."""
        if self.replay.playing and self.round.value == 1:
            self.replay.playing = False
            self.round.value = self.round.max

    def _rest(self) -> None:
        """Show the picture that can be moved also to a reader who wants no motion."""
        self.remove_class("lp-moving")
        self._still.value = ""

    def _draw(self, at: int) -> None:
        """Draw a round, from 1."""
        self.round.description = f"round {at}"
        if at > len(self.run.records):
            self._tape.value = "" if self.run.records else "<p class='lp-note'>No round yet.</p>"
            return
        most = max(FEWEST_ROUNDS, self.round.max)
        size = self.set_numbers(most=most, long=self.round.max - 1)
        self._counts.value = draw_run_counts(self.run, at)
        bars = draw_cost(self.run) if self.cost.value else ""
        self._tape.value = size + draw_run_tape(self.run, at, self._drawn) + bars
        self._drawn = at
        self._timeline.value = self._draw_list(at)
        self._round.value = draw_round(self.run, at)
        self._changes.value = draw_changes(self.run, at)
        self._legend.value = draw_new_signs(partial(draw_run_legend, self.run), self.cell)

    def _draw_list(self, at: int) -> str:
        """Return the list in a round as HTML or, in its place, what the model saw."""
        drawn = draw_run_timeline(self.run, at)
        set_class(self, "lp-sees", self.see.value)
        if not self.see.value:
            return drawn
        request = draw_request(self.run.request(at), self.model_id or "request")
        return f"<div class='lp-over'>{drawn}{request}</div>"

    def text(self) -> str:
        """Return the whole run as text."""
        return format_run(self.run)


def draw_still(run: Record, at: int) -> str:
    """Return a round of a run as one picture, without what moves it."""
    draws = draw_run_counts, draw_run_tape, draw_run_timeline, draw_round, draw_changes
    most = max(FEWEST_ROUNDS, len(run.records))
    return f"<div style='--most:{most}'>{''.join(draw(run, at) for draw in draws)}</div>"
