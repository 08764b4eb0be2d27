"""Approval prompts: ask the user before a real model's tool call runs."""

import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import update_wrapper, wraps
from typing import Any, Literal

from . import escape
from .hide_keys import HIDDEN, hide_keys, hide_keys_in
from .signatures import signature
from .typed import ALL, NO, YES, take_typed

# A frozen dataclass with the fields `name`, `run`, `preview`, `asks`, `depends_on` and
# `asks_again`, such as the Tool of agentlib, which this package does not import.
Tool = Any
# "once" allows this call. "run" also allows later calls of the same tool, until the next prompt:
# for the user, that is one run of the agent.
Answer = Literal["once", "run"]
ONCE: Answer = "once"
UNTIL_NEXT_PROMPT: Answer = "run"
CHANGE = "change this file"
ACTIONS = {"bash": "run this command", "write_file": CHANGE, "edit_file": CHANGE}
QUESTION = """\
Allow it?{again}
  y   yes, once
  a   yes, and all later {tool} calls in this run
  n   no
Anything else is also a no, and the model reads it: say what to do instead.
Your answer: """
# In a notebook, the head of a long question may be out of view.
AGAIN = " The model wants to {}, see above:\n{}"
REFUSED = "Not run: the user did not approve it."
SAYS = " The user says: "
TYPED_BEFORE = "(What you typed before this question is not an answer to it.)"
NO_ONE = "Not run: no one is available to approve it. Continue without it."
IN_THREAD = (
    "Not run: the loop runs its calls in threads, and only the main thread can ask the user. Run "
    "them one after another."
)
NOT_ANSWERED = "Not run: no one answered."
KEY_IN_FILE = (
    f"A key in a file is shown to you as {HIDDEN}. Change only other lines of it, with edit_file."
)
CHANGED = (
    "Not run: what this call would do has changed since the user was asked. Read the file again, "
    "then make a new call."
)

INDENT = "    "
# Its indent is smaller than that of a model's line, so a model cannot imitate it.
NOTE = "  [{} lines are not shown here. To see them, type s]"
CODES = (
    "; codes stand for characters that are not printable, turn the text, cover others, or are of "
    "another script than the rest of their word"
)
# Only for commands: to a shell, a quote, a comment or a bar of another script is part of a word.
NOT_ASCII = "; not all of its characters are ASCII: some can look like others"
CONTINUED = "  > "  # begins a row that continues the line above

SCREEN = (80, 50)  # columns and rows of a screen whose size is unknown, as in a notebook
MIN_COLUMNS, MIN_ROWS = 20, 9  # some terminals report a size of 0
AGAIN_ROWS = 2  # rows of the first line, where the question repeats it
LINES_BESIDES = 17  # rows of the screen for the question, which has 13, and for the text above


# The counts of this process, for all connections, because tools often outlive a connection.
_prompt_number = _request_number = 0


def request_number() -> int:
    """Return the number of the newest request to a real model, or 0 before the first one."""
    return _request_number


def count_request(has_prompt: bool) -> None:
    """Count a request to a real model. A new prompt of the user in it ends every "allow all".

    Code that sends requests to a real model calls this: `Limits.middleware` for each connection.
    """
    global _request_number
    _request_number += 1
    if has_prompt:
        end_all()


def end_all() -> None:
    """End every "allow all", without a request: the user has typed the next prompt."""
    global _prompt_number
    _prompt_number += 1


class InvalidAnswerError(BaseException):
    """Raised if `ask` returns something other than an Answer.

    It is not an Exception, because the loop would send an Exception to the model and go on.
    """


@dataclass(frozen=True)
class Question:
    """What the user is asked to approve, in full: a command, a diff, or another tool's call.

    `why` is a sentence if an earlier answer "all" does not cover the call, for example because the
    user has changed the file meanwhile.
    """

    tool: str
    preview: str
    why: str = ""


# A function that shows a Question to the user and returns the answer. To refuse, it raises
# PermissionError with an error message for the model.
Ask = Callable[[Question], Answer]
# A function that returns whether a call, a tool's name and input, may run without approval.
NeedsNoApproval = Callable[[str, Mapping[str, Any]], bool]


def with_approval(
    tools: Iterable[Tool], ask: Ask, needs_no_approval: NeedsNoApproval | None = None
) -> list[Tool]:
    """Return the same tools, but each of them calls `ask` first, unless its `asks` is false.

    They do not ask about calls for which `needs_no_approval` returns True. The user's keys are
    hidden in their output.
    """
    return [
        ask_first(tool, ask, needs_no_approval) if tool.asks else hide_result(tool)
        for tool in tools
    ]


