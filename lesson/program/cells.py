"""The source of what a notebook has made, with all that it uses from other cells."""

import ast
import builtins
import dis
import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType
from typing import Any

from agentlib.safety.approval import find_shell

from ..exercises.checking.blank import list_functions
from .run import GIVEN

IMPORTS = ("import ", "from ")
LOADS = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS")  # the last since Python 3.12
PYTHON = {*dir(builtins)} - {"display", "get_ipython"}  # IPython adds these two


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell, and the names that it makes or changes, and uses."""

    source: str
    cell: str
    makes: set[str]
    uses: set[str]


def collect(name: str, written: Any) -> str:
    """Return the source of what `written` is and uses; `name` is its name in the notebook.

    Each name comes from the newest cell that makes it, after all imports and the names that it
    uses. Raise ValueError if no cell makes it, or if that cell alone has not made what is checked,
    as when it failed.
    """
    known = {"display": None} | getattr(find_shell(), "user_ns", {}) | {name: written}
    statements = [*list_statements()]
    found, visited = dict[str, Statement](), {*GIVEN}

    def visit(wanted: str) -> None:
        if wanted in visited:
            return
        visited.add(wanted)
        made = [one for one in statements if wanted in one.makes]
        if wanted in known and not made and wanted not in PYTHON:
            raise ValueError(
                f"no cell of this notebook defines {wanted} at its top level. All that {name} "
                "needs belongs into its cell."
            )
        for one in made:
            # `import xml.dom` adds to what `import xml.sax` has made, also in another cell.
            if one.cell == made[-1].cell or one.source.startswith("import "):
                for used in sorted(one.uses):
                    visit(used)
                found[one.source] = one

    visit(name)
    others = {one.cell for one in statements} - {one.cell for one in found.values()}
    others.add("<timed exec>")  # of a cell that begins with %%time
    for one in sorted(visited - {*GIVEN}):  # a function knows its cell
        if any(its.__code__.co_filename in others for its in list_functions(known.get(one))):
            raise ValueError(
                f"{one} differs from what its newest cell makes: write all of it into one cell, "
                "and run that cell."
            )
    imports = "\n".join(source for source in found if source.startswith(IMPORTS))
    rest = [source for source in found if not source.startswith(IMPORTS)]
    return "\n\n\n".join(filter(None, [imports, *rest]))


def list_statements() -> Iterator[Statement]:
    """Yield the statements of all cells that were run, oldest first."""
    # IPython has a file name for each cell, with the number of its last execution.
    numbers = getattr(getattr(find_shell(), "compile", None), "_filename_map", {})
    for cell in sorted(numbers, key=numbers.__getitem__):
        with suppress(SyntaxError, LookupError):  # the cell failed
            yield from read_statements(cell, "".join(linecache.getlines(cell)))


def read_statements(cell: str, text: str) -> Iterator[Statement]:
    """Yield the top-level statements of a cell."""
    lines = text.split("\n")  # as ast counts them: a form feed ends no line
    for node in ast.parse(text).body:
        changed = {*find_changed(node)}
        for source in list_sources(node, lines):
            made, used = find_names(compile(source, cell, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
            yield Statement(source, cell, made | changed, used)


def list_sources(node: ast.stmt, lines: Sequence[str]) -> list[str]:
    """Return the source of a statement, with the comments above; an import for each name."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [ast.unparse(one) for one in node.names]
        if isinstance(node, ast.Import):
            return [f"import {one}" for one in names]
        if names == ["*"]:
            module = vars(sys.modules[str(node.module)])
            names = [one for one in module.get("__all__", module) if one[0] != "_"]
        return [f"from {node.module} import {one}" for one in names]
    first = min(one.lineno for one in [node, *getattr(node, "decorator_list", [])])
    while first > 1 and lines[first - 2].startswith("#"):
        first -= 1
    return ["\n".join(lines[first - 1 : node.end_lineno])]


def find_changed(node: ast.stmt) -> Iterator[str]:
    """Yield the names of which a statement changes a part, as in `MyTodo.update = update`."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for one in ast.walk(node):
            if isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store):
                yield from (name.id for name in ast.walk(one.value) if isinstance(name, ast.Name))


def find_names(code: CodeType) -> tuple[set[str], set[str]]:
    """Return the names that a cell or class makes, and the globals used before, or in functions."""
    made, used = set[str](), set[str]()
    for one in dis.get_instructions(code):
        if isinstance(one.argval, CodeType):
            used |= find_names(one.argval)[1]
        elif one.opname == "STORE_NAME":
            made.add(one.argval)
        elif one.opname in LOADS and one.argval not in made:  # as `items` in `@items.setter`
            used.add(one.argval)
    return made, used
