"""`planning-agent practice FILE PROMPT`: a program that needs only the SDK, without a key."""

import os
import signal
import subprocess
import sys

import anthropic
import pytest

from lesson.__main__ import run
from lesson.common.solutions import NOTEBOOKS
from lesson.practice.run_program import INHERITED, SETTINGS, show_variable
from lesson.samples.own_job import make_job

PROMPT = "Refactor hello.py: add type hints, docstrings and a main guard."
SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."
WHOLE_AGENT = NOTEBOOKS / "whole_agent.py"


def practice(folder, program, *more, **settings):
    """Run a program with the practice model and 60 times the answer yes, in a process."""
    command = [sys.executable, "-m", "lesson", "practice", str(program), SHOP, *more]
    env, said = os.environ | settings, "y\n" * 60
    return subprocess.run(
        command, cwd=folder, env=env, input=said, capture_output=True, text=True, check=False
    )


def test_whole_agent_works_without_a_key_and_a_server_in_the_environment_is_not_asked(tmp_path):
    far = {"ANTHROPIC_API_KEY": "a-real-key", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    made = practice(tmp_path, WHOLE_AGENT, HTTPS_PROXY="http://127.0.0.1:9", **far)
    assert made.returncode == 0, made.stderr
    assert "The practice model answers. It is a script" in made.stdout
    assert "The files show 10 of 10 steps." in made.stdout
    assert [*tmp_path.iterdir()] == []


def test_program_gets_its_prompt_and_no_key_of_the_user_and_its_exit_status_is_returned(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys\n"
        "from anthropic import Anthropic\n"
        "print(sys.argv[1:], os.environ['ANTHROPIC_API_KEY'], Anthropic(api_key='k').base_url)\n"
        "sys.exit(3)\n"
    )
    made = practice(tmp_path, program, "--", "--plan", ANTHROPIC_API_KEY="a-real-key")
    assert made.returncode == 3, made.stderr
    assert f"{[SHOP, '--plan']} practice-key-opens-nothing http://127.0.0.1:" in made.stdout
    assert "Changed or new: nothing. The files show 0 of 10 steps." in made.stdout


def test_another_client_gets_no_key_of_the_user_and_reaches_the_practice_model(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from anthropic import AsyncAnthropic\n"
        "client = AsyncAnthropic()\n"
        "print(client.api_key, client.auth_token, client.base_url)\n"
    )
    made = practice(tmp_path, program, ANTHROPIC_API_KEY="real", ANTHROPIC_AUTH_TOKEN="real")
    assert made.returncode == 0, made.stderr
    assert "practice-key-opens-nothing None http://127.0.0.1:" in made.stdout


def test_program_gets_only_the_variables_of_the_user_that_are_named(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import os\nprint('GOT', *os.environ)\n")
    keys = ["OPENAI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"]
    keys += ["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_PROFILE"]
    keys += ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "A_NAME_THAT_NOBODY_KNOWS"]
    made = practice(tmp_path, program, LC_TIME="C", **dict.fromkeys(keys, "http://127.0.0.1:9"))
    assert made.returncode == 0, made.stderr
    got = set(made.stdout.partition("GOT")[2].splitlines()[0].split())
    assert {"PATH", "HOME", "LC_TIME"} <= got
    ours = {*INHERITED, *SETTINGS, "ANTHROPIC_BASE_URL"}
    assert {name for name in got if not name.startswith("LC_")} <= ours


def test_a_program_with_script_metadata_starts_in_the_project(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("# /// script\n# ///\nimport os\nprint('HERE', *os.listdir())\n")
    made = practice(tmp_path, program)
    assert "shop.py" in made.stdout.partition("HERE")[2], made.stderr


def test_a_job_of_ones_own_begins_in_an_empty_folder(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import os\nopen('project/by.txt', 'w').write('Ada')\n")
    prompt = make_job([("Sign it", "by.txt", "Ada"), ("Greet", "a.txt", "Hi")]).prompt
    command = [sys.executable, "-m", "lesson", "practice", str(program), prompt]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "Changed or new: by.txt. The files show 1 of 2 steps." in made.stdout


def test_the_variables_are_shown_as_the_terminal_of_jupyterlab_sets_them(monkeypatch):
    assert show_variable("A", "b") == "export A=b"
    monkeypatch.setattr(os, "name", "nt")
    assert show_variable("A", "b") == '$env:A = "b"'


def test_without_a_file_the_practice_model_is_served_until_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "lesson", "practice"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        found = {}
        while "ANTHROPIC_BASE_URL" not in found:
            name, _, value = server.stdout.readline().removeprefix("    export ").partition("=")
            found[name] = value.strip()
        model = anthropic.Anthropic(
            api_key=found["ANTHROPIC_API_KEY"], base_url=found["ANTHROPIC_BASE_URL"]
        )
        assert server.stdout.readline() == "\n"
        assert server.stdout.readline().endswith(f"if yours lacks it: {sys.executable}\n")
        hello = {"role": "user", "content": PROMPT}
        asked = {"model": found["MODEL_ID"], "max_tokens": 99, "messages": [hello]}
        assert "I have no tools here" in model.messages.create(**asked).content[0].text
        with model.messages.stream(**asked) as stream:
            assert "I have no tools here" in stream.get_final_text()
        with pytest.raises(anthropic.NotFoundError):
            model.models.retrieve("practice")
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == 130


def test_missing_file_and_unknown_prompt_are_said(capsys, tmp_path):
    assert run(["practice", str(tmp_path / "none.py"), PROMPT]) == 2
    assert "There is no file" in capsys.readouterr().err
    (tmp_path / "one.py").touch()
    assert run(["practice", str(tmp_path / "one.py"), "Write a poem."]) == 2
    said = capsys.readouterr().err
    assert PROMPT in said and "Do these steps, one after the other." in said
