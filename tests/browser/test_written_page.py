"""A page that was written opens in a browser on its own, and its widgets work without a kernel."""

from dataclasses import replace

import pytest

from agentlib.history import Usage
from lesson.runs import make_bill, play
from lesson.widgets import Player, Seat
from lesson.widgets.page import page, write_page

HOSTILE = "</script><script>document.title = 'taken'</script><!--"


@pytest.fixture
def opened(chromium, tmp_path):
    """Open a written page without a network; its errors and requests are kept."""
    context = chromium.new_context(offline=True)
    tab = context.new_page()
    tab.problems, tab.asked = [], []
    tab.on("pageerror", lambda problem: tab.problems.append(str(problem)))
    tab.on("request", lambda request: tab.asked.append(request.url))

    def open_page(*widgets):
        path = write_page(widgets, tmp_path / "run.html", f"A run {HOSTILE}")
        tab.goto(path.as_uri())
        tab.wait_for_selector(".agentlib")
        return tab

    yield open_page
    context.close()


def test_a_run_is_played_by_keys_without_a_kernel(opened):
    tab = opened(Player(play("hello")))
    tab.get_by_role("button", name="Next ▶").click()
    tab.keyboard.press("ArrowRight")
    tab.get_by_text("Round 2").first.wait_for()
    assert tab.problems == []
    assert not [url for url in tab.asked if not url.startswith(("file:", "blob:"))]


def test_seat_compares_the_readers_list_with_the_plan_by_keyboard(opened):
    tab = opened(Seat())
    tab.get_by_role("textbox").focus()
    tab.keyboard.type("Remove load_old\nAdd docstrings\n- Write tests\nPaint the shop")
    tab.keyboard.press("Control+Enter")
    tab.get_by_text("This is the plan that had left the window").wait_for()
    status = tab.get_by_role("status").inner_text()
    assert "on your list: 6, 7, 9. Not on it: 4, 5, 8, 10." in status
    assert tab.evaluate("document.activeElement.className") == "al-seat-title"
    row = tab.get_by_role("row", name="Not in the plan, but on a list")
    assert "Paint the shop" in row.inner_text()
    tab.get_by_role("button", name="move a line of yours").click()
    tab.get_by_label("Step of “Paint the shop”").select_option("step 5")
    assert "Paint the shop" not in row.inner_text()
    tab.get_by_role("button", name="Back to the window").click()
    assert tab.get_by_role("textbox").input_value().startswith("Remove load_old")
    assert tab.problems == []


def test_two_widgets_stand_one_below_the_other(opened):
    tab = opened(Player(play("hello")), Player(play("hello", plan=False)))
    tab.wait_for_function("document.querySelectorAll('.agentlib').length === 2")
    assert tab.problems == []


def test_nothing_that_a_run_says_is_taken_for_markup(opened):
    run = play("hello")
    run.messages[0]["content"][-1]["text"] += HOSTILE
    tab = opened(Player(run))
    assert tab.title() == f"A run {HOSTILE}"
    assert tab.problems == []


def test_a_page_that_is_there_is_not_written_over(tmp_path):
    write_page([], tmp_path / "a.html", "Mine")
    with pytest.raises(FileExistsError):
        write_page([], tmp_path / "a.html", "Another")


def test_the_text_form_is_there_for_a_browser_without_scripts():
    assert "<noscript><pre>The run: 10 rounds" in page([Player(play("hello"))], "x")


def test_the_bill_of_the_chosen_model_has_the_words_of_make_bill(opened):
    trial = play("hello")
    player = Player(trial)
    player.at = len(trial.rounds)
    tab = opened(player)
    tab.locator(".al-bill summary").click()
    bill = tab.locator(".al-bill p")
    assert bill.inner_text() == str(make_bill(trial.rounds))
    chosen = tab.locator(".al-bill select")
    chosen.select_option("claude-sonnet-5-5")
    bill.get_by_text("$").first.wait_for()
    assert bill.inner_text() == str(make_bill(trial.rounds, "claude-sonnet-5-5"))
    chosen.press("ArrowDown")  # another model, and not another round
    assert tab.locator(".al-status").inner_text().startswith(f"Round {player.at}")
    assert tab.problems == []


def test_the_bill_of_a_model_whose_price_is_not_known_says_so(opened):
    usage = Usage(input_tokens=100, output_tokens=5, model="llama3")
    rounds = [replace(step, usage=usage) for step in play("hello").rounds]
    tab = opened(Player(rounds))
    tab.get_by_role("button", name="Next ▶").click()
    tab.locator(".al-bill summary").click()
    tab.get_by_text("The price of llama3 is not known here.").wait_for()
