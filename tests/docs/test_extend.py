"""The programs in docs/extend.md run as they are printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from anthropic import beta_tool

from agentlib import Call, Nag, TodoManager, first_message, system_prompt
from lesson import PracticeModel, find_missing, sample
from lesson.runs.run import Run
from lesson.samples.jobs import load_job

PAGE = (Path(__file__).parents[2] / "docs" / "extend.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"(?s)## ([^\n]+)\n(?:(?!\n## ).)*?```python\n(.*?)```", PAGE))


def run(title):
    names = {"__name__": "__main__"}
    exec(PROGRAMS[title], names)
    return names


def test_your_own_tool_is_called_as_the_page_says(capsys):
    run("Your own tool")
    assert capsys.readouterr().out.splitlines()[-1] == "54"


def test_todo_list_with_a_field_and_a_rule_works_as_the_page_says(capsys):
    todo = run("A rule for the whole list, and your own reminder")["PriorityTodo"]()
    assert "10 of 10 steps done" in capsys.readouterr().out
    high = [{"text": f"Step {n}", "priority": "high"} for n in range(4)]
    assert todo.update([*high[:3], {"text": "Tests"}]).splitlines()[2:4] == [
        "[ ] #3: Step 2 (priority: high)",
        "[ ] #4: Tests (priority: medium)",
    ]
    with pytest.raises(ValueError, match="Max 3 todos with high priority"):
        todo.update(high)


def test_the_program_for_ci_exits_with_1_and_names_what_is_missing(capsys):
    with pytest.raises(SystemExit) as exit_:
        run("A check in CI")
    assert exit_.value.code == 1
    assert "Write tests for the prices and the totals" in capsys.readouterr().out


def play_with_tool_runner(job):
    """Play a job with the SDK's tool runner. Return its rounds, reminders and workspace."""
    workspace, todo = sample(job), TodoManager()
    nag, count, reminders = Nag(todo), 0, []
    runner = (
        PracticeModel()
        .client()
        .beta.messages.tool_runner(
            model="practice",
            max_tokens=8000,
            system=system_prompt(workspace.name),
            messages=[first_message(load_job(job).prompt)],
            tools=[
                beta_tool(
                    tool.run,
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.spec["input_schema"],
                )
                for tool in [*workspace.tools(), todo.tool()]
            ],
        )
    )
    for message in runner:
        count += 1
        calls = [Call(b.name, b.input, "") for b in message.content if b.type == "tool_use"]
        answer = runner.generate_tool_call_response()
        if answer and (reminder := nag(calls)):
            last = answer["content"][-1]
            last["content"] += f"\n\n{reminder}"
            reminders.append(reminder)
    return count, reminders, workspace


def test_tool_runner_of_the_sdk_plays_the_job_as_the_page_says():
    count, reminders, workspace = play_with_tool_runner("ten_steps")
    assert f"{count} rounds and {len(reminders)} reminders as with `agentlib.run`" in PAGE
    assert find_missing(workspace) == []
    played = Run("ten_steps", model=PracticeModel()).play()
    assert len(played.rounds) == count
    assert sum(round_.reminder is not None for round_ in played.rounds) == len(reminders)


def test_every_program_of_the_page_is_run_here():
    assert len(PROGRAMS) == PAGE.count("```python") == 3


# The SDK's 3,000 modules are not what is checked here, and take ten times as long as the rest.
MYPY = """
[mypy]
ignore_missing_imports = True
[mypy-anthropic.*]
follow_imports = skip
"""


def check_types(program, folder):
    """Return what mypy says of a program in a new folder."""
    (folder / "mypy.ini").write_text(MYPY)
    (folder / "mine.py").write_text(program)
    command = [sys.executable, "-m", "mypy", "mine.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_a_type_checker_accepts_an_extended_list_and_rejects_a_wrong_one(tmp_path):
    program = PROGRAMS["A rule for the whole list, and your own reminder"]
    assert check_types(program, tmp_path).startswith("Success")
    wrong = "    def render(self) -> int:\n        return 1\n\n    def check_list"
    said = check_types(program.replace("    def check_list", wrong), tmp_path)
    assert 'incompatible with return type "str" in supertype "agentlib.todo.TodoManager"' in said
