"""My agent. Run it: python my_agent.py "Refactor hello.py: add type hints"."""

if __name__ == "__main__":
    import lesson

    # The prompt, the model, its client, the messages and the workspace.
    globals().update(lesson.start_program())


# --- agent_loop ---
from agentlib import call_tool


def agent_loop(client, messages, tools, **settings):
    dispatch = {tool.name: tool for tool in tools}
    specs = [tool.spec for tool in tools]
    while True:
        # Ask: send the whole history.
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        messages.append({"role": "assistant", "content": reply.content})

        # Act: run the tool of each call. Without a call, the run is over.
        uses = [block for block in reply.content if block.type == "tool_use"]
        if not uses:
            return
        results = []
        for use in uses:
            output = call_tool(dispatch, use.name, use.input).output
            results.append({"type": "tool_result", "tool_use_id": use.id, "content": output})

        # Answer: send all results in one message.
        messages.append({"role": "user", "content": results})


# --- main ---
if __name__ == "__main__":
    lesson.run_program(globals())
# keep() wrote this file. Checksum: 690a5e2d7aa52344
