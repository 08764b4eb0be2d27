"""The reader of Claude Code's sessions: its lines say less, and other things, than they seem to."""

import sys
from pathlib import Path

import pytest
from recorded import ClaudeCode, read_task, to_lines

sys.path.insert(0, str(Path(__file__).parents[1] / "sessions"))
from read import read_copies  # noqa: E402
from session import CannotRead, Listed, Notice, Prompt, Reminder  # noqa: E402


def read(code):
    return read_copies([b"".join(to_lines(code.lines))])


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
    assert first.tools == ["Bash", "Read"]
    assert (last.is_stop, last.asks, first.is_stop) == (True, True, False)


def call_together(code, key, *calls):
    """Add one reply with several calls, and their results in the order in which `calls` ended.

    A call is its name, its input, and what the program says of it (`toolUseResult`).
    """
    for at, (name, given, _) in reversed([*enumerate(calls)]):
        code.block(key, {"type": "tool_use", "id": f"{key}.{at}", "name": name, "input": given})
    for at, (_, _, told) in enumerate(calls):
        code.result(f"{key}.{at}", "ok", told)


def update(number, status, was):
    told = {"success": True, "updatedFields": ["status"] if was else []}
    told |= {"statusChange": {"from": was, "to": status}} if was else {}
    return "TaskUpdate", {"taskId": str(number), "status": status}, told


def shown(*tasks):
    keys = ("id", "status", "subject")
    return "TaskList", {}, {"tasks": [dict(zip(keys, task, strict=True)) for task in tasks]}


def test_what_another_agent_did_stays_if_a_reply_is_shown_it_before_it_writes():
    code = ClaudeCode()
    code.create(1, "one")
    code.create(2, "two")
    before = shown(("1", "completed", "one"), ("2", "pending", "two"))
    call_together(code, "k1", before, update(2, "in_progress", "pending"))
    code.work()
    session = read(code)
    assert [texts(one.tasks) for one in session.replies[2:]] == [
        ["completed: one", "in_progress: two"]
    ] * 2


def test_of_two_updates_of_a_task_the_one_that_ended_last_stays():
    """The second call ended first, and changed nothing: the task was pending."""
    code = ClaudeCode()
    code.create(1, "one")
    call_together(code, "k1", update(1, "pending", None), update(1, "completed", "pending"))
    assert texts(read(code).tasks) == ["completed: one"]
    call_together(code, "k2", update(1, "pending", "completed"), update(1, "pending", None))
    session = read(code)
    assert texts(session.replies[1].tasks) == ["completed: one"]
    assert session.checked == {"already so": 1, "agrees": 2}


def test_an_id_that_comes_again_in_the_conversation_is_a_new_reply():
    """A server that counts from 1 was started again: its ids of calls may be the same as well."""
    code = ClaudeCode()
    lists = (["> Look", "- Mend"], ["+ Look", "> Mend"], ["+ Look", "+ Mend"])
    code.prompt()
    for key, tasks in zip(("m1", "m2", "m1"), lists, strict=True):  # behind another reply
        given = {"todos": [read_task(task) for task in tasks]}
        code.block(key, {"type": "tool_use", "id": "call_0", "name": "TodoWrite", "input": given})
        code.result("call_0", "ok")
    code.prompt()
    code.block("m1", {"type": "text", "text": "Fine."})  # behind a prompt
    session = read(code)
    assert [len(reply.tasks) for reply in session.replies] == [2, 2, 2, 2]
    assert [sum(task.is_open for task in one.tasks) for one in session.replies] == [2, 1, 0, 0]
    assert len({reply.key for reply in session.replies}) == 4 and session.replies[-1].is_stop


def test_a_reply_that_was_cut_off_or_taken_back_is_no_stop():
    code = ClaudeCode("2.1.285")
    code.todo("> Look", "- Mend")
    code.text("I will now")
    error = [{"type": "text", "text": "API Error: The response stopped arriving."}]
    more = {"truncatedAfterOutput": True, "isApiErrorMessage": True}
    code.add("assistant", message={"model": "<synthetic>", "content": error}, **more)
    code.prompt()
    code.block("m8", {"type": "text", "text": "Let me"}, isAbortedMidStream=True)
    code.prompt()
    code.text("No.")
    taken = [code.lines[-1]["uuid"]]
    code.add("system", subtype="model_refusal_fallback", retractedMessageUuids=taken)
    code.text("Shall I go on?")
    session = read(code)
    assert [reply.is_stop for reply in session.replies] == [False, False, False, True]
    assert [reply.is_cut_off for reply in session.replies] == [False, True, True, False]
    assert session.left_out == 1


