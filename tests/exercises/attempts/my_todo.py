"""Right and wrong cells of MyTodo that are no change of our solution."""

from judge_rules import slip

from lesson.exercises.my_todo import PAGE

PLAIN = PAGE.solution
HEAD, _, REST = PLAIN.partition("    def update")
TOOL = "\n    def tool" + REST.partition("    def tool")[2]
FIRST = {"without a tool": PLAIN.removesuffix(TOOL), "the package's": "MyTodo = TodoManager"}
IN_THE_LOOP = (
    HEAD
    + """
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
            allowed = self.fields["status"]["enum"]
            if status not in allowed:
                raise ValueError(f"the status {status!r} is none of {allowed}")
            if text in seen:
                raise ValueError("two items have the same text")
            seen.add(text)
            clean.append({**item, "text": text, "status": status})
        if sum(item["status"] == "in_progress" for item in clean) > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = clean
        return self.render()
"""
    + TOOL
)
WITH_HELPERS = (
    '''
from dataclasses import dataclass, field
from agentlib import Shown, Tool

STATUSES = ("pending", "in_progress", "completed")


class Rejected(ValueError):
    """A list that is no plan."""


def require(is_right, said):
    if not is_right:
        raise Rejected(said)


def tidy(item):
    match item:
        case {"text": str(text), **others} if text.strip():
            status = str(others.get("status", "pending")).strip().lower()
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
    + HEAD[HEAD.index("    fields") :]
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
        def run(items):
            return self.update(items)

        properties = {name: dict(schema) for name, schema in self.fields.items()}
        item = {"type": "object", "properties": properties, "required": ["text"]}
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
    "run as in the course": slip(
        PLAIN, ("self.update,\n", 'lambda **kw: self.update(kw["items"]),\n')
    ),
    "all rules in one loop": IN_THE_LOOP,
    "with helpers, match and a dataclass": WITH_HELPERS,
}
GIVEN = slip(
    PLAIN.removesuffix(TOOL),
    (PLAIN[PLAIN.index("        allowed =") : PLAIN.index("        self.items =")], ""),
)
WRONG = [
    ("a_status", GIVEN, "another status than the three"),
    ("rendered", ("(checked) > 20", "(checked) != 20"), "with the message of rule 3"),
    (
        "rendered",
        IN_THE_LOOP,
        (
            "        if sum(",
            '        else:\n            raise ValueError("the same text")\n        if sum(',
        ),
        "is it compared with itself",
    ),
    (
        "a_status",
        (
            "                raise ValueError(f",
            "                try:\n                    raise ValueError(f",
        ),
        (
            '(allowed)}")\n',
            '(allowed)}")\n                except ValueError:\n                    print(status)\n',
        ),
        "use `raise`, not `print`",
    ),
    (
        "rendered",
        ("    def update", "    def __init__(self, name):\n        pass\n\n    def update"),
        "a default",
    ),
    ("a_tool", PLAIN.removesuffix(TOOL), "Write the method `tool(self)`"),
    ("rendered", ("return self.render()", "yield self.render()"), "makes a generator"),
    ("at_most_twenty", WITH_HELPERS, ("< 21", "< 20"), "Your code rejects 20"),
    *(
        ("at_most_twenty", ("len(checked) >", f"sum({name!r} not in one for one in checked) >"))
        for name in ("id", "activeForm")
    ),
]
