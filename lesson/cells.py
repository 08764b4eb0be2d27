"""The source of what a notebook has made, with all that it uses from other cells."""

import ast
import builtins
import linecache
import symtable
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agentlib.safety.approval import find_shell

from .exercises.checking.blank import list_functions
from .program import GIVEN

IMPORTS = ("import ", "from ")


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell: its source, and the names that it changes and uses.

    `needs` are the names that it uses at once, not when a function is called. The `places` of a
    definition are its lines, each with the cell's file.
    """

    source: str
    changes: set[str]
    uses: set[str]
    needs: set[str]
    places: frozenset[tuple[str, int]] = frozenset()


def collect(name: str, written: Any) -> tuple[str, str]:
    """Return the source of what `written` is and uses, and what is missing in it, or "".

    The imports come first, and then each name after those that it uses.
    """
    known = getattr(find_shell(), "user_ns", {})
    statements = list_statements()
    done, found, missing = set(GIVEN), dict[str, None](), list[str]()

    def visit(wanted: str, value: Any) -> None:
        if wanted in done:
            return
        done.add(wanted)
        for one in find_current(statements.get(wanted, ()), wanted, value):
            for used in sorted(one.uses):
                visit(used, known.get(used))
            found[one.source] = None
        # IPython adds two names to those of Python.
        is_python = hasattr(builtins, wanted) and wanted not in ("display", "get_ipython")
        if wanted not in statements and wanted in {*known, "display"} and not is_python:
            missing.append(wanted)

    visit(name, written)
    imports = "\n".join(line for line in found if line.startswith(IMPORTS))
    rest = [line for line in found if not line.startswith(IMPORTS)]
    source = "\n\n\n".join(filter(None, [imports, *rest]))
    if name not in statements:
        return source, f"no cell of this notebook defines {name}."
    names = " and ".join(missing)
    return source, missing and f"it uses {names}: define this in the cell of {name}." or ""


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
            yield from read_imports(node)
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        places = {(file, line) for line in range(first, (node.end_lineno or 0) + 1)}
        while first > 1 and lines[first - 2].startswith("#"):
            first -= 1
        source = "\n".join(lines[first - 1 : node.end_lineno])
        table = symtable.symtable(source, file, "exec")
        changes = {one.get_name() for one in table.get_symbols() if one.is_assigned()}
        needs, later = find_globals(table)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield Statement(source, changes, needs | later, needs, frozenset(places))
            continue
        for one in ast.walk(node):
            if isinstance(one, ast.AugAssign):  # it also reads its target
                needs |= list_names(one.target)
            elif isinstance(one, (ast.Attribute, ast.Subscript)) and isinstance(one.ctx, ast.Store):
                changes |= list_names(one.value)  # such as MyTodo.update = update
        yield Statement(source, changes, needs | later, needs)


def read_imports(node: ast.Import | ast.ImportFrom) -> Iterator[Statement]:
    """Yield one import for each name, also for each name that `*` stands for."""
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        names = {bound: ast.unparse(alias)}
        if alias.name == "*":
            every = vars(sys.modules.get(module, ast))
            names = {one: one for one in every.get("__all__", every) if one[0] != "_"}
        # `import xml.dom` adds to what `import xml.sax` has made, so both are needed.
        adds = {bound} if "." in alias.name and not alias.asname else set()
        for name, text in names.items():
            start = f"from {module} " if module else ""
            yield Statement(f"{start}import {text}", {name}, adds, adds)


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

    The code of a function knows its cell: a newer definition is left out, because its cell failed.
    """
    codes = [one.__code__ for one in list_functions(value)]
    places = {(code.co_filename, code.co_firstlineno) for code in codes}
    live = [index for index, one in enumerate(statements) if one.places & places]
    if live:
        older, newer = statements[: live[-1] + 1], statements[live[-1] + 1 :]
        statements = [*older, *(one for one in newer if not one.places)]
    fresh = [index for index, one in enumerate(statements) if name not in one.needs]
    return statements[fresh[-1] if fresh else 0 :]
