"""The rule book of the practice wire: what it refuses and in which words, and what it takes.

The chapters follow a request on its way in: the door, the fields, the settings, the tools, the
conversation, the cache marks. Then comes what goes back: the answer, or what a mind did wrong.
"""

import json
import subprocess
import sys

import anthropic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlib.practice.api import errors, models, reply, rules, wire
from agentlib.practice.model import PracticeModel

HELLO = [{"type": "text", "text": "Hello."}]
CACHED = {"cache_control": {"type": "ephemeral"}}
CACHED_LONG = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
BASH = {"name": "bash", "input_schema": {"type": "object"}}


def user(*content):
    return {"role": "user", "content": list(content)}


def assistant(*content):
    return {"role": "assistant", "content": list(content)}


def system(*content):
    return {"role": "system", "content": list(content)}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def call(id, **more):
    return {"type": "tool_use", "id": id, "name": "bash", "input": {}, **more}


def result(id, content="done", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def thinking(words="Hm.", **more):
    return {"type": "thinking", "thinking": words, "signature": "c2ln", **more}


def image(**source):
    return {"type": "image", "source": source}


def document(**source):
    return {"type": "document", "source": source}


ASK = user(text("Hi"))
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
SAID = assistant(text("Hello"))


def send(change=None, mind=lambda request: HELLO, without=(), **client):
    """What a small correct request gets as its answer, once `change` is made to it."""
    body = {"model": "practice", "max_tokens": 100, "messages": [ASK]} | (change or {})
    for name in without:
        del body[name]
    http = PracticeModel(mind).client(**client)
    return http.post("/v1/messages", body=body, cast_to=anthropic.types.Message)


def refusal(*args, **kwargs) -> tuple[int, str, str]:
    """The status, the kind and the words with which such a request is refused."""
    with pytest.raises(anthropic.APIStatusError) as refused:
        send(*args, **kwargs)
    error = refused.value.body["error"]
    return refused.value.status_code, error["type"], error["message"]


def invalid(message):
    return 400, "invalid_request_error", message


def turns(*messages, **more):
    return {"messages": list(messages), **more}


def tool(**change):
    return {"tools": [BASH | change]}


def each_refusal(changes):
    """The test for each change to the small request, by the words in which that is refused."""
    ids = [f"{n} {message:.60}" for n, message in enumerate(changes)]
    return pytest.mark.parametrize(("message", "change"), changes.items(), ids=ids)


def each_taken(changes):
    """The test for each change to the small request that is in order, by what it shows."""
    return pytest.mark.parametrize("change", changes.values(), ids=changes.keys())


UNANSWERED = (
    "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
UNASKED = (
    "messages.{}: unexpected `tool_use_id` found in `tool_result` blocks: {}. Each `tool_result` "
    "block must have a corresponding `tool_use` block in the previous message."
)
ANYWHERE = "; the directive-only form (content: [] with output_config) is accepted at any position"
NO_SCHEMA = (
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
    "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)
ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'"
NAME_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"


# The door


def raw(method="POST", path="/v1/messages", content=b"{}", **headers):
    """A request that did not go through the SDK's own hands."""
    http = PracticeModel()._connect()._client
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = http.request(
        method, "http://practice.invalid" + path, content=content, headers=headers
    )
    error = answer.json()["error"]
    return answer.status_code, error["type"], error["message"]


DOOR = {"x_api_key": wire.KEY, "anthropic_version": "2023-06-01"}


def test_a_wrong_key_is_a_401():
    wrong = (401, "authentication_error", "invalid x-api-key")
    assert refusal(api_key="somebody-elses") == wrong
    assert raw(**DOOR | {"x_api_key": "somebody-elses"}) == wrong


def test_a_missing_key_is_a_401():
    assert raw() == (401, "authentication_error", "x-api-key header is required")


def test_a_missing_version_is_a_400():
    missing = (400, "invalid_request_error", "anthropic-version: header is required")
    assert raw(x_api_key=wire.KEY) == missing


def test_another_address_is_a_404_and_another_method_a_405():
    assert raw(path="/v1/message", **DOOR) == (404, "not_found_error", "Not Found")
    assert raw("GET", content=b"", **DOOR)[0] == 405


@pytest.mark.parametrize("body", [b"", b'{"model": ', b'{"model": nope}', b'{"max_tokens": NaN}'])
def test_what_is_not_json_is_a_400(body):
    status, kind, message = raw(content=body or b" ", **DOOR)
    assert (status, kind) == (400, "invalid_request_error")
    assert message.startswith("The request body is not valid JSON: ") and ": line 1 " in message


def test_half_a_character_is_no_json():
    complaint = "The request body is not valid JSON: no low surrogate in string: line 1 column"
    assert raw(content=rb'{"model": "\ud83d"}', **DOOR)[2].startswith(complaint)
    assert raw(content=rb'{"model": "\ud83d\ud83d"}', **DOOR)[2].startswith(complaint)


def test_json_that_is_no_object_is_a_400():
    assert raw(content=b"[]", **DOOR) == (400, "invalid_request_error", "Input should be an object")


def test_a_body_over_32_mb_is_a_413():
    too_large = (413, "request_too_large", "Request exceeds the maximum size")
    assert raw(content=b" " * 32_000_001, **DOOR) == too_large


# The fields


@pytest.mark.parametrize("name", ["model", "messages", "max_tokens"])
def test_three_fields_are_required(name):
    assert refusal(without=[name])[2] == f"{name}: Field required"


FIELDS = {
    "model: Input should be a valid string": {"model": 7},
    "model: String should have at least 1 character": {"model": ""},
    "max_tokens: Input should be a valid integer": {"max_tokens": "100"},
    "max_tokens: must be greater than or equal to 0": {"max_tokens": -1},
    "system: Input should be a valid array": {"system": 7},
    "system.0: Input does not match the expected shape.": {"system": ["Be brief."]},
    "metadata: Input does not match the expected shape.": {"metadata": "Ann"},
    "metadata.user_id: Input should be a valid string": {"metadata": {"user_id": 7}},
    "metadata.user_id: String should have at most 256 characters": {
        "metadata": {"user_id": "a" * 257}
    },
    "metadata.name: Extra inputs are not permitted": {"metadata": {"name": "Ann"}},
    "stop_sequences: Input should be a valid array": {"stop_sequences": "END"},
    "stop_sequences.0: Input should be a valid string": {"stop_sequences": [1]},
    "temperature: Input should be a valid number": {"temperature": "hot"},
    "temperature: range: 0..1": {"temperature": 1.5},
    "top_p: range: 0..1": {"top_p": -0.1},
    "top_k: Input should be a valid integer": {"top_k": 1.5},
    "service_tier: Input should be 'auto' or 'standard_only'": {"service_tier": "first"},
    "stream: Input should be a valid boolean": {"stream": "yes"},
    "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'": {
        "output_config": {"effort": "huge"}
    },
    "temprature: Extra inputs are not permitted": {"temprature": 1},
}


@each_refusal(FIELDS)
def test_each_field_of_a_request_is_known_and_of_its_type(message, change):
    assert refusal(change) == invalid(message)


MESSAGES = {
    "messages: Input should be a valid array": {"messages": "Hi"},
    "messages.0: Input does not match the expected shape.": turns("Hi"),
    "messages.0.role: Field required": turns({"content": "Hi"}),
    "messages.0.role: Input should be a valid string": turns({"role": 1, "content": "Hi"}),
    "messages.0.content: Field required": turns({"role": "user"}),
    "messages.0.content: Input should be a valid array": turns({"role": "user", "content": None}),
    "messages.0.name: Extra inputs are not permitted": turns(ASK | {"name": "Ann"}),
    "messages.0.content.0: Input should be an object": turns(user("Hi")),
    "messages.0.content.0: Input tag 'txt' found using 'type' does not match any of the expected "
    "tags: 'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', "
    "'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', "
    "'text_editor_code_execution_tool_result', 'thinking', 'tool_result', "
    "'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', "
    "'web_search_tool_result'": turns(user({"type": "txt", "text": "Hi"})),
    "messages.0.content.0.type: Field required": turns(user({"text": "Hi"})),
    "messages.0.content.0.text.text: Field required": turns(user({"type": "text"})),
    "messages.0.content.0.text.text: Input should be a valid string": turns(user(text(None))),
    "messages.0.content.0.text.tone: Extra inputs are not permitted": turns(
        user(text("Hi", tone="kind"))
    ),
}


@each_refusal(MESSAGES)
def test_each_message_has_a_role_and_a_list_of_blocks(message, change):
    assert refusal(change) == invalid(message)


def test_faults_are_told_in_the_order_of_the_api_and_one_at_a_time():
    wrong = {"nonsense": 1, "temperature": "x", "messages": "Hi", "tools": 7, "model": 7}
    expected = ["model: ", "tools: ", "messages: ", "temperature: ", "nonsense: "]
    for name in expected:
        assert refusal(wrong)[2].startswith(name)
        del wrong[name[:-2]]


SHORT = {
    "a string as content": turns({"role": "user", "content": "Hi"}),
    "an empty system prompt": {"system": ""},
    "a system prompt in blocks": {"system": [text("Be brief.", **CACHED)]},
    "metadata": {"metadata": {"user_id": "somebody"}, "stop_sequences": None},
}


@each_taken(SHORT)
def test_what_may_be_left_out_or_said_in_short(change):
    assert send(change).content[0].text == "Hello."


# The model and its settings


def test_an_unknown_model_is_a_404():
    unknown = (404, "not_found_error", "model: claude-sonet-4-5")
    assert refusal({"model": "claude-sonet-4-5"}) == unknown


def test_every_model_that_the_sdk_names_is_known():
    names = anthropic.types.Model.__args__[0].__args__
    assert [name for name in names if not models.find_model(name)] == []


DATED = {
    "an older model": {"model": "claude-3-5-sonnet-20240620"},
    "the latest of a family": {"model": "claude-3-5-haiku-latest"},
}


@each_taken(DATED)
def test_a_model_is_known_by_its_date_too(change):
    assert send(change).content[0].text == "Hello."


LENGTHS = {
    "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for "
    "practice": {"max_tokens": 64_001},
    "max_tokens: 4097 > 4096, which is the maximum allowed number of output tokens for "
    "claude-3-opus-20240229": {"model": "claude-3-opus-20240229", "max_tokens": 4097},
    "stop_sequences: each stop sequence must contain non-whitespace": {"stop_sequences": ["\n"]},
    "prompt is too long: 200001 tokens > 200000 maximum": turns(user(text("word" * 200_001))),
}


@each_refusal(LENGTHS)
def test_a_reply_ends_within_what_the_model_can_say(message, change):
    assert refusal(change) == invalid(message)


def test_there_is_no_stream():
    assert refusal({"stream": True})[2].startswith("stream: The practice model does not stream.")


SAMPLING = {
    "`temperature` is deprecated for this model.": {"model": "claude-opus-5", "temperature": 0.5},
    "`top_k` is deprecated for this model.": {"model": "claude-sonnet-5", "top_k": 5},
    "`temperature` and `top_p` cannot both be specified for this model. Please use only one.": {
        "model": "claude-haiku-4-5",
        "temperature": 1,
        "top_p": 1,
    },
}


@each_refusal(SAMPLING)
def test_a_model_takes_the_sampling_it_was_made_for(message, change):
    assert refusal(change) == invalid(message)


SAMPLED = {
    "a temperature": {"temperature": 0},
    "a neutral temperature where there is none": {"model": "claude-opus-5", "temperature": 1},
}


@each_taken(SAMPLED)
def test_a_temperature_is_taken_where_there_is_one(change):
    assert send(change).content[0].text == "Hello."


TO_CONTROL = '"thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
WHEN_THINKING = (
    " when thinking is enabled or in adaptive mode. Please consult our documentation at "
    "https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
)
BUDGET = {"max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 1024}}


def thinks(model, type, **more):
    return {"model": model, "thinking": {"type": type}, **more}


THINKING = {
    "thinking: Input should be an object": {"thinking": True},
    "thinking.enabled.budget_tokens: Field required": {"thinking": {"type": "enabled"}},
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024": {
        "thinking": {"type": "enabled", "budget_tokens": 1000}
    },
    f'"thinking.type.enabled" is not supported for this model. Use {TO_CONTROL}': BUDGET
    | {"model": "claude-opus-4-7"},
    '"thinking.type.between_tools" is not supported for this model.': {
        "thinking": {"type": "between_tools"}
    },
    "thinking.between_tools.display: Extra inputs are not permitted": {
        "model": "claude-sonnet-5-5",
        "thinking": {"type": "between_tools", "display": "omitted"},
    },
    "adaptive thinking is not supported on this model": {"thinking": {"type": "adaptive"}},
    "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation "
    "at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
    "#max-tokens-and-context-window-size": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    "`temperature` may only be set to 1" + WHEN_THINKING: BUDGET | {"temperature": 0.5},
    "`top_p` must be greater than or equal to 0.95 or unset" + WHEN_THINKING: BUDGET
    | {"top_p": 0.5},
    "`top_k` must be unset" + WHEN_THINKING: BUDGET | {"top_k": 5},
    "Thinking may not be enabled when tool_choice forces tool use.": BUDGET
    | {"tools": [BASH], "tool_choice": {"type": "any"}},
}


@each_refusal(THINKING)
def test_a_model_thinks_in_its_own_way_and_leaves_room_to_answer(message, change):
    assert refusal(change) == invalid(message)


def test_of_two_faults_the_one_about_thinking_is_told():
    cold = thinks("claude-opus-4-8", "adaptive", temperature=0)
    assert refusal(cold)[2] == "`temperature` may only be set to 1" + WHEN_THINKING


THOUGHT = {
    "as the model sees fit": thinks("claude-opus-5", "adaptive"),
    "not at all": thinks("claude-sonnet-5", "disabled", output_config={"effort": "max"}),
    "not at all, at an effort that allows it": thinks(
        "claude-opus-5", "disabled", output_config={"effort": "high"}
    ),
    "between tools only": thinks("claude-sonnet-5-5", "between_tools"),
    "with a budget, and a high top_p": BUDGET | {"top_p": 0.95},
}


@each_taken(THOUGHT)
def test_a_model_may_think_in_any_of_its_ways(change):
    assert send(change).content[0].text == "Hello."


EFFORT = {
    "This model does not support the effort parameter.": {"output_config": {"effort": "low"}},
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.": {
        "model": "claude-opus-4-6",
        "output_config": {"effort": "xhigh"},
    },
}


@each_refusal(EFFORT)
def test_an_effort_is_one_that_the_model_knows(message, change):
    assert refusal(change) == invalid(message)


# The tools


TOOLS = {
    "tools: Input should be a valid array": {"tools": None},
    "tools.0: Input should be an object": {"tools": ["bash"]},
    "tools.0.custom.name: Field required": {"tools": [{"input_schema": {"type": "object"}}]},
    "tools.0.custom.name: String should have at least 1 character": tool(name=""),
    "tools.0.custom.name: String should have at most 128 characters": tool(name="b" * 129),
    f"tools.0.custom.name: {NAME_PATTERN}": tool(name="run it"),
    "tools.0.custom.input_schema: Field required": {"tools": [{"name": "bash"}]},
    "tools.0.custom.input_schema: Input does not match the expected shape.": tool(
        input_schema="object"
    ),
    "tools.0.custom.input_schema.type: Field required": tool(input_schema={}),
    "tools.0.custom.input_schema.type: Input should be 'object'": tool(
        input_schema={"type": "array"}
    ),
    "tools.0.custom.parameters: Extra inputs are not permitted": tool(parameters={}),
    NO_SCHEMA: tool(input_schema={"type": "object", "properties": {"command": "string"}}),
    "tools.0.custom.input_schema.properties: Property keys should match pattern "
    "'^[a-zA-Z0-9_.-]{1,64}$'": tool(input_schema={"type": "object", "properties": {"a b": {}}}),
    "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top "
    "level": tool(input_schema={"type": "object", "anyOf": [{"required": ["command"]}]}),
    "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to "
    "false": tool(strict=True),
    "tools: Tool names must be unique.": {"tools": [BASH, BASH]},
}


@each_refusal(TOOLS)
def test_a_tool_has_a_name_and_a_plain_schema(message, change):
    assert refusal(change) == invalid(message)


NO_SCHEMAS = [
    {"minimum": None},
    {"type": "str"},
    {"type": []},
    {"multipleOf": 0},
    {"uniqueItems": "yes"},
    {"required": ["a", "a"]},
    {"$defs": {"a": {"type": "str"}}},
    {"not": "a"},
    {"if": 1},
    {"prefixItems": {}},
    {"patternProperties": {"a": "b"}},
    {"minLength": -1},
]


@pytest.mark.parametrize("part", NO_SCHEMAS, ids=str)
def test_a_schema_is_one_in_all_its_parts(part):
    schema = {"type": "object", "properties": {"a": part}}
    assert refusal(tool(input_schema=schema)) == invalid(NO_SCHEMA)


def test_a_deep_schema_is_checked_to_its_ground():
    def deep(part):
        for _ in range(150):
            part = {"items": part}
        return tool(input_schema={"type": "object", "properties": {"a": part}})

    assert refusal(deep({"type": "str"})) == invalid(NO_SCHEMA)
    send(deep({"type": "string"}))


SCHEMAS = {
    "a tool with a type": tool(type="custom"),
    "a strict tool": tool(
        strict=True, input_schema={"type": "object", "additionalProperties": False}
    ),
    "a rich schema": tool(
        input_schema={
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": {"anyOf": [{"type": "string"}, True]}},
                "mark": {"type": ["string", "null"], "enum": ["x", None], "minLength": 1.0},
                "word": {"type": "string", "pattern": r"^\p{L}+$", "format": "word"},
            },
            "required": ["items"],
        }
    ),
}


@each_taken(SCHEMAS)
def test_a_schema_may_be_strict_or_rich(change):
    assert send(change).content[0].text == "Hello."


CHOICES = {
    "tool_choice: Input should be an object": {"tool_choice": "auto"},
    "tool_choice: Input tag 'bash' found using 'type' does not match any of the expected tags: "
    "'auto', 'any', 'tool', 'none'": {"tool_choice": {"type": "bash"}},
    "tool_choice.type: Field required": {"tool_choice": {}},
    "tool_choice.tool.name: Field required": {"tool_choice": {"type": "tool"}},
    "tool_choice.any may only be specified while providing tools": {"tool_choice": {"type": "any"}},
    "tool_choice may only be specified while providing tools": {
        "tools": [],
        "tool_choice": {"type": "auto"},
    },
    "Tool 'todo' not found in provided tools": {
        "tools": [BASH],
        "tool_choice": {"type": "tool", "name": "todo"},
    },
}


@each_refusal(CHOICES)
def test_a_choice_is_one_of_the_tools_that_are_there(message, change):
    assert refusal(change) == invalid(message)


UNFORCEABLE = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-mythos-5-1"]
FORCES = [{"type": "any"}, {"type": "tool", "name": "bash"}]


@pytest.mark.parametrize("model", UNFORCEABLE)
@pytest.mark.parametrize("choice", FORCES)
def test_some_of_the_newest_models_cannot_be_forced_to_use_a_tool(model, choice):
    unforceable = 'tool_choice: type "tool" and "any" are not supported for this model.'
    assert refusal(tool() | {"model": model, "tool_choice": choice}) == invalid(unforceable)


@pytest.mark.parametrize("model", ["practice", "claude-opus-5", "claude-fable-5"])
@pytest.mark.parametrize("choice", FORCES)
def test_the_others_can_be_forced(model, choice):
    assert send(tool() | {"model": model, "tool_choice": choice}).content[0].text == "Hello."


UNFORCED = {
    "no tools": {"tools": []},
    "a choice of none without tools": {"tool_choice": {"type": "none"}},
    "a free choice": {"tools": [BASH], "tool_choice": {"type": "auto"}},
}


@each_taken(UNFORCED)
def test_a_choice_that_forces_nothing_needs_no_tools(change):
    assert send(change).content[0].text == "Hello."


# The conversation: roles


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


@each_taken(IN_A_ROW)
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


@each_taken(LATE)
def test_a_system_turn_follows_the_user(change):
    assert send(change).content[0].text == "Hello."


# The conversation: content


EMPTY = {
    "messages.0: user messages must have non-empty content": turns({"role": "user", "content": ""}),
    "messages.2: user messages must have non-empty content": turns(ASK, SAID, user()),
    "messages.1: all messages must have non-empty content except for the optional final assistant "
    "message": turns(ASK, assistant(), user(text("Well?"))),
    "messages: text content blocks must be non-empty": turns(user(text("Hi"), text(""))),
    "messages: text content blocks must contain non-whitespace text": turns(user(text(" \n"))),
    "system: text content blocks must be non-empty": {"system": [text("")]},
    "system: text content blocks must contain non-whitespace text": {"system": " "},
    "messages.0.content.0.text: cache_control cannot be set for empty text blocks": turns(
        user(text("", **CACHED), text("Hi"))
    ),
    "system.1: cache_control cannot be set for empty text blocks": {
        "system": [text("Be brief."), text("", **CACHED)]
    },
}


@each_refusal(EMPTY)
def test_nothing_is_empty_or_blank(message, change):
    assert refusal(change) == invalid(message)


def test_an_empty_text_inside_a_result_is_refused():
    asked = [ASK, assistant(call("a")), user(result("a", content=[text("")]))]
    assert refusal(turns(*asked))[2] == "messages: text content blocks must be non-empty"


NEARLY_EMPTY = {
    "an empty user turn beside a full one": turns(user(), ASK),
    "an empty assistant turn at the end": turns(ASK, assistant()),
    "an empty assistant turn at the end, where there is no prefill": turns(
        ASK, assistant(), model="claude-opus-5"
    ),
    "a blank text beside a call": turns(ASK, assistant(text(" "), call("a")), user(result("a"))),
}


@each_taken(NEARLY_EMPTY)
def test_what_is_empty_beside_something_or_last_is_taken(change):
    assert send(change).content[0].text == "Hello."


SOURCES = {
    "messages.0.content.0.image.source: Field required": turns(user({"type": "image"})),
    "messages.0.content.0.image.source.type: Field required": turns(user(image())),
    "messages.0.content.0.image.source: Input tag 'path' found using 'type' does not match any of "
    "the expected tags: 'base64', 'file', 'url'": turns(user(image(type="path"))),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', "
    "'image/png', 'image/gif' or 'image/webp'": turns(
        user(image(**PNG | {"media_type": "image/bmp"}))
    ),
    "messages.0.content.0.image.source.base64: image cannot be empty": turns(
        user(image(**PNG | {"data": ""}))
    ),
    "messages.0.content.0.image.alt: Extra inputs are not permitted": turns(
        user(image(**PNG) | {"alt": "a cat"})
    ),
    "messages.2.content.0.tool_result.content.0.image.source.url.url: Field required": turns(
        ASK, assistant(call("a")), user(result("a", [image(type="url")]))
    ),
    "messages.0.content.0.document.source: Input tag 'path' found using 'type' does not match any "
    "of the expected tags: 'base64', 'content', 'file', 'text', 'url'": turns(
        user(document(type="path"))
    ),
    "messages.0.content.0.document.source.base64.media_type: Input should be 'application/pdf'": (
        turns(user(document(**PDF | {"media_type": "text/plain"})))
    ),
    "messages.0.content.0.document.source.base64: PDF cannot be empty": turns(
        user(document(**PDF | {"data": ""}))
    ),
}


@each_refusal(SOURCES)
def test_a_picture_or_a_document_has_a_source_that_can_be_read(message, change):
    assert refusal(change) == invalid(message)


LINK = {"type": "url", "url": "https://example.com/cat.png"}
SHOWN = {
    "a picture": turns(user(image(**PNG))),
    "a picture in the web": turns(user(image(**LINK))),
    "a document": turns(user(document(**PDF) | {"title": "On cats", "citations": {}})),
    "a plain text": turns(user(document(type="text", media_type="text/plain", data="Meow."))),
    "a text in pieces": turns(user(document(type="content", content=[text("Meow.")]))),
    "a picture in a result": turns(
        ASK, assistant(call("a")), user(result("a", [image(**PNG), document(**LINK)]))
    ),
}


@each_taken(SHOWN)
def test_pictures_and_documents_are_taken(change):
    assert send(change).content[0].text == "Hello."


THOUGHTS = {
    "messages.1.content.0.thinking.signature: Field required": turns(
        ASK, assistant({"type": "thinking", "thinking": "Hm."}, text("Well."))
    ),
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted": turns(
        ASK, assistant(thinking(**CACHED), text("Well."))
    ),
    "messages.1.content.0: Invalid `signature` in `thinking` block": turns(
        ASK, assistant(thinking(signature=""), text("Well.")), ASK
    ),
    "messages.0.content: thinking blocks may only be in `assistant` messages": turns(
        user(thinking(), text("Hi"))
    ),
    "messages.1: The final block in an assistant message cannot be `thinking`.": turns(
        ASK, assistant(text("Well."), thinking()), ASK
    ),
}


