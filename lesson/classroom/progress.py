"""Keep where a learner is, in one small file beside their program: `my_progress.json`.

It has which exercises pass, at which rule the last try of each other one is (or with which error
its cell ends), and the first answer to each guess, each with its day. It has no code, no text, no
name and no count of tries. A teacher who may read it can draw a class of it
(`board.py`). In a folder that an administrator names in LESSON_CLASS, each learner
has a copy, which only they and the folder's group can read.
"""

import hashlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path

from pydantic import BaseModel, Field, StrictInt

from exerciselib.feedback import Result
from exerciselib.page import PAGES
from safetylib.guard.files import exclusive, open_without_waiting, write_atomically

from ..common.file_errors import describe_file_error
from ..common.guesses import GUESSES
from ..common.parts import PARTS, read_cell
from ..common.solutions import read_first_loop, read_given
from ..kernel.watching import is_watched
from ..program import folder
from ..program.cells import hash_code

FILE, ENDED = "my_progress.json", ".my_progress_ended"
CLASS = "LESSON_CLASS"
MOST_BYTES = 20_000  # five times what a file with every exercise and every guess has
NO_LEARNER = ("NBGRADER_EXECUTION", "PYTEST_VERSION")  # who grades, and who tests
FIRST = (
    "From now on, {} beside your program keeps which exercises pass, at which rule the others are, "
    "and your first guesses: no code, no text, no name.{} `from lesson import forget_progress` "
    "and `forget_progress()` delete it and end this."
)
NO_COPY = (
    "No copy of it was found in the folder of the class. If there is one, your teacher still sees "
    "it: ask them to delete the file of your account there."
)
NOT_YOURS = (
    "This folder has a {} of somebody else, so yours begins now: what passed before is in no count."
)
SHARED = " Your teacher can read it, and sees the name of your account."


class Try(BaseModel):
    """The last try of an exercise: the rule that fails, or "" if all pass.

    If the cell has ended with an error, it is the name of that, such as "SyntaxError". `sentence`
    is the digest of the page's sentence that was read, or "" if that was another one.
    """

    rule: str = Field(pattern=r"^\w{0,40}$")
    sentence: str = Field("", pattern=r"^[0-9a-f]{0,8}$")
    day: date = Field(default_factory=date.today)


class Answer(BaseModel):
    """The first answer to a guess."""

    value: StrictInt = Field(ge=0, le=99_999)
    day: date = Field(default_factory=date.today)


class Progress(BaseModel):
    """What the file has. `copy_name` is a name that nobody else can know."""

    exercises: dict[str, Try] = {}
    guesses: dict[str, Answer] = {}
    copy_name: str = Field(default_factory=lambda: secrets.token_hex(8), pattern="^[0-9a-f]{16}$")

    def find_copy(self) -> Path | None:
        """Return the path of the copy in the folder of the class, if there is such a folder."""
        folder = os.environ.get(CLASS, "")
        return Path(folder, f"{self.copy_name}.json") if os.path.isdir(folder) else None


def keep_try(exercise: str, result: Result, text: str | None = None) -> str:
    """Note the last try of an exercise. Return what a learner must know, the first time.

    `text` is that of the cell. Given code that was only run is no try. A rule of an earlier
    exercise on the same part is a try of that one, until that passes.
    """
    if not (result.ok or (result.rule and result.title)):
        return ""  # nothing was tried, or the check itself has failed
    if not result.ok and not (
        result.is_written and not is_given(result.name, result.level, text or "")
    ):
        return change(lambda known: None)  # the learner is there, and has not begun
    new = Try(rule="") if result.ok else Try(rule=result.rule, sentence=find_sentence(result))
    earlier = result.exercise
    return change(lambda known: note(known, earlier or exercise, new) or note(known, exercise, new))


def keep_error(exercise: str, kind: str) -> str:
    """Note that the cell of an exercise ended with an error of this kind, such as SyntaxError.

    Return what a learner must know, the first time.
    """
    levels = next(
        one.levels for one in PARTS.values() if exercise in {e.exercise for e in one.levels}
    )
    earlier, new = levels[0].exercise, Try(rule=kind)  # they have one cell
    return change(lambda known: note(known, earlier, new) or note(known, exercise, new))


def note(known: Progress, exercise: str, new: Try) -> bool:
    """Note a try, unless the exercise passes already: that is in the program. Return whether."""
    is_open = not new.rule or known.exercises.get(exercise, new).rule != ""
    if is_open:
        known.exercises[exercise] = new
    return is_open


