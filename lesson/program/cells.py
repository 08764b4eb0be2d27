"""Find the cell that defines a function or a class, and judge its text."""

import ast
import builtins
import hashlib
import inspect
import linecache
import re
import warnings
from functools import partial
from symtable import SymbolTable, symtable
from types import FunctionType
from typing import Any, NamedTuple

from exerciselib.learners_code import split_code

# IPython adds these two to Python's own names, and a program in a terminal does not have them.
ONLY_IN_NOTEBOOKS = ("display", "get_ipython")
BUILTINS = {name: value for name, value in vars(builtins).items() if name not in ONLY_IN_NOTEBOOKS}
# The statements that a section of the program may have at its top level.
DEFINITIONS: tuple[type[ast.stmt], ...] = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass),
)
# A line that only IPython understands: `!ls`, `files = !ls`, `%time f()`, `%%time`, `f?`.
MAGIC = re.compile(r"\s*(?:\w[\w, ]*=\s*)?[!%]|.*\?\s*$")


class CellLog:
    """The cells of what a notebook has defined: IPython calls `note` before each cell runs."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}  # the names of the notebook
        self.cell = ""  # the text of the cell that runs, or that ran last
        self.before: list[str] = []  # the cells that ran before it, in this order
        # By id: what was defined, so that its id is not used again, and the text of its cell.
        self.noted: dict[int, tuple[Any, str]] = {}

    def note(self, info: Any = None) -> None:
        """Note the cell of each class and function that is new. `info` is about the next cell."""
        for value in list(self.names.values()) if self.cell else ():
            if is_of_notebook(value) and id(value) not in self.noted:
                self.noted[id(value)] = value, self.cell
        if info is not None:
            self.before.append(self.cell)
            self.cell = info.raw_cell

    def find(self, part: Any) -> str | None:
        value, text = self.noted.get(id(part), (None, None))
        return text if value is part else None

    def list_since(self, text: str | None) -> list[str]:
        """Return the cells that ran after the cell with this text, or else all of them."""
        cells = [cell.strip() for cell in (*self.before, self.cell)]
        places = [place for place, cell in enumerate(cells) if text and cell == text.strip()]
        return self.before[places[-1] + 1 :] if places else self.before


CELL_LOG = CellLog()


def start(shell: Any) -> None:
    """Begin to note the cells of an IPython `shell`. It is called when `lesson` is imported."""
    if shell is None or CELL_LOG.names is shell.user_ns:
        return
    CELL_LOG.names, CELL_LOG.cell = shell.user_ns, find_running_cell(shell.user_ns)
    # What is there already may be of any earlier cell, which only IPython's cache knows.
    CELL_LOG.noted |= {id(one): (one, "") for one in shell.user_ns.values() if is_of_notebook(one)}
    shell.events.register("pre_run_cell", CELL_LOG.note)


def find_running_cell(names: dict[str, Any]) -> str:
    """Return the text of the cell that runs now with these names, such as one that imports."""
    frame = inspect.currentframe()
    while frame and not (frame.f_globals is names and frame.f_code.co_name == "<module>"):
        frame = frame.f_back
    return "".join(linecache.getlines(frame.f_code.co_filename)) if frame else ""


def is_of_notebook(value: Any) -> bool:
    """Return whether a value is a class or a function that was defined in the notebook."""
    if not isinstance(value, type | FunctionType):
        return False
    return value.__module__ == "__main__" or "<locals>" in value.__qualname__


class Cell(NamedTuple):
    """The cell that defines a part: its text, or None if it is not known, and the cells after it.

    The text is what was typed, and may not be Python: `%%time`.
    """

    text: str | None
    later: list[str]


def find_cell(part: Any) -> Cell:
    """Return the cell that defines a function, also that of a partial, or an object's class."""
    CELL_LOG.note()  # also what the cell that is running has defined
    while isinstance(part, partial):
        part = part.func
    definitions = part, type(getattr(part, "__self__", part))  # the class of a bound method
    texts = (CELL_LOG.find(one) or read_source(one) for one in definitions)
    text = next(filter(None, texts), None)
    return Cell(text and remove_indent(text), CELL_LOG.list_since(text))


def remove_indent(text: str) -> str:
    """Remove the indent of the first line from all lines that have it, as IPython does."""
    lines = split_code(text)
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "".join(line.removeprefix(indent) for line in lines)


def read_source(part: Any) -> str:
    """Return the cell that IPython has cached for the code of a function or of a class, or ""."""
    for member in (part, *vars(part).values()) if isinstance(part, type) else (part,):
        function = inspect.unwrap(member) if callable(member) else None
        if inspect.isfunction(function):
            if lines := linecache.getlines(function.__code__.co_filename):
                return "".join(lines)
    return ""


def make_section(name: str, text: str | None) -> str:
    """Return the text of the cell that defines a part as `name`, ready to become a section.

    Raise ValueError, with the line, if it does more than define, or if there is no such cell.
    """
    if text is None:
        raise ValueError(f"the cell of {name} is not known. Run that cell again, and then this one")
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
    for node in tree.body:
        line = ast.unparse(node).partition("\n")[0]
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        calls_check = isinstance(getattr(node, "value", None), ast.Call) and "check(" in line
        if not (isinstance(node, DEFINITIONS) or is_text) or calls_check:
            raise would_run(node.lineno, line)
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            raise ValueError(f"line {node.lineno} of its cell, `{line}`, is only for a whole file")
        names = {alias.name for alias in getattr(node, "names", ()) if hasattr(alias, "asname")}
        if "my_agent" in names | {getattr(node, "module", "")}:
            raise_own_name(node.lineno)
    for one in ast.walk(tree):
        if isinstance(one, ast.Name) and one.id in ONLY_IN_NOTEBOOKS:
            raise would_run(one.lineno, split_code(text)[one.lineno - 1].strip())
        if isinstance(one, ast.Name) and one.id == "my_agent":
            raise_own_name(one.lineno)


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
    """Return the syntax tree of a text. Raise SyntaxError, also for a NUL or half a character."""
    for number, line in enumerate(split_code(text), 1):
        if re.search("[\0\ud800-\udfff]", line):  # Python names no line for these
            raise SyntaxError("a NUL, or a byte that is not UTF-8", ("", number, 1, line))
    with warnings.catch_warnings(action="ignore"):  # IPython has already shown them
        return ast.parse(text)


def hash_code(text: str) -> str:
    """Return a hash of what a text does: comments, blank lines and quotes do not change it."""
    try:
        text = ast.dump(parse_section(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = text.strip()
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def list_top(text: str) -> list[Any]:
    """Return the classes and functions that a cell defines at its top level, or []."""
    try:
        body = parse_section(text).body
    except (SyntaxError, RecursionError, MemoryError):  # a cell that begins with %%
        return []
    return [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)]


def list_made(text: str) -> dict[str, str]:
    """Return the names that a text defines at its top level, each with the code that does it."""
    made: dict[str, str] = {}
    for node in parse_section(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names]
            made |= {one.partition(".")[0]: ast.unparse(node) for one in names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            made[node.name] = ast.unparse(node)
        else:
            stored = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
            made |= {n.id: ast.unparse(node) for n in stored if isinstance(n.ctx, ast.Store)}
    return made


def list_used(text: str) -> set[str]:
    """Return the global names that a text and its functions use, also those that it defines."""
    tables: list[SymbolTable] = [symtable(text, "", "exec")]
    for table in tables:
        tables += table.get_children()
    symbols = [one for table in tables for one in table.get_symbols()]
    return {one.get_name() for one in symbols if one.is_referenced() and one.is_global()}
