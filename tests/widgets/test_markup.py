"""What a user, a model, a file or a learner's code brings is text in each picture, never markup."""

from html.parser import HTMLParser

import pytest
from ipywidgets import HTML, DOMWidget

from agentlib import Nag, TodoManager
from lesson import HowSoon, Seat
from lesson.drawing.request import draw_request
from lesson.runs.request import Authors, read_request
from lesson.runs.run import Run
from lesson.runs.window import View
from lesson.widgets.run_view import RunView

TAG = "x-bad"
BAD = f"<{TAG}>&<img src=x>'\""


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


class Raises(Nag):
    def __call__(self, calls):
        raise ValueError(BAD)


def bad_ask(run, messages, missing):
    run()
    messages.append({"role": "user", "content": BAD})
    run()


STEPS = [(f"Write {BAD}", "a.txt", BAD, "low"), ("Write b", f"{BAD}.txt".replace("/", ""), "b")]
RUNS = {
    "names": {"after": 1, "nag": BadNag, "todo": BadTodo, "ask": bad_ask, "missing": "list"},
    "an error": {"after": 1, "nag": Raises},
    "a reply": {"after": 1, "job": [STEPS[0][:1] + (f"../{BAD}", "a", "low")]},
    "no list": {"todo": None},
}


def htmls(widget):
    """Yield the HTML of a widget and of all widgets in it."""
    if isinstance(widget, HTML):
        yield widget.value
    for child in getattr(widget, "children", ()):
        if isinstance(child, DOMWidget):
            yield from htmls(child)


def check(html):
    assert not Tags(html).names & {TAG, "img", "src"}, html


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("sees", [False, True])
def test_no_text_of_a_run_is_markup_in_any_round(name, sees):
    run = Run(**{"job": STEPS} | RUNS[name]).play()
    view, drawn = RunView(run), []
    view.see.value = sees
    for number in range(1, len(run.moments) + 1):
        view.round.value = number
        drawn += htmls(view)
    for html in drawn:
        check(html)
    assert any(f"&lt;{TAG}" in html for html in drawn), "it is there as text"


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
    for first in (1, 3):  # all is in the window, or nothing
        view = View(prompt=0, first=first, plan=None, seen=None)
        request = read_request(1, sent, view, [BAD], reply["content"], Authors(*[BAD] * 4))
        html = draw_request(request, BAD)
        check(html)
        assert f"&lt;{TAG}" in html


def test_the_other_widgets_have_no_markup_of_others():
    seat = Seat()
    seat.answer.value = f"{BAD} receipt.py"
    seat.compare.click()
    slider = HowSoon(nag=BadNag, after=3)
    for html in (*htmls(seat), *htmls(slider)):
        check(html)
    assert f"&lt;{TAG}" in seat._left.value
