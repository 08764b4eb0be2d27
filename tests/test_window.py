"""A full context window: the error message, and two ways to continue the run."""

import anthropic
import pytest

from agentlib import TodoManager, carry_on, first_message, rounds
from agentlib.client.error_messages import explain, is_too_long
from agentlib.nag import Nag
from agentlib.prompts import system_prompt
from lesson import PracticeModel, sample
from lesson.practice.policy import tasks
from lesson.runs.trace import Trace

TASK = tasks.load("ten_steps")
WINDOW_TOKENS = 6000  # the ten steps need some 9,000


class Run:
    """Run the ten steps on a model with a small context window, and record them in `trace`."""

    def __init__(self):
        self.workspace, self.todo = sample(TASK.name), TodoManager()
        self.messages, self.trace = [first_message(TASK.prompt)], Trace(after=3)
        self.nag = Nag(self.todo, 3)
        self.given = {
            "tools": [*self.workspace.tools(), self.todo.tool()],
            "remind": self.nag,
            "model": "practice",
            "max_tokens": 8000,
            "system": system_prompt(self.workspace.name),
        }

    def go_on(self, window=WINDOW_TOKENS):
        client = PracticeModel(context_window=window).client()
        new = rounds(client, self.messages, **self.given)
        return list(self.trace.follow(new, self.messages, self.todo, self.nag))

    def fill_the_window(self):
        with pytest.raises(anthropic.BadRequestError) as full:
            self.go_on()
        return full.value

    @property
    def steps_done(self):
        return sum(step.is_done(self.workspace.root) for step in TASK.steps)


def test_error_for_a_full_context_window_says_how_to_continue():
    full = Run().fill_the_window()
    assert is_too_long(full)
    words = explain(full, "practice", "here")
    assert words.startswith("The conversation has grown longer than the model can read.")
    assert "messages[:] = [carry_on(task, todo.render())], then run this again." in words
    assert "(here says: prompt is too long: " in words


def test_saved_run_resumes_with_a_larger_context_window(tmp_path):
    first = Run()
    first.fill_the_window()
    saved = Trace.open(first.trace.save(tmp_path / "run.json"))
    assert saved.messages == first.messages
    second = Run()
    second.workspace, second.todo, second.nag = first.workspace, first.todo, first.nag
    second.given, second.messages, second.trace = first.given, saved.messages, saved
    assert list(saved.steps[-1].items) == first.todo.items
    second.go_on(window=200_000)
    assert second.steps_done == len(TASK.steps)
    assert saved.messages == second.messages


def test_new_conversation_with_the_todo_list_finishes_the_task():
    long = Run()
    long.fill_the_window()
    assert 3 < long.steps_done < len(TASK.steps)
    long.messages[:] = [carry_on(TASK.prompt, long.todo.render())]
    assert long.go_on()[-1].is_last
    assert long.steps_done == len(TASK.steps)
