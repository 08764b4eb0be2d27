"""Read the files of a project as text and as syntax trees, with limits.

A model's programs are only read here, and never run. A file may be anything: a gigabyte, a pipe, a
link to another folder, bytes that are not text, or 10,000 brackets. Such a file is listed without
a text or a tree.

Files over a limit are not judged, because "not done" could be false. The first limits are bytes, so
that a verdict does not depend on the machine. The last one is processor time, for files that are
short and take long.
"""

import ast
import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any

from exerciselib.learners_code import read_work

MAX_BYTES = 100_000  # of a file; the files of the samples have up to 3,000
MAX_ALL_BYTES = 1_000_000  # of all files that are read, programs and pages first
MAX_FILES = 1_000  # those in the folder itself first, then those one folder below
MAX_ENTRIES = 2_000  # of all folders together: a model may have installed something
MAX_SECONDS = 5.0  # of processor time, to judge all steps of a job: ours takes 0.01
MAX_PARTS = 10  # of the path of a file, by which a program or a page can name it
FIRST = (".py", ".md")  # the files that are read first
end_of_work: ContextVar[float] = ContextVar("end_of_work", default=float("inf"))
parsing = Lock()  # Python's list of warning filters belongs to all threads


class NotJudgedError(Exception):
    """Raised if the files are too much for the judges. The message begins with "not judged"."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not judged: {reason}")
        self.reason = reason


@contextmanager
def limited_work() -> Iterator[None]:
    """Give the judges in the block MAX_SECONDS of processor time: see `check_work`."""
    token = end_of_work.set(read_work() + MAX_SECONDS)
    try:
        yield
    finally:
        end_of_work.reset(token)


def check_work() -> None:
    """Raise NotJudgedError if the processor time of the judges is over.

    A judge calls this wherever it reads a tree. (No clock: it would make the verdict depend on what
    else the machine does. No signal: a judge also runs in other threads.)
    """
    if read_work() > end_of_work.get():
        raise NotJudgedError(
            f"to read the files takes more than {MAX_SECONDS:g} seconds of processor time"
        )


@dataclass(frozen=True)
class ProjectFiles:
    """The files of a folder: pairs of a path in it, with slashes, and its text or None.

    `unread` are those whose text is left out because of a limit, and `is_cut` says that the folder
    has more files than are listed. Two folders with the same files are equal, so a verdict on one
    is true for both. A judge keeps in `imports` what each syntax tree imports.
    """

    contents: tuple[tuple[str, str | None], ...]
    unread: frozenset[str] = frozenset()
    is_cut: bool = False
    imports: dict[ast.Module, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Return the text of each file that could be read, by its path."""
        return {name: text for name, text in self.contents if text is not None}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the paths of all files."""
        return frozenset(name for name, _ in self.contents)

    @cached_property
    def suffixes(self) -> frozenset[str]:
        """Return the ends by which the files can be named: `c.py`, `b/c.py` of `a/b/c.py`."""
        return frozenset(end for name in self.names for end in list_ends(name))

    @cached_property
    def modules(self) -> dict[str, str]:
        """Return the file of each module, by the end of its path without the suffix.

        Of several, it is the one with the shortest path.
        """
        files: dict[str, str] = {}
        for name in sorted(self.names, key=lambda name: (-len(name), name)):
            if name.endswith(".py"):
                ends = [end.removesuffix(".py") for end in list_ends(name)]
                ends += [end.removesuffix("/__init__") for end in ends]
                files |= dict.fromkeys(ends, name)
        return files

    def find_limit(self, needed: Iterable[str]) -> str:
        """Return which limit leaves out a program or one of the `needed` files, or "".

        `needed` are paths as a job names them.
        """
        if self.is_cut:
            return (
                f"the folder has more than {MAX_FILES:,} files, or {MAX_ENTRIES:,} with its folders"
            )
        if not self.unread:
            return ""
        left_out = {name for name in self.unread if name.endswith(".py")}
        left_out |= self.unread.intersection(str(PurePosixPath(name)) for name in needed)
        if not left_out:
            return ""
        return (
            f"{min(left_out)} is over a limit, which is {MAX_BYTES:,} bytes for a file and "
            f"{MAX_ALL_BYTES:,} for all of them"
        )

    @cached_property
    def programs(self) -> dict[str, ast.Module]:
        """Return the syntax tree of each Python file that has one, without the tests."""
        return {name: tree for name, tree in self._trees.items() if not is_of_tests(name)}

    @cached_property
    def tests(self) -> dict[str, ast.Module]:
        """Return the syntax tree of each file in which a test runner looks for tests."""
        return {name: tree for name, tree in self._trees.items() if is_test_file(name)}

    @cached_property
    def _trees(self) -> dict[str, ast.Module]:
        texts = {name: text for name, text in self.texts.items() if name.endswith(".py")}
        trees = {name: parse_program(text) for name, text in texts.items()}
        return {name: tree for name, tree in trees.items() if tree is not None}

    def tree(self, name: str) -> ast.Module | None:
        """Return the syntax tree of a file, or None."""
        return self._trees.get(name)


def list_ends(name: str) -> list[str]:
    """Return the ends of a path: `c.py`, `b/c.py` and `a/b/c.py`, and no more than MAX_PARTS."""
    parts = name.split("/")
    return ["/".join(parts[-count:]) for count in range(1, min(len(parts), MAX_PARTS) + 1)]


def read_files(root: Path) -> ProjectFiles:
    """Read the files of a folder and of the folders in it, within the limits."""
    files, is_cut = list_files(root)
    texts: dict[str, str | None] = dict.fromkeys(files)
    left, unread = MAX_ALL_BYTES, set()
    for name in sorted(files, key=lambda name: not name.endswith(FIRST)):
        content = read_bytes(files[name], min(left, MAX_BYTES))
        if content is None:
            continue
        if len(content) > min(left, MAX_BYTES):
            unread.add(name)
            continue
        left -= len(content)
        texts[name] = decode(content)
    return ProjectFiles(tuple(texts.items()), frozenset(unread), is_cut)


def list_files(root: Path) -> tuple[dict[str, str], bool]:
    """Return the regular files of a folder, level by level, and whether there are more of them.

    They are paths, by their names in the folder. Each level is sorted. Hidden files and folders,
    symbolic links, and what Python or an installer makes are left out.
    """
    files: dict[str, str] = {}
    entries, folders = 0, {"": str(root)}
    while folders and entries <= MAX_ENTRIES and len(files) <= MAX_FILES:
        below: dict[str, str] = {}
        for before, folder in folders.items():
            for entry in scan(folder, MAX_ENTRIES + 1 - entries):
                entries += 1
                name = before + entry.name
                if entry.is_file(follow_symlinks=False):
                    files[name] = entry.path
                elif entry.is_dir(follow_symlinks=False) and not is_installed(Path(entry)):
                    below[f"{name}/"] = entry.path
        folders = below
    return dict(islice(files.items(), MAX_FILES)), entries > MAX_ENTRIES or len(files) > MAX_FILES


def scan(folder: str, most: int) -> list[os.DirEntry[str]]:
    """Return the first `most` entries of a folder that are not hidden, sorted."""
    try:
        with os.scandir(folder) as entries:
            visible = (entry for entry in entries if not entry.name.startswith("."))
            return sorted(islice(visible, most), key=lambda entry: entry.name)
    except OSError:  # it cannot be read, or it has just been deleted
        return []


def is_installed(folder: Path) -> bool:
    """Return whether a folder has what Python or an installer makes, and no work."""
    return folder.name in ("__pycache__", "node_modules") or (folder / "pyvenv.cfg").is_file()


def read_bytes(file: str | Path, most: int) -> bytes | None:
    """Return the content of a file, but no more than one byte over `most`; None for an error."""
    try:
        with open(file, "rb") as opened:
            return opened.read(most + 1)
    except OSError:
        return None


def decode(content: bytes) -> str:
    """Return the content of a file as text, with \\n at the end of each line."""
    return content.decode("utf-8-sig", "replace").replace("\r\n", "\n")


@lru_cache(maxsize=512)
def parse_program(text: str) -> ast.Module | None:
    """Return the syntax tree of a program, or None if it has none."""
    try:
        with parsing, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of "\d" in a string, for example
            return ast.parse(text)
    # A null byte is a ValueError, and too many brackets are one of the last two.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_test_file(name: str) -> bool:
    """Return whether unittest or pytest looks for tests in a file of this name."""
    path = PurePosixPath(name)
    return path.suffix == ".py" and (path.stem.startswith("test") or path.stem.endswith("_test"))


def is_of_tests(name: str) -> bool:
    """Return whether a file belongs to the tests: it has tests, or helps them."""
    path = PurePosixPath(name)
    folders = {"test", "tests"} & set(path.parts[:-1])
    return is_test_file(name) or bool(folders) or path.name == "conftest.py"
