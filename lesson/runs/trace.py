"""The record of a run, step by step, made live or afterwards; it can be saved and opened again."""

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import shorten
from typing import Any

from agentlib.loop import Round
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from .messages import plain, rounds_of, todo_items
from .sessions import is_session, read_session
from .step import Step, count_waited

FORMAT = "agentlib trace 1"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
KEY_PATTERN = re.compile(r"\bsk-[A-Za-z0-9_-]{16,}")  # how Anthropic's keys, and most others, look
MAX_FILE_BYTES = 64 * 2**20


class Trace:
    """A run as `steps`. `after` is its nag's threshold in rounds, or None; `title` is a name.

    It is made from the Rounds that `rounds()` yields. For a run of any other loop, use its
    messages: see `from_messages`.
    """

    def __init__(self, title: str = "The run", after: int | None = None) -> None:
        self.title = title
        self.after = after
        self.steps: list[Step] = []

    @classmethod
    def from_rounds(
        cls,
        rounds: Iterable[Round],
        opening: Iterable[Mapping[str, Any]] = (),
        *,
        title: str = "The run",
        after: int | None = None,
    ) -> "Trace":
        """The Trace of a run that is over. `opening` are the messages before its first round.

        Raises TypeError if `rounds` yields something other than Rounds.
        """
        trace = cls(title, after)
        trace._add(None, plain(opening))
        for step in rounds:
            trace._add(require_round(step), step.messages)
        return trace

    @classmethod
    def from_messages(
        cls,
        messages: Iterable[Mapping[str, Any]],
        *,
        title: str = "The run",
        after: int | None = None,
    ) -> "Trace":
        """The Trace of any agent's conversation, from its messages in the Messages API's format.

        Use this for a loop of your own, whatever it yields. Messages do not contain token counts,
        so each Round's usage is 0. Raises TypeError if `messages` is not a list of messages.
        """
        opening, rounds = rounds_of(messages)
        return cls.from_rounds(rounds, opening, title=title, after=after)

    def follow(
        self,
        rounds: Iterable[Any],
        messages: Sequence[Mapping[str, Any]] = (),
        todo: TodoManager | None = None,
        nag: Nag | None = None,
    ) -> Iterator[Any]:
        """Pass on what a live run yields, and record a step for each Round.

        `messages` is the run's own growing list, `todo` its todo list and `nag` its counter. A list
        or count that is not given is derived from the calls. A loop of your own may yield anything:
        its Rounds are read from `messages`.
        """
        if not self.steps:
            self._add(None, plain(messages), todo, nag)
        known = len(messages)
        for given in rounds:
            if isinstance(given, Round):
                self._add(given, given.messages, todo, nag)
            else:
                before, found = rounds_of(messages[known:], len(self.steps))
                if before or len(found) != 1:
                    raise TypeError(
                        "A run of your own is read from its messages, and each step must add one "
                        f"turn of the model to them. This step added {len(found)}."
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

        That is a prompt, or what a round had added when it was interrupted. Call this before and
        after `follow`, with the same arguments.
        """
        known = len(self.messages)
        if len(messages) > known:
            self._add(None, plain(messages[known:]), todo, nag)

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
        items, waited = last.items, count_waited(last.waited, calls, {TodoManager.name})
        for call in calls:
            if call.name == TodoManager.name and call.ok:
                items = todo_items(call.input)
        if todo is not None:
            items = tuple(plain(todo.items))
        if nag is not None:
            waited = nag.rounds
        self.steps.append(Step(turn, tuple(plain(messages)), items, waited))

    @property
    def rounds(self) -> list[Round]:
        """The Rounds so far."""
        return [step.round for step in self.steps if step.round]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The whole conversation so far: what a loop needs to continue from here."""
        return [message for step in self.steps for message in step.messages]

    def save(self, path: str | Path) -> Path:
        """Write the run to the file `path`, as JSON. Returns the path.

        The file holds everything that was said, except keys: read it before you share it.
        """
        steps = [
            vars(step) | {"round": round_to_data(step.round) if step.round else None}
            for step in self.steps
        ]
        data = {"format": FORMAT, "title": self.title, "after": self.after, "steps": steps}
        text = without_keys(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        return replace_file(Path(path), text.encode("utf-8", "replace"))

    @classmethod
    def open(cls, path: str | Path) -> "Trace":
        """Read a run that `save` wrote, or a session file of Claude Code (see `sessions`).

        Keys in a session are removed. Raises ValueError if the file is something else.
        """
        path = Path(path)
        try:
            data = read_file(path)
            if is_session(data):
                data = without_keys(data.decode("utf-8", "replace")).encode()
                title, after, steps = path.stem, None, read_session(data)
            else:
                from .saved import read_run  # late, because it imports pydantic

                title, after, steps = read_run(data, FORMAT)
        except (ValueError, RecursionError) as problem:
            raise ValueError(
                f"{path.name} is not a run saved by this package, or not all of it "
                f"({shorten(str(problem), 200)}). Trace.save and Player.save write such files; "
                "a session of Claude Code, a .jsonl file, can be opened, too."
            ) from None
        trace = cls(title, after)
        trace.steps = steps
        return trace

    def would_remind(self, after: int) -> list[int]:
        """The numbers of the rounds after which a Nag with this threshold would have reminded."""
        return [
            step.round.number
            for step in self.steps
            if step.round and step.round.calls and step.waited >= after
        ]


def read_file(path: Path) -> bytes:
    """What is in a file of at most MAX_FILE_BYTES bytes. Raises OSError or ValueError.

    A pipe, which may never end, or a device, whose size is 0 and which never ends, is refused.
    """
    is_special = path.exists() and not (path.is_file() or path.is_dir())
    if is_special:
        raise ValueError("it is a pipe or a device")
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"it is larger than {MAX_FILE_BYTES // 2**20} MB")
    return data


def require_round(given: Any) -> Round:
    """Return `given` if it is a Round. Raises TypeError, with a sentence, if it is not."""
    if isinstance(given, Round):
        return given
    raise TypeError(
        "A run is made of Rounds, as rounds() yields them; for a loop of your own, give its "
        f"messages. This is something else: {type(given).__name__}, {shorten(repr(given), 80)}"
    )


def round_to_data(step: Round) -> dict[str, Any]:
    """A Round as plain data. Its messages are left out: they are in its step."""
    data = {name: value for name, value in vars(step).items() if name != "messages"}
    return data | {"calls": [vars(call) for call in step.calls], "usage": vars(step.usage)}


def without_keys(text: str) -> str:
    """The text without your keys, and without anything that looks like a key."""
    for key in filter(None, map(os.environ.get, KEYS)):
        if len(key) >= 16:  # a local server may take a key like "ollama", which is also a word
            text = text.replace(key, "[your key]")
    return KEY_PATTERN.sub("[your key]", text)


def replace_file(path: Path, data: bytes) -> Path:
    """Write `data` to a new file, then move it to `path`: an interrupt never leaves half a file."""
    beside = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(beside, "xb") as file:  # "x" does not follow a link that somebody has put there
            file.write(data)
        return beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
