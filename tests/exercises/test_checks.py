"""The checks: every right solution passes, every mistake fails its own rule first."""

import ast
import re
from dataclasses import replace
from importlib import import_module

import pytest
from exercises.cells import define, slip

from lesson import check_priority
from lesson.exercises.catalogue import EXERCISES
from lesson.exercises.checking import check

ATTEMPTS = {one.name: import_module(f"exercises.attempts.{one.name}") for one in EXERCISES}
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)


def list_right():
    """Yield exercises and right sources, besides those in the solved notebooks."""
    for exercise in EXERCISES:
        for title, source in ATTEMPTS[exercise.name].RIGHT.items():
            yield pytest.param(exercise, source, id=f"{exercise.name}-{title}")


def list_wrong():
    """Yield an exercise, a wrong source, its rule, and words of the feedback about the cause.

    A row is the rule, a source, changes of it, and these words. PLAIN is changed by default, and
    the words may be left out.
    """
    for exercise in EXERCISES:
        attempts = ATTEMPTS[exercise.name]
        for number, (rule, *rest) in enumerate(attempts.WRONG):
            source = rest.pop(0) if isinstance(rest[0], str) else attempts.PLAIN
            words = rest.pop() if rest and isinstance(rest[-1], str) else ""
            wrong = slip(source, *rest)
            yield pytest.param(exercise, wrong, rule, words, id=f"{exercise.name}-{rule}-{number}")


@pytest.mark.parametrize("exercise, source", [*list_right()])
def test_right_solution_passes(exercise, source):
    result = exercise.check(define(source, exercise.subject))
    assert result.ok, result


@pytest.mark.parametrize("exercise, source, rule, words", [*list_wrong()])
def test_mistake_fails_its_own_rule_first_and_its_cause_is_told(exercise, source, rule, words):
    number = [one.name for one in exercise.rules].index(rule)
    tried = replace(exercise, rules=exercise.rules[: number + 1])
    names = {"PriorityTodo": check_priority.exercise.make_solution()}
    made = define(source, exercise.subject)
    result = check(tried, names | {exercise.subject: made})
    assert result.missed == rule, result
    assert "super().update(" not in result.miss.note or hasattr(made.__base__, "update")
    assert words in (miss := result.miss).note or words in miss.got
    assert not miss.note or miss.note not in miss.got  # it is said once
    assert "steps are done" not in miss.got or re.search("todo|step", miss.tried + miss.expected)
    assert not re.search("Scene|ScriptedRun|AskingRun", result.miss.tried), "a learner's words"


@pytest.mark.parametrize("rule", ["a_status", "one_at_a_time", "no_duplicates"])
def test_one_broken_rule_fails_alone(rule):
    exercise = next(one for one in EXERCISES if one.name == "rules")
    for wrong, *changes in ATTEMPTS["rules"].WRONG:
        if wrong == rule:
            changes = [one for one in changes if isinstance(one, tuple)]
            made = define(slip(ATTEMPTS["rules"].PLAIN, *changes), "MyTodo")
            assert exercise.check(made).passed == 7, changes


@every_exercise
def test_trial_can_be_read_as_code(exercise):
    for case in (case for rule in exercise.rules for case in rule.cases):
        ast.parse(case.source)
        for name in ("PLAN", "WORK", "PLANNING", "TWO_TASKS"):
            assert f"{name} = [" in case.source or not re.search(rf"\b{name}\b", case.source)
