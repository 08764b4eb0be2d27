"""Make a part again on each other base that it can have in the program."""

import linecache
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from exerciselib.learners_code import Raised, attempt, is_learners, split_code
from exerciselib.restore import save_state

from ..common.parts import PARTS
from ..program.cells import BUILTINS, list_made, list_used
from ..program.folder import show_file
from ..program.my_agent import START_SECONDS, load_solutions, my_agent


def list_variants(name: str, part: Any, text: str | None) -> Iterator[tuple[str, Any]]:
    """Yield the `text` of a part on each other base that it can have in the program, with a label.

    That is the list or the nag in `my_agent`: the learner's, or else the package's. A part that is
    below the package's is also tried below our solution, because the learner may write the base
    later, and it will not do all that the package's does.
    """
    if text is None or not (base := PARTS[name].base):
        return
    try:
        missing = list_used(text) - list_made(text).keys() - BUILTINS.keys()
    except SyntaxError:  # a cell that begins with %%
        return
    if missing - PARTS.keys():  # a name of another cell: it will not be saved
        return
    one = getattr(my_agent, base)
    bases = {f"your {one.__name__} in {show_file(base)}": one}
    if not is_learners(one):
        solution = f"the {base} of our solution, because you have not written your own yet"
        bases = {
            f"the package's {one.__name__}": one,
            solution: getattr(load_solutions(), base),
        }
    for label, other in bases.items():
        if other not in getattr(part, "__mro__", ()):  # that is tried already
            yield label, make_on(other, name, text)


def make_on(base: type, name: str, text: str) -> Any:
    """Return what a cell defines as `name`, with another base. If it raises, so does a call."""
    cell = f"<{name} on {base.__name__}>"
    linecache.cache[cell] = (len(text), None, split_code(text), cell)
    names: dict[str, Any] = {one: getattr(my_agent, one) for one in PARTS if one != name}
    module = sys.modules["__main__"].__name__
    names |= {"__name__": module, "__builtins__": BUILTINS, PARTS[name].base: base}
    restore = save_state([base])  # a cell can change the class that it extends
    result, _ = attempt(partial(exec, compile(text, cell, "exec"), names), START_SECONDS)
    restore()
    if not isinstance(result, Raised):
        return names.get(name)

    def fails(self: Any, *_: Any, **__: Any) -> None:
        raise result.problem

    fails.__code__ = fails.__code__.replace(co_filename=cell)  # the line to show is in the cell
    return type(name, (base,), {"__init__": fails})
