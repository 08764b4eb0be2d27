"""The code that a walk shows: the package's, the learner's, and the same with one mistake."""

import ast
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from agentlib import nag, todo

from ..program import LISTS, NAGS
from .recorder import PACKAGE

MISTAKE = " with one mistake"


@dataclass(frozen=True)
class Code:
    """A todo list and a nag that a run can use. `make_nag` gets the list.

    `name` says whose they are, `place` is the name of their file, and `sources` has the source of
    each file by its name.
    """

    name: str
    make_todo: Any
    make_nag: Callable[[Any], Any]
    sources: Mapping[str, str]
    place: str


def package_code() -> Code:
    sources = {str(file): Path(str(file)).read_text(encoding="utf-8") for file in PACKAGE}
    return Code("the package", todo.TodoManager, lambda made: nag.Nag(made, 3), sources, "todo.py")


def own_code(file: Path, written: Sequence[type] = ()) -> Code | None:
    """Return the learner's list and nag: the classes `written` in the notebook, or those that
    `keep` has saved in `file`; None if there are none. What is missing is the package's.
    """
    names: dict[str, Any] = {cls.__name__: cls for cls in written}
    place, sources = "your notebook", read_sources(written)
    if not written and file.exists():
        place, text = file.name, file.read_text(encoding="utf-8", errors="replace")
        sources, made = {place: text}, {"__name__": file.stem}
        exec(compile(text, place, "exec"), made)
        names = {name: made[name] for name in ("MyTodo", *LISTS, *NAGS) if name in made}
    if not names:
        return None
    lists = [name for name, one in names.items() if hasattr(one, "update")]
    nags = [name for name in names if name not in lists]
    code = package_code()
    if lists:
        code = replace(code, make_todo=names[lists[0]])
    if nags:
        make = NAGS.get(nags[0], NAGS["MyNag"])
        code = replace(code, make_nag=lambda list_: make(names[nags[0]], list_))
    whose = f"your {' and '.join(lists[:1] + nags[:1])} ({place})"
    return replace(code, name=whose, sources={**code.sources, **sources}, place=place)


def read_sources(written: Sequence[type]) -> dict[str, str]:
    """Return the source of each file or cell with a function of these classes or their modules."""
    modules = {cls.__module__ for cls in written}
    spaces: list[Mapping[str, Any]] = [vars(base) for cls in written for base in cls.__mro__]
    spaces += [vars(sys.modules[module]) for module in modules]
    files = {
        one.__code__.co_filename
        for space in spaces
        for one in space.values()
        if isinstance(one, FunctionType) and one.__module__ in modules
    }
    return {file: "".join(linecache.getlines(file)) for file in files}


def with_one_mistake(code: Code, replaces: int, rejects: int) -> Code:
    """Return the same code with the line `replaces` of `update` moved up, before `rejects`.

    Any exception may be raised, and the result may fail: the caller has to try it.
    """
    cls = code.make_todo
    lines = code.sources[cls.update.__code__.co_filename].split("\n")
    moved = lines.pop(replaces - 1)
    while indent(lines[rejects - 1]) > indent(moved):
        rejects -= 1  # an error is raised in a block: the line moves above the block
    lines.insert(rejects - 1, moved)
    text, place = "\n".join(lines), code.place + MISTAKE
    node = next(one for one in ast.parse(text).body if getattr(one, "name", "") == cls.__name__)
    # Only the class runs again, at its line: other lines of a cell may do anything.
    source = "\n" * (node.lineno - 1) + "\n".join(lines[node.lineno - 1 : node.end_lineno])
    names = dict(cls.update.__globals__)
    exec(compile(source, place, "exec"), names)
    return replace(
        code,
        name=("the package" if code.name == "the package" else "the same") + MISTAKE,
        make_todo=names[cls.__name__],
        sources={**code.sources, place: text},
        place=place,
    )


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache
def read_function(source: str, code: CodeType) -> tuple[list[tuple[int, str]], list[ast.stmt]]:
    """Return a function's numbered lines and its statements, both without its docstring."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    # Its first line may be that of a decorator.
    node = min(
        (node for node in nodes if node.lineno >= code.co_firstlineno), key=lambda it: it.lineno
    )
    body, left_out = node.body, range(0)
    if ast.get_docstring(node) is not None and len(body) > 1:
        left_out = range(body[0].lineno, (body[0].end_lineno or 0) + 1)
        body = body[1:]
    numbered = list(enumerate(source.split("\n"), 1))[node.lineno - 1 : node.end_lineno]
    return [
        (number, line[node.col_offset :]) for number, line in numbered if number not in left_out
    ], body
