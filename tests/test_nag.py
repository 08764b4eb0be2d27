"""Nag: when the reminder comes, when it does not, and what it says."""

import pytest

from agentlib import Call, Nag, TodoManager, first_message

WORK = [Call("bash", {"command": "ls"}, "hello.py", ok=True)]
PLAN = [Call("todo", {"items": []}, "No todos.", ok=True)]
REFUSED = [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)]
REMINDER = "<reminder>Update your todos.</reminder>"


def told(nag, *rounds):
    """In which of these rounds the nag reminded, counted from 1."""
    return [number for number, calls in enumerate(rounds, 1) if nag(calls)]


def test_at_three_it_reminds_with_the_third_round_and_each_that_follows():
    assert told(Nag(TodoManager(), 3), WORK, WORK, WORK, WORK) == [3, 4]


def test_a_todo_call_sets_the_count_back():
    assert told(Nag(TodoManager(), 3), WORK, WORK, PLAN, WORK, WORK, WORK) == [6]


def test_a_refused_todo_call_counts_as_a_use():
    assert told(Nag(TodoManager(), 3), WORK, WORK, REFUSED, WORK, WORK) == []


def test_several_calls_in_one_reply_are_one_round():
    nag = Nag(TodoManager(), 2)
    assert told(nag, WORK * 4, WORK) == [2]
    assert told(nag, WORK + PLAN + WORK, WORK) == []


def test_at_one_it_reminds_in_every_round_without_a_todo_call():
    assert told(Nag(TodoManager(), 1), WORK, PLAN, WORK) == [1, 3]


def test_the_threshold_can_be_moved_while_it_counts():
    nag = Nag(TodoManager(), 5)
    assert told(nag, WORK, WORK) == []
    nag.after = 3
    assert told(nag, WORK) == [1]


def test_what_it_says():
    nag = Nag(TodoManager(), 1)
    assert nag(WORK) == REMINDER


def test_a_subclass_may_say_more():
    class Pointed(Nag):
        def reminder(self):
            return f"<reminder>{len(self.todo.items)} tasks are on your list.</reminder>"

    todo = TodoManager()
    todo.update([{"text": "Add tests"}])
    assert Pointed(todo, 1)(WORK) == "<reminder>1 tasks are on your list.</reminder>"


@pytest.mark.parametrize("after", [0, -1, 2.5, "3", True, None])
def test_a_threshold_that_is_no_number_of_rounds_is_refused(after):
    with pytest.raises(ValueError, match="whole number of rounds"):
        Nag(TodoManager(), after)


def test_the_first_message_asks_for_a_plan_before_the_prompt():
    message = first_message("Refactor hello.py")
    assert message["role"] == "user"
    assert [block["text"] for block in message["content"]] == [
        "<reminder>Use the todo tool for multi-step tasks.</reminder>",
        "Refactor hello.py",
    ]
