"""Other right solutions, shown to a learner who has found one: each with what it costs."""

import time

from ..nag import Nag
from ..todo import TodoManager


class PriorityInCheck(TodoManager):
    """The priority in check, line and tool, without `fields`."""

    LEVELS = ("high", "medium", "low")

    def check(self, item, position):
        clean = super().check(item, position)
        priority = str(item.get("priority") or "medium").lower()
        if priority not in self.LEVELS:
            raise ValueError(f"{clean['id']}: invalid priority '{priority}'")
        return clean | {"priority": priority}

    def tool(self):
        tool = super().tool()
        item = tool.input_schema["properties"]["items"]["items"]
        item["properties"]["priority"] = {"type": "string", "enum": list(self.LEVELS)}
        return tool


class NagLevelByLevel(Nag):
    """Three passes over the list, and no number for a word."""

    def reminder(self):
        for level in ("high", "medium", "low"):
            for item in self.todo.items:
                if item["status"] == "pending" and item["priority"] == level:
                    return f"<reminder>Update your todos. Next: {item['text']}.</reminder>"
        return super().reminder()


class TimedByStatus(TodoManager):
    """Notes what changed at each update, instead of keeping a log."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.first = clock, None
        self.times, self.since = {}, {}

    def update(self, items):
        text = super().update(items)
        now = self.clock()
        self.first = now if self.first is None else self.first
        active = {item["id"] for item in self.items if item["status"] == "in_progress"}
        for id in self.since.keys() - active:
            self.times[id]["seconds"] += now - self.since.pop(id)
        for item in self.items:
            self.note(item["id"], item["status"], now)
        return text

    def note(self, id, status, now):
        times = self.times.setdefault(id, {"started": None, "completed": None, "seconds": 0})
        if status == "in_progress":
            self.since.setdefault(id, now)
        moment = "started" if status == "in_progress" else status
        if moment in times and times[moment] is None:
            times[moment] = now

    def summary(self):
        now = self.clock()
        tasks = {id: dict(times) for id, times in self.times.items()}
        for id, since in self.since.items():
            tasks[id]["seconds"] += now - since
        return {"session": 0 if self.first is None else now - self.first, "tasks": tasks}
