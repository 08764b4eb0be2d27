"""Check what a learner wrote, and save it in their program."""

import os
import re
import threading
from dataclasses import replace
from typing import Any

from exerciselib.feedback import Verdict, block, fold
from exerciselib.learners_code import is_learners

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS, read_cell
from ..common.solutions import IN_AGENTLIB, read_level
from ..exercises.rules import load_rules, try_part
from ..kernel.ipython_shell import find_shell
from ..program.cells import make_section, remove_indent
from ..program.folder import show_file
from ..program.my_agent import PartError, Unsaved, load_solutions, store
from ..program.newest import RAN, find_newest, read_source
from ..program.save_part import load_cell, save_part
from ..program.your_parts import describe_next, list_needed, note_passed
from .last_cell import NOT_RUN, warn_if_misnamed, warn_if_not_yours, warn_if_unchanged

GRADING = "NBGRADER_EXECUTION"  # nbgrader sets it for the kernel that grades or validates
BROKEN = (
    "The check itself has failed, not your code: it also fails for our solution. Restart the "
    "kernel, run the cells again, and if it stays so, report these lines to whoever gave you the "
    "lesson. You can go on meanwhile."
)
KEPT = "{} is unchanged."
NOT_SAVED = KEPT.format("Your my_agent")
OF_FILE = "No cell that ran here defines {}, so {} is tried."
NESTED = "; before Python 3.12, a string inside of its braces needs other quotes than the f-string"
PARENT = (
    "Your {}, which this class extends, does not pass {} itself, and this may be its mistake: run "
    "its check first. "
)


class Comparison:
    """What a learner can open after a pass: the part of agentlib, in the form of this exercise."""

    def __init__(self, name: str, level: str) -> None:
        self.file, self.cell = f"agentlib/{PARTS[name].file}.py", read_level(name, level)

    def __repr__(self) -> str:
        return f"Compare with agentlib's: {self.file}"

    def _repr_html_(self) -> str:
        return fold("Compare with agentlib's", block(self.cell))


class PartName(str):
    """The name of a part, which `play` takes for the part. A cell does not show it."""

    def _ipython_display_(self) -> None:
        pass


