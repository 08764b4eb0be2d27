"""Check what a learner wrote, save it in their program, and return what the cells below use."""

import os
import re
import threading
from dataclasses import replace
from functools import cache
from typing import Any

from exerciselib.feedback import Result

from ..common.file_errors import describe_file_error
from ..common.ipython_shell import find_shell
from ..common.parts import PARTS
from ..exercises.rules import try_part
from ..program import progress
from ..program.cells import CELL_LOG, Cell, find_cell, make_section
from ..program.folder import show_file
from ..program.my_agent import Parts, load_package, load_solutions, my_agent
from ..program.save_part import save_part as save_file
from .last_cell import warn_if_misnamed, warn_if_not_run, warn_if_stale, warn_if_unchanged
from .variants import list_variants

GRADING = "NBGRADER_EXECUTION"  # nbgrader sets it for the kernel that grades or validates
BROKEN = (
    "The check itself has failed, not your code: it also fails for our solution. Restart the "
    "kernel, run the cells again, and if it stays so, report these lines to whoever gave you the "
    "lesson. You can go on meanwhile."
)
INSTEAD = "{} does not pass {} yet, so {} {}."
SAVED = "This cell does not pass {}, so {} your {} in {}, which does."
PARENT = (
    "Your {}, which this class extends, does not pass {} itself, and this may be its mistake: run "
    "its check first. "
)


