"""Make the cell of a part that passes its file in the learner's program."""

import sys
from types import FunctionType
from typing import Any

from exerciselib.feedback import Result

from ..common.parts import PARTS
from ..exercises.rules import count_levels, try_part
from . import folder
from .cells import BUILTINS, list_used
from .find_key import find_key
from .folder import FOLDER, imports, read_part, replace_part, show_file, write_part
from .my_agent import PartError, Parts, my_agent


def save_part(name: str, text: str, level: str, tried: Any = None) -> str:
    """Make the text of a cell the file of a part, if it passes `level` there. Return what was done.

    `tried` is the part of the notebook that has just passed: if the file makes the same function,
    it is not tried again.

    What is said of the saved part is asked of it: a method that another cell has attached is not in
    the file. Raise ValueError, with the reason, if the text cannot be the file, and OSError if the
    system does not write it: `my_agent` of this notebook has the part all the same.
    """
    if number := find_key(text):  # saved, it would stay where nobody looks for it
        raise ValueError(
            f"line {number} of its cell contains what looks like a key, which would stay in "
            f"{FOLDER}. Move that line to another cell"
        )
    new, file = write_part(name, text), show_file(name)
    while True:
        my_agent._refresh()
        now, own = my_agent._parts, my_agent._own
        after = load_with(name, text, now)
        candidate = getattr(after, name)
        if (
            not is_same_function(candidate, tried, text)
            and not (result := try_part(name, candidate, level)).ok
        ):
            raise ValueError(f"alone in its file, it fails: {describe_failure(result)}")
        if now.texts.get(name) == new and name not in my_agent._unsaved:
            return f"{file} has it already."
        later = [one.name for one in PARTS[name].levels]
        for one in later[later.index(level) + 1 :] if name in own else ():
            if try_part(name, getattr(now, name), one).ok and not try_part(name, candidate, one).ok:
                return f"{file} keeps your later one, which passes more."
        said = f"It is in its file, {file}, and yours."
        said += try_others(name, now, after) + describe_hidden()
        try:
            copied = replace_part(name, new, read_part(name))
        except OSError:
            my_agent._unsaved[name] = new
            raise
        if copied is not None:
            my_agent._unsaved.pop(name, None)
            my_agent._seen = None
            return f"{said} {copied}".rstrip()


def is_same_function(one: Any, other: Any, text: str) -> bool:
    """Return whether two functions have equal code, and the global names of `text` mean the same.

    What is no plain function is never the same, nor is one that calls another one of its cell.
    """
    for function in (one, other):
        if type(function) is not FunctionType or function.__closure__ or vars(function):
            return False
        if function.__kwdefaults__ or any(one is not None for one in function.__defaults__ or ()):
            return False
    if one.__code__ != other.__code__ or one.__defaults__ != other.__defaults__:
        return False
    mine, others = one.__globals__, other.__globals__
    return all(mine.get(name, name) is others.get(name, name) for name in list_used(text))


def load_with(name: str, text: str, now: Parts) -> Parts:
    """Return the program with a new part. Raise ValueError with the line of its cell."""
    new = write_part(name, text)
    after = Parts(now.texts | {name: new})
    try:
        made = vars(after.load(name))
    except PartError as problem:
        if problem.name != name:
            raise
        line = problem.line - (new.count("\n") - text.count("\n") - 1)
        said = ". Import or define it in the cell" * problem.reason.startswith("NameError")
        raise ValueError(f"line {line} of its cell: {problem.reason}{said}") from None
    if missing := list_used(text) - made.keys() - BUILTINS.keys():
        raise ValueError(
            f"it uses {min(missing)}, which its cell does not define. Import or define it in the "
            "cell"
        )
    return after


def try_others(name: str, now: Parts, after: Parts) -> str:
    """Return a sentence about each part of the learner's that uses `name`, and now passes less."""
    said = ""
    for other in list_below(name, after):
        passed = count_levels(other, getattr(now, other))
        if not passed:
            continue
        try:
            result = try_part(other, getattr(after, other), PARTS[other].levels[passed - 1].name)
            reason = "" if result.ok else describe_failure(result)
        except PartError as problem:
            reason = str(problem)
        if reason:
            said += f" {other}, which uses it, fails now: {reason}."
    return said


def list_below(name: str, program: Parts) -> list[str]:
    """Return the learner's parts whose files import a part, in any number of steps."""
    below = [name]
    for one in below:
        found = [other for other, text in program.texts.items() if imports(text, one)]
        below += [other for other in found if other not in below]
    return [one for one in below[1:] if one in my_agent._own]


def describe_failure(result: Result) -> str:
    """Return the first rule that fails, and why, in one line."""
    said = [result.title, result.cause or result.got, result.line]
    return " ".join(" ".join(filter(None, said)).split()).rstrip(".")


def describe_hidden() -> str:
    """Return a sentence about a file of the folder that hides a module of Python or the SDK."""
    needed = {"anthropic", *sys.stdlib_module_names}
    hidden = sorted(one.name for one in folder.path.glob("*.py") if one.stem in needed)
    if not hidden:
        return ""
    return f" Rename {FOLDER}/{hidden[0]}: it hides a module of Python or the SDK."
