"""Statements of notebook cells: which names each one makes and uses, and which of them are needed.

Cells are read here and not run.
"""

import ast
import dis
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import CodeType

LOADS = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS")  # the last since Python 3.12


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell, and the names that it makes, changes and uses."""

    source: str
    cell: str
    makes: set[str]
    changes: set[str]
    uses: set[str]


def find_needed(
    names: Iterable[str], statements: Sequence[Statement], visited: set[str]
) -> dict[str, Statement]:
    """Return what makes these names and all that they use, by source, with what is used first.

    That is the newest cell that makes a name, and what later cells change in it.

    `statements` are sorted, the newest last. The names in `visited` are left out, and those that
    were looked for are added to it.
    """
    found = dict[str, Statement]()

    def visit(wanted: str) -> None:
        if wanted in visited:
            return
        visited.add(wanted)
        cells = [one.cell for one in statements if wanted in one.makes]
        is_newest = False
        for one in statements:
            is_newest = is_newest or one.cell in cells[-1:]
            changes = is_newest and wanted in one.changes
            # `import xml.dom` adds to what `import xml.sax` has made, also in another cell.
            is_import = one.source.startswith("import ")
            makes = wanted in one.makes and (one.cell == cells[-1] or is_import)
            if makes or changes:
                for used in sorted(one.uses):
                    visit(used)
                found[one.source] = one

    for name in names:
        visit(name)
    return found


def read_statements(cell: str, text: str) -> Iterator[Statement]:
    """Yield the top-level statements of a cell."""
    lines = text.split("\n")  # as ast counts them: a form feed ends no line
    for node in ast.parse(text, cell).body:
        changed = {*find_changed(node)}
        for source in list_sources(node, lines):
            made, used = find_names(compile(source, cell, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
            yield Statement(source, cell, made, changed, used)


def list_sources(node: ast.stmt, lines: Sequence[str]) -> list[str]:
    """Return the source of a statement, with the comments above; an import for each name."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [ast.unparse(one) for one in node.names]
        if isinstance(node, ast.Import):
            return [f"import {one}" for one in names]
        if names == ["*"]:
            module = vars(import_module(str(node.module)))
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
