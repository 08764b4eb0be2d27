from exercises.cells import slip

PLAIN = """
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}

class MyTodo:
    def __init__(self):
        self.items = []

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
            status = item.get("status", "pending")
            if status not in MARKS:
                raise ValueError(f"unknown status {status!r}")
            for key in ({("id", item["id"])} if "id" in item else set()) | {("text", text)}:
                if key in seen:
                    raise ValueError(f"two items have the same {key[0]}")
                seen.add(key)
            clean.append({**item, "text": text, "status": status})
        if sum(item["status"] == "in_progress" for item in clean) > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = clean
        return self.render()

    def render(self):
        return "\\n".join(f"{MARKS[item['status']]} {item['text']}" for item in self.items)
"""
RIGHT = {
    "in one method": PLAIN,
    "messages in Chinese": slip(
        PLAIN,
        ("items must be a list", "必须是列表"),
        ("at most 20 items", "最多二十项"),
        ("an item needs a text", "文本不能为空"),
        ("unknown status {status!r}", "状态无效"),
        ('f"two items have the same {key[0]}"', '"dup"'),
        ("only one task can be in_progress at a time", "只能有一个任务进行中"),
    ),
}
WRONG = [
    (
        "unchanged",
        ("seen = [], set()\n", "seen = [], set()\n        self.items = clean\n"),
        "changed before the error: assign it last",
    ),
    ("rendered", ("return self.render()", "self.render()"), "is a `return` missing"),
    ("rendered", ("{MARKS[item['status']]} ", "")),
    (
        "rendered",
        ("def __init__(self):\n        self.items = []", "items = []"),
        ("self.items = clean", "self.items[:] = clean"),
    ),
    ("a_list", ("items must be a list", "wrong")),
    ("a_text", (' or "").strip()', ' or "")'), "accepts a text that is only whitespace"),
    ("a_text", ("if not text:", "if text is None:"), "Your code accepts this list"),
    ("a_text", ("{**item, ", "{")),
    ("a_status", ('item.get("status", "pending")', 'item["status"]'), "use `item.get(…)`"),
    ("a_status", ("status not in MARKS", 'status not in "pending completed in_progress"')),
    ("a_list", ("if not isinstance(", "if not items or not isinstance(")),
    ("one_at_a_time", ("> 1:", "> 2:"), "Your code accepts this list"),
    ("at_most_twenty", ('"at most 20 items"', '"20"'), "does not say what is wrong"),
    ("rendered", ("> 1:", ">= 1:")),
    ("at_most_twenty", ("> 20:", "> 21:")),
    ("at_most_twenty", ("> 20:", "== 21:")),
    ("one_at_a_time", ("> 1:", "== 2:")),
    ("unchanged", ("clean.append({**item, ", "clean.append(item); item.update({")),
    (
        "a_status",
        ('item.get("status", "pending")', 'item.get("status") or "pending"'),
        "use `item.get` with a default",
    ),
    ("no_duplicates", ('("text", text)', '("text", item["text"])')),
    (
        "no_duplicates",
        ('("id", item["id"])} if "id" in item else set()', '("id", item.get("id"))}'),
    ),
    (
        "no_duplicates",
        ("seen.add(key)", "seen.add(('text', item['text']) if key[0] == 'text' else key)"),
    ),
    ("a_text", ('"").strip()', '"").strip().capitalize()')),
    ("a_text", ("{**item, ", "{'id': item.get('id'), 'activeForm': item.get('activeForm'), ")),
    (
        "unchanged",
        ("        status =", "        item.setdefault('status', 'pending')\n            status ="),
    ),
    ("no_duplicates", ('if "id" in item', 'if item.get("id")'), "0 is also an id"),
    ("rendered", ("def update", "def add"), "Is a method misspelled"),
    ("at_most_twenty", ('raise ValueError("at most', 'print("at most'), "use raise, not print"),
    ("a_list", ("> 1:", "!= 1:")),
    ("rendered", ("return self.render()", "return self.render"), "write `()`"),
    ("a_text", ("isinstance(item, dict) and ", ""), "'str' object has no attribute 'get'"),
    ("a_text", ('str(item.get("text") or "")', 'item.get("text", "")'), "makes one of any value"),
]
