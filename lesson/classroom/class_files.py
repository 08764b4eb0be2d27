"""Find what learners have handed in, or share in the folder of a class: whose is which file."""

import os
import re
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from .progress import CLASS, FILE, Progress, read_progress

MOST_FILES = 100_000  # in all: a class has some ten for each learner
MOST_OF_ONE = 20  # in the folder of a class, where a learner has one for each lesson folder
DEEPEST = 4  # folders below a learner's: my_lesson in a folder of the platform's in one of nbgrader
STEM, NAME = Path(FILE).stem, r"s0\d[a-z]?_[a-z_]+"  # of a sheet, and of a notebook with exercises
AGAIN = r"(?: ?\(\d+\)|-\d+)?"  # the second download of a browser, and of Canvas
# Google Drive has " - " behind a name.
SHEET = re.compile(rf"(?:(.*)(?:_| - ))?{STEM}{AGAIN}\.json", re.S)
NOTEBOOK = re.compile(rf"(?:(.*)(?:_| - ))?{NAME}{AGAIN}\.ipynb", re.S)
COPY = re.compile(r"[0-9a-f]{16}\.json")  # a file of LESSON_CLASS that was copied elsewhere
PACKED = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz")
# What Moodle and Canvas put behind a name: Ada Lovelace_123_assignsubmission_file, adal_123_4567.
# The first number is the learner's, and the second one that of each file.
LATE, OF_A_FILE = "_(?:LATE_)?", r"_(?:assignsubmission_\w+?_?|\d+)"
PLATFORMS = [
    re.compile(rf"(?P<name>.+?){LATE}(?P<number>\d+){OF_A_FILE}", re.S),
    # Blackboard: Homework 1_ada_attempt_2026-10-05-14-30-00.
    re.compile(r"(?P<number>.+)_(?P<name>[^_]+)_attempt_[\d-]+", re.S),
    # Brightspace: 123-4567 - Ada Lovelace - Oct 5, 2026 230 PM.
    re.compile(r"(?P<number>\d+)-\d+ - (?P<name>.+) - [^-]*\d{4}[^-]*", re.S),
]
# The same for nbgrader's `zip_collect`: see lesson/classroom/nbgrader_config.py.
STUDENT = rf"(?P<student_id>[^/]+?)(?:{LATE}\d+{OF_A_FILE})?"
COLLECTED = rf".*/(?!extracted/){STUDENT}[_/](?P<file_id>{NAME}|{STEM})"


def read_class(
    folder: Path, since: date | None, skipped: Counter[str]
) -> dict[str, Progress | None]:
    """Read the folder of a class, or one of handed-in work. Return each learner's sheet by name.

    It is None for who has handed in no sheet. What is no file of a learner's is not opened, and
    counted in `skipped` by its reason, and so is one without a day from `since` on.
    """
    find = find_shared if is_shared(folder) else find_handed_in
    newest: dict[str, tuple[tuple[Any, ...], Progress]] = {}
    others: set[str] = set()  # who has a folder or a notebook
    packed: set[str] = set()
    sheets: set[str] = set()
    for who, path in find(folder, skipped):
        if path.suffix != ".json":
            (packed if path.suffix.lower() in PACKED and path.is_file() else others).add(who)
            continue
        sheets.add(who)
        try:
            known, status = read_progress(path)
        except (OSError, ValueError) as problem:
            skipped["not readable" if isinstance(problem, OSError) else str(problem)] += 1
            continue
        days = [one.day for one in (*known.exercises.values(), *known.guesses.values())]
        # Who has not begun has a file without a day.
        last = max(days, default=date.fromtimestamp(status.st_mtime))
        if since and last < since:
            skipped[f"from before {since}"] += 1
            continue
        # Not first by the file's time, which is that of a copy. A pass is never taken away.
        passed = sum(not one.rule for one in known.exercises.values())
        found = (last, passed, len(days), status.st_mtime), known
        if who in newest:
            skipped["of a learner with another one, which counts"] += 1
        newest[who] = max(newest.get(who, found), found, key=lambda one: one[0])
    marks = Counter(known.copy_name for _, known in newest.values())
    if same := sum(many for many in marks.values() if many > 1):
        skipped["with the mark of another (a folder was handed on), which are counted"] += same
    if unread := packed - sheets:
        skipped["in a packed file, such as .zip: unpack it first"] += len(unread)
    if without := others - sheets - packed:
        skipped[f"without {FILE}"] += len(without)
    sheet_of = {who: known for who, (_, known) in newest.items()}
    return {who: sheet_of.get(who) for who in sorted({*sheet_of, *others})}


