"""Find the newest cell of a part among the cells that ran in this notebook."""

import inspect
import linecache
from typing import Any

from ..common.parts import PARTS
from .cells import list_defined, remove_indent

# The text of each cell that ran, oldest first, even if it is not valid Python. The last one may
# still run.
RAN: list[str] = []


def note(info: Any) -> None:
    """Note the text of a cell. IPython calls this before each cell runs."""
    RAN.append(remove_indent(info.raw_cell))


def start(shell: Any) -> None:
    """Begin to note the cells of an IPython `shell`. It is called when `lesson` is imported."""
    if shell is None or note in shell.events.callbacks["pre_run_cell"]:
        return
    before = shell.history_manager.input_hist_raw[1:]
    if not before:  # nbval and nbclient let IPython keep no history
        before = [read_source(part) for name, part in shell.user_ns.items() if name in PARTS]
    cells = (*before, read_running(shell.user_ns))
    RAN[:] = [remove_indent(cell) for cell in cells if cell]
    shell.events.register("pre_run_cell", note)


def read_running(names: dict[str, Any]) -> str:
    """Return the text of the cell that runs now with these global names, or ""."""
    frame = inspect.currentframe()
    while frame and not (frame.f_globals is names and frame.f_code.co_name == "<module>"):
        frame = frame.f_back
    return "".join(linecache.getlines(frame.f_code.co_filename)) if frame else ""


def read_source(part: Any) -> str:
    """Return the cell that IPython has cached for the code of a function or of a class, or ""."""
    for member in (part, *vars(part).values()) if isinstance(part, type) else (part,):
        function = inspect.unwrap(member) if callable(member) else None
        if inspect.isfunction(function):
            return "".join(linecache.getlines(function.__code__.co_filename))
    return ""


def find_newest(name: str) -> tuple[str, list[str]]:
    """Return the newest cell that defines a part, "" if none does, and the cells that ran later."""
    for place in reversed(range(len(RAN))):
        if name in list_defined(RAN[place]):
            return RAN[place], RAN[place + 1 :]
    return "", RAN
