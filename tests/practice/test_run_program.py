"""`planning-agent practice FILE PROMPT`: a program that needs only the SDK, without a key."""

import os
import signal
import socket
import subprocess
import sys
import threading
import zipfile

import anthropic
import pytest

from lesson.__main__ import run
from lesson.practice.run_program import INHERITED, SETTINGS, PracticeServer, show_variable
from lesson.samples.own_job import make_job

pytestmark = pytest.mark.slow
PROMPT = "Refactor hello.py: add type hints, docstrings and a main guard."
SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."


def practice(folder, program, *more, prompt=SHOP, **settings):
    """Run a program with the practice model, in a process."""
    command = [sys.executable, "-m", "lesson", "practice", str(program), prompt, *more]
    env = os.environ | settings
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_program_gets_its_prompt_no_key_and_no_other_variable_of_the_user(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys\n"
        "from anthropic import Anthropic, AsyncAnthropic\n"
        "client = AsyncAnthropic()\n"
        "print(sys.argv[1:], client.api_key, client.auth_token, client.base_url)\n"
        "print(Anthropic(api_key='k').base_url)\n"
        "print('GOT', *os.environ)\n"
        "sys.exit(3)\n"
    )
    keys = ["OPENAI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"]
    keys += ["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_PROFILE"]
    keys += ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"]
    keys += ["HTTP_PROXY", "https_proxy", "ALL_PROXY", "A_NAME_THAT_NOBODY_KNOWS"]
    settings = dict.fromkeys(keys, "http://127.0.0.1:9") | {"LC_TIME": "C"}
    ended = practice(tmp_path, program, "--", "--plan", **settings)
    assert ended.returncode == 3, ended.stderr
    where, client, url, variables = ended.stdout.splitlines()[1:5]
    assert where.startswith("The program works in a copy of the files, which is deleted")
    assert f"{[SHOP, '--plan']} practice-key-opens-nothing None http://127.0.0.1:" in client
    assert url in client and "127.0.0.1:9/" not in client
    assert "Changed or new: nothing. The files show 0 of 10 steps." in ended.stdout
    names = {*variables.split()[1:]}
    assert {"PATH", "HOME", "LC_TIME"} <= names
    allowed = {*INHERITED, *SETTINGS, "ANTHROPIC_BASE_URL"}
    assert {name for name in names if not name.startswith("LC_")} <= allowed


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_a_program_starts_in_the_folder_with_the_files(tmp_path, kind):
    code, program = "import os\nprint('HERE', *os.listdir())\n", tmp_path / f"program.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(program, "w") as archive:
            archive.writestr("__main__.py", code)
    else:
        program.mkdir()
        (program / "__main__.py").write_text(code)
    ended = practice(tmp_path, program)
    assert "shop.py" in ended.stdout.partition("HERE")[2], ended.stderr


def test_what_the_learners_program_makes_stays_beside_it_and_nothing_is_replaced(tmp_path):
    program = tmp_path / "my_agent"
    program.mkdir()
    (program / "__main__.py").write_text("open('new.txt', 'w').write('x')\n")
    assert "is deleted at the end" in practice(tmp_path, "my_agent").stdout  # another my_agent
    (program / ".checked.json").write_text("{}")
    for name in ("ten_steps", "ten_steps_2"):
        path = f"made/{name}"  # as one types it
        printed = practice(tmp_path, "my_agent").stdout
        assert f"in {path}, which stays." in printed and f"They stay in {path}." in printed
        assert (tmp_path / path / "new.txt").exists() and (tmp_path / path / "shop.py").exists()
    lost = practice(tmp_path, "my_agent", "--check", "true")  # without `--`
    assert lost.returncode == 2 and "`-- OPTIONS` are the program's" in lost.stderr
    assert len([*(tmp_path / "made").iterdir()]) == 2
    (tmp_path / "made").rename(tmp_path / "other")
    (tmp_path / "made").touch()
    wrong = practice(tmp_path, "my_agent")
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr and "rename it" in wrong.stderr


def test_a_copy_in_which_nothing_has_changed_is_deleted(tmp_path):
    program = tmp_path / "my_agent"
    program.mkdir()
    (program / ".checked.json").write_text("{}")
    (program / "__main__.py").write_text("raise KeyboardInterrupt\n")
    printed = practice(tmp_path, "my_agent").stdout
    assert "Changed or new: nothing." in printed and "the copy was deleted." in printed
    assert not (tmp_path / "made").exists()
    (program / "__main__.py").write_text("import os\nos.remove('shop.py')\n")
    assert "They stay in made/ten_steps." in practice(tmp_path, "my_agent").stdout


