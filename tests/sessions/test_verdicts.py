"""What sources.md says of ISO-Bench is what `research/sessions/verdicts.py` has counted."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "research" / "sessions"
COUNTED = json.loads((TOOLS / "verdicts.json").read_text(encoding="utf-8"))
SOURCES = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
NUMBERS = "passed with a list, of, passed without, of"
SERIES = {"both series": "both series", "November": "November 2025", "January": "January 2026"}


def percents(row):
    listed, with_list, alone, without = row[NUMBERS]
    return round(100 * listed / with_list), round(100 * alone / without)


def test_mixture_alone_makes_16_of_the_20_points():
    """If within each series a list made no difference, the two together would still differ."""
    rows = [COUNTED[SERIES[name]][NUMBERS] for name in ("November", "January")]
    rates = [(row[0] + row[2]) / (row[1] + row[3]) for row in rows]
    with_list, without = (
        sum(rate * row[at] for rate, row in zip(rates, rows, strict=True))
        / sum(row[at] for row in rows)
        for at in (1, 3)
    )
    assert round(100 * (with_list - without)) == 16
    assert "16 of the 20 points" in SOURCES


@pytest.mark.parametrize("name", [*SERIES.values(), "Trae passed", "another agent passed"])
def test_table_of_sources_is_what_was_counted(name):
    [row] = [row for key, row in COUNTED.items() if key.endswith(name)]
    listed, with_list, alone, without = row[NUMBERS]
    first, second = percents(row)
    low, high = row["interval"]
    cells = f"| {listed} of {with_list} ({first}%) | {alone} of {without} ({second}%) | "
    assert f"{cells}{row['difference']:g} ({low:g} to {high:g}) |" in SOURCES
    assert f"{row['tasks']} tasks" in SOURCES and COUNTED["commit"] in SOURCES


def test_script_counts_lists_and_verdicts_of_a_repository(tmp_path):
    """Two tasks in a small one: a run with a list that passed, and one without that failed."""
    files = {}
    for number, (log, verdict) in enumerate(
        [
            ("Plan update\n  Why.\n  → Read\n", {"status": "success", "metrics": {"a": 1}}),
            ("I plan an update\n", {"status": "error", "error": "Server crashed"}),
            ("Plan update\n  • Read\n", {"status": "error", "error": "Missing parent_commit"}),
        ]
    ):
        task = f"{number:08x}"
        about = {"commits": {"human": f"{task}ff"}, "agent": {"status": "success"}}
        for agent in ("codex", "codex_cli"):
            place = f"state/runs/vllm/{agent}/gpt-5/2025-11-20/{number}"
            files[f"{place}/codex_stderr.txt"] = f"OpenAI Codex v0\n{log}"
            files[f"{place}/run_summary.json"] = json.dumps(about)
            files[f"3way_{agent}/results/{task}_agent_result.json"] = json.dumps(verdict)
        files[f"3way_trae_sonnet45/results/{task}_agent_result.json"] = json.dumps(
            {"status": "success", "metrics": {"a": 1}}
        )
    folder = tmp_path / "ISO-Bench+ISO-Bench"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-C", str(folder)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "All"]):
        subprocess.run([*git, *command], check=True)
    (folder / ".git").rename(tmp_path / "git")
    shutil.rmtree(folder)
    (tmp_path / "git").rename(folder)
    copied = shutil.copytree(TOOLS, tmp_path / "tools")
    code = (
        "import verdicts; verdicts.COMMIT = 'HEAD'; verdicts.draw = lambda *_: []; verdicts.main()"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], cwd=copied, check=True, text=True)
    found = json.loads((copied / "verdicts.json").read_text(encoding="utf-8"))
    assert found["November 2025"][NUMBERS] == found["January 2026"][NUMBERS] == [1, 1, 0, 1]
    assert found["both series"][NUMBERS] == [2, 2, 0, 2]
    assert (found["verdicts of November"], found["which are Trae's as well"]) == (2, 1)
