"""The board: the todo list as it changes, whether the model still sees it, and what the files show.

GitHub shows the last round as text.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import sleep
from typing import Any, ClassVar
from uuid import uuid4

from IPython.display import display, update_display

from agentlib.loop import Round
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..ipython_shell import find_shell
from ..message_blocks import Message
from ..message_window import InView, Viewer
from ..picture_letters import ROUNDS
from ..runs.measured import count_finished, find_kind
from ..runs.summaries import (
    describe_reminder,
    end_sentence,
    headline,
    is_cut_off,
    writes_list,
)
from ..runs.trace import Trace
from ..runs.trial import Trial
from ..samples import InFolder, find_job_of
from .base import View, is_watched
from .todo_state import describe_evidence, describe_progress, draw_counter, draw_plan, draw_view

# How a run has ended: it was interrupted, the model called no tool, or its reply was not complete.
STOPPED, ENDED, CUT_OFF = "Stopped.", "It stopped by itself.", "Its last reply was cut off."


class Board(View):
    """Shows a TodoManager and, if given, its Nag. Neither of them needs code for this."""

    kind = "board"
    live_runs: ClassVar[int] = 0  # of all boards

    def __init__(
        self,
        todo: TodoManager,
        nag: Nag | None = None,
        *,
        messages: Sequence[Message] | None = None,
        window: int | None = None,
        workspace: InFolder | None = None,
    ) -> None:
        """Show the list `todo` and, below it, the counter of `nag`.

        With the run's growing list of `messages` and its `window` (the number of messages that the
        model sees), the board shows whether the list is still among them. With the `workspace` of a
        sample that has a job, it shows what the files say. Of a Trial, `follow` knows all three.
        """
        if not hasattr(todo, "items"):
            raise TypeError(
                "Board(todo) shows a todo list, which has its tasks in `items`, and "
                f"{type(todo).__name__} has none. Give it your list, as in Board(TodoManager())."
            )
        super().__init__()
        self.todo, self.nag = todo, nag
        self._messages, self._window, self._workspace = messages, window, workspace
        self._display_id: str | None = None
        self._result, self._is_live = "", False
        self._cells = self._steps = ""  # of the rounds that were followed: see tape.js
        self.refresh()

    def refresh(self) -> None:
        """Show the current list."""
        self._files = self._evidence()
        self._show("", False, None)

    def _show(self, status: str, reminded: bool, view: dict[str, Any] | None) -> None:
        self.state = {
            "plan": draw_plan(self.todo.items, self._files),
            "counter": draw_counter(self.nag, reminded),
            "view": view,
            "cells": self._cells,
            "steps": self._steps,
            "kinds": ROUNDS,
            "status": status,
            "result": self._result,
            "isLive": self._is_live,
        }

    def _evidence(self) -> dict[str, bool]:
        if self._workspace is None or not (job := find_job_of(self._workspace)):
            return {}
        done = job.find_done(self._workspace.root)
        return {step.text: is_done for step, is_done in zip(job.steps, done, strict=True)}

    def follow(self, rounds: Iterable[Round], pause: float = 0) -> Iterator[Round]:
        """Pass the Rounds on, and redraw after each.

        A live run is never advanced ahead of time.

        `pause` is a time to wait after each round, in seconds, so that you can watch. It is a third
        of that from the second run on. If no page runs the cell (in a test or a script), there is
        no pause.
        """
        if isinstance(rounds, Trial) and rounds.todo is self.todo:
            self._messages, self._window = rounds.messages, rounds.window
            self._workspace = rounds.workspace
        self._begin()
        try:
            for turn in rounds:
                self._draw(turn)
                yield turn
                self._wait(pause)
        finally:
            self._end()

    def watch(self, client: Any, pause: float = 0) -> "WatchedClient":
        """Return a client for any loop: the board is redrawn at each of its requests.

        `pause` is that of `follow`.
        """
        self._begin()
        return WatchedClient(self, client, pause)

    def _wait(self, pause: float) -> None:
        if is_watched():
            sleep(pause if Board.live_runs == 1 else pause / 3)

    def _begin(self) -> None:
        Board.live_runs += 1
        self._viewer, self._said, self._end_word = Viewer(self._window), "Not started.", STOPPED
        self._view: dict[str, Any] | None = None
        self._cells = self._steps = ""
        self._files = self._evidence()

    def _draw(self, turn: Round) -> None:
        """Show a round that has just ended."""
        before, self._files = self._files, self._evidence()
        finished = count_finished([*before.values()], [*self._files.values()])
        seen = self._look(turn)
        kind = find_kind(turn, seen, has_progressed=finished > 0)
        kind = "u" if kind == "w" and not self._files else kind
        self._cells += kind.upper() if turn.reminder else kind
        self._steps += str(min(finished, 9))
        self._said = end_sentence(f"Round {turn.number}: {headline(turn)}")
        self._view = view = self._describe(seen, turn)
        lost = f" {view['list']}" if view and view["lost"] else ""
        progress = describe_progress(self.todo.items)
        self._result, self._is_live = f"Running: round {turn.number}.", True
        parts = [self._said, f"{progress}.{lost}", describe_reminder(turn)]
        self._show(" ".join(filter(None, parts)), bool(turn.reminder), view)
        self._end_word = STOPPED
        if turn.is_last:
            self._end_word = CUT_OFF if is_cut_off(turn) else ENDED

    def _end(self) -> None:
        """Show how the run has ended, and store it as text."""
        shown = describe_evidence(draw_plan((), self._files)["files"])
        self._result, self._is_live = f"{self._end_word} {shown}".strip(), False
        self._show(self._said, False, self._view)
        if self._display_id:
            data, metadata = self._repr_mimebundle_()
            update_display(data, metadata=metadata, raw=True, display_id=self._display_id)

    def _look(self, turn: Round) -> InView:
        """Return what the model saw when it was asked for this round. Without messages, nothing."""
        messages = self._messages or ()
        return self._viewer.look(messages[: max(len(messages) - len(turn.messages), 0)])

    def _describe(self, seen: InView, turn: Round) -> dict[str, Any] | None:
        """Return what the model saw of its list as data, or None if that is not known."""
        if self._messages is None or self._window is None:
            return None
        view = draw_view(seen)
        # A list that was written in this round is not the one that the model had lost.
        return view | {"lost": view["lost"] and not writes_list(turn)}

    def text(self) -> str:
        """Return the list, whether it is in the window, and what the files show."""
        view, files = self.state["view"], self.state["plan"]["files"]
        parts = [self.todo.render(), view["list"] if view else "", describe_evidence(files)]
        return "\n".join(filter(None, parts))

    def _ipython_display_(self) -> None:
        """Show the board with an id: its text is updated when the run has ended."""
        self._display_id = uuid4().hex
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True, display_id=self._display_id)


class WatchedClient:
    """A client that redraws a board: a loop sends its messages, and they show what it has done."""

    def __init__(self, board: Board, client: Any, pause: float) -> None:
        self.board, self.client, self.pause = board, client, pause
        self.messages = self  # so that `client.messages.create` is `create`
        if shell := find_shell():  # the loop may raise between two requests
            shell.events.register("post_run_cell", self.end)

    def create(self, **request: Any) -> Any:
        """Show the last round, send the request and return the reply. Show a reply that ends it."""
        sent = request["messages"]
        if len(sent) > 1:
            self.draw(sent)
            self.board._wait(self.pause)
        reply = self.client.messages.create(**request)
        if not any(block.type == "tool_use" for block in reply.content):
            said = {"role": "assistant", "content": reply.content}
            self.draw([*sent, said], stop_reason=reply.stop_reason)
            self.board._end()
        return reply

    def end(self, _: object) -> None:
        """Show that a run has stopped that was not over when its cell ended."""
        if self.board._is_live:
            self.board._end()

    def draw(self, messages: Sequence[Message], stop_reason: str | None = None) -> None:
        """Show the last round of `messages`; of a reply that ends the run, with its stop reason."""
        self.board._messages = messages
        for turn in Trace.from_messages(messages).rounds[-1:]:
            self.board._draw(replace(turn, stop_reason=stop_reason))
