"""A class in a folder, graded by the real nbgrader as docs/teach.md says."""

import csv
import os
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from solved import has

REPOSITORY = Path(__file__).parents[2]
PROGRAMS = REPOSITORY / "build" / "env-grade" / "bin"
CONFIG = REPOSITORY / "docs" / "nbgrader_config.py"
ASSIGNMENT = "lesson"


class Course:
    """The folder of a class, with the lesson's notebooks of these names as its assignment."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.folder = folder
        if not (PROGRAMS / "nbgrader").exists():
            give_up = pytest.fail if os.environ.get("CI") else pytest.skip
            give_up("`make build/env-grade/done` has not installed nbgrader")
        folder.mkdir()
        shutil.copy(CONFIG, folder)
        self.run("python", "-m", "lesson", "lesson", f"source/{ASSIGNMENT}")
        for path in (folder / "source" / ASSIGNMENT).glob("*.ipynb"):
            if path.stem not in names:
                path.unlink()
        self.run("nbgrader", "generate_assignment", ASSIGNMENT)

    @property
    def released(self) -> Path:
        """Return the folder with what the students get."""
        return self.folder / "release" / ASSIGNMENT

    def run(self, program: str, *arguments: str) -> None:
        """Run a program in the folder of the class, without the settings of the developer."""
        env = {
            "HOME": str(self.folder),
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",  # nbgrader runs alembic
            "PYTHONPATH": str(REPOSITORY),
        }
        command = [PROGRAMS / program, *arguments]
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def hand_in(self, student: str, folder: Path) -> Path:
        """Copy a student's notebooks into the folder of the class. Return where they are."""
        place = self.folder / "submitted" / student / ASSIGNMENT
        shutil.copytree(folder, place)
        return place

    def grade(self) -> dict[str, float]:
        """Grade what was handed in. Return the points of each student."""
        self.run("nbgrader", "autograde", ASSIGNMENT)
        self.run("nbgrader", "export")
        with (self.folder / "grades.csv").open(newline="") as file:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def write(folder: Path, sources: dict[str, str]) -> None:
    """Write these sources, by the names of the parts, into the cells of the exercises."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if has(cell, "exercise") and cell.metadata.nbgrader.grade_id in sources:
                cell.source = sources[cell.metadata.nbgrader.grade_id]
        nbformat.write(notebook, path)
