"""The player in a real JupyterLab: keyboard, pointer, two runs, and a run that has not ended."""

import re

import pytest
from gallery import says

from lesson.runs.trial import play

CELLS = {
    "player": 'Player(play("hello"))',
    "compare": """
both = ("Reminder after 3", "Reminder after 8")
Player.compare(play(after=3), play(after=8), both)
""",
    "live": 'trial = Trial("hello"); live = Player(trial); live',
    "bare": "Player([])",
    "forgetful": "Player(play(after=8))",
    "faulty": """
use = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a.py"}}
failed = {"type": "tool_result", "tool_use_id": "t1", "content": "No.", "is_error": True}
Player([{"role": "user", "content": "Go on."}, {"role": "assistant", "content": [use]},
        {"role": "user", "content": [failed]}])
""",
}


@pytest.fixture
def rewind(gallery):
    """Return a function that returns the player of a cell, which is run once, at its start."""

    def find(name):
        player = gallery.locate(name)
        if player.count() == 0:
            player = gallery.show(name)
        press_in(player, "Home")
        says(player, "Before the first round")
        return player

    return find


def overview(player):
    """Return the slider that has a cell for each round."""
    return player.get_by_role("slider")


def press_in(player, *keys):
    """Press keys in the overview."""
    for key in keys:
        overview(player).press(key)


def test_buttons_and_keys_step_forward_and_back(gallery, rewind):
    player = rewind("player")
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
    press_in(player, "Home", "ArrowDown")
    says(player, "Round 1 of")


def test_buttons_go_to_the_next_plan_reminder_and_error(rewind, show):
    player = rewind("forgetful")
    player.get_by_role("button", name="Next reminder").click()
    says(player, "Then a reminder")
    assert player.locator(".al-is-reminder").first.is_visible()
    player.get_by_role("button", name="Next plan").click()
    says(player, "calls todo")
    assert player.get_by_role("button", name="Next error").count() == 0  # there is none
    faulty = show("faulty")
    press_in(faulty, "Home")
    faulty.get_by_role("button", name="Next error").click()
    says(faulty, "failed")


def test_overview_is_a_slider_that_can_be_dragged(gallery, rewind):
    player = rewind("player")
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


def places_of(player):
    """Return the positions of the player's parts."""
    return player.evaluate(
        """it => ['.al-transport', '[role=slider]', '.al-messages, .al-answer', '.al-foot']
            .map(part => it.querySelector(part))
            .map(one => [one.offsetTop, one.offsetHeight, one.offsetLeft])"""
    )


@pytest.mark.parametrize("name", ["player", "compare"])
def test_layout_is_stable_while_stepping(rewind, name):
    player = rewind(name)
    before = places_of(player)
    for _ in range(12):
        press_in(player, "ArrowRight")
        assert places_of(player) == before


def test_space_plays_and_stops(gallery, rewind):
    player = rewind("player")
    gallery.watch_pace()
    press_in(player, "Space")
    says(player, "Round 2 of")
    assert gallery.is_playing()
    gallery.press("Space")
    player.get_by_role("button", name="Play").wait_for()
    assert not gallery.is_playing()


def test_live_region_announces_only_reminders_while_playing(rewind):
    player = rewind("compare")
    quiet = "it => it.getAttribute('aria-live') === 'off'"
    status = player.get_by_role("status")
    player.get_by_role("button", name="Play").click()
    says(player, "Round 1:")
    assert status.evaluate(quiet)
    says(player, "Round 4:")  # the first run is reminded
    assert not status.evaluate(quiet)
    player.get_by_role("button", name="Stop").click()
    player.get_by_role("button", name="Play").wait_for()
    assert not status.evaluate(quiet)


def test_message_opens_as_json_and_keys_still_step_after_a_click(gallery, rewind):
    player = rewind("player")
    press_in(player, "ArrowRight")
    says(player, "Round 1 of")
    player.get_by_text("assistant", exact=True).first.click()
    gallery.press("ArrowRight")
    says(player, "Round 2 of")
    player.get_by_text("as JSON").first.click()
    player.get_by_text('"type": "tool_use"').first.wait_for()


