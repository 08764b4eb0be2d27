"""NagSlider follows its thumbs, with any nag, and tells a result when the thumb has been there."""

import asyncio
import re

import pytest
from support.nags import NeverEnds, Raises

from agentlib import Nag
from agentlib.defaults import AFTER
from lesson import NagSlider
from lesson.drawing.marks import KINDS
from lesson.kernel import watching
from lesson.runs.run import Run
from lesson.widgets import drawn, nag_slider

pytestmark = pytest.mark.slow


def results_of(widget: NagSlider) -> list[str]:
    """Return the row of results in the widget's text, without the spaces before them."""
    row = next(line for line in widget.text().splitlines() if line.startswith("the files show  "))
    return [row[place : place + 2].strip() for place in range(16, 16 + 3 * 15, 3)]


def drawn_results(widget: NagSlider) -> list[str]:
    """Return the row of results in the widget's picture."""
    return re.findall(r"<b>([^<]*)</b><i", widget._scale.value)


def bars_of(widget: NagSlider) -> list[int]:
    """Return the heights of the bars in steps."""
    heights = re.findall(r"--steps:(\d+)", widget._scale.value)
    return [int(height) for height in heights]


def results(signs: dict[int, str]) -> list[str]:
    """Return the results of all thresholds: nothing for those without a sign."""
    return [signs.get(after, "") for after in nag_slider.THRESHOLDS]


@pytest.fixture(scope="module")
def tried():
    """Return a widget in which all thresholds were tried."""
    widget = NagSlider(after=3)
    widget.all.click()
    return widget


def test_all_thresholds_can_be_tried_at_once(tried):
    assert results_of(tried) == drawn_results(tried) == ["10"] * 5 + ["3"] * 10
    assert bars_of(tried) == [10] * 5 + [3] * 10
    again = re.findall(r"<span class='lp-\w+( lp-again)?", tried._scale.value)
    assert [place for place, is_again in enumerate(again, 1) if is_again] == [2, 4, *range(7, 15)]


def test_scale_keeps_its_width_when_all_are_tried(tried):
    most = re.search(r"--most:(\d+)", tried._scale.value)[1]
    assert int(most) == nag_slider.USUAL_ROUNDS
    rows = re.search(r"<ol class='lp-rows' style='--most:(\d+)'", tried._below.value)[1]
    assert int(rows) == max(len(result.marks) for result in tried.results.values()) > int(most)


def test_rows_and_legend_are_those_of_what_was_tried():
    widget = NagSlider(after=6)
    assert "without its plan" not in widget._below.value and "a short plan" in widget._below.value
    widget.after.value = nag_slider.THRESHOLDS[-1]
    assert "without its plan" in widget._below.value and "a short plan" not in widget._below.value
    assert "lp-rows" not in widget._below.value and widget.text().count("≡") == 2  # and its legend
    widget.all.click()
    assert "without its plan" in widget._below.value and "a short plan" in widget._below.value
    assert widget._below.value.count("<li") == 15 + 10
    widget.window.value = 14  # whose results nobody has tried
    assert "lp-rows" not in widget._below.value


def test_on_a_page_a_sign_of_work_is_shown_before_anything_is_computed(monkeypatch):
    shown = []
    request = {"header": {"msg_type": "execute_request"}, "metadata": {"cellId": "1"}}
    monkeypatch.setattr(watching, "find_kernel_request", lambda: request)
    widget = NagSlider(after=5)

    def show(data, **more):
        shown.append((data, bool(widget.results), more))

    monkeypatch.setattr(drawn, "display", show)
    assert not widget.results and results_of(widget) == results({})
    widget._ipython_display_()
    (sign, was_known, first), (picture, is_known, more) = shown
    html = sign.shown.shown.value
    assert drawn.WORKING in html and "lp-working" in html
    assert not was_known and is_known and "10 of 10" in widget._below.value
    assert first["display_id"] == more["display_id"] and more["update"]
    assert "10 of 10" in picture._repr_mimebundle_()["text/plain"]
    assert list(widget.results) == [nag_slider.Setting(5, 12)], "nothing else is computed"
    widget._ipython_display_()
    assert len(shown) == 3, "what is known is shown at once"


