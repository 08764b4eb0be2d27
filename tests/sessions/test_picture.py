"""The picture of a recorded session, and what it must never show."""

import re
import time

import pytest

from lesson import session
from lesson.sessions.picture import MOST_ROWS, NEWEST, Picture, join_numbers
from lesson.sessions.read_file import read_content
from lesson.sessions.session import MOST_TASKS, CannotRead
from tests.support.recorded import ClaudeCode, to_lines


def draw(code):
    return Picture(read_content(to_lines(code.lines)))


def rows_of(picture):
    """Return the part of each row of the timeline in text that is below the rounds."""
    size = len(picture.marks)
    lines = picture.text().splitlines()
    rows = [line for line in lines if line.startswith(" " * 10)]
    return {
        re.sub(r"^\S+\s+|\s\s.*", "", row[10 + size :].strip()): row[10 : 10 + size] for row in rows
    }


def test_prompts_reminders_compactions_and_resumes_are_at_their_replies():
    code = ClaudeCode()
    code.prompt()
    code.todo("> Look", "- Mend")
    code.remind("> Look", "- Mend")
    code.work()
    code.compact("Go on.")
    code.work(2)
    code.add("assistant", message={"model": "<synthetic>", "content": "No response requested."})
    code.prompt()
    code.text()
    picture = draw(code)
    tape = picture.text().splitlines()[:5]
    assert tape == [
        "reminder   ▼",
        "prompt    ●   ●",
        "compacted   ┊",
        "resumed       │",
        "rounds    ≡-//□",
    ]
    assert rows_of(picture) == {"Look": "▸▸╌╌╌", "Mend": "──╌╌╌"}
    assert "without the list in sight, with tasks open: 3 (3 to 5)." in picture.text()
    drawn = picture.html()
    assert drawn.count("lp-compacted") == 4 and drawn.count("class='lp-prompt'") == 3  # + legend


def test_the_newest_replies_are_drawn_and_the_others_counted():
    code = ClaudeCode()
    code.todo("- Early")
    code.todo("- Late")
    code.work(NEWEST - 1)
    code.prompt()
    code.work()
    picture = draw(code)
    assert len(picture.marks) == NEWEST and "not the 2 before" in picture.text()
    assert "302 replies, of which 2 wrote the list" in picture.text()
    assert picture.edges == [(NEWEST - 1, "prompt")]
    assert picture.html().count("<li ") == 2  # Early is still missing


def test_a_session_without_a_list_is_drawn_and_says_how_to_turn_the_list_on():
    code, older = ClaudeCode("2.1.233"), ClaudeCode("2.1.232")
    code.work(2)
    code.text("Shall I go on?")
    code.prompt()
    code.text()
    older.work()
    assert draw(code).text().splitlines()[:2] == ["prompt       ●", "rounds    --□□"]
    assert "Stops: 2, 1 with a question." in draw(code).text()
    assert "There is no list." in draw(code).html() and "timeline" not in draw(code).html()
    for one in (code, older):
        text = draw(one).text()
        assert ("CLAUDE_CODE_ENABLE_TODO_TOOLS=1" in text) is (one is code)
        assert "Open at the end" not in text


def test_many_tasks_and_long_texts_take_no_long_time():
    """800 replies with 20 new tasks each took 6.7 s, and a task of 2,000 characters 9 s."""
    code, start = ClaudeCode(), time.process_time()
    for number in range(800):
        code.todo(*(f"- Task {number}.{one}" for one in range(20)))
    code.todo(f"- {'token' * 1000}", "- " + "a" * 20_000)
    code.compact("token" * 4000 + " " + "a" * 20_000)
    code.text()
    picture = draw(code)
    assert len(picture.rows) == MOST_ROWS and "100 tasks have rows, of 16,001" in picture.text()
    assert len(picture.html()) < 2_000_000
    assert time.process_time() - start < 10


def test_a_list_that_nobody_can_read_is_refused():
    code = ClaudeCode()
    for number in range(MOST_TASKS + 1):
        code.create(number, "Look")
    with pytest.raises(CannotRead, match="a list of more than 1,000 tasks"):
        draw(code)


def test_numbers_are_said_as_ranges():
    assert join_numbers([1, 3, 4, 5, 9]) == "5 (1, 3 to 5, 9)"


SECRETS = {
    "shape": "sk-ant-api03-abcdefghijkl",
    "github": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "assigned": "DB_PASSWORD=hunter2",
    "written": "api key: 0123456789ab",
    "address": "ada@lovelace.example",
    "url": "user:pass@db.example",
    "value": "correct horse",  # of a variable of the user
    "home": "/home/ada/private",
    "other": "C:\\Users\\ada\\private",
    "folder": "/build/of/ada",  # of the session
    "git bash": "/c/Users/ada/x",
    "remote": "ssh-remote+box/home/ada",
    "cluster": "/scratch/ada/x",
    "tilde": "~ada/x",
    "space": "/Users/ada/My Documents/ada.txt",
    "surname": "C:\\Users\\Ada Byron\\ada.txt",
    "basic": "Basic dXNlcjpwYXNz",
    "curl": "curl -u ada:hunter2",
    "webhook": "whsec_0123456789ab",
}
MARKUP = "<script>alert(1)</script>"


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("agent", ["claude", "tasks"])
def test_no_secret_prompt_output_or_path_is_shown(name, agent, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "correct horse")
    secret, text = SECRETS[name], f"Mend {SECRETS[name]} {MARKUP} now"
    code = ClaudeCode(cwd="/build/of/ada")
    code.prompt(secret)
    code.todo(f"- {text}") if agent == "claude" else code.create(secret, text)
    code.call("Bash", {"command": secret}, secret)
    code.call(f"Plan {secret}", {})
    code.add(secret)
    code.compact(f"{text} {secret}")
    code.text(secret)
    code.add("continued-in", continuedInSessionId=secret)
    picture = draw(code)
    for shown in (picture.text(), picture.html()):
        assert secret not in shown and "ada" not in shown
        assert re.search(r"Mend .{0,12}\((hidden|path)\)|Mend user:", shown), shown
    assert "<script>" not in picture.html() and "&lt;script&gt;" in picture.html()


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path):
    assert str(session(tmp_path / "x.jsonl")).startswith("There is no file")
    assert str(session(tmp_path)).startswith("There is no file")
