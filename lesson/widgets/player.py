"""The player: a run, forward and back; two runs side by side; a live run, round by round."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import traitlets

from agentlib.loop import Round

from ..runs.summaries import GUESSES, facts
from ..runs.trial import Trial
from .base import View
from .pictures import draw_runs
from .run_state import ShownRun

NOTHING_YET = "Nothing has been asked of the model yet."
OVER = "The run is over."
SAME = "The two runs are the same, round for round."


class Player(View):
    """Plays a run. In a live run, nothing is asked of the model until "next".

    `at` is the number of the frame that is shown (0 is the prompt): first the round in which the
    plan is lost or, of two runs, the first in which they see different messages. `difference` is
    the number of the first round in which two runs differ, or None. `trace` is the run so far.
    Setting `asked` to the number of the next frame takes it, as the button does.
    """

    kind = "player"
    at = traitlets.Int(0).tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        run: Any,
        *,
        title: str = "",
        other: Any = None,
        other_title: str = "",
        window: int | None = None,
        trial: Trial | None = None,
    ) -> None:
        """Show a `run`: a Trial, a Trace, or the list of messages of your own loop.

        A Trial that is not over is live. To take its next round, the reader guesses which of
        GUESSES it does, and the page counts how often that was right.

        `window` is how many of the last messages the model sees; a Trial knows its own. Without
        it, everything that was sent counts as seen. For a Trace, `trial` is the Trial that it was
        made from, which knows the files and the window.

        `other` is a second run, already over, to show next to the first. A title replaces the
        run's own. Raises TypeError for anything that is not a run.
        """
        super().__init__()
        self._runs = [ShownRun(run, title, window, trial)]
        if other is not None:
            other_title = other_title or getattr(other, "title", "The other run")
            self._runs.append(ShownRun(other, other_title, window))
        self.trace = self._runs[0].trace
        self._live: Iterator[Round] | None = None
        if isinstance(run, Trial) and not run.is_over:
            self._live = self.trace.follow(run, run.messages, run.todo, run.nag)
        self.difference = find_difference(self._runs)
        self._show(self._opening())
        self.at = self._first_row()
        self.observe(self._ask, "asked")

    @classmethod
    def compare(cls, first: Any, second: Any, titles: tuple[str, str] = ("", "")) -> "Player":
        """Return two finished runs side by side: what each model sees, and what it answers."""
        return cls(first, title=titles[0], other=second, other_title=titles[1])

    def next(self) -> "Player":
        """Take the next round of a live run."""
        if self._live is None:
            return self
        try:
            is_over = next(self._live, None) is None or self.trace.rounds[-1].is_last
            said = OVER if is_over else ""
        except Exception as problem:
            is_over, said = True, f"The run stopped with an error: {problem}"
        if is_over:
            self._live = None
        with self.hold_sync():
            self._show(said)
            self.at = len(self.trace.frames) - 1
        return self

    def _ask(self, _: Any) -> None:
        if self.asked == len(self.trace.frames):
            self.next()

    def _opening(self) -> str:
        if len(self._runs) > 1:
            return SAME if self.difference is None else ""
        return NOTHING_YET if self._live and not self.trace.rounds else ""

    def _show(self, said: str) -> None:
        self.state = {
            "runs": [run.state() for run in self._runs],
            "live": self._live is not None,
            "guesses": list(GUESSES) if self._live else [],
            "said": said,
        }

    def _first_row(self) -> int:
        """Return the round that is shown first: the decisive one, or else the first.

        Of two runs, it is the one after the first difference, because its results are seen there.
        """
        rounds = len(self.trace.rounds)
        if self._live:
            return rounds
        frames = self.state["runs"][0]["frames"]
        lost = next((frame["number"] for frame in frames if frame["leaves"]), 1)
        return min(rounds, self.difference + 1 if self.difference else lost)

    def picture(self) -> str:
        return draw_runs(self.state["runs"]) if self.trace.rounds else ""

    def text(self) -> str:
        parts = [run.text() for run in self._runs]
        if self.difference is not None:
            parts.append(f"Round {self.difference} is the first that differs.")
        elif len(self._runs) > 1:
            parts.append(SAME)
        elif self._live:
            parts.append("The run is not over: next() takes one round.")
        return "\n\n".join(parts)


def find_difference(runs: list[ShownRun]) -> int | None:
    """Return the number of the first round in which two runs differ; of one run, None."""
    if len(runs) < 2:
        return None
    for number, (one, other) in enumerate(zip_longest(*(run.trace.frames for run in runs))):
        if not (one and other) or facts(one) != facts(other):
            return number
    return None
