"""The judged runs: the figures that the lesson states, and what is said to each judgement."""

from collections import Counter

import pytest

from lesson import JudgedRuns, judged_runs
from lesson.runs.judged_runs import CLOSE, close_lists, read_cases, runs_without_list

CASES = read_cases().values()


def test_figures_of_the_lesson_are_those_of_the_file():
    ticked = [run for run in judged_runs() if run.is_ticked]
    seen = [run for run in judged_runs() if run.items is not None]
    assert (len(judged_runs()), len(seen), len(ticked)) == (192, 77, 76)
    assert Counter(run.status for run in ticked) == {"failed": 54, "passed": 22}
    assert len({run.model for run in ticked}) == 10
    lists = close_lists()
    assert Counter(run.verdict for run in lists) == {"failed": 18, "no build": 15, "passed": 10}
    assert {run.verdict for run in lists if run.check_item} == {"failed", "passed"}
    assert sum(run.check_item for run in lists) == 16
    assert Counter(run.status for run in runs_without_list()) == {"failed": 64, "passed": 29}


def test_each_list_is_a_box_in_the_row_of_its_job():
    end = JudgedRuns().state["end"]
    assert len(end["rows"]) == 10
    boxes = [box for _, lists, _ in end["rows"] for box in lists["looks"]]
    assert Counter(look for look, _ in boxes) == {"failed": 18, "no build": 15, "passed": 10}
    assert Counter(model for _, model in boxes) == dict(zip(CLOSE.values(), (37, 6), strict=True))
    assert "None of the 15 lists" in end["notes"][1] and "Of the other 28, 16" in end["notes"][1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_told_run_agrees_with_its_figures(case):
    assert case.judged.items == case.judged.ticked == len(case.items)
    assert len(case.wishes) == len(case.on)
    assert {item for items in case.on for item in items} <= set(range(1, len(case.items) + 1))
    passed, total = case.tests
    fails = passed < total or case.judged.build == "failed"
    assert fails == (case.judged.status == "failed")
    assert case.link.endswith(f"{case.commit}/results/{case.run}") and len(case.commit) == 40


def answers(number):
    screens = [*JudgedRuns().state["screens"], *JudgedRuns().state["more"]]
    runs = [run for screen in screens for run in screen["runs"]]
    return next(run["answers"] for run in runs if run["number"] == str(number))


def test_a_test_is_not_said_to_have_failed_if_all_passed():
    for case in CASES:
        if case.tests[0] == case.tests[1]:
            assert "A test did say no" not in str(answers(case.number)), case.name
    assert answers(8)["test"].endswith("All 5 tests passed. What said no: the build.")


def test_our_reading_may_be_on_the_side_of_a_reader_whom_the_verdict_contradicts():
    assert "on your side" in answers(3)["finished"]  # failed for a word in a comment
    assert "on your side" in answers(10)["test"]  # passed, and shows an invented guest
    assert "can be argued" in answers(11)["finished"]
    assert "so does our reading" in answers(6)["finished"]


def test_text_names_every_verdict_after_all_runs_and_links_each_original():
    text = repr(JudgedRuns())
    runs, verdicts = text.split("The verdicts")
    for number in (6, 8, 10, 11):
        case = read_cases()[number]
        assert f"{case.name}: {case.judged.status}" in verdicts
        assert case.link in verdicts and case.items[0] in runs
    assert text.count("It does not follow that") == 5
    assert repr(JudgedRuns(only_first=True)).count("told in our own words") == 1
