"""Copy the lesson into a learner's folder, and never overwrite a file."""

import argparse
import hashlib
import json
import os
import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from safetylib.guard.escape import for_print
from safetylib.guard.files import write_atomically

from ..common.file_errors import describe_file_error
from ..common.parts import PARTS
from ..common.solutions import NOTEBOOKS, PACKAGE, SOLUTIONS, read_solutions
from .folder import FOLDER, create_folder, write_part

FOR_AGENTS = PACKAGE / "agents_for_learners.md"
DOCS = NOTEBOOKS.with_name("docs")  # in the wheel as in a checkout
# What a learner reads. Pages for teachers have the answers, so they are in no copy.
PAGES = ("SECURITY", "extend", "glossary", "install", "practice-model", "real-models", "sources")
# A link of a page, or a picture: its text, and the path of its file.
LINK = re.compile(r"!?\[([^\[\]\n]*)\]\((?!https?:|#)([^)#\n]*)[^)\n]*\)")
STAMP = "planning_agent_lesson"  # in a copied notebook's metadata: which text it was copied from


def main(argv: list[str]) -> int:
    """Run `lesson FOLDER`: copy the notebooks there. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="planning-agent lesson",
        description="Copy the notebooks of the lesson and the program my_agent into FOLDER. A "
        "file that is already there is yours and stays unchanged: to reset one, rename it first.",
    )
    parser.add_argument(
        "folder", type=name_folder, help="created if it is missing", metavar="FOLDER"
    )
    parser.add_argument(
        "--without-solutions", action="store_true", help="for a class: a later copy adds none"
    )
    arguments = parser.parse_args(argv)
    folder = arguments.folder
    status = copy_and_describe(Path(folder), without_solutions=arguments.without_solutions)
    if not status and find_spec("jupyterlab"):
        # With this Python, which has the lesson: the PATH may have another one.
        command = shlex.join([sys.executable, "-m", "lesson", "lab", folder])
        print(for_print(f"Open it: {command}"))
    return status


def name_folder(name: str) -> str:
    """Return the FOLDER of a command. Raise an error if it is empty, as an unset variable is."""
    if not name:
        raise argparse.ArgumentTypeError("the name is empty. For the current folder, write a dot.")
    return name


def copy_and_describe(folder: Path, *, without_solutions: bool = False) -> int:
    """Copy the lesson into `folder`, and print what is there. Return the exit status."""
    try:
        new = copy_lesson(folder, without_solutions=without_solutions)
    except OSError as problem:
        print(for_print(f"{folder}: {describe_file_error(problem)}"), file=sys.stderr)
        return 1
    many = len(lesson_notebooks())
    print(for_print(f"Your copy is {folder}: {many} notebooks and your program."))
    if new and not {*lesson_notebooks(), FOLDER} <= {*new}:  # a part of it was there
        print(for_print(f"New in it: {', '.join(new)}."))
    if older := list_older(folder):
        print(
            for_print(
                f"Of an older lesson: {', '.join(older)}. They may not work with this one. "
                f"For its notebooks, name a new FOLDER, or rename {folder} and copy it again. "
                "Your work stays in the old folder. To take your parts along, first copy its "
                f"{FOLDER} into the new one."
            )
        )
    return 0


def copy_lesson(folder: Path, *, without_solutions: bool = False) -> list[str]:
    """Copy each file that is not in `folder` yet, and the notebooks without their outputs.

    A folder with a notebook whose `solutions` were deleted, as for a class, gets none again. To
    have them, make an empty folder of this name. Return the names of the files that were copied,
    except pages of the documentation. Raise OSError.
    """
    new: list[str] = []
    is_begun = any((folder / name).exists() for name in lesson_notebooks())
    without_solutions |= is_begun and not (folder / SOLUTIONS.name).exists()
    for name, source in lesson_notebooks().items():
        notebook = json.loads(source.read_text(encoding="utf-8"))
        notebook["metadata"][STAMP] = digest_sources(notebook)
        delete_outputs(notebook)
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        if write_if_missing(folder / name, text.replace("](../docs/", "](docs/")):
            new.append(name)
    for name, text in list_other_files().items():
        if without_solutions and name.startswith(f"{SOLUTIONS.name}/"):
            continue
        if write_if_missing(folder / name, text):
            new.append(name)
    for name, text in list_pages().items():
        write_if_missing(folder / DOCS.name / name, text)
    if not os.path.lexists(folder / FOLDER):
        new.append(FOLDER)
    if message := create_folder(folder / FOLDER):  # it writes what is missing there
        print(for_print(message))
    return new


def list_older(folder: Path) -> list[str]:
    """Return the names of the notebooks in `folder` that were copied from another text than ours.

    Those that are gone from the lesson are among them. A notebook of the learner's own is left out,
    and so is a file that cannot be read as a notebook.
    """
    digests = {
        name: digest_sources(json.loads(source.read_text(encoding="utf-8")))
        for name, source in lesson_notebooks().items()
    }
    older = []
    for path in sorted(folder.glob("*.ipynb")):
        try:
            stamp = json.loads(path.read_text(encoding="utf-8"))["metadata"].get(STAMP)
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            continue
        ours = [digests[path.name]] if path.name in digests else [None, *digests.values()]
        if stamp not in ours:
            older.append(path.name)
    return older


def digest_sources(notebook: dict[str, Any]) -> str:
    """Return a digest of the texts in the cells of a notebook."""
    texts = ["".join(cell["source"]) for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]


def list_other_files() -> dict[str, str]:
    """Return the text of each file that is copied with the notebooks, by its name there."""
    pictures = {
        file.relative_to(NOTEBOOKS).as_posix(): file.read_text(encoding="utf-8")
        for file in NOTEBOOKS.rglob("*.svg")
    }
    solutions = {
        f"{SOLUTIONS.name}/{PARTS[name].file}.py": write_part(name, text)
        for name, text in read_solutions().items()
    }
    return {
        "AGENTS.md": FOR_AGENTS.read_text(encoding="utf-8"),  # for an agent that helps the learner
        "GEMINI.md": "@AGENTS.md\n",  # Gemini CLI does not read AGENTS.md; this line includes it
        **pictures,
        **solutions,
    }


def list_pages() -> dict[str, str]:
    """Return the text of each page that a learner reads, by its name in `docs`.

    A link to a file that is not in the copy becomes plain text.
    """
    copied = {f"{name}.md" for name in PAGES} | {f"../{name}" for name in lesson_notebooks()}
    pages = {}
    for name in PAGES:
        text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        text = text.replace("](../notebooks/", "](../")
        pages[f"{name}.md"] = LINK.sub(lambda m: m[0] if m[2] in copied else m[1], text)
    return pages


def write_if_missing(path: Path, text: str) -> bool:
    """Write `text` to a new file. Return False if there is one already, which stays unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_atomically(path, text.encode(), replace=False)
    except FileExistsError:
        return False
    return True


def lesson_notebooks() -> dict[str, Path]:
    """Return the path of each notebook, by its name."""
    return {path.name: path for path in sorted(NOTEBOOKS.glob("*.ipynb"))}


def delete_outputs(notebook: dict[str, Any]) -> None:
    """Delete the outputs and execution counts of a notebook, in place."""
    notebook["metadata"].pop("widgets", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
