"""The chart of runs in a real JupyterLab: the two sliders, and the bet."""

import re

import pytest
from gallery import says
from playwright.sync_api import expect

from lesson.runs.measured import Setting, measured

CELLS = {
    "runs": "Runs()",
    "bet": 'Runs("hello", bet=True)',
    "mine": "class Mine(Nag): pass\nRuns(window=40, nag=Mine)",
}
HEIGHT_PX = 768  # the screen of a small laptop
MEASURED_MS = 180_000  # two or three seconds on an idle machine
SEVENTEEN_ROWS = ".al-runs-rows .al-runs-end > span >> nth=16"
SMALLEST_TEXT_PX = 12


@pytest.fixture
def show_measured(show):
    """Return a function that shows a widget and waits until all its runs are measured."""

    def again(name="runs"):
        widget = show(name)
        widget.locator(SEVENTEEN_ROWS).wait_for(timeout=MEASURED_MS)
        return widget

    return again


def rows_of(widget):
    """Return the slider whose values are the rows."""
    return widget.get_by_role("slider", name="Reminded after so many rounds")


def edge_of(widget):
    """Return the line at which the first plan leaves the window, a slider."""
    return widget.get_by_role("slider", name="The window")


def value_text(slider):
    return slider.get_attribute("aria-valuetext")


def test_widget_fits_on_the_screen_of_a_small_laptop(gallery, show_measured):
    widget = show_measured()
    widget.evaluate("it => it.scrollIntoView({block: 'start'})")
    panel = gallery.page.locator(".jp-WindowedPanel-outer").bounding_box()
    parts = (
        ".al-title",
        "[role=status]",
        ".al-runs-rows",
        ".al-edge-slider",
        ".al-runs-axis",
        ".al-evidence-row >> nth=1",
        ".al-runs-ends .al-button",
    )
    for part in parts:
        box = widget.locator(part).first.bounding_box()
        assert box["y"] >= panel["y"] - 1, part
        assert box["y"] + box["height"] <= panel["y"] + panel["height"] + 1, part
        assert box["x"] + box["width"] <= panel["x"] + panel["width"] + 1, part
    sizes = widget.evaluate(
        """it => [...it.querySelectorAll('*')].filter(one => one.getClientRects().length
               && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
               .map(one => parseFloat(getComputedStyle(one).fontSize))"""
    )
    assert min(sizes) >= SMALLEST_TEXT_PX


@pytest.fixture
def busy_kernel(gallery, show_measured):
    """Start a cell that runs for a minute, and interrupt it after the test."""
    show_measured()
    gallery.script(
        """window.busy = panel.sessionContext.session.kernel.requestExecute(
               {code: 'import time; time.sleep(60)'}).done;
           await new Promise(done => panel.sessionContext.session.kernel.statusChanged.connect(
               (_, status) => status === 'busy' && done()));"""
    )
    yield
    gallery.script("await panel.sessionContext.session.kernel.interrupt(); await window.busy;")


def test_rows_are_a_slider_whose_value_begins_with_the_outcome(gallery, busy_kernel):
    widget = gallery.locate("runs")
    slider = rows_of(widget)
    widget.get_by_role("status").evaluate("it => { window.liveRegion = it; }")
    slider.focus()
    gallery.press("ArrowDown", "ArrowDown", "ArrowDown")
    says(widget, "Reminded after 6 rounds.*1 round too late")
    assert value_text(slider) == (
        "3 of 10 steps done, its list says 4 of 4: Reminded after 6 rounds"
    )
    gallery.press("ArrowUp")
    assert value_text(slider).startswith("10 of 10 steps done")
    gallery.press("End")
    assert value_text(slider) == "3 of 10 steps done: Without a list"
    gallery.press("Home", "ArrowRight", "PageDown", "ArrowLeft")
    assert value_text(slider).endswith("Reminded after 6 rounds")
    expect(slider).to_be_focused()
    same = "it => it === window.liveRegion && it.isConnected"  # a new live region is not announced
    assert widget.get_by_role("status").evaluate(same)


def test_drag_visits_every_row(gallery, show_measured):
    widget = show_measured()
    slider = rows_of(widget)
    slider.evaluate(
        """it => { window.seen = []; new MutationObserver(() => window.seen.push(
               it.getAttribute('aria-valuetext'))).observe(it, {attributeFilter:
               ['aria-valuetext']}); }"""
    )
    box, mouse = slider.bounding_box(), gallery.page.mouse
    middle = [box["y"] + box["height"] * (row + 0.5) / 17 for row in range(17)]
    mouse.move(box["x"] + 200, middle[0])
    mouse.down()
    for y in [*middle, *reversed(middle)]:
        mouse.move(box["x"] + 200, y)
    mouse.up()
    seen = gallery.page.evaluate("window.seen")
    good = [words for words in seen if words.startswith("10 of 10")]
    assert len(set(seen)) == 17
    assert len(good) >= 9  # five rows down, five rows up, less the one at the start


