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

        # Remind: what the nag says is added to the last result, after a blank line.
        text = remind(uses) if remind else None
        if text:
            results[-1]["content"] += "\\n\\n" + text

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
SWALLOWS = f"        try:\n    {CALL_REMIND}        except Exception:\n            text = None\n"
CALL = "call_tool(dispatch, use.name, use.input)"
RETURN = "        if not uses:\n            return\n"
END = [(RETURN, ""), (f"        {RESULTS}\n", f"        {RESULTS}\n{RETURN}")]
APPEND = '        messages.append({"role": "assistant", "content": reply.content})\n'
CLEARS_OLD_RESULTS = """        for message in messages[:-7]:
            for block in message["content"] if message["role"] == "user" else []:
                if isinstance(block, dict):
                    block["content"] = "(cleared)"
"""
IF_TEXT = "        if text:"
COUNTS_SILENCE = (
    ("    while", "    silent = 0\n    while"),
    (f"        {RESULTS}", f"        silent = 0 if text else silent + 1\n        {RESULTS}"),
)
CHANGE_OLD = '            if len(messages) > 30:\n                messages[24]["content"] = "old"'
LOST, ORDER = "it is not in the last result", "in the order of the reply"
SENTENCES = {
    "Write `agent_loop` with the code of the last three cells.": (
        "first:results_go_back",
        E1,
        ("for use in uses", "for use in uses[:3]"),
        "have no result",
    ),
    "It only appends to `messages`, and never makes a new list such as `history`.": (
        "first:arguments",
        E1,
        ("            return\n", "            del messages[0]\n            return\n"),
        "was not kept",
    ),
    "It gets all that it needs as arguments: the client, the messages, a list of tools, and the "
    "settings.": (
        "arguments",
        E1,
        ("    while", '    settings.pop("system", None)\n    while'),
        "The settings of a request",
    ),
    "Each tool has a `name`, and a `spec`, which is its tool definition.": None,
    "Build the specs and the dispatch map from `tools`.": (
        "all_together",
        E1,
        ("for tool in tools}", "for tool in tools[:2]}"),
        "from all `tools`",
    ),
    "It stops when a reply has no tool call.": (
        "stops",
        E1,
        ("while True", "for _ in range(20)"),
        "do not limit the rounds",
    ),
    "Look at the blocks for this, and not at the stop reason, because a reply that was cut off "
    "can contain a call although its stop reason is `max_tokens`.": (
        "stops",
        E1,
        ("if not uses", 'if reply.stop_reason != "tool_use"'),
        "looks at the stop reason",
    ),
    "Append **every** reply, also the last one, which has no call.": (
        "models_turn",
        E1,
        (APPEND, f'        if "tool_use" in {{b.type for b in reply.content}}:\n    {APPEND}'),
        "The last reply is not in",
    ),
    "(Only Exercise E5 leaves out an empty one.)": None,
    "It sends each reply back whole, because a reply may also have blocks of other types.": (
        "models_turn",
        E1,
        (
            '"content": reply.content',
            '"content": [b for b in reply.content if b.type != "thinking"]',
        ),
        "not the whole reply",
    ),
    "It runs each call": (
        "asks_for_a_tool",
        E1,
        (f"            output = {CALL}", f"            {CALL}\n            output = {CALL}"),
        "Run each call once",
    ),
    "with `call_tool`,": (
        "errors_go_back",
        E1,
        (f"{CALL}.output", "dispatch[use.name].run(**use.input)"),
        "catches it",
    ),
    "and answers all calls of a reply in one message,": (
        "results_go_back",
        E1,
        (f"        {RESULTS}\n", ""),
        ("            results.append(", "            one = ("),
        (
            '"content": output})\n',
            f'"content": output}})\n            {RESULTS.replace("results", "[one]")}\n',
        ),
        "after the `for`",
    ),
    "in their order.": (
        "first:results_go_back",
        E1,
        (RESULTS, RESULTS.replace("results", "results[::-1]")),
        "in their order",
    ),
}
SENTENCES_OF_LEVEL = {
    "remind": {
        "Your nag only returns text, and the loop must send it. Four places come to mind: "
        "- *Before the results*, where the course had it at first, the API rejects it. - *After "
        "them*, where the course has it now, some models [may answer with an empty "
        "reply](../docs/sources.md#the-api), which ends the run. - *In a message with the role "
        "`system`* after them, [only the newest models](../docs/sources.md#the-api) take it. With "
        "`clear_at`, it is shown until the next message of the user. - **Inside the last result**, "
        "[the API accepts it](../docs/sources.md#the-api) with every model. A model may distrust "
        "it there, so the system prompt says whose it is.": None,
        "Here is the loop of s02, with one more argument, and with a condition for empty "
        "replies.": (
            "empty_reply",
            (".text.strip()", ".text"),
            "more than whitespace",
        ),
        "Add about three lines at the last comment: 1. If there is a `remind`,": (
            "first:results_go_back",
            ("remind(uses) if remind else None", "remind(uses)"),
            "whose default is None",
        ),
        "call it once": ("called", ("remind(uses)", "remind(uses[:1])"), "all calls of the round"),
        "with the calls of the round,": (
            "all_reminded",
            ("remind(uses)", "remind(uses[:3])"),
            "without all calls",
        ),
        "after the tools have run. (Your nag will show the list as it is then.)": (
            "called",
            (CALL_REMIND, ""),
            ("        results = []\n", f"        results = []\n{CALL_REMIND}"),
            "before all tools have run",
        ),
        "An error in `remind` ends the run.": (
            "called",
            (CALL_REMIND, SWALLOWS),
            "did not end your run",
        ),
        "2. If it returns text,": ("inside", ("if text:", "if remind:"), "no reminder is due"),
        'add a blank line (`"\\n\\n"`) and this text to the content of the last result, which is a '
        "string.": ("inside", (r'"\n\n" + text', r'"\n" + text'), "exactly one blank line"),
    }
}
ASK = "        reply = client.messages.create(messages=messages, tools=specs, **settings)\n"
WRONG = [
    *filter(None, SENTENCES.values()),
    *filter(None, SENTENCES_OF_LEVEL["remind"].values()),
    ("arguments", E1, ("tools=specs", "tools=tools"), "the specs of the tools"),
    (
        "arguments",
        E1,
        ("specs = [tool", "specs = vars(agent_loop).setdefault('specs', [tool"),
        ("in tools]\n", "in tools])\n"),
        "In its second run",
    ),
    ("arguments", ("remind=None", "remind"), "the argument `remind=None`"),
    (
        "arguments",
        E1,
        (APPEND, APPEND.replace(".append(", " = messages + list((").replace("})", "},))")),
        "new list",
    ),
    ("asks_for_a_tool", E1, ("block.type", 'block["type"]'), "write `block.type`"),
    *(
        (
            "asks_for_a_tool",
            E1,
            ("{tool.name: tool for tool in tools}", dispatch),
            "No tool has run",
        )
        for dispatch in (
            "{tool.name: tool.spec for tool in tools}",
            "{tool.name: tool.run for tool in tools}",
            "[tool.name for tool in tools]",
            "tools",
        )
    ),
    ("asks_for_a_tool", E1, ('"tool_use_id"', '"tool_id"'), "has three keys"),
    ("arguments", E1, ("def agent_loop", "async def agent_loop"), "instead of `async def`"),
    (
        "results_go_back",
        E1,
        ("            results.append(", "            results = results.append("),
        "This is None",
    ),
    ("arguments", E1, ("{tool.name: tool for", "{tool: tool.name for"), "names as keys"),
    ("asks_for_a_tool", E1, ("use.input", "use.args"), "no field of another name"),
    ("results_go_back", E1, ("for use in uses:", "for use in uses[:8]:"), "have no result"),
    (
        "models_turn",
        E1,
        (
            '"content": reply.content',
            '"content": [b for b in reply.content if "redacted" not in b.type]',
        ),
        "not the whole reply",
    ),
    ("inside", ("if text:", "if text and len(messages) < 20:"), "it is not in the last result"),
    ("inside", ("+ text", "+ text[:500]"), "not the text that `remind`"),
    *(
        ("called", (CALL_REMIND, SWALLOWS.replace("Exception", name)), "did not end your run")
        for name in ("KeyError", "RuntimeError", "(LookupError, TypeError)")
    ),
    (
        "stops",
        E1,
        ("        reply = client", CLEARS_OLD_RESULTS + "        reply = client"),
        "kept",
    ),
    ("results_go_back", E1, (f"{CALL}.output", f"{CALL}.output[:10000]"), "unchanged"),
    ("inside", ("+ text", "+ text.strip()"), "not the text that `remind`"),
    ("inside", ("            results[-1][", "            uses[-1]["), "your own results are dicts"),
    ("inside", (IN_LAST, 'uses[-1]["content"] = text'), "The results are your own dicts"),
    ("stops", E1, ("if not uses", 'if reply.stop_reason == "end_turn"'), "at the stop reason"),
    (
        "stops",
        E1,
        ("if not uses", 'if not uses or reply.stop_reason == "end_turn"'),
        "at the stop reason",
    ),
    (
        "stops",
        E1,
        ("        reply = client", "        try:\n            reply = client"),
        ("**settings)\n", "**settings)\n        except Exception:\n            return\n"),
        "did not end your run",
    ),
    ("asks_for_a_tool", E1, ("in reply.content if", "in reply.content[-1:] if"), "among all"),
    (
        "models_turn",
        E1,
        (f"{CALL}.output", f"{CALL}.output; use.input.clear()"),
        "not the whole reply",
    ),
    (
        "asks_for_a_tool",
        E1,
        ("    while", "    uses = []\n    while"),
        ("uses = [block", "uses += [block"),
        "more results than calls",
    ),
    (
        "asks_for_a_tool",
        E1,
        ('block.type == "tool_use"', 'hasattr(block, "input")'),
        "no call for your program",
    ),
    ("results_go_back", E1, (f"        {RESULTS}", f"            {RESULTS}"), "after the `for`"),
    (
        "results_go_back",
        E1,
        ("        results = []\n", ""),
        ("    while", "    results = []\n    while"),
        "inside `while`",
    ),
    (
        "results_go_back",
        E1,
        (
            "            output = call_tool",
            "            results = []\n            output = call_tool",
        ),
        "have no result",
    ),
    ("results_go_back", E1, (f"{CALL}.output", f"{CALL}.output.strip()"), "unchanged"),
    *(
        ("inside", ("+= ", f"= {output} + "), "its own output, whole and unchanged")
        for output in ("output.strip()", "output[:1000]", "text + output", "output + output")
    ),
    (
        "inside",
        (IN_LAST, r'results[-1]["content"] = text + "\n\n" + output'),
        "first its own output",
    ),
    ("inside", ("+ text", "+ 2 * text"), "once"),
    *(
        ("inside", (r'"\n\n"', between), "exactly one blank line")
        for between in (r'"\n\n\n"', '" "', '""')
    ),
    ("inside", (IN_LAST, IN_LAST.replace("text", "str(text)")), ("if text", "if remind"), "None"),
    ("inside", ("if text:", "if remind:"), "no reminder is due"),
    ("inside", ('results[-1]["content"] +=', "results[-1] +="), "was replaced by text"),
    ("inside", (IN_LAST, "results[-1] = output + text"), "was replaced by text"),
    ("inside", (IN_LAST, "output += text"), "it is not in the last result"),
    (
        "results_go_back",
        E1,
        (RESULTS, 'messages = [*messages, {"role": "user", "content": results}]'),
        "make no new list",
    ),
    ("results_go_back", E1, (f"{CALL}.output", f"{CALL}.output[:1000]"), "unchanged"),
    (
        "results_go_back",
        E1,
        (RESULTS, f'{RESULTS}\n        messages.append({{"role": "user", "content": "Go on."}})'),
        "nothing but its results",
    ),
    (
        "results_go_back",
        E1,
        (RESULTS, 'results.append({"type": "text", "text": "Go on."})\n        ' + RESULTS),
        "nothing but its results",
    ),
    ("arguments", E1, ("messages=messages", "messages=messages[-20:]"), "was not kept"),
    (
        "asks_for_a_tool",
        E1,
        ("for use in uses", "for use in reversed(uses)"),
        "in the order of the reply",
    ),
    (
        "errors_go_back",
        E1,
        (f"output = {CALL}.output", f"call = {CALL}"),
        (
            "results.append(",
            "if not call.ok:\n                raise ValueError(call.output)\n            "
            "output = call.output\n            results.append(",
        ),
        "its `output` is the result",
    ),
    ("stops", E1, *END, "appended a message without results"),
    (
        "asks_for_a_tool",
        E1,
        ("in uses:\n", "in {str(u.input): u for u in uses}.values():\n"),
        "one for each call",
    ),
    ("arguments", E1, ("tool.spec for", "tool.spec() for"), "which is not called"),
    ("results_go_back", E1, ('"tool_result"', '"result"'), 'of the type "tool_result"'),
    (
        "models_turn",
        E1,
        (
            APPEND,
            '        said = "".join(b.text for b in reply.content if b.type == "text")\n'
            '        has_call = "tool_use" in [b.type for b in reply.content]\n'
            f"{APPEND.replace('reply.content', 'reply.content if has_call else said')}",
        ),
        "not the whole reply",
    ),
    ("models_turn", E1, ('"role": "assistant"', '"role": "model"'), "two keys"),
    ("models_turn", E1, (APPEND, "        messages.append(reply)\n"), "a dict with two keys"),
    ("models_turn", E1, (APPEND, ""), "before its results"),
    (
        "stops",
        E1,
        ("if not uses", 'if {block.type for block in reply.content} == {"text"}'),
        "or asked again",
    ),
    (
        "stops",
        E1,
        ("if not uses", 'if not uses or reply.stop_reason == "max_tokens"'),
        "at the stop reason",
    ),
    (
        "asks_for_a_tool",
        E1,
        ("    while", "    known = {}\n    while"),
        (
            f"output = {CALL}.output",
            "key = str(use.input)\n"
            f"            output = known[key] if key in known else {CALL}.output\n"
            "            known[key] = output",
        ),
        "equal to an earlier one",
    ),
    (
        "results_go_back",
        E1,
        (f"{CALL}.output", "done[use.name].output"),
        (
            "        results = []\n",
            f"        done = {{use.name: {CALL} for use in uses}}\n        results = []\n",
        ),
        "its own call",
    ),
    (
        "results_go_back",
        E1,
        ("    while", "    done = []\n    while"),
        (f"output = {CALL}.output", f"done.append({CALL}.output)"),
        ('"content": output', '"content": done[uses.index(use)]'),
        "its own call",
    ),
    ("results_go_back", E1, (f"{CALL}.output", CALL), "a Call, which is an object"),
    (
        "arguments",
        E1,
        ("messages=messages", "messages=messages[:1] + messages[1:][-12:]"),
        "was not kept",
    ),
    (
        "arguments",
        E1,
        ("{tool.name: tool for tool in tools}\n", "vars(agent_loop)\n"),
        ("    specs", "    dispatch.update({tool.name: tool for tool in tools})\n    specs"),
        "In its second run",
    ),
    ("called", (CALL_REMIND, "        text = None\n"), "has not called `remind`"),
    (
        "called",
        ("if remind else", "if remind and uses[-1].name != 'todo' else"),
        "in each round with tool calls",
    ),
    (
        "called",
        ("        if text:\n", "        if text:\n            remind = None\n"),
        "has not called `remind`",
    ),
    ("called", ("remind(uses)", "[remind([use]) for use in uses][-1]"), "too often"),
    (
        "called",
        (RETURN, RETURN.replace("return", "return remind and remind(uses)")),
        "too often",
    ),
    ("inside", (IN_LAST, f"results.append({BLOCK})"), "next to the results"),
    ("inside", (IN_LAST, f"results.insert(0, {BLOCK})"), "next to the results"),
    (
        "inside",
        (IN_LAST, 'messages.append({"role": "user", "content": text})'),
        "in its own message",
    ),
    (
        "inside",
        (IN_LAST, f'results[-1]["content"].append({BLOCK})'),
        "content of a result is a str",
    ),
    (
        "inside",
        (IN_LAST, f'results[-1]["content"] += [{BLOCK}]'),
        "content of a result is a string",
    ),
    ("inside", ("results[-1]", "results[0]"), "into one result alone"),
    (
        "inside",
        ("        if text:", "        for one in results if text else ():"),
        ("results[-1]", "one"),
        "into one result alone",
    ),
    *(
        ("inside", (IN_LAST, TWO_BLOCKS), (f"[{OUTPUT}, {BLOCK}]", blocks), "its own output, whole")
        for blocks in (
            f"[{BLOCK}]",
            f"[{BLOCK}, {OUTPUT}]",
            f"[{OUTPUT}, {OUTPUT}, {BLOCK}]",
            "[output, text]",
        )
    ),
    (
        "inside",
        (IN_LAST, TWO_BLOCKS),
        (BLOCK, '{"type": "text", "content": text}'),
        "not the text that `remind`",
    ),
    (
        "inside",
        ("if text:", "if remind:"),
        ("+ text", '+ (text or "")'),
        "not even an empty line",
    ),
    (
        "inside",
        ("    while True:\n", "    text = None\n    while True:\n"),
        ("remind(uses) if remind else None", "(remind and remind(uses)) or text"),
        "of an earlier round",
    ),
    ("inside", ("if text:", 'if text and "rror" not in output:'), "also if a call has failed"),
    # What a beginner writes first.
    ("arguments", E1, ("    while", "    return\n    while"), "has ended, or goes round, without"),
    (
        "asks_for_a_tool",
        E1,
        (ASK, ""),
        ("    while True:\n", f"{ASK[4:]}    while True:\n"),
        "only once",
    ),
    ("arguments", E1, ("messages=messages", "messages"), "by its name"),
    ("arguments", E1, ("client.messages", "client"), "client.messages.create"),
    ("models_turn", E1, ('"content": reply.content', '"content": reply["content"]'), "in `reply."),
    ("asks_for_a_tool", E1, ('.type == "tool_use"', ".name"), "Only a block of the type"),
    (
        "asks_for_a_tool",
        E1,
        (f"        {RESULTS}", f"            {RESULTS}\n            return"),
        "in the `for`",
    ),
    ("results_go_back", E1, ('_id": use.id', '_id": uses[0].id'), "have the ids of the calls"),
    ("called", ("remind(uses)", "remind([use.name() for use in uses])"), "without parentheses"),
    ("called", ("remind(uses) if remind", "remind if remind"), "is a function"),
    (
        "arguments",
        E1,
        ("    dispatch", "    tools = [tool.spec for tool in tools]\n    dispatch"),
        "no Tool",
    ),
    # Limits, and what is caught.
    ("stops", E1, ("while True", "for _ in range(119)"), "do not limit the rounds"),
    ("arguments", E1, ("messages=messages", "messages=messages[-200:]"), "was not kept"),
    (
        "arguments",
        E1,
        (ASK, f'{ASK}        settings["tool_choice"] = {{"type": "auto"}}\n'),
        "have changed",
    ),
    *(
        (
            "stops",
            E1,
            (ASK, f"        try:\n    {ASK}        except {name}:\n            return\n"),
            "did not end your run",
        )
        for name in ("KeyboardInterrupt", "SystemExit", "BaseException")
    ),
    (
        "stops",
        E1,
        (
            f"            output = {CALL}.output\n",
            f"            output = ''\n            try:\n                output = {CALL}.output\n"
            "            except KeyboardInterrupt:\n                pass\n",
        ),
        "did not end your run",
    ),
    (
        "called",
        (
            CALL_REMIND,
            f"        text = ''\n        try:\n    {CALL_REMIND}"
            "        except Exception:\n            pass\n",
        ),
        "did not end your run",
    ),
    ("all_together", E1, ("if not uses", "if not any(u.input for u in uses)"), "among all"),
    # What only a random story meets.
    ("all_together", E1, ("for tool in tools}", "for tool in tools[:2]}"), "from all `tools`"),
    (
        "results_go_back",
        E1,
        ('"content": output', '"content": output, "is_error": True'),
        "as an error",
    ),
    (
        "all_together",
        E1,
        (
            "if not uses",
            "if not uses or any(b.type == 'text' and 'Done' in b.text for b in reply.content)",
        ),
        "among all",
    ),
    ("all_reminded", ("if text:", "if text and len(text) > 9:"), "it is not in the last result"),
    (
        "all_reminded",
        ("if remind else", "if remind and reply.stop_reason != 'max_tokens' else"),
        "has not called `remind`",
    ),
    # What only a reminder after silent rounds meets, or a tool with the name of a real one.
    *(
        (
            "inside",
            *COUNTS_SILENCE,
            (IF_TEXT, IF_TEXT.replace(":", f" and silent < {rounds}:")),
            LOST,
        )
        for rounds in (3, 6, 14)
    ),
    (
        "inside",
        *COUNTS_SILENCE,
        ("if remind else", "if remind and silent < 5 else"),
        LOST,
    ),
    (
        "inside",
        ("            results[-1][", "            (results if len(messages) < 60 else old)[-1]["),
        (f"{RESULTS}\n", f"{RESULTS}\n        old = results\n"),
        LOST,
    ),
    (
        "inside",
        (IN_LAST, f"{IN_LAST}\n{CHANGE_OLD}"),
        "was not kept",
    ),
    *(
        ("all_together", E1, ("in uses:", f"in sorted(uses, key=lambda use: {key}):"), ORDER)
        for key in ("use.name == 'bash'", "use.name != 'read_file'", "use.name == 'todo'")
    ),
    (
        "all_together",
        E1,
        ("in uses:", "in [one for n, one in enumerate(uses) if n == LAST or one.name != 'todo']:"),
        ("LAST", "max(n for n, one in enumerate(uses) if one.name == 'todo' or n == 0)"),
        "have no result",
    ),
    (
        "all_together",
        E1,
        (
            f"{RESULTS}\n",
            f"{RESULTS}\n        if 'items' in uses[-1].input:\n            return\n",
        ),
        "Ask again",
    ),
    ("errors_go_back", E1, ("if not uses", "if not uses or not tools"), "with a tool call"),
]
