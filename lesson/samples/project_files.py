"""The files of a project as text and as syntax trees, read with limits.

What a model has written is only read here, and never run. A file may be anything: a gigabyte, a
pipe, a link to another folder, bytes that are no text, or 10,000 brackets. Such a file is there,
but has no text or no tree, and a step that needs it is not done.
"""

import ast
import os
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath
from threading import Lock

MAX_BYTES = 100_000  # of a file; the files of the samples have up to 3,000
MAX_FILES = 200  # those in the folder itself first, then those one folder below
MAX_ENTRIES = 2_000  # of all folders together: a model may have installed something
parsing = Lock()  # Python's list of warning filters belongs to all threads


@dataclass(frozen=True)
class ProjectFiles:
    """The files of a folder: pairs of a path in it, with slashes, and its text or None.

    Two folders with the same files are equal, so what is found out about one is true for both.
    """

    contents: tuple[tuple[str, str | None], ...]

    @cached_property
    def texts(self) -> dict[str, str]:
        """Return the text of each file that could be read, by its path."""
        return {name: text for name, text in self.contents if text is not None}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the paths of all files."""
        return frozenset(name for name, _ in self.contents)

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
        found = {
            name: parse_program(text) for name, text in self.texts.items() if name.endswith(".py")
        }
        return {name: tree for name, tree in found.items() if tree is not None}

    def tree(self, name: str) -> ast.Module | None:
        """Return the syntax tree of a file, or None."""
        return self._trees.get(name)


def read_files(root: Path) -> ProjectFiles:
    """Read the files of a folder and of the folders in it."""
    files = list_files(root)
    return ProjectFiles(
        tuple((file.relative_to(root).as_posix(), read_text(file)) for file in files)
    )


def list_files(root: Path) -> list[Path]:
    """Return the regular files of a folder, level by level, each level sorted.

    Hidden files and folders, symbolic links, and what Python or an installer makes are left out.
    """
    found: list[Path] = []
    entries, folders = 0, [root]
    while folders and entries < MAX_ENTRIES and len(found) < MAX_FILES:
        below: list[Path] = []
        for folder in folders:
            for entry in scan(folder, MAX_ENTRIES - entries):
                entries += 1
                if entry.is_file(follow_symlinks=False):
                    found.append(Path(entry))
                elif entry.is_dir(follow_symlinks=False) and not is_installed(Path(entry)):
                    below.append(Path(entry))
        folders = below
    return found[:MAX_FILES]


def scan(folder: Path, most: int) -> list[os.DirEntry[str]]:
    """Return those of the first `most` entries of a folder that are not hidden, sorted."""
    try:
        with os.scandir(folder) as entries:
            visible = [one for one in islice(entries, most) if not one.name.startswith(".")]
    except OSError:  # it cannot be read, or it has just been deleted
        return []
    return sorted(visible, key=lambda entry: entry.name)


def is_installed(folder: Path) -> bool:
    """Return whether a folder has what Python or an installer makes, and no work."""
    return folder.name in ("__pycache__", "node_modules") or (folder / "pyvenv.cfg").is_file()


def read_text(file: Path) -> str | None:
    """Return the text of a file, or None if it is too large or cannot be read."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError:
        return None
    if len(content) > MAX_BYTES:
        return None
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
