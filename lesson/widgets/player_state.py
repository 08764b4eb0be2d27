"""A run as plain data to draw, and as text."""

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any

from agentlib.loop import Round

from ..message_blocks import is_list_tool
from ..message_window import InView, Viewer
from ..picture_letters import ROUNDS, find_sign
from ..pluralize import pluralize
from ..runs.claude_runs import ClaudeRun
from ..runs.from_messages import todo_items
from ..runs.measured import count_finished, find_kind
from ..runs.summaries import (
    describe_message,
    describe_reminder,
    end_sentence,
    headline,
    writes_list,
)
from ..runs.trace import Frame, Trace
from ..runs.trial import Trial
from ..samples.jobs import load_job
from .base import map_texts
from .todo_state import draw_plan, draw_view

LONGEST_TEXT = 20_000  # characters of a message, on a page; the Trace has all of them


class ShownRun:
    """A run to show: its `trace` and, for a run of the practice model, its `trial`.

    `trial` is None for any other run. `judged` is the Trial or the ClaudeRun whose files were
    checked after each round, or None. `window` is the number of messages that the model sees, or
    None if that is not known: then everything is shown as seen.
    """

    def __init__(self, run: Any, title: str, window: int | None) -> None:
        self.trial = run if isinstance(run, Trial) else None
        # What the files show after each round is known of these two.
        self.judged = run if isinstance(run, ClaudeRun) else self.trial
        self.trace = run if isinstance(run, Trace) else make_trace(run)
        self.title = title or "The run"
        self.window = self.trial.window if self.trial and window is None else window

    @property
    def is_listed(self) -> bool:
        """Return whether there is, or may be, a todo list."""
        if self.trace.after is not None or (self.trial and self.trial.todo is not None):
            return True
        return any(frame.items for frame in self.trace.frames)

    def state(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "window": self.window,
            "listed": self.is_listed,
            "finished": all(self.judged.progress[-1]) if self.judged else None,
            "kinds": ROUNDS,
            "frames": self.frames(),
        }

    def frames(self) -> list[dict[str, Any]]:
        viewer = Viewer(self.window)
        first = self.trace.frames[0]
        # The messages of the next request, and the frame that added each.
        sent, owners = list(first.messages), [0] * len(first.messages)
        drawn: list[dict[str, Any]] = []
        spent, was_lost, before = 0, False, first
        for place, frame in enumerate(self.trace.frames):
            view = viewer.look(sent)
            turn = frame.round
            spent += turn.usage.total if turn else 0
            wrote_list = turn is not None and writes_list(turn)
            reminded = turn is not None and turn.reminder is not None
            waiting = {"waited": frame.waited, "after": self.trace.after, "reminded": reminded}
            start = owners[view.first] if view.first < len(owners) else place
            drawn.append(
                {
                    "number": place,
                    "said": self._say(place, turn, spent),
                    "reminded": reminded,
                    "messages": map_texts(frame.messages, cut),
                    "lines": list(map(describe_message, frame.messages)),
                    "plan": draw_plan(frame.items, self._evidence(place)),
                    "changes": list_changes(before, turn) if turn else [],
                    "counter": waiting,
                    "view": draw_view(view) | {"from": start},
                    "leaves": view.is_lost and view.plan is not None and not was_lost,
                    "unseen": view.is_lost and not wrote_list,
                    "cell": self._kind(place, turn, view) if turn else "",
                    "steps": self._count_steps(place),
                }
            )
            was_lost, before = view.is_lost, frame
            if place > 0:  # the prompt is in the view of frame 0 already
                sent += frame.messages
                owners += [place] * len(frame.messages)
        return drawn

    def _say(self, place: int, turn: Round | None, spent: int) -> str:
        """Return what the player says of a frame: what is drawn of it need not be said."""
        rounds = len(self.trace.rounds)
        if turn is None:
            return "Before the first round." if rounds else "This run has no rounds."
        cost = f"{spent:,} tokens so far." if spent else ""
        did = end_sentence(f"{'calls ' if turn.calls else ''}{headline(turn)}")
        parts = [f"Round {place} of {rounds}: {did}", describe_reminder(turn), cost]
        return " ".join(filter(None, parts))

    def _kind(self, place: int, turn: Round, view: InView) -> str:
        """Return the letter of a round in the chart (ROUNDS in `lesson.picture_letters`)."""
        kind = find_kind(turn, view, has_progressed=self._count_steps(place) > 0)
        return "u" if kind == "w" and self.judged is None else kind

    def _count_steps(self, place: int) -> int:
        """Return how many steps a round has finished; 0 if the files are not known."""
        progress = self.judged.progress if self.judged else []
        if not 0 < place < len(progress):
            return 0
        return count_finished(progress[place - 1], progress[place])

    def _evidence(self, place: int) -> dict[str, bool]:
        if self.judged is None or place >= len(self.judged.progress):
            return {}
        steps = load_job(self.judged.job).steps
        return {
            step.text: done for step, done in zip(steps, self.judged.progress[place], strict=True)
        }

    def text(self) -> str:
        lines = [f"{self.title}: {pluralize(len(self.trace.rounds), 'round')}"]
        for place, turn in enumerate(self.trace.rounds, 1):
            reminder = "  + reminder" if turn.reminder else ""
            lines.append(
                f"{place:3}  {headline(turn)}{reminder}  {describe_reminder(turn)}".rstrip()
            )
        return "\n".join(lines)


def make_trace(run: Any) -> Trace:
    """Return the Trace of a Trial so far, of a ClaudeRun, or of the messages of any other loop."""
    if isinstance(run, Trial):
        added = sum(len(turn.messages) for turn in run.rounds)
        opening = run.messages[: len(run.messages) - added]
        return Trace(run.rounds, opening, after=run.nag.after if run.nag else None)
    if isinstance(run, ClaudeRun):
        return run.trace
    if isinstance(run, list | tuple):
        return Trace.from_messages(run)
    raise TypeError(
        "A run is a Trial, a Trace, or the list of messages of your own loop. "
        f"This is something else: {shorten(repr(run), 80)}"
    )


def cut(text: str) -> str:
    """Return `text`, or if it is too long, its beginning and how much was left out."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… ({len(text) - LONGEST_TEXT:,} more characters)"


def list_changes(before: Frame, turn: Round) -> list[dict[str, Any] | None]:
    """Return for each call of a round how it changed the list; None if it did not."""
    items, found = before.items, []
    for call in turn.calls:
        is_list = call.ok and is_list_tool(call.name)
        written = todo_items(call.input) if is_list else items
        found.append(draw_changes(items, written) if is_list else None)
        items = written
    return found


def draw_changes(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return how a list call changed the list: sizes, and for each line its look and its words."""
    old = {str(item["text"]): item for item in before}
    texts = {str(item["text"]) for item in after}
    title = pluralize(len(after), "task")
    if before and len(before) != len(after):
        title = f"{len(before)} → {title}"
    lines = []
    for item in after:
        text = str(item["text"])
        words = f"{find_sign(item)} #{item['id']} {text}"
        if before and text not in old:
            lines.append(("new", f"+ {words}"))
        elif not before or old[text]["status"] != item["status"]:
            lines.append(("", words))
    gone = [
        ("gone", f"#{item['id']} {item['text']}")
        for item in before
        if str(item["text"]) not in texts
    ]
    if gone:
        lines += [("new", f"{pluralize(len(gone), 'task')} gone:"), *gone]
    return {"title": title, "lines": lines or [("", "the same list again")]}
