"""The statements of a notebook's cells: which of them made a name what it is."""

import ast
import linecache
import symtable
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agentlib.safety.approval import find_shell

from .exercises.checking.blank import list_functions


@dataclass(frozen=True)
class Statement:
    """A top-level statement: where its source is, and the names that it changes and uses.

    `needs` are those of the names in `uses` that it uses at once, not when a function is called.
    """

    source: str
    file: str
    lines: range
    changes: frozenset[str]
    uses: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    is_definition: bool = False


def list_statements() -> dict[str, list[Statement]]:
    """Return the statements of all cells that ran, by the names that they change, oldest first."""
    # IPython has a file name for each cell, with the number of its last execution.
    numbers = getattr(getattr(find_shell(), "compile", None), "_filename_map", {})
    found: dict[str, list[Statement]] = {}
    for file in sorted(numbers, key=numbers.__getitem__):
        with suppress(SyntaxError):
            for one in read_statements(file, "".join(linecache.getlines(file))):
                for name in one.changes:
                    found.setdefault(name, []).append(one)
    return found


def read_statements(file: str, cell: str) -> Iterator[Statement]:
    """Yield the top-level statements of a cell, with their decorators and the comments above."""
    lines = cell.split("\n")  # as ast counts them: a form feed ends no line
    for node in ast.parse(cell).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from read_imports(file, node)
            continue
        is_definition = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        place = range(first, (node.end_lineno or 0) + 1)
        while first > 1 and lines[first - 2].startswith("#"):
            first -= 1
        source = "\n".join(lines[first - 1 : node.end_lineno])
        table = symtable.symtable(source, file, "exec")
        changes = {one.get_name() for one in table.get_symbols() if one.is_assigned()}
        needs, later = find_globals(table)
        for one in () if is_definition else ast.walk(node):
            if isinstance(one, ast.AugAssign):  # it also reads its target
                needs |= list_names(one.target)
            elif isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store):
                changes |= list_names(one.value)  # such as MyTodo.update = update
        yield Statement(
            source, file, place, frozenset(changes), frozenset(needs | later), frozenset(needs),
            is_definition,
        )  # fmt: skip


def read_imports(file: str, node: ast.Import | ast.ImportFrom) -> Iterator[Statement]:
    """Yield one import for each name, also for each name that `*` stands for."""
    start = (
        f"from {'.' * node.level}{node.module or ''} " if isinstance(node, ast.ImportFrom) else ""
    )
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        names = {bound: ast.unparse(alias)}
        if alias.name == "*":
            module = sys.modules.get(start.split()[1])
            public = [one for one in vars(module) if one[0] != "_"] if module else []
            names = {one: one for one in getattr(module, "__all__", public)}
        # `import xml.dom` adds to what `import xml.sax` has made, so both are needed.
        adds = frozenset([bound] if not alias.asname and "." in alias.name else [])
        for name, text in names.items():
            yield Statement(f"{start}import {text}", file, range(0), frozenset([name]), adds, adds)


def list_names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def find_globals(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """Return the globals that a block uses at once, and those that functions in it use later."""
    own = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
    now, later = own, set[str]()
    if table.get_type() == "function":
        now, later = set(), {name for name in own if table.lookup(name).is_global()}
    for inner in table.get_children():
        at_once, after = find_globals(inner)
        now, later = now | at_once, later | after
    return now, later


def find_current(statements: Sequence[Statement], name: str, value: Any) -> Sequence[Statement]:
    """Return those of `statements` that made the `value` of `name`, from its definition on.

    The code of a function knows its cell, so a newer definition is left out if its cell failed.
    """
    codes = [one.__code__ for one in list_functions(value)]
    live = [
        index
        for index, one in enumerate(statements)
        if one.is_definition
        and any(code.co_filename == one.file and code.co_firstlineno in one.lines for code in codes)
    ]
    if live:
        older, newer = statements[: live[-1] + 1], statements[live[-1] + 1 :]
        statements = [*older, *(one for one in newer if not one.is_definition)]
    fresh = [index for index, one in enumerate(statements) if name not in one.needs]
    return statements[fresh[-1] if fresh else 0 :]
