"""The table of eight agents: what was measured is what the lesson shows, and the server works."""

import json
import os
import re
import sys
import threading
from pathlib import Path
from signal import SIGINT, pthread_kill

import anthropic
import pytest
from support.processes import gone, started

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY / "research" / "agents"))

import measure  # noqa: E402
from scripted_server import Part, Reply, Request, ScriptedServer, write_chat  # noqa: E402

STORED = json.loads(measure.STORED.read_text(encoding="utf-8"))
ROWS = {key: row for key, row in STORED["rows"].items() if key in measure.AGENTS}
SOURCES = (REPOSITORY / "docs" / "sources.md").read_text(encoding="utf-8")


def test_table_is_what_was_measured():
    assert measure.table(ROWS) in SOURCES


def test_of_eight_agents_one_refuses_two_in_progress_three_remind_and_none_asks_at_the_stop():
    refuse = [row for row in ROWS.values() if row["two in progress"] == "refused"]
    remind = [row for row in ROWS.values() if row["reminded after"]["one call"]]
    asked = [row for row in ROWS.values() if row["asked at the stop"]]
    assert (len(ROWS), len(refuse), len(remind), len(asked)) == (8, 1, 3, 0)


def test_texts_name_the_day_and_the_numbers_of_the_measurement():
    assert STORED["date"] == "2026-11-27"
    assert "27 November 2026" in SOURCES
    claude = ROWS["claude_code"]
    assert [claude["reminded after"][kind][0] for kind in measure.SHAPES] == [10, 5, 3]
    assert claude["requests without the list after a compaction"] == 9
    assert claude["claude-opus-5-5"]["other system messages, without the list"] == [5, 10, 15]
    assert {key for key, row in ROWS.items() if row["goal tools"]} == {"codex", "qwen_code"}
    assert not any(row["asked at the stop"] for row in ROWS.values())
    older = STORED["rows"]["claude_code_2025"]
    assert (older["two in progress"], older["says not to mention it"]) == ("stored", True)
    assert older["reminded after"]["one call"][:3] == [6, 9, 12]


def test_a_changed_value_is_told_and_an_equal_one_is_not():
    new = {"codex": ROWS["codex"] | {"two in progress": "refused"}}
    assert measure.changes(ROWS, ROWS) == []
    assert measure.changes(ROWS, new) == ["codex, two in progress: stored → refused"]


def test_reminder_is_found_in_each_place_and_silence_is_none():
    asked = Part("user", "text", "Go")
    quiet = Part("user", "result", "all quiet 1")
    for part, place in {
        Part("user", "result", "all quiet 1\n\nUpdate your todos."): "inside the last result",
        Part("user", "text", "Update your tasks."): "in a user message after the results",
        Part("system", "text", "Update your tasks."): "in a system message after the results",
    }.items():
        parts = [asked, Part("assistant", "call", "Bash"), quiet, part]
        assert measure.find_reminder(Request("m", ["Bash"], parts, {}))[0] == place
    said = Part("system", "text", "The user has heard nothing.")
    for parts in ([asked, quiet], [asked, quiet, said]):
        assert measure.find_reminder(Request("m", ["Bash"], parts, {})) is None


def test_processes_that_an_agent_leaves_behind_end_with_it(tmp_path):
    printed = measure.run_command(
        ["sh", "-c", "echo done; sleep 4711 &"], tmp_path, dict(os.environ)
    )
    assert printed == "done\n" and gone("sleep", "4711")


def test_processes_of_an_agent_end_if_the_measurement_is_interrupted(tmp_path):
    def interrupt():
        assert started("sleep", "4712")
        pthread_kill(threading.main_thread().ident, SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        measure.run_command(["sh", "-c", "sleep 4712 & wait"], tmp_path, dict(os.environ))
    assert gone("sleep", "4712")


def test_agent_that_does_not_end_is_ended_at_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "TIMEOUT", 0.1)
    measure.run_command(["sh", "-c", "sleep 4713"], tmp_path, dict(os.environ))
    assert gone("sleep", "4713")


@pytest.mark.parametrize("streams", [False, True])
def test_real_sdk_reads_a_reply_of_the_scripted_server(streams):
    tools = [{"name": "todo", "input_schema": {"type": "object"}}]
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Go"}]}
    script = [Reply("I plan.", (("todo", {"items": [1]}),)), Reply("Done.")]
    with ScriptedServer(lambda _, number: script[number - 1]) as server:
        client = anthropic.Anthropic(api_key="none", base_url=server.url)
        if streams:
            with client.messages.stream(**asked, tools=tools) as stream:
                reply = stream.get_final_message()
        else:
            reply = client.messages.create(**asked, tools=tools)
        client.messages.create(**asked)  # without tools: an aside, which is not counted
        assert client.messages.create(**asked, tools=tools).content[0].text == "Done."
    assert [block.type for block in reply.content] == ["text", "tool_use"]
    assert reply.content[1].input == {"items": [1]} and reply.stop_reason == "tool_use"
    assert [request.tools for request in server.requests] == [["todo"], ["todo"]]


def test_chat_completion_has_its_calls_as_json():
    *_, whole = write_chat(Reply(calls=(("todo", {"items": []}),)), "m")
    [call] = whole["choices"][0]["message"]["tool_calls"]
    assert call["function"] == {"name": "todo", "arguments": '{"items": []}'}


def test_each_version_that_a_notebook_names_is_in_sources():
    """Of a product, a notebook says with which version something was seen: its row has it too."""
    for path in (REPOSITORY / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        for version in re.findall(r"\b\d+\.\d+\.\d+\b", "\n".join(texts)):
            assert re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.]*\d)", SOURCES), path.name
