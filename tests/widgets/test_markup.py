"""What a user, a model, a file or a learner's code brings is text in each picture, never markup."""

from html.parser import HTMLParser

import pytest
from ipywidgets import HTML, DOMWidget
from support.notebook import CELLS, write_file

from agentlib import Nag, TodoManager
from exerciselib.feedback import Verdict
from lesson import NagSlider, Walk
from lesson.drawing.marks import Count, Line, Mark
from lesson.drawing.picture import draw_timeline
from lesson.drawing.request_view import draw_request
from lesson.drawing.run_picture import draw_notes
from lesson.drawing.timeline import TimelineRow
from lesson.in_cells.learner_predictions import Revealed
from lesson.runs.request_parts import Authors, read_request
from lesson.runs.run import Run
from lesson.runs.window import View
from lesson.widgets.compare_runs import ComparedRuns, RunRow
from lesson.widgets.run_view import RunView

TAG = "x-bad"
# Out of an attribute between ' or ", it is another attribute.
BAD = f"<{TAG}>&<img src=x>' {TAG} \" {TAG} "


class Tags(HTMLParser):
    """The names of all tags and attributes of a page."""

    def __init__(self, html):
        super().__init__()
        self.names = set()
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.names |= {tag, *(name for name, _ in attributes)}


class BadNag(Nag):
    def __call__(self, calls):
        return super().__call__(calls) and f"<reminder>{BAD}</reminder>"


class BadTodo(TodoManager):
    def summary(self):
        return {item["text"]: BAD for item in self.items}


RAISE = f"raise ValueError({BAD!r})"


class Raises(Nag):
    def __call__(self, calls):
        raise ValueError(BAD)


def bad_ask(run, messages, missing):
    run()
    messages.append({"role": "user", "content": BAD})
    run()


TURN = "\u202e"  # it turns the text after it
STEPS = [
    (f"Write {BAD}", "a.txt", f"{BAD}{TURN}", "low"),
    ("Write b", f"{BAD}{TURN}.txt".replace("/", ""), "b"),
]
RUNS = {
    "names": {"after": 1, "nag": BadNag, "todo": BadTodo, "at_stop": bad_ask, "missing": "list"},
    "an error": {"after": 1, "nag": Raises},
    # A name that is too long for a file is refused in the reply's result.
    "a reply": {"after": 1, "job": [(STEPS[0][0], BAD + "a" * 300, "a", "low")]},
    "no list": {"todo": None},
}


def htmls(widget):
    """Yield the HTML of a widget and of all widgets in it."""
    if isinstance(widget, HTML):
        yield widget.value
    for child in getattr(widget, "children", ()):
        if isinstance(child, DOMWidget):
            yield from htmls(child)


def check_all(*drawn):
    """Check HTML that shows what is bad as text."""
    for html in drawn:
        assert not Tags(html).names & {TAG, "img", "src"}, html
    assert any(f"&lt;{TAG}" in html for html in drawn)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("sees", [False, True])
def test_no_text_of_a_run_is_markup_in_any_round(name, sees):
    run = Run(**{"job": STEPS} | RUNS[name]).play()
    view, drawn = RunView(run), []
    view.see.value = sees
    for number in range(1, len(run.records) + 1):
        view.round.value = number
        drawn += htmls(view)
    check_all(*drawn)
    assert TURN not in "".join([*drawn, str(run)])


def test_no_part_of_a_request_is_markup():
    blocks = [
        {"type": "text", "text": BAD},
        {"type": "tool_use", "id": BAD, "name": BAD, "input": {BAD: BAD, "n": [BAD]}},
        {"type": BAD, BAD: BAD},
    ]
    result = {"type": "tool_result", "tool_use_id": BAD, "content": BAD, "is_error": True}
    sent = {
        "system": BAD,
        "tools": [{"name": BAD, "description": BAD, "input_schema": {BAD: BAD}}],
        "messages": [
            {"role": "user", "content": BAD},
            {"role": "assistant", "content": blocks},
            {"role": "user", "content": [result, {"type": "text", "text": BAD}]},
        ],
    }
    reply = {"role": "assistant", "content": blocks}
    for left_out in ({}, {1: [reply, sent["messages"][2]]}):
        view = View(2, (0, 1, 1) if not left_out else (0, 0, 0), left_out)
        request = read_request(sent, view, {BAD: BAD}, reply["content"], Authors(*[BAD] * 3))
        check_all(draw_request(request, BAD))


def test_slider_has_no_markup_of_others():
    check_all(*htmls(NagSlider(nag=Raises, after=3)))


def test_no_text_of_a_row_a_check_or_a_prediction_is_markup():
    row = RunRow(BAD, [Mark("w", words=BAD)], [Count(BAD, BAD, "bad")] * 2, BAD, BAD)
    check_all(ComparedRuns([row, row], BAD)._repr_html_())
    names = "title", "exercise", "cause", "line", "got", "expected", "printed", "tried"
    fields = dict.fromkeys(names, BAD)
    check_all(Verdict(BAD, BAD, 0, 1, hints=(BAD,), **fields)._repr_html_())
    check_all(Verdict(BAD, BAD, 1, 1, rules=(BAD,))._repr_html_())
    check_all(Revealed(BAD)._repr_html_())
    run = Run("hello")
    run.note = run.problem = BAD
    check_all(draw_notes(run))
    line = Line(BAD, "shown", more=BAD, time=BAD)
    check_all(draw_timeline([TimelineRow(line, ("shown",)), TimelineRow(line, ("",))], 1))


def test_no_line_of_a_learner_is_markup_in_the_walk(notebook_of):
    notebook_of()
    count = "            self.rounds = 0\n"
    more = [f"words = {BAD!r}  # {BAD}", "x = bad = 0; said = 0 <x-bad> 0 if not x else 1"]
    more += ["x = bad = 0 <x-bad> 0", "try:", f"    {RAISE}", "except ValueError:", "    pass"]
    lines = "".join(f"            {line}\n" for line in more)
    write_file(MyNag=CELLS["MyNag"].replace(count, count + lines))
    walk, drawn = Walk(), []
    for number in range(1, len(walk.steps) + 1):
        walk.line.value = number
        walk.decide.click()
        drawn += htmls(walk)
    check_all(*drawn)
    assert "0 &lt;x-bad&gt; 0 " in "".join(drawn)
