from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["loop"]
OWN = """
def agent_loop(client, messages, tools, **settings):
    tools = {tool.name: tool for tool in tools}
    specs = [tool.spec for tool in tools.values()]
    wants = True
    while wants:
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        messages.append({"role": reply.role, "content": reply.content})
        uses = [block for block in reply.content if block.type == "tool_use"]
        outputs = [call_tool(tools, use.name, use.input).output for use in uses]
        wants = bool(uses)
        if wants:
            messages += [{"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": use.id, "content": output}
                for use, output in zip(uses, outputs)]}]
"""
RIGHT = {
    "in its own words": OWN,
    "an object that runs the tools itself": slip(
        PLAIN,
        ("def agent_loop(client", "def play(self, client"),
        (
            "            output = call_tool(dispatch, use.name, use.input).output\n",
            """            try:
                output = dispatch[use.name].run(**use.input)
            except Exception as problem:
                output = f"It failed: {problem}"
""",
        ),
    )
    + "\nclass Loop:\n    __call__ = play\n\nagent_loop = Loop()\n",
}
# The code of the cells above the exercise, copied without a change.
COPIED = """
model, workspace = connect(), sample("hello")
dispatch = {tool.name: tool for tool in workspace.tools()}
BASH = dispatch["bash"].spec

""" + slip(
    PLAIN,
    ("client.messages.create(messages=messages, tools=specs, **settings)", "CREATE"),
    ("CREATE", "model.client.messages.create(messages=messages, tools=[BASH], **model.settings)"),
    ("    dispatch = {tool.name: tool for tool in tools}\n", ""),
)
DISPATCH = "{tool.name: tool for tool in tools}"
CALL = "call_tool(dispatch, use.name, use.input)"
REPLY = 'messages.append({"role": "assistant", "content": reply.content})'
RESULTS = 'messages.append({"role": "user", "content": results})'
KNOWN = "[b for b in reply.content if b.type in ('text', 'tool_use')]"
LAST = "reply.content[-1].type == 'text'"
ASK = "client.messages.create(messages=messages, tools=specs, **settings)"
ASKED_ONCE = slip(
    PLAIN,
    (f"        reply = {ASK}\n", ""),
    ("    while True:", f"    reply = {ASK}\n    while True:"),
)
IN_FOR = slip(PLAIN, (f"        {RESULTS}", f"            {RESULTS}"))
REST = f"""        if not uses:
            {REPLY}
            return
"""
# The cell under Answer deletes the messages of the round before, for the case that it runs again.
AS_IN_THE_CELL = slip(
    PLAIN,
    (f"        {REPLY}\n", ""),
    ("        if not uses:\n            return\n", REST),
    (RESULTS, f"del messages[1:]\n        {REPLY}\n        {RESULTS}"),
)
LAST_ROUND = "messages=messages[:1] + messages[1:][-2:]"
TWO_REQUESTS = f"{RESULTS}\n        reply = {ASK}\n        {REPLY}\n        return"
WRONG = [
    ("arguments", AS_IN_THE_CELL, "has lost messages of request"),
    ("arguments", (REPLY, f"del messages[1:]\n        {REPLY}"), "has lost messages of request"),
    ("arguments", ("messages=messages", LAST_ROUND), "of 8: send all messages each time"),
    ("same_list", ("    dispatch =", "    del messages[1:]\n    dispatch ="), "delete nothing"),
    ("same_list", ("    dispatch =", "    del messages[:-1]\n    dispatch ="), "delete nothing"),
    ("arguments", COPIED, "No request was sent with"),
    (
        "arguments",
        ("client, messages, tools", "client, tools, messages"),
        "a message and no Tool: the order is",
    ),
    ("asks_for_a_tool", ("if not uses", "if reply.content[0].type == 'text'"), "among all blocks"),
    ("stops", ("if not uses", "if reply.stop_reason != 'tool_use'"), "type `tool_use` among all"),
    ("ids", ('"tool_use_id": use.id', '"tool_use_id": use.name'), "the `id` of the block"),
    ("arguments", ("tool.spec for tool in tools]", "tool.spec for tool in tools[:1]]")),
    ("asks_for_a_tool", ("tool in tools}", "tool in tools[:1]}")),
    ("models_turn", ('"assistant"', '"user"')),
    ("models_turn", ("reply.content})", KNOWN + "})"), "append the whole `reply.content`"),
    ("models_turn", (REPLY, "messages.append(reply)"), "Append a dict"),
    (
        "models_turn",
        (f"        {REPLY}\n", ""),
        (RESULTS, f"{REPLY}\n        {RESULTS}"),
        "The last reply is not in `messages`",
    ),
    (
        "models_turn",
        (f"        {REPLY}\n", ""),
        (RESULTS, f"{RESULTS}\n        {REPLY}"),
        "Append the model's reply first",
    ),
    ("models_turn", ("reply.content}", "reply.content[0].text}"), "append the whole"),
    ("models_turn", ("reply.content}", "str(reply.content)}"), "has lost its calls"),
    ("asks_for_a_tool", ("in uses:", "in uses[:1]:"), "one for each call"),
    ("asks_for_a_tool", (CALL, f"print({CALL}) or {CALL}")),
    (
        "asks_for_a_tool",
        ("if block.type", "if block.name or block.type"),
        "Only a block of the type",
    ),
    ("asks_for_a_tool", ('== "tool_use"', '!= "text"'), "'ThinkingBlock' object has no attribute"),
    ("asks_for_a_tool", ('== "tool_use"', '== "tool_call"'), "Look for blocks of the type"),
    ("asks_for_a_tool", ("block.type", 'block["type"]'), "write `block.type`"),
    ("asks_for_a_tool", (CALL, "call_tool(dispatch, use, use.input)"), "the block's name"),
    ("asks_for_a_tool", (DISPATCH, "{tool.name: tool.spec for tool in tools}"), "to its Tool"),
    ("asks_for_a_tool", ("use.input)", 'use.input["command"])'), "pass on the whole `use.input`"),
    ("asks_for_a_tool", ("use.input)", "**use.input)"), "takes three arguments"),
    ("results_go_back", IN_FOR, "append one message after the `for`"),
    ("results_go_back", (f"{CALL}.output", CALL), "its `output` is a result's `content`"),
    ("results_go_back", (f"{CALL}.output", f"str({CALL})"), "send the Call's `output`"),
    ("results_go_back", ("results})", "str(results)})"), "its content is the list of results"),
    ("ids", OWN, ("in zip(uses, outputs)", "in zip(uses[::-1], outputs)")),
    ("ids", ("use.id", "uses[0].id"), "from its own call"),
    ("errors_go_back", (f"{CALL}.output", "dispatch[use.name].run(**use.input)"), "catches it"),
    (
        "errors_go_back",
        ("in uses:\n", "in uses:\n            if use.name not in dispatch: continue\n"),
    ),
    ("stops", ("if not uses:", "if False:"), "return before you append"),
    (
        "together",
        (RESULTS, f"{RESULTS}\n        messages.append({{'role': 'user', 'content': []}})"),
        "an empty message of the user",
    ),
    ("stops", ("if not uses:", "if not uses: continue\n        if False:"), "does not stop"),
    ("stops", ("if not uses:", f"if {LAST}:")),
    ("stops", ("if not uses:", "if reply.stop_reason == 'end_turn':")),
    ("stops", (RESULTS, TWO_REQUESTS), "repeat until there is none"),
    ("stops", (RESULTS, f"{RESULTS}\n        {ASK}\n        return")),
    (
        "stops",
        ("        results = []\n", ""),
        ("    while True:", "    results = []\n    while True:"),
        "once for each reply",
    ),
    ("together", ("while True:", "for _ in range(10):"), "Does it limit the rounds?"),
    ("arguments", ASKED_ONCE, "inside `while`"),
    ("arguments", (RESULTS, f"{RESULTS}\n        return"), "Ask again after the results"),
    ("arguments", (", **settings)\n", ", model='practice', max_tokens=8000)\n")),
    ("arguments", (", **settings)\n", ")\n"), "and `**settings`"),
    (
        "same_list",
        (REPLY, REPLY[:-1].replace("messages.append(", "messages = messages + [") + "]"),
        "do not make a new list",
    ),
    (
        "arguments",
        COPIED,
        ("model.client.", "client."),
        ("[BASH]", "[t.spec for t in tools]"),
        ("**model.settings", "**settings"),
        "another dispatch map",
    ),
    ("arguments", ("messages=messages", "messages=messages[-1:]"), "send all messages each time"),
    ("arguments", ("results = []", "results = []\n        yield reply"), "remove `yield`"),
    ("arguments", ("def agent_loop", "async def agent_loop"), "write `def` instead"),
    ("arguments", ("tools=specs", "tools=tools"), "Send the specs"),
    ("arguments", ("tool.spec for", "tool.spec() for"), "not a function"),
    ("arguments", (DISPATCH, "{tool: tool.run for tool in tools}"), "such as `tool.name`"),
    ("arguments", ("tools=specs, ", ""), "Your request has no `tools`"),
    ("arguments", ("tools}", "[tool.spec for tool in tools]}"), "keep their name `tools`"),
    ("same_list", ("    while", "    messages = []\n    while"), "do not make a new list"),
    ("arguments", ("messages=messages", "message=messages"), "Send `messages=messages`"),
    ("arguments", ("messages=messages", "messages"), "has a name"),
    ("arguments", ("tools=specs", "tools=[specs]"), "Send the specs"),
    ("results_go_back", (REPLY, f"messages = {REPLY}"), "assigned the result of `append`"),
    ("asks_for_a_tool", ("in reply.content", "in reply.tool_calls"), "are in `reply.content`"),
    ("models_turn", (REPLY, f"client.{REPLY}"), "or `messages.append(…)`"),
    ("models_turn", (REPLY, "messages.append({'content': reply.content})"), "Append a dict"),
    ("asks_for_a_tool", ("in reply.content", "in reply"), "are in `reply.content`"),
    ("asks_for_a_tool", ("in reply.content", 'in reply["content"]'), "This is no dict"),
    ("asks_for_a_tool", ("in reply.content", "in messages"), 'with `["name"]`'),
    ("asks_for_a_tool", ("results = []", "results = {}"), "`[]` is an empty list"),
    ("asks_for_a_tool", (CALL, "dispatch[use.name](use.input)"), "run by `call_tool("),
    ("asks_for_a_tool", (f"{CALL}.output", "dispatch[use.name].run(use.input)"), "by `call_tool("),
    ("asks_for_a_tool", ("use.input", "use.arguments"), "has a `name`, an `input`"),
    ("asks_for_a_tool", (f"{CALL}.output", CALL), ("use.id", "output.id"), "The id is `use.id`"),
    ("asks_for_a_tool", ("output})\n", "output})\n            return\n"), "in the `for` over"),
    ("results_go_back", ('"user"', '"assistant"'), "in one dict"),
    ("results_go_back", (RESULTS, "messages.extend(results)"), "in one dict"),
    ("results_go_back", ("results.append", "results.extend"), "made by `append`"),
    ("results_go_back", (f"{CALL}.output", f"print({CALL})"), "as `print(…)` returns"),
    ("results_go_back", (RESULTS, f"{REPLY}\n        {RESULTS}"), "Append nothing between"),
    ("results_go_back", (f"    {RESULTS}", RESULTS), "append them inside `while`"),
]
