"""`whole_agent.py`, the agent in one file, with the practice model and with replies in advance."""

import importlib.util
from pathlib import Path

import pytest
from support.blocks import text, use

from lesson.practice.local_server import KEY, MODEL, serve_practice_model
from lesson.practice.practice_model import PracticeModel
from lesson.samples import copy_sample
from lesson.samples.jobs import list_missing, load_job

FILE = Path(__file__).parents[1] / "notebooks" / "whole_agent.py"
JOB = load_job("ten_steps")
PATH = {"path": {"type": "string"}}


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Return the module, as a program that was started next to a folder `project`."""
    copy_sample("ten_steps", tmp_path / "project")
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("whole_agent", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def work(agent, monkeypatch, said):
    """Let the practice model do the ten steps over HTTP. Return how many are done then."""
    monkeypatch.setattr("builtins.input", lambda question: said)
    with serve_practice_model() as address:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("MODEL_ID", MODEL)
        agent.main(JOB.prompt)
    return len(JOB.steps) - len(list_missing(JOB.steps, agent.ROOT))


def run(agent, *replies):
    """Run the loop with these replies, and return its messages."""
    model = PracticeModel(lambda request: replies[len(request["messages"]) // 2])
    messages = [{"role": "user", "content": "Hello"}]
    settings = {"model": "practice", "max_tokens": 100}
    inputs = {agent.read_file: PATH}
    agent.agent_loop(model.client(), messages, inputs, lambda calls: None, **settings)
    return messages


def test_it_does_the_ten_steps_if_the_user_says_yes(agent, monkeypatch):
    assert work(agent, monkeypatch, said="y") == 10


def test_nothing_changes_if_the_user_says_no(agent, monkeypatch):
    before = {file: file.read_bytes() for file in agent.ROOT.iterdir()}
    assert work(agent, monkeypatch, said="n") == 0
    assert {file: file.read_bytes() for file in agent.ROOT.iterdir()} == before


def test_the_model_reads_that_a_path_leaves_the_folder(agent):
    messages = run(agent, [use("read_file", path="../secret")], [text("Sorry.")])
    result = messages[2]["content"][0]
    assert result["is_error"]
    assert "outside the project" in result["content"][0]["text"]


def test_a_reply_of_whitespace_leaves_a_history_that_can_be_sent(agent):
    messages = run(agent, [text(" \n")])
    assert [message["role"] for message in messages] == ["user"]


def test_the_question_shows_letters_that_reorder_a_line_as_codes(agent, monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda question: "n")
    with pytest.raises(PermissionError):
        agent.bash("rm \u05d0\u05d1/1 # 2/\u05d3")
    assert "rm \\u05d0\\u05d1/1 # 2/\\u05d3" in capsys.readouterr().out


@pytest.mark.parametrize(
    "items",
    [
        [{"text": "Fix", "status": "done"}],
        [{"text": "Fix", "status": "pending"}] * 2,
        [{"text": " ", "status": "pending"}],
        [{"text": name, "status": "in_progress"} for name in ("Fix", "Test")],
        [{"text": str(n), "status": "pending"} for n in range(21)],
    ],
)
def test_a_list_that_breaks_a_rule_changes_nothing(agent, items):
    todo = agent.TodoList()
    todo.todo([{"text": "Docs", "status": "pending"}])
    with pytest.raises(ValueError):
        todo.todo(items)
    assert todo.render() == "[ ] Docs"
