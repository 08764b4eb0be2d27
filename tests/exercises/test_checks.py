"""The checks: every right solution passes, every mistake fails its own rule first."""

import ast
from dataclasses import replace
from importlib import import_module

import pytest
from exercises.cells import define, slip

from lesson.exercises.catalogue import EXERCISES
from lesson.exercises.check_priority import PriorityInCheck
from lesson.exercises.checking import check

ATTEMPTS = {one.name: import_module(f"exercises.attempts.{one.name}") for one in EXERCISES}


def list_right():
    """Yield exercises and right sources, without those in the notebooks: see test_saved.py."""
    for exercise in EXERCISES:
        for title, source in ATTEMPTS[exercise.name].RIGHT.items():
            yield pytest.param(exercise, source, id=f"{exercise.name}-{title}")


def list_wrong():
    """Yield an exercise, a wrong source, and its rule. Changes are made to PLAIN by default.

    More of them are in test_teach.py.
    """
    for exercise in EXERCISES:
        attempts = ATTEMPTS[exercise.name]
        for number, (rule, *changes) in enumerate(attempts.WRONG):
            source = changes.pop(0) if isinstance(changes[0], str) else attempts.PLAIN
            wrong = slip(source, *changes)
            yield pytest.param(exercise, wrong, rule, id=f"{exercise.name}-{rule}-{number}")


@pytest.mark.parametrize("exercise, source", [*list_right()])
def test_right_solution_passes(exercise, source):
    result = exercise.check(define(source, exercise.subject))
    assert result.ok, result


@pytest.mark.parametrize("exercise, source, rule", [*list_wrong()])
def test_mistake_fails_its_own_rule_first(exercise, source, rule):
    made = define(source, exercise.subject)
    number = [one.name for one in exercise.rules].index(rule)
    tried = replace(exercise, rules=exercise.rules[: number + 1])
    result = check(tried, {"PriorityTodo": PriorityInCheck, exercise.subject: made})
    assert result.missed == rule, result


@pytest.mark.parametrize("rule", ["a_status", "one_at_a_time", "no_duplicates"])
def test_one_broken_rule_fails_alone(rule):
    exercise = next(one for one in EXERCISES if one.name == "rules")
    for wrong, *changes in ATTEMPTS["rules"].WRONG:
        if wrong == rule:
            made = define(slip(ATTEMPTS["rules"].PLAIN, *changes), "MyTodo")
            assert exercise.check(made).passed == 7, changes


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_trial_can_be_read_as_code(exercise):
    for case in (case for rule in exercise.rules for case in rule.cases):
        ast.parse(case.source)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_nothing_yet_is_not_a_failure(exercise):
    for made in (None, ...):
        result = exercise.check(made)
        assert not result.begun and not result.ok and "that is fine" in str(result)
