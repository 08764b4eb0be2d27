"""Reminders and their effect: an update of the list, a plan, the next step, or none."""

from dataclasses import replace

import pytest
from support.blocks import result, use

from agentlib.defaults import REMINDER
from agentlib.nag import Nag
from lesson.practice.ignored_reminders import NOT_UNDERSTOOD, judge_reminder
from lesson.practice.policy.history import VisibleHistory, find_calls
from lesson.practice.policy.parse_reminder import (
    asks_for_list,
    find_request,
    next_step,
    open_steps,
    read_mentions,
)
from lesson.practice.policy.recognize import find_mentions
from lesson.runs.run import Run
from lesson.samples.jobs import SAMPLES, list_jobs, load_job

TEN = load_job("ten_steps")
TESTS = TEN.steps[8]


def play_run(job, **settings):
    """Return a finished run, in which the script has raised nothing."""
    run = Run(job, **settings).play()
    assert not run.problem
    return run


def play(words, job="ten_steps"):
    """Return a finished run whose nag adds a reminder of these words."""

    def says(self, calls):
        return Nag.__call__(self, calls) and f"<reminder>{words}</reminder>"

    return play_run(job, nag=type("Says", (Nag,), {"__call__": says}))


ASKS_FOR_LIST = {
    REMINDER: True,
    "Your todo list is stale.": True,
    "Don't forget to update your to-do list!": True,
    "The TodoWrite tool hasn't been used recently. If you are on a longer task, consider using it. "
    "Ignore this reminder if it does not apply.": True,
    "3 rounds without a todo call.": True,
    "The sky is blue.": False,
    "I like lists and plans.": False,
}


@pytest.mark.parametrize("words", ASKS_FOR_LIST)
def test_reminder_asks_for_an_update_of_the_list(words):
    assert asks_for_list(words) == ASKS_FOR_LIST[words]


