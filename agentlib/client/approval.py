"""A person's word before a real model runs a command or changes a file."""

import shutil
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from itertools import groupby
from typing import Any, Protocol
from unicodedata import east_asian_width

from ..tools import Tool
from . import escape
from .notebook import find_shell

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]  # a module or nothing, as is asked for below

ONCE, ALL_IN_THIS_RUN = "once", "run"
COMMAND, CHANGE = "run this command", "change this file"
QUESTION = "Allow it? [y]es, once / [a]ll in this run / [n]o, or say what to do instead: "
SHORTENED_QUESTION = QUESTION.replace("[n]o,", "[n]o / [s]how all of it,")
REFUSED = "The person at the keyboard did not allow this, so it was not done."
NOBODY = "Nobody is here to allow this, so it was not done. Do without it."
NOT_DONE = "Nobody answered, so this was not done."

INDENT = "    "
NOTE = "  [{}]"  # stands further to the left than any line of the model can
CONTINUED = "  > "  # begins a row that goes on with the line above

MAX_BLANK_LINES = 2  # in a row; what follows sixty of them would not be seen
MAX_LINE_CHARS = 600
SCREEN = (80, 50)  # columns and lines, where they are not known: in a notebook
MIN_COLUMNS = 20  # of a screen that says how wide it is; some say 0
LINES_BESIDES = 10  # of the screen, for the question itself and what stood before


class Ask(Protocol):
    """Puts a Question to a person.

    Returns ONCE; ALL_IN_THIS_RUN, which allows all that follow of the same kind, too; or anything
    else, which is a no, in words that the model gets to read.
    """

    def __call__(self, question: str, /) -> str: ...


class Question(str):
    """What a person is asked to allow, in full: a command, or a change of a file as a diff.

    `action` says which, as half a sentence: COMMAND or CHANGE.
    """

    action: str

    def __new__(cls, text: str, action: str = COMMAND) -> "Question":
        question = super().__new__(cls, text)
        question.action = action
        return question


def with_approval(
    tools: Iterable[Tool], ask: Ask, count_runs: Callable[[], int] = lambda: 0
) -> list[Tool]:
    """The same tools, but a person is first asked about each command and each change, by `ask`.

    `count_runs` returns another number in each run: what was allowed in one is not in the next.
    """
    allowed: set[tuple[int, str]] = set()
    return [
        ask_first(tool, ask, allowed, count_runs) if needs_approval(tool) else tool
        for tool in tools
    ]


def needs_approval(tool: Tool) -> bool:
    """Whether a person is asked before this tool runs."""
    return tool.preview is not None or tool.name == "bash"


def ask_first(
    tool: Tool, ask: Ask, allowed: set[tuple[int, str]], count_runs: Callable[[], int]
) -> Tool:
    """One tool that runs only where `ask` allows it.

    `allowed` holds the kinds of deed that are not asked for any more, each with its run.
    """
    action = COMMAND if tool.name == "bash" else CHANGE
    preview = tool.preview or join_arguments

    @wraps(tool.run)
    def run(*args: Any, **more: Any) -> str:
        deed = count_runs(), action
        if deed not in allowed:
            answer = ask(Question(preview(*args, **more), action))
            if answer not in (ONCE, ALL_IN_THIS_RUN):
                raise PermissionError(answer)
            if answer == ALL_IN_THIS_RUN:
                allowed.add(deed)
        return tool.run(*args, **more)

    return replace(tool, run=run)


def join_arguments(*args: Any, **more: Any) -> str:
    """All arguments as text, for a tool that does not say how they are to be shown."""
    return "\n".join(map(str, (*args, *more.values())))


def ask(question: str) -> str:
    """Ask the person at the keyboard, in a terminal or below a notebook's cell: an Ask.

    A cell that runs keeps its widgets from answering, but its input line works in every front
    end, and by keyboard. Where nobody can be asked (a pipe, a test, a thread), the answer is no.
    """
    if not someone_can_answer():
        return NOBODY
    if not isinstance(question, Question):
        question = Question(question)
    text = escape.command(question, getattr(sys.stdout, "encoding", None) or "utf-8")
    lines = [INDENT + line for line in text.split("\n")]
    columns, rows = shutil.get_terminal_size(SCREEN)
    whole = "\n".join(fold_lines(lines, columns))
    shown = "\n".join(shorten_lines(lines, rows - LINES_BESIDES, columns))
    print(f"\nThe model wants to {question.action}{describe_size(question)}:\n\n{shown}\n")
    try:
        if shown == whole:
            return parse_answer(read_line(QUESTION))
        typed = read_line(SHORTENED_QUESTION)
        if typed.strip().lower() in ("s", "show"):
            print(f"\n{whole}\n")
            typed = read_line(QUESTION)
        return parse_answer(typed)
    except (EOFError, NotImplementedError):  # the latter is how a notebook says "no input here"
        print(NOT_DONE)
        return NOBODY


