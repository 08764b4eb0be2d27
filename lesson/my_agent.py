"""Keep what a learner wrote: code that passes its check goes into `my_agent.py`, a program.

The file has only the parts that its last lines use: first the loop, then the list and the nag, at
the end the whole agent, which replaces them. Each part begins with a comment, such as
`# --- MyTodo ---`, and is what the notebook's cells contain. The last line has a checksum: a file
that was changed by hand is copied before it is replaced.
"""

import ast
import hashlib
import linecache
import re
import symtable
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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

from .exercises.catalogue import EXERCISES, read_solution
from .exercises.check_nag import NagLevelByLevel
from .exercises.check_priority import PriorityInCheck
from .exercises.check_reminder import ShowsTheList

FILE = "my_agent.py"
MARKER = "# --- {} ---"
TITLE = '"""My agent. Run it: python my_agent.py "Refactor hello.py: add type hints"."""'
SEAL = "# keep() wrote this file. Checksum: "
# Names that the last lines of the program define. A cell's own definition of them is not kept.
GIVEN = ("client", "messages", "model", "prompt", "workspace")
# The nags that a program can use, and how it makes them: one that shows the list comes first.
LISTS = ("TimedTodo", "PriorityTodo", "KeptTodo")
NAGS = {
    "MyReminder": "MyReminder(todo, 3)",
    "PriorityNag": "PriorityNag(todo)",
    "MyNag": "MyNag(3)",
}
MAIN = """\
import sys

import agentlib
import lesson

if __name__ == "__main__":
    prompt = " ".join(sys.argv[1:]) or "Refactor hello.py: add type hints and docstrings."
    model = lesson.connect()  # the practice model, or the one that MODEL_ID names
    client = lesson.print_rounds(model.client)
    workspace = lesson.open_workspace({opened})
    messages = [{{"role": "user", "content": prompt}}]
    settings = model.settings | {{"system": agentlib.system_prompt({named})}}
{body}"""


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


def keep(name: str, written: Any, folder: str | Path = ".", cells: Sequence[str] = ()) -> Any:
    """Check what a learner wrote, save it in `my_agent.py` if it passes, and return it.

    `name` is the subject of an exercise, and `written` the learner's function, class or Tool.
    `folder` is the file's. `cells` are the notebook's code cells so far; by default those that
    IPython remembers.
    Returns `written` if it passes its check, and the package's version if not, and prints which.
    """
    exercise = PARTS[name]
    if not exercise.check(written).ok:
        substitute = SUBSTITUTES.get(name)
        if exercise.kind == "def":
            names: dict[str, Any] = {"call_tool": call_tool, "run": run}
            exec(read_solution(exercise.name), names)
            substitute = names[name]
        rest = "it is not saved" if substitute is None else "the package's version is used"
        print(f"{name} does not pass its check yet, so {rest}.")
        return substitute
    file = Path(folder, FILE)
    try:
        said = save(name, file, collect(name, cells or list_cells()))
    except OSError as problem:
        said = f"{FILE} was not written ({problem.strerror})."
    print(f"{name} passes its check. {said}")
    return written


def save(name: str, file: Path, lines: Sequence[str]) -> str:
    """Save the part `name`, whose statements are `lines`, and return what was done.

    A file with a newer part in its place is left as it is.
    """
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    source = "\n\n\n".join(line for line in lines if line not in imports)
    head = "\n".join(imports) + "\n\n\n" if imports else ""
    parts = read_parts(text) | {name: head + source}
    used, main = write_main(parts)
    number = sum(len(line.splitlines()) for line in lines if line not in imports)
    said = f"{number} lines for {FILE}."
    if name not in used:
        return said
    if text and seal(text.rpartition(SEAL)[0]) != text:
        backup = next(
            path for n in count(1) if not (path := file.with_name(f"my_agent_{n}.py")).exists()
        )
        write_atomically(backup, file.read_bytes(), replace=False)
        said += f" You had changed that file: your version is now {backup.name}."
    sections = [f"{MARKER.format(one)}\n{parts[one]}" for one in used]
    program = "\n\n\n".join([TITLE, *sections, f"{MARKER.format('main')}\n{main}"])
    write_atomically(file, seal(program).encode())
    return said


