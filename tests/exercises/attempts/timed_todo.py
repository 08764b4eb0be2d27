"""Right and wrong cells of `TimedTodo`, on lists with and without priorities."""

from attempts import priority_todo
from lesson.exercises.timed_todo import PAGE

ON_MINE = priority_todo.MY_TODO + "\n\n" + priority_todo.PLAIN
BASES = {
    "your PriorityTodo": ON_MINE,
    "TodoManager": "from agentlib import TodoManager as PriorityTodo",
    "PriorityTodo on TodoManager": "from agentlib import TodoManager as MyTodo\n\n\n"
    + priority_todo.PLAIN,
}
PLAIN = PAGE.solution
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
WRONG = [
    # No list shares its clock: both methods read Python's.
    ("clock", ("self.clock()", "time.monotonic()"), "The clock that was passed in was not read"),
    ("took", ("max(0, end - begin)", "round(max(0, end - begin), 2)"), "Do not round a time"),
]
RIGHT = {
    "a log, also of tasks that have left": A_LOG,
    "a mixin, with a default dict": A_MIXIN,
}
