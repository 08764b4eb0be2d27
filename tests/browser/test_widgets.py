"""The widgets as a learner meets them: real JupyterLab, real Chromium, by keyboard."""

import json
import re
import statistics

import nbformat
import pytest
from lab import Lab
from nbformat.v4 import new_code_cell, new_notebook

from agentlib.runs.trial import play

HOSTILE = "<img src=x onerror=alert(1)>"
WIDGETS = ("board", "chart", "slider", "player", "compare", "live", "walkthrough", "bare")
CELLS = f"""
from agentlib.nag import Nag
from agentlib.todo import TodoManager
from agentlib.runs.trial import Trial, play
from agentlib.widgets import Board, Chart, NagSlider, Player, Walkthrough

class Ranked(TodoManager):
    fields = TodoManager.fields | {{"priority": {{"type": "string", "default": "high"}}}}
todo = Ranked()
todo.update([{{"text": "Read the project", "status": "completed"}},
             {{"text": "Add type hints", "status": "in_progress", "activeForm": "Adding them"}},
             {{"text": {HOSTILE!r}}}])
board = Board(todo, Nag(todo)); board
#
chart = Chart(); chart
#
NagSlider(chart=chart)
#
Player(play("hello"))
#
Player.compare(play(after=3), play(after=8), ("Reminder after 3", "Reminder after 8"))
#
trial = Trial("hello")
Player(trial)
#
Walkthrough()
#
Player([])
"""


@pytest.fixture(scope="module")
def gallery(lab_server, chromium, pictures):
    """One notebook with every widget, opened and run once: a page is dear, a widget is not."""
    url, root = lab_server
    cells = [new_code_cell(cell.strip()) for cell in CELLS.split("#\n")]
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    (root / "gallery").mkdir()
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": python}),
                   root / "gallery" / "widgets.ipynb")
    page = chromium.new_page(viewport={"width": 1280, "height": 1500})
    lab = Lab(page, url, "gallery", pictures)
    lab.open("widgets.ipynb")
    lab.run_all()
    assert lab.errors() == []
    page.wait_for_function("n => document.querySelectorAll('.agentlib').length === n",
                           arg=len(WIDGETS))
    yield lab
    lab.close()


@pytest.fixture
def show(gallery):
    """The widget of a name, fresh: its cell has just been run again."""

    def again(name):
        place = WIDGETS.index(name)
        gallery.script(
            """panel.content.activeCellIndex = argument;
               panel.content.deselectAll();
               await app.commands.execute('notebook:run-cell');""", place)
        widget = gallery.page.locator(".jp-Notebook .jp-Cell").nth(place).locator(".agentlib")
        widget.wait_for()
        widget.scroll_into_view_if_needed()
        return widget

    yield again
    assert gallery.problems == []


def answer(lab, code):
    """What `code` evaluates to in the notebook's kernel, as text."""
    return lab.script(
        """const future = panel.sessionContext.session.kernel.requestExecute(
               {code: '', user_expressions: {it: argument}});
           const reply = await future.done;
           return reply.content.user_expressions.it.data['text/plain'];""",
        code,
    )


def says(widget, words):
    """Wait until the status line says `words` (a pattern), and return all of it."""
    status = widget.get_by_role("status")
    status.filter(has_text=re.compile(words)).wait_for()
    return status.inner_text()


@pytest.mark.parametrize("name", WIDGETS)
def test_axe_finds_nothing_in_either_theme_and_no_layout_breaks(gallery, show, name):
    widget = show(name)
    widget.evaluate("(it, name) => { it.id = name; }", name)
    for theme in ("light", "dark"):
        gallery.theme(theme)
        assert gallery.axe(f"#{name}") == []
        gallery.picture(f"{name}-{theme}", f"#{name}")
    for width, zoom in ((480, 1), (720, 2)):
        widget.evaluate("(it, [width, zoom]) => {"
                        "it.style.width = `${width / zoom}px`; it.style.zoom = zoom; }",
                        [width, zoom])
        assert widget.evaluate("it => it.scrollWidth <= it.clientWidth"), (width, zoom)
        gallery.picture(f"{name}-{width}px-zoom-{zoom}", f"#{name}")


def test_the_slider_is_moved_by_keys_and_keeps_the_focus(gallery, show):
    slider = show("slider")
    after = slider.get_by_role("slider", name="Remind after")
    after.focus()
    gallery.press("ArrowRight", "ArrowRight")
    expected = play(after=5)
    says(slider, f"{expected.steps_done} of 10 steps done, {len(expected.rounds)} rounds")
    assert gallery.focused().startswith("input: Remind after")
    gallery.press("End")
    says(slider, "3 of 10 steps done")
    assert after.get_attribute("aria-valuetext") == "15 rounds"


def test_nothing_moves_at_the_first_move_and_one_is_one(gallery, show):
    slider = show("slider")
    lists = slider.locator(".al-columns")
    top = lists.evaluate("it => it.offsetTop")
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press("ArrowRight", "ArrowRight", "ArrowRight")
    says(slider, "3 of 10 steps done")
    assert lists.evaluate("it => it.offsetTop") == top
    assert slider.locator(".al-fact").last.inner_text().split() == ["reminder", "1"]