def test_run_opens_in_place_at_the_round_whose_cell_was_pressed_and_closes(gallery, show_measured):
    widget = show_measured()
    cells = widget.locator(".al-runs-rows .al-tape").nth(5)
    longest = max(measured(setting).rounds for setting in Setting().column())
    box = cells.bounding_box()
    cells.click(position={"x": box["width"] * 7.5 / longest, "y": box["height"] / 2})
    widget.get_by_role("button", name="Open round 8").wait_for()
    gallery.press("Enter")
    player = widget.locator(".al-runs-opened .agentlib")
    assert "Finish the rest" in player.inner_text()
    expect(player.get_by_role("slider", name="Rounds")).to_be_focused()
    place = widget.locator(".al-head > strong").first
    expect(place).to_have_text("Reminded after 6 rounds, round 8")
    panel = gallery.page.locator(".jp-WindowedPanel-outer").bounding_box()
    assert place.bounding_box()["y"] >= panel["y"] - 1
    player.get_by_role("button", name="Next ▶").click()
    expect(place).to_have_text("Reminded after 6 rounds, round 9")
    rows_of(widget).press("ArrowDown")  # another run takes its place
    expect(place).to_have_text("Reminded after 7 rounds")
    says(player, "Round 9 of 11")  # in which it reads its reminder
    widget.get_by_role("button", name="All runs").press("Enter")
    player.wait_for(state="detached")
    expect(rows_of(widget)).to_be_focused()


def test_window_is_a_line_across_all_rows_that_can_be_dragged(gallery, show_measured):
    widget = show_measured()
    edge = edge_of(widget)
    rows_of(widget).focus()
    gallery.press("ArrowDown", "ArrowDown", "ArrowDown")
    says(widget, "Reminded after 6 rounds.*1 round too late")
    told = "12 messages = 6 rounds: the plan of round 1 is seen up to round 7"
    assert value_text(edge) == told
    edge.focus()
    gallery.press("ArrowUp", "ArrowUp")
    expect(edge).to_be_focused()  # also while the runs with the new window are measured
    expect(edge).to_have_attribute("aria-valuetext", re.compile("^14 messages = 7 rounds"))
    says(widget, "Reminded after 6 rounds.*nothing is lost")
    squares = widget.locator(".al-runs-rows .al-tape").nth(5).locator("i")
    place, step = edge.bounding_box(), squares.nth(1).bounding_box()["x"]
    step -= squares.nth(0).bounding_box()["x"]
    x, y, mouse = place["x"] + place["width"] / 2, place["y"] + 60, gallery.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - step, y, steps=4)
    mouse.up()
    assert edge.get_attribute("aria-valuenow") == "12"  # a round is two messages


def test_first_reminders_cross_the_line_after_the_last_row_that_finishes(show_measured):
    widget = show_measured()
    line = edge_of(widget).bounding_box()
    middle = line["x"] + line["width"] / 2
    marks = widget.locator(".al-runs-rows .al-tape > u")
    assert marks.count() == 9  # the other runs end before a reminder is due
    places = [
        box["x"] + box["width"] / 2 for box in map(lambda one: one.bounding_box(), marks.all())
    ]
    assert [place < middle for place in places] == [True] * 5 + [False] * 4


def test_number_of_a_round_is_below_its_square(show_measured):
    widget = show_measured()
    squares = widget.locator(".al-runs-rows .al-tape").first.locator("i")
    for number in (1, 5, 20):
        label = widget.locator(
            ".al-runs-axis .al-runs-track span", has_text=re.compile(f"^{number}$")
        )
        places = [
            box["x"] + box["width"] / 2
            for box in (label.bounding_box(), squares.nth(number - 1).bounding_box())
        ]
        assert abs(places[0] - places[1]) < 2


def test_bet_hides_the_runs_and_is_joined_to_the_result(gallery, show):
    widget = show("bet")
    assert widget.locator(".al-tape > u, .al-legend, .al-tape > .al-d").count() == 0
    assert edge_of(widget).is_visible()  # from which the answer can be reasoned
    row = widget.locator(".al-runs-open").nth(7)
    show_it = widget.get_by_role("button", name="Show what happens")
    widget.evaluate("it => { it.style.width = '360px'; }")  # a phone
    assert widget.get_by_text("reminded after").is_visible()
    widget.evaluate("it => { it.style.width = ''; }")
    rows_of(widget).focus()
    assert value_text(rows_of(widget)) == "no row chosen yet"
    assert show_it.get_attribute("aria-disabled") == "true"
    gallery.press("Enter", *["ArrowDown"] * 7)
    assert value_text(rows_of(widget)).startswith("Reminded after 7 rounds: you expect")
    assert row.inner_text().split() == ["8", "✗", "fewer"]
    show_it.evaluate("it => it.scrollIntoView({block: 'start'})")
    show_it.click()
    widget.get_by_text("your bet", exact=True).wait_for()
    says(widget, "Your bet was 7")
    verdict = widget.get_by_role("status").first.bounding_box()
    panel = gallery.page.locator(".jp-WindowedPanel-outer").bounding_box()
    assert panel["y"] <= verdict["y"] < rows_of(widget).bounding_box()["y"]
    gallery.press("Home")
    row = widget.locator(".al-runs-row:has(.al-runs-bet)")
    assert row.inner_text().split()[2] == "7"


def test_runs_stay_after_a_restart(gallery, show_measured):
    widget = show_measured("mine")  # a new class: its runs are not in the cache
    # This is the last test: after it, the kernel does not have the names that the cells need.
    gallery.script("""await panel.sessionContext.session.kernel.restart();
                      await panel.sessionContext.session.kernel.info;""")
    rows_of(widget).focus()
    gallery.press("ArrowDown", "ArrowDown", "ArrowDown")
    says(widget, "Reminded after 6 rounds")
    edge_of(widget).press("Home")
    says(widget, "run this cell again")
