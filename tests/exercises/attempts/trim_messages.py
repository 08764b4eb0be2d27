"""Cells of trim_messages as learners write them: right ones, and mistakes that no change makes."""

from lesson.exercises.trim_messages import PAGE

PLAIN = PAGE.solution
IS_USERS = PLAIN[: PLAIN.index("def trim_messages")]
IN_THE_PROMPT = (
    IS_USERS
    + """
def trim_messages(messages, todo):
    *_, count = 0, len(messages)
    if count < 8:
        return list(messages)
    start = count - 6
    while messages[start]["role"] == "user":
        start += 1
    first, *others = [one for one in messages[:start] if is_users(one)]
    content = first["content"]
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    blocks = [block for block in blocks if "Your list" not in block["text"]]
    note = {"type": "text", "text": f"<reminder>Your list is:\\n{todo.render()}</reminder>"}
    return [{"role": "user", "content": [*blocks, note]}] + others + messages[start:]
"""
)
# If all tasks are completed, no list is needed; the words of the last answer may stay.
WITH_ANSWERS = (
    IS_USERS
    + """
def trim_messages(messages, todo):
    if len(messages) < 8:
        return messages
    begin = len(messages) - 6
    while messages[begin]["role"] != "assistant":
        begin += 1
    new = []
    for before, message in zip([None, *messages], messages[:begin]):
        if is_users(message):
            if new and before["role"] == "assistant":
                new.append(before)
            new.append(message)
    if any(task["status"] != "completed" for task in todo.items):
        note = f"<reminder>{todo.render()}</reminder>"
        new += [{"role": "user", "content": note}]
    return new + messages[begin:]
"""
)
RIGHT = {"in the prompt": IN_THE_PROMPT, "with answers": WITH_ANSWERS}
