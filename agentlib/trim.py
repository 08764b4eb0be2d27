"""Trim the messages: go on with fewer when a conversation is too long for its model.

`trim_messages(messages, todo)` gets the messages of the conversation, as dicts of the Messages API,
and a list that has `render()`. It returns a new list of messages: what the user wrote, the todo
list, and the last six messages, which are three rounds, from a reply on. `messages` stays as it is,
and is returned itself if it has at most seven. It raises what `render` raises. The notebook s03d
builds this. Agents such as Claude Code let a model write a summary: see docs/what-agents-do.md.
"""


# The list is outside of the conversation, so the program can put it into a new one, and what the
# user has written is what the work is about. The newest messages begin with a reply, because the
# API rejects a result without its call.
def is_users(message):
    """Return whether the user has written a message: no result, list or question is the user's."""
    if message["role"] != "user":
        return False
    blocks = message["content"]
    if isinstance(blocks, str):
        blocks = [{"type": "text", "text": blocks}]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    return any(not text.startswith(("<reminder>", "The program asks")) for text in texts)


def trim_messages(messages, todo):
    """Return the messages of a new conversation: what the user wrote, the list, and the newest."""
    if len(messages) <= 7:
        return messages
    newest = messages[-6:]
    while newest[0]["role"] != "assistant":
        newest = newest[1:]
    older = messages[: len(messages) - len(newest)]
    prompts = [message for message in older if is_users(message)]
    note = f"<reminder>Earlier messages were left out. Your list:\n{todo.render()}</reminder>"
    return [*prompts, {"role": "user", "content": note}, *newest]
