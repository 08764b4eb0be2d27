"""The judged runs: what is said to each judgement. nbval compares the figures that s05 prints."""

from collections import Counter

import pytest

from lesson import JudgedRuns, judged_runs
from lesson.runs.judged_runs import CLOSE, read_cases
from lesson.widgets.judged import answer

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
def test_a_told_run_and_what_is_said_of_it_agree_with_its_figures(case):
    assert case.judged.items == case.judged.ticked == len(case.items)
    assert len(case.wishes) == len(case.on)
    assert {item for items in case.on for item in items} <= set(range(1, len(case.items) + 1))
    passed, total = case.tests
    fails = passed < total or case.judged.build == "failed"
    assert fails == (case.judged.status == "failed")
    assert ("A test did say no" in answer(case, "test")) == (passed < total)
    assert ("The build did say no" in answer(case, "build")) == (case.judged.build == "failed")
    assert ("What said no" in answer(case, "nobody")) == fails
    assert case.link.endswith(f"{case.commit}/results/{case.run}") and len(case.commit) == 40


@pytest.mark.parametrize(
    ("number", "choice", "said"),
    [
        (6, "finished", "the files. What said no: the build, a test and the wishes."),
        (6, "build", "agree. The build did say no. So did a test and the wishes."),
        (8, "test", "agree. All tests passed. What said no: the build."),
        (3, "finished", "on your side. What said no: a test, which is wrong."),
        (10, "finished", "our reading of the files says otherwise. Nothing said no."),
        (10, "test", "our reading of the files is on your side. All tests passed."),
        (11, "wishes", "can be argued. Compared with the files, the wishes did say no. So did a t"),
        (4, "nobody", "otherwise, and so does our reading of the files. Nothing said no."),
    ],
)
def test_reader_is_told_who_agrees_and_what_said_no(number, choice, said):
    assert said in answer(read_cases()[number], choice)