def test_picture_is_that_of_the_run(tried):
    tried.after.value = 6
    for part in ("3 of 10", "4 of 4", "1 round too late", "lp-gone", "Finish the rest"):
        assert part in tried._below.value, part
    assert tried._tape.value.count("<title>") == 10
    assert "lp-edge' d='M7 " in tried._tape.value
    assert "<rect class='lp-frame' x='1' y='-.09' width='6'" in tried._tape.value
    assert (
        tried._tape.value.count("lp-read") == 1
    )  # the thumb is at the round before, which counts 6
    for part in (
        "≡·✓·✓·✓==☒",
        "≡·✓·✓·✓▼=☒",
        "3 of 10, its list says 4 of 4",
        "(✓) Finish the rest",
    ):
        assert part in repr(tried), part


def test_a_guess_is_answered_when_what_was_tried_shows_the_right_one():
    widget = NagSlider(after=6, guess=" 6")
    assert "You said" not in repr(widget) + widget._below.value
    widget.after.value = 5
    for shown in (repr(widget), widget._below.value):
        assert "You said 6; it is 5." in shown
    widget.window.value = 20  # another one than that of the question
    assert "it is 5." in widget._below.value
    assert "You said" not in repr(NagSlider(after=5))


def test_nag_of_the_learner_is_played():
    assert results_of(NagSlider(nag=Nag, after=8)) == results({8: "10"})
    for nag, says in ((Raises, 'raise KeyError("rounds")'), (NeverEnds, "It does not end")):
        widget = NagSlider(nag=nag)
        assert results_of(widget) == results({AFTER: "!"})
        assert "lp-problem" in widget._below.value
        assert says in widget.text() and "nags.py" in widget.text()


@pytest.fixture
def played(monkeypatch):
    """Return the thresholds of the runs that were begun, in their order."""
    begun = []
    play_rounds = Run.play_rounds

    def note(run):
        begun.append(run.after)
        return play_rounds(run)

    monkeypatch.setattr(Run, "play_rounds", note)
    return begun


def test_only_the_newest_value_is_played_and_then_its_neighbours(played):
    async def press():
        widget = NagSlider(after=3)
        for value in (4, 5, 6):
            widget.after.value = value
            assert (
                widget.after.description == f"{nag_slider.THRESHOLD_LABEL}: {value}" and not played
            )
            tried = {after: nag_slider.NOT_KNOWN for after in range(3, value + 1)}
            assert results_of(widget) == drawn_results(widget) == results(tried)
        await asyncio.sleep(nag_slider.WAIT_SECONDS / 2)
        assert not played
        while len(played) < 3:
            await asyncio.sleep(0)
        signs = {3: nag_slider.NOT_KNOWN, 4: nag_slider.NOT_KNOWN, 5: "10", 6: "3"}
        assert played == [6, 5, 7] and drawn_results(widget) == results(signs)

    asyncio.run(press())


def test_newer_value_stops_the_run_and_meanwhile_the_old_tape_is_pale(played):
    async def press():
        widget = NagSlider(after=3)
        while not widget.results:
            await asyncio.sleep(0)
        widget.after.value = 1
        assert "lp-pale" in widget._tape._dom_classes
        while played[-1] != 1:
            await asyncio.sleep(0)
        widget.after.value = 3
        assert "lp-pale" not in widget._tape._dom_classes
        await asyncio.sleep(0.05)
        assert played[-1] == 1 and nag_slider.Setting(1, 12) not in widget.results

    asyncio.run(press())


def test_every_mark_has_a_sign_of_its_own_in_text():
    kinds = [kind for kind in KINDS if len(kind) < 3]
    assert len({KINDS[kind].sign for kind in kinds}) == len(kinds)
