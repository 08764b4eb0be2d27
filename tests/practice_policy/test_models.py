"""The models of the arena: a question at the stop helps in whatever words it names the files.

What each does with the arena's parts is in tests/test_arena.py.
"""

import pytest

from agentlib import TodoManager
from lesson.practice.models import MODELS
from lesson.practice.policy.jobs import load_job
from lesson.runs.arena import ArenaTrial, Harness

TEN = load_job("ten_steps")


def play(model, **parts):
    """Return the ended run of a model with a harness of these parts."""
    trial = ArenaTrial(MODELS[model].policy, Harness("", **parts))
    list(trial)
    return trial


def ask_in_german(todo, workspace):
    left = [next(iter(step.done)) for step in TEN.steps if not step.is_done(workspace.root)]
    return f"Es fehlt noch: {', '.join(left)}. Bitte mach weiter!" if left else None


@pytest.mark.parametrize("model", [name for name in MODELS if name != "Repeater"])
def test_question_that_names_the_files_helps_in_another_language(model):
    assert play(model, at_stop=ask_in_german).steps_done == 10


@pytest.mark.parametrize("model, done", [("Forgetter", 3), ("Quitter", 4)])
def test_question_that_names_nothing_does_not_help(model, done):
    trial = play(model, todo=TodoManager, at_stop=lambda todo, _: "Update your todos.")
    assert trial.steps_done == done


def test_question_at_the_stop_may_be_tagged_as_a_reminder():
    def ask(*given):
        return f"<reminder>{ask_in_german(*given)}</reminder>"

    assert play("Quitter", at_stop=ask).steps_done == 10
