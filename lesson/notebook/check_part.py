"""Check what a learner wrote, save it in their program, and return what the cells below use."""

import ast
import linecache
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from ..common.ipython_shell import find_shell
from ..common.learners_code import Raised, attempt, is_learners
from ..common.parts import PARTS
from ..exercises.kit.engine import try_part
from ..exercises.kit.feedback import Result
from ..exercises.kit.restore import save_state
from ..program import file
from ..program.cells import BUILTINS, NOTES, cell_of, list_made, list_used, read_cell
from ..program.copy_lesson import SOLUTIONS
from ..program.my_agent import load_package, my_agent

GRADING = "NBGRADER_EXECUTION"  # nbgrader sets it for the kernel that grades or validates
BROKEN = (
    "The check itself has failed, not your code: it also fails for our solution. Restart the "
    "kernel, run the cells again, and if it stays so, report these lines to whoever gave you the "
    "lesson. You can go on meanwhile."
)
UNCHANGED = (
    "{0} has not changed since its last check. Did you run its cell, and is it still named {0}?"
)
NOT_RUN = "The cell of {} was not run: this {} is {} {}. Run that cell, then this check again."
PARENT = (
    "Your {}, which this class extends, does not pass {} itself, and this may be its mistake: run "
    "its check first. "
)
STALE = "Your last cell ended with an error, so this is still the {} from before."
MISNAMED = (
    "This is still the {0} of an earlier cell. The cell that you ran after it defines {1}: "
    "if that is your new {0}, name it {0}, and run its cell again."
)


class Checked(NamedTuple):
    """The last check of a part: what was tried, on which level, and what was said."""

    part: Any
    level: str
    said: str


LAST: dict[str, Checked] = {}  # by the name of the part


def check(part: Any, level: str | None = None) -> Any:
    """Show which rules a part passes, save it if all do, and return what the cells below use.

    `part` is the learner's function or class. `level` names a later exercise of the same part,
    such as "tool"; without it, the first exercise is tried. Returns `part` if it passes, and
    otherwise a part that does: the one in `my_agent`, or else the package's, or else that of the
    solutions. A part that has not changed since its
    last check gets a sentence above its feedback: its cell was perhaps not run again.
    Raises LookupError if there is no such part or level, and AssertionError if nbgrader grades and
    a rule fails.
    """
    name = find_name(part)
    found = [one.exercise for one in PARTS[name].levels if one.name == (level or "")]
    exercise = " ".join(found)
    not_run = say_if_not_run(name, part, exercise)
    if not_run := not_run and (say_if_misnamed(name, part) or not_run):
        print(not_run)
        if GRADING in os.environ:
            raise AssertionError(not_run)
        return substitute(name, level or "", exercise)
    my_agent._put_back()
    result = tell_parent(name, part, try_once(name, part, level))
    unchanged = say_if_unchanged(name, part, level or "", result)
    stale = say_if_stale(name)
    misnamed = "" if result.ok else say_if_misnamed(name, part)
    if stale or misnamed or unchanged:
        print(stale or misnamed or unchanged)
    if not stale or result.ok:
        show_feedback(result)
    if not result.ok:
        # In this order: with the package's part, the cells below would run, and get their points.
        if GRADING in os.environ:
            raise AssertionError(str(result))
        return substitute(name, level or "", exercise)
    print(save_part(name, part, level or "", exercise))
    return part


def find_name(part: Any) -> str:
    """Return which part this is. Raise LookupError, with the names of all parts, for any other."""
    names = getattr(find_shell(), "user_ns", {})
    bound = [one for one in PARTS if one in names and names[one] is part]
    typed = [one for one in re.findall(r"\bcheck\(\s*(\w+)", NOTES.cell) if one in bound]
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


def say_if_not_run(name: str, part: Any, exercise: str) -> str:
    """Return a sentence if this is still the part that the cell of an exercise replaces, or ""."""
    if not isinstance(part, type | FunctionType):
        return ""
    of_package = not is_learners(part)
    if of_package or (part.__name__ in PARTS and part.__name__ != name):
        whose = "the package's" if of_package else "your"
        return NOT_RUN.format(exercise, name, whose, part.__name__)
    return ""


def tell_parent(name: str, part: Any, result: Result) -> Result:
    """Say first that the class that a part extends does not pass its own exercise, if it is so."""
    base = PARTS[name].base
    parents = [one for one in getattr(part, "__mro__", ())[1:] if one.__name__ == base]
    # A label means that the part has passed this rule on that class.
    if result.ok or result.label or not parents or try_part(base, parents[0]).ok:
        return result
    exercise = PARTS[base].levels[0].exercise
    return replace(result, cause=PARENT.format(base, exercise) + result.cause)


def try_once(name: str, part: Any, level: str | None) -> Result:
    """Try a part, and our solution as well if a failure may be one of the check itself."""
    result = try_part(name, part, level, [*list_variants(name, part)])
    if not result.is_strange:
        return result
    solution = try_part(name, getattr(load_solutions(), name), level)
    if (solution.rule, solution.got) != (result.rule, result.got):
        return result
    return replace(result, title="", cause=BROKEN, hints=(), printed="")


def say_if_stale(name: str) -> str:
    """Return a sentence if the last cell should have defined this part, and has failed, or ""."""
    last = getattr(find_shell(), "last_execution_result", None)
    if last is None or last.success:
        return ""
    cell = getattr(last.info, "raw_cell", "") or ""
    return STALE.format(name) if f"class {name}" in cell or f"def {name}" in cell else ""