FORMS = {
    "marks": "[x] #1: {0}\n[>] #2: {1}  <- Doing it…\n[ ] #3: {2}\n\n(1/3 completed)",
    "markdown": "- [x] {0}\n- {1} (in progress)\n- [ ] {2}",
    "words": "{0}: completed\n{1}: in progress\n{2}: not completed",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_list_is_parsed_in_other_forms(form):
    shown = read_mentions(form.format(*(step.text for step in TEN.steps)), TEN)
    assert [mention.step for mention in shown] == list(TEN.steps[:3])
    assert [mention.claim for mention in shown] == ["completed", "in_progress", "pending"]


CLAIMS = {
    "[ ] {} (mark it [x] when it works)": "pending",
    "- [ ] #3: {}, after all others are completed": "pending",
    "☐ {} ✅": "pending",
    "[!] {} (completed before)": "pending",
    "[x] {}, which must not be missing": "completed",
    "3. [X] {}, 2 of 3 in progress": "completed",
    "✅ {}: no open point": "completed",
    "[>] {} (completed soon)": "in_progress",
    "{}: completed": "completed",
    "Not completed: {}": "pending",
}
NAMES = ["Write the list of completed tasks", "Handle missing files", "Say what is [x] (done)"]


@pytest.mark.parametrize("name", ["Add a test", *NAMES])
@pytest.mark.parametrize("form", CLAIMS)
def test_sign_at_the_beginning_of_a_line_decides_and_then_words_outside_of_the_name(form, name):
    step = replace(TEN.steps[0], text=name, activeForm=f"{name} now")
    [mention] = find_mentions(form.format(name), replace(TEN, steps=(step,)))
    assert mention.claim == CLAIMS[form]


NEXT_STEP = {
    f"Update your todos. Next: {TESTS.text}.": TESTS,
    f"Next: {TESTS.activeForm}": TESTS,
    f"[ ] #1: {TEN.steps[0].text}\nNext: {TESTS.text}\n[ ] #2: {TEN.steps[1].text}": TESTS,
    "Next: have lunch.": None,
    f"[x] #9: {TESTS.text}": None,
    f"{TEN.steps[0].text}; {TESTS.text}": None,
}


@pytest.mark.parametrize("words", NEXT_STEP)
def test_reminder_names_the_next_step_or_none(words):
    assert next_step(words, TEN) is NEXT_STEP[words]


@pytest.mark.parametrize(
    "reminder",
    [
        "<system-reminder>Update your todos.</system-reminder>",
        "Reminder: please update your list!\n{}",
    ],
)
def test_reminder_in_the_output_of_a_tool_is_understood_without_its_tags(reminder):
    trial = Run(after=None)
    for number, _ in enumerate(trial.play_rounds()):
        if number % 3 == 0 and trial.messages[-1]["role"] == "user":
            result = trial.messages[-1]["content"][-1]
            result["content"] += "\n" + reminder.format(trial.todo.render())
    assert trial.steps_done == 10


IGNORED = {
    "Mettez à jour votre liste de tâches.": True,
    "Update your todos.": False,
    f"Next: {load_job('hello').steps[-1].text}": False,
}


@pytest.mark.parametrize("words", IGNORED)
def test_reminder_that_the_script_does_not_understand_is_reported(words):
    reports = [*map(judge_reminder, play(words, "hello").rounds)]
    assert (NOT_UNDERSTOOD in reports) == IGNORED[words]


@pytest.mark.parametrize("name", list_jobs())
def test_files_and_lists_contain_no_reminder(name):
    outputs = [call.output for round_ in play_run(name, after=None).rounds for call in round_.calls]
    paths = [path for path in SAMPLES.glob(f"{name}/project/**/*") if path.is_file()]
    files = [path.read_text() for path in paths if path.suffix != ".pyc"]
    assert [*filter(None, map(find_request, (*outputs, *files)))] == []


def test_plan_in_a_reminder_is_followed_without_a_todo_tool():
    trial = Run(todo=None)
    for number, _ in enumerate(trial.play_rounds(), 1):
        if number % 3 == 0 and trial.messages[-1]["role"] == "user":
            lines = "\n".join(f"[ ] {step.text}" for step in TEN.steps)
            trial.messages[-1]["content"][-1]["content"] += f"\n<reminder>{lines}</reminder>"
        if trial.steps_done > 3:
            break
    assert trial.steps_done > 3


ABOUT_WORK = {
    "4 of 10 steps are missing.": True,
    REMINDER: True,
    "README.md": True,
    "Write me a poem.": False,
    "Hello!": False,
    TEN.prompt: False,
}


@pytest.mark.parametrize("words", ABOUT_WORK)
def test_user_message_about_the_work_is_no_new_prompt(words):
    turns = ("user", "Hello!"), ("user", TEN.prompt), ("assistant", "All done."), ("user", words)
    view = VisibleHistory({"messages": [{"role": role, "content": it} for role, it in turns]})
    assert view.prompt == (TEN.prompt.strip() if ABOUT_WORK[words] else words.strip())
    assert view.follow_up == (words if ABOUT_WORK[words] else "")


IN_OTHER_WORDS = {
    "README.md is not yet done": [10],
    "Still missing: shop.py, test_shop.py": [8, 9],
    "books.py is unfinished": [1, 6],
    "4 of 10 steps are missing": [],
    "You said this is completed, but it isn’t: README.md": [10],
    "3/10 completed. To do: README.md": [10],
    "[x] README.md": [],
    "Completed: README.md": [],
}


@pytest.mark.parametrize("words", IN_OTHER_WORDS)
def test_open_steps_are_recognised_in_other_words(words):
    assert open_steps(words, TEN) == [TEN.steps[number - 1] for number in IN_OTHER_WORDS[words]]


@pytest.mark.parametrize("output, ok", [("ValueError: no", False), ("no", True)])
def test_error_message_counts_as_an_error_without_is_error(output, ok):
    reply = {"role": "assistant", "content": [use("todo", "a")]}
    [call] = find_calls([reply, {"role": "user", "content": [result("a", output)]}])
    assert (call.output, call.ok) == (output, ok)
