"""The folder of the learner's program: a file for each part, frame.py and `__main__.py`.

The file of a part is the learner's cell, below a line for each part that it uses, such as
`from todo import MyTodo`. A part that is not written yet is one line that imports agentlib's.
`frame.py`, around them, is the learner's from its first day, and `__main__.py` starts them with the
packages of the lesson. `.checked.json` has a hash of each file as the lesson has written it,
so that a change by hand is known. No other file of the folder is touched.
"""

import hashlib
import json
import os
import re
from contextlib import suppress
from itertools import count
from pathlib import Path

from safetylib.guard.files import exclusive, open_regular, write_atomically

from ..common.file_errors import describe_file_error
from ..common.lesson_folder import PROGRAM
from ..common.parts import PARTS, import_part
from ..common.solutions import SOLUTIONS
from .cells import list_made, list_used

FOLDER, HASHES = PROGRAM, ".checked.json"
START = "__main__.py"
FRAME = "frame.py"
OURS = [SOLUTIONS / name for name in (FRAME, START)]  # around the parts
COMING = " is written"  # after a file's name in the hashes: that of its next text
try:
    path = Path.cwd() / FOLDER  # it stays the same if a cell changes the current folder
except FileNotFoundError:  # the folder was deleted
    path = Path(FOLDER)


def find_file(name: str) -> Path:
    """Return the file of a part."""
    return path / f"{PARTS[name].file}.py"


def show_file(name: str) -> str:
    """Return the name of a part's file, as a learner reads it."""
    return f"{FOLDER}/{PARTS[name].file}.py"


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def write_part(name: str, text: str) -> str:
    """Return the text of a part's file: its cell, below what it imports of the other parts.

    Raise SyntaxError if it is not valid Python.
    """
    used = list_used(text) - list_made(text).keys()
    lines = [import_part(part) for part in PARTS if part != name and part in used]
    gap = 1 if not lines or text.startswith(("from ", "import ")) else 3
    return "\n".join(lines) + "\n" * (gap if lines else 0) + text + "\n"


def imports(text: str, name: str) -> bool:
    """Return whether a text imports from the file of a part."""
    return bool(re.search(rf"(?m)^(from|import) {PARTS[name].file}\b", text))


def read_text(file: Path) -> str:
    """Return the text of a file, "" if there is none. Raise OSError.

    A byte that is not UTF-8 becomes half a character, which no part may contain.
    """
    if not file.exists():
        return ""
    with open_regular(file) as opened:  # to open a pipe would wait for another program
        text = opened.read().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_part(name: str) -> str:
    """Return the text of a part's file, "" if the learner has not written it. Raise OSError."""
    text = read_text(find_file(name))
    is_import = re.fullmatch(r"from agentlib import \w+( as \w+)?", text.strip())
    return "" if is_import or text.strip() in ("", PARTS[name].start) else text


def read_hashes(folder: Path) -> dict[str, str]:
    """Return the hash of each file as the lesson has written it, by the file's name."""
    with suppress(OSError, ValueError):
        hashes = json.loads(read_text(folder / HASHES))
        return hashes if isinstance(hashes, dict) else {}
    return {}


def write_hashes(folder: Path, hashes: dict[str, str]) -> None:
    write_atomically(folder / HASHES, (json.dumps(hashes, indent=1) + "\n").encode())


def note_hashes(folder: Path, before: dict[str, str], hashes: dict[str, str]) -> None:
    """Write the hashes that have changed, but none that another notebook has written meanwhile."""
    if changed := {name: text for name, text in hashes.items() if before.get(name) != text}:
        with exclusive(folder / HASHES):
            now = read_hashes(folder)
            own = [name for name in changed if now.get(name) == before.get(name)]
            write_hashes(folder, now | {name: changed[name] for name in own})


def create_folder(folder: Path | None = None) -> str:
    """Write what is missing in a program's folder, and renew our file there. Raise OSError.

    Return a sentence that the learner must read, or "".
    """
    folder = folder or path
    folder.mkdir(exist_ok=True)
    before = read_hashes(folder)
    hashes = dict(before)
    texts = {f"{part.file}.py": f"{part.start}\n" for part in PARTS.values()}
    for name, text in (texts | {FRAME: (SOLUTIONS / FRAME).read_text(encoding="utf-8")}).items():
        if not os.path.lexists(file := folder / name):
            with suppress(FileExistsError):  # another notebook has just written it
                write_atomically(file, text.encode(), replace=False)
                hashes[name] = hash_text(text)
    message = renew(folder, hashes)
    note_hashes(folder, before, hashes)
    return message


def renew(folder: Path, hashes: dict[str, str]) -> str:
    """Write our file in a program's folder, unless it was changed by hand."""
    file, text = folder / START, (SOLUTIONS / START).read_text(encoding="utf-8")
    try:
        now = hash_text(read_text(file)) if os.path.lexists(file) else ""
        if now in ("", hashes.get(START)) and now != hash_text(text):
            write_atomically(file, text.encode(), old=file.stat() if now else None)
    except OSError as problem:
        return f"{FOLDER}/{START} was not renewed: {describe_file_error(problem)}"
    hashes[START] = hash_text(text)
    return ""


def keep_copy(file: Path) -> Path:
    """Copy a file that was changed by hand, such as `nag.py` to `nag_1.txt`. Raise OSError."""
    copies = (file.with_name(f"{file.stem}_{number}.txt") for number in count(1))
    copy = next(free for free in copies if not os.path.lexists(free))
    return write_atomically(copy, file.read_bytes(), replace=False)


def replace_part(name: str, text: str, old: str) -> str | None:
    """Write the file of a part, if its text is still `old`. Return None if it is not.

    A file that was changed by hand is copied first. Return a sentence about the copy, or "". Raise
    OSError.
    """
    message, file = create_folder(), find_file(name)
    with exclusive(path / HASHES):  # it has a line for each part
        if read_part(name) != old:
            return None
        hashes, target = read_hashes(path), file.resolve()  # a symlink stays one
        status = target.stat() if target.exists() else None  # a link may lead nowhere
        if status and not status.st_mode & 0o222:  # a rename would replace it all the same
            raise PermissionError(13, "The file is read-only")
        coming = f"{file.name}{COMING}"
        if old and hash_text(old) not in (hashes.get(file.name), hashes.get(coming)):
            copy = keep_copy(file)
            message += f" What was changed by hand is in {FOLDER}/{copy.name} now."
        new = hash_text(text)
        write_hashes(path, hashes | {coming: new})  # a kernel may be killed before the next line
        write_atomically(target, text.encode(), old=status)
        hashes.pop(coming, None)
        write_hashes(path, hashes | {file.name: new})
    return message.strip()
