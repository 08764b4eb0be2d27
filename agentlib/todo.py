"""The todo list: the model writes it, the harness checks it, and the user can see it.

`TodoManager()` has `items`, a list of dicts with the keys of `fields`, which are JSON Schemas by
name. `update(items)` replaces the whole list and returns it as text; it raises ValueError, with a
message for the model, and changes nothing, if a rule is broken. `tool()` returns the `Tool` with
which the model writes the list. A subclass adds a field by `TodoManager.fields | {…}`, and a rule
before it calls `super().update`. The notebook s03a builds this, with the rules of the course
learn-claude-code. What models send in another form is read by `list_tool`, around any list.
"""

from .rendered_list import RenderedList
from .tools import Tool


# Every rule is checked before anything is stored, so a list that is rejected changes nothing. The
# error says which rule was broken and what is allowed, because the model is the one who reads it.
# `tool` makes its schema from `self.fields`, so that a list with more fields needs no other one.
class TodoManager(RenderedList):
    """A todo list that rejects what is not a plan."""

    fields = {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string"},
    }

    def update(self, items):
        """Replace the list by `items` and return it rendered, or raise a ValueError."""
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        checked = []
        for item in items:
            if not isinstance(item, dict) or not str(item.get("text") or "").strip():
                raise ValueError("each item must be a dict with a text that is not empty")
            # A clean copy: what was sent is in the history of the run, and stays as it is.
            text = str(item["text"]).strip()
            status = str(item.get("status", "pending")).strip().lower()
            checked.append({**item, "text": text, "status": status})

        allowed = self.fields["status"]["enum"]
        statuses = [item["status"] for item in checked]
        for status in statuses:
            if status not in allowed:
                raise ValueError(f"the status {status!r} must be one of {', '.join(allowed)}")
        if statuses.count("in_progress") > 1:
            raise ValueError("only one item can be in_progress at a time")
        if len(checked) > 20:
            raise ValueError(f"at most 20 items are allowed, and this list has {len(checked)}")
        texts = [item["text"] for item in checked]
        if len(set(texts)) < len(texts):
            raise ValueError("no two items may have the same text")

        self.items = checked
        return self.render()

    def tool(self):
        """Return the tool with which the model writes the list."""
        # Not `TodoManager.fields`: a list that extends this one can have more of them.
        item = {"type": "object", "properties": self.fields, "required": ["text"]}
        return Tool(
            name="todo",
            description="Write your plan for multi-step work and keep it up to date. Send the "
            "whole list each time, of at most 20 tasks. Mark a task in_progress before you start "
            "it, only one at a time, and completed as soon as it is done.",
            input_schema={
                "type": "object",
                "properties": {"items": {"type": "array", "items": item}},
                "required": ["items"],
            },
            run=self.update,
            asks=False,  # it changes only the list, so the user is not asked
        )
