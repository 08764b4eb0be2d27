"""`planning-agent practice FILE PROMPT`: a program that needs only the SDK, without a key."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import anthropic
import pytest
from exercises.cells import SOLUTIONS
from test_export import PROMPT, export_cell

from lesson import practice_line
from lesson.__main__ import run
from lesson.practice.local_server import KEY, serve_practice_model


def test_exported_agent_works_without_a_key_and_asks_before_each_change(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    export_cell(SOLUTIONS["agent"], "exported_agent.py")
    env = os.environ | {"ANTHROPIC_API_KEY": "a-real-key", "ANTHROPIC_BASE_URL": "http://far.test"}
    line = shlex.split(practice_line(PROMPT))
    made = subprocess.run(line, input="y\n" * 30, env=env, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert "The practice model answers. It is a script" in made.stdout
    assert made.stdout.count("Allow this? [y/n]") >= 3
    assert "The files show 3 of 3 steps." in made.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["exported_agent.py"]


def test_server_answers_the_sdk_and_rejects_what_the_api_rejects():
    with serve_practice_model() as address:
        client = anthropic.Anthropic(base_url=address, api_key=KEY, max_retries=0)
        asked = {"model": "practice", "max_tokens": 100}
        reply = client.messages.create(messages=[{"role": "user", "content": "Hello"}], **asked)
        assert reply.stop_reason == "end_turn"
        with pytest.raises(anthropic.BadRequestError, match="messages"):
            client.messages.create(messages=[], **asked)
        with pytest.raises(anthropic.NotFoundError):
            client.models.retrieve("practice")


def test_missing_file_and_unknown_prompt_are_said(capsys, tmp_path):
    assert run(["practice", str(tmp_path / "none.py"), PROMPT]) == 2
    assert "There is no file" in capsys.readouterr().err
    (tmp_path / "one.py").touch()
    assert run(["practice", str(tmp_path / "one.py"), "Write a poem."]) == 2
    assert PROMPT in capsys.readouterr().err


def test_line_names_the_python_of_the_notebook(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert practice_line(PROMPT).startswith("There is no exported_agent.py yet.")
    Path("exported_agent.py").touch()
    assert practice_line(PROMPT).startswith(f"{sys.executable} -m lesson practice {tmp_path}")
    monkeypatch.setattr(sys, "executable", "")
    assert "needs a terminal" in practice_line(PROMPT)
