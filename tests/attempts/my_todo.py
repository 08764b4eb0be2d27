"""Cells of MyTodo as learners write them: right ones, and typical mistakes."""

from judge_rules import slip

FIELDS = """
from agentlib import Tool
from lesson.shown_list import Shown

class MyTodo(Shown):
    fields = {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string"},
    }
"""
UPDATE = """
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        if len(items) > 20:
            raise ValueError("at most 20 items")
        clean, seen = [], set()
        for item in items:
            text = isinstance(item, dict) and str(item.get("text") or "").strip()
            if not text:
                raise ValueError("an item needs a text")
            status = str(item.get("status", "pending")).strip().lower()
            if status not in self.fields["status"]["enum"]:
                raise ValueError(f"unknown status {status!r}")
            if text in seen:
                raise ValueError("two items have the same text")
            seen.add(text)
            clean.append({**item, "text": text, "status": status})
        if sum(item["status"] == "in_progress" for item in clean) > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = clean
        return self.render()
"""
TOOL = """
    def tool(self):
        item = {"type": "object", "properties": self.fields, "required": ["text"]}
        return Tool(
            "todo",
            "Write your plan for several steps. Send the whole list each time.",
            {
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            self.update,
        )
"""
PLAIN = FIELDS + UPDATE + TOOL
FIRST = {"without a tool": FIELDS + UPDATE}
WITH_HELPERS = (
    '''
from dataclasses import dataclass, field
from agentlib import Tool
from lesson.shown_list import Shown

STATUSES = ("pending", "in_progress", "completed")


class Rejected(ValueError):
    """A list that is no plan."""


def require(is_right, said):
    if not is_right:
        raise Rejected(said)


def tidy(item):
    match item:
        case {"text": str(text), **others} if text.strip():
            status = others.get("status", "pending").strip().lower()
            require(status in STATUSES, f"a status is one of {STATUSES}")
            return {"text": text.strip(), "status": status} | {
                name: value for name, value in others.items() if name != "status"
            }
        case _:
            raise Rejected("an item is a dict with a text")


@dataclass
class MyTodo(Shown):
    items: list = field(default_factory=list)
'''
    + FIELDS[FIELDS.index("    fields") :]
    + """
    def update(self, items):
        require(isinstance(items, list), "items is a list")
        require(len(items) < 21, "no more than 20 items")
        new = list(map(tidy, items))
        require(len({one["text"] for one in new}) == len(new), "each text only once")
        started = [one for one in new if one["status"] == "in_progress"]
        require(len(started) <= 1, "one item in progress, not more")
        self.items = new
        return self.render()

    def tool(self):
        def run(**given):
            return self.update(given["items"])

        properties = {name: dict(schema) for name, schema in self.fields.items()}
        item = {"type": "object", "properties": properties, "required": ["id", "text", "status"]}
        items = {"type": "array", "items": item, "maxItems": 20}
        return Tool(
            name="todo",
            description="Replaces your todo list: send every item, also those that are done.",
            input_schema={"type": "object", "properties": {"items": items}, "required": ["items"]},
            run=run,
            asks=False,
        )
"""
)
RIGHT = {
    "with helpers, match and a dataclass": WITH_HELPERS,
    "the package's": "MyTodo = TodoManager",
    "messages in Chinese": slip(
        PLAIN,
        ("items must be a list", "必须是列表"),
        ("at most 20 items", "最多二十项"),
        ("an item needs a text", "文本不能为空"),
        ("unknown status {status!r}", "状态无效"),
        ("two items have the same text", "文本重复"),
        ("only one task can be in_progress at a time", "只能有一个任务进行中"),
    ),
}
START = (
    FIELDS
    + """
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        for item in items:
            if not isinstance(item, dict) or not str(item.get("text") or "").strip():
                raise ValueError("each item must be a dict with a text that is not empty")
        self.items = items
        return self.render()
"""
)
COPY = 'clean.append({**item, "text": text, "status": status})'
ENUM = 'self.fields["status"]["enum"]'
WRONG = [
    ("a_status", START, "A status that is left out is pending"),
    # As in the course that the lesson follows: a model that sends no id gets a KeyError.
    (
        "rendered",
        (COPY, COPY.replace("**item", '"id": item["id"]')),
        "A model may leave this field",
    ),
    ("rendered", ("return self.render()", "print(self.render())"), "use `return`, not `print`"),
    (
        "rendered",
        ("    fields", "    items = []\n    __init__ = lambda self: None\n    fields"),
        ("self.items = clean", "self.items[:] = clean"),
        "All objects share",
    ),
    ("given_rules", ("isinstance(item, dict) and ", ""), "may be a string"),
    ("a_status", (f"not in {ENUM}", f"not in str({ENUM})"), "Compare the whole word"),
    (
        "one_at_a_time",
        (
            'item["status"] == "in_progress" for item in clean',
            "'in_progress' in str(item) for item in items",
        ),
        "as you store them",
    ),
    ("at_most_twenty", ('raise ValueError("at most', 'print("at most'), "not `print`"),
    (
        "at_most_twenty",
        ("len(items) > 20", "len([i for i in items if 'completed' not in str(i)]) > 20"),
        "also the completed ones",
    ),
    ("no_equal_texts", ("seen.add(text)", 'seen.add(item["text"])'), "without the whitespace"),
    (
        "no_equal_texts",
        ("if text in seen", "if text.lower() in seen"),
        ("seen.add(text)", "seen.add(text.lower())"),
        "other capitals",
    ),
    ("fields_kept", (COPY, COPY.replace("**item, ", "")), "is lost"),
    (
        "fields_kept",
        ("{**item, ", "{**{k: v for k, v in item.items() if k in MyTodo.fields}, "),
        "`self.fields`",
    ),
    (
        "unchanged",
        ("seen = [], set()\n", "seen = [], set()\n        self.items = clean\n"),
        "before the error",
    ),
    (
        "unchanged",
        (COPY, "item.update(text=text, status=status)\n            clean.append(item)"),
        "your own copies",
    ),
    (
        "unchanged",
        (
            COPY,
            'new = {**item, "text": text, "status": status}\n'
            "            clean.append(item if item == new else new)",
        ),
        "the very dicts",
    ),
    (
        "explained",
        ("unknown status {status!r}", "this list is no plan"),
        ("two items have the same text", "this list is no plan"),
        "the same message",
    ),
    (
        "like_the_package",
        ("            status =", "            text = text.format(name='it')\n            status ="),
        "by hand",
    ),
    ("a_tool", FIELDS + UPDATE, "Write the method `tool(self)`"),
    (
        "a_tool",
        ("            self.update,\n", "            self.update(),\n"),
        "without parentheses",
    ),
    ("description", (" Send the whole list each time.", ""), "whole list each time"),
    ("schema", ('                "required": ["items"],\n', ""), "beside the outer"),
    (
        "all_fields",
        ("self.fields, ", '{name: {"type": "string"} for name in self.fields}, '),
        "Without the `enum`",
    ),
    (
        "all_fields",
        ('"properties": self.fields', '"properties": MyTodo.fields'),
        "not `MyTodo.fields`",
    ),
    (
        "runs_update",
        ("            self.update,\n", "            MyTodo().update,\n"),
        "not bound to the list",
    ),
    (
        "runs_update",
        ("            self.update,\n", "            lambda todos: self.update(todos),\n"),
        "must be called `items`",
    ),
]
