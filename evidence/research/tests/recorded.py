"""Lines of recorded sessions, as the programs write them: seen in files of these versions."""

import json
from itertools import count


class ClaudeCode:
    """Writes lines of Claude Code, one object in each."""

    def __init__(self, version="2.1.209"):
        self.lines, self.version = [], version
        self._numbers = count(1)

    def add(self, kind, **more):
        number = next(self._numbers)
        line = {"type": kind, "uuid": f"u{number}", "sessionId": "s1", "version": self.version}
        line |= {"timestamp": f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z"}
        line["parentUuid"] = self.lines[-1]["uuid"] if self.lines else None
        self.lines.append(line | more)
        return self.lines[-1]

    def prompt(self, text="Mend the shop.", **more):
        return self.add("user", message={"role": "user", "content": text}, **more)

    def block(self, key, block, **more):
        """Add one line of a reply, which has a line for each block."""
        message = {"id": key, "role": "assistant", "model": "claude-x", "content": [block]}
        return self.add("assistant", message=message, **more)

    def call(self, name, given, result="ok", *, told=None, is_error=False):
        """Add a reply with one call, and its result. With None as `result` there is none."""
        number = next(self._numbers)
        use = {"type": "tool_use", "id": f"call{number}", "name": name, "input": given}
        self.block(f"m{number}", use)
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
        """Change a task. With None as `was`, the program says that nothing was updated."""
        told = {"success": True, "updatedFields": ["status"] if was else []}
        told |= {"statusChange": {"from": was, "to": status}} if was else {}
        self.call("TaskUpdate", {"taskId": str(number), "status": status}, told=told)

    def helper(self, name, given, result="ok", told=None):
        """Add what a sub-agent does: a call and its result, in lines of type `progress`."""
        key = f"helper{next(self._numbers)}"
        use = {"type": "tool_use", "id": key, "name": name, "input": given}
        answer = {"type": "tool_result", "tool_use_id": key, "content": result}
        for kind, block, more in (
            ("assistant", use, {}),
            ("user", answer, {"toolUseResult": told}),
        ):
            message = {"type": kind, "message": {"id": key, "content": [block]}} | more
            self.add("progress", data={"type": "agent_progress", "message": message})

    def work(self):
        self.call("Bash", {"command": "make"})

    def remind(self, *tasks):
        """Add a reminder that shows these tasks, with their numbers or without."""
        shown, kind = [read_task(task) for task in tasks], "todo_reminder"
        if any(task["id"] for task in shown):
            kind, shown = "task_reminder", [one | {"subject": one["content"]} for one in shown]
        data = {"type": kind, "content": shown, "itemCount": len(shown)}
        self.add("attachment", attachment=data)

    def show(self, *tasks):
        """Call TaskList, which shows these tasks."""
        shown = [read_task(task) for task in tasks]
        told = [{"id": one["id"], "subject": one["content"]} | one for one in shown]
        words = [f"#{one['id']} [{one['status']}] {one['content']}" for one in shown]
        self.call("TaskList", {}, "\n".join(words) or "No tasks found", told={"tasks": told})


SIGNS = {"-": "pending", ">": "in_progress", "+": "completed"}


def read_task(words):
    """Return "+ Mend the till" as a task of TodoWrite, and "+2 Mend" as number 2 of the tasks."""
    sign, _, text = words.partition(" ")
    return {"content": text, "status": SIGNS[sign[0]], "activeForm": text, "id": sign[1:]}


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

    def work(self):
        self.call("exec_command", {"cmd": "make"}, "Exit code: 0")
