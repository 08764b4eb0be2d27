"""Cells of MyNag as learners write them: right ones, and typical mistakes."""

from judge_rules import slip

PLAIN = """
class MyNag:
    def __init__(self, todo, after=3):
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls):
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        if self.rounds >= self.after:
            return f"<reminder>Update your todos. {self.todo.render()}</reminder>"
        return None
"""
WITHOUT_THE_LIST = slip(PLAIN, (" {self.todo.render()}", ""))
FIRST = {
    "without the list": WITHOUT_THE_LIST,
    "a list that was rendered in __init__": slip(
        PLAIN,
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        ("{self.todo.render()}", "{self.text}"),
    ),
}
IN_ONE_EXPRESSION = """
class MyNag:
    def __init__(self, todo, after=3):
        self.todo, self.after, self.rounds = todo, after, 0

    def __call__(self, calls):
        self.rounds = 0 if "todo" in {call.name for call in calls} else self.rounds + 1
        text = f"<reminder>Update your todos.\\n{self.todo.render()}\\n</reminder>"
        return text * (self.rounds >= self.after) or None
"""
DATACLASS = """
from dataclasses import dataclass
from agentlib.nag import REMINDER

@dataclass
class MyNag:
    todo: object
    after: int = 3
    rounds: int = 0

    @property
    def is_due(self):
        return self.rounds >= self.after

    def __call__(self, calls):
        match [call.name for call in calls]:
            case names if "todo" in names:
                self.rounds = 0
                return None
        self.rounds += 1
        if not self.is_due:
            return
        lines = "".join(f"\\n  {line}" for line in self.todo.render().splitlines())
        return "<reminder>" + REMINDER + lines + "</reminder>"
"""
SILENT_WHEN_DONE = '''
class MyNag:
    """Silent if every task is completed."""

    def __init__(self, todo, after=3, **others):
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls, **others):
        for call in calls:
            if call.name == "todo":
                self.rounds = 0
                return
        self.rounds = self.rounds + 1
        is_open = [item for item in self.todo.items if item["status"] != "completed"]
        if self.rounds < self.after or not is_open:
            return
        return self.words()

    def words(self):
        return "<reminder>{}{}</reminder>".format("Update your todos.", self.todo.render())
'''
RIGHT = {
    "in one expression": IN_ONE_EXPRESSION,
    "a dataclass with match": DATACLASS,
    "silent when all is done": SILENT_WHEN_DONE,
}
ANY = 'any(call.name == "todo" for call in calls)'
LIST = "{self.todo.render()}"
WRONG = [
    ("counts", ("__call__", "call"), "two underscores"),
    ("counts", (">=", ">"), "add 1 first, then compare with `>=`"),
    ("counts", (">= self.after", ">= 3"), "compare the count with `self.after`"),
    ("counts", ("+= 1", "+= len(calls)"), "add 1 to the count, not `len(calls)`"),
    ("counts", ("self.rounds += 1", "self.rounds = rounds + 1"), "Is `self.` missing"),
    (
        "counts",
        ("class MyNag:", "class MyNag:\n    count = []"),
        ("self.rounds += 1", "self.count.append(1)\n        self.rounds = len(self.count)"),
        "All nags share a count",
    ),
    (
        "counts",
        ('            return f"', '            print(f"'),
        ('</reminder>"', '</reminder>")'),
        "not `print`",
    ),
    ("counts", ('call.name == "todo"', 'call["name"] == "todo"'), "write `call.name`"),
    ("back", (ANY, '"todo" in calls'), "The todo call is not noticed"),
    (
        "back",
        ("            self.rounds = 0\n            return None", "            return None"),
        "does not set the count back",
    ),
    ("any_todo_call", (ANY, "calls[-1].name == 'todo'"), "at any place"),
    (
        "any_todo_call",
        ('call.name == "todo"', '"todo" in call.name'),
        'Only the name "todo" counts',
    ),
    ("any_todo_call", ('== "todo" for', '== "todo" and call.ok for'), "if it was rejected"),
    ("stays_due", (">= self.after", "== self.after"), "compared with `==`"),
    (
        "stays_due",
        ("            return f", "            self.rounds = 0\n            return f"),
        "set back by a reminder",
    ),
    ("asks", ("Update your todos. ", ""), "contains this sentence"),
    ("asks", ("</reminder>", ""), "ends with `</reminder>`"),
    ("like_the_package", (ANY, 'any(call.name in "todo" for call in calls)'), "by hand"),
    ("shows_the_list", WITHOUT_THE_LIST, "does not show the whole list"),
    ("shows_the_list", (LIST, "{self.todo.items}"), "`self.todo.render()` returns it"),
    ("shows_the_list", (LIST, "{__import__('html').escape(self.todo.render())}"), "unchanged"),
    (
        "as_it_is_now",
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        (LIST, "{self.text}"),
        "not in `__init__`",
    ),
]
