"""Models with a fault, and the whole table of ours: each number is from a run."""

import re
from dataclasses import replace
from functools import cache

import pytest

from agentlib import TodoManager
from lesson import evaluate, play
from lesson.practice.faults import CALLS, FAULTS, SEEN
from lesson.program.my_agent import load_solutions

pytestmark = pytest.mark.slow
LISTED = load_solutions().MyNag


class Pending(LISTED):
    """Shows the texts of the tasks that are pending, and no other one."""

    def __call__(self, calls):
        texts = [task["text"] for task in self.todo.items if task["status"] == "pending"]
        return super().__call__(calls) and "\n".join(
            ["<reminder>Your list:", *texts, "</reminder>"]
        )


class Unmarked(LISTED):
    """Shows the list, with the task in progress as one that is open."""

    def __call__(self, calls):
        reminder = super().__call__(calls)
        return reminder and reminder.replace("[>]", "[ ]")


class Ticked(LISTED):
    """Shows the list, with the task in progress as one that is done."""

    def __call__(self, calls):
        reminder = super().__call__(calls)
        return reminder and reminder.replace("[>]", "[x]")


NAGS = {"plain words": "plain", "E6": LISTED, "pending": Pending, "unmarked": Unmarked}
NAGS |= {"ticked": Ticked}
STOPS = {"answers": 1, "stops": 2}
# By the job, and whether it is asked about its list at the stop: the steps that are done with each
# nag, by the model, if these are not all.
TABLE = {
    ("ten_steps", None): {
        "plain words": {"forgets": 1, "ignores": 3} | STOPS,
        "E6": {"believes": 1} | STOPS,
        "pending": STOPS,
    },
    ("ten_steps", "list"): {
        "plain words": {"forgets": 1, "ignores": 3},
        "E6": {"believes": 1},
        "pending": {},
        "unmarked": {},
        "ticked": {},
    },
    ("style", "list"): {
        "plain words": {"forgets": 1, "ignores": 1, "ticks": 2},
        "E6": {"ticks": 2, "believes": 1},
        "pending": {"forgets": 1, "ticks": 2},
        "unmarked": {"ticks": 2},
        "ticked": {"forgets": 2, "ticks": 2},
    },
}


@pytest.mark.release
@pytest.mark.parametrize("job, missing", TABLE, ids=str)
def test_each_reminder_saves_some_models_and_harms_others(job, missing):
    expected = TABLE[job, missing]
    table = evaluate({nag: {"nag": NAGS[nag], "missing": missing} for nag in expected}, job=job)
    for nag, few in expected.items():
        runs = {model: table[model, nag] for model in table.models}
        assert {name: run.steps_done for name, run in runs.items() if not all(run.done)} == few
        assert f"{nag:11}  {len(runs) - len(few)} of 7\n" in repr(table)
    done = {place: result.steps_done for place, result in table.results.items()}
    changes = [done[model, nag] - done[model, "plain words"] for model, nag in done]
    marks = [f"{change:+}" for change in changes if change]
    assert re.findall(r" \((.\d+)\), ", repr(table)) == marks
    assert re.findall(r"<em .*?>(.*?)<", table.draw()) == marks != []


class OtherName(TodoManager):
    """A list whose tool has another name."""

    def tool(self):
        return replace(super().tool(), name="todo_write")


@pytest.mark.parametrize("name", FAULTS)
def test_a_model_with_a_fault_plays_with_agents_that_lack_a_part(name):
    agents = {"todo": None}, {"nag": None}, {"window": 4}, {"todo": OtherName}, {"nag": "plain"}
    for agent in agents:
        run = play("style", model=name, **agent)
        assert run.problem == "" and run.is_over and run.rounds[1:], agent


class RefusesOne(TodoManager):
    """Refuses a list in words that no script knows, so the script sends required fields alone."""

    refused = 2  # is the second one

    def update(self, items):
        self.refused -= 1
        if self.refused == 0:
            raise ValueError("think once more")
        return super().update(items)


@pytest.mark.parametrize("refused", [1, 2])
@pytest.mark.parametrize("name", [None, *FAULTS])
def test_each_model_goes_on_after_a_list_that_was_refused(name, refused):
    todo = type("Refuses", (RefusesOne,), {"refused": refused})
    run = play("ten_steps", model=name, todo=todo, nag=LISTED)
    lists = [call.ok for call in list_calls(run) if call.name == "todo"]
    assert run.problem == "" and lists.count(False) == (refused <= len(lists))


@cache
def run_with(model):
    return play("ten_steps", model=model, nag=LISTED)


@pytest.mark.parametrize("name", FAULTS)
def test_a_model_with_a_fault_says_so_first_and_in_the_head(name):
    run = run_with(name)
    says = f"I am a script with a fault: it {FAULTS[name].says} "
    assert run.rounds[0].text.startswith(says) and says not in str(run.rounds[1:])
    assert f"Model: {name}, a script with a fault." in str(run).partition("\n")[0]
    assert run.window == 12


def list_calls(run):
    return [call for round_ in run.rounds for call in round_.calls]


def test_forgets_sees_its_last_six_messages():
    assert "six messages" in FAULTS["forgets"].says and SEEN == 6
    forgets, script = (
        play("ten_steps", model=model, window=window, nag=None)
        for model, window in (("forgets", "all"), (None, 6))
    )
    assert list_calls(forgets) == list_calls(script) != list_calls(run_with(None))[:8]


class Wordless(LISTED):
    """Shows the list, and asks for nothing."""

    def __call__(self, calls):
        reminder = super().__call__(calls)
        return reminder and reminder.replace("Update your todos.", "")


def test_ignores_reads_the_list_of_a_reminder_and_not_its_words():
    plain = play("ten_steps", model="ignores", nag="plain").records
    for before, after in zip(plain, plain[1:], strict=False):
        if before.round.reminder:
            names = [call.name for call in after.round.calls]
            assert ("todo" in names) <= after.view.is_lost
    assert list_calls(run_with("ignores")) == list_calls(play(nag=Wordless))


def test_ticks_ticks_what_was_in_progress_at_each_list():
    lists = [
        {task["text"]: task["status"] for task in call.input["items"]}
        for call in list_calls(run_with("ticks"))
        if call.name == "todo"
    ]
    pairs = list(zip(lists, lists[1:], strict=False))
    begun = [(text, now) for was, now in pairs for text in was if was[text] == "in_progress"]
    assert len(begun) > 5 and all(now[text] == "completed" for text, now in begun)
    often = play("ten_steps", model="ticks", nag=LISTED, after=1)
    assert often.steps_done == 1 and sum(task["status"] == "completed" for task in often.items) == 9


def test_believes_does_again_what_its_list_has_in_progress():
    run = run_with("believes")
    edits = [call for call in list_calls(run) if call.name == "edit_file"]
    assert len(edits) > 5 and len({str(call.input) for call in edits}) == 1
    assert run.steps_done == 1 and run.items[0]["status"] == "in_progress"


def test_answers_answers_the_first_reminder_in_words_and_ends():
    *before, reminded, answer = run_with("answers").rounds
    assert reminded.reminder and not any(round_.reminder for round_ in before)
    assert answer.text == "My todos are up to date." and answer.is_last


def test_stops_stops_after_six_calls():
    run = run_with("stops")
    assert "six calls" in FAULTS["stops"].says and len(list_calls(run)) == CALLS == 6
    assert run.rounds[-1].text == "All steps are done."
