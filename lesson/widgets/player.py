"""The player: a run, forward and back."""

from typing import Any

import traitlets

from .base import View
from .player_state import ShownRun


class Player(View):
    """Plays a run: all of its rounds so far.

    `at` is the number of the frame that is shown (0 is the prompt): first the round in which the
    model reads a reminder or no longer sees its plan, or else the first one. `trace` is the run.
    """

    kind = "player"
    at = traitlets.Int(0).tag(sync=True)

    def __init__(self, run: Any, *, title: str = "", window: int | None = None) -> None:
        """Show a `run`: a Trial, a Trace, a ClaudeRun, or the list of messages of your own loop.

        `window` is how many of the last messages the model sees; a Trial knows its own. Without
        it, everything that was sent counts as seen. A `title` replaces the run's own. Raises
        TypeError for anything that is not a run.
        """
        super().__init__()
        self._run = ShownRun(run, title, window)
        self.trace = self._run.trace
        self.state = self._run.state()
        self.at = min(len(self.trace.rounds), self._find_event())

    def _find_event(self) -> int:
        """Return the number of the first frame in which something happens to the plan, or 1."""
        for frame in self.state["frames"]:
            if frame["reminded"]:
                return frame["number"] + 1  # it is read in the next round
            if frame["leaves"]:
                return frame["number"]
        return 1

    def text(self) -> str:
        return self._run.text()
