"""Each widget in JupyterLab: drawn, moved by keys, named, and there on another day."""

import json
import re

from lab import SHOWN
from playwright.sync_api import expect

from tests.support.recorded import ClaudeCode, to_lines

STATES = "application/vnd.jupyter.widget-state+json"
RUN_VIEW = "from lesson import play\nrun = play('ten_steps', after=6)\nrun"
# The same, which moves in a second: only the tests of the motion itself wait for its ten rounds.
QUICK_VIEW = f"from lesson.widgets import run_view\nrun_view.REPLAY_MILLISECONDS = 100\n{RUN_VIEW}"
HOW_SOON = "from lesson import HowSoon\nHowSoon(after=5)"
DISCONNECTED = re.compile("jupyter-widgets-disconnected")
SEAT = "from lesson import Seat\nSeat()"
WALK = "from lesson import Walk\nWalk()"
SMALL = {"width": 844, "height": 600}


def states(lab):
    """Return the widgets in the saved file, by their ids."""
    saved = json.loads(lab.path.read_text(encoding="utf-8"))["metadata"].get("widgets", {})
    return saved.get(STATES, {}).get("state", {})


def check_is_kept(lab, place=0, days=1):
    """Check that a widget is saved as it is, and drawn again on other days."""
    lab.save()
    kept = set(states(lab))
    shown = "svg, table"
    picture = lab.show(place).locator(shown).first.inner_html()
    for _ in range(days):
        lab.reopen()
        assert lab.show(place).locator(shown).first.inner_html() == picture
        assert lab.blank_widgets() == []
        lab.save()
        assert set(states(lab)) == kept


def check_accessible(lab, place=0):
    """Check with all rules of axe, light and dark."""
    lab.page.set_viewport_size({"width": 1280, "height": 1100})  # axe checks what is in view
    lab.show(place).evaluate("it => { it.id = 'picture'; }")
    for theme in ("light", "dark"):
        lab.theme(theme)
        assert lab.axe("#picture") == [], theme


def show_small(lab):
    """Run the first cell in the smallest window, and return its widget and the lowest point."""
    lab.page.set_viewport_size(SMALL)
    lab.script("app.shell.collapseLeft();")
    lab.run_cell(0)
    panel = lab.page.locator(f"{SHOWN} .jp-WindowedPanel-outer").bounding_box()
    return lab.show(0), panel["y"] + panel["height"]


def bottom_of(element):
    box = element.bounding_box()
    return box["y"] + box["height"]


def test_run_view(notebook):
    lab = notebook(QUICK_VIEW)
    lab.run_cell(0)
    view = lab.show(0)
    expect(lab.page.locator(f"{SHOWN} .lp-run")).to_have_count(1)
    expect(view.locator(".lp-run-tape g")).to_have_count(10)
    expect(view.get_by_role("button", name="play or pause")).to_be_visible()
    expect(view.get_by_role("slider", name="round 10")).to_be_visible()  # moved by Play
    expect(view.locator(".lp-timeline > li")).to_have_count(11)
    check_below_the_tape(view)
    fold = view.locator(".lp-changes details").first
    fold.locator("summary").press("Enter")
    expect(fold.locator("pre > ins").first).to_be_visible()
    for number in (10, 9):
        view.get_by_role("slider", name=f"round {number}").press("ArrowLeft")
    expect(view.get_by_role("slider", name="round 8")).to_be_visible()
    expect(view).to_contain_text("reads a reminder")
    expect(view.locator(".lp-changes")).to_contain_text("round 8 changed no file")
    expect(view.locator(".lp-card")).to_have_text("its plan is not sent")
    moves = "it => it.getAnimations().length"
    assert view.locator(".lp-card").evaluate(moves) == 0  # it has left before round 9
    view.get_by_role("slider").press("ArrowLeft")
    expect(view.locator(".lp-card.lp-is-sent")).to_have_css("animation-name", "lp-return")
    view.get_by_role("slider").press("ArrowRight")
    expect(view.locator(".lp-card.lp-is-gone")).to_have_css("animation-name", "lp-leave")
    lab.page.emulate_media(reduced_motion="reduce")
    expect(view.locator(".lp-card")).to_have_css("animation-name", "none")
    expect(view.locator(".lp-run-tape g.lp-later")).to_have_count(2)
    check_accessible(lab)  # colours are measured at rest
    lab.page.emulate_media(reduced_motion="no-preference")
    view.get_by_role("slider").press("End")
    expect(view.get_by_role("slider", name="round 10")).to_be_visible()
    check_is_kept(lab, days=2)
    size = lab.path.stat().st_size
    for _ in range(4):
        lab.run_all()
    lab.save()
    assert lab.path.stat().st_size < 1.1 * size, "only the widgets of the last run are saved"
    lab.page.wait_for_timeout(1000)  # until it moves
    wait_for_rest(lab)


