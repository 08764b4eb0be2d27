"""Right solutions of BriefTodo."""

from agentlib import TodoManager

from .marks import right


@right
class InCheck(TodoManager):
    def check(self, item, position):
        clean = super().check(item, position)
        if len(clean["text"]) > 60:
            raise ValueError(f"Item {clean['id']}: at most 60 characters, split it")
        return clean


@right
class InUpdate(TodoManager):
    """Restores the old list if an item is too long."""

    LIMIT = 60

    def update(self, items):
        before = self.items
        text = super().update(items)
        if any(len(item["text"]) > self.LIMIT for item in self.items):
            self.items = before
            raise ValueError("text too long")
        return text
