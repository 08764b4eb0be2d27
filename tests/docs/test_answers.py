"""docs/answers.html, the teacher's sheet: what it says is what the lesson has and does."""

import html
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import play_page
import pytest

from exerciselib.page import PAGES
from lesson.common.guesses import GUESSES
from lesson.common.parts import PARTS
from lesson.exercises.rules import list_rules, try_part
from lesson.notebook.check_part import INSTEAD
from lesson.notebook.last_cell import STALE, UNCHANGED
from lesson.program.progress import FILE, FIRST
from lesson.runs.run import Run
from lesson.runs.window import WINDOW
from lesson.widgets import seat

ROOT = Path(__file__).parents[2]
SHEET = (ROOT / "docs" / "answers.html").read_text(encoding="utf-8")
TEACH = (ROOT / "docs" / "teach.md").read_text(encoding="utf-8")
PAGE = play_page.PAGE.read_text(encoding="utf-8")
WIDE = 20  # messages: another window for the slider


def read_table(name):
    """Return the rows of a table, without those of its headings."""
    table = ET.fromstring(re.search(rf'<table id="{name}">.*?</table>', SHEET, re.DOTALL)[0])
    return [row for row in table if row.find("td") is not None]


def read_texts(name):
    """Return the text of each cell of each row."""
    return [["".join(cell.itertext()) for cell in row] for row in read_table(name)]


HANDS = {ask: (where, right, then) for where, ask, right, then in read_texts("hands")}


@pytest.fixture(scope="module")
def states():
    """The runs of the slider, as the page has them."""
    return play_page.unpack(PAGE)


def find_done(states, key):
    """Return how many steps the files show in a run of the slider, and how many its list says."""
    return re.findall(r"\d+ of \d+", states[key][2])[:2]


def test_sheet_has_each_guess_of_the_lesson_with_what_is_right():
    for guess in GUESSES.values():
        where, right, _ = HANDS[guess.question]
        assert where.endswith(guess.notebook) and right == str(guess.right)
    assert len(HANDS) == len(GUESSES) + 3


def test_sheet_says_of_the_slider_what_its_runs_show(states):
    latest, latest_list = (play_page.find_latest(states, kind) for kind in ("plain", "list"))
    done, listed = find_done(states, f"plain,{WINDOW},{latest + 1}")
    last, last_listed = find_done(states, f"list,{WINDOW},{latest_list + 1}")
    _, right, said = HANDS[GUESSES["reminder"].question]
    assert (right, said) == (
        str(latest),
        f"With {latest + 1}, the files show {done}, and the list says {listed}. A late reminder "
        f"looks like success. If it shows the list, all ten get done up to {latest_list}, and "
        f"{last} with {latest_list + 1}, of which its list says {last_listed.split()[0]}.",
    )
    wide = play_page.find_latest(states, "plain", WIDE)
    [seen] = re.findall(r"up to round (\d+)", states[f"plain,{WIDE},{wide + 1}"][2])
    question = f"For who has seen the demo: and with a window of {WIDE} messages?"
    said = f"The plan is in the window up to round {seen}. A reminder after {wide} rounds is read"
    assert HANDS[question] == ("s03b", str(wide), f"{said} in that round.")


def test_sheet_says_what_was_only_in_the_lost_plan_and_what_a_run_without_a_list_does():
    lost = [line.text for line in seat.Seat().list_steps() if line.note == seat.LOST]
    assert [*HANDS.values()][0] == ("play.html", str(len(lost)), "; ".join(lost))
    done = HANDS["How many of ten steps get done without a list?"][1]
    assert done == str(Run(todo=None).play().steps_done)


def test_what_can_be_left_out_takes_as_long_as_the_schedule_says(states):
    found, schedule = {}, ""
    for line, after in pairwise(TEACH.splitlines()):
        if re.match(r"## |\*\*The \w+ hour", line):
            schedule = re.sub(r":.*|[#*]", "", line).strip()
        if re.match(r"\| \d+ \|", line) and re.match(r"\| \d+ \|", after):
            (begin, step), (end, _) = (one.split("|")[1:3] for one in (line, after))
            step = re.sub(r"\[(.*?)\]\(.*?\)|\*", r"\1", step).strip()
            found[schedule, step] = f"{int(end) - int(begin)} min"
    cuts = read_texts("cuts")
    assert {(place, step): minutes for place, step, minutes, _ in cuts}.items() <= found.items()
    without, with_rules = GUESSES["without_rules"].right, GUESSES["with_rules"].right
    instead = "\n".join(row[3] for row in cuts)
    assert f"up to {play_page.find_latest(states, 'list')} all ten" in instead
    assert f"{without} of 10 steps without rules, and {with_rules} with them." in instead


def test_screen_says_what_the_sheet_quotes():
    said = [row[0] for row in read_texts("screen")]
    assert said[1:] == [
        INSTEAD.format("agent_loop", "E1", "the cells below use", "ours"),
        UNCHANGED.format("agent_loop").partition(". ")[0] + ".",
        STALE.format("agent_loop", "Your last cell"),
        "NameError: name 'play' is not defined",
        FIRST.format(FILE, "").split(",")[1].strip() + " …",
    ]


def find_rule(part, level, words):
    """Return the place of the rule that a mistake breaks whose sentence has these words."""
    names = [one.name for one in list_rules(part, level) if one.level == level]
    made = PAGES[part].list_mistakes()
    return min(
        names.index(one.title) for one in made if words in one.sentence and one.title in names
    )


def test_each_exercise_has_two_mistakes_that_its_page_has_in_the_order_of_its_rules():
    levels = {
        level.exercise: (part.name, level.name) for part in PARTS.values() for level in part.levels
    }
    rows = [(row[0].text, row.get("data-says")) for row in read_table("mistakes")]
    numbers = [int(exercise[1:]) for exercise, _ in rows]
    assert numbers == sorted([*range(1, len(levels) + 1)] * 2)
    places = [find_rule(*levels[exercise], words) for exercise, words in rows]
    assert all(one <= other for one, other in zip(places[::2], places[1::2], strict=True))


def test_sheet_has_a_row_for_each_question_of_the_page():
    rows = SHEET.count("<tr><td>play.html")
    assert rows == PAGE.count('class="guess"') + PAGE.count('id="compare"') == 3


def test_first_lines_begin_a_loop_that_passes():
    lines = html.unescape(re.search(r"<pre>(.*?)</pre>", SHEET, re.DOTALL)[1]).splitlines()
    begin, rest = PAGES["agent_loop"].solution.split("    while True:\n")
    rest = rest[rest.index("        # Act") :]
    source = begin + "".join(f"    {line}\n" for line in lines) + rest
    names = {}
    exec(source, names)
    assert len(lines) == 3 and try_part("agent_loop", names["agent_loop"]).ok


def test_only_the_teacher_is_sent_to_the_sheet():
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.*"), *ROOT.glob("notebooks/*.*")]
    pages += ROOT.glob("lesson/**/*.py")
    naming = [path.name for path in pages if "answers.html" in path.read_text(encoding="utf-8")]
    assert naming == ["teach.md"]
