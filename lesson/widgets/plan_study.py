"""Five lines of plan, 500 tasks: a reader guesses, sees the tasks, and tosses a coin for each.

All results are a table.

The figures are counted in `planning_study.json`, which says what real models solved.
"""

from textwrap import fill
from typing import Any

import traitlets
from IPython.display import Markdown

from ..runs.coins import TOSSES, toss_coins
from ..runs.planning_study import Pair, compare_series, read_study, shared_tasks
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
REPEATED = "the plan again, before every fifth request"
PLAN, REMINDED = ("no_plan", "plan"), ("plan", "plan_reminded")
USABLE = ("devstral", "gpt5_mini", "deepseek_v3")  # the models whose results can be compared
DEVSTRAL, MINI, V3 = (read_study()["models"][model]["name"] for model in USABLE)
Squares = list[tuple[str, int, str]]  # for each look: how many, and what it means


class PlanStudy(View):
    """What a plan in the prompt changes for a real model: `PlanStudy()`.

    `PlanStudy("control")` shows what changes if nothing differs.
    """

    kind = "plan_study"
    # What the reader did: a `guess`, and if the tasks are `shown` and the coins `tossed`.
    played = traitlets.Dict().tag(sync=True)
    presented = traitlets.Bool(False).tag(sync=True)

    def __init__(self, scene: str = "plan") -> None:
        """Show a scene: "plan" or "control"."""
        made = {"plan": make_plan, "control": make_control}[scene]()
        super().__init__(state={"title": TITLE, "lede": LEDE, "source": SOURCE, **made})

    def text(self) -> str:
        state = self.state
        return wrap([TITLE, LEDE, state["asked"], state["found"], state["told"], SOURCE])


def wrap(parts: list[str]) -> str:
    """Return paragraphs as plain text, without those that are empty."""
    return "\n".join(fill(part.replace("*", ""), 96) for part in parts if part)


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
        "guess": {"total": pair.tasks, "start": 0},
        "found": f"*{pair.changed} of {pair.tasks} have another result:* {pair.gained} gained, "
        f"{pair.lost} lost.",
        "squares": make_squares(pair, "the first time", "the second time"),
        "told": f"That is about 1 task in {round(pair.tasks / pair.changed)}, although nothing was "
        "changed. So a single task says nothing. Look at the difference between gained and lost: "
        f"here it is {abs(pair.net)}.",
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
        "guess": {"total": pair.tasks, "start": pair.before},
        "found": f"*{pair.after} of {pair.tasks}:* {pair.gained} gained, {pair.lost} lost.",
        "squares": make_squares(pair, "without the plan", "with the plan"),
        "told": "",
        "coins": {
            "asked": f"If the plan did nothing, each of the {pair.changed} tasks that were gained "
            "or lost could as well have changed in the other direction. So toss a coin for each. "
            f"*How often is the difference {mark} or more, in either direction?*",
            "press": f"Toss {pair.changed} coins, a thousand times",
            "bars": [tosses[difference] for difference in range(-mark, mark + 1, 2)],
            "mark": mark,
            "told": f"*In {often} tosses, the difference is as large* (exactly: "
            f"{say_p(pair.p)}). {small if pair.p < LUCKY else 'Luck alone can do this.'}",
        },
    }


def plan_results() -> Markdown:
    """Return a row for each pair of series that can be compared, and what the rows say."""
    rows = [
        ("Model", "What is new", "tasks", "gained : lost", "luck alone"),
        ("---", "---", "---", "---", "---"),
        *(make_row(model, "the plan", compare_series(model, *PLAN)) for model in USABLE),
        *(make_row(model, REPEATED, compare_series(model, *REMINDED)) for model in USABLE),
        make_row("deepseek_v3", "nothing: the same prompt again", compare_again("plan", 1)),
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return Markdown("\n\n".join([table, *tell_results()]))


def make_row(model: str, new: str, pair: Pair) -> tuple[str, ...]:
    name = read_study()["models"][model]["name"]
    return name, new, str(pair.tasks), f"**{pair}**", say_p(pair.p)


def compare_again(series: str, repeat: int) -> Pair:
    """Return V3's series compared with one in which its prompt with the plan is repeated."""
    return compare_series(
        "deepseek_v3", series, f"plan_repeat_{repeat}", shared_tasks("deepseek_v3")
    )


def tell_results() -> list[str]:
    """Return what the results say, and what p is."""
    first, second = (str(compare_again("no_plan", repeat)) for repeat in (1, 2))
    planned, equal = compare_series("devstral", *PLAN), compare_series("devstral", *REMINDED)
    gain = 100 * planned.net / planned.tasks
    return [
        f"**The plan** helped {DEVSTRAL} and {MINI}: they solved about {gain:.0f} of 100 "
        f"tasks more. It probably helped {V3}: two more series with the plan, compared with the "
        f"same series without it, give {first} and {second}. **To repeat the plan** helped one "
        f"model of three. A difference of 0, as in {equal}, does not show that nothing happened: "
        f"with one run for each task, it can still hide about {1.96 * equal.changed**0.5:.0f} "
        "tasks, in either direction.",
        "**Luck alone** is p: how often coins alone make as large a difference. The first six "
        "rows are six comparisons, and among six, a small p by luck is not rare. With a limit "
        "that allows for this (p below 0.05 / 6), four of them remain.",
    ]
