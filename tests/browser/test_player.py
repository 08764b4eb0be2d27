"""The player as a learner meets it: real JupyterLab, real Chromium, by keyboard and pointer."""

import re

import pytest
from gallery import gallery as open_gallery
from gallery import says

from lesson.runs.measured import Setting, measured
from lesson.runs.trial import play

CELLS = """
from lesson.runs.trial import Trial, play
from lesson.widgets import Player
player = Player(play("hello")); player
#
both = ("Reminder after 3", "Reminder after 8")
compare = Player.compare(play(after=3), play(after=8), both); compare
#
trial = Trial("hello")
live = Player(trial); live
#
Player([])
#
long = Player(play(after=3).rounds * 8); long
#
Player(play(after=8))
#
use = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a.py"}}
failed = {"type": "tool_result", "tool_use_id": "t1", "content": "No.", "is_error": True}
Player([{"role": "user", "content": "Go on."}, {"role": "assistant", "content": [use]},
        {"role": "user", "content": [failed]}])
"""
WIDGETS = ("player", "compare", "live", "bare", "long", "forgetful", "faulty")


@pytest.fixture(scope="module")
def gallery(lab_server, lab_page, pictures):
    with open_gallery(lab_server, lab_page, pictures, "players", CELLS) as lab:
        yield lab


@pytest.fixture
def show(gallery):
    """The widget of a name, fresh: its cell has just been run again."""
    yield lambda name: gallery.show(WIDGETS.index(name))
    assert gallery.problems == []


@pytest.fixture
def held(gallery):
    """A live run whose rounds wait until they are let go, one at a time."""
    gallery.run("""
import threading
gate = threading.Semaphore(0)
plain = Trial.__iter__
def held(self):
    for step in plain(self):
        gate.acquire()
        yield step
Trial.__iter__ = held
""")
    yield lambda: gallery.answer("gate.release()")
    gallery.run("Trial.__iter__ = plain; gate.release(99)")


def overview(player):
    return player.get_by_role("slider")


def test_the_player_goes_forward_back_and_jumps(gallery, show):
    player = show("player")
    player.get_by_role("button", name="Next ▶").focus()
    gallery.press("Enter")
    assert "todo" in says(player, "Round 1 of")
    gallery.press("ArrowRight", "ArrowRight")
    says(player, "Round 3 of")
    gallery.press("ArrowLeft")
    says(player, "Round 2 of")
    gallery.press("End")
    says(player, r"Round (\d+) of \1:")
    assert player.get_by_role("button", name="Next ▶").get_attribute("aria-disabled") == "true"
    assert gallery.focused().startswith("button: Next")
    overview(player).focus()
    gallery.press("Home", "ArrowDown")
    says(player, "Round 1 of")


def test_it_jumps_to_the_next_plan_reminder_and_error(show):
    player = show("compare")
    player.get_by_role("button", name="Next reminder").click()
    says(player, "Then a reminder")
    assert player.locator(".al-is-reminder").first.is_visible()
    player.get_by_role("button", name="Next plan").click()
    says(player, "calls todo")
    assert player.get_by_role("button", name="Next error").count() == 0  # there is none
    faulty = show("faulty")
    faulty.get_by_role("button", name="Next error").click()
    says(faulty, "failed")


def test_the_overview_is_a_slider_that_can_be_dragged(gallery, show):
    player = show("player")
    strip = overview(player)
    rounds = len(play("hello").rounds)
    assert strip.get_attribute("aria-valuemax") == str(rounds)
    box = strip.bounding_box()
    place = box["width"] / rounds
    gallery.page.mouse.move(box["x"] + place / 2, box["y"] + 10)
    gallery.page.mouse.down()
    gallery.page.mouse.move(box["x"] + place * 2.5, box["y"] + 10)
    gallery.page.mouse.up()
    assert says(player, "Round 3 of").startswith(strip.get_attribute("aria-valuetext"))
    assert strip.get_attribute("aria-valuenow") == "3"


