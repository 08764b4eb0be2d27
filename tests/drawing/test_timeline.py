"""The timeline: when each line of a list was open, in progress, done, and no longer seen."""

import re
import xml.etree.ElementTree as ET

import pytest
from support.nags import PlainNag
from support.rounds import after_round

from agentlib.rendered_list import MARKS
from lesson.drawing import picture
from lesson.drawing.legend import list_legend
from lesson.drawing.marks import STATES
from lesson.drawing.run_picture import draw_run_legend, draw_run_timeline, format_run, list_run_rows
from lesson.drawing.timeline import FINISHED, list_segments, list_timeline
from lesson.runs.run import Run
from lesson.widgets.run_view import RunView

STEPS = ["Write it", "Test it"]


def states_of(rows):
    """Return the states of each row as one string."""
    return ["".join(picture.STATE_SIGNS[state] for state in row.states) for row in rows]


def item(text, status="pending"):
    return {"text": text, "status": status}


@pytest.fixture(scope="module")
def late():
    """Return the run whose reminder comes one round too late: it drifts."""
    return Run(after=6, nag=PlainNag).play()


def test_list_that_the_model_no_longer_sees_is_out_of_the_window():
    rows = list_run_rows(Run(after=None).play())
    assert states_of(rows)[3:] == ["───────╌╌╌╌"] * 7
    assert {row.line.place for row in rows[3:]} == {"lost"}
    assert states_of(list_run_rows(Run(todo=None).play()))[2:4] == ["─────✓▒▒▒▒▒", "───────╌╌╌╌"]


def test_rows_keep_their_places_and_the_list_is_that_of_the_round(late):
    for at in range(1, 11):
        rows = list_run_rows(late, at)
        assert [row.line.text for row in rows] == [row.line.text for row in list_run_rows(late)]
        assert {len(row.states) for row in rows} == {at}
        assert states_of(rows) == [states[:at] for states in states_of(list_run_rows(late))]
        assert rows[-1].is_known is (at >= 8)
        assert ("Finish the rest" in picture.format_timeline(rows)) is (at >= 8)
        assert ("lp-unknown" in draw_run_timeline(late, at)) is (at < 8)
    assert [row.line.place for row in list_run_rows(late, 7)] == [""] * 11
    assert list_run_rows(late, 8)[3].line.place == "gone"


def test_texts_are_compared_without_case_and_space_and_new_ones_come_last():
    lists = [[], [item("Made up")], [item("write  IT", "in_progress"), item("Then this")]]
    rows = list_timeline(STEPS, [after_round(items, (False, False)) for items in lists], 3)
    assert [row.line.text for row in rows] == [*STEPS, "Made up", "Then this"]
    assert states_of(rows) == ["─×▸", "─××", " ─×", "  ─"]
    assert [row.line.place for row in rows] == ["", "gone", "gone", "new"]


def test_ticked_task_that_is_dropped_from_the_list_stays_ticked():
    """Models drop what they have ticked when they write a new list. What was open is lost."""
    lists = [
        [item("Buy paint", "completed"), item("Paint", "in_progress"), item("Dry")],
        [item("Clean", "in_progress")],
        [item("Clean", "completed"), item("Buy paint")],
    ]
    seen = [after_round(items, ()) for items in lists]
    rows = list_timeline([], seen, 2)
    assert states_of(rows) == ["??", "▸×", "─×", " ▸"]
    assert [(row.line.state, row.line.place) for row in rows[:3]] == [
        ("claimed", ""),
        ("open", "gone"),
        ("open", "gone"),
    ]
    assert states_of(list_timeline([], seen, 3)) == ["??─", "▸××", "─××", " ▸?"]


def test_words_of_a_row_name_its_rounds(late):
    rows = list_run_rows(late)
    assert rows[0].words == (
        "in progress in rounds 1 to 2, finished in round 3, the files show it in rounds 4 to 10"
    )
    assert list(list_segments(["", "open", "open"])) == [("open", 1, 3)]


def test_picture_and_text_have_the_same_looks(late):
    rows = list_run_rows(late)
    drawn = ET.fromstring(f"<div>{draw_run_timeline(late, 10)}</div>").findall(".//li")
    lines = [line for line in format_run(late).splitlines() if line.startswith(" " * 10)]
    assert len(drawn) == len(rows) == len(lines)
    for row, element, line, signs in zip(rows, drawn, lines, states_of(rows), strict=True):
        svg = element.find("svg")
        assert svg.get("viewBox") == "0 0 10 1" and svg.get("aria-label") == row.words
        assert element.find("div/span").text == row.line.text and row.line.text in line
        segments = list(list_segments(row.states))
        names = {part.get("class") for part in svg}
        assert names == {
            "lp-d" if state == FINISHED else f"lp-is-{state}" for state, *_ in segments
        }
        squares = [float(part.get("transform")[10:-1]) for part in svg.findall("g")]
        assert squares == [start for state, start, _ in segments if state == FINISHED]
        assert line[10 : 10 + len(late.letters)] == signs


def test_legend_of_a_run_lists_exactly_the_looks_that_occur(late):
    drawn = set(re.findall(r"lp-is-(\w+)", draw_run_legend(late)))
    assert drawn == set(re.findall(r"lp-is-(\w+)", draw_run_timeline(late, len(late.records))))
    samples = {sample.mark for sample in list_legend([], rows=list_run_rows(late))}
    assert samples & set(STATES) == {"now", "open", "shown", "gone", "claimed"}
    for sample in list_legend([], rows=list_run_rows(late)):
        assert f"{sample.sign} {sample.words}" in format_run(late)


def test_done_step_that_is_not_on_the_list_has_a_dashed_ring_and_the_legend_says_what_it_means():
    gone, listed = list_timeline(STEPS, [after_round([item("Test it")], (True, False))] * 2, 2)
    assert "gone" not in gone.states and "lp-shown lp-gone" in picture.draw_timeline([gone], 2)
    for row, is_gone in ((listed, False), (gone, True)):
        assert ("not on its list" in picture.draw_legend([], rows=[row])) is is_gone


def test_view_draws_the_timeline_of_its_round(late):
    view = RunView(late)
    assert view._timeline.value == draw_run_timeline(late, 10)
    view.round.value = 5
    assert view._timeline.value == draw_run_timeline(late, 5)
    assert view._legend.value == draw_run_legend(late)


def test_every_status_of_the_package_has_a_look():
    assert {state.status for state in STATES.values()} - {""} == MARKS.keys()
