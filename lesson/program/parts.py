"""Run a part of `my_agent.py` alone, below the parts that it uses, and check what this has made."""

import linecache
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from agentlib.safety import approval

from ..exercises.catalogue import PARTS
from ..exercises.checking.rule import LONG_CASE_SECONDS
from ..ipython_shell import find_shell
from ..model_choice import connect_practice
from ..practice.practice_model import PracticeModel
from ..samples import deleting, sample
from ..time_limit import Raised, attempt, show
from .cells import BUILTINS, list_used, say_what_to_add
from .ours import read_ours
from .sections import FILE, Section, read_parts, seal
from .workspace import GuardedWorkspace
from .write_main import takes_remind

CODE = f"<{FILE}, "  # so begins the file name of the code of each part


def list_needed(name: str, parts: Mapping[str, Section]) -> dict[str, Section]:
    """Return the sections that a part uses, in the order of the lesson, and its own.

    A part can use those above it. One that is not among `parts` is our code.
    """
    needed: dict[str, Section] = {}
    used, names = {name}, [*PARTS]
    for one in reversed(names[: names.index(name) + 1]):
        if one in used:
            needed[one] = parts.get(one) or seal(read_ours(one))
            used |= list_used(needed[one].text)
    return dict(reversed(needed.items()))


def run_part(name: str, parts: Mapping[str, Section], module: str = "my_agent") -> Any:
    """Return what the part `name` of a program makes, in the new namespace of a `module`.

    Its workspace is deleted with the block of `deleting`. Raise ValueError, with the part at fault
    and the line, if it or a part that it uses ends with an error or lacks a name.
    """
    model = getattr(find_shell(), "user_ns", {}).get("model")
    # As in the program: the workspace has the tools and nothing else, and a part of another
    # notebook does not find its own workspace in this one.
    workspace = GuardedWorkspace(sample("hello"), connect_practice(PracticeModel(), ask=allow))
    names = {"__name__": module, "workspace": workspace, "model": model}
    for one, section in list_needed(name, parts).items():
        # The numbers of the lines are those in the file. The checks read the source.
        text, file = "\n" * (section.line - 1) + section.text, f"{CODE}{one}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        got, _ = attempt(partial(run_text, text, file, names), LONG_CASE_SECONDS)
        home = FILE if section.line else "its cell"
        if missing := list_used(text) - names.keys() - BUILTINS:
            first = min(missing)
            add = say_what_to_add(first)
            raise ValueError(f"{one} uses {first}, which {home} does not import or define. {add}")
        if isinstance(got, Raised):
            line, what = describe_error(got.problem, file)
            end = " The program does not start." if section.line else ""
            raise ValueError(f"{one} ends with an error in line {line} of {home}: {what}.{end}")
    return names.get(name)


def allow(question: approval.Question) -> approval.Answer:
    """Allow a call of the learner's own code in a trial: its workspace is a copy of a sample."""
    return approval.ONCE


def run_text(text: str, file: str, names: dict[str, Any]) -> None:
    exec(compile(text, file, "exec"), names)


def describe_error(problem: BaseException, file: str) -> tuple[int, str]:
    """Return the line of `file` at which the code ended with an error, and the error's text."""
    if isinstance(problem, SyntaxError) and problem.filename == file:
        return problem.lineno or 1, f"SyntaxError: {problem.msg}"
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [one.lineno or 1 for one in frames if one.filename == file]
    return [1, *lines][-1], show(Raised(problem))


def find_fault(name: str, made: Any, remind: bool = False) -> str:
    """Return why what a part has made does not pass its check, "" if it does.

    A loop with the argument `remind` must pass both checks, and `remind` says that it must have it.
    """
    loop, *with_remind = PARTS[name]
    for exercise in [loop, *with_remind] if remind or takes_remind(made) else [loop]:
        result = exercise.check(made)
        if not result.ok and result.miss and result.first_failed:
            error = f" ({result.miss.error})" if result.miss.error else ""
            return f'"{result.first_failed.title}" does not pass{error}'
        if not result.ok:
            return result.note or "nothing is written yet"
    return ""


def check_again(name: str, parts: Mapping[str, Section], replaced: str = "") -> Any:
    """Return what a part of the program makes. Raise ValueError if it fails.

    It is checked only if it, or a part that it uses, was changed by hand or is the `replaced` one:
    otherwise it has passed.
    """
    made = run_part(name, parts)
    needed = list_needed(name, parts).items()
    if any(one == replaced or section.is_changed for one, section in needed):
        if fault := find_fault(name, made):
            raise ValueError(f"{name} fails: {fault}.")
    return made


def load_parts() -> dict[str, Any]:
    """Return what the learner's parts of `my_agent.py` are, without those that fail."""
    loaded: dict[str, Any] = {}
    with suppress(OSError):
        parts = read_parts(Path(FILE))
        for name in parts:
            with suppress(ValueError), deleting():
                loaded[name] = check_again(name, parts)
    return loaded
