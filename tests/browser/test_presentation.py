"""Presenting: player and runs fill the screen and follow the keys of a presenter's remote."""

import pytest
from gallery import says

from lesson import Player, Runs, Walk, play

CELLS = {
    "player": "player = Player(play(after=8)); player.at = 0; player",
    "bet": 'Runs("hello", bet=True)',
}
NO_FULL_SCREEN = "void (Element.prototype.requestFullscreen = () => Promise.reject(new Error()))"
MEASURED_MS = 180_000
SCREENS = ((1920, 1080), (1280, 720), (1024, 768))
# Whether a part of the list, or of the lines of what the model sees, is not in view.
CUT = """it => [...it.querySelectorAll('.al-items, .al-sight-lines')].some(
    one => one.scrollHeight > one.clientHeight)"""


@pytest.fixture
def page(open_page):
    """Open a written page of two players, the runs with a bet and the walk, without a kernel."""
    messages = Player(play(plan=False).messages, window=12)
    messages.at = 9
    one = Player(play(after=8))
    one.at = 10  # it reads the reminder
    return open_page(one, messages, Runs("hello", bet=True), Walk())


def present(page, widget):
    """Press the widget's present button and wait until it fills the window."""
    widget.get_by_role("button", name="full screen").click()
    page.wait_for_function(
        """() => {
            const stage = document.querySelector('.al-stage');
            return stage?.matches(':is(:fullscreen, :popover-open)')
                && stage.clientWidth === innerWidth && stage.clientHeight === innerHeight
                && stage.contains(document.activeElement);
        }"""
    )
    return page.locator(".al-stage")


def leave(page, stage):
    """Press the leave button: in full screen, tests cannot press the browser's Escape key."""
    stage.get_by_role("button", name="leave").click()
    page.wait_for_function("!document.querySelector('.al-stage, :fullscreen, :popover-open')")


def test_remote_steps_through_a_run_after_any_click(gallery, show):
    stage = present(gallery.page, show("player"))
    gallery.press("PageDown", "PageDown", "PageUp", "PageDown")
    says(stage, "^Round 2")
    assert gallery.page.evaluate("document.fullscreenElement !== null")
    stage.locator(".al-title").first.click()
    gallery.press("ArrowRight")
    says(stage, "^Round 3")
    gallery.press("PageDown")
    says(stage, "^Round 4")
    gallery.press("F5")  # plays, and does not reload the page
    stage.get_by_role("button", name="Stop").wait_for()
    gallery.press("F5")
    stage.get_by_role("button", name="Play").wait_for()
    leave(gallery.page, stage)


def test_bet_result_and_player_by_remote(gallery, show):
    stage = present(gallery.page, show("bet"))
    gallery.press("PageDown", "PageDown")
    assert stage.locator(".al-good, .al-bad").count() == 0
    gallery.press("F5")
    stage.get_by_text("Your bet was 2").wait_for(timeout=MEASURED_MS)
    stage.locator(".al-legend").click()
    gallery.press("ArrowUp", "F5")
    player = stage.locator(".al-player")
    player.wait_for()
    says(player, "^Round 3")  # it reads the reminder
    gallery.press("PageDown", "PageDown")
    says(player, "^Round 5")
    assert not stage.locator(".al-runs-rows").is_visible()
    stage.get_by_role("button", name="All runs").click()
    gallery.press("PageDown")
    stage.get_by_text("Reminded after 2 rounds").wait_for()
    leave(gallery.page, stage)


def test_without_full_screen_tab_key_stays_in_the_widget_and_escape_leaves(page):
    page.evaluate(NO_FULL_SCREEN)
    stage = present(page, page.locator(".agentlib").first)
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert stage.evaluate("it => it.contains(document.activeElement)")
        reached.add(page.evaluate("document.activeElement.textContent"))
    assert "leave (Esc)" in reached
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('.al-stage, :popover-open')")


def test_everything_fits_in_type_for_the_last_row(page):
    """Require letters of 2 % of the height: 16 mm on a picture 2 m wide, 7' of arc at 8 m."""
    for place, name in enumerate(("player", "no list", "strips")):
        stage = present(page, page.locator(".agentlib").nth(place))
        if name == "strips":
            page.keyboard.press("F5")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert not stage.evaluate(CUT), (name, width)
            overflow, *sizes = stage.evaluate(
                """it => [[it.scrollHeight - it.clientHeight, it.scrollWidth - it.clientWidth],
                    parseFloat(getComputedStyle(it).fontSize),
                    parseFloat(getComputedStyle(it.querySelector('[role=status]')).fontSize)]"""
            )
            assert overflow == [0, 0], (name, width)
            assert sizes[0] >= 0.019 * height, (name, width)
            assert sizes[1] >= 0.025 * height, (name, width)
        leave(page, stage)
    stage = present(page, page.locator(".al-walk"))
    page.set_viewport_size({"width": 1280, "height": 720})
    last, code = (stage.locator(it).last.bounding_box() for it in (".al-line", ".al-walk-code"))
    assert last["y"] + last["height"] <= code["y"] + code["height"]  # all lines that it asks about
    leave(page, stage)
    page.set_viewport_size({"width": 844, "height": 600})
    assert page.locator(".al-walk").bounding_box()["height"] < 480  # what JupyterLab shows at once
