"""Recognize a tool call that a model has written as text, and not words about a call.

A model that was not trained for tools, or a server with the wrong parser, sends a call as the text
of a reply. Then the loop finds no call and stops, as if the model had finished.
"""

import re
from collections.abc import Iterable

# How a call begins: on a line of its own, perhaps in a fence. Lengths are limited, because a
# pattern that spans lines is tried again from each line.
FENCE = r"(?:`{3,}\w*\s{0,9})?"
# Hermes, Qwen and GLM: https://github.com/tinyhumansai/openhuman/issues/6344; Claude Opus 4.8, also
# without the first bracket: https://github.com/anthropics/claude-code/issues/75326; DeepSeek's DSML
# with one bar or two: https://github.com/AgentFlocks/flocks/pull/687; MiniMax:
# https://github.com/MiniMax-AI/MiniMax-M3/issues/31; or the name of a tool:
# https://github.com/openclaw/openclaw/pull/62998
BAR = r"[ |\uff5c]{0,4}"
TAG = (
    rf"(?:\]<\]minimax\[>\[)?(?:<|(?=invoke name=))(?P<prefix>\w{{1,40}}:|{BAR}DSML{BAR})?"
    r"(?P<tag>tool_?(?:call|use)|function(?=[ =_s])|(?P<other>invoke(?= name=)|(?:NAMES)(?=[ >])))"
)
# Tokens of Kimi, Gemma, Granite, DeepSeek V3, Llama and Mistral. A sentence never begins with one:
# https://github.com/ollama/ollama/issues/14360, https://github.com/getsigit/sigit/pull/92
TOKEN = r"(?P<token><[|\uff5c](?:tool[_\u2581]call|open\|>tools|python_tag)|\[TOOL_CALLS?\])"
# A tag or token may also follow a sentence on the same line.
BEHIND = r"(?<=[.:!?\u3002\uff1a\uff01\uff1f])(?=\]?<| <[|\uff5c]) ?"
# gpt-oss, even behind a sentence: https://github.com/raullenchai/Rapid-MLX/issues/480
HARMONY = r"commentary to=functions\.[^\n{]{0,200}\{"
# A history that was sent as words, which a model then imitates:
# https://github.com/anomalyco/opencode/issues/50814
LABEL = (
    r"(?P<label>(?:\[(?:\w{1,20} ){0,2}(?i:tool)(?: \w{1,20})?(?:\]:?|:)? "
    r"|(?i:tool call)(?: \S{1,40})?: |Action: (?=\w{1,80}\s{1,3}Action Input:))(?:NAMES)\b)"
)
# In JSON or in a dict of Python. Before the name are short fields or the objects around it, as in
# OpenAI's {"type": "function", "function": {"name": …}}.
OBJECT = (
    r"""[\[{][\s\[{]{0,40}+(?:["']\w+["']\s{0,9}:\s{0,9}(?:["'][^"'\n]{0,80}["']\s{0,9},|[\[{])"""
    r"""[\s\[{]{0,40}+){0,6}?["'](?:name|tool|tool_name|call|function)["']\s{0,9}:\s{0,9}"""
)
# A tool's definition has a description behind its name.
NAMED_TOOL = OBJECT + r"""["'](?:NAMES)["'](?!\s{0,9},\s{0,9}["']description["'])"""
ANY_TOOL = OBJECT + r"""["'][\w.-]+["']\s{0,9},\s{0,9}["'](?:arguments|args|input|parameters)["']"""
# A call of Python with a value. (`read_file(path)` without one is how a function is documented.)
PYTHON = r"""(?:NAMES)\(\s{0,9}(?:\w+\s?=|["'\[{\d]|\))"""
FORMS = (
    rf"(?:^[^\S\n]*+{FENCE}|(?P<behind>{BEHIND}))(?={TAG}|{TOKEN}|{LABEL}|{PYTHON}|{NAMED_TOOL})"
    rf"|\A\s*+{FENCE}(?={ANY_TOOL})|(?={HARMONY})"
)
CLOSERS = re.compile(r"(?:[\s`\]}),;]|</\w+>|<\|\w+\|>)*+")
# A string, which may have been cut off, or a bracket.
PARTS = re.compile(
    r""""(?:[^"\\]|\\.)*+(?:"|\\?\Z)|'(?:[^'\\]|\\.)*+(?:'|\\?\Z)|[(\[{]|[)\]}]""", re.DOTALL
)


def is_written_call(text: str, tools: Iterable[str]) -> bool:
    """Return whether a reply begins or ends with a tool call that is text, or is only that.

    `tools` are the names of the model's tools. Only a reply that begins with the JSON of a call may
    name another tool. A call in a sentence, in a table, or in a fence between words is a quotation.
    """
    names = "|".join(map(re.escape, tools)) or "(?!)"
    text_start, call_end = len(text) - len(text.lstrip()), 0
    fences, counted_to = 0, 0  # the number of fences up to this place
    for match in re.finditer(FORMS.replace("NAMES", names), text, re.MULTILINE):
        if match.start() < call_end:  # inside the call before
            continue
        fences += text.count("```", counted_to, match.end())
        counted_to = match.end()
        tag, token, is_fenced = match["tag"], match["token"], fences % 2 == 1
        is_behind_words = match.start() > text_start
        # In a fence behind words, only a call in one of the older forms is not a quotation.
        if is_fenced and is_behind_words and (token or match["prefix"] or match["other"]):
            continue
        if token:
            return True
        start = max(match.end(), match.end("label"))
        call_end = find_tags_end(text, start, tag) if tag else find_values_end(text, start)
        closers_end = CLOSERS.match(text, call_end).end()  # type: ignore[union-attr]
        if closers_end == len(text):
            return True
        # Behind a call in tags, some models go on with a result that they imagine.
        can_have_words_behind = not is_behind_words or (bool(tag) and not is_fenced)
        is_on_own_line = match["behind"] is None and "\n" in text[call_end:closers_end]
        if can_have_words_behind and is_on_own_line:
            return True
    return False


def find_tags_end(text: str, start: int, tag: str) -> int:
    """Return where the tag that opens at `start` is closed, or the end of the text."""
    closed = re.compile(rf"</[^<>\n]{{0,20}}{re.escape(tag)}\w*>").search(text, start)
    return closed.end() if closed else len(text)


def find_values_end(text: str, start: int) -> int:
    """Return where the first bracket from `start` on is closed, or the end of the text."""
    depth = 0
    for part in PARTS.finditer(text, start):
        depth += {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}.get(part[0], 0)
        if depth <= 0 and part[0] in ")]}":
            return part.end()
    return len(text)
