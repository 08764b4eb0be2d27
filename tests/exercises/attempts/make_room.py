"""Cells of make_room as learners write them: right ones, and mistakes that no change makes."""

from lesson.exercises.make_room import PAGE

PLAIN = PAGE.solution
IN_THE_PROMPT = """
def make_room(messages, todo):
    *_, count = 0, len(messages)
    if count < 8:
        return list(messages)
    prompt = messages[0]["content"]
    blocks = prompt if isinstance(prompt, list) else [{"type": "text", "text": prompt}]
    blocks = [block for block in blocks if "Your list" not in block["text"]]
    note = {"type": "text", "text": f"<reminder>Your list is:\\n{todo.render()}</reminder>"}
    start = max(1, count - 4)
    while messages[start]["role"] == "user":
        start += 1
    return [{"role": "user", "content": [*blocks, note]}] + messages[start:]
"""
BLOCKS = """
def make_room(messages, todo):
    new = messages[-6:] if len(messages) > 7 else []
    if not new:
        return messages
    while new[0]["role"] == "user":
        del new[0]
    words = "<system-reminder>" + "The list:\\n" + todo.render() + "\\n</system-reminder>"
    return [messages[0], {"role": "user", "content": [{"type": "text", "text": words}]}, *new]
"""
RIGHT = {"in the prompt": IN_THE_PROMPT, "blocks": BLOCKS}
WRONG = []
