"""Make the cell of a part that passes its file in the learner's program."""

import re
import sys
from collections.abc import Mapping
from typing import Any

from exerciselib.feedback import Result
from safetylib.guard.hide_keys import hide_keys, remember_own_keys

from ..common.parts import PARTS
from ..exercises.rules import count_levels, try_part
from . import folder
from .cells import BUILTINS, list_made, list_used, remove_uses
from .folder import FOLDER, imports, read_part, replace_part, show_file, write_part
from .my_agent import PartError, Parts, my_agent, store


def save_part(name: str, text: str, level: str) -> str:
    """Make the text of a cell, which passes `level`, the file of a part. Return what was done.

    Raise ValueError, with the reason, if the text cannot be the file, and OSError if the system
    does not write it: `my_agent` of this notebook has the part all the same.
    """
    if missing := list_missing(text):
        raise ValueError(
            f"it uses {min(missing)}, which its cell does not define. Import or define it in the "
            "cell"
        )
    remember_own_keys()
    if hide_keys(text) != text or re.search(r"\bsk-[\w-]{16}", text):
        raise ValueError(
            f"its cell contains what looks like a key, which would stay in {FOLDER}. Move that "
            "line to another cell"
        )
    new, file = write_part(name, text), show_file(name)
    while True:
        store.refresh()
        now, own = store.parts, store.own
        after = Parts(now.texts | {name: new})
        candidate = getattr(after, name)
        if now.texts.get(name) == new and name not in store.unwritten:
            return f"{file} has it already."
        later = [one.name for one in PARTS[name].levels]
        for one in later[later.index(level) + 1 :] if name in own else ():
            if try_part(name, getattr(now, name), one).ok and not try_part(name, candidate, one).ok:
                return f"{file} keeps your later one, which passes more."
        said = f"Your program has it now, in {file}."
        said += try_others(name, now, after) + describe_hidden()
        try:
            copied = replace_part(name, new, read_part(name))
        except OSError:
            store.unwritten[name] = new
            raise
        if copied is not None:
            store.unwritten.pop(name, None)
            store.look_again()
            return f"{said} {copied}".rstrip()


def load_cell(name: str, text: str, names: Mapping[str, Any], base: Any = None) -> Any:
    """Return what the text of a cell defines as `name`, in the program as it is now.

    `names` are those of the notebook, for what the cell does not define, and `base` is another
    class to extend. What the cell does besides is left out. Raise PartError, with the line of the
    cell, or SyntaxError.
    """
    text = remove_uses(text)
    given = {one: names[one] for one in list_missing(text) if one in names}
    given |= {one: getattr(my_agent, one) for one in list_used(text) & PARTS.keys() - {name}}
    if base is not None:
        given[PARTS[name].base] = base
    return getattr(Parts(store.parts.texts | {name: text}, given=given), name)


def list_missing(text: str) -> set[str]:
    """Return the names that the text of a cell uses, and that no part of the program defines."""
    return list_used(text) - list_made(text).keys() - BUILTINS.keys() - PARTS.keys()


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
    return [one for one in below[1:] if one in store.own]


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
