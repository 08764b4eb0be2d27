"""Lines of recorded sessions, as the programs write them: seen in files of these versions."""

import json
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
