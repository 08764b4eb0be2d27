"""Each finding has a script that can be started, its row, and a short report if it is ready."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FINDINGS = ROOT / "evidence" / "findings"
ROWS = (FINDINGS / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", sorted(FINDINGS.glob("*.sh")), ids=lambda path: path.stem)
def test_finding_can_be_started_hides_no_error_and_is_told_with_lines_at_a_commit(path):
    text, report = path.read_text(encoding="utf-8"), path.with_suffix(".md")
    assert path.stat().st_mode & 0o111
    assert not re.search(r"python -? ?2> ?/dev/null|--silent", text)
    (row,) = [one for one in ROWS if one.startswith(f"| [{path.stem}]({path.name})")]
    told = row.split(" | ")[-1]
    states = r"known as \[#\d+\]\(https://|\[ready\]\(\w+\.md\)|by design|no thread found"
    assert len(row.split(" | ")) == 4 and re.search(states, told)
    assert (f"[ready]({report.name})" in told) == report.exists()
    if report.exists():
        text = report.read_text(encoding="utf-8")
        lines = re.findall(r"https://github\.com/[^)\s]+", text)
        assert len(text.split()) <= 150 and lines
        assert all(re.search(r"/blob/[0-9a-f]{40}/\S+#L\d+(-L\d+)?$", one) for one in lines)
