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
        for item in self.items:
            id, seconds = item["id"], self.total[item["id"]]
            if id in self.running:
                seconds = seconds + now - self.running[id]
            tasks[id] = {
                "started": self.started.get(id),
                "completed": self.completed.get(id),
                "seconds": seconds,
            }
        return {"session": 0 if self.first is None else now - self.first, "tasks": tasks}
"""
RIGHT = {"before and after": PLAIN}
UPDATE = "        answer = super().update(items)\n"
EARLY = """        for i in items:
            if i["status"] == "in_progress":
                self.started.setdefault(i["id"], self.clock())
"""
FIRST = "        if self.first is None:\n            self.first = now\n"
NOT_CHANGED = "            if status == before.get(id):\n                continue\n"
SECONDS = """            id, seconds = item["id"], self.total[item["id"]]\n"""
ADD = "self.total[id] += now - self.running.pop(id)"
WRONG = [
    ("zero", ("self.first is None:", "not self.first:")),
    ("still_a_list", ("        super().__init__()\n", ""), "must call `super().__init__()`"),
    ("shape", ('{"session": 0', '{"total": 0')),
    (
        "when",
        ("self, clock=time.monotonic", "self, clock=time.monotonic, total={}"),
        ("self.total, self.running = {}, {}, {}, {}", "self.running = {}, {}, {}"),
        ("        self.first = None\n", "        self.first, self.total = None, total\n"),
    ),
    ("when", ("tasks[id] =", "tasks[int(id) if id.isdigit() else id] =")),
    ("so_far", ("seconds = seconds + now - self.running[id]", "seconds = 0")),
    ("when", (NOT_CHANGED, "")),
    ("session", (UPDATE, FIRST.replace("now", "self.clock()") + UPDATE)),
    ("session", ("0 if self.first is None else ", "")),
    ("never_started", (SECONDS, SECONDS + "            if id not in self.started: continue\n")),
    (
        "shape",
        ("for item in self.items:", "for id, seconds in self.total.items():"),
        (SECONDS, ""),
        "['1', '2']",
    ),
    ("took", (ADD, "self.total[id] = now - self.running.pop(id)")),
    ("took", (ADD, "self.total[id] = now - self.started[id]")),
    ("took", ("self.started.setdefault(id, now)", "self.started[id] = now")),
    ("rejected", (UPDATE, EARLY + UPDATE)),
    (
        "clean",
        ("for item in self.items}\n        if", "for item in items}\n        if"),
        "Or read `self.items` after",
    ),
    ("zero", ("== before.get(id):", "== before.get(id) and self.started.get(id, 1):")),
    ("shape", ("now = self.clock()", "now = self.clock"), "A clock is a function: call it"),
]
