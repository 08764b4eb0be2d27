PLAIN = """
class KeptTodo(TodoManager):
    def update(self, items):
        before = self.items
        rendered = super().update(items)
        ids = {item["id"] for item in self.items}
        texts = {item["text"] for item in self.items}
        lost = [
            item["text"]
            for item in before
            if item["status"] != "completed"
            and item["id"] not in ids
            and item["text"] not in texts
        ]
        if lost:
            self.items = before
            raise ValueError(f"not completed, and missing: {', '.join(lost)}")
        return rendered
"""
RIGHT = {
    "plain": PLAIN,
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
        ("Manager):", "Manager):\n    KEPT = {}"),
        ("before = self.items", "before = self.KEPT.get('items', [])"),
        ("return rendered", "self.KEPT['items'] = self.items\n        return rendered"),
    ),
    ("without_completed", ('item["status"] != "completed"', "True")),
    ("first_list", ("        if lost:", "        if lost or len(items) > 3:")),
    ("shrunk", ONLY_LENGTHS),
    ("shrunk", ("', '.join(lost)", "len(lost)")),
    ("shrunk", ('!= "completed"', '== "pending"')),
    ("shrunk", ("        if lost:", "        if lost and items:")),
    ("same", ('            and item["id"] not in ids\n', "")),
    ("same", ('            and item["text"] not in texts\n', "")),
    ("same", ('and item["text"] not', 'or item["text"] not')),
    ("unchanged", ("            self.items = before\n", "")),
]
