"""The seven scripted models: a part of the harness helps in whatever words it speaks.

What each does with the arena's parts is in tests/test_arena.py.
"""

import pytest

from agentlib import TodoManager
from lesson.practice.models import MODELS
from lesson.practice.policy.recognize import find_all_mentions
from lesson.practice.policy.tasks import load, names
from lesson.runs.arena import ArenaTrial, Harness

TEN = load("ten_steps")
# The ten steps in German, told apart by files, code names and words that both languages share
GERMAN = (
    "kryptische Namen in books.py",
    "magische Zahlen in pricing.py",
    "die doppelte Schleife in orders.py",
    "receipt.py aufteilen",
    "stock.py gibt die Warnungen nicht zurück",
    "load_old in books.py löschen",
    "Docstrings in pricing.py",
    "shop.py läuft beim Import los",
    "test_shop.py",
    "README.md",
)
SHORT = (
    "names in books.py are cryptic",
    "constants instead of magic numbers in pricing.py",
    "orders.py",
    "receipt.py has a long function",
    "stock.py prints its warnings",
    "dead code in books.py",
    "type hints for pricing.py",
    "main guard",
    "tests of totals and prices",
    "README",
)
TEXTS = tuple(step.text for step in TEN.steps)
WORDINGS = {
    "texts": ("These steps are not done yet:\n{}", "\n- ", TEXTS),
    "other words": ("Do not stop. Still open: {}.", "; ", SHORT),
    "German": ("Es fehlt noch: {}. Bitte mach weiter!", ", ", GERMAN),
}


class Rejecting(TodoManager):
    """A list that rejects the loss of an open task, and several in progress, in any words."""

    one_in_progress = False

    def __init__(self, lost=None, started=None):
        super().__init__()
        self.lost, self.started = lost, started

    def update(self, items):
        sent = [item["text"] for item in items]
        lost = [
            i["text"] for i in self.items if i["status"] != "completed" and i["text"] not in sent
        ]
        if self.lost and lost:
            raise ValueError(self.lost.format("; ".join(lost)))
        if self.started and sum(item["status"] == "in_progress" for item in items) > 1:
            raise ValueError(self.started)
        return super().update(items)


def play(model, **parts):
    """Return the ended run of a model with a harness of these parts."""
    trial = ArenaTrial(MODELS[model], Harness("", **parts))
    list(trial)
    return trial


def ask_files(wording):
    frame, between, words = WORDINGS[wording]

    def ask(todo, workspace):
        left = [
            word
            for word, step in zip(words, TEN.steps, strict=True)
            if not step.is_done(workspace.root)
        ]
        return frame.format(between.join(left)) if left else None

    return ask


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("number", range(10))
def test_each_step_is_recognised_in_each_wording(wording, number):
    words = WORDINGS[wording][2][number]
    assert [mention.step for mention in find_all_mentions(words, TEN)] == [TEN.steps[number]]


@pytest.mark.parametrize(
    "words",
    ["4 of 10 steps are missing.", "Three steps are missing.", "Update your todos.", "Go on!"]
    + ["Only one task can be in_progress at a time", "Bring your list up to date.", "Es fehlen 4."],
)
@pytest.mark.parametrize("name", names())
def test_text_without_names_names_no_step(name, words):
    assert find_all_mentions(words, load(name)) == []


@pytest.mark.parametrize(
    "words",
    [
        "Only one task can be in_progress at a time",
        "You have started 10 tasks. Choose one!",
        "Es darf immer nur eine Aufgabe in Arbeit sein.",
    ],
)
def test_one_in_progress_helps_the_model_that_starts_everything(words):
    trial = play("starts everything", todo=lambda: Rejecting(started=words))
    assert trial.steps_done == 10 == len(trial.items)


@pytest.mark.parametrize(
    "words",
    [
        "These unfinished tasks are not in the new list: {}",
        "A list must not lose tasks.",
        "Offene Aufgaben dürfen nicht verschwinden.",
    ],
)
def test_list_that_keeps_open_tasks_helps_the_model_that_drops_them(words):
    trial = play("drops tasks", todo=lambda: Rejecting(lost=words))
    assert trial.steps_done == 10 == len(trial.items)


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("model", [name for name in MODELS if name != "repeats"])
def test_question_that_names_the_missing_steps_helps_in_any_words(model, wording):
    assert play(model, at_stop=ask_files(wording)).steps_done == 10


@pytest.mark.parametrize("model, done", [("forgets", 3), ("ticks only", 3), ("stops early", 4)])
def test_question_that_names_nothing_does_not_help(model, done):
    trial = play(model, todo=TodoManager, at_stop=lambda todo, _: "Update your todos.")
    assert trial.steps_done == done


def test_question_at_the_stop_may_be_tagged_as_a_reminder():
    ask = ask_files("texts")
    tagged = play("stops early", at_stop=lambda *given: f"<reminder>{ask(*given)}</reminder>")
    assert tagged.steps_done == 10
