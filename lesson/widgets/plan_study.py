"""Five lines of plan, 500 tasks: a reader guesses, sees the tasks, and tosses a coin for each.

The figures are counted in `planning_study.json`, which says what real models solved.
"""

from textwrap import fill
from typing import Any

import traitlets

from ..runs.coins import TOSSES, exact_p, toss_coins
from ..runs.planning_study import (
    Pair,
    compare_series,
    ended_early,
    read_study,
    shared_tasks,
)
from .base import View

TITLE = "Five lines of plan, 500 tasks"
LEDE = "An agent works on 500 real GitHub issues, and tests that it does not see judge the result."
FIVE_LINES = (
    "*Only five lines of the prompt differ:* find the code, reproduce the error, change the code, "
    "run it again, think of edge cases. People wrote them; the model writes no list here."
)
SOURCE = (
    "SWE-agent on SWE-bench Verified, models of 2025, one run for each task and series. Counted "
    "by us on 23 November 2026 in the data of arXiv:2604.12147 (MIT licence)."
)
LUCKY = 0.05  # with a p from here on, luck is a good explanation
PLAN, REMINDED = ("no_plan", "plan"), ("plan", "plan_reminded")
USABLE = ("devstral", "gpt5_mini", "deepseek_v3")  # the models whose results can be compared
DEVSTRAL, MINI, V3 = (read_study()["models"][model]["name"] for model in USABLE)
say_sides = "{} : {}".format  # of gained and lost
Squares = list[tuple[str, int, str]]  # for each look: how many, and what it means


class PlanStudy(View):
    """What a plan in the prompt changes for real models: `PlanStudy()`.

    With names of SCENES, it shows these scenes: `PlanStudy("plan", "results")`.
    """

    kind = "plan_study"
    at = traitlets.Int(0).tag(sync=True)  # the scene
    # By the name of the scene: the reader's `guess` or `choice`, and if it is `shown` and `tossed`.
    played = traitlets.Dict().tag(sync=True)
    presented = traitlets.Bool(False).tag(sync=True)

    def __init__(self, *scenes: str) -> None:
        names = scenes or ("control", "plan", "results")
        made = [{"name": name} | SCENES[name]() for name in names]
        super().__init__(state={"title": TITLE, "lede": LEDE, "source": SOURCE, "scenes": made})

    def text(self) -> str:
        parts = [TITLE, LEDE]
        for scene in self.state["scenes"]:
            parts += [scene["asked"], scene.get("found", "")]
            for said, squares in scene.get("groups", ()):
                parts.append(said + "; ".join(f"{n} {words}" for _, n, words in squares) + ".")
            for row in scene.get("rows", ()):
                sides = f"{row['gained']} : {row['lost']}, {row['detail']}, {row['p']}"
                parts.append(f"- {row['group']}, {row['name']}: {sides} (at worst: {row['worst']})")
            coins = scene.get("coins", {})
            parts += [scene["told"], *map(coins.get, ("asked", "told")), *scene.get("notes", ())]
        return "\n".join(fill(part.replace("*", ""), 96) for part in [*parts, SOURCE] if part)


def say_p(p: float) -> str:
    """Return a probability with as many digits as say something."""
    if p < 0.00001:
        return "p < 0.00001"
    return f"p = {p:.{4 if p < 0.001 else 3 if p < 0.1 else 2}f}" if p < 1 else "p = 1"


def make_squares(pair: Pair, before: str, after: str) -> Squares:
    looks = [
        ("both", pair.both, "solved both times"),
        ("gained", pair.gained, f"gained: only {after}"),
        ("lost", pair.lost, f"lost: only {before}"),
        ("never", pair.never, "never solved"),
        ("missing", pair.missing, "without both results"),
    ]
    return [look for look in looks if look[1]]


def make_control() -> dict[str, Any]:
    """Return the scene in which nothing differs, and tasks have another result all the same."""
    pair = compare_series("deepseek_v3", "plan", "plan_repeat_1", shared_tasks("deepseek_v3"))
    return {
        "asked": f"*First, nothing differs.* {V3} got the same prompt twice, for the same "
        f"{pair.tasks} tasks. *For how many tasks is the result another one the second time?*",
        "guess": {"total": pair.tasks, "start": 0, "answer": pair.changed},
        "found": f"*{pair.changed} of {pair.tasks} have another result:* {pair.gained} gained, "
        f"{pair.lost} lost.",
        "groups": [("", make_squares(pair, "the first time", "the second time"))],
        "told": f"That is about 1 task in {round(pair.tasks / pair.changed)}, although nothing was "
        "changed. So a single task says nothing. Look at the difference between gained and lost: "
        f"here it is {abs(pair.net)}.",
        "next": "Now the five lines",
    }


def make_plan() -> dict[str, Any]:
    """Return the scene with the plan, and with a coin for each task that was gained or lost."""
    pair = compare_series("devstral", *PLAN)
    tosses, mark = toss_coins(pair.changed), abs(pair.net)
    as_large = sum(count for difference, count in tosses.items() if abs(difference) >= mark)
    often = f"{as_large} of {TOSSES:,}" if as_large else f"fewer than 1 in {TOSSES:,}"
    small = "Luck alone is a poor explanation. *What else differed?*"
    return {
        "asked": f"{FIVE_LINES} {DEVSTRAL} solves *{pair.before} of {pair.tasks} tasks* without "
        "this plan. *How many with it?*",
        "guess": {"total": pair.tasks, "start": pair.before, "answer": pair.after},
        "found": f"*{pair.after} of {pair.tasks}:* {pair.gained} gained, {pair.lost} lost.",
        "groups": [("", make_squares(pair, "without the plan", "with the plan"))],
        "told": "",
        "coins": {
            "asked": f"If the plan did nothing, each of the {pair.changed} tasks that were gained "
            "or lost could as well have changed in the other direction. So toss a coin for each. "
            f"*How often is the difference {mark} or more, in either direction?*",
            "press": f"Toss {pair.changed} coins, a thousand times",
            "bars": sorted(tosses.items()),
            "mark": mark,
            "told": f"*In {often} tosses, the difference is as large* (exactly: "
            f"{say_p(pair.p)}). {small if pair.p < LUCKY else 'Luck alone can do this.'}",
        },
        "next": "And the other models?",
    }


