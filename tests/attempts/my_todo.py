"""Cells of MyTodo as learners write them: right ones, and typical mistakes."""

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
RUN = "            self.update,\n"
WRONG = [
    ("a_status", START, "A status that is left out is pending"),
    # As in the course that the lesson follows: a model that sends no id gets a KeyError.
    ("rendered", (COPY, COPY.replace("**item", '"id": item["id"]')), "may leave this field out"),
    ("a_status", (' not in self.fields["status"]["enum"]', " == 'open'"), "the status 'done'"),
    ("no_equal_texts", ("seen.add(text)", 'seen.add(item["text"])'), "without the whitespace"),
    (
        "unchanged",
        ("seen = [], set()\n", "seen = [], set()\n        self.items = clean\n"),
        "before the error",
    ),
    (
        "like_the_package",
        ("len(items) > 20", "sum('completed' not in str(i) for i in items) > 20"),
        "by hand",
    ),
    ("a_tool", FIELDS + UPDATE, "Write the method `tool(self)`"),
    ("a_tool", (RUN, "            self.update(),\n"), "without parentheses"),
    ("description", (" Send the whole list each time.", ""), "whole list each time"),
    ("schema", ('                "required": ["items"],\n', ""), "beside `properties`"),
    ("schema", ('"properties": self.fields', '"properties": [*self.fields]'), "with the `enum`"),
    ("runs_update", (RUN, "            MyTodo().update,\n"), "updates another list"),
]