@each_refusal(THOUGHTS)
def test_thoughts_are_the_assistants_and_go_back_as_they_came(message, change):
    assert refusal(change) == invalid(message)


REMEMBERED = {
    "thinking in the history": turns(ASK, assistant(thinking(), text("Well.")), ASK),
    "redacted thinking in the history": turns(
        ASK, assistant({"type": "redacted_thinking", "data": "c2ln"}, text("Well.")), ASK
    ),
}


@each_taken(REMEMBERED)
def test_thoughts_in_the_history_are_taken(change):
    assert send(change).content[0].text == "Hello."


LAST_WORDS = {
    "This model does not support assistant message prefill. The conversation must end with a user "
    "message.": turns(ASK, SAID, model="claude-opus-4-8"),
    "messages: final assistant content cannot end with trailing whitespace": turns(
        ASK, assistant(text("The answer is "))
    ),
}


@each_refusal(LAST_WORDS)
def test_the_last_word_is_the_users_or_a_beginning(message, change):
    assert refusal(change) == invalid(message)


def test_older_models_go_on_where_they_are_begun():
    begun = turns(ASK, assistant(text("The answer is")))
    assert send(begun).content[0].text == "Hello."


# The conversation: calls and results


CALL_FIELDS = {
    f"messages.1.content.0.tool_use.id: {ID_PATTERN}": turns(ASK, assistant(call("a b"))),
    "messages.1.content.0.tool_use.id: Field required": turns(
        ASK, assistant({"type": "tool_use", "name": "bash", "input": {}})
    ),
    "messages.1.content.0.tool_use.name: String should have at least 1 character": turns(
        ASK, assistant(call("a", name=""))
    ),
    "messages.1.content.0.tool_use.name: String should have at most 200 characters": turns(
        ASK, assistant(call("a", name="b" * 201))
    ),
    "messages.1.content.0.tool_use.input: Field required": turns(
        ASK, assistant({"type": "tool_use", "id": "a", "name": "bash"})
    ),
    "messages.1.content.0.tool_use.input: Input should be an object": turns(
        ASK, assistant(call("a", input="ls"))
    ),
    f"messages.0.content.0.tool_result.tool_use_id: {ID_PATTERN}": turns(user(result(""))),
    "messages.0.content.0.tool_result.tool_use_id: Field required": turns(
        user({"type": "tool_result", "content": "done"})
    ),
    "messages.0.content.0.tool_result.content: Input should be a valid array": turns(
        user(result("a", content=7))
    ),
    "messages.0.content.0.tool_result.content.0: Input should be an object": turns(
        user(result("a", content=["done"]))
    ),
    "messages.0.content.0.tool_result.is_error: Input should be a valid boolean": turns(
        user(result("a", is_error="yes"))
    ),
}


