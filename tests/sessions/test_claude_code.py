"""The reader of Claude Code's sessions: its lines say less, and other things, than they seem to."""

import pytest

from lesson.sessions.read_file import read_content
from lesson.sessions.session import CannotRead, Compaction, Notice, Prompt, Reminder, Resume
from tests.support.recorded import OLD, ClaudeCode, to_lines


def read(code):
    return read_content(to_lines(code.lines))


def texts(tasks):
    return [f"{task.status}: {task.text}" for task in tasks]


def test_a_reply_is_all_lines_with_its_id_and_results_may_come_between():
    code = ClaudeCode()
    code.prompt()
    code.block("m1", {"type": "thinking", "thinking": "?"})
    code.block("m1", {"type": "text", "text": "First."})
    code.block("m1", {"type": "tool_use", "id": "a", "name": "Bash", "input": {}})
    code.result("a", "x")
    code.block("m1", {"type": "tool_use", "id": "b", "name": "Read", "input": {}})
    code.text("Shall I go on?")
    first, last = read(code).replies
    assert (first.blocks, first.tools, first.unanswered) == ("tcc", ["Bash", "Read"], 1)
    assert (last.is_stop, last.asks, first.is_stop) == (True, True, False)


def test_a_list_is_that_of_the_last_accepted_call():
    code = ClaudeCode()
    code.todo("> Look", "- Mend")
    code.todo("+ Look", "> Mend")
    code.todo("+ Look", "+ Mend", result="No.", is_error=True)
    code.work()
    session = read(code)
    assert [reply.rejected for reply in session.replies] == [0, 0, 1, 0]
    assert texts(session.replies[-1].tasks) == ["completed: Look", "in_progress: Mend"]
    assert [reply.writes for reply in session.replies] == [True, True, False, False]


def test_a_task_has_the_number_that_its_result_says():
    code = ClaudeCode()
    code.create(3, "Look")
    code.call("TaskCreate", {"subject": "Mend"}, "Task #4 created successfully: Mend")
    code.update(3, "in_progress")
    code.update(4, "deleted")
    code.call("TaskUpdate", {"taskId": "9", "status": "completed"}, told={"success": False})
    session = read(code)
    assert texts(session.replies[-1].tasks) == ["in_progress: Look"]
    assert session.replies[2].changes[0].was == "pending" and session.replies[4].rejected == 1


def test_a_task_of_another_session_has_its_number_as_text():
    code = ClaudeCode()
    code.update(7, "completed", was="in_progress")
    assert texts(read(code).replies[0].tasks) == ["completed: task 7"]


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("TodoWrite", {"todos": "Look, mend"}, None),
        ("TodoWrite", {"todos": [{"task": "Look"}]}, None),
        ("TaskCreate", {"subject": "Look"}, {"created": True}),
        ("TaskUpdate", {"status": "completed"}, {"success": True}),
    ],
)
def test_a_list_call_that_cannot_be_read_is_counted(name, given, told):
    code = ClaudeCode()
    code.call(name, given, told=told)
    assert read(code).unread_lists == 1


def test_only_a_message_of_the_user_is_a_prompt():
    code = ClaudeCode()
    code.prompt()
    code.prompt("<task-notification>x</task-notification>")
    code.prompt("<command-name>/model</command-name>")
    code.prompt("[Request interrupted by user]")
    code.prompt("Read this skill.", isMeta=True)
    code.text()
    assert [type(event) for event in read(code).events[:2]] == [Prompt, Notice]
    assert len(read(code).events) == 3


def test_a_list_is_in_sight_until_a_compaction_and_after_what_shows_it():
    code = ClaudeCode()
    code.todo("- Look", "- Mend", "- Test")
    code.work(2)
    code.compact("We were about to Look.")  # one of three tasks is not the list
    code.work(2)
    code.remind(3)
    code.work()
    code.compact("Look, then Mend.")
    code.work()
    session = read(code)
    assert [reply.in_sight for reply in session.replies] == [True] * 3 + [False] * 2 + [True] * 2
    compactions = [event for event in session.events if isinstance(event, Compaction)]
    assert compactions == [Compaction("auto", 3, 1), Compaction("auto", 3, 2)]


