from inspect import getsource

from exercises.cells import SOLUTIONS

from lesson.exercises.check_priority import PriorityInCheck

PLAIN = SOLUTIONS["priority"]
IN_CHECK = (
    getsource(PriorityInCheck).replace("PriorityInCheck", "PriorityTodo")
    + """
    def line(self, item):
        box, rest = super().line({k: v for k, v in item.items() if k != "priority"}).split("]", 1)
        return f"{box}] {item['priority'].upper():6}{rest}"
"""
)
RIGHT = {"in check": IN_CHECK}
UPDATE = PLAIN + "\n    def update(self, items):\n"
LEVELS = '["high", "medium", "low"]'
WRONG = [
    ("still_a_list", UPDATE + "        super().update(items)\n"),
    ("kept", "class PriorityTodo(TodoManager):\n    priority = 'medium'\n"),
    ("still_a_list", ("TodoManager.fields | {", "{")),
    ("schema", IN_CHECK, ("    def tool(", "    def my_tool(")),
    ("schema", (f'            "enum": {LEVELS},\n', "")),
    ("left_out", ('            "default": "medium",\n', "")),
    ("unknown", IN_CHECK, ("priority not in self.LEVELS", 'priority not in "high medium low"')),
    ("unchanged", UPDATE + "        self.items = []\n        return super().update(items)\n"),
    (
        "order",
        UPDATE + "        super().update(items)\n"
        f"        self.items.sort(key=lambda item: {LEVELS}.index(item['priority']))\n"
        "        return self.render()\n",
    ),
    ("shown", PLAIN + "\n    def line(self, item):\n        return item['text']\n"),
    ("same_as_todomanager", PLAIN + "    one_in_progress = False\n"),
    (
        "same_as_todomanager",
        PLAIN + "    items = []\n\n    def __init__(self):\n        pass\n\n"
        "    def update(self, items):\n        text = super().update(items)\n"
        "        PriorityTodo.items = self.items\n        return text\n",
    ),
]
