"""A person at the keyboard is the model of a run: text ends it, JSON calls a tool."""

import builtins

import pytest

from agentlib import Workspace, run
from lesson import PracticeModel, ask_person


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Return a function that plays a run in which these lines are typed."""
    (tmp_path / "hello.py").write_text("print('Hello')")
    workspace = Workspace(tmp_path)

    def play(*lines):
        typed = iter(lines)

        def type_line(question):
            line = next(typed)
            if isinstance(line, Exception):
                raise line
            return line

        monkeypatch.setattr(builtins, "input", type_line)
        messages = [{"role": "user", "content": "What is in hello.py?"}]
        client = PracticeModel(ask_person).client()
        return run(client, messages, workspace.tools(), model="practice", max_tokens=1000)

    return play


def test_person_calls_tools_and_reads_their_results(play, capsys):
    read = '{"name": "read_file", "input": {"path": "%s"}}'
    turns = play(f"[{read % 'hello.py'}, {read % 'no.py'}]", read % "hello.py", "It greets.")
    assert [len(turn.calls) for turn in turns] == [2, 1, 0]
    assert turns[-1].text == "It greets."
    printed = capsys.readouterr().out
    assert printed.startswith("[text] What is in hello.py?\nTools: bash, read_file")
    assert printed.count("print('Hello')") == 2 and "[error] Error: " in printed


@pytest.mark.parametrize("wrong", ["", "[ ]", "[Done]", '{"name": "bash"}', "[3]", "[" * 10])
def test_malformed_call_is_asked_again(play, capsys, wrong):
    [turn] = play(wrong, "Done.")
    assert turn.text == "Done."
    assert "A line that begins with { or [ is read as a tool call" in capsys.readouterr().out


@pytest.mark.parametrize("problem", [EOFError(), NotImplementedError()])
def test_run_ends_if_no_one_can_type(play, problem):
    [turn] = play(problem)
    assert turn.text == "No one is at the keyboard."
