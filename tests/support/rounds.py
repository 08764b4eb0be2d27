"""Make records of rounds without a run, and compare a run with its file."""

from lesson.drawing.run_picture import format_run
from lesson.drawing.timeline import list_timeline
from lesson.runs.record import RoundRecord, Snapshot
from lesson.runs.saved_run import read_run
from lesson.runs.window import View
from lesson.widgets.run_view import draw_still


def after_round(items, done):
    """Return what is known after a round in which the model has seen all."""
    return RoundRecord(None, Snapshot(items, done), 0, View(1, ()), "w", 0, ())


def list_lines(steps, items, done):
    """Return the lines of the list after one round."""
    return [row.line for row in list_timeline(steps, [after_round(items, done)], 1)]


def check_opened(run, path, most=1000):
    """Check that a run is the same after it was saved: its text, and its pictures and requests.

    Those of a longer run are compared in about so many of its rounds.
    """
    run.save(path)
    opened, size = read_run(path), len(run.records)
    assert format_run(opened) == format_run(run)
    for at in range(1, size + 1, 1 + size // most):
        assert str(opened.request(at)) == str(run.request(at))
        assert opened.request(at).sent == run.request(at).sent
        assert draw_still(opened, at) == draw_still(run, at)
