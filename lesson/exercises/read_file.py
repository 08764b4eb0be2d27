"""The rules of `read_file`: which files it reads, and its errors for other paths.

A story of a page is `@ notes.txt ! ../secret.txt`. Its words are the paths that a model
sends. One that begins with `/` begins in the folder around `project`, one that begins with `//` at
the root of the machine, and `!` changes each file. If the first word is `relative` or `linked`, so
is the folder.
"""

import os
import re
from collections.abc import Iterator
from contextlib import chdir, suppress
from locale import getpreferredencoding
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exerciselib.engine import Differs
from exerciselib.learners_code import Raised
from exerciselib.page import Observation, Page, Story, Trial
from exerciselib.show_value import Words, show
from lesson.common.solutions import read_solutions

PAGE = Page("read_file", __file__, read_solutions())
FOLDER = "project"
# `read_text()` without an encoding is right as well, and not everywhere UTF-8.
IS_UTF8 = getpreferredencoding(False).replace("-", "").lower() == "utf8"
FILES = {
    "project/notes.txt": " Buy milk.\n\n",
    "project/..notes.txt": "versteckt für später\n" if IS_UTF8 else "hidden\n",
    "project/src/Main.py": "print('Hi!')\n" * 1000,  # all of it is returned
    "project/src/__init__.py": "",
    "project/README.md": "# A shop\n",
    "project/.gitignore": "*.pyc\n",
    "project/Makefile": "all:\n",
    "project-2/plan.txt": "the plan of somebody else\n",
    "secret.txt": "a password\n",
}
LINKS = {
    "project/inside.txt": "notes.txt",
    "project/out.txt": "../secret.txt",
    "project/up": "..",
    "link": "project",
}
FOLDERS = {"relative": Path(FOLDER), "linked": Path("link")}  # in the folder around it
# What an error must name, all of it: what is at the top, or of a path in `src` the files beside it.
# Hidden ones, links and files without a suffix may be left out.
NAMES = {"": ("notes.txt", "README.md", "src"), "src/": ("Main.py", "__init__.py")}
# A model may also be told how to find out what is there.
HOW = re.compile(r"\b(ls|bash|list|look|find|glob|write|write_file|create)\b", re.IGNORECASE)
# Words of an error that say which paths can be read, and what only denies another one.
CAN = re.compile(
    r"\b(in|inside|within|below|beneath|under|relative|only|instead|allowed|use|give|choose|pick|pass"
    r"|send|ask|try|stay|keep|need|possible|such)\b"
    r"|\b(read|name|open|see|request) (an?|any|one|another|the|files?|paths?)\b",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"(\b(not|no|never|cannot|outside|out|invalid)\b|n't\b)[^.,;:!?()\n]*", re.IGNORECASE
)
CHANGED = Words("other files in the folder")
# A mistake in a line raises these, without the path. They do not help a model.
BUGS = (ArithmeticError, AttributeError, ImportError, LookupError, NameError, TypeError)


def observe(read_file: Any, story: Story) -> Iterator[Observation]:
    """Play a story with a function, and yield what it does with each path."""
    with TemporaryDirectory() as name, chdir("."):  # back, wherever the function has gone
        root = Path(name).resolve()
        make_files(root)
        lines = [f"# The folder has {', '.join(list_files())}."]
        folder, words = root / FOLDER, story
        if story[0] in FOLDERS:
            place, words = FOLDERS[story[0]], story[1:]
            folder = place if story[0] == "relative" else root / place
            lines.append(f"# folder is {'relative' if folder is place else 'a link'}: {place}")
        before = read_all(root)
        for word in words:
            if word == "!":
                make_files(root, "new: ")
                before = read_all(root)
                lines.append("# Each file is changed.")
                continue
            path = f"{root}{word}" if word.startswith("/") else word
            path = word[1:] if word.startswith("//") else path
            if link := LINKS.get(f"{FOLDER}/{word.partition('/')[0]}"):
                lines.append(f"# {word.partition('/')[0]} is a link to {link}.")
            lines.append(f"read_file(folder, {path!r})")
            try:
                if folder is FOLDERS["relative"]:
                    os.chdir(root)  # the chdir around it goes back
                got: Any = read_file(folder, path)
            except Exception as problem:
                got = Raised(problem)
            if read_all(root) != before:
                got = CHANGED
            tried = "\n".join(lines)
            faults = find_faults(got, path, word, root)
            key = describe(got, faults).replace(name, "FOLDER")  # another one each time
            yield Observation(got, key, lambda tried=tried: tried, faults)  # type: ignore[misc]


