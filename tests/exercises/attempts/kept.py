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
WRONG = [
    (
        "first_list",
        ("(TodoManager):", "(TodoManager):\n    KEPT = {}"),
        ("before = self.items", "before = self.KEPT.get('items', [])"),
        ("return text", "self.KEPT['items'] = self.items\n        return text"),
    ),
    ("first_list", ("if missing:", "if missing or len(items) > 3:")),
    ("without_completed", ('item["status"] != "completed"', "True")),
    ("shrunk", ONLY_LENGTHS),
    ("shrunk", ("'; '.join(missing)", "len(missing)")),
    ("shrunk", ('!= "completed"', '== "pending"')),
    ("shrunk", ("if missing:", "if missing and items:")),
    ("same", ('{i["id"], i["text"]}', '{i["id"]}')),
    ("same", ('{i["id"], i["text"]}', '{i["text"]}')),
    ("same", ("not known & {", "not known >= {")),
    ("unchanged", ("            self.items = before\n", "")),
    ("same_as_todomanager", PLAIN + "    one_in_progress = False\n"),
]
