"""Find the saved notebooks of a class, and which student each is from."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from ...copy_lesson import lesson_notebooks

# A student's mark, the name of one of the lesson's notebooks, and the number of a copy, as in
# "Ada_4711_s04_exercises (1)" and "s04_exercises-Copy1".
STEMS = "|".join(re.escape(Path(name).stem) for name in lesson_notebooks())
NAMED = re.compile(rf"(.*?)[ _.-]*(?:{STEMS})(?:[ _().-]|\d|[Cc]opy)*")


def find_students(given: Iterable[str]) -> dict[str, list[Path]]:
    """Return the notebooks at these paths, files or folders, by the student's name.

    A folder has a folder for each student, or files whose names begin with the student's mark.
    """
    homes: dict[Path, list[Path]] = defaultdict(list)
    for place in map(Path, given):
        for path in list_notebooks(place):
            homes[find_home(path, place)].append(path)
    shared = os.path.commonpath([home.parent for home in homes]) if homes else ""
    return {str(home.relative_to(shared)): sorted(paths) for home, paths in sorted(homes.items())}


def list_notebooks(place: Path) -> list[Path]:
    """Return the notebook at `place`, or all below it, but nothing hidden and no `solutions`.

    In a folder that contains no notebook itself, `solutions` is a student. No link to a folder is
    followed. Links to files are returned, for read_cells to reject.
    """
    if place.is_symlink() or not place.is_dir():
        return [place]
    found: list[Path] = []
    for root, folders, files in os.walk(place):
        here = [Path(root, name) for name in files if re.fullmatch(r"(?i)[^.].*\.ipynb", name)]
        is_class = Path(root) == place and not here
        left_out = () if is_class else ("solutions",)
        folders[:] = [name for name in folders if name[0] != "." and name not in left_out]
        found += here
    return found


def find_home(path: Path, place: Path) -> Path:
    """Return the student's folder, directly in `place`, or the folder with the student's mark."""
    inside = path.relative_to(place).parts
    if len(inside) > 1:
        return place.absolute() / inside[0]
    named = NAMED.fullmatch(path.stem)
    return path.absolute().parent / (named[1] if named else path.stem)
