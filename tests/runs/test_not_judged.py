"""Files that are too much for the judges: never "not done", wherever a count is shown."""

import re

from lesson.drawing.marks import list_counts
from lesson.drawing.run_picture import draw_round, draw_run_counts, format_run, list_run_rows
from lesson.practice.policy.next_reply import practice_policy
from lesson.practice.practice_model import PracticeModel
from lesson.practice.run_program import describe_files
from lesson.runs.explain import explain_outcome
from lesson.runs.run import Run
from lesson.samples.jobs import load_job

LARGE = "x = 1\n" * 20_000


def write_large(*rounds, small=()):
    """Return a practice model that also writes a program that is too large, in these rounds.

    In the rounds of `small`, it writes a small one in its place.
    """

    def policy(request):
        blocks = practice_policy(request)
        number = len(request["messages"]) // 2 + 1
        if number in (*rounds, *small):
            fields = {"path": "large.py", "content": LARGE if number in rounds else "x = 1\n"}
            blocks.append({"type": "tool_use", "name": "write_file", "input": fields})
        return blocks

    return PracticeModel(policy)


def test_a_round_that_is_not_judged_takes_nothing_back():
    models = write_large(), write_large(9, small=[12])
    plain, run = (Run(after=3, model=model).play() for model in models)
    assert not run.problem and len(run.records) == len(plain.records)
    unjudged = [n for n, record in enumerate(run.records, 1) if record.snapshot.not_judged]
    assert unjudged == [9, 10, 11] and not run.not_judged
    assert all(not run.records[n - 1].snapshot.done for n in unjudged)
    assert run.letters[8:11].lower().strip("pu") == "" and run.steps[8:11] == "000"
    assert [all_done is None for all_done in run.all_done[8:11]] == [True] * 3
    # What was done before stays so, and what was done in between is seen afterwards.
    before, at, after = (list_run_rows(run, n) for n in (8, 11, 12))
    for old, row, new in zip(before, at, after, strict=True):
        if old.states[-1:] in (("shown",), ("finished",)):
            assert row.states[-1] == new.states[-1] == "shown"
        assert row.states[-1] != "finished"
    # README.md does not name large.py, and all other steps are counted.
    assert sum(map(int, run.steps)) == sum(run.done) == sum(plain.done) - 1
    counts = draw_run_counts(run, 10)
    assert "the files are" in counts and "not judged: large.py" in counts
    assert "large.py" in [change.name for change in run.records[11].changes]


def test_a_run_whose_files_are_not_judged_says_so_everywhere():
    run = Run(after=3, model=write_large(9)).play()
    reason = "not judged: large.py is over a limit"
    assert run.not_judged.startswith(reason) and run.done == () and run.is_over
    shown = format_run(run)
    assert f"the files are {reason}" in shown and not re.search(r"the files show \d", shown)
    assert "□ stops" in shown and "steps missing" not in shown
    last = len(run.records)
    assert "lp-bad" not in draw_round(run, last) + draw_run_counts(run, last)
    assert list_counts((), [], run.not_judged)[0].value == run.not_judged
    assert reason in explain_outcome(run)
    assert reason in describe_files(load_job("ten_steps"), run.workspace.root)


def test_an_agent_is_not_asked_for_what_nobody_has_judged():
    run = Run(after=3, model=write_large(9), missing="files").play()
    assert len([one for one in run.messages if "not the user" in str(one)]) == 0
    assert run.problem.startswith("The agent was not asked what is missing, because the files are")


def test_file_that_grows_over_a_limit_is_not_shown_as_deleted():
    run = Run(after=3, model=write_large(12, small=[9])).play()
    changes = [change for record in run.records for change in record.changes]
    assert [change.kind for change in changes if change.name == "large.py"] == ["new"]
    assert "large.py" in run.changed