def test_keys_in_a_hurry_end_in_the_picture_of_the_last_one(gallery, show):
    slider = show("slider")
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press(*["ArrowRight"] * 4, *["ArrowLeft"] * 5)
    expected = play(after=2)
    says(slider, f"{len(expected.rounds)} rounds, {expected.tokens:,} tokens")
    gallery.page.wait_for_timeout(500)
    says(slider, f"{len(expected.rounds)} rounds, {expected.tokens:,} tokens")
    assert slider.get_attribute("aria-busy") is None


def test_a_run_that_takes_longer_says_so_and_is_dropped_when_overtaken(gallery, show):
    slider = show("slider")
    slow = """
import time
import agentlib.widgets.slider as module
class Slow(module.Trial):
    def __iter__(self):
        for round in super().__iter__():
            time.sleep(0.15)
            yield round
"""
    answer(gallery, f"exec({slow!r}, globals())")
    answer(gallery, "setattr(module, 'Trial', Slow)")
    slider.get_by_role("slider", name="Remind after").focus()
    before = slider.locator(".al-facts").inner_text()
    gallery.press("ArrowLeft")
    slider.get_by_text("running…").wait_for()
    assert slider.get_attribute("aria-busy") == "true"
    gallery.press("End")
    gallery.page.wait_for_timeout(300)
    assert slider.locator(".al-facts").inner_text() == before
    says(slider, "Reminder after 15 rounds.*3 of 10 steps done")
    assert slider.get_by_text("running…").is_hidden()
    answer(gallery, "setattr(module, 'Trial', Trial)")


def test_the_live_region_is_one_element_whose_text_changes(gallery, show):
    slider = show("slider")
    slider.get_by_role("status").evaluate("it => { window.kept = it; }")
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press("End")
    says(slider, "3 of 10")
    assert slider.get_by_role("status").evaluate("it => it === window.kept && it.isConnected")


def test_a_key_is_answered_within_a_moment(gallery, show, pictures):
    slider = show("slider")
    slider.get_by_role("slider", name="Remind after").focus()

    def answered_after(key):
        slider.get_by_role("status").evaluate(
            """it => { window.answered = new Promise(done => new MutationObserver(
                   (_, seen) => { seen.disconnect(); done(performance.now()); }).observe(
                   it, {subtree: true, childList: true, characterData: true}));
               addEventListener('keydown', () => { window.pressed = performance.now(); },
                   {capture: true, once: true}); }""")
        gallery.press(key)
        return gallery.script("return await window.answered - window.pressed;")

    sweep = [answered_after(key) for key in ["ArrowRight"] * 12 + ["ArrowLeft"] * 12]
    finishing = [answered_after(key) for key in ["ArrowRight", "ArrowLeft"] * 5]
    measured = {"sweep_median_ms": round(statistics.median(sweep)),
                "finishing_runs_median_ms": round(statistics.median(finishing))}
    (pictures.parent / "latency.json").write_text(json.dumps(measured) + "\n")
    # The aim is 150 ms on a machine that does nothing else; a test must not fail on a busy one.
    assert measured["sweep_median_ms"] < 500, (sweep, finishing)


def test_the_slider_moves_the_mark_in_its_chart(gallery, show):
    chart, slider = show("chart"), show("slider")
    row = chart.locator("[aria-current]")
    assert row.locator("th").inner_text().split()[-1] == "3"
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press("ArrowRight")
    row.filter(has_text=f"{play(after=4).tokens:,}").wait_for()
    bands = chart.locator("[id^=threshold-]:visible")
    assert {band.get_attribute("id").split("-")[1] for band in bands.all()} == {"4"}


def test_the_text_of_the_chart_can_be_read_at_every_width(gallery, show):
    chart = show("chart")
    for width in (844, 480, 320):
        chart.evaluate("(it, width) => { it.style.width = `${width}px`; }", width)
        sizes = chart.locator(".al-chart").evaluate("""it => {
            const scale = it.clientWidth / it.firstChild.viewBox.baseVal.width;
            return [...it.querySelectorAll('text')].filter(text => text.getClientRects().length)
                .map(text => parseFloat(getComputedStyle(text).fontSize) * scale); }""")
        assert min(sizes) >= 10.5, (width, min(sizes))


def test_a_slider_whose_kernel_is_busy_says_so_and_catches_up(gallery, show):
    slider = show("slider")
    gallery.script("panel.sessionContext.session.kernel.requestExecute({code: argument});",
                   "import time; time.sleep(4)")
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press("End")
    says(slider, "No answer from the kernel")
    assert "al-stale" in slider.get_attribute("class")
    assert slider.get_attribute("aria-busy") is None  # a region that is busy is not read out
    says(slider, "3 of 10 steps done")
    assert "al-stale" not in slider.get_attribute("class")


def test_after_a_restart_a_widget_says_that_nobody_answers(gallery, show):
    slider, player = show("slider"), show("live")
    gallery.script("""await panel.sessionContext.session.kernel.restart();
                      await panel.sessionContext.session.kernel.info;""")
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press("End")
    says(slider, "No answer from the kernel.*run this cell again")
    assert "al-stale" in slider.get_attribute("class")
    gallery.picture("slider-restarted", ".agentlib:has(input[type=range])")
    player.get_by_role("button", name="Ask the model").click()
    says(player, "No answer from the kernel.*run this cell again")
    gallery.run_all()  # for the tests that follow


def test_a_cell_that_is_run_twice_leaves_one_widget_that_works(gallery, show):
    show("slider")
    slider = show("slider")
    assert slider.count() == 1
    slider.get_by_role("slider", name="Remind after").focus()
    gallery.press("End")
    says(slider, "3 of 10 steps done")
