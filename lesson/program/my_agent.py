"""The module `my_agent` that a notebook imports: the parts of the learner's program.

    from lesson import my_agent

    loop = my_agent.agent_loop

A part that the learner has not written yet is agentlib's. The files are read again when one has
changed, so a part that another notebook has saved is here at its next use. `Parts` loads a program
from the texts of its files, and `Store` follows the learner's files.
"""

import linecache
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from types import ModuleType
from typing import Any, NamedTuple

from agentlib import Nag, TodoManager
from exerciselib.learners_code import Raised, attempt, find_last_line, read_members, split_code
from exerciselib.restore import reset, save_state
from exerciselib.show_value import show

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS, read_cell
from ..common.solutions import IN_AGENTLIB, read_first_nag, read_solutions
from ..samples.copies import deleting
from . import folder
from .cells import BUILTINS, parse_section
from .folder import FOLDER, hash_text, imports, read_part, replace_part, write_part

CODE = f"<{FOLDER}/"  # prefix of the file name that Python knows a part's code by
START_SECONDS = 10.0  # of processor time, to define a part: ours takes 0.01, an import 2
MOST_LOADED = 20  # programs of which `put_back` undoes changes: a notebook saves fewer parts
# A cell can also change the package's classes: `MyNag.reminder = …`, without a MyNag of its own.
RESET_PACKAGE = [partial(reset, part, read_members(part)) for part in (TodoManager, Nag)]


