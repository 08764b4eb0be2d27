"""The player in a real JupyterLab: keyboard, pointer, and the window."""

import pytest
from gallery import says

from lesson import Player
from lesson.runs.trial import play

CELLS = {"player": 'Player(play("hello"))', "forgetful": "Player(play(after=8))"}


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
    press_in(player, *["ArrowRight"] * 7)
    says(player, "Round 7 of")
    assert player.get_by_text("its list of 10, until the next message.").is_visible()
    assert player.locator(".al-unseen").count() == 0
    gallery.press("ArrowRight")
    says(player, "Round 8 of")
    assert player.get_by_text("The model does not see its list of 10 any more").is_visible()
    assert player.get_by_text("the model sees none of it").is_visible()
    press_in(player, "ArrowRight", "ArrowRight")
    assert not player.locator(".al-changes").is_visible()
    player.get_by_text("Show the messages of round 10").click()
    changes = player.locator(".al-changes").inner_text()  # the list call, with its JSON folded
    assert changes.startswith("10 → 4 tasks") and "+ ▸ #4 Finish the rest" in changes
    assert "7 tasks gone:" in changes and "#10 Bring README.md up to date" in changes
    assert not player.get_by_text('"activeForm"').is_visible()


def test_player_fits_the_output_of_a_cell_on_a_projector(open_page):
    tab = open_page(Player(play(after=8)), Player(play(plan=False).messages, window=12))
    tab.set_viewport_size({"width": 844, "height": 600})
    listed, other = tab.locator(".al-player").all()
    assert listed.bounding_box()["height"] < 600 > other.bounding_box()["height"]
    below = listed.locator(".al-evidence")
    place = below.bounding_box()["y"]
    press_in(listed, "Home")
    assert abs(below.bounding_box()["y"] - place) < 2  # there is no list yet, and nothing has moved
    press_in(listed, "ArrowRight")
    items = listed.locator(".al-text")
    assert items.count() == 10
    assert {box.bounding_box()["height"] < 20 for box in items.all()} == {True}  # on one line
    assert items.evaluate_all("all => all.every(it => it.scrollWidth <= it.clientWidth)")
    assert listed.locator(".al-items").evaluate("it => it.scrollHeight <= it.clientHeight")
    press_in(other, *["ArrowRight"] * 8)  # without a list, the messages are there to read
    says(other, "Round 9 of")
    assert other.locator(".al-place").count() == 13  # the prompt and the last twelve
    lines = other.locator(".al-sight-lines")
    assert lines.evaluate("it => it.scrollHeight <= it.clientHeight")


def test_final_list_is_compared_with_the_files(rewind):
    player = rewind("forgetful")
    press_in(player, "End")
    files, claims = player.locator(".al-evidence-row").all()
    assert files.inner_text().split("\n")[-1] == "3 of 10"
    assert claims.inner_text().split("\n")[-1] == "4 of 4"
    assert claims.locator(".al-shown").count() == 3
    assert claims.locator(".al-claimed").count() == 1


def test_rounds_are_not_drawn_before_they_are_shown(gallery, show):
    player = show("forgetful")  # it begins in the round in which the plan is lost
    says(player, "Round 8 of 12")
    unknown = player.locator(".al-tape > .al-open")
    assert unknown.count() == 4
    press_in(player, "ArrowRight", "ArrowLeft", "ArrowLeft")
    says(player, "Round 7 of")
    assert unknown.count() == 3
