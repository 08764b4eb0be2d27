"""The figures of two studies, in s05 and in sources.md, counted again in their data files."""

import json
from collections import Counter
from math import comb
from pathlib import Path

import pytest
from support.documents import NOTEBOOKS, read

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


def test_two_sentences_have_the_numbers_of_the_data():
    text = read(NOTEBOOKS["s05"])
    gained, lost, _ = compare("devstral", "no_plan", "plan")
    assert f"a model won {gained} tasks and lost {lost};" in text
    control = compare("deepseek_v3", "plan", "plan_repeat_1", shared_tasks("deepseek_v3"))
    assert f"sent twice to another model, [won {control[0]} and lost {control[1]}]" in text
