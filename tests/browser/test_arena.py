"""The arena in a browser: guesses by mouse and keys, and the diagonal."""

import pytest
from lab import TIMEOUT_MS
from standalone import write_page

from lesson.practice.models import MODELS
from lesson.runs.arena_rows import GROWING, SORTED
from lesson.widgets.arena import Arena

ROWS = Arena().state["rows"][1:]  # the first one is shown from the start
RIGHT = [row["answers"][0] for row in ROWS]
PHONE, TABLET, SCREEN = (390, 844), (768, 1024), (1440, 900)


@pytest.fixture(scope="module")
def tab(chromium, tmp_path_factory):
    """Open a page without a kernel."""
    path = write_page([Arena()], tmp_path_factory.mktemp("page") / "arena.html", "The arena")
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(path.as_uri())
    return page


def guess(tab, *answers):
    """Answer the next questions: a model by its column's head, anything else by its button."""
    for answer in answers:
        if answer in MODELS:
            head(tab, answer).click()
            tab.get_by_role("button", name="My answer").click()
        else:
            box = tab.locator(".al-arena-box [role=group]")
            box.get_by_role("button", name=str(answer), exact=True).click()


def head(tab, name):
    """Return the head of a model's column, whatever it is called."""
    rows = tab.locator(".al-arena-row").count()
    order = SORTED if rows >= len(GROWING) else list(MODELS)
    return tab.locator("thead .al-arena-who").nth(order.index(name))


def begin_again(tab, *answers):
    tab.reload()
    guess(tab, *answers)


def columns(tab):
    return tab.locator("thead .al-arena-who").all_inner_texts()


def focused(tab):
    return tab.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent")


def test_rows_appear_after_guesses_and_the_columns_become_a_diagonal(tab):
    rows = tab.locator(".al-arena-row")
    for number, answer in enumerate(RIGHT, 1):
        assert rows.count() == number
        if number >= len(GROWING):
            assert columns(tab) == SORTED
        guess(tab, answer)
        assert tab.get_by_role("status").inner_text().startswith("Right. "), answer
    rescued = tab.locator(".al-arena-row .al-better").evaluate_all(
        "cells => cells.map(cell => cell.closest('td').cellIndex - 1)"
    )
    assert rescued[: len(MODELS) - 1] == list(range(len(MODELS) - 1))
    label = tab.locator(".al-better").first.get_attribute("aria-label")
    assert "Forgetter, + the nag: the files show 10 of 10 steps, before 3" in label
    assert tab.get_by_text("A list keeps what is planned, and a check shows").is_visible()


def test_first_page_is_short_and_a_sign_is_explained_when_it_first_occurs(tab):
    begin_again(tab)
    assert len(tab.locator(".al-arena").inner_text().replace("Model ", "").split()) <= 110
    assert tab.locator(".al-arena-cost").count() == 0
    key = tab.locator(".al-arena-key")
    for sign, row in (("its list says completed", 1), ("more steps than before", 2), ("fewer", 1)):
        begin_again(tab, *RIGHT[: row - 1])
        assert sign not in key.inner_text()
        guess(tab, RIGHT[row - 1])
        assert sign in key.inner_text()
    assert tab.locator("th.al-arena-cost").inner_text() == "tokens of Keeper"


def test_each_question_fits_the_output_of_a_cell_on_a_projector(tab):
    tab.set_viewport_size({"width": 844 + 32, "height": 600})  # and the margins of this page
    begin_again(tab)
    for answer in RIGHT:
        box, widget = (tab.locator(it).bounding_box() for it in (".al-arena-box", ".al-arena"))
        assert box["y"] + box["height"] - widget["y"] < 600, answer
        guess(tab, answer)


