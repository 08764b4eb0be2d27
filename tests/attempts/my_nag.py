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
    "a dataclass with match": DATACLASS,
    "silent when all is done": SILENT_WHEN_DONE,
}
ANY = 'any(call.name == "todo" for call in calls)'
LIST = "{self.todo.render()}"
WRONG = [
    ("counts", (">=", ">"), "add 1 first, then compare"),
    (
        "counts",
        ("self.rounds +=", "for _ in calls:\n            self.rounds +="),
        "outside the `for`",
    ),
    ("back", (ANY, '"todo" in calls'), "Look for the todo call first"),
    ("stays_due", (">= self.after", "== self.after"), "compared with `==`"),
    ("like_the_package", (ANY, 'any(call.name in "todo" for call in calls)'), "by hand"),
    ("shows_the_list", WITHOUT_THE_LIST, "does not show these lines"),
    ("shows_the_list", (LIST, "{self.todo.items}"), "`self.todo.render()` returns it"),
    ("shows_the_list", (LIST, "{self.todo.render}"), "The parentheses are missing"),
    ("shows_the_list", (LIST, "{__import__('html').escape(self.todo.render())}"), "unchanged"),
    ("stays_due", (f" {LIST}</reminder>", f"</reminder> {LIST}"), "between them"),
    (
        "as_it_is_now",
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        (LIST, "{self.text}"),
        "not in `__init__`",
    ),
]
