"""Runs as strips, as a learner meets them: real JupyterLab, real Chromium, one screen."""

import json
import re
import statistics

import pytest
from gallery import gallery, says
from playwright.sync_api import expect

from lesson.runs.measured import Setting, measured

CELLS = """
from lesson.widgets import Runs
runs = Runs(); runs
#
Runs("hello", bet=True)
#
hello = Runs("hello", window=30); hello
"""
WIDGETS = ("runs", "bet", "hello")
THEMES = ("light", "dark")
MEASURED_MS = 180_000  # two or three seconds on a machine that does nothing else
SMALLEST_TEXT_PX = 12
SMALLEST_TARGET_PX = 24


@pytest.fixture(scope="module")
def page_of_runs(lab_server, lab_page, pictures):
    """A notebook with the widget three times, run once, on the screen of a small laptop."""
    with gallery(lab_server, lab_page, pictures, "strips", CELLS, height_px=768) as lab:
        yield lab


@pytest.fixture
def show(page_of_runs):
    """The widget of a name, fresh and complete: its cell has just been run again."""
    lab = page_of_runs

    def again(name):
        place = WIDGETS.index(name)
        run_cell(lab, place)
        widget = lab.page.locator(".jp-Notebook .jp-Cell").nth(place).locator(".al-runs-card")
        widget.wait_for()
        if name != "bet":
            widget.locator(".al-runs-strip-end > span").nth(16).wait_for(timeout=MEASURED_MS)
        widget.scroll_into_view_if_needed()
        return widget

    yield again
    assert lab.problems == []


def run_cell(lab, place):
    lab.script(
        """panel.content.activeCellIndex = argument;
           panel.content.deselectAll();
           await app.commands.execute('notebook:run-cell');""",
        place,
    )


def rows_of(widget):
    """The slider that the rows are."""
    return widget.get_by_role("slider", name="Remind after so many rounds")


def map_of(widget):
    """The slider of the window that the map is."""
    return widget.get_by_role("slider", name="Window: the messages that the model sees")


def value_text(slider):
    return slider.get_attribute("aria-valuetext")


def test_all_of_it_is_on_one_screen_of_a_small_laptop(page_of_runs, show):
    widget = show("runs")
    widget.evaluate("it => it.scrollIntoView({block: 'start'})")
    panel = page_of_runs.page.locator(".jp-WindowedPanel-outer").bounding_box()
    parts = (
        ".al-title",
        ".al-runs-rows",
        ".al-runs-map",
        ".al-window-edge",
        ".al-window-numbers",
        ".al-evidence-row >> nth=1",
        ".al-runs-ends .al-button",
        "[role=status]",
    )
    for part in parts:
        box = widget.locator(part).first.bounding_box()
        assert box["y"] >= panel["y"] - 1, part
        assert box["y"] + box["height"] <= panel["y"] + panel["height"] + 1, part
        assert box["x"] + box["width"] <= panel["x"] + panel["width"] + 1, part
    page_of_runs.picture("runs-one-screen")


def test_the_rows_are_a_slider_for_the_keys_and_say_first_how_the_run_ended(page_of_runs, show):
    widget = show("runs")
    slider = rows_of(widget)
    slider.focus()
    page_of_runs.press("ArrowDown", "ArrowDown", "ArrowDown")
    says(widget, "Reminder after 6 rounds.*1 round too late")
    assert value_text(slider) == (
        "3 of 10 steps done, its list says 4 of 4: Reminder after 6 rounds"
    )
    page_of_runs.press("ArrowUp")
    assert value_text(slider).startswith("10 of 10 steps done")
    page_of_runs.press("End")
    assert value_text(slider) == "3 of 10 steps done: Without a list"
    page_of_runs.press("Home", "ArrowRight", "PageDown", "ArrowLeft")
    assert value_text(slider).endswith("Reminder after 6 rounds")
    assert slider.evaluate("it => it === document.activeElement")


