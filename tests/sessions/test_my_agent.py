"""The reader of what my_agent saves with --save: of files that the program has written."""

import json
import subprocess
import sys

import pytest

from agentlib.room import keep_last
from lesson import open_run
from lesson.common.message_blocks import WINDOW, blocks_of
from lesson.program import folder as program
from lesson.sessions.picture import Picture
from lesson.sessions.read_file import read_content, read_session
from lesson.sessions.session import Compaction, Prompt, Reminder
from lesson.widgets.run_view import draw_still
from tests.support.recorded import to_lines

SHOP = "Refactor this bookshop in ten steps: easy to read, tested and documented."


def has_list(request):
    blocks = [block for message in request for block in blocks_of(message)]
    return any(block.get("name") == "todo" or "] " in str(block.get("content")) for block in blocks)


def test_a_run_of_the_program_is_read_as_it_was_sent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program.create_folder(tmp_path / "my_agent")
    path = tmp_path / "session.jsonl"
    command = [sys.executable, "-m", "lesson", "practice", "my_agent", SHOP, "--", "--save", path]
    subprocess.run(command, input="a\n" * 99, text=True, check=True)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    session = read_session(path)
    replies = [line for line in lines if line["type"] == "reply"]
    calls = [sum(b["type"] == "tool_use" for b in line["content"]) for line in replies]
    assert len(replies) > 20 and [len(reply.tools) for reply in session.replies] == calls
    now, seen = [], []
    for line in lines:
        if line["type"] == "sent":
            now[line["kept"] :] = line["messages"]
        elif line["type"] == "reply":
            request = keep_last(now, WINDOW)
            seen.append(len(request) == len(now) or has_list(request))
            now.append({"role": "assistant", "content": line["content"]})
    assert [reply.in_sight for reply in session.replies] == seen
    assert session.writes and session.replies[-1].is_stop
    assert session.open_calls == 0 and not session.not_understood
    assert sum(isinstance(event, Prompt) for event in session.events) == 1
    text = Picture(session).text()
    assert text.count("▼") == 1 + sum(isinstance(one, Reminder) for one in session.events)  # legend
    assert "bookshop" not in text and str(path.parent) not in text
    run = open_run(path)
    assert len(run.records) == len(replies) and not run.problem and not run.note
    assert run.letters.count("U") == sum(line["type"] == "known" for line in lines) > 3
    for number, record in enumerate(run.records, 1):
        assert len(run.request(number).sent["messages"]) <= 1 + WINDOW
        assert bool(record.round.reminder) == record.letter.isupper()
    parts = run.request(6).parts
    assert [part.kind for part in parts[:2]] == ["system", "tools"]
    [asked] = [part for part in parts if SHOP in part.text]
    assert asked.author == "you"
    [reminder] = [part for part in parts if part.kind == "reminder"]
    assert reminder.author == "the program's nag" and "Update your todos." in reminder.text
    with pytest.raises(ValueError, match="a terminal's session, which does not say what the files"):
        run.go_on(3)
    assert "Changed:" not in str(run) and "changed no file" not in draw_still(run, len(replies))


def make_lines(*more):
    first = {"type": "session", "version": 2, "program": "my_agent", "window": None}
    return [first, {"type": "prompt", "text": "Mend it."}, *more]


def sent(kept, *messages):
    return {"type": "sent", "kept": kept, "messages": list(messages)}


def replied(*blocks):
    return {"type": "reply", "content": list(blocks), "model": "m"}


PROMPT = {"role": "user", "content": "Mend it."}


def todo(key, *texts):
    items = [{"text": text, "status": "pending"} for text in texts]
    return {"type": "tool_use", "id": key, "name": "todo", "input": {"items": items}}


def result(key, content="ok"):
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": key, "content": content}],
    }


def read(*more):
    return read_content(to_lines(make_lines(*more)))


def test_room_that_was_made_is_a_compaction():
    session = read(
        sent(0, PROMPT),
        replied(todo("a", "Look", "Mend")),
        sent(2, result("a")),
        replied({"type": "tool_use", "id": "b", "name": "bash", "input": {}}),
        sent(1, {"role": "user", "content": "Go on."}),
        replied({"type": "text", "text": "Shall I?"}),
    )
    kinds = [type(event) for event in session.events]
    assert kinds[0] is Prompt and Compaction in kinds
    assert [reply.in_sight for reply in session.replies] == [True, True, False]
    assert session.replies[-1].asks


def test_a_list_call_without_a_result_is_not_written():
    session = read(
        sent(0, PROMPT),
        replied(todo("a", "Look")),
        sent(2, result("a")),
        replied(todo("b", "Mend")),
    )
    assert [task.text for task in session.tasks] == ["Look"] and len(session.writes) == 1
    assert session.open_calls == 1


def test_a_rejected_list_and_one_that_cannot_be_read():
    wrong = {"type": "tool_use", "id": "b", "name": "todo", "input": {"steps": "Look"}}
    session = read(
        sent(0, PROMPT),
        replied(todo("a", "Look"), wrong),
        sent(2, result("a", "Error: no"), result("b")),
        {"type": "dream"},
        {"type": "sent", "kept": "?"},
    )
    assert session.unread_lists == 1 and not session.writes
    assert session.not_understood == {
        "a line of type dream": 1,
        "a line of a shape that is not known": 1,
    }