def hide_result(tool: Tool) -> Tool:
    """Return a tool without the user's keys in its output and in its error messages."""

    @wraps(tool.run)
    def run(*args: Any, **named: Any) -> Any:
        try:
            return hide_keys_in(tool.run(*args, **named))
        except Exception as problem:
            words = escape.words_of(problem)
            message = hide_keys(words)
            if message != words:
                raise ValueError(message) from None
            raise

    return replace(tool, run=run)


def check_hidden(preview: Callable[..., str], inputs: Mapping[str, Any]) -> None:
    """Raise ValueError if a change would replace a key by HIDDEN, which a model sees in its place.

    `preview` returns the diff of the change.
    """
    try:
        shown = preview(**inputs)
    except ValueError as problem:  # for example, the file does not contain HIDDEN
        raise ValueError(f"{problem} {KEY_IN_FILE}") from None
    if hide_keys(shown) != shown:
        raise ValueError(f"{inputs.get('path')} was not changed. {KEY_IN_FILE}")


class TwoSteps:
    """The `run` of a tool that asks the user: it calls `approve`, and then the `work`."""

    def __init__(self, approve: Callable[..., object], work: Tool) -> None:
        update_wrapper(self, work.run)
        self.approve, self.work = approve, work

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        # By name, because `preview` may have its parameters in another order than `run`.
        parameters = signature(self.work.run)
        parameters.bind(*args, **named)
        inputs = parameters.bind_partial(*args).arguments | named
        self.approve(**inputs)
        return self.work.run(**inputs)


def split(tool: Tool) -> list[Tool]:
    """Return the steps of a call, each as a tool: the question, if there is one, and the work.

    If the question raises an exception, the work must not run.
    """
    run = tool.run
    return [replace(tool, run=run.approve), run.work] if isinstance(run, TwoSteps) else [tool]


def ask_first(
    tool: Tool,
    ask: Ask,
    needs_no_approval: NeedsNoApproval | None = None,
    show: Callable[[str], object] | None = None,
) -> Tool:
    """Return a tool that runs only what `ask` allows, and exactly what was shown.

    If a call is allowed without a question, its preview goes to `show`. `run` raises
    PermissionError if `ask` does, or if the input, the preview or the result of `depends_on` is no
    longer the same after the answer. It raises InvalidAnswerError if the answer is neither "once"
    nor "run".
    """
    tool = hide_result(tool)
    preview = tool.preview or show_arguments
    depends_on = tool.depends_on or (lambda **_: None)
    asks_again = tool.asks_again or (lambda **_: "")
    allowed_number = None  # the number of the prompt for which the user answered "all"

    def approve(**inputs: Any) -> None:
        nonlocal allowed_number
        number = _prompt_number
        signature(tool.run).bind(**inputs)
        if tool.depends_on and HIDDEN in str([*inputs.values()]):
            check_hidden(preview, inputs)
        is_exempt = needs_no_approval and needs_no_approval(tool.name, inputs)
        why = "" if is_exempt else asks_again(**inputs)
        if is_exempt or (allowed_number == number and not why):
            if show:
                show(hide_keys(preview(**inputs)))
            return
        inputs_before = deepcopy(inputs)
        shown, state_before = preview(**inputs), depends_on(**inputs)
        answer = ask(Question(tool.name, hide_keys(shown), why))
        if answer not in (ONCE, UNTIL_NEXT_PROMPT):
            raise InvalidAnswerError(
                f"ask returned {answer!r}. It must return 'once' or 'run', or, to refuse, raise "
                "PermissionError."
            )
        # While the user read the question, an editor may have saved the file, or another program
        # may have put a symlink in its place.
        is_same = (preview(**inputs), depends_on(**inputs)) == (shown, state_before)
        if inputs != inputs_before or not is_same:
            raise PermissionError(CHANGED)
        if answer == UNTIL_NEXT_PROMPT:
            allowed_number = number

    return replace(tool, run=TwoSteps(approve, tool))


def show_arguments(**inputs: Any) -> str:
    """Return the arguments of a call, one in each line: the preview of a tool without one."""
    # With repr, a line break in a value cannot look like another argument.
    return "\n".join(f"{name}: {value!r}" for name, value in inputs.items())


