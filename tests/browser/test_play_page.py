"""docs/play.html, opened as a file: it says what the widgets say, and asks no host for anything."""

import base64
import hashlib
import random
import re

import play_page
import pytest
from lab import find_violations, watch
from playwright.sync_api import expect

from lesson.widgets.seat import UNKNOWN, WRITE_FIRST

pytestmark = pytest.mark.slow
PAGE = play_page.PAGE
TEXT = PAGE.read_text(encoding="utf-8")
RIGHT = "() => document.documentElement.scrollWidth - innerWidth"
HEIGHT = "() => document.body.getBoundingClientRect().height"


@pytest.fixture(params=["chromium"])
def page(request):
    browser = request.getfixturevalue(request.param)
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    watch(tab, "file://")
    tab.goto(PAGE.as_uri())
    yield tab
    assert tab.problems == []
    tab.close()


def lose_plan(page):
    """Press the button until the plan has left the window, with the frame on the first screen."""
    button, frame = page.locator("#next"), page.locator("#frame")
    expect(frame.locator("ul > li")).to_have_count(10)
    before = button.bounding_box()
    for number in range(1, 7):
        box, last = frame.bounding_box(), frame.locator("> :visible").last.bounding_box()
        end = box["y"] + box["height"]
        assert end <= max(800, page.viewport_size["height"])
        assert end - last["y"] - last["height"] < 16, "the messages fill the box"
        button.press("Enter")
        assert button.bounding_box() == before
        expect(frame.locator("> [data-round]:visible")).to_have_count(2 * number)
    expect(frame.get_by_text("Add a main guard to shop.py")).to_be_visible()
    button.press("Enter")
    expect(frame.locator("> .out")).to_have_text([re.compile("main guard"), re.compile("^user 1")])


def answer(page, name, value):
    form = page.locator(f"form[data-shows={name}]")
    form.locator("select").select_option(value)
    form.locator("button").press("Enter")
    return form.locator("output")


def test_page_is_one_small_file_with_one_script_that_its_policy_names():
    assert PAGE.stat().st_size <= 400_000
    [script] = re.findall(r"<script[^>]*>(.*?)</script>", TEXT, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in TEXT and "default-src 'none'" in TEXT
    assert not re.search(r"\b(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org)", TEXT)


def test_states_are_those_of_runs_that_are_played_now():
    states = play_page.unpack(TEXT)
    assert len(states) == len(play_page.NAGS) * len(play_page.SIZES) * len(play_page.THRESHOLDS)
    chosen = random.Random(7)
    for kind in play_page.NAGS:
        for window in chosen.sample(play_page.SIZES, 2):
            thresholds = sorted(chosen.sample(play_page.THRESHOLDS, 3))
            for key, drawn in play_page.draw_states(kind, window, thresholds).items():
                assert drawn[1:] == states[key][1:], key


def test_page_is_written_again_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert play_page.write_page(play_page.unpack(TEXT)) == TEXT, "run `make notebooks`"


@pytest.mark.release
def test_page_without_its_script_says_so_and_offers_no_press(page):
    assert "needs its script" not in page.locator("body").inner_text()
    # As in a previewer of mail, or below the strict header of a server.
    with_none = page.context.browser.new_context(java_script_enabled=False).new_page()
    with_none.goto(PAGE.as_uri())
    expect(with_none.get_by_text("This page needs its script")).to_be_visible()
    expect(with_none.get_by_role("button", name="Next round")).to_be_disabled()
    with_none.context.close()


@pytest.mark.release
def test_paper_has_the_boxes_and_nothing_to_press(page):
    lose_plan(page)
    page.locator("#answer").fill("Add tests")
    page.locator("#compare").press("Enter")
    page.emulate_media(media="print")
    expect(page.locator("button:visible, select:visible")).to_have_count(0)
    expect(page.locator("#boxes input:visible")).to_have_count(7)


# A laptop, also at 150%, a phone and a projector.
SIZES = [(1280, 800), (853, 480), (390, 844), (1920, 1080)]
FIREFOX = [("firefox", 1280, 800), ("firefox", 390, 844)]


@pytest.mark.parametrize(
    "page, width, height",
    [
        ("chromium", *SIZES[0]),
        *(pytest.param("chromium", *size, marks=pytest.mark.release) for size in SIZES[1:]),
        *(pytest.param(*case, marks=pytest.mark.release) for case in FIREFOX),
    ],
    indirect=["page"],
)
def test_reader_loses_the_plan_is_the_model_and_moves_the_slider(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".class").first).to_be_hidden()  # until a class can read the page
    lose_plan(page)
    expect(page.get_by_role("heading", name="Which steps are left?")).to_be_focused()
    assert "main guard" not in page.locator("body").inner_text()
    top = page.locator(".lp-seat .lp-request").bounding_box()["y"]
    for part in (page.locator(".lp-request > div"), page.get_by_role("button", name="Compare")):
        box = part.first.bounding_box()  # a reader sees the messages while they answer
        assert box["y"] + box["height"] - top <= height
    prompt, result = page.locator(".lp-request pre:visible"), page.locator(".lp-request span")
    for part in (prompt, result.filter(has_text="import csv")):
        box = part.bounding_box()  # the prompt and the first result, which name what can be known
        assert box["y"] + box["height"] - top <= height
    chosen = page.get_by_role("radio", checked=True)
    for _ in range(5):
        chosen.press("ArrowDown")
    expect(page.locator(".lp-part pre:visible")).to_contain_text("load_old")
    assert page.locator(".lp-part > div:visible").bounding_box()["height"] < height
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    field = page.get_by_role("textbox", name="The steps that are left")
    expect(field).to_be_focused()  # the messages are one stop, and the chosen one is another
    named, button = page.locator("#named"), page.locator("#compare")
    button.press("Enter")
    expect(named).to_have_text(WRITE_FIRST)
    expect(field).to_be_focused()
    field.fill("Add tests\n<b>nothing</b>")
    button.press("Enter")
    expect(page.get_by_text(UNKNOWN)).to_be_focused()
    expect(page.locator(".lp-request")).to_be_hidden()
    expect(page.locator("#boxes .lp-lost")).to_have_count(3)
    page.keyboard.press("Tab")
    guess = page.get_by_role(
        "checkbox", name="Split the long function in receipt.py: visible nowhere"
    )
    tests = page.get_by_role("checkbox", name="Write tests for the prices and the totals")
    expect(guess).to_be_focused()
    guess.press("Space")
    tests.press("Space")
    expect(named).to_have_text(
        "Of the 4 that can still be seen, you named 1. Guessed, because nothing says so: 1."
    )
    expect(tests).to_be_focused()
    guess.press("Space")
    expect(named).to_have_text("Of the 4 that can still be seen, you named 1.")
    button.press("Enter")
    expect(page.locator(".lp-request")).to_be_visible()
    expect(named).to_have_text("")
    button.press("Enter")
    expect(answer(page, "soon", "7")).to_have_text("You said 7; it is 5.")
    slider = page.get_by_role("slider", name="threshold")
    expect(page.locator("#below")).to_contain_text("10 of 10")
    expect(page.locator("#scale .untried")).to_have_count(14)
    slider.press("ArrowRight")
    expect(page.locator("#below")).to_contain_text("3 of 10")
    expect(page.locator("#said")).to_contain_text("its list says 4 of 4")
    page.locator("#shows").check()
    expect(page.locator("#below")).to_contain_text("10 of 10")
    expect(answer(page, "runs", "8")).to_have_text("You said 8; it is 0.")
    page.locator("summary", has_text="Read the last reply").press("Enter")
    expect(page.locator("pre.report")).to_contain_text("The refactoring is finished")
    expect(page.locator("#runs details")).to_contain_text("“Split the long function in receipt.py")
    slider.press("Home")
    heights = set()
    for _ in play_page.THRESHOLDS:
        heights.add(round(page.evaluate(HEIGHT)))
        slider.press("ArrowRight")
    assert len(heights) == 1, "the page jumps when one moves the slider"
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert find_violations(page, page.locator("html")) == [], theme
    for _ in range(2):  # also large: a phone has no button and no key for it
        assert page.evaluate(RIGHT) <= 0
        page.evaluate("() => enlarge()")


