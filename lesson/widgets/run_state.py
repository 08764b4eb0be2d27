"""A run as plain data to draw, and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agentlib.loop import Round
from agentlib.todo import TodoManager

from ..runs.bill import make_bill, pluralize
from ..runs.prices import kinds
from ..runs.trace import Step, Trace
from ..runs.trial import Trial
from .base import map_texts
from .summaries import classify_round, describe_round, has_failed, headline
from .todo_state import describe_evidence, describe_progress, draw_plan, list_evidence

LONGEST_TEXT = 20_000  # characters of a message, on a page; a saved Trace has all of them


@dataclass
class ShownRun:
    """A run to show: its `trace` and, for a run of the practice model, its `trial`.

    `is_listed` says whether there is, or may be, a todo list. `trial` is None for a real run,
    which has no attention to draw and no task whose files could be checked.
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
        """What each request contained besides its messages; None if that is not known."""
        if self.trial is None or not self.trial.model.requests:
            return None
        first = self.trial.model.requests[0]
        return {name: value for name, value in first.items() if name != "messages"}

    def state(self) -> dict[str, Any]:
        """What the browser draws of the run."""
        return {
            "title": self.title,
            "listed": self.is_listed,
            "window": self.trial.window if self.trial else None,
            "request": self.request,
            "planning": self.planning(),
            "steps": self.steps(),
        }

    def steps(self, start: int = 0) -> list[dict[str, Any]]:
        """What the browser draws of the steps from number `start` on.

        The list of a step is None if it has not changed since the step before.
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
            "did": describe_round(round) if round else "",
            "kind": classify_round(round) if round else "prompt",
            "failed": has_failed(round) if round else False,
            "reminded": is_reminded,
            "usage": list(kinds(round.usage)) if round else None,
            "model": round.usage.model if round else "",
            "messages": map_texts(step.messages, shorten),
            "plan": self._plan(place),
            "counter": {"waited": step.waited, "after": self.trace.after, "reminded": is_reminded},
            "status": describe_progress(step.items),
        }

    def planning(self) -> dict[str, Any]:
        """What the reminders and the todo calls add: how many there are, and their tokens."""
        bill = make_bill(self.rounds)
        return {
            "reminder": [bill.reminders.count, *kinds(bill.reminders.usage)],
            "todo call": [bill.todo_calls.count, *kinds(bill.todo_calls.usage)],
        }

    def _plan(self, place: int) -> dict[str, Any]:
        """The list after a step, with what the files showed at that time."""
        return draw_plan(self.trace.steps[place].items, self._evidence(place))

    def _evidence(self, place: int) -> list[dict[str, Any]] | None:
        if self.trial is None or place >= len(self.trial.progress):
            return None
        return list_evidence(self.trial.task, self.trial.progress[place])

    def text(self) -> str:
        """The run in words: a line for each round, then the final list, if there is one."""
        rounds = self.rounds
        size, cost = pluralize(len(rounds), "round"), sum(round.usage.total for round in rounds)
        if cost or not rounds:  # a run that was read from its messages does not know its cost
            size += f", {pluralize(cost, 'token')}"
        width = max(3, len(str(len(rounds))))
        lines = [f"{self.title}: {size}"]
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
        return f"{manager.render()}\n{describe_evidence(self._evidence(last))}".rstrip()


def shorten(text: str) -> str:
    """A text, or if it is too long, its beginning and how much was left out."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… ({len(text) - LONGEST_TEXT:,} more characters)"


def has_list(trace: Trace, steps: Sequence[Step] | None = None) -> bool:
    """Whether a run has a todo list: a nag watched it, or one of the `steps` has items."""
    return trace.after is not None or any(step.items for step in steps or trace.steps)
