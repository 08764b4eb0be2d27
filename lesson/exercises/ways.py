"""Other right solutions, which a learner can read after passing."""

from agentlib.nag import Nag
from agentlib.todo import TodoManager


class PriorityInCheck(TodoManager):
    """Add the priority in `check` and `tool`, without `fields`."""

    LEVELS = ("high", "medium", "low")

    def check(self, item, position):
        clean = super().check(item, position)
        priority = str(item.get("priority") or "medium").lower()
        if priority not in self.LEVELS:
            raise ValueError(f"{clean['id']}: invalid priority '{priority}'")
        return clean | {"priority": priority}

    def tool(self):
        tool = super().tool()
        item = tool.input_schema["properties"]["items"]["items"]
        item["properties"]["priority"] = {"type": "string", "enum": list(self.LEVELS)}
        return tool


class NagLevelByLevel(Nag):
    """Go through the list once per level, without numbers for the words."""

    def reminder(self):
        for level in ("high", "medium", "low"):
            for item in self.todo.items:
                if item["status"] == "pending" and item["priority"] == level:
                    return f"<reminder>Update your todos. Next: {item['text']}.</reminder>"
        return super().reminder()
