from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["brief"]
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
RIGHT = {"in update": IN_UPDATE}
WRONG = [
    ("still_a_list", ("return clean", "pass")),
    ("too_long", ("raise ValueError(", "clean.update(text=")),
    ("too_long", ("Item {clean['id']}: at most 60 characters, please split it", "bad")),
    ("just_short_enough", ("> 60", ">= 60")),
    ("just_short_enough", ('len(clean["text"])', 'len(str(item.get("text")))')),
    ("same_as_todomanager", IN_UPDATE, ("            self.items = before\n", "")),
]
