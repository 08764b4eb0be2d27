"""Each run that a test here plays is saved, opened again and compared."""

from functools import wraps

import pytest

from lesson.drawing.run_picture import run_text
from lesson.runs.run import Run
from lesson.runs.saved_run import read_run
from lesson.widgets.run_view import draw_still


def check_opened(run, path):
    """Check that a run is the same after it was saved: its text, its pictures and its requests."""
    run.save(path)
    opened = read_run(path)
    assert run_text(opened) == run_text(run)
    size = len(run.records)
    for at in range(1, size + 1, 1 + size // 60):  # of 300 rounds, each sixth
        assert str(opened.request(at)) == str(run.request(at))
        assert opened.request(at).sent == run.request(at).sent
        assert draw_still(opened, at) == draw_still(run, at)


@pytest.fixture(autouse=True)
def every_run_is_saved_and_opened(monkeypatch, tmp_path_factory):
    play, folder = Run.play, tmp_path_factory.mktemp("runs")

    @wraps(play)  # a test can play without it: the texts of a run with a key are not the same
    def play_and_check(self, *given, **more):
        run = play(self, *given, **more)
        path = folder / "run.jsonl"
        path.unlink(missing_ok=True)
        check_opened(run, path)
        return run

    monkeypatch.setattr(Run, "play", play_and_check)
