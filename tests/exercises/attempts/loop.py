from exercises.cells import slip

from lesson import LOOP_SOLUTION

PLAIN = LOOP_SOLUTION
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
    "by the stop reason": slip(PLAIN, ("if not results", "if reply.stop_reason != 'tool_use'")),
    "prints, and keeps the blocks as dicts": slip(
        PLAIN,
        ("results = []", "results = []\n        print(len(messages))"),
        ("reply.content}", "[block.to_dict() for block in reply.content]}"),
    ),
    "in its own words": OWN,
    "an object that yields": slip(
        PLAIN,
        ("def agent_loop(client", "def play(self, client"),
        ("results = []", "results = []\n        yield reply"),
    )
    + "\nclass Loop:\n    __call__ = play\n\nagent_loop = Loop()\n",
}
CALL = "call_tool({tool.name: tool for tool in tools}, block.name, block.input)"
PRINTED = f"print({CALL})\n                "
WRONG = [
    ("models_turn", OWN, ('"role": reply.role', '"role": "user"')),
    ("asks_for_a_tool", OWN, ('== "tool_use"', '== "tool"')),
    ("asks_for_a_tool", ("call = call_tool(", PRINTED + "call = call_tool(")),
    ("ids", OWN, ("in zip(uses, outputs)", "in zip(uses[::-1], outputs)")),
    ("stops", OWN, ("wants = bool(uses)", "wants = False")),
    ("results_go_back", OWN, ('"role": "user"', '"role": "assistant"')),
    ("together", ("while True:", "for _ in range(10):")),
    ("together", ("**settings\n", "model='practice', max_tokens=8000\n")),
    (
        "together",
        OWN,
        ("        messages.append({", "        turn = ({"),
        ("        if wants:\n", "        if wants:\n            messages.append(turn)\n"),
    ),
]
