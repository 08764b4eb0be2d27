"""An experiment in pairs: it asks before it spends money."""

import pytest

from lesson import experiment


def test_real_model_is_not_asked_before_the_user_agrees(monkeypatch, capsys):
    monkeypatch.setattr("lesson.runs.experiment.connect", lambda *_, **__: pytest.fail("connected"))
    monkeypatch.setattr("agentlib.safety.bubblewrap.works", lambda: True)
    with pytest.raises(PermissionError):
        experiment("claude-haiku-5-5", pairs=3)  # no one is there to answer
    assert "6 runs of the ten steps with claude-haiku-5-5, about $0." in capsys.readouterr().out


def test_real_model_needs_a_sandbox(monkeypatch):
    monkeypatch.setattr("agentlib.safety.bubblewrap.works", lambda: False)
    with pytest.raises(RuntimeError, match="sandbox"):
        experiment("claude-haiku-5-5")
