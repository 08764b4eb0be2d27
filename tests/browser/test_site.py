"""The site, as `make site` has built it, from a plain file server and without another host."""

import json
import re

import pytest
from lab import file_server, find_violations, watch
from playwright.sync_api import expect
from website.__main__ import SITE

PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if path.relative_to(SITE).parts[0] != "live"
)
PHONE = {"width": 320, "height": 640}
SHOWN = ("index.html", "s03c_how_soon.html", "s03d_walkthrough.html")
STRIPS = "Reminded after so many rounds"
EDGE = "The window"


def test_site_is_built():
    assert "index.html" in PAGES, "run `make site`"


@pytest.fixture(scope="module")
def address():
    with file_server(SITE) as url:
        yield f"{url}/"


@pytest.fixture(scope="module")
def open_tab(chromium, address):
    """Return a function that returns a tab with these settings, and records its problems.

    Tests share a tab, because a new one starts a process.
    """
    tabs = {}

    def open_or_reuse(**settings):
        key = json.dumps(settings, sort_keys=True)
        if key not in tabs:
            context = chromium.new_context(**{"reduced_motion": "reduce"} | settings)
            tabs[key] = context.new_page()
            watch(tabs[key], (address, "data:", "blob:"))
        tabs[key].problems.clear()
        tabs[key].emulate_media(media="screen")
        return tabs[key]

    yield open_or_reuse
    for tab in tabs.values():
        tab.context.close()


@pytest.fixture
def visit(open_tab, address):
    """Return a function that opens a page of the site."""

    def open_page(page, **settings):
        tab = open_tab(**settings)
        tab.goto(address + page)
        return tab

    return open_page


def wait_until_drawn(tab):
    tab.wait_for_function("!document.querySelector('.widget:not(:has(> .agentlib))')")


@pytest.mark.parametrize("page", [page for page in PAGES if "solutions" not in page])
def test_page_fits_on_a_narrow_phone_without_another_host(visit, page):
    tab = visit(page, viewport=PHONE)
    wait_until_drawn(tab)
    tab.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert tab.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert tab.problems == []


@pytest.mark.parametrize("page", PAGES)
def test_links_have_targets(page):
    file = SITE / page
    for link in re.findall(r'<a [^>]*href="([^"]+)"', file.read_text(encoding="utf-8")):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = file.parent / path.partition("?")[0] if path else file
        assert target.is_file(), link
        if anchor:
            ids = re.findall(r' id="([^"]+)"', target.read_text(encoding="utf-8"))
            assert anchor in ids, link


def check_colours(tab):
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        assert find_violations(tab, colours_only=scheme == "dark") == [], scheme
    tab.emulate_media(color_scheme="light")


@pytest.mark.parametrize("page", ["seat.html", *SHOWN[1:]])
def test_axe_finds_no_violation_in_either_theme(visit, page):
    tab = visit(page)
    wait_until_drawn(tab)
    check_colours(tab)


def test_first_tab_stop_skips_to_the_content(visit):
    tab = visit("s03c_how_soon.html")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "content"


@pytest.mark.parametrize(
    "size", [(1366, 768), (390, 844), (720, 450)], ids=["laptop", "phone", "200%"]
)
def test_front_page_begins_with_the_first_widget(visit, size):
    tab = visit("index.html", viewport=dict(zip(("width", "height"), size, strict=True)))
    wait_until_drawn(tab)
    for name in ("Let it work", "Remind it"):
        box = tab.get_by_role("button", name=name).bounding_box()
        assert box["y"] + box["height"] < size[1]


def test_no_page_asks_for_a_key_that_does_nothing_there(visit):
    words = visit("00_start_here.html").locator("main").inner_text()
    assert "You are the model." in words and "Shift+Enter" not in words


def test_largest_words_of_the_front_page_are_its_heading(visit):
    sizes = visit("index.html").evaluate(
        """[...document.querySelectorAll('h1, h2')].map(
            it => parseFloat(getComputedStyle(it).fontSize))"""
    )
    assert len(sizes) > 2 and sizes[0] == max(sizes) > max(sizes[1:])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_of_the_main_button_are_readable_with_forced_colours(visit, theme):
    tab = visit("index.html", forced_colors="active", color_scheme=theme)
    button = tab.get_by_role("button", name="Let it work")
    adjusted, ink, paper = button.evaluate(
        """it => ['forcedColorAdjust', 'color', 'backgroundColor'].map(
            name => getComputedStyle(it)[name])"""
    )
    assert adjusted == "none"  # the browser draws no box of its own behind the words
    assert {ink, paper} == {"rgb(0, 0, 0)", "rgb(255, 255, 255)"}


def press(tab, *names):
    """Press buttons by keys."""
    for name in names:
        tab.get_by_role("button", name=name).press("Enter")


