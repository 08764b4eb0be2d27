"""Attempts at `agent_loop`: right ones, and wrong ones with the rule that refuses them."""

from judge_rules import slip

from lesson.exercises.agent_loop import PAGE

PLAIN = PAGE.solution
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
CALL_REMIND = "        text = remind(uses) if remind else None\n"
IN_LAST = r'results[-1]["content"] += "\n\n" + text'
BLOCK = '{"type": "text", "text": text}'
OUTPUT = '{"type": "text", "text": results[-1]["content"]}'
# What the lesson taught until version 1.2: two blocks in place of one string.
TWO_BLOCKS = f'results[-1]["content"] = [{OUTPUT}, {BLOCK}]'
RIGHT = {
    "helper classes, match, partial and **kwargs": HELPERS,
    "a closure that yields, and lists of blocks": CLOSURE,
    "two blocks": slip(PLAIN, (IN_LAST, TWO_BLOCKS)),
    "remind is called in the for, after the last call": slip(
        PLAIN,
        (CALL_REMIND, ""),
        (
            '"content": output})\n',
            '"content": output})\n            if use is uses[-1]:\n        ' + CALL_REMIND,
        ),
    ),
}
RESULTS = 'messages.append({"role": "user", "content": results})'
RETURN = "        if not uses:\n            return\n"
END = [(RETURN, ""), (f"        {RESULTS}\n", f"        {RESULTS}\n{RETURN}")]
WRONG = [
    ("results_go_back", E1, (f"        {RESULTS}", f"            {RESULTS}"), "after the `for`"),
    ("stops", E1, *END, "appended a message without results"),
    (
        "asks_for_a_tool",
        E1,
        (f"        {RESULTS}", f"            {RESULTS}\n            return"),
        "in the `for`",
    ),
]
