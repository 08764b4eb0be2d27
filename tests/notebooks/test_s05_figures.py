"""The figures of s05, and those of sources.md beside them, counted again in their data files."""

import ast
import contextlib
import io
import json
import re
from collections import Counter
from math import comb
from pathlib import Path

import pytest

from lesson import claude_runs
from lesson.samples.jobs import load_job

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "s05_is_it_true.ipynb"
DATA = Path(__file__).parents[1] / "data"
STUDY = json.loads((DATA / "planning_study.json").read_text(encoding="utf-8"))
JUDGED = json.loads((DATA / "judged_runs.json").read_text(encoding="utf-8"))
CLAUDE = ("claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101")


def compare(model, before, after, tasks=range(500)):
    """Return how many tasks were gained, how many lost, and how many both series have."""
    series = STUDY["models"][model]["series"]
    first, second = (series[name]["verdicts"] for name in (before, after))
    pairs = [(first[task], second[task]) for task in tasks if "-" not in first[task] + second[task]]
    changes = Counter((one == "1", other == "1") for one, other in pairs)
    return changes[False, True], changes[True, False], len(pairs)


def exact_p(gained, lost):
    """Return p of the two-sided exact sign test."""
    tail = sum(comb(gained + lost, many) for many in range(max(gained, lost), gained + lost + 1))
    return min(1.0, 2 * tail / 2 ** (gained + lost))


def shared_tasks(model):
    """Return the tasks that have a verdict in every series of a model."""
    series = [one["verdicts"] for one in STUDY["models"][model]["series"].values()]
    return [task for task in range(500) if all(verdicts[task] != "-" for verdicts in series)]


@pytest.mark.parametrize(
    "model, before, after, gained, lost, tasks, p",
    [
        ("devstral", "no_plan", "plan", 57, 26, 491, 0.0009),
        ("gpt5_mini", "no_plan", "plan", 66, 35, 492, 0.0027),
        ("deepseek_v3", "no_plan", "plan", 49, 23, 442, 0.0029),
        ("devstral", "plan", "plan_reminded", 34, 34, 497, 1.0),
        ("gpt5_mini", "plan", "plan_reminded", 64, 32, 500, 0.0014),
        ("deepseek_v3", "plan", "plan_reminded", 41, 48, 493, 0.525),
    ],
)
def test_plan_in_the_prompt(model, before, after, gained, lost, tasks, p):
    assert compare(model, before, after) == (gained, lost, tasks)
    assert round(exact_p(gained, lost), 3 if p > 0.01 else 4) == p


def test_control_changes_nothing_and_69_of_442_tasks_have_another_result():
    tasks = shared_tasks("deepseek_v3")
    assert compare("deepseek_v3", "plan", "plan_repeat_1", tasks) == (34, 35, 442)
    assert exact_p(34, 35) == 1.0


@pytest.mark.parametrize("model", ["devstral", "gpt5_mini", "deepseek_v3"])
def test_gain_of_6_of_100_tasks_may_be_2_to_10(model):
    gained, lost, tasks = compare(model, "no_plan", "plan")
    spread = 1.96 * (gained + lost) ** 0.5  # the 95 % interval of the net count
    low, high = (round(100 * (gained - lost + side) / tasks) for side in (-spread, spread))
    assert 2 <= low and high <= 10


def test_of_43_lists_that_are_ticked_to_the_end_10_passed():
    lists = [one for one in JUDGED["runs"] if one["model"] in CLAUDE and one.get("items")]
    ticked = [one for one in lists if one["ticked"] == one["items"]]
    verdicts = Counter("no build" if one["build"] == "failed" else one["status"] for one in ticked)
    assert len(ticked) == 43 and verdicts["passed"] == 10
    assert verdicts == {"passed": 10, "failed": 18, "no build": 15}


def test_of_77_judged_lists_76_are_ticked_and_54_of_these_failed():
    lists = [one for one in JUDGED["runs"] if one.get("items") is not None]
    ticked = [one for one in lists if one["ticked"] == one["items"]]
    failed = [one for one in ticked if one["status"] == "failed"]
    assert (len(lists), len(ticked), len(failed)) == (77, 76, 54)


def test_luck_alone_makes_a_difference_of_seven_in_31_of_100_divisions():
    """Haiku solved 49 and 56 of 78: of 156 results, 105 are solved."""
    ways = {n: comb(105, n) * comb(51, 78 - n) for n in range(27, 79)}
    far = sum(count for n, count in ways.items() if abs(n - (105 - n)) >= 7)
    assert round(100 * far / sum(ways.values())) == 31


def list_other_runs() -> dict[str, list[dict]]:
    """Return all 192 runs by their job: its name in the data, or else its folder."""
    jobs: dict[str, list[dict]] = {}
    for run in JUDGED["runs"]:
        folder = run["run"].split("/")[2].removeprefix("agent-")
        jobs.setdefault(JUDGED["jobs"].get(folder, folder), []).append(run)
    return jobs


def count_passed(runs: list[dict]) -> int:
    return sum(run["status"] == "passed" for run in runs)


def test_of_33_failed_ticked_lists_18_are_on_a_job_that_another_run_passed():
    jobs = list_other_runs().values()
    close = [(run, runs) for runs in jobs for run in runs if run["model"] in CLAUDE]
    failed = [(run, runs) for run, runs in close if run.get("items") and run["status"] == "failed"]
    assert (len(failed), sum(bool(count_passed(runs)) for _, runs in failed)) == (33, 18)


