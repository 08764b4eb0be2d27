"""The judged runs: a told run agrees with its figures. nbval compares those that s05 prints."""

from collections import Counter

import pytest

from lesson import JudgedRuns, judged_runs
from lesson.runs.judged_runs import CLOSE, read_cases

CASES = read_cases().values()


def test_figures_in_the_text_of_s05_are_those_of_the_file():
    assert len(judged_runs()) == 192
    assert len({run.model for run in judged_runs() if run.is_ticked}) == 10


def test_each_list_is_a_box_in_the_row_of_its_job():
    end = JudgedRuns().state["end"]
    boxes = [box for _, lists, _ in end["rows"] for box in lists["looks"]]
    assert Counter(model for _, model in boxes) == dict(zip(CLOSE.values(), (37, 6), strict=True))
    assert repr(JudgedRuns(only_first=True)).count("told in our own words") == 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_told_run_agrees_with_its_figures(case):
    assert case.judged.items == case.judged.ticked == len(case.items)
    assert len(case.wishes) == len(case.on)
    assert {item for items in case.on for item in items} <= set(range(1, len(case.items) + 1))
    passed, total = case.tests
    fails = passed < total or case.judged.build == "failed"
    assert fails == (case.judged.status == "failed")
    assert case.link.endswith(f"{case.commit}/results/{case.run}") and len(case.commit) == 40