def test_reader_who_reminds_one_round_late_fails_and_drags_the_reminder_back(visit):
    tab = visit("index.html")
    first = tab.get_by_role("group", name="You are the reminder")
    first.get_by_text("5 rounds since its plan").wait_for()
    work, remind = (first.get_by_role("button", name=it) for it in ("Let it work", "Remind it"))
    expect(remind).to_contain_class("al-remind-press")  # the plan is at the edge
    expect(work).not_to_contain_class("al-main")
    press(tab, "Let it work")
    first.get_by_text("the model sees no plan any more").wait_for()
    assert not first.get_by_text("What its list says").is_visible()
    press(tab, "Remind it")
    first.get_by_text("3 of 10", exact=True).first.wait_for()
    expect(first.locator(".al-last")).to_have_text("“Everything on my list is done.”")
    told = first.get_by_role("status")
    expect(told).to_contain_text("“Everything on my list is done.” 3 of 10 steps done")
    expect(first).to_contain_text("The reminder is read in round 8, 1 round too late")
    check_colours(tab)
    reminder = first.get_by_role("slider", name="The reminder")
    assert reminder.get_attribute("aria-valuetext") == "after 6 rounds"
    box, mouse = reminder.bounding_box(), tab.mouse
    width = first.locator(".al-tape > i").first.bounding_box()["width"]
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(*place)
    mouse.down()
    mouse.move(place[0] - 1.2 * width, place[1], steps=3)
    mouse.up()
    first.get_by_text("You found the edge.").wait_for()
    expect(first).to_contain_text("After 5 rounds it works, after 6 it does not.")
    reminder.press("ArrowRight")
    first.get_by_text("3 of 10", exact=True).first.wait_for()
    press(tab, "And real models?")
    study = tab.get_by_role("group", name="Five lines of plan, 500 tasks")
    expect(study.get_by_role("slider")).to_be_in_viewport()
    assert tab.problems == []


def test_window_of_the_first_widget_by_keys(visit):
    tab = visit("index.html")
    first = tab.get_by_role("group", name="You are the reminder")
    first.get_by_text("5 rounds since its plan").wait_for()
    press(tab, "Let it work", "Remind it")
    first.get_by_text("3 of 10", exact=True).first.wait_for()
    edge = first.get_by_role("slider", name="The window")
    edge.press("ArrowUp")
    edge.press("ArrowUp")
    assert edge.get_attribute("aria-valuetext").startswith("14 messages")
    first.get_by_text("10 of 10", exact=True).first.wait_for()
    edge.press("ArrowDown")
    edge.press("ArrowDown")
    first.get_by_text("3 of 10", exact=True).first.wait_for()


def test_front_page_without_scripts_has_the_picture(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(address)
    assert tab.get_by_role("img", name="One job in ten steps, four runs").is_visible()
    assert not tab.get_by_role("button").count()
    context.close()


def test_run_with_another_window_opens_at_its_round(visit):
    tab = visit("s03c_how_soon.html")
    wait_until_drawn(tab)
    strips = tab.locator(".widget:has(.al-runs-card)").first
    rows, edge = strips.get_by_role("slider", name=STRIPS), strips.get_by_role("slider", name=EDGE)
    rows.press("Home")
    strips.get_by_role("button", name="Show what happens").click()
    edge.press("PageUp")
    rows.press("Enter")
    player, place = strips.locator(".al-player"), strips.locator(".al-head > strong")
    player.get_by_text("Round 3 of").wait_for()  # it reads the reminder
    tab.keyboard.press("ArrowRight")
    expect(place).to_have_text("Reminded after 1 round, round 4")
    strips.get_by_role("button", name="All runs").click()
    player.wait_for(state="detached")
    assert edge.get_attribute("aria-valuetext").startswith("25 messages = 12.5 rounds")
    assert tab.problems == []


def test_chart_of_another_reminder_keeps_its_runs(visit):
    tab = visit("s03c_how_soon.html")
    wait_until_drawn(tab)
    strips = tab.locator(".al-runs-card").last
    strips.evaluate("it => { for (; it; it = it.parentElement) it.open = true; }")  # unfold it
    for key in ("Home", *["ArrowDown"] * 7):
        strips.get_by_role("slider", name=STRIPS).press(key)
    strips.get_by_text("brings it back").wait_for()
    strips.get_by_role("slider", name=EDGE).press("End")
    assert "12 messages =" in strips.get_by_role("slider", name=EDGE).get_attribute(
        "aria-valuetext"
    )
    assert strips.get_by_role("button", name="Open run").count() == 0


def test_walk_reads_its_recording_without_a_kernel(visit):
    tab = visit("s03d_walkthrough.html")
    walk = tab.locator(".al-walk")
    walk.locator("button.al-line").last.click()
    walk.get_by_text("; it is line").wait_for()
    walk.get_by_role("button", name="next line").click()
    walk.get_by_text("of call_tool").wait_for()
    assert tab.problems == []


def test_board_behind_a_prediction_is_folded(visit):
    tab = visit("00_start_here.html")
    wait_until_drawn(tab)
    answer = tab.locator("details:has(.al-board)")
    assert not answer.locator(".al-board").is_visible()
    answer.get_by_text("See what comes").click()
    answer.locator(".al-evidence-row").first.get_by_text("3 of 3").wait_for()