def wait_for_rest(lab):
    """Wait until no run moves. If its notebook is closed, ipywidgets' Play goes on, and fails."""
    expect(lab.page.locator(f"{SHOWN} .fa-pause")).to_have_count(0)


def check_below_the_tape(view):
    """Check that a step's mark and ▲ are below their round of the tape, to the pixel."""
    centre = "it => { const box = it.getBoundingClientRect(); return box.x + box.width / 2; }"
    tape, timeline = view.locator(".lp-run-tape g.lp-d"), view.locator(".lp-timeline g.lp-d")
    expect(timeline).to_have_count(tape.count())
    for place in range(tape.count()):
        above, below = (one.nth(place).evaluate(centre) for one in (tape, timeline))
        assert abs(above - below) < 1, place
    thumb, last = view.locator(".noUi-handle"), view.locator(".lp-run-tape g").last
    assert abs(thumb.evaluate(centre) - last.evaluate(centre)) < 1
    assert view.evaluate("it => it.scrollWidth <= it.clientWidth"), "nothing is cut"
    texts = view.locator(".lp-timeline > li > div")
    assert texts.evaluate_all("all => all.every(it => it.scrollHeight <= it.clientHeight)")


# How far the text that ends farthest right leaves its widget, in pixels.
LEAVES = """it => Math.max(...[...it.querySelectorAll('*')]
    .filter(one => !one.children.length && one.textContent.trim() && one.checkVisibility()
        && !one.closest('style, svg'))
    .map(one => one.getBoundingClientRect().right)) - it.getBoundingClientRect().right"""

# The pixels between each text of a scale and the next one, of those that can be seen.
GAPS = """(it, name) => {
    const boxes = [...it.querySelectorAll(name)].filter(one => one.checkVisibility(
        {visibilityProperty: true})).map(one => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return range.getBoundingClientRect();
        });
    return boxes.slice(1).map((box, place) => box.left - boxes[place].right);
}"""


def check_each_round(view, last):
    """Check that no round has a text that leaves the widget, or another height."""
    slider, heights = view.get_by_role("slider"), set()
    slider.press("Home")
    for number in range(1, last + 1):
        expect(view.get_by_role("slider", name=f"round {number}", exact=True)).to_be_visible()
        if number > 1:
            expect(view.locator(".lp-run-tape g:not(.lp-later)")).to_have_count(number)
        assert view.evaluate(LEAVES) <= 1, number
        heights.add(round(view.bounding_box()["height"]))
        slider.press("ArrowRight")
    return heights


def test_no_text_leaves_its_widget_and_nothing_jumps_also_with_the_request_in_place_of_the_list(
    notebook,
):
    lab = notebook(QUICK_VIEW, "play('ten_steps', todo=None)")
    for place, last in enumerate((10, 11)):
        lab.run_cell(place)
        view = lab.show(place)
        expect(view.get_by_role("slider", name=f"round {last}")).to_be_visible()
        wait_for_rest(lab)
        for width in (1600, 1280, 844):
            lab.page.set_viewport_size({"width": width, "height": 800})
            assert len(check_each_round(view, last)) == 1, width
        view.get_by_role("button", name="what the model sees").click()
        for width in (844, 1280):
            lab.page.set_viewport_size({"width": width, "height": 800})
            assert len(check_each_round(view, last)) == 1, width
        expect(view.locator(".lp-part[open]")).to_have_count(1)
    check_accessible(lab, 1)


