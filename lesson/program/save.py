"""Keep what a learner wrote: code that passes its check goes into `my_agent.py`, a program.

Every part stays in the file, and `main`, its last section, says which of them run. Each part begins
with a comment, such as `# --- MyTodo ---`, and has the source of what was checked, with the
imports, constants and helpers that it uses, unless a part above has them. Before the file is
written, all parts run in a new namespace and are checked there. The last line has a checksum: a
file that was changed by hand is copied before it is replaced.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from agentlib.nag import Nag
from agentlib.safety.files import write_atomically
from agentlib.todo import TodoManager

from ..copy_lesson import lesson_notebooks
from ..exercises.catalogue import EXERCISES
from ..exercises.checking.exercise import Exercise
from ..exercises.checking.rule import LONG_CASE_SECONDS
from ..ipython_shell import find_shell
from ..samples import deleting, sample
from ..statements import Statement, find_needed, read_statements
from ..time_limit import Raised, attempt, show
from .cells import IMPORTS, collect, join_sources
from .write_main import GIVEN, describe_main, takes_remind, write_main

FILE = "my_agent.py"
MARKER = "# --- {} ---"
SEAL = "# keep() wrote this file. Checksum: "
FAILS = (
    "in that file, {0} fails: {1}. All that {0} needs belongs into its cell, as definitions and "
    "assignments: a statement that only calls something, such as `setattr(...)`, is not kept. No "
    "other part may give one of its names to something else. Then run the `keep` of {0} again."
)
START = '''\
"""My agent: the parts that I have written in the lesson, and a `main` that runs them.

Run it with the Python that has the lesson:

    {python} my_agent.py "Refactor hello.py: add type hints."
