"""The seven scripted models: what each does alone, what ends its failure, and what does not."""

from dataclasses import replace

import pytest

from agentlib import Nag, TodoManager, rounds
from lesson.model_choice import connect_practice
from lesson.practice.model import PracticeModel
from lesson.practice.models import MODELS
from lesson.practice.policy.recognize import find_all_mentions
from lesson.practice.policy.tasks import load, names
from lesson.samples import sample

TEN = load("ten_steps")
MOST_REQUESTS = 80
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


class AnyNumberInProgress(TodoManager):
    one_in_progress = False


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


def reject_third(tools, words):
    """Return the tools; each returns an error for the third equal call in a row."""
    made = []

    def guard(tool):
        def run(**input):
            made.append((tool.name, input))
            if made[-3:] == [made[-1]] * 3:
                raise ValueError(words)
            return tool.run(**input)

        return replace(tool, run=run)

    return [guard(tool) for tool in tools]


def play(model, todo=None, ask=None, after=None, same_call=None, asks=10):
    """Play a model on ten_steps. Return the steps done, the items ticked and the last reply."""
    workspace, policy = sample("ten_steps"), PracticeModel(MODELS[model])
    connected = connect_practice(policy)
    tools = workspace.tools() + ([todo.tool()] if todo else [])
    if same_call:
        tools = reject_third(tools, same_call)
    remind = Nag(todo, after) if after else None
    messages = [{"role": "user", "content": TEN.prompt}]
    for _ in range(asks + 1):
        for step in rounds(connected.client, messages, tools, remind=remind, **connected.settings):
            words = step.text
            if len(policy.requests) >= MOST_REQUESTS:
                break
        left = [number for number, s in enumerate(TEN.steps) if not s.is_done(workspace.root)]
        question = ask(left, todo) if ask and left else None
        if not question or len(policy.requests) >= MOST_REQUESTS:
            break
        messages.append({"role": "user", "content": question})
    done = len(TEN.steps) - sum(not s.is_done(workspace.root) for s in TEN.steps)
    items = todo.items if todo else []
    return done, [item["status"] for item in items], words, len(policy.requests)


def ask_files(wording):
    frame, between, words = WORDINGS[wording]
    return lambda left, todo: frame.format(between.join(words[number] for number in left))


def ask_list(left, todo):
    return todo.render() if any(item["status"] != "completed" for item in todo.items) else None


def ask_count(left, todo):
    return f"{len(left)} of 10 steps are missing."


def ask_update(left, todo):
    return "Update your todos."


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


ALONE = {
    "keeps track": 10,
    "forgets": 3,
    "starts everything": 1,
    "drops tasks": 10,
    "ticks only": 3,
    "stops early": 4,
    "repeats": 3,
}


@pytest.mark.parametrize("model", MODELS)
def test_what_a_model_does_without_a_list(model):
    done, _, _, requests = play(model)
    assert done == ALONE[model]
    assert (requests == MOST_REQUESTS) == (model == "repeats")


WITH_LIST = {
    "keeps track": (10, 10, 10),
    "forgets": (3, 0, 10),
    "starts everything": (1, 0, 10),
    "drops tasks": (6, 6, 6),
    "ticks only": (3, 10, 10),
    "stops early": (4, 0, 10),
    "repeats": (3, 0, 10),
}


@pytest.mark.parametrize("model", MODELS)
def test_what_a_model_does_with_a_list_and_what_the_list_claims(model):
    done, items, _, _ = play(model, AnyNumberInProgress())
    assert (done, items.count("completed"), len(items)) == WITH_LIST[model]


def test_reminder_in_time_helps_the_model_that_forgets():
    assert play("forgets", TodoManager(), after=3)[0] == 10


@pytest.mark.parametrize(
    "words",
    [
        "Only one task can be in_progress at a time",
        "You have started 10 tasks. Choose one!",
        "Es darf immer nur eine Aufgabe in Arbeit sein.",
    ],
)
def test_one_in_progress_helps_the_model_that_starts_everything(words):
    done, items, _, _ = play("starts everything", Rejecting(started=words))
    assert done == 10 == items.count("completed")


@pytest.mark.parametrize(
    "words",
    [
        "These unfinished tasks are not in the new list: {}",
        "A list must not lose tasks.",
        "Offene Aufgaben dürfen nicht verschwinden.",
    ],
)
def test_list_that_keeps_open_tasks_helps_the_model_that_drops_them(words):
    done, items, _, _ = play("drops tasks", Rejecting(lost=words))
    assert done == 10 == items.count("completed") == len(items)


@pytest.mark.parametrize("words", ["The third equal call in a row.", "Nope", "Schon gemacht."])
def test_error_for_an_equal_call_helps_the_model_that_repeats(words):
    assert play("repeats", same_call=words)[0] == 10


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("todo", [None, TodoManager])
@pytest.mark.parametrize("model", [name for name in MODELS if name != "repeats"])
def test_question_that_names_the_missing_steps_helps_in_any_words(model, todo, wording):
    assert play(model, todo and todo(), ask_files(wording))[0] == 10


@pytest.mark.parametrize("model", ["forgets", "stops early"])
def test_question_that_shows_the_open_items_helps(model):
    assert play(model, TodoManager(), ask_list)[0] == 10


NOT_ENOUGH = [
    ("forgets", ask_count, 3),
    ("forgets", ask_update, 3),
    ("drops tasks", ask_list, 6),
    ("drops tasks", ask_count, 6),
    ("ticks only", ask_list, 3),
    ("ticks only", ask_count, 3),
    ("ticks only", ask_update, 3),
    ("stops early", ask_count, 4),
    ("stops early", ask_update, 4),
    ("repeats", ask_files("texts"), 3),
]


@pytest.mark.parametrize("model, ask, done", NOT_ENOUGH)
def test_question_that_names_nothing_does_not_help(model, ask, done):
    assert play(model, TodoManager(), ask)[0] == done


@pytest.mark.parametrize("model", ["drops tasks", "ticks only", "stops early", "repeats"])
def test_reminder_does_not_help_these(model):
    assert play(model, TodoManager(), after=3)[0] < 10


def test_question_at_the_stop_may_be_tagged_as_a_reminder():
    ask = ask_files(next(iter(WORDINGS)))
    tagged = play("stops early", ask=lambda left, todo: f"<reminder>{ask(left, todo)}</reminder>")
    assert tagged[0] == 10
