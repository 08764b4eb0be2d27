"""The real nbgrader grades a class: all tests look at one class, which is graded once.

`make build/env-grade/done` installs it, as .ci/run does. Each notebook that is handed in takes two
seconds, so most students hand in few.
"""

from collections import Counter
from copy import deepcopy
from uuid import uuid4

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from solved import has
from support.nbgrader import Course, write
from support.notebook import FIRST as FIRST_PARTS

from lesson.common.parts import PARTS
from lesson.common.solutions import read_given, read_solutions

RIGHT = read_solutions()
EXERCISES = [level for part in PARTS.values() for level in part.levels]
NAMES = sorted({one.notebook for one in EXERCISES})
FIRST, LAST = "s02_tool_use", "s04c_take_it_with_you"


def keep(folder, is_kept, pattern="*.ipynb"):
    """Delete the other cells."""
    for path in folder.glob(pattern):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells = [*filter(is_kept, notebook.cells)]
        nbformat.write(notebook, path)


def replace_checks(folder):
    """Put a check that always passes in place of ours."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if has(cell, "check"):
                cell.source = "pass"
        nbformat.write(notebook, path)


def change(path, edit):
    """Change the cells of a notebook. `edit` gets them, and the places of an exercise and check."""
    notebook = nbformat.read(path, as_version=4)
    cells = notebook.cells
    place = next(n for n, cell in enumerate(cells) if has(cell, "exercise"))
    check = next(n for n, cell in enumerate(cells) if has(cell, "check"))
    edit(cells, place, check)
    for cell in cells:
        cell.id = uuid4().hex[:8]
    nbformat.write(notebook, path)


def copy_cells(cells, place, check):
    """Keep a first try above, as JupyterLab copies it, and another check below."""
    cells.insert(check + 1, deepcopy(cells[check]))
    cells.insert(place, deepcopy(cells[place]))
    cells[place].source = "raise ValueError('my first try')"


def split(cells, place, check):
    cells.insert(place, deepcopy(cells[place]))
    cells[place].source = "# my own comment\nimport json"
    cells.insert(check + 1, deepcopy(cells[check + 1]))
    cells[check + 1].source = "from lesson import check"


def move_check(cells, place, check):
    cells.append(cells.pop(check))


def merge_into_exercise(cells, place, check):
    cells[place].source += "\n\n" + cells.pop(check).source


def merge_into_check(cells, place, check):
    cells[check].source = cells[place].source + "\n\n" + cells[check].source
    del cells[place]


def change_types(cells, place, check):
    for number, name in ((place, "markdown"), (check, "raw")):
        cells[number].cell_type = name
        del cells[number]["outputs"], cells[number]["execution_count"]


def write_anew(cells, place, check):
    """Delete both cells, and write the exercise in a new one."""
    cells.insert(check + 1, new_code_cell(cells[place].source))
    del cells[place], cells[check - 1]


def copy_of_another_notebook(cells, place, check):
    cells.insert(0, deepcopy(cells[place]))
    cells[0].source = "# what I wrote there"
    cells[0].metadata.nbgrader.grade_id = "MyNag"


EDITS = (
    copy_cells,
    split,
    move_check,
    merge_into_exercise,
    merge_into_check,
    change_types,
    write_anew,
)


def find_solutions(folder):
    """Return the files of the lesson below a folder that contain the solutions."""
    return [*folder.rglob("solutions/*")]


def keep_only(folder, *names):
    """Delete other notebooks, and cells that only show, but for those of the first notebook."""
    for path in [*folder.glob("*.ipynb"), *folder.glob("*.py")]:
        if path.stem not in names:
            path.unlink()
    keep(folder, lambda it: "tags" in it.metadata or "my_agent" in it.source, "s0[34]*.ipynb")


TWO_RULES = """
        for item in checked:
            if item["status"] not in ("pending", "in_progress", "completed"):
                raise ValueError("the status must be pending, in_progress or completed")
        if sum(item["status"] == "in_progress" for item in checked) > 1:
            raise ValueError("only one item can be in_progress at a time")