@pytest.mark.release
@pytest.mark.parametrize("page", ["chromium", "firefox"], indirect=True)
def test_large_text_shows_the_button_the_whole_prompt_and_the_plan_on_a_projector(page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("p")
    prompt = page.locator("#frame > .prompt > span")
    for number in range(7):
        for part in (page.locator("#next"), prompt, page.locator("#frame ul li").last):
            expect(part).to_be_in_viewport(ratio=0.99)  # once the page has its place
        assert prompt.evaluate("it => it.scrollWidth <= it.clientWidth")
        if number < 6:
            page.locator("#next").press("Enter")


@pytest.mark.release
def test_key_makes_the_text_large_for_a_class_whose_hands_are_drawn(page):
    form = page.locator("form[data-shows=soon]")
    bars, field = page.locator(".hands").first, form.locator("input")
    form.locator("select").press("p")  # a reader who types or chooses gets no large text
    expect(field).to_be_hidden()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("p")
    expect(page.locator("#large")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("() => document.body.currentCSSZoom") > 1.8
    answer(page, "soon", "8")
    expect(bars).to_be_hidden()
    field.fill("3: 4, 5: 11; 8:9, 3=2\n40: 3 <b>x</b>")
    field.press("Enter")
    expect(bars.locator("small")).to_have_text(["1", "2", "3", "4", "✓ 5", *map(str, range(6, 16))])
    expect(bars.locator("b")).to_have_text(["", "", "6", "", "11", "", "", "9", *[""] * 7])
    high = [bars.locator("i").nth(n).bounding_box()["height"] for n in (2, 4, 7, 14)]
    assert high == pytest.approx([high[1] * hands / 11 for hands in (6, 11, 9, 0)], abs=1)
    expect(bars.locator("p")).to_contain_text("Not read: “40: 3 <b>x</b>”")
    expect(bars).to_have_attribute("aria-label", re.compile("3: 6; 5: 11, which is right; 8: 9$"))
    field.fill("")
    field.press("Enter")
    expect(bars).to_be_hidden()