def test_same_job_and_model_with_a_list_and_without_one():
    rates: dict[tuple, dict[bool, list[dict]]] = {}
    for job, runs in list_other_runs().items():
        for run in runs:
            row = rates.setdefault((job, run["model"]), {True: [], False: []})
            row[run["list"]].append(run)
    pairs = [row for row in rates.values() if row[True] and row[False]]
    differences = [
        count_passed(row[True]) * len(row[False]) - count_passed(row[False]) * len(row[True])
        for row in pairs
    ]
    rows = [runs for runs in list_other_runs().values() if len(runs) > 1]
    always = [count_passed(runs) == len(runs) for runs in rows]
    assert (len(rows), sum(always), sum(not count_passed(runs) for runs in rows)) == (21, 6, 8)
    signs = Counter((one > 0) - (one < 0) for one in differences)
    assert (len(pairs), signs) == (10, Counter({1: 2, -1: 3, 0: 5}))


@pytest.mark.parametrize(
    "model, gained, lost, p",
    [("devstral", 57, 31, 0.007), ("gpt5_mini", 66, 40, 0.015), ("deepseek_v3", 49, 65, 0.16)],
)
def test_result_if_each_missing_verdict_counts_against_the_plan(model, gained, lost, p):
    series = STUDY["models"][model]["series"]
    pairs = [*zip(series["no_plan"]["verdicts"], series["plan"]["verdicts"], strict=True)]
    assert sum(first in "0u" and second == "1" for first, second in pairs) == gained
    against = [(f, s) for f, s in pairs if (f in "1-" and s in "0u-") and (f, s) != ("-", "1")]
    assert len(against) == lost
    assert round(exact_p(gained, lost), 3 if p < 0.1 else 2) == p


# The notebook


def find_cell(name: str) -> str:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    [found] = ["".join(cell["source"]) for cell in cells if cell["id"] == name]
    return found


def run_cell(name: str, old: str = "", new: str = "") -> dict:
    """Run one code cell of s05, with a change, and return its variables, and what it `printed`."""
    code = find_cell(name)
    assert old in code
    made: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code.replace(old, new), made)
    return made | {"printed": printed.getvalue()}


def test_two_sentences_have_the_numbers_of_the_data():
    text = find_cell("answer-01")
    gained, lost, _ = compare("devstral", "no_plan", "plan")
    assert f"a model won {gained} tasks and lost {lost};" in text
    control = compare("deepseek_v3", "plan", "plan_repeat_1", shared_tasks("deepseek_v3"))
    assert f"sent twice to another model, [won {control[0]} and lost {control[1]}]" in text


RIGHT, LOST = "y" * 8, "n" * 8
OWN = 'return "return" in text  # Your line takes the place of this one.'


@pytest.mark.parametrize(
    "file, line, squares",
    [
        ("pricing.py", '"return" in text', RIGHT + "y" * 8),
        ("pricing.py", '"->" in text', RIGHT + LOST),
        ("pricing.py", '\'"""\' in text', RIGHT + "y" * 8),
        ("pricing.py", '"typing" in text', "n" * 16),
        ("stock.py", '"def warnings" in text', "ynynnyynnnnnnnny"),
        ("stock.py", '"print(" not in text', "yyyyyyyynynnnnny"),
        ("receipt.py", "longest(text) <= 8", "ynnyynyynnnnnnnn"),
    ],
)
def test_a_line_of_the_reader_says_no_to_the_runs_that_the_answers_name(file, line, squares):
    runs = claude_runs(condition="seat")
    if "longest" in line:
        line = line.replace("longest", "longest_of")
    code = find_cell("own-05").replace(OWN, f"return {line}").replace('"pricing.py"', repr(file))
    made = {"longest_of": run_cell("limit-02")["longest"]}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, made)
    lines = printed.getvalue().splitlines()
    assert squares in lines
    for number, run in enumerate(runs, 1):  # each no has its run, file, and the first functions
        functions = [one for one in run.files[file].splitlines() if one.startswith("def ")]
        no = [f"Run {number}, {file}:", *functions[:2]]
        said = [lines[n : n + 3] for n, one in enumerate(lines) if one == no[0]]
        assert said == [no] * (squares[number - 1] == "n")


def test_what_the_answers_say_of_the_steps_is_what_the_files_show():
    """By the judge of the project; a function without hints has none in any form."""
    names = [step.text for step in load_job("ten_steps").steps]
    step = {name: names.index(f"{name}") for name in names}
    runs = claude_runs(condition="seat")
    split, hints = (
        [run.done[step[name]] for run in runs]
        for name in (
            "Split the long function in receipt.py",
            "Add type hints and docstrings to pricing.py",
        )
    )
    assert split == hints == [True] * 8 + [False] * 8
    for run, has_hints in zip(runs, hints, strict=True):
        tree = ast.parse(run.files["pricing.py"])
        functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
        found = [one.returns or any(arg.annotation for arg in one.args.args) for one in functions]
        assert all(found) if has_hints else not any(found)
        assert all(map(ast.get_docstring, functions))


def test_all_messages_report_ten_steps_also_those_of_runs_that_lack_some():
    assert "Messages that report ten steps: 16\n" in run_cell("files-01")["printed"]
    assert sum(run.steps_done == 10 for run in claude_runs(condition="seat")) == 8


def test_s05_asks_no_process_and_has_the_plan_that_was_lost():
    assert not re.search(r"subprocess|system\(|popen", NOTEBOOK.read_text(encoding="utf-8"))
    assert "The plan:\n- Rename the cryptic names" in run_cell("own-05")["printed"]
