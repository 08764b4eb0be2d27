"""Judged runs: a reader judges real runs whose lists are ticked to the end, then sees the verdicts.

The runs are those of `judged_runs.json`.
"""

from collections import Counter
from collections.abc import Iterator
from textwrap import fill, indent
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
    runs_without_list,
)
from .base import View

TITLE = "Every task is ticked. Is the job finished?"
LEDE = (
    "A coding agent got this job, wrote a todo list for itself, and ticked every task. "
    "Is the job finished? You are the judge."
)
RULES = (
    "The verdict comes from the build and from tests that the agent did not see. We also read "
    "the files, and say so if we doubt the verdict."
)
SIGNS = {"passed": "✓", "failed": "✕", "no build": "▬"}
VERDICTS = {"passed": "passed", "failed": "failed a test", "no build": "did not build"}
FOLLOWS = (
    "In these {total} runs a ticked list looked the same, whether the job was finished or not. A "
    "tick is what the model says. So ask something that can say no: the build, a test, the "
    "wishes. Then read what it says, because it can be wrong as well."
)
NOT = "It does not follow that "
WIDTH = 96  # characters of a line of text


class JudgedRuns(View):
    """Four real runs to judge, then all 43 ticked lists. `only_first`: the first run alone."""

    kind = "judged"
    at = traitlets.Int(0).tag(sync=True)  # the screen; after the last one, all lists; then `more`
    # For each run, by number: `lines` (a wish and its item, 0 for none) and the reader's `choice`.
    played = traitlets.Dict().tag(sync=True)
    guess = traitlets.Int(0).tag(sync=True)
    counted = traitlets.Bool(False).tag(sync=True)

    def __init__(self, *, only_first: bool = False) -> None:
        super().__init__()
        file = read_file()
        screens = file["screens"][:1] if only_first else file["screens"]
        self.state = {
            "title": TITLE,
            "lede": LEDE,
            "rules": RULES,
            "asked": ["Is the job finished?", "Not finished. Who can say no?"],
            "screens": list(make_screens(screens)),
            "more": [] if only_first else list(make_screens(file["more"])),
            "end": None if only_first else make_end(),
        }

    def text(self) -> str:
        """Return the runs, then their verdicts, then all lists."""
        screens, end = self.state["screens"], self.state["end"]
        runs = [part for screen in screens for part in write_runs(screen)]
        verdicts = [part for screen in screens for part in write_verdicts(screen)]
        parts = [TITLE, LEDE, *runs, "The verdicts", RULES, *verdicts]
        return "\n\n".join([*parts, *(write_end(end) if end else ())])


