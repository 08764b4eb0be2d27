"""The runs of a Claude model: what the lesson says of them follows from the data."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lesson
import lesson.samples
from lesson.common.solutions import NOTEBOOKS
from lesson.runs.claude_runs import CONDITIONS, SEAT, claude_runs
from lesson.samples.jobs import load_job
from lesson.samples.project_files import ProjectFiles

FROM_THE_SEAT = claude_runs(condition="seat")
DOCS = Path(__file__).parents[2] / "docs"
SOURCES, TEACH = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("sources", "teach"))
SHOP = Path(lesson.samples.__file__).parent / "ten_steps" / "project"


def judge(files):
    project = ProjectFiles(tuple(sorted(files.items())))
    return tuple(step.done(project) for step in load_job("ten_steps").steps)


@pytest.mark.parametrize("run", claude_runs(), ids=lambda run: f"{run.job}-{run.name}")
def test_final_files_get_the_verdict_that_is_kept(run):
    assert judge(run.files) == run.done


@pytest.mark.parametrize(
    "run", claude_runs() + claude_runs("auth"), ids=lambda run: f"{run.job}-{run.name}"
)
def test_tape_has_each_round_and_each_step(run):
    assert len(run.letters) == len(run.steps) > run.rounds_before
    assert run.letters[-1] == "e" and run.condition in CONDITIONS
    finished = sum(map(int, run.steps))
    assert run.job == "auth" or finished >= run.steps_done


def test_the_plan_in_the_window_brings_all_ten_steps_and_nothing_else_does():
    done = {name: [run.steps_done for run in claude_runs(condition=name)] for name in SEAT}
    assert done["listed"] == done["plantext"] == [10] * 4
    assert sorted(done["reminder"] + done["nolist"]) == [6, 6, 6, 7, 7, 7, 8, 8]


def test_plain_text_costs_half_the_tokens_of_the_list():
    tokens = {name: sum(run.tokens for run in claude_runs(condition=name)) for name in SEAT}
    assert tokens["plantext"] / tokens["listed"] == pytest.approx(0.454, abs=0.001)


def test_second_job_and_whole_runs_show_no_difference():
    assert [run.done for run in claude_runs("auth")] == [(True,) * 6] * 6
    [with_list], [without] = (
        claude_runs(condition="whole_list"),
        claude_runs(condition="whole_nolist"),
    )
    assert (with_list.steps_done, with_list.rounds) == (10, 14)
    assert (without.steps_done, without.rounds) == (10, 6)


def has_tool(run):
    return run.condition in ("listed", "reminder", "whole_list")


def count_with_several_steps(runs):
    """Return how many of the runs have a round of Claude's that finished more than one step."""
    return sum(max(map(int, run.steps[run.rounds_before :])) > 1 for run in runs)


def test_model_with_the_tool_finishes_one_step_in_a_round_and_without_it_often_several():
    counts = {}
    for runs in (FROM_THE_SEAT, claude_runs()):
        listed = [run for run in runs if has_tool(run)]
        others = [run for run in runs if not has_tool(run)]
        assert len(listed) == len(others)
        counts[len(runs)] = (*map(count_with_several_steps, (listed, others)), len(listed))
    assert counts == {16: (1, 5, 8), 18: (1, 6, 9)}
    assert "8 of 9 runs" in SOURCES and "in 6 of 9" in SOURCES


def test_most_lists_of_a_real_model_cost_no_round():
    runs = claude_runs(condition="listed")
    lists = []
    for run in runs:
        own = zip(run.letters, run.steps, strict=True)
        lists += [step > "0" for letter, step in [*own][run.rounds_before :] if letter in "pP"]
    assert (sum(lists), len(lists)) == (24, 32)
    assert "24 of 32" in SOURCES and "24 of 32" in TEACH


def run_python(folder, *arguments, codes=(0,)):
    """Run Python in a folder, and return what it printed. `codes` are the exit codes to expect."""
    # Plugins of pytest are not loaded, because they take most of the time.
    environment = os.environ | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert ran.returncode in codes, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def write_files(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def count_passed(folder):
    """Return how many tests pytest finds in a folder. One that fails is an error."""
    told = run_python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.")
    return int(re.findall(r"(\d+) passed", told)[0])


@pytest.mark.release
@pytest.mark.parametrize("run", FROM_THE_SEAT, ids=lambda run: run.name)
def test_all_tests_pass_and_unittest_finds_all_or_none_and_none_only_in_right_runs(tmp_path, run):
    write_files(tmp_path, run.files)
    assert run_python(tmp_path, "shop.py") == run_python(SHOP, "shop.py")
    assert count_passed(tmp_path) == run.tests_passed > 0
    # Python 3.12 and newer end with 5 if no test was found, and 3.11 with 0 and "OK".
    printed = run_python(tmp_path, "-m", "unittest", codes=(0, 5))
    assert f"Ran {run.unittest_ran} test" in printed
    assert run.unittest_ran in (0, run.tests_passed)
    assert run.unittest_ran or run.steps_done == 10
    assert sum(not run.unittest_ran for run in FROM_THE_SEAT) == 4


RIGHT = [run for run in FROM_THE_SEAT if run.steps_done == 10]


@pytest.mark.release
@pytest.mark.parametrize("run", RIGHT, ids=lambda run: run.name)
def test_own_tests_of_a_right_run_pass_without_its_type_hints(tmp_path, monkeypatch, run):
    """The control of s05, by the lines of its cell."""
    cells = json.loads((NOTEBOOKS / "s05_is_it_true.ipynb").read_text("utf-8"))["cells"]
    [code] = ["".join(cell["source"]) for cell in cells if cell["id"] == "control-02"]
    monkeypatch.setattr(lesson, "claude_runs", lambda condition: (run,))
    names = {}
    exec(code, names)
    without = {**run.files, "pricing.py": names["without"]}
    changed = [old and not new for old, new in zip(run.done, judge(without), strict=True)]
    [step] = [n for n, is_lost in enumerate(changed) if is_lost]
    assert run.plan[step] == "Add type hints and docstrings to pricing.py"
    write_files(tmp_path, without)
    assert count_passed(tmp_path) == run.passed_without_hints == run.tests_passed


def test_only_right_runs_have_a_control():
    assert [run for run in FROM_THE_SEAT if run.passed_without_hints is not None] == RIGHT
    assert len(RIGHT) == 8


def test_report_that_s03b_prints_names_none_of_the_three_steps_that_are_missing():
    run = claude_runs(condition="reminder")[0]
    steps = load_job("ten_steps").steps
    missing = [step.text for step, done in zip(steps, run.done, strict=True) if not done]
    assert missing == [
        "Split the long function in receipt.py",
        "Let stock.py return its warnings instead of printing them",
        "Add type hints and docstrings to pricing.py",
    ]
    report = run.last_words.casefold()
    assert not any(word in report for word in ("split", "returns", "type hint"))
