"""A picture: its marks, lines and counts as HTML and as text, which say the same."""

import re
import xml.etree.ElementTree as ET

import pytest
from support.rounds import list_lines

from lesson.drawing import picture
from lesson.drawing.legend import list_legend
from lesson.drawing.marks import KINDS, STATES, Count, list_counts, list_marks
from lesson.drawing.request_view import draw_request
from lesson.runs.request_parts import Request, RequestPart
from lesson.widgets.drawn import SHEETS

CELLS, STEPS = "pwdwdwDsse", "0010101000"
UNDONE = [False] * len(CELLS)  # the files never show all steps
TODO = [{"text": "Write it", "status": "completed"}, {"text": "Made up", "status": "pending"}]


def parse(html: str) -> ET.Element:
    """Return HTML that a picture consists of as a tree; it must be well-formed."""
    return ET.fromstring(f"<div>{html.replace('&nbsp;', ' ')}</div>")


def test_round_that_finishes_several_steps_has_their_number_and_a_list_with_a_step_both_marks():
    marks = list_marks("ped", "103", done=[False, True, True])
    assert [mark.sign for mark in marks] == ["≣", "☑", "3"]
    assert "finishes 3 steps" in marks[2].words
    html = picture.draw_tape(marks, words="")
    assert "lp-half" in html and ">3</text>" in html


def test_stop_has_the_mark_of_what_the_files_showed_at_that_stop():
    marks = list_marks("dede", "1010", done=[False, False, True, True])
    assert [mark.sign for mark in marks] == list("✓☒✓☑")
    assert picture.format_legend(marks) == (
        "✓ finishes a step; ☒ stops: steps missing; ☑ stops: all steps done"
    )


def test_rounds_without_the_plan_have_one_ground_and_the_signs_of_others():
    marks = list_marks("pwlfFd", "000210", done=UNDONE)
    assert [mark.sign for mark in marks] == list("≡··2✓✓")
    assert picture.format_tape(marks).splitlines()[1:] == ["rounds    ≡··2✓✓", "no plan     ///"]
    html = picture.draw_tape(marks, words="")
    assert html.count("lp-blind'") == 1 and "x='2' y='-.12' width='3'" in html
    assert marks[3].words == "Round 4: finishes 2 steps without its plan"
    assert [sample.sign for sample in list_legend(marks)] == list("≡·2✓/▼")
    assert not any(mark.is_blind for mark in list_marks("pl", "00", done=UNDONE, at=1))


def test_rounds_out_of_the_window_are_pale_and_those_not_reached_are_dotted():
    states = [mark.state for mark in list_marks(CELLS, STEPS, done=UNDONE, at=6, frame=(2, 5))]
    assert states == ["left"] * 2 + [""] * 4 + ["later"] * 4
    marks = list_marks(CELLS, STEPS, done=UNDONE, at=7)
    assert not any(mark.read for mark in marks)  # it is read in round 8


def test_html_and_text_of_a_tape_have_one_mark_for_each_round():
    marks = list_marks(CELLS, STEPS, done=UNDONE)
    html = picture.draw_tape(marks, frame=(1, 7), edge=7, words="three steps")
    groups = parse(html).findall(".//g")
    assert len(groups) == len(CELLS)
    assert [group.find("title").text for group in groups] == [mark.words for mark in marks]
    assert marks[2].words == "Round 3: finishes a step"
    assert marks[7].words.endswith(", reads a reminder")
    assert html.count("lp-read") == 1 and html.count("lp-frame") == html.count("lp-edge") == 1
    assert picture.format_tape(marks, frame=(1, 7), edge=7).splitlines() == [
        "reminder         ▼",
        "rounds    ≡·✓·✓·✓==☒",
        "sees       └────┘",
        "                 | first plan out of the window",
    ]


@pytest.mark.parametrize(
    "letters, steps, at, signs",
    [
        (CELLS, STEPS, None, "≡·✓=☒▼"),
        (CELLS, STEPS, 3, "≡·✓."),  # the reminder, = and ☒ are not reached yet
        ("pddD", "0121", None, "≡✓2"),  # nobody reads the last reminder
    ],
)
def test_legend_lists_exactly_the_marks_that_occur(letters, steps, at, signs):
    marks = list_marks(letters, steps, done=UNDONE, at=at)
    assert [sample.sign for sample in list_legend(marks)] == list(signs)
    assert {mark.sign for mark in marks} == set(signs) - {"▼"}
    text, drawn = picture.format_legend(marks), parse(picture.draw_legend(marks))
    assert [f"{sample.sign} {sample.words}" for sample in list_legend(marks)] == text.split("; ")
    assert [span.find("svg").tail for span in drawn.iter("span")] == [
        sample.words for sample in list_legend(marks)
    ]


