PLAIN = """
class BriefTodo(TodoManager):
    def check(self, item, position):
        clean = super().check(item, position)
        if len(clean["text"]) > 60:
            raise ValueError(f"Item {clean['id']}: at most 60 characters, split it")
        return clean
"""
RAISE = """raise ValueError(f"Item {clean['id']}: at most 60 characters, split it")"""
IN_UPDATE = """
class BriefTodo(TodoManager):
    def update(self, items):
        before = self.items
        text = super().update(items)
        if any(len(item["text"]) > 60 for item in self.items):
            self.items = before
            raise ValueError("text too long")
        return text
"""
RIGHT = {"in check": PLAIN, "in update": IN_UPDATE}
WRONG = [
    ("still_a_list", ("        return clean\n", "")),
    ("too_long", (RAISE, 'clean["text"] = clean["text"][:60]')),
    ("too_long", (RAISE, 'raise ValueError("bad")')),
    ("just_short_enough", ("> 60", ">= 60")),
    ("just_short_enough", ('len(clean["text"])', 'len(str(item.get("text")))')),
    ("same_as_todomanager", IN_UPDATE, ("            self.items = before\n", "")),
]