@each_refusal(CALL_FIELDS)
def test_a_call_has_an_id_a_name_and_an_input_and_a_result_has_the_id(message, change):
    assert refusal(change) == invalid(message)


@pytest.mark.parametrize("said", [{"content": ""}, {"content": []}, {}])
def test_an_error_says_something(said):
    failed = {"type": "tool_result", "tool_use_id": "a", "is_error": True, **said}
    assert refusal(turns(ASK, assistant(call("a")), user(failed))) == invalid(
        "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true"
    )


def test_an_error_is_told_in_words():
    failed = result("a", [text("Error:"), image(**PNG)], is_error=True)
    assert refusal(turns(ASK, assistant(call("a")), user(failed))) == invalid(
        "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true"
    )


CALLS = {
    UNANSWERED.format(1, "a"): turns(ASK, assistant(call("a")), user(text("Well?"))),
    UNANSWERED.format(3, "b"): turns(
        ASK, assistant(call("a")), user(result("a")), assistant(call("b"))
    ),
    UNANSWERED.format(1, "b, c"): turns(
        ASK, assistant(call("a"), call("b"), call("c")), user(result("a"))
    ),
    UNASKED.format("0.content.0", "a"): turns(user(result("a"))),
    UNASKED.format("2.content.1", "z"): turns(
        ASK, assistant(call("a")), user(result("a"), result("z"))
    ),
    UNASKED.format("4.content.0", "a"): turns(
        ASK, assistant(call("a")), user(result("a")), SAID, user(result("a"))
    ),
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` "
    "blocks with id: a": turns(ASK, assistant(call("a")), user(result("a"), result("a"))),
    "messages.1.content.1: `tool_use` ids must be unique": turns(
        ASK, assistant(call("a"), call("a")), user(result("a"))
    ),
    "messages.3.content.0: `tool_use` ids must be unique": turns(
        ASK, assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))
    ),
    "messages.0: `tool_use` blocks can only be in `assistant` messages": turns(user(call("a"))),
    "messages.1: `tool_result` blocks can only be in `user` messages": turns(
        ASK, assistant(result("a"))
    ),
}


@each_refusal(CALLS)
def test_each_call_gets_one_result_and_each_result_has_its_call(message, change):
    assert refusal(change) == invalid(message)


def test_text_before_the_results_makes_the_results_unseen():
    asked = [ASK, assistant(call("a")), user(text("Here you are:"), result("a"))]
    assert refusal(turns(*asked))[2] == UNANSWERED.format(1, "a")


RESULTS = {
    "text after the results": turns(ASK, assistant(call("a")), user(result("a"), text("Go on."))),
    "a text block inside the last result": turns(
        ASK, assistant(call("a")), user(result("a", content=[text("done"), text("Go on.")]))
    ),
    "results in another order than the calls": turns(
        ASK, assistant(call("a"), call("b")), user(result("b"), result("a"))
    ),
    "results in two user turns": turns(
        ASK, assistant(call("a"), call("b")), user(result("a")), user(result("b"))
    ),
    "calls in two assistant turns": turns(
        ASK, assistant(call("a")), assistant(call("b")), user(result("a"), result("b"))
    ),
    "a result with nothing in it": turns(ASK, assistant(call("a")), user(result("a", content=""))),
    "a result without content": turns(
        ASK, assistant(call("a")), user({"type": "tool_result", "tool_use_id": "a"})
    ),
    "a result that is an error": turns(
        ASK, assistant(call("a")), user(result("a", "Error: no such file", is_error=True))
    ),
    "calls without tools": turns(ASK, assistant(call("a")), user(result("a"))),
    "a call that says who made it": turns(
        ASK, assistant(call("a", caller={"type": "direct"})), user(result("a"))
    ),
    "a call that does not": turns(
        ASK,
        assistant({"type": "tool_use", "id": "a", "name": "ls", "input": {}}),
        user(result("a")),
    ),
}


@each_taken(RESULTS)
def test_results_come_first_in_any_order_and_form(change):
    assert send(change).content[0].text == "Hello."


# The cache marks


CACHE = {
    "A maximum of 4 blocks with cache_control may be provided. Found 5.": {
        "tools": [BASH | CACHED],
        "system": [text("Be brief.", **CACHED)],
        **turns(user(*[text("Hi", **CACHED)] * 3)),
    },
    "cache_control: Input should be an object": {"cache_control": "ephemeral"},
    "cache_control: Input tag 'for ever' found using 'type' does not match any of the expected "
    "tags: 'ephemeral'": {"cache_control": {"type": "for ever"}},
    "cache_control.ephemeral.ttl: Input should be '5m' or '1h'": {
        "cache_control": {"type": "ephemeral", "ttl": "1d"}
    },
    "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted": {
        "system": [text("Be brief.", cache_control={"type": "ephemeral", "scope": "global"})]
    },
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a "
    "ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, "
    "`system`, `messages`.": {
        "system": [text("Be brief.", **CACHED)],
        **turns(user(text("Hi", **CACHED_LONG))),
    },
}


@each_refusal(CACHE)
def test_cache_marks_are_few_and_the_long_ones_first(message, change):
    assert refusal(change) == invalid(message)


MARKED = {
    "four cache marks": turns(user(*[text("Hi", **CACHED)] * 4)),
    "an hour before five minutes": turns(user(text("Hi", **CACHED_LONG), text("!", **CACHED))),
    "the cache switched on at the top": CACHED,
}


@each_taken(MARKED)
def test_the_cache_is_marked_or_switched_on_at_the_top(change):
    assert send(change).content[0].text == "Hello."


# The answer


def test_the_answer_has_all_that_the_sdk_expects():
    message = send()
    assert message.type == "message" and message.role == "assistant"
    assert message.model == "practice" and message.id.startswith("msg_")
    assert message._request_id.startswith("req_")
    assert message.stop_reason == "end_turn" and message.stop_sequence is None
    assert message.usage.cache_read_input_tokens == 0


def test_each_request_has_an_id_of_its_own():
    assert send()._request_id != send()._request_id
    with pytest.raises(anthropic.BadRequestError) as refused:
        send({"max_tokens": -1})
    assert refused.value.request_id == refused.value.body["request_id"]


CALL = {"type": "tool_use", "name": "bash", "input": {"command": "ls"}}


def test_calls_get_ids_of_their_own():
    message = send(mind=lambda request: [*HELLO, CALL, CALL])
    ids = [block.id for block in message.content if block.type == "tool_use"]
    assert len(set(ids)) == 2 and message.stop_reason == "tool_use"
    assert message.content[1].input == {"command": "ls"}


def test_an_id_that_the_mind_gives_is_kept():
    message = send(mind=lambda request: [CALL | {"id": "mine"}, CALL])
    assert message.content[0].id == "mine" and message.content[1].id.startswith("toolu_")


def test_an_answer_can_be_sent_back_as_it_came():
    client = PracticeModel(lambda request: [*HELLO, CALL]).client()
    messages = [ASK]
    for _ in range(5):
        message = client.messages.create(model="practice", max_tokens=100, messages=messages)
        messages.append(message.to_param())
        messages.append(user(*[result(b.id) for b in message.content if b.type == "tool_use"]))
    assert len({block.id for turn in messages[1::2] for block in turn["content"][1:]}) == 5


def test_the_same_request_gets_the_same_answer_to_the_byte():
    answers = {send(mind=lambda request: [CALL]).to_json() for _ in range(3)}
    assert len(answers) == 1
    assert send(turns(ASK, ASK), mind=lambda request: [CALL]).to_json() not in answers


def test_input_tokens_follow_the_size_of_the_prompt():
    def tokens(**change):
        return send(change).usage.input_tokens

    small = tokens()
    assert tokens(messages=[user(text("word" * 1000))]) - small == pytest.approx(1000, abs=5)
    assert tokens(system="word" * 1000) - small == pytest.approx(1000, abs=5)
    assert tokens(tools=[BASH | {"description": "word" * 1000}]) - small > 1000


@pytest.mark.parametrize(
    "content", [[text("Hi")], [text("Hi", **CACHED)], [text("H"), text("i", citations=None)]]
)
def test_the_same_prompt_is_as_long_however_it_is_sent(content):
    def tokens(content):
        return send(turns({"role": "user", "content": content})).usage.input_tokens

    assert tokens(content) == tokens("Hi") == 1


def test_a_picture_is_as_long_as_it_is_large_and_not_as_its_data():
    drawn = image(**PNG | {"data": "A" * 800_000})
    assert send(turns(user(drawn))).usage.input_tokens == 1600
    assert send(turns(user(image(**LINK), text("word")))).usage.input_tokens == 1601
    written = document(type="text", media_type="text/plain", data="word" * 10)
    assert send(turns(user(written))).usage.input_tokens == 10


def count(**prompt):
    body = {"model": "practice", "messages": [ASK]} | prompt
    return PracticeModel().client().messages.count_tokens(**body).input_tokens


def test_a_prompt_can_be_counted_before_it_is_sent():
    prompt = {"system": "Be brief.", "tools": [BASH], **turns(ASK, SAID, ASK)}
    assert count(**prompt) == send(prompt).usage.input_tokens
    assert count(messages=[user(text("word" * 300_000))]) == 300_000


COUNTED = {
    "messages: at least one message is required": {"messages": []},
    "max_tokens: Extra inputs are not permitted": {"extra_body": {"max_tokens": 9}},
    'tool_choice: type "tool" and "any" are not supported for this model.': {
        "model": "claude-opus-5-5",
        "tools": [BASH],
        "tool_choice": {"type": "any"},
    },
}


@each_refusal(COUNTED)
def test_a_prompt_that_is_counted_is_checked_as_well(message, change):
    with pytest.raises(anthropic.BadRequestError) as refused:
        count(**change)
    assert refused.value.body["error"]["message"] == message


def test_output_tokens_follow_the_size_of_the_reply():
    def tokens(words):
        return send({"max_tokens": 9000}, mind=lambda request: [text(words)]).usage.output_tokens

    assert tokens("word" * 500) == pytest.approx(500, abs=20)
    assert tokens("word" * 1500) - tokens("word" * 500) == 1000


def test_a_text_longer_than_max_tokens_is_cut():
    message = send({"max_tokens": 3}, mind=lambda request: [text("one two three four"), CALL])
    assert message.content[0].text == "one two thre"
    assert (message.stop_reason, message.usage.output_tokens) == ("max_tokens", 3)


def test_a_text_is_not_cut_within_a_character():
    message = send({"max_tokens": 1}, mind=lambda request: [text("你好")])
    assert message.content[0].text == "你" and message.stop_reason == "max_tokens"
    nothing = send({"max_tokens": 1}, mind=lambda request: [text("abc"), text("你")])
    assert [block.text for block in nothing.content] == ["abc"]


def test_a_call_that_is_cut_has_lost_its_input():
    message = send({"max_tokens": 4}, mind=lambda request: [text("one two"), CALL])
    assert [block.type for block in message.content] == ["text", "tool_use"]
    assert message.content[1].input == {} and message.stop_reason == "max_tokens"


def test_a_thought_that_is_cut_is_still_a_thought():
    message = send({"max_tokens": 1}, mind=lambda request: [thinking("one two")])
    assert message.content[0].to_dict() == thinking("one ") and message.stop_reason == "max_tokens"


def test_no_tokens_at_all_only_warm_the_cache():
    message = send({"max_tokens": 0})
    assert message.content == [] and message.stop_reason == "max_tokens"
    assert message.usage.output_tokens == 0


def test_a_stop_sequence_ends_the_reply_before_it():
    message = send(
        {"stop_sequences": ["three", "two"]}, mind=lambda request: [text("one two three"), CALL]
    )
    assert [block.text for block in message.content] == ["one "]
    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "two")


def test_a_mind_may_answer_with_a_whole_message():
    refused = {"content": [], "stop_reason": "refusal", "stop_details": {"type": "refusal"}}
    message = send(mind=lambda request: refused)
    assert message.content == [] and message.stop_reason == "refusal"
    assert message.id.startswith("msg_") and message.usage.input_tokens > 0


# A mind that fails


def broken(request):
    return request["no such field"]


LINE = broken.__code__.co_firstlineno


@pytest.mark.parametrize(
    ("mind", "complaint"),
    [
        (broken, f"The mind raised KeyError in line {LINE + 1} of broken: 'no such field'"),
        (lambda request: None, "The mind's reply does not fit. It returned a NoneType."),
        (lambda request: "Hello", "The mind's reply does not fit. It returned a str."),
        (lambda request: [{"text": "Hello"}], "The mind's reply does not fit. 0.type: Field"),
        (lambda request: {"content": "Hello"}, "The mind raised AttributeError in line "),
        (lambda request: {"stop_reason": print}, "The mind raised Pydantic"),
        (lambda request: [CALL | {"input": {"x": print}}], "The mind raised PydanticSerialization"),
        (
            lambda request: [CALL | {"input": "ls"}],
            "The mind's reply does not fit. 0.tool_use.input: Input should be an object.",
        ),
    ],
)
def test_a_mind_that_fails_is_a_500_that_says_how(mind, complaint):
    status, kind, message = refusal(mind=mind)
    assert (status, kind) == (500, "api_error")
    assert message.startswith(complaint)


TAKEN = (
    "The mind's reply does not fit. {}.tool_use.id: 'a' is the id of another call. "
    "Leave `id` out, and each call gets one of its own."
)


def test_a_mind_that_gives_an_id_twice_is_told_before_the_request_that_would_bring_it_back():
    def mind(request):
        return [text("Well."), CALL | {"id": "a"}, CALL | {"id": "a"}]

    assert refusal(mind=mind) == (500, "api_error", TAKEN.format(2))


def test_a_mind_that_gives_an_id_of_the_history_is_told_so():
    history = turns(ASK, assistant(call("a")), user(result("a")))
    again = refusal(history, mind=lambda request: [CALL | {"id": "a"}])
    assert again == (500, "api_error", TAKEN.format(0))


@pytest.mark.parametrize("id", ["", None, "a b"])
def test_an_id_is_left_out_or_fits(id):
    status, _, message = refusal(mind=lambda request: [CALL | {"id": id}])
    assert status == 500
    assert message.startswith("The mind's reply does not fit. 0.tool_use.id: ")


def test_a_mind_can_play_an_api_in_trouble():
    def overloaded(request):
        raise errors.ApiError(529, "overloaded_error", "Overloaded")

    assert refusal(mind=overloaded) == (529, "overloaded_error", "Overloaded")


def test_a_mind_that_is_stopped_by_a_person_is_stopped():
    def slow(request):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        send(mind=slow)


# The model


def test_requests_are_kept_as_they_came_the_refused_ones_too():
    model = PracticeModel(lambda request: HELLO)
    create = model.client().messages.create
    create(model="practice", max_tokens=100, messages=[ASK])
    with pytest.raises(anthropic.BadRequestError):
        create(model="practice", max_tokens=-1, messages=[ASK])
    assert [request["max_tokens"] for request in model.requests] == [100, -1]
    assert model.requests[0]["messages"] == [ASK]


def test_a_request_with_a_wrong_key_is_kept_too():
    model = PracticeModel(lambda request: HELLO)
    with pytest.raises(anthropic.AuthenticationError):
        model.client(api_key="somebody-elses").messages.create(
            model="practice", max_tokens=9, messages=[ASK]
        )
    assert [request["max_tokens"] for request in model.requests] == [9]


def test_the_client_is_made_once_and_anew_when_it_was_closed():
    model = PracticeModel(lambda request: HELLO)
    first = model.client()
    assert model.client() is first
    first.close()
    assert model.client() is not first
    assert model.client().messages.create(model="practice", max_tokens=9, messages=[ASK])


def test_nothing_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-one")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.invalid")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-api-key: a-real-one")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    client = PracticeModel(lambda request: HELLO).client()
    assert client.api_key == wire.KEY and client.max_retries == 0
    assert client.messages.create(model="practice", max_tokens=9, messages=[ASK]).content


def test_the_sdk_is_imported_when_a_client_is_made_and_not_before():
    program = (
        "import sys; from agentlib.practice.model import PracticeModel; model = PracticeModel();"
        "print(sorted({'anthropic', 'httpx2', 'jsonschema', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


# Any request whatever

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
blocks = st.one_of(
    st.builds(text, st.text()),
    st.builds(call, st.sampled_from("abc")),
    st.builds(result, st.sampled_from("abc"), st.text()),
    st.just(thinking()),
    anything,
)
contents = st.text() | st.lists(blocks, max_size=3)
messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"]), "content": contents}
    ),
    max_size=5,
)


@given(
    st.fixed_dictionaries(
        {"model": st.sampled_from(["practice", "claude-opus-5"]), "max_tokens": st.just(100)},
        optional={"messages": messages | anything, "tools": anything, "system": anything},
    )
)
def test_any_request_is_taken_or_refused_with_a_sentence(request):
    before = json.dumps(request)
    try:
        rules.check(request)
    except errors.ApiError as refused:
        assert refused.status == 400 and refused.message
    else:
        assert reply.answer(request, HELLO)["content"] == HELLO
    assert json.dumps(request) == before


rounds = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["", "Well, let me see."]),
        st.sampled_from(["", "Go on."]),
    ),
    max_size=6,
)


@given(rounds)
def test_any_history_of_calls_with_their_results_is_taken_and_none_without_one_of_them(history):
    turns, ids = [ASK], []
    for n, (calls, before, after) in enumerate(history):
        names = [f"call_{n}_{i}" for i in range(calls)]
        said = [text(before)] * bool(before) + [call(name) for name in names]
        heard = [result(name) for name in names] + [text(after)] * bool(after)
        turns += [assistant(*(said or [text("Done.")])), user(*(heard or [text("And now?")]))]
        ids += names
    asked = {"model": "practice", "max_tokens": 100, "messages": turns}
    rules.check(asked)
    for id in ids:
        lost = [
            turn | {"content": [b for b in turn["content"] if b.get("tool_use_id") != id]}
            for turn in turns
        ]
        with pytest.raises(errors.ApiError, match=id):
            rules.check(asked | {"messages": [turn for turn in lost if turn["content"]]})
