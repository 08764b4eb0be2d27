"""`planning-agent practice FILE PROMPT`: a program that needs only the SDK, without a key."""

import os
import subprocess
import sys

import anthropic
import pytest
from support.loop import SETTINGS

from lesson.__main__ import run
from lesson.copy_lesson import NOTEBOOKS
from lesson.practice.local_server import KEY, program_environment, serve_practice_model

PROMPT = "Refactor hello.py: add type hints, docstrings and a main guard."


SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."
WHOLE_AGENT = NOTEBOOKS / "whole_agent.py"


def test_program_works_without_a_key_behind_any_proxy_and_a_key_in_the_environment_is_not_sent(
    tmp_path,
):
    env = os.environ | {"ANTHROPIC_API_KEY": "a-real-key", "ANTHROPIC_BASE_URL": "http://far.test"}
    env |= {"ALL_PROXY": "socks5://127.0.0.1:9", "SSL_CERT_FILE": "/no/such/file"}
    env |= {"http_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:x"}
    command = [sys.executable, "-m", "lesson", "practice", str(WHOLE_AGENT), SHOP]
    made = subprocess.run(
        command, cwd=tmp_path, env=env, input="y\n" * 60, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert "The practice model answers. It is a script" in made.stdout
    assert "The files show 10 of 10 steps." in made.stdout
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "name", ["ANTHROPIC_AUTH_TOKEN", "all_proxy", "HTTP_PROXY", "ssl_cert_dir", "SSL_CERT_FILE"]
)
def test_variable_for_another_server_does_not_reach_the_program(monkeypatch, name):
    monkeypatch.setenv(name, "theirs")
    monkeypatch.setenv("EDITOR", "mine")
    env = program_environment("http://127.0.0.1:1")
    assert name not in env and env["EDITOR"] == "mine"
    assert (env["NO_PROXY"], env["ANTHROPIC_BASE_URL"]) == ("*", "http://127.0.0.1:1")


def test_server_answers_the_sdk_and_rejects_what_the_api_rejects():
    with serve_practice_model() as address:
        client = anthropic.Anthropic(base_url=address, api_key=KEY, max_retries=0)
        reply = client.messages.create(messages=[{"role": "user", "content": "Hello"}], **SETTINGS)
        assert reply.stop_reason == "end_turn"
        with pytest.raises(anthropic.BadRequestError, match="messages"):
            client.messages.create(messages=[], **SETTINGS)
        with pytest.raises(anthropic.NotFoundError):
            client.models.retrieve("practice")


def test_missing_file_and_unknown_prompt_are_said(capsys, tmp_path):
    assert run(["practice", str(tmp_path / "none.py"), PROMPT]) == 2
    assert "There is no file" in capsys.readouterr().err
    (tmp_path / "one.py").touch()
    assert run(["practice", str(tmp_path / "one.py"), "Write a poem."]) == 2
    assert PROMPT in capsys.readouterr().err
