"""The stream: the same message, as it is written."""

import json
from pathlib import Path

import anthropic
import pytest
from hypothesis import given
from hypothesis import strategies as some
from support.practice_wire import ASK, BASH, HELLO, refusal, thinking
from support.practice_wire import text as words

from lesson.practice.api import stream
from lesson.practice.api.errors import ApiError
from lesson.practice.model import PracticeModel

FOLDER = Path(__file__).parents[3] / "shared" / "wire"
RECORDED = [
    path
    for path in sorted(FOLDER.glob("[0-9]*.json"))
    if "sse" in json.loads(path.read_text(encoding="utf-8"))["response"]
]
BODY = {"model": "practice", "max_tokens": 100, "messages": [ASK], "tools": [BASH]}
CALL = {
    "type": "tool_use",
    "name": "bash",
    "input": {"command": "ls -l", "odd": ["\u00fc", 1.5, {}]},
}
HIDDEN = {"type": "redacted_thinking", "data": "c2VjcmV0"}

json_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(), inner, max_size=3),
    max_leaves=8,
)
blocks = some.one_of(
    some.builds(words, some.text(min_size=1, max_size=40)),
    some.builds(thinking, some.text(max_size=40)),
    some.builds(lambda input: CALL | {"input": input}, some.dictionaries(some.text(), json_values)),
    some.just(HIDDEN),
)


def stream_of(policy, **change):
    """What the SDK makes of the stream that answers a small request."""
    with PracticeModel(policy).client().messages.stream(**BODY | change) as events:
        return events.get_final_message()


def reply_of(policy, **change):
    """The same without a stream."""
    return PracticeModel(policy).client().messages.create(**BODY | change)


def as_data(message):
    return json.loads(message.to_json(exclude_none=True))


def events_of(policy, **change):
    """The events of a stream, as the SDK reads them from the wire."""
    client = PracticeModel(policy).client()
    sent = BODY | change | {"stream": True}
    with client.messages.with_streaming_response.create(**sent) as response:
        assert response.headers["content-type"] == stream.CONTENT_TYPE
        raw = list(anthropic.Stream.raw_events(response.http_response))
    assert all(event.event == event.json()["type"] for event in raw)
    return [event.json() for event in raw]


@given(some.lists(blocks, max_size=5), some.integers(1, 60))
def test_the_stream_of_any_reply_adds_up_to_the_reply(reply, max_tokens):
    def policy(request):
        return reply

    streamed = stream_of(policy, max_tokens=max_tokens)
    assert as_data(streamed) == as_data(reply_of(policy, max_tokens=max_tokens))


@pytest.mark.parametrize(
    "reply, kinds",
    [
        ([words("Two words")], ["text_delta", "text_delta"]),
        ([CALL | {"input": {}}], ["input_json_delta"]),
        ([thinking("Hm hm")], ["thinking_delta", "thinking_delta", "signature_delta"]),
        ([HIDDEN], []),
    ],
)
def test_each_kind_of_block_grows_by_its_own_kind_of_delta(reply, kinds):
    events = events_of(lambda request: reply)
    order = [event["type"] for event in events]
    assert order == [
        "message_start",
        "content_block_start",
        "ping",
        *["content_block_delta" for _ in kinds],
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert [event["delta"]["type"] for event in events[3:-3]] == kinds


def test_what_it_costs_is_told_twice_as_it_begins_and_as_it_ends():
    usage = reply_of(lambda request: [words("Many words " * 20)]).usage
    events = events_of(lambda request: [words("Many words " * 20)])
    begun, ended = events[0]["message"]["usage"], events[-2]["usage"]
    assert begun["input_tokens"] == ended["input_tokens"] > 1
    assert (begun["output_tokens"], ended["output_tokens"]) == (1, usage.output_tokens)


def test_a_request_that_is_refused_is_refused_before_a_stream_begins():
    assert refusal({"stream": True, "max_tokens": 10**6})[0] == 400
    assert refusal({"stream": "yes"})[2] == "stream: Input should be a valid boolean"


def test_a_policy_can_fail_in_the_middle_of_a_stream():
    def policy(request):
        raise ApiError(529, "overloaded_error", "Overloaded", after=HELLO)

    heard = []
    with (
        pytest.raises(anthropic.APIStatusError) as failed,
        PracticeModel(policy).client().messages.stream(**BODY) as events,
    ):
        heard += events.text_stream
    assert heard == ["Hello."]
    assert failed.value.status_code == 200 and failed.value.type == "overloaded_error"
    with pytest.raises(anthropic.OverloadedError):
        reply_of(policy)


def shape_of(events):
    """The order of the events, and the fields of each; a run of deltas counts as one."""
    shape = []
    for event in events:
        delta = event.get("delta", {}).get("type")
        fields = {name: sorted(value) if isinstance(value, dict) else None
                  for name, value in event.items()}  # fmt: skip
        if not shape or (delta, event["type"]) != shape[-1][:2]:
            shape.append((delta, event["type"], fields))
    return shape


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_reply_streams_as_the_real_api_streamed_it(path):
    exchange = json.loads(path.read_text(encoding="utf-8"))
    lines = exchange["response"]["sse"].splitlines()
    recorded = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    content = []
    for event in recorded:
        match event:
            case {"type": "content_block_start", "content_block": block}:
                content.append(block)
            case {"delta": {"type": "text_delta", "text": more}}:
                content[-1]["text"] += more
            case {"delta": {"type": "thinking_delta", "thinking": more}}:
                content[-1]["thinking"] += more
            case {"delta": {"type": "signature_delta", "signature": signature}}:
                content[-1]["signature"] = signature
    begun, ended = recorded[0]["message"], recorded[-2]
    whole = begun | ended["delta"] | {"content": content}
    whole["usage"] = begun["usage"] | ended["usage"]
    ours, theirs = shape_of(stream.write_message(whole)), shape_of(recorded)
    assert [kinds[:2] for kinds in ours] == [kinds[:2] for kinds in theirs]
    for (_, kind, our), (_, _, their) in zip(ours, theirs, strict=True):
        if kind.startswith("content_block"):
            assert our == their
        else:
            assert set(our) == set(their)


def test_a_conversation_goes_on_from_what_was_streamed():
    said = stream_of(lambda request: [*HELLO, CALL])
    answered = {"type": "tool_result", "tool_use_id": said.content[1].id, "content": "done"}
    history = [ASK, said.to_param(), {"role": "user", "content": [answered]}]
    assert stream_of(lambda request: HELLO, messages=history).content[0].text == "Hello."
