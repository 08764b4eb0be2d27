"""A written page opens in a browser without a server, and its widgets work without a kernel."""

from lesson import Player, Seat, play

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


def test_markup_in_a_run_and_in_the_title_is_escaped(open_page):
    run = play("hello")
    run.messages[0]["content"][-1]["text"] += HOSTILE
    tab = open_page(Player(run), Player(play("hello", plan=False)), title=f"A run {HOSTILE}")
    assert tab.title() == f"A run {HOSTILE}"
