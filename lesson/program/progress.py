"""Keep where a learner is, in one small file beside their program: `my_progress.json`.

It has which exercises pass, at which rule the last try of each other one is, and the first answer
to each guess, each with its day. It has no code, no text, no name and no count of tries. A teacher
who may read it can draw a class of it (`lesson/widgets/board.py`). In a folder that an
administrator names in LESSON_CLASS, each learner has a copy, which only they and the folder's group
can read.
"""

import hashlib
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from exerciselib.feedback import Result
from exerciselib.page import PAGES
from safetylib.files import open_regular, write_atomically

from ..common.file_errors import describe_file_error
from ..common.guesses import GUESSES
from ..common.parts import PARTS
from ..common.watching import is_watched
from . import file

FILE, ENDED = "my_progress.json", ".my_progress_ended"
CLASS = "LESSON_CLASS"
MOST_BYTES = 20_000  # five times what a file with every exercise and every guess has
LARGEST_GUESS = 10_000
NO_LEARNER = ("NBGRADER_EXECUTION", "PYTEST_VERSION")  # who grades, and who tests
FIRST = (
    "From now on, {} beside your program keeps which exercises pass, at which rule the others are, "
    "and your first guesses: no code, no text, no name.{} `from lesson import forget_progress` "
    "and `forget_progress()` delete it and end this."
)
SHARED = " Your teacher can read it, and sees the name of your account."


def keep_try(exercise: str, result: Result) -> str:
    """Note the last try of an exercise. Return what a learner must know, the first time."""
    if not (result.ok or (result.rule and result.title and result.is_written)):
        return ""  # nothing was tried, or the check itself has failed

    def note(known: dict[str, Any]) -> None:
        tries = known["exercises"]
        if result.ok:
            tries[exercise] = {"passes": True, "day": today()}
        elif not tries.get(exercise, {}).get("passes"):
            sentence = find_sentence(result.name, result.cause)
            tries[exercise] = {"rule": result.rule, "sentence": sentence, "day": today()}

    return change(note)


def keep_guess(name: str, value: object, is_page: bool = False) -> str:
    """Note the first answer to a guess of the lesson. Return what a learner must know."""
    text = str(value).strip()
    if name not in GUESSES or not re.fullmatch(r"\d{1,5}", text, re.A):
        return ""
    guess = min(int(text), LARGEST_GUESS)
    return change(
        lambda known: known["guesses"].setdefault(name, {"value": guess, "day": today()}), is_page
    )


def today() -> str:
    return date.today().isoformat()


def is_kept(is_page: bool) -> bool:
    """Return whether a learner works here, on a page of their own machine or hub."""
    return (
        (is_page or is_watched())
        and sys.platform != "emscripten"
        and not any(name in os.environ for name in NO_LEARNER)
        and not os.path.lexists(file.path.with_name(ENDED))
    )


def change(note: Callable[[dict[str, Any]], object], is_page: bool = False) -> str:
    """Read the file, change it, and write it whole. Whatever the system refuses is left undone."""
    if not is_kept(is_page):
        return ""
    path = file.path.with_name(FILE)
    try:
        with file.exclusive():
            is_first = not path.exists()
            known = {} if is_first else read_progress(path) or {}
            known = {"exercises": {}, "guesses": {}, "copy": secrets.token_hex(8)} | known
            before = json.dumps(known)
            note(known)
            data = json.dumps(known, indent=1).encode()
            if is_first or before != json.dumps(known):
                write_atomically(path, data, mode=0o600)
        copy = find_copy(known)
        if copy:
            with suppress(OSError):  # the folder of the class may be full, or gone
                write_atomically(copy, data, mode=0o640)
    except OSError:
        return ""
    return FIRST.format(FILE, SHARED if copy else "") if is_first else ""


def find_copy(known: dict[str, Any]) -> Path | None:
    """Return the path of the copy in the folder of the class, whose name nobody else can know."""
    folder = os.environ.get(CLASS, "")
    return Path(folder, f"{known['copy']}.json") if folder and os.path.isdir(folder) else None


def forget_progress() -> None:
    """Delete `my_progress.json` and its copy in the folder of the class, and write none again."""
    path = file.path.with_name(FILE)
    try:
        ended = path.with_name(ENDED)
        ended.touch()
        if path.exists() and (copy := find_copy(read_progress(path) or {"copy": ""})):
            copy.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        print(f"{FILE} is deleted, and none is written again until you delete {ended.name}.")
    except OSError as problem:
        print(f"{FILE} was not deleted: {describe_file_error(problem)}")


def read_progress(path: Path) -> dict[str, Any] | None:
    """Return what is known in a file, without anything else that may be in it.

    Return None if it is none of ours: it is large, or no regular file, or broken. Raise OSError.
    """
    if not stat.S_ISREG(path.lstat().st_mode):
        return None
    with open_regular(path) as opened:
        data = opened.read(MOST_BYTES + 1)
    try:
        found = json.loads(data) if len(data) <= MOST_BYTES else None
        exercises = {key: clean_try(key, value) for key, value in found["exercises"].items()}
        guesses = {key: clean_guess(key, value) for key, value in found["guesses"].items()}
        copy = found["copy"]
        if not re.fullmatch(r"[0-9a-f]{16}", copy):
            return None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return {"exercises": exercises, "guesses": guesses, "copy": copy}


def clean_try(exercise: str, value: Any) -> dict[str, Any]:
    """Return a try with nothing else in it. Raise ValueError or LookupError if it is none."""
    list_exercises()[exercise]
    day = date.fromisoformat(value["day"]).isoformat()
    if value.get("passes") is True:
        return {"passes": True, "day": day}
    rule, sentence = value["rule"], value["sentence"]
    if not re.fullmatch(r"\w{1,40}", rule) or not re.fullmatch(r"[0-9a-f]{0,8}", sentence):
        raise ValueError("no rule of ours")
    return {"rule": rule, "sentence": sentence, "day": day}


def clean_guess(name: str, value: Any) -> dict[str, Any]:
    """Return a guess with nothing else in it. Raise ValueError or LookupError if it is none."""
    GUESSES[name]
    number = value["value"]
    if type(number) is not int or not 0 <= number <= LARGEST_GUESS:
        raise ValueError("no guess")
    return {"value": number, "day": date.fromisoformat(value["day"]).isoformat()}


@cache
def list_exercises() -> dict[str, tuple[str, str]]:
    """Return the part and the level of each exercise, in the order of their numbers."""
    found = {one.exercise: (part, one.name) for part in PARTS for one in PARTS[part].levels}
    return {name: found[name] for name in sorted(found, key=lambda name: int(name[1:]))}


def digest(sentence: str) -> str:
    return hashlib.sha256(sentence.encode()).hexdigest()[:8]


def find_sentence(part: str, cause: str) -> str:
    """Return the digest of the page's sentence that a learner has read, or "" for another one.

    In its place, the file would have the words of their code that the sentence names.
    """
    for sentence in PAGES[part].sentences:
        words = re.sub(r"\\\{\w+\\\}", ".*", re.escape(sentence))
        if re.fullmatch(words, cause, re.S):
            return digest(sentence)
    return ""
