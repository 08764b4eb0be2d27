"""A person's word before a real model runs a command or changes a file."""

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from textwrap import indent
from typing import Any

from .. import escape
from ..tools import Tool

ONCE, ALL_IN_THIS_RUN = "once", "run"
QUESTION = "Allow it? [y]es, once / [a]ll in this run / [n]o, or say what to do instead: "
REFUSED = "The person at the keyboard did not allow this, so it was not done."
NOBODY = "Nobody is here to allow this, so it was not done. Do without it."


Ask = Callable[[str], str]


class Question(str):
    """What a person is asked to allow, in full. `action` says what kind of deed it is."""

    action: str

    def __new__(cls, text: str, action: str) -> "Question":
        """`text` is the command, or the diff; `action` is half a sentence."""
        question = super().__new__(cls, text)
        question.action = action
        return question


COMMAND, CHANGE = "run this command", "change this file"


def with_approval(tools: Iterable[Tool], ask: Ask) -> list[Tool]:
    """The same tools, but a command and a change to a file are first put to a person.

    `ask` gets a Question, which is the command or the diff, and returns "once"; "run", which
    allows all that follow of the same kind, too; or anything else, which is a no, in words that
    the model gets to read.
    """
    allowed: set[str] = set()
    return [
        ask_first(tool, ask, allowed) if tool.preview or tool.name == "bash" else tool
        for tool in tools
    ]


def ask_first(tool: Tool, ask: Ask, allowed: set[str]) -> Tool:
    """One tool that runs only where `ask` allows it; `allowed` holds the kinds that may run."""
    action = COMMAND if tool.name == "bash" else CHANGE
    preview = tool.preview or join_arguments

    @wraps(tool.run)
    def run(*args: Any, **more: Any) -> str:
        if action not in allowed:
            answer = ask(Question(preview(*args, **more), action))
            if answer not in (ONCE, ALL_IN_THIS_RUN):
                raise PermissionError(answer)
            if answer == ALL_IN_THIS_RUN:
                allowed.add(action)
        return tool.run(*args, **more)

    return replace(tool, run=run)


def join_arguments(*args: Any, **more: Any) -> str:
    """All arguments as text, for a tool that does not say how they are to be shown."""
    return "\n".join(map(str, (*args, *more.values())))


def ask(question: str) -> str:
    """Ask the person at the keyboard, in a terminal or below a notebook's cell.

    A cell that runs keeps its widgets from answering, but its input line works in every front
    end, and by keyboard. Where nobody can be asked (a pipe, a test, a thread), the answer is no.
    """
    if not someone_can_answer():
        return NOBODY
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    lines = indent(escape.command(question, encoding), "    ")
    action, length = getattr(question, "action", COMMAND), len(question.splitlines())
    size = f" ({length} lines)" if length > 1 else ""
    print(f"\nThe model wants to {action}{size}:\n\n{lines}\n", flush=True)
    try:
        return parse_answer(input(QUESTION))
    except (EOFError, NotImplementedError):  # the latter is how a notebook says "no input here"
        return NOBODY


def someone_can_answer() -> bool:
    """Whether there may be a person who can answer."""
    if threading.current_thread() is not threading.main_thread():
        return False
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return True
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def parse_answer(answer: str) -> str:
    """What a typed answer means: "once", "run", or the no for the model to read."""
    word = answer.strip().lower()
    if word in ("y", "yes"):
        return ONCE
    if word in ("a", "all"):
        return ALL_IN_THIS_RUN
    return REFUSED if word in ("", "n", "no") else f"{REFUSED} They say: {answer.strip()}"
