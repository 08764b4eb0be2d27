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


def test_a_hostile_todo_is_shown_as_text(gallery, show):
    board = show("board")
    assert board.get_by_text(HOSTILE).is_visible()
    assert board.locator("img").count() == 0


def test_a_board_shows_the_fields_that_a_subclass_adds(show):
    assert show("board").get_by_text("priority: high").count() == 3


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


def test_the_player_goes_forward_back_and_jumps(gallery, show):
    player = show("player")
    player.get_by_role("button", name="Next").focus()
    gallery.press("Enter")
    assert "todo" in says(player, "Round 1 of")
    gallery.press("ArrowRight", "ArrowRight")
    says(player, "Round 3 of")
    gallery.press("ArrowLeft")
    says(player, "Round 2 of")
    gallery.press("End")
    says(player, r"Round (\d+) of \1:")
    assert player.get_by_role("button", name="Next").get_attribute("aria-disabled") == "true"
    assert gallery.focused().startswith("button: Next")
    player.get_by_role("option", name="reminder").first.click()
    says(player, "then a reminder")
    assert player.locator(".al-is-reminder").is_visible()
    player.get_by_role("listbox", name="Rounds").focus()
    gallery.press("Home", "ArrowDown")
    says(player, "Round 1 of")


def test_the_player_plays_by_itself_and_stops(gallery, show):
    player = show("player")
    player.get_by_role("button", name="Play").click()
    says(player, "Round 2 of")
    player.get_by_role("button", name="Stop").click()
    shown = player.get_by_role("status").inner_text()
    gallery.page.wait_for_timeout(1500)
    assert player.get_by_role("status").inner_text() == shown


def test_a_live_run_asks_the_model_only_when_told_to(gallery, show):
    player = show("live")
    assert answer(gallery, "len(trial.model.requests)") == "0"
    for number in (1, 2):
        player.get_by_role("button", name="Ask the model").click()
        says(player, f"Round {number}:")
        assert answer(gallery, "len(trial.model.requests)") == str(number)


@pytest.fixture
def slowly(gallery):
    """Every round of a Trial takes a second, from its first one on."""
    code = """
import time
plain = Trial.__iter__
def slowly(self):
    for round in plain(self):
        time.sleep(1)
        yield round
Trial.__iter__ = slowly
"""
    answer(gallery, f"exec({code!r}, globals())")
    yield
    answer(gallery, "setattr(Trial, '__iter__', plain)")


def test_a_live_run_says_that_it_asks_and_takes_no_second_press(gallery, show, slowly):
    player = show("live")
    ask = player.get_by_role("button", name="Ask the model")
    ask.focus()
    gallery.press("Enter")
    says(player, "Asking the model, and doing what it asks for")
    assert ask.get_attribute("aria-disabled") == "true"
    gallery.press("Enter")
    says(player, "Round 1: calls todo. List: 0 of 3 completed")
    assert gallery.focused().startswith("button: Ask the model")
    assert answer(gallery, "len(trial.model.requests)") == "1"


def test_a_live_run_says_that_it_is_over_as_soon_as_it_is(gallery, show):
    player = show("live")
    next_ = player.get_by_role("button", name=re.compile("Ask the model|Next"))
    next_.focus()
    rounds = len(play("hello").rounds)
    for number in range(1, rounds + 1):
        assert "Ask" in next_.inner_text()
        gallery.press("Enter")
        said = says(player, f"Round {number}\\b")
    assert said.startswith(f"Round {rounds} of {rounds}: says")
    assert said.endswith("The run is over.")
    assert next_.get_attribute("aria-disabled") == "true"
    assert gallery.focused().startswith("button: Next")


def test_who_reads_a_message_stops_the_playing(gallery, show):
    player = show("player")
    player.get_by_role("button", name="Play").click()
    says(player, "Round 1 of")
    player.get_by_text("as JSON").first.focus()
    player.get_by_role("button", name="Play").wait_for()
    shown = player.get_by_role("status").inner_text()
    gallery.page.wait_for_timeout(1500)
    assert player.get_by_role("status").inner_text() == shown
    assert gallery.focused() == "summary: as JSON"


