"""The study of five lines of plan: its figures are counted in the file."""

import re
from math import comb
from pathlib import Path
from statistics import mean

import nbformat
import pytest

from lesson import PlanStudy, plan_results
from lesson.runs.coins import TOSSES, exact_p, toss_coins
from lesson.runs.planning_study import (
    compare_series,
    read_series,
    read_study,
    shared_tasks,
)

MODELS = read_study()["models"]


@pytest.mark.parametrize(
    "gained, lost, p",
    [(3, 0, 0.25), (0, 3, 0.25), (6, 0, 1 / 32), (2, 1, 1.0), (5, 1, 7 / 32), (0, 0, 1.0)],
)
def test_exact_p_is_that_of_fair_coins(gained, lost, p):
    assert exact_p(gained, lost) == pytest.approx(p)


def test_tosses_agree_with_the_exact_p():
    tosses = toss_coins(68)
    assert tosses.total() == TOSSES and tosses == toss_coins(68)
    for difference in (0, 4, 10, 20):
        as_large = sum(n for one, n in tosses.items() if abs(one) >= difference) / TOSSES
        assert as_large == pytest.approx(
            exact_p(34 + difference // 2, 34 - difference // 2), abs=0.05
        )


@pytest.mark.parametrize(
    "model, before, after, gained, lost, tasks, worst_lost",
    [
        ("devstral", "no_plan", "plan", 57, 26, 491, 31),
        ("gpt5_mini", "no_plan", "plan", 66, 35, 492, 40),
        ("deepseek_v3", "no_plan", "plan", 49, 23, 442, 65),
        ("devstral", "plan", "plan_reminded", 34, 34, 497, 35),
        ("gpt5_mini", "plan", "plan_reminded", 64, 32, 500, 32),
        ("deepseek_v3", "plan", "plan_reminded", 41, 48, 493, 53),
        ("deepseek_r1", "plan", "plan_reminded", 7, 90, 500, 90),
        ("deepseek_r1", "no_plan", "plan", 30, 76, 408, 151),
    ],
)
def test_pairs_are_those_that_the_documents_name(
    model, before, after, gained, lost, tasks, worst_lost
):
    pair = compare_series(model, before, after)
    assert (pair.gained, pair.lost, pair.tasks, pair.worst) == (
        gained, lost, tasks, (gained, worst_lost),
    )  # fmt: skip
    assert pair.tasks + pair.missing == 500


@pytest.mark.parametrize("model", ["devstral", "gpt5_mini", "deepseek_v3"])
def test_a_gain_of_6_of_100_may_be_2_to_10(model):
    pair = compare_series(model, "no_plan", "plan")
    spread = 1.96 * pair.changed**0.5  # the 95% interval of the net count
    interval = [round(100 * (pair.net + side) / pair.tasks) for side in (-spread, spread)]
    assert 2 <= interval[0] and interval[1] <= 10


@pytest.mark.parametrize(
    "model, inside, outside",
    [
        ("devstral", (32, 10), (25, 16)),
        ("gpt5_mini", (29, 17), (37, 18)),
        ("deepseek_v3", (12, 11), (37, 12)),
    ],
)
def test_models_do_not_agree_whether_the_gain_is_in_django(model, inside, outside):
    projects = read_study()["projects"].items()
    names = [project for project, numbers in projects for _ in numbers.split()]
    tasks = [[], []]
    for task, name in enumerate(names):
        tasks[name == "django__django"].append(task)
    pairs = [compare_series(model, "no_plan", "plan", part) for part in tasks]
    assert [(pair.gained, pair.lost) for pair in pairs] == [outside, inside]


def test_four_of_the_six_pairs_remain_if_six_tests_share_the_limit():
    series = (("no_plan", "plan"), ("plan", "plan_reminded"))
    models = ("devstral", "gpt5_mini", "deepseek_v3")
    found = [compare_series(model, *names).p for model in models for names in series]
    assert sum(p < 0.05 for p in found) == sum(p < 0.05 / 6 for p in found) == 4


@pytest.mark.parametrize("pairs, of_100", [(400, 85), (100, 26), (20, 1)])
def test_so_many_tests_of_100_would_see_the_gain_of_devstral(pairs, of_100):
    seen = compare_series("devstral", "no_plan", "plan")
    changes, gains = seen.changed / seen.tasks, seen.gained / seen.changed
    probability = 0.0
    for changed in range(min(pairs, 120) + 1):  # of 400 pairs, about 68 change, and hardly ever 120
        small_p = sum(
            binomial(changed, gained, gains)
            for gained in range(changed + 1)
            if exact_p(gained, changed - gained) < 0.05
        )
        probability += binomial(pairs, changed, changes) * small_p
    assert round(100 * probability) == of_100


def binomial(tries, hits, chance):
    return comb(tries, hits) * chance**hits * (1 - chance) ** (tries - hits)


def test_same_prompt_again_is_compared_on_the_tasks_that_all_files_share():
    tasks = shared_tasks("deepseek_v3")
    same = compare_series("deepseek_v3", "plan", "plan_repeat_1", tasks)
    assert (same.gained, same.lost, same.tasks) == (34, 35, len(tasks)) == (34, 35, 442)


def test_most_reminded_runs_of_r1_end_before_a_reminder_and_lose_most_of_what_is_lost():
    steps = read_series("deepseek_r1", "plan_reminded")["steps"]
    early = [task for task, made in enumerate(steps) if made is not None and made < 5]
    pair = compare_series("deepseek_r1", "plan", "plan_reminded", early)
    assert (len(early), pair.lost - pair.gained) == (386, 63)
    assert not MODELS["deepseek_r1"]["series"]["plan"]["usable"]


def test_each_series_has_a_verdict_and_a_source_for_each_task():
    projects = read_study()["projects"]
    assert sum(len(numbers.split()) for numbers in projects.values()) == 500
    assert len(projects["django__django"].split()) == 231
    for model, told in MODELS.items():
        for name in told["series"]:
            series = read_series(model, name)
            assert len(series["verdicts"]) == 500 and series["read_at"]
            if "steps" in series:
                absent = [steps is None for steps in series["steps"]]
                assert absent == [verdict == "-" for verdict in series["verdicts"]]


def test_widget_says_the_same_without_scripts():
    said, control, results = (
        " ".join(str(shown).split())
        for shown in (PlanStudy(), PlanStudy("control"), plan_results().data)
    )
    assert "319 of 491: 57 gained, 26 lost." in said
    assert "69 of 442 have another result" in control
    assert "| DeepSeek-V3 | the plan | 442 | **49 : 23** | p = 0.003 |" in results
    assert "again | 442 | **34 : 35** | p = 1 |" in results


def test_plan_makes_the_runs_of_v3_twice_as_long():
    means = []
    for name in ("no_plan", "plan"):
        steps = read_series("deepseek_v3", name)["steps"]
        means.append(round(mean(one for one in steps if one is not None), 1))
    assert means == [10.9, 21.6]


ROOT = Path(__file__).parents[1]
S07 = "notebooks/s07_does_planning_help.ipynb"
TEXTS = {".md", ".ipynb", ".py", ".js", ".j2", ".css"}
FEW = 8  # words in a row that only a copy has


def words_in_a_row(text):
    """Return each run of FEW words in a text, without its punctuation and line ends."""
    words = re.findall(r"\w+", text.replace("\\n", " ").lower())
    return {tuple(words[at : at + FEW]) for at in range(len(words) - FEW + 1)}


def test_the_lessons_answer_is_in_no_other_text():
    cells = nbformat.read(ROOT / S07, as_version=4).cells
    [answer] = [cell.source for cell in cells if cell.source.startswith("## The lesson's answer")]
    assert len(words_in_a_row(answer)) > 50
    folders = [ROOT / name for name in ("docs", "notebooks", "agentlib", "lesson", "tools")]
    files = [*ROOT.glob("*.md"), *(file for folder in folders for file in folder.rglob("*.*"))]
    others = [file for file in files if file.suffix in TEXTS and Path(S07).stem not in file.name]
    assert len(others) > 100
    copies = {
        file.name: words_in_a_row(answer) & words_in_a_row(file.read_text(encoding="utf-8"))
        for file in others
    }
    assert {name: found for name, found in copies.items() if found} == {}
