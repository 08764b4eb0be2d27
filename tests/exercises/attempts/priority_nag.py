"""Right and wrong cells of `PriorityNag`, on nags like the learner's and on the package's."""

MY_NAG = """
class MyNag:
    def __init__(self, todo, after=3):
        self.todo, self.after, self.rounds = todo, after, 0

    def __call__(self, calls):
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        if self.rounds >= self.after:
            return f"<reminder>Update your todos.\\n{self.todo.render()}</reminder>"
        return None
"""
SILENT = """
class MyNag:
    def __init__(self, todo, after=3):
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls):
        self.rounds = 0 if "todo" in [call.name for call in calls] else self.rounds + 1
        is_open = any(item["status"] != "completed" for item in self.todo.items)
        if is_open and self.rounds >= self.after:
            return "<reminder>Update your todos.</reminder>"
"""
BASES = {
    "your MyNag": MY_NAG,
    "another MyNag": SILENT,
    "the package's Nag": "from agentlib import Nag as MyNag",
}
REPLACED = """
from collections import defaultdict


class PriorityNag(MyNag):
    RANK = defaultdict(lambda: 2, high=3, low=1)

    def __call__(self, calls):
        text = super().__call__(calls)
        if text and (task := self.next_task):
            text = text.replace("</reminder>", f"\\nNext: {task}.\\n</reminder>")
        return text

    @property
    def next_task(self):
        best = None
        for item in self.todo.items:
            if item["status"] == "pending":
                if best is None or self.rank(item) > self.rank(best):
                    best = item
        return best and best["text"]

    def rank(self, item):
        return self.RANK[item.get("priority")]
"""
EXTENDS_NAG = """
from agentlib import Nag as MyNag


class PriorityNag(MyNag):
    def reminder(self):
        levels = {"high": 1, "low": 3}
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        pending.sort(key=lambda item: levels.get(item.get("priority"), 2))
        first = f"\\nNext: {pending[0]['text']}." if pending else ""
        return super().reminder().removesuffix("</reminder>") + f"{first}</reminder>"
"""
RIGHT = {
    "a property, a loop and replace": REPLACED,
    "the hook of the package's nag": EXTENDS_NAG,
}
NONE_PENDING = "if reminder is None or not pending:\n            return reminder"
WRONG = [
    (
        "names_the_task",
        ("        best = min", "        if len(pending) > 99:\n            best = min"),
        "assign it before the `if`",
    ),
    (
        "pending",
        (
            NONE_PENDING,
            "if reminder is None:\n            return reminder\n        if not pending:\n"
            '            raise ValueError("no task is pending")',
        ),
        "raises this error itself",
    ),
    (
        "reminds_when_its_parent_does",
        ("reminder is None or", ""),
        "This is None: test for it first",
    ),
]
