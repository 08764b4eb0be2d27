"""Every notebook runs as a learner gets it and solved, and is saved as `make notebooks` writes it.

All runs are in a copy in a new folder, so a developer's own my_agent has no effect.
"""

import os
import shutil
import subprocess
import sys

import nbformat
import pytest
from solved import has, solve

from lesson.common.parts import PARTS
from lesson.common.solutions import SOLUTIONS, read_solutions
from lesson.program.copy_lesson import copy_lesson, lesson_notebooks
from notebooks import NOTEBOOKS, rebuild, tidy

NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=120")
WITH_EXERCISES = sorted({level.notebook for part in PARTS.values() for level in part.levels})


def test_nbval_every_cell_shows_what_is_saved(tmp_path):
    """The command is that of docs/install.md, with the settings that apply in a checkout."""
    copy = tmp_path / "notebooks"
    shutil.copytree(NOTEBOOKS, copy, ignore=shutil.ignore_patterns("my_agent*"))
    shutil.copy(NOTEBOOKS.parent / "pyproject.toml", tmp_path)
    shared = tmp_path / "lesson_class"
    shared.mkdir()
    command = [sys.executable, "-m", "pytest", *NBVAL, "notebooks"]
    env = os.environ | {"LESSON_CLASS": str(shared)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [*copy.glob("*my_progress*"), *shared.iterdir()] == []  # nobody works here
    assert all(f"notebooks/{path.name}" in done.stdout for path in lesson_notebooks().values())


@pytest.mark.parametrize("name", WITH_EXERCISES)
def test_solved_notebook_passes_every_check_and_each_exercise_may_run_again(
    name, tmp_path, monkeypatch
):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # then a check that fails raises
    copy_lesson(tmp_path)
    path, program = tmp_path / f"{name}.ipynb", tmp_path / "my_agent"
    for solution in SOLUTIONS.iterdir():  # as the notebooks before this one have left it
        shutil.copy(solution, program)
    notebook = solve(nbformat.read(path, as_version=4), read_solutions())
    again = []
    for cell in notebook.cells:
        again.append(cell)
        if has(cell, "exercise") or has(cell, "check"):
            again.append(nbformat.from_dict(cell | {"id": f"{cell.id[:58]}-again"}))
    notebook.cells = again
    nbformat.write(notebook, path)
    rebuild(path, tmp_path)
    for solution in SOLUTIONS.iterdir():
        assert (program / solution.name).read_bytes() == solution.read_bytes()
    assert not [*program.glob("*.txt")]


@pytest.mark.parametrize("path", lesson_notebooks().values(), ids=lesson_notebooks())
def test_file_is_as_make_notebooks_writes_it(path):
    """No time, no widget id, no state of the widgets, in the form of nbformat."""
    notebook = nbformat.read(path, as_version=4)
    tidy(notebook)
    assert nbformat.writes(notebook) + "\n" == path.read_text(encoding="utf-8"), "make notebooks"
