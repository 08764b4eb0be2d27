"""Right and wrong cells of `PriorityTodo`, on a list like the learner's and on the package's."""

MY_TODO = """
from lesson.shown_list import Shown


class MyTodo(Shown):
    fields = {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string"},
    }

    def update(self, items):
        if not isinstance(items, list) or len(items) > 20:
            raise ValueError("items must be a list of at most 20 todos")
        clean = []
        for item in items:
            text = str(item.get("text") or "").strip() if isinstance(item, dict) else ""
            if not text or item.get("status", "pending") not in self.fields["status"]["enum"]:
                raise ValueError(f"an item needs a text and a valid status: {item}")
            clean.append({"status": "pending", **item, "text": text})
        if len({item["text"] for item in clean}) < len(clean):
            raise ValueError("no two items may have the same text")
        if [item["status"] for item in clean].count("in_progress") > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = clean
        return self.render()

    def tool(self):
        item = {"type": "object", "properties": self.fields, "required": ["text", "status"]}
        items = {"type": "array", "items": item}
        schema = {"type": "object", "properties": {"items": items}, "required": ["items"]}
        return Tool("todo", "Write the whole list.", schema, self.update)
"""
BASES = {"your MyTodo": MY_TODO, "TodoManager": "from agentlib import TodoManager as MyTodo"}
FIELDS = '''class PriorityTodo(MyTodo):
    """A todo list whose items have a priority: high, medium or low."""

    fields = MyTodo.fields | {
        "priority": {
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
        },
    }
'''
PLAIN = (
    FIELDS
    + '''
    def update(self, items):
        """Check and fill in the priorities. The parent checks everything else."""
        new = []
        for item in items:
            priority = item.get("priority", "medium")
            if priority not in ["high", "medium", "low"]:
                raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
            new.append({**item, "priority": priority})
        return super().update(new)
'''
)
SOLUTION = '''class PriorityTodo(MyTodo):
    """A todo list whose items have a priority: high, medium or low."""

    # `|` makes a new dict, so that MyTodo keeps its own fields.
    fields = MyTodo.fields | {
        "priority": {
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
            "description": "How much the task matters.",
        },
    }

    def update(self, items):
        """Check and fill in the priorities. The parent checks everything else."""
        if isinstance(items, list):
            items = [self.with_priority(item) for item in items]
        return super().update(items)

    def with_priority(self, item):
        """Return a copy of one item that has a priority, or raise a ValueError."""
        if not isinstance(item, dict):
            return item  # the parent rejects it
        priority = item.get("priority", "medium")
        allowed = self.fields["priority"]["enum"]
        if priority not in allowed:
            raise ValueError(f"the priority {priority!r} must be one of {', '.join(allowed)}")
        return {**item, "priority": priority}
'''
ON_THE_PACKAGE = "from agentlib import TodoManager as MyTodo\n\n\n" + FIELDS
AN_ENUM = """
from enum import StrEnum
from functools import wraps


class Level(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


def with_priority(update):
    @wraps(update)
    def wrapped(self, items):
        return update(self, [{**item, "priority": read_level(item)} for item in items])

    return wrapped


def read_level(item):
    try:
        return Level(str(item.get("priority", Level.MEDIUM)).strip().lower()).value
    except ValueError:
        raise ValueError(f"no priority: {item['priority']}. Use {', '.join(Level)}") from None


class PriorityTodo(MyTodo):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields = {**self.fields, "priority": {"enum": [*Level], "type": "string"}}

    @with_priority
    def update(self, items):
        return super().update(items)
"""
A_MIXIN = """
from copy import deepcopy


class Priorities:
    levels = "high medium low".split()

    def update(self, items):
        items = deepcopy(items)
        for item in items:
            match item.setdefault("priority", "medium"):
                case "high" | "medium" | "low":
                    pass
                case other:
                    raise ValueError(f"{other!r} is none of {self.levels}")
        return super().update(items)


class PriorityTodo(Priorities, MyTodo):
    fields = dict(MyTodo.fields)
    fields["priority"] = dict(type="string", enum=Priorities.levels)
"""
RIGHT = {
    "fields on the package's list": ON_THE_PACKAGE,
    "an enum and a decorator": AN_ENUM,
    "a mixin": A_MIXIN,
}
SUPER = "        return super().update(new)\n"
ON_MINE = MY_TODO + "\n\n" + PLAIN
WRONG = [
    (
        "changes_nothing_else",
        ON_MINE,
        ("    fields = MyTodo.fields | {", "    MyTodo.fields |= {"),
        "changes the dict that all lists share",
    ),
    (
        "still_a_list",
        (
            "    fields = MyTodo.fields | ",
            "    def __init__(self):\n        super().__init__()\n        self.fields |= ",
        ),
        "`fields` cannot be changed",
    ),
    ("still_a_list", ("MyTodo.fields | {", "{"), "no text and no status any more"),
    ("still_a_list", ('item.get("priority", "medium")', 'item["priority"]'), "use `item.get("),
    (
        "rejects",
        ('priority not in ["high", "medium", "low"]', 'priority not in "high medium low"'),
        "finds parts of words",
    ),
    (
        "rejects",
        (
            'raise ValueError(f"invalid priority {priority!r}: use high, medium or low")',
            "raise ValueError('high, medium or low')",
        ),
        "must name the word",
    ),
    (
        "unchanged",
        ("        new = []\n", "        new, self.items = [], []\n"),
        "is stored, or a part",
    ),
    (
        "changes_nothing_else",
        ("            priority = item.get(", "            priority = item.setdefault("),
        "make copies",
    ),
    ("order", (SUPER, "        return super().update(new[::-1])\n"), "do not sort"),
    (
        "shown",
        PLAIN + "\n    def line(self, item):\n        return item['text']\n",
        "does it show the priority",
    ),
    (
        "as_in_the_parent",
        "from agentlib import TodoManager as MyTodo\n\n\n"
        + PLAIN
        + "    one_in_progress = False\n",
        "rules are those of the parent",
    ),
    (
        "as_the_solution",
        (
            "        new = []\n",
            "        new = []\n        known = {i['text']: i['priority'] for i in self.items}\n",
        ),
        (
            'item.get("priority", "medium")',
            'item.get("priority", known.get(item["text"], "medium"))',
        ),
        "No earlier list matters",
    ),
]
