"""The checks: every right solution passes, every mistake fails its own rule first."""

from contextlib import suppress
from importlib import import_module

import pytest
from exercises import (  # noqa: F401, each fills marks.SOLUTIONS
    marks,
    right_brief,
    right_nag,
    right_priority,
    right_timed,
    wrong_brief,
    wrong_nag,
    wrong_priority,
    wrong_timed,
)
from exercises.cells import all_sources, define, run, slip
from hypothesis import given
from hypothesis import strategies as st

from lesson import Clock, check_nag, check_timed
from lesson.exercises.catalogue import EXERCISES

IN_SOURCE = [one for one in EXERCISES if one.name in "loop tool rules facts kept agent".split()]
CLASSES = {one.name: one.check for one in EXERCISES if one not in IN_SOURCE}
CLASSES["timed"] = lambda made: check_timed(made, pauses=True)
CLASSES["nag"] = lambda nag: check_nag(nag, right_priority.ByFields)


def read_attempts(exercise):
    return import_module(f"exercises.attempts.{exercise.name}")


def list_right():
    for exercise in IN_SOURCE:
        for title, source in read_attempts(exercise).RIGHT.items():
            yield pytest.param(exercise, source, id=f"{exercise.name}-{title}")


def list_wrong():
    for exercise in IN_SOURCE:
        attempts = read_attempts(exercise)
        for number, (rule, *source, changes) in enumerate(map(without_words, attempts.WRONG)):
            wrong = slip(*source or [attempts.PLAIN], *changes)
            yield pytest.param(exercise, wrong, rule, id=f"{exercise.name}-{rule}-{number}")


def without_words(entry):
    return [part for part in entry if entry.index(part) == 0 or "\n" in part or type(part) is list]


@pytest.mark.parametrize("exercise, source", list_right())
def test_right_solution_passes(exercise, source):
    made = define(source, exercise.subject)
    result = exercise.check(made)
    assert result.ok, result
    assert exercise.check(made).states == result.states


@pytest.mark.parametrize("exercise, source, rule", list_wrong())
def test_mistake_fails_its_own_rule_first(exercise, source, rule):
    made = define(source, exercise.subject)
    result = exercise.check(made)
    assert result.missed == rule, result


@pytest.mark.parametrize("exercise", IN_SOURCE, ids=lambda one: one.name)
def test_trial_runs_when_pasted(exercise):
    made = define(read_attempts(exercise).PLAIN, exercise.subject)
    names = {exercise.subject: made} | {f"loop_with_blank_{number}": made for number in range(1, 6)}
    for source in all_sources(exercise.rules):
        with suppress(ValueError):  # a trial of what the solution rejects
            run(source, **names)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_nothing_yet_is_not_a_failure(exercise):
    for made in (None, ...):
        result = exercise.check(made)
        assert not result.begun and not result.ok and "that is fine" in str(result)


def entries(is_right):
    for module, solution, rule in marks.SOLUTIONS:
        if (rule is None) == is_right:
            kind = module.rpartition("_")[2]
            name = getattr(solution, "__name__", "partial")
            yield pytest.param(kind, solution, rule, id=f"{kind}-{name}")


@pytest.mark.parametrize("kind, solution, rule", entries(is_right=True))
def test_right_class_passes(kind, solution, rule):
    result = CLASSES[kind](solution)
    assert result.ok, result


@pytest.mark.parametrize("kind, solution, rule", entries(is_right=False))
def test_wrong_class_fails_its_own_rule_first(kind, solution, rule):
    result = CLASSES[kind](solution)
    assert result.missed == rule, result


STATUSES = ("pending", "in_progress", "completed")


@given(
    st.lists(
        st.tuples(
            st.integers(0, 50),
            st.lists(
                st.tuples(st.integers(1, 4), st.sampled_from(STATUSES)),
                max_size=4,
                unique_by=lambda item: item[0],
            ),
        ),
        max_size=8,
    )
)
def test_right_solutions_measure_the_same_times(updates):
    """Except for what the text leaves open: a task reopened after completion or after a drop."""
    clock = Clock(0)
    ways = [
        way(clock=clock)
        for _, way, rule in marks.SOLUTIONS
        if rule is None and way.__module__ == right_timed.__name__
    ]
    over, seen, last = set(), set(), set()
    for wait, tasks in updates:
        clock.now += wait
        tasks = [
            (id, status)
            for id, status in tasks
            if (id not in over or status == "completed") and id not in seen - last
        ]
        items = [{"id": str(id), "text": f"Task {id}", "status": s} for id, s in tasks]
        for way in ways:
            with suppress(ValueError):
                way.update(items)
        if sum(status == "in_progress" for _, status in tasks) < 2:
            last = {id for id, _ in tasks}
            seen |= last
            over |= {id for id, status in tasks if status == "completed"}
    summaries = [as_plain_dicts(way.summary()) for way in ways]
    assert all(summary == summaries[0] for summary in summaries)


def as_plain_dicts(summary):
    names = ("started", "completed", "seconds")
    return {
        "session": summary["session"],
        "tasks": {str(id): [task[name] for name in names] for id, task in summary["tasks"].items()},
    }
