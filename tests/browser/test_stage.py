"""In front of a room: the player and the strips fill the screen, and a presenter's remote steps."""

import pytest
from gallery import gallery as open_gallery
from gallery import says

from lesson.runs import play
from lesson.widgets import Player, Runs
from lesson.widgets.page import write_page

CELLS = """
from lesson.runs import play
from lesson.widgets import Player, Runs
Player(play(after=8))
#
Runs("hello", bet=True)
"""
PLAYER, STRIPS = range(2)
NO_FULL_SCREEN = "void (Element.prototype.requestFullscreen = () => Promise.reject(new Error()))"
MEASURED_MS = 180_000


@pytest.fixture(scope="module")
def gallery(lab_server, lab_page, pictures):
    with open_gallery(lab_server, lab_page, pictures, "stage", CELLS) as lab:
        yield lab


@pytest.fixture(params=["full screen", "over the page"])
def show(gallery, request):
    """The widget of a cell on the stage: in full screen, and where a page may not ask for it."""
    if request.param == "over the page":
        gallery.page.evaluate(
            f"window.known = Element.prototype.requestFullscreen; {NO_FULL_SCREEN}"
        )

    def on_stage(place):
        widget = gallery.show(place)
        return present(gallery.page, widget)

    yield on_stage
    gallery.page.evaluate(
        "if (window.known) void (Element.prototype.requestFullscreen = window.known)"
    )
    assert gallery.problems == []


@pytest.fixture
def page(chromium, tmp_path):
    """A written page of two players and the strips with a bet, without a kernel."""
    context = chromium.new_context(offline=True, viewport={"width": 1920, "height": 1080})
    tab = context.new_page()
    tab.problems = []
    tab.on("pageerror", lambda problem: tab.problems.append(str(problem)))
    two = Player.compare(play("hello", after=2), play("hello", after=4))
    widgets = [Player(play("hello")), two, Runs("hello", bet=True)]
    tab.goto(write_page(widgets, tmp_path / "room.html", "A room").as_uri())
    tab.wait_for_selector(".agentlib")
    yield tab
    assert tab.problems == []
    context.close()


def present(page, widget):
    """Put the widget on the stage, and wait until it fills the window."""
    widget.get_by_role("button", name="present").click()
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
    """Leave by the button, as by Escape, which a browser keeps for itself in full screen."""
    stage.get_by_role("button", name="leave").click()
    page.wait_for_function("!document.querySelector('.al-stage, :fullscreen, :popover-open')")


def test_a_remote_steps_through_a_run_wherever_the_last_click_was(gallery, show):
    stage = show(PLAYER)
    gallery.press("PageDown", "PageDown", "PageUp", "PageDown")
    says(stage, "^Round 2")
    stage.locator(".al-pane-title").first.click()
    gallery.press("ArrowRight")
    says(stage, "^Round 3")
    stage.get_by_role("button", name="request").click()
    gallery.press("PageDown")
    says(stage, "^Round 4")
    leave(gallery.page, stage)


def test_its_start_key_plays_and_never_loads_the_page_again(gallery, show):
    stage = show(PLAYER)
    gallery.press("F5")
    stage.get_by_role("button", name="Stop").wait_for()
    gallery.press("F5")
    stage.get_by_role("button", name="Play").wait_for()
    leave(gallery.page, stage)


def test_what_is_still_to_come_is_covered(gallery, show):
    stage = show(PLAYER)
    gallery.press("PageDown", "PageDown")
    seen = stage.evaluate(
        """it => {
            const strip = it.querySelector('.al-overview').getBoundingClientRect();
            const ahead = it.querySelector('.al-ahead').getBoundingClientRect();
            const top = document.elementFromPoint(ahead.left + 20, strip.top + strip.height / 2);
            return [top.className, (ahead.left - strip.left) / strip.width];
        }"""
    )
    assert seen == ["al-ahead", pytest.approx(2 / 12, abs=0.01)]
    gallery.picture(f"stage-{'full' if is_full_screen(gallery.page) else 'over'}")
    leave(gallery.page, stage)


def is_full_screen(page):
    return page.evaluate("document.fullscreenElement !== null")


def test_the_class_bets_sees_what_happens_and_steps_through_the_run(gallery, show):
    stage = show(STRIPS)
    gallery.press("PageDown", "PageDown")
    assert stage.locator(".al-runs-good, .al-runs-bad").count() == 0
    gallery.press("F5")
    stage.get_by_text("Your bet was 5").wait_for(timeout=MEASURED_MS)
    stage.locator(".al-runs-legend").click()
    gallery.press("ArrowUp", "F5")
    player = stage.locator(".al-player")
    player.wait_for()
    gallery.press("PageDown", "PageDown")
    says(player, "^Round 2")
    assert not stage.locator(".al-runs-rows").is_visible()
    stage.get_by_role("button", name="Close the player").click()
    gallery.press("PageDown")
    stage.get_by_text("Reminder after 5 rounds").wait_for()
    leave(gallery.page, stage)


def test_escape_leaves_where_there_is_no_full_screen(page):
    page.evaluate(NO_FULL_SCREEN)
    present(page, page.locator(".agentlib").first)
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('.al-stage, :popover-open')")
    page.keyboard.press("PageDown")
    assert page.get_by_text("Round 10 of 10").first.is_visible()  # a page of rounds, as before


def test_the_tab_key_stays_on_the_stage(page):
    page.evaluate(NO_FULL_SCREEN)
    stage = present(page, page.locator(".agentlib").first)
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert stage.evaluate("it => it.contains(document.activeElement)")
        reached.add(page.evaluate("document.activeElement.textContent"))
    assert "leave (Esc)" in reached
    leave(page, stage)


def test_the_screen_goes_dark_and_comes_back_where_it_was(page):
    stage = present(page, page.locator(".agentlib").first)
    at_the_top = "getComputedStyle(document.querySelector('.al-stage'), '::after').content"
    for key in (".", "PageDown"):
        page.keyboard.press(".")
        assert page.evaluate(at_the_top) == '""'
        page.keyboard.press(key)
        assert page.evaluate(at_the_top) == "none"
    says(stage, "^Before the first round")
    leave(page, stage)


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768), (1024, 768)])
def test_all_of_it_is_in_the_window_in_type_for_the_last_row(page, pictures, size):
    """Where the picture is 2 m wide, 2 % of 1080 lines are letters of 16 mm: 7' of arc at 8 m."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for place, name in enumerate(("player", "two", "strips")):
        stage = present(page, page.locator(".agentlib").nth(place))
        if name == "strips":
            page.keyboard.press("F5")
        facts = stage.evaluate(
            """it => [it.scrollHeight - it.clientHeight, it.scrollWidth - it.clientWidth,
                parseFloat(getComputedStyle(it).fontSize),
                parseFloat(getComputedStyle(it.querySelector('[role=status]')).fontSize)]"""
        )
        page.screenshot(path=pictures / f"stage-{name}-{size[0]}.png")
        assert facts[:2] == [0, 0], name
        assert facts[2] >= 0.019 * size[1], name
        assert facts[3] >= 0.025 * size[1], name
        leave(page, stage)
