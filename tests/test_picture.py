"""The picture of a run: what `draw` says of the steps, and the tape in Python and in JavaScript."""

import re

import pytest
from support.javascript import needs_node, run_script

from agentlib.nag import Nag
from agentlib.todo import TodoManager
from lesson import draw, play, play_once
from lesson.runs.measured import Setting, measured
from lesson.widgets.picture import describe_step
from lesson.widgets.tape import draw_tape

LINE = re.compile(
    r'<li class="al-item ([^"]*)"><span class="al-mark ([^"]*)".*?</span>'
    r'<span class="al-hidden">(.*?): </span><span class="al-text">(.*?)</span></li>'
)


def lines_of(picture):
    """Return the look, the words and the text of each line of the list."""
    return [(f"{mark} {look}".strip(), *words) for look, mark, *words in LINE.findall(picture)]


def test_late_run_shows_both_counts_the_lost_steps_and_what_the_model_made_up():
    picture = draw(play(after=8, window=16))
    assert '<b class="al-bad">4 of 10</b>' in picture
    assert "its list says <b>5 of 5</b>" in picture
    lines = lines_of(picture)
    assert [look for look, _, _ in lines] == ["al-shown"] * 4 + ["al-gone"] * 6 + [
        "al-claimed al-new"
    ]
    assert lines[4][1:] == (
        "not done, not on its list",
        "Let stock.py return its warnings instead of printing them",
    )
    assert lines[-1][2] == "Finish the rest"


def test_run_in_time_has_all_steps_and_the_line_where_the_first_plan_leaves():
    picture = draw(measured(Setting(after=3, window=12)))
    assert '<b class="al-good">10 of 10</b>' in picture
    assert [look for look, _, _ in lines_of(picture)] == ["al-shown"] * 10
    assert '<span class="al-line" style="--from: 7">' in picture
    without_list = draw(measured(Setting(after=None, plan=False)))
    assert "al-line" not in without_list.split("</style>")[1]


def test_played_and_kept_run_have_the_same_picture():
    assert draw(play(after=6)) == draw(measured(Setting(after=6)))


@pytest.mark.parametrize(
    "is_done, letter, mark, words",
    [
        (True, "x", "al-shown", "done: "),
        (True, None, "al-shown", "done, not on its list: "),
        (False, "o", "al-claimed", "only its list says that it is done: "),
        (False, ">", "", "not done: "),
        (False, None, "", "not done, not on its list: "),
    ],
)
def test_step_has_a_mark_for_what_the_files_show_and_words_for_its_place_on_the_list(
    is_done, letter, mark, words
):
    assert describe_step(is_done, letter) == (mark, words)


def test_text_of_a_model_is_never_markup():
    run = measured(Setting(after=6))
    items = (*run.items[:-1], "<img src=x onerror=alert(1)> \u202e")
    picture = draw(run._replace(items=items))
    assert "&lt;img src=x onerror=alert(1)&gt; \\u202e" in picture and "<img" not in picture


def test_run_is_played_once_and_a_reminder_or_a_list_of_ones_own_has_separate_runs(monkeypatch):
    played = []
    monkeypatch.setattr(
        Setting, "trial", lambda self, old=Setting.trial: played.append(1) or old(self)
    )
    assert play_once(after=8) == play_once(after=8) and len(played) <= 1
    played.clear()

    class Silent(Nag):
        def reminder(self):
            return ""

    class OwnList(TodoManager):
        pass

    for _ in range(2):
        assert play_once("hello", nag=Silent).steps_done == 3
        assert play_once("hello", todo=OwnList).steps_done == 3
    assert len(played) == 2


WRITE = """
    const write = (one) => {
        if (typeof one !== "object") return String(one);
        const given = Object.entries(one.props).filter(([, value]) => value !== null);
        const props = given.map(([name, value]) => ` ${name}="${value}"`).sort().join("");
        return `<${one.tag}${props}>${one.children.map(write).join("")}</${one.tag}>`;
    };
    const said = cases.map(([cells, steps, isFinished]) =>
        write(tape(cells, { steps, isFinished })));"""


@needs_node
def test_browser_writes_the_same_markup_for_a_tape(tmp_path):
    run = measured(Setting(after=3))
    cases = [
        ["pwDpwe", "001020", True],
        ["pWldfSe", "0010300", False],
        [run.cells, run.steps, True],
    ]
    wanted = [draw_tape(cells, steps, is_finished=good) for cells, steps, good in cases]
    assert run_script(tmp_path, "tape", "tape.js", WRITE, cases) == [
        re.sub(r'class="([^"]*)" (aria-\S+)', r'\2 class="\1"', one) for one in wanted
    ]