def test_after_a_click_on_a_message_the_keys_are_still_the_players(gallery, show):
    player = show("player")
    overview(player).focus()
    gallery.press("ArrowRight")
    says(player, "Round 1 of")
    player.get_by_text("assistant", exact=True).first.click()
    gallery.press("ArrowRight")
    says(player, "Round 2 of")


def test_nothing_moves_under_the_pointer_while_one_steps(gallery, show):
    for name in ("player", "compare", "long"):
        player = show(name)
        overview(player).focus()
        parts = [".al-transport", "[role=slider]", ".al-messages", ".al-foot"]
        places = set()
        for _ in range(12):
            gallery.press("ArrowRight")
            places.add(
                tuple(
                    str(
                        player.locator(part).first.evaluate(
                            "(it, card) => [it.offsetTop, it.offsetHeight, it.offsetLeft]"
                        )
                    )
                    for part in parts
                )
            )
        assert len(places) == 1, (name, places)


def test_space_plays_and_stops_and_a_stopped_player_stays_where_it_is(gallery, show):
    player = show("player")
    gallery.watch_pace()
    overview(player).focus()
    gallery.press("Space")
    says(player, "Round 2 of")
    assert gallery.is_playing()
    gallery.press("Space")
    player.get_by_role("button", name="Play").wait_for()
    assert not gallery.is_playing()


def test_while_it_plays_the_status_line_is_quiet_but_for_reminders(gallery, show):
    player = show("compare")
    quiet = "it => it.getAttribute('aria-live') === 'off'"
    status = player.get_by_role("status")
    player.get_by_role("button", name="Play").click()
    says(player, "Reminder after 3: round 1 ")
    assert status.evaluate(quiet)
    says(player, "Reminder after 3: round 4 .*Then a reminder")
    assert not status.evaluate(quiet)
    player.get_by_role("button", name="Stop").click()
    player.get_by_role("button", name="Play").wait_for()
    assert not status.evaluate(quiet)


def test_who_reads_a_message_stops_the_playing(gallery, show):
    player = show("player")
    gallery.watch_pace()
    player.get_by_role("button", name="Play").click()
    says(player, "Round 1 of")
    player.get_by_text("as JSON").first.focus()
    player.get_by_role("button", name="Play").wait_for()
    assert not gallery.is_playing()
    assert gallery.focused() == "summary: as JSON"


def test_a_message_is_shown_as_json_when_it_is_opened(gallery, show):
    player = show("player")
    overview(player).focus()
    gallery.press("ArrowRight")
    player.get_by_text("as JSON").first.click()
    player.get_by_text('"type": "tool_use"').first.wait_for()


# The model's window


def test_edge_of_the_window_shows_the_list_that_has_left_it(gallery, show):
    player = show("forgetful")
    assert player.get_by_text("What will be sent").is_visible()
    overview(player).focus()
    gallery.press(*["ArrowRight"] * 7)
    says(player, "Round 7 of")
    assert player.get_by_text("its list of 10, until the next message.").is_visible()
    assert player.locator(".al-sight-edge, .al-unseen").count() == 0
    gallery.press("Home")
    player.get_by_role("button", name="Go to where the plan is lost").click()
    says(player, "Round 8 of.* The model does not see its list of 10 any more")
    assert player.locator(".al-sight-line.al-seen").count() == 13  # the prompt and the last twelve
    pane = player.locator(".al-sight-lines").bounding_box()
    gone, edge = player.locator(".al-gone"), player.locator(".al-sight-edge")
    assert gone.count() == 2 and "todo" in gone.first.inner_text()
    places = [gone.first.bounding_box()["y"], edge.bounding_box()["y"]]
    assert pane["y"] <= places[0] < places[1] < pane["y"] + pane["height"] / 2
    assert player.get_by_text("the model sees none of it").is_visible()
    gallery.picture("player-edge", player)


def test_cells_are_those_of_the_strips(gallery, show):
    cells = show("forgetful").locator(".al-cell")
    kinds = "".join(cell.get_attribute("class").split("al-cell-")[1][0] for cell in cells.all())
    assert kinds == measured(Setting(after=8)).cells.lower()
    assert (cells.first.inner_text(), cells.last.inner_text()) == ("≡", "✗")


