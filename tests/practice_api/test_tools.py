"""The tools: their names, their schemas, the choice among them."""

import pytest
from support.practice_wire import (
    ASK,
    BASH,
    CACHED,
    assistant,
    each_accepted,
    each_refusal,
    invalid,
    refusal,
    send,
    text,
    tool,
    turns,
)

NO_SCHEMA = (
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
    "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)

NAME_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"


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


@each_accepted(SCHEMAS)
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


@each_accepted(UNFORCED)
def test_a_choice_that_forces_nothing_needs_no_tools(change):
    assert send(change).content[0].text == "Hello."


# Tools that the API runs itself

SERVER_TOOL_TYPES = [
    "bash_20250124",
    "code_execution_20250825",
    "memory_20250818",
    "text_editor_20250728",
    "tool_search_tool_regex",
    "web_fetch_20260209",
    "web_search_20250305",
]


@pytest.mark.parametrize("type", SERVER_TOOL_TYPES)
def test_a_tool_that_the_api_runs_itself_is_accepted_with_its_own_fields(type):
    name = type.removesuffix(type[-9:]) if type[-1].isdigit() else type
    search = {"type": type, "name": name, "max_uses": 3, **CACHED}
    own = BASH | {"name": "own"}
    assert send({"tools": [search, own]}).content[0].text == "Hello."


def test_an_unknown_type_of_tool_is_told_the_known_ones_in_alphabetical_order():
    status, _, message = refusal(tool(type="function"))
    begin = "tools.0: Input tag 'function' found using 'type' does not match any of the expected "
    known = message.removeprefix(begin + "tags: ").replace("'", "").split(", ")
    assert status == 400
    assert known == sorted(known)
    assert {"custom", *SERVER_TOOL_TYPES} <= set(known)


def test_what_a_server_tool_did_goes_back_in_the_history():
    used = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    assert send(turns(ASK, assistant(used, found, text("Found.")), ASK)).content


def test_a_server_tool_counts_among_the_names():
    search = {"type": "web_search_20250305", "name": "bash"}
    assert refusal({"tools": [search, BASH]}) == invalid("tools: Tool names must be unique.")
