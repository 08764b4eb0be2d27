"""Add a sentence to an error or a value: its most frequent cause."""

import re
import textwrap
from difflib import get_close_matches
from inspect import isfunction
from typing import Any

from agentlib.tools import Tool

from .blank import read_members

OWN_ATTRIBUTE = (
    "Is a method misspelled, or an attribute not created in `__init__`? If you extend a class, "
    "your `__init__` must call `super().__init__()`."
)
FILLED_IN = " Or read `self.items` after `super().update(items)`, which fills it in."
NEW_FIELDS = "write `fields = TodoManager.fields | {…}`."
FIELDS_NONE = f"Your `fields` is None, because `update` of a dict returns nothing: {NEW_FIELDS}"
NO_METHOD = r"'{0}' object is not callable|{0}\(\) takes no arguments"
MISSPELLED = "Is a method misspelled? `__init__` and `__call__` have two underscores on each side."
THREE_ARGUMENTS = (
    "`call_tool(dispatch, use.name, use.input)` takes three arguments: a dict from each name to "
    "its Tool, the block's name, and the block's whole input."
)
MESSAGE = "This is a message and no Tool: the order is `client, messages, tools`."
SPEC = "A spec is a dict and no Tool: build `dispatch` from the Tools, and keep their name `tools`."
ACCEPTED = "Your code accepts this list. Which condition should lead to a `raise ValueError(…)`?"
NO_TEXT = "The text of a text block must be a string, and not None or another block."
CALLED_BY_CHECKS = {"update", "render", "summary", "tool"}
# By a pattern for the error that was raised. The first one that matches counts.
NOTES = {
    "^OutOfTimeError": "An endless loop, or a sleep? The rules after this one were not tried.",
    "^KeyError: '(id|text|status|priority)'$": (
        "A model may leave this field out: use `item.get(…)`."
    ),
    "^KeyError: 'command'$": "Every tool has other fields: pass on the whole `use.input`.",
    "^ValueError: this note is rejected$": "It has ended your loop: `call_tool` catches it.",
    r"^TypeError: (note\(|'Tool' object is not callable)": (
        "A tool is run by `call_tool(dispatch, use.name, use.input)`."
    ),
    r"^TypeError: remind\(": "Give `remind` the list of the blocks with the calls: `remind(uses)`.",
    "mappingproxy": f"`fields` cannot be changed. In the class body, {NEW_FIELDS}",
    "'(Call|Tool|Message)' .*subscriptable": 'This is no dict: write `.name`, not `["name"]`.',
    "'NoneType' .* 'append'": "This is None. Have you assigned the result of `append` to it?",
    "'tuple' .*'type'|'Message' .*attribute": "The blocks of a reply are in `reply.content`.",
    "^AttributeError: 'Call'": "A Call has a name, an input and an output. The id is `use.id`.",
    "'(Anthropic|Messages)' obj": "Write `client.messages.create(…)`, or `messages.append(…)`.",
    "^AttributeError: 'dict' .*'(add|append|extend)'": (
        "This is a dict, which has no such method: `[]` is an empty list, and `set()` an empty set."
    ),
    "^AttributeError: 'dict'": 'A field of a dict is read with `["name"]`, not with `.name`.',
    "^AttributeError: '(Text|Thinking)Block'": (
        'Only a block of the type "tool_use" has a name, an input and an id.'
    ),
    "'ToolUseBlock' .*'text'": "A tool call has no text: append the whole `reply.content`.",
    "^AttributeError: 'ToolUseBlock'": "A tool call has a `name`, an `input` and an `id`.",
    "^TypeError: '[A-Z][a-z]+(Use)?Block' object": (
        'A block of a reply is an object: write `block.type`, not `block["type"]`.'
    ),
    "^TypeError: Missing required arguments": "Send `messages=messages` and `**settings`.",
    r"^TypeError: create\(\) takes": "Each argument of `create` has a name: `messages=messages`.",
    r"Object of type Tool|tools\.0: Input": "Send the specs: `[tool.spec for tool in tools]`.",
    "^TypeError: Object of type Call": "A Call is no text: its `output` is a result's `content`.",
    r"operand.*'(\w*Clock|function|builtin_function_or_method|method)'": (
        "It is a function: call it, with `()` after its name. Or is `self.` missing before it?"
    ),
    "'NoneType' object is not callable": (
        "This is None: call an argument whose default is None only if it was given."
    ),
    "object is not callable": (
        "This is a value and not a function. Have you given a function's name to a result, as in "
        "`missing = missing(…)`? Then choose another name. Or is one `()` too many?"
    ),
    r"\.text\.text: Input should be a valid string": NO_TEXT,
    r"messages\.\d+\.content\.\d+: Input should be an object": (
        "The content of a message is a string, or a list of blocks, each of them a dict. "
        "`', '.join(…)` makes one string."
    ),
    r"tool_result\.content(\.\d+)?: Input": (
        "The content of a result is a string or a list of text blocks. Does the tool return one?"
    ),
    "'(method|function)' object (is not|has no)": "Call it: write `()` after its name.",
    "unhashable type: 'dict'": "A key, or a value in a set, is a string here, such as `tool.name`.",
    r"coroutine|`async`": "Nothing awaits it: write `def` instead of `async def`.",
    r"^TypeError: call_tool\(\)": THREE_ARGUMENTS,
    "positional argument|unexpected keyword|multiple values for": (
        "Compare the parameters with the arguments of the call. In a method, the first one is "
        "`self`."
    ),
}