def say_if_misnamed(name: str, part: Any) -> str:
    """Return a sentence if a cell that ran later looks like this part under another name, or "".

    It does if its class has the same bases, or its function the same parameters, or if the name is
    nearly the same. A helper that the part calls is none.
    """
    own = next((one for one in list_top(cell_of(part) or "") if one.name == name), None)
    for cell in reversed(NOTES.list_since(part)):
        for one in list_top(cell):
            is_like = get_close_matches(name.lower(), [one.name.lower()], cutoff=0.8)
            is_other = one.name not in PARTS and not (own and one.name in ast.dump(own))
            if is_other and (is_like or (own and has_same_head(one, own))):
                return MISNAMED.format(name, one.name)
    return ""


def list_top(cell: str) -> list[Any]:
    """Return the classes and functions that a cell defines at its top level, or []."""
    try:
        tree = ast.parse(cell)
    except SyntaxError:  # a cell that begins with %%
        return []
    return [one for one in tree.body if isinstance(one, ast.ClassDef | ast.FunctionDef)]


def has_same_head(one: Any, other: Any) -> bool:
    """Return whether two definitions have the same bases, or else the same parameters."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.ClassDef):
        first, second = (", ".join(map(ast.unparse, each.bases)) for each in (one, other))
        return first == second != ""
    return ast.unparse(one.args) == ast.unparse(other.args)


def say_if_unchanged(name: str, part: Any, level: str, result: Result) -> str:
    """Return a sentence if this is the very part of the last check, and fails, or "".

    It may fail now at a later level. If it has another result at the same one, the list that it
    extends has changed.
    """
    before, LAST[name] = LAST.get(name), Checked(part, level, str(result))
    if result.ok or not result.is_written or before is None or before.part is not part:
        return ""
    return UNCHANGED.format(name) if before.level != level or before.said == str(result) else ""


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
    parts = (
        (f"your {name} in {file.FILE}" if name in my_agent._list_own() else "", my_agent),
        ("ours", load_package()),
        ("ours", load_solutions()),
    )
    for whose, program in parts:
        part = getattr(program, name)
        if whose and (level == "tool" or try_part(name, part, level).ok):
            break
    print(f"{name} does not pass {exercise} yet, so {uses} {whose}.")
    return part


def yours(name: str) -> Any:
    """Return your part of this name, such as "PriorityTodo", from `my_agent.py`.

    If it is not there, or does not pass the first exercise of this part, print so, and return ours.
    Raise LookupError for any other name.
    """
    if name not in PARTS:
        raise LookupError(f"{name!r:.60} is no part of the program: {', '.join(PARTS)}.")
    level, part = PARTS[name].levels[0], getattr(my_agent, name)
    if name in my_agent._list_own() and try_part(name, part, level.name).ok:
        return part
    return substitute(name, level.name, level.exercise, "this cell uses")


@cache
def load_solutions() -> ModuleType:
    return file.load(SOLUTIONS.read_text(encoding="utf-8"))


def save_part(name: str, part: Any, level: str, exercise: str) -> str:
    """Save the cell of a part that passes, and return what was done, in one line."""
    if name in my_agent._list_own() and part is getattr(my_agent, name):
        return f"{name} passes {exercise}. {file.FILE} has it already."
    try:
        saved = file.save_section(name, read_cell(name, part), level)
    except ValueError as problem:
        return f"{name} passes {exercise}, but it was not saved: {str(problem).rstrip('.')}."
    if saved.module:
        my_agent._use(saved.module)
    if not saved.is_saved:
        return f"{name} passes {exercise}; not saved: {saved.said} This notebook uses it."
    return f"{name} passes {exercise}. {saved.said}"


def list_variants(name: str, part: Any) -> Iterator[tuple[str, Any]]:
    """Yield the same text on each other base that it can have in the program, with a label.

    That is the list or the nag in `my_agent`: the learner's, or else the package's. A part that is
    below the package's is also tried below our solution, because the learner may write the base
    later, and it will not do all that the package's does.
    """
    text = cell_of(part) if PARTS[name].base else None
    try:
        missing = list_used(text or "") - list_made(text or "").keys() - BUILTINS.keys()
    except SyntaxError:  # a cell that begins with %%
        return
    if text is None or missing - PARTS.keys():  # a name of another cell: it will not be saved
        return
    base = PARTS[name].base
    one = getattr(my_agent, base)
    bases = {f"your {one.__name__} in {file.FILE}": one}
    if not is_learners(one):
        solution = f"the {base} of our solution, because you have not written your own yet"
        bases = {
            f"the package's {one.__name__}": one,
            solution: getattr(load_solutions(), base),
        }
    for label, other in bases.items():
        if other not in getattr(part, "__mro__", ()):  # that is tried already
            yield label, make_on(other, name, text)


def make_on(base: type, name: str, text: str) -> Any:
    """Return what a cell defines as `name`, with another base. If it raises, so does a call."""
    cell = f"<{name} on {base.__name__}>"
    linecache.cache[cell] = (len(text), None, text.splitlines(keepends=True), cell)
    names: dict[str, Any] = {one: getattr(my_agent, one) for one in PARTS if one != name}
    module = sys.modules["__main__"].__name__
    names |= {"__name__": module, "__builtins__": BUILTINS, PARTS[name].base: base}
    restore = save_state([base])  # a cell can change the class that it extends
    got, _ = attempt(partial(exec, compile(text, cell, "exec"), names), file.START_SECONDS)
    restore()
    if not isinstance(got, Raised):
        return names.get(name)

    def fails(self: Any, *_: Any, **__: Any) -> None:
        raise got.problem

    fails.__code__ = fails.__code__.replace(co_filename=cell)  # the line to show is in the cell
    return type(name, (base,), {"__init__": fails})