def test_focus_in_a_message_stops_playing(gallery, rewind):
    player = rewind("player")
    gallery.watch_pace()
    player.get_by_role("button", name="Play").click()
    says(player, "Round 1 of")
    player.get_by_text("as JSON").first.focus()
    player.get_by_role("button", name="Play").wait_for()
    assert not gallery.is_playing()
    assert gallery.focused() == "summary: as JSON"


# The model's window


def test_edge_of_the_window_shows_the_list_that_has_left_it(gallery, rewind):
    player = rewind("forgetful")
    assert player.get_by_text("What will be sent").is_visible()
    press_in(player, *["ArrowRight"] * 7)
    says(player, "Round 7 of")
    assert player.get_by_text("its list of 10, until the next message.").is_visible()
    assert player.locator(".al-edge, .al-unseen").count() == 0
    gallery.press("Home")
    player.get_by_role("button", name="Go to where the plan is lost").click()
    says(player, "Round 8 of.* The model does not see its list of 10 any more")
    in_window = player.locator(".al-place:not(.al-place-ghost)")
    assert in_window.count() == 13  # the prompt and the last twelve
    pane = player.locator(".al-sight-lines").bounding_box()
    gone, edge = player.locator(".al-place-ghost"), player.locator(".al-edge")
    assert gone.count() == 2 and "todo" in gone.first.inner_text()
    places = [gone.first.bounding_box()["y"], edge.bounding_box()["y"]]
    assert pane["y"] <= places[0] < places[1] < pane["y"] + pane["height"] / 2
    assert player.get_by_text("the model sees none of it").is_visible()
    gallery.picture("player-edge", player)
    player.get_by_role("button", name="Next plan").click()
    changes = player.locator(".al-changes").inner_text()  # the list call, with its JSON folded
    assert changes.startswith("10 → 4 items") and "+ #4 Finish the rest" in changes
    assert "7 items gone:" in changes and "#10 Bring README.md up to date" in changes
    assert not player.get_by_text('"activeForm"').is_visible()


def test_message_leads_to_the_round_that_wrote_it(gallery, rewind):
    player = rewind("forgetful")
    press_in(player, *["ArrowRight"] * 9)
    says(player, "Round 9 of")
    player.locator(".al-place-ghost").first.click()
    says(player, "Round 1 of")
    assert player.locator(".al-changes").inner_text().startswith("10 items")
    press_in(player, "End")
    player.get_by_role("group", name=re.compile("The messages in round")).focus()
    gallery.press("ArrowDown", "ArrowDown")
    assert gallery.focused() == "button: Go to round 1"
    gallery.press("Enter")
    says(player, "Round 1 of")


def test_final_list_is_compared_with_the_files(rewind):
    player = rewind("forgetful")
    press_in(player, "End")
    says(player, "List: 4 of 4 completed")
    files, claims = player.locator(".al-evidence-row").all()
    assert files.inner_text().split("\n")[-1] == "3 of 10"
    assert claims.inner_text().split("\n")[-1] == "4 of 4"
    filled, hollow = claims.locator(".al-shown"), claims.locator(".al-claimed")
    assert (filled.count(), hollow.count()) == (3, 1)
    colour = "it => getComputedStyle(it).backgroundColor"
    assert filled.first.evaluate(colour) != hollow.evaluate(colour) == "rgba(0, 0, 0, 0)"


def test_the_request_is_shown_as_it_was_sent(rewind):
    player = rewind("player")
    press_in(player, "ArrowRight", "ArrowRight")
    says(player, "Round 2 of")
    switch = player.get_by_role("button", name="Show the request as sent")
    switch.click()
    request = player.get_by_role("group", name="The request as sent").inner_text()
    for part in ('"system": ', '"tools": ', '"messages": ', '"max_tokens": 8000'):
        assert part in request
    assert request.count('"role": ') == 3
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    assert switch.get_attribute("aria-pressed") == "false"


# Two runs


def test_two_runs_see_the_same_until_one_is_reminded(gallery, rewind):
    player = rewind("compare")
    player.get_by_role("button", name="Next difference").click()
    says(player, "Round 4: 6 of the 6 messages are the same")
    press_in(player, "ArrowRight", "ArrowRight")
    says(player, "Round 6: 8 of the 10 messages are the same")
    one, other = player.locator(".al-run").all()
    assert other.locator(".al-line-shared").count() == 8  # of the ten after the prompt
    player.get_by_role("button", name="Go to where the plan is lost").click()
    says(player, "Round 8:")
    assert "does not see its list" in other.inner_text()
    assert other.locator(".al-place-ghost").count() == 2
    assert "Where was I?" in other.locator(".al-answer-bad").inner_text()
    assert one.locator(".al-answer-bad").count() == 0
    gallery.picture("compare-lost", player)