def seal(text: str) -> str:
    """Return a program with the line that says who wrote it."""
    return f"{text}{SEAL}{hashlib.sha256(text.encode()).hexdigest()[:16]}\n"


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell: its source, the names it defines, the globals it uses."""

    source: str
    defines: frozenset[str]
    uses: frozenset[str] = frozenset()


def list_cells() -> list[str]:
    """Return the source of each cell that has run, as IPython remembers it."""
    shell = find_shell()
    cells = list(shell.user_ns["In"]) if shell else []
    if shell and not any(cells):  # nbval runs cells without a history, but tracebacks need them
        compiled = getattr(shell.compile, "_filename_map", {})
        cells = ["".join(linecache.getlines(name)) for name in compiled]
    return cells


def collect(name: str, cells: Iterable[str]) -> list[str]:
    """Return the statements that define `name` and all that they use, definitions before users.

    A name that is defined more than once counts as its last definition. An import of several names
    becomes one line for each name that is used.
    """
    statements = [one for cell in cells for one in read_statements(cell)]
    last = {defined: one for one in statements for defined in one.defines}
    done = set(GIVEN)
    found: dict[str, None] = {}

    def visit(wanted: str) -> None:
        if wanted in last and wanted not in done:
            done.add(wanted)
            for used in sorted(last[wanted].uses):
                visit(used)
            found[last[wanted].source] = None

    visit(name)
    return list(found)


def read_statements(cell: str) -> Iterator[Statement]:
    """Yield the top-level statements of a cell, with their decorators and the comments above.

    A cell that is no Python yields nothing.
    """
    try:
        tree = ast.parse(cell)
    except SyntaxError:
        return
    lines = cell.split("\n")  # as ast counts them: a form feed ends no line
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            start = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
            if start == f"from {Path(FILE).stem} ":
                continue
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                yield Statement(f"{start}import {ast.unparse(alias)}", frozenset([bound]))
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        while first > 1 and lines[first - 2].startswith("#"):
            first -= 1
        source = "\n".join(lines[first - 1 : node.end_lineno])
        table = symtable.symtable(source, FILE, "exec")
        defined = frozenset(one.get_name() for one in table.get_symbols() if one.is_assigned())
        yield Statement(source, defined, frozenset(find_globals(table)))


def find_globals(table: symtable.SymbolTable) -> set[str]:
    """Return the global names that a block uses, also in the functions and classes in it."""
    inner = set().union(*map(find_globals, table.get_children()))
    is_module = table.get_type() == "module"
    own = {
        one.get_name()
        for one in table.get_symbols()
        if one.is_referenced() and (is_module or one.is_global())
    }
    return inner | own


def read_parts(text: str) -> dict[str, str]:
    """Return the parts of a program by name: of each, its imports and its source."""
    # Only names of parts: a learner's own comment may look like a marker.
    _, *rest = re.split(rf"(?m)^# --- ({'|'.join(PARTS)}|main) ---\n", text)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return {name: body.strip() for name, body in pairs if name in PARTS}


def write_main(parts: Mapping[str, str]) -> tuple[list[str], str]:
    """Return the parts that a program with these `parts` uses, and its last lines.

    `agentlib.run` is the package's version of agent_loop, with the argument `remind`.
    """

    def find(*names: str) -> list[str]:
        return [name for name in names if name in parts]

    tools, lists = find("my_tool"), find(*LISTS) or find("MyTodo")
    nags, asks = find(*NAGS), find("ask_the_files", "ask_the_list")[:1]
    if "PriorityTodo" not in parts:  # PriorityNag needs the priorities
        nags = [name for name in nags if name != "PriorityNag"]
    nags = nags[:1]  # the source of MyReminder contains that of MyNag
    loops = find("agent") or asks or ([] if nags else find("agent_loop"))
    loop = loops[0] if loops else "agentlib.run"
    has_list, place, more, lines = True, "workspace", "", []
    if loop == "agent":
        lists, nags, more = [], [], "missing=lesson.find_missing, "
    elif lists or nags or asks:
        if len(lists) > 1:
            lines += [f"class MyList({', '.join(lists)}):", '    """All my lists in one."""', ""]
        made = "MyList" if len(lists) > 1 else (*lists, "agentlib.TodoManager")[0]
        lines.append(f"todo = {made}()")
        place = "[*workspace.tools(), lesson.list_tool(todo)]"
        place += {
            "ask_the_list": ", todo",
            "ask_the_files": ", workspace, lesson.find_missing",
        }.get(loop, "")
        more = "".join(f"remind={NAGS[nag]}, " for nag in nags)
    else:
        has_list, place = False, "workspace.tools()"
    call = f"{loop}(client, messages, {place}, {more}**settings)"
    call = f"lesson.exhaust({call})" if "yield" in parts.get(loop, "") else call
    return [*tools, *lists, *nags, *loops], MAIN.format(
        opened=", ".join(["prompt", "model", *tools]),
        named="workspace.name" if has_list else "workspace.name, plan=False",
        body="".join(f"    {line}".rstrip() + "\n" for line in [*lines, call]),
    )
