"""The reader of opencode's sessions: its database, and its exports."""

import json
import sqlite3
import stat
from pathlib import Path

import pytest

from lesson.sessions import opencode
from lesson.sessions.opencode import read_database
from lesson.sessions.read_file import read_content, read_session
from lesson.sessions.session import CannotRead, Compaction, Prompt
from tests.support.recorded import OpenCode


def make_session():
    code = OpenCode()
    code.prompt()
    code.todo("> Look", "- Mend", "- Test")
    code.work(2)
    code.compact("Mend it, then Test.")
    code.work()
    code.compact("Go on.")
    code.work()
    code.todo("+ Look", "+ Mend", "+ Test", status="error")
    code.call("invalid", {"tool": "todowrite", "error": "x"})
    code.reply({"type": "text", "text": "Is it right?"})
    return code


@pytest.mark.parametrize("indent", [None, 2])
def test_an_export_is_read(indent):
    lines = json.dumps(make_session().export(), indent=indent).encode().splitlines(True)
    session = read_content(lines)
    assert [reply.in_sight for reply in session.replies] == [True] * 4 + [False] * 4
    assert [reply.rejected for reply in session.replies] == [0] * 5 + [1, 1, 0]
    assert session.replies[-1].asks and session.replies[-1].tasks[0].status == "in_progress"
    compactions = [event for event in session.events if isinstance(event, Compaction)]
    assert compactions == [Compaction("", 3, 2), Compaction("", 3, 0)]
    assert sum(isinstance(event, Prompt) for event in session.events) == 1


def test_a_message_with_two_steps_is_two_replies():
    code = OpenCode()
    code.reply({"type": "text", "text": "a"}, {"type": "step-start"}, {"type": "dream"})
    session = read_content([json.dumps(code.export()).encode()])
    assert [reply.blocks for reply in session.replies] == ["t", ""]
    assert session.not_understood == {"a part of type dream": 1}


def test_a_list_that_cannot_be_read_is_counted():
    code = OpenCode()
    code.call("todowrite", {"todos": [{"title": "Look"}]})
    assert read_content([json.dumps(code.export()).encode()]).unread_lists == 1


def test_a_database_in_use_is_read_with_its_newest_changes_and_not_changed(tmp_path):
    path = tmp_path / "opencode.db"
    base = make_session().save(path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert before["opencode.db-wal"]
    session = read_session(path)
    assert len(session.replies) == 8 and session.versions == {"1.18.33"}
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    base.close()


def test_the_copy_is_private_and_deleted(tmp_path, monkeypatch):
    seen = []

    def look(base):
        [(_, _, name)] = base.execute("pragma database_list")
        seen.append((name, stat.S_IMODE(Path(name).parent.stat().st_mode)))
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            base.execute("delete from session")
        raise sqlite3.DatabaseError

    make_session().save(tmp_path / "opencode.db").close()
    monkeypatch.setattr(opencode, "choose_session", look)
    with pytest.raises(CannotRead):
        read_database(tmp_path / "opencode.db")
    [(name, mode)] = seen
    assert mode == 0o700 and not Path(name).parent.exists()


def test_the_newest_session_with_a_list_is_chosen(tmp_path):
    base, silent = make_session().save(tmp_path / "opencode.db"), OpenCode()
    silent.work()
    silent.insert(base, "ses_2", updated=5)
    make_session().insert(base, "ses_3", parent="ses_1", updated=9)
    session = read_session(tmp_path / "opencode.db")
    assert (session.id, len(session.replies)) == ("ses_1", 8)
    assert session.unknown[-1] == "The database has 2 sessions. This is the newest one with a list."


@pytest.mark.parametrize(
    "script", ["create table other (id)", "create view session as select 1 as id"]
)
def test_another_database_is_refused(tmp_path, script):
    base = sqlite3.connect(tmp_path / "x.db")
    base.executescript(script)
    base.close()
    with pytest.raises(CannotRead, match="not one of opencode"):
        read_session(tmp_path / "x.db")
    (tmp_path / "y.db").write_bytes(b"SQLite format 3\0 and nothing more")
    with pytest.raises(CannotRead, match="cannot be read"):
        read_session(tmp_path / "y.db")
