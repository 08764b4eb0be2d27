from exercises.attempts import reminder
from exercises.cells import SOLUTIONS

from agentlib.nag import REMINDER

PLAIN = reminder.PLAIN + "\n" + SOLUTIONS["priority_nag"]
KEY = 'lambda item: levels.index(item.get("priority", "medium"))'
EXTENDS_NAG = """
class PriorityNag(Nag):
    def reminder(self):
        levels = {"high": 1, "low": 3}
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        pending.sort(key=lambda item: levels.get(item.get("priority"), 2))
        first = f"Next: {pending[0]['text']}" if pending else ""
        return f"<reminder>{first}\\nYour list:\\n{self.todo.render()}</reminder>"
"""
RIGHT = {"extends Nag": EXTENDS_NAG}
WRONG = [
    ("pending", ("reminder is None or not pending", "reminder is None")),
    ("counts", ("reminder = super().__call__(calls)", "reminder = super().__call__(calls[:1])")),
    ("counts", ("return reminder.", "print(7)\n        reminder."), "use return, not print"),
    ("shows_the_list", EXTENDS_NAG, ("Your list:\\n{self.todo.render()}", REMINDER)),
    ("highest", (f"min(pending, key={KEY})", "pending[0]")),
    ("highest", ('"high", "medium", "low"', '"high", "medium"')),
    (
        "looks_only",
        ("        return reminder.", "        best['status'] = ''\n        return reminder."),
    ),
    ("highest", (KEY, 'lambda item: item.get("priority", "medium")')),
    ("pending", ('== "pending"', '!= "completed"')),
    ("highest", ("{best['text']}", "{[item['text'] for item in pending]}")),
    ("highest", ("{best['text']}", "{best}")),
    (
        "looks_only",
        ("        best =", "        for item in pending: item['rank'] = 1\n        best ="),
    ),
    ("tie", ("min(pending", "min(pending[::-1]")),
    (
        "highest",
        ("self.todo = todo", "self.todo, self.known = todo, todo.items"),
        ("in self.todo.items", "in self.known"),
    ),
    ("looks_only", ("        best =", f"        self.todo.items.sort(key={KEY})\n        best =")),
    ("shows_the_list", EXTENDS_NAG, ("<reminder>", ""), ("</reminder>", "")),
    ("counts", ('item["status"]', "item.status"), 'with `["name"]`'),
    ("counts", EXTENDS_NAG, ("reminder(self)", "reminder(self, calls)"), "Compare the parameters"),
    ("without_priorities", ('item.get("priority", "medium")', 'item["priority"]')),
]
