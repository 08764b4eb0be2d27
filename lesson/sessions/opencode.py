"""Read a session of opencode: `opencode.db` (SQLite), or what `opencode export` writes (JSON).

A message of the model has one or several steps, and each step is a reply. What a compaction leaves
is its summary. No line says that a session was resumed, and opencode sends no reminders.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .lines import Record, dict_of, is_question, text_in
from .session import CannotRead, Prompt, Reply, Session, Writer

AGENT = "opencode"
OTHER_PARTS = {"step-finish", "reasoning", "patch", "file", "snapshot", "agent", "subtask", "retry"}
COMPANIONS = ("-wal", "-shm")  # files beside a database, which have its newest changes
TABLES = {"session", "message", "part"}
MAIN = "from session where parent_id is null order by time_updated desc"


def read_export(export: Record) -> Session:
    """Return the session in the object that `opencode export` writes."""
    info, writer = dict_of(export.get("info")), Writer(AGENT)
    session = writer.session
    session.id, session.is_subagent = str(info.get("id") or ""), bool(info.get("parentID"))
    session.versions.add(writer.hider.name(info.get("version")))
    session.unknown.append("opencode does not record when a session was resumed.")
    writer.hider.add_place(info.get("directory"))
    for message in export["messages"] if isinstance(export.get("messages"), list) else ():
        data, parts = dict_of(dict_of(message).get("info")), dict_of(message).get("parts")
        read_message(
            writer, data, [dict_of(part) for part in parts or () if isinstance(parts, list)]
        )
    return writer.finish()


def read_message(writer: Writer, data: Record, parts: list[Record]) -> None:
    """Add a message with its parts."""
    kinds = [part.get("type") for part in parts]
    if data.get("role") == "user" and "compaction" in kinds:
        writer.compact("")
    elif data.get("role") == "user":
        if not all(part.get("synthetic") for part in parts):  # else nobody has typed it
            writer.session.events.append(Prompt(find_time(data)))
    elif data.get("summary"):
        writer.summarize(text_in([part for part in parts if part.get("type") == "text"]))
    else:
        reply = None
        for part, kind in zip(parts, kinds, strict=True):
            if kind == "step-start" or reply is None:
                key = str(part.get("id") or data.get("id"))
                reply = Reply(key, str(data.get("modelID") or ""), find_time(data))
                writer.add_reply(reply)
            if kind == "text" and str(part.get("text") or "").strip():
                reply.blocks += "t"
                reply.asks = is_question(str(part["text"]))
            elif kind == "tool":
                read_call(writer, reply, str(part.get("tool")), dict_of(part.get("state")))
            elif kind not in ("text", "step-start") and kind not in OTHER_PARTS:
                writer.count("a part of type", kind)


def read_call(writer: Writer, reply: Reply, name: str, state: Record) -> None:
    """Add a tool call, and the list that it writes if the program accepted it."""
    given, status = dict_of(state.get("input")), state.get("status")
    is_list = name == "todowrite" or (name == "invalid" and given.get("tool") == "todowrite")
    reply.tools.append(writer.hider.name(name))
    reply.blocks += "l" if is_list else "c"
    reply.unanswered += status not in ("completed", "error")
    if is_list and (name == "invalid" or status == "error"):
        reply.rejected += 1
    elif is_list and (status == "completed" or "todos" in given):
        writer.write_list(reply, given.get("todos"), "content")
    elif name == "todoread" and status == "completed":
        writer.show()


def find_time(data: Record) -> str:
    """Return when a message was made, in milliseconds."""
    return str(dict_of(data.get("time")).get("created") or "")


def read_database(path: Path) -> Session:
    """Return the newest session in a database that has a list, or the newest one.

    The database may be in use, so a copy is read, in a folder that only its user can enter and that
    is deleted. Sessions of sub-agents are left out. Raise CannotRead for another database.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder, "copy.db")
        for ending in ("", *COMPANIONS):
            if path.with_name(path.name + ending).is_file():
                shutil.copyfile(path.with_name(path.name + ending), f"{copy}{ending}")
        try:
            with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as base:
                return choose_session(base)
        except (sqlite3.Error, ValueError, RecursionError) as problem:
            if isinstance(problem, CannotRead):
                raise
            raise CannotRead("This database cannot be read, or is not one of opencode.") from None


def choose_session(base: sqlite3.Connection) -> Session:
    base.execute("pragma trusted_schema = off")
    found = base.execute("select name from sqlite_master where type = 'table'")
    if not TABLES <= {name for (name,) in found}:
        raise CannotRead("This database is not one of opencode: it lacks a table.")
    names = [name for (name,) in base.execute(f"select id {MAIN}")]
    if not names:
        raise CannotRead("This database of opencode has no session.")
    sessions = (read_export(load_export(base, name)) for name in names)
    newest = next(sessions)
    chosen = next((one for one in (newest, *sessions) if one.writes or one.unread_lists), newest)
    if len(names) > 1:
        which = "the newest one" + (" with a list" if chosen.writes else "")
        chosen.unknown.append(f"The database has {len(names)} sessions. This is {which}.")
    return chosen


def load_export(base: sqlite3.Connection, name: str) -> Record:
    """Return a session of the database as `opencode export` writes it."""

    def load(query: str, key: str) -> Iterator[tuple[str, Any]]:
        return ((one, dict_of(json.loads(data))) for one, data in base.execute(query, (key,)))

    row = base.execute("select version, directory from session where id = ?", (name,)).fetchone()
    messages = [
        {
            "info": {"id": key} | data,
            "parts": [
                {"id": one} | part
                for one, part in load(
                    "select id, data from part where message_id = ? order by id", key
                )
            ],
        }
        for key, data in load("select id, data from message where session_id = ? order by id", name)
    ]
    info = {"id": name, "version": row[0], "directory": row[1]}
    return {"info": info, "messages": messages}
