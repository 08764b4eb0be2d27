"""Streaming: the events add up to the message."""

import json

import anthropic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.practice_api import CALL, body, text, thinking

from lesson.practice.api import stream
from lesson.practice.model import PracticeModel

REDACTED = {"type": "redacted_thinking", "data": "c2VjcmV0"}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
blocks = st.one_of(
    st.builds(text, st.text(min_size=1, max_size=40)),
    st.builds(thinking, st.text(max_size=40)),
    st.builds(lambda input: CALL | {"input": input}, st.dictionaries(st.text(), json_values)),
    st.just(REDACTED),
)


def stream_message(reply, **change):
    """Return the message that the SDK accumulates from the stream of this reply."""
    model = PracticeModel(lambda request: reply)
    with model.client().messages.stream(**body(change)) as events:
        return events.get_final_message()


def create_message(reply, **change):
    """Return the same message without streaming."""
    return PracticeModel(lambda request: reply).client().messages.create(**body(change))


def list_events(reply):
    """Return the events of a stream as the SDK reads them."""
    client = PracticeModel(lambda request: reply).client()
    with client.messages.with_streaming_response.create(**body(), stream=True) as response:
        assert response.headers["content-type"] == stream.CONTENT_TYPE
        raw = list(anthropic.Stream.raw_events(response.http_response))
    assert all(event.event == event.json()["type"] for event in raw)
    return [event.json() for event in raw]


def as_data(message):
    return json.loads(message.to_json(exclude_none=True))


@given(st.lists(blocks, max_size=5), st.integers(1, 60))
def test_stream_of_any_reply_adds_up_to_the_message(reply, max_tokens):
    streamed = stream_message(reply, max_tokens=max_tokens)
    assert as_data(streamed) == as_data(create_message(reply, max_tokens=max_tokens))


@pytest.mark.parametrize(
    "reply, deltas",
    [
        ([text("Two words")], ["text_delta", "text_delta"]),
        ([CALL | {"input": {}}], ["input_json_delta"]),
        ([thinking("Hm hm")], ["thinking_delta", "thinking_delta", "signature_delta"]),
        ([REDACTED], []),
    ],
)
def test_each_type_of_block_has_its_own_deltas(reply, deltas):
    events = list_events(reply)
    assert [event["type"] for event in events] == [
        "message_start",
        "content_block_start",
        "ping",
        *["content_block_delta" for _ in deltas],
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert [event["delta"]["type"] for event in events[3:-3]] == deltas


def test_usage_is_in_the_first_event_and_at_the_end():
    reply = [text("Many words " * 20)]
    events, usage = list_events(reply), create_message(reply).usage
    first, last = events[0]["message"]["usage"], events[-2]["usage"]
    assert first["input_tokens"] == last["input_tokens"] == usage.input_tokens
    assert (first["output_tokens"], last["output_tokens"]) == (1, usage.output_tokens)