def confirm(question: str) -> bool:
    """Whether the person at the keyboard says yes; no where nobody can be asked."""
    if not someone_can_answer():
        return False
    try:
        return parse_answer(read_line(question)) == ONCE
    except (EOFError, NotImplementedError):
        return False


def read_line(prompt: str) -> str:
    """What is typed after the prompt, not before it: nobody can have meant that as the answer."""
    sys.stdout.flush()
    if termios and sys.stdin and sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    return input(prompt)


def someone_can_answer() -> bool:
    """Whether there may be a person who can answer."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if hasattr(find_shell(), "kernel"):
        return True
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def parse_answer(answer: str) -> str:
    """What a typed answer means: ONCE, ALL_IN_THIS_RUN, or the no for the model to read."""
    word = answer.strip().lower()
    if word in ("y", "yes"):
        return ONCE
    if word in ("a", "all"):
        return ALL_IN_THIS_RUN
    return REFUSED if word in ("", "n", "no") else f"{REFUSED} They say: {answer.strip()}"


def describe_size(question: Question) -> str:
    """How long a command is, or how much a diff changes, in brackets; "" for one line."""
    lines = question.removesuffix("\n").split("\n")
    if question.action == CHANGE:
        changes = lines[2:]  # after the names of the file
        added = sum(line.startswith("+") for line in changes)
        removed = sum(line.startswith("-") for line in changes)
        return f" (lines added: {added}, removed: {removed})"
    return f" ({len(lines)} lines)" if len(lines) > 1 else ""


def shorten_lines(lines: list[str], max_rows: int, columns: int) -> list[str]:
    """The rows of a text for one look: its begin and its end, and what is left out in brackets."""
    pieces = [piece for line in squeeze_blank_lines(lines) for piece in shorten_line(line)]
    rows = fold_lines(pieces, columns)
    max_rows = max(max_rows, 9)
    if len(rows) <= max_rows:
        return rows
    tail = max_rows // 3
    head = max_rows - tail - 1
    left_out = len(rows) - head - tail
    return [*rows[:head], NOTE.format(f"{left_out} lines are not shown here"), *rows[-tail:]]


def fold_lines(lines: list[str], columns: int) -> list[str]:
    """The rows that the lines take on a screen of that many columns.

    A terminal would fold them, too, but not count them, so that the first line of twenty long
    ones is out of sight; and it would begin each row where only our own notes begin.
    """
    room = max(columns, MIN_COLUMNS) - 1
    rows = []
    for line in lines:
        row, width = "", 0
        for character in line:
            cells = 2 if east_asian_width(character) in ("W", "F") else 1
            if width + cells > room:
                rows.append(row)
                row, width = CONTINUED, len(CONTINUED)
            row += character
            width += cells
        rows.append(row)
    return rows


def shorten_line(line: str) -> list[str]:
    """A line; its begin and its end, where it is longer than some rows of a screen."""
    if len(line) <= MAX_LINE_CHARS:
        return [line]
    tail = MAX_LINE_CHARS // 3
    head = MAX_LINE_CHARS - tail
    left_out = NOTE.format(f"{len(line) - MAX_LINE_CHARS} characters are not shown here")
    return [line[:head], left_out, INDENT + line[-tail:]]


def squeeze_blank_lines(lines: list[str]) -> list[str]:
    """The lines, but where many blank ones follow each other, their number."""
    squeezed: list[str] = []
    for is_blank, group in groupby(lines, lambda line: not line.strip()):
        rows = list(group)
        if is_blank and len(rows) > MAX_BLANK_LINES:
            rows = [NOTE.format(f"{len(rows)} blank lines")]
        squeezed += rows
    return squeezed
