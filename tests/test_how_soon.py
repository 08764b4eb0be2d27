"""HowSoon follows its thumbs, with any nag, and tells no result before the thumb has been there."""

import asyncio
import re

import pytest
from support.nags import NeverEnds, Raises, ShowsList

from lesson import HowSoon
from lesson.drawing.marks import KINDS
from lesson.runs.run import Run
from lesson.widgets import how_soon

NOTHING = 15 * how_soon.NOT_TRIED


def results_of(widget: HowSoon) -> str:
    """Return the row of results in the widget's text, without spaces."""
    row = next(line for line in widget.text().splitlines() if line.startswith("the files show  "))
    return "".join(row.removeprefix("the files show").split())


def drawn_results(widget: HowSoon) -> str:
    """Return the row of results in the widget's picture."""
    return "".join(re.findall(r"</small>([^<]*)</span>", widget._scale.value))


@pytest.fixture(scope="module")
def tried():
    """Return a widget in which all thresholds were tried."""
    widget = HowSoon()
    widget.all.click()
    return widget


def test_result_is_a_dot_until_the_thumb_has_been_there():
    widget = HowSoon(after=5)
    assert results_of(widget) == drawn_results(widget) == "····✓··········"
    widget.after.value = 6
    assert results_of(widget) == drawn_results(widget) == "····✓3·········"
    assert widget.after.description == "▼ after 6"


def test_all_thresholds_can_be_tried_at_once(tried):
    assert results_of(tried) == drawn_results(tried) == "✓✓✓✓✓3333333333"


def test_picture_is_that_of_the_run(tried):
    tried.after.value = 6
    for part in ("3 of 10", "4 of 4", "1 round too late", "lp-gone", "Finish the rest"):
        assert part in tried._below.value, part
    assert tried._tape.value.count("<title>") == 10
    assert "lp-edge' d='M7 " in tried._tape.value
    assert "<rect class='lp-frame' x='1' y='-.09' width='6'" in tried._tape.value
    assert "lp-read" not in tried._tape.value  # the thumb is the first reminder
    for part in ("≡·✓·✓·✓==☒", "3 of 10, its list says 4 of 4", "(✓) Finish the rest"):
        assert part in repr(tried), part


def test_window_has_its_own_results():
    widget = HowSoon(after=9)
    widget.window.value = 20
    assert results_of(widget) == "········✓······"
    assert widget.window.description == "window 20" and "lp-edge' d='M11 " in widget._tape.value


def test_nag_of_the_learner_is_played():
    assert results_of(HowSoon(nag=ShowsList, after=8)) == "·······✓·······"
    for nag, says in ((Raises, 'raise KeyError("rounds")'), (NeverEnds, "It does not end")):
        widget = HowSoon(nag=nag)
        assert results_of(widget) == "··!············"
        assert "lp-problem" in widget._below.value
        assert says in widget.text() and "nags.py" in widget.text()


def test_text_is_the_output_of_the_cell(tried):
    data = tried._repr_mimebundle_()
    assert data["text/plain"].endswith(tried.text()) and len(data["text/plain"]) > 500
    assert "VBox" not in data["text/plain"]


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
        widget = HowSoon(after=3)
        for value in (4, 5, 6):
            widget.after.value = value
            assert widget.after.description == f"▼ after {value}" and not played
            assert results_of(widget) == NOTHING
        await asyncio.sleep(how_soon.WAIT_SECONDS / 2)
        assert not played
        while len(played) < 3:
            await asyncio.sleep(0)
        assert played == [6, 5, 7] and drawn_results(widget) == "····✓3·········"

    asyncio.run(press())


def test_newer_value_stops_the_run_and_meanwhile_the_old_tape_is_pale(played):
    async def press():
        widget = HowSoon(after=3)
        while not widget.results:
            await asyncio.sleep(0)
        widget.after.value = 1
        assert "lp-pale" in widget._tape._dom_classes
        while played[-1] != 1:
            await asyncio.sleep(0)
        widget.after.value = 3
        assert "lp-pale" not in widget._tape._dom_classes
        await asyncio.sleep(0.05)
        assert played[-1] == 1 and how_soon.Setting(1, 12) not in widget.results

    asyncio.run(press())


def test_every_mark_has_a_sign_of_its_own_in_text():
    kinds = [kind for kind in KINDS if len(kind) < 3]
    assert len({KINDS[kind].sign for kind in kinds}) == len(kinds)
