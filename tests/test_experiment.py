"""An experiment in pairs: with a list and without, and what a split of the pairs can tell."""

import pytest

from lesson import experiment
from lesson.runs.experiment import chance_of_split


@pytest.mark.parametrize(
    "better, worse, chance",
    [(3, 0, 0.25), (0, 3, 0.25), (6, 0, 1 / 32), (2, 1, 1.0), (5, 1, 7 / 32), (0, 0, 1.0)],
)
def test_chance_of_a_split_is_that_of_a_fair_coin(better, worse, chance):
    assert chance_of_split(better, worse) == pytest.approx(chance)


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
