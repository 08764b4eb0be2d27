"""Session files of Claude Code, opened as runs: rounds, todo lists, reminders, token counts."""

import json
from pathlib import Path

import pytest
from support.blocks import result, text, use
from support.processes import calls_made

from lesson.runs import Trace
from lesson.widgets.player import Player

# The recorded sessions are other people's, so they stay outside the repository.
RECORDINGS = Path(__file__).parents[2] / "shared" / "evidence" / "sessions"


def assistant(id, *blocks, tokens=(1, 2, 3, 4), **more):
    """Return a record of a session: a part of one reply."""
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens")
    usage = dict(zip((*names, "cache_read_input_tokens"), tokens, strict=True))
    message = {"id": id, "role": "assistant", "content": list(blocks), "usage": usage}
    return {"type": "assistant", "message": message} | more


def user(*content, **more):
    """Return a record of a session: a prompt or results."""
    content = content[0] if isinstance(content[0], str) else list(content)
    return {"type": "user", "message": {"role": "user", "content": content}} | more


@pytest.fixture
def open_lines(tmp_path):
    """Write records to a session file and open it."""

    def open_lines(*records, end="\n"):
        path = tmp_path / "session.jsonl"
        path.write_text("\n".join(map(json.dumps, records)) + end)
        return Trace.open(path)

    return open_lines


TODOS = [
    {"content": "Read", "status": "completed", "activeForm": "Reading"},
    {"content": "Write", "status": "in_progress", "activeForm": "Writing"},
]


def test_records_of_one_reply_are_one_round(open_lines):
    trace = open_lines(
        {"type": "file-history-snapshot", "messageId": "x"},
        user("Please work"),
        assistant("m1", {"type": "thinking", "thinking": "Hm.", "signature": "s"}),
        assistant("m1", text("I look."), use("Read", "a", file_path="x.py")),
        user(result("a", "x = 1")),
        assistant("m1", use("Grep", "b", pattern="y"), tokens=(5, 6, 7, 8)),
        user(result("b", "nothing", is_error=True)),
        assistant("m2", text("Done.")),
    )
    first, second = trace.rounds
    assert (first.text, [call.name for call in first.calls]) == ("I look.", ["Read", "Grep"])
    assert [(call.output, call.ok) for call in first.calls] == [("x = 1", True), ("nothing", False)]
    assert first.usage.total == 26
    assert (second.text, second.is_last) == ("Done.", True)
    assert trace.steps[0].messages[0]["content"][0]["text"] == "Please work"


def test_todo_write_replaces_the_list(open_lines):
    trace = open_lines(
        user("Work"),
        assistant("m1", use("Read", "a")),
        user(result("a", "")),
        assistant("m2", use("TodoWrite", "b", todos=TODOS)),
        user(result("b", "ok")),
        assistant("m3", use("Bash", "c", command="ls")),
    )
    assert [len(step.items) for step in trace.steps] == [0, 0, 2, 2]
    item = {"id": "2", "text": "Write", "status": "in_progress", "activeForm": "Writing"}
    assert trace.steps[-1].items[1] == item
    assert [step.waited for step in trace.steps] == [0, 1, 0, 1]
    assert trace.would_remind(1) == [1, 3]


def test_task_create_and_task_update_change_the_list(open_lines):
    trace = open_lines(
        user("Work"),
        assistant(
            "m1", use("TaskCreate", "a", subject="Read"), use("TaskCreate", "b", subject="W")
        ),
        user(result("a", "Task #7 created successfully: Read")),
        user(result("b", "Task #8 created successfully: W")),
        assistant("m2", use("TaskUpdate", "c", taskId="7", status="completed")),
        user(result("c", "Updated task #7 status")),
        assistant("m3", use("TaskUpdate", "d", taskId="8", status="deleted")),
        user(result("d", "Updated")),
    )
    assert [item["id"] for item in trace.steps[1].items] == ["7", "8"]
    assert trace.steps[2].items[0] == {"id": "7", "text": "Read", "status": "completed"}
    assert [item["id"] for item in trace.steps[3].items] == ["7"]


