"""The checks of the exercises: every right solution passes, every mistake meets its own rule."""

from contextlib import suppress

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
from hypothesis import given
from hypothesis import strategies as st

from lesson.exercises import Clock, check_brief, check_nag, check_priority, check_timed

CHECKS = {
    "brief": check_brief,
    "priority": check_priority,
    "nag": lambda nag: check_nag(nag, right_priority.ByFields),
    "timed": check_timed,
}


def entries(kind):
    found = [
        (module.rpartition("_")[2], solution, rule)
        for module, solution, rule in marks.SOLUTIONS
        if (rule is None) == (kind == "right")
    ]
    return [
        pytest.param(*entry, id=f"{entry[0]}-{getattr(entry[1], '__name__', 'partial')}")
        for entry in found
    ]


def first_miss(result):
    return next(
        (
            rule.name
            for rule, state in zip(result.rules, result.states, strict=True)
            if state != "yes"
        ),
        None,
    )


@pytest.mark.parametrize("exercise, solution, rule", entries("right"))
def test_a_right_solution_passes(exercise, solution, rule):
    result = CHECKS[exercise](solution)
    assert result.ok, result


@pytest.mark.parametrize("exercise, solution, rule", entries("wrong"))
def test_a_mistake_is_caught_by_its_own_rule_first(exercise, solution, rule):
    result = CHECKS[exercise](solution)
    assert not result.ok
    assert result.miss, result
    assert first_miss(result) == rule, result


def test_there_are_enough_of_both():
    assert len(entries("right")) >= 10
    assert len(entries("wrong")) >= 40


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
def test_the_right_ways_to_measure_time_agree_on_any_history(updates):
    """But for what the text leaves open: a completed task opened again, a dropped one come back."""
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
    summaries = [plain(way.summary()) for way in ways]
    assert all(summary == summaries[0] for summary in summaries)


def plain(summary):
    """A summary in plain dicts, with the values that count."""
    names = ("started", "completed", "seconds")
    return {
        "session": summary["session"],
        "tasks": {str(id): [task[name] for name in names] for id, task in summary["tasks"].items()},
    }