def make_screens(screens: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what the browser draws: one run, or two of the same job."""
    total, shown = sum(len(screen["runs"]) for screen in screens), 0
    for screen in screens:
        cases = [read_cases()[number] for number in screen["runs"]]
        is_pair = len(cases) > 1
        first, shown = shown + 1, shown + len(cases)
        step = f"Runs {first} and {shown} of {total}" if is_pair else f"Run {first} of {total}"
        yield {
            "step": step if total > 1 else "",
            "name": f"{cases[0].name.split(',')[0]}, twice" if is_pair else cases[0].name,
            "job": ["The job, given twice. " if is_pair else "The job. ", cases[0].job],
            "wishes": cases[0].wishes,
            "lesson": screen["lesson"],
            "runs": [make_run(case, is_pair=is_pair) for case in cases],
        }


def make_run(case: Case, *, is_pair: bool) -> dict[str, Any]:
    model, date = CLOSE[case.judged.model], case.run.split("/")[1][:10]
    passed, total = case.tests
    fails = passed < total
    build = ("It succeeds.", "", "The agent ran it." if case.ran_build else "")
    if case.judged.build == "failed":
        build = ("It stops.", "no", "The agent did not run it.")
    fair, reason = case.fair
    label = case.name.split(", ")[1].replace("run", "Run") if is_pair else ""
    return {
        "number": str(case.number),
        "name": case.name,
        "label": label,
        "source": f"{model} in Claude Code, {date}, told in our own words.",
        "original": f"The original: {REPOSITORY} at {case.commit[:7]}",
        "link": case.link,
        "items": case.items,
        "title": f"{label}: the list, " if is_pair else "The agent’s list, ",
        "ticked": f"{case.judged.ticked} of {case.judged.items} ticked",
        "on": case.on,
        "places": list(map(name_items, case.on)),
        "fates": [case.fate.get(str(number), "") for number in range(1, len(case.on) + 1)],
        "said": case.said,
        "status": case.judged.status,
        "witnesses": [
            ["the wishes", *say_wishes(case)],
            ["the build", *build],
            ["the tests", f"{passed} of {total} passed.", "no" * fails, case.tests_say],
        ],
        "why": case.why,
        "fair": fair,
        "reason": [f"Is the verdict fair? {fair}: ", reason],
        "no": {"build": bool(build[1]), "test": fails, "wishes": "wishes" in case.who},
        "isWrong": case.who == ["wrong"],
    }


def name_items(items: list[int]) -> str:
    if not items:
        return "in no task"
    numbers = ", ".join(map(str, items)) if len(items) < 4 else f"{items[0]} to {items[-1]}"
    return f"task {numbers}" if len(items) == 1 else f"tasks {numbers}"


def say_wishes(case: Case) -> tuple[str, str, str]:
    """Return what the list says of the wishes, "no" if one is not done, and what the files say."""
    gaps, total = len(case.gaps), len(case.wishes)
    found = Counter(case.fate.values())
    missing = f"{gaps} of {total} {'is' if gaps == 1 else 'are'} in no task."
    files = ", ".join(f"{number} {fate}" for fate, number in found.items())
    return (
        missing if gaps else "Each is in a task.",
        "no" if set(found) - {"done"} else "",
        f"In the files: {files}." if files else "",
    )


def make_end() -> dict[str, Any]:
    """Return all lists, in a row for each job, and what follows from them."""
    lists, bare = close_lists(), runs_without_list()
    verdicts = Counter(run.verdict for run in lists)
    stopped = [run for run in lists if run.verdict == "no build"]
    others = [run for run in lists if run not in stopped]
    checked = [run for run in others if run.check_item]
    failed = len(lists) - verdicts["passed"]
    failed_jobs = len({run.job for run in lists if run.status == "failed"})
    control = Counter(run.status for run in bare)
    checked_jobs = {run.job for run in checked}
    unchecked = [run for run in lists if not run.check_item]
    elsewhere = sum(run.job not in checked_jobs for run in unchecked)
    fair = Counter(case.fair[0] for case in read_cases().values())
    gap = read_cases()[4]  # it passed, and its wishes that are in no task are done
    models = Counter(CLOSE[run.model] for run in lists)
    return {
        "total": len(lists),
        "answer": f"{verdicts['passed']} of {len(lists)} passed.",
        "question": f"{len(lists)} such lists, ticked to the end. How many of these runs passed?",
        "rows": [
            [
                name,
                make_boxes([run for run in lists if run.job == job]),
                make_boxes([run for run in bare if run.job == job]),
            ]
            for job, name in read_file()["jobs"].items()
        ],
        "counts": [[look, f"{verdicts[look]} {words}"] for look, words in VERDICTS.items()],
        "models": [[name, f"{name} ({count})"] for name, count in models.items()],
        "notes": [
            f"Without a list, {control['failed']} runs of these models failed and "
            f"{control['passed']} passed, most of them in other jobs.",
            f"None of the {len(stopped)} lists over a project that does not build has a task such "
            f"as “build it”. Of the other {len(others)}, {len(checked)} have one.",
        ],
        "follows": FOLLOWS.format(total=len(lists)),
        "not": NOT,
        "follow": [
            f"{failed} of {len(lists)} is how often a ticked list is wrong. In each "
            "series, a model tried a job until it passed once, at most four times, and these "
            f"{failed} failures are of only {failed_jobs} jobs.",
            "lists make runs fail. The model itself chose whether to write one, and no job was run "
            "both ways on purpose.",
            "failed means wrong and passed means right. Of the "
            f"{sum(fair.values())} verdicts that we compared with the files, {fair['Unfair']} is "
            f"unfair, {fair['Too kind']} is too kind, and {fair['Half fair']} can be argued about.",
            f"a wish in no task is missing. “{gap.name}” passed with {len(gap.gaps)} such wishes, "
            "and they are done.",
            f"a task “build it” makes the difference. All {len(checked)} such lists are of "
            f"{len(checked_jobs)} jobs, and {elsewhere} of the {len(unchecked)} lists without one "
            "are of other jobs.",
        ],
    }


def make_boxes(runs: list[JudgedRun]) -> dict[str, Any]:
    """Return the verdict and the model of each run, and the same in words."""
    named = {run: VERDICTS[run.verdict] if run.list else run.status for run in runs}
    count = Counter(f"{words} ({CLOSE[run.model]})" for run, words in named.items())
    return {
        "looks": [[run.verdict, CLOSE[run.model]] for run in runs],
        "words": "; ".join(f"{number} {words}" for words, number in count.items()) or "none",
    }


def write(*lines: str) -> str:
    """Return lines of text that are not longer than WIDTH."""
    return "\n".join(fill(line, WIDTH) for line in lines)


def write_runs(screen: dict[str, Any]) -> Iterator[str]:
    """Yield a screen as text, without its verdicts."""
    wishes = (f"  {number}. {wish}" for number, wish in enumerate(screen["wishes"], 1))
    title = ": ".join(filter(None, (screen["step"], screen["name"])))
    yield write(title, "".join(screen["job"]), "What the user wished:", *wishes)
    for run in screen["runs"]:
        items = (f"  [x] {item}" for item in run["items"])
        said = f"Its last message: {run['said']}"
        yield write(f"{run['title']}{run['ticked']}:", *items, said, run["source"])


def write_verdicts(screen: dict[str, Any]) -> Iterator[str]:
    for run in screen["runs"]:
        said = [f"{name}: {words} {more}".strip() for name, words, _, more in run["witnesses"]]
        said += [f"Why? {run['why']}", "".join(run["reason"])]
        told = "\n".join([*(fill(words, WIDTH - 2) for words in said), run["link"]])
        yield f"{run['name']}: {run['status']}\n{indent(told, '  ')}"
    if screen["lesson"]:
        yield write(screen["lesson"])


def write_end(end: dict[str, Any]) -> Iterator[str]:
    rows = (
        f"{job:26}{draw_signs(lists):10} without a list: {draw_signs(bare)}"
        for job, lists, bare in end["rows"]
    )
    yield "\n".join([end["question"], end["answer"], "", *rows])
    yield ", ".join(f"{SIGNS[look]} {words}" for look, words in end["counts"])
    yield from map(write, [*end["notes"], end["follows"]])
    yield from (write(end["not"] + words) for words in end["follow"])


def draw_signs(boxes: dict[str, Any]) -> str:
    return "".join(SIGNS[look] for look, _ in boxes["looks"]) or "-"
