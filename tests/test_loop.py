"""The loop: after whatever a model, a tool or a person does, the history can be sent."""

import copy
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentlib import Tool, rounds, run
from agentlib.tools import call_tool
from lesson import PracticeModel

SETTINGS = {"model": "practice", "max_tokens": 1000}
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
PROMPT = {"role": "user", "content": "Go"}


def text(words):
    return {"type": "text", "text": words}


def use(name, input=None, id=None):
    block = {"type": "tool_use", "name": name, "input": {} if input is None else input}
    return block | {"id": id} if id else block


def reply(*content, stop_reason="end_turn", **fields):
    """A whole answer of the API with this content."""
    content = [
        {"id": f"toolu_{n}"} | block if block["type"] == "tool_use" else block
        for n, block in enumerate(content)
    ]
    usage = {"input_tokens": 5, "output_tokens": 7}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "practice",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    } | fields


def scripted(*replies):
    """A practice model that gives these replies, one a turn of its own, and then only ends."""

    def policy(request):
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        return replies[turn] if turn < len(replies) else [text("Done.")]

    return PracticeModel(policy)


def echo(words):
    return f"I heard {words}"


def fail():
    raise RuntimeError("the disk is full")


TOOLS = [
    Tool(
        "echo",
        "Says it again.",
        {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]},
        echo,
    ),
    Tool("fail", "Fails.", {"type": "object"}, fail),
    Tool("quiet", "Says nothing.", {"type": "object"}, lambda: " \n"),
    Tool("broken", "Half a character.", {"type": "object"}, lambda: "a\ud800b"),
]


def play(*replies, tools=TOOLS, messages=None, **settings):
    """Run these replies through the loop: the rounds, the history and the model."""
    model, messages = scripted(*replies), messages or [PROMPT]
    played = run(model.client(), messages, tools, **SETTINGS | settings)
    return played, messages, model


def assert_sendable(messages):
    """The practice wire, which refuses what the real API refuses, takes this history."""
    client = PracticeModel(lambda request: [text("Fine.")]).client()
    nudge = [{"role": "user", "content": "Go on"}] if messages[-1]["role"] == "assistant" else []
    specs = [tool.spec for tool in TOOLS]
    client.messages.create(messages=messages + nudge, tools=specs, **SETTINGS)


def results(message):
    """The tool_result blocks of a turn, as (text, is_error)."""
    return [(block["content"], block.get("is_error", False)) for block in message["content"]]


def test_it_asks_acts_and_answers_until_the_model_asks_no_more():
    played, messages, model = play([text("Hm."), use("echo", {"words": "hi"})], [text("Bye.")])
    assert [(r.number, r.text, r.stop_reason) for r in played] == [
        (1, "Hm.", "tool_use"),
        (2, "Bye.", "end_turn"),
    ]
    first = played[0].calls[0]
    assert (first.name, first.input, first.output, first.ok) == (
        "echo",
        {"words": "hi"},
        "I heard hi",
        True,
    )
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert results(messages[2]) == [("I heard hi", False)]
    assert played[0].usage.input_tokens > 0
    assert [len(request["messages"]) for request in model.requests] == [1, 3]


def test_what_the_caller_sets_goes_to_the_api_untouched():
    _, _, model = play([text("Hi.")], system="Be brief.", stop_sequences=["STOP"])
    request = model.requests[0]
    assert request["system"] == "Be brief."
    assert request["stop_sequences"] == ["STOP"]
    assert request["tools"] == [tool.spec for tool in TOOLS]


def test_without_tools_none_are_sent():
    _, _, model = play([text("Hi.")], tools=())
    assert "tools" not in model.requests[0]


def test_it_can_be_looked_at_between_rounds_and_left():
    model, messages = scripted([use("quiet")], [use("quiet")]), [PROMPT]
    for step in rounds(model.client(), messages, TOOLS, **SETTINGS):
        assert step.number == 1
        break
    assert len(model.requests) == 1
    assert_sendable(messages)
    assert [r.number for r in rounds(model.client(), messages, TOOLS, **SETTINGS)] == [1, 2]


def test_the_history_is_only_ever_appended_to():
    model, messages, before = scripted([use("quiet")], [use("fail")]), [PROMPT], [PROMPT]
    for _ in rounds(model.client(), messages, TOOLS, **SETTINGS):
        assert messages[: len(before)] == before
        before = copy.deepcopy(messages)


@pytest.mark.parametrize(
    "asked, output",
    [
        (use("unknown"), "Error: there is no tool 'unknown', only echo, fail, quiet, broken"),
        (
            use("echo", {"word": "hi"}),
            "Error: echo cannot take this input: missing a required argument: 'words'",
        ),
        (
            use("echo", {"words": "hi", "loud": True}),
            "Error: echo cannot take this input: got an unexpected keyword argument 'loud'",
        ),
        (use("fail"), "Error: the disk is full"),
    ],
)
def test_whatever_goes_wrong_in_a_tool_comes_back_as_text_and_the_loop_goes_on(asked, output):
    played, messages, _ = play([asked], [text("I see.")])
    assert results(messages[2]) == [(output, True)]
    assert [call.ok for call in played[0].calls] == [False]
    assert played[-1].text == "I see."


