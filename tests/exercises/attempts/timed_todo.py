"""Right and wrong cells of `TimedTodo`, on lists with and without priorities."""

from attempts import priority_todo

ON_MINE = priority_todo.MY_TODO + "\n\n" + priority_todo.PLAIN
BASES = {
    "your PriorityTodo": ON_MINE,
    "TodoManager": "from agentlib import TodoManager as PriorityTodo",
    "PriorityTodo on TodoManager": "from agentlib import TodoManager as MyTodo\n\n\n"
    + priority_todo.PLAIN,
}
PLAIN = '''import time


class TimedTodo(PriorityTodo):
    """A todo list that also knows how long each task has taken."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock = clock
        self.made = clock()
        self.started, self.completed = {}, {}

    def update(self, items):
        shown = super().update(items)
        for item in self.items:
            if item["status"] == "in_progress":
                self.started.setdefault(item["text"], self.clock())
            elif item["status"] == "completed":
                self.completed.setdefault(item["text"], self.clock())
        return shown

    def summary(self):
        now, seconds = self.clock(), {}
        for item in self.items:
            started = self.started.get(item["text"])
            completed = self.completed.get(item["text"])
            end = now if completed is None else completed
            seconds[item["text"]] = 0 if started is None else end - started
        return {**seconds, "session": now - self.made}
'''
A_LOG = """
class TimedTodo(PriorityTodo):
    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.log = clock, []
        self.log.append((clock(), {}))

    def update(self, items):
        shown = super().update(items)
        self.log.append((self.clock(), {item["text"]: item["status"] for item in self.items}))
        return shown

    def summary(self):
        now, result = self.clock(), {}
        for text in {text: None for _, statuses in self.log for text in statuses}:
            moments = [
                next((when for when, statuses in self.log if statuses.get(text) == status), None)
                for status in ("in_progress", "completed")
            ]
            started, completed = moments
            end = completed if completed is not None else now
            result[text] = max(end - started, 0.0) if started is not None else 0.0
        result["session"] = now - self.log[0][0]
        return result
"""
A_MIXIN = """
class Times:
    def __init__(self, clock=time.monotonic, **more):
        super().__init__(**more)
        self.clock = clock
        self.begin = self.clock()
        self.times = {}

    def update(self, items):
        answer = super().update(items)
        for item in self.items:
            entry = self.times.setdefault(item["text"], {})
            entry.setdefault(item["status"], self.clock())
        return answer

    def seconds(self, text):
        entry = self.times[text]
        try:
            return max(0, entry.get("completed", self.clock()) - entry["in_progress"])
        except KeyError:
            return 0

    def summary(self):
        tasks = ((item["text"], self.seconds(item["text"])) for item in self.items)
        return {"session": self.clock() - self.begin, **dict(tasks)}


class TimedTodo(Times, PriorityTodo):
    pass
"""
RIGHT = {
    "a log, also of tasks that have left": A_LOG,
    "a mixin, with a default dict": A_MIXIN,
}
BY_PLACE = [
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
]
UPDATE = "        shown = super().update(items)\n"
EARLY = """        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict) and item.get("status") == "in_progress":
                self.started.setdefault(item["text"], self.clock())
"""
START = 'self.started.setdefault(item["text"], self.clock())'
END = 'self.completed.setdefault(item["text"], self.clock())'
# The given cell.
GIVEN = """
class TimedTodo(PriorityTodo):
    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock = clock
        self.made = self.clock()
        self.begun, self.ended = {}, {}

    def update(self, items):
        shown = super().update(items)
        # Your code goes here.

        return shown

    def summary(self):
        times = {"session": self.clock() - self.made}
        # Your code goes here.

        return times
"""
SENT = "for item in self.items:\n            if"
RESULT = "0 if started is None else end - started"
CLEARED = """        if not self.items:
            self.started.clear()
            self.completed.clear()
"""
BEGUN_ANEW = """        if not self.items:
            self.made = self.clock()
"""
OLD = 'old = {item["text"]: item["status"] for item in self.items}'
CHANGED = 'old.get(item["text"]) == "STATUS" and item["status"] =='
FROM_PENDING = CHANGED.replace("STATUS", "pending")
WRONG = [
    ("shape", GIVEN, "has the session alone"),
    ("shape", (START, 'self.started.setdefault(item["text"], self.clock)'), "is the clock itself"),
    ("took", ("else end - started", "else started - end"), "from the end"),
    ("took", (START, f"{START}\n                return shown"), "to the last one"),
    ("took", ("        return shown\n", "            return shown\n"), "to the last one"),
    (
        "as_in_the_parent",
        ("        return shown\n", "        return shown if self.items else None\n"),
        "as the last step",
    ),
    ("took", ("else end - started", "else round(end - started, 1)"), "Do not round"),
    (
        "shape",
        ('        return {**seconds, "s', '            return {**seconds, "s'),
        "Does a `return` inside",
    ),
    ("shape", ("        super().__init__()\n", ""), "which creates the list"),
    ("shape", ("        return shown\n", ""), "must return the list as text"),
    ("took", (END, "pass"), "stops counting"),
    ("clock", ("self.clock())", "time.monotonic())"), "Your `update` did not read"),
    (
        "shape",
        ('{**seconds, "session": now - self.made}', "[*seconds.values()]"),
        "one dict of numbers",
    ),
    ("shape", ("self.clock", "self.time"), "Keep the given `__init__`"),
    (
        "took",
        ("        self.started, self.completed = {}, {}\n", ""),
        ("    def __init__", "    started, completed = {}, {}\n\n    def __init__"),
        "made only once, in the body",
    ),
    ("session", ("self.made = clock()", "type(self).made = clock()"), "Two lists share"),
    (
        "session",
        ("self.clock = clock", "type(self).clock = staticmethod(clock)"),
        "passed in",
    ),
    ("session", (UPDATE, f"{UPDATE}        self.made = self.made or self.clock()\n"), "may show 0"),
    (
        "zero",
        (START, 'self.started[item["text"]] = self.started.get(item["text"]) or self.clock()'),
        "A clock may show 0",
    ),
    (
        "as_in_the_parent",
        (
            "    def __init__",
            '    fields = {**PriorityTodo.fields, "s": {"type": "number"}}\n\n    def __init__',
        ),
        "leave `tool`",
    ),
    ("all_together", ('item["text"]', 'item["text"][:20]'), "the exact text"),
    ("took", ("- started", "- self.made"), "subtract its start"),
    ("shape", ("        return {**seconds", "        {**seconds"), "`return` missing"),
    ("clock", (UPDATE, "        return super().update(items)\n"), "below a `return`"),
    ("shape", (RESULT, "end - started"), "A time is None here"),
    ("shape", ('self.started.get(item["text"])', 'self.started[item["text"]]'), "has no begin"),
    ("clock", ("clock=time.monotonic)", "clock=time.monotonic())"), "without parentheses"),
    ("clock", ("self.made = clock()", "self.made = time.monotonic()"), "is another clock"),
    ("shape", ("now, seconds = self.clock()", "now, seconds = time.monotonic()"), "did not read"),
    ("took", (START, 'self.started[item["text"]] = self.clock()'), "keeps its first start"),
    (
        "took",
        (
            START,
            f"{START}\n            else:\n                self.started.pop(item['text'], None)",
        ),
        ('elif item["status"] == "completed":\n', "if item['status'] == 'completed':\n"),
        "also if it was pending in between",
    ),
    (
        "took",
        (UPDATE, f"        self.started, self.completed = {{}}, {{}}\n{UPDATE}"),
        "a dict that `__init__` makes",
    ),
    ("all_together", *BY_PLACE, "the exact text"),
    (
        "all_together",
        ('item["text"]', 'item["text"].lower()'),
        ('seconds[item["text"].lower()]', 'seconds[item["text"]]'),
        "the exact text",
    ),
    ("all_together", ('(item["text"]', "(item[\"text\"].rstrip('.')"), "the exact text"),
    ("all_together", (UPDATE, f"{UPDATE}{CLEARED}"), "other lists"),
    ("session", (UPDATE, f"{UPDATE}{BEGUN_ANEW}"), "No list begins it anew"),
    (
        "session",
        (UPDATE, f"        old = self.items\n{UPDATE}{BEGUN_ANEW}"),
        ("not self.items", "not old and self.items"),
        "the list is made",
    ),
    # Only a change of the status is stored.
    (
        "took",
        (UPDATE, f"        {OLD}\n{UPDATE}"),
        ('if item["status"] == "in_progress"', f'if {FROM_PENDING} "in_progress"'),
        "also if it was on no list before",
    ),
    ("took", ('elif item["status"] == "completed"', "else"), "ends when it is first"),
    (
        "took",
        (
            "            end = now if",
            "            self.completed.setdefault(item['text'], now)\n            end = now if",
        ),
        "store nothing there",
    ),
    (
        "took",
        ('if item["status"] == "in_progress"', 'if item["status"] != "completed"'),
        "has not begun",
    ),
    ("took", (SENT, SENT.replace("self.items", "items")), "and not the argument"),
    ("zero", ("0 if started is None else", "0 if not started else"), "is false for 0"),
    ("zero", ("now if completed is None else completed", "completed or now"), "may show 0"),
    ("shape", ('item["text"]', 'item["id"]'), "by its text"),
    (
        "shape",
        ("now, seconds = self.clock()", "now, seconds = self.made"),
        "`summary` did not read",
    ),
    ("session", ("now - self.made", "sum(seconds.values())"), "when the list is made"),
    (
        "session",
        ("now - self.made", "(max(self.completed.values(), default=now)) - self.made"),
        "or ends it",
    ),
    ("rejected", (UPDATE, EARLY + UPDATE), "changes no time"),
    (
        "as_in_the_parent",
        (START, f'item["started"] = {START}'),
        "and not in the items",
    ),
    (
        "as_in_the_parent",
        ("        return shown\n", "        items.clear()\n        return shown\n"),
        "changes the items that were sent",
    ),
]
SENTENCES = {
    "How long does each task take? `TimedTodo` extends your `PriorityTodo`.": None,
    "Its clock is an argument, a function that returns a number:": (
        "clock",
        ("clock=time.monotonic)", "clock=time.monotonic())"),
    ),
    "seconds with a real model, and with our script the number of the round.": None,
    'The code below has the `"session"`, which is': (
        "first:shape",
        ('"session": now', '"total": now'),
    ),
    "the time": ("all_together", ("now - self.made", "int(now - self.made)")),
    "since the list was made.": (
        "first:session",
        ("now - self.made", "sum(seconds.values())"),
    ),
    "Add the times of the tasks:": ("first:shape", GIVEN),
    "A task begins when it is first in progress,": (
        "first:took",
        (START, 'self.started[item["text"]] = self.clock()'),
    ),
    "and ends when it is first completed.": (
        "first:took",
        (END, 'self.completed[item["text"]] = self.clock()'),
    ),
    "Until then it counts up to now.": (
        "first:took",
        ("end = now if completed is None", "end = started if completed is None"),
    ),
    "A task that was never started has 0.": (
        "first:zero",
        (RESULT, "end - (started or self.made)"),
    ),
    "`summary()` has the time of each task,": (
        "first:shape",
        ("        return {**seconds,", "        return {"),
    ),
    'and still the `"session"`.': ("first:shape", ('"session": now', '"all": now')),
    "by its text,": ("first:shape", ('seconds[item["text"]]', "seconds[len(seconds)]")),
    "A list that is rejected changes no times.": ("rejected", (UPDATE, EARLY + UPDATE)),
    "Everything else is as in `PriorityTodo`.": (
        "as_in_the_parent",
        ("super().update(items)", "super().update(items or [])"),
    ),
}
