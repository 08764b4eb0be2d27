"""A written page opens in a browser without a server, and its widgets work without a kernel."""

import pytest

from lesson import Player, Runs, Seat, play
from lesson.svg import DARK, LIGHT

HOSTILE = "</script><script>document.title = 'taken'</script><!--"


def test_player_steps_by_keys(open_page):
    tab = open_page(Player(play("hello")))
    tab.get_by_role("button", name="Next ▶").click()
    tab.keyboard.press("ArrowRight")
    tab.get_by_text("Round 3 of").first.wait_for()


def test_seat_shows_the_readers_list_beside_the_plan_by_keyboard(open_page):
    tab = open_page(Seat())
    tab.get_by_role("textbox").focus()
    tab.keyboard.type("Remove load_old\n\n<b>Paint</b> the shop")
    tab.get_by_role("button", name="Compare").press("Enter")
    tab.get_by_text("This is the plan that had left the window").wait_for()
    assert tab.evaluate("document.activeElement.className") == "al-seat-title"
    mine = tab.locator(".al-seat-mine li")
    assert mine.all_inner_texts()[3:] == ["Remove load_old", "<b>Paint</b> the shop"]
    tab.get_by_role("button", name="Back to the window").click()
    assert tab.get_by_role("textbox").input_value().startswith("Remove load_old")


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_widgets_are_drawn_with_the_palette(open_page, scheme, theme):
    tab = open_page(Runs(after=6))
    tab.emulate_media(color_scheme=scheme)
    fills = "it => [...it.querySelectorAll('path')].map(path => getComputedStyle(path).fill)"
    drawn = {fill for cells in tab.locator(".al-svg").all() for fill in cells.evaluate(fills)}
    tab.emulate_media(color_scheme="light")
    for name in ("plan", "done", "work", "message", "wash", "reminder"):
        parts = [int(getattr(theme, name)[n : n + 2], 16) for n in (1, 3, 5)]
        assert f"rgb({', '.join(map(str, parts))})" in drawn, name


def test_markup_in_a_run_and_in_the_title_is_escaped(open_page):
    run = play("hello")
    run.messages[0]["content"][-1]["text"] += HOSTILE
    tab = open_page(Player(run), Player(play("hello", plan=False)), title=f"A run {HOSTILE}")
    assert tab.title() == f"A run {HOSTILE}"