@pytest.mark.parametrize("name, output", [("quiet", "(no output)"), ("broken", "a?b")])
def test_output_that_the_api_would_not_take_is_made_sendable(name, output):
    _, messages, _ = play([use(name)])
    assert results(messages[2]) == [(output, False)]


def test_several_calls_in_one_reply_are_answered_in_order_in_one_turn():
    asked = [use("echo", {"words": str(n)}, f"toolu_{n}") for n in range(3)]
    played, messages, _ = play([*asked, use("fail", id="toolu_3")])
    assert len(messages[2]["content"]) == 4
    assert [block["tool_use_id"] for block in messages[2]["content"]] == [
        block["id"] for block in messages[1]["content"]
    ]
    assert [call.ok for call in played[0].calls] == [True, True, True, False]


def test_a_reminder_travels_inside_the_last_result_as_a_text_of_its_own():
    asked = [use("quiet", id="toolu_a"), use("echo", {"words": "hi"}, "toolu_b")]
    played, messages, _ = play(
        reply(*asked, stop_reason="tool_use"), remind=lambda calls: "Look at your list."
    )
    first, last = messages[2]["content"]
    assert first["content"] == "(no output)"
    assert last["content"] == [text("I heard hi"), text("Look at your list.")]
    assert [step.reminder for step in played] == ["Look at your list.", None]
    assert_sendable(messages)


def test_remind_is_asked_once_in_each_round_that_had_calls():
    heard = []
    play([use("quiet")], [use("quiet", id="toolu_2")], remind=lambda calls: heard.append(calls))
    assert [[call.name for call in calls] for calls in heard] == [["quiet"], ["quiet"]]


def test_a_turn_goes_back_as_it_came():
    newer = use("quiet", id="toolu_1") | {"caller": {"type": "direct"}}
    _, messages, model = play(reply(THINKING, text("Hm."), newer, stop_reason="tool_use"))
    assert messages[1] == {"role": "assistant", "content": [THINKING, text("Hm."), newer]}
    assert model.requests[1]["messages"][1] == messages[1]


def test_thinking_that_was_cut_off_is_left_out():
    played, messages, _ = play(reply(text("Hm."), THINKING, stop_reason="max_tokens"))
    assert messages[1]["content"] == [text("Hm.")]
    assert len(played) == 1
    assert_sendable(messages)


def test_a_block_of_a_kind_that_nobody_knows_yet_is_kept():
    odd = {"type": "crystal_ball", "future": ["bright"]}
    model, messages = scripted(reply(text("Hm."), odd)), [PROMPT]
    assert run(model.client(), messages, TOOLS, **SETTINGS)[0].text == "Hm."
    assert messages[1]["content"][1] == odd


@pytest.mark.parametrize("content", [[], [text("")], [text(" \n")], [THINKING]])
def test_an_empty_turn_ends_the_run_and_is_not_kept(content):
    played, messages, _ = play(reply(*content))
    assert [step.text.strip() for step in played] == [""]
    assert messages == [PROMPT]
    assert_sendable(messages)


@pytest.mark.parametrize("stop_reason", ["end_turn", "stop_sequence", "something_new"])
def test_a_call_is_run_whatever_the_stop_reason_says(stop_reason):
    played, _, _ = play(reply(use("quiet"), stop_reason=stop_reason))
    assert [call.ok for call in played[0].calls] == [True]


@pytest.mark.parametrize("stop_reason", ["max_tokens", "model_context_window_exceeded"])
def test_a_call_that_was_cut_in_two_is_answered_but_not_run(stop_reason):
    said = []
    tool = Tool("say", "Says.", {"type": "object"}, lambda words="": said.append(words) or "ok")
    whole, cut = use("say", {"words": "whole"}), use("say", {}, "toolu_2")
    played, messages, _ = play(reply(whole, cut, stop_reason=stop_reason), tools=[tool])
    assert said == ["whole"]
    assert [call.ok for call in played[0].calls] == [True, False]
    assert results(messages[2])[1] == (
        f"Error: not run, because your reply was cut off here: {stop_reason}",
        True,
    )
    assert len(played) == 2


def test_a_refusal_ends_the_run():
    played, messages, model = play(reply(text("I can't."), stop_reason="refusal"))
    assert [step.stop_reason for step in played] == ["refusal"]
    assert len(model.requests) == 1
    assert_sendable(messages)


def test_a_paused_turn_is_sent_back_as_it_came():
    played, _, model = play(reply(text("Searching"), stop_reason="pause_turn"), [text("Found.")])
    assert [step.text for step in played] == ["Searching", "Found."]
    assert model.requests[1]["messages"][-1]["content"] == [text("Searching")]


