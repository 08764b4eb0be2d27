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
PLAIN = '''class PriorityNag(MyNag):
    """A nag whose reminder ends with the next task: the pending one with the highest priority."""

    def __call__(self, calls):
        reminder = super().__call__(calls)
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        if reminder is None or not pending:
            return reminder
        levels = ["high", "medium", "low"]
        best = min(pending, key=lambda item: levels.index(item.get("priority", "medium")))
        return reminder.removesuffix("</reminder>") + f"\\nNext: {best['text']}.</reminder>"
'''
KEY = 'lambda item: levels.index(item.get("priority", "medium"))'
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
END = 'reminder.removesuffix("</reminder>") + f"\\nNext: {best[\'text\']}.</reminder>"'
SUPER = "super().__call__(calls)"
BEST = "        best ="
NOTHING = "reminder is None or not pending:\n            return reminder"
GET = 'item.get("priority", "medium")'
OWN_INIT = """    def __init__(self, todo, after=3):
        super().__init__(todo, after)
"""
SENTENCES = {
    "A reminder can also say what to do next.": None,
    "`PriorityNag` extends your nag.": (
        "first:reminds_when_its_parent_does",
        ("PriorityNag(MyNag)", "PriorityNag"),
        "extends no nag",
    ),
    "It reminds in the same rounds,": (
        "reminds_when_its_parent_does",
        (SUPER, 'super().__call__([call for call in calls if hasattr(call, "ok")])'),
        "in other rounds",
    ),
    "and adds a last line": (
        "all_together",
        (NOTHING, NOTHING.replace("not pending", "not pending or self.rounds > self.after + 9")),
        "Nothing is added",
    ),
    "directly before `</reminder>`, such as `\\nNext: Write tests.`": (
        "first:names_the_task",
        (END, "reminder + f\" Next: {best['text']}.\""),
        "belongs before `</reminder>`",
    ),
    "1. The line has the text of": (
        "names_the_task",
        ("best['text']", "best['text'].title()"),
        "unchanged",
    ),
    "the pending task": ("pending", ('== "pending"', '!= "completed"'), "has been begun already"),
    "with the highest priority.": (
        "first:highest",
        (KEY, f"lambda item: {GET}"),
        "As strings",
    ),
    "If several have it, take the first of them in the list.": (
        "highest",
        (KEY, f'lambda item: ({KEY[13:]}, "priority" in item and -pending.index(item))'),
        "the first task counts",
    ),
    "2. If no task is pending, nothing is added.": (
        "pending",
        (
            NOTHING,
            "reminder is None:\n            return None\n"
            '        pending = pending or [{"text": "none"}]',
        ),
        "nothing is added",
    ),
    "counts as `medium`.": (
        "without_priorities",
        (GET, 'item.get("priority", "low")'),
        "as medium",
    ),
    "3. A task without a priority": (
        "without_priorities",
        (GET, 'item["priority"]'),
        "have no priority",
    ),
    "It changes neither the calls": (
        "only_reads",
        (BEST, f"        calls.clear()\n{BEST}"),
        "changed the list of calls",
    ),
    "nor the list.": (
        "only_reads",
        (BEST, f"        self.todo.items.sort(key={KEY})\n{BEST}"),
        "model alone changes it",
    ),
}
WRONG = [
    *((row[0].removeprefix("first:"), *row[1:]) for row in SENTENCES.values() if row),
    (
        "reminds_when_its_parent_does",
        ("reminder is None or not pending", "not pending"),
        "return None then",
    ),
    ("names_the_task", ('== "pending"', '== "in_progress"'), "'Build' (in_progress, low)"),
    ("names_the_task", (END, "reminder"), "Nothing is added"),
    ("names_the_task", ("def __call__", "def call"), "has no `__call__`"),
    (
        "names_the_task",
        (END, "f\"<reminder>Update your todos. Next: {best['text']}.</reminder>\""),
        "Keep the reminder",
    ),
    (
        "reminds_when_its_parent_does",
        ("in self.todo.items", "in self.todo"),
        "are in `self.todo.items`",
    ),
    ("pending", ("reminder is None or not pending", "reminder is None"), "No task is pending"),
    ("names_the_task", ("removesuffix(", "rstrip("), "only the tag"),
    ("names_the_task", (END, END.replace('f"', '"')), "in an f-string"),
    ("names_the_task", (END, END.replace("['text']", "")), "only the text of this one task"),
    ("names_the_task", (END, END.removesuffix('</reminder>"') + '"'), "tag is lost"),
    ("names_the_task", (NOTHING, f"{NOTHING}\n        reminder += ' '"), "belongs before"),
    (
        "without_priorities",
        (
            NOTHING,
            f"{NOTHING}\n        if 'priority' not in pending[0]:\n            return reminder",
        ),
        "Nothing is added. Tasks may have no priority",
    ),
    ("pending", ('== "pending"', '!= "in_progress"'), "a completed one is done"),
    ("names_the_task", (END, END.replace("\\n", " ")), "a line of its own"),
    ("highest", ("self.todo.items if", "self.todo.items[:10] if"), "Task 0"),
    ("highest", (KEY, f'lambda item: ({KEY[13:]}, item.get("id", ""))'), "the first task counts"),
    ("without_priorities", (GET, 'item.get("priority", "high")'), "as medium"),
    (
        "reminds_when_its_parent_does",
        (f"        return {END}", f"        {END}"),
        "`return` missing",
    ),
    ("highest", ("levels.index(", '{"high": 1, "low": 2}.__getitem__('), "has no number"),
    ("names_the_task", ("best['text']", "best['text'].splitlines()[0]"), "unchanged"),
    ("highest", ("{best['text']}", "{best.get('activeForm') or best['text']}")),
    (
        "names_the_task",
        (END, "reminder + f\" Next: {best['text']}.\""),
        (GET, 'item["priority"]'),
        "belongs before",
    ),
    (
        "names_the_task",
        (END, "reminder.replace('</reminder>', '\\nNext: {}.</reminder>').format(best['text'])"),
        "as a pattern",
    ),
    (
        "highest",
        (f"{BEST} min", "        best = self.best = getattr(self, 'best', None) or min"),
        "keep nothing from earlier",
    ),
    # An earlier choice is kept while its task is pending.
    (
        "highest",
        (
            "        return reminder.rem",
            "        kept = [one for one in pending if one['text'] == getattr(self, 'kept', '')]\n"
            "        best = kept[0] if kept else best\n"
            "        self.kept = best['text']\n"
            "        return reminder.rem",
        ),
        "choose again in each reminder",
    ),
    # The list of the tasks is kept from the beginning, or from the first reminder.
    (
        "names_the_task",
        ("    def __call__", f"{OWN_INIT}        self.tasks = todo.items\n\n    def __call__"),
        ("self.todo.items", "self.tasks"),
        "`update` makes a new list",
    ),
    (
        "highest",
        ("    def __call__", f"{OWN_INIT}        self.tasks = None\n\n    def __call__"),
        (
            "        pending =",
            "        self.tasks = self.tasks or self.todo.items\n        pending =",
        ),
        ("in self.todo.items", "in self.tasks"),
        "`update` makes a new list",
    ),
]
