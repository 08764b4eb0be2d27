"""Read a session of opencode: `opencode.db` (SQLite), or what `opencode export` writes (JSON).

A message of the model has one or several steps, and each step is a reply. What a compaction leaves
is its summary. opencode sends no reminders.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from .lines import Record, text_in
from .session import CannotRead, Prompt, Reader, Reply, Session

LIST_TOOL = "todowrite"
OTHER_PARTS = set(
    "step-start step-finish reasoning patch file snapshot agent subtask retry".split()
)
COMPANIONS = ("-wal", "-shm")  # files beside a database, which have its newest changes
TABLES = {"session", "message", "part"}
RESUMED = "opencode does not record when a session was resumed."


def read_export(export: Record) -> Session:
    """Return the session in the object that `opencode export` writes."""
    reader = OpenCode("opencode", [LIST_TOOL])
    reader.attempt(reader.read_info, export)
    messages = export["messages"] if isinstance(export["messages"], list) else [None]
    for message in messages:
        reader.attempt(reader.read_message, message)
    return reader.finish(RESUMED)


class OpenCode(Reader):
    def read_info(self, export: Record) -> None:
        info, session = export["info"], self.session
        session.id, session.is_subagent = str(info.get("id")), bool(info.get("parentID"))
        session.versions.add(self.hider.name(info.get("version")))
        self.hider.add_place(info.get("directory"))

    def read_message(self, message: Record) -> None:
        """Add a message with its parts."""
        data, parts = message["info"], message["parts"]
        time, kinds = data["time"]["created"], [part.get("type") for part in parts]
        if data["role"] == "user" and "compaction" in kinds:
            self.compact()
        elif data["role"] == "user":
            if not all(part.get("synthetic") for part in parts):  # else nobody has typed it
                self.session.events.append(Prompt(str(time)))
        elif data.get("summary"):
            self.summarize(text_in([part for part in parts if part.get("type") == "text"]))
        else:
            reply = None
            for part, kind in zip(parts, kinds, strict=True):
                if kind == "step-start" or reply is None:
                    key = part.get("id") or data.get("id")
                    reply = self.add_reply(key, data.get("modelID"), time)
                if kind == "text":
                    reply.add_text(part["text"])
                elif kind == "tool":
                    self.read_call(reply, part["tool"], part["state"])
                elif kind not in OTHER_PARTS:
                    self.count("a part of type", kind)

    def read_call(self, reply: Reply, name: str, state: Record) -> None:
        """Add a tool call, and the list that it writes if the program accepted it."""
        given, status = state.get("input") or {}, state["status"]
        is_invalid = name == "invalid" and given.get("tool") == LIST_TOOL
        self.add_call(reply, name, status in ("completed", "error"))
        if is_invalid or (name == LIST_TOOL and status == "error"):
            reply.rejected += 1
        elif name == LIST_TOOL and (status == "completed" or "todos" in given):
            self.write_list(reply, given.get("todos"), "content")
        elif name == "todoread" and status == "completed":
            self.show(self.tasks)


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
        except sqlite3.Error:
            raise CannotRead("This database cannot be read.") from None


def choose_session(base: sqlite3.Connection) -> Session:
    base.execute("pragma trusted_schema = off")
    found = base.execute("select name from sqlite_master where type = 'table'")
    if not TABLES <= {name for (name,) in found}:
        raise CannotRead("This database is not one of opencode: it lacks a table.")
    rows = base.execute(
        "select id, version, directory from session where parent_id is null"
        " order by time_updated desc"
    ).fetchall()
    if not rows:
        raise CannotRead("This database of opencode has no session.")
    sessions = (read_export(load_export(base, *row)) for row in rows)
    newest = next(sessions)
    chosen = next((one for one in (newest, *sessions) if one.writes or one.unread_lists), newest)
    if len(rows) > 1:
        which = "the newest one" + (" with a list" if chosen.writes else "")
        chosen.unknown.append(f"The database has {len(rows)} sessions. This is {which}.")
    return chosen


def load_export(base: sqlite3.Connection, name: str, version: str, directory: str) -> Record:
    """Return a session of the database as `opencode export` writes it."""
    messages: dict[str, Record] = {}
    for key, data in base.execute(
        "select id, data from message where session_id = ? order by id", (name,)
    ):
        messages[key] = {"info": {"id": key} | load(data), "parts": []}
    for key, message, data in base.execute(
        "select id, message_id, data from part where session_id = ? order by id", (name,)
    ):
        if message in messages:
            messages[message]["parts"].append({"id": key} | load(data))
    info = {"id": name, "version": version, "directory": directory}
    return {"info": info, "messages": [*messages.values()]}


def load(data: str) -> Record:
    """Return an object that is stored as JSON, or an empty one."""
    try:
        found = json.loads(data)
    except (TypeError, ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}
