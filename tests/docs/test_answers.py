"""docs/answers.html, the teacher's sheet: what it says is what the lesson has and does."""

import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from textwrap import indent

import play_page
from support.guesses import GUESSES

from exerciselib.page import PAGES
from lesson.common.message_blocks import WINDOW
from lesson.common.parts import PARTS
from lesson.common.solutions import read_solutions
from lesson.exercises.rules import load_levels, try_part
from lesson.runs.run import Run
from lesson.widgets import seat

SHEET = (Path(__file__).parents[2] / "docs" / "answers.html").read_text(encoding="utf-8")
WIDE = 20  # messages: another window for the slider


def read_table(name):
    """Return the rows of a table, without those of its headings."""
    table = ET.fromstring(re.search(rf'<table id="{name}">.*?</table>', SHEET, re.DOTALL)[0])
    return [row for row in table if row.find("td") is not None]


def test_hands_have_what_is_right_and_the_numbers_of_the_runs():
    rows = [["".join(cell.itertext()) for cell in row] for row in read_table("hands")]
    hands = {ask: (where, right, then) for where, ask, right, then in rows}
    assert len(hands) == len(GUESSES) + 3
    for guess in GUESSES.values():
        where, right, _ = hands[guess.question]
        assert where.endswith(guess.notebook) and right == str(guess.right)
    lost = [step.text for step in seat.Seat().list_left() if step.seen == seat.LOST]
    assert rows[0][2:] == [str(len(lost)), "; ".join(lost)]
    done = hands["How many of ten steps get done without a list?"][1]
    assert done == str(Run(todo=None).play().steps_done)

    states = play_page.unpack(play_page.PAGE.read_text(encoding="utf-8"))
    latest, latest_list = (play_page.find_latest(states, kind) for kind in ("plain", "list"))
    words = hands[GUESSES["reminder"].question][2]
    for key in (f"plain,{WINDOW},{latest + 1}", f"list,{WINDOW},{latest_list + 1}"):
        done, listed = re.findall(r"\d+ of \d+", states[key][2])[:2]
        assert done in words and listed.split()[0] in words
    assert f"With {latest + 1}, the files" in words and f"up to {latest_list}, and" in words
    wide = play_page.find_latest(states, "plain", WIDE)
    question = f"For who has seen the demo: and with a window of {WIDE} messages?"
    assert hands[question][:2] == ("s03b", str(wide))


def test_each_exercise_has_two_mistakes_that_its_page_has():
    levels = {level.exercise: part.name for part in PARTS.values() for level in part.levels}
    rows = [(row[0].text, row.get("data-says")) for row in read_table("mistakes")]
    assert sorted(exercise for exercise, _ in rows) == sorted([*levels] * 2)
    for exercise, words in rows:
        load_levels(levels[exercise])
        sentences = [mistake.sentence for mistake in PAGES[levels[exercise]].list_mistakes()]
        assert any(words in sentence for sentence in sentences), (exercise, words)


def test_first_lines_begin_a_loop_and_a_nag_that_pass():
    loop, nag = map(html.unescape, re.findall(r"(?s)<pre>(.*?)</pre>", SHEET))
    lines = loop.splitlines()
    assert indent(nag, " " * 8) in read_solutions()["MyNag"]
    load_levels("agent_loop")
    begin, rest = PAGES["agent_loop"].solution.split("    while True:\n")
    rest = rest[rest.index("        # Act") :]
    source = begin + "".join(f"    {line}\n" for line in lines) + rest
    names = {}
    exec(source, names)
    assert len(lines) == 3 and try_part("agent_loop", names["agent_loop"]).ok
