"""A learner's own agent, measured and drawn like the package's loop."""

import pytest

from agentlib import Nag, TodoManager, rounds
from lesson import OWN_AGENT, Runs
from lesson.my_agent import define
from lesson.runs import measured as measuring
from lesson.runs.measured import Setting, measured


def packaged(client, messages, workspace, after=3, **settings):
    """Yield the package's Rounds, so that the runs must be the same."""
    todo = TodoManager()
    tools = [*workspace.tools(), todo.tool()]
    yield from rounds(client, messages, tools, remind=Nag(todo, after), **settings)


@pytest.mark.parametrize("after", [8, None])
def test_agent_has_the_figures_of_the_same_loop(after):
    run, same = measured(Setting(after=after, agent=packaged)), measured(Setting(after=after))
    assert run._replace(setting=same.setting, tokens=same.tokens) == same
    assert 0 < run.tokens < same.tokens  # it sends no system prompt


def test_model_solution_finishes_up_to_the_same_threshold(monkeypatch):
    monkeypatch.setattr(measuring, "THRESHOLDS", range(8, 10))
    runs = Runs(agent=define(OWN_AGENT, "agent"))
    assert [run.setting.after for run in runs.runs[:-2] if run.is_finished] == [
        8
    ]  # its reminder shows the list
    assert runs.runs[-1] == Runs().runs[-1]
    runs.after = 9
    assert len(runs.open_player().trace.rounds) == runs.chosen.rounds


def test_agent_without_a_threshold_is_rejected():
    with pytest.raises(TypeError, match="parameter `after`"):
        Runs(agent=lambda client, messages, workspace, **settings: None)
