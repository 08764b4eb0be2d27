"""The notebooks that a learner fills in: one source, the right tags, and the feedback they ship."""

import json
import re

import nbformat
import pytest
from solutions import NAMES, has, learners, plain, solve, solved

from lesson.exercises.catalogue import EXERCISES
from notebooks import NOTEBOOKS, find_notebooks

every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
every_notebook = pytest.mark.parametrize("name", NAMES)


def cells(path):
    return nbformat.read(path, as_version=4).cells


def tagged(path, *tags):
    return [cell for cell in cells(path) if all(has(cell, tag) for tag in tags)]


def shown(cell):
    return "\n".join("".join(out.get("data", {}).get("text/plain", "")) for out in cell.outputs)


@every_notebook
def test_solved_notebook_matches_the_learners(name):
    done = nbformat.read(solved(name), as_version=4)
    wanted = solve(nbformat.read(learners(name), as_version=4), done)
    assert [plain(cell) for cell in done.cells] == [plain(cell) for cell in wanted], (
        "run 'python tools/solutions.py', then 'make notebooks'"
    )


@pytest.mark.parametrize("copy", [learners, solved], ids=["learners", "solved"])
@every_exercise
def test_exercise_has_cell_check_and_two_hints(copy, exercise):
    path = copy(exercise.notebook)
    [cell] = tagged(path, "exercise", exercise.name)
    [check] = tagged(path, "check", exercise.name)
    following = [one for one in cells(path) if one.cell_type == "code" or has(one, "hint")]
    ids = [one.id for one in following]
    assert ids.index(check.id) == ids.index(cell.id) + 1
    hint = following[ids.index(check.id) + 1]
    assert has(hint, "hint") and hint.source.count("<details>") >= 2
    assert f"{exercise.check.__name__}(" in check.source


@pytest.mark.parametrize("copy", [learners, solved], ids=["learners", "solved"])
@every_exercise
def test_nbgrader_runs_the_exercises_cell_and_grades_its_check(copy, exercise):
    [cell] = tagged(copy(exercise.notebook), "exercise", exercise.name)
    [check] = tagged(copy(exercise.notebook), "check", exercise.name)
    common = {"schema_version": 3, "task": False}
    written = {"grade_id": exercise.name, "solution": True, "grade": False, "locked": False}
    graded = {"grade_id": f"check_{exercise.name}", "solution": False, "grade": True}
    assert cell.metadata.nbgrader == common | written
    assert check.metadata.nbgrader == common | graded | {"locked": True, "points": 1}


@pytest.mark.parametrize(
    "name", [one.relative_to(NOTEBOOKS).as_posix() for one in find_notebooks()]
)
def test_nbgrader_has_different_names_for_exercises_and_checks_and_none_for_others(name):
    every = cells(NOTEBOOKS / name)
    marked = [cell for cell in every if "nbgrader" in cell.metadata]
    assert marked == [cell for cell in every if has(cell, "exercise") or has(cell, "check")]
    names = [cell.metadata.nbgrader.grade_id for cell in marked]
    assert len(names) == len(set(names))


@every_exercise
def test_saved_checks_are_not_begun_and_passed(exercise):
    [bare] = tagged(learners(exercise.notebook), "check", exercise.name)
    [done] = tagged(solved(exercise.notebook), "check", exercise.name)
    run = "run `make notebooks`"
    assert "nothing there yet, and that is fine" in shown(bare), run
    assert re.search(r": all \d+ rules", shown(done)), run


@every_notebook
def test_learners_notebook_contains_no_solution(name):
    """A solution is only in a fold, which the learner opens."""
    assert not tagged(learners(name), "solution")
    in_sight = [cell.source for cell in cells(learners(name)) if not has(cell, "hint")]
    for cell in tagged(solved(name), "exercise"):
        assert cell.source not in json.dumps(in_sight)
