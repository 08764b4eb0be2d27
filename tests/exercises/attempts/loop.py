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
    "an object, and a tool that fails ends the run": slip(
        PLAIN,
        ("def agent_loop(client", "def play(self, client"),
        ("call_tool(dispatch, use.name, use.input).output", "dispatch[use.name].run(**use.input)"),
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
CALL = "call_tool(dispatch, use.name, use.input)"
REPLY = 'messages.append({"role": "assistant", "content": reply.content})'
RESULTS = 'messages.append({"role": "user", "content": results})'
KNOWN = "[b for b in reply.content if b.type in ('text', 'tool_use')]"
LAST = "reply.content[-1].type == 'text'"
ASK = "client.messages.create(messages=messages, tools=specs, **settings)"
# These are in docs/teach.md.
LIKELY = [
    ("arguments", COPIED),
    ("asks_for_a_tool", ("if not uses", "if reply.content[0].type == 'text'")),
    ("stops", ("if not uses", "if reply.stop_reason != 'tool_use'")),
    ("ids", ('"tool_use_id": use.id', '"tool_use_id": use.name')),
    ("ids", ('"tool_use_id": use.id, ', "")),
]
WRONG = [
    ("models_turn", ('"assistant"', '"user"')),
    ("models_turn", ("reply.content})", KNOWN + "})")),
    ("asks_for_a_tool", (CALL, f"print({CALL}) or {CALL}")),
    ("ids", OWN, ("in zip(uses, outputs)", "in zip(uses[::-1], outputs)")),
    ("stops", ("if not uses:", "if len(uses) <= 1:")),
    (
        "stops",
        ("if not uses:", "if False:"),
        "400: messages.4: user messages must have non-empty content",
    ),
    ("stops", ("if not uses:", f"if {LAST}:")),
    ("stops", ("if not uses:", "if reply.stop_reason == 'end_turn':")),
    ("results_go_back", (RESULTS, "    " + RESULTS.replace("results}", "results[-1:]}"))),
    ("together", ("while True:", "for _ in range(10):"), "Does it limit the rounds?"),
    ("arguments", (", **settings)\n", ", model='practice', max_tokens=8000)\n")),
    ("arguments", (REPLY, REPLY[:-1].replace("messages.append(", "messages = messages + [") + "]")),
    ("together", (RESULTS, f"{RESULTS}\n        {ASK}\n        return")),
    ("arguments", COPIED, ("model.client.", "client.")),
    ("arguments", COPIED, ("model.client.", "client."), ("[BASH]", "[t.spec for t in tools]")),
    ("arguments", ("messages=messages", "messages=messages[-1:]")),
    ("arguments", ("results = []", "results = []\n        yield reply")),
    ("results_go_back", (f"{CALL}.output", CALL), "A Call is no text"),
    (
        "results_go_back",
        ("in uses:\n", "in uses:\n            if use.name not in dispatch: continue\n"),
    ),
    (
        "models_turn",
        (REPLY, "messages.append(reply)"),
        "2. a Message object, which is not a message",
    ),
    ("arguments", ("tools=specs", "tools=tools"), "Send the specs"),
    (
        "asks_for_a_tool",
        ("if block.type", "if block.name or block.type"),
        "Only a block of the type",
    ),
    ("arguments", ("tools=specs, ", ""), "Your request has no `tools`"),
    (
        "arguments",
        ("    while True:", "    return specs\n    while True:"),
        "No request was sent with",
    ),
]
