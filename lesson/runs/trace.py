"""Record a run frame by frame, live or afterwards, and save and open it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import Any

from agentlib.loop import Round
from agentlib.nag import Nag
from agentlib.replies import Usage
from agentlib.safety.files import write_atomically
from agentlib.todo import TodoManager

from ..blocks import Message, is_list_tool
from .frame import Frame
from .messages import plain, rounds_of, todo_items
from .saved import read_run, write_run


class Trace:
    """A run as `frames`. `after` is its nag's threshold in rounds, or None; `title` is a name.

    `left_out` rounds followed, which are not shown because they are the same call as the last one.

    It is made from the Rounds that `rounds()` yields. For a run of any other loop, use its
    messages: see `from_messages`.
    """

    def __init__(self, title: str = "The run", after: int | None = None) -> None:
        self.title = title
        self.after = after
        self.frames: list[Frame] = []
        self.left_out = 0

    @classmethod
    def from_rounds(
        cls,
        rounds: Iterable[Round],
        opening: Iterable[Mapping[str, Any]] = (),
        *,
        title: str = "The run",
        after: int | None = None,
    ) -> "Trace":
        """Return the Trace of a run that has ended, with the messages before it, `opening`."""
        trace = cls(title, after)
        for _ in trace.follow(rounds, list(opening)):
            pass
        return trace

    @classmethod
    def from_messages(
        cls,
        messages: Iterable[Mapping[str, Any]],
        *,
        title: str = "The run",
        after: int | None = None,
        usages: Sequence[Usage] = (),
    ) -> "Trace":
        """Return the Trace of any agent's conversation, from messages in the Messages API's format.

        Use this for your own loop, whatever it yields. Messages do not contain token counts, so
        each Round's usage is 0, unless it is in `usages`. Raise TypeError if `messages` is not a
        list of messages.
        """
        opening, rounds = rounds_of(messages)
        for place, usage in enumerate(usages[: len(rounds)]):
            rounds[place] = replace(rounds[place], usage=usage)
        return cls.from_rounds(rounds, opening, title=title, after=after)

    def follow(
        self,
        rounds: Iterable[Round],
        messages: Sequence[Mapping[str, Any]] = (),
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> Iterator[Round]:
        """Pass on the Rounds of a live run, and record a frame for each.

        `messages` is the run's growing list, `todo` its todo list and `nag` its counter. A list
        or count that is not given is derived from the calls.
        """
        self.catch_up(messages, todo, nag)
        for turn in rounds:
            self._add(turn, turn.messages, todo, nag)
            yield turn

    def catch_up(
        self,
        messages: Sequence[Mapping[str, Any]],
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> None:
        """Record messages that belong to no complete Round, as a frame without one.

        That is a prompt, or what a round had added when it was interrupted. `follow` begins with
        this; call it again after `follow`, with the same arguments.
        """
        new = messages[len(self.messages) :]
        if new or not self.frames:
            self._add(None, plain(new), todo, nag)

    def _add(
        self,
        turn: Round | None,
        messages: Iterable[Message],
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> None:
        """Record one frame. A list or count that is not given is derived from the calls."""
        last = self.frames[-1] if self.frames else Frame(None, (), (), 0)
        calls = turn.calls if turn else ()
        items, waited = last.items, last.waited + bool(calls)
        for call in calls:
            if is_list_tool(call.name):
                waited, items = 0, todo_items(call.input) if call.ok else items
        if todo is not None:
            items = tuple(plain(todo.items))
        if nag is not None:
            waited = nag.rounds
        self.frames.append(Frame(turn, tuple(plain(messages)), items, waited))

    @property
    def rounds(self) -> list[Round]:
        return [frame.round for frame in self.frames if frame.round]

    @property
    def messages(self) -> list[Message]:
        """Return the whole history so far: what a loop needs to continue."""
        return [message for frame in self.frames for message in frame.messages]

    def save(self, path: str | Path) -> Path:
        """Write the run to the file `path`, as JSON. Return the path.

        The file contains everything that was said, except what looks like a key: read it before
        you share it. Raise OSError if it cannot be written.
        """
        return write_atomically(Path(path), write_run(self.title, self.after, self.frames))

    @classmethod
    def open(cls, path: str | Path) -> "Trace":
        """Read a run that `save` wrote, or a JSON file with a list of messages.

        The messages are in the Messages API's format, like those of your own loop. What looks like
        a key is replaced. Raise ValueError, which says what the file is, for another file.
        """
        path = Path(path)
        try:
            messages, known = read_run(path.read_bytes())
            return cls.from_messages(messages, **{"title": path.stem} | known)
        except (TypeError, ValueError) as problem:
            raise ValueError(
                f"{path.name} cannot be opened: {shorten(str(problem), 200)}. Trace.open reads a "
                "run that Trace.save wrote, and a JSON list of messages in the "
                "format of the Messages API."
            ) from None
