"""The cliff on a page of its own, as the site and JupyterLab draw it."""

import pytest
from playwright.sync_api import expect

from lesson import Cliff


@pytest.fixture
def page(open_page):
    return open_page(Cliff(), title="The cliff")


def grid_of(page):
    return page.get_by_role("slider")


def press_square(page, window, after, touch=False):
    """Press a square, or tap it."""
    box = grid_of(page).bounding_box()
    x = box["x"] + box["width"] * (window - 14 + 0.5) / 23
    y = box["y"] + box["height"] * (after - 0.5) / 17.4
    (page.touchscreen.tap if touch else page.mouse.click)(x, y)


def test_reader_draws_and_answers_by_keyboard(page):
    grid, said = grid_of(page), page.get_by_role("status")
    expect(said).to_contain_text("A script, not an LLM: with 20 messages, it finished when we")
    assert page.get_by_text("tokens").count() == 0
    grid.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert grid.get_attribute("aria-valuetext") == "22 messages: after 10 rounds"
    page.get_by_role("button", name="Play the other 374 runs").press("Enter")
    expect(said).to_contain_text("1 more than a flat line")
    assert page.get_by_text("thousand tokens").count() == 0 and page.get_by_text("★").count() == 0

    grid.focus()
    assert grid.get_attribute("aria-valuetext") == "no square chosen yet"
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(said).to_contain_text("This run does not finish.")
    assert page.get_by_role("button", name="Show what").get_attribute("aria-disabled") == "true"
    for key in ("ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Right. The cheapest with 22 messages is reminded after 10 rounds")
    for key in (*["ArrowRight"] * 8, "Enter"):
        page.keyboard.press(key)
    expect(said).to_contain_text("You said 30. From 34 messages on, the run without a list is")
    page.keyboard.press("Home")
    assert grid.get_attribute("aria-valuetext").startswith(
        "14 messages, reminded after 10 rounds: 3 of 10 steps done, its list says 4 of 4, 28"
    )
    assert page.get_by_text("4 rounds too late").is_visible()


def test_star_stands_on_the_cheapest_run_of_every_column_in_all_rows(page):
    for name in ("Play the other", "Show what they cost", "Show the answer"):
        page.get_by_role("button", name=name).click()
    stars = page.evaluate(
        """() => [...document.querySelectorAll('.al-cliff-squares > div')].slice(0, 23).map(
               column => [...column.children].findIndex(one => one.textContent === '★'))"""
    )
    columns = Cliff().columns.values()
    cheapest = [min((run.tokens, row) for row, run in enumerate(column) if run.is_finished)
                for column in columns]  # fmt: skip
    assert stars == [row for _, row in cheapest] and stars[-3:] == [16, 16, 16]


def test_drag_draws_every_column_that_it_crosses(page):
    box = grid_of(page).bounding_box()
    row = box["height"] / 17.4
    page.mouse.move(box["x"] + 1, box["y"] + 6 * row)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 15 * row)  # in one leap
    page.mouse.up()
    page.get_by_role("button", name="Play the other").click()
    said = page.get_by_role("status").inner_text()
    assert int(said.split("You placed ")[1].split()[0]) > 300 and "more than a flat line" in said


def test_phone_shows_the_whole_grid_scrolls_and_takes_a_tap(chromium, page):
    settings = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = chromium.new_context(offline=True, **settings)
    tab = context.new_page()
    tab.goto(page.url)
    grid = grid_of(tab)
    box = grid.bounding_box()
    assert box["x"] + box["width"] <= 390
    axes, numbers = (tab.locator(f".al-cliff-{it}").bounding_box() for it in ("axes", "sizes"))
    assert axes["y"] + axes["height"] <= numbers["y"]
    assert grid.evaluate("it => getComputedStyle(it).touchAction") == "pan-y"
    press_square(tab, 30, 14, touch=True)
    assert grid.get_attribute("aria-valuetext") in ("30 messages: after 13 rounds",
                                                    "30 messages: after 14 rounds")  # fmt: skip
    tab.get_by_role("button", name="Play the other").tap()
    chosen = tab.locator(".al-cliff-chosen")
    assert chosen.count() == 0  # also not the last square that was drawn
    press_square(tab, 30, 3, touch=True)
    press_square(tab, 24, 3, touch=True)  # a look at a run is no answer yet
    assert chosen.count() == 1 and tab.get_by_text("24 messages, reminded after 3").is_visible()
    tab.get_by_role("button", name="Show what they cost").tap()
    expect(tab.get_by_role("status")).to_contain_text("The run that you chose costs")
    press_square(tab, 34, 3, touch=True)
    expect(tab.get_by_role("status")).to_contain_text("The last question")
    tab.get_by_role("button", name="Show the answer").tap()
    expect(tab.get_by_role("status")).to_contain_text("You said 34, and so it is.")
    context.close()
