"""The request: each field by itself."""

import pytest
from support.practice_wire import (
    ASK,
    CACHED,
    each_accepted,
    each_refusal,
    invalid,
    refusal,
    send,
    text,
    turns,
    user,
)


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


@each_accepted(SHORT)
def test_what_may_be_left_out_or_said_in_short(change):
    assert send(change).content[0].text == "Hello."
