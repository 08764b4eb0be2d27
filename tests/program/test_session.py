"""The file that each run of my_agent.py leaves: what was sent and answered."""

import json
import runpy
import sys
from pathlib import Path

import pytest
from loopback import KEY, Server, message
from support.blocks import text, use

from lesson.practice.practice_model import PracticeModel
from lesson.program.file import FILE, write_program
from lesson.program.frame import KEPT_SESSIONS, Session, read_session

HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."
SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Return a folder with a program, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path(FILE).write_text(write_program({}))
    return tmp_path


def run_here(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", [FILE, *arguments])
    runpy.run_path(FILE, run_name="__main__")


def read_lines(folder):
    [path] = (folder / "sessions").glob("*.jsonl")
    return path, [json.loads(line) for line in path.read_text().splitlines()]


def replay(lines):
    """Return the conversation at each request."""
    now, requests = [], []
    for line in lines:
        if line["type"] == "sent":
            now[line["kept"] :] = line["messages"]
        elif line["type"] == "reply":
            requests.append([*now])
            now.append({"role": "assistant", "content": line["content"]})
    return requests


def test_a_run_leaves_a_private_file_with_each_request_and_reply(monkeypatch, capsys, folder):
    sent = []
    monkeypatch.setattr("lesson.program.main.WINDOW", None)
    create = PracticeModel._decide
    monkeypatch.setattr(
        PracticeModel, "_decide", lambda self, body: sent.append(body) or create(self, body)
    )
    run_here(monkeypatch, HELLO)
    path, lines = read_lines(folder)
    assert capsys.readouterr().out.count(f"This session is in {path}.") == 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert (path.parent / ".gitignore").read_text() == "*\n"
    first, prompt, *rest = lines
    assert (first["type"], first["folder"], first["program"]) == ("session", str(folder), FILE)
    assert (first["model"], first["window"], first["version"]) == ("practice", None, 1)
    assert (prompt["type"], prompt["text"]) == ("prompt", HELLO)
    assert replay(rest) == [body["messages"] for body in sent] and len(sent) > 3
    assert read_session(path)[1:] == ([HELLO], replay(rest)[-1] + [path_end(rest)])


def path_end(lines):
    return {"role": "assistant", "content": lines[-1]["content"]}


def test_room_that_was_made_is_in_the_file(monkeypatch, folder):
    run_here(monkeypatch, "--context", "4000", SHOP)
    lines = read_lines(folder)[1]
    kept = [line["kept"] for line in lines if line["type"] == "sent"]
    assert any(new < old for old, new in zip(kept, kept[1:], strict=False))


def test_key_of_the_connection_is_hidden_and_an_error_is_noted(monkeypatch, folder):
    reads = message(use("read_file", "t", path=f"{KEY}"))
    with Server(reads, message(text(f"Your key is {KEY}."), stop_reason="refusal")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        with pytest.raises(SystemExit):
            run_here(monkeypatch, "--model", "m", "Go")
    path, lines = read_lines(folder)
    assert KEY not in path.read_text() and "(your key)" in path.read_text()
    assert lines[-1]["stop_reason"] == "refusal"


def test_no_session_stores_nothing(monkeypatch, folder):
    run_here(monkeypatch, "--no-session", HELLO)
    assert not (folder / "sessions").exists()


def test_a_folder_that_cannot_be_written_is_a_sentence_and_no_end(monkeypatch, capsys, folder):
    (folder / "sessions").touch()
    run_here(monkeypatch, HELLO)
    said = capsys.readouterr().out
    assert said.count("This session is not stored: ") == 1 and "Nobody has judged" in said


def test_only_the_newest_are_kept(folder):
    for number in range(KEPT_SESSIONS + 3):
        Session(folder / "sessions" / f"{number:02}.jsonl", str)
    names = sorted(path.name for path in (folder / "sessions").glob("*.jsonl"))
    assert len(names) == KEPT_SESSIONS and names[0] == "03.jsonl"


def test_half_a_line_at_the_end_is_left_out(folder):
    session = Session(folder / "sessions" / "a.jsonl", str, folder="here")
    session.note([{"role": "user", "content": "Go \u2028\ud83d"}])
    with session.path.open("a") as file:
        file.write('{"type": "sent", "kept": 0, "mess')
    first, _, messages = read_session(session.path)
    assert first["folder"] == "here" and messages == session.sent
