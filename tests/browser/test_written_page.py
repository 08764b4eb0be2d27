"""A written page opens in a browser without a server, and its widgets work without a kernel."""

from lesson import JudgedRuns, Player, Seat, play

HOSTILE = "</script><script>document.title = 'taken'</script><!--"


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


def test_a_run_is_judged_by_keyboard_and_its_verdict_takes_the_focus(open_page):
    tab = open_page(JudgedRuns())
    tab.get_by_role("button", name="take the products").focus()
    for key in "1102":
        tab.keyboard.press(key)
    tab.get_by_text("The lines are drawn").wait_for()
    assert tab.locator(".al-judged-lines path").count() == 4
    tab.get_by_role("button", name="the build").press("Enter")
    assert tab.evaluate("document.activeElement.innerText") == "The verdict:\nfailed"
    tab.get_by_text("You and the verdict agree. The build did say no.").wait_for()
    third = tab.locator(".al-judged-wishes li").nth(2)
    assert "missing" in third.inner_text() and "(your line" not in tab.locator("main").inner_text()


def test_verdict_and_first_wish_are_in_view_on_a_phone(open_page):
    tab = open_page(JudgedRuns())
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.get_by_role("button", name="nobody").click()
    for part in (tab.locator(".al-judged-stamp"), tab.get_by_text("take the products")):
        box = part.bounding_box()
        assert box["y"] > 0 and box["y"] + box["height"] < 844


def test_all_lists_are_counted_after_a_guess(open_page):
    judged = JudgedRuns()
    judged.at = len(judged.state["screens"])
    tab = open_page(judged)
    assert tab.locator("td .al-list").count() == 43
    tab.get_by_role("slider").fill("20")
    tab.get_by_role("button", name="Show the verdicts").click()
    tab.get_by_text("10 of 43 passed. You said 20.").wait_for()
    assert tab.locator("tr > td:nth-child(2) .al-no-build").count() == 15


def test_markup_in_a_run_and_in_the_title_is_escaped(open_page):
    run = play("hello")
    run.messages[0]["content"][-1]["text"] += HOSTILE
    tab = open_page(Player(run), Player(play("hello", plan=False)), title=f"A run {HOSTILE}")
    assert tab.title() == f"A run {HOSTILE}"
