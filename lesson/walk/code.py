"""The code that a walk shows: the package's, the learner's, and the same with one mistake."""

import ast
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from agentlib import nag, todo

from ..cells import collect
from ..my_agent import read_parts
from ..program import LISTS, NAGS
from .recorder import PACKAGE

LIST_MODULE, NAG_MODULE = str(todo.__file__), str(nag.__file__)
CELLS = "your notebook"


@dataclass(frozen=True)
class Code:
    """A todo list and a nag that a run can use. `make_nag` gets the list.

    `sources` has the source of their files by name, and `name` says whose they are.
    """

    name: str
    make_todo: Any
    make_nag: Callable[[Any], Any]
    sources: Mapping[str, str]
    is_own: bool = False


def package_code() -> Code:
    sources = {str(file): Path(str(file)).read_text(encoding="utf-8") for file in PACKAGE}
    return Code("the package", todo.TodoManager, lambda made: nag.Nag(made, 3), sources)


def own_code(file: Path, written: Sequence[type] = ()) -> Code | None:
    """Return the learner's list and nag: the classes `written` in the notebook, or those that
    `keep` has saved in `file`; None if there are none. What is missing is the package's.
    """
    parts = {cls.__name__: collect(cls.__name__, cls)[0] for cls in written}
    text, name = "", CELLS
    if any(parts.values()):
        text = "\n\n\n".join(parts.values())
    elif file.exists():
        name = file.name
        text = file.read_text(encoding="utf-8", errors="replace")
        parts = read_parts(text)
    code = package_code()
    made: dict[str, Any] = {"__name__": name}
    for part, source in parts.items():
        if part in (*LISTS, "MyTodo", *NAGS) or written:
            # The lines have the numbers that they have in the file.
            before = "\n" * text[: text.index(source)].count("\n")
            exec(compile(before + source, name, "exec"), made)
    own_list = next(
        (
            one
            for one in (*made,)
            if hasattr(made[one], "update") and isinstance(made[one], type) and one in (*parts,)
        ),
        None,
    )
    own_nag = next((one for one in (*NAGS,) if one in parts and one in made), None)
    if own_list:
        code = replace(code, make_todo=made[own_list])
    if own_nag:
        code = replace(code, make_nag=lambda list_: NAGS[own_nag](made[own_nag], list_))
    if not (own_list or own_nag):
        return None
    whose = " and ".join(filter(None, (own_list, own_nag)))
    return replace(
        code, name=f"your {whose} ({name})", sources={**code.sources, name: text}, is_own=True
    )


def with_one_mistake(code: Code, replaces: int, rejects: int) -> Code | None:
    """Return the same code with one statement moved: `update` replaces the list too early.

    `replaces` and `rejects` are the lines of `update` that replaced a list and that rejected one.
    None if the two are not statements of `update` in this order.
    """
    update: Any = getattr(code.make_todo, "update", None)
    if not hasattr(update, "__code__") or "update" not in vars(code.make_todo):
        return None
    place = update.__code__.co_filename
    node = find_function(code.sources[place], update.__code__)
    body = {line: one for one in node.body for line in range(one.lineno, (one.end_lineno or 0) + 1)}
    late, check = body.get(replaces), body.get(rejects)
    if not late or not check or late.lineno <= check.lineno or isinstance(late, ast.Return):
        return None
    lines = code.sources[place].splitlines(keepends=True)
    moved = lines[late.lineno - 1 : late.end_lineno]
    del lines[late.lineno - 1 : late.end_lineno]
    lines[check.lineno - 1 : check.lineno - 1] = moved
    text, name = "".join(lines), f"{Path(place).name} with one mistake"
    cls: Any = code.make_todo
    names = {"__name__": cls.__module__, "__package__": "agentlib"}
    if code.is_own and place not in PACKAGE:
        names = dict(update.__globals__)
    exec(compile(text if place in PACKAGE else own_part(text, cls.__name__), name, "exec"), names)
    return replace(
        code,
        name=f"{'the same' if code.is_own else code.name} with one mistake",
        make_todo=names[cls.__name__],
        sources={**code.sources, name: text},
    )


def own_part(text: str, name: str) -> str:
    """Return only the class `name` of a program, at its place."""
    node = next(one for one in ast.parse(text).body if getattr(one, "name", "") == name)
    lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
    return "\n" * (node.lineno - 1) + "\n".join(lines)


def find_function(source: str, code: CodeType) -> ast.FunctionDef:
    """Return the definition of a function in its file."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return next(
        node
        for node in nodes
        if min([node.lineno, *(one.lineno for one in node.decorator_list)]) == code.co_firstlineno
    )


@cache
def draw_function(source: str, code: CodeType) -> dict[str, Any]:
    """Return a function as the browser draws it: its numbered lines, without its docstring."""
    node = find_function(source, code)
    lines = textwrap.dedent("\n".join(source.split("\n")[node.lineno - 1 : node.end_lineno]))
    left_out: range = range(0)
    if ast.get_docstring(node) is not None and len(node.body) > 1:
        left_out = range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    numbered = enumerate(lines.split("\n"), node.lineno)
    return {
        "file": Path(code.co_filename).name,
        "name": code.co_qualname.replace("<locals>.", ""),
        "lines": [[number, line] for number, line in numbered if number not in left_out],
    }
