"""The answer, and what a policy did wrong."""

import anthropic
import pytest
from support.practice_wire import (
    ASK,
    BASH,
    CACHED,
    HELLO,
    LINK,
    PNG,
    SAID,
    assistant,
    call,
    document,
    each_refusal,
    image,
    refusal,
    result,
    send,
    text,
    thinking,
    turns,
    user,
)

from lesson.practice.api import errors
from lesson.practice.model import PracticeModel


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
    message = send(policy=lambda request: [*HELLO, CALL, CALL])
    ids = [block.id for block in message.content if block.type == "tool_use"]
    assert len(set(ids)) == 2 and message.stop_reason == "tool_use"
    assert message.content[1].input == {"command": "ls"}


def test_an_id_that_the_policy_gives_is_kept():
    message = send(policy=lambda request: [CALL | {"id": "mine"}, CALL])
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
    answers = {send(policy=lambda request: [CALL]).to_json() for _ in range(3)}
    assert len(answers) == 1
    assert send(turns(ASK, ASK), policy=lambda request: [CALL]).to_json() not in answers


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
        return send({"max_tokens": 9000}, policy=lambda request: [text(words)]).usage.output_tokens

    assert tokens("word" * 500) == pytest.approx(500, abs=20)
    assert tokens("word" * 1500) - tokens("word" * 500) == 1000


def test_a_text_longer_than_max_tokens_is_cut():
    message = send({"max_tokens": 3}, policy=lambda request: [text("one two three four"), CALL])
    assert message.content[0].text == "one two thre"
    assert (message.stop_reason, message.usage.output_tokens) == ("max_tokens", 3)


def test_a_text_is_not_cut_within_a_character():
    message = send({"max_tokens": 1}, policy=lambda request: [text("你好")])
    assert message.content[0].text == "你" and message.stop_reason == "max_tokens"
    nothing = send({"max_tokens": 1}, policy=lambda request: [text("abc"), text("你")])
    assert [block.text for block in nothing.content] == ["abc"]


def test_a_call_that_is_cut_has_lost_its_input():
    message = send({"max_tokens": 4}, policy=lambda request: [text("one two"), CALL])
    assert [block.type for block in message.content] == ["text", "tool_use"]
    assert message.content[1].input == {} and message.stop_reason == "max_tokens"


def test_a_thought_that_is_cut_is_still_a_thought():
    message = send({"max_tokens": 1}, policy=lambda request: [thinking("one two")])
    assert message.content[0].to_dict() == thinking("one ") and message.stop_reason == "max_tokens"


def test_no_tokens_at_all_only_warm_the_cache():
    message = send({"max_tokens": 0})
    assert message.content == [] and message.stop_reason == "max_tokens"
    assert message.usage.output_tokens == 0


def test_a_stop_sequence_ends_the_reply_before_it():
    message = send(
        {"stop_sequences": ["three", "two"]}, policy=lambda request: [text("one two three"), CALL]
    )
    assert [block.text for block in message.content] == ["one "]
    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "two")


def test_a_policy_may_answer_with_a_whole_message():
    refused = {"content": [], "stop_reason": "refusal", "stop_details": {"type": "refusal"}}
    message = send(policy=lambda request: refused)
    assert message.content == [] and message.stop_reason == "refusal"
    assert message.id.startswith("msg_") and message.usage.input_tokens > 0


def broken(request):
    return request["no such field"]


LINE = broken.__code__.co_firstlineno


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        (broken, f"The policy raised KeyError in line {LINE + 1} of broken: 'no such field'"),
        (lambda request: None, "The policy's reply does not fit. It returned a NoneType."),
        (lambda request: "Hello", "The policy's reply does not fit. It returned a str."),
        (lambda request: [{"text": "Hello"}], "The policy's reply does not fit. 0.type: Field"),
        (lambda request: {"content": "Hello"}, "The policy raised AttributeError in line "),
        (lambda request: {"stop_reason": print}, "The policy raised Pydantic"),
        (
            lambda request: [CALL | {"input": {"x": print}}],
            "The policy raised PydanticSerialization",
        ),
        (
            lambda request: [CALL | {"input": "ls"}],
            "The policy's reply does not fit. 0.tool_use.input: Input should be an object.",
        ),
    ],
)
def test_a_policy_that_fails_is_a_500_that_says_how(policy, complaint):
    status, kind, message = refusal(policy=policy)
    assert (status, kind) == (500, "api_error")
    assert message.startswith(complaint)


TAKEN = (
    "The policy's reply does not fit. {}.tool_use.id: 'a' is the id of another call. "
    "Leave `id` out, and each call gets one of its own."
)


def test_a_policy_that_gives_an_id_twice_is_told_before_the_request_that_would_bring_it_back():
    def policy(request):
        return [text("Well."), CALL | {"id": "a"}, CALL | {"id": "a"}]

    assert refusal(policy=policy) == (500, "api_error", TAKEN.format(2))


def test_a_policy_that_gives_an_id_of_the_history_is_told_so():
    history = turns(ASK, assistant(call("a")), user(result("a")))
    again = refusal(history, policy=lambda request: [CALL | {"id": "a"}])
    assert again == (500, "api_error", TAKEN.format(0))


@pytest.mark.parametrize("id", ["", None, "a b"])
def test_an_id_is_left_out_or_fits(id):
    status, _, message = refusal(policy=lambda request: [CALL | {"id": id}])
    assert status == 500
    assert message.startswith("The policy's reply does not fit. 0.tool_use.id: ")


def test_a_policy_can_play_an_api_in_trouble():
    def overloaded(request):
        raise errors.ApiError(529, "overloaded_error", "Overloaded")

    assert refusal(policy=overloaded) == (529, "overloaded_error", "Overloaded")


def test_a_policy_that_is_stopped_by_a_person_is_stopped():
    def slow(request):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        send(policy=slow)
