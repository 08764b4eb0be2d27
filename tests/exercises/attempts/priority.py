from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["priority"]
IN_CHECK = """
class PriorityTodo(TodoManager):
    LEVELS = ("high", "medium", "low")

    def check(self, item, position):
        clean = super().check(item, position)
        priority = str(item.get("priority") or "medium").lower()
        if priority not in self.LEVELS:
            raise ValueError(f"{clean['id']}: invalid priority '{priority}'")
        return clean | {"priority": priority}

    def tool(self):
        tool = super().tool()
        item = tool.input_schema["properties"]["items"]["items"]
        item["properties"]["priority"] = {"type": "string", "enum": list(self.LEVELS)}
        return tool

    def line(self, item):
        box, rest = super().line({k: v for k, v in item.items() if k != "priority"}).split("]", 1)
        return f"{box}] {item['priority'].upper():6}{rest}"
"""
RIGHT = {"in check": IN_CHECK}
UPDATE = PLAIN + "\n    def update(self, items):\n"
LEVELS = '["high", "medium", "low"]'
WRONG = [
    ("still_a_list", UPDATE + "        super().update(items)\n"),
    ("kept", "class PriorityTodo(TodoManager):\n    priority = 'medium'\n"),
    (
        "kept",
        "class PriorityTodo(TodoManager):\n    def update(self, items):\n"
        "        return super().update([{'priority': 'medium', **item} for item in items])\n",
        "keeps only the fields that `fields` describes",
    ),
    ("still_a_list", ("TodoManager.fields | {", "{"), "`fields = TodoManager.fields | "),
    (
        "still_a_list",
        ("    fields = TodoManager.fields | ", "    def __init__(self):\n        self.fields |= "),
        "`fields` cannot be changed",
    ),
    ("still_a_list", ("fields | {", "fields.copy().update({"), ("},\n    }", "},\n    })"), "None"),
    ("schema", IN_CHECK, ("    def tool(", "    def my_tool(")),
    ("schema", ('"enum"', '"one_of"'), "looks for 'enum' in what your code has made"),
    ("left_out", ('            "default": "medium",\n', "")),
    ("unknown", IN_CHECK, ("priority not in self.LEVELS", 'priority not in "high medium low"')),
    ("unchanged", UPDATE + "        self.items = []\n        return super().update(items)\n"),
    (
        "order",
        UPDATE + "        items = sorted(items, key=lambda item: item.get('priority', 'medium'))\n"
        "        return super().update(items)\n",
    ),
    (
        "order",
        UPDATE + "        return super().update(items[::-1])\n",
    ),
    (
        "still_a_list",
        UPDATE + "        items = sorted(items, key=lambda item: item['priority'])\n"
        "        return super().update(items)\n",
        "use `item.get(…)`",
    ),
    (
        "order",
        UPDATE + "        super().update(items)\n"
        f"        self.items.sort(key=lambda item: {LEVELS}.index(item['priority']))\n"
        "        return self.render()\n",
    ),
    (
        "order",
        UPDATE + "        super().update(items)\n"
        "        self.items.sort(key=lambda item: item['status'] == 'completed')\n"
        "        return self.render()\n",
    ),
    (
        "order",
        PLAIN
        + "\n    def render(self):\n        before, order = self.items, "
        + LEVELS
        + ".index\n"
        "        self.items = sorted(before, key=lambda item: order(item['priority']))\n"
        "        shown, self.items = super().render(), before\n        return shown\n",
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
