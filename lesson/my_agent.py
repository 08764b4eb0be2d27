"""Keep what a learner wrote: code that passes its check goes into `my_agent.py`, which runs.

The file grows from notebook to notebook: first the loop, then the list and the nag, at the end the
whole agent. Each part is marked by a comment, and keeping a part again replaces it.
"""

import ast
import builtins
import linecache
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from agentlib.approval import find_shell
from agentlib.nag import Nag
from agentlib.todo import TodoManager
from agentlib.tools import Tool, call_tool
from agentlib.workspace import Workspace

from .exercises.check_agent import OWN_AGENT, check_agent
from .exercises.check_loop import LOOP_SOLUTION, check_loop
from .exercises.check_nag_facts import check_nag_facts
from .exercises.check_rules import check_rules
from .exercises.checking.result import Result
from .practice.policy import tasks
from .real_model.connection import Connection
from .samples import FOLDER

FILE = "my_agent.py"
MARKER = "# --- {} ---"
TITLE = '"""My agent. Run it: python my_agent.py "Refactor hello.py: add type hints"."""'
SETTINGS = "**model.settings"
WITH_LIST = (
    "todo = MyTodo()\n"
    "todo_tool = replace(TodoManager().tool(), run=todo.update)\n"
    "tools = [*workspace.tools(), todo_tool]\n"
)
# What `main` does with the parts, the most complete set of parts first. `run` is the package's
# version of agent_loop, with the argument `remind`.
BODIES = {
    ("agent",): f"exhaust(agent(model.client, messages, workspace, {SETTINGS}))\n",
    ("MyTodo", "MyNag"): WITH_LIST
    + f"run(model.client, messages, tools, remind=MyNag(3), {SETTINGS})\n",
    ("MyTodo",): WITH_LIST + f"run(model.client, messages, tools, {SETTINGS})\n",
    ("agent_loop",): f"agent_loop(model.client, messages, workspace.tools(), {SETTINGS})\n",
}
MAIN = """\
if __name__ == "__main__":
    prompt = " ".join(sys.argv[1:]) or "Refactor hello.py: add type hints and docstrings."
    model = connect()  # the practice model, or the one that MODEL_ID names
    workspace = open_workspace(prompt, model)
    messages = [{{"role": "user", "content": prompt}}]
{body}    for step in Trace.from_messages(messages).rounds:
        print(step)
"""
MAIN_IMPORTS = {
    "import sys",
    "from lesson import Trace",
    "from lesson import connect",
    "from lesson import open_workspace",
}
AGENT_IMPORTS = {"from lesson import exhaust"}  # an agent may yield
LIST_IMPORTS = {
    "from agentlib import TodoManager",
    "from agentlib import run",
    "from dataclasses import replace",
}


def define(source: str, name: str) -> Any:
    """Run `source` and return what it defines as `name`."""
    names: dict[str, Any] = {"call_tool": call_tool}
    exec(source, names)
    return names[name]


# How each part is checked, and what makes the package's version of it, used until it passes.
PARTS: dict[str, tuple[Callable[[Any], Result], Callable[[], Any]]] = {
    "agent_loop": (check_loop, lambda: define(LOOP_SOLUTION, "agent_loop")),
    "MyTodo": (check_rules, lambda: TodoManager),
    "MyNag": (check_nag_facts, lambda: partial(Nag, TodoManager())),
    "agent": (check_agent, lambda: define(OWN_AGENT, "agent")),
}


def keep(name: str, written: Any, folder: str | Path = ".", cells: Sequence[str] = ()) -> Any:
    """Check what a learner wrote, save it in `my_agent.py` if it passes, and return it.

    `name` is one of PARTS and `written` the learner's function or class. `folder` is the file's.
    `cells` are the notebook's code cells so far; by default those that IPython remembers. Returns
    `written` if it passes its check, and the package's version if not, and prints which.
    """
    check, make_substitute = PARTS[name]
    if not check(written).ok:
        print(f"{name} does not pass its check yet, so the package's version is used.")
        return make_substitute()
    found = list(collect(name, cells or list_cells()))
    file = Path(folder, FILE)
    blocks, imports = read(file)
    blocks[name] = "\n\n".join(source for source in found if not is_import(source))
    file.write_text(compose(blocks, imports | set(filter(is_import, found))), encoding="utf-8")
    print(
        f"{name} passes its check. It is saved in {FILE}: {len(blocks[name].splitlines())} lines."
    )
    return written


