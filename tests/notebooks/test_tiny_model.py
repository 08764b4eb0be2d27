"""The model of a dozen lines in s02: it is read first, and then a learner's loop runs with it."""

import json
from pathlib import Path

import pytest

from agentlib import call_tool
from lesson import PracticeModel, play
from lesson.program.my_agent import load_solutions

PATH = Path(__file__).parents[2] / "notebooks" / "s02_tool_use.ipynb"
CELLS = {
    cell["id"]: "".join(cell["source"])
    for cell in json.loads(PATH.read_text(encoding="utf-8"))["cells"]
}
ASKED = [{"type": "tool_use", "name": "read_file", "input": {"path": "hello.py"}}]


def run(*cells):
    """Run these cells in turn, and return the names that they define."""
    names = {}
    for cell in cells:
        exec(CELLS[cell], names)
    return names


def test_model_is_a_dozen_lines_and_asks_twice_for_the_same(capsys):
    model = CELLS["tiny-01"].partition("\n\n\nfirst_reply")[0]
    assert sum(bool(line) for line in model.splitlines()) <= 13  # one is for the learner's lines
    run("tiny-01", "tiny-03")
    assert capsys.readouterr().out == f"{ASKED}\n" * 2


def test_lines_of_the_answer_change_what_the_model_decides(capsys):
    [lines] = CELLS["tiny-04"].split("```")[1:2]
    own = CELLS["tiny-01"].replace("    # Your lines go here.\n", lines.removeprefix("python\n"))
    names = {}
    exec(own, names)
    exec(CELLS["tiny-03"], names)
    thanked = [{"type": "text", "text": "You are welcome."}]
    assert capsys.readouterr().out == f"{ASKED}\n{thanked}\n"


def test_round_is_pressed_three_times_and_then_overlooks_two_calls(capsys):
    names = run("tiny-01", "round-01")
    capsys.readouterr()
    printed = []
    for _ in range(3):
        exec(CELLS["round-03"], names)
        printed.append(capsys.readouterr().out.partition(" ")[0])
    assert printed == ["read_file", "edit_file", "Done."]
    assert [message["role"] for message in names["messages"]] == ["user", "assistant"] * 3
    for cell in ("round-05", "round-03"):
        exec(CELLS[cell], names)
    assert capsys.readouterr().out == "I read two files first.\n"
    assert len(names["messages"]) == 2 and len(names["reply"].content) == 3


def loop_of_the_round(client, messages, tools, remind=None, **settings):
    """Repeat the round of the notebook: it looks only at the first block."""
    specs = [tool.spec for tool in tools]
    dispatch = {tool.name: tool for tool in tools}
    while True:
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        messages.append({"role": "assistant", "content": reply.content})
        block = reply.content[0]
        if block.type == "text":
            break
        output = call_tool(dispatch, block.name, block.input).output
        result = {"type": "tool_result", "tool_use_id": block.id, "content": output}
        messages.append({"role": "user", "content": [result]})


@pytest.mark.parametrize(
    ("loop", "greeted"), [(loop_of_the_round, "Ada"), (load_solutions().agent_loop, "Maria")]
)
def test_loop_that_reads_only_the_first_block_changes_nothing(loop, greeted):
    model = run("tiny-01", "round-01", "round-05")["tiny_model"]
    played = play("hello", loop=loop, todo=None, model=PracticeModel(model))
    assert f'people = ["{greeted}", ' in played.workspace.read_file("hello.py")
    assert len(played.rounds) == {"Ada": 1, "Maria": 3}[greeted]


def test_call_that_fails_is_in_the_run_and_below_it(capsys):
    model = run("tiny-01", "round-01", "round-05")["tiny_model"]
    played = play("hello", loop=load_solutions().agent_loop, todo=None, model=PracticeModel(model))
    results = played.messages[2]["content"]
    assert [result["content"].startswith("Error: ") for result in results] == [False, True]
    names = run("tiny-01", "round-01", "round-03")
    capsys.readouterr()
    exec(CELLS["spec-04"], names)
    assert capsys.readouterr().out.startswith("Error: there is no tool 'delete_file'")
