"""The checks of the exercises: every right solution passes, every mistake meets its own rule."""

import pytest
from exercises import (
    marks,
    right_nag,
    right_priority,
    right_timed,
    wrong_nag,
    wrong_priority,
    wrong_timed,
)

from agentlib.exercises import check_nag, check_priority, check_timed

COLLECTIONS = (right_nag, right_priority, right_timed, wrong_nag, wrong_priority, wrong_timed)
CHECKS = {
    "priority": check_priority,
    "nag": lambda nag: check_nag(nag, right_priority.ByFields),
    "timed": check_timed,
}


def entries(kind):
    found = [(module.rpartition("_")[2], solution, rule)
             for module, solution, rule in marks.SOLUTIONS if (rule is None) == (kind == "right")]
    return [pytest.param(*entry, id=f"{entry[0]}-{getattr(entry[1], '__name__', 'partial')}")
            for entry in found]


def first_miss(result):
    return next((rule.name for rule, state in zip(result.rules, result.states, strict=True)
                 if state != "yes"), None)


@pytest.mark.parametrize("exercise, solution, rule", entries("right"))
def test_a_right_solution_passes(exercise, solution, rule):
    result = CHECKS[exercise](solution)
    assert result.ok, result


@pytest.mark.parametrize("exercise, solution, rule", entries("wrong"))
def test_a_mistake_is_caught_by_its_own_rule_first(exercise, solution, rule):
    if getattr(solution, "makes_a_solution", False):
        solution = solution()
    result = CHECKS[exercise](solution)
    assert not result.ok
    assert result.miss, result
    assert first_miss(result) == rule, result


def test_there_are_enough_of_both():
    assert len(entries("right")) >= 10
    assert len(entries("wrong")) >= 40
