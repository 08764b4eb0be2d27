"""Each way in which a real model's run can end, as a notebook, a log and my_agent show it."""

import pytest
from loopback import Server, error, http, message, reach
from support.blocks import reply, text, use
from support.program import play as play_program

from lesson import play
from lesson.practice.api.events import list_events, write_event
from safetylib.wire.ends import CALL_ENDS, ENDS

READ = message(use("read_file", "t", path="a.txt"))
NOT_HERE = http(200, {"error": "Unexpected endpoint or method. (POST /messages)"})  # LM Studio
FENCE = '```json\n{"name": "bash", "input": {"command": "ls"}}\n```'
QUOTED = f"The README shows this call:\n\n{FENCE}\n\nAll tests pass."


def end(reason, *content):
    return message(*content or [text("Half a")], stop_reason=reason)


# What the server answers, and words of the sentence that all show; "" for a complete answer.
TABLE = {
    "end_turn": ([message(text("Done."))], ""),
    "stop": ([end("stop")], ""),
    "stop_sequence": ([end("stop_sequence")], ""),
    "max_tokens": ([READ, end("max_tokens")], "cut off at max_tokens. Ask for smaller"),
    "length": ([READ, end("length")], "cut off at max_tokens. Ask for smaller"),
    "max_tokens, no call": ([end("max_tokens")], "the model has called no tool"),
    "window": ([end("model_context_window_exceeded")], "filled the model's context window"),
    "refusal": ([end("refusal")], "The model declined to answer."),
    "pause_turn": ([end("pause_turn")], "stop reason is 'pause_turn'"),
    "no reason": ([end(None)], "the server gave no stop reason"),
    "unknown": ([end("brand_new")], "stop reason is 'brand_new'"),
    "half calls": ([end("stop", use("bash", "t", command="l"))] * 2, "2 replies in a row were cut"),
    "empty": ([message()], "The model's last reply was empty."),
    "empty after words": (
        [message(text("Ready. Which?"), use("read_file", "t", path="a.txt")), message()],
        "last reply was empty. The one before it said: Ready. Which?",
    ),
    "whitespace": ([message(text(" \n"))], "The model's last reply was empty."),
    "a call that is not there": ([end("tool_use")], "calls a tool, but has sent no call"),
    "a call that is not there, at last": ([READ, end("tool_calls")], "but has sent no call"),
    "call as text": ([message(text(FENCE))], "wrote a tool call as text"),
    "call as text, cut off": ([end("max_tokens", text(FENCE[:40]))], "wrote a tool call as text"),
    "last call as text": ([READ, message(text(FENCE))], "wrote its last tool call as text"),
    "last call as text, cut off": ([READ, end("length", text(FENCE[:40]))], "its last tool call"),
    "a call that is quoted": ([message(text(QUOTED))], ""),
    "key": ([error(401, "invalid key")], "does not accept your key"),
    "too long": ([READ, error(400, "prompt is too long: 9 > 8")], "has grown longer than the"),
    "too long at first": ([error(413, "Too large")], "The first request is longer than the"),
    "busy": ([error(529, "Overloaded")] * 3, "says: Overloaded"),
    "an error in a 200": (
        [NOT_HERE],
        '(POST /messages)"}. Run this again. If it happens again, look at ANTHROPIC_BASE_URL',
    ),
    "web page": ([http(200, "<p>Sign in</p>")], "sent no valid message"),
}


@pytest.mark.parametrize("answers, says", TABLE.values(), ids=TABLE)
def test_end_is_told_in_play_in_print_and_by_my_agent(frame, capsys, answers, says):
    with Server(*answers) as server:
        run = play("hello", model=reach(server)[0])
    assert says in run.problem and bool(run.problem) == bool(says)
    assert says in str(run) and says in capsys.readouterr().out
    with Server(*answers) as server:
        ended = play_program(frame, server)
    assert says in ended + capsys.readouterr().out and (says or not ended)


