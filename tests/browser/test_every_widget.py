"""Every widget in every theme, width and text size, and with hostile or very long text."""

import pytest
from gallery import says

HOSTILE = "<img src=x onerror=alert(1)>"
# A cell of thirteen lines, as the one in 00 that runs an agent.
LONG_CELL = """
from lesson.runs.trial import Trial

# The practice model loses its plan, because nothing reminds it.
trial = Trial(after=None)
long = Board(trial.todo)

# Each pass through the loop is one round.
for turn in long.follow(trial):
    pass


# The board shows how it has ended.
long
"""
CELLS = {
    "board": f"""
class Ranked(TodoManager):
    fields = TodoManager.fields | {{"priority": {{"type": "string", "default": "high"}}}}
todo = Ranked()
todo.update([{{"text": "Read the project", "status": "completed"}},
             {{"text": "Add type hints", "status": "in_progress", "activeForm": "Adding them"}},
             {{"text": {HOSTILE!r}}}])
board = Board(todo, Nag(todo)); board
""",
    "long": LONG_CELL,
    "player": "player = Player(play(after=8)); player.at = 9; player",
    "walk": "Walk()",
    "crowded": """
many = TodoManager()
many.update([{"text": f"{n}" + ("W" if n % 2 else "word ") * 100} for n in range(20)])
Board(many, Nag(many, 9_999))
""",
    "hostile": f"""
def turn(n):
    use = {{"type": "tool_use", "id": f"t{{n}}", "name": "T" * 70,
           "input": {{"p" * 60: "v" * 700}}}}
    output = {{"type": "tool_result", "tool_use_id": f"t{{n}}", "content": {HOSTILE!r} * 40}}
    return [{{"role": "assistant", "content": [{{"type": "text", "text": "W" * 600}}, use]}},
            {{"role": "user", "content": [output]}}]
said = [{{"role": "user", "content": {HOSTILE!r} * 9}}, *turn(1), *turn(2), *turn(3)]
hostile = Player(said, title="W" * 200); hostile.at = 2; hostile
""",
    "seat": "Seat()",
    "replies": """
replies = Seat(); replies.answer = "Add tests"; replies.compared = replies.claude = True; replies
""",
    "four": "FourRuns()",
}
IDS = [f"#{name}" for name in CELLS]
TALL_PX = 15_500  # a window of this height shows all widgets
TEXT_PERCENT = (100, 200)
WIDTHS_PX = (940, 420)
SMALLEST_TARGET_PX = 24
# Elements that are wider than the widget that contains them, if the widgets have this width.
OVERFLOWS = """(widgets, width) => widgets.flatMap(it => {
    it.style.width = `${width}px`;
    const end = it.getBoundingClientRect().right + 0.5;
    const inside = [...it.querySelectorAll('*')].filter(
        one => one.getClientRects().length && !one.closest('.al-hidden')
            && !one.parentElement.closest('.al-scroll')
            && one.getBoundingClientRect().right > end);
    return [...(it.scrollWidth > it.clientWidth ? [it.id] : []),
            ...inside.map(one => `${it.id}: ${one.className}`)]; })"""
# How far below the upper end of a cell a part of its widget ends, in pixels.
BELOW = "(it, part) => part.getBoundingClientRect().bottom - it.getBoundingClientRect().top"
SMALL_TARGETS = """(widgets, least) => widgets.flatMap(
    it => [...it.querySelectorAll('button, [role=slider], summary')])
    .filter(one => one.checkVisibility() && !one.closest('svg'))
    .map(one => [one.innerText, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < least || box.height < least)
    .map(([words, box]) => `${words}: ${box.width} x ${box.height}`)"""


@pytest.fixture(scope="module")
def widgets(gallery_of_file):
    """Return all widgets by their names, for the tests that do not change them."""
    return {name: gallery_of_file.show(name) for name in CELLS}


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_no_violation(gallery, widgets, look):
    gallery.resize(TALL_PX)
    gallery.theme(look)
    assert gallery.axe(*IDS, colours_only=look != "light") == []


