"""The conversation: each call gets its result."""

import pytest
from support.practice_wire import (
    ASK,
    PNG,
    SAID,
    assistant,
    call,
    each_accepted,
    each_refusal,
    image,
    invalid,
    refusal,
    result,
    send,
    text,
    turns,
    user,
)

UNANSWERED = (
    "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)

UNASKED = (
    "messages.{}: unexpected `tool_use_id` found in `tool_result` blocks: {}. Each `tool_result` "
    "block must have a corresponding `tool_use` block in the previous message."
)

ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'"


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


@each_accepted(RESULTS)
def test_results_come_first_in_any_order_and_form(change):
    assert send(change).content[0].text == "Hello."
