"""The player: a run as steps, forward and back; two runs side by side; a live run by the step."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any

import traitlets

from ..loop import Round
from ..nag import Nag
from ..runs.trace import Trace
from ..runs.trial import Trial
from ..todo import TodoManager
from .background import Latest
from .base import View, drawable, script, style
from .run_state import ShownRun, is_listed
from .summaries import Row, aligned, is_same

NOTHING_YET = "Nothing has been asked of the model yet."
OVER = "The run is over."
SAME = "The two runs are the same, round for round."


class Player(View):
    """Plays a run. Where the run is still to come, nothing is asked of the model until "next".

    `at` is the step that is shown, from 0, which is the prompt; of two runs, the row of their
    alignment. `trace` is the run so far. Setting `asked` to the number of the step that comes
    next takes it; that is what the button does. A step that was taken goes to the page as
    `news`, so that a run of any length is sent once.
    """

    _esm = script("player")
    _css = style("player")
    at = traitlets.Int(0).tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    news = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        run: Any,
        messages: Sequence[dict] | None = None,
        todo: TodoManager | None = None,
        nag: Nag | None = None,
        *,
        title: str = "",
        other: Any = None,
    ) -> None:
        """`run` is a list of Rounds, a Trial or a Trace; or, live, an iterator of Rounds.

        A run of your own loop is its list of messages; live, an iterator that yields once a round,
        together with its `messages`. `messages`, `todo` and `nag` complete the picture. `other`
        is a second run that is over, to be shown beside the first. A `title` stands in place of
        the run's own. Raises TypeError for a run that is none.
        """
        super().__init__()
        if not isinstance(run, Iterable | Trace):
            raise TypeError(
                "A run is a Trial, a Trace, Rounds or messages. This is something else: "
                f"{shorten(repr(run), 80)}"
            )
        self._live: Iterator[Round] | None = None
        self._latest = Latest(self._failed)
        trial = run if isinstance(run, Trial) else None
        if trial:
            messages, todo, nag = trial.messages, trial.todo, trial.nag
        if isinstance(run, Trace) or not is_live(run):
            self.trace = trace_of(run, messages, nag)
        else:
            self.trace = trace_of(trial.rounds if trial else [], messages, nag)
            self._live = self.trace.follow(run, messages or (), todo, nag)
        listed = todo is not None or is_listed(self.trace)
        self._runs = [ShownRun(self.trace, title or self.trace.title, listed, trial)]
        if other is not None:
            self._runs.append(other_run(other))
        self._show(self._opening())
        self.observe(self._ask, "asked")
        self.on_msg(self._resend)

    @classmethod
    def compare(cls, first: Any, second: Any, titles: tuple[str, str] | None = None) -> "Player":
        """Two runs that are over, side by side: what they share stands in the same row."""
        player = cls(first, other=second)
        if titles:
            for run, title in zip(player._runs, titles, strict=True):
                run.title = title
            player._show(player._opening())
        return player

    def next(self) -> "Player":
        """Take the next step of a live run, and return when it is done."""
        for _ in self._step():
            pass
        return self

    def save(self, path: str | Path) -> Path:
        """Write the run so far to a file that `Trace.open` reads. Returns the path."""
        return self.trace.save(path)

    def wait(self) -> "Player":
        """Return when the step under way has been taken."""
        self._latest.wait()
        return self

    def _ask(self, _: Any) -> None:
        if self._live and not self.busy and self.asked == len(self.trace.steps):
            self.busy = True
            self._latest.start(self._step())

    def _resend(self, _: Any, content: dict[str, Any], __: Any) -> None:
        """Send all of the run to a page that has missed some of it."""
        if "missing" in content:
            self.send_state("state")

    def _step(self) -> Iterator[None]:
        yield
        known = len(self.trace.steps)
        more = self._live and next(self._live, None) is not None
        last = self.trace.steps[-1].round
        if not more or (last and last.is_last):
            self._live = None
        with self.hold_sync():
            self.busy, self.playing = False, self.playing and self._live is not None
            self._append(known, "" if self._live else OVER)
            self.at = len(self.trace.steps) - 1

    def _failed(self, problem: Exception) -> None:
        self._live = None
        with self.hold_sync():
            self.busy = self.playing = False
            # What a real model's client says to a person is in the last note.
            words = getattr(problem, "__notes__", [problem])[-1]
            self._append(len(self.trace.steps), f"The run stopped with an error: {words}")

    def _opening(self) -> str:
        if len(self._runs) > 1:
            return SAME if self.difference is None else ""
        return NOTHING_YET if self._live and not self._runs[0].rounds else ""

    def _show(self, said: str) -> None:
        """Send the whole picture."""
        rows = self._aligned()
        self.state = {
            "runs": [run.state() for run in self._runs],
            "rows": rows,
            "differs": [place for place, row in enumerate(rows or ()) if self._differs(row)],
            "live": self._live is not None,
            "said": said,
        }

    def _append(self, known: int, said: str) -> None:
        """Send the steps from `known` on, and how the run stands. The page has the others."""
        run = self._runs[0]
        if not run.is_listed and is_listed(self.trace, self.trace.steps[known:]):
            run.is_listed = True
        news = {
            "from": known,
            "steps": run.steps(known),
            "listed": run.is_listed,
            "live": self._live is not None,
            "said": said,
        }
        if known <= 1:
            news["request"] = run.request
        news = drawable(news)
        # The state is changed without being sent: a page that opens later asks for all of it.
        first = self.state["runs"][0]
        first["steps"] += news["steps"]
        first |= {name: news[name] for name in ("listed", "request") if name in news}
        self.state.update(live=news["live"], said=news["said"])
        self.news = news

    def _aligned(self) -> list[Row] | None:
        """Two runs as rows of steps: first their prompts, then their rounds."""
        if len(self._runs) == 1:
            return None
        rows = aligned(*(run.rounds for run in self._runs))
        return [(0, 0), *((shift(one), shift(other)) for one, other in rows)]

    def _differs(self, row: Row) -> bool:
        if row == (0, 0):
            return False
        places = zip(self._runs, row, strict=True)
        return not is_same(*(None if at is None else run.trace.steps[at].round
                             for run, at in places))  # fmt: skip

    @property
    def other(self) -> Trace | None:
        """The second run, or None."""
        return self._runs[1].trace if len(self._runs) > 1 else None

    @property
    def difference(self) -> int | None:
        """The first row in which two runs differ, or None. Before it a row is a round's number."""
        rows = enumerate(self._aligned() or ())
        return next((place for place, row in rows if self._differs(row)), None)

    def text(self) -> str:
        """Every round in a line, and the list at the end."""
        parts = [run.text() for run in self._runs]
        if self.other and self.difference is None:
            parts.append(SAME)
        elif self.other:
            parts.append(f"Round {self.difference} is the first that differs.")
        elif self._live:
            parts.append("More to come: next() takes one step.")
        return "\n\n".join(parts)


def shift(place: int | None) -> int | None:
    """The step of a round, by the round's index: step 0 is the prompt."""
    return None if place is None else place + 1


def is_live(run: Any) -> bool:
    """Whether there is more of a run to come: an iterator, or a Trial not played to its end."""
    if isinstance(run, Trial):
        return not run.rounds or not run.rounds[-1].is_last
    return not isinstance(run, Sequence)


def trace_of(run: Any, messages: Any = None, nag: Nag | None = None) -> Trace:
    """The Trace of a run as far as it has come."""
    if isinstance(run, Trace):
        return run
    if isinstance(run, Trial):
        run, messages, nag = run.rounds, run.messages, run.nag
    after = nag.after if nag else None
    if run and not isinstance(run[0], Round):
        return Trace.from_messages(run, after=after)
    known = list(messages or ())
    added = sum(len(round.messages) for round in run)
    return Trace.from_rounds(run, known[: len(known) - added], after=after)


def other_run(run: Any) -> ShownRun:
    """The second of two runs, which is over."""
    trace = trace_of(run)
    title = run.title if isinstance(run, Trace) else "The other run"
    return ShownRun(trace, title, is_listed(trace), run if isinstance(run, Trial) else None)
