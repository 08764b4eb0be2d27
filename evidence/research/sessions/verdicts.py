"""Count verdicts on runs with a list and without one, and say what differs from `research/data`.

    python evidence/research/sessions/verdicts.py FOLDER          writes FOLDER/counted/verdicts.csv
    python evidence/research/sessions/verdicts.py FOLDER --save   into the stored data

FOLDER has ISO-Bench, as `fetch.py` brings it. Codex with GPT-5 was asked to make vLLM faster, and
the changed program was started: the run has *passed* if numbers came out. Intervals: `count.py`.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from count import DATA, Rows, draw, share, write

REPOSITORY, COMMIT = "ISO-Bench/ISO-Bench", "9cc08ddd1011a34c49b43c22671ae639f16a21d3"
SERIES = {"codex": "November 2025", "codex_cli": "January 2026"}  # by the folder of the runs
LOG = re.compile(r"state/runs/vllm/(codex|codex_cli)/[^/]+/([^/]+)/[^/]+/(codex|openhands)_stderr")
VERDICT = re.compile(r"3way_(\w+)/results/(?:separate_agent/)?([0-9a-f]{8})_agent_result\.json$")
# Codex prints each list that the model writes. An explanation can stand before the steps.
LIST = re.compile(r"^Plan update\n(?:.*\n){0,8}?\s+[→•✓]\s+\S", re.MULTILINE)
NUMBERS = ("passed with a list", "of", "passed without", "of these")


def read_verdict(text: str) -> bool | None:
    """Return whether the changed program gave numbers; None if it was never started."""
    try:
        found = json.loads(text)
    except ValueError:  # two files that are cut off
        return None
    if "Missing parent_commit" in (found.get("error") or ""):
        return None
    return bool(found["status"] == "success" and found.get("metrics"))


def read_runs(folder: Path) -> tuple[dict[str, dict[str, list[int]]], dict[str, dict[str, bool]]]:
    """Return the numbers of each run, and all verdicts, both by agent and task."""

    def git(*command: str) -> str:
        place = f"--git-dir={folder / REPOSITORY.replace('/', '+')}"
        found = subprocess.run(["git", place, *command], stdout=subprocess.PIPE, check=True)
        return found.stdout.decode(errors="replace")

    paths = git("ls-tree", "-r", "--name-only", COMMIT).splitlines()
    verdicts: dict[str, dict[str, bool]] = defaultdict(dict)
    for match in filter(None, map(VERDICT.search, paths)):
        if (passed := read_verdict(git("show", f"{COMMIT}:{match.string}"))) is not None:
            verdicts[match[1]][match[2]] = passed or verdicts[match[1]].get(match[2], False)
    runs: dict[str, dict[str, list[int]]] = {agent: {} for agent in SERIES}
    for match in sorted(filter(None, map(LOG.search, paths)), key=lambda one: one[2]):
        log = git("show", f"{COMMIT}:{match.string}")
        path = match.string.rpartition("/")[0] + "/run_summary.json"
        about = json.loads(git("show", f"{COMMIT}:{path}")) if path in paths else {}
        task = about.get("commits", {}).get("human", "")[:8]
        if "OpenAI Codex v" in log[:3000] and about["agent"]["status"] == "success":
            if task in verdicts[match[1]]:  # of several runs, the newest was judged
                numbers = [int(verdicts[match[1]][task]), 1]
                runs[match[1]][task] = [*numbers, 0, 0] if LIST.search(log) else [0, 0, *numbers]
    return runs, verdicts


def compare(runs: list[tuple[str, list[int]]]) -> dict[str, Any]:
    """Return how many passed with a list and without one, and the difference in points."""
    tasks: dict[str, list[int]] = defaultdict(lambda: [0] * 4)
    for task, row in runs:
        tasks[task] = [one + other for one, other in zip(tasks[task], row, strict=True)]

    def subtract(rows: Rows) -> float:
        return share([row[:2] for row in rows]) - share([row[2:] for row in rows])

    rows = [*tasks.values()]
    totals = [sum(column) for column in zip(*rows, strict=True)]
    low, high = draw(rows, subtract)
    found: dict[str, Any] = {**dict(zip(NUMBERS, totals, strict=True)), "tasks": len(rows)}
    return found | {"difference": round(100 * subtract(rows), 1), "low": low, "high": high}


def main() -> None:
    runs, verdicts = read_runs(Path(sys.argv[1]))
    rows: dict[str, Any] = {SERIES[one]: compare([*own.items()]) for one, own in runs.items()}
    every = [run for own in runs.values() for run in own.items()]
    trae = {task for task, passed in verdicts["trae_sonnet45"].items() if passed}
    others = {
        task for one in verdicts.keys() - runs for task in verdicts[one] if verdicts[one][task]
    }
    rows["both series"] = compare(every)
    rows["tasks that Trae passed"] = compare([run for run in every if run[0] in trae])
    rows["tasks that another agent passed"] = compare([run for run in every if run[0] in others])
    judged = {task: row for task, row in runs["codex"].items() if task in verdicts["trae_sonnet45"]}
    same = sum((task in trae) == (row[0] + row[2] > 0) for task, row in judged.items())
    table = [{"runs": name} | row for name, row in rows.items()]
    table.append({"runs": "verdicts of November that are Trae's as well"})
    table[-1] |= {"passed with a list": same, "of": len(judged)}
    write({"verdicts": table}, DATA if "--save" in sys.argv else Path(sys.argv[1], "counted"))


if __name__ == "__main__":
    main()
