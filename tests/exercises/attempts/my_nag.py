"""Cells of MyNag as learners write them: right ones, and typical mistakes."""

from judge_rules import slip

from lesson.exercises.my_nag import PAGE

PLAIN = PAGE.solution
WITHOUT_THE_LIST = slip(PLAIN, ("\\n{self.todo.render()}", ""))
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
from agentlib.defaults import AFTER, REMINDER

@dataclass
class MyNag:
    todo: object
    after: int = AFTER
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
        lines = ["<reminder>" + REMINDER, "Your list:", *self.todo.render().splitlines()]
        return "\\n".join(lines) + "\\n\\n</reminder>"
"""
SILENT_WHEN_DONE = '''
from agentlib.defaults import AFTER

class MyNag:
    """Silent if every task is completed."""

    def __init__(self, todo, after=AFTER, **others):
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
        return "<reminder>{}\\n{}</reminder>".format("Update your todos.", self.todo.render())
'''
RENDER = "{self.todo.render()}"
# The line of E6 is below rules of E4, whose sentence must name it.
WRONG = [
    ("says_the_sentence", (f"\\n{RENDER}</reminder>", f"</reminder> {RENDER}"), "(in E6, "),
    ("says_the_sentence", (RENDER, "{self.todo.rendr()}"), "(in E6, "),
    ("counts", DATACLASS, ("@dataclass", "@dataclass(frozen=True)"), "`@dataclass` alone"),
    ("back", ('any(call.name == "todo" for call in calls)', '"todo" in calls'), "equal to no text"),
    ("says_the_sentence", ("Update your", "Update\u00a0your"), "(U+00A0): type a space in its"),
    ("counts", ("self.rounds += 1", "self.r\u043eunds += 1"), "In line 16, `r\u043eunds` has"),
]
RIGHT = {
    "a dataclass with match": DATACLASS,
    "silent when all is done": SILENT_WHEN_DONE,
}
