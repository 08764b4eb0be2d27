"""What docs/sources.md and the links to it promise: pinned files, whole tables, counted rows."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
NUMBERS = {"four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}


def read_notebook(name):
    """Return the Markdown of a notebook."""
    cells = json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "markdown")


def list_sections(text):
    """Return the text below each heading of the second level, by this heading."""
    parts = re.split(r"(?m)^## (.*)$", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


TEXTS = {path.name: read_notebook(path.name) for path in (ROOT / "notebooks").glob("*.ipynb")}
TEXTS |= {"sources.md": SOURCES, "README.md": (ROOT / "README.md").read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", TEXTS)
def test_file_on_github_is_linked_at_a_commit(name):
    """A branch moves, and then what was quoted may be gone."""
    links = re.findall(r"https://github\.com/[^/]+/[^/]+/(?:blob|tree)/[^)\s]+", TEXTS[name])
    assert [one for one in links if not re.search(r"/(?:blob|tree)/[0-9a-f]{40}(?:/|$)", one)] == []


def test_each_row_belongs_to_a_table():
    """A blank line ends a table: a row below it is shown as text."""
    lines = SOURCES.splitlines()
    for before, line, after in zip(lines, lines[1:], [*lines[2:], ""], strict=False):
        if line.startswith("|") and not before.startswith("|"):
            assert re.fullmatch(r"[|: -]+", after), f"no head of a table: {line[:60]}"


def test_products_that_took_the_list_out_are_the_first_eight_rows():
    rows = [
        line
        for line in list_sections(SOURCES)["Who took the list out, and who added it"].splitlines()
        if line.startswith("| ")
    ][1:]
    kinds = Counter((re.match(r"\| \*(.*?)\*,", row) or ["", "took it out"])[1] for row in rows)
    [took] = re.findall(r"The first (\w+) rows are the products that took a list out", SOURCES)
    assert NUMBERS[took] == kinds["took it out"]
    assert set(kinds) == {"took it out", "also gone", "given away", "added"}


def test_models_of_the_192_runs_are_named_with_their_numbers():
    runs = json.loads((ROOT / "tests/data/judged_runs.json").read_text(encoding="utf-8"))["runs"]
    models = Counter(run["model"] for run in runs)
    close = sum(n for one, n in models.items() if re.match(r"claude-(sonnet|opus)-4-5-", one))
    newer = [n for one, n in models.items() if "claude" in one and "-4-5-" not in one]
    others = sum(models.values()) - close - sum(newer)
    assert len(newer) == 4 and len(models) == 12
    row = f"{close} of Claude Sonnet 4.5 and Opus 4.5, {sum(newer)} of four newer Claude models"
    assert f"twelve models: {row}, and {others} of" in SOURCES


FINDINGS = sorted((ROOT / "findings").glob("*.sh"))


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_finding_can_be_started_has_its_row_and_hides_no_error(path):
    text = path.read_text(encoding="utf-8")
    rows = (ROOT / "findings" / "README.md").read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o111 and f"| [{path.stem}]({path.name}) |" in rows
    assert not re.search(r"python -? ?2> ?/dev/null|--silent", text)


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_finding_is_told_and_its_report_is_short_with_lines_at_a_commit(path):
    rows = (ROOT / "findings" / "README.md").read_text(encoding="utf-8").splitlines()
    (row,) = [one for one in rows if one.startswith(f"| [{path.stem}]")]
    told, report = row.split(" | ")[-1], path.with_suffix(".md")
    states = r"known as \[#\d+\]\(https://|\[ready\]\(\w+\.md\)|by design|not searched"
    assert len(row.split(" | ")) == 4 and re.search(states, told)
    assert (f"[ready]({report.name})" in told) == report.exists()
    if report.exists():
        text = report.read_text(encoding="utf-8")
        lines = re.findall(r"https://github\.com/[^)\s]+", text)
        assert text.startswith("# ") and len(text.split()) <= 150 and lines
        at_commit = r"https://github\.com/[\w.-]+/[\w.-]+/blob/[0-9a-f]{40}/\S+#L\d+(-L\d+)?"
        assert all(re.fullmatch(at_commit, one) for one in lines)
