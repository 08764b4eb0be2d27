"""The conversation: roles, content, and tool results for tool calls."""

from support.practice_api import (
    ASK,
    SAID,
    assistant,
    call,
    each_accepted,
    each_rejected,
    invalid,
    rejection,
    result,
    send,
    text,
    thinking,
    turns,
    user,
)

BRIEF = {"role": "system", "content": "Be brief."}
ROLES = {
    "role 'system' is not supported on this model": turns(ASK, BRIEF),
    "messages: at least one message is required": {"messages": []},
    'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"': turns(
        ASK, {"role": "tool", "content": "done"}
    ),
}
EMPTY = {
    "messages.0: user messages must have non-empty content": turns({"role": "user", "content": ""}),
    "messages.1: all messages must have non-empty content except for the optional final assistant "
    "message": turns(ASK, assistant(), user(text("Well?"))),
    "messages: text content blocks must be non-empty": turns(user(text("Hi"), text(""))),
    "messages: text content blocks must contain non-whitespace text": turns(user(text(" \n"))),
    "system: text content blocks must be non-empty": {"system": [text("")]},
    "system: text content blocks must contain non-whitespace text": {"system": " "},
}
NO_RESULT = (
    "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
NO_CALL = (
    "messages.{}: unexpected `tool_use_id` found in `tool_result` blocks: {}. Each `tool_result` "
    "block must have a corresponding `tool_use` block in the previous message."
)
CALLS = {
    NO_RESULT.format(1, "a"): turns(ASK, assistant(call("a")), user(text("Well?"))),
    NO_RESULT.format(1, "b, c"): turns(
        ASK, assistant(call("a"), call("b"), call("c")), user(result("a"))
    ),
    NO_RESULT.format(1, "d"): turns(
        ASK, assistant(call("d")), user(text("Here you are:"), result("d"))
    ),
    NO_CALL.format("0.content.0", "a"): turns(user(result("a"))),
    NO_CALL.format("2.content.1", "z"): turns(
        ASK, assistant(call("a")), user(result("a"), result("z"))
    ),
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` "
    "blocks with id: a": turns(ASK, assistant(call("a")), user(result("a"), result("a"))),
    "messages.1.content.1: `tool_use` ids must be unique": turns(
        ASK, assistant(call("a"), call("a")), user(result("a"))
    ),
    "messages.0: `tool_use` blocks can only be in `assistant` messages": turns(user(call("a"))),
    "messages.1: `tool_result` blocks can only be in `user` messages": turns(
        ASK, assistant(result("a"))
    ),
}


@each_rejected(ROLES | EMPTY | CALLS)
def test_wrong_conversation_is_rejected(message, change):
    assert rejection(change) == invalid(message)


ACCEPTED = {
    "two user messages in a row": turns(ASK, ASK),
    "the assistant first": turns(SAID, ASK),
    "system after tool results": turns(
        ASK, assistant(call("a")), user(result("a")), BRIEF, model="claude-opus-4-8"
    ),
    "an empty assistant turn at the end": turns(ASK, assistant()),
    "thinking": turns(ASK, assistant(thinking(), text("Well.")), ASK),
    "whitespace next to a tool call, text after its result": turns(
        ASK, assistant(text(" "), call("a")), user(result("a"), text("Go on."))
    ),
    "tool results in another order": turns(
        ASK, assistant(call("a"), call("b")), user(result("b"), result("a"))
    ),
    "tool results in two messages": turns(
        ASK, assistant(call("a"), call("b")), user(result("a")), user(result("b"))
    ),
    "a tool call with its caller, a result without content, and an error": turns(
        ASK,
        assistant(call("a", caller={"type": "direct"}), call("b")),
        user({"type": "tool_result", "tool_use_id": "a"}, result("b", "Error", is_error=True)),
    ),
}


@each_accepted(ACCEPTED)
def test_correct_conversation_is_accepted(change):
    assert send(change).content[0].text == "Hello."
