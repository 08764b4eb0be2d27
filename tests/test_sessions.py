"""A session of Claude Code opens as a run: its rounds, its lists, what they cost."""

import json
from pathlib import Path

import pytest

from lesson.runs import Trace
from lesson.widgets import Player

RECORDINGS = Path(__file__).parents[2] / "shared" / "evidence" / "sessions"


def assistant(id, *blocks, tokens=(1, 2, 3, 4), **more):
    """A line of a session: a part of one reply."""
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens")
    usage = dict(zip((*names, "cache_read_input_tokens"), tokens, strict=True))
    message = {"id": id, "role": "assistant", "content": list(blocks), "usage": usage}
    return {"type": "assistant", "message": message} | more


def user(*content, **more):
    """A line of a session: a prompt, or results."""
    content = content[0] if isinstance(content[0], str) else list(content)
    return {"type": "user", "message": {"role": "user", "content": content}} | more


def text(words):
    return {"type": "text", "text": words}


def use(id, name, **input):
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def result(id, content, **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content} | more


@pytest.fixture
def open_lines(tmp_path):
    """Write records as a session file, and open it."""

    def open_lines(*records, end="\n"):
        path = tmp_path / "session.jsonl"
        path.write_text("\n".join(map(json.dumps, records)) + end)
        return Trace.open(path)

    return open_lines


TODOS = [
    {"content": "Read", "status": "completed", "activeForm": "Reading"},
    {"content": "Write", "status": "in_progress", "activeForm": "Writing"},
]


def test_the_parts_of_a_reply_are_one_round(open_lines):
    trace = open_lines(
        {"type": "file-history-snapshot", "messageId": "x"},
        user("Please work"),
        assistant("m1", {"type": "thinking", "thinking": "Hm.", "signature": "s"}),
        assistant("m1", text("I look."), use("a", "Read", file_path="x.py")),
        user(result("a", "x = 1")),
        assistant("m1", use("b", "Grep", pattern="y"), tokens=(5, 6, 7, 8)),
        user(result("b", "nothing", is_error=True)),
        assistant("m2", text("Done.")),
    )
    first, second = trace.rounds
    assert (first.text, [call.name for call in first.calls]) == ("I look.", ["Read", "Grep"])
    assert [(call.output, call.ok) for call in first.calls] == [("x = 1", True), ("nothing", False)]
    assert first.usage.total == 26
    assert (second.text, second.is_last) == ("Done.", True)
    assert trace.steps[0].messages[0]["content"][0]["text"] == "Please work"


def test_a_list_that_is_replaced_is_the_list(open_lines):
    trace = open_lines(
        user("Work"),
        assistant("m1", use("a", "Read")),
        user(result("a", "")),
        assistant("m2", use("b", "TodoWrite", todos=TODOS)),
        user(result("b", "ok")),
        assistant("m3", use("c", "Bash", command="ls")),
    )
    assert [len(step.items) for step in trace.steps] == [0, 0, 2, 2]
    assert trace.steps[-1].items[1] == {
        "id": "2",
        "text": "Write",
        "status": "in_progress",
        "activeForm": "Writing",
    }
    assert [step.waited for step in trace.steps] == [0, 1, 0, 1]
    assert trace.would_remind(1) == [1, 3]


def test_a_list_that_is_changed_task_by_task_is_the_list(open_lines):
    trace = open_lines(
        user("Work"),
        assistant(
            "m1", use("a", "TaskCreate", subject="Read"), use("b", "TaskCreate", subject="W")
        ),
        user(result("a", "Task #7 created successfully: Read")),
        user(result("b", "Task #8 created successfully: W")),
        assistant("m2", use("c", "TaskUpdate", taskId="7", status="completed")),
        user(result("c", "Updated task #7 status")),
        assistant("m3", use("d", "TaskUpdate", taskId="8", status="deleted")),
        user(result("d", "Updated")),
    )
    assert [item["id"] for item in trace.steps[1].items] == ["7", "8"]
    assert trace.steps[2].items[0] == {"id": "7", "text": "Read", "status": "completed"}
    assert [item["id"] for item in trace.steps[3].items] == ["7"]


def test_subagents_and_notes_are_left_out_and_a_summary_stays(open_lines):
    trace = open_lines(
        user("Work"),
        user("caveat", isMeta=True),
        assistant("m1", text("One.")),
        assistant("s1", text("A subagent."), isSidechain=True),
        user("So far: one.", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        assistant("m2", text("Two.")),
        {"type": "summary", "summary": "x"},
        {"type": "system", "subtype": "turn_duration"},
    )
    assert [step.text for step in trace.rounds] == ["One.", "Two."]
    assert trace.messages[2]["content"][0]["text"] == "So far: one."


def test_a_session_that_is_cut_opens_as_far_as_it_goes(open_lines):
    lines = [user("Work"), assistant("m1", text("One."))]
    assert len(open_lines(*lines, end='\n{"type": "assis').rounds) == 1


def test_no_key_of_a_session_is_shown(open_lines):
    key = "sk-ant-" + "a1B2" * 8
    trace = open_lines(user(f"My key is {key}"), assistant("m1", text("Thanks.")))
    assert key not in str(trace.messages)
    assert "[your key]" in str(trace.messages)


def test_an_image_is_an_image(open_lines):
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x"}}
    trace = open_lines(user(image, text("What is this?")), assistant("m1", text("A dot.")))
    assert trace.steps[0].messages[0]["content"][0]["type"] == "image"
    assert "A dot." in Player(trace).text()


@pytest.mark.parametrize("lines", [["{}"], ['{"type": "user"}'], ['{"type": "summary"}'], ["[1]"]])
def test_what_is_not_a_session_is_refused_with_a_sentence(tmp_path, lines):
    path = tmp_path / "other.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(ValueError, match=r"other\.jsonl is not a run saved by this package"):
        Trace.open(path)


@pytest.mark.parametrize(
    "name, rounds, lists",
    [
        ("sonnet-4.5-six-lists", 22, 6),
        ("opus-4.6-task-tools", 61, 16),
        ("opus-4.5-stale-list", 195, 6),
    ],
)
def test_a_recorded_session_opens(name, rounds, lists):
    """The recordings are other people's and stay outside the repository."""
    path = RECORDINGS / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("the recordings are not here")
    trace = Trace.open(path)
    touched = [step for step in trace.steps[1:] if step.waited == 0 and step.round.calls]
    assert (len(trace.rounds), len(touched)) == (rounds, lists)
    Player(trace)