def test_a_paused_turn_with_nothing_in_it_is_not_asked_for_ever():
    played, messages, _ = play(*[reply(stop_reason="pause_turn")] * 9)
    assert len(played) == 1
    assert messages == [PROMPT]


def test_an_error_of_the_sdk_passes_through_and_the_run_can_go_on():
    import anthropic

    model, messages = scripted([use("quiet")]), [PROMPT]
    client = model.client()
    first = rounds(client, messages, TOOLS, **SETTINGS)
    next(first)
    with pytest.raises(anthropic.NotFoundError):
        run(client, messages, TOOLS, **SETTINGS | {"model": "no-such-model"})
    assert_sendable(messages)
    assert run(client, messages, TOOLS, **SETTINGS)[-1].text == "Done."


def test_an_answer_that_is_no_message_is_named():
    import httpx2

    page = httpx2.Response(200, text="<html>Please log in</html>")
    transport = httpx2.MockTransport(lambda request: page)
    client = PracticeModel().client(http_client=httpx2.Client(transport=transport))
    with pytest.raises(ValueError, match="sent no message, but this: '<html>Please log in"):
        run(client, [PROMPT], **SETTINGS)


@pytest.mark.parametrize("stopped_in", [0, 1, 2])
def test_a_stop_while_a_tool_runs_leaves_a_history_that_tells_what_happened(stopped_in):
    done = []

    def work(n):
        if n == stopped_in:
            raise KeyboardInterrupt
        done.append(n)
        return f"did {n}"

    tool = Tool("work", "Works.", {"type": "object"}, work)
    messages = [PROMPT]
    model = scripted([use("work", {"n": n}, f"toolu_{n}") for n in range(3)])
    with pytest.raises(KeyboardInterrupt):
        run(model.client(), messages, [tool], **SETTINGS)
    told = [content for content, _ in results(messages[2])]
    assert told[:stopped_in] == [f"did {n}" for n in range(stopped_in)]
    assert "stopped while it ran" in told[stopped_in]
    assert all("not run" in content for content in told[stopped_in + 1 :])
    assert_sendable(messages)


def test_a_reminder_that_raises_loses_no_result():
    messages = [PROMPT]
    with pytest.raises(ZeroDivisionError):
        run(
            scripted([use("echo", {"words": "hi"})]).client(),
            messages,
            TOOLS,
            remind=lambda calls: 1 / 0,
            **SETTINGS,
        )
    assert results(messages[2]) == [("I heard hi", False)]
    assert_sendable(messages)


def test_what_is_said_of_a_round_is_what_goes_into_the_history():
    played, messages, _ = play([text("Look."), text(""), use("echo", {"words": "hi"})])
    assert played[0].text == "Look."
    assert [message for step in played for message in step.messages] == messages[1:]
    assert [step.is_last for step in played] == [False, True]


def test_a_round_prints_as_one_line_of_a_log():
    played, _, _ = play([use("echo", {"words": "hi\n\x1b[2J"}), use("fail")])
    assert str(played[0]) == " 1  echo hi \ufffd[2J  fail (failed)"
    assert str(played[1]).startswith(" 2  ")


def test_the_loop_prints_nothing(capsys):
    play([text("Hi."), use("fail")])
    assert capsys.readouterr() == ("", "")


def test_a_tools_own_type_error_is_its_own():
    tool = Tool("odd", "", {"type": "object"}, lambda: len(3))
    assert call_tool({"odd": tool}, "odd", {}).output == "Error: object of type 'int' has no len()"


blocks = st.one_of(
    st.sampled_from(["", " ", "Hm."]).map(text),
    st.builds(
        use,
        st.sampled_from(["echo", "fail", "quiet", "broken", "unknown"]),
        st.dictionaries(st.sampled_from(["words", "x"]), st.text(max_size=5), max_size=2),
    ),
    st.just(THINKING),
)
stop_reasons = st.sampled_from(
    [
        "end_turn",
        "tool_use",
        "max_tokens",
        "stop_sequence",
        "refusal",
        "pause_turn",
        "model_context_window_exceeded",
        "new_one",
    ]
)


@example([([THINKING, text(" ")], "pause_turn")], False)
@example([([text("Hm. "), THINKING, text(" ")], "pause_turn")], False)
@given(st.lists(st.tuples(st.lists(blocks, max_size=4), stop_reasons), max_size=6), st.booleans())
def test_any_replies_and_failures_leave_a_history_that_the_api_accepts(script, remind):
    number = iter(range(1000))
    replies = []
    for content, stop_reason in script:
        content = [
            block | {"id": f"toolu_{next(number)}"} if block["type"] == "tool_use" else block
            for block in content
        ]
        replies.append(reply(*content, stop_reason=stop_reason))
    script = iter(replies)
    model = PracticeModel(lambda request: next(script, [text("Done.")]))
    messages = [PROMPT]
    for _ in rounds(
        model.client(),
        messages,
        TOOLS,
        remind=lambda calls: "Plan!" if remind else None,
        **SETTINGS,
    ):
        assert_sendable(messages)
        json.dumps(messages)
