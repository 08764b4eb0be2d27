"""The todo list with which s03a begins: it can show its items, and has no `update` yet."""

MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}


class Shown:
    def __init__(self):
        self.items = []

    def render(self):
        lines = [f"{MARKS[item['status']]} {item['text']}" for item in self.items]
        completed = sum(item["status"] == "completed" for item in self.items)
        return "\n".join(lines) + f"\n\n({completed}/{len(self.items)} completed)"