def test_subagents_and_bookkeeping_are_skipped_and_compaction_is_shown(open_lines):
    trace = open_lines(
        user("Work"),
        user("caveat", isMeta=True),
        assistant("m1", text("One.")),
        assistant("s1", text("A subagent."), isSidechain=True),
        {"type": "system", "subtype": "compact_boundary", "content": "x", "isMeta": False},
        user("So far: one.", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        assistant("m2", text("Two.")),
        {"type": "summary", "summary": "x"},
        {"type": "system", "subtype": "turn_duration"},
    )
    assert [step.text for step in trace.rounds] == ["One.", "Two."]
    said = [message["content"][0]["text"] for message in trace.messages]
    assert said[2].startswith("(Compaction: ")
    assert said[3] == "So far: one."


def attachment(kind, **more):
    """Return a record of a session since version 2.1."""
    return {"type": "attachment", "attachment": {"type": kind} | more}


@pytest.mark.parametrize(
    "kind, prompt",
    [("todo_reminder", "Also test it"), ("task_reminder", [text("Also test it")])],
)
def test_attachments_are_reminders_and_queued_prompts(open_lines, kind, prompt):
    trace = open_lines(
        user("Work"),
        assistant("m1", use("Read", "a")),
        user(result("a", "x = 1")),
        attachment(kind, content=[]),
        attachment("queued_command", prompt=prompt),
        attachment("hook_success", stdout="x"),
        assistant("m2", text("Done.")),
    )
    first, second = trace.rounds
    assert "been used recently" in first.reminder and second.reminder is None
    assert first.calls[0].output == "x = 1"
    assert first.messages[-1]["content"][0]["text"] == "Also test it"


def chain(*records):
    """Give each record an id and the previous one as its parent, unless it has a parent."""
    for number, record in enumerate(records):
        record.setdefault("uuid", f"u{number}")
        record.setdefault("parentUuid", f"u{number - 1}" if number else None)
    return records


def test_rewound_branch_is_left_out(open_lines):
    trace = open_lines(
        *chain(
            user("Work"),
            assistant("m1", text("One.")),
            user("Wrong way"),
            assistant("m2", use("TaskCreate", "a", subject="Never done")),
            user(result("a", "Task #1 created")),
            user("Right way", parentUuid="u1"),
            assistant("m3", text("Two.")),
        )
    )
    assert [step.text for step in trace.rounds] == ["One.", "Two."]
    assert [len(step.items) for step in trace.steps] == [0, 0, 0]


def test_parallel_tool_calls_and_compaction_are_no_branches(open_lines):
    trace = open_lines(
        *chain(
            user("Work"),
            assistant("m1", use("Read", "a")),
            assistant("m1", use("Grep", "b")),
            user(result("a", "x"), parentUuid="u1"),
            user(result("b", "y"), parentUuid="u2"),
            {"type": "system", "subtype": "compact_boundary", "logicalParentUuid": "not here"}
            | {"parentUuid": None},
            user("Summary", isCompactSummary=True, isVisibleInTranscriptOnly=True),
            assistant("m2", text("Done.")),
        )
    )
    assert [call.output for call in trace.rounds[0].calls] == ["x", "y"]
    assert len(trace.rounds) == 2


def test_truncated_session_of_a_subagent_with_an_image_opens(open_lines):
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x"}}
    lines = chain(
        user(image, text("What is this?"), isSidechain=True),
        assistant("m1", text("A dot."), use("TaskCreate", "a", subject="Read"), isSidechain=True),
    )
    trace = open_lines(*lines, end='\n{"type": "assis')
    assert [step.text for step in trace.rounds] == ["A dot."]
    assert trace.steps[0].messages[0]["content"][0]["type"] == "image"
    player = Player(trace)
    assert "1  TaskCreate" in player.text() and player.state["runs"][0]["steps"][1]["cell"] == "p"


def test_list_that_would_be_drawn_again_for_minutes_is_rejected(open_lines):
    todos = [{"content": f"Task {n}"} for n in range(1001)]
    open_lines(assistant("m1", use("TodoWrite", "t1", todos=todos[:1000])))
    # Each of these adds a long task, and repeats the list.
    growing = [assistant("m", text("I plan."))]
    for n in range(70):
        growing.append(assistant(f"m{n}", use("TaskCreate", f"t{n}", subject="x" * 10_000)))
        growing.append(user(result(f"t{n}", f"Task #{n} created")))
    for lines in ([assistant("m1", use("TodoWrite", "t1", todos=todos))], growing):
        with pytest.raises(ValueError, match="todo lists are too long"):
            open_lines(*lines)


def test_reply_of_thousands_of_records_opens_in_linear_time(open_lines):
    def calls(count):
        return calls_made(open_lines, *[assistant("m", text(f"Line {n}.")) for n in range(count)])

    assert len(open_lines(*[assistant("m", text("Line."))] * 3).rounds) == 1  # imports
    assert calls(4000) < 11 * calls(400)


def test_keys_in_a_session_are_redacted(open_lines):
    key = "sk-ant-" + "a1B2" * 8
    escaped = json.dumps(user("My key is KEY")).replace("KEY", "\\u0073" + key[1:])
    trace = open_lines(json.loads(escaped), assistant("m1", text(f"Thanks for {key}.")))
    assert key not in str(trace.messages)
    assert str(trace.messages).count("[your key]") == 2


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recorded sessions are not here")
@pytest.mark.parametrize(
    "name, rounds, lists",
    [("sonnet-4.5-six-lists", 22, 6), ("opus-4.6-task-tools", 61, 16),
     ("opus-4.5-stale-list", 195, 6)],
)  # fmt: skip
def test_recorded_session_opens(name, rounds, lists):
    trace = Trace.open(RECORDINGS / f"{name}.jsonl")
    touched = [step for step in trace.steps[1:] if step.waited == 0 and step.round.calls]
    assert (len(trace.rounds), len(touched)) == (rounds, lists)
    Player(trace)
