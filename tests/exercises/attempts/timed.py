from exercises.attempts import rules
from exercises.cells import SOLUTIONS, slip

PLAIN = rules.PLAIN + "\n" + SOLUTIONS["timed"]
A_LOG = """
class TimedTodo(MyTodo):
    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.log = clock, []
        self.log.append((clock(), {}))

    def update(self, items):
        shown = super().update(items)
        self.log.append((self.clock(), {item["text"]: item["status"] for item in self.items}))
        return shown

    def summary(self):
        now, tasks = self.clock(), {}
        for text in {text: None for _, statuses in self.log for text in statuses}:
            moments = [
                next((when for when, statuses in self.log if statuses.get(text) == status), None)
                for status in ("in_progress", "completed")
            ]
            started, completed = moments
            end = completed if completed is not None else now
            seconds = end - started if started is not None else 0.0
            tasks[text] = {"started": started, "completed": completed, "seconds": seconds}
        return {"session": now - self.log[0][0], "tasks": tasks}
"""
# Times in the items themselves; the parent's items are copies, so they are carried over.
IN_ITEMS = """
class TimedTodo(MyTodo):
    def __init__(self, clock=time.monotonic):
        MyTodo.__init__(self)
        self.clock, self.begin, self.times = clock, clock(), {}

    def update(self, items):
        answer = MyTodo.update(self, items)
        for item in self.items:
            entry = self.times.setdefault(item["text"], {"started": None, "completed": None})
            name = {"in_progress": "started", "completed": "completed"}.get(item["status"])
            if name and entry[name] is None:
                entry[name] = self.clock()
        return answer

    def summary(self):
        tasks = {}
        for item in self.items:
            entry = dict(self.times[item["text"]])
            match entry:
                case {"started": None}:
                    entry["seconds"] = 0
                case {"completed": None}:
                    entry["seconds"] = self.clock() - entry["started"]
                case _:
                    entry["seconds"] = entry["completed"] - entry["started"]
            tasks[item["text"]] = entry
        return dict(session=self.clock() - self.begin, tasks=tasks)
"""
RIGHT = {
    "two dicts": PLAIN,
    "a log, also of tasks that have left": rules.PLAIN + A_LOG,
    "one dict, without super": rules.PLAIN + IN_ITEMS,
} | {f"extends {title}": source + SOLUTIONS["timed"] for title, source in rules.RIGHT.items()}
# One task at a time: a new start replaces the one before.
ONE_SLOT = """
class TimedTodo(MyTodo):
    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.made = clock, clock()
        self.current, self.since, self.times = None, None, {}

    def update(self, items):
        shown = super().update(items)
        now = self.clock()
        for item in self.items:
            text, status = item["text"], item["status"]
            times = self.times.setdefault(text, [None, None])
            if status == "in_progress" and self.current != text:
                self.current, self.since = text, now
                times[0] = now if times[0] is None else times[0]
            if status == "completed" and self.current == text:
                times[1], self.current = now, None
        return shown

    def summary(self):
        now, tasks = self.clock(), {}
        for item in self.items:
            started, completed = self.times[item["text"]]
            end = now if completed is None else completed
            seconds = 0 if started is None else end - started
            tasks[item["text"]] = {"started": started, "completed": completed, "seconds": seconds}
        return {"session": now - self.made, "tasks": tasks}
"""
INIT = "        self.started, self.completed = {}, {}\n"
UPDATE = "        shown = super().update(items)\n"
EARLY = """        for item in items:
            if item["status"] == "in_progress":
                self.started.setdefault(item["text"], self.clock())
"""
BY_PLACE = slip(
    PLAIN,
    (
        "for item in self.items:\n            if",
        "for n, item in enumerate(self.items):\n            if",
    ),
    ('self.started.setdefault(item["text"]', "self.started.setdefault(n"),
    ('self.completed.setdefault(item["text"]', "self.completed.setdefault(n"),
    (
        "for item in self.items:\n            started",
        "for n, item in enumerate(self.items):\n            started",
    ),
    ('self.started.get(item["text"])', "self.started.get(n)"),
    ('self.completed.get(item["text"])', "self.completed.get(n)"),
)
WRONG = [
    (
        "still_a_list",
        ("        super().__init__()\n        self.clock", "        self.clock"),
        "must call",
    ),
    ("still_a_list", ("        return shown\n", ""), "is a `return` missing"),
    ("shape", ('{"session":', '{"total":')),
    ("shape", ('tasks[item["text"]] =', 'tasks[item["text"].lower()] =')),
    (
        "shape",
        (
            "            started = self",
            "            if item['text'] not in self.started: continue\n            started = self",
        ),
    ),
    (
        "when",
        ("self, clock=time.monotonic", "self, clock=time.monotonic, started={}"),
        (INIT, "        self.started, self.completed = started, {}\n"),
    ),
    (
        "when",
        (
            'self.started.setdefault(item["text"], self.clock())',
            'self.started[item["text"]] = self.clock()',
        ),
        "keeps its first time",
    ),
    (
        "when",
        (
            'self.completed.setdefault(item["text"], self.clock())',
            'self.completed[item["text"]] = self.clock()',
        ),
    ),
    ("when", ("self.clock())\n            elif", "time.monotonic())\n            elif")),
    ("when", rules.PLAIN + ONE_SLOT),
    ("when", BY_PLACE),
    (
        "shape",
        ('setdefault(item["text"], self.clock())', 'setdefault(item["text"], self.clock)'),
        "call it",
    ),
    ("took", ("end = now if completed is None else completed", "end = now")),
    (
        "took",
        ("0 if started is None else end - started", "None if started is None else end - started"),
    ),
    (
        "so_far",
        (
            "end = now if completed is None else completed",
            "end = completed if completed is not None else started",
        ),
    ),
    (
        "so_far",
        (
            "            end = now",
            "            self.completed.setdefault(item['text'], now)\n            end = now",
        ),
    ),
    ("session", ("now - self.made", 'sum(task["seconds"] for task in tasks.values())')),
    (
        "session",
        ("self.made = clock()", "self.made = None"),
        (UPDATE, UPDATE + "        self.made = self.clock() if self.made is None else self.made\n"),
        "when the list is made",
    ),
    ("rejected", (UPDATE, EARLY + UPDATE)),
    (
        "clean",
        (f"{UPDATE}        for item in self.items:", f"{UPDATE}        for item in items:"),
        "Or read `self.items` after",
    ),
    ("zero", ("0 if started is None else", "0 if not started else")),
    ("zero", ("now if completed is None else completed", "completed or now")),
]
