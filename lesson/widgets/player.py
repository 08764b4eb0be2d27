"""The player: a run as steps, forward and back; two runs side by side; a live run step by step."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from textwrap import shorten
from typing import Any

import traitlets

from agentlib.loop import Round
from agentlib.nag import Nag

from ..runs.trace import Trace
from ..runs.trial import Trial
from .background import Latest
from .base import View
from .pictures import draw_runs
from .run_state import ShownRun, has_list
from .summaries import GUESSES, facts

NOTHING_YET = "Nothing has been asked of the model yet."
OVER = "The run is over."
SAME = "The two runs are the same, round for round."


class Player(View):
    """Plays a run. In a live run, nothing is asked of the model until "next".

    `at` is the number of the step that is shown (0 is the prompt): first the round in which the
    plan is lost or, of two runs, the first in which they see different messages. The page does not
    draw the cells of rounds after `reached`, the last round that was shown.
    `trace` is the run so far. Setting `asked` to the number of the next step takes that step;
    this is what the button does.
    """

    kind = "player"
    at = traitlets.Int(0).tag(sync=True)
    reached = traitlets.Int(0).tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        run: Any,
        messages: Sequence[dict] | None = None,
        *,
        title: str = "",
        other: Any = None,
        other_title: str = "",
        window: int | None = None,
        trial: Trial | None = None,
    ) -> None:
        """Show a `run`: a list of Rounds, a Trial, a Trace; or, if live, an iterator of Rounds.

        For your own loop, give its list of messages when it has ended. For Rounds, `messages` also
        has the prompt. `window` is how many of the last messages the model sees; a Trial knows its
        own. Without it, everything that was sent counts as seen. For a Trace, `trial` is the Trial
        that it was made from, which knows the files and the window.

        `other` is a second run, already over, to show next to the first. A title replaces the
        run's own. Raises TypeError for anything that is not a run.

        To take the next step of a live run, the reader guesses which of GUESSES it does, and the
        page counts how often that was right.

        A tool call that needs approval is not run from the buttons, because no one can be asked
        there; `next()` in a cell asks below the cell.
        """
        super().__init__()
        if not isinstance(run, Iterable | Trace):
            raise TypeError(
                "A run is a Trial, a Trace, Rounds or messages. This is something else: "
                f"{shorten(repr(run), 80)}"
            )
        self._live: Iterator[Round] | None = None
        self._latest = Latest(self._failed)
        trial = run if isinstance(run, Trial) else trial
        todo, nag = (trial.todo, trial.nag) if trial else (None, None)
        messages = trial.messages if trial else messages
        if not isinstance(run, Trace) and is_live(run):
            self.trace = trace_of(trial or [], messages, nag)
            self._live = self.trace.follow(run, messages or (), todo, nag)
        else:
            self.trace = trace_of(run, messages, nag)
        listed = todo is not None or has_list(self.trace)
        self._runs = [ShownRun(self.trace, title or self.trace.title, listed, trial, window)]
        if other is not None:
            trace, trial = trace_of(other), other if isinstance(other, Trial) else None
            other_title = other_title or (trace.title if other is trace else "The other run")
            self._runs.append(ShownRun(trace, other_title, has_list(trace), trial, window))
        self._differing = find_differing(self._runs)
        self._show(self._opening())
        self.at = self._first_row()
        self.observe(self._ask, "asked")

    @classmethod
    def compare(cls, first: Any, second: Any, titles: tuple[str, str] = ("", "")) -> "Player":
        """Return two finished runs side by side: what each model sees, and what it answers."""
        return cls(first, title=titles[0], other=second, other_title=titles[1])

    def next(self) -> "Player":
        """Take the next step of a live run, and return when it is done."""
        for _ in self._step():
            pass
        return self

    def save(self, path: str | Path) -> Path:
        """Write the run so far to a file that `Trace.open` can read. Returns the path."""
        return self.trace.save(path)

    def wait(self) -> "Player":
        """Return when the current step is done."""
        self._latest.wait()
        return self

    def _ask(self, _: Any) -> None:
        if self._live and not self.busy and self.asked == len(self.trace.steps):
            self.busy = True
            self._latest.start(self._step())

    def _step(self) -> Iterator[None]:
        yield
        more = self._live and next(self._live, None) is not None
        last = self.trace.steps[-1].round
        if not more or (last and last.is_last):
            self._live = None
        self._show_new_step("" if self._live else OVER)

    def _failed(self, problem: Exception) -> None:
        self._live = None
        # A real model's client puts its message for the user into the last note.
        words = getattr(problem, "__notes__", [problem])[-1]
        self._show_new_step(f"The run stopped with an error: {words}")

    def _show_new_step(self, said: str) -> None:
        run = self._runs[0]
        run.is_listed = run.is_listed or has_list(self.trace)
        with self.hold_sync():
            self.busy, self.playing = False, self.playing and self._live is not None
            self._show(said)
            self.at = self.reached = len(self.trace.steps) - 1

    def _opening(self) -> str:
        if len(self._runs) > 1:
            return "" if self._differing else SAME
        return NOTHING_YET if self._live and not self._runs[0].rounds else ""

    def _show(self, said: str) -> None:
        """Send the whole picture."""
        self.state = {
            "runs": [run.state() for run in self._runs],
            "differs": self._differing,
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
        steps = self.state["runs"][0]["steps"]
        lost = next((step["number"] for step in steps if step["leaves"]), 1)
        return min(rounds, self.difference + 1 if self.difference else lost)

    @property
    def difference(self) -> int | None:
        """Return the number of the first round in which two runs differ, or None."""
        return next(iter(self._differing), None)

    def picture(self) -> str:
        """Return the rounds of the runs as SVG; "" if there are none."""
        return draw_runs(self.state["runs"]) if self.trace.rounds else ""

    def text(self) -> str:
        """Return a line for each round, and the list at the end."""
        parts = [run.text() for run in self._runs]
        if self._differing:
            parts.append(f"Round {self.difference} is the first that differs.")
        elif len(self._runs) > 1:
            parts.append(SAME)
        elif self._live:
            parts.append("The run is not over: next() takes one step.")
        return "\n\n".join(parts)


def find_differing(runs: Sequence[ShownRun]) -> list[int]:
    """Return the numbers of the rounds in which two runs differ; of one run, none."""
    if len(runs) < 2:
        return []
    pairs = zip_longest(*(run.trace.steps for run in runs))
    return [
        n
        for n, (one, other) in enumerate(pairs)
        if not (one and other) or facts(one) != facts(other)
    ]


def is_live(run: Any) -> bool:
    """Return whether a run may continue: an iterator, or a Trial that is not over."""
    if isinstance(run, Trial):
        return not run.is_over
    return not isinstance(run, Sequence)


def trace_of(run: Any, messages: Any = None, nag: Nag | None = None) -> Trace:
    """Return the Trace of a run so far."""
    if isinstance(run, Trace):
        return run
    if isinstance(run, Trial):
        run, messages, nag = run.rounds, run.messages, run.nag
    after = nag.after if nag else None
    if run and not isinstance(run[0], Round):
        return Trace.from_messages(run, after=after)
    known = list(messages or ())
    added = sum(len(step.messages) for step in run)
    return Trace.from_rounds(run, known[: len(known) - added], after=after)