def check(part: Any, level: str | None = None) -> Any:
    """Show which rules a part passes, save it if all do, and return what the cells below use.

    `part` is the learner's function or class. `level` names a later exercise of the same part,
    such as "tool"; without it, the first exercise is tried. Returns `part` if it passes, and
    otherwise a part that does: the one in `my_agent`, or else the package's, or else that of the
    solutions. A part that has not changed since its
    last check gets a sentence above its feedback: its cell was perhaps not run again.
    Raises LookupError if there is no such part or level, AssertionError if nbgrader grades and a
    rule fails, and RuntimeError in a thread that cannot be stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("In a subshell, code has no time limit: check it in the notebook.")
    name, cell = find_name(part), find_cell(part)
    found = [one.exercise for one in PARTS[name].levels if one.name == (level or "")]
    exercise = " ".join(found)
    not_run = warn_if_not_run(name, part, exercise)
    if not_run := not_run and (warn_if_misnamed(name, cell) or not_run):
        print(not_run)
        if GRADING in os.environ:
            raise AssertionError(not_run)
        return substitute(name, level or "", exercise)
    my_agent._put_back()
    result = tell_parent(name, part, try_once(name, part, level, cell))
    unchanged = warn_if_unchanged(name, part, level or "", result)
    stale = warn_if_stale(name, part, cell)
    misnamed = "" if result.ok else warn_if_misnamed(name, cell)
    if stale or misnamed or unchanged:
        print(stale or misnamed or unchanged)
    if not stale or result.ok:
        show_feedback(result)
        if said := progress.keep_try(exercise, result, cell.text):
            print(said)
    if not result.ok:
        # In this order: with the package's part, the cells below would run, and get their points.
        if GRADING in os.environ:
            raise AssertionError(str(result))
        return substitute(name, level or "", exercise)
    print(save_part(name, part, level or "", exercise, cell))
    return part


def find_name(part: Any) -> str:
    """Return which part this is. Raise LookupError, with the names of all parts, for any other."""
    names = getattr(find_shell(), "user_ns", {})
    bound = [one for one in PARTS if one in names and names[one] is part]
    typed = [one for one in re.findall(r"\bcheck\(\s*(\w+)", CELL_LOG.cell) if one in bound]
    name = getattr(part, "__name__", "")
    # First the name in this cell: what it is may have another one, such as that of its base. A
    # lambda or a partial has no name of its own.
    for one in [*typed, name, *bound]:
        if one in PARTS:
            return str(one)
    raise LookupError(
        f"{name or repr(part):.60} is no part of the program. check() takes one of these, without "
        f"quotes and without parentheses: {', '.join(PARTS)}."
    )


def tell_parent(name: str, part: Any, result: Result) -> Result:
    """Say first that the class that a part extends does not pass its own exercise, if it is so."""
    base = PARTS[name].base
    parents = [one for one in getattr(part, "__mro__", ())[1:] if one.__name__ == base]
    # A label means that the part has passed this rule on that class.
    if result.ok or result.label or not parents or try_part(base, parents[0]).ok:
        return result
    exercise = PARTS[base].levels[0].exercise
    return replace(result, cause=PARENT.format(base, exercise) + result.cause)


def try_once(name: str, part: Any, level: str | None, cell: Cell) -> Result:
    """Try a part, and our solution as well if a failure may be one of the check itself."""
    result = try_part(name, part, level, [*list_variants(name, part, cell.text)])
    if not result.is_strange:
        return result
    solution = try_part(name, getattr(load_solutions(), name), level)
    if (solution.rule, solution.got) != (result.rule, result.got):
        return result
    return replace(result, title="", cause=BROKEN, hints=(), printed="")


def show_feedback(result: Any) -> None:
    """Show the feedback below the cell, or print it if this is no notebook."""
    if find_shell() is None:
        print(result)
    else:
        from IPython.display import display

        display(result)  # type: ignore[no-untyped-call]


def substitute(name: str, level: str, exercise: str, uses: str = "the cells below use") -> Any:
    """Return a part with which the cells below show what their text says, and print whose it is.

    It is the learner's in `my_agent`, or else the package's, or else the finished one. A list whose
    `tool` does not pass gets the package's tool in a run, so it can be the learner's.
    """
    part, file = getattr(my_agent, name), show_file(name)
    is_own, is_tool = name in my_agent._list_own(), level == "tool"
    if is_own and try_part(name, part, level).ok:
        print(SAVED.format(exercise, uses, name, file))
    elif is_own and is_tool:
        print(INSTEAD.format(name, exercise, uses, f"your {name} in {file}"))
    else:
        my_agent._put_back()  # a cell may have changed the package's part
        passes = is_tool or passes_already(load_package(), name, level)
        part = getattr(load_package() if passes else load_solutions(), name)
        print(INSTEAD.format(name, exercise, uses, "ours"))
    return part


@cache
def passes_already(program: Parts, name: str, level: str) -> bool:
    """Return whether a part of the package passes, tried once: the loop takes half a second."""
    return try_part(name, getattr(program, name), level).ok


def yours(name: str) -> Any:
    """Return your part of this name, such as "PriorityTodo", from `my_agent`.

    If it is not there, or does not pass the first exercise of this part, print so, and return ours.
    Raise LookupError for any other name.
    """
    if name not in PARTS:
        raise LookupError(f"{name!r:.60} is no part of the program: {', '.join(PARTS)}.")
    level, part = PARTS[name].levels[0], getattr(my_agent, name)
    if name in my_agent._list_own() and try_part(name, part, level.name).ok:
        return part
    return substitute(name, level.name, level.exercise, "this cell uses")


def save_part(name: str, part: Any, level: str, exercise: str, cell: Cell) -> str:
    """Save the cell of a part that passes, and return what was done, in one line."""
    if find_shell() is None:
        return f"{name} passes {exercise}. It was not saved, because only a notebook has cells."
    if name in my_agent._list_own() and part is getattr(my_agent, name):
        return f"{name} passes {exercise}. {show_file(name)} has it already."
    try:
        said = save_file(name, make_section(name, cell.text), level, tried=part)
    except ValueError as problem:
        return f"{name} passes {exercise}, but it was not saved: {str(problem).rstrip('.')}."
    except OSError as problem:
        said = describe_file_error(problem)
        return f"{name} passes {exercise}; not saved: {said} This notebook uses it."
    return f"{name} passes {exercise}. {said}"
