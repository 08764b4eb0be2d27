"""Every notebook runs as a learner gets it and solved, and is saved as `make notebooks` writes it.

All runs are in a copy in a new folder, so a developer's own my_agent has no effect.
"""

import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from solved import has, solve

from lesson.common.parts import PARTS
from lesson.common.solutions import read_solutions
from lesson.program.copy_lesson import copy_lesson, lesson_notebooks
from lesson.program.folder import write_part
from notebooks import NOTEBOOKS, rebuild, tidy

pytestmark = pytest.mark.slow
HEAD = re.compile(r"(?m)^((?:class|def) .*):$")
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=120")
WITH_EXERCISES = sorted({level.notebook for part in PARTS.values() for level in part.levels})


def test_nbval_every_cell_shows_what_is_saved(tmp_path):
    """The command is that of docs/install.md, with the settings that apply in a checkout."""
    copy = tmp_path / "notebooks"
    shutil.copytree(NOTEBOOKS, copy, ignore=shutil.ignore_patterns("my_agent*"))
    shutil.copy(NOTEBOOKS.parent / "pyproject.toml", tmp_path)
    command = [sys.executable, "-m", "pytest", *NBVAL, "notebooks"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(f"notebooks/{path.name}" in done.stdout for path in lesson_notebooks().values())


def list_tries(cell):
    """Return the cells with which a learner solves an exercise: a SyntaxError first, and twice."""
    if has(cell, "exercise"):
        name = cell.metadata.tags[1]
        broken = nbformat.from_dict(cell | {"source": HEAD.sub(r"\1", cell.source, count=1)})
        broken.metadata["tags"] = ["raises-exception"]
        check = f'from lesson import check\n\ncheck("{name}")  # broken'
        yield from (broken, nbformat.v4.new_code_cell(check))
    yield cell
    if has(cell, "exercise") or has(cell, "check"):
        yield nbformat.from_dict(cell)


@pytest.mark.release
@pytest.mark.parametrize("name", WITH_EXERCISES)
def test_solved_notebook_passes_every_check_and_each_exercise_may_run_again(name, tmp_path):
    """The first try of each exercise is a SyntaxError: the check says so, and the rest runs."""
    copy_lesson(tmp_path)
    path, program = tmp_path / f"{name}.ipynb", tmp_path / "my_agent"
    for part in PARTS.values():
        if part.levels[0].notebook < name:  # as the notebooks before this one have left it
            text = write_part(part.name, read_solutions()[part.name])
            (program / f"{part.file}.py").write_text(text, encoding="utf-8")
    notebook = solve(nbformat.read(path, as_version=4), read_solutions())
    notebook.cells = [attempt for cell in notebook.cells for attempt in list_tries(cell)]
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
    nbformat.write(notebook, path)
    checks = 0
    for cell in nbformat.reads(rebuild(path, tmp_path), as_version=4).cells:
        if "check(" in cell.source and cell.cell_type == "code":
            outputs = str(cell.outputs)
            is_broken = cell.source.endswith("# broken")
            assert ("was not tried: line " if is_broken else " passes E") in outputs, outputs
            checks += not is_broken
        if "play(" in cell.source and cell.cell_type == "code":
            assert "Yours: loop" in str(cell.outputs)
    levels = [level for part in PARTS.values() for level in part.levels]
    assert checks == 2 * sum(level.notebook == name for level in levels)
    for part in PARTS.values():
        if part.levels[0].notebook <= name:
            text = write_part(part.name, read_solutions()[part.name])
            assert (program / f"{part.file}.py").read_bytes() == text.encode()
    assert not [*program.glob("*.txt")]


@pytest.mark.parametrize("path", lesson_notebooks().values(), ids=lesson_notebooks())
def test_file_is_as_make_notebooks_writes_it(path):
    """No time, no widget id, no state of the widgets, in the form of nbformat."""
    notebook = nbformat.read(path, as_version=4)
    tidy(notebook)
    assert nbformat.writes(notebook) + "\n" == path.read_text(encoding="utf-8"), "make notebooks"
