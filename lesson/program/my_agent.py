"""The module `my_agent` of a notebook: the parts of the learner's program, as it is now.

    from lesson import my_agent

    loop = my_agent.agent_loop

A part that is not the learner's yet is the package's. The files are read again when one has
changed, so a part that another notebook has saved is here at its next use.
"""

import linecache
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from types import ModuleType
from typing import Any

from agentlib import Nag, TodoManager
from exerciselib.learners_code import Raised, attempt, find_last_line, read_members, split_code
from exerciselib.restore import reset, save_state
from exerciselib.show_value import show

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS, read_cell
from ..common.solutions import read_solutions
from ..samples.copies import deleting
from . import folder
from .cells import BUILTINS, parse_section
from .folder import FOLDER, hash_text, imports, read_part, write_part

CODE = f"<{FOLDER}/"  # so begins the file name of the code of a part
START_SECONDS = 10.0  # of processor time, to define a part: ours takes 0.01, an import 2
KEPT = 20  # programs that were loaded last: a notebook saves fewer parts
# A cell can change the package's classes as well: `MyNag.reminder = …`, without an own MyNag.
RESET_PACKAGE = [partial(reset, part, read_members(part)) for part in (TodoManager, Nag)]


class PartError(ValueError):
    """Raised if the file of a part does not run: whose, the number of the line, and the reason."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        self.name, self.line, self.reason = name, line, reason
        super().__init__(f"line {line} of {folder.show_file(name)}: {reason}")


class Parts:
    """The parts of one program, made from the texts of their files when they are first used."""

    def __init__(
        self, texts: Mapping[str, str], home: str = FOLDER, given: Mapping[str, Any] | None = None
    ) -> None:
        """Take the texts of files by part; for any other part, the package's. `home` is a name.

        `given` are names that each text can use.
        """
        self.texts = {name: f"{part.start}\n" for name, part in PARTS.items()} | dict(texts)
        self.home, self.given = home, given or {}
        self.modules: dict[str, ModuleType] = {}
        self._loading: list[str] = []

    def __getattr__(self, name: str) -> Any:
        """Return a part. Raise PartError, or AttributeError for another name."""
        if name not in PARTS:
            raise AttributeError(f"{self.home} has no {name}. Its parts are {', '.join(PARTS)}.")
        return vars(self.load(name))[name]

    def load(self, name: str) -> ModuleType:
        """Return the module of a part. Raise PartError.

        It is executed as in a terminal: without the names that only notebooks have.
        """
        if name in self.modules:
            return self.modules[name]
        text, stem = self.texts[name], PARTS[name].file
        # The checks and the walk read the source of the parts, which Python finds by this name.
        file = f"{CODE}{stem}.py {hash_text(text)}>"
        linecache.cache[file] = (len(text), None, split_code(text), file)
        module = ModuleType(f"{self.home}.{stem}")
        vars(module).update(self.given, __file__=file, __builtins__=BUILTINS)

        def execute() -> None:
            if name in self._loading:
                raise ImportError(f"{' and '.join(self._loading)} import each other")
            self._loading.append(name)
            parse_section(text)  # raises SyntaxError also for what is no text
            for other in [one for one in PARTS if imports(text, one)]:
                sys.modules[PARTS[other].file] = self.load(other)
            exec(compile(text, file, "exec"), vars(module))

        with self._importable(module), deleting():
            result, _ = attempt(execute, START_SECONDS)
        self._loading = [one for one in self._loading if one != name]
        if isinstance(result, Raised):
            problem, reason = result.problem, show(result)
            if isinstance(problem, PartError):  # of a part that this one imports
                raise problem
            last = find_last_line(problem, lambda one: one == file)
            number = last.lineno if last else 1
            if isinstance(problem, SyntaxError):  # whose text names the line again
                reason, number = f"{type(problem).__name__}: {problem.msg}", problem.lineno
            raise PartError(name, number or 1, reason)
        if name not in vars(module):
            raise PartError(name, 1, f"this file defines no {name}")
        self.modules[name] = module
        return module

    @contextmanager
    def _importable(self, module: ModuleType) -> Iterator[None]:
        """Let a file import what else is in the folder, and put back the modules afterwards."""
        names = [module.__name__, *(part.file for part in PARTS.values())]
        before = {one: sys.modules.get(one) for one in names}
        sys.modules[module.__name__] = module  # where a dataclass looks for it
        sys.path.append(place := str(folder.path))
        try:
            yield
        finally:
            if place in sys.path:  # the file may have changed it
                sys.path.remove(place)
            for one, was in before.items():
                sys.modules.pop(one, None)
                if was is not None:
                    sys.modules[one] = was


@cache
def load_package() -> Parts:
    """Return the package's parts."""
    return Parts({})


