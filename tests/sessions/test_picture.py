"""The picture of a recorded session, and what it must never show."""

import json
import re

import pytest

from lesson import session
from lesson.sessions.picture import NEWEST, Picture, join_numbers
from lesson.sessions.read_file import read_content
from lesson.sessions.session import CannotRead
from tests.support.recorded import OLD, ClaudeCode, Codex, OpenCode, to_lines


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


def test_a_task_that_vanished_while_open_is_told_from_one_that_was_ticked():
    code = ClaudeCode()
    code.todo("> Look", "- Mend", "- Test")
    code.todo("+ Look", "> Mend", "- Test")
    code.todo("> Mend")
    code.todo("+ Mend")
    picture = draw(code)
    assert rows_of(picture) == {"Look": "▸???", "Mend": "─▸▸?", "Test": "──××"}
    assert "Vanished while open: “Test” (reply 3)." in picture.text()
    assert "Open at the end: nothing." in picture.text()
    assert "no ids" in picture.text()


def test_prompts_reminders_compactions_and_resumes_are_at_their_replies():
    code = ClaudeCode()
    code.prompt()
    code.todo("> Look", "- Mend")
    code.remind(2)
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


def test_what_is_not_known_is_said_and_not_drawn():
    codex = Codex()
    codex.plan("> Look", "- Mend")
    codex.add("compacted", replacement_history=[{"type": "compaction", "encrypted_content": "x"}])
    codex.work()
    codex.item("dream")
    picture = draw(codex)
    assert rows_of(picture) == {"Look": "▸∙", "Mend": "─∙"}
    assert "with tasks open: none." in picture.text()
    assert "encrypted" in picture.text() and "1 × an item of type dream" in picture.text()
    old = ClaudeCode(OLD)
    old.todo("- Look")
    assert "sends reminders and does not record them" in draw(old).text()


def test_the_newest_replies_are_drawn_and_the_others_counted():
    code = ClaudeCode()
    code.todo("- Early")
    code.todo("- Late")
    code.work(NEWEST)
    picture = draw(code)
    assert len(picture.marks) == NEWEST and "not the 2 before" in picture.text()
    assert "302 replies, of which 2 wrote the list" in picture.text()
    assert picture.html().count("<li ") == 2  # Early is still missing


def test_a_session_without_a_list_or_with_one_that_cannot_be_read_is_not_drawn():
    code = ClaudeCode()
    code.work(3)
    with pytest.raises(CannotRead, match="3 replies and no list"):
        draw(code)
    code.todo("- Look")
    code.call("TodoWrite", {"todos": "?"})
    with pytest.raises(CannotRead, match="1 call of the list tool could not be read"):
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
}
MARKUP = "<script>alert(1)</script>"


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("agent", ["claude", "tasks", "codex", "opencode"])
def test_no_secret_prompt_output_or_path_is_shown(name, agent, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "correct horse")
    secret, text = SECRETS[name], f"Mend {SECRETS[name]} {MARKUP} now"
    if agent in ("claude", "tasks"):
        code = ClaudeCode(cwd="/build/of/ada")
        code.prompt(secret)
        code.todo(f"- {text}") if agent == "claude" else code.create(secret, text)
        code.call("Bash", {"command": secret}, secret)
        code.call(f"Plan {secret}", {})
        code.add(secret)
        code.compact(f"{text} {secret}")
        code.text(secret)
        lines = to_lines(code.lines)
    elif agent == "codex":
        code = Codex()
        code.add("turn_context", cwd="/build/of/ada")
        code.plan(f"- {text}")
        code.call(secret, {"cmd": secret}, secret)
        code.add(secret)
        code.compact(secret)
        lines = to_lines(code.lines)
    else:
        code = OpenCode(version=secret)
        code.info["directory"] = "/build/of/ada"
        code.todo(f"- {text}")
        code.reply({"type": secret, "text": secret})
        code.compact(secret)
        lines = [json.dumps(code.export()).encode()]
    picture = Picture(read_content(lines))
    for shown in (picture.text(), picture.html()):
        assert secret not in shown and "ada" not in shown
        assert re.search(r"Mend \S* ?\((hidden|path)\)|Mend user:|Mend \(hidden\)", shown), shown
    assert "<script>" not in picture.html() and "&lt;script&gt;" in picture.html()


def test_what_is_no_secret_is_shown():
    code = ClaudeCode()
    tasks = [
        "Fix token handling in src/auth/token.py",
        "Add the API /api/users and its key: name",
        "Run test_skip_the_password_prompt ~5 times",
        "Update lesson/runs/window.py (Viewer.look)",
    ]
    code.todo(*(f"- {task}" for task in tasks))
    shown = draw(code).text()
    assert [task for task in tasks if task not in shown] == []


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path):
    assert str(session(tmp_path / "x.jsonl")).startswith("There is no file")
    assert str(session(tmp_path)).startswith("There is no file")
