"""What a real model needs besides the loop: a person's word before bash, and an end to spending."""

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from textwrap import indent
from typing import Any

from . import shown
from .tools import Tool

ONCE, RUN = "once", "run"
QUESTION = "Run it? [y]es, once / [a]ll in this run / [n]o, or say what to do instead: "
REFUSED = "The person at the keyboard did not allow this command, so it was not run."
NOBODY = "Nobody is here to allow this command, so it was not run. Do without bash."


class LimitReached(Exception):
    """A limit on what may be spent is reached; nothing was sent. The message says how to go on."""


@dataclass
class Limits:
    """How much may be asked of a real model over one connection; raise it whenever you like.

    `requests` and `tokens` are the limits; `sent` and `spent` are the counts. Tokens are all that
    the replies' usage names: read, written, and read from or put into the cache.
    """

    requests: int = 60
    tokens: int = 500_000
    sent: int = 0
    spent: int = 0

    def admit(self) -> None:
        """Count one request that is to be sent. Raises LimitReached where that is too many."""
        for name, limit, count in (("requests", self.requests, self.sent),
                                   ("tokens", self.tokens, self.spent)):
            if count >= limit:
                raise LimitReached(
                    f"This connection may spend {limit:,} {name}, and has spent {count:,}, so "
                    "nothing was sent. To allow as much again, run agent.limits.extend(), then "
                    "run this again to go on."
                )
        self.sent += 1

    def extend(self) -> None:
        """Allow as much again as has been spent so far."""
        self.requests, self.tokens = self.requests + self.sent, self.tokens + self.spent

    def count(self, usage: Any) -> None:
        """Add the tokens in a reply's `usage` to what is spent."""
        self.spent += sum(
            count for name in ("input_tokens", "output_tokens", "cache_creation_input_tokens",
                               "cache_read_input_tokens")
            if isinstance(count := getattr(usage, name, 0), int) and count > 0)


Ask = Callable[[str], str]


def guarded(tools: Iterable[Tool], ask: Ask) -> list[Tool]:
    """The same tools, but each call of bash is first put to a person.

    `ask` gets the command, and returns "once"; "run", which allows all that follow, too; or
    anything else, which is a no, in words that the model gets to read.
    """
    return [with_leave(tool, ask) if tool.name == "bash" else tool for tool in tools]


def with_leave(tool: Tool, ask: Ask) -> Tool:
    """One tool that takes a command, and runs it only where `ask` allows it."""
    allowed = False

    @wraps(tool.run)
    def run(*args: Any, **more: Any) -> str:
        nonlocal allowed
        if not allowed:
            answer = ask("\n".join(map(str, (*args, *more.values()))))
            if answer not in (ONCE, RUN):
                raise PermissionError(answer)
            allowed = answer == RUN
        return tool.run(*args, **more)

    return replace(tool, run=run)


def ask(command: str) -> str:
    """Ask the person at the keyboard, in a terminal or below a notebook's cell.

    A cell that runs keeps its widgets from answering, but its input line works in every front
    end, and by keyboard. Where nobody can be asked (a pipe, a test, a thread), the answer is no.
    """
    if not somebody():
        return NOBODY
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    lines = indent(shown.command(command, encoding), "    ")
    print(f"\nThe model wants to run this command:\n\n{lines}\n", flush=True)
    try:
        return read(input(QUESTION))
    except (EOFError, NotImplementedError):  # the latter is how a notebook says "no input here"
        return NOBODY


def somebody() -> bool:
    """Whether there may be a person who can answer."""
    if threading.current_thread() is not threading.main_thread():
        return False
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return True
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def read(answer: str) -> str:
    """What a typed answer means: "once", "run", or the no for the model to read."""
    word = answer.strip().lower()
    if word in ("y", "yes"):
        return ONCE
    if word in ("a", "all"):
        return RUN
    return REFUSED if word in ("", "n", "no") else f"{REFUSED} They say: {answer.strip()}"