def test_a_list_is_that_of_the_last_accepted_call():
    code = ClaudeCode()
    code.todo("> Look", "- Mend")
    code.todo("+ Look", "> Mend")
    code.todo("+ Look", "+ Mend", result="No.", is_error=True)
    code.work()
    session = read(code)
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
    assert session.replies[2].changes[0].was == "pending" and not session.replies[4].writes


def test_a_task_that_a_sub_agent_ticks_is_ticked():
    """Its calls stand in lines of type `progress`. Each result agrees with the list."""
    code = ClaudeCode()
    for number, text in ((1, "Look"), (2, "Mend")):
        code.create(number, text)
    code.update(1, "in_progress")
    code.helper("TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated", {"success": True})
    code.helper("TaskUpdate", {"taskId": "2", "status": "completed"}, "No", {"success": False})
    code.update(1, "completed", was=None)
    code.update(2, "in_progress")
    session = read(code)
    assert texts(session.tasks) == ["completed: Look", "in_progress: Mend"]
    assert session.checked == {"agrees": 2, "already so": 1}
    assert [reply.writes for reply in session.replies] == [True] * 5


@pytest.mark.parametrize("shows", [ClaudeCode.show, ClaudeCode.remind])
def test_the_list_that_the_program_shows_is_the_list(shows):
    code = ClaudeCode()
    code.create(1, "Look")
    code.update(7, "in_progress")
    shows(code, "+1 Look", "-3 Test")
    code.text()
    session = read(code)
    assert texts(session.replies[-1].tasks) == ["completed: Look", "pending: Test"]
    if shows is ClaudeCode.show:
        code.show()
        assert read(code).tasks == ()


def test_a_list_that_is_shown_as_text_is_the_list():
    code = ClaudeCode()
    code.create(1, "Look")
    shown = "#1 [completed] Look\n#2 [pending] Mend [blocked by #1]"
    code.call("TaskList", {}, shown)
    assert texts(read(code).tasks) == ["completed: Look", "pending: Mend"]


def test_an_update_that_changes_nothing_says_what_the_task_was_before():
    """So no accepted update of which no field was updated meets a task that the list has open."""
    code = ClaudeCode()
    code.create(1, "Look")
    code.work()
    code.update(1, "completed", was=None)
    session = read(code)
    assert session.checked == {"not so yet": 1}
    at = next(at for at, event in enumerate(session.events) if isinstance(event, Listed))
    assert texts(session.events[at].tasks) == ["completed: Look"]
    assert session.events[at + 1] is session.replies[2]


def test_numbers_that_begin_again_are_a_new_list():
    code = ClaudeCode()
    code.create(1, "Look")
    code.create(2, "Mend")
    code.update(1, "completed")
    code.create(1, "Test")
    code.update(1, "in_progress")
    session = read(code)
    assert texts(session.tasks) == ["in_progress: Test"] and session.restarts == 1
    assert texts(session.replies[2].tasks) == ["completed: Look", "pending: Mend"]


def test_a_list_call_without_a_result_is_not_written():
    code = ClaudeCode()
    code.todo("> Look")
    code.todo("+ Look", result=None)
    session = read(code)
    assert texts(session.tasks) == ["in_progress: Look"] and len(session.writes) == 1
    assert session.open_calls == 1


def test_a_prompt_that_was_taken_back_is_left_out_with_all_after_it():
    code = ClaudeCode()
    code.prompt()
    code.todo("> Look", "- Mend")
    before = code.lines[-1]["uuid"]
    code.prompt()
    code.todo("+ Look", "+ Mend")
    code.remind("+ Look")
    code.text("Everything is done.")
    code.prompt(parentUuid=before)
    code.text()
    session = read(code)
    assert texts(session.tasks) == ["in_progress: Look", "pending: Mend"]
    assert (len(session.replies), session.left_out) == (2, 2)
    assert not any(isinstance(event, Reminder) for event in session.events)
    first = ClaudeCode()  # the first prompt of all was taken back
    first._numbers = code._numbers
    first.lines = code.lines[:-2]
    first.prompt(parentUuid=None)
    first.text()
    assert (len(read(first).replies), read(first).left_out) == (1, 3)