def test_request_of_each_round_is_shown_part_by_part(notebook):
    lab = notebook(QUICK_VIEW)
    lab.run_cell(0)
    view = lab.show(0)
    expect(view.get_by_role("slider", name="round 10")).to_be_visible()
    wait_for_rest(lab)
    view.get_by_role("button", name="what the model sees").click()
    for number in (10, 9):
        view.get_by_role("slider", name=f"round {number}").press("ArrowLeft")
    part, lines = view.locator(".lp-part[open]"), view.locator(".lp-request > div")
    chosen, reply = part.locator("summary"), view.locator(".lp-as-reply > summary").last
    expect(part).to_contain_text("The package's Nag wrote this, and the loop put it inside")
    assert bottom_of(chosen) < bottom_of(reply) <= bottom_of(lines), "what is new is in view"
    lost = view.locator("summary").filter(has_text="with its plan: not sent")
    assert 0 <= lost.bounding_box()["y"] - lines.bounding_box()["y"] < 2, "it stays in view"
    lost.press("Enter")
    expect(part).to_contain_text("The program has left these messages out")
    system = view.locator(".lp-part").first
    system.locator("summary").press("Enter")
    expect(part).to_have_count(1)
    expect(part).to_contain_text("You are a coding agent.")
    check_is_kept(lab)
    expect(lab.show(0).locator(".lp-part").first).to_contain_text("You are a coding agent.")


def test_saved_widget_that_has_no_kernel_has_nothing_that_moves(notebook):
    """Its picture cannot follow, so a pin that moves would say another thing than the picture."""
    lab = notebook(HOW_SOON, QUICK_VIEW)
    lab.run_all()
    lab.page.wait_for_timeout(1000)  # until the run moves
    wait_for_rest(lab)
    lab.save()
    lab.reopen()
    for place in (0, 1):
        view = lab.show(place)
        check_has_no_kernel(view)


def check_has_no_kernel(view):
    """Check that a widget says in a line above its picture that its kernel has ended, and is still.

    That line is only in the style sheet, so a saved widget has it on another day as well.
    """
    expect(view).to_have_class(DISCONNECTED)
    line = view.evaluate("it => getComputedStyle(it, '::before').content")
    assert "The kernel of this picture has ended" in line
    for handle in view.locator(".noUi-handle").all():
        assert handle.evaluate("it => { it.focus(); return document.activeElement != it; }")
    expect(view.get_by_role("button")).to_have_count(0)
    expect(view.locator("textarea:not([readonly])")).to_have_count(0)


# Each ends the kernel as something else than the menu of the page does, such as a hub's culler or a
# lack of memory. A page learns of the first one when it next asks the server.
ENDS = {
    "culled": ("DELETE", ""),
    "restarted in another tab": ("POST", "/restart"),
    "dead": ("", "import os; os._exit(1)"),
    "exchanged": ("", ""),
}


def end_kernel(lab, how):
    """End the kernel of the notebook, and wait until the page knows."""
    method, path = ENDS[how]
    if method:
        answered = lab.script(
            """const {kernel} = panel.sessionContext.session;
               const token = /_xsrf=([^;]+)/.exec(document.cookie)[1];
               const [method, path] = argument;
               const url = `/api/kernels/${kernel.id}${path}`;
               return (await fetch(url, {method, headers: {'X-XSRFToken': token}})).ok;""",
            [method, path],
        )
        assert answered
    elif path:
        lab.script("panel.sessionContext.session.kernel.requestExecute({code: argument});", path)
    else:
        lab.script("await panel.sessionContext.changeKernel({name: 'python3'});")


