"""Content blocks and replies, as the API sends them."""

THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}


def text(words, **more):
    """Return a text block."""
    return {"type": "text", "text": words, **more}


def use(name, id=None, **input):
    """Return a call of the tool `name` with this input. Without an `id`, the API adds one."""
    block = {"type": "tool_use", "name": name, "input": input}
    return block | {"id": id} if id else block


def result(id, content="done", **more):
    """Return the result of the call `id`."""
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def reply(*content, tokens=(15, 7), **more):
    """Return a reply of the Messages API with this content, in which each call has an id."""
    acts = any(block["type"] == "tool_use" for block in content)
    content = [
        {"id": f"toolu_{n}"} | block if block["type"] == "tool_use" else block
        for n, block in enumerate(content)
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "some-model",
        "content": content,
        "stop_reason": "tool_use" if acts else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    } | more
