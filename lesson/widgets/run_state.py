"""A run as plain data to draw, and as text."""

from dataclasses import dataclass
from typing import Any

from agentlib.loop import Round
from agentlib.todo import TodoManager

from ..practice.policy.tasks import load
from ..redaction import redact
from ..runs.bill import pluralize
from ..runs.measured import KINDS, find_kind
from ..runs.trace import Step, Trace
from ..runs.trial import Trial
from ..window import InView, Viewer
from .base import map_texts
from .summaries import (
    describe_message,
    describe_round,
    end_sentence,
    has_failed,
    headline,
    list_fitting_guesses,
    writes_list,
)
from .todo_state import (
    describe_evidence,
    describe_list,
    describe_progress,
    draw_plan,
    draw_view,
)

LONGEST_TEXT = 20_000  # characters of a message, on a page; a saved Trace has all of them
SIGNS = {"completed": "✓", "in_progress": "▸", "pending": "○"}


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

    def state(self) -> dict[str, Any]:
        """Return what the browser draws of the run."""
        return {
            "title": self.title,
            "window": self.window,
            "listed": self.is_listed,
            "finished": all(self.trial.progress[-1]) if self.trial else None,
            "request": self.request,
            "steps": self.steps(),
        }

    def steps(self) -> list[dict[str, Any]]:
        """Return what the browser draws of each step."""
        viewer = Viewer(self.window)
        first = self.trace.steps[0]
        # The messages of the next request, and the step that added each.
        sent, owners = list(first.messages), [0] * len(first.messages)
        drawn: list[dict[str, Any]] = []
        spent, was_lost, before = 0, False, first
        for place, step in enumerate(self.trace.steps):
            view = viewer.look(sent)
            turn = step.round
            spent += turn.usage.total if turn else 0
            kind = self._kind(place, turn, step, view) if turn else ""
            wrote_list = turn is not None and writes_list(turn)
            changes = draw_changes(before, step) if wrote_list else None
            is_reminded = turn is not None and turn.reminder is not None
            drawn.append(
                {
                    "number": place,
                    "words": self._describe(turn, step, view) if turn else "",
                    "cost": f"{spent:,} tokens so far." if spent else "",
                    "fits": list_fitting_guesses(turn) if turn else [],
                    "failed": has_failed(turn) if turn else False,
                    "reminded": is_reminded,
                    "messages": map_texts(step.messages, shorten),
                    "lines": list(map(describe_message, step.messages)),
                    "plan": draw_plan(step.items, self._evidence(place)),
                    "does": describe_deed(turn, kind, changes) if turn else "",
                    "changes": changes,
                    "counter": {
                        "waited": step.waited,
                        "after": self.trace.after,
                        "reminded": is_reminded,
                    },
                    "view": draw_view(view)
                    | {"from": owners[view.first] if view.first < len(owners) else place},
                    "leaves": view.is_lost and view.plan is not None and not was_lost,
                    "unseen": view.is_lost and not wrote_list,
                    "cell": kind,
                }
            )
            was_lost, before = view.is_lost, step
            if place > 0:  # the prompt is in the view of step 0 already
                sent += step.messages
                owners += [place] * len(step.messages)
        return drawn

    def _describe(self, turn: Round, step: Step, view: InView) -> str:
        """Return what happened in a round, and whether the model has lost its list."""
        parts = [end_sentence(describe_round(turn))]
        if turn.reminder is not None:
            parts.append("Then a reminder.")
        if self.is_listed:
            parts.append(f"List: {describe_progress(step.items)}.")
        if self.window is not None and (view.is_lost or view.is_gone):
            parts.append(describe_list(view))
        return " ".join(parts)

    def _kind(self, place: int, turn: Round, step: Step, view: InView) -> str:
        """Return the letter of a round in the chart (KINDS in `runs.measured`)."""
        size = len(step.items) if writes_list(turn) else None
        plan_size = len(view.plan.items) if view.plan and not view.plan_is_seen else 0
        progress = self.trial.progress[: place + 1] if self.trial else []
        has_progressed = len(progress) > place and sum(progress[-1]) > sum(progress[-2])
        kind = find_kind(turn, size, plan_size, view.is_lost, has_progressed)
        return "u" if kind == "w" and self.trial is None else kind

    def _evidence(self, place: int) -> dict[str, bool]:
        if self.trial is None or place >= len(self.trial.progress):
            return {}
        steps = load(self.trial.task).steps
        return {
            step.text: done for step, done in zip(steps, self.trial.progress[place], strict=True)
        }

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
        manager, last = TodoManager(), len(self.trace.steps) - 1
        manager.items = [{**item} for item in self.trace.steps[last].items]
        files = draw_plan(manager.items, self._evidence(last))["files"]
        return f"{manager.render()}\n{describe_evidence(files)}".rstrip()


def shorten(text: str) -> str:
    """Return `text`, or if it is too long, its beginning and how much was left out."""
    text = redact(text)  # before it is cut, or half a key would be left
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… ({len(text) - LONGEST_TEXT:,} more characters)"


def has_list(trace: Trace) -> bool:
    """Return whether a run has a todo list: a nag watched it, or one of its steps has items."""
    return trace.after is not None or any(step.items for step in trace.steps)


def describe_deed(turn: Round, kind: str, changes: dict[str, Any] | None) -> str:
    """Return what a round does as a sentence: "It finishes a step: edit_file shop.py."."""
    if not turn.calls:
        return "It ends."
    what = changes["title"] if changes else headline(turn)
    return end_sentence(f"It {KINDS[kind]}: {what}")


def draw_changes(before: Step, step: Step) -> dict[str, Any]:
    """Return how a list call changed the list: sizes, and for each line its look and its words."""
    old = {str(item["text"]): item for item in before.items}
    new = {str(item["text"]): item for item in step.items}
    title = pluralize(len(new), "item")
    if old and len(old) != len(new):
        title = f"{len(old)} → {title}"
    lines = []
    for text, item in new.items():
        words = f"#{item['id']} {text}"
        if old and text not in old:
            lines.append(("new", f"+ {words}"))
        elif not old or old[text]["status"] != item["status"]:
            lines.append(("", f"{SIGNS.get(item['status'], '?')} {words}"))
    gone = [("gone", f"#{item['id']} {text}") for text, item in old.items() if text not in new]
    if gone:
        lines += [("new", f"{pluralize(len(gone), 'item')} gone:"), *gone]
    return {"title": title, "lines": lines or [("", "the same list again")]}
