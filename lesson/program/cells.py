"""Read the cells of a notebook: the newest one that defines a name, and the names in its text."""

import ast
import builtins
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from symtable import SymbolTable, symtable
from typing import Any

from ..ipython_shell import find_shell
from .ours import restore_call

# IPython adds the last two, and a program in a terminal does not have them.
BUILTINS = {*dir(builtins)} - {"display", "get_ipython"}
# Statements that would do something when the program starts. An assignment may call a function.
TRIALS = (
    *(ast.Expr, ast.For, ast.While, ast.With, ast.Try, ast.TryStar, ast.If, ast.Match),
    *(ast.Assert, ast.Delete, ast.AsyncFor, ast.AsyncWith),
)
CALLS = re.compile(r"(?:\w+ = )?(?:lesson\.)?(?:keep|bring)\(")  # of what a cell does not define
without_history: list[str] = []  # the texts of cells that IPython does not add to `In`
UPTO = "upto"  # a cell says with it how many rules its check tries, and no program uses it
MAGIC = "get_ipython().run_cell_magic("  # so IPython writes the first line of a cell with %%


def find_cell(name: str) -> str:
    """Return the text of the newest cell that defines `name`, as IPython has it in `In`.

    It may have a syntax error. A cell that calls `bring` or `keep` defines nothing. Return "" if
    there is no cell. Raise ValueError if the newest one begins with %%.
    """
    for text in map(restore_call, reversed(list_cells())):
        how = list_made(text).get(name, "")
        if (how and not CALLS.match(how)) or (parse(text) is None and is_about(name, text)):
            return text
        if text.startswith(MAGIC) and is_about(name, text):
            raise ValueError(
                f"the newest cell of {name} begins with %%, and such a cell cannot be read. Delete "
                "that line, and run the cell again."
            )
    return ""


def list_cells() -> list[str]:
    """Return the texts of the cells that have run in this notebook, oldest first."""
    return [*getattr(find_shell(), "user_ns", {}).get("In", []), *without_history]


def note_cell(info: Any) -> None:
    """Note the text of a cell that is run without a history, as nbval runs all cells."""
    if not info.store_history:
        without_history.append(info.raw_cell)


if (shell := find_shell()) is not None:
    shell.events.register("pre_run_cell", note_cell)


def is_about(name: str, text: str) -> bool:
    """Return whether a text that is no Python, or contains it in a string, may define `name`."""
    return re.search(rf"(class|def) +{name}\b|{name} *=(?!=)", text) is not None


def parse(text: str) -> list[ast.stmt] | None:
    """Return the statements of a cell, None if it is no Python."""
    # IPython has already shown Python's warnings about it.
    with warnings.catch_warnings(action="ignore"), suppress(SyntaxError, ValueError):
        compile(text, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return ast.parse(text).body
    return None


def list_made(text: str) -> dict[str, str]:
    """Return the names that a cell makes at its top level, each with the code that makes it."""
    made: dict[str, list[str]] = {}
    for node in parse(text) or []:
        for code in map(ast.unparse, split_imports(node)):
            for table in list_tables(code):
                for symbol in table.get_symbols():
                    is_top = table.get_type() == "module" or symbol.is_declared_global()
                    if is_top and (symbol.is_assigned() or symbol.is_imported()):
                        made.setdefault(symbol.get_name(), []).append(code)
    return {name: "\n".join(dict.fromkeys(made[name])) for name in made}


def split_imports(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement for each name that an import makes, and any other statement unchanged."""
    if isinstance(node, ast.Import):
        yield from (ast.Import([one]) for one in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (ast.ImportFrom(node.module, [one], node.level) for one in node.names)
    else:
        yield node


def list_used(text: str) -> set[str]:
    """Return the names that a cell and its functions use and do not make themselves."""
    code = ast.unparse(ast.Module(parse(text) or [], []))
    symbols = [symbol for table in list_tables(code) for symbol in table.get_symbols()]
    used = {one.get_name() for one in symbols if one.is_referenced() and one.is_global()}
    return used - list_made(text).keys()


def list_tables(code: str) -> list[SymbolTable]:
    """Return the names of a module, and of each function and class in it."""
    tables = [symtable(code, "", "exec")]
    for table in tables:
        tables += table.get_children()
    return tables


def find_clash(text: str, other: str) -> str:
    """Return a name that two texts cannot share in one program, or "".

    Both make it, and not by the same code, or one makes it and the other uses Python's.
    """
    both: list[Mapping[str, str]] = []
    for one in (text, other):
        both.append(dict.fromkeys(list_used(one) & BUILTINS, "") | list_made(one))
    mine, theirs = both
    for name in sorted((mine.keys() & theirs.keys()) - {UPTO}):
        codes = {mine[name], theirs[name]}
        # `import xml.dom` makes the same name as `import xml.sax`.
        are_imports = all(code.startswith("import ") and " as " not in code for code in codes)
        if len(codes) > 1 and not are_imports:
            return name
    return ""


def check_only_defines(text: str) -> None:
    """Raise ValueError, with the line, if a cell does more than define and assign."""
    for node in parse(text) or []:
        code = ast.unparse(node).partition("\n")[0]
        if isinstance(node, TRIALS) or CALLS.match(code):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue  # a docstring
            raise ValueError(
                f"line {node.lineno} of its cell, `{code}`, would run in the program. Move it to "
                "another cell, and run both cells."
            )
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            raise ValueError(f"line {node.lineno} of its cell, `{code}`, is only for a whole file.")


def say_what_to_add(name: str) -> str:
    """Return what to do about a name that a cell uses but does not make: the line to add."""
    for text in reversed(list_cells()):
        how, *_ = list_made(text).get(name, "").splitlines() or [""]
        if how.startswith(("import ", "from ")):
            return f"Add the line `{how}` to the cell."
        if how:
            return f"Copy what makes it into the cell: `{how}`."
    return "Is it misspelled? Otherwise, write it into the cell."
