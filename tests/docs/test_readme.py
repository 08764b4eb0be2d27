"""What README.md shows: a session in a terminal, its first picture, and the sum of minutes."""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pictures
import pytest
from support.count_words import count_words

from lesson.program.copy_lesson import copy_lesson
from lesson.runs.window import WINDOW

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
OPTIONAL = {"s05": {"a line that can say no": 10}, "again": {"the agent": 45}}
NEAR = 2  # minutes by which a notebook's words may grow before README is counted again
PHONE_PIXELS = 358  # a page of 390 pixels has this much room for a picture


def read_picture():
    """Return README's first picture: its alternative text, and the tree of the light one."""
    name, alt = re.search(
        r'<img src="(docs/too-late-light\.svg)" width="720" alt="(.*?)">', README
    ).groups()
    return alt, ET.fromstring((ROOT / name).read_text(encoding="utf-8"))


def test_first_picture_has_its_headline_and_can_be_read_on_a_phone():
    _, picture = read_picture()
    width = float(picture.get("viewBox").split()[2])
    texts = picture.findall(".//{*}text")
    sizes = [float(text.get("font-size")) for text in texts]
    assert "One round too late." in [text.text for text in texts]
    assert min(sizes) * PHONE_PIXELS / width >= 11
    assert max(sizes) == sizes[0] > 40


def test_first_picture_answers_no_question_of_the_lesson():
    # s03b asks for the threshold, 00 for the steps of the plan, s03a for how many get done.
    alt, picture = read_picture()
    shown = " ".join([alt, *(text.text for text in picture.findall(".//{*}text"))])
    assert not re.search(r"\d|\.py", shown)
    for run in pictures.play_too_late():
        assert run.window != WINDOW and run.after not in (5, 6)


def test_first_picture_is_of_two_runs_which_differ_by_one_round():
    early, late = pictures.play_too_late()
    assert late.after == early.after + 1 and all(early.done) and not all(late.done)
    assert late.rounds[-1].text in read_picture()[0]


def test_first_screen_says_what_one_gets_and_the_end_what_does_not_exist():
    first, last = README[: README.index("| notebook |")], README[README.index("## What does not") :]
    for words in (
        "click and try",
        "TodoWrite",
        "costs nothing",
        "one evening",
        "make lab",
        "run away",
        "docs/play.html",
        "docs/teach.md",
        "#in-the-browser-without-an-installation",
    ):
        assert words in first, words
    for words in ("VS Code", "Colab"):
        assert words in last and words not in first, words


def test_minutes_are_those_of_the_words_and_the_exercises():
    rows = re.findall(r"^\| \[(\w+)\]\(notebooks/\w+\.ipynb\) .*\| (\d+) \|$", README, re.MULTILINE)
    paths = sorted(ROOT.glob("notebooks/*.ipynb"))
    assert sorted(name for name, _ in rows) == [path.stem for path in paths]
    said = {name.partition("_")[0]: int(minutes) for name, minutes in rows}
    counted = {}
    for path in paths:
        name = path.stem.partition("_")[0]
        does = {**FIRST, **SECOND, **OPTIONAL}[name]
        counted[name] = round(count_words(path).minutes + sum(does.values()))
        cell = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
        for number in re.findall(r"(\w+) minutes", cell):
            assert int({"ten": "10"}.get(number, number)) == said[name], path.stem
    far = {name: (said[name], n) for name, n in counted.items() if abs(said[name] - n) > NEAR}
    assert far == {}, "what README says, and what is counted"
    for evening in (FIRST, SECOND):
        assert abs(sum(said[name] - counted[name] for name in evening)) <= NEAR, "the whole evening"
    first, second = (sum(said[name] for name in names) for names in (FIRST, SECOND))
    assert f"The first evening, up to s03b, is {first} minutes" in README
    assert f"from the walkthrough to s04c, is {second}." in README


def test_readme_is_short_and_names_what_was_counted_in_its_third_paragraph():
    paragraphs = re.sub(r"(?s)```.*?```\n\n", "", README).split("\n\n")[1:]  # below the title
    assert "docs/what-agents-do.md" in paragraphs[2] and README.count("TodoWrite") == 1
    assert len(README.split()) <= 1000


def test_each_exercise_has_its_minutes_in_the_notebook_that_has_it():
    for name, does in {**FIRST, **SECOND}.items():
        [path] = ROOT.glob(f"notebooks/{name}_*.ipynb")
        headings = re.findall(r"## Exercise (E\d+)", path.read_text(encoding="utf-8"))
        assert headings == [one for one in does if one.startswith("E")], name


@pytest.mark.slow
def test_session_of_the_first_screen_is_that_of_the_solved_program(tmp_path):
    [prompt, shown] = re.findall(r'(?s)practice my_agent "(.*?)"\n(.*?)```', README)[0]
    copy_lesson(tmp_path)
    for path in (tmp_path / "solutions").glob("*.py"):
        shutil.copy(path, tmp_path / "my_agent")
    done = subprocess.run(
        [sys.executable, "-m", "lesson", "practice", "my_agent", prompt],
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