def test_the_focus_stays_in_a_player_whose_message_is_replaced(gallery, show, slowly):
    player = show("live")
    player.get_by_role("button", name="Ask the model").click()
    player.get_by_text("as JSON").first.focus()
    says(player, "Round 1:")
    assert gallery.focused().startswith("div: Rounds")
    gallery.press("Home")
    says(player, "Before the first round")


def test_a_player_says_what_it_was_not_given(show):
    player = show("bare")
    says(player, "^This run has no rounds.$")
    assert player.get_by_text("The prompt was not given to this player.").is_visible()
    assert player.get_by_text("The list").count() == 0


def test_a_page_of_rounds_is_a_key_away(gallery, show):
    player = show("compare")
    player.get_by_role("listbox", name="Rounds").focus()
    gallery.press("Home", "PageDown")
    says(player, "Round 10 of")
    gallery.press("PageUp")
    says(player, "Before the first round")


def test_a_player_that_is_gone_asks_nothing_more(gallery, show):
    player = show("live")
    player.get_by_role("button", name="Play").click()
    says(player, "Round 1:")
    gallery.script("await app.commands.execute('notebook:clear-cell-output');")
    player.wait_for(state="detached")
    gallery.page.wait_for_timeout(300)
    asked = answer(gallery, "len(trial.model.requests)")
    gallery.page.wait_for_timeout(2000)
    assert answer(gallery, "len(trial.model.requests)") == asked


def test_two_runs_open_where_they_part(gallery, show):
    player = show("compare")
    assert "then a reminder" in says(player, "Round 4 of")
    player.get_by_role("button", name="First step").click()
    says(player, "Before the first round")
    player.get_by_role("button", name="First difference").click()
    says(player, "Round 4 of")


def test_the_lists_of_two_runs_stand_side_by_side_above_the_messages(gallery, show):
    player = show("compare")
    for part in (".al-side", ".al-messages"):
        one, other = (each.bounding_box() for each in player.locator(part).all())
        assert one["y"] == other["y"]
        assert one["x"] + one["width"] < other["x"]
    for part in (".al-round-titles", ".al-side"):
        assert "Reminder after 8" in player.locator(part).last.inner_text()
    assert player.locator(".al-side").first.bounding_box()["y"] < (
        player.locator(".al-messages").first.bounding_box()["y"])
    player.get_by_role("listbox", name="Rounds").focus()
    gallery.press("End")
    says(player, "Reminder after 8: over")
    assert player.get_by_text("This run is over: it took 12 rounds.").is_visible()


def test_the_walkthrough_by_keyboard(gallery, show):
    walk = show("walkthrough")
    walk.get_by_role("button", name="Next").focus()
    for step in (2, 3, 4, 5):
        gallery.press("Enter" if step % 2 else "ArrowRight")
        says(walk, f"Step {step} of 5")
        assert walk.locator(".al-lit").count() > 0
    gallery.press("Home")
    says(walk, "Step 1 of 5")
    walk.get_by_role("button", name="Step 4").click()
    says(walk, "Replace")


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


def test_the_stop_button_stops_a_run_and_leaves_a_history_that_can_be_sent(gallery, show):
    board = show("board")
    prepared = """
from agentlib.loop import rounds
from agentlib.practice.model import PracticeModel
from agentlib.workspace import Workspace
def endless(request):
    return [{"type": "tool_use", "name": "bash", "input": {"command": "sleep 0.3"}}]
workspace = Workspace.sample("hello")
messages = [{"role": "user", "content": "Go on for ever."}]
run = dict(tools=workspace.tools(), model="practice", max_tokens=500)
"""
    answer(gallery, f"exec({prepared!r}, globals())")
    gallery.script("panel.sessionContext.session.kernel.requestExecute({code: argument});", """
for round in board.follow(rounds(PracticeModel(endless).client(), messages, **run)):
    pass""")
    says(board, "Round 2")
    gallery.script("await panel.sessionContext.session.kernel.interrupt();")
    says(board, "Stopped")
    brief = "PracticeModel(lambda request: [{'type': 'text', 'text': 'Done.'}]).client()"
    assert answer(gallery, f"[*rounds({brief}, messages, **run)][-1].text") == "'Done.'"
