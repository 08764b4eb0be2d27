PLAIN = """
class MyNag:
    def __init__(self, after=3):
        self.after = after
        self.rounds = 0

    def __call__(self, calls):
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        if self.rounds >= self.after:
            return "<reminder>Update your todos.</reminder>"
"""
RIGHT = {
    "plain": PLAIN,
    "counts down": """
class MyNag:
    def __init__(self, after=3):
        self.after = self.left = after

    def __call__(self, calls):
        self.left = self.after if "todo" in {c.name for c in calls} else self.left - 1
        return "<reminder>Your todo list is old: update it.</reminder>" * (self.left <= 0) or None
""",
    "keeps all rounds": """
class MyNag:
    def __init__(self, after=3):
        self.after, self.history = after, []

    def __call__(self, calls):
        self.history.append([call.name for call in calls])
        last = self.history[-self.after:]
        if len(last) == self.after and not any("todo" in names for names in last):
            return "<reminder>Please update your todos now.</reminder>"
""",
}


WRONG = [
    ("counts", [(">=", ">")]),
    ("counts", [("+= 1", "+= len(calls)")]),
    ("counts", [("after=3", "after=4")]),
    ("counts", [('return "', 'print("'), ('</reminder>"', '</reminder>")')]),
    (
        "counts",
        [
            ("        self.rounds = 0\n\n", "\n"),
            ("class MyNag:", "class MyNag:\n    rounds = 0"),
            ("self.rounds += 1", "MyNag.rounds += 1"),
            ("if self.rounds", "if MyNag.rounds"),
        ],
    ),
    (
        "back",
        [("            self.rounds = 0\n            return None", "            return None")],
    ),
    ("back", [("            return None\n", "")]),
    ("back", [('any(call.name == "todo" for call in calls)', "calls[0].name == 'todo'")]),
    ("back", [('any(call.name == "todo" for call in calls)', "calls[-1].name == 'todo'")]),
    ("back", [('== "todo" for', '== "todo" and call.ok for')]),
    ("stays_due", [(">=", "==")]),
    (
        "stays_due",
        [('            return "', '            self.rounds = 0\n            return "')],
    ),
    ("works", [("Update your todos.", "The sky is blue.")]),
    ("works", [("Update your todos.", "")]),
]
