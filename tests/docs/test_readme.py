"""What README.md shows: a session in a terminal, and the sum of minutes."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.count_words import count_words

from lesson.common.solutions import SOLUTIONS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Minutes in which one writes, plays and guesses: an exercise by hand, for the first time. What one
# reads comes from the counts of words. After the first evening the learner's agent is complete.
FIRST = {
    "00": {"the seat": 5, "the first line": 3},
    "s02": {"a changed model": 4, "E1": 20},
    "s03a": {"E2": 20, "E3": 13},
    "s03b": {"the slider": 8, "E4": 15, "E5": 6, "E6": 6},
}
SECOND = {
    "s03c": {"the walk": 8},
    "s03d": {"E7": 8},
    "s04a": {"E8": 8, "E9": 6, "an own job": 5},
    "s04b": {"E10": 12, "E11": 12},
    "s04c": {"E12": 12},
}
OPTIONAL = {
    "s05": {"a line that can say no": 10},
    "s06": {"six lines": 12, "two questions": 8},
    "s07": {"a guess": 1, "a better reminder": 8},
    "again": {"the agent": 45},
}
NEAR = 2  # minutes by which a notebook's words may grow before README is counted again


def test_minutes_are_those_of_the_words_and_the_exercises():
    rows = re.findall(r"^\| \[(\w+)\]\(notebooks/\w+\.ipynb\) .*\| (\d+) \|$", README, re.MULTILINE)
    said = {name.partition("_")[0]: int(minutes) for name, minutes in rows}
    counted = {}
    for path in ROOT.glob("notebooks/*.ipynb"):
        name = path.stem.partition("_")[0]
        does = {**FIRST, **SECOND, **OPTIONAL}[name]
        counted[name] = count_words(path).minutes + sum(does.values())
        text = path.read_text(encoding="utf-8")
        exercises = re.findall(r"## Exercise (E\d+)", text)
        assert exercises == [one for one in does if one.startswith("E")], name
        for number in re.findall(r"(\w+) minutes", text.partition('"cell_type": "code"')[0]):
            assert int({"ten": "10"}.get(number, number)) == said[name], name
    far = {name: (said[name], n) for name, n in counted.items() if abs(said[name] - n) > NEAR}
    assert far == {}, "what README says, and what is counted"
    first, second = (sum(said[name] for name in names) for names in (FIRST, SECOND))
    assert f"The first evening, up to s03b, has {first}, and the second one" in README
    assert f"up to s04c, {second}." in README
    three = re.search(r"Or take three: .*about (\d+), (\d+) and (\d+)\)", README)
    evenings = ["00 s02 s03a", "s03b s03c s03d s04a", "s04b s04c s05 s06"]
    for number, names in zip(three.groups(), evenings, strict=True):
        assert abs(int(number) - sum(counted[name] for name in names.split())) <= NEAR


@pytest.mark.slow
def test_the_whole_agent_runs_as_its_section_says_and_as_the_first_screen_shows(tmp_path):
    [(prompt, shown)] = re.findall(r'(?s)practice my_agent "(.*?)"\n(.*?)```', README)
    [line] = re.findall(r"(?m)^\.venv/bin/planning-agent (practice .*)$", README)
    command, folder, asked = shlex.split(line)
    assert (command, ROOT / folder, asked) == ("practice", SOLUTIONS, prompt)
    done = subprocess.run(
        [sys.executable, "-m", "lesson", command, ROOT / folder, asked],
        cwd=tmp_path,
        input="y\n" * 50,  # to each question whether it may
        capture_output=True,
        text=True,
        timeout=120,
    )
    at = -1
    for part in shown.split("...\n"):
        assert (found := done.stdout.find(part, at + 1)) > at, (part, done.stdout, done.stderr)
        at = found
    assert f"They stay in {tmp_path / 'made' / 'hello'}." in done.stdout
    assert (tmp_path / "made" / "hello" / "hello.py").is_file()