def test_every_row_is_seen_in_a_drag_the_good_ones_as_often_as_the_bad(page_of_runs, show):
    widget = show("runs")
    slider = rows_of(widget)
    slider.evaluate(
        """it => { window.seen = []; new MutationObserver(() => window.seen.push(
               it.getAttribute('aria-valuetext'))).observe(it, {attributeFilter:
               ['aria-valuetext']}); }"""
    )
    box, mouse = slider.bounding_box(), page_of_runs.page.mouse
    middle = [box["y"] + box["height"] * (row + 0.5) / 17 for row in range(17)]
    mouse.move(box["x"] + 200, middle[0])
    mouse.down()
    for y in [*middle, *reversed(middle)]:
        mouse.move(box["x"] + 200, y)
    mouse.up()
    seen = page_of_runs.page.evaluate("window.seen")
    good = [words for words in seen if words.startswith("10 of 10")]
    assert len(set(seen)) == 17
    assert len(good) >= 9  # five rows down, five rows up, less the one at the start


def test_a_move_is_drawn_at_once_in_the_page(page_of_runs, show, pictures):
    slider = rows_of(show("runs"))
    slider.focus()
    drawn, painted = slider.evaluate(
        """async it => {
            const [drawn, painted] = [[], []];
            for (const key of [...Array(15).fill('ArrowDown'), ...Array(15).fill('ArrowUp')]) {
                await new Promise(requestAnimationFrame);
                const start = performance.now();
                it.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
                drawn.push(performance.now() - start);
                // The frame after the one that is being made has been painted.
                await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                painted.push(performance.now() - start);
            }
            return [drawn, painted];
        }"""
    )
    ms = {"drawn": statistics.median(drawn), "painted": statistics.median(painted)}
    (pictures.parent / "runs-latency-ms.json").write_text(json.dumps(ms) + "\n")
    # Two or three milliseconds. What it takes to the next frame depends on the machine.
    assert ms["drawn"] < 50


def test_it_answers_while_the_kernel_is_busy(page_of_runs, show):
    widget = show("runs")
    slider = rows_of(widget)
    page_of_runs.script(
        """window.busy = panel.sessionContext.session.kernel.requestExecute(
               {code: 'import time; time.sleep(60)'}).done;
           await new Promise(done => panel.sessionContext.session.kernel.statusChanged.connect(
               (_, status) => status === 'busy' && done()));"""
    )
    slider.focus()
    page_of_runs.press("ArrowDown", "ArrowDown", "ArrowDown")
    says(widget, "Reminder after 6 rounds")
    assert "al-stale" not in widget.get_attribute("class")
    page_of_runs.script("await panel.sessionContext.session.kernel.interrupt(); await window.busy;")


def test_the_first_picture_comes_in_row_by_row(page_of_runs):
    page = page_of_runs.page
    page.evaluate(
        """() => { window.counts = new Set(); new MutationObserver(() => window.counts.add(
               document.querySelectorAll('.fresh .al-runs-strip-end > span').length)).observe(
               document.body, {subtree: true, childList: true}); }"""
    )
    page_of_runs.script(
        """panel.content.widgets[2].node.classList.add('fresh');
           panel.content.widgets[2].model.sharedModel.setSource(argument);""",
        "from agentlib.nag import Nag\nclass Mine(Nag): pass\nRuns(window=40, nag=Mine)",
    )
    run_cell(page_of_runs, 2)
    page.locator(".fresh .al-runs-card").wait_for()
    page.locator(".fresh .al-runs-strip-end > span").nth(16).wait_for(timeout=MEASURED_MS)
    counts = page.evaluate("[...window.counts]")
    assert any(0 < count < 10 for count in counts), counts
    source = "hello = Runs('hello', window=30); hello"
    page_of_runs.script("panel.content.widgets[2].model.sharedModel.setSource(argument);", source)


def test_a_round_is_chosen_and_opened_in_the_player(page_of_runs, show):
    widget = show("runs")
    slider = rows_of(widget)
    slider.focus()
    page_of_runs.press("ArrowDown", "ArrowDown", "ArrowDown", *["Shift+ArrowRight"] * 8)
    says(widget, "Round 8 writes a short plan")
    widget.get_by_role("button", name="Open round 8 in the player").click()
    player = widget.locator(".al-runs-opened .agentlib")
    player.wait_for()
    assert "Finish the rest" in player.inner_text()
    widget.get_by_role("button", name="Close the player").click()
    player.wait_for(state="detached")
    slider.focus()
    page_of_runs.press("Enter")
    player.wait_for()