"""

try:
    import lesson

    if __name__ == "__main__":
        program = lesson.open_program()  # reads the command, and connects to a model
        workspace, model = program.workspace, program.model
except ModuleNotFoundError:
    raise SystemExit("This Python does not have the lesson: use {python}") from None
except KeyboardInterrupt:
    raise SystemExit("\\nStopped.") from None'''
PARTS: dict[str, list[Exercise]] = {}
for one in EXERCISES:
    PARTS.setdefault(one.subject, []).append(one)
# Only names of parts: a learner's own comment may look like a marker.
MARKED = re.compile(rf"(?m)^# --- ({'|'.join(PARTS)}|main) ---\n")
# Used until the learner's part passes its check. That of any other part is our solution.
SUBSTITUTES: dict[str, tuple[str, Any]] = {
    "MyTodo": ("the package's list is used", TodoManager),
    "MyNag": ("the package's nag is used", partial(Nag, TodoManager())),
    "KeptTodo": ("the package's list is used", TodoManager),
    "my_tool": ("it is not saved", None),
    "TimedTodo": ("it is not saved", None),
}


def keep(name: str, written: Any, folder: str | Path = ".", *, remind: bool = False) -> Any:
    """Check what a learner wrote, save it in `my_agent.py` if it passes, and return it.

    `name` is the subject of an exercise, and `written` the learner's function, class or Tool.
    `folder` is the file's. A loop must take the argument `remind` if that is true. Returns
    `written` if it passes its check, and what is used instead if not, and prints which.
    """
    exercise = PARTS[name][remind]
    if not exercise.check(written).ok:
        return substitute(exercise)
    try:
        said = save(name, written, Path(folder, FILE))
    except (OSError, ValueError) as problem:
        said = f"{FILE} was not written: {getattr(problem, 'strerror', None) or problem}"
    print(f"{name} passes its check. {said}")
    return written


def save(name: str, written: Any, file: Path) -> str:
    """Write the program with this part, and return what was done.

    Raise ValueError, with what is missing, or OSError.
    """
    source = MARKED.sub("", collect(name, written))
    names = set[str]().union(*(one.makes for one in read_statements(name, source)))
    if taken := names & {"main", "program"}:
        raise ValueError(f"it has its own {taken.pop()}: give yours another name.")
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    old = read_parts(text)
    if name == "agent_loop" and "remind" in old.get(name, "") and not takes_remind(written):
        made, failed = check_program(old)
        if name not in failed and takes_remind(made[name]):
            return f"{FILE} is unchanged: its agent_loop also takes remind."
    parts = join_parts(old, name, source)
    made, failed = check_program(parts)
    failed_before = check_program(old)[1] if failed else {}
    for one in sorted(failed, key=lambda one: one != name):
        if one == name or one not in failed_before:
            raise ValueError(FAILS.format(one, failed[one]))
    lines = parts[name].replace("\n\n\n", "\n").splitlines()  # those that no part above has
    said = f"{sum(not line.startswith(IMPORTS) for line in lines)} lines for {FILE}."
    for one, why in failed.items():  # it was changed by hand
        said += f" {one} is no longer used, because it fails: {why}. Write it again."
    if made.keys() != parts.keys() or text and seal(text.rpartition(SEAL)[0]) != text:
        said += back_up(file)
    start = START.format(python=Path(sys.executable or "python").as_posix())
    sections = [f"{MARKER.format(one)}\n{source}" for one, source in parts.items() if one in made]
    made = {one: made[one] for one in made if one not in failed}
    end = f"{MARKER.format('main')}\n{write_main(made)}"
    write_atomically(file, seal("\n\n\n".join([start, *sections, end])).encode())
    return f"{said} {describe_main(made)}"


def back_up(file: Path) -> str:
    """Copy a file before it is replaced. Return a sentence with the name of the copy."""
    copies = (file.with_stem(f"{file.stem}_{number}") for number in count(1))
    copy = next(one for one in copies if not one.exists())
    write_atomically(copy, file.read_bytes(), replace=False)
    return f" The file as it was before is now {copy.name}."


def count_lines(folder: str | Path = ".") -> str:
    """Return how many lines `my_agent.py` has, and how many are neither imports nor given."""
    file = Path(folder, FILE)
    if not file.exists():
        return f"There is no {FILE} yet."
    text = file.read_text(encoding="utf-8", errors="replace")
    whole = [*filter(str.strip, text.splitlines())]
    given = {line.strip() for one in read_given() for line in ["", *one.splitlines()]}
    own = [line for part in read_parts(text).values() for line in part.splitlines()]
    own = [line for line in own if line.strip() not in given and not line.startswith(IMPORTS)]
    return f"{FILE} has {len(whole)} lines, and you have written {len(own)} of them."


def read_given() -> Iterator[str]:
    """Yield the cells in which an exercise begins, and those that it uses as they are."""
    for name, path in lesson_notebooks().items():
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            tags = {*cell["metadata"].get("tags", ())}
            if tags & {"exercise", "given"} and not name.startswith("solutions/"):
                yield "".join(cell["source"])


def substitute(exercise: Exercise) -> Any:
    """Return what is used in place of a part, or None, and print which."""
    if exercise.subject in SUBSTITUTES:
        said, made = SUBSTITUTES[exercise.subject]
    else:
        said = "our solution is used"
        needed: dict[str, Any] = {}
        for one in filter(PARTS.get, exercise.needs):
            needed[one] = PARTS[one][0].make_solution(**needed)
        made = exercise.make_solution(**needed)
    print(f"{exercise.subject} does not pass its check yet, so {said}.")
    return made


def read_ours(name: str) -> tuple[str, str]:
    """Return the source that is used if a notebook brings a part that is missing, and its name."""
    if name == "MyTodo":  # as in `SUBSTITUTES`
        made = "from agentlib import TodoManager\n\n\nclass MyTodo(TodoManager):\n    pass"
        return made, "the package's list"
    exercise = PARTS[name][0]
    needed = [
        PARTS[one][0].read_solution() if one in PARTS else f"from agentlib import {one}\n"
        for one in exercise.needs
        if one not in GIVEN  # `workspace` is also a module of agentlib
    ]
    return "\n\n".join([*needed, exercise.read_solution()]).rstrip(), "our solution"


def join_parts(old: Mapping[str, str], name: str, source: str) -> dict[str, str]:
    """Return the parts of a program with this one: of each, what it needs and no part above has.

    A name is made once in the program. If several parts make it, the last of them does, and `name`
    is the last of all. A part with a syntax error stays as it is.
    """
    statements = list[Statement]()
    unreadable = set[str]()
    for part, text in [*old.items(), (f"{name}, new", source)]:
        try:
            statements += read_statements(part, text)
        except (SyntaxError, ImportError):  # the file was changed by hand
            unreadable.add(part)
    parts, visited = dict(old), {*GIVEN}
    for one in dict.fromkeys([*old, name]):
        if one not in unreadable or one == name:
            parts[one] = join_sources(find_needed([one], statements, visited))
    return parts


@deleting()
def check_program(parts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Run all `parts` in a new namespace and check them there.

    Return what the parts are that can be run, by name, and why a part fails.
    """
    known = getattr(find_shell(), "user_ns", {})
    names = {"__name__": Path(FILE).stem} | {one: known[one] for one in GIVEN if one in known}
    # As in the program: a part of another notebook does not find its own workspace in this one.
    names["workspace"] = sample("hello")
    failed = {}
    for part, source in parts.items():
        got, _ = attempt(partial(exec, source, names), LONG_CASE_SECONDS)
        if isinstance(got, Raised):
            failed[part] = show(got)
    made = {part: names.get(part) for part in parts if part not in failed}
    for part, one in made.items():
        exercise, *others = PARTS[part]
        result = exercise.check(one)
        if result.ok and others and takes_remind(one):
            result = others[0].check(one)
        if not result.ok:
            failed[part] = result.note
            if result.miss and result.first_failed:
                error = f" ({result.miss.error})" if result.miss.error else ""
                failed[part] = f'"{result.first_failed.title}" does not pass{error}'
    return made, failed


def seal(text: str) -> str:
    """Return a program with the line that says who wrote it."""
    return f"{text}{SEAL}{hashlib.sha256(text.encode()).hexdigest()[:16]}\n"


def read_parts(text: str) -> dict[str, str]:
    """Return the parts of a program by name: of each, its imports and its source."""
    _, *rest = MARKED.split(text)
    parts = dict(zip(rest[::2], map(str.strip, rest[1::2]), strict=True))
    parts.pop("main", None)
    return parts