@cache
def load_solutions() -> Parts:
    """Return our solutions."""
    texts = {name: write_part(name, text) for name, text in read_solutions().items()}
    return Parts(texts, "solutions")


class Store:
    """The learner's program as it is now: one object for each kernel.

    It is one of the places that know what a learner has written. Each alone knows:

    - `newest.RAN`: the cells that ran in this kernel, whether they pass or not;
    - `parts` and `own`: the files at the newest `refresh`, and the names of the learner's parts;
    - `unwritten`: what has passed, and the system could not write into its file;
    - `your_parts.UNSAVED`: what passes, and must not be saved, and which exercises it passes;
    - `your_parts.TRIED`: which texts have passed which exercise, in this kernel;
    - `.checked.json`: the same in all kernels, and each file as the lesson wrote it.
    """

    def __init__(self) -> None:
        self.parts = load_package()
        self.own: list[str] = []
        self.unwritten: dict[str, str] = {}
        self._seen: object = None  # the sizes and times of the files that were read last
        self._is_new = False  # whether they were looked at a moment ago
        self._loaded: deque[Callable[[], None]] = deque(maxlen=KEPT)

    def list_own(self) -> list[str]:
        """Return the names of the parts that are the learner's now."""
        self.refresh()
        return self.own

    def read_own(self, name: str) -> str:
        """Return the cell of a part that is the learner's now, "" if it is not."""
        return read_cell(self.parts.texts[name]) if name in self.list_own() else ""

    def put_back(self) -> None:
        """Undo what cells have changed in the parts: a method, or what is in the body of a class.

        The parts are those of the newest programs, as they were loaded: a name of a notebook can be
        that of an older one.
        """
        self.refresh()
        for put_back in (*self._loaded, *RESET_PACKAGE):
            put_back()

    @contextmanager
    def looked_at_once(self) -> Iterator[None]:
        """Look at the files once and no more: in a browser, each look is 40 ms."""
        self.refresh()
        self._is_new = True
        try:
            yield
        finally:
            self._is_new = False

    def _look(self) -> object:
        """Return what changes with the files. Never raise."""
        seen: list[object] = [folder.path, *self.unwritten.items()]
        for name in PARTS:
            with suppress(OSError):
                status = folder.find_file(name).stat()
                seen.append((name, status.st_mtime_ns, status.st_size))
        return seen

    def look_again(self) -> None:
        """Read the files at the next refresh, also if no size or time has changed."""
        self._seen = None

    def refresh(self) -> None:
        """Read the files if one has changed. One that does not run is said, in one line."""
        if self._is_new or (seen := self._look()) == self._seen:
            return
        self._seen = seen
        texts: dict[str, str] = {}
        unread: dict[str, list[str]] = {}
        for name in PARTS:
            try:
                if text := self.unwritten.get(name) or read_part(name):
                    texts[name] = text
            except OSError as problem:
                unread.setdefault(describe_file_error(problem), []).append(name)
        for said, names in unread.items():
            print(f"The package's {', '.join(names)} {'are' if names[1:] else 'is'} used: {said}")
        parts = Parts(texts)
        while True:
            try:
                made = [getattr(parts, name) for name in texts]
                break
            except PartError as problem:
                print(f"The package's {problem.name} is used, because of {problem}")
                del texts[problem.name]
                parts = Parts(texts)
        self.parts, self.own = parts, [*texts]
        self._loaded.append(save_state(made))
        for module in parts.modules.values():  # where Python looks for the source of a class
            sys.modules[module.__name__] = module


class MyAgent(ModuleType):
    """What a notebook imports: its names are the parts of the newest program, and no more."""

    def __getattr__(self, name: str) -> Any:
        """Return a part. Raise AttributeError, with the names of all parts, for another name."""
        if name in PARTS:
            store.refresh()
        return getattr(store.parts, name)

    def __dir__(self) -> list[str]:
        return [*PARTS]


store = Store()
my_agent = sys.modules["my_agent"] = MyAgent("my_agent", __doc__)  # also for `import my_agent`
store.refresh()