def test_layout_at_each_width_and_text_size(gallery, widgets):
    everything = gallery.page.locator(", ".join(IDS))
    assert everything.evaluate_all(SMALL_TARGETS, SMALLEST_TARGET_PX) == []
    for percent in TEXT_PERCENT:
        gallery.text_size(percent)
        for width in WIDTHS_PX:
            assert everything.evaluate_all(OVERFLOWS, width) == [], (percent, width)


@pytest.mark.parametrize(
    ("size", "part"),
    [((1280, 720), "[role=status]"), ((844, 600), ".al-evidence-row >> nth=1")],
)
def test_board_shows_what_one_looks_for_below_a_cell_of_thirteen_lines(gallery, show, size, part):
    gallery.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    board = show("long")
    cell = board.locator("xpath=ancestor::*[contains(@class, 'jp-CodeCell')]")
    assert cell.locator(".cm-line").count() == 13
    panel = gallery.page.locator(".jp-WindowedPanel-outer").bounding_box()
    below = cell.evaluate(BELOW, board.locator(part).element_handle())
    assert below < panel["height"]


# Text of a model or a learner


def test_markup_in_text_is_escaped(gallery, widgets):
    assert widgets["board"].get_by_text(HOSTILE).is_visible()
    for name in ("board", "hostile"):
        assert widgets[name].locator("img").count() == 0


def test_board_shows_the_fields_of_a_subclass(gallery, widgets):
    assert widgets["board"].get_by_text("priority: high").count() == 3


# Keyboard, interrupt


def test_walk_by_keyboard_asks_for_a_line_and_goes_to_the_one_that_is_right(gallery, show):
    walk = show("walk")
    walk.get_by_role("button", name="skip this question").focus()
    says(walk, "rejects the list")
    walk.locator("button.al-line", has_text="self.items = checked").press("Enter")
    says(walk, "You clicked line")
    line, changed = walk.locator(".al-line.al-marked"), walk.locator(".al-walk-state > .al-marked")
    assert "self.check_list(checked)" in line.inner_text() and changed.count() == 0
    assert "--lost" in line.get_attribute("style")
    gallery.press("ArrowRight")
    says(walk, "of call_tool")
    gallery.press("ArrowLeft")
    says(walk, "You clicked line")
    for chapter in ("The nag counts the rounds", "The reminder goes into"):
        walk.get_by_role("button", name=chapter).first.click()
    changed.get_by_text("with a reminder").wait_for()
    gallery.press("ArrowLeft")
    says(walk, "Which line of the loop puts it")
    gallery.press("ArrowRight")  # a question that is skipped says nothing
    says(walk, "has run")


def test_list_of_the_walk_is_one_sentence_to_a_screen_reader(gallery, show):
    read = show("walk").aria_snapshot()
    assert "1 in progress, 9 pending" in read and read.count("pending") == 1


def test_stop_button_interrupts_the_run_and_the_history_can_be_sent(gallery, show):
    board = show("board")
    gallery.run("""
def endless(request):
    return [{"type": "tool_use", "name": "bash", "input": {"command": "sleep 0.3"}}]
workspace = sample("hello")
messages = [{"role": "user", "content": "Go on for ever."}]
run = dict(tools=workspace.tools(), model="practice", max_tokens=500)
""")
    gallery.start("""
for turn in board.follow(rounds(PracticeModel(endless).client(), messages, **run)):
    pass""")
    says(board, "Round 2")
    gallery.script("await panel.sessionContext.session.kernel.interrupt();")
    says(board, "Stopped")
    brief = "PracticeModel(lambda request: [{'type': 'text', 'text': 'Done.'}]).client()"
    assert gallery.answer(f"[*rounds({brief}, messages, **run)][-1].text") == "'Done.'"
