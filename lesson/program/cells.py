"""What a cell defines and uses, and whether its text can be a file of the program."""

import ast
import builtins
import re
import sys
import warnings
from functools import cache
from symtable import SymbolTable, symtable
from typing import Any

from exerciselib.learners_code import refuse_input, split_code

from ..common.parts import PARTS

# IPython adds these two to Python's own names, and a program in a terminal does not have them.
ONLY_IN_NOTEBOOKS = ("display", "get_ipython")
BUILTINS = {name: value for name, value in vars(builtins).items() if name not in ONLY_IN_NOTEBOOKS}
# A part asks nobody, in a check and in `play`. The question of approval is asked by other code.
BUILTINS |= {"input": refuse_input, "breakpoint": refuse_input}
# IPython's own two return, and end the kernel only after the next cell.
BUILTINS |= {"exit": sys.exit, "quit": sys.exit}
# The statements that a section of the program may have at its top level.
DEFINITIONS: tuple[type[ast.stmt], ...] = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass),
)
# What a cell calls to use a part.
CALLS = ("check", "play", "reveal", "edit_loop")
DEFINES = re.compile(r"(?m)^(?:class|def) (\w+)\b")  # for a text that is not valid Python
# A line that only IPython understands: `!ls`, `files = !ls`, `%time f()`, `%%time`, `f?`.
MAGIC = re.compile(r"\s*(?:\w[\w, ]*=\s*)?[!%]|.*\?\s*$")


def remove_indent(text: str) -> str:
    """Remove the indent of the first line from all lines that have it, as IPython does."""
    lines = split_code(text)
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "".join(line.removeprefix(indent) for line in lines)


def make_section(name: str, text: str) -> str:
    """Return the text of the cell that defines a part as `name`, ready to become its file.

    Raise ValueError, with the line, if it does more than define.
    """
    check_only_defines(text)
    first = next((node for node in parse_section(text).body if name in ast.unparse(node)), None)
    bases = [getattr(base, "id", "") for base in getattr(first, "bases", ())]
    if name in bases and getattr(first, "name", "") == name:
        raise ValueError(
            f"a file has one {name}, which cannot extend itself: paste what is new into the "
            f"cell in which you wrote {name} before, and run that cell"
        )
    made = list_made(text)
    if name not in made or made[name].startswith(("import ", "from ")):
        raise ValueError(f"no cell defines {name} at its top level. Write it in one cell")
    return text.strip("\n").rstrip()


def check_only_defines(text: str) -> None:
    """Raise ValueError, with the line, if a cell does more than define, import and assign."""
    try:
        tree = parse_section(text)
    except SyntaxError as problem:
        lines = split_code(text) or [""]
        number = min(problem.lineno or 1, len(lines))
        if MAGIC.match(lines[number - 1]):
            raise would_run(number, lines[number - 1]) from None
        raise ValueError(f"line {problem.lineno} of its cell: {problem.msg}") from None
    for statement in tree.body:
        line = ast.unparse(statement).partition("\n")[0]
        number = statement.lineno
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (isinstance(statement, DEFINITIONS) or is_text) or runs(statement):
            raise would_run(number, line)
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            raise ValueError(f"line {number} of its cell, `{line}`, is only for a whole file")
        aliases = getattr(statement, "names", ())
        names = {alias.name for alias in aliases if isinstance(alias, ast.alias)}
        if "my_agent" in names | {getattr(statement, "module", "")}:
            raise_own_name(number)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ONLY_IN_NOTEBOOKS:
            raise would_run(node.lineno, split_code(text)[node.lineno - 1].strip())
        if isinstance(node, ast.Name) and node.id == "my_agent":
            raise_own_name(node.lineno)


def runs(node: ast.stmt) -> bool:
    """Return whether a statement uses what the cell defines, such as `print(MyTodo())`."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    called = {getattr(call.func, "id", "") for call in calls}
    is_definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return not is_definition and not called.isdisjoint(CALLS)


def remove_uses(text: str) -> str:
    """Return a cell without the statements that use what it defines. Lines keep their numbers.

    A trial must not run them again: `check(MyTodo)` would begin another one. Raise SyntaxError.
    """
    lines = split_code(text)
    for node in filter(runs, parse_section(text).body):
        size = (node.end_lineno or node.lineno) - node.lineno + 1
        lines[node.lineno - 1 : node.lineno - 1 + size] = ["\n"] * size
    return "".join(lines)


def would_run(line: int, text: str) -> ValueError:
    return ValueError(
        f"line {line} of its cell, `{text.strip()}`, would run in the program: move it to another "
        "cell"
    )


def raise_own_name(line: int) -> None:
    raise ValueError(
        f"line {line} of its cell uses `my_agent`, and the program cannot import itself. There, a "
        "part has its plain name: write `MyTodo`, not `my_agent.MyTodo`"
    )


def parse_section(text: str) -> ast.Module:
    """Return the syntax tree of a text. Raise SyntaxError, even for a NUL or half a character."""
    for number, line in enumerate(split_code(text), 1):
        if re.search("[\0\ud800-\udfff]", line):  # Python names no line for these
            raise SyntaxError("a NUL, or a byte that is not UTF-8", ("", number, 1, line))
    with warnings.catch_warnings(action="ignore"):  # IPython has already shown them
        try:
            return ast.parse(text)
        except SyntaxError as problem:
            from exerciselib.slips import explain_syntax  # as in kernel/cell_errors.py

            problem.msg = ". ".join(filter(None, [problem.msg, explain_syntax(problem)]))
            raise


def list_top(text: str) -> list[Any]:
    """Return the classes and functions that a cell defines at its top level, or []."""
    try:
        body = parse_section(text).body
    except (SyntaxError, RecursionError, MemoryError):  # a cell that begins with %%
        return []
    return [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)]


@cache
def list_defined(text: str) -> tuple[str, ...]:
    """Return the parts that a cell defines at its top level, even if it is not valid Python.

    A part that is taken from the program, such as `MyTodo = my_agent.MyTodo`, does not count.
    """
    try:
        body = parse_section(text).body
    except (SyntaxError, RecursionError, MemoryError):
        return tuple(name for name in DEFINES.findall(text) if name in PARTS)
    names: list[str] = []
    for node in body:
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        home = str(getattr(node, "module", "")).partition(".")[0]
        if isinstance(node, ast.Assign) and used.isdisjoint(("my_agent", *CALLS)):
            names += [getattr(target, "id", "") for target in node.targets]
        elif isinstance(node, ast.ImportFrom) and home not in ("my_agent", "lesson"):
            names += [alias.asname or alias.name for alias in node.names]
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.append(node.name)
    return tuple(name for name in names if name in PARTS)


def list_made(text: str) -> dict[str, str]:
    """Return the names that a text defines at its top level, each with the code that does it."""
    made: dict[str, str] = {}
    for node in parse_section(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names]
            made |= {name.partition(".")[0]: ast.unparse(node) for name in names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            made[node.name] = ast.unparse(node)
        else:
            names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
            stored = [name for name in names if isinstance(name.ctx, ast.Store)]
            made |= {name.id: ast.unparse(node) for name in stored}
    return made


def list_used(text: str) -> set[str]:
    """Return the global names that a text and its functions use, even if the text defines them."""
    tables: list[SymbolTable] = [symtable(text, "", "exec")]
    for table in tables:
        tables += table.get_children()
    symbols = [symbol for table in tables for symbol in table.get_symbols()]
    used = [symbol for symbol in symbols if symbol.is_referenced() and symbol.is_global()]
    return {symbol.get_name() for symbol in used}
