"""The judged runs: the figures that the lesson states, and what is said to each judgement."""

from collections import Counter

import pytest

from lesson import JudgedRuns, judged_runs
from lesson.runs.judged_runs import CLOSE, close_lists, read_cases, runs_without_list
from lesson.widgets.judged import answer

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


def test_text_names_every_verdict_after_all_runs_and_links_each_original():
    text = repr(JudgedRuns())
    runs, verdicts = text.split("The verdicts")
    for number in (6, 8, 10, 11):
        case = read_cases()[number]
        assert f"{case.name}: {case.judged.status}" in verdicts
        assert case.link in verdicts and case.items[0] in runs
    assert text.count("It does not follow that") == 5
    assert repr(JudgedRuns(only_first=True)).count("told in our own words") == 1
