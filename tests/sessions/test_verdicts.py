"""What s05 and sources.md say of ISO-Bench is what `research/sessions/verdicts.py` has counted."""

import contextlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "research" / "sessions"
COUNTED = json.loads((TOOLS / "verdicts.json").read_text(encoding="utf-8"))
NOTEBOOK = json.loads((ROOT / "notebooks/s05_is_it_true.ipynb").read_text(encoding="utf-8"))
CELLS = {cell["id"]: "".join(cell["source"]) for cell in NOTEBOOK["cells"]}
SOURCES = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
NUMBERS = "passed with a list, of, passed without, of"
SERIES = {"both series": "both series", "November": "November 2025", "January": "January 2026"}


def percents(row):
    listed, with_list, alone, without = row[NUMBERS]
    return round(100 * listed / with_list), round(100 * alone / without)


def test_six_bars_of_s05_are_what_was_counted():
    made = {"in_november": None, "in_january": None}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(CELLS["points-03"], made)
    rows = {name: COUNTED[key] for name, key in SERIES.items()}
    assert made["series"] == {name: tuple(row[NUMBERS]) for name, row in rows.items()}
    expected = [percent for row in rows.values() for percent in percents(row)]
    bars = printed.getvalue().splitlines()
    assert [int(line.split()[-1][:-1]) for line in bars] == expected == [61, 41, 36, 35, 86, 73]
    assert [line.count("█") for line in bars] == [percent // 4 for percent in expected]
    assert made["right"] == [35, 73]


def test_question_and_answer_of_s05_have_the_numbers_that_were_counted():
    both, november, january = (COUNTED[key] for key in SERIES.values())
    (with_list, alone), numbers = percents(both), both[NUMBERS]
    asked = CELLS["points-01"]
    assert f"{with_list}% of {numbers[1]} passed" in asked
    assert f"{alone}% of {numbers[3]}" in asked and round(both["difference"]) == 20
    assert f"2025, {percents(november)[0]}% of those with a list" in asked
    assert f"2026, {percents(january)[0]}%" in asked
    low, high = (round(edge) for edge in january["interval"])
    answer = CELLS["points-04"]
    assert f"{january['difference']:.0f} points of January may be luck ({low} to {high})" in answer
    low, high = (round(edge) for edge in november["interval"])
    assert round(november["difference"]) == 0
    assert f"In November no difference is seen ({low} to {high} points)" in answer
    controls = [
        f"{row['difference']:g} points ({row['interval'][0]:g} to {row['interval'][1]:g})"
        for key, row in COUNTED.items()
        if key.endswith("passed") and isinstance(row, dict)
    ]
    assert len(controls) == 2 and "chosen afterwards" in answer
    assert all(one in answer or one.replace(" points", "") in answer for one in controls)
    # Both are greater in January: the share of runs with a list, and that of runs that passed.
    for part, whole in ((1, (1, 3)), (0, (1, 3))):
        first, second = (
            (row[NUMBERS][part] + (0 if part else row[NUMBERS][2]))
            / sum(row[NUMBERS][at] for at in whole)
            for row in (november, january)
        )
        assert first < second
    same, judged = COUNTED["which are Trae's as well"], COUNTED["verdicts of November"]
    assert f"on {same} of {judged}." in answer


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
    assert "alone makes 16 of the 20 points" in CELLS["points-04"]
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
