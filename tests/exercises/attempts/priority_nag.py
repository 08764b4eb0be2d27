from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["priority_nag"]
KEY = 'lambda item: levels.index(item["priority"])'
IN_CALL = """
class PriorityNag(Nag):
    def __call__(self, calls):
        text = super().__call__(calls)
        for level in ("high", "medium", "low"):
            for item in self.todo.items:
                if text and item["status"] == "pending" and item["priority"] == level:
                    return text.replace("</reminder>", f" Next: {item['text']}</reminder>")
        return text
"""
RIGHT = {"in call": IN_CALL}
WRONG = [
    ("nothing_pending", ("        if not pending:\n            return super().reminder()\n", "")),
    ("highest", IN_CALL, ('("high", "medium", "low")', '("high",)')),
    ("counts", IN_CALL, ("__call__(calls)", "__call__(calls[:1])")),
    (
        "counts",
        IN_CALL,
        ("super().__call__(calls)", "[Nag.__call__(self, [call]) for call in calls][-1]"),
        "once per round, not once per call",
    ),
    ("counts", ("return f", "print(7)\n        f"), "use return, not print"),
    ("highest", (f"min(pending, key={KEY})", "pending[0]")),
    ("highest", IN_CALL, ('("high", "medium", "low")', '("high", "medium")')),
    (
        "looks_only",
        ("        return f", "        best['status'] = 'in_progress'\n        return f"),
    ),
    ("highest", (KEY, 'lambda item: item["priority"]')),
    ("pending", ('== "pending"', '!= "completed"')),
    ("highest", ("{best['text']}", "{[item['text'] for item in pending]}")),
    ("tie", ("min(pending", "min(pending[::-1]")),
    (
        "highest",
        (
            "    def reminder",
            "    def __init__(self, *given, **named):\n        "
            "super().__init__(*given, **named)\n        self.known = self.todo.items\n\n"
            "    def reminder",
        ),
        ("in self.todo.items", "in self.known"),
    ),
    ("looks_only", ("        best =", f"        self.todo.items.sort(key={KEY})\n        best =")),
    ("looks_only", ("<reminder>", ""), ("</reminder>", "")),
    ("counts", ('item["status"]', "item.status"), 'write `item["status"]`'),
    ("counts", ("reminder(self)", "reminder(self, calls)"), "Compare the parameters"),
]
