"""Save the cell of a part that passes as its file in the learner's program."""

import re
import sys
from collections.abc import Mapping
from typing import Any

from exerciselib.feedback import Verdict
from safetylib.guard.hide_keys import hide_keys, remember_own_keys

from ..common.parts import PARTS
from ..exercises.rules import count_levels, try_part
from . import folder
from .cells import BUILTINS, list_made, list_used, remove_uses
from .folder import FOLDER, imports, read_part, show_file, write_part
from .my_agent import PartError, Parts, my_agent, store


def save_part(name: str, text: str, level: str) -> str:
    """Make the text of a cell, which passes `level`, the file of a part. Return what was done.

    Raise ValueError, with the reason, if the text cannot be the file. Raise OSError if the system
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
        now = store.parts
        after = Parts(now.texts | {name: new})
        candidate = getattr(after, name)
        if now.texts.get(name) == new and name not in store.unwritten:
            return f"{file} has it already."
        if name in store.own and loses_level(name, level, getattr(now, name), candidate):
            return f"{file} keeps your later one, which passes more."
        message = f"Your program has it now, in {file}."
        message += try_others(name, now, after) + describe_hidden()
        copied = store.write(name, new, read_part(name))
        if copied is not None:  # otherwise another notebook has just written this file
            return f"{message} {copied}".rstrip()


def loses_level(name: str, level: str, old: Any, new: Any) -> bool:
    """Return whether the old part passes an exercise after `level` that the new one fails."""
    levels = [each.name for each in PARTS[name].levels]
    later = levels[levels.index(level) + 1 :]
    return any(try_part(name, old, each).ok and not try_part(name, new, each).ok for each in later)


def load_cell(name: str, text: str, names: Mapping[str, Any]) -> Any:
    """Return what the text of a cell defines as `name`, in the program as it is now.

    `names` are those of the notebook, for what the cell does not define. Statements that use what
    the cell defines are left out. Raise PartError, with the line of the cell, or SyntaxError.
    """
    text = remove_uses(text)
    values = {used: names[used] for used in list_missing(text) if used in names}
    values |= {used: getattr(my_agent, used) for used in list_used(text) & PARTS.keys() - {name}}
    return getattr(Parts(store.parts.texts | {name: text}, names=values), name)


def list_missing(text: str) -> set[str]:
    """Return the names that the text of a cell uses, and that no part of the program defines."""
    return list_used(text) - list_made(text).keys() - BUILTINS.keys() - PARTS.keys()


def try_others(name: str, now: Parts, after: Parts) -> str:
    """Return a sentence about each part of the learner's that uses `name` and passes less now."""
    sentences = ""
    for other in list_below(name, after):
        passed = count_levels(other, getattr(now, other))
        if not passed:
            continue
        try:
            verdict = try_part(other, getattr(after, other), PARTS[other].levels[passed - 1].name)
            reason = "" if verdict.ok else describe_failure(verdict)
        except PartError as problem:
            reason = str(problem)
        if reason:
            sentences += f" {other}, which uses it, fails now: {reason}."
    return sentences


def list_below(name: str, program: Parts) -> list[str]:
    """Return the learner's parts whose files import a part, in any number of steps."""
    below = [name]
    for imported in below:
        importing = [other for other, text in program.texts.items() if imports(text, imported)]
        below += [other for other in importing if other not in below]
    return [other for other in below[1:] if other in store.own]


def describe_failure(verdict: Verdict) -> str:
    """Return the first rule that fails, and why, in one line."""
    texts = [verdict.title, verdict.cause or verdict.got, verdict.line]
    return " ".join(" ".join(filter(None, texts)).split()).rstrip(".")


def describe_hidden() -> str:
    """Return a sentence about a file of the folder that hides a module of Python or the SDK."""
    needed = {"anthropic", *sys.stdlib_module_names}
    hidden = sorted(file.name for file in folder.path.glob("*.py") if file.stem in needed)
    if not hidden:
        return ""
    return f" Rename {FOLDER}/{hidden[0]}: it hides a module of Python or the SDK."
