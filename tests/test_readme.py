"""The loop in README.md is that of whole_agent.py, and its minutes have the right sum."""

import re
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_loop_of_the_readme_is_that_of_whole_agent():
    [loop] = re.findall(r"```python\n(.*?)\n```", README, re.DOTALL)
    whole = (ROOT / "notebooks" / "whole_agent.py").read_text(encoding="utf-8")
    body = whole[whole.index("    for _ in range(MAX_REQUESTS):\n") :].split("\n\n\n")[0]
    assert dedent(body) == loop


def test_minutes_of_the_evening_are_the_sum_of_its_notebooks():
    rows = re.findall(
        r"^\| \[(\w+)\]\(notebooks/\w+\.ipynb\) .*\| ([\d +]+) \|$", README, re.MULTILINE
    )
    assert [name for name, _ in rows] == sorted(
        path.stem for path in ROOT.glob("notebooks/*.ipynb")
    )
    *evening, _optional = (minutes.split(" + ") for _, minutes in rows)
    without, stretch = (
        sum(int(first) for first, *_ in evening),
        sum(int(m[1]) for m in evening[-1:]),
    )
    assert f"The evening is {without} minutes, and {without + stretch} with the stretch." in README
