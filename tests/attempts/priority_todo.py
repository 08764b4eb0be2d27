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
ON_THE_PACKAGE = "from agentlib import TodoManager as MyTodo\n\n\n" + FIELDS
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
    "a mixin": A_MIXIN,
}
SHARED = """class PriorityTodo(MyTodo):
    MyTodo.fields["priority"] = {"type": "string", "enum": ["high", "medium", "low"]}
"""
UPDATE = PLAIN.removeprefix(FIELDS)
WRONG = [
    ("fills_in", f"{MY_TODO}\n\n{SHARED}", "changes the dict that all lists share"),
    ("fills_in", f"{MY_TODO}\n\n{SHARED}{UPDATE}", "changes the dict that all lists share"),
    ("fills_in", ("MyTodo.fields | {", "{"), "no text and no status any more"),
    ("fills_in", ('item.get("priority", "medium")', 'item["priority"]'), "use `item.get("),
    (
        "rejects",
        ("            new.append(", "            self.items = new\n            new.append("),
        "is stored, or a part",
    ),
    (
        "changes_nothing_else",
        ("            priority = item.get(", "            priority = item.setdefault("),
        "make copies",
    ),
]
