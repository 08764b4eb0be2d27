"""Lines of recorded sessions, as the programs write them: seen in files of these versions."""

import json
import sqlite3
from itertools import count

OLD, NEW = "2.0.76", "2.1.209"


class ClaudeCode:
    """Writes lines of Claude Code, one object in each."""

    def __init__(self, version=NEW, cwd="/home/ada/shop"):
        self.lines, self.version, self.cwd = [], version, cwd
        self._numbers = count(1)

    def add(self, kind, **more):
        number = next(self._numbers)
        line = {"type": kind, "uuid": f"u{number}", "sessionId": "s1", "version": self.version}
        line |= {"cwd": self.cwd, "timestamp": f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z"}
        self.lines.append(line | more)
        return self.lines[-1]

    def prompt(self, text="Mend the shop.", **more):
        return self.add("user", message={"role": "user", "content": text}, **more)

    def block(self, key, block, **more):
        """Add one line of a reply, which has a line for each block."""
        message = {"id": key, "role": "assistant", "model": "claude-x", "content": [block]}
        return self.add("assistant", message=message, **more)

    def call(self, name, given, result="ok", *, told=None, is_error=False, key=None):
        """Add a reply with one call, and its result. With None as `result` there is none."""
        number = next(self._numbers)
        use = {"type": "tool_use", "id": f"call{number}", "name": name, "input": given}
        self.block(key or f"m{number}", use)
        if result is not None:
            self.result(f"call{number}", result, told, is_error)

    def result(self, call, content, told=None, is_error=False):
        block = {"type": "tool_result", "tool_use_id": call, "content": content}
        block |= {"is_error": True} if is_error else {}
        message = {"role": "user", "content": [block]}
        self.add("user", message=message, toolUseResult=told)

    def text(self, text="Done."):
        self.block(f"m{next(self._numbers)}", {"type": "text", "text": text})

    def todo(self, *tasks, **more):
        """Write a list: each task is its text, with a sign of its status in front."""
        self.call("TodoWrite", {"todos": [read_task(task) for task in tasks]}, **more)

    def create(self, number, subject):
        told = {"task": {"id": str(number), "subject": subject}}
        self.call("TaskCreate", {"subject": subject, "description": "d"}, told=told)

    def update(self, number, status, was="pending"):
        told = {"success": True, "statusChange": {"from": was, "to": status}}
        self.call("TaskUpdate", {"taskId": str(number), "status": status}, told=told)

    def work(self, rounds=1):
        for _ in range(rounds):
            self.call("Bash", {"command": "make"})

    def remind(self, size=0):
        data = {"type": "task_reminder", "content": [{}] * size, "itemCount": size}
        self.add("attachment", attachment=data)

    def compact(self, summary, kept=()):
        data = {"trigger": "auto", "preTokens": 9} | (
            {"preservedMessages": {"uuids": list(kept)}} if kept else {}
        )
        self.add("system", subtype="compact_boundary", compactMetadata=data)
        self.prompt(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)


SIGNS = {"-": "pending", ">": "in_progress", "+": "completed"}


def read_task(words):
    """Return "+ Mend the till" as a task of TodoWrite."""
    sign, _, text = words.partition(" ")
    return {"content": text, "status": SIGNS[sign], "activeForm": text}


def to_lines(objects):
    """Return objects as the lines of a JSONL file, without escapes, as these programs write it."""
    return [json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in objects]


class Codex:
    """Writes lines of Codex, one object in each."""

    def __init__(self, source="cli"):
        self.lines = []
        meta = {"id": "c1", "cli_version": "0.142.5", "source": source, "cwd": "/home/ada/shop"}
        self.add("session_meta", **meta)
        self.add("turn_context", model="gpt-x")

    def add(self, kind, **payload):
        time = f"2026-01-01T00:00:{len(self.lines) % 60:02}Z"
        self.lines.append({"timestamp": time, "type": kind, "payload": payload})

    def item(self, kind, **payload):
        self.add("response_item", type=kind, **payload)

    def prompt(self):
        self.item("message", role="user", content=[{"type": "input_text", "text": "Mend it."}])
        self.add("event_msg", type="user_message", message="Mend it.")

    def text(self, text="Done."):
        self.item("message", role="assistant", content=[{"type": "output_text", "text": text}])

    def call(self, name, given, output="Plan updated"):
        key = f"call{len(self.lines)}"
        self.item("function_call", name=name, call_id=key, arguments=json.dumps(given))
        if output is not None:
            self.item("function_call_output", call_id=key, output=output)

    def plan(self, *tasks, **more):
        steps = [read_task(task) for task in tasks]
        plan = [{"step": one["content"], "status": one["status"]} for one in steps]
        self.call("update_plan", {"plan": plan}, **more)

    def work(self, rounds=1):
        for _ in range(rounds):
            self.call("exec_command", {"cmd": "make"}, "Exit code: 0")

    def compact(self, *left):
        texts = [{"type": "message", "role": "user", "content": text} for text in left]
        self.add("compacted", message="", replacement_history=texts)


class OpenCode:
    """Writes what `opencode export` writes, and the same into a database."""

    def __init__(self, version="1.18.33"):
        self.info = {"id": "ses_1", "version": version, "directory": "/home/ada/shop"}
        self.messages = []

    def add(self, role, *parts, **info):
        number = len(self.messages)
        info = {"id": f"msg_{number:03}", "role": role, "time": {"created": number}} | info
        named = [{"id": f"prt_{number:03}_{at}"} | part for at, part in enumerate(parts)]
        self.messages.append({"info": info, "parts": named})

    def prompt(self, **more):
        self.add("user", {"type": "text", "text": "Mend it."} | more)

    def reply(self, *parts, **info):
        self.add("assistant", {"type": "step-start"}, *parts, modelID="model-x", **info)

    def call(self, name, given, status="completed"):
        state = {"status": status, "input": given, "output": "ok"}
        self.reply({"type": "tool", "tool": name, "callID": "c", "state": state})

    def todo(self, *tasks, **more):
        self.call("todowrite", {"todos": [read_task(task) for task in tasks]}, **more)

    def work(self, rounds=1):
        for _ in range(rounds):
            self.call("bash", {"command": "make"})

    def compact(self, summary):
        self.add("user", {"type": "compaction", "auto": True})
        self.add("assistant", {"type": "text", "text": summary}, summary=True)
        self.prompt(synthetic=True)

    def export(self):
        return {"info": self.info, "messages": self.messages}

    def save(self, path):
        """Write a database in WAL mode, and return its connection, so that it stays in use."""
        base = sqlite3.connect(path, isolation_level=None)
        base.executescript(
            "pragma journal_mode = wal; create table session (id, parent_id, directory, version,"
            " time_updated); create table message (id, session_id, data);"
            "create table part (id, message_id, session_id, data);"
        )
        self.insert(base)
        return base

    def insert(self, base, name="ses_1", parent=None, updated=1):
        row = (name, parent, self.info["directory"], self.info["version"], updated)
        base.execute("insert into session values (?, ?, ?, ?, ?)", row)
        for message in self.messages:
            key = f"{name} {message['info']['id']}"
            data = json.dumps(message["info"])
            base.execute("insert into message values (?, ?, ?)", (key, name, data))
            for part in message["parts"]:
                row = (f"{name} {part['id']}", key, name, json.dumps(part))
                base.execute("insert into part values (?, ?, ?, ?)", row)
