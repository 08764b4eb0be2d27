"""Judged runs: 43 lists that are ticked to the end, their verdicts, and twelve lists to judge.

The runs are those of `judged_runs.json`.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill
from typing import Any

import traitlets

from ..runs.judged_runs import (
    CLOSE,
    REPOSITORY,
    Case,
    JudgedRun,
    close_lists,
    read_cases,
    read_file,
)
from .base import View

TITLE = "Every task is ticked. Is the job finished?"
LEDE = (
    "{total} times, Claude wrote a todo list for a job and ticked every task. Each tick is one "
    "run. The jobs are hard, and some were tried again after a failure. Ticks that are joined are "
    "such attempts at one job. Attempts without a list are not shown."
)
QUESTION = "In how many of these {total} runs does the project build and pass all tests?"
VERDICTS = {
    "passed": "build and pass all tests",
    "failed": "build and fail a test",
    "no build": "do not build",
}
FOLLOWS = (
    "A ticked list looks the same, whether the job is finished or not: a tick is what the model "
    "believes. So ask the build, the tests or the files."
)
NOT = "It does not follow that "


class JudgedRuns(View):
    """All 43 ticked lists: one guess, then the verdicts, and twelve of the lists to judge."""

    kind = "judged"
    guess = traitlets.Int(None, allow_none=True).tag(sync=True)
    counted = traitlets.Bool(False).tag(sync=True)  # whether the verdicts are shown
    opened = traitlets.Unicode("").tag(sync=True)  # the number of the run that is judged
    # For each told run, by number: `chosen` (what can say no), and `judged` after the verdict.
    played = traitlets.Dict().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        lists = close_lists()
        verdicts = Counter(run.verdict for run in lists)
        models = Counter(run.model for run in lists)
        self.state = {
            "title": TITLE,
            "lede": LEDE.format(total=len(lists)),
            "question": QUESTION.format(total=len(lists)),
            "total": len(lists),
            "jobs": list(make_jobs(lists)),
            "models": [f"{CLOSE[model]} ({count})" for model, count in models.most_common()],
            "counts": [[look, f"{verdicts[look]} {words}"] for look, words in VERDICTS.items()],
            "answer": [f"{verdicts['passed']} of {len(lists)}", VERDICTS["passed"]],
            "follows": FOLLOWS,
            "not": NOT,
            "follow": make_follow(),
            "runs": [make_run(case) for case in read_cases().values()],
        }

    def text(self) -> str:
        """Return the question and its answer, and what follows from it."""
        counts = "; ".join(words for _, words in self.state["counts"])
        answer = f"{' '.join(self.state['answer'])}. ({counts})"
        parts = [TITLE, self.state["lede"], f"{self.state['question']} {answer}", FOLLOWS]
        return "\n\n".join(fill(part, 96) for part in parts)


def make_jobs(lists: list[JudgedRun]) -> Iterator[tuple[str, list[list[dict[str, Any]]]]]:
    """Yield the name of each job, and its series with their squares."""
    told = {case.run: str(case.number) for case in read_cases().values()}
    for job, name in read_file()["jobs"].items():
        runs = [run for run in lists if run.job == job]
        series = groupby(runs, lambda run: run.series)
        yield (
            name,
            [[make_square(run, told.get(run.run, "")) for run in group] for _, group in series],
        )


def make_square(run: JudgedRun, told: str) -> dict[str, Any]:
    """Return one run as it is drawn. `told` is its number if its list can be opened."""
    passed, total = run.tests
    failed = ", ".join(f"“{name}”" for name in run.failed_tests)
    tests = f"{passed} of {total} tests passed" + (f"; failed: {failed}." if failed else ".")
    return {
        "look": run.verdict,
        "told": told,
        "isRound": run.model != next(iter(CLOSE)),
        "name": f"{read_file()['jobs'][run.job]}, attempt {run.attempt}, {run.ticked} of "
        f"{run.items} ticked",
        "facts": f"{CLOSE[run.model]}, {run.date}. "
        f"{'It does not build' if run.build == 'failed' else 'It builds'}; {tests}",
    }


def make_follow() -> list[str]:
    """Return what does not follow from the squares; s05 says two things more."""
    fair = Counter(case.fair[0] for case in read_cases().values())
    gap = read_cases()[4]  # it passed, and its points that are in no task are done
    return [
        "lists make runs fail. The model itself chose whether to write one, and no job was run "
        "both ways on purpose.",
        "failed means wrong and passed means right. Of the "
        f"{fair.total()} results that we compared with the files, {fair['Unfair']} is unfair, "
        f"{fair['Too kind']} is too kind, and {fair['Half fair']} can be argued about.",
        f"a point in no task is missing. “{gap.name}” passed with {len(gap.gaps)} such points, "
        "and they are done.",
    ]


def make_run(case: Case) -> dict[str, Any]:
    run = case.judged
    (passed, total), stops = run.tests, run.build == "failed"
    ran = "The agent ran it." if case.ran_build else "The agent did not run it."
    return {
        "number": str(case.number),
        "name": case.name,
        "job": case.job,
        "points": case.points,
        "items": case.items,
        "ticked": f"{run.ticked} of {run.items} ticked",
        "on": case.on,
        "fates": [case.fate.get(str(number), "") for number in range(1, len(case.on) + 1)],
        "said": case.said,
        "status": run.status,
        "witnesses": [
            ["the request", say_points(case), "request" in case.who],
            ["the build", f"{'It stops' if stops else 'It succeeds'}. {ran}", stops],
            ["the tests", f"{passed} of {total} passed. {case.tests_say}", passed < total],
        ],
        "isWrong": case.who == ["wrong"],
        "why": case.why,
        "fair": [f"{case.fair[0]}: ", case.fair[1]],
        "lesson": case.lesson,
        "source": f"{CLOSE[run.model]} in Claude Code, {run.date}, in our own words.",
        "original": f"The original list and files: {REPOSITORY} at {case.commit[:7]}",
        "link": case.link,
    }


def say_points(case: Case) -> str:
    """Return how many points are in no task, and what the files show of the points in doubt."""
    gaps, total = len(case.gaps), len(case.points)
    found = ", ".join(f"{number} {fate}" for fate, number in Counter(case.fate.values()).items())
    missing = f"{gaps} of {total} points {'is' if gaps == 1 else 'are'} in no task."
    return " ".join(
        [missing if gaps else "Each point is in a task.", f"In the files: {found}." * bool(found)]
    ).strip()
