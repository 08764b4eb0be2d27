"""The source of what a notebook has made, with all that it uses from other cells."""

import ast
import linecache
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from symtable import SymbolTable, symtable

from agentlib.safety.approval import find_shell

from .program import GIVEN

IMPORTS = ("import ", "from ")


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a cell, and the names that it makes and uses."""

    source: str
    cell: str
    makes: set[str]
    uses: set[str]


def collect(name: str) -> str:
    """Return the source of what has this `name` in the notebook, and of what it uses.

    Each name comes from the newest cell that makes it, after all imports and the names that it
    uses. Raise ValueError if no cell makes it.
    """
    statements = list_statements()
    found, visited = list[str](), {*GIVEN}

    def visit(wanted: str) -> None:
        if wanted in visited:
            return
        visited.add(wanted)
        made = [one for one in statements if wanted in one.makes]
        for one in made:
            if one.cell == made[-1].cell:
                for used in sorted(one.uses):
                    visit(used)
                if one.source not in found:  # one statement can make several names
                    found.append(one.source)

    visit(name)
    if not found:
        raise ValueError(f"no cell of this notebook defines {name} at its top level.")
    imports = "\n".join(source for source in found if source.startswith(IMPORTS))
    rest = [source for source in found if not source.startswith(IMPORTS)]
    return "\n\n\n".join(filter(None, [imports, *rest]))


def list_statements() -> list[Statement]:
    """Return the statements of all cells that were run, oldest first."""
    # IPython has a file name for each cell, with the number of its last execution.
    numbers = getattr(getattr(find_shell(), "compile", None), "_filename_map", {})
    found: list[Statement] = []
    for cell in sorted(numbers, key=numbers.__getitem__):
        with suppress(SyntaxError, LookupError):  # the cell failed
            found += read_statements(cell, "".join(linecache.getlines(cell)))
    return found


def read_statements(cell: str, text: str) -> Iterator[Statement]:
    """Yield the top-level statements of a cell."""
    lines = text.split("\n")  # as ast counts them: a form feed ends no line
    for node in ast.parse(text).body:
        for source in list_sources(node, lines):
            table = symtable(source, cell, "exec")
            names = table.get_symbols()
            made = {one.get_name() for one in names if one.is_assigned() or one.is_imported()}
            yield Statement(source, cell, made, {*find_globals(table)})


def list_sources(node: ast.stmt, lines: Sequence[str]) -> list[str]:
    """Return the source of a statement, with the comments above; an import for each name."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [ast.unparse(one) for one in node.names]
        start = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
        return [f"{start}import {one}" for one in names]
    first = min(one.lineno for one in [node, *getattr(node, "decorator_list", [])])
    while first > 1 and lines[first - 2].startswith("#"):
        first -= 1
    return ["\n".join(lines[first - 1 : node.end_lineno])]


def find_globals(table: SymbolTable) -> Iterator[str]:
    """Yield the globals that a block uses, and the functions and classes in it."""
    for one in table.get_symbols():
        is_used = one.is_referenced() and (one.is_global() or table.get_type() != "function")
        # A class has its own `items` in `@items.setter`, and `count += 1` is not a reference.
        if (is_used and not one.is_namespace()) or one.is_declared_global():
            yield one.get_name()
    for inner in table.get_children():
        yield from find_globals(inner)
