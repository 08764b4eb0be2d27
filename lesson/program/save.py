"""Keep what a learner wrote: code that passes its check goes into `my_agent.py`, a program.

The file has only the parts that its last lines use: first the loop, then the list and the nag, at
the end the whole agent, which replaces them. Each part begins with a comment, such as
`# --- MyTodo ---`, and has the source of what was checked, with the imports, constants and helpers
that it uses, each from the newest cell that makes it. Before the file is written, all parts run in
a new namespace and are checked there. The last line has a checksum: a file that was changed by hand
is copied before it is replaced.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from agentlib.nag import Nag
from agentlib.safety.approval import find_shell
from agentlib.safety.files import write_atomically
from agentlib.todo import TodoManager

from ..exercises.catalogue import EXERCISES
from ..exercises.checking.rule import LONG_CASE_SECONDS
from ..samples import deleting, sample
from ..trying import Raised, attempt, show
from .cells import IMPORTS, collect
from .run import GIVEN, choose_parts

FILE = "my_agent.py"
MARKER = "# --- {} ---"
SEAL = "# keep() wrote this file. Checksum: "
FAILS = (
    "in that file, {0} fails: {1}. All that {0} needs belongs into its cell, as definitions and "
    "assignments: a statement that only calls something, such as `setattr(...)`, is not kept. No "
    "other part may give one of its names to something else. Then run the `keep` of {0} again."
)
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


def keep(name: str, written: Any, folder: str | Path = ".") -> Any:
    """Check what a learner wrote, save it in `my_agent.py` if it passes, and return it.

    `name` is the subject of an exercise, and `written` the learner's function, class or Tool.
    `folder` is the file's. Returns `written` if it passes its check, and what is used instead if
    not, and prints which.
    """
    try:
        said = save(name, written, Path(folder, FILE))
    except (OSError, ValueError) as problem:
        if not PARTS[name].check(written).ok:
            return substitute(name)
        said = f"{FILE} was not written: {getattr(problem, 'strerror', problem)}"
    print(f"{name} passes its check. {said}")
    return written


def save(name: str, written: Any, file: Path) -> str:
    """Write the program with this part, and return what was done.

    Raise ValueError, with what is missing, or OSError.
    """
    source = MARKED.sub("", collect(name, written))
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    parts = read_parts(text) | {name: source}
    used = {one: parts[one] for kind in choose_parts(parts).values() for one in kind}
    check_program(used | {name: source}, name)
    if name not in used:
        return f"{FILE} is unchanged: another part has its place."
    lines = source.replace("\n\n\n", "\n").splitlines()
    said = f"{sum(not line.startswith(IMPORTS) for line in lines)} lines for {FILE}."
    if text and seal(text.rpartition(SEAL)[0]) != text:
        copies = (file.with_name(f"my_agent_{number}.py") for number in count(1))
        backup = next(copy for copy in copies if not copy.exists())
        write_atomically(backup, file.read_bytes(), replace=False)
        said += f" You had changed that file: your version is now {backup.name}."
    sections = [f"{MARKER.format(one)}\n{source}" for one, source in used.items()]
    program = "\n\n\n".join([START, *sections, f"{MARKER.format('main')}\n{MAIN}"])
    write_atomically(file, seal(program).encode())
    return said


def substitute(name: str) -> Any:
    """Return what is used in place of a part, or None, and print which."""
    if name in SUBSTITUTES:
        said, made = SUBSTITUTES[name]
    else:
        said = "our solution is used"
        needed = [PARTS[one] for one in PARTS[name].needs if one in PARTS]
        made = PARTS[name].make_solution(**{one.subject: one.make_solution() for one in needed})
    print(f"{name} does not pass its check yet, so {said}.")
    return made


@deleting()
def check_program(parts: Mapping[str, str], first: str) -> None:
    """Run all `parts` in a new namespace and check them there, one of them `first`.

    Raise ValueError with what fails.
    """
    known = getattr(find_shell(), "user_ns", {})
    names = {"__name__": Path(FILE).stem} | {one: known[one] for one in GIVEN if one in known}
    # As in the program: a part of another notebook does not find its own workspace in this one.
    names["workspace"] = sample("hello")
    for part, source in parts.items():
        got, _ = attempt(partial(exec, source, names), LONG_CASE_SECONDS)
        if isinstance(got, Raised):
            raise ValueError(FAILS.format(part, show(got)))
    for part in sorted(parts, key=lambda one: one != first):
        result = PARTS[part].check(names.get(part))
        if not result.ok:
            failed = result.note
            if result.miss and result.first_failed:
                error = f" ({result.miss.error})" if result.miss.error else ""
                failed = f'"{result.first_failed.title}" does not pass{error}'
            raise ValueError(FAILS.format(part, failed))


def seal(text: str) -> str:
    """Return a program with the line that says who wrote it."""
    return f"{text}{SEAL}{hashlib.sha256(text.encode()).hexdigest()[:16]}\n"


def read_parts(text: str) -> dict[str, str]:
    """Return the parts of a program by name: of each, its imports and its source."""
    _, *rest = MARKED.split(text)
    return dict(zip(rest[::2], map(str.strip, rest[1::2]), strict=True))