def test_a_click_on_a_cell_chooses_its_run_and_its_round(show):
    widget = show("runs")
    cells = widget.locator(".al-runs-strip .al-cells").nth(7)
    longest = max(measured(setting).rounds for setting in Setting().column())
    box = cells.bounding_box()
    cells.click(position={"x": box["width"] * 8.5 / longest, "y": box["height"] / 2})
    says(widget, "Reminder after 8 rounds: .*Round 9 has lost its plan, and a reminder goes out")


def test_another_window_is_measured_when_it_is_chosen(page_of_runs, show):
    widget = show("hello")
    map_of(widget).focus()
    page_of_runs.press("ArrowRight")
    run = measured(Setting("hello", after=3, window=31))
    told = re.compile(f"^31 messages: {run.outcome}, Reminder after 3 rounds$")
    expect(map_of(widget)).to_have_attribute("aria-valuetext", told, timeout=MEASURED_MS)
    page_of_runs.press("ArrowDown", "ArrowDown", "ArrowLeft")
    assert value_text(map_of(widget)).startswith("30 messages")
    assert value_text(rows_of(widget)).endswith("Reminder after 5 rounds")


def test_the_map_fills_itself_and_a_press_on_it_chooses_a_run(page_of_runs, show):
    widget = show("runs")
    widget.get_by_text(re.compile(r"measured on your machine|messages in the window")).wait_for()
    field = map_of(widget)
    box = field.bounding_box()
    field.click(position={"x": box["width"] * 8.5 / 45, "y": box["height"] * 4.5 / 17})
    told = re.compile("^12 messages: 10 of 10 steps done.*Reminder after 5 rounds$")
    expect(field).to_have_attribute("aria-valuetext", told)


def test_the_edge_and_the_reminder_of_the_window_are_sliders(page_of_runs, show):
    widget = show("runs")
    edge = widget.get_by_role("slider", name="Window of the chosen run")
    reminder = widget.get_by_role("slider", name="Reminder of the chosen run")
    reminder.focus()
    page_of_runs.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert value_text(reminder) == "after 6 rounds: 3 of 10 steps done, its list says 4 of 4"
    edge.focus()
    page_of_runs.press("ArrowUp", "ArrowUp")
    told = re.compile("^14 messages: 10 of 10 steps done")
    expect(edge).to_have_attribute("aria-valuetext", told, timeout=MEASURED_MS)
    box, mouse = edge.bounding_box(), page_of_runs.page.mouse
    mouse.move(box["x"] + 40, box["y"] + 12)
    mouse.down()
    mouse.move(box["x"] + 40, box["y"] + 26, steps=4)
    mouse.up()
    assert int(edge.get_attribute("aria-valuenow")) in (11, 12)


def test_the_bet_hides_the_runs_and_a_brace_leads_from_it_to_the_result(page_of_runs, show):
    widget = show("bet")
    assert widget.locator(".al-cells, .al-runs-map, .al-window, .al-runs-legend").count() == 0
    rows_of(widget).focus()
    page_of_runs.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    assert value_text(rows_of(widget)).startswith("Reminder after 7 rounds: you expect")
    page_of_runs.picture("runs-bet", ".al-runs-card >> nth=1")
    widget.get_by_role("button", name="Show what happens").click()
    widget.get_by_text("your bet", exact=True).wait_for()
    says(widget, "Your bet was 7")
    assert widget.locator(".al-runs-brace").count() == 1
    assert widget.locator(".al-runs-map").count() == 0  # it answers the notebook's next question
    page_of_runs.press("Home")
    row = widget.locator(".al-runs-strip:has(.al-runs-bet-tag)")
    assert row.inner_text().split()[2] == "7"


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(page_of_runs, show, theme):
    page_of_runs.theme(theme)
    for name in ("runs", "bet"):
        widget = show(name)
        widget.evaluate("(it, name) => { it.id = name; }", name)
        assert page_of_runs.axe(f"#{name}", colours_only=theme != "light") == []
        page_of_runs.picture(f"runs-{name}-{theme}", f"#{name}")
    page_of_runs.theme("light")


