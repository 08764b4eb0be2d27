"""What README.md shows: its first picture, and the sum of minutes."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pictures

from lesson.runs.window import WINDOW

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


AGENT = ["00", "s02", "s03a", "s03b"]  # the notebooks after which the learner's agent is complete
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


def test_minutes_of_an_evening_are_the_sum_of_its_notebooks():
    rows = re.findall(r"^\| \[(\w+)\]\(notebooks/\w+\.ipynb\) .*\| (\d+) \|$", README, re.MULTILINE)
    names = [path.stem for path in ROOT.glob("notebooks/*.ipynb")]
    assert [name for name, _ in rows] == sorted(names, key=lambda name: (name == "again", name))
    minutes = {name.partition("_")[0]: int(said) for name, said in rows}
    for path in ROOT.glob("notebooks/s*.ipynb"):
        cell = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
        (said,) = re.findall(r"(\w+) minutes", cell)
        number = {"ten": "10"}.get(said, said)
        assert int(number) == minutes[path.stem.partition("_")[0]], path.stem
    first, second = (
        sum(minutes[name] for name in names)
        for names in (AGENT, ["s03c", "s03d", "s04a", "s04b", "s04c"])
    )
    assert f"The first evening, up to s03b, is {first} minutes" in README
    assert f"from the walkthrough to s04c, is {second}." in README
