"""The kept runs are those that the agent and the practice model play today."""

import json

import pytest

from lesson.runs.kept_runs import read_file
from lesson.runs.play_all import play_all


@pytest.mark.slow
def test_kept_runs_are_those_that_are_played_again():
    is_same = json.loads(json.dumps(play_all())) == read_file()
    assert is_same, "if the new runs are right, run `make runs`"