def test_click_on_a_message_goes_to_the_round_that_wrote_it(gallery, show):
    player = show("forgetful")
    overview(player).focus()
    gallery.press(*["ArrowRight"] * 9)
    says(player, "Round 9 of")
    player.locator(".al-gone").first.click()
    says(player, "Round 1 of")
    assert player.locator(".al-changes").inner_text().startswith("10 items")


def test_list_call_is_shown_as_a_difference_with_its_json_folded(gallery, show):
    player = show("forgetful")
    overview(player).focus()
    for _ in range(3):
        player.get_by_role("button", name="Next plan").click()
        changes = player.locator(".al-changes").inner_text()
        if "gone" in changes:
            break
    assert changes.startswith("10 → 4 items") and "+ #4 Finish the rest" in changes
    assert "7 items gone:" in changes and "#10 Bring README.md up to date" in changes
    assert player.get_by_text('"activeForm"').count() == 0


def test_what_the_files_show_stands_beside_what_the_list_claims(gallery, show):
    player = show("forgetful")
    overview(player).focus()
    gallery.press("End")
    says(player, "List: 4 of 4 completed")
    files, claims = player.locator(".al-evidence-row").all()
    assert files.inner_text().split("\n")[-1] == "3 of 10"
    assert claims.inner_text().split("\n")[-1] == "4 of 4"
    filled, hollow = claims.locator(".al-shown"), claims.locator(".al-claimed")
    assert (filled.count(), hollow.count()) == (3, 1)
    colour = "it => getComputedStyle(it).backgroundColor"
    assert filled.first.evaluate(colour) != hollow.evaluate(colour) == "rgba(0, 0, 0, 0)"


def test_the_request_is_shown_as_it_was_sent(gallery, show):
    player = show("player")
    overview(player).focus()
    gallery.press("ArrowRight", "ArrowRight")
    says(player, "Round 2 of")
    switch = player.get_by_role("button", name="Show the request as sent")
    switch.click()
    request = player.get_by_role("region", name="The request as sent").inner_text()
    for part in ('"system": ', '"tools": ', '"messages": ', '"max_tokens": 8000'):
        assert part in request
    assert request.count('"role": ') == 3
    assert switch.get_attribute("aria-pressed") == "true"


# Two runs


def test_two_runs_open_at_the_beginning_and_the_first_difference_is_a_button_away(show):
    player = show("compare")
    says(player, "Before the first round")
    player.get_by_role("button", name="Next difference").click()
    assert says(player, "≠ Reminder after 3: round 4").count("Then a reminder") == 1
    reminder = player.locator(".al-is-reminder")
    assert reminder.count() == 1
    assert reminder.evaluate(
        """it => { const pane = it.closest('[role=region]').getBoundingClientRect();
                   return it.getBoundingClientRect().top < pane.bottom - 10; }"""
    )


def test_what_both_runs_have_stands_in_one_line(show):
    player = show("compare")
    player.get_by_role("button", name="Next difference").click()
    says(player, "round 4")
    assert player.get_by_text(re.compile("^assistant, the same in both: read_file")).count() == 2


def test_two_runs_stand_side_by_side_and_what_differs_is_in_sight(gallery, show):
    player = show("compare")
    for part in (".al-messages", ".al-side"):
        one, other = (each.bounding_box() for each in player.locator(part).all())
        assert one["y"] == other["y"]
        assert one["x"] + one["width"] < other["x"]
    overview(player).focus()
    gallery.press("End")
    says(player, "Reminder after 8: over")
    assert player.get_by_text("This run is over: it took 12 rounds.").is_visible()
    ends = [row.inner_text().split("\n")[-1] for row in player.locator(".al-evidence-row").all()]
    assert ends == ["10 of 10", "10 of 10", "3 of 10", "4 of 4"]
    gallery.picture("compare-end", player)


