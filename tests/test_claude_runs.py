"""The runs of a Claude model, replayed from their messages and judged again."""

import subprocess
import sys

import pytest
from support.recorded import open_start

from agentlib import TodoManager
from lesson import Board, Player
from lesson.picture_letters import ROUNDS
from lesson.runs.claude_runs import WHOLE, claude_runs, draw_table, judge
from lesson.runs.summaries import headline
from lesson.runs.trace import Trace
from lesson.samples.jobs import load_job

SEAT = [run for run in claude_runs() if run.condition not in WHOLE]
RUNS = [*claude_runs(), *claude_runs("auth")]
# What was counted by hand when the runs were made: steps, rounds, input in thousands of tokens.
COUNTED = {
    "listed": ([10, 10, 10, 10], [11, 12, 12, 12], [97, 92, 100, 94]),
    "plantext": ([10, 10, 10, 10], [7, 8, 9, 9], [38, 40, 46, 48]),
    "reminder": ([7, 8, 7, 7], [12, 12, 11, 11], [106, 106, 95, 101]),
    "nolist": ([6, 6, 6, 8], [8, 6, 8, 6], [45, 32, 49, 37]),
    "whole_list": ([10], [14], [106]),
    "whole_nolist": ([10], [6], [22]),
}
SPLIT, RETURNED, REMOVED, DOCUMENTED = (load_job("ten_steps").steps[n].text for n in (3, 4, 5, 6))


@pytest.mark.parametrize("condition", COUNTED)
def test_runs_of_a_condition_have_the_figures_that_were_counted_by_hand(condition):
    runs = claude_runs(condition=condition)
    steps, rounds, thousands = COUNTED[condition]
    assert [run.steps_done for run in runs] == steps
    assert [len(run.rounds) for run in runs] == rounds
    assert [run.tokens // 1000 for run in runs] == thousands


def test_what_is_missing_is_what_only_the_plan_knew():
    missing = {
        run.name: [
            step.text
            for step, is_done in zip(load_job("ten_steps").steps, run.done, strict=True)
            if not is_done
        ]
        for run in SEAT
    }
    assert {name for name, left in missing.items() if not left} == {
        f"{condition}_{number}" for condition in ("listed", "plantext") for number in range(1, 5)
    }
    assert missing["reminder_2"] == [SPLIT, DOCUMENTED]
    assert missing["reminder_1"] == missing["reminder_3"] == [SPLIT, RETURNED, DOCUMENTED]
    assert missing["nolist_1"] == [SPLIT, RETURNED, REMOVED, DOCUMENTED]
    assert missing["nolist_4"] == [SPLIT, DOCUMENTED]


def test_all_sixteen_say_that_all_is_done_and_all_six_of_the_second_job_have_done_it():
    assert len(SEAT) == 16 and all(run.says_all_done for run in SEAT)
    assert [run.steps_done for run in claude_runs("auth")] == [6] * 6


@pytest.mark.parametrize("run", RUNS, ids=repr)
def test_kept_progress_is_what_the_replayed_files_show(run):
    assert tuple(judge(run.job, texts) for texts in run.replay()) == run.progress
    counts = [sum(done) for done in run.progress]
    assert counts == sorted(counts), "a step that was done is not any more"
    assert sum(map(int, run.start_steps)) == (0 if run.condition in WHOLE else counts[0])
    assert counts[0] + sum(map(int, run.steps)) == counts[-1] == run.steps_done


@pytest.mark.parametrize("run", RUNS, ids=repr)
def test_strings_of_a_run_fit_its_rounds(run):
    assert len(run.cells) == len(run.steps) == len(run.rounds)
    assert (
        set(run.cells.lower()) <= ROUNDS.keys()
        and run.cells.lower().index("e") == len(run.cells) - 1
    )
    assert sum(cell.isupper() for cell in run.cells) == run.reminders
    assert len(run.start_cells) == len(run.start_steps) == (0 if run.condition in WHOLE else 7)
    assert run.start_cells[-1:].isupper() == (run.condition in ("listed", "plantext", "reminder"))
    has_list = run.condition in ("listed", "reminder", "whole_list")
    assert bool(run.trace.frames[-1].items) == has_list
    whole = Trace.from_messages(run.messages).rounds
    assert [turn.calls for turn in whole[-len(run.rounds) :]] == [turn.calls for turn in run.rounds]


@pytest.mark.parametrize("run", claude_runs(), ids=repr)
def test_player_shows_each_round_with_all_its_calls_and_what_the_files_show(run):
    player = Player(run)
    frames = player.state["frames"]
    assert [frame["plan"]["files"].count("x") for frame in frames] == [
        sum(done) for done in run.progress
    ]
    assert "".join(str(frame["steps"]) for frame in frames[1:]) == run.steps
    assert player.state["finished"] == all(run.done)
    for frame, turn in zip(frames[1:], run.rounds, strict=True):
        assert all(call.name in frame["said"] for call in turn.calls)
        assert (frame["cell"] == "p") == any(call.name == "todo" for call in turn.calls)
    assert f"{len(run.rounds)} rounds" in player.text()


@pytest.mark.parametrize("run", RUNS, ids=repr)
def test_board_draws_each_round_as_the_run_does(run):
    todo, shop = TodoManager(), open_start(run)
    states = run.replay()
    next(states)

    def work():
        for turn, texts in zip(run.rounds, states, strict=True):
            for name, text in texts.items():
                shop.write_file(name, text)
            for call in turn.calls:
                if call.name == "todo":
                    todo.update(call.input["items"])
            yield turn

    board = Board(todo, messages=run.messages, workspace=shop)
    for turn in board.follow(work()):
        assert f"Round {turn.number}: {headline(turn)}" in board.state["status"]
    # The board was not told of a window, so no plan is lost.
    seen = str.maketrans({"l": "w", "f": "d", "L": "W", "F": "D"})
    assert board.state["cells"] == run.cells.translate(seen)
    assert board.state["steps"] == run.steps
    shown = f"It stopped by itself. The files show {run.steps_done} of {len(run.done)}."
    assert board.state["result"] == shown
    assert len(board.state["plan"]["items"]) == len(run.trace.frames[-1].items)


def test_headline_names_a_tool_once_and_every_file():
    run = next(one for one in SEAT if one.name == "nolist_4")
    said = headline(run.rounds[3])
    assert said.startswith("write_file tests/__init__.py, tests/test_books.py, tests/test_pricing")
    assert said.count("write_file") == 1 and said.count("bash ") == 2


def test_command_prints_a_line_for_each_run():
    command = [sys.executable, "-m", "lesson.runs.claude_runs"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert draw_table(claude_runs()) in printed and draw_table(claude_runs("auth")) in printed
    assert "reminder_2           12    34         0  106 k   8 of 10  xxx.xx.xxx" in printed
