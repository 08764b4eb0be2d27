from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["kept"]
RIGHT = {
    "with a list to try first": """
class KeptTodo(TodoManager):
    def update(self, items):
        new = TodoManager()
        new.update(items)
        for old in self.items:
            kept = any(old["id"] == i["id"] or old["text"] == i["text"] for i in new.items)
            if old["status"] != "completed" and not kept:
                raise ValueError(f"{old['text']} must stay: it is not completed")
        return super().update(items)
""",
}
ONLY_LENGTHS = """
class KeptTodo(TodoManager):
    def update(self, items):
        if len(items) < len(self.items):
            raise ValueError("the list may not shrink")
        return super().update(items)
"""
CLASS = "(TodoManager):"
BACK = """
    def update(self, items):
        before = self.items
        answer = super().update(items)
        KNOWN = {item[name] for item in self.items for name in ("id", "text")}
        missing = [i["text"] for i in before
                   if i["status"] != "completed" and not KNOWN & {i["id"], i["text"]}]
        if missing:
            self.items = before
            raise ValueError("Not completed: " + "; ".join(missing))
        return answer
"""
IN_UPDATE = f"class KeptTodo{CLASS}{BACK}"
RIGHT["in update, with the old list put back"] = IN_UPDATE
RIGHT["in a mixin"] = f"""
class Keeps:
{BACK}

class KeptTodo(Keeps, TodoManager):
    "A list from which no unfinished task vanishes."
"""
WRONG = [
    (
        "first_list",
        (CLASS, CLASS + "\n    OLD = []"),
        ("in self.items if", "in self.OLD if"),
        ("        missing", "        self.OLD[:] = items\n        missing"),
    ),
    ("first_list", ("if missing:", "if missing or len(items) > 3:")),
    ("without_completed", ('item["status"] != "completed"', "True")),
    ("shrunk", ONLY_LENGTHS),
    ("shrunk", ("'; '.join(missing)", "len(missing)")),
    ("shrunk", ('!= "completed"', '== "pending"')),
    ("shrunk", ("if missing:", "if missing and items:")),
    ("shrunk", ("raise ValueError(", "print(")),
    ("same", ('{i["id"], i["text"]}', '{i["id"]}')),
    ("same", ('{i["id"], i["text"]}', '{i["text"]}')),
    ("same", ("not known & {", "not known >= {")),
    ("unchanged", IN_UPDATE, ("            self.items = before\n", "")),
    ("same_as_todomanager", ("        super().check_list(items)\n", "")),
]
