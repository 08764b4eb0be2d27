"""The source of what a notebook has made, with all that it uses from other cells."""

import builtins
import linecache
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from ..exercises.checking.blank import list_functions
from ..ipython_shell import find_shell
from ..statements import Statement, find_needed, read_statements
from .write_main import GIVEN

IMPORTS = ("import ", "from ")
DEFINITION = re.compile(r"(?m)^(@|(async )?def |class )")
# An annotation uses `__annotations__`, and IPython adds the last two.
PYTHON = {*dir(builtins), "__annotations__"} - {"display", "get_ipython"}


def collect(name: str, written: Any) -> str:
    """Return the source of what `written` is and uses; `name` is its name in the notebook.

    Each name comes from the newest cell that makes it, after all imports and the names that it
    uses. Raise ValueError if no cell makes it, or if that cell alone has not made what is checked,
    as when it failed.
    """
    known = {"display": None} | getattr(find_shell(), "user_ns", {}) | {name: written}
    # A cell that has called bring() makes nothing itself.
    statements = [one for one in list_statements() if "bring" not in one.uses]
    visited = {*GIVEN}
    found = find_needed([name], statements, visited)
    made = set[str]().union(*(one.makes for one in found.values()))
    for wanted in sorted(visited - {*GIVEN} - made - PYTHON):
        if wanted in known:
            raise ValueError(
                f"no cell of this notebook defines {wanted} at its top level. All that {name} "
                "needs belongs into its cell, and a cell that begins with %% cannot be read."
            )
    others = {one.cell for one in statements} - {one.cell for one in found.values()}
    others.add("<timed exec>")  # of a cell that begins with %%time
    for one in sorted(visited - {*GIVEN}):  # a function knows its cell
        if any(its.__code__.co_filename in others for its in list_functions(known.get(one))):
            raise ValueError(
                f"{one} differs from what its newest cell makes: write all of it into one cell, "
                "and run that cell."
            )
    return join_sources(found)


def join_sources(sources: Iterable[str]) -> str:
    """Return the statements as one text, the imports first, with lines between definitions."""
    given = sorted(dict.fromkeys(sources), key=lambda one: not one.startswith(IMPORTS))
    text = ""
    for above, one in pairwise(["", *given]):
        is_block = DEFINITION.search(above) or DEFINITION.search(one)
        is_first = above.startswith(IMPORTS) and not one.startswith(IMPORTS)
        text += ("\n\n\n" if is_block else "\n\n" if is_first else "\n") + one
    return text.strip()


def list_statements() -> Iterator[Statement]:
    """Yield the statements of all cells that were run, oldest first."""
    # IPython has a file name for each cell, with the number of its last execution.
    numbers = getattr(getattr(find_shell(), "compile", None), "_filename_map", {})
    for cell in sorted(numbers, key=numbers.__getitem__):
        with suppress(SyntaxError, ImportError):  # the cell failed
            yield from read_statements(cell, "".join(linecache.getlines(cell)))