def test_widgets_say_that_their_kernel_has_ended_and_their_pins_are_where_they_are_drawn(notebook):
    lab = notebook(HOW_SOON, QUICK_VIEW, SEAT, WALK)
    lab.run_all()
    lab.page.wait_for_timeout(1000)  # until the run moves
    wait_for_rest(lab)
    soon = lab.show(0)
    end_kernel(lab, "culled")
    pin = soon.locator(".noUi-handle").first
    for _ in range(3):  # the page does not know yet
        pin.press("ArrowRight")
    expect(pin).to_have_attribute("aria-valuenow", "8.0")
    lab.script("await app.serviceManager.sessions.refreshRunning();")
    expect(pin).to_have_attribute("aria-valuenow", "5.0")
    expect(soon).to_contain_text("nag threshold: 5")
    for place in range(4):
        check_has_no_kernel(lab.show(place))
    lab.save()  # for the first time
    pins = [one["state"] for one in states(lab).values() if one["model_name"] == "IntSliderModel"]
    assert [one["value"] for one in pins if "threshold" in one["description"]] == [5]
    lab.reopen()
    assert lab.blank_widgets() == []
    for place in range(4):
        check_has_no_kernel(lab.show(place))
    lab.run_cell(0)
    lab.show(0).get_by_role("slider", name="nag threshold: 5").press("ArrowRight")
    expect(lab.show(0)).to_contain_text("the files show 3 of 10")


def test_widget_says_that_its_kernel_has_ended_however_it_ended(notebook):
    lab = notebook(HOW_SOON)
    for how in ("restarted in another tab", "exchanged", "dead"):
        lab.run_cell(0)
        expect(lab.show(0)).not_to_have_class(DISCONNECTED)
        end_kernel(lab, how)
        try:
            expect(lab.show(0)).to_have_class(DISCONNECTED, timeout=30_000)
        except AssertionError:
            # In one of some ten runs of all tests, the page was not told of a restart from another
            # tab, for a reason that is not known.
            end_kernel(lab, how)
        check_has_no_kernel(lab.show(0))
    lab.page.get_by_role("button", name="Ok").click()  # JupyterLab says that the last one died


def test_new_run_moves_and_the_saved_one_does_not(notebook):
    lab = notebook(RUN_VIEW, QUICK_VIEW)
    lab.run_cell(0)
    view = lab.show(0)
    # A busy machine draws some rounds only, so none of them is waited for by its number.
    expect(view.get_by_role("slider", name=re.compile("^round [2-9]$"))).to_be_visible()
    lab.save()
    (play,) = (one["state"] for one in states(lab).values() if one["model_name"] == "PlayModel")
    assert play["max"] == 10 and not play.get("playing")
    expect(view.get_by_role("slider", name="round 10")).to_be_visible()
    wait_for_rest(lab)
    lab.run_cell(1)
    quick = lab.show(1)
    for _ in range(2):
        expect(quick.get_by_role("slider", name="round 10")).to_be_visible()
        wait_for_rest(lab)
        quick.get_by_role("button", name="back to the start").click()
        expect(quick.get_by_role("slider", name="round 1", exact=True)).to_be_visible()
        quick.get_by_role("button", name="play or pause").click()
    expect(quick.get_by_role("slider", name="round 10")).to_be_visible()
    wait_for_rest(lab)
    view = lab.show(0)
    view.get_by_role("slider", name="round 10").press("Home")
    expect(view.get_by_role("slider", name="round 1", exact=True)).to_be_visible()  # it is drawn
    lab.save()
    for _ in range(2):
        lab.reopen()
        view = lab.show(0)
        lab.page.wait_for_timeout(2000)
        expect(view.locator(".widget-label", has_text=re.compile("^round 1$"))).to_be_visible()
        expect(view.locator(".fa-play")).to_have_count(1)
        lab.save()


