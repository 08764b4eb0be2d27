"""The reader of Codex's older sessions, which the count of recorded sessions needs."""

import json
import sys
from pathlib import Path

import pytest
from recorded import Codex

sys.path.insert(0, str(Path(__file__).parents[1] / "sessions"))
from codex import read_codex  # noqa: E402
from session import Compaction  # noqa: E402


def read(codex):
    return read_codex(json.loads(json.dumps(codex.lines)))


def test_a_reply_ends_at_a_result_and_at_a_prompt():
    codex = Codex()
    codex.prompt()
    codex.item("reasoning")
    codex.text("First.")
    codex.call("exec_command", {}, None)
    codex.plan("> Look", "- Mend")
    codex.text("Shall I go on?")
    codex.prompt()
    codex.text()
    session = read(codex)
    assert [reply.tools for reply in session.replies] == [["exec_command", "update_plan"], [], []]
    assert [reply.is_stop for reply in session.replies] == [False, True, True]
    assert [reply.asks for reply in session.replies] == [False, True, False]
    assert [task.status for task in session.replies[-1].tasks] == ["in_progress", "pending"]


def test_the_reply_that_is_a_summary_is_left_out():
    codex = Codex()
    codex.plan("> Look", "- Mend")
    codex.add("token_usage_record", response_id="r1")
    codex.text("Look is done.")
    codex.add("token_usage_record", response_id="r2")
    history = [{"type": "message", "content": "Look is done."}]
    codex.add("compacted", replacement_history=history, compaction_response_id="r2")
    codex.work()
    session = read(codex)
    assert session.events[1] == Compaction(2, 1)


def test_what_is_encrypted_is_unknown():
    codex = Codex()
    codex.plan("- Look")
    codex.add("compacted", replacement_history=[{"type": "compaction", "encrypted_content": "x"}])
    codex.work()
    codex.plan("+ Look")
    codex.work()
    session = read(codex)
    assert session.events[1] == Compaction(1, None)


def test_a_plan_that_is_written_by_code_is_not_read():
    codex = Codex()
    codex.item("custom_tool_call", name="exec", call_id="1", input="tools.update_plan({})")
    assert read(codex).unread_lists == 1


@pytest.mark.parametrize(
    "words",
    [
        "failed to parse function arguments",
        "update_plan is a TODO/checklist tool and is not allowed in Plan mode",
        "update_plan handler received unsupported payload",
        None,  # killed before there was a result
    ],
)
def test_a_rejected_plan_changes_nothing(words):
    codex = Codex({"subagent": "review"})
    codex.plan("> Look")
    codex.plan("+ Look", output=words)
    codex.text()
    session = read(codex)
    assert (
        session.is_subagent
        and session.tasks[0].status == "in_progress"
        and len(session.writes) == 1
    )
