"""Record a run step by step, live or afterwards, and save and open it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import Any

from agentlib.loop import Round
from agentlib.nag import Nag
from agentlib.sandbox.files import write_atomically
from agentlib.todo import TodoManager

from .messages import follow_list, plain, rounds_of
from .sessions import is_session, read_session
from .step import Step, count_waited

# A page contains the whole list of each step in which it changed.
MAX_LIST_CHARS = 20_000_000
MAX_LIST_ITEMS = 1_000  # of one list, which is drawn again for each step


class Trace:
    """A run as `steps`. `after` is its nag's threshold in rounds, or None; `title` is a name.

    It is made from the Rounds that `rounds()` yields. For a run of any other loop, use its
    messages: see `from_messages`.
    """

    def __init__(self, title: str = "The run", after: int | None = None) -> None:
        self.title = title
        self.after = after
        self.steps: list[Step] = []
        self._tasks: dict[Any, dict[str, Any]] = {}  # the todo list by id, from the calls
        self._list_chars = 0  # of the list in all steps in which it changed

    @classmethod
    def from_rounds(
        cls,
        rounds: Iterable[Round],
        opening: Iterable[Mapping[str, Any]] = (),
        *,
        title: str = "The run",
        after: int | None = None,
    ) -> "Trace":
        """Return the Trace of a run that has ended. `opening` are the messages before its rounds.

        Raise TypeError if `rounds` yields something other than Rounds.
        """
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
        facts: Sequence[Mapping[str, Any]] = (),
    ) -> "Trace":
        """Return the Trace of any agent's conversation, from messages in the Messages API's format.

        Use this for your own loop, whatever it yields. Messages do not contain token counts, so
        each Round's usage is 0, unless `facts` has it: fields of each Round, by name. Raise
        TypeError if `messages` is not a list of messages.
        """
        opening, rounds = rounds_of(messages)
        for place, known in enumerate(facts[: len(rounds)]):
            rounds[place] = replace(rounds[place], **known)
        return cls.from_rounds(rounds, opening, title=title, after=after)

    def follow(
        self,
        rounds: Iterable[Any],
        messages: Sequence[Mapping[str, Any]] = (),
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> Iterator[Any]:
        """Pass on what a live run yields, and record a step for each Round.

        `messages` is the run's growing list, `todo` its todo list and `nag` its counter. A list
        or count that is not given is derived from the calls. Your own loop may yield anything: its
        Rounds are read from `messages`.
        """
        self.catch_up(messages, todo, nag)
        known = len(messages)
        for given in rounds:
            if isinstance(given, Round):
                self._add(given, given.messages, todo, nag)
            else:
                before, found = rounds_of(messages[known:], len(self.steps))
                if before or len(found) != 1:
                    raise TypeError(
                        "A run is made of Rounds, as rounds() yields them. Your own loop is read "
                        "from its messages: each step must add one turn of the model to them, and "
                        f"this step added {len(found)}."
                    )
                self._add(found[0], found[0].messages, todo, nag)
            known = len(messages)
            yield given

    def catch_up(
        self,
        messages: Sequence[Mapping[str, Any]],
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> None:
        """Record messages that belong to no complete Round, as a step without one.

        That is a prompt, or what a round had added when it was interrupted. `follow` begins with
        this; call it again after `follow`, with the same arguments.
        """
        new = messages[len(self.messages) :]
        if new or not self.steps:
            self._add(None, plain(new), todo, nag)

    def _add(
        self,
        turn: Round | None,
        messages: Iterable[dict[str, Any]],
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> None:
        """Record one step. A list or count that is not given is derived from the calls."""
        last = self.steps[-1] if self.steps else Step(None, (), (), 0)
        calls = turn.calls if turn else ()
        items, waited = last.items, count_waited(last.waited, calls)
        if any([follow_list(self._tasks, call) for call in calls]):
            items = tuple(self._tasks.values())
            self._list_chars += sum(len(str(item)) for item in items)
            if self._list_chars > MAX_LIST_CHARS or len(items) > MAX_LIST_ITEMS:
                raise ValueError("its todo lists are too long to be shown")
        if todo is not None:
            items = tuple(plain(todo.items))
        if nag is not None:
            waited = nag.rounds
        self.steps.append(Step(turn, tuple(plain(messages)), items, waited))

    @property
    def rounds(self) -> list[Round]:
        """Return the Rounds so far."""
        return [step.round for step in self.steps if step.round]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the whole history so far: what a loop needs to continue."""
        return [message for step in self.steps for message in step.messages]

    def save(self, path: str | Path) -> Path:
        """Write the run to the file `path`, as JSON. Return the path.

        The file contains everything that was said, except what looks like a key: read it before
        you share it. Raise OSError if it cannot be written or is too large to be opened again.
        """
        from .saved import write_run  # late, because it imports pydantic

        return write_atomically(Path(path), write_run(self.title, self.after, self.steps))

    @classmethod
    def open(cls, path: str | Path) -> "Trace":
        """Read a run that `save` wrote, or a session file of Claude Code (see `sessions`).

        What looks like a key is replaced. Raise ValueError if the file is something else.
        """
        from .saved import MAX_BYTES, read_run

        path = Path(path)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        try:
            if len(data) > MAX_BYTES:
                raise ValueError(f"it is larger than {MAX_BYTES // 2**20} MB")
            if is_session(data):
                messages, facts = read_session(data)
                return cls.from_messages(messages, title=path.stem, facts=facts)
            title, after, steps = read_run(data)
        except (TypeError, ValueError, RecursionError) as problem:
            raise ValueError(
                f"{path.name} is not a run saved by this package, or not all of it "
                f"({shorten(str(problem), 200)}). Trace.save and Player.save write such files; "
                "you can also open a session of Claude Code, a .jsonl file."
            ) from None
        trace = cls(title, after)
        trace.steps = steps
        return trace

    def would_remind(self, after: int) -> list[int]:
        """Return the numbers of the rounds after which a Nag with this threshold would remind."""
        return [
            step.round.number
            for step in self.steps
            if step.round and step.round.calls and step.waited >= after
        ]