def ask_at_keyboard(question: Question) -> Answer:
    """Ask the user at the keyboard, in a terminal or below a notebook's cell. See Ask.

    Widgets get no events while a cell runs, but an input line works in every front end. Raise
    PermissionError if the user refuses, or if nobody can answer, as in a pipe, a test or a thread.
    """
    if is_in_thread():
        print(IN_THREAD)  # the user reads it while the requests are paid
        raise PermissionError(IN_THREAD)
    if not someone_can_answer():
        raise PermissionError(NO_ONE)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = escape.for_approval(question.preview, encoding)
    lines = [INDENT + line for line in text.removesuffix("\n").split("\n")]
    size = f" ({len(lines)} lines)" if len(lines) > 1 else ""
    # A model can type what looks like a code, so the head says whether the text has real ones.
    size += describe_characters(question.tool, question.preview, text)
    # A kernel may have been started in a terminal, whose width is not that of a notebook.
    columns, screen_rows = SCREEN if has_kernel() else shutil.get_terminal_size(SCREEN)
    rows = fold_lines(lines, columns)
    shown = shorten(rows, screen_rows - LINES_BESIDES)
    action = ACTIONS.get(question.tool, f"call {question.tool}")
    head = f"\nThe model wants to {action}{size}:\n\n"
    again = ""
    if len(rows) > 1:
        first = "\n".join(fold_lines([find_first(lines, action)], columns)[:AGAIN_ROWS])
        again = AGAIN.format(action + size, first)
    why = f"{escape.for_approval(question.why, encoding)}\n" if question.why else ""
    prompt = why + QUESTION.format(tool=question.tool, again=again)
    try:
        while True:
            text = head + "\n".join([*shown, "", ""])
            typed = read_line(prompt, text)
            head = ""
            if typed.strip().lower() not in ("s", "show"):
                return parse_answer(typed)
            shown = rows
    except (EOFError, NotImplementedError):  # a notebook may have no input line
        print(NOT_ANSWERED)
        raise PermissionError(NO_ONE) from None


def describe_characters(tool: str, preview: str, shown: str) -> str:
    """Return the note about unusual characters in a preview that is `shown` escaped, or ""."""
    codes = CODES if shown != preview else ""
    if tool == "bash" and not preview.isascii():
        codes += NOT_ASCII
    return codes


def find_first(lines: list[str], action: str) -> str:
    """Return the line of a diff that names the file, or the first line of another preview."""
    if action == CHANGE and len(lines) > 1:
        return lines[1]  # the first line is /dev/null for a new file
    return next((line for line in lines if line.strip()), "")


def read_line(prompt: str, text: str) -> str:
    """Show `text` and the prompt, and return what is typed. Discard what was typed before."""
    if has_kernel():
        # A cell can capture what is printed, with %%capture for example, but not the prompt.
        return input(text + prompt)
    above, line_break, prompt = (text + prompt).rpartition("\n")
    print(above, end=line_break, flush=True)
    before = take_typed()
    if before.lines or before.rest:
        print(TYPED_BEFORE, flush=True)
    return input(prompt)


def is_in_thread() -> bool:
    """Return whether this is not the main thread. There, nobody is asked.

    Two threads would ask at once, and Ctrl-C does not end a question in one of them: it would still
    read the keyboard.
    """
    return threading.current_thread() is not threading.main_thread()


def someone_can_answer() -> bool:
    """Return whether a user may be there to answer."""
    if is_in_thread():
        return False
    if has_kernel():
        return True
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def has_kernel() -> bool:
    """Return whether a notebook runs this code. Never import IPython."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def parse_answer(answer: str) -> Answer:
    """Return "once" or "run". Raise PermissionError, with the user's words, for anything else."""
    word = answer.strip().lower()
    if word in YES:
        return ONCE
    if word in ALL:
        return UNTIL_NEXT_PROMPT
    is_plain = word in ("", *NO)
    raise PermissionError(REFUSED if is_plain else f"{REFUSED}{SAYS}{answer.strip()}")


def shorten(rows: list[str], max_rows: int) -> list[str]:
    """Return at most `max_rows` rows: the first, the last, and the number of rows left out."""
    max_rows = max(max_rows, MIN_ROWS)
    if len(rows) <= max_rows:
        return rows
    tail = max_rows // 3
    head = max_rows - tail - 1
    return [*rows[:head], NOTE.format(len(rows) - head - tail), *rows[-tail:]]


def fold_lines(lines: list[str], columns: int) -> list[str]:
    """Return the rows that the lines fill on a screen with that many columns.

    A terminal also folds lines, but then each row begins at the left margin, where only our notes
    begin, and long lines would push the first ones off the screen without being counted.
    """
    rows = []
    for line in lines:
        # Some characters fill two columns: more in each version of Unicode, and Python's table is
        # older than the terminal's. So a line is folded at half the width unless it is ASCII.
        width = (max(columns, MIN_COLUMNS) - 1) // (1 if line.isascii() else 2)
        step = width - len(CONTINUED)
        folded = [CONTINUED + line[at : at + step] for at in range(width, len(line), step)]
        rows += [line[:width], *folded]
    return rows
