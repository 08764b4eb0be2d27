"""Right solutions of TimedTodo in different styles."""

import time
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from fractions import Fraction

from agentlib import TodoManager

from .marks import right


@right
class ByALog(TodoManager):
    """Logs each list and computes the times in summary()."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.log = clock, []

    def update(self, items):
        text = super().update(items)
        self.log.append((self.clock(), {item["id"]: item["status"] for item in self.items}))
        return text

    def summary(self):
        tasks, ends = {}, [when for when, _ in self.log[1:]] + [self.clock()]
        for (when, statuses), end in zip(self.log, ends, strict=False):
            for id, status in statuses.items():
                task = tasks.setdefault(id, {"started": None, "completed": None, "seconds": 0})
                task["seconds"] += end - when if status == "in_progress" else 0
                moment = "started" if status == "in_progress" else status
                if moment in task and task[moment] is None:
                    task[moment] = when
        return {"session": ends[-1] - self.log[0][0] if self.log else 0, "tasks": tasks}


@dataclass
class Times:
    started: float | None = None
    completed: float | None = None
    seconds: float = 0.0
    since: float | None = field(default=None, repr=False)

    def stop(self, now):
        if self.since is not None:
            self.seconds += now - self.since
            self.since = None

    def start(self, now):
        if self.since is None:
            self.since = now
        if self.started is None:
            self.started = now


@right
class ByDataclasses(TodoManager):
    def __init__(self, clock=time.monotonic):
        TodoManager.__init__(self)
        self._clock = clock
        self._begin = None
        self._times = {}

    def update(self, items):
        rendered = super().update(items)
        now = self._clock()
        self._begin = now if self._begin is None else self._begin
        statuses = {item["id"]: item["status"] for item in self.items}
        for id in statuses.keys() | self._times.keys():
            times = self._times.setdefault(id, Times())
            status = statuses.get(id)
            if status == "in_progress":
                times.start(now)
            else:
                times.stop(now)
            if status == "completed" and times.completed is None:
                times.completed = now
        return rendered

    def summary(self):
        now = self._clock()
        tasks = {}
        for id, times in self._times.items():
            entry = asdict(times)
            since = entry.pop("since")
            if since is not None:
                entry["seconds"] += now - since
            tasks[id] = entry
        return {"session": 0.0 if self._begin is None else now - self._begin, "tasks": tasks}


@right
class ByBeforeAndAfter(TodoManager):
    """Compares the old items with the new ones; plain dicts of numbers."""

    def __init__(self, clock=time.time):
        super().__init__()
        self.clock = clock
        self.first = None
        self.started, self.completed, self.total, self.running = {}, {}, {}, {}

    def update(self, items):
        before = {item["id"]: item["status"] for item in self.items}
        answer = super().update(items)
        now = self.clock()
        after = {item["id"]: item["status"] for item in self.items}
        if self.first is None:
            self.first = now
        for id, status in before.items():
            if status == "in_progress" and after.get(id) != "in_progress":
                self.total[id] += now - self.running.pop(id)
        for id, status in after.items():
            self.total.setdefault(id, 0)
            if status == before.get(id):
                continue
            if status == "in_progress":
                self.running[id] = now
                self.started.setdefault(id, now)
            elif status == "completed":
                self.completed[id] = now
        return answer

    def summary(self):
        now = self.clock()
        entries = {}
        for id, seconds in self.total.items():
            if id in self.running:
                seconds = seconds + now - self.running[id]
            entries[id] = dict(
                started=self.started.get(id), completed=self.completed.get(id), seconds=seconds
            )
        return dict(tasks=entries, session=0 if self.first is None else now - self.first)


@right
class ByStretches(TodoManager):
    """Keeps a list of periods for each task; the last may be open."""

    def __init__(self, *, clock=time.perf_counter):
        super().__init__()
        self.clock = clock
        self.stretches, self.ended, self.begun = defaultdict(list), {}, []

    def update(self, items):
        text = super().update(items)
        now = self.clock()
        self.begun.append(now)
        active = next((i["id"] for i in self.items if i["status"] == "in_progress"), None)
        for id, parts in self.stretches.items():
            if parts and parts[-1][1] is None and id != active:
                parts[-1][1] = now
        for item in self.items:
            parts = self.stretches[item["id"]]
            if item["id"] == active and not (parts and parts[-1][1] is None):
                parts.append([now, None])
            if item["status"] == "completed":
                self.ended.setdefault(item["id"], now)
        return text

    def summary(self):
        now = self.clock()
        return {
            "session": now - self.begun[0] if self.begun else 0,
            "tasks": {
                id: {
                    "started": parts[0][0] if parts else None,
                    "completed": self.ended.get(id),
                    "seconds": sum((now if end is None else end) - start for start, end in parts),
                }
                for id, parts in self.stretches.items()
            },
        }


@right
class ByFractions(ByALog):
    """Uses exact times and adds a key to the summary."""

    def __init__(self, clock=time.monotonic):
        super().__init__(lambda: Fraction(clock()))

    def summary(self):
        return super().summary() | {"now": self.clock()}


@right
class ByDecimals(ByALog):
    def __init__(self, clock=time.monotonic):
        super().__init__(lambda: Decimal(str(clock())))
