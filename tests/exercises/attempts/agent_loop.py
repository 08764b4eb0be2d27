"""Attempts at `agent_loop`: right ones, and wrong ones with the rule that refuses them."""

from judge_rules import slip

from lesson.exercises.agent_loop import PAGE

PLAIN = PAGE.solution
KEEP = """        if any(block.type != "text" or block.text.strip() for block in reply.content):
            messages.append({"role": "assistant", "content": reply.content})
"""
REMIND = PLAIN[PLAIN.index("        # Remind") : PLAIN.index("        # Answer")]
APPENDS = '        messages.append({"role": "assistant", "content": reply.content})\n'
KEEPS_ALL = slip(PLAIN, (KEEP, APPENDS))
E1 = slip(KEEPS_ALL, (REMIND, ""))  # the loop of the first level
FIRST = {"plain": E1, "without remind": slip(E1, (", remind=None", ""))}
LIST_OF_BLOCKS = """
def agent_loop(client, messages, tools, remind=None, **settings):
    known = {}
    for tool in tools:
        known[tool.name] = tool
    while True:
        reply = client.messages.create(
            messages=messages, tools=[tool.spec for tool in known.values()], **settings)
        messages.append({"role": "assistant", "content": reply.content})
        results = []
        for block in reply.content:
            if block.type == "tool_use":
                text = call_tool(known, block.name, block.input).output
                results.append({"type": "tool_result", "tool_use_id": block.id,
                                "content": [{"type": "text", "text": text}]})
        if not results:
            break
        uses = [block for block in reply.content if block.type == "tool_use"]
        reminder = remind and remind(uses)
        if reminder:
            results[-1]["content"].append({"type": "text", "text": "\\n\\n" + reminder})
        messages.append({"role": "user", "content": results})
"""
RECURSIVE = """
def agent_loop(client, messages, tools, remind=None, **settings):
    specs = [tool.spec for tool in tools]
    reply = client.messages.create(messages=messages, tools=specs, **settings)
    messages.append({"role": "assistant", "content": reply.content})
    uses = [block for block in reply.content if block.type == "tool_use"]
    if uses:
        dispatch = {tool.name: tool for tool in tools}
        results = [
            {"type": "tool_result", "tool_use_id": use.id,
             "content": call_tool(dispatch, use.name, use.input).output}
            for use in uses]
        if remind and (text := remind(uses)):
            results[-1]["content"] += "\\n\\n" + text
        messages.append({"role": "user", "content": results})
        agent_loop(client, messages, tools, remind, **settings)
"""
WALRUS = """
def agent_loop(client, messages, tools, remind=None, **settings):
    dispatch = {tool.name: tool for tool in tools}

    def ask():
        reply = client.messages.create(
            messages=messages, tools=[one.spec for one in tools], **settings)
        messages.append(dict(role=reply.role, content=reply.content))
        return [block for block in reply.content if block.type == "tool_use"]

    while uses := ask():
        calls = [call_tool(dispatch, use.name, use.input) for use in uses]
        messages.append(dict(role="user", content=[
            dict(type="tool_result", tool_use_id=use.id, content=call.output,
                 is_error=not call.ok)
            for use, call in zip(uses, calls, strict=True)]))
        said = remind(calls) if remind else ""
        if said:
            last = messages[-1]["content"][-1]
            last["content"] = last["content"] + "\\n\\n" + said
"""
CALL_REMIND = "        text = remind(uses) if remind else None\n"
RIGHT = {
    "keeps each reply": KEEPS_ALL,
    "a loop that yields": slip(KEEPS_ALL, ("results = []", "results = []\n        yield reply")),
    "results that are lists of blocks": LIST_OF_BLOCKS,
    "a loop that calls itself": RECURSIVE,
    "walrus, and a function in it": WALRUS,
    "remind is called in the for, after the last call": slip(
        PLAIN,
        (CALL_REMIND, ""),
        (
            '"content": output})\n',
            '"content": output})\n            if use is uses[-1]:\n        ' + CALL_REMIND,
        ),
    ),
}
# The likeliest first cells of E1.
BEGIN = """
def agent_loop(client, messages, tools, remind=None, **settings):
    specs = [tool.spec for tool in tools]
    dispatch = {tool.name: tool for tool in tools}
    while True:
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        messages.append({"role": "assistant", "content": reply.content})
"""
BY_HAND = """        block = reply.content[0]
        if block.type == "text":
            print(block.text)
            break
        else:
            output = call_tool(dispatch, block.name, block.input).output
            result = {"type": "tool_result", "tool_use_id": block.id, "content": output}
            messages.append({"role": "user", "content": [result]})
            print(block.name, "->", output[:60])
"""
COLLECTS = (
    BEGIN
    + """        results = []
        for block in reply.content:
            if block.type == "tool_use":
                output = call_tool(dispatch, block.name, block.input).output
                results.append(
                    {"type": "tool_result", "tool_use_id": block.id, "content": output})
        if not results:
            return
        messages.append({"role": "user", "content": results})
"""
)
RESULTS = 'messages.append({"role": "user", "content": results})'
RETURN = "        if not uses:\n            return\n"
LIMITED = COLLECTS.replace("while True:", "for turn in range(25):")
END = [(RETURN, ""), (f"        {RESULTS}\n", f"        {RESULTS}\n{RETURN}")]
WRONG = [
    ("results_go_back", E1, (f"        {RESULTS}", f"            {RESULTS}"), "after the `for`"),
    ("stops", E1, *END, "Your loop went on after a reply without a call"),
    (
        "errors_go_back",
        E1,
        ("in uses:", "in sorted(uses, key=lambda use: use.name):"),
        "in another order",
    ),
    # The likeliest first cells of E1.
    ("asks_for_a_tool", BEGIN + BY_HAND, "runs the first block"),
    # As learners copy them.
    ("stops", f"{LIMITED}    raise RuntimeError('too many turns')\n", "ask, without a limit"),
    ("stops", f"{LIMITED}    __import__('sys').exit('too many turns')\n", "ask, without a limit"),
    (
        "stops",
        COLLECTS,
        (
            "    while True:\n",
            "    turns = iter(range(25))\n    while True:\n        next(turns)\n",
        ),
        "ask, without a limit",
    ),
    (
        "arguments",
        COLLECTS,
        ("(client, messages, tools, remind=None, **settings)", "(messages: list)"),
        "called as `agent_loop(client, messages, tools, remind=None, **settings)`",
    ),
    (
        "asks_for_a_tool",
        COLLECTS,
        ("        results = []\n", "        results = []\n        results == 3\n"),
        ("block.input", "block.function"),
        "A tool call has `name`",
    ),
    (
        "asks_for_a_tool",
        COLLECTS,
        (
            "call_tool(dispatch, block.name, block.input).output",
            "dispatch[block.name](**block.input)",
        ),
        "once by `call_tool`",
    ),
    (
        "results_go_back",
        COLLECTS,
        ("input).output", "input).output.strip()"),
        "send its `output` unchanged",
    ),
    (
        "stops",
        COLLECTS,
        ("            return\n", "            continue\n"),
        "Your loop went on after a reply without a call",
    ),
]
