"""The conversation: who may speak when."""

from support.practice_wire import (
    ASK,
    SAID,
    assistant,
    call,
    each_accepted,
    each_refusal,
    invalid,
    refusal,
    result,
    send,
    system,
    text,
    turns,
    user,
)

ANYWHERE = "; the directive-only form (content: [] with output_config) is accepted at any position"


ROLES = {
    "messages: at least one message is required": {"messages": []},
    'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"': turns(
        ASK, {"role": "tool", "content": "done"}
    ),
}


@each_refusal(ROLES)
def test_a_conversation_has_messages_of_known_roles(message, change):
    assert refusal(change) == invalid(message)


IN_A_ROW = {
    "two user turns in a row": turns(ASK, ASK),
    "two assistant turns in a row": turns(ASK, SAID, SAID, ASK),
    "the assistant first": turns(SAID, ASK),
}


@each_accepted(IN_A_ROW)
def test_roles_need_not_alternate(change):
    assert send(change).content[0].text == "Hello."


SYSTEM_TURNS = {
    "role 'system' is not supported on this model": turns(ASK, system(text("Be brief."))),
    "messages.0: use the top-level 'system' parameter for the initial system prompt"
    + ANYWHERE: turns(system(text("Be brief.")), ASK, model="claude-opus-5-5"),
    "messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a "
    "server tool result" + ANYWHERE: turns(
        ASK, SAID, system(text("Be brief.")), ASK, model="claude-opus-5-5"
    ),
    "messages.2: role 'system' must precede an 'assistant' message or end the array"
    + ANYWHERE: turns(
        ASK, system(text("Be brief.")), system(text("Please.")), ASK, model="claude-opus-5-5"
    ),
    "messages.1: system content must contain at least one block": turns(
        ASK, {"role": "system", "content": ""}, model="claude-opus-5-5"
    ),
    "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only": turns(
        ASK, system(call("a")), model="claude-opus-5-5"
    ),
    "messages.1: system text blocks must contain non-whitespace text": turns(
        ASK, system(text(" ")), model="claude-opus-5-5"
    ),
}


@each_refusal(SYSTEM_TURNS)
def test_instructions_come_in_late_on_the_newest_models_in_their_place(message, change):
    assert refusal(change) == invalid(message)


LATE = {
    "a system turn after the user": turns(ASK, system(text("Be brief.")), model="claude-opus-4-8"),
    "a system turn after the results": turns(
        ASK, assistant(call("a")), user(result("a")), system(text("!")), model="claude-opus-4-8"
    ),
    "a system turn before the assistant's": turns(
        ASK, system(text("Be brief.")), SAID, ASK, model="claude-opus-5-5"
    ),
}


@each_accepted(LATE)
def test_a_system_turn_follows_the_user(change):
    assert send(change).content[0].text == "Hello."