def make_files(root: Path, begin: str = "") -> None:
    """Write the files of a story, and once the links, which not every system has."""
    for name, text in FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(begin + text, encoding="utf-8", newline="")
    for name, target in LINKS.items():
        if not (root / name).is_symlink():
            with suppress(OSError):
                (root / name).symlink_to(target)


def read_all(root: Path) -> dict[str, bytes]:
    """Return what is in each file, by its path. `rglob` takes longer, and each check asks twice."""
    paths = (f"{folder}/{name}" for folder, _, names in os.walk(root) for name in names)
    return {path: Path(path).read_bytes() for path in paths if os.path.isfile(path)}


def list_files() -> list[str]:
    """Return the files of the folder, and no links."""
    inside = [name for name in FILES if name.startswith(f"{FOLDER}/")]
    return [name.removeprefix(f"{FOLDER}/") for name in inside]


def find_faults(got: Any, path: str, word: str, root: Path) -> list[str]:
    """Return what an error lacks for a model: the path, or what is possible instead."""
    if not isinstance(got, Raised):
        return []
    message = str(got.problem)
    rest = message.replace(path, " ")
    is_outside = word.startswith(("/", ".."))
    last = path.rpartition("/")[2]  # the model has asked for it, so it knows it
    leaks = is_outside and re.search(r"secret\.txt|project-2", rest.replace(last, " "))
    faults = {"leaks": leaks, "machine": str(root) in rest, "path": path not in message}
    faults["many"] = message.count(str(root)) > 3  # more than an error of Python has
    faults["folder"] = "src" not in path and re.search(r"(?<!src/)\bMain\.py", rest)
    faults["possible"] = not says_what_is_possible(rest, path, is_outside)
    return [name for name, is_fault in faults.items() if is_fault]


def says_what_is_possible(text: str, path: str, is_outside: bool) -> bool:
    """Return whether an error names what is there, how to look, or which paths can be read."""
    can = is_outside and CAN.search(DENIED.sub(" ", text))
    named = (all(one in text for one in names) for place, names in NAMES.items() if place in path)
    return bool(can or HOW.search(text) or any(named))


def describe(got: Any, faults: list[str]) -> str:
    """Return what was done, as the patterns of the page read it."""
    if isinstance(got, Raised):
        return f"raised {type(got.problem).__name__}: {got.problem} ({', '.join(faults)})"
    if got is CHANGED:
        return str(got)
    kind = "" if isinstance(got, str | None) else f"{type(got).__name__} "
    return f"returned {kind}{show(got)}"


def reads_only(step: Observation, our: Observation) -> None:
    """Raise Differs if a file was changed, made or deleted."""
    if step.got is CHANGED:
        raise Differs(step.got, Words("the same files"), "Your function has changed")


def reads_text(step: Observation, our: Observation) -> None:
    """Raise Differs if the text of a file was not returned."""
    if step.got != our.got and not isinstance(our.got, Raised):  # a system without links
        origin = step.got.problem if isinstance(step.got, Raised) else None
        raise Differs(step.got, our.got) from origin


def rejects(step: Observation, our: Observation) -> None:
    """Raise Differs unless an error was raised, and not by a mistake in a line."""
    if not isinstance(step.got, Raised):
        raise Differs(step.got, Words("an error"))
    if isinstance(step.got.problem, BUGS) and "path" in step.seen:
        raise Differs(step.got, Words("an error that rejects the path")) from step.got.problem


def helps(step: Observation, our: Observation) -> None:
    """Raise Differs if an error does not say what a model needs."""
    if step.seen:  # empty if nothing was raised, which is another rule's
        raise Differs(step.got, Words("the path as it was sent, and what is possible instead"))


PAGE.add_rules(
    observe,
    {
        name: [
            Trial(PAGE.stories(name), one, text=lambda one, our: one.key)
            for one in (reads_only, check)
        ]
        for name, check in (
            ("reads", reads_text),
            ("stays", rejects),
            ("no_file", rejects),
            ("says", helps),
        )
    },
)
