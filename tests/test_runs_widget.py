"""The chart of runs without a browser: the data for the page, and the text."""

import asyncio

import pytest

from agentlib.nag import Nag
from lesson import Runs
from lesson.runs import measured as measuring
from lesson.runs.measured import Setting, measured
from lesson.widgets import runs as module


@pytest.fixture
def few(monkeypatch):
    """Measure five runs with each window, with the thresholds 4 to 6, instead of seventeen."""
    monkeypatch.setattr(measuring, "THRESHOLDS", range(4, 7))


@pytest.fixture
def own_nag(few, monkeypatch):
    """Return a reminder whose runs are not in the cache, and run no commands: they are slow."""
    monkeypatch.setenv("PATH", "/nowhere")

    class OwnNag(Nag):
        pass

    return OwnNag


# The data for the page


def test_column_of_a_window_has_17_runs_with_outcome_and_reason():
    column = Runs().columns["12"]
    assert len(column) == 17
    shown, run = column[5], measured(Setting(after=6))
    for name in ("cells", "claims", "tokens", "outcome"):
        assert shown[name] == getattr(run, name)
    assert shown["done"] == "xxx......."
    assert shown["why"].replace("*", "") == run.why() and "*1 round too late*" in shown["why"]


def test_bet_that_is_given_as_a_number_shows_the_runs_and_is_compared_with_the_highest():
    runs = Runs(bet=6)
    assert runs.bet == 6 and runs.state["bet"] and "are done with: 1, 2, 3, 4, 5." in runs.text()
    assert runs.highest == 5
    asking = Runs(bet=True)
    assert asking.bet is None and asking.text().endswith("still get done?")


@pytest.mark.parametrize(("chosen", "shown"), [(0, 8), (3, 3), (99, 10)])
def test_player_of_a_run_begins_at_the_chosen_round_or_where_the_reminder_is_read(chosen, shown):
    runs = Runs(after=6)
    runs.round = chosen
    assert runs.open_player().at == shown


def test_in_a_page_the_widget_is_shown_at_once_and_rows_arrive_one_by_one(monkeypatch, own_nag):
    monkeypatch.setattr(module, "is_watched", lambda: True)
    seen = []

    async def page():
        runs = Runs("package", nag=own_nag)
        runs.observe(lambda change: seen.append(change["new"]["12"]), "columns")
        assert "being measured" in runs._repr_mimebundle_()[0]["text/plain"]
        return runs.wait()

    runs = asyncio.run(page())
    known = [sum(run is not None for run in column) for column in seen]
    assert known == sorted(known) and known[-1] == 5 and len(set(known)) > 3
    assert runs.columns["12"] == seen[-1]
    assert "are done with: " in runs._repr_mimebundle_()[0]["text/plain"]


def test_failed_measurement_is_reported(own_nag, monkeypatch):
    runs = Runs("package", nag=own_nag)

    def broken(setting):
        raise OSError("the disk is full")

    monkeypatch.setattr(Setting, "trial", broken)
    runs.window = 31
    assert runs.wait().problem == "The measurement failed: the disk is full"


@pytest.mark.usefixtures("few")
def test_a_subclass_of_nag_has_separate_runs():
    class Silent(Nag):
        def reminder(self):
            return ""

    assert Runs(nag=Silent).runs[0].steps_done == 3
    assert Runs().runs[0].steps_done == 10
