from exercises.cells import SOLUTIONS

from agentlib.nag import REMINDER

PLAIN = SOLUTIONS["nag"]
IN_ONE_EXPRESSION = f"""
class MyNag:
    def __init__(self, after=3):
        self.after, self.rounds = after, 0

    def __call__(self, calls):
        self.rounds = 0 if "todo" in {{call.name for call in calls}} else self.rounds + 1
        return "<reminder>{REMINDER}</reminder>" * (self.rounds >= self.after) or None
"""
REMINDS = f"            return '<reminder>{REMINDER}</reminder>'\n"
RIGHT = {"in one expression": IN_ONE_EXPRESSION}
WRONG = [
    ("counts", ("+= 1", "+= len(calls)"), "once per round, not once per call"),
    (
        "stays_due",
        ('            return "', '            self.rounds = 0\n            return "'),
        "set back by a reminder",
    ),
    ("counts", ("after=3", "after=4"), "The default of `after` is 3"),
    ("counts", ("self.rounds += 1", "self.rounds = rounds + 1"), "is `self.` missing"),
    ("counts", ("__init__", "_init_"), "two underscores"),
    ("counts", ("__call__", "call"), "two underscores"),
    ("counts", ("        return None\n", "        return ''\n"), "An empty string is no None"),
    ("counts", (">=", ">"), "add 1 first, then compare with `>=`"),
    ("counts", (">= self.after", ">= 3"), "2 rounds late: compare with `after`"),
    ("counts", ("self.rounds = 0\n\n", "self.rounds = 1\n\n")),
    (
        "counts",
        ("        self.rounds = 0\n\n", "\n"),
        ("class MyNag:", "class MyNag:\n    rounds = 0"),
        ("self.rounds += 1", "MyNag.rounds += 1"),
        ("if self.rounds", "if MyNag.rounds"),
    ),
    ("back", ('any(call.name == "todo" for call in calls)', "calls[-1].name == 'todo'")),
    ("back", ('== "todo" for', '== "todo" and call.ok for')),
    ("counts", ('return "', '"'), "Does it reach a `return`"),
    (
        "back",
        ("            self.rounds = 0\n            return", "            return"),
        "does not set the count back",
    ),
    (
        "back",
        ('any(call.name == "todo" for call in calls)', '"todo" in calls'),
        "The todo call is not noticed",
    ),
    (
        "back",
        ("            self.rounds = 0\n            return None\n", "            self.rounds = 0\n"),
        "`return None` after the count is set to 0",
    ),
    (
        "back",
        ("        if any", f"        if self.rounds + 1 >= self.after:\n{REMINDS}        if any"),
        "look for this call first",
    ),
    ("back", ('call.name == "todo"', '"todo" in call.name')),
    ("counts", ('call.name == "todo"', 'call["name"] == "todo"'), "write `.name`"),
    ("counts", ("self.after = after", "self.after = min(after, 3)")),
    ("stays_due", ("self.rounds >= self.after", "self.after <= self.rounds < self.after + 2")),
    ("stays_due", ("self.rounds >= self.after", "self.after <= self.rounds < self.after + 4")),
    ("stays_due", (">= self.after", "== self.after"), "compared with `==`"),
    ("shown_on_the_board", (REMINDER, "Update your list of todos.")),
    ("shown_on_the_board", ("self.rounds", "self.count")),
]