def is_given(name: str, level: str, text: str) -> bool:
    """Return whether a cell has what the learner began with, and nothing of this exercise yet."""
    given = [read_given(name)]
    if level:  # which goes on with the code of the exercise before it
        given += [read_first_loop()] if name == "agent_loop" else []
        with suppress(OSError):
            given.append(read_cell(folder.read_part(name)))
    return hash_code(read_cell(text)) in map(hash_code, filter(None, given))


def keep_guess(name: str, value: object) -> str:
    """Note the first answer to a guess of the lesson. Return what a learner must know."""
    text = str(value).strip()
    if name not in GUESSES or not re.fullmatch(r"\d{1,5}", text, re.A):
        return ""
    answer = Answer(value=int(text))
    return change(lambda known: known.guesses.setdefault(name, answer))


def change(note: Callable[[Progress], object]) -> str:
    """Read the file, change it, and write it whole, if a learner works here on a page.

    What the system refuses is left undone. Return what a learner must know if the file is new.
    """
    path = folder.path.with_name(FILE)
    has_learner = is_watched() and not any(name in os.environ for name in NO_LEARNER)
    if not has_learner or sys.platform == "emscripten":
        return ""
    shared, is_others = "", False
    try:
        with exclusive(path):
            if os.path.lexists(path.with_name(ENDED)):
                return ""
            known = Progress()
            is_first = not os.path.lexists(path)
            with suppress(ValueError, OSError):
                known = read_progress(path)[0]
            before = known.model_copy(deep=True)
            note(known)
            data = known.model_dump_json(indent=1).encode()
            if is_first or known != before:
                write_atomically(path, data, mode=0o600)
            if copy := known.find_copy():
                is_new = not os.path.lexists(copy)
                try:
                    write_atomically(copy, data, mode=0o640)
                    # It is also said of a folder of the class that is made later.
                    is_first, shared = is_first or is_new, SHARED
                except PermissionError:
                    if is_others := is_of_another(copy):  # otherwise, both would be one learner
                        path.unlink()
                except OSError:
                    pass  # the folder of the class may be full
    except OSError:
        return ""
    if is_others:
        return f"{NOT_YOURS.format(FILE)} {change(note)}"
    return FIRST.format(FILE, shared) if is_first else ""


def is_of_another(file: Path) -> bool:
    """Return whether a file is another account's."""
    with suppress(OSError, AttributeError):  # Windows has no accounts by number
        return file.lstat().st_uid != os.geteuid()
    return False


def forget_progress() -> None:
    """Delete `my_progress.json` and its copy in the folder of the class, and write none again.

    Only the file has the name of its copy. If no copy is found by it, say so.
    """
    path, copy, is_found = folder.path.with_name(FILE), None, False
    try:
        with exclusive(path):  # another notebook may be writing both
            path.with_name(ENDED).touch()
            with suppress(ValueError, FileNotFoundError):
                copy = read_progress(path)[0].find_copy()
            path.unlink(missing_ok=True)
            if copy:
                with suppress(FileNotFoundError, PermissionError):  # there is none, or another's
                    copy.unlink()
                    is_found = True
        print(f"{FILE} is deleted, and none is written again until you delete {ENDED}.")
        if os.environ.get(CLASS) and not is_found:
            print(NO_COPY)
    except OSError as problem:
        print(f"{FILE} was not deleted: {describe_file_error(problem)}")


def read_progress(path: Path) -> tuple[Progress, os.stat_result]:
    """Return what is in a file, perhaps of somebody else, and its status.

    A link, a pipe or a large file is not opened. Raise OSError, or ValueError with the reason.
    """
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        raise ValueError("links or pipes")
    if status.st_size > MOST_BYTES:
        raise ValueError("too large")
    with open(path, "rb", opener=open_no_link) as opened:
        data, status = opened.read(MOST_BYTES), os.fstat(opened.fileno())
    try:
        return Progress.model_validate_json(data), status
    except ValueError:
        raise ValueError("broken") from None


def open_no_link(path: str, flags: int) -> int:
    """Open a file for `open`, if it is no link."""
    return open_without_waiting(path, flags | getattr(os, "O_NOFOLLOW", 0))


def digest(sentence: str) -> str:
    return hashlib.sha256(sentence.encode()).hexdigest()[:8]


def find_sentence(result: Result) -> str:
    """Return the digest of the page's sentence that a learner has read, or "" for another one.

    The sentence itself may have words of the learner's code in place of the page's {names}.
    """
    for sentence in PAGES[result.name].sentences:
        words = re.sub(r"\\\{\w+\\\}", ".*", re.escape(sentence))
        if re.fullmatch(words, result.cause, re.S):
            return digest(sentence)
    return ""
