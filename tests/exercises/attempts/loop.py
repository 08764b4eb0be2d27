from exercises.cells import slip

from lesson import LOOP_SOLUTION

PLAIN = LOOP_SOLUTION
RIGHT = {
    "the solution": LOOP_SOLUTION,
    "the blocks as dicts": slip(
        LOOP_SOLUTION,
        ('"content": reply.content', '"content": [block.to_dict() for block in reply.content]'),
    ),
    "by the stop reason": slip(
        LOOP_SOLUTION, ("if not results", "if reply.stop_reason != 'tool_use'")
    ),
    "prints": slip(LOOP_SOLUTION, ("results = []", "results = []\n        print(len(messages))")),
    "yields each reply": slip(LOOP_SOLUTION, ("results = []", "results = []\n        yield reply")),
    "in its own words": """
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
""",
    "an object with a method": slip(
        LOOP_SOLUTION, ("def agent_loop(client", "def play(self, client"), ("\n    ", "\n    ")
    )
    + """
class Loop:
    __call__ = play

agent_loop = Loop()
""",
}
OWN = RIGHT["in its own words"]
WRONG = [
    ("models_turn", OWN, [('"role": reply.role', '"role": "user"')]),
    ("asks_for_a_tool", OWN, [('== "tool_use"', '== "tool"')]),
    ("ids", OWN, [("in zip(uses, outputs)", "in zip(uses[::-1], outputs)")]),
    ("stops", OWN, [("wants = bool(uses)", "wants = False")]),
    ("results_go_back", OWN, [('"role": "user"', '"role": "assistant"')]),
    ("together", [("while True:", "for _ in range(10):")]),
    ("together", [("**settings\n", "model='practice', max_tokens=8000\n")]),
    (
        "asks_for_a_tool",
        [
            (
                "                call = call_tool(",
                "                print(call_tool({t.name: t for t in tools}, block.name, "
                "block.input))\n                call = call_tool(",
            )
        ],
    ),
    (
        "together",
        OWN,
        [
            ("        messages.append({", "        turn = ({"),
            ("        if wants:\n", "        if wants:\n            messages.append(turn)\n"),
        ],
    ),
]
