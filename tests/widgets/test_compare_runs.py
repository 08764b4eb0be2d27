"""The compared runs: two that are played now, and three recorded ones of a Claude model."""

import pytest
from support.notebook import CELLS, FIRST, write_file

from lesson import compare_runs
from lesson.drawing.legend import list_legend
from lesson.drawing.picture import legend_text
from lesson.runs.claude_runs import claude_runs
from lesson.widgets import drawn
from lesson.widgets.compare_runs import SOURCE

LEGEND = "<p class='lp-legend'>"


@pytest.fixture(scope="module")
def picture():
    return compare_runs()


def test_rows_are_two_runs_of_the_script_and_three_of_a_claude_model(picture):
    script, agent, lost, listed, as_text = picture.rows
    shown = [row.counts[0].value for row in picture.rows]
    assert shown == ["3 of 10", "10 of 10", "7 of 10", "10 of 10", "10 of 10"]
    assert [row.edge for row in picture.rows] == [None, 7, 7, 7, 7]
    assert len(lost.marks) == 7 + claude_runs(condition="reminder")[0].rounds
    assert lost.marks[7].read and listed.marks[7].read and not any(m.read for m in script.marks)
    assert lost.name.endswith("“Update your todos.”")  # what was sent, whatever REMINDER is now
    assert "7, 8, 7, 7; 4 of 4 say" in lost.more and "10, 10, 10, 10" in listed.more


def test_plan_as_plain_text_without_a_tool_is_a_recorded_run(picture):
    row, runs = picture.rows[-1], claude_runs(condition="plantext")
    assert "as text, and no todo tool" in row.name and "10, 10, 10, 10" in row.more
    signs = "".join(mark.sign for mark in row.marks)
    assert len(signs) == 7 + runs[0].rounds and "≡" not in signs[7:]  # it writes no list
    assert signs.count("✓") + signs.count("2") >= 3 and len(row.counts) == 1


def test_text_and_html_say_the_same(picture):
    html = picture._repr_html_()
    tapes = html.count("<svg class='lp-tape' role='img'")
    assert tapes == 5 and html.count("lp-edge'") == 4 and html.count("<p class='lp-result") == 5
    assert {mark.sign for row in picture.rows for mark in row.marks} | {"▼"} == {
        sample.sign for sample in list_legend(picture._list_marks())
    }
    assert legend_text(picture._list_marks()) in repr(picture)
    for row in picture.rows:
        for words in (row.name, row.more, *(count.value for count in row.counts)):
            assert words in repr(picture) and words.replace("'", "&#x27;") in html
        assert "".join(mark.sign for mark in row.marks) in repr(picture)
    assert repr(picture).endswith(SOURCE) and SOURCE in html


def test_signs_that_a_picture_of_another_cell_explains_are_not_explained_again(
    picture, monkeypatch
):
    monkeypatch.setattr(drawn, "EXPLAINED", {})
    shown = {}
    for cell in ("", "first", "first again", "second"):
        name = cell.removesuffix(" again")
        monkeypatch.setattr("lesson.widgets.compare_runs.find_cell", lambda name=name: name)
        shown[cell] = picture._repr_html_()
    assert LEGEND in shown["first"] and LEGEND not in shown["second"]
    assert shown[""] == shown["first"] == shown["first again"]


def test_second_row_is_played_with_the_learners_parts(notebook_of):
    notebook_of()
    silent = CELLS["MyNag"].replace("self.rounds >= self.after", "False")
    write_file(MyTodo=CELLS["MyTodo"], MyNag=silent)
    row = compare_runs().rows[1]
    assert "your list and nag and the package's loop" in row.name
    assert row.counts[0].value == "3 of 10" and not any(mark.read for mark in row.marks)


def test_loop_without_remind_is_replaced_and_the_row_says_so(notebook_of):
    notebook_of()
    write_file(agent_loop=FIRST["agent_loop"])
    row = compare_runs().rows[1]
    assert "the package's loop, list and nag" in row.name and "does not use `remind`" in row.note
    assert row.counts[0].value == "10 of 10" and row.note in repr(compare_runs())


def test_part_that_raises_is_named_below_its_row(notebook_of):
    notebook_of()
    write_file(MyNag=CELLS["MyNag"].replace("self.rounds += 1", "self.round += 1"))
    picture = compare_runs()
    assert "AttributeError" in picture.rows[1].note and "lp-problem" in picture._repr_html_()
