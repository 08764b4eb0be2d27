"""A run as plain data to draw, and as words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..loop import Round
from ..runs.trace import Step, Trace
from ..runs.trial import Trial
from ..todo import TodoManager
from .messages import shortened
from .summaries import deed, has_failed, headline, kind
from .todo_state import completed, evidence, number, plan, shown_by_files


@dataclass
class ShownRun:
    """A run that is shown: its `trace`, and what only a Trial knows of it.

    `is_listed` says whether there is, or may be, a todo list. `trial` is the Trial, or None: a
    real run has no attention that could be drawn, and no task whose files could be checked.
    """

    trace: Trace
    title: str
    is_listed: bool
    trial: Trial | None = None

    @property
    def rounds(self) -> list[Round]:
        """The Rounds so far."""
        return self.trace.rounds

    @property
    def request(self) -> dict[str, Any] | None:
        """What each request held besides its messages; None where that is not known."""
        if self.trial is None or not self.trial.model.requests:
            return None
        first = self.trial.model.requests[0]
        return {name: value for name, value in first.items() if name != "messages"}

    def state(self) -> dict[str, Any]:
        """What the browser draws of the run."""
        return {
            "title": self.title,
            "listed": self.is_listed,
            "attention": self.trial.attention if self.trial else None,
            "request": self.request,
            "steps": self.steps(),
        }

    def steps(self, start: int = 0) -> list[dict[str, Any]]:
        """What the browser draws of the steps from `start` on.

        A list that is as it was one step before is left out: it is None.
        """
        steps = self.trace.steps
        drawn = [self._step(number, steps[number]) for number in range(start, len(steps))]
        before = self._plan(start - 1) if start else None
        for one in drawn:
            now = one["plan"]
            if now == before:
                one["plan"] = None
            before = now
        return drawn

    def _step(self, place: int, step: Step) -> dict[str, Any]:
        round = step.round
        is_reminded = round is not None and round.reminder is not None
        return {
            "head": headline(round) if round else "the prompt",
            "did": deed(round) if round else "",
            "kind": kind(round) if round else "prompt",
            "failed": has_failed(round) if round else False,
            "reminded": is_reminded,
            "spent": spent(round) if round else 0,
            "messages": [shortened(message) for message in step.messages],
            "plan": self._plan(place),
            "counter": {"waited": step.waited, "after": self.trace.after, "reminded": is_reminded},
            "status": completed(step.items),
        }

    def _plan(self, place: int) -> dict[str, Any]:
        """The list as it was after a step, with what the files showed then."""
        steps = self._evidence(place)
        return plan(self.trace.steps[place].items, "The list", steps=steps) | {"steps": steps}

    def _evidence(self, place: int) -> list[dict[str, Any]] | None:
        if self.trial is None or place >= len(self.trial.progress):
            return None
        return evidence(self.trial.task, self.trial.progress[place])

    def text(self) -> str:
        """The run in words: a line for each round, and the list at its end, if there is one."""
        rounds = self.rounds
        cost = number(sum(map(spent, rounds)), "token")
        width = max(3, len(str(len(rounds))))
        lines = [f"{self.title}: {number(len(rounds), 'round')}, {cost}"]
        for place, round in enumerate(rounds, 1):
            reminder = "  + reminder" if round.reminder else ""
            lines.append(f"{place:{width}}  {headline(round)}{reminder}")
        if self.is_listed:
            lines += ["", self._list_in_words()]
        return "\n".join(lines)

    def _list_in_words(self) -> str:
        manager = TodoManager()
        last = len(self.trace.steps) - 1
        manager.items = list(self.trace.steps[last].items) if last >= 0 else []
        return f"{manager.render()}\n{shown_by_files(self._evidence(last))}".rstrip()


def spent(round: Round) -> int:
    """What one round cost: the tokens that were read and written."""
    return round.usage.total


def is_listed(trace: Trace, steps: Sequence[Step] | None = None) -> bool:
    """Whether there was a todo list in a run: a nag watched it, or a step has items."""
    return trace.after is not None or any(step.items for step in steps or trace.steps)