def test_reader_who_wants_no_motion_sees_the_end_at_once(notebook):
    lab = notebook(RUN_VIEW)
    lab.page.emulate_media(reduced_motion="reduce")
    lab.run_cell(0)
    view = lab.show(0)
    expect(view.locator(".lp-still")).to_contain_text("Finish the rest")
    expect(view.locator(".lp-run-box")).to_be_hidden()
    expect(view.locator(".lp-run-box")).to_be_visible()
    expect(view.get_by_role("slider", name="round 10")).to_be_visible()
    wait_for_rest(lab)
    lab.page.emulate_media(reduced_motion="no-preference")


def test_how_soon(notebook):
    lab = notebook(HOW_SOON)
    view, lowest = show_small(lab)
    scale = view.locator(".lp-scale")
    expect(view).to_contain_text("the files show 10 of 10")
    view.get_by_role("slider", name="nag threshold: 5").press("ArrowRight")
    expect(view.get_by_role("slider", name="nag threshold: 6")).to_be_focused()
    expect(view).to_contain_text("the files show 3 of 10")
    expect(scale.locator("b")).to_have_text([*"····", "10", "3", *"·········"])
    assert bottom_of(view) <= lowest, "all of it is in view"
    below = scale.locator("small").evaluate_all("all => all.map(it => it.offsetTop)")
    assert len(set(below)) == 1, "all thresholds are on one line, below their bars"
    for thumb in view.locator(".noUi-handle").all():
        box = thumb.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    view.get_by_role("slider", name="window: 12 messages").press("ArrowRight")
    expect(view.get_by_role("slider", name="window: 14 messages")).to_be_focused()
    expect(view).to_contain_text("the files show 10 of 10")
    expect(view.locator(".lp-rows")).to_have_count(0)
    view.get_by_role("button", name="try all 15").click()
    expect(scale).not_to_contain_text(re.compile("[·…]"))
    expect(view.locator(".lp-rows > li")).to_have_count(15)
    lab.script("app.shell.expandLeft();")  # half of the window is the file browser's
    for name in ("b", "small"):
        gaps = scale.evaluate(GAPS, name)
        assert len(gaps) == 14 and min(gaps) > 0, f"{name}: no number touches the next one"
    lab.page.set_viewport_size({"width": 1280, "height": 900})
    check_accessible(lab)
    check_is_kept(lab)


def test_seat(notebook):
    lab = notebook(SEAT)
    seat, lowest = show_small(lab)
    field = seat.get_by_role("textbox", name="The steps that are left")
    button = seat.get_by_role("button", name="Compare with the plan")
    assert bottom_of(field) < bottom_of(button) <= lowest, "the field and the button are in view"
    prompt = seat.locator("pre:visible")
    expect(prompt).to_contain_text("easy to read, tested and documented")
    for shown in (prompt, seat.get_by_text("Update your todos.").first):
        expect(shown).to_be_in_viewport()
    line, text = seat.locator("summary").filter(has_text="import csv"), seat.locator("pre:visible")
    colour = "it => getComputedStyle(it).backgroundColor"
    closed = line.evaluate(colour)
    line.press("Enter")
    expect(text).to_contain_text("load_old")
    assert line.evaluate(colour) != closed, "a line that is open looks like it"
    assert 0 <= text.bounding_box()["y"] - bottom_of(line) < 60, "its text is under its line"
    expect(text).to_be_in_viewport()
    lab.page.set_viewport_size({"width": 1280, "height": 800})
    beside, lines = text.bounding_box(), text.locator("..").evaluate("it => it.clientHeight / 18")
    assert beside["x"] > line.bounding_box()["x"] + line.bounding_box()["width"]
    assert lines >= 20 and bottom_of(text.locator("..")) <= 800, "it is seen with all its lines"
    lab.page.set_viewport_size(SMALL)
    field.press_sequentially("Add tests")
    field.press("Tab")
    expect(button).to_be_focused()
    check_accessible(lab)
    button.press("Enter")
    expect(seat.locator(".lp-lost")).to_have_count(3)
    expect(seat).to_contain_text("7 of 10")
    back = seat.get_by_role("button", name="Back to the messages")
    assert bottom_of(back) <= lowest, "the button is in view"
    check_accessible(lab)
    check_is_kept(lab)
    expect(lab.show(0).locator(".lp-lost")).to_have_count(3)
    expect(lab.show(0).locator("textarea")).to_have_value("Add tests")  # hidden while compared


