"""The agent loop: whatever a model, a tool or the user does, the history can be sent."""

import json
import re
from concurrent.futures import Future
from decimal import Decimal
from functools import wraps
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.blocks import THINKING, reply, text, use
from support.loop import PROMPT, SETTINGS, assert_sendable, scripted
from support.play_loop import rounds, run

from agentlib import Tool
from agentlib.tools import Call, call_tool
from lesson import PracticeModel
from lesson.common.round import Round
from lesson.drawing.run_picture import summarize_round
from lesson.runs.from_messages import plain_messages
from lesson.runs.run import Run
from safetylib.wire.replies import Usage, make_history_sendable


def echo(words):
    return f"I heard {words}"


def fail():
    raise RuntimeError("the disk is full")


async def wait():
    return "done"


TOOLS = [
    Tool("echo", "Repeat the words.", {"type": "object"}, echo),
    Tool("fail", "Fail.", {"type": "object"}, fail),
    Tool("quiet", "Return whitespace.", {"type": "object"}, lambda: " \n"),
    Tool("broken", "Return half a character.", {"type": "object"}, lambda: "a\ud800b"),
    Tool("wait", "Wait.", {"type": "object"}, wait),
    Tool("two", "Take two.", {"type": "object"}, lambda first, second: f"{first} {second}"),
]


def play(*replies, tools=TOOLS, **settings):
    """Run the loop on these replies. Return the rounds, the history and the model."""
    model, messages = scripted(*replies), [PROMPT]
    played = run(model.client(), messages, tools, **SETTINGS | settings)
    return played, plain_messages(messages), model


def results(message):
    """Return the contents of the tool_result blocks of a message."""
    return [block["content"] for block in message["content"]]


def test_a_round_with_a_reminder_says_so_in_its_line():
    played, _, _ = play([use("echo", words="hi")], [text("Bye.")], remind=lambda calls: "Plan!")
    assert [str(round_).endswith("+ reminder") for round_ in played] == [True, False]


def test_loop_ends_when_the_model_stops_calling_tools():
    played, messages, model = play([text("Hm."), use("echo", words="hi")], [text("Bye.")])
    fields = [(round_.number, round_.text, round_.stop_reason, round_.is_last) for round_ in played]
    assert fields == [(1, "Hm.", "tool_use", False), (2, "Bye.", "end_turn", True)]
    call = played[0].calls[0]
    assert (call.name, call.input, call.ok) == ("echo", {"words": "hi"}, True)
    assert call.output == "I heard hi"
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert results(messages[2]) == ["I heard hi"]
    assert played[0].usage.input_tokens > 0
    assert [len(request["messages"]) for request in model.requests] == [1, 3]


def test_settings_go_to_the_api_unchanged_and_tools_only_if_there_are_any():
    _, _, model = play([text("Hi.")], system="Be brief.", stop_sequences=["STOP"])
    request = model.requests[0]
    assert (request["system"], request["stop_sequences"]) == ("Be brief.", ["STOP"])
    assert request["tools"] == [tool.spec for tool in TOOLS]


ERRORS = [
    (
        use("echo", words="", x=1),
        "echo takes words, not x",
    ),
    (use("two", first=1, b=2, c=3), "two takes first, second, not b, c"),
    (use("two", first=1), "two takes first, second: missing a required argument: 'second'"),
    (use("fail"), "the disk is full"),
    (use("x" * 200), f"there is no tool '{'x' * 59}, only echo, fail, quiet, broken, wait, two"),
    (
        use("wait"),
        "the tool wait did not run: it is async, or has `yield`, and must return its text",
    ),
]


@pytest.mark.parametrize("block, problem", ERRORS, ids=str)
def test_tool_exception_becomes_error_result_and_the_loop_continues(block, problem):
    played, messages, _ = play([block], [text("I see.")])
    assert results(messages[2]) == [f"Error: {problem}"]
    assert [call.ok for call in played[0].calls] == [False]
    assert played[-1].text == "I see."


async def count_async():
    yield "1"


LAZY = {
    "async": count_async,
    "future": Future,
    "map": lambda: map(str, "ab"),
    "list": lambda: ["a"],
}


@pytest.mark.parametrize("run", LAZY.values(), ids=LAZY)
def test_result_that_is_no_text_number_or_none_is_an_error(run):
    tools = {"f": Tool("f", "", {}, run), "one": Tool("one", "", {}, lambda: Decimal(1))}
    call = call_tool(tools, "f", {})
    assert not call.ok and re.search("did not run|is no result: return text", call.output)
    assert call_tool(tools, "one", {}).output == "1"


def test_decorated_tool_that_takes_only_named_arguments_runs():
    @wraps(echo)
    def run(**fields):
        return echo(**fields)

    _, messages, _ = play(
        [use("echo", words="hi")], tools=[Tool("echo", "Repeat.", {"type": "object"}, run)]
    )
    assert results(messages[2]) == ["I heard hi"]


def test_whitespace_and_lone_surrogates_in_output_are_replaced():
    _, messages, _ = play([use("quiet", "toolu_1"), use("broken", "toolu_2")])
    assert results(messages[2]) == ["(no output)", "a?b"]


def test_parallel_calls_get_their_results_in_order_in_one_message():
    calls = [use("echo", f"toolu_{n}", words=str(n)) for n in range(3)]
    played, messages, _ = play([*calls, use("fail", "toolu_3")])
    assert len(messages[2]["content"]) == 4
    assert [block["tool_use_id"] for block in messages[2]["content"]] == [
        block["id"] for block in messages[1]["content"]
    ]
    assert [call.ok for call in played[0].calls] == [True, True, True, False]