def test_reply_that_is_whole_has_no_mark_in_the_log():
    for reason, meaning in ENDS.items():
        with Server(*[end(reason)] * 11) as server:
            run = play("hello", model=reach(server)[0])
        assert ("(cut off" in str(run)) is False, reason
        assert bool(run.problem) is not (meaning.is_complete and reason not in CALL_ENDS)


@pytest.mark.parametrize("path", ["hello.py", "nowhere.py"])
@pytest.mark.parametrize("count, is_told", [(4, False), (5, True), (7, True)])
def test_same_call_with_the_same_result_is_named_to_the_user_from_the_fifth_time_on(
    frame, capsys, count, is_told, path
):
    same = [message(use("read_file", f"t{n}", path=path)) for n in range(count)]
    sentence = "The model has made the same call {} times in a row, and read the same result: "
    with Server(*same, message(text("Done.")), *same) as server:
        model, told = reach(server)
        run = play("hello", model=model)
        assert [sentence.format(5) in one for one in told[2:]] == [True] * is_told  # as it comes
        failed = "" if path == "hello.py" else " (failed)"
        circle = f"{sentence.format(count)}read_file {path}{failed}. It goes in circles"
        assert (circle in str(run)) is (circle in capsys.readouterr().out) is is_told
        (frame.project.root / "hello.py").write_text("a")
        play_program(frame, server)
        assert capsys.readouterr().out.count(sentence.format(5)) is int(is_told)
        assert "same call" not in str(server.requests)


def test_same_call_with_another_result_or_another_call_between_is_no_circle():
    reads = [message(use("read_file", f"t{n}", path="hello.py")) for n in range(4)]
    other = message(use("read_file", "o", path="README.md"))
    with Server(*reads, other, *reads) as server:
        assert "circles" not in str(play("hello", model=reach(server)[0]))


def stream_call(given, stop_reason="tool_use"):
    """Return a stream with a call of write_file whose arguments are this text."""
    events = [*list_events(reply(use("write_file", "w", path="a")))]
    deltas = [one for one in events if one["type"] == "content_block_delta"]
    deltas[0]["delta"]["partial_json"] = given
    events = [one for one in events if one not in deltas[1:]]
    events[-2]["delta"]["stop_reason"] = stop_reason
    head = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    return [head.encode(), *map(write_event, events)]


def test_call_that_is_no_json_is_an_error_result_in_both_doors(frame, capsys):
    wrong = [stream_call('{"path": "a.py", "content": "say "hi""}')] * 3
    says = "no JSON: Expecting ',' delimiter: line 1 column 35"
    with Server(*wrong) as server:
        run = play("hello", model=reach(server)[0])
        results = [call for round_ in run.rounds for call in round_.calls]
        assert not run.problem and [call.ok for call in results] == [False] * 3
        assert says in results[0].output and "do not repeat it" in results[2].output
        assert "cut off" not in str(server.requests)
    with Server(*wrong) as server:
        assert play_program(frame, server) == ""
        told = str(server.requests[-1]["messages"])
    assert (
        "delimiter: line 1 column 35" in told
        and "do not repeat it" in told
        and "cut off" not in told
    )
    shown = capsys.readouterr().out
    assert f"(not done) write_file: the arguments of your call are {says}" in shown


def test_call_that_ended_too_early_names_the_servers_stop_reason_and_is_no_result(frame):
    cut = [stream_call('{"path": "a.py", "content": "say')] * 2
    with Server(*cut) as server:
        run = play("hello", model=reach(server, ask=lambda question: "once")[0])
    assert "'tool_use (ended too early)'" in run.problem and run.is_broken_off
    with Server(*cut) as server:
        assert "'tool_use (ended too early)'" in play_program(frame, server)
    assert not [*frame.project.root.iterdir()]
    with Server(stream_call('{"content": "one\ntwo", "path": "a"}')) as server:
        assert play_program(frame, server) == ""
    assert (frame.project.root / "a").read_text() == "one\ntwo"
