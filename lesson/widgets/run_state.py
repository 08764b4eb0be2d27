"""A run as plain data to draw, and as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agentlib.loop import Round
from agentlib.todo import TodoManager

from ..runs.bill import make_bill, pluralize
from ..runs.measured import find_kind
from ..runs.prices import read_table
from ..runs.trace import Step, Trace
from ..runs.trial import Trial
from .base import map_texts
from .in_view import InView, Viewer
from .summaries import (
    describe_round,
    end_sentence,
    has_failed,
    headline,
    list_fitting_guesses,
    writes_list,
)
from .todo_state import (
    describe_evidence,
    describe_progress,
    draw_evidence,
    draw_plan,
    list_evidence,
)

LONGEST_TEXT = 20_000  # characters of a message, on a page; a saved Trace has all of them


@dataclass
class ShownRun:
    """A run to show: its `trace` and, for a run of the practice model, its `trial`.

    `is_listed` says whether there is, or may be, a todo list. `trial` is None for a real run, whose
    files cannot be checked. `window` is the number of messages that the model sees, or None if that
    is not known: then everything is shown as seen.
    """

    trace: Trace
    title: str
    is_listed: bool
    trial: Trial | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        if self.trial is not None and self.window is None:
            self.window = self.trial.window
        self._viewer = Viewer(self.window)
        self._seen: list[dict[str, Any]] = []
        # The messages of the next request, and the step that added each.
        self._sent: list[dict[str, Any]] = []
        self._owners: list[int] = []

    @property
    def rounds(self) -> list[Round]:
        """Return the Rounds so far."""
        return self.trace.rounds

    @property
    def request(self) -> dict[str, Any] | None:
        """Return what each request contained besides its messages; None if that is not known."""
        if self.trial is None or not self.trial.model.requests:
            return None
        first = self.trial.model.requests[0]
        return {name: value for name, value in first.items() if name != "messages"}

    @property
    def is_finished(self) -> bool | None:
        """Return whether the files show that every step is done; None if that is not known."""
        return all(self.trial.progress[-1]) if self.trial else None

    def state(self) -> dict[str, Any]:
        """Return what the browser draws of the run."""
        known = {"title": self.title, "window": self.window, "steps": self.steps()}
        return known | self.facts()

    def facts(self) -> dict[str, Any]:
        """Return the part of the state that may change with a new step."""
        return {
            "listed": self.is_listed,
            "finished": self.is_finished,
            "request": self.request,
            "bills": self.bills(),
        }

    def steps(self, start: int = 0) -> list[dict[str, Any]]:
        """Return what the browser draws of the steps from number `start` on.

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
        turn = step.round
        is_reminded = turn is not None and turn.reminder is not None
        spent = sum(one.usage.total for one in self.rounds[:place])
        return {
            "words": self._describe(place, turn) if turn else "",
            "cost": f"{spent:,} tokens so far." if spent else "",
            "fits": list_fitting_guesses(turn) if turn else [],
            "failed": has_failed(turn) if turn else False,
            "reminded": is_reminded,
            "messages": map_texts(step.messages, shorten),
            "plan": self._plan(place),
            "changes": self._changes(place) if turn and writes_list(turn) else None,
            "counter": {"waited": step.waited, "after": self.trace.after, "reminded": is_reminded},
            **self._look(place),
        }

    def _describe(self, place: int, turn: Round) -> str:
        """Return what happened in a round, and whether the model has lost its list."""
        parts = [end_sentence(describe_round(turn))]
        if turn.reminder is not None:
            parts.append("Then a reminder.")
        if self.is_listed:
            parts.append(f"List: {describe_progress(self.trace.steps[place].items)}.")
        view = self._look(place)["view"]
        if self.window is not None and (view["lost"] or view["gone"]):
            parts.append(view["list"])
        return " ".join(parts)

    def _look(self, place: int) -> dict[str, Any]:
        """Return what the model saw when it was asked for this step, and the letter of its cell.

        The letters are those of the chart (KINDS in `runs.measured`).
        """
        while len(self._seen) <= place:
            number = len(self._seen)
            if number != 1:  # the prompt is in the view of step 0 already
                self._send(max(number - 1, 0))
            view = self._viewer.look(self._sent)
            turn = self.trace.steps[number].round
            kind = self._kind(number, turn, view) if turn else ""
            is_last = self._seen[-1]["view"]["lost"] if self._seen else False
            known = view.first < len(self._owners)
            self._seen.append(
                {
                    "view": view.as_data()
                    | {"from": self._owners[view.first] if known else number},
                    "leaves": view.is_lost and view.plan is not None and not is_last,
                    "unseen": view.is_lost and (kind == "s" or not (turn and writes_list(turn))),
                    "cell": kind,
                }
            )
        return self._seen[place]

    def _send(self, number: int) -> None:
        """Put the messages of a step into the next request."""
        messages = self.trace.steps[number].messages
        self._owners += [number] * len(messages)
        self._sent += messages

    def _kind(self, number: int, turn: Round, view: InView) -> str:
        """Return the letter for a round."""
        size = len(self.trace.steps[number].items) if writes_list(turn) else None
        plan_size = len(view.plan.items) if view.plan and not view.plan_is_seen else 0
        progress = self.trial.progress[: number + 1] if self.trial else []
        has_progressed = len(progress) > number and sum(progress[-1]) > sum(progress[-2])
        return find_kind(turn, size, plan_size, view.is_lost, has_progressed)

    def _changes(self, place: int) -> dict[str, Any]:
        """Return how a list call changed the list: its sizes, and a line for each change."""
        before = {str(item["text"]): item for item in self.trace.steps[place - 1].items}
        after = {str(item["text"]): item for item in self.trace.steps[place].items}
        lines = []
        for text, item in after.items():
            old = before.get(text)
            if old is None or old["status"] != item["status"]:
                lines.append([item["status"], f"#{item['id']} {text}", old is None])
        return {
            "before": len(before),
            "after": len(after),
            "lines": lines,
            "gone": [f"#{item['id']} {text}" for text, item in before.items() if text not in after],
        }

    def bills(self) -> dict[str, str]:
        """Return what the run cost, as text, by the model whose prices are used.

        "" is the model that answered. Empty if the tokens of the run are not known.
        """
        if not any(step.usage.total for step in self.rounds):
            return {}
        models = ["", *read_table()["models"]]
        return {model: str(make_bill(self.rounds, model)) for model in models}

    def _plan(self, place: int) -> dict[str, Any]:
        """Return the list after a step, with what the files showed at that time.

        If the step replaced a list that the model had lost, return that one.
        """
        is_lost = self._look(place)["unseen"] and place > 0
        items = self.trace.steps[place - 1 if is_lost else place].items
        return draw_plan(items, self._evidence(place))

    def _evidence(self, place: int) -> dict[str, bool] | None:
        if self.trial is None or place >= len(self.trial.progress):
            return None
        return list_evidence(self.trial.task, self.trial.progress[place])

    def text(self) -> str:
        """Return the run as text: a line for each round, then the final list, if there is one."""
        rounds = self.rounds
        size, cost = pluralize(len(rounds), "round"), sum(turn.usage.total for turn in rounds)
        if cost or not rounds:  # a run that was read from its messages does not know its cost
            size += f", {pluralize(cost, 'token')}"
        width = max(3, len(str(len(rounds))))
        lines = [f"{self.title}: {size}"]
        for place, turn in enumerate(rounds, 1):
            reminder = "  + reminder" if turn.reminder else ""
            lines.append(f"{place:{width}}  {headline(turn)}{reminder}")
        if self.is_listed:
            lines += ["", self._list_in_words()]
        return "\n".join(lines)

    def _list_in_words(self) -> str:
        manager = TodoManager()
        last = len(self.trace.steps) - 1
        manager.items = list(self.trace.steps[last].items) if last >= 0 else []
        return (
            f"{manager.render()}\n{describe_evidence(draw_evidence(self._evidence(last)))}".rstrip()
        )


def shorten(text: str) -> str:
    """Return `text`, or if it is too long, its beginning and how much was left out."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… ({len(text) - LONGEST_TEXT:,} more characters)"


def has_list(trace: Trace, steps: Sequence[Step] | None = None) -> bool:
    """Return whether a run has a todo list: a nag watched it, or one of the `steps` has items."""
    return trace.after is not None or any(step.items for step in steps or trace.steps)
