"""docs/answers.html, the teacher's sheet: it is as its data say, and learners do not meet it."""

import answers
import pytest

from exerciselib.page import PAGES
from lesson.common.parts import PARTS
from lesson.exercises.rules import try_part

ROOT = answers.DOCS.parent


def test_sheet_is_written_again_as_it_is():
    again = answers.write_sheet()
    assert again == answers.SHEET.read_text(encoding="utf-8"), "run `python tools/answers.py`"


def test_each_exercise_has_two_mistakes_that_its_page_has():
    exercises = [level.exercise for part in PARTS.values() for level in part.levels]
    assert sorted(answers.MISTAKES) == sorted(exercises)
    assert {len(mistakes) for mistakes in answers.MISTAKES.values()} == {2}
    with pytest.raises(LookupError, match="MyNag: no mistake"):
        answers.find_rule("MyNag", "", "is rendered once")


def test_each_guess_of_the_lesson_is_on_the_sheet():
    said = [name for guesses in answers.HANDS.values() for name in guesses]
    assert sorted(said) == sorted(answers.GUESSES)


def test_sheet_has_a_row_for_each_question_of_the_page():
    page = answers.play_page.PAGE.read_text(encoding="utf-8")
    rows = answers.SHEET.read_text(encoding="utf-8").count("<tr><td>play.html")
    assert rows == page.count('class="guess"') + page.count('id="compare"') == 3


def test_first_lines_begin_a_loop_that_passes():
    lines = answers.read_first_lines().splitlines()
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
    assert sorted(naming) == ["design.md", "teach.md"]
