"""Keep what a learner wrote: code that passes its check goes into `my_agent.py`, a program.

The file has only the parts that its last lines use: first the loop, then the list and the nag, at
the end the whole agent, which replaces them. Each part begins with a comment, such as
`# --- MyTodo ---`, and has the source of what was checked, with the imports, constants and helpers
from other cells that it uses. Before the file is written, all parts run in a new namespace and are
checked there. The last line has a checksum: a file that was changed by hand is copied before it is
replaced.
"""

import builtins
import hashlib
import re
from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from agentlib.loop import run
from agentlib.nag import Nag
from agentlib.safety.approval import find_shell
from agentlib.safety.files import write_atomically
from agentlib.todo import TodoManager
from agentlib.tools import call_tool

from .cells import find_current, list_statements
from .exercises.catalogue import EXERCISES, read_solution
from .exercises.check_nag import NagLevelByLevel
from .exercises.check_priority import PriorityInCheck
from .exercises.check_reminder import ShowsTheList
from .exercises.checking.rule import CASE_SECONDS
from .program import choose_parts
from .trying import Raised, attempt, show

FILE = "my_agent.py"
MARKER = "# --- {} ---"
SEAL = "# keep() wrote this file. Checksum: "
# Names that the program defines before its parts. A cell's own definition of them is not kept.
IMPORTS = ("import ", "from ")
GIVEN = ("client", "messages", "model", "prompt", "workspace")
START = '''\
"""My agent. Run it: python my_agent.py "Refactor hello.py: add type hints"."""

if __name__ == "__main__":
    import lesson

    # The prompt, the model, its client, the messages and the workspace.
    globals().update(lesson.start_program())'''
MAIN = """\
if __name__ == "__main__":
    lesson.run_program(globals())
"""
PARTS = {one.subject: one for one in EXERCISES}
# The package's version of a class, used until the learner's passes its check. That of a function
# is the exercise's solution; my_tool and TimedTodo have none.
SUBSTITUTES: dict[str, Any] = {
    "MyTodo": TodoManager,
    "MyNag": partial(Nag, TodoManager()),
    "MyReminder": ShowsTheList,
    "KeptTodo": TodoManager,
    "PriorityTodo": PriorityInCheck,
    "PriorityNag": NagLevelByLevel,
}


def keep(name: str, written: Any, folder: str | Path = ".") -> Any:
    """Check what a learner wrote, save it in `my_agent.py` if it passes, and return it.

    `name` is the subject of an exercise, and `written` the learner's function, class or Tool.
    `folder` is the file's. Returns `written` if it passes its check, and the package's version if
    not, and prints which.
    """
    file = Path(folder, FILE)
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    source, problem = collect(name, written)
    parts = read_parts(text) | {name: source}
    used = [one for kind in choose_parts(parts).values() for one in kind]
    # A part whose place a newer one has taken is only checked.
    problem = problem or find_problem(name, {one: parts[one] for one in used} | {name: source})
    if problem and not PARTS[name].check(written).ok:
        return substitute(name)
    lines = source.replace("\n\n\n", "\n").splitlines()
    said = f"{sum(not line.startswith(IMPORTS) for line in lines)} lines for {FILE}."
    if problem:
        said = f"{FILE} was not written: {problem}"
    elif name in used:
        try:
            said += write(file, text, {one: parts[one] for one in used})
        except OSError as error:
            said = f"{FILE} was not written ({error.strerror})."
    print(f"{name} passes its check. {said}")
    return written


def substitute(name: str) -> Any:
    """Return the package's version of a part, or None, and print which."""
    made = SUBSTITUTES.get(name)
    if PARTS[name].kind == "def":
        names: dict[str, Any] = {"call_tool": call_tool, "run": run}
        exec(read_solution(PARTS[name].name), names)
        made = names[name]
    rest = "it is not saved" if made is None else "the package's version is used"
    print(f"{name} does not pass its check yet, so {rest}.")
    return made


def collect(name: str, written: Any) -> tuple[str, str]:
    """Return the source of what `written` is, with all that it uses, and what is missing, or "".

    A name's statements follow those of the names that they use.
    """
    known = getattr(find_shell(), "user_ns", {})
    by_name = list_statements()
    done, found, missing = set(GIVEN), dict[str, None](), list[str]()

    def visit(wanted: str, value: Any) -> None:
        if wanted in done:
            return
        done.add(wanted)
        for one in find_current(by_name.get(wanted, ()), wanted, value):
            for used in sorted(one.uses):
                visit(used, known.get(used))
            found[one.source] = None
        # IPython adds two names to those of Python.
        is_python = hasattr(builtins, wanted) and wanted not in ("display", "get_ipython")
        if wanted not in by_name and wanted in {*known, "display"} and not is_python:
            missing.append(wanted)

    visit(name, written)
    imports = [line for line in found if line.startswith(IMPORTS)]
    head = ["\n".join(imports)] if imports else []
    source = "\n\n\n".join([*head, *(line for line in found if line not in imports)])
    if name not in by_name:
        return source, f"no cell of this notebook defines {name}."
    return source, missing and (
        f"it uses {' and '.join(missing)}, and no cell defines this name where the file could "
        f"take it from. Define it in the cell of {name}, and run that cell and this one again."
    ) or ""


def find_problem(name: str, parts: Mapping[str, str]) -> str:
    """Run all `parts` in a new namespace and check them there. Return what fails first, or ""."""
    known = getattr(find_shell(), "user_ns", {})
    made = {"__name__": Path(FILE).stem} | {one: known[one] for one in GIVEN if one in known}
    for part, source in parts.items():
        got, _ = attempt(partial(exec, source, made), CASE_SECONDS)
        if isinstance(got, Raised):
            return describe_problem(name, part, show(got))
    for part in sorted(parts, key=lambda one: one != name):
        result = PARTS[part].check(made.get(part))
        if not result.ok:
            return describe_problem(name, part, result.miss.got if result.miss else result.note)
    return ""


def describe_problem(name: str, part: str, problem: str) -> str:
    if part == name:
        return (
            f"there, without the other cells, {name} fails: {problem}. All that it needs belongs "
            f"into its cell. Put it there, and run that cell and this one again."
        )
    return (
        f"together with {name}, the {part} in it fails: {problem}. Run the `keep` of {part} again. "
        f"If that does not help, both define the same name: rename one of the two."
    )


def write(file: Path, text: str, parts: Mapping[str, str]) -> str:
    """Write a program of `parts`. Copy the old `text` if it was changed, and say so."""
    said = ""
    if text and seal(text.rpartition(SEAL)[0]) != text:
        backup = next(
            path for n in count(1) if not (path := file.with_name(f"my_agent_{n}.py")).exists()
        )
        write_atomically(backup, file.read_bytes(), replace=False)
        said = f" You had changed that file: your version is now {backup.name}."
    sections = [f"{MARKER.format(one)}\n{source}" for one, source in parts.items()]
    program = "\n\n\n".join([START, *sections, f"{MARKER.format('main')}\n{MAIN}"])
    write_atomically(file, seal(program).encode())
    return said


def seal(text: str) -> str:
    """Return a program with the line that says who wrote it."""
    return f"{text}{SEAL}{hashlib.sha256(text.encode()).hexdigest()[:16]}\n"


def read_parts(text: str) -> dict[str, str]:
    """Return the parts of a program by name: of each, its imports and its source."""
    # Only names of parts: a learner's own comment may look like a marker.
    _, *rest = re.split(rf"(?m)^# --- ({'|'.join(PARTS)}|main) ---\n", text)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return {name: body.strip() for name, body in pairs if name in PARTS}
