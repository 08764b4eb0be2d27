"""The agent loop: ask the model, run the tools that it calls, answer with their results.

`agent_loop(client, messages, tools, remind=None, **settings)` gets a client of the SDK or a
`CheckedClient`, the messages so far, which end with one of the user, and a list of `Tool`s.
`remind` is called once for each round, with the blocks of its tool calls, and returns a string or
None. `settings` (model, max_tokens, system, …) go to the API unchanged. The loop appends each reply
and its results to `messages`, and returns nothing. What the client or `remind` raises is raised: to
go on, call it again with the same messages, and with a `CheckedClient`, which mends them. The
notebooks s02 and s03b build this, with the form of the Messages API: see docs/sources.md.
"""

from .tools import call_tool


# The API remembers nothing, so each request sends all messages, and the loop only appends to them.
# A call that fails is answered as well: `call_tool` returns the error as text, and the model can
# correct its mistake. The reminder is inside the last result, because the API rejects text that
# comes before the results.
def agent_loop(client, messages, tools, remind=None, **settings):
    """Ask, act, remind, answer, until the reply has no tool call."""
    dispatch = {tool.name: tool for tool in tools}
    specs = [tool.spec for tool in tools]
    while True:
        # Ask: send the whole history. The API rejects a message without words: it is not kept.
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        if any(block.type != "text" or block.text.strip() for block in reply.content):
            messages.append({"role": "assistant", "content": reply.content})

        # Act: run the tool of each call. Without a call, the run is over.
        uses = [block for block in reply.content if block.type == "tool_use"]
        if not uses:
            return
        results = []
        for use in uses:
            output = call_tool(dispatch, use.name, use.input).output
            results.append({"type": "tool_result", "tool_use_id": use.id, "content": output})

        # Remind: what the nag says is added to the last result, after a blank line.
        text = remind(uses) if remind else None
        if text:
            results[-1]["content"] += "\n\n" + text

        # Answer: send all results in one message.
        messages.append({"role": "user", "content": results})
