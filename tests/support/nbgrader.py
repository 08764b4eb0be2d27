"""A class in a folder, graded by the real nbgrader as docs/teach-after.md says."""

import csv
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from solved import has

REPOSITORY = Path(__file__).parents[2]
PROGRAMS = REPOSITORY / "build" / "env-grade" / "bin"
CONFIG = REPOSITORY / "lesson" / "classroom" / "nbgrader_config.py"
TEACH = REPOSITORY / "docs" / "teach-after.md"
ASSIGNMENT = "lesson"


class Course:
    """The folder of a class, with the lesson's notebooks of these names as its assignment."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.folder = folder
        if not (PROGRAMS / "nbgrader").exists():
            give_up = pytest.fail if os.environ.get("CI") else pytest.skip
            give_up("`make build/env-grade/done` has not installed nbgrader")
        folder.mkdir()
        # As in `leave_out_slow_parser`, for each program that starts.
        (folder.parent / "rfc3987_syntax.py").write_text("raise ImportError('left out')\n")
        shutil.copy(CONFIG, folder)
        *commands, last = read_commands("Prepare")
        for command in commands:
            self.run(*command)
        for path in (folder / "source" / ASSIGNMENT).glob("*.ipynb"):
            if path.stem not in names:
                path.unlink()
        self.run(*last)

    @property
    def released(self) -> Path:
        """Return the folder with what the students get."""
        return self.folder / "release" / ASSIGNMENT

    def run(self, program: str, *arguments: str) -> None:
        """Run a program in the folder of the class, without the settings of the developer."""
        env = {
            "HOME": str(self.folder),
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",  # nbgrader runs alembic
            "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{self.folder.parent}",
        }
        command = [shutil.which(program, path=env["PATH"]), *arguments]
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def hand_in(self, student: str, folder: Path) -> Path:
        """Copy a student's notebooks into the folder of the class. Return where they are."""
        place = self.folder / "submitted" / student / ASSIGNMENT
        shutil.copytree(folder, place)
        return place

    def grade(self, step: str = "Grade") -> dict[str, dict[str, str]]:
        """Grade what was handed in, and write the feedback. Return the row of each student."""
        for command in read_commands(step):
            self.run(*command)
        with (self.folder / "grades.csv").open(newline="") as file:
            return {row["student_id"]: row for row in csv.DictReader(file)}


def read_commands(step: str) -> list[list[str]]:
    """Return the commands of a step of *Grade*, from the folder of the class on."""
    found = re.search(rf"(?s)\*\*{step}\*\*.*?\n\n((?:    [^\n]+\n)+)", TEACH.read_text("utf-8"))
    lines = found[1].partition("cd ~/class\n")[2] or found[1]
    return [shlex.split(line) for line in lines.splitlines()]


def write(folder: Path, sources: dict[str, str]) -> None:
    """Write these sources, by the names of the parts, into the cells of the exercises."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if has(cell, "exercise") and cell.metadata.nbgrader.grade_id in sources:
                cell.source = sources[cell.metadata.nbgrader.grade_id]
        nbformat.write(notebook, path)
