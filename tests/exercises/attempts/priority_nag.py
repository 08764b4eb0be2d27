"""Right and wrong cells of `PriorityNag`, on nags like the learner's and on the package's."""

from judge_rules import slip

from attempts import my_nag

SILENT = slip(my_nag.SILENT_WHEN_DONE, ("\\n{}", ""), (", self.todo.render()", ""))
BASES = {
    "your MyNag": my_nag.PLAIN,
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
    def __call__(self, calls):
        reminder = super().__call__(calls)
        levels = {"high": 1, "low": 3}
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        pending.sort(key=lambda item: levels.get(item.get("priority"), 2))
        first = f"\\nNext: {pending[0]['text']}." if pending else ""
        return reminder and reminder.removesuffix("</reminder>") + f"{first}</reminder>"
"""
RIGHT = {
    "a property, a loop and replace": REPLACED,
    "the package's nag": EXTENDS_NAG,
}
WRONG = [
    (
        "names_the_task",
        ("        best = min", "        if len(pending) > 99:\n            best = min"),
        "assign it before the `if`",
    ),
    (
        "reminds_when_its_parent_does",
        ("reminder is None or", ""),
        "This is None: test for it first",
    ),
]
