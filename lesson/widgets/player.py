"""The player: a run, forward and back, or two runs side by side."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import traitlets

from ..runs.summaries import facts
from ..runs.trial import Trial
from .base import View
from .player_state import ShownRun

SAME = "The two runs are the same, round for round."


class Player(View):
    """Plays a run: all of its rounds so far.

    `at` is the number of the frame that is shown (0 is the prompt): first the round in which the
    plan is lost or, of two runs, the first in which they see different messages. `difference` is
    the number of the first round in which two runs differ, or None. `trace` is the run.
    """

    kind = "player"
    at = traitlets.Int(0).tag(sync=True)

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

        `window` is how many of the last messages the model sees; a Trial knows its own. Without
        it, everything that was sent counts as seen. For a Trace, `trial` is the Trial that it was
        made from, which knows the files and the window.

        `other` is a second run to show next to the first. A title replaces the run's own. Raises
        TypeError for anything that is not a run.
        """
        super().__init__()
        self._runs = [ShownRun(run, title, window, trial)]
        if other is not None:
            other_title = other_title or getattr(other, "title", "The other run")
            self._runs.append(ShownRun(other, other_title, window))
        self.trace = self._runs[0].trace
        self.difference = None if other is None else find_difference(self._runs)
        are_same = other is not None and self.difference is None
        runs = [run.state() for run in self._runs]
        said = list(compare_rounds(runs)) if other is not None else []
        self.state = {"runs": runs, "said": [f"{one} {SAME}" if are_same else one for one in said]}
        self.at = self._first_row()

    @classmethod
    def compare(cls, first: Any, second: Any, titles: tuple[str, str] = ("", "")) -> "Player":
        """Return two finished runs side by side: what each model sees, and what it answers."""
        return cls(first, title=titles[0], other=second, other_title=titles[1])

    def _first_row(self) -> int:
        """Return the round that is shown first: the decisive one, or else the first.

        Of two runs, it is the one after the first difference, because its results are seen there.
        """
        rounds = len(self.trace.rounds)
        frames = self.state["runs"][0]["frames"]
        lost = next((frame["number"] for frame in frames if frame["leaves"]), 1)
        return min(rounds, self.difference + 1 if self.difference else lost)

    def text(self) -> str:
        parts = [run.text() for run in self._runs]
        if self.difference is not None:
            parts.append(f"Round {self.difference} is the first that differs.")
        elif len(self._runs) > 1:
            parts.append(SAME)
        return "\n\n".join(parts)


def compare_rounds(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield what is said of two runs in each row: what both models see, and which run is over."""
    yield "Before the first round."
    for row in range(1, max(len(run["frames"]) for run in runs)):
        seen = [list_seen(run["frames"], row) for run in runs]
        same, most = (Counter(seen[0]) & Counter(seen[1])).total(), max(map(len, seen))
        words = f"{same} of the {most} messages are the same" if most else "both see the prompt"
        said = [f"Round {row}: {words}."]
        lasts = ["".join(lines[-1:]) for lines in seen]
        reminded = [run["title"] for run, last in zip(runs, lasts, strict=True) if last[:1] == "▼"]
        if same == most - 1 and lasts[0] != lasts[1] and reminded:
            said.append(f"Only the last one differs: in “{reminded[0]}”, it carries the reminder.")
        for run in runs:
            if row >= len(run["frames"]):
                said.append(f"{run['title']}: over after round {len(run['frames']) - 1}.")
        yield " ".join(said)


def list_seen(frames: Sequence[dict[str, Any]], row: int) -> list[str]:
    """Return the lines of the messages that a model sees in a row, or in its last one."""
    row = min(row, len(frames) - 1)
    sent = [" ".join(line) for frame in frames[: max(row, 1)] for line in frame["lines"]]
    return sent[frames[row]["view"]["first"] :]


def find_difference(runs: list[ShownRun]) -> int | None:
    """Return the number of the first round in which two runs differ, or None."""
    for number, (one, other) in enumerate(zip_longest(*(run.trace.frames for run in runs))):
        if not (one and other) or facts(one) != facts(other):
            return number
    return None
