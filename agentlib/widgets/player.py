"""The player: a run as steps, forward and back; two runs side by side; a live run by the step."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import traitlets

from ..loop import Round, rounds
from ..nag import Nag
from ..todo import TodoManager
from ..trace import WANTED, Step, Trace, tokens
from ..trial import Trial
from .background import Latest
from .base import View, script
from .messages import turn
from .summaries import deed, differences, headline
from .todo_state import completed, number, plan

NOTHING_YET = "Nothing has been asked of the model yet."
OVER = "The run is over."
AT_REST = "The model asks for no more tools: the run is over, unless your loop goes on."
SAME = "The two runs are the same, round for round."


class Player(View):
    """Plays a run. Where the run is still to come, nothing is asked of the model until "next".

    `at` is the step that is shown, from 0, which is the prompt. `trace` is the run so far. Setting
    `asked` to the number of the step that comes next takes it; that is what the button does.
    """

    _esm = script("player")
    at = traitlets.Int(0).tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)

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

        `messages`, `todo` and `nag` are those of the run, and make the picture complete. `other`
        is a second run that is over, to be shown beside the first. A `title` stands in place of
        the run's own. Raises TypeError for a run that is none.
        """
        super().__init__()
        if not isinstance(run, Iterable | Trace):
            raise TypeError(f"{WANTED}{run!r}")
        self._live: Iterator[Round] | None = None
        self._latest = Latest(self._failed)
        ours = isinstance(run, Trial)
        if ours:
            messages, todo, nag = run.messages, run.todo, run.nag
        # Only of our own loop is it known when it ends; another may have a next prompt.
        self._ours = ours or getattr(run, "gi_code", None) is rounds.__code__
        self._planned = todo is not None
        if live(run):
            self.trace = Trace.of(run.rounds if ours else (), messages or (),
                                  after=nag.after if nag else None)
            self._live = self.trace.follow(run, messages, todo, nag)
        else:
            self.trace = finished(run, messages, nag)
        self.other = None if other is None else finished(other)
        self._titles = (title or self.trace.title,
                        other.title if isinstance(other, Trace) else "The other run")
        self._show(self._opening())
        self.observe(self._ask, "asked")

    @classmethod
    def compare(cls, first: Any, second: Any, titles: tuple[str, str] | None = None) -> "Player":
        """Two runs that are over, side by side. The player opens where they first differ."""
        player = cls(first, other=second)
        if titles:
            player._titles = titles
            player._show(player._opening())
        player.at = player.difference or 0
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

    def _step(self) -> Iterator[None]:
        yield
        more = self._live and next(self._live, None) is not None
        last = self.trace.steps[-1].round
        if not more or (self._ours and over(last)):
            self._live = None
        with self.hold_sync():
            self.busy, self.playing = False, self.playing and self._live is not None
            self._show(OVER if not self._live else AT_REST if over(last) else "")
            self.at = len(self.trace.steps) - 1

    def _failed(self, problem: Exception) -> None:
        self._live = None
        with self.hold_sync():
            self.busy = self.playing = False
            # What a real model's client says to a person is in the last note.
            words = getattr(problem, "__notes__", [problem])[-1]
            self._show(f"The run stopped with an error: {words}")

    def _opening(self) -> str:
        if self.other:
            return "" if differences(played(self.trace), played(self.other)) else SAME
        return NOTHING_YET if self._live and not played(self.trace) else ""

    def _show(self, said: str) -> None:
        runs = [drawn(*run) for run in self._runs()]
        differs = differences(played(self.trace), played(self.other)) if self.other else []
        self.state = {"runs": runs, "live": self._live is not None, "said": said,
                      "differs": differs}

    def _runs(self) -> list[tuple[Trace, str, bool]]:
        """Each run that is shown, with its title, and whether it has a list."""
        traces = [self.trace] if self.other is None else [self.trace, self.other]
        return [(trace, title, self._listed(trace))
                for trace, title in zip(traces, self._titles, strict=False)]

    def _listed(self, trace: Trace) -> bool:
        """Whether there is, or may be, a todo list in a run."""
        return (trace is self.trace and self._planned) or trace.after is not None or any(
            step.items for step in trace.steps)

    @property
    def difference(self) -> int | None:
        """The first round in which the two runs differ, or None."""
        return next(iter(self.state["differs"]), None)

    def text(self) -> str:
        """Every round in a line, and the list at the end."""
        parts = [told(*run) for run in self._runs()]
        if self.other and self.difference is None:
            parts.append(SAME)
        elif self.other:
            parts.append(f"Round {self.difference} is the first that differs.")
        elif self._live:
            parts.append("More to come: next() takes one step.")
        return "\n\n".join(parts)


def live(run: Any) -> bool:
    """Whether there is more of a run to come: an iterator, or a Trial not played to its end."""
    if isinstance(run, Trial):
        return not run.rounds or not over(run.rounds[-1])
    return not isinstance(run, Sequence | Trace)


def over(round: Round | None) -> bool:
    """Whether the loop of this package ends with a Round."""
    if round is None or round.stop_reason == "refusal":
        return round is not None
    return not round.calls and round.stop_reason != "pause_turn"


def finished(run: Any, messages: Any = None, nag: Nag | None = None) -> Trace:
    """The Trace of a run that is over."""
    if isinstance(run, Trace):
        return run
    if isinstance(run, Trial):
        run, messages, nag = run.rounds, run.messages, run.nag
    return Trace.of(run, messages or (), after=nag.after if nag else None)


def played(trace: Trace) -> list[Round]:
    """The Rounds of a run so far."""
    return [one.round for one in trace.steps if one.round]


def spent(round: Round) -> int:
    """What one round cost: the tokens that were read and written."""
    count = tokens(round.usage)
    return count.get("input_tokens", 0) + count.get("output_tokens", 0)


def drawn(trace: Trace, title: str, listed: bool) -> dict[str, Any]:
    """What the browser draws of a run; without a list where none was `listed`."""
    return {"title": title, "listed": listed,
            "steps": [step(one, trace.after) for one in trace.steps]}


def step(one: Step, after: int | None) -> dict[str, Any]:
    """What the browser draws of one step."""
    round = one.round
    reminded = bool(round and round.reminder)
    return {
        "head": headline(round) if round else "the prompt",
        "did": deed(round) if round else "",
        "reminded": reminded,
        "spent": spent(round) if round else 0,
        "turns": [turn(message) for message in one.messages],
        "plan": plan(one.items, "The list"),
        "counter": {"waited": one.waited, "after": after, "reminded": reminded},
        "status": completed(one.items),
    }


def told(trace: Trace, title: str, listed: bool) -> str:
    """A run in words: a line for each round, and the list at its end, where one was `listed`."""
    rounds = played(trace)
    total = sum(map(spent, rounds))
    lines = [f"{title}: {number(len(rounds), 'round')}, {number(total, 'token')}"]
    lines += [f"{n:3}  {headline(round)}{'  + reminder' if round.reminder else ''}"
              for n, round in enumerate(rounds, 1)]
    if not listed:
        return "\n".join(lines)
    manager = TodoManager()
    manager.items = list(trace.steps[-1].items) if trace.steps else []
    return "\n".join(lines) + "\n\n" + manager.render()
