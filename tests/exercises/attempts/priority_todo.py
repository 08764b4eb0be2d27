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
    + """
    def update(self, items):
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return super().update(items)  # MyTodo rejects what is no list of dicts
        new = []
        for item in items:
            priority = item.get("priority", "medium")
            if priority not in ["high", "medium", "low"]:
                raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
            new.append({**item, "priority": priority})

        return super().update(new)
"""
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
                    level = str(item.get("priority", "medium")).strip().lower()
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
BY_ITSELF = (
    FIELDS
    + """
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("the items are not in a list")
        return super().update([self.filled(item) for item in items])

    def filled(self, item):
        if not isinstance(item, dict):
            return item
        level = "medium" if "priority" not in item else item["priority"]
        if level in ("high", "medium", "low"):
            return item | {"priority": level}
        raise ValueError(f"{level!r} is no priority, write high, medium or low")
"""
)
PUT_BACK = (
    FIELDS.replace('            "default": "medium",\n', "")
    + """
    def update(self, items):
        before = self.items
        super().update(items)
        try:
            self.items = [self._ranked(item) for item in self.items]
        except ValueError:
            self.items = before
            raise
        return self.render()

    def _ranked(self, item):
        priority = item.get("priority", "medium")
        if priority not in ["high", "medium", "low"]:
            raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
        return {**item, "priority": priority}
"""
)
MORE_KEYWORDS = PLAIN.replace(
    "MyTodo.fields | {",
    'MyTodo.fields | {\n        "text": {**MyTodo.fields["text"], "title": "Task"},',
)
CHECKED = """            if priority not in ["high", "medium", "low"]:
                raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
"""
IS_NONE = (
    CHECKED,
    f'            if priority is None:\n                priority = "medium"\n{CHECKED}',
)
RIGHT = {
    "fields on the package's list": ON_THE_PACKAGE,
    "it rejects what is no list itself": BY_ITSELF,
    "it puts the old list back": PUT_BACK,
    "a mixin": A_MIXIN,
    "a class between": BETWEEN,
    "a title for another field": MORE_KEYWORDS,
    "null counts as left out": PLAIN.replace(*IS_NONE),
}
SHARED = """class PriorityTodo(MyTodo):
    def __init__(self):
        super().__init__()
        self.fields["priority"] = {"type": "string", "enum": ["high", "medium", "low"]}
"""
UPDATE = PLAIN.removeprefix(FIELDS)
IN_LIST = 'priority not in ["high", "medium", "low"]'
SUPER = "        return super().update(new)\n"
GIVEN_SUPER = "        return super().update(items)\n"
NO_DICT = " or not all(isinstance(item, dict) for item in items)"
GUARD = f"""        if not isinstance(items, list){NO_DICT}:
            return super().update(items)  # MyTodo rejects what is no list of dicts
"""
COPY = 'new.append({**item, "priority": priority})'
FOUND = 'item.get("priority", "medium")'
MESSAGE = 'raise ValueError(f"invalid priority {priority!r}: use high, medium or low")'
FIELD_LINES = FIELDS.partition('high, medium or low."""')[2]
LOOP = """        new = []
        for item in items:
            priority = item.get("priority", "medium")
            if priority not in ["high", "medium", "low"]:
                raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
            new.append({**item, "priority": priority})

"""
ON_THE_LAST_ALONE = """        new = [{"priority": "medium", **item} for item in items]
        priority = new[-1]["priority"] if new else "low"
        if priority not in ["high", "medium", "low"]:
            raise ValueError(f"invalid priority {priority!r}: use high, medium or low")
"""
AFTER_IT_IS_STORED = """
    def update(self, items):
        shown = super().update(items)
        for item in self.items:
            if item["priority"] not in ["high", "medium", "low"]:
                raise ValueError(f"{item['priority']!r} is none of high, medium and low")
        return shown
"""
# Below the package's list, null is lost before the loop looks at the items.
NULL_IS_LOST = (
    ON_THE_PACKAGE.replace('            "default": "medium",\n', "") + AFTER_IT_IS_STORED
).replace(
    "super().update(items)",
    'super().update([{"priority": "medium", **item} for item in items])',
)
BEFORE = '{one["text"]: one["priority"] for one in self.items}'
SORTED_WHEN_SHOWN = """
    def render(self):
        before, self.items = self.items, sorted(self.items, key=lambda one: one["priority"])
        shown = super().render()
        self.items = before
        return shown
"""
LONGER = "class MyTodo(MyTodo):\n    fields = MyTodo.fields | {'priority': {}}\n\n\n"
BY_KEY = '            {"high": 1, "medium": 2, "low": 3}[str(priority)]\n'
UPDATE_LINE = "    def update(self, items):\n"
REQUIRES = """    def tool(self):
        tool = super().tool()
        tool.input_schema["properties"]["items"]["items"]["required"].append("priority")
        return tool

"""
APPEND = 'new.append({**item, "priority": priority})'
NOT_IN = 'priority not in ["high", "medium", "low"]'
WRONG = [
    # The given cell, and one with only the first or the second gap filled in.
    ("schema", (FIELD_LINES, "\n"), (LOOP, ""), (SUPER, GIVEN_SUPER), "no field `priority` yet"),
    ("schema", (FIELD_LINES, "\n"), "no field `priority` yet"),
    ("fills_in", (LOOP, ""), (SUPER, GIVEN_SUPER), "into the copy of each item"),
    ("schema", SHARED + UPDATE, "All lists share `MyTodo.fields`"),
    ("schema", ("MyTodo.fields | {", "{"), "has no `id`, `text`, `status`, `activeForm`."),
    (
        "schema",
        ("MyTodo.fields | {", "{n: MyTodo.fields[n] for n in ('text', 'status')} | {"),
        "has no `id`, `activeForm`. Add `priority` alone",
    ),
    (
        "schema",
        ("MyTodo.fields | {", 'MyTodo.fields | {"status": {"type": "string"},'),
        "The field `status` is not one of MyTodo",
    ),
    (
        "schema",
        ("MyTodo.fields | {", 'MyTodo.fields | {"minutes": {"type": "integer"},'),
        "`minutes` is not one of MyTodo",
    ),
    ("schema", (FIELD, '["high", "medium", "low"]'), "with an `enum`"),
    ("schema", (UPDATE_LINE, REQUIRES + UPDATE_LINE), "the rest of the schema"),
    ("fills_in", (APPEND, "new.append(priority)"), "a list of dicts"),
    ("rejects", (NOT_IN, 'not (priority == "high" or "medium" or "low")'), "always true"),
    (
        "rejects",
        (NOT_IN, 'not __import__("re").match("(high|medium|low)$", str(priority))'),
        "store 'high'",
    ),
    ("rejects", ("raise ValueError(f", "print(f"), "`print` rejects nothing"),
    (
        "fills_in",
        ("            priority = ", "            new = []\n            priority = "),
        "made anew",
    ),
    ("fills_in", (FOUND, 'item["priority"]'), "it is not in the dict"),
    ("fills_in", (FOUND, 'item.get("priority")'), "rejects a task without a priority"),
    (
        "all_together",
        ("        new = []\n", f"        new, before = [], {BEFORE}\n"),
        (FOUND, 'item.get("priority", before.get(str(item.get("text")), "medium"))'),
        "at no earlier list",
    ),
    ("fills_in", FIELDS + AFTER_IT_IS_STORED, "use `get`, on the items"),
    ("rejects", NULL_IS_LOST, "use `get`, on the items"),
    (
        "rejects",
        PUT_BACK.replace("            self.items = before\n", ""),
        "or put the old one back",
    ),
    (
        "fills_in",
        ("item in items:\n            p", "item in [items]:\n            p"),
        "the whole list",
    ),
    ("fills_in", ("def update(", "def udpate("), "Did you mean `update`"),
    (
        "fills_in",
        (COPY, 'item["priority"] = priority\n            return super().update(items)'),
        "after the loop",
    ),
    (
        "fills_in",
        (COPY, 'item = {**item, "priority": priority}'),
        (SUPER, GIVEN_SUPER),
        "into the copy",
    ),
    (
        "fills_in",
        (SUPER, "        self.items = new\n        return self.render()\n"),
        "rejects: call that one",
    ),
    ("fills_in", (IN_LIST, 'priority != "high" or "medium"'), "is always true"),
    (
        "fills_in",
        (UPDATE, f"\n    def check_list(self):\n        pass\n{UPDATE}"),
        "Compare the parameters",
    ),
    (
        "fills_in",
        (FOUND, 'item.get("priority")'),
        (IN_LIST, 'priority not in "high medium low"'),
        "looks for a part of it",
    ),
    ("rejects", (IN_LIST, 'priority not in {"high", "medium", "low"}'), "not in a set"),
    (
        "rejects",
        (IN_LIST, 'priority.lower() not in ["high", "medium", "low"]'),
        "only of `str(priority)`",
    ),
    *(
        (
            "rejects",
            (IN_LIST, f'item.get("status") != "{status}" and {IN_LIST}'),
            "also at a completed one",
        )
        for status in ("pending", "in_progress", "completed")
    ),
    (
        "fills_in",
        ("\n        return super().update(new)", "            return super().update(new)"),
        "A task is lost",
    ),
    ("rejects", (FOUND, 'item.get("priority") or "medium"'), "was sent"),
    ("rejects", (MESSAGE, 'priority = "medium"'), "makes a legal value"),
    ("rejects", (LOOP, ON_THE_LAST_ALONE), "whatever its place"),
    ("rejects", (IN_LIST, f"len(new) < 10 and {IN_LIST}"), "whatever its place"),
    ("rejects", (FOUND, f'{{"med": "medium"}}.get(str({FOUND}), {FOUND})'), "makes a legal value"),
    ("rejects", (FOUND, f'str({FOUND}).strip("!")'), "makes a legal value"),
    (
        "fills_in",
        (
            SUPER,
            '        if [item["priority"] for item in new].count("high") > 5:\n'
            f'            raise ValueError("too many tasks are high")\n{SUPER}',
        ),
        "any number of tasks",
    ),
    ("fills_in", PLAIN + SORTED_WHEN_SHOWN, "in the order in which they were sent"),
    ("schema", LONGER + PLAIN, "has a priority as well"),
    ("schema", ('"priority": {', '"prority": {'), "`prority` misspelled"),
    ("schema", ("(MyTodo):", ":"), "extends no todo list"),
    ("fills_in", (COPY, 'new.append({**item, "priority": "medium"})'), "keeps the priority"),
    ("fills_in", ("super().update(new)", "super().update(self, new)"), "gets one argument"),
    ("fills_in", ("super().update(new)", "self.update(new)"), "calls itself"),
    ("fills_in", ("super().update(new)", "super.update(new)"), "with parentheses"),
    ("rejects", (CHECKED, BY_KEY), "is raised with a message"),
    (
        "as_in_the_parent",
        (COPY, 'item["priority"] = priority\n            new.append(item)'),
        "changes the items that were sent",
    ),
    ("as_in_the_parent", (GUARD, ""), "Keep the given `if`"),
    ("as_in_the_parent", (NO_DICT, ""), "Keep the given `if`"),
]
SENTENCES = {
    "Now your list grows, and each task gets a **priority**: `high`, `medium` or `low`.": (
        "all_together",
        (IN_LIST, f"len(new) != 3 and {IN_LIST}"),
    ),
    "`PriorityTodo` extends your `MyTodo`.": None,
    "The schema of the tool has the field `priority`, with an `enum` of the three words.": (
        "schema",
        ('"enum": ["high", "medium", "low"],', '"description": "high, medium or low",'),
    ),
    "(Your `tool()` makes the schema from `fields`, and `print(MyTodo.fields)` shows the "
    "others.)": None,
    "If the model leaves the priority out, it is `medium`.": (
        "first:fills_in",
        (FOUND, 'item.get("priority", "low")'),
    ),
    "Any other value,": (
        "rejects",
        (IN_LIST, 'priority not in ["high", "medium", "low", "urgent"]'),
    ),
    'also `""`': ("rejects", (IN_LIST, f'{IN_LIST} and priority != ""')),
    "is rejected with a `ValueError`": ("first:rejects", ("raise ValueError", "raise KeyError")),
    "that names it": ("rejects", ("priority {priority!r}", "priority")),
    "and the three English words that are allowed.": ("rejects", (": use high, medium or low", "")),
    "The old list stays.": (
        "rejects",
        (MESSAGE, f"self.items = self.items[:1]\n                {MESSAGE}"),
    ),
    "(`None` may count as left out, and `HIGH` as `high`.)": (
        "rejects",
        (IN_LIST, 'str(priority).lower() not in ["high", "medium", "low"]'),
    ),
    "Everything else is as in `MyTodo`.": (
        "as_in_the_parent",
        (SUPER, "        return super().update(new[:20])\n"),
    ),
}