def check(part: Any, level: str | None = None, save: bool = True) -> PartName:
    """Show which rules a part passes, and save it if all do: then `play` plays it.

    `part` is the name of a part, such as "MyTodo", or the learner's function or class of this name.
    The newest cell that defines it is tried, as a file of the program. `level` names a
    later exercise of the same part, such as "tool"; without it, the first exercise is tried.
    Without `save`, only a cell of this notebook is tried, and neither the program nor the learner's
    progress changes. Returns the name of the part.
    Raises LookupError if there is no such part or level, AssertionError if nbgrader grades and a
    rule fails, and RuntimeError in a thread that cannot be stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("In a subshell, code has no time limit: check it in the notebook.")
    name = find_name(part)
    load_rules(name, level)  # raises LookupError
    exercise = next(each.exercise for each in PARTS[name].levels if each.name == (level or ""))
    text, later = find_newest(name)
    names = getattr(find_shell(), "user_ns", {})
    is_own = name in store.list_own()
    if not text:
        value = names.get(name) if isinstance(part, str) else part
        text = find_other(name, value, from_file=save and GRADING not in os.environ)
    store.put_back()
    if not text:
        return refuse(name, warn_if_misnamed(name, "", later) or NOT_RUN.format(exercise, name))
    try:
        tried = load_cell(name, text, names)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as problem:
        reason = warn_if_misnamed(name, text, later) or describe_error(name, text, problem)
        return refuse(name, reason if save else NOT_SAVED)
    if not_yours := warn_if_not_yours(name, tried, exercise):
        return refuse(name, warn_if_misnamed(name, text, later) or not_yours)
    verdict = tell_parent(name, tried, try_fairly(name, tried, level))
    unchanged = warn_if_unchanged(name, text, len(RAN) - len(later), level or "", verdict)
    misnamed = "" if verdict.ok else warn_if_misnamed(name, text, later)
    if misnamed or unchanged:
        print(misnamed or unchanged)
    show_feedback(verdict)
    if not save:
        print(f"{name} passes {exercise}. {NOT_SAVED}" if verdict.ok else NOT_SAVED)
    elif verdict.ok:
        print(save_and_tell(name, tried, text, level or "", exercise))
        if name in IN_AGENTLIB and find_shell() and GRADING not in os.environ:
            show_feedback(Comparison(name, level or ""))
    elif GRADING in os.environ:
        raise AssertionError(str(verdict))
    elif is_own:
        print(KEPT.format(show_file(name)))
    return PartName(name)


def find_other(name: str, value: Any, from_file: bool) -> str:
    """Return the text of a part that no cell defines: that of its value, or of its file.

    The value comes from `edit_loop`, otter-grader or plain Python. While nbgrader grades, the file
    does not count as an answer.
    """
    saved = store.read_own(name)
    text = read_cell(remove_indent(read_source(value))) if is_learners(value) else ""
    if not text and from_file:
        text = saved
    if text and text == saved:
        print(OF_FILE.format(name, show_file(name)))
    return text


def refuse(name: str, reason: str) -> PartName:
    """Print why a cell was not tried. Raise AssertionError while nbgrader grades."""
    print(reason)
    if GRADING in os.environ:
        raise AssertionError(reason)
    return PartName(name)


def describe_error(name: str, text: str, problem: BaseException) -> str:
    """Return why a cell was not tried, with its line."""
    reason = str(problem)
    if isinstance(problem, PartError):
        reason = f"line {problem.line} of its cell: {problem.reason}"
    try:
        make_section(name, text)  # knows better why it cannot be a file
    except ValueError as better:
        reason = str(better)
    except (RecursionError, MemoryError):
        pass
    if re.search(r"f-string: (expecting '}'|unmatched)", reason):
        reason += NESTED
    return f"{name} was not tried: {reason.rstrip('.')}."


def find_name(part: Any) -> str:
    """Return which part this is. Raise LookupError, with the names of all parts, for any other."""
    names = getattr(find_shell(), "user_ns", {})
    bound = [each for each in PARTS if each in names and names[each] is part]
    running = RAN[-1] if RAN else ""
    typed = [each for each in re.findall(r"\bcheck\(\s*(\w+)", running) if each in bound]
    name = part if isinstance(part, str) else getattr(part, "__name__", "")
    # The name in this cell comes first, because the part's own name may be another one, such as
    # that of its base. A lambda or a partial does not have a name of its own.
    for candidate in [*typed, name, *bound]:
        if candidate in PARTS:
            return str(candidate)
    raise LookupError(
        f"{name or repr(part):.60} is not a part of the program. check() takes the name of one of "
        f"these, in quotes: {', '.join(PARTS)}."
    )


def tell_parent(name: str, part: Any, verdict: Verdict) -> Verdict:
    """Say first that the class that a part extends does not pass its own exercise, if it is so."""
    base = PARTS[name].base
    parents = [parent for parent in getattr(part, "__mro__", ())[1:] if parent.__name__ == base]
    if verdict.ok or not parents or try_part(base, parents[0]).ok:
        return verdict
    exercise = PARTS[base].levels[0].exercise
    return replace(verdict, cause=PARENT.format(base, exercise) + verdict.cause)


def try_fairly(name: str, part: Any, level: str | None) -> Verdict:
    """Try a part, and our solution as well if a failure may be one of the check itself."""
    verdict = try_part(name, part, level)
    if not verdict.is_strange:
        return verdict
    solution = try_part(name, getattr(load_solutions(), name), level)
    if (solution.rule, solution.got) != (verdict.rule, verdict.got):
        return verdict
    return replace(verdict, title="", cause=BROKEN, hints=(), printed="")


def show_feedback(verdict: Any) -> None:
    """Show the feedback below the cell, or print it outside of a notebook."""
    if find_shell() is None:
        print(verdict)
    else:
        from IPython.display import display

        display(verdict)


def save_and_tell(name: str, part: Any, text: str, level: str, exercise: str) -> str:
    """Save the cell of a part that passes, and return what was done, in one line."""
    store.unsaved.pop(name, None)
    try:
        message = save_part(name, make_section(name, text), level)
        note_passed(name, level)
    except ValueError as problem:
        passed = [each.exercise for each in list_needed(name, level)]
        store.unsaved[name] = Unsaved(part, text.strip("\n").rstrip(), passed)
        reason = str(problem).rstrip(".")
        return f"{name} passes {exercise}, and this notebook plays it. It was not saved: {reason}."
    except OSError as problem:
        error = describe_file_error(problem)
        return f"{name} passes {exercise}; not saved: {error} This notebook uses it."
    return f"{name} passes {exercise}. {message}\n{describe_next(exercise)}"
