"""The kept runs of RemindIt, some of them played again."""

import re

import pytest

from lesson.runs.measured import Setting, summarize
from lesson.runs.summaries import describe_message
from lesson.runs.trial import Trial
from lesson.widgets.remind_it import SIZES, read_runs


def read_run(size, after):
    """Return a run that the reader can have, and its messages as lines."""
    contents = read_runs()
    run = contents["runs"][contents["columns"][str(size)][after - 1]]
    return run, [contents["strings"][place] for place in run["lines"]]


@pytest.mark.parametrize("size, after", [(12, 5), (12, 6), (8, 0), (20, 10)])
def test_kept_runs_are_those_of_the_loop_if_the_nag_begins_when_the_reader_presses(size, after):
    trial = Trial(after=1000, window=size)
    for turn in trial:
        if turn.number == after:
            trial.nag.after = after
    run, lines = read_run(size, after)
    played = summarize(Setting(window=size), trial)
    assert (run["cells"], run["steps"]) == (played.cells, played.steps)
    assert run["tokens"] == trial.tokens
    said = [describe_message(one)[1] for turn in trial.rounds for one in turn.messages]
    assert [re.sub(r"^\d+ of \d+ done", "todo", line) for line in lines] == said


def test_each_window_has_a_run_for_each_threshold_and_one_without_a_reminder():
    columns = read_runs()["columns"]
    assert list(columns) == [str(size) for size in SIZES]
    assert {len(places) for places in columns.values()} == {16}
