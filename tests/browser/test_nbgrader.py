"""The real nbgrader grades a class, and what JupyterLab has saved.

`make build/nbgrader/done` installs it, and .ci/run runs these tests. A student takes half a minute.
"""

import nbformat
import pytest
from exercises.test_checks import list_wrong
from solutions import NAMES, has
from support.nbgrader import Course, read_solutions, write

from lesson.exercises.catalogue import EXERCISES

pytestmark = pytest.mark.slow
RIGHT = read_solutions(NAMES)
FIRST_HALF = ["s02_tool_use", "s03a_todo_write", "s03b_nag_reminder", "s03c_how_soon"]


def first_mistakes():
    """Return one mistake for each exercise, by its name."""
    rows = [row.values for row in list_wrong()]
    return {exercise.name: source for exercise, source, *_ in reversed(rows)}


def remove_checks(folder):
    """Delete the cells of the checks."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells = [cell for cell in notebook.cells if not has(cell, "check")]
        nbformat.write(notebook, path)


def replace_checks(folder):
    """Put a check that always passes in place of ours."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if has(cell, "check"):
                cell.source = "pass"
        nbformat.write(notebook, path)


def test_class_of_four_gets_the_points_of_what_each_has_written(tmp_path):
    course = Course(tmp_path / "class", NAMES)
    right = course.hand_in("right", course.released)
    write(right, RIGHT)
    remove_checks(right)
    wrong = course.hand_in("wrong", course.released)
    write(wrong, first_mistakes())
    replace_checks(wrong)
    half = course.hand_in("half", course.released)
    begun = read_solutions(FIRST_HALF)
    broken = {name: f"raise ValueError('not finished')\n{RIGHT[name]}" for name in RIGHT}
    write(half, broken | begun)
    course.hand_in("untouched", course.released)
    done = sum(one.notebook in FIRST_HALF for one in EXERCISES)
    assert course.grade() == {"right": len(EXERCISES), "wrong": 0, "half": done, "untouched": 0}


def test_untouched_copy_has_no_point_after_run_all(lab, lab_server, tmp_path):
    """JupyterLab saves our solution in a cell that has called bring()."""
    course = Course(tmp_path / "class", NAMES)
    folder = lab_server[1] / lab.folder
    for path in course.released.glob("*.ipynb"):
        source = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(source, encoding="utf-8")
    for name in NAMES:
        lab.open(f"{name}.ipynb")
        lab.run_all()
        assert lab.errors() == []
        lab.script("await panel.context.save();")
        lab.close_notebooks()
    saved = (folder / "s03b_nag_reminder.ipynb").read_text(encoding="utf-8")
    assert "def agent_loop" in saved  # from bring()
    course.hand_in("untouched", folder)
    assert course.grade() == {"untouched": 0}
