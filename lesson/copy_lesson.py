"""Copy the notebooks of the lesson into a learner's folder, and never overwrite one."""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from agentlib.escape import for_screen
from agentlib.safety.files import write_atomically

from .file_errors import describe_problem

PACKAGE = Path(__file__).parent
FOR_AGENTS = Path(__file__).with_name("agents_for_learners.md")
# The picture in the notebooks, and the agent that can be read in one breath.
OTHER_FILES = ("agent.svg", "whole_agent.py")
# Links to what is next to the notebooks in a checkout, and not next to a student's copy.
LINK = re.compile(r"\[([^\[\]\n]*)\]\((?:\.\./)+(?:docs|agentlib|SECURITY\.md)[^)\n]*\)")


def main(argv: list[str]) -> int:
    """Run `lesson FOLDER`: copy the notebooks there. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="planning-agent lesson",
        description="Copy the notebooks of the lesson into FOLDER. A notebook that is already "
        "there is yours and stays unchanged: to reset one, rename it first.",
    )
    parser.add_argument("folder", metavar="FOLDER", help="created if it is missing")
    given = parser.parse_args(argv).folder
    if not given:  # as after a shell variable that is not set
        parser.error("the name of FOLDER is empty. For the current folder, write a dot.")
    folder = Path(given)
    try:
        new, old = copy_lesson(folder)
    except OSError as problem:
        print(for_screen(f"{folder}: {describe_problem(problem)}"), file=sys.stderr)
        return 1
    for words, names in ((f"New in {folder}", new), ("Already there, and unchanged", old)):
        if names:
            print(for_screen(f"{words}: {', '.join(names)}."))
    return 0


def copy_lesson(folder: Path) -> tuple[list[str], list[str]]:
    """Copy each notebook that is not in `folder` yet, without its outputs.

    Outside a checkout, links to the documentation become plain words. Return the names of the
    copied notebooks, and of those that were already there. Raise OSError.
    """
    new: list[str] = []
    old: list[str] = []
    has_docs = (folder.resolve().parent / "docs" / "sources.md").is_file()
    for name, source in lesson_notebooks().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        notebook = json.loads(source.read_text(encoding="utf-8"))
        delete_outputs(notebook)
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        if not has_docs:
            text = LINK.sub(r"\1", text)
        (new if write_new(target, text) else old).append(name)
    for path in find_other_files():
        text = path.read_text(encoding="utf-8")
        (new if write_new(folder / path.name, text) else old).append(path.name)
    rules = FOR_AGENTS.read_text(encoding="utf-8")  # for a coding agent that helps the learner
    (new if write_new(folder / "AGENTS.md", rules) else old).append("AGENTS.md")
    return new, old


def write_new(path: Path, text: str) -> bool:
    """Write `text` to a new file. Return False if there is one already, which stays unchanged."""
    try:
        write_atomically(path, text.encode(), replace=False)
    except FileExistsError:
        return False
    return True


def find_folder() -> Path:
    """Return the folder with the notebooks: in the wheel, or in a checkout."""
    in_wheel, in_checkout = PACKAGE / "notebooks", PACKAGE.parent / "notebooks"
    return in_wheel if in_wheel.is_dir() else in_checkout


def find_other_files() -> list[Path]:
    """Return the files next to the notebooks that a learner gets as they are."""
    found = (find_folder() / name for name in OTHER_FILES)
    return [path for path in found if path.exists()]


def lesson_notebooks() -> dict[str, Path]:
    """Return the path of each notebook, by its name relative to the lesson's folder."""
    folder = find_folder()
    paths = sorted([*folder.glob("*.ipynb"), *folder.glob("solutions/*.ipynb")])
    return {path.relative_to(folder).as_posix(): path for path in paths}


def delete_outputs(notebook: dict[str, Any]) -> None:
    """Delete the outputs and execution counts of a notebook, in place."""
    notebook["metadata"].pop("widgets", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
