"""A model that sends its list as JSON text plays with any list."""

import json

import pytest
from support.notebook import CELLS, write_file

from lesson import PracticeModel, play
from lesson.practice.policy.next_reply import practice_policy
from lesson.program.my_agent import load_solutions


def send(change):
    """Return a practice model whose lists are sent as `change(items)`."""

    def policy(request):
        reply = practice_policy(request)
        for block in reply:
            if block["type"] == "tool_use" and block["name"] == "todo":
                block["input"] = {"items": change(block["input"]["items"])}
        return reply

    return PracticeModel(policy)


def list_calls(run):
    """Return the calls of `todo` in a run."""
    return [call for round_ in run.rounds for call in round_.calls if call.name == "todo"]


@pytest.mark.parametrize("own", [["agent_loop", "MyTodo", "MyNag"], []], ids=["own", "none"])
@pytest.mark.parametrize(
    "todo", ["yours", "MyTodo", "PriorityTodo", load_solutions().MyTodo], ids=str
)
def test_all_steps_are_done_with_any_list_and_no_list_is_rejected(notebook, own, todo):
    """Claude does so at times, and Qwen3-Coder: `safetylib/wire/odd_lists.py` names the reports."""
    write_file(**{name: CELLS[name] for name in own})
    run = play("ten_steps", window=12, model=send(json.dumps), todo=todo)
    assert run.steps_done == 10 and run.problem == ""
    assert len(list_calls(run)) == 8 and all(call.ok for call in list_calls(run))


def test_a_run_whose_lists_are_all_rejected_says_so_whoever_wrote_the_list(notebook):
    """A class of our solutions is in no module that Python lists."""
    run = play("ten_steps", window=12, todo="MyTodo", model=send(lambda items: 7))
    assert "items must be a list" in run.problem


def test_a_learners_own_rule_is_what_the_model_reads(notebook):
    notebook.run(
        "from agentlib import TodoManager",
        """class Own(TodoManager):
    def update(self, todos):
        raise ValueError("my rule says no")""",
    )
    run = play("hello", todo=notebook["Own"], model=send(json.dumps))
    assert {call.output for call in list_calls(run)} == {"Error: my rule says no"}
