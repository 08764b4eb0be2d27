"""The code that a walk shows: the package's, the learner's, and the same with one mistake."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from agentlib import nag, todo

from ..program.run import LISTS, NAGS
from .recorder import PACKAGE


@dataclass(frozen=True)
class Code:
    """A todo list and a nag that a run can use. `make_nag` gets the list.

    `name` says whose they are, and `sources` has the source of each file.
    """

    name: str
    make_todo: Any
    make_nag: Callable[[Any], Any]
    sources: Mapping[str, str]


def package_code() -> Code:
    sources = {str(file): Path(str(file)).read_text(encoding="utf-8") for file in PACKAGE}
    return Code("the package", todo.TodoManager, lambda _: nag.Nag(todo.TodoManager()), sources)


def own_code(file: Path) -> Code | None:
    """Return the learner's list and nag, which `keep` has saved in `file`, or None if it has none.

    What is missing is the package's. Raise any exception of the learner's code.
    """
    if not file.exists():
        return None
    source, made = file.read_text(encoding="utf-8", errors="replace"), {"__name__": file.stem}
    exec(compile(source, file.name, "exec"), made)
    list_ = next((name for name in ("MyTodo", *LISTS) if name in made), "")
    nag_ = next((name for name in NAGS if name in made), "")
    if not (list_ or nag_):
        return None
    code = package_code()
    if list_:
        code = replace(code, make_todo=made[list_])
    if nag_:
        code = replace(code, make_nag=lambda todo: NAGS[nag_](made[nag_], todo))
    whose = f"your {' and '.join(filter(None, (list_, nag_)))} ({file.name})"
    whose += "" if nag_ else " and the package's nag"
    whose += "" if list_ else " and the package's list"
    return replace(code, name=whose, sources={**code.sources, file.name: source})


def with_one_mistake(code: Code, replaces: int, rejects: int) -> Code:
    """Return the same code with the line `replaces` of `update` moved up, before `rejects`.

    Any exception may be raised, and the result may fail: the caller has to try it.
    """
    cls = code.make_todo
    file = cls.update.__code__.co_filename
    lines = code.sources[file].split("\n")
    moved = lines.pop(replaces - 1)
    while indent(lines[rejects - 1]) > indent(moved):
        rejects -= 1  # an error is raised in a block: the line moves above the block
    lines.insert(rejects - 1, moved)
    text, wrong = "\n".join(lines), f"{Path(file).name} with one mistake"
    node = next(one for one in ast.parse(text).body if getattr(one, "name", "") == cls.__name__)
    # Only the class runs again, at its line: other lines of a cell may do anything.
    source = "\n" * (node.lineno - 1) + "\n".join(lines[node.lineno - 1 : node.end_lineno])
    names = dict(cls.update.__globals__)
    exec(compile(source, wrong, "exec"), names)
    whose = "the package" if code.name == "the package" else "the same"
    return replace(
        code,
        name=f"{whose} with one mistake",
        make_todo=names[cls.__name__],
        sources={**code.sources, wrong: text},
    )


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache
def read_function(source: str, code: CodeType) -> list[tuple[int, str]]:
    """Return a function's numbered lines, without its docstring."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    # Its first line may be that of a decorator.
    node = min(
        (node for node in nodes if node.lineno >= code.co_firstlineno), key=lambda it: it.lineno
    )
    left_out = range(0)
    if ast.get_docstring(node) is not None and len(node.body) > 1:
        left_out = range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    numbered = list(enumerate(source.split("\n"), 1))[node.lineno - 1 : node.end_lineno]
    return [(n, line[node.col_offset :]) for n, line in numbered if n not in left_out]
