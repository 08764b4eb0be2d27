"""`python -m lesson open FILE`: a saved run, or a session, as a page."""

import pytest

from lesson.__main__ import main
from lesson.runs import Trace, play


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A saved run in the current folder."""
    monkeypatch.chdir(tmp_path)
    trial = play("hello", after=3)
    return Trace.from_rounds(trial.rounds, trial.messages[:1], after=3).save(tmp_path / "run.json")


def test_a_saved_run_becomes_a_page_and_its_figures_are_said(saved, capsys):
    assert main(["open", "run.json", "--no-browser", "--nag", "3"]) == 0
    printed = capsys.readouterr().out
    assert "10 rounds, 3 with the list" in printed
    assert "A reminder after 3 rounds would have come in 2 of them." in printed
    assert "<noscript>" in (saved.parent / "run.json.html").read_text(encoding="utf-8")


def test_a_page_that_is_there_is_left_alone(saved, capsys):
    (saved.parent / "run.json.html").write_text("mine")
    assert main(["open", "run.json", "--no-browser"]) == 1
    assert "is there already" in capsys.readouterr().err
    assert (saved.parent / "run.json.html").read_text() == "mine"


@pytest.mark.parametrize("content, sentence", [(None, "No such file"), ("{}", "is not a run")])
def test_what_is_not_a_run_is_said_in_a_sentence(saved, capsys, content, sentence):
    if content is not None:
        (saved.parent / "other.json").write_text(content)
    assert main(["open", "other.json", "--no-browser"]) == 1
    assert sentence in capsys.readouterr().err
