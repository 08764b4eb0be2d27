"""A model that sends its list as JSON text, or as no list, and what the run says of it."""

import json

from lesson import PracticeModel, play
from lesson.practice.policy.next_reply import practice_policy


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


def test_a_run_whose_lists_are_all_rejected_says_so_whoever_wrote_the_list(notebook):
    """A class of our solutions is in no module that Python lists."""
    run = play("ten_steps", window=12, todo="MyTodo", model=send(lambda items: 7))
    assert "items must be a list" in run.problem


def test_a_learners_own_rule_is_what_the_model_reads(notebook):
    notebook.run(
        "from agentlib import TodoManager",
        """class Own(TodoManager):
    def update(self, todos):
        raise ValueError("my rule rejects it")""",
    )
    run = play("hello", todo=notebook["Own"], model=send(json.dumps))
    assert {call.output for call in list_calls(run)} == {"Error: my rule rejects it"}
