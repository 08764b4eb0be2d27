"""The compared runs: two of the script, and three recorded ones of a Claude model."""

import re

import pytest

from lesson import play
from lesson.drawing.cost import PRICES, Sent
from lesson.drawing.legend import list_legend
from lesson.drawing.picture import format_legend
from lesson.program.my_agent import load_solutions
from lesson.runs.claude_runs import CONDITIONS, claude_runs
from lesson.runs.run import Run
from lesson.widgets import drawn
from lesson.widgets.compare_runs import ComparedRuns, compare, make_row

LEGEND = "<p class='lp-legend'>"


@pytest.fixture(scope="module")
def picture():
    rows = [make_row("The script", Run(todo=None).play(), ""), make_row("Ours", Run().play(), "")]
    for name in ("reminder", "listed", "plantext"):
        runs = claude_runs(condition=name)
        results = ", ".join(str(run.steps_done) for run in runs)
        rows.append(make_row(CONDITIONS[name], runs[0], f"in {len(runs)} runs: {results}"))
    return ComparedRuns(rows, "The first two rows were played.")


def test_rows_are_two_runs_of_the_script_and_three_of_a_claude_model(picture):
    script, _, lost, listed, _ = picture.rows
    shown = [row.counts[0].value for row in picture.rows]
    assert shown == ["3 of 10", "10 of 10", "7 of 10", "10 of 10", "10 of 10"]
    assert len(lost.marks) == 7 + claude_runs(condition="reminder")[0].rounds
    assert lost.marks[7].read and listed.marks[7].read and not any(m.read for m in script.marks)
    assert lost.name.endswith("“Update your todos.”")  # what was sent, whatever REMINDER is now
    assert "7, 8, 7, 7" in lost.more and "10, 10, 10, 10" in listed.more


def test_text_and_html_say_the_same(picture):
    html = picture._repr_html_()
    tapes = html.count("<svg class='lp-tape' role='img'")
    assert tapes == 5 and html.count("<p class='lp-result") == 5
    signs = {mark.sign for row in picture.rows for mark in row.marks}
    assert {sign for sign in signs if not sign.isdigit()} | {"▼", "/"} <= {
        sample.sign for sample in list_legend(picture._list_marks())
    }
    assert format_legend(picture._list_marks()) in repr(picture)
    for row in picture.rows:
        for words in (row.name, row.more, *(count.value for count in row.counts)):
            assert words in repr(picture) and words.replace("'", "&#x27;") in html
        assert "".join(mark.sign for mark in row.marks) in repr(picture)
    assert repr(picture).endswith(picture.source) and picture.source in html


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


def test_sixteen_runs_are_four_blocks_and_say_once_what_differs_in_them():
    picture = compare(claude_runs(condition="seat"))
    html = picture._repr_html_()
    assert [len(rows) for _, rows in picture.blocks] == [4] * 4 == [html.count("<h4>")] * 4
    assert html.count("class='lp-resumed'") == 16 + 1 and "lp-runs lp-many" in html  # + legend
    assert repr(picture).count("resumed          │") == 16
    for text in (html, repr(picture)):
        assert text.count("takes over from the practice model at │") == 1
        assert text.count("a message of the user and not of a nag") == 1
        assert "7 rounds, 38k tokens" in text  # of Claude alone: the tape has seven more


def test_a_run_that_was_played_is_beside_recorded_ones():
    own = Run("hello", todo=None).play()
    own.whose = "Yours: loop."
    picture = compare(own, claude_runs(condition="whole_list"))
    mine, claude = picture.rows
    assert mine.name == "hello, window of 12 messages, no todo list, your loop"
    assert len(mine.marks) == len(own.rounds) and not claude.edges
    html = picture._repr_html_()
    assert (
        html.count("<section>") == 2 and "lp-resumed'" not in html and "lp-runs lp-many" not in html
    )
    assert "takes over" not in html and "unknown version" in html
    assert "unknown version" not in repr(compare(own))


@pytest.fixture(scope="module")
def played():
    """Return three runs of `hello`: without and with a list, and one with another loop."""
    plain = play("hello", todo=None)
    return (
        plain,
        play("hello", loop=load_solutions().agent_loop, after=2),
        plain.fork(0, window="all"),
    )


def test_rows_without_a_name_say_what_differs_and_a_last_line_what_is_the_same(played):
    picture = compare(*played[:2])
    assert [row.name for row in picture.rows] == [
        "no todo list, agentlib's loop",
        "reminded after 2 rounds, agentlib's list, agentlib's nag, given loop (agent_loop)",
    ]
    assert picture.source == "Both runs: hello, window of 12 messages."
    assert compare(played[0]).source == ""


def test_names_of_a_dict_are_those_of_the_rows_and_a_list_is_one_block(played):
    recorded = claude_runs(condition="listed")
    picture = compare({"no <list>": played[0], "Claude": recorded}, played[1])
    assert [name for name, _ in picture.blocks][:2] == ["no <list>", "Claude"]
    assert "no &lt;list&gt;" in picture._repr_html_() and len(picture.rows) == 6
    assert picture.source.startswith("All runs: hello, window of 12 messages. A Claude model")


def test_costs_are_a_bar_for_each_run_on_one_scale_and_say_what_is_left_out(played):
    windowed, _, whole = played
    picture = compare({"a window": windowed, "all": whole}, costs=True)
    html, sent = picture._repr_html_(), [row.sent for row in picture.rows]
    widths = [float(width) for width in re.findall(r"lp-\w+' style='width:([\d.]+)%'", html)]
    most = max(costs.tokens for costs in sent)
    for costs, new, same in zip(sent, widths[::2], widths[1::2], strict=True):
        assert new == pytest.approx(100 * (costs.tokens - costs.same) / most, abs=0.01)
        assert same == pytest.approx(100 * costs.same / most, abs=0.01)
        assert costs.describe_cost() in repr(picture)
    assert Sent(58_000, 20_000).describe_cost().endswith("20k at a tenth: as much as 40k")
    assert picture.source.endswith(PRICES) and PRICES not in repr(compare(whole))
    with pytest.raises(TypeError, match="costs=True takes runs as play returns them"):
        compare(claude_runs(condition="listed"), costs=True)


def test_a_function_says_its_own_number_beside_each_run():
    picture = compare(claude_runs(condition="listed"), say=lambda run: run.tests_passed)
    assert [row.more for row in picture.rows] == [
        str(run.tests_passed) for run in claude_runs(condition="listed")
    ]
    assert "rounds," not in repr(picture)


def test_what_is_no_run_is_named():
    with pytest.raises(TypeError, match="takes runs, as play and claude_runs .* and str is none"):
        compare(claude_runs(condition="listed"), "listed")