def is_shared(folder: Path) -> bool:
    """Return whether this is the folder of a class: everybody can write in it."""
    is_named = os.path.realpath(folder) == os.path.realpath(os.environ.get(CLASS) or "/")
    return is_named or bool(folder.stat().st_mode & stat.S_IWOTH)


def find_shared(folder: Path, skipped: Counter[str]) -> Iterator[tuple[str, Path]]:
    """Yield each file in the folder of a class with its owner: anybody can take a file's name.

    A folder is nobody's work there: anybody can make one with any name. Of one account, only the
    newest files are read: so nobody can hide the others behind many.
    """
    of_owner: dict[str, list[tuple[float, Path]]] = defaultdict(list)
    for path in list_folder(folder, skipped, Counter()):
        if path.suffix == ".json":
            with suppress(FileNotFoundError):
                status = path.lstat()
                of_owner[name_owner(status)].append((status.st_mtime, path))
        elif path.is_dir():
            skipped["folders, because everybody can write here"] += 1
    for who, found in of_owner.items():
        found.sort(reverse=True)
        for _, path in found[:MOST_OF_ONE]:
            yield who, path
        if more := found[MOST_OF_ONE:]:
            skipped[f"above {MOST_OF_ONE} of one account"] += len(more)


def find_handed_in(folder: Path, skipped: Counter[str]) -> Iterator[tuple[str, Path]]:
    """Yield a learner's name with each folder, sheet, notebook and packed file that has it."""
    seen: Counter[str] = Counter()
    names: dict[str, str] = {}
    for path in list_folder(folder, skipped, seen):
        if path.is_dir() and not path.is_symlink():
            who = clean_name(path.name, names)
            yield who, path
            for one in walk(path, skipped, seen):
                if SHEET.fullmatch(one.name) or one.suffix.lower() in PACKED:
                    yield who, one
        elif found := SHEET.fullmatch(path.name) or NOTEBOOK.fullmatch(path.name):
            yield clean_name(found[1] or folder.resolve().name, names), path
        elif path.suffix.lower() in PACKED:
            yield path.name, path
        elif COPY.fullmatch(path.name):  # its owner is who copied it
            yield path.stem, path
        elif path.suffix == ".json":
            skipped["with another name"] += 1


def walk(folder: Path, skipped: Counter[str], seen: Counter[str], deep: int = 1) -> Iterator[Path]:
    """Yield the files in a folder and those below it. A link to a folder is none."""
    for path in list_folder(folder, skipped, seen):
        if path.is_symlink() or not path.is_dir():
            yield path
        elif path.name in ("my_agent", "solutions", "made"):
            continue  # three folders of the lesson's
        elif deep < DEEPEST:
            yield from walk(path, skipped, seen, deep + 1)
        else:
            skipped["with folders that are too deep"] += 1


def list_folder(folder: Path, skipped: Counter[str], seen: Counter[str]) -> list[Path]:
    """Return what is in a folder, or nothing of one that may not be listed, which is counted.

    Raise OSError only for the first folder of all: then nothing can be shown.
    """
    is_first = not seen
    seen["all"] += 1
    found: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for one in entries:
                if seen["all"] > MOST_FILES:
                    skipped[f"or more, because {MOST_FILES} were read before"] += 1
                    break
                seen["all"] += 1
                if one.name.startswith(("._", "__MACOSX")):
                    skipped["of macOS (._…), which have no work"] += 1
                elif not one.name.startswith("."):  # such as a folder of JupyterLab's
                    found.append(Path(one))
    except OSError:
        if is_first:
            raise
        skipped["with a folder that you may not list"] += 1
    return sorted(found)


def clean_name(name: str, names: dict[str, str]) -> str:
    """Return the learner's name in that of a folder or file of a platform.

    `names` has the platform's number of each: of two learners of one name, it tells the second.
    """
    found = next(filter(None, (one.fullmatch(name) for one in PLATFORMS)), None)
    short, number = (found["name"], found["number"]) if found else (name, "")
    return short if names.setdefault(short, number) == number else f"{short}_{number}"


def name_owner(status: os.stat_result) -> str:
    """Return the account that owns a file: a file's name may be taken by somebody else first."""
    try:
        import pwd  # Windows has none

        return pwd.getpwuid(status.st_uid).pw_name
    except (ImportError, KeyError):
        return f"user {status.st_uid}"
