"""Write what a learner has built into a file, `my_agent.py`, and run it in a terminal.

if check_loop(agent_loop).ok:
    keep(agent_loop)

python my_agent.py "Refactor hello.py: add type hints"
python my_agent.py --model claude-haiku-4-5 "Add tests"       in this folder, and asks first
"""

import argparse
import ast
import builtins
import inspect
import linecache
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import agentlib
from agentlib import TodoManager, Tool, Workspace, first_message, rounds, system_prompt

from ..model_choice import connect
from ..samples import sample
from .scene import blocks_of, exhaust

FILE = "my_agent.py"
PART = re.compile(r"(?m)^# --- (\w+) ---\n")
HEAD = '"""My agent. Run it: python my_agent.py "Refactor hello.py: add type hints" """\n\n'
RUN = """\
if __name__ == "__main__":
    from lesson import run_my_agent

    run_my_agent(globals())
"""
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef, ast.ClassDef)


def keep(*made: Any, file: str | Path = FILE) -> Path:
    """Write classes and functions from a notebook to `file`, with the imports that they need.

    All definitions of their cells are written. A part of the same name is replaced. Return the
    path. Raise ValueError for a value that was not defined by `class` or `def` in a cell.
    """
    path = Path(file)
    _, *found = PART.split(path.read_text(encoding="utf-8")) if path.exists() else [""]
    sources = [part.partition("\nif __name__")[0] for part in found[1::2]]
    parts = dict(zip(found[::2], sources, strict=True))
    for one in made:
        parts |= dict(write_parts(one, set()))
    body = "".join(f"# --- {name} ---\n{part.strip()}\n\n\n" for name, part in parts.items())
    path.write_text(HEAD + body + RUN, encoding="utf-8")
    print(f"{path} contains {', '.join(parts)}.")
    return path


def write_parts(made: Any, seen: set[str]) -> Iterator[tuple[str, str]]:
    """Return the name and source of each part that is needed for `made`, itself last."""
    seen.add(made.__name__)
    function = find_function(made)
    cell = "".join(linecache.getlines(function.__code__.co_filename))
    tree = ast.parse(cell)
    nodes = [node for node in tree.body if isinstance(node, DEFINITIONS)]
    names = [one for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)]
    own = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
    own |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imports = []
    known = function.__globals__
    used = {one.id for one in names} & known.keys()
    for name in sorted(used - own - set(dir(builtins)) - seen):
        value = known[name]
        home = getattr(value, "__module__", None)
        if isinstance(value, ModuleType):
            imports.append(f"import {value.__name__} as {name}")
        elif home == "__main__" and hasattr(value, "__name__"):
            yield from write_parts(value, seen)
        elif home and hasattr(value, "__name__"):
            public = "agentlib" if name in agentlib.__all__ else home
            imports.append(f"from {public} import {name}")
        else:
            imports.append(f"{name} = {value!r}")
    source = "\n\n\n".join(ast.get_source_segment(cell, node) or "" for node in nodes)
    yield made.__name__, "\n".join([*imports, "", source])


def find_function(made: Any) -> Any:
    """Return a function of the cell that defines `made`: itself, or a method of the class."""
    members = [made, *vars(made).values()] if isinstance(made, type) else [made]
    for one in members:
        if inspect.isfunction(one) and linecache.getlines(one.__code__.co_filename):
            return one
    raise ValueError("keep() takes a function or a class that a cell of this notebook defines.")


def run_my_agent(names: dict[str, Any], arguments: list[str] | None = None) -> list[Any]:
    """Run the agent in `names`, the contents of my_agent.py, for the prompt on the command line.

    It uses the learner's `agent` or `agent_loop`, `MyTodo` and `MyNag`. A real model works in this
    folder, the practice model in a copy of a sample project here. Return the messages.
    """
    parser = argparse.ArgumentParser(description="My agent, from the lesson.")
    parser.add_argument("prompt", help='what to do, for example "Refactor hello.py"')
    parser.add_argument("--model", help="a real model; without it, the practice model answers")
    given = parser.parse_args(arguments)
    connection = connect(given.model)
    root = Path.cwd()
    if not connection.real:  # the practice model knows only the lesson's sample projects
        project = "hello" if "hello.py" in given.prompt else "ten_steps"
        files = sample(project)
        root = root / f"my_agent_{project}"
        shutil.copytree(files.root, root, dirs_exist_ok=True)
    print(f"It works in {root}")

    class Guarded(Workspace):
        """A workspace whose tools ask before a real model runs them."""

        def tools(self) -> list[Tool]:
            return connection.guard(super().tools())

    workspace, messages = Guarded(root), [first_message(given.prompt)]
    settings = connection.settings | {"system": system_prompt(root.name)}
    if "agent" in names:
        exhaust(names["agent"](connection.client, messages, workspace, **settings))
    else:
        tools = workspace.tools()
        if "MyTodo" in names:
            known = TodoManager().tool()
            spec = (known.name, known.description, known.input_schema)
            tools.append(Tool(*spec, names["MyTodo"]().update))
        loop = names.get("agent_loop", rounds)
        if "MyNag" in names:  # the loop of s02 has no place for a nag
            loop, settings = rounds, settings | {"remind": names["MyNag"]()}
        exhaust(loop(connection.client, messages, tools, **settings))
    for block in (block for message in messages[1:] for block in blocks_of(message)):
        if block["type"] == "tool_use":
            print(f"  {block['name']} {str(block['input'])[:80]}")
        elif block["type"] == "text":
            print(block["text"])
    return messages