def test_a_list_that_a_compaction_keeps_is_in_sight():
    code = ClaudeCode()
    code.todo("- Look", "- Mend")
    kept = [code.lines[0]["uuid"]]
    code.compact("Go on.", kept)
    code.work()
    assert read(code).replies[-1].in_sight


def test_the_change_of_one_task_does_not_show_the_list():
    code = ClaudeCode()
    code.create(1, "Look")
    code.create(2, "Mend")
    code.compact("Go on.")
    code.update(1, "completed")
    code.work()
    code.call("TaskList", {}, "#1 [completed] Look\n#2 [pending] Mend", told={"tasks": []})
    code.work()
    assert [reply.in_sight for reply in read(code).replies] == [True] * 2 + [False] * 3 + [True]


def test_reminders_are_recorded_by_newer_versions_only():
    code, old = ClaudeCode(), ClaudeCode(OLD)
    for one in (code, old):
        one.todo("- Look")
    code.remind(1)
    code.remind()
    assert read(code).events[1:] == [Reminder(1), Reminder(0)]
    assert [("does not record them" in one) for one in read(old).unknown] == [True, False]
    assert not any("does not record them" in one for one in read(code).unknown)


def test_a_reply_that_no_model_made_is_left_out():
    code = ClaudeCode()
    code.work()
    message = {"id": "x", "model": "<synthetic>", "content": "No response requested."}
    code.add("assistant", message=message)
    code.add("assistant", message=message | {"content": "API Error"}, isApiErrorMessage=True)
    code.work()
    session = read(code)
    assert len(session.replies) == 2 and isinstance(session.events[1], Resume)


def test_sub_agents_are_left_out_and_their_own_file_is_read():
    code = ClaudeCode()
    code.block("m1", {"type": "text", "text": "x"}, isSidechain=True)
    assert (read(code).is_subagent, len(read(code).replies)) == (True, 1)
    code.work()
    session = read(code)
    assert (session.is_subagent, len(session.replies), session.sub_replies) == (False, 1, 1)


def test_a_line_that_comes_again_is_read_once():
    code = ClaudeCode()
    code.todo("- Look")
    code.lines += code.lines
    assert len(read(code).replies) == 1 and len(read(code).replies[0].lists) == 1


def test_what_is_not_known_is_counted_by_its_name():
    code = ClaudeCode("3.0.1")
    code.add("dream")
    code.call("PlanWrite", {})
    code.call("mcp__x__list_tasks", {})
    code.call("TodoWrite", {"todos": [{"content": "Look", "status": "blocked"}]})
    assert read(code).not_understood == {
        "a line of type dream": 1,
        "a tool that may write a list: PlanWrite": 1,
        "a status, read as open": 1,
        "lines of version 3.0.1": 1,
    }


def test_lines_end_at_line_ends_of_the_file_only():
    code = ClaudeCode()
    code.todo("- Look\u2028here", "- Mend\x85it")
    code.work()
    lines = to_lines(code.lines)
    lines[-1] = lines[-1][:30]  # a program that was killed
    session = read_content(lines)
    assert texts(session.replies[0].tasks) == ["pending: Look here", "pending: Mend it"]
    assert session.not_understood == {"a line that is no JSON object": 1}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "no line with a JSON object"),
        ([b"\x89PNG\r\n"], "no line with a JSON object"),
        ([b"[" * 100_000], "no line with a JSON object"),
        ([b'{"a": 1}'], "format of this file is not known"),
        ([b'{"sessionId": "x", "message": {"parts": []}}'], "session of Qwen Code"),
    ],
)
def test_another_file_is_refused_with_a_sentence(lines, words):
    with pytest.raises(CannotRead, match=words):
        read_content(lines)