def make_row(group: str, model: str, pair: Pair, note: str = "") -> dict[str, Any]:
    worst = (
        f"{say_sides(*pair.worst)}, {say_p(exact_p(*pair.worst))}" if pair.missing else "the same"
    )
    return {
        "group": group,
        "name": read_study()["models"][model]["name"],
        "detail": f"{pair.tasks} tasks{note}",
        "gained": pair.gained,
        "lost": pair.lost,
        "p": say_p(pair.p),
        "worst": worst,
    }


def make_results() -> dict[str, Any]:
    """Return a row for each pair of series that can be compared, and what was left out."""
    groups = {"The plan": PLAN, "The plan again before every fifth request": REMINDED}
    rows = [
        make_row(
            group,
            model,
            compare_series(model, *series),
            ", judged twice" if (model, series) == ("gpt5_mini", PLAN) else "",
        )
        for group, series in groups.items()
        for model in USABLE
    ]
    tasks = shared_tasks("deepseek_v3")
    same = compare_series("deepseek_v3", "plan", "plan_repeat_1", tasks)
    rows.append(make_row("The same prompt again: nothing differs", "deepseek_v3", same))
    again = [compare_series("deepseek_v3", "no_plan", f"plan_repeat_{n}", tasks) for n in (1, 2)]
    repeats = " and ".join(map(str, again))
    planned, equal = compare_series("devstral", *PLAN), compare_series("devstral", *REMINDED)
    more, least = (
        100 * planned.net / planned.tasks,
        100 * (planned.worst[0] - planned.worst[1]) / 500,
    )
    left = compare_series("deepseek_r1", *PLAN)
    names = {*PLAN, *REMINDED}
    early = max(len(ended_early(model, name)) for model in USABLE for name in names)
    return {
        "asked": "*All results*",
        "rows": rows,
        "told": f"*The plan* helped {DEVSTRAL} and {MINI}: {more:.0f} of 100 tasks more. *At "
        f"worst*, if each missing result counts against the plan, it is still {least:.0f}. The "
        f"plan probably helped {V3}: two more runs of it give {repeats}, but the missing results "
        "could reverse this. *To repeat the plan* helped one model of three. A difference of 0, as "
        f"in {equal}, does not show that nothing happened. With one run for each task, it can "
        f"still hide about {1.96 * equal.changed**0.5:.0f} tasks, in either direction.",
        "notes": [
            "*Luck alone* is p: how often coins alone make as large a difference.",
            f"In each of these series, at most {early} runs ended before the fifth request.",
            f"*Judged twice*: the makers of the study judged the runs of {MINI} without a plan a "
            "second time.",
            f"*Left out*: DeepSeek-R1 with the plan. Its stored results got worse ({left.gained} "
            f"gained, {left.lost} lost of {left.tasks}), but they are not those of the published "
            "series. We say so, because a study looks better if it leaves out what got worse.",
        ],
    }


def make_reminders() -> dict[str, Any]:
    """Return the scene of a difference that is not luck, and not the reminder's effect either."""
    model = "deepseek_r1"
    pair, early = compare_series(model, *REMINDED), ended_early(model, "plan_reminded")
    on = sorted(set(range(pair.tasks)) - set(early))
    first, second = (compare_series(model, *REMINDED, tasks) for tasks in (early, on))
    found, rest = -first.net, -second.net
    parts = {
        f"{len(early)} runs ended before the fifth request": first,
        f"{len(on)} runs went on": second,
    }
    return {
        "asked": f"*A number that is right.* DeepSeek-R1 solves *{pair.before} of {pair.tasks}* "
        "tasks with the plan. If the plan also comes again before every fifth request, it solves "
        f"*{pair.after}*. A coin for each of the {pair.changed} tasks that were gained or lost "
        f"gives {say_p(pair.p)}. *Did the reminder do this?*",
        "choices": ["Yes: it is not luck", "No, something else", "These numbers cannot tell"],
        "found": f"*It solves {-pair.net} tasks fewer, and {found} of these are in runs that ended "
        "before a reminder could be sent.*",
        "answers": [
            f"It is not luck, but “yes” is wrong for these {found}.",
            f"“No” is right for these {found}, and for the other {rest} the numbers cannot tell.",
            f"That is right for the other {rest}. For these {found}, it was something else.",
        ],
        "groups": [
            (
                f"{words}: {part.before} solved with the plan alone, {part.after} here. ",
                make_squares(part, "with the plan alone", "with reminders"),
            )
            for words, part in parts.items()
        ],
        "told": "So something besides the reminder differs: with the plan alone, only "
        f"{len(ended_early(model, 'plan'))} of {pair.tasks} runs ended so early. For the other "
        f"{rest} tasks, these numbers cannot tell. A difference that is not luck may still have "
        "another cause than the one that you think of.",
    }


SCENES = {
    "control": make_control,
    "plan": make_plan,
    "results": make_results,
    "reminders": make_reminders,
}