def list_cells() -> list[str]:
    """Return the source of each cell that has run: IPython keeps it for its tracebacks."""
    shell = find_shell()
    files = [file for file in linecache.cache if "ipykernel" in file]
    known = [linecache.getlines(file) for file in files]
    return ["".join(lines) for lines in known] + list(shell.user_ns["In"] if shell else ())


def collect(name: str, cells: Iterable[str]) -> Iterator[str]:
    """Yield the statements that define `name` and every global name that they use.

    A name that is defined more than once counts as its last definition. Definitions come before
    their users; an import of several names becomes one line for each name that is used.
    """
    statements: dict[str, tuple[str, set[str]]] = {}
    for cell in cells:
        try:
            tree = ast.parse(cell)
        except SyntaxError:  # a cell with a magic command
            continue
        for node in tree.body:
            for defined, source in definitions(node, cell):
                names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
                local = {n.id for n in names if isinstance(n.ctx, ast.Store)} | {defined}
                local |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
                statements[defined] = source, {n.id for n in names} - local
    done: set[str] = set()

    def visit(wanted: str) -> Iterator[str]:
        if wanted in done or wanted not in statements or hasattr(builtins, wanted):
            return
        done.add(wanted)
        source, used = statements[wanted]
        for each in sorted(used):
            yield from visit(each)
        yield source

    yield from visit(name)


def definitions(node: ast.stmt, cell: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a top-level statement defines, with the source that defines it."""
    source = ast.get_source_segment(cell, node) or ""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name, source
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, source
    elif isinstance(node, ast.Import | ast.ImportFrom):
        start = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            yield alias.asname or alias.name, f"{start}import {ast.unparse(alias)}"


def is_import(source: str) -> bool:
    """Return whether a statement is an import."""
    return source.startswith(("import ", "from "))


def read(file: Path) -> tuple[dict[str, str], set[str]]:
    """Return the parts of `my_agent.py` by name, and its imports; empty without a file."""
    if not file.exists():
        return {}, set()
    head, *rest = re.split(r"(?m)^# --- (\w+) ---\n", file.read_text(encoding="utf-8"))
    blocks = {name: body.strip() for name, body in zip(rest[::2], rest[1::2], strict=True)}
    blocks.pop("main", None)
    return blocks, {line for line in head.splitlines() if is_import(line)}


def compose(blocks: dict[str, str], imports: set[str]) -> str:
    """Return the text of `my_agent.py` for these parts."""
    wanted = next(names for names in BODIES if set(names) <= blocks.keys())
    imports = imports | MAIN_IMPORTS
    imports |= LIST_IMPORTS if "MyTodo" in wanted else set()
    imports |= AGENT_IMPORTS if "agent" in wanted else set()
    body = "".join(f"    {line}\n" for line in BODIES[wanted].splitlines())
    parts = [TITLE, "\n".join(sorted(imports))]
    parts += [f"{MARKER.format(name)}\n{blocks[name]}" for name in PARTS if name in blocks]
    return "\n\n\n".join([*parts, f"{MARKER.format('main')}\n{MAIN.format(body=body)}"])


class GuardedWorkspace(Workspace):
    """A Workspace whose tools ask for approval when a real model is behind them."""

    def __init__(self, root: str | Path, model: Connection) -> None:
        super().__init__(root)
        self.model = model

    def tools(self) -> list[Tool]:
        """Return the four tools, guarded by the connection."""
        return self.model.guard(super().tools())


def open_workspace(prompt: str, model: Connection) -> Workspace:
    """Return a workspace in a folder of the current one, which is created if it is missing.

    If `prompt` is about a sample project, the folder has the sample's name and begins as a copy of
    it. Otherwise it is `hello` for the practice model, which knows only the samples, and `project`
    for a real one. It is never the current folder: Python imports modules from there when
    `my_agent.py` or a notebook starts, so an agent could plant code that runs outside the sandbox.
    """
    task = tasks.find(prompt)
    name = task.name if task else "project" if model.real else "hello"
    if not Path(name).exists():
        if name == "project":
            Path(name).mkdir()
        else:
            shutil.copytree(FOLDER / name / "project", name)
    print(f"The agent works in the folder {name}.")
    return GuardedWorkspace(name, model)
