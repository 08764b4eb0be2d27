"""A learner's own agent, measured like the package's loop."""

from agentlib import Nag, TodoManager, rounds
from lesson.runs.agent_trial import try_agent
from lesson.runs.measured import Setting, measured, summarize


def packaged(client, messages, workspace, after=3, **settings):
    """Yield the package's Rounds, so that the run must be the same."""
    todo = TodoManager()
    tools = [*workspace.tools(), todo.tool()]
    yield from rounds(client, messages, tools, remind=Nag(todo, after), **settings)


def test_agent_has_the_figures_of_the_same_loop():
    run, same = summarize(Setting(), try_agent(packaged)), measured(Setting())
    assert run._replace(tokens=same.tokens) == same
    assert 0 < run.tokens < same.tokens  # it sends no system prompt