def test_reminder_is_in_the_string_of_the_last_tool_result():
    calls = [use("quiet", "toolu_a"), use("echo", "toolu_b", words="hi")]
    played, messages, _ = play(calls, remind=lambda calls: "Look at your list.")
    first, last = messages[2]["content"]
    assert first["content"] == "(no output)"
    assert last["content"] == "I heard hi\n\nLook at your list."
    assert [round_.reminder for round_ in played] == ["Look at your list.", None]
    assert_sendable(messages)


@pytest.mark.parametrize(
    "remind, error",
    [
        (lambda calls: True, 'can only concatenate str (not "bool") to str'),
        (lambda calls: ["Look!"], 'can only concatenate str (not "list") to str'),
        (lambda calls: 1 / 0, "division by zero"),
    ],
    ids=["true", "list", "exception"],
)
def test_after_a_reminder_that_fails_the_history_can_be_sent(remind, error):
    model, messages = scripted([use("echo", words="hi")]), [PROMPT]
    with pytest.raises((TypeError, ZeroDivisionError), match=re.escape(error)):
        run(model.client(), messages, TOOLS, remind=remind, **SETTINGS)
    assert_sendable(make_history_sendable(plain_messages(messages)))


def test_reply_goes_back_unchanged_with_thinking_and_new_fields():
    newer = use("quiet", "toolu_1") | {"caller": {"type": "direct"}}
    _, messages, _ = play(reply(THINKING, text("Hm."), newer))
    assert messages[1] == {"role": "assistant", "content": [THINKING, text("Hm."), newer]}


@pytest.mark.parametrize("content", [[], [text(" \n")], [THINKING]])
def test_empty_reply_ends_the_run_and_is_not_kept(content):
    played, messages, _ = play(reply(*content))
    assert [round_.text.strip() for round_ in played] == [""]
    assert messages == [PROMPT]
    assert_sendable(messages)


@pytest.mark.parametrize("stop_reason", ["end_turn", "tool_calls", "function_call"])
def test_call_runs_with_any_complete_stop_reason(stop_reason):
    played, _, _ = play(reply(use("quiet"), stop_reason=stop_reason))
    assert [call.ok for call in played[0].calls] == [True]


def test_round_as_a_log_line_shows_no_control_characters():
    played, _, _ = play([use("echo", words="hi\n\x1b[2J"), use("fail")], [text("Bye\n\x1b[2J")])
    assert str(played[0]) == " 1  echo hi \ufffd[2J  fail (failed)"
    assert str(played[1]) == " 2  Bye \ufffd[2J"


@pytest.mark.parametrize(
    "name, tool_input, seen",
    [
        ("write_file", {"path": f"src/{'deep/' * 20}shop.py", "content": ""}, ["src/", "/shop.py"]),
        ("write_file", {"path": f"{'很' * 80}.py"}, ["很很很", "很.py"]),
        ("bash", {"command": f"curl https://example.org/{'a' * 90}.tar"}, ["curl https:", "a.tar"]),
        ("bash", {"command": "echo " + "word " * 30}, ["echo word", "word"]),
    ],
    ids=["path", "no spaces", "address", "words"],
)
def test_a_call_as_a_log_line_shows_what_it_is_about_also_if_that_is_long(name, tool_input, seen):
    call = Call(name, tool_input, "")
    for line in (str(call), summarize_round(Round(1, "", (call,), None, Usage(), "tool_use"))):
        assert line.startswith(name) and all(part in line for part in seen)
        assert "…" in line and len(line) <= 72


def test_the_log_line_of_a_list_says_how_long_it_is():
    lines = [str(Call("todo", {"items": [{}] * many}, "")) for many in range(3)]
    assert lines == ["todo 0 items", "todo 1 item", "todo 2 items"]


blocks = st.one_of(
    st.sampled_from(["", " ", "Hm."]).map(text),
    st.builds(
        lambda name, arguments: use(name, **arguments),
        st.sampled_from(["echo", "fail", "quiet", "broken", "unknown"]),
        st.dictionaries(st.sampled_from(["words", "x"]), st.text(max_size=5), max_size=2),
    ),
    st.just(THINKING),
)
stop_reasons = st.sampled_from("end_turn tool_use max_tokens refusal pause_turn new_one".split())


@example([([THINKING, text(" ")], "pause_turn")], False)
@example([([text("Hm. "), THINKING, text(" ")], "pause_turn")], False)
@given(st.lists(st.tuples(st.lists(blocks, max_size=4), stop_reasons), max_size=6), st.booleans())
def test_history_can_be_sent_after_any_replies_and_failures(script, has_reminder):
    number = iter(range(1000))
    replies = []
    for content, stop_reason in script:
        content = [
            block | {"id": f"toolu_{next(number)}"} if block["type"] == "tool_use" else block
            for block in content
        ]
        replies.append(reply(*content, stop_reason=stop_reason))
    script = iter(replies)
    client = PracticeModel(lambda request: next(script, [text("Done.")])).client()
    messages = [PROMPT]
    remind = lambda calls: "Plan!" if has_reminder else None  # noqa: E731
    try:
        for _ in rounds(client, messages, TOOLS, remind=remind, **SETTINGS):
            assert_sendable(messages)
    except ValueError as problem:
        assert "2 replies in a row were cut off" in str(problem)
    assert_sendable(messages)


# Only appending lets each request be read from the prompt cache


@pytest.mark.parametrize("settings", [{}, {"after": 1}], ids=str)
def test_each_request_has_the_previous_one_as_its_prefix(settings):
    requests = Run(window="all", **settings).play().requests
    assert len(requests) > 1
    for before, now in pairwise(requests):
        sent = len(before["messages"])
        assert len(now["messages"]) > sent
        start = now | {"messages": now["messages"][:sent]}
        assert json.dumps(start) == json.dumps(before)
