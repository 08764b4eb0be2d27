"""Find the saved notebooks of a class, and which student each is from."""

import hashlib
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...terminal.copy_lesson import lesson_notebooks
from .notebooks import Checked, Notebook, check_notebook, choose_exercises, find_cells, read_cells

# A student's mark, the name of one of the lesson's notebooks, and the number of a copy, as in
# "Ada_4711_exercises (1)" and "exercises-Copy1".
STEMS = "|".join(re.escape(Path(name).stem) for name in [*lesson_notebooks(), "my_lesson"])
NAMED = re.compile(rf"(.*?)[ _.-]*(?:{STEMS})(?:[ _().-]|\d|[Cc]opy)*")


@dataclass
class Student:
    """A student's `name`, notebooks, and what the cells of each exercise are, as a short code."""

    name: str
    paths: list[Path]
    codes: dict[str, set[str]] = field(default_factory=dict)

    def read(self) -> None:
        """Read the exercises' cells. Leave out notebooks without exercises, if others have some."""
        found = {}
        for path in self.paths:
            found[path] = read_codes(path)
            for exercise, code in (found[path] or {}).items():
                self.codes.setdefault(exercise, set()).add(code)
        if self.codes:
            self.paths = [path for path in self.paths if found.get(path) != {}]

    def check(self) -> list[Notebook]:
        """Check the student's notebooks."""
        return [check_notebook(path) for path in self.paths]


def read_codes(path: Path) -> dict[str, str] | None:
    """Return a code for each exercise's cells, by its name; None if they cannot be read.

    Equal cells have equal codes. Whitespace does not count.
    """
    try:
        cells = read_cells(path)
        sources = {one.name: find_cells(one, cells) for one in choose_exercises(cells)}
    except Exception:  # the check of this notebook says which
        return None
    texts = {name: "".join("".join(source).split()) for name, source in sources.items()}
    return {
        name: hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:4]
        for name, text in texts.items()
    }


def find_students(given: Iterable[str]) -> list[Student]:
    """Return the students whose notebooks are at these paths, files or folders."""
    homes: dict[Path, set[Path]] = defaultdict(set)
    for text in given:
        place = Path(text)
        paths = list_notebooks(place)
        for path, home in zip(paths, find_homes(paths, place), strict=True):
            homes[home.absolute()].add(path)
    if not homes:
        return []
    shared = os.path.commonpath([home.parent for home in homes])
    return [
        Student(str(home.relative_to(shared)), sorted(paths))
        for home, paths in sorted(homes.items())
    ]


def list_notebooks(place: Path) -> list[Path]:
    """Return the notebook at `place`, or all below it, but nothing hidden and no `solutions`.

    A link to a folder is returned itself, as are links to files: nobody follows them.
    """
    links = [one for one in (place, place.parent, place.parent.parent) if one.is_symlink()]
    if links or not place.is_dir():
        return links[-1:] or [place]
    found: list[Path] = []
    for root, folders, files in os.walk(place):
        folders[:] = [name for name in folders if name[0] != "." and name != "solutions"]
        names = [name for name in folders if Path(root, name).is_symlink()]
        names += [name for name in files if name.endswith(".ipynb") and name[0] != "."]
        found += [Path(root, name) for name in names]
    return sorted(found)


def find_homes(paths: Sequence[Path], place: Path) -> list[Path]:
    """Return for each notebook the student's folder, or in a flat folder the student's mark.

    Below `place`, a folder with one of the lesson's notebooks, or with a single notebook, is a
    student's, with all folders in it; `my_lesson` belongs to the folder around it.
    """
    owned = {home_of(path) for path in paths if not mark_of(path)}
    counts = Counter(map(home_of, paths))
    owned |= {home for home, count in counts.items() if count == 1}
    owned = {home for home in owned if place in home.parents}
    homes = []
    for path in paths:
        home = home_of(path)
        above = [one for one in (home, *home.parents) if one in owned]
        homes.append(above[-1] if above else home / mark_of(path))
    return homes


def home_of(path: Path) -> Path:
    """Return the folder of a notebook, without `my_lesson`."""
    return path.parent.parent if path.parent.name == "my_lesson" else path.parent


def mark_of(path: Path) -> str:
    """Return the name of a notebook without the lesson's name; "" if nothing else is in it."""
    found = NAMED.fullmatch(path.stem)
    return found[1] if found else path.stem


def choose_best(notebooks: Sequence[Notebook], name: str) -> tuple[Checked | None, str]:
    """Return a student's best result of an exercise, and its file if there are several."""
    found = [
        (one, notebook.path)
        for notebook in notebooks
        for one in notebook.checked
        if one.exercise.name == name
    ]
    if not found:
        return None, ""
    best, path = max(found, key=lambda pair: (pair[0].ok, pair[0].passed))
    return best, Path(path).name if len(found) > 1 else ""
