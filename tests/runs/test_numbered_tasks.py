"""A run with task tools: what is sent, and what a picture and a request say of it."""

import pytest
from by_number import play

from agentlib import Tasks
from lesson import open_run
from lesson import play as play_job
from lesson.drawing.run_picture import format_run, list_run_rows, summarize_round
from lesson.in_cells.play_job import NUMBERED


@pytest.fixture(scope="module")
def run():
    return play_job(model="diligent", todo=Tasks, nag=None, loop="agentlib")


def test_prompts_name_the_tools_that_there_are(run):
    sent = run.request(1).sent
    assert "list the steps with the task tools before" in sent["system"]
    hint = sent["messages"][0]["content"][0]["text"]
    assert hint == "<reminder>Use the task tools for multi-step tasks.</reminder>"
    assert "todo" not in str(sent)


def test_each_open_task_is_in_the_window_or_not(run):
    states = {row.line.text: row.states for row in list_run_rows(run)}
    third, fourth = run.step_texts[2:4]
    # In round 9 the result of the last tick has the third one, and nothing has the fourth.
    assert third in str(run.request(9)) and fourth not in str(run.request(9).sent["messages"])
    assert states[third][7] == "now" and states[fourth][6:9] == ("open", "lost", "lost")


def test_ticks_are_no_plan_and_creates_and_looks_are(run):
    assert run.letters[0] == "p" and "p" not in run.letters[1:]
    looks = play("by number, a nag that counts looks", 12)
    look = [record for record in looks.records if summarize_round(record.round) == "task_list"]
    assert look and {record.letter.lower() for record in look} == {"p"}
    assert not any(record.is_lost for record in looks.records)


def test_picture_and_request_name_the_calls_and_whose_tasks_they_are(run):
    assert [summarize_round(one) for one in run.rounds[:4]] == [
        "task_create (10 times)",
        "read_file books.py",
        "edit_file books.py",
        "task_update 1, 2",
    ]
    request = run.request(5)
    assert "Those of tasks are from agentlib's Tasks." in request.parts[1].origin
    authors = {part.author for part in request.parts if part.text.startswith("[x] #1")}
    assert authors == {"agentlib's Tasks"}


def test_run_is_saved_and_opened_and_goes_on_from_its_start_only(run, tmp_path):
    run.save(tmp_path / "run.jsonl")
    opened = format_run(open_run(tmp_path / "run.jsonl"))
    assert opened == format_run(run) and "(out of the window)" in opened
    assert run.fork(0, window="all").steps_done == 10
    with pytest.raises(ValueError, match=r"goes on from its start only"):
        run.fork(4)
    assert "fork(0)" in NUMBERED
