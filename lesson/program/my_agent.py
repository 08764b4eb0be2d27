"""The module `my_agent` of a notebook: the parts of the learner's program, as it is now.

    from lesson import my_agent

    loop = my_agent.agent_loop

A part that is not the learner's yet is the package's. The file is read again when it has changed,
so a part that another notebook has saved is here at its next use.
"""

import sys
from collections import deque
from functools import cache, partial
from types import ModuleType
from typing import Any

from agentlib import Nag, TodoManager
from exerciselib.learners_code import read_members
from exerciselib.restore import reset, save_state

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS
from ..common.solutions import SOLUTIONS
from . import file
from .file import FILE, ProgramError

# A cell can change the package's classes as well: `MyNag.reminder = …`, without an own MyNag.
RESET_PACKAGE = [partial(reset, part, read_members(part)) for part in (TodoManager, Nag)]
KEPT = 20  # programs that were loaded last: a notebook saves fewer parts


@cache
def load_package() -> ModuleType:
    """Return the program in which every part is the package's."""
    return file.load(file.write_program({}))


@cache
def load_solutions() -> ModuleType:
    """Return the finished program."""
    return file.load(SOLUTIONS.read_text(encoding="utf-8"))


class MyAgent(ModuleType):
    """One object for each kernel. Its names are looked up in the newest program."""

    def __init__(self) -> None:
        super().__init__("my_agent", __doc__)
        self._seen: object = None  # the size and time of the file that was read last
        self._loaded: deque[Any] = deque(maxlen=KEPT)
        self._set(load_package())

    def __getattr__(self, name: str) -> Any:
        """Return a part. Raise AttributeError, with the names of all parts, for another name."""
        if name in PARTS:
            self._refresh()
            return getattr(self._program, name, getattr(load_package(), name))
        raise AttributeError(f"my_agent has no {name}. Its parts are {', '.join(PARTS)}.")

    def __dir__(self) -> list[str]:
        return [*PARTS]

    def __repr__(self) -> str:
        own = self._list_own()
        others = [name for name in PARTS if name not in own]
        groups = {"yours": own, "the package's": others}
        said = [f"{whose}: {', '.join(names)}" for whose, names in groups.items() if names]
        return f"<my_agent, {'; '.join(said)}>"

    def _list_own(self) -> list[str]:
        """Return the names of the parts that are the learner's now."""
        self._refresh()
        own: list[str] = vars(self._program)["__own__"]
        return own

    def _use(self, program: ModuleType) -> None:
        """Use a program that was saved, or that could not be written, until the file changes."""
        self._set(program)
        self._seen = self._look()

    def _put_back(self) -> None:
        """Undo what cells have changed in the parts: a method, or what is in the body of a class.

        The parts are those of the newest programs, as they were loaded: a name of a notebook can be
        that of an older one.
        """
        self._refresh()
        for put_back in (*self._loaded, *RESET_PACKAGE):
            put_back()

    def _set(self, program: ModuleType) -> None:
        self._program = sys.modules["my_agent"] = program  # for who writes `import my_agent`
        parts = [getattr(program, name) for name in vars(program)["__own__"]]
        self._loaded.append(save_state(parts))

    def _look(self) -> object:
        """Return what changes with the file, None if there is none. Never raise."""
        try:
            status = file.path.stat()
        except OSError:
            return None
        return file.path, status.st_mtime_ns, status.st_size

    def _refresh(self) -> None:
        """Read the file if it has changed. One that does not run is said, in one line."""
        now = self._look()
        if now == self._seen:
            return
        self._seen = now
        self._set(load_package())
        try:
            text = file.read_file()
            if file.read_program(text).unknown:
                print(f"{FILE} is of an older lesson, so the package's parts are used.")
            elif text:
                self._set(file.load(text))
        except ProgramError as problem:
            print(f"The package's parts are used, because {FILE} does not run: {problem}")
        except OSError as problem:
            print(f"The package's parts are used: {describe_file_error(problem)}")


my_agent = MyAgent()
my_agent._refresh()
