"""The checks: every right solution passes, every mistake fails its own rule first."""

import ast
from dataclasses import replace
from importlib import import_module

import pytest
from exercises.cells import define, slip

from lesson.exercises.catalogue import EXERCISES
from lesson.exercises.checking.check import check
from lesson.exercises.checking.expected import Raised

ATTEMPTS = {one.name: import_module(f"exercises.attempts.{one.name}") for one in EXERCISES}


def list_right():
    """Yield exercises and right sources, without those in the notebooks: see test_saved.py."""
    for exercise in EXERCISES:
        for title, source in ATTEMPTS[exercise.name].RIGHT.items():
            yield pytest.param(exercise, source, id=f"{exercise.name}-{title}")


def list_wrong():
    """Yield an exercise, a wrong source, and its rule. Changes are made to PLAIN by default."""
    for exercise in EXERCISES:
        attempts = ATTEMPTS[exercise.name]
        for number, (rule, *changes) in enumerate(attempts.WRONG):
            source = changes.pop(0) if isinstance(changes[0], str) else attempts.PLAIN
            wrong = slip(source, *changes)
            yield pytest.param(exercise, wrong, rule, id=f"{exercise.name}-{rule}-{number}")


def check_up_to(rule, exercise, made):
    """Check by the rules up to this one, because the last ones take most of the time."""
    number = [one.name for one in exercise.rules].index(rule)
    rules = exercise.rules[: number + 1]
    return check(replace(exercise, rules=rules), {exercise.subject: made})


@pytest.mark.parametrize("exercise, source", [*list_right()])
def test_right_solution_passes(exercise, source):
    result = exercise.check(define(source, exercise.subject))
    assert result.ok, result


@pytest.mark.parametrize("exercise, source, rule", [*list_wrong()])
def test_mistake_fails_its_own_rule_first(exercise, source, rule):
    made = define(source, exercise.subject)
    is_slow = exercise.name in ("agent", "tool")
    result = check_up_to(rule, exercise, made) if is_slow else exercise.check(made)
    assert result.missed == rule, result


@pytest.mark.parametrize("rule", ["a_status", "one_at_a_time", "no_duplicates"])
def test_one_broken_rule_fails_alone(rule):
    exercise = next(one for one in EXERCISES if one.name == "rules")
    for wrong, *changes in ATTEMPTS["rules"].WRONG:
        if wrong == rule:
            made = define(slip(ATTEMPTS["rules"].PLAIN, *changes), "MyTodo")
            assert exercise.check(made).passed == 7, changes


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_trial_runs_when_pasted(exercise):
    made = define(ATTEMPTS[exercise.name].PLAIN, exercise.subject)
    names = {"PriorityTodo": define(ATTEMPTS["priority"].PLAIN, "PriorityTodo")}
    names[exercise.subject] = made
    for case in (case for rule in exercise.rules for case in rule.cases):
        got = run_as_pasted(case.source, dict(names))
        assert case.expected.test(got), case.source


def run_as_pasted(source, names):
    """Return the value of the last line, or the exception as Raised."""
    *before, last = ast.parse(source).body
    try:
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    except Exception as problem:
        return Raised(problem)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_nothing_yet_is_not_a_failure(exercise):
    for made in (None, ...):
        result = exercise.check(made)
        assert not result.begun and not result.ok and "that is fine" in str(result)