def test_parallel_calls_hang_on_several_lines_and_stay():
    """The next reply follows one of the results. The other one is not on the way back."""
    code = ClaudeCode()
    code.prompt()
    for key in ("a", "b"):
        given = {"todos": [{"content": key, "status": "pending"}]}
        use = {"type": "tool_use", "id": key, "name": "TodoWrite", "input": given}
        code.block("m1", use)
    first, second = (line["uuid"] for line in code.lines[-2:])
    code.result("a", "x")
    code.lines[-1]["parentUuid"] = first
    code.remind("- b")
    code.result("b", "x")
    code.lines[-1]["parentUuid"] = second
    code.text()
    session = read(code)
    assert session.left_out == 0 and session.open_calls == 0
    assert [one for one in session.events if isinstance(one, Reminder)] == [Reminder(1)]


def test_a_parent_that_is_not_in_the_file_is_no_reason_to_leave_something_out():
    code = ClaudeCode()
    code.todo("> Look")
    code.add("progress", parentUuid=None)  # a hook at a resume
    code.text()
    code.text()
    code.lines[-1]["parentUuid"] = "gone"
    assert len(read(code).replies) == 3 and read(code).left_out == 0


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


def test_a_reminder_has_the_list_of_the_program():
    code = ClaudeCode()
    code.todo("- Look")
    code.remind("- Look")
    code.remind()
    assert read(code).events[1:] == [Reminder(1), Listed(()), Reminder(0)]


def test_sub_agents_are_left_out_and_their_own_file_is_said_to_be_one():
    code = ClaudeCode()
    code.block("m1", {"type": "text", "text": "x"}, isSidechain=True)
    assert (read(code).is_subagent, len(read(code).replies)) == (True, 1)
    code.work()
    session = read(code)
    assert (session.is_subagent, len(session.replies)) == (False, 1)


def test_what_a_sub_agent_in_the_same_file_did_to_the_list_is_done():
    """Its lines are in the file itself, with `isSidechain`, and not in lines of type `progress`."""
    code = ClaudeCode()
    code.create(1, "Look")
    name, given, told = update(1, "completed", "pending")
    use = {"type": "tool_use", "id": "a", "name": name, "input": given}
    code.block("m9", use, isSidechain=True)
    code.result("a", "ok", told)
    code.lines[-1]["isSidechain"] = True
    code.text()
    session = read(code)
    assert texts(session.tasks) == ["completed: Look"] and len(session.writes) == 1


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"a": 1}',
        b'{"sessionId": "x", "uuid": "y", "message": {"parts": []}}',  # Qwen Code
        b'{"info": {"id": "ses_1"}, "messages": []}',  # opencode
    ],
)
def test_another_file_is_not_counted(line):
    with pytest.raises(CannotRead):
        read_copies([line])


def test_what_the_program_did_goes_before_what_the_model_asked():
    """A hook changed each call before it ran, and the calls in the file stay as they were."""
    code = ClaudeCode()
    ran = {"task": {"id": "1", "subject": "Test the door"}}
    code.call("TaskCreate", {"subject": "Door"}, "Task #1 created", told=ran)
    change = {"statusChange": {"from": "pending", "to": "in_progress"}}
    ran = {"success": True, "taskId": "1", "updatedFields": ["status"]} | change
    code.call("TaskUpdate", {"taskId": "1", "status": "completed"}, told=ran)
    assert texts(read(code).tasks) == ["in_progress: Test the door"]
    ran = {"success": True, "taskId": "1", "updatedFields": ["description"]}
    code.call("TaskUpdate", {"taskId": "1", "status": "completed"}, told=ran)
    assert texts(read(code).tasks) == ["in_progress: Test the door"]
    code = ClaudeCode()
    code.todo("+ Look", told={"newTodos": [read_task("> Look")]})
    assert texts(read(code).tasks) == ["in_progress: Look"]


def test_a_fork_begins_without_tasks_and_its_numbers_begin_again():
    code = ClaudeCode()
    code.prompt()
    code.create(1, "Look")
    code.create(2, "Mend")
    for line in code.lines:
        line["forkedFrom"] = {"sessionId": "s0", "messageUuid": line["uuid"]}
    code.prompt()
    code.text()
    session = read(code)
    assert session.tasks == () and texts(session.replies[1].tasks) == [
        "pending: Look",
        "pending: Mend",
    ]
    code.create(1, "Test")
    assert texts(read(code).tasks) == ["pending: Test"]
