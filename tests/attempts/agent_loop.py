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
FIRST = {
    "plain": E1,
    "a loop that yields": slip(E1, ("results = []", "results = []\n        yield reply")),
}
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
    "helper classes, match, partial and **kwargs": HELPERS,
    "a closure that yields, and lists of blocks": CLOSURE,
}
RESULTS = 'messages.append({"role": "user", "content": results})'
CALL = "call_tool(dispatch, use.name, use.input)"
IN_LAST = 'results[-1]["content"] = [output, {"type": "text", "text": text}]'
BLOCK = '{"type": "text", "text": text}'
RETURN = "        if not uses:\n            return\n"
END = [(RETURN, ""), (f"        {RESULTS}\n", f"        {RESULTS}\n{RETURN}")]
WRONG = [
    ("arguments", E1, ("tools=specs", "tools=tools"), "Send the specs"),
    ("asks_for_a_tool", E1, ("block.type", 'block["type"]'), "write `block.type`"),
    ("results_go_back", E1, (f"        {RESULTS}", f"            {RESULTS}"), "after the `for`"),
    ("errors_go_back", E1, (f"{CALL}.output", "dispatch[use.name].run(**use.input)"), "catches it"),
    ("conversations", E1, *END, "appended a message without results"),
    (
        "conversations",
        E1,
        ("in uses:\n", "in {str(u.input): u for u in uses}.values():\n"),
        "one for each call",
    ),
    ("called", ("remind(uses)", "[remind([use]) for use in uses][-1]"), "after the `for` loop"),
    ("inside", (IN_LAST, 'results.append({"type": "text", "text": text})'), "next to the results"),
    ("inside", (IN_LAST, f'results[-1]["content"].append({BLOCK})'), "still a string"),
    ("inside", (IN_LAST, f'results[-1]["content"] += [{BLOCK}]'), "still a string"),
    ("inside", ("if text:", "if remind:"), "may return None"),
    ("empty_reply", (".text.strip()", ".text"), "block.text.strip()"),
]
