"""A tool call that a model has written as text is recognized, and words about a call are not."""

import time

import pytest

from safetylib.wire.written_calls import is_written_call

TOOLS = ["bash", "read_file", "write_file", "todo"]
CALL = '{"name": "read_file", "arguments": {"path": "a.txt"}}'
INVOKE = '<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>'
DSML = (
    '<|DSML|tool_calls>\n<|DSML|invoke name="bash">\n<|DSML|parameter name="a" string="true">1'
    "</|DSML|parameter>\n</|DSML|invoke>\n</|DSML|tool_calls>"
)
TOKENS = '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>'
ARGUMENTS = '({"path": "a.txt"})'
WRITTEN = {
    "tags": f"<tool_call>\n{CALL}\n</tool_call>",
    "tags behind words": f"Now I read it.\n<tool_call>{CALL}</tool_call>",
    "tags and an imagined result": f"<tool_call>{CALL}</tool_call>\n<result>1</result>\nIt is.",
    "tags, cut off": '<tool_call> {"name": "write_file", "input": {"content": "half of the',
    "tags of a function": "<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>",
    "function_calls": '<function_calls><invoke name="bash"></invoke></function_calls>',
    "gpt-oss": 'commentary to=functions.read_file json{"path": "a.txt"}',
    "gpt-oss with marks": "<|channel|>commentary to=functions.bash <|constrain|>json<|message|>"
    '{"command": "ls"}<|call|>',
    "gpt-oss behind a sentence": 'We must.assistantcommentary to=functions.bash json{"a": "ls"}',
    "JSON": CALL,
    "JSON behind words": f"I will read the file:\n\n{CALL}",
    "JSON in a fence": f"Let me look.\n```json\n{CALL}\n```\n",
    "JSON in lines": '{\n  "name": "bash",\n  "input": {\n    "command": "ls"\n  }\n}',
    "JSON of OpenAI": '{"tool_calls": [{"id": "c1", "type": "function", "function": '
    '{"name": "bash", "arguments": "{}"}}]}',
    "JSON, and an explanation behind": f"```json\n{CALL}\n```\n\nThis reads the file.",
    "JSON, again and again": f"{CALL}\n" * 9 + CALL[:30],
    "JSON, cut off in a text": '{"name": "write_file", "input": {"content": "def f():\\n  return {',
    "JSON of an invented tool": '```json\n{"name": "new_shop", "arguments": {"a": {}}}\n```',
    "a field call": 'I start.\n{"call": "read_file", "path": "a.txt"}',
    "a label": 'First the file.\n[Tool Use: read_file {"path": "a.txt"}]',
    "Claude Opus 4.8": f"court\n{INVOKE}",
    "Claude Opus 4.8 behind words": f"Now I read it.\n\ncount\n{INVOKE}\n{INVOKE}",
    "Claude Opus 4.8, cut off": f"call\n{INVOKE[:-20]}",
    "Claude Opus 4.8 without a bracket": f"court\n{INVOKE[1:]}",
    "DSML": DSML.replace("|", "\uff5c"),
    "DSML with two bars behind words": "I look.\n\n" + DSML.replace("|", "||"),
    "DSML with spaces": DSML.replace("|", " | ").replace("calls", "use"),
    "DSML, one call": DSML.replace("|", "\uff5c\uff5c")[20:],
    "MiniMax M2": f"I read it.\n<minimax:tool_call>\n{INVOKE}\n</minimax:tool_call>",
    "MiniMax M3 behind a sentence": f"I read it.]<]minimax[>[<tool_call>\n]<]minimax[>[{INVOKE}",
    "MiniMax in brackets": '[TOOL_CALL]\n{tool => "bash", args => {\n}}\n[/TOOL_CALL]',
    "Llama": f"<|python_tag|>{CALL}",
    "Mistral": f"[TOOL_CALLS][{CALL}]",
    "Kimi K2": f"I look. <|tool_calls_section_begin|>{TOKENS}<|tool_calls_section_end|>",
    "Kimi K3": '<|open|>tools<|sep|><|open|>call tool="bash"<|sep|>ls<|close|>call<|sep|>',
    "DeepSeek V3": "<|tool_call_begin|>function<|tool_sep|>bash".replace("_", "\u2581"),
    "Gemma": 'I look.\n<|tool_call>call:read_file{path:<|"|>a.txt<|"|>}<tool_call|>',
    "the tool is the tag": "I look.\n\n<read_file>\n<path>a.txt</path>\n</read_file>",
    "tags right behind a sentence": f"I read it\u3002<tool_call>\n{CALL}\n</tool_call>",
    "history as words": f"Tool call call_1: read_file{ARGUMENTS}",
    "history as words, behind words": f"I look.\n\n[Assistant tool call]: read_file{ARGUMENTS}",
    "history as words, with an action": "I look.\nAction: bash\nAction Input: ls",
    "Python": "```\nbash(command='ls')\n```",
    "Python, a dict": "{'name': 'bash', 'input': {}}",
    "Python, in lines": 'write_file(\n    path="a.py",\n    content="""x = (1\n""",\n)',
}
QUOTED = {
    "words about a tool": "I ran bash, and the tests pass.",
    "a sentence": f"I have documented the call: {CALL} is how a tool is asked for.",
    "a sentence that begins with it": f"{CALL} is how a tool is asked for.",
    "a sentence that ends with it": f"A call of the model looks so: `{CALL}`.",
    "a fence between words": f"The README shows a call:\n\n```json\n{CALL}\n```\n\nAll tests pass.",
    "tags in a fence": f"It shows this:\n\n```\n<tool_call>\n{CALL}\n</tool_call>\n```\n\nDone.",
    "a tag in a sentence": "The parser now also reads `<tool_call>` and `<function=bash>`.",
    "gpt-oss in a sentence": 'It was text (`commentary to=functions.bash json{"a": 1}`) before.',
    "Claude's tags in a sentence": 'Opus writes <invoke name="bash">, and also `<invoke>`.',
    "Claude's tags in a fence": f"It shows this:\n\n```xml\n{INVOKE}\n```\n\nAll tests pass.",
    "Claude's tags in a fence at the end": f"It shows this:\n\n```\n$ cat a\n{INVOKE}\n```",
    "tokens in a fence": f"The forms:\n\n```\n[TOOL_CALLS][{CALL}]\n{TOKENS}\n```\n\nTests pass.",
    "tags behind a sentence": "It parses two forms. <tool_call> and <function=x> are known.",
    "history as words, in a sentence": f"The tool call read_file{ARGUMENTS} is now logged.",
    "history as words, in a log": f"A line:\n\n    Tool call c1: read_file{ARGUMENTS}\n\nDone.",
    "a table": f"| form | call |\n|---|---|\n| JSON | `{CALL}` |\n| Python | `bash(cmd='ls')` |",
    "a function in a sentence": "read_file(path) reads a file; bash(command) runs one.",
    "signatures": "The tools:\n\nread_file(path)\nwrite_file(path, content)",
    "a list of functions": "- read_file('a.txt') reads\n- bash('ls') runs",
    "an object with a name": '{"name": "Ada"}',
    "an object with a name, in words": 'The field is "name": "Ada".',
    "an object with an age": '```json\n{"name": "Ada", "age": 3}\n```',
    "a definition": 'tools.json:\n```json\n[{"name": "read_file", "description": "Read."}]\n```',
    "nothing": "",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_call_as_text_is_recognised_in_every_form(text):
    assert is_written_call(text, TOOLS)


@pytest.mark.parametrize("text", QUOTED.values(), ids=QUOTED)
def test_good_last_reply_that_quotes_a_call_is_none(text):
    assert not is_written_call(text, TOOLS)


def test_json_of_a_call_is_one_without_any_tool_but_words_are_not():
    assert is_written_call(CALL, []) and not is_written_call("bash(command='ls')", [])


LONG = [
    "\n",
    "[",
    "{\n",
    '{"a":\n',
    '{"a": "b",\n',
    "bash(\n",
    "bash(1\n",
    "```\n",
    "<tool_call>\n",
]
LONG += [
    "invoke name=",
    "<a:",
    "]<]minimax[>[",
    ".<",
    "<bash></bash>x\n",
    "Tool call x: ",
    "[Tool a]: ",
]
LONG += [f"{CALL}\n", '"', "'", "\\", "commentary to=functions.", f"{CALL} x\n", "`"]


@pytest.mark.parametrize("part", LONG, ids=map(repr, LONG))
def test_time_does_not_grow_with_the_square_of_a_reply(part):
    began = time.thread_time()
    is_written_call(part * (400_000 // len(part)), TOOLS)
    is_written_call("x " + part * (400_000 // len(part)) + " x", TOOLS)
    assert time.thread_time() - began < 5