def test_two_runs_are_side_by_side_with_their_results(gallery, rewind):
    player = rewind("compare")
    for part in (".al-sight", ".al-answer"):
        one, other = (each.bounding_box() for each in player.locator(part).all())
        assert one["y"] == other["y"]
        assert one["x"] + one["width"] < other["x"]
    press_in(player, "End")
    says(player, "Reminder after 8: over after round 12")
    assert player.get_by_text("Over after round 12. Its last words:").is_visible()
    ends = [row.inner_text().split("\n")[-1] for row in player.locator(".al-evidence-row").all()]
    assert ends == ["10 of 10", "10 of 10", "3 of 10", "4 of 4"]


def test_rounds_are_not_drawn_before_they_are_shown(gallery, show):
    player = show("forgetful")  # it begins in the round in which the plan is lost
    says(player, "Round 8 of 12")
    unknown = player.locator(".al-strip path[style*='var(--line)']")
    assert unknown.get_attribute("d").count("z") == 4
    press_in(player, "ArrowRight", "ArrowLeft", "ArrowLeft")
    says(player, "Round 7 of")
    assert unknown.get_attribute("d").count("z") == 3


# A run that has not ended

BUSY = "import time; time.sleep(1.5)"  # the kernel runs a cell when the reader asks for a round


def test_live_run_sends_one_request_for_each_press(gallery, show):
    player = show("live")
    assert gallery.answer("len(trial.model.requests)") == "0"
    ask = player.get_by_role("button", name="reads a file")
    ask.focus()
    gallery.start(BUSY)
    gallery.press("Enter")
    says(player, "Asking the model, and doing what it asks for")
    assert ask.get_attribute("aria-disabled") == "true"
    gallery.press("Enter")  # ignored: the round has not ended
    says(player, "Round 1: calls todo. List: 0 of 3 completed")
    assert gallery.focused() == "button: reads a file"
    assert gallery.answer("len(trial.model.requests)") == "1"
    gallery.press("Enter")
    says(player, "Round 2:")
    assert gallery.answer("len(trial.model.requests)") == "2"


def test_live_run_reports_its_end(gallery, show):
    player = show("live")
    rounds = len(play("hello").rounds)
    for number in range(1, rounds + 1):
        player.get_by_role("button", name="ends").press("Enter")
        said = says(player, f"Round {number}\\b")
    assert said.startswith(f"Round {rounds} of {rounds}: says")
    assert said.endswith("The run is over.")
    assert player.get_by_role("button", name="ends").count() == 0
    assert gallery.focused().startswith("div: Rounds")


def test_rounds_run_from_python_are_shown(gallery, show):
    player = show("live")
    gallery.answer("[live.next() for _ in range(3)] and None")
    says(player, "Round 3")
    assert overview(player).get_attribute("aria-valuemax") == "3"
    press_in(player, "ArrowLeft", "ArrowLeft")
    assert "todo" in says(player, "Round 1")


def test_focus_stays_in_the_player_when_a_message_is_replaced(gallery, show):
    player = show("live")
    gallery.start(BUSY)
    player.get_by_role("button", name="ends").click()
    player.get_by_text("as JSON").first.focus()
    says(player, "Round 1:")
    assert gallery.focused().startswith("div: Rounds")
    gallery.press("Home")
    says(player, "Before the first round")


def test_deleted_player_stops_playing(gallery, show):
    player = show("player")
    gallery.watch_pace()
    player.get_by_role("button", name="Play").click()
    says(player, "Round 2 of")
    gallery.script("await app.commands.execute('notebook:clear-cell-output');")
    player.wait_for(state="detached")
    assert not gallery.is_playing()


def test_player_without_rounds_says_so(show):
    player = show("bare")
    says(player, "^This run has no rounds.$")
    assert player.get_by_text("The list").count() == 0
