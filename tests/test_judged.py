"""The judged runs: a told run agrees with its figures. nbval compares those that s05 prints."""

from collections import Counter

import pytest

from lesson import JudgedRuns
from lesson.runs.judged_runs import close_lists, read_cases

CASES = read_cases().values()


def test_squares_of_a_series_are_its_attempts_in_order():
    series = [group for _, groups in JudgedRuns().state["jobs"] for group in groups]
    assert Counter(one["isRound"] for group in series for one in group) == {False: 37, True: 6}
    assert sum(bool(one["told"]) for group in series for one in group) == len(CASES)
    attempts = [[int(one["name"].split("attempt ")[1][0]) for one in group] for group in series]
    assert [1, 2, 3] in attempts and all(numbers == sorted(numbers) for numbers in attempts)


@pytest.mark.parametrize("run", close_lists(), ids=lambda run: run.run.split("/", 1)[1])
def test_verdict_follows_from_the_build_and_the_tests(run):
    passed, total = run.tests
    assert len(run.failed_tests) == total - passed
    assert (passed < total or run.build == "failed") == (run.status == "failed")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_told_run_agrees_with_its_figures(case):
    assert case.judged.items == case.judged.ticked == len(case.items)
    assert len(case.points) == len(case.on)
    assert {item for items in case.on for item in items} <= set(range(1, len(case.items) + 1))
    is_wrong = any(found != "done" for found in case.fate.values())
    assert ("request" in case.who) == is_wrong  # it says no if a point is marked, and only then
    assert case.link.endswith(f"{case.commit}/results/{case.run}") and len(case.commit) == 40
