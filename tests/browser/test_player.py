"""The player in a real JupyterLab: keyboard, pointer, and two runs."""

import pytest
from gallery import says

from lesson.runs.trial import play

CELLS = {
    "player": 'Player(play("hello"))',
    "compare": """
both = ("Reminder after 3", "Reminder after 8")
Player.compare(play(after=3), play(after=8), both)
""",
    "forgetful": "Player(play(after=8))",
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
    press_in(player, "End")
    says(player, r"Round (\d+) of \1:")
    assert player.get_by_role("button", name="Next ▶").get_attribute("aria-disabled") == "true"
    press_in(player, "Home", "ArrowDown")
    says(player, "Round 1 of")


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


def test_space_plays_and_stops(gallery, rewind):
    player = rewind("player")
    press_in(player, "Space")
    says(player, "Round 2 of")
    gallery.press("Space")
    player.get_by_role("button", name="Play").wait_for()


# The model's window


def test_edge_of_the_window_shows_the_list_that_has_left_it(gallery, rewind):
    player = rewind("forgetful")
    assert player.get_by_text("What will be sent").is_visible()
    press_in(player, *["ArrowRight"] * 7)
    says(player, "Round 7 of")
    assert player.get_by_text("its list of 10, until the next message.").is_visible()
    assert player.locator(".al-edge, .al-unseen").count() == 0
    gallery.press("ArrowRight")
    says(player, "Round 8 of.* The model does not see its list of 10 any more")
    in_window = player.locator(".al-place:not(.al-place-ghost)")
    assert in_window.count() == 13  # the prompt and the last twelve
    pane = player.locator(".al-sight-lines").bounding_box()
    gone, edge = player.locator(".al-place-ghost"), player.locator(".al-edge")
    assert gone.count() == 2 and "todo" in gone.first.inner_text()
    places = [gone.first.bounding_box()["y"], edge.bounding_box()["y"]]
    assert pane["y"] - 1 <= places[0] < places[1] < pane["y"] + pane["height"] / 2
    assert player.get_by_text("the model sees none of it").is_visible()
    press_in(player, "ArrowRight", "ArrowRight")
    changes = player.locator(".al-changes").inner_text()  # the list call, with its JSON folded
    assert changes.startswith("10 → 4 tasks") and "+ #4 Finish the rest" in changes
    assert "7 tasks gone:" in changes and "#10 Bring README.md up to date" in changes
    assert not player.get_by_text('"activeForm"').is_visible()


def test_final_list_is_compared_with_the_files(rewind):
    player = rewind("forgetful")
    press_in(player, "End")
    says(player, "List: 4 of 4 completed")
    files, claims = player.locator(".al-evidence-row").all()
    assert files.inner_text().split("\n")[-1] == "3 of 10"
    assert claims.inner_text().split("\n")[-1] == "4 of 4"
    assert claims.locator(".al-shown").count() == 3
    assert claims.locator(".al-claimed").count() == 1


# Two runs


def test_two_runs_see_the_same_until_one_is_reminded(gallery, rewind):
    player = rewind("compare")
    one, other = player.locator(".al-run").all()
    press_in(player, *["ArrowRight"] * 4)
    says(player, "Round 4: 6 of the 6 messages are the same.$")
    press_in(player, "ArrowRight")
    says(
        player,
        "Round 5: 7 of the 8 .* Only the last one differs: in “Reminder after 3”, it carries",
    )
    assert [run.get_by_text("≠").count() for run in (one, other)] == [1, 1]
    words = [run.get_by_role("listitem").last.text_content() for run in (one, other)]
    assert "only here: user: with a reminder: def discount" in words[0]
    assert "only here: user: def discount" in words[1]
    press_in(player, "ArrowRight")
    says(player, "Round 6: 7 of the 10 messages are the same.$")
    assert other.locator(".al-line-shared").count() == 7  # of the ten after the prompt
    press_in(player, "ArrowRight", "ArrowRight")
    says(player, "Round 8:")
    assert "does not see its list" in other.inner_text()
    assert other.locator(".al-place-ghost").count() == 2
    assert "Where was I?" in other.locator(".al-bubble-bad").inner_text()
    assert one.locator(".al-bubble-bad").count() == 0
    press_in(player, "End")
    says(player, "Reminder after 8: over after round 12")
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