"""
MARK = "        # Your rules go here. They look at `checked`.\n"
ASKED = {  # in the two hours
    "agent_loop": FIRST_PARTS["agent_loop"],
    "MyTodo": read_given("MyTodo").replace(MARK, TWO_RULES),
    "MyNag": FIRST_PARTS["MyNag"],
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a class that was graded. `rows` has the row of each student in grades.csv."""
    course = Course(tmp_path_factory.mktemp("nbgrader") / "class", NAMES)
    course.run("nbgrader", "db", "student", "add", "tess")  # who was ill
    edited = course.hand_in("edited", course.released)
    write(edited, RIGHT)
    keep_only(edited, *NAMES)
    for name, edit in zip(NAMES, EDITS, strict=True):
        change(edited / f"{name}.ipynb", edit)
    unchecked = course.hand_in("unchecked", course.released)
    write(unchecked, RIGHT)
    keep(unchecked, lambda cell: not has(cell, "check"))
    keep_only(unchecked, FIRST)
    # Only the last notebook, without the student's my_agent and the parts in it.
    alone = course.hand_in("alone", course.released)
    write(alone, RIGHT)
    keep_only(alone, LAST)
    change(alone / f"{LAST}.ipynb", copy_of_another_notebook)
    untouched = course.hand_in("untouched", course.released)
    replace_checks(untouched)
    keep_only(untouched, FIRST, LAST)
    broken = {name: f"raise ValueError('not finished')\n{RIGHT[name]}" for name in RIGHT}
    only_nag = {"MyNag": ASKED["MyNag"]}
    for who, size, texts in (("ada", 3, only_nag), ("nora", 4, broken | ASKED)):
        folder = course.hand_in(who, course.released)
        write(folder, texts)
        keep_only(folder, *NAMES[:size])
    course.rows = course.grade()
    return course


def test_class_gets_the_points_of_what_each_has_written(course):
    """What students do to cells costs them no point: each of EDITS has its own notebook."""
    points = Counter(one.notebook for one in EXERCISES)
    assert {who: float(row["score"]) for who, row in course.rows.items()} == {
        "ada": 1,
        "nora": 2,
        "tess": 0,
        "edited": len(EXERCISES),
        "unchecked": points[FIRST],
        "alone": points[LAST],
        "untouched": 0,
    }
    # What nbgrader gives to the students: the assignment, and a page for each notebook.
    feedback = course.folder / "feedback"
    handed_in = [*(course.folder / "submitted").glob("*/lesson/*.ipynb")]
    pages = [*feedback.glob("*/lesson/*.html")]
    assert len(pages) == len(handed_in) > len(NAMES)
    assert find_solutions(course.released) == find_solutions(feedback) == []
    # Chromium opens such a page in tests/browser/test_feedback_page.py.
    text = [page.read_text(encoding="utf-8") for page in pages]
    assert all('<head><meta http-equiv="Content-Security-Policy"' in page for page in text)


def test_two_hours_are_all_that_was_asked_and_a_second_hand_in_is_graded_again(course):
    assert MARK in read_given("MyTodo")
    asked = {who: row["asked"] for who, row in course.rows.items() if who in "ada nora tess"}
    assert asked == {"ada": "1 of 3", "nora": "3 of 3", "tess": "0 of 3"}
    nora = course.rows["nora"]
    exercises = [nora[name] for name in "E1 E2 E3 E4 E5 E6 E7 E8".split()]
    # Nothing is written for E3, E5 and E6, and her cell of E7 raises an error.
    assert exercises == ["1", "0.38", "0", "1", "0", "0", "0", ""]
    assert {course.rows["tess"][f"E{number}"] for number in range(1, 7)} == {""}
    write(course.folder / "submitted" / "ada" / "lesson", ASKED)
    page = course.folder / "feedback" / "ada" / "lesson" / "s02_tool_use.html"
    before = page.read_text("utf-8")
    rows = course.grade("Grade again")
    assert rows["ada"]["asked"] == "3 of 3" and rows["nora"] == nora
    assert page.read_text("utf-8") != before
