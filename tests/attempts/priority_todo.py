"""Right and wrong cells of `PriorityTodo`, on a list like the learner's and on the package's."""

from attempts import my_todo

MY_TODO = my_todo.PLAIN
BASES = {"your MyTodo": MY_TODO, "TodoManager": "from agentlib import TodoManager as MyTodo"}
FIELD = """{
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
        }"""
FIELDS = f'''class PriorityTodo(MyTodo):
    """A todo list whose items have a priority: high, medium or low."""

    fields = MyTodo.fields | {{
        "priority": {FIELD},
    }}
'''
PLAIN = (
    FIELDS
    + '''
    def update(self, items):
        """Check and fill in the priorities. The parent checks everything else."""
        if not isinstance(items, list):
            return super().update(items)
        new = []
        for item in items:
            if isinstance(item, dict):
                priority = item.get("priority", "medium")
                if priority not in ["high", "medium", "low"]:
                    raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
                item = {**item, "priority": priority}
            new.append(item)
        return super().update(new)
'''
)
ON_THE_PACKAGE = "from agentlib import TodoManager as MyTodo\n\n\n" + FIELDS
A_MIXIN = """
from copy import deepcopy


class Priorities:
    levels = "high medium low".split()

    def update(self, items):
        items = deepcopy(items)
        for item in items if isinstance(items, list) else ():
            match item:
                case dict():
                    level = str(item.get("priority") or "medium").strip().lower()
                    if level not in self.levels:
                        raise ValueError(f"{item['priority']!r} is none of {self.levels}")
                    item["priority"] = level
        return super().update(items)


class PriorityTodo(Priorities, MyTodo):
    fields = dict(MyTodo.fields)
    fields["priority"] = dict(type="string", enum=Priorities.levels)
"""
BETWEEN = (
    PLAIN.replace("class PriorityTodo(MyTodo)", "class Checked(MyTodo)")
    + """

class PriorityTodo(Checked):
    def line(self, item):
        return super().line(item) + f" !{item['priority']}"
"""
)
RIGHT = {
    "fields on the package's list": ON_THE_PACKAGE,
    "a mixin": A_MIXIN,
    "a class between": BETWEEN,
}
SHARED = """class PriorityTodo(MyTodo):
    MyTodo.fields["priority"] = {"type": "string", "enum": ["high", "medium", "low"]}
"""
UPDATE = PLAIN.removeprefix(FIELDS)
IN_LIST = 'priority not in ["high", "medium", "low"]'
SUPER = "        return super().update(new)\n"
NO_LIST = """        if not isinstance(items, list):
            return super().update(items)
"""
NO_DICT = "            if isinstance(item, dict):\n"
COPY = 'item = {**item, "priority": priority}'
FOUND = 'item.get("priority", "medium")'
MESSAGE = 'raise ValueError(f"invalid priority {priority!r}: use high, medium or low")'
WRONG = [
    ("fills_in", f"{MY_TODO}\n\n{SHARED}", "changes the dict that all lists share"),
    ("fills_in", f"{MY_TODO}\n\n{SHARED}{UPDATE}", "changes the dict that all lists share"),
    ("fills_in", ("MyTodo.fields | {", "{"), "no text and no status any more"),
    ("fills_in", (FOUND, 'item["priority"]'), "use `item.get("),
    (
        "fills_in",
        (SUPER, "        self.items = new\n        return self.render()\n"),
        "does not call",
    ),
    ("fills_in", (IN_LIST, 'priority != "high" or "medium"'), "is always true"),
    ("fills_in", (FIELD, '["high", "medium", "low"]'), "with an `enum`"),
    (
        "fills_in",
        (UPDATE, f"\n    def check_list(self):\n        pass\n{UPDATE}"),
        "`check_list` hides the one",
    ),
    ("rejects", (IN_LIST, 'priority not in {"high", "medium", "low"}'), "not in a set"),
    ("rejects", (IN_LIST, 'priority.lower() not in ["high", "medium", "low"]'), "can be any value"),
    ("passes_on", (NO_LIST, ""), "as it is"),
    ("passes_on", (NO_DICT, "            if True:\n"), "as it is"),
]
SENTENCES = {
    "Now your list grows, and each task gets a **priority**: `high`, `medium` or `low`. "
    "`PriorityTodo` extends your `MyTodo`.": None,
    "If the model leaves the priority out, it is `medium`.": (
        "first:fills_in",
        (FOUND, 'item.get("priority", "low")'),
    ),
    "Any other value is rejected with a `ValueError`": (
        "rejects",
        (IN_LIST, 'priority not in ["high", "medium", "low", "urgent"]'),
    ),
    "that names it": ("rejects", ("priority {priority!r}", "priority")),
    "and the three words that are allowed,": ("rejects", (": use high, medium or low", "")),
    "and the old list stays.": (
        "rejects",
        (MESSAGE, f"self.items = self.items[:1]\n                    {MESSAGE}"),
    ),
    "(`HIGH` may also be stored as `high`, like a status.)": (
        "rejects",
        (IN_LIST, 'str(priority).lower() not in ["high", "medium", "low"]'),
    ),
    "The schema of the tool has the field `priority`, with an `enum` of the three words.": (
        "schema",
        ('"enum": ["high", "medium", "low"],', '"description": "high, medium or low",'),
    ),
    "(Your `tool()` makes it from `fields`, and `MyTodo.fields | {…}` is a new dict.)": None,
    "Everything else is as in `MyTodo`,": (
        "as_in_the_parent",
        (SUPER, "        return super().update(new[:20])\n"),
    ),
    "which stays unchanged,": (
        "first:fills_in",
        f"{MY_TODO}\n\n{SHARED}{UPDATE}",
    ),
    "and so do the items that were sent.": (
        "changes_nothing_else",
        (COPY, 'item["priority"] = priority'),
    ),
    "If `items` is no list, or an item is no dict, give it to `super().update` as it is:": (
        "passes_on",
        (NO_LIST, ""),
    ),
    "`MyTodo` rejects it.": (
        "passes_on",
        (NO_DICT, "            if item and type(item) is not str:\n"),
    ),
}
