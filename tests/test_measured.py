"""Measured runs: figures, reasons, and which runs are played."""

import pytest

from agentlib.nag import Nag
from lesson.runs.measured import Setting, measured


@pytest.fixture(scope="module")
def column():
    """Return every run of ten_steps with a window of 12; the last two have no reminder or list."""
    return [measured(setting) for setting in Setting().column()]


def test_reminder_in_time_is_read_while_the_plan_is_in_the_window(column):
    for run in column[:5]:
        assert run.is_finished and not run.lost
        assert run.reason == "in_time"
    for run in column[5:9]:
        assert run.steps_done == 3
        assert run.seen < run.read
        assert run.reason == "too_late"


def test_reason_contains_the_figures_of_the_run(column):
    assert column[5].why() == (
        "The plan is in the window up to round 7. The reminder is read in round 8, 1 round too "
        "late: the model lists what it still sees, and calls that complete."
    )
    assert "2 rounds too late" in column[6].why()
    assert column[15].reason == "unreminded"
    assert column[16].reason == "no_list"


class ShowsPlan(Nag):
    def reminder(self):
        return f"<reminder>{self.todo.render()}</reminder>"


class OffThePoint(Nag):
    def reminder(self):
        return "<reminder>The sky is blue.</reminder>"


def test_reminder_with_the_plan_restores_it_and_an_unrelated_one_does_not():
    run = measured(Setting(after=8, nag=ShowsPlan))
    assert (run.is_finished, run.reason) == (True, "came_back")
    assert "L" in run.cells and "s" not in run.cells
    assert measured(Setting(after=3, nag=OffThePoint)).reason == "unheeded"
    assert measured(Setting(after=8, nag=OffThePoint)).reason == "in_vain"


def test_run_without_a_list_finishes_if_all_messages_are_in_the_window():
    run = measured(Setting(window=48, after=None, plan=False))
    assert (run.is_finished, run.claims, run.reason) == (True, "", "no_list_needed")


def test_measured_run_is_not_played_again(monkeypatch):
    measured(Setting(after=6))
    monkeypatch.setattr(Setting, "trial", None)
    assert measured(Setting(after=6)).steps_done == 3
    with pytest.raises(TypeError):
        measured(Setting(after=6, nag=OffThePoint))
