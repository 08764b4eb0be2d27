"""Right and wrong cells of MyTodo that do not change our solution."""

import re

from judge_rules import slip

from lesson.exercises.my_todo import PAGE

PLAIN = PAGE.solution
HEAD, _, REST = PLAIN.partition("    def update")
TOOL = "\n    def tool" + REST.partition("    def tool")[2]
FIRST = {"without a tool": PLAIN.removesuffix(TOOL)}
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
RIGHT = {
    "run as in the course": slip(
        PLAIN, ("self.update,\n", 'lambda **kw: self.update(kw["items"]),\n')
    ),
    "all rules in one loop": IN_THE_LOOP,
    "all tasks in other words": re.sub(
        '(?s)"Write.*done."',
        '"Write your list here. It replaces the old one, so leave out no task."',
        PAGE.solution,
    ),
}
WRONG = [
    ("rendered", ("(checked) > 20", "(checked) != 20"), "with the message of rule 3"),
    (
        "rendered",
        ("    def update", "    def __init__(self, name):\n        pass\n\n    def update"),
        "a default",
    ),
    (
        "at_most_twenty",
        IN_THE_LOOP,
        ("> 20", "> 19"),
        ('ValueError("at most', 'UnicodeError("at most'),  # which is a ValueError
        "Your code rejects 20",
    ),
    ("at_most_twenty", ("len(checked) >", "sum('id' not in one for one in checked) >")),
]
