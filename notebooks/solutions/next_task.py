from nag import MyNag


# The text of the reminder comes from the parent, so this class works on any nag. A list without
# priorities is not an error: all its tasks then count as medium.
class PriorityNag(MyNag):
    """A nag whose reminder ends with the next task: the pending one with the highest priority."""

    def __call__(self, calls):
        reminder = super().__call__(calls)
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        if reminder is None or not pending:
            return reminder
        levels = ["high", "medium", "low"]
        # `min` returns the first of equal items, so the order of the list decides a tie.
        best = min(pending, key=lambda item: levels.index(item.get("priority", "medium")))
        return f"{reminder.removesuffix('</reminder>')}\nNext: {best['text']}.</reminder>"
