"""Content blocks of a message, as the API sends them."""


def text(words):
    """Return a text block."""
    return {"type": "text", "text": words}


def use(name, id=None, **input):
    """Return a call of the tool `name` with this input. Without an `id`, the API adds one."""
    block = {"type": "tool_use", "name": name, "input": input}
    return block | {"id": id} if id else block


def result(id, content, **more):
    """Return the result of the call `id`."""
    return {"type": "tool_result", "tool_use_id": id, "content": content} | more
