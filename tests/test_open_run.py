"""`python -m lesson open FILE`: a saved run, or a session, as a page."""

import pytest

from lesson.__main__ import main
from lesson.runs import Trace, play


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Save a run in the current folder and return its path."""
    monkeypatch.chdir(tmp_path)
    trial = play("hello", after=3)
    return Trace.from_rounds(trial.rounds, trial.messages[:1], after=3).save(tmp_path / "run.json")


def test_open_writes_a_page_and_prints_the_counts(saved, capsys):
    assert main(["open", "run.json", "--no-browser", "--nag", "3"]) == 0
    printed = capsys.readouterr().out
    assert "10 rounds, 3 with the list" in printed
    assert "A reminder after 3 rounds would have been due in 2 of them." in printed
    assert "<noscript>" in (saved.parent / "run.json.html").read_text(encoding="utf-8")


def test_existing_page_is_not_overwritten(saved, capsys):
    (saved.parent / "run.json.html").write_text("mine")
    assert main(["open", "run.json", "--no-browser"]) == 1
    assert "already exists" in capsys.readouterr().err
    assert (saved.parent / "run.json.html").read_text() == "mine"


@pytest.mark.parametrize(
    "content, problem", [(None, "There is no file other.json."), ("{}", "is not a run")]
)
def test_other_file_is_rejected(saved, capsys, content, problem):
    if content is not None:
        (saved.parent / "other.json").write_text(content)
    assert main(["open", "other.json", "--no-browser"]) == 1
    assert problem in capsys.readouterr().err


def test_folder_is_rejected_with_the_names_of_its_runs(saved, capsys):
    assert main(["open", str(saved.parent), "--no-browser"]) == 1
    assert f"is a folder. Name a saved run (.json) or a session (.jsonl): {saved}." in (
        capsys.readouterr().err
    )