def add_note(
    got: Any, problem: BaseException | None, made: Any, expected: str, printed: str
) -> str:
    """Return a sentence about what a trial `got` instead of what was `expected`, or "".

    `problem` is what the code raised, `made` the learner's class or function, and `printed` is
    what the trial printed.
    """
    wants_error = "ValueError" in expected
    nones = isinstance(got, list) and None in got and not ("None" in expected and any(got))
    has_none = got is None or nones or re.search("NoneType|tool_result.content", str(problem))
    if printed.strip() and (has_none or wants_error and not isinstance(problem, ValueError)):
        begin, instead = textwrap.shorten(printed, 60), "raise" if wants_error else "return"
        return f"Your code printed {begin!r}: use {instead}, not print."
    if getattr(made, "fields", "") is None:
        return FIELDS_NONE
    if problem is not None:
        text = f"{type(problem).__name__}: {problem}"
        owner = getattr(problem, "obj", None)  # of an attribute that is not there
        if isinstance(owner, dict) and "input_schema" in owner:
            return SPEC
        wants_tool = getattr(problem, "name", "") in ("name", "spec")
        if wants_tool and isinstance(owner, dict) and "role" in owner:
            return MESSAGE
        if isinstance(made, type) and re.search(NO_METHOD.format(made.__name__), text):
            return MISSPELLED
        if isinstance(made, type) and isinstance(owner, made):
            return OWN_ATTRIBUTE
        missing = re.match("KeyError: '(id|text|status|priority)'$", text)
        if missing and not isinstance(made, type):
            return "A block of another type has no such field: look at its `type` first."
        if missing and missing[1] not in getattr(made, "fields", missing[1]):
            return f"Your `fields` have no {problem}: {NEW_FIELDS}"
        note = next((note for pattern, note in NOTES.items() if re.search(pattern, text)), "")
        return note + FILLED_IN * bool(missing and hasattr(getattr(made, "__base__", 0), "update"))
    if misspelled := find_misspelled(made):
        return misspelled
    if unused := find_unused(made):
        return f"Nothing calls the method `{unused}` of your class. Has it the right name?"
    if callable(got):
        return "Your code returned a function or a class: write `()` after its name."
    if wants_error:
        return ACCEPTED
    if got and isinstance(got, list) and "a reminder" in expected and not any(got):
        return "It returned no reminder in any round. Does it reach a `return` with the reminder?"
    if got is None and not isinstance(made, Tool):
        return "Your code returned None: is a `return` missing, or without a value?"
    return ""


def find_misspelled(made: Any) -> str:
    """Return a question about a method with almost the name of an inherited one, or ""."""
    parents = made.__mro__[1:-1] if isinstance(made, type) else ()
    inherited = {name for cls in parents for name in vars(cls)}
    for name in read_members(made) if parents else ():
        close = get_close_matches(name, inherited, 1, 0.8)
        if close and name not in inherited:
            return f"Your class has `{name}`. Did you mean `{close[0]}`?"
    return ""


def find_unused(made: Any) -> str:
    """Return the name of a method that extends nothing, and that no other method calls, or ""."""
    functions = [one for cls in getattr(made, "__mro__", ()) for one in vars(cls).values()]
    used = {name for one in functions if isfunction(one) for name in one.__code__.co_names}
    for name in read_members(made) if isinstance(made, type) else ():
        is_new = isfunction(vars(made)[name]) and not hasattr(made.__base__, name)
        if is_new and name not in used | CALLED_BY_CHECKS:
            return name
    return ""
