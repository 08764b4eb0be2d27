from exercises.attempts import rules
from exercises.cells import SOLUTIONS

TIMED = """
class TimedTodo(MyTodo):
    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock = clock
        self.first = None
        self.started, self.completed, self.total, self.running = {}, {}, {}, {}

    def update(self, items):
        before = {item["text"]: item["status"] for item in self.items}
        answer, now = super().update(items), self.clock()
        after = {item["text"]: item["status"] for item in self.items}
        if self.first is None:
            self.first = now
        for text, status in before.items():
            if status == "in_progress" and after.get(text) != "in_progress":
                self.total[text] += now - self.running.pop(text)
        for text, status in after.items():
            self.total.setdefault(text, 0)
            if status == before.get(text):
                continue
            if status == "in_progress":
                self.running[text] = now
                self.started.setdefault(text, now)
            elif status == "completed":
                self.completed[text] = now
        return answer

    def summary(self):
        now = self.clock()
        tasks = {}
        for item in self.items:
            text, seconds = item["text"], self.total[item["text"]]
            if text in self.running:
                seconds = seconds + now - self.running[text]
            tasks[text] = {
                "started": self.started.get(text),
                "completed": self.completed.get(text),
                "seconds": seconds,
            }
        return {"session": 0 if self.first is None else now - self.first, "tasks": tasks}
"""
PLAIN = rules.PLAIN + TIMED
RIGHT = {"before and after": PLAIN} | {
    f"a log, {title}": source + SOLUTIONS["timed"] for title, source in rules.RIGHT.items()
}
UPDATE = "        answer, now = super().update(items), self.clock()\n"
EARLY = """        for i in items:
            if i["status"] == "in_progress":
                self.started.setdefault(i["text"], self.clock())
"""
FIRST = "        if self.first is None:\n            self.first = now\n"
SECONDS = """            text, seconds = item["text"], self.total[item["text"]]\n"""
EACH = f"        for item in self.items:\n{SECONDS}"
ADD = "self.total[text] += now - self.running.pop(text)"
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
    ("shape", ("tasks[text] =", "tasks[text.lower()] =")),
    ("so_far", ("seconds = seconds + now - self.running[text]", "seconds = 0")),
    ("session", (UPDATE, FIRST.replace("now", "self.clock()") + UPDATE)),
    ("never_started", (SECONDS, SECONDS + "            if text not in self.started: continue\n")),
    ("shape", (EACH, "        for text, seconds in self.total.items():\n"), "['Test', 'Docs']"),
    ("took", (ADD, "self.total[text] = now - self.started[text]")),
    ("rejected", (UPDATE, EARLY + UPDATE)),
    ("clean", ("self.items}\n        if", "items}\n        if"), "Or read `self.items` after"),
    ("zero", ("== before.get(text):", "== before.get(text) and self.started.get(text, 1):")),
    ("shape", ("(items), self.clock()", "(items), self.clock"), "A clock is a function: call it"),
]
