"""Blocks of a message, as they are on the wire."""


def text(words):
    """A text block."""
    return {"type": "text", "text": words}


def use(name, id, **input):
    """A call of the tool `name` with this input."""
    return {"type": "tool_use", "id": id, "name": name, "input": input}