@pytest.mark.parametrize(
    "width_px, text_px", [(420, 14), (640, 14), (930, 21), (930, 28), (420, 28)]
)
def test_nothing_runs_over_and_all_can_be_read(page_of_runs, show, width_px, text_px):
    widget = show("runs")
    widget.evaluate(
        """(it, [width, size]) => {
            it.style.width = `${width}px`;
            it.style.fontSize = `${size}px`;
        }""",
        [width_px, text_px],
    )
    assert widget.evaluate("it => it.scrollWidth <= it.clientWidth")
    over, sizes = widget.evaluate(
        """it => {
            const right = it.getBoundingClientRect().right;
            const shown = [...it.querySelectorAll('*')].filter(one =>
                one.getClientRects().length && !one.closest('.al-hidden'));
            const texts = shown.filter(one => [...one.childNodes].some(
                child => child.nodeType === 3 && child.data.trim()));
            return [shown.filter(one => one.getBoundingClientRect().right > right + 1)
                        .map(one => one.className),
                    texts.map(one => parseFloat(getComputedStyle(one).fontSize))];
        }"""
    )
    assert over == []
    assert min(sizes) >= SMALLEST_TEXT_PX
    page_of_runs.picture(f"runs-{width_px}px-text-{text_px}px", ".al-runs-card")


def test_what_is_pressed_is_large_enough(show):
    widget = show("runs")
    for target in widget.locator("button, .al-runs-rows, .al-runs-map, [role=slider]").all():
        assert target.bounding_box()["height"] >= SMALLEST_TARGET_PX


def test_in_forced_colours_each_kind_of_round_still_looks_its_own(page_of_runs, show):
    widget = show("runs")
    page_of_runs.page.emulate_media(forced_colors="active")
    try:
        looks = widget.locator(".al-runs-legend .al-cells").evaluate_all(
            """cells => cells.map(cell => [...cell.children].map(path => {
                   const {fill, stroke} = getComputedStyle(path);
                   return [fill, stroke, path.getAttribute('d').length];
               }).join())"""
        )
        assert len(set(looks)) == len(looks) == 5
        words = widget.locator(".al-runs-strip-end").nth(3)
        colours = words.evaluate(
            """it => [getComputedStyle(it).color,
                      getComputedStyle(it.closest('.agentlib')).backgroundColor]"""
        )
        assert colours[0] != colours[1]
        page_of_runs.picture("runs-forced-colours", ".al-runs-card")
    finally:
        page_of_runs.page.emulate_media(forced_colors="none")


def test_the_live_region_is_one_element_whose_text_changes(page_of_runs, show):
    widget = show("runs")
    widget.get_by_role("status").evaluate("it => { window.kept = it; }")
    rows_of(widget).focus()
    page_of_runs.press("End")
    says(widget, "Without a list")
    assert widget.get_by_role("status").evaluate("it => it === window.kept && it.isConnected")


def test_a_cell_that_is_run_twice_leaves_one_widget_that_works(page_of_runs, show):
    show("runs")
    widget = show("runs")
    cell = page_of_runs.page.locator(".jp-Notebook .jp-Cell").first
    assert cell.locator(".al-runs-card").count() == 1
    rows_of(widget).focus()
    page_of_runs.press("ArrowDown")
    says(widget, "Reminder after 4 rounds")


def test_after_a_restart_measured_runs_stay_and_others_have_no_answer(page_of_runs):
    source = "from agentlib.nag import Nag\nclass Another(Nag): pass\nRuns(window=44, nag=Another)"
    page_of_runs.script("panel.content.widgets[2].model.sharedModel.setSource(argument);", source)
    run_cell(page_of_runs, 2)
    widget = page_of_runs.page.locator(".jp-Notebook .jp-Cell").nth(2).locator(".al-runs-card")
    widget.locator(".al-runs-strip-end > span").nth(16).wait_for(timeout=MEASURED_MS)
    page_of_runs.script("await panel.sessionContext.session.kernel.restart();")
    rows_of(widget).focus()
    page_of_runs.press("ArrowDown", "ArrowDown", "ArrowDown")
    says(widget, "Reminder after 6 rounds")
    map_of(widget).focus()
    page_of_runs.press("Home")
    says(widget, "No answer from the kernel")