# A run that is still to come


def test_a_live_run_asks_the_model_only_when_told_to(gallery, show):
    player = show("live")
    assert gallery.answer("len(trial.model.requests)") == "0"
    for number in (1, 2):
        player.get_by_role("button", name="Ask the model").click()
        says(player, f"Round {number}:")
        assert gallery.answer("len(trial.model.requests)") == str(number)


def test_a_live_run_says_that_it_asks_and_takes_no_second_press(gallery, show, held):
    player = show("live")
    ask = player.get_by_role("button", name="Ask the model")
    ask.focus()
    gallery.press("Enter")
    says(player, "Asking the model, and doing what it asks for")
    assert ask.get_attribute("aria-disabled") == "true"
    gallery.press("Enter")
    held()
    says(player, "Round 1: calls todo. List: 0 of 3 completed")
    assert gallery.focused().startswith("button: Ask the model")
    assert gallery.answer("len(trial.model.requests)") == "1"


def test_a_live_run_says_that_it_is_over_as_soon_as_it_is(gallery, show):
    player = show("live")
    next_ = player.get_by_role("button", name=re.compile("Ask the model|Next ▶"))
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


def test_steps_taken_while_no_page_looked_are_all_there(gallery, show):
    player = show("live")
    gallery.answer("[live.next() for _ in range(3)] and None")
    says(player, "Round 3")
    assert overview(player).get_attribute("aria-valuemax") == "3"
    overview(player).focus()
    gallery.press("ArrowLeft", "ArrowLeft")
    assert "todo" in says(player, "Round 1")


def test_the_focus_stays_in_a_player_whose_message_is_replaced(gallery, show, held):
    player = show("live")
    player.get_by_role("button", name="Ask the model").click()
    player.get_by_text("as JSON").first.focus()
    held()
    says(player, "Round 1:")
    assert gallery.focused().startswith("div: Rounds")
    gallery.press("Home")
    says(player, "Before the first round")


def test_a_player_that_is_gone_asks_nothing_more(gallery, show):
    player = show("live")
    gallery.watch_pace()
    player.get_by_role("button", name="Play").click()
    says(player, "Round 1:")
    gallery.script("await app.commands.execute('notebook:clear-cell-output');")
    player.wait_for(state="detached")
    gallery.answer("live.wait() and None")
    assert not gallery.is_playing()


def test_a_player_says_what_it_was_not_given(show):
    player = show("bare")
    says(player, "^This run has no rounds.$")
    assert player.get_by_text("The prompt was not given to this player.").is_visible()
    assert player.get_by_text("The list").count() == 0


def test_a_page_of_rounds_is_a_key_away(gallery, show):
    player = show("long")
    overview(player).focus()
    gallery.press("Home", "PageDown")
    says(player, "Round 10 of")
    gallery.press("PageUp")
    says(player, "Before the first round")


def test_of_a_long_run_the_part_around_the_round_is_shown(gallery, show):
    player = show("long")
    rounds = 8 * len(play(after=3).rounds)
    assert overview(player).get_attribute("aria-valuemax") == str(rounds)
    assert player.locator(".al-cell").count() == 150
    overview(player).focus()
    gallery.press("End")
    says(player, f"Round {rounds} of")
    assert player.get_by_text(f"rounds {rounds - 149} to {rounds} of {rounds}").is_visible()
    box = overview(player).bounding_box()
    gallery.page.mouse.click(box["x"] + 2, box["y"] + 15)
    says(player, f"Round {rounds - 149} of")
    assert player.evaluate("it => it.scrollWidth <= it.clientWidth")
    gallery.picture("player-long", player)


def test_after_a_restart_a_player_says_that_nobody_answers(gallery, show):
    player = show("live")
    gallery.script("""await panel.sessionContext.session.kernel.restart();
                      await panel.sessionContext.session.kernel.info;""")
    player.get_by_role("button", name="Ask the model").click()
    says(player, "No answer from the kernel.*run this cell again")
    gallery.run_all()  # for the tests that follow
