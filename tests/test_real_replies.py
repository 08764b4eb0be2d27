"""A real model's replies have several calls, and it is asked for nothing that is done."""

from types import SimpleNamespace

import pytest
from exercises.cells import SOLUTIONS, define
from support.recorded import copy_without_commands, open_start, play_again

from agentlib import Nag, TodoManager, rounds
from agentlib.nag import REMINDER
from lesson import connect, find_missing, list_tool, open_workspace
from lesson.program.run import make_program
from lesson.real_model.connection import Connection
from lesson.runs.claude_runs import claude_runs
from lesson.samples import copy_sample
from lesson.samples.jobs import list_jobs, load_job
from lesson.try_out import NOT_ALLOWED
from lesson.widgets.board import Board

JOB = load_job("ten_steps")
[WITH_LIST], [WITHOUT] = (claude_runs(condition=f"whole_{name}") for name in ("list", "nolist"))
SEAT = [
    run for run in claude_runs() if run.condition in ("listed", "plantext", "reminder", "nolist")
]
SETTINGS = {"model": "practice", "max_tokens": 8000}


def open_shop():
    return copy_without_commands("ten_steps")


def first_messages(run):
    return [*run.messages[: run.starts_at]]


def test_loop_of_s02_plays_a_whole_run_of_a_real_model():
    agent_loop, shop, model = (
        define(SOLUTIONS["loop"], "agent_loop"),
        open_shop(),
        play_again(WITHOUT),
    )
    agent_loop(model.client(), first_messages(WITHOUT), shop.tools(), **SETTINGS)
    assert find_missing(shop) == []
    assert len(model.requests) == len(WITHOUT.rounds) == 6


def test_own_loop_list_and_nag_of_s03_play_a_whole_run_and_nothing_is_due():
    agent_loop = define(SOLUTIONS["remind"], "agent_loop")
    todo = define(SOLUTIONS["rules"], "MyTodo")()
    nag = define(SOLUTIONS["nag"], "MyNag")()
    shop, model, messages = open_shop(), play_again(WITH_LIST), first_messages(WITH_LIST)
    tools = [*shop.tools(), list_tool(todo)]
    agent_loop(model.client(), messages, tools, remind=nag, **SETTINGS)
    assert find_missing(shop) == []
    assert len(model.requests) == len(WITH_LIST.rounds) == 14
    assert {item["status"] for item in todo.items} == {"completed"} and len(todo.items) == 10
    assert REMINDER not in str(messages)


def test_board_shows_ten_of_ten_and_each_round_with_its_calls():
    todo, shop = TodoManager(), open_shop()
    messages = first_messages(WITH_LIST)
    board = Board(todo, messages=messages, workspace=shop)
    tools = [*shop.tools(), todo.tool()]
    shown = []
    client = play_again(WITH_LIST).client()
    for _ in board.follow(rounds(client, messages, tools, remind=Nag(todo), **SETTINGS)):
        shown.append(board.state["plan"]["files"].count("x"))
    assert shown == [sum(done) for done in WITH_LIST.progress[1:]]
    assert "The files show 10 of 10" in board.text()


@pytest.mark.parametrize("run", [*SEAT, *claude_runs("auth")], ids=repr)
def test_seat_goes_on_as_it_did_and_only_what_is_missing_is_missed(run):
    shop, messages = open_start(run), first_messages(run)
    todo = TodoManager()
    has_tool = run.condition in ("listed", "reminder")
    tools = [*shop.tools(), *([todo.tool()] if has_tool else [])]
    played = list(rounds(play_again(run).client(), messages, tools, **SETTINGS))
    assert [[call.name for call in turn.calls] for turn in played] == [
        [call.name for call in turn.calls] for turn in run.rounds
    ]
    for name, text in run.final_files.items():  # what commands have changed
        shop.write_file(name, text)
    steps = [step.text for step in load_job(run.job).steps]
    wanted = [text for text, done in zip(steps, run.done, strict=True) if not done]
    assert find_missing(shop) == wanted
    # What the plan of the second job says, the work itself shows.
    only_the_plan_knew = run.job == "ten_steps"
    assert bool(wanted) == (only_the_plan_knew and run.condition in ("reminder", "nolist"))


