"""A cell gets the text of a loop that passes the first exercise."""

from types import SimpleNamespace

import pytest
from attempts.agent_loop import FIRST
from support.notebook import write_file

from lesson import edit_loop
from lesson.exercises.rules import count_levels
from lesson.in_cells import edit_loop as module

pytestmark = pytest.mark.slow


@pytest.fixture
def sent(monkeypatch, notebook_of):
    """Return what is sent to the notebook beside the outputs; it has no program yet."""
    payloads = []
    shell = SimpleNamespace(payload_manager=SimpleNamespace(write_payload=payloads.append))
    monkeypatch.setattr(module, "find_shell", lambda: shell)
    return payloads


def test_without_a_loop_of_the_learners_it_is_ours_without_the_reminder(sent, capsys):
    loop = edit_loop()
    assert count_levels("agent_loop", loop) == 1
    assert sent == [{"source": "set_next_input", "text": module.read_first_loop(), "replace": True}]
    assert "remind=None" in sent[0]["text"] and "if remind" not in sent[0]["text"]
    assert capsys.readouterr().out.startswith("agentlib's loop is in this cell now, because yours")


@pytest.mark.parametrize("title", FIRST)
def test_own_loop_is_unchanged_with_its_comments(sent, capsys, title):
    own = f"from agentlib import call_tool\n\n# my own words\n{FIRST[title].strip()}"
    write_file(agent_loop=own)
    names = {}
    exec(module.AGENTLIBS.split("`")[1], names)  # what a cell with ours says to run for this
    loop = names["agent_loop"]
    assert sent[0]["text"] == own and count_levels("agent_loop", loop) == 1
    assert capsys.readouterr().out.startswith("Your loop is in this cell now.")
