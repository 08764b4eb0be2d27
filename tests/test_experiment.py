"""An experiment in pairs: it asks before it spends money."""

import pytest

from agentlib.replies import Usage
from lesson import experiment, play
from lesson.runs.prices import find_price


def test_real_model_is_not_asked_before_the_user_agrees(monkeypatch, capsys):
    monkeypatch.setattr("lesson.runs.experiment.connect", lambda *_, **__: pytest.fail("connected"))
    monkeypatch.setattr("agentlib.safety.bubblewrap.works", lambda: True)
    with pytest.raises(PermissionError):
        experiment("claude-haiku-4-5", pairs=3)  # no one is there to answer
    used = [turn.usage for plan in (True, False) for turn in play(plan=plan).rounds]
    usd = 3 * find_price("claude-haiku-4-5").of(sum(used, Usage()))
    said = capsys.readouterr().out
    assert f"6 runs of the ten steps with claude-haiku-4-5: about ${usd:.2f}, if" in said


def test_real_model_needs_a_sandbox(monkeypatch):
    monkeypatch.setattr("agentlib.safety.bubblewrap.works", lambda: False)
    with pytest.raises(RuntimeError, match="sandbox"):
        experiment("claude-haiku-5-5")


def test_price_is_found_with_and_without_a_date_in_the_model_name():
    assert find_price("claude-sonnet-4-20250514") == find_price("claude-sonnet-4")
    assert find_price("claude-3-5-haiku-latest").input == 0.8
    assert find_price("gpt-6") is None