def test_model_has_a_letter_until_a_row_has_told_of_it(tab):
    begin_again(tab)
    letters = [f"Model {letter}" for letter in "ABCDEFG"]
    assert columns(tab) == letters
    tab.get_by_role("button", name="Model E", exact=True).click()  # its run is seen, not its name
    run = tab.locator(".al-arena-run")
    assert "Model E, the loop alone: the files show 3 of 10 steps" in run.inner_text()
    assert not any(name in tab.content().partition("<script")[0] for name in MODELS)
    assert columns(tab) == letters

    guess(tab, *RIGHT[:1])  # what is said of this row names three models
    letters[0], letters[2], letters[6] = "Dropper", "Keeper", "Ticker"
    assert columns(tab) == letters
    tab.get_by_role("button", name="Ticker", exact=True).click()
    assert "Ticker " in run.inner_text() and run.locator("a").get_attribute("href")


def test_most_answers_are_letters_when_their_question_is_asked(tab):
    begin_again(tab)
    hidden = []
    for row in ROWS[: len(GROWING) - 1]:
        answer = row["answers"][0]
        hidden.append(answer in MODELS and answer not in columns(tab))
        guess(tab, answer)
    assert hidden.count(True) == 4 and columns(tab) == SORTED


def test_wrong_guess_by_keyboard_is_named_and_framed(tab):
    begin_again(tab)
    tab.locator("thead [tabindex='0']").focus()
    for key in ("ArrowRight",) * 4 + ("Enter", "Tab"):
        tab.keyboard.press(key)
    while focused(tab) != "My answer: Model E":
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.get_by_role("status").inner_text().startswith("You said Model E. ")
    assert "al-arena-told" in tab.evaluate("document.activeElement.className")
    assert tab.locator("td .al-guess").count() == 1


def test_table_is_one_tab_stop_and_the_arrow_keys_move_inside(tab):
    begin_again(tab, *RIGHT[:3])
    head(tab, "Dropper").focus()
    first, second = columns(tab)[:2]
    assert (first, second) == ("Dropper", "Forgetter") and focused(tab) == first
    for key, words in (
        ("ArrowRight", second),
        ("ArrowDown", f"{second}, the loop alone: "),
        ("ArrowDown", f"{second}, + a list: "),
        ("ArrowLeft", f"{first}, + a list: "),
        ("ArrowLeft", f"{first}, + a list: "),
    ):
        tab.keyboard.press(key)
        assert focused(tab).startswith(words)
        assert tab.locator("table [tabindex='0']").count() == 1
    tab.keyboard.press("Tab")
    assert focused(tab) == "none of them"  # the answer that is no model


@pytest.mark.parametrize("size", [PHONE, TABLET, SCREEN])
def test_squares_stay_small_and_the_rows_are_aligned(tab, size):
    tab.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    begin_again(tab, *RIGHT[:4])
    widths = tab.locator("td .al-square").evaluate_all("all => all.map(one => one.offsetWidth)")
    assert 4 <= min(widths) and max(widths) <= 18
    rows = tab.locator(".al-arena-row").all()
    assert len({row.locator("td").first.bounding_box()["x"] for row in rows}) == 1
    begin_again(tab)  # without a column of tokens
    cells = tab.locator(".al-arena-row td").all()
    assert len({cell.bounding_box()["y"] for cell in cells}) == 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_heads_are_over_their_columns_at_each_width(tab):
    for width in (1200, 876, 720, 640, 390):
        tab.set_viewport_size({"width": width, "height": 600})
        begin_again(tab, *RIGHT[:2])
        heads, cells = (
            [round(one.bounding_box()["x"]) for one in tab.locator(it).all()]
            for it in ("thead .al-arena-who", "tbody tr:first-child .al-arena-cell")
        )
        assert heads == pytest.approx(cells, abs=2), width


def test_presented_question_is_on_the_screen_and_the_columns_rest(tab):
    tab.set_viewport_size({"width": SCREEN[0], "height": SCREEN[1]})
    begin_again(tab, *RIGHT[:-1])
    tab.wait_for_function("!document.getAnimations().length")
    tab.get_by_role("button", name="full screen").click()
    tab.locator(".al-stage").wait_for()
    assert tab.evaluate("document.getAnimations().length") == 0
    tab.wait_for_function(
        "document.querySelector('.al-arena-box').getBoundingClientRect().bottom <= innerHeight + 1"
    )
    tab.keyboard.press("Escape")
