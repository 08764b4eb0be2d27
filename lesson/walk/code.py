"""The code that a walk shows: the learner's loop, list and nag, or the package's."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from agentlib import loop, nag, todo
from agentlib.nag import AFTER

from ..program.write_main import LISTS, NAGS, takes_remind
from .recorder import PACKAGE


@dataclass(frozen=True)
class Code:
    """A loop, a todo list and a nag that a run can use. `make_nag` gets the list.

    `name` says whose they are, and `sources` has the source of each file.
    """

    name: str
    loop: Callable[..., Any]
    make_todo: Any
    make_nag: Callable[[Any], Any]
    sources: Mapping[str, str]


def package_code() -> Code:
    sources = {str(file): Path(str(file)).read_text(encoding="utf-8") for file in PACKAGE}
    return Code("the package", loop.run, todo.TodoManager, nag.Nag, sources)


def own_code(file: Path) -> Code | None:
    """Return the learner's loop, list and nag, which `keep` has saved in `file`, or None.

    What is missing is the package's, and so is a loop that does not take `remind`. Raise any
    exception of the learner's code.
    """
    if not file.exists():
        return None
    source = file.read_text(encoding="utf-8", errors="replace")
    made: dict[str, Any] = {"__name__": file.stem}
    exec(compile(source, file.name, "exec"), made)
    # The file can also have our code for a part that the learner has not written yet.
    parts = [name for name in made if f"# --- our {name} ---" not in source]
    list_ = next((name for name in reversed(LISTS) if name in parts), "")
    # Of several lists and nags, those of s03b and s03c.
    nag_ = next((name for name in NAGS if name in parts and name != "PriorityNag"), "")
    loop_ = "agent_loop" if takes_remind(made.get("agent_loop", print)) else ""
    own = [name for name in (loop_, list_, nag_) if name]
    if not own:
        return None
    package = package_code()
    return Code(
        f"your {', '.join(own)} ({file.name})",
        made.get(loop_, package.loop),
        made.get(list_, package.make_todo),
        (lambda todo: made[nag_](*[todo] * NAGS[nag_], after=AFTER)) if nag_ else package.make_nag,
        {**package.sources, file.name: source},
    )


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