class PartError(ValueError):
    """Raised if the file of a part does not run, with the name, the line and the reason."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        self.name, self.line, self.reason = name, line, reason
        super().__init__(f"line {line} of {folder.show_file(name)}: {reason}")


class Parts:
    """The parts of one program, made from the texts of their files when they are first used."""

    def __init__(
        self, texts: Mapping[str, str], home: str = FOLDER, names: Mapping[str, Any] | None = None
    ) -> None:
        """Take the texts of files by part. A part without a text is agentlib's.

        `home` names the program in messages. `names` are values that each text can use.
        """
        self.texts = {name: f"{part.start}\n" for name, part in PARTS.items()} | dict(texts)
        self.home, self.names = home, names or {}
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
        vars(module).update(self.names, __file__=file, __builtins__=BUILTINS)

        def execute() -> None:
            if name in self._loading:
                raise ImportError(f"{' and '.join(self._loading)} import each other")
            self._loading.append(name)
            parse_section(text)  # also raises SyntaxError for bytes that are not text
            for other in PARTS:
                if imports(text, other):
                    sys.modules[PARTS[other].file] = self.load(other)
            exec(compile(text, file, "exec"), vars(module))

        with self._importable(module), deleting():
            result, _ = attempt(execute, START_SECONDS)
        self._loading = [other for other in self._loading if other != name]
        if isinstance(result, Raised):
            raise explain_failure(name, file, result)
        if name not in vars(module):
            raise PartError(name, 1, f"this file defines no {name}")
        self.modules[name] = module
        return module

    @contextmanager
    def _importable(self, module: ModuleType) -> Iterator[None]:
        """Let a file import what else is in the folder, and put back the modules afterwards."""
        names = [module.__name__, *(part.file for part in PARTS.values())]
        before = {name: sys.modules.get(name) for name in names}
        sys.modules[module.__name__] = module  # where a dataclass looks for it
        sys.path.append(place := str(folder.path))
        try:
            yield
        finally:
            if place in sys.path:  # the file may have changed it
                sys.path.remove(place)
            for name, imported in before.items():
                sys.modules.pop(name, None)
                if imported is not None:
                    sys.modules[name] = imported


def explain_failure(name: str, file: str, raised: Raised) -> PartError:
    """Return why the code of a part did not run, with the number of its line in `file`."""
    problem, reason = raised.problem, show(raised)
    if isinstance(problem, PartError):  # raised by a part that this one imports
        return problem
    last = find_last_line(problem, lambda line_file: line_file == file)
    number = last.lineno if last else 1
    if isinstance(problem, SyntaxError):  # its own text would name the line a second time
        reason, number = f"{type(problem).__name__}: {problem.msg}", problem.lineno
    return PartError(name, number or 1, reason)


@cache
def load_solutions() -> Parts:
    """Return our solutions: those of agentlib are its own objects."""
    cells = {name: cell for name, cell in read_solutions().items() if name not in IN_AGENTLIB}
    return Parts({name: write_part(name, cell) for name, cell in cells.items()}, "solutions")


@cache
def load_plain_nag() -> Any:
    """Return the class of our solution of E4: a nag whose reminder does not show the list."""
    nag = Parts({"MyNag": f"{read_first_nag()}\n"}, "solutions").MyNag
    nag.__name__ = nag.__qualname__ = "PlainNag"
    return nag


class Unsaved(NamedTuple):
    """A part that passes its check and must not be saved. Only this notebook plays it."""

    part: Any
    cell: str
    exercises: list[str]  # those that it passes


class Store:
    """The learner's program, as this kernel has it.

    `parts` is made from the files in the folder `my_agent`, which are read again when one has
    changed, and `own` are the names of the parts in it that the learner has written. What passes
    its check and is in no file is kept here until the kernel ends: in `unwritten`, which `parts`
    uses in place of the files, if the system could not write it, and in `unsaved` if the cell
    cannot be a file. Which exercises a file passes is not kept here: `.checked.json` beside the
    files notes that for all kernels.
    """

    def __init__(self) -> None:
        self.parts = load_solutions()
        self.own: list[str] = []
        self.unwritten: dict[str, str] = {}  # the text of the file, by the part's name
        self.unsaved: dict[str, Unsaved] = {}
        self._state: object = None  # of the files when they were read: their sizes and times
        self._is_fresh = False  # whether the files were looked at a moment ago
        self._undo: deque[Callable[[], None]] = deque(maxlen=MOST_LOADED)

    def list_own(self) -> list[str]:
        """Return the names of the parts that are the learner's now."""
        self.refresh()
        return self.own

    def read_own(self, name: str) -> str:
        """Return the cell of a part that is the learner's now, or ""."""
        return read_cell(self.parts.texts[name]) if name in self.list_own() else ""

    def write(self, name: str, text: str, old: str) -> str | None:
        """Make a text the file of a part, as `replace_part` does. Raise OSError.

        If the system does not write it, this kernel uses the text all the same.
        """
        try:
            message = replace_part(name, text, old)
        except OSError:
            self.unwritten[name] = text
            raise
        if message is not None:
            self.unwritten.pop(name, None)
            self._state = None  # the new file may have the old one's size and time
        return message

    def put_back(self) -> None:
        """Undo what cells have changed in the parts: a method, or an attribute of a class.

        A name of a notebook can still be a part of an older program, so the newest programs are
        put back, each as it was loaded.
        """
        self.refresh()
        for undo in (*self._undo, *RESET_PACKAGE):
            undo()

    @contextmanager
    def looked_at_once(self) -> Iterator[None]:
        """Look at the files now, and not again inside: in a browser, each look takes 40 ms."""
        self.refresh()
        self._is_fresh = True
        try:
            yield
        finally:
            self._is_fresh = False

    def refresh(self) -> None:
        """Read the files if one has changed. Print a line for each that cannot be used."""
        if self._is_fresh or (state := self._look()) == self._state:
            return
        self._state = state
        texts = self._read_texts()
        parts = Parts(texts)
        while True:
            try:
                loaded = [getattr(parts, name) for name in texts]
                break
            except PartError as problem:
                print(f"agentlib's {problem.name} is used, because of {problem}")
                del texts[problem.name]
                parts = Parts(texts)
        self.parts, self.own = parts, [*texts]
        self._undo.append(save_state(loaded))
        for module in parts.modules.values():  # where Python looks for the source of a class
            sys.modules[module.__name__] = module

    def _look(self) -> object:
        """Return what changes whenever a file does. Never raise."""
        state: list[object] = [folder.path, *self.unwritten.items()]
        for name in PARTS:
            with suppress(OSError):
                status = folder.find_file(name).stat()
                state.append((name, status.st_mtime_ns, status.st_size))
        return state

    def _read_texts(self) -> dict[str, str]:
        """Return the text of each part that the learner has written. Print what is not readable."""
        texts: dict[str, str] = {}
        unread: dict[str, list[str]] = {}  # the names of parts, by the error
        for name in PARTS:
            try:
                if text := self.unwritten.get(name) or read_part(name):
                    texts[name] = text
            except OSError as problem:
                unread.setdefault(describe_file_error(problem), []).append(name)
        for error, names in unread.items():
            print(f"agentlib's {', '.join(names)} {'are' if names[1:] else 'is'} used: {error}")
        return texts


class NotebookModule(ModuleType):
    """What a notebook imports. Its names are the parts of the newest program, and nothing else."""

    def __getattr__(self, name: str) -> Any:
        """Return a part. Raise AttributeError, with the names of all parts, for another name."""
        if name in PARTS:
            store.refresh()
        return getattr(store.parts, name)

    def __dir__(self) -> list[str]:
        return [*PARTS]


store = Store()
my_agent = NotebookModule("my_agent", __doc__)
sys.modules["my_agent"] = my_agent  # for `import my_agent`
store.refresh()
