"""The arena in a browser: guesses by mouse and keys, and the diagonal."""

import pytest
from standalone import write_page

from lesson.runs.arena import HARNESSES
from lesson.runs.arena_cells import cell
from lesson.widgets.arena import Arena

RIGHT = [
    *("none of them", "Forgetter", "Starter", "Dropper", "Quitter", "Ticker", "Repeater"),
    *(7, 3, 3, "Ticker"),
]


@pytest.fixture(scope="module")
def tab(chromium, tmp_path_factory):
    """Open a page without a kernel, with all cells played."""
    for row in range(len(HARNESSES)):
        for model in Arena().state["models"]:
            cell(row, model["name"])
    path = write_page([Arena()], tmp_path_factory.mktemp("page") / "arena.html", "The arena")
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(20_000)
    page.goto(path.as_uri())
    return page


def guess(tab, answer):
    """Give an answer: a number or "none of them" below the table, or a model in the next row."""
    if answer in ("none of them", *range(8)):
        tab.get_by_role("button", name=str(answer), exact=True).click()
    else:
        tab.get_by_role("button", name=f"{answer}:").click()


def columns(tab):
    return tab.locator("thead .al-arena-who").all_inner_texts()


def test_rows_appear_after_guesses_and_the_columns_become_a_diagonal(tab):
    rows = tab.locator(".al-arena-row:not(.al-asked)")
    shuffled = columns(tab)
    for number, answer in enumerate(RIGHT, 1):
        assert rows.count() == number
        assert (columns(tab) == shuffled) is (number < 8)
        guess(tab, answer)
        assert tab.get_by_role("status").inner_text().startswith("Yes. "), answer
    assert columns(tab)[:3] == ["Forgetter", "Starter", "Dropper"]
    better = tab.locator("tbody tr").nth(2).locator("td").nth(0).locator(".al-better")
    assert better.count() == 1 and tab.locator(".al-asked").count() == 0
    assert "the files show 10 of 10 steps, before 3" in better.get_attribute("aria-label")
    assert tab.get_by_text("An agent without a plan may drift").is_visible()


def test_name_is_described_by_pointing_and_by_keys(tab):
    tab.get_by_role("button", name="Repeater", exact=True).hover()
    what = tab.locator(".al-arena-what")
    assert "the same call again and again" in what.inner_text()
    assert what.locator("a").get_attribute("href").startswith("https://github.com/")
    tab.get_by_role("button", name="Quitter", exact=True).focus()
    assert "after four changes" in what.inner_text()


def test_wrong_guess_is_named_and_framed(tab):
    tab.get_by_role("button", name="Once more").click()
    tab.get_by_role("button", name="Repeater:").focus()
    tab.keyboard.press("Enter")
    assert tab.get_by_role("status").inner_text().startswith("You said Repeater. ")
    assert "al-arena-told" in tab.evaluate("document.activeElement.className")
    assert tab.locator(".al-guess").count() == 1
