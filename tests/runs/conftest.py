"""Each run that a test here plays is saved, opened again and compared."""

from functools import wraps

import pytest
from support.rounds import check_opened

from lesson.runs.run import Run


@pytest.fixture(autouse=True)
def every_run_is_saved_and_opened(monkeypatch, tmp_path_factory):
    play, folder = Run.play, tmp_path_factory.mktemp("runs")

    @wraps(play)  # a test can play without it: the texts of a run with a key are not the same
    def play_and_check(self, *arguments, **more):
        run = play(self, *arguments, **more)
        path = folder / "run.jsonl"
        path.unlink(missing_ok=True)
        check_opened(run, path, most=5)
        return run

    monkeypatch.setattr(Run, "play", play_and_check)