def test_walk(notebook):
    lab = notebook(WALK)
    walk, lowest = show_small(lab)
    line = walk.get_by_role("slider")
    reached = walk.locator("svg[role=img] g:not(.lp-later)")  # not those of the legend
    expect(reached).to_have_count(1)
    for number in range(1, 30):
        walk.get_by_role("slider", name=f"step {number} of").press("ArrowRight")
        expect(reached).to_have_count(number + 1)
        if walk.locator("svg[role=img] .lp-error").count():
            break
    expect(walk).to_contain_text("○ rejects the list")
    walk.get_by_role("button", name="this line").press("Enter")
    expect(walk).to_contain_text(re.compile(r"✓ line \d+ rejects the list"))
    expect(walk).to_contain_text("Yes: it rejects the list.")
    expect(walk.locator(".lp-code .lp-error")).to_contain_text("only one item can be in_progress")
    assert bottom_of(line) < bottom_of(walk.locator(".lp-now")) <= lowest
    expect(walk.locator(".lp-code > div:visible")).to_have_count(8)
    check_whole_loop_is_in_view(lab)
    expect(walk.get_by_role("button", name="play or pause")).to_be_visible()
    check_accessible(lab)
    check_is_kept(lab)


def check_whole_loop_is_in_view(lab):
    """Check that one sees each line of the loop while it runs, also that to which it jumps next."""
    lab.page.set_viewport_size({"width": 1280, "height": 800})
    panel = lab.page.locator(f"{SHOWN} .jp-WindowedPanel-outer").bounding_box()
    walk, lines = lab.show(0), lab.page.locator(f"{SHOWN} .lp-code > div")
    walk.evaluate("it => it.scrollIntoView()")
    walk.get_by_role("slider").press("Home")
    expect(walk.get_by_role("slider", name=re.compile("^step 1 "))).to_be_visible()
    expect(walk.locator(".lp-path")).to_have_text("agent_loop()")
    texts = lines.locator("code").all_text_contents()
    assert "def agent_loop" in texts[0] and "results" in texts[-1]
    assert bottom_of(lines.last) <= panel["y"] + panel["height"]
    heights = set()
    for number in range(1, 20):
        expect(walk.get_by_role("slider", name=re.compile(f"^step {number} "))).to_be_visible()
        heights.add(walk.bounding_box()["height"])
        walk.get_by_role("slider").press("ArrowRight")
    assert len(heights) == 1, "nothing below it jumps"


def test_picture_that_was_drawn_before_its_widget_was_read_is_drawn_again(notebook):
    """A busy machine meets this: the kernel is connected before the notebook's widgets are read."""
    lab = notebook(HOW_SOON)
    lab.run_cell(0)
    lab.show(0)
    lab.script(
        """const lib = (await window._JUPYTERLAB['@jupyter-widgets/jupyterlab-manager']
               .get('./index'))();
           const manager = await new Promise(given => lib.registerWidgetManager(
               panel.context, panel.content.rendermime, [{set manager(one) { given(one); }}]));
           const {outputArea} = panel.content.widgets[0];
           const output = outputArea.widgets[0].widgets.find(one => one.renderModel);
           const model = outputArea.model.get(0);
           const {get_model} = manager;
           manager.get_model = () => Promise.reject(new Error('widget model not found'));
           await output.renderModel(model);
           manager.get_model = get_model;"""
    )
    assert lab.blank_widgets() == ["Error displaying widget: model not found"]
    lab.script(
        """const lib = (await window._JUPYTERLAB['@jupyter-widgets/jupyterlab-manager']
               .get('./index'))();
           lib.registerWidgetManager(panel.context, panel.content.rendermime,
               [{set manager(one) { one._restored.emit(); }}]);"""
    )
    lab.show(0)
    assert lab.blank_widgets() == []


