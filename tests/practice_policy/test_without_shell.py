"""The practice model without a shell, as in a browser: it continues with the file tools."""

import pytest

from agentlib import run
from lesson import PracticeModel, sample
from lesson.practice.policy.tasks import load
from lesson.runs.measured import Setting, summarize
from lesson.runs.trial import play


@pytest.fixture(autouse=True)
def no_shell(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")


def record(setting):
    """Play a run, and return its figures without the tokens."""
    trial = setting.trial()
    for _ in trial:
        pass
    return summarize(setting, trial)._replace(tokens=0)


@pytest.mark.parametrize("name", ["package", "ten_steps"])
def test_job_whose_commands_only_read_is_done_completely(name):
    trial = play(name)
    assert all(trial.done)
    assert all(item["status"] == "completed" for item in trial.items)
    assert trial.rounds[-1].text.endswith("There is no shell here, so I have run nothing.")


@pytest.mark.parametrize("window", [6, 12])
def test_runs_of_the_ten_steps_do_not_depend_on_the_shell(window, monkeypatch):
    column = Setting(window=window).column()
    without = [record(setting) for setting in column]
    monkeypatch.undo()
    assert without == [record(setting) for setting in column]


def test_steps_that_are_nothing_but_commands_are_skipped_and_reported():
    trial = play("style")
    assert trial.done == (False, True, True, True, False)
    text = trial.rounds[-1].text
    assert text.startswith("I could not do this: Look for the usual flaws")
    assert "Check that the report prints the same" in text


def test_job_of_nothing_but_commands_is_stopped_at_once():
    trial = play("structure")
    assert len(trial.rounds) < 5
    assert trial.rounds[-1].text.startswith("I could not do this: List the files;")


def test_job_with_bash_as_the_only_tool_is_reported_as_not_done():
    bash = sample("hello").tools()[0]
    messages = [{"role": "user", "content": load("hello").prompt}]
    played = run(PracticeModel().client(), messages, [bash], model="practice", max_tokens=1000)
    assert played[0].calls[0].output.startswith("There is no shell here")
    assert played[-1].text.startswith("I could not do this: Add type hints;")