@pytest.mark.parametrize("run", [WITH_LIST, WITHOUT], ids=repr)
def test_ask_at_the_stop_asks_nothing(run, capsys):
    ask_at_the_stop = define(SOLUTIONS["ask_at_the_stop"], "ask_at_the_stop")
    todo, shop, model = TodoManager(), open_shop(), play_again(run)
    tools, messages = [*shop.tools(), todo.tool()], first_messages(run)
    ask_at_the_stop(model.client(), messages, tools, shop, find_missing, **SETTINGS)
    assert len(model.requests) == len(run.rounds)
    assert "0 questions at the stop" in capsys.readouterr().out


def test_ask_at_the_stop_names_what_the_old_plan_knew(capsys):
    run = next(one for one in SEAT if one.name == "nolist_1")
    ask_at_the_stop = define(SOLUTIONS["ask_at_the_stop"], "ask_at_the_stop")
    shop, model, messages = open_start(run), play_again(run), first_messages(run)
    ask_at_the_stop(model.client(), messages, shop.tools(), shop, find_missing, **SETTINGS)
    question = messages[run.starts_at + sum(len(turn.messages) for turn in run.rounds)]
    assert question["content"] == f"Not done yet: {'; '.join(find_missing(shop))}"
    assert "Let stock.py return its warnings" in question["content"]


REAL, PRACTICE = SimpleNamespace(real=True), SimpleNamespace(real=False)


def test_real_model_gets_the_steps_and_the_practice_model_its_old_prompt():
    for name in list_jobs():
        job = load_job(name)
        assert job.prompt_for(PRACTICE) is job.prompt
        asked = job.prompt_for(REAL)
        assert asked.startswith(job.prompt.strip())
        assert all(f"{n}. {step.text}" in asked for n, step in enumerate(job.steps, 1))
    assert "in before.txt" in load_job("style").prompt_for(REAL)


@pytest.mark.parametrize("prompt", [JOB.prompt, "Refactor this bookshop in ten steps, gently."])
def test_program_names_the_steps_asks_nothing_and_says_whether_the_tests_pass(
    prompt, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    model = play_again(WITHOUT, leave_out=("bash",))
    connection = Connection(model.client(), SETTINGS, real=True, ask=lambda question: "run")
    program = make_program(prompt, "", connection)

    def main():
        messages = [{"role": "user", "content": program.prompt}]
        list(rounds(program.client, messages, program.workspace.tools(), **SETTINGS))

    program.run(main)
    sent = model.requests[0]["messages"][0]["content"]
    is_the_job = prompt == JOB.prompt
    assert ("10. Bring README.md up to date" in sent) == is_the_job
    assert len(model.requests) == len(WITHOUT.rounds)
    said = capsys.readouterr().out
    tried = "The tests pass, and shop.py prints the same as before" in said or NOT_ALLOWED in said
    assert tried == is_the_job
    (tmp_path / "ten_steps" / "README.md").unlink()
    assert program.missing(program.workspace) == ([JOB.steps[-1].text] if is_the_job else [])


@pytest.mark.parametrize("length", [1, 100], ids=["short", "too long to be compared"])
def test_practice_model_does_not_start_in_the_folder_of_a_real_one(tmp_path, monkeypatch, length):
    monkeypatch.chdir(tmp_path)
    copy_sample("ten_steps", tmp_path / "ten_steps")
    tests = WITHOUT.final_files["test_orders.py"] * length
    (tmp_path / "ten_steps" / "test_shop.py").write_text(tests)
    model = connect("practice", say=lambda line: None)
    with pytest.raises(ValueError, match="does not recognise test_shop.py in the folder ten_steps"):
        open_workspace(JOB.prompt, model)
