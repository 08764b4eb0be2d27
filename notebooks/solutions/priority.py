from todo import MyTodo


# Only the new field is checked here, and `super().update` checks the rest: so this class works on
# any list that has `fields` and `update`.
class PriorityTodo(MyTodo):
    """A todo list whose items have a priority: high, medium or low."""

    # `|` makes a new dict, so that MyTodo keeps its own fields.
    fields = MyTodo.fields | {
        "priority": {
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
            "description": "How much the task matters.",
        },
    }

    def update(self, items):
        """Check and fill in the priorities. The parent checks everything else."""
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return super().update(items)  # MyTodo rejects what is not a list of dicts
        items = [dict(item) for item in items]  # copies: what was sent stays as it is
        allowed = self.fields["priority"]["enum"]
        for item in items:
            priority = item.setdefault("priority", "medium")
            if priority not in allowed:
                raise ValueError(f"the priority {priority!r} must be one of {', '.join(allowed)}")
        return super().update(items)