def test_notebook_of_somebody_else_shows_text(notebook):
    """A notebook that is not trusted has no widgets: its outputs are read as text."""
    lab = notebook(QUICK_VIEW)
    lab.run_all()
    lab.page.wait_for_timeout(1000)  # until the run moves
    wait_for_rest(lab)
    lab.save()
    lab.close_notebooks()
    source = lab.path.read_text(encoding="utf-8")
    lab.path.write_text(source.replace("after=6", "after = 6"), encoding="utf-8")
    lab.reopen()
    output = lab.page.locator(f"{SHOWN} .jp-OutputArea")
    expect(output).to_contain_text("Run this cell to draw this as a picture.")
    expect(output).to_contain_text("the files show 3 of 10, its list says 4 of 4")
    expect(output).not_to_contain_text("children=")


SECRET = "sk-ant-typed-in-a-notebook"
SLIDER = "from ipywidgets import IntSlider\nIntSlider(value=7)"


def test_notebook_without_the_lesson_is_not_changed(notebook):
    lab = notebook(SLIDER)
    lab.run_all()
    lab.save()
    assert "widgets" not in json.loads(lab.path.read_text(encoding="utf-8"))["metadata"]


def test_secret_that_is_typed_beside_a_picture_is_not_saved(notebook):
    fields = "from ipywidgets import Password, Text, VBox\nVBox([Password(), Text()])"
    lab = notebook(SEAT, fields, "from getpass import getpass\nkey = getpass('Key: ')")
    lab.run_cell(0)
    lab.run_cell(1)
    for field in lab.page.locator(f"{SHOWN} .widget-text input").all():
        field.fill(SECRET)
        field.press("Tab")
    lab.script("panel.content.activeCellIndex = 2; app.commands.execute('notebook:run-cell');")
    prompt = lab.page.locator(f"{SHOWN} .jp-Stdin-input")
    prompt.fill(SECRET)
    prompt.press("Enter")
    expect(prompt).to_have_count(0)
    for _ in range(2):
        lab.save()
        assert SECRET not in lab.path.read_text(encoding="utf-8")
        assert not {"PasswordModel", "TextModel"} & {
            it["model_name"] for it in states(lab).values()
        }
        lab.reopen()
        lab.show(0)
        # The fields are gone, as JupyterLab leaves them, and this is its message.
        assert all("Error displaying widget" in one for one in lab.blank_widgets())
    lab.script("panel.content.widgets[1].outputArea.model.clear();")  # the gap that is right


def test_reader_who_saves_all_widgets_keeps_them_in_every_notebook(notebook):
    lab = notebook(SLIDER, SEAT)
    switch = "await app.commands.execute('@jupyter-widgets/jupyterlab-manager:saveWidgetState');"
    lab.script(switch)
    try:
        lab.run_cell(0)
        lab.save()
        values = [one["state"].get("value") for one in states(lab).values()]
        assert 7 in values, "without a picture of the lesson"
        lab.run_cell(1)
        lab.save()
        values = [one["state"].get("value") for one in states(lab).values()]
        assert 7 in values and len(values) > 10, "with one"
        assert lab.blank_widgets() == []  # before it is closed, all of it has been drawn
    finally:
        lab.script(switch)


def test_session_of_the_user_is_shown_and_not_saved(notebook, tmp_path):
    code = ClaudeCode()
    code.todo("> Mend the till", "- Close the shop")
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"".join(to_lines(code.lines)))
    show = f"from lesson import session\nsession({str(path)!r}"
    lab = notebook(f"{show})", f"{show}, keep=True)")
    lab.run_cell(0)
    shown = lab.page.locator(f"{SHOWN} .lp-session")
    expect(shown).to_contain_text("Mend the till")
    lab.save()
    saved = lab.path.read_text(encoding="utf-8")
    assert "Mend the till" not in saved and "not saved with the notebook" in saved
    lab.run_cell(1)
    lab.save()
    assert "Mend the till" in lab.path.read_text(encoding="utf-8")
