"""Presenting: the player fills the screen and follows the keys of a presenter's remote."""

from gallery import says

CELLS = {
    "player": "player = Player(play(after=8)); player.at = 0; player",
}


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
