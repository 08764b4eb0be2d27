"""Take the learner's program away: a folder or a zip, which needs only Python and the SDK.

It contains the packages that protect its user, so the program has each correction of theirs.
"""

import io
import os
import shlex
import shutil
import sys
import zipfile
from pathlib import Path

from safetylib.guard.escape import for_print
from safetylib.guard.files import write_atomically

from ..common.file_errors import describe_file_error
from ..common.lesson_folder import NO_PROGRAM, find_in_lesson
from ..common.parts import PARTS
from ..common.solutions import PACKAGE
from . import folder as program
from .my_agent import load_solutions, my_agent, store

PACKAGES = ("agentlib", "safetylib")  # what the program imports besides the SDK
HOW = """{} is written. Yours: {}. Of our solution: {}.
In the folder of a project, where ANTHROPIC_API_KEY and MODEL_ID are set: python {} "…"\
"""


def take_away(name: str) -> None:
    """Write the learner's program as a new folder or, if `name` ends with ".zip", as one file.

    Parts that are not written yet are those of our solution. What exists is never replaced.
    `python NAME "…"` runs either one, on any computer with the package anthropic.
    """
    write_program(name, program.path.parent / name)


def main(name: str) -> int:
    """Run `take-away NAME` in a terminal, which may begin above the lesson's folder.

    Without a learner's program there, all parts would be ours, so nothing is written then.
    """
    folder = find_in_lesson(Path(program.FOLDER))
    if not (folder / program.START).is_file():
        print(for_print(NO_PROGRAM.format(program.FOLDER)), file=sys.stderr)
        return 1
    program.path = folder.absolute()
    return write_program(name, Path.cwd() / name)


def write_program(name: str, target: Path) -> int:
    """Write the program, and print what it contains, or why it was not written. Return 0 or 1."""
    if not name:  # as after a shell variable that is not set
        print("The name is empty: give that of a new folder, or NAME.zip.")
        return 1
    files, own = read_program()
    try:
        if target.suffix == ".zip":
            write_atomically(target, make_zip(files), replace=False)
        else:
            target.mkdir()
            try:
                write_files(target, files)
            except BaseException:
                shutil.rmtree(target, ignore_errors=True)  # which was made here
                raise
    except OSError as problem:
        if os.path.lexists(target):
            print(f"{name} is there already, and was not changed: give another name.")
        else:
            print(f"{name} was not written: {describe_file_error(problem)}")
        return 1
    ours = [name for name in PARTS if name not in own]
    own_names, our_names = ", ".join(own) or "none yet", ", ".join(ours) or "none"
    print(HOW.format(name, own_names, our_names, shlex.quote(str(target))))
    return 0


def read_program() -> tuple[dict[str, bytes], list[str]]:
    """Return what each file of the program has, and the names of the parts that are own."""
    files = read_ours() | read_packages()
    for file in sorted(program.path.glob("*.py")):  # also what the learner has added or changed
        if file.is_file():
            files[file.name] = file.read_bytes()
    own = store.list_own()
    if "MyTodo" in own and not hasattr(my_agent.MyTodo, "tool"):
        own = [
            name for name in own if name != "MyTodo"
        ]  # half a list: the model could not write it
    for name, part in PARTS.items():
        if name not in own:
            files[f"{part.file}.py"] = load_solutions().texts[name].encode()
    return files, own


def read_ours() -> dict[str, bytes]:
    """Return what each file has that is around the parts."""
    return {file.name: file.read_bytes() for file in program.OURS}


def read_packages() -> dict[str, bytes]:
    """Return what each file has of the packages that the program takes along."""
    root = PACKAGE.parent
    files = [file for name in PACKAGES for file in sorted((root / name).rglob("*.py"))]
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def write_files(target: Path, files: dict[str, bytes]) -> None:
    """Write files and their folders. Raise OSError."""
    for name, data in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target / name, data)


def make_zip(files: dict[str, bytes]) -> bytes:
    """Return a zip that Python runs: https://docs.python.org/3/library/zipapp.html."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()
