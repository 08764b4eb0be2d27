"""The two notebooks with the exercises: one source, the right tags, and the feedback they ship."""

import json

import nbformat
import pytest
from exercises.solve import LEARNERS, SOLVED, has, solve

from agentlib.exercises import catalogue

EXERCISES = [one for one in catalogue.EXERCISES if one.notebook == "exercises"]


def cells(path):
    return nbformat.read(path, as_version=4).cells


def tagged(path, *tags):
    return [cell for cell in cells(path) if all(has(cell, tag) for tag in tags)]


def shown(cell):
    return "\n".join("".join(out.get("data", {}).get("text/plain", "")) for out in cell.outputs)


def plain(cell):
    return cell.id, cell.cell_type, cell.source, cell.metadata.get("tags", [])


def test_the_solved_notebook_is_the_learners_with_its_solutions_in_place():
    solved = nbformat.read(SOLVED, as_version=4)
    wanted = solve(nbformat.read(LEARNERS, as_version=4), solved)
    assert [plain(cell) for cell in solved.cells] == [plain(cell) for cell in wanted], (
        "run 'python tests/exercises/solve.py', then 'make notebooks'"
    )


@pytest.mark.parametrize("path", [LEARNERS, SOLVED], ids=["learners", "solved"])
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_each_exercise_has_a_cell_a_check_and_two_hints(path, exercise):
    [cell] = tagged(path, "exercise", exercise.name)
    [check] = tagged(path, "check", exercise.name)
    ids = [cell.id for cell in cells(path) if not has(cell, "solution")]
    assert ids.index(check.id) == ids.index(cell.id) + 1
    hint = next(one for one in cells(path) if one.id == ids[ids.index(check.id) + 1])
    assert has(hint, "hint") and hint.source.count("<details>") == 2
    assert check.source.startswith(exercise.check.__name__)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_the_checks_say_nothing_yet_and_all_right(exercise):
    [bare], [done] = (tagged(path, "check", exercise.name) for path in (LEARNERS, SOLVED))
    assert "nothing there yet, and that is fine" in shown(bare)
    assert f"all {len(exercise.rules)} rules hold" in shown(done)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_each_solution_comes_with_a_word_on_it(exercise):
    ids = [cell.id for cell in cells(SOLVED)]
    [cell] = tagged(SOLVED, "exercise", exercise.name)
    assert has(cells(SOLVED)[ids.index(cell.id) + 1], "solution")


def test_the_learners_notebook_gives_no_solution_away():
    text = json.dumps([cell.source for cell in cells(LEARNERS)])
    assert not tagged(LEARNERS, "solution")
    for cell in tagged(SOLVED, "exercise"):
        assert cell.source not in text


def test_the_warm_up_shows_what_the_rule_is_for():
    race = next(cell for cell in cells(LEARNERS) if "steps done. You said" in cell.source)
    assert race.outputs[0].text.splitlines() == [
        "With the rule: 5 steps done. You said 10.",
        "Without it: 0 steps done. You said 10.",
    ]


def test_the_set_up_brings_all_that_the_checks_try_code_with():
    [setup] = tagged(LEARNERS, "setup")
    names = {}
    exec(setup.source, names)
    assert {"PLANNING", "WORK", "Clock", "TodoManager", "Nag", "time"} <= names.keys()