def test_every_kind_has_a_rule_in_the_style_sheet_and_a_second_channel_besides_colour():
    sheet = picture.read_style(*SHEETS)
    for kind, (sign, strokes, meaning, _) in KINDS.items():
        assert re.search(rf"\.lp-{kind}\b", sheet), kind
        assert sign and meaning
        plain = kind in ("w", "u", "e", "line")  # no other mark is a square without strokes
        assert bool(strokes) != plain, kind
    assert len({kind.strokes for kind in KINDS.values()} - {""}) >= 8


def test_steps_keep_their_place_and_what_vanished_or_was_made_up_is_marked():
    lines = list_lines(["Write it", "Test it"], TODO, [True, False])
    assert [(line.text, line.state, line.place) for line in lines] == [
        ("Write it", "shown", ""),
        ("Test it", "open", "gone"),
        ("Made up", "open", "new"),
    ]
    html = picture.draw_plan(lines)
    assert "lp-gone" in html and html.index("lp-added") < html.index("Made up")
    assert picture.format_plan(lines).splitlines() == [
        " ✓  Write it",
        " ○  Test it  (not on its list)",
        " ○  Made up  (not a step of the job)",
    ]


def test_completed_item_is_only_claimed_until_the_files_show_it():
    claimed = list_lines(["Write it"], TODO[:1], [False])
    assert claimed[0].state == "claimed"
    assert picture.format_plan(claimed) == "(✓) Write it  (only its list says so)"
    assert list_lines(["write  IT"], TODO[:1], [False])[0].place == ""  # the same text


def test_further_fields_are_shown():
    item = {"id": "1", "text": "Write it", "status": "in_progress", "priority": "high"}
    (line,) = list_lines(["Write it"], [item], [False])
    assert (line.state, line.more) == ("now", "priority: high")
    assert ">high</i>" in picture.draw_plan([line])
    assert "priority: high" in picture.format_plan([line])
    assert "<small>" not in picture.draw_plan([line])  # it is written once
    (odd,) = list_lines(["Write it"], [item | {"priority": "urgent"}], [False])
    assert odd.priority == "" and "<small>priority: urgent" in picture.draw_plan([odd])


def test_counts_say_what_the_files_show_and_the_list_says():
    counts = list_counts([True, False], TODO)
    assert counts == [
        Count("the files show", "1 of 2", "bad"),
        Count("its list says", "1 of 2"),
    ]
    assert picture.format_counts(counts, "9 rounds") == (
        "the files show 1 of 2, its list says 1 of 2, 9 rounds"
    )
    assert "lp-bad" in picture.draw_counts(counts) and list_counts([], []) == []


def test_one_part_of_a_request_is_shown_the_chosen_one_or_else_the_newest():
    parts = [RequestPart(f"user {number}", "text", "", "", "") for number in range(3)]
    for chosen, shown in ((0, 0), (None, 2)):
        html = draw_request(Request(1, {}, tuple(parts)), "group", chosen)
        buttons = re.findall("<input[^>]*>", html)
        assert [" checked " in button for button in buttons] == [n == shown for n in range(3)]


def test_every_look_has_a_rule_in_the_style_sheet():
    sheet = picture.read_style(*SHEETS)
    for state in [*STATES, "new", "left", "later"]:
        assert state in ("open", "claimed") or f".lp-{state}" in sheet, state
    for state in STATES:
        assert f".lp-tape .lp-is-{state}" in sheet, state


def test_every_fifth_round_has_its_number_below_the_tape():
    marks = list_marks("p" + "w" * 11, "0" * 12, done=[False] * 12)
    rounds, numbers = picture.format_tape(marks), picture.format_numbers(12)
    ends = [match.end() for match in re.finditer(r"\d+", numbers)]
    assert [end - picture.GUTTER for end in ends] == [5, 10] and len(rounds) == picture.GUTTER + 12
    assert re.findall(r"--at:(\d+)", picture.draw_numbers(12)) == ["5", "10"]
    assert picture.format_numbers(4) == ""
