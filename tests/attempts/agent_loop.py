"""Attempts at `agent_loop`: right ones, and wrong ones with the rule that refuses them."""

from judge_rules import slip

PLAIN = '''
from agentlib import call_tool


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

        # Remind: what the nag says is a second text block inside the last result.
        text = remind(uses) if remind else None
        if text:
            output = {"type": "text", "text": results[-1]["content"]}
            results[-1]["content"] = [output, {"type": "text", "text": text}]

        # Answer: send all results in one message.
        messages.append({"role": "user", "content": results})
'''
KEEP = """        if any(block.type != "text" or block.text.strip() for block in reply.content):
            messages.append({"role": "assistant", "content": reply.content})
"""
REMIND = PLAIN[PLAIN.index("        # Remind") : PLAIN.index("        # Answer")]
# The loop of the first level: without `remind`, and it appends every reply.
E1 = slip(
    PLAIN,
    (", remind=None", ""),
    (KEEP, '        messages.append({"role": "assistant", "content": reply.content})\n'),
    (REMIND, ""),
)
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
RECURSIVE = """
def agent_loop(client, messages, tools, **settings):
    by_name = dict(map(lambda tool: (tool.name, tool), tools))
    answer = client.messages.create(
        tools=[one.spec for one in by_name.values()], messages=messages, **settings)
    messages.append(dict(role="assistant", content=[one.to_dict() for one in answer.content]))
    if calls := [one for one in answer.content if one.type == "tool_use"]:
        messages.append(dict(role="user", content=[
            dict(type="tool_result", tool_use_id=one.id,
                 content=[{"type": "text", "text": call_tool(by_name, one.name, one.input).output}])
            for one in calls]))
        agent_loop(client, messages, list(by_name.values()), **settings)
    return messages
"""
FIRST = {
    "plain": E1,
    "in its own words": OWN,
    "an object that runs the tools itself": slip(
        E1,
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
    "a loop that yields": slip(E1, ("results = []", "results = []\n        yield reply")),
    "a recursive function": RECURSIVE,
}
OUTPUT = "output = call_tool(dispatch, use.name, use.input).output"
WITH_CALLS = slip(
    PLAIN,
    ("results = []", "results, calls = [], []"),
    (OUTPUT, f"calls.append(call_tool(dispatch, use.name, use.input))\n{' ' * 12}{OUTPUT}"),
    ("call_tool(dispatch, use.name, use.input).output\n", "calls[-1].output\n"),
    ("remind(uses)", "remind(calls)"),
)
HELPERS = """
import functools
from dataclasses import dataclass, field


@dataclass
class Turn:
    tools: list
    results: list = field(default_factory=list)

    def act(self, use):
        call = call_tool({tool.name: tool for tool in self.tools}, use.name, use.input)
        self.results.append(
            {"type": "tool_result", "tool_use_id": use.id, "content": call.output}
            | ({} if call.ok else {"is_error": True}))
        return call


def has_words(block):
    match block.type:
        case "text":
            return bool(block.text.strip())
        case _:
            return True


def agent_loop(client, messages, tools, **kwargs):
    remind = kwargs.pop("remind", None) or (lambda calls: None)
    ask = functools.partial(client.messages.create, tools=[tool.spec for tool in tools], **kwargs)
    while True:
        reply = ask(messages=messages)
        if [*filter(has_words, reply.content)]:
            messages.append({"role": "assistant", "content": reply.content})
        turn = Turn(list(tools))
        calls = [turn.act(block) for block in reply.content if block.type == "tool_use"]
        if not calls:
            break
        text = remind(tuple(calls))
        if text is not None:
            turn.results[-1]["content"] = [
                {"type": "text", "text": part} for part in (calls[-1].output, text)]
        messages += [{"role": "user", "content": turn.results}]
"""
CLOSURE = """
def agent_loop(client, messages, tools, remind=None, **settings):
    dispatch = {tool.name: tool for tool in tools}

    def rounds():
        while True:
            reply = client.messages.create(
                messages=messages, tools=[tool.spec for tool in tools], **settings)
            kept = [b for b in reply.content if b.type != "text" or b.text.strip()]
            if kept:
                messages.append({"role": "assistant", "content": kept})
            uses = [block for block in kept if block.type == "tool_use"]
            if not uses:
                return
            yield uses

    for uses in rounds():
        results = [
            dict(type="tool_result", tool_use_id=use.id,
                 content=[dict(type="text", text=call_tool(dispatch, use.name, use.input).output)])
            for use in uses]
        if remind and (said := remind(uses)):
            results[-1]["content"].append(dict(type="text", text=said))
        messages.append(dict(role="user", content=results))
"""
RIGHT = {
    "with the calls of agentlib": WITH_CALLS,
    "helper classes, match, partial and **kwargs": HELPERS,
    "a closure that yields, and lists of blocks": CLOSURE,
    "a loop that yields": slip(PLAIN, ("results = []", "results = []\n        yield reply")),
}
REPLY = 'messages.append({"role": "assistant", "content": reply.content})'
RESULTS = 'messages.append({"role": "user", "content": results})'
CALL = "call_tool(dispatch, use.name, use.input)"
IN_LAST = 'results[-1]["content"] = [output, {"type": "text", "text": text}]'
TEXT = '{"type": "text", "text": text}'
# What is appended is lost if the server fails.
FORGETS = """        try:
            reply = client.messages.create(messages=messages, tools=specs, **settings)
        except Exception:
            del messages[-2:]
            raise
"""
ASK = FORGETS.splitlines()[1][4:] + "\n"
WRONG = [
    ("arguments", E1, ("tools=specs", "tools=tools"), "Send the specs"),
    ("arguments", E1, ("messages=messages", "messages=messages[-1:]"), "send all messages"),
    ("models_turn", E1, (REPLY, "messages.append(reply)"), "Append a dict"),
    ("asks_for_a_tool", E1, ("block.type", 'block["type"]'), "write `block.type`"),
    (
        "results_go_back",
        E1,
        (f"        {RESULTS}", f"            {RESULTS}"),
        "append one message after the `for`",
    ),
    ("ids", E1, ("use.id", "uses[0].id"), "from its own call"),
    ("errors_go_back", E1, (f"{CALL}.output", "dispatch[use.name].run(**use.input)"), "catches it"),
    ("stops", E1, ("if not uses:", "if reply.stop_reason == 'end_turn':"), "return before"),
    ("together", E1, ("while True:", "for _ in range(10):"), "Does it limit the rounds?"),
    ("conversations", E1, (ASK, FORGETS), "append only"),
    ("called", ("remind(uses)", "[remind([use]) for use in uses][-1]"), "after the `for` loop"),
    ("inside", (IN_LAST, f"results.append({TEXT})"), "next to the results"),
    ("inside", ("if text:", "if remind:"), "`remind` may return None"),
    ("empty_reply", (".text.strip()", ".text"), "block.text.strip()"),
]
