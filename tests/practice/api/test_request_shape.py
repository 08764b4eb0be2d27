"""Requests that the API rejects, each with its message, and requests that it accepts."""

import pytest
from support.blocks import result, text
from support.practice_api import (
    ASK,
    BASH,
    assistant,
    body,
    call,
    invalid,
    post,
    rejection,
    say_hello,
    send,
    tool,
    turns,
    user,
)

from lesson.practice.practice_model import PracticeModel

# Each field by itself, and the definitions of tools

FIELDS = {
    "sytem: Extra inputs are not permitted": {"sytem": "Be brief."},
    "betas: Extra inputs are not permitted": {"betas": []},
    "model: Input should be a valid string": {"model": 7},
    "max_tokens: Input should be a valid integer": {"max_tokens": "100"},
    "max_tokens: must be greater than or equal to 0": {"max_tokens": -1},
    "messages: Input should be a valid array": {"messages": "Hi"},
    "messages.0: Input does not match the expected shape.": turns("Hi"),
    "messages.0.name: Extra inputs are not permitted": turns(ASK | {"name": "Ann"}),
    "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for "
    "practice": {"max_tokens": 64_001},
    "prompt is too long: 200001 tokens > 200000 maximum": turns(user(text("word" * 200_001))),
}
BLOCKS = {
    "messages.0.content.0: Input should be an object": turns(user("Hi")),
    "messages.0.content.1: Input should be an object (it is one letter, 'H': `blocks += text` adds "
    "each letter of a text as a block)": turns(user(text("Go"), *"Hi")),
    "messages.0.content.0: Input tag 'txt' found using 'type' does not match any of the expected "
    "tags: 'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', "
    "'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', "
    "'text_editor_code_execution_tool_result', 'thinking', 'tool_result', "
    "'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', "
    "'web_search_tool_result'": turns(user({"type": "txt", "text": "Hi"})),
    "messages.0.content.0.type: Field required": turns(user({"text": "Hi"})),
    "messages.0.content.0.text.text: Input should be a valid string": turns(user(text(None))),
}
ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'"
CALL_FIELDS = {
    f"messages.1.content.0.tool_use.id: {ID_PATTERN}": turns(ASK, assistant(call("a b"))),
    "messages.1.content.0.tool_use.input: Input should be an object": turns(
        ASK, assistant(call("a", input="ls"))
    ),
    "messages.0.content.0.tool_result.tool_use_id: Field required": turns(
        user({"type": "tool_result", "content": "done"})
    ),
    "messages.0.content.0.tool_result: content cannot be empty if `is_error` is true": turns(
        user(result("a", "", is_error=True))
    ),
}
NAME_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
NO_JSON_SCHEMA = (
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
    "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)
TOOLS = {
    "tools.0: Input should be an object": {"tools": ["bash"]},
    "tools.0.custom.name: Field required": {"tools": [{"input_schema": {"type": "object"}}]},
    f"tools.0.custom.name: {NAME_PATTERN}": tool(name="run it"),
    "tools.0.custom.input_schema.type: Field required": tool(input_schema={}),
    "tools.0.custom.input_schema.type: Input should be 'object'": tool(
        input_schema={"type": "array"}
    ),
    NO_JSON_SCHEMA: tool(input_schema={"type": "object", "properties": {"command": "string"}}),
    "tools: Tool names must be unique.": {"tools": [BASH, BASH]},
}

# The conversation: roles, content, and tool results for tool calls

ROLES = {
    "messages: at least one message is required": {"messages": []},
    'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"': turns(
        ASK, {"role": "tool", "content": "done"}
    ),
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, '
    'not "system" as an input message role.': turns(
        ASK, {"role": "system", "content": "Be brief."}
    ),
}
NO_CONTENT = (
    "messages.{}: all messages must have non-empty content except for the optional final assistant "
    "message"
)
EMPTY = {
    NO_CONTENT.format(0): turns({"role": "user", "content": ""}),
    NO_CONTENT.format(1): turns(ASK, assistant(), user(text("Well?"))),
    NO_CONTENT.format(3): turns(ASK, assistant(call("a")), user(result("a")), user()),
    "messages: text content blocks must be non-empty": turns(user(text("Hi"), text(""))),
    "messages: text content blocks must contain non-whitespace text": turns(user(text(" \n"))),
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
    NO_RESULT.format(1, "b, c"): turns(
        ASK, assistant(call("a"), call("b"), call("c")), user(result("a"))
    ),
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
REJECTED = FIELDS | BLOCKS | CALL_FIELDS | TOOLS | ROLES | EMPTY | CALLS


@pytest.mark.parametrize("message", REJECTED, ids=lambda message: message[:100])
def test_wrong_request_is_rejected_with_the_message_of_the_api(message):
    assert rejection(REJECTED[message]) == invalid(message)


def test_unknown_model_is_404():
    assert rejection({"model": "gpt-4-5"}) == (404, "not_found_error", "model: gpt-4-5")


@pytest.mark.parametrize("name", ["model", "messages", "max_tokens"])
def test_required_fields(name):
    request = body()
    del request[name]
    with pytest.raises(Exception, match=f"{name}: Field required"):
        post(PracticeModel(say_hello).client(), request)


# Requests with such fields and blocks were recorded with the real API, which accepted them.
REFERENCE = {"type": "tool_reference", "tool_name": "bash"}
ACCEPTED = {
    "an id of another turn": turns(
        ASK, assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))
    ),
    "a tool with examples": tool(input_examples=[{"command": "ls"}], allowed_callers=["direct"]),
    "a tool result that refers to a tool": turns(
        ASK, assistant(call("toolu_1")), user(result("toolu_1", [REFERENCE]))
    ),
    "strings and blocks, with a cache mark": turns(
        {"role": "user", "content": "Hi"},
        user(text("Hi")),
        system=[text("Be brief.", cache_control={"type": "ephemeral"})],
    ),
    "a tool with a rich schema": tool(
        type="custom",
        strict=True,
        input_schema={
            "type": "object",
            "properties": {"mark": {"type": ["string", "null"], "enum": ["x", None]}, "any": True},
            "required": ["mark"],
        },
    ),
    "fields that are not checked": {
        "tool_choice": {"type": "auto"},
        "thinking": {"type": "adaptive"},
        "context_management": {"edits": []},
        "temperature": 0,
    },
    "a server tool and a picture": turns(
        user({"type": "image", "source": {"type": "url", "url": "https://example.com/cat.png"}}),
        tools=[{"type": "web_search_20250305", "name": "web_search"}, BASH],
    ),
    "an empty assistant turn at the end": turns(ASK, assistant()),
    "whitespace next to a tool call, text after its result": turns(
        ASK, assistant(text(" "), call("a")), user(result("a"), text("Go on."))
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


@pytest.mark.parametrize("description", ACCEPTED)
def test_correct_request_is_accepted(description):
    assert send(ACCEPTED[description]).content[0].text == "Hello."
