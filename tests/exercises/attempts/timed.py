PLAIN = """
class TimedTodo(TodoManager):
    def __init__(self, clock=time.monotonic):
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
        tasks = {}
        for id, seconds in self.total.items():
            if id in self.running:
                seconds = seconds + now - self.running[id]
            tasks[id] = {
                "started": self.started.get(id),
                "completed": self.completed.get(id),
                "seconds": seconds,
            }
        return {"session": 0 if self.first is None else now - self.first, "tasks": tasks}
"""
BY_A_LOG = """
class TimedTodo(TodoManager):
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
"""
BY_PERIODS = """
from collections import defaultdict
from decimal import Decimal

class TimedTodo(TodoManager):
    def __init__(self, *, clock=time.perf_counter):
        super().__init__()
        self.clock = lambda: Decimal(str(clock()))
        self.periods, self.ended, self.begun = defaultdict(list), {}, []

    def update(self, items):
        text = super().update(items)
        now = self.clock()
        self.begun.append(now)
        active = [item["id"] for item in self.items if item["status"] == "in_progress"]
        for id, parts in self.periods.items():
            if parts and parts[-1][1] is None and id not in active:
                parts[-1][1] = now
        for item in self.items:
            parts = self.periods[item["id"]]
            if item["id"] in active and not (parts and parts[-1][1] is None):
                parts.append([now, None])
            if item["status"] == "completed":
                self.ended.setdefault(item["id"], now)
        return text

    def summary(self):
        now = self.clock()
        tasks = {
            id: {
                "started": parts[0][0] if parts else None,
                "completed": self.ended.get(id),
                "seconds": sum((now if end is None else end) - start for start, end in parts),
            }
            for id, parts in self.periods.items()
        }
        return {"session": now - self.begun[0] if self.begun else 0, "tasks": tasks}
"""
RIGHT = {"before and after": PLAIN, "by a log": BY_A_LOG, "by periods": BY_PERIODS}
UPDATE = "        answer = super().update(items)\n"
FIRST = "        if self.first is None:\n            self.first = now\n"
NOT_CHANGED = "            if status == before.get(id):\n                continue\n"
IN_SUMMARY = "        for id, seconds in self.total.items():\n"
IDS = "[item['id'] for item in self.items]"
AS_DICTS = """def as_dicts(items):
    return [item for item in items or () if isinstance(item, dict)]

"""
SWALLOW = """        try:
            answer = super().update(items)
        except ValueError as problem:
            return str(problem)
"""
FORGET = """            if status == "pending":
                self.started.pop(id, None)
"""
BY_TEXT = BY_A_LOG.replace('item["id"]: ', 'item["text"]: ').replace(
    '"tasks": tasks}', '"tasks": {i["id"]: tasks[i["text"]] for i in self.items}}'
)
WRONG = [
    ("still_a_list", [("clock=time.monotonic", "clock=time.monotonic()")]),
    ("still_a_list", [("        super().__init__()\n", "")]),
    ("shape", [('{"session": 0', '{"total": 0')]),
    ("shape", [("def summary", "@property\n    def summary")]),
    (
        "own_times",
        [
            ("self, clock=time.monotonic", "self, clock=time.monotonic, total={}"),
            ("self.total, self.running = {}, {}, {}, {}", "self.running = {}, {}, {}"),
            ("        self.first = None\n", "        self.first, self.total = None, total\n"),
        ],
    ),
    ("when", [("tasks[id] =", "tasks[int(id) if id.isdigit() else id] =")]),
    ("when", [('"started": self.started.get(id)', '"started": self.clock')]),
    ("took", [("+= now - self.running.pop(id)", "= now - self.first + self.running.pop(id)")]),
    ("so_far", [("seconds = seconds + now - self.running[id]", "seconds = 0")]),
    ("goes_on", [(NOT_CHANGED, "")]),
    ("session", [(UPDATE, FIRST.replace("now", "self.clock()") + UPDATE)]),
    ("before", [("0 if self.first is None else ", "")]),
    (
        "never_started",
        [(IN_SUMMARY, IN_SUMMARY + "            if id not in self.started: continue\n")],
    ),
    ("straight", [("self.completed[id] = now", "self.completed[id] = now + 0 * self.started[id]")]),
    (
        "rejected",
        [
            (
                UPDATE,
                "        self.total = {str(i.get('id')): 0 for i in as_dicts(items)} | self.total\n"
                + UPDATE,
            ),
            ("class T", AS_DICTS + "class T"),
        ],
    ),
    ("clean", [("for item in self.items}\n        if", "for item in items}\n        if")]),
    ("same_as_todomanager", [(UPDATE, SWALLOW)]),
    ("zero", [("0 if self.first is None else ", "0 if not self.first else ")]),
    ("paused", [("self.started.setdefault(id, now)", "self.started[id] = now")]),
    ("paused", [(NOT_CHANGED, NOT_CHANGED + FORGET)]),
    ("renamed", BY_TEXT, []),
    ("dropped", [(IN_SUMMARY, IN_SUMMARY + f"            if id not in {IDS}: continue\n")]),
]