def test_a_program_that_goes_on_after_ctrl_c_is_waited_for(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import time\n"
        "try:\n    print('READY', flush=True)\n    time.sleep(60)\n"
        "except KeyboardInterrupt:\n    time.sleep(1)\n"
        "print('STILL HERE', flush=True)\n"
    )
    command = [sys.executable, "-m", "lesson", "practice", str(program), SHOP]
    settings = {"stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, cwd=tmp_path, **settings) as process:
        while "READY" not in process.stdout.readline():
            pass
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        rest = process.stdout.read()
        assert process.wait() == 0
    assert "STILL HERE" in rest and "The files show 0 of 10 steps." in rest


KEY = "x-api-key: any\r\n"
VERSION = "anthropic-version: 2023-06-01\r\n"


@pytest.mark.parametrize(
    "path, head, status, says",
    [
        ("/messages", KEY + VERSION, b"404", "/messages. The Messages API is at /v1/messages."),
        ("/v1/messages", VERSION, b"401", "x-api-key header is required"),
        ("/v1/messages", KEY, b"400", "anthropic-version: header is required"),
        ("/v1/messages", KEY + VERSION, b"400", "model: Field required"),
        ("/v1/messages", "Authorization: Bearer x\r\n" + VERSION, b"400", "model: Field"),
    ],
)
def test_a_loop_without_the_sdk_gets_the_errors_of_the_api(path, head, status, says):
    answer = ask_server(path, head + "Content-Length: 2\r\nConnection: close", b"{}")
    assert answer.split()[1] == status and says.encode() in answer


@pytest.mark.parametrize(
    "head, body, says",
    [
        ("Transfer-Encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n", b"and not in chunks"),
        ("", b"", b"not understood"),
        ("Content-Length: x", b"", b"not understood"),
        ("Content-Length: -1", b"", b"content-length must be at most 50,000,000, not -1"),
        ("Content-Length: 1000000000000", b"", b"content-length must be at most 50,000,000"),
        ("Content-Length: 200000", b"[" * 200_000, b"not understood"),
        ("Host: evil.example", b"", b"a page of another host asks"),
    ],
)
def test_each_request_gets_an_answer(capfd, head, body, says):
    answer = ask_server("/v1/messages", KEY + VERSION + head, body)
    assert answer.split()[1] == b"400" and says in answer
    assert "Traceback" not in capfd.readouterr().err


def ask_server(path, head, body):
    """Return the bytes with which a server answers a request, after which it closes."""
    with PracticeServer() as server:
        threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        with socket.create_connection(server.server_address) as client:
            host = "" if "Host" in head else "Host: 127.0.0.1:1\r\n"
            line = f"POST {path} HTTP/1.1\r\n{host}{head}"
            client.sendall(line.rstrip().encode() + b"\r\n\r\n" + body)
            client.settimeout(30)
            with client.makefile("rb") as received:
                answer = received.read()
        server.shutdown()
    return answer


def test_a_job_of_ones_own_begins_in_an_empty_folder(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import os\nopen('by.txt', 'w').write('Ada')\n")
    prompt = make_job([("Sign it", "by.txt", "Ada"), ("Greet", "a.txt", "Hi")]).prompt
    ended = practice(tmp_path, program, prompt=prompt)
    assert ended.returncode == 0, ended.stderr
    assert "Changed or new: by.txt. The files show 1 of 2 steps." in ended.stdout


def test_the_variables_are_shown_as_the_terminal_of_jupyterlab_sets_them(monkeypatch):
    assert show_variable("A", "b") == "export A=b"
    monkeypatch.setattr(os, "name", "nt")
    assert show_variable("A", "b") == '$env:A = "b"'


def test_without_a_file_the_practice_model_is_served_until_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "lesson", "practice"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        env = {}
        while "ANTHROPIC_BASE_URL" not in env:
            name, _, value = server.stdout.readline().removeprefix("    export ").partition("=")
            env[name] = value.strip()
        model = anthropic.Anthropic(
            api_key=env["ANTHROPIC_API_KEY"], base_url=env["ANTHROPIC_BASE_URL"]
        )
        assert server.stdout.readline() == "\n"
        assert server.stdout.readline().endswith(f"if yours lacks it: {sys.executable}\n")
        hello = {"role": "user", "content": PROMPT}
        asked = {"model": env["MODEL_ID"], "max_tokens": 99, "messages": [hello]}
        assert "I have no tools here" in model.messages.create(**asked).content[0].text
        with model.messages.stream(**asked) as stream:
            assert "I have no tools here" in stream.get_final_text()
        with pytest.raises(anthropic.NotFoundError):
            model.models.retrieve("practice")
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == 130


def test_program_is_found_in_the_lesson_from_the_folder_above_it(monkeypatch, capsys, tmp_path):
    """A terminal may be in the folder above, and elsewhere after a `cd`."""
    monkeypatch.chdir(tmp_path)
    assert run(["practice", "tool.py", PROMPT]) == 2
    assert "nor in a folder my_lesson. Type `cd`" in capsys.readouterr().err
    for folder in ("my_lesson", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tool.py").touch()
    assert run(["practice", "tool.py", PROMPT]) == 0
    assert "This is my_lesson/tool.py." in capsys.readouterr().err
    monkeypatch.setenv("LESSON_FOLDER", str(tmp_path / "other"))
    monkeypatch.chdir("/")
    assert run(["practice", "tool.py", PROMPT]) == 0
    assert f"This is {tmp_path}/other/tool.py." in capsys.readouterr().err
    monkeypatch.chdir(tmp_path / "other")
    assert run(["practice", "tool.py", PROMPT]) == 0
    assert "This is" not in capsys.readouterr().err


def test_missing_file_and_unknown_prompt_are_said(capsys, tmp_path):
    assert run(["practice", str(tmp_path / "none.py"), PROMPT]) == 2
    assert "There is no program" in capsys.readouterr().err
    (tmp_path / "one.py").touch()
    assert run(["practice", str(tmp_path / "one.py"), "Write a poem."]) == 2
    error = capsys.readouterr().err
    assert PROMPT in error and "Do these steps, one after the other." in error
