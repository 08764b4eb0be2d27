"""The programs in docs/extend.md and docs/real-models.md run as they are printed."""

import re
from pathlib import Path

import pytest
from anthropic import beta_tool

from agentlib import Call, Nag, TodoManager, first_message, list_tool, system_prompt
from lesson import PracticeModel, find_missing, sample
from lesson.runs.run import Run
from lesson.samples.jobs import load_job

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "extend.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"(?s)```python\n(.*?)```", PAGE)
PROGRAMS += re.findall(r"(?s)```python\n(.*?)```", (DOCS / "real-models.md").read_text("utf-8"))
# The last one plays a real model: without one, it says what it would send.
PRINTED = ("54\n", "10 of 10 steps done\n", "Missing: Write tests", "was sent")


@pytest.mark.parametrize("program, printed", [*zip(PROGRAMS, PRINTED, strict=True)])
def test_program_prints_what_its_page_says(capsys, monkeypatch, tmp_path, program, printed):
    monkeypatch.chdir(tmp_path)
    program = program.replace('connect("model name")', "None")
    if "sys.exit" in program:
        with pytest.raises(SystemExit, match="1"):
            exec(program, {"__name__": "__main__"})
    else:
        exec(program, {"__name__": "__main__"})
    assert printed in capsys.readouterr().out


def test_tool_runner_of_the_sdk_plays_the_job_as_the_page_says():
    played = Run(window="all").play().rounds
    workspace, todo, count, reminders = sample("ten_steps"), TodoManager(), 0, 0
    nag = Nag(todo)
    tools = [
        beta_tool(
            tool.run,
            name=tool.name,
            description=tool.description,
            input_schema=tool.spec["input_schema"],
        )
        for tool in [*workspace.tools(), list_tool(todo)]
    ]
    messages = PracticeModel().client().beta.messages
    runner = messages.tool_runner(
        model="practice",
        max_tokens=8000,
        system=system_prompt(workspace.name),
        messages=[first_message(load_job("ten_steps").prompt)],
        tools=tools,
    )
    for message in runner:
        count += 1
        calls = [Call(b.name, b.input, "") for b in message.content if b.type == "tool_use"]
        answer = runner.generate_tool_call_response()
        if answer and (reminder := nag(calls)):
            answer["content"][-1]["content"] += f"\n\n{reminder}"
            reminders += 1
    assert "as many rounds and reminders as with `agentlib.agent_loop`" in PAGE
    assert (count, reminders) == (len(played), sum(bool(round_.reminder) for round_ in played))
    assert find_missing(workspace) == []
