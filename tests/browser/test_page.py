"""The widgets on the page: for everybody, in every theme and size, whatever a model says."""

import pytest
from gallery import gallery as open_gallery
from gallery import says

HOSTILE = "<img src=x onerror=alert(1)>"
CELLS = f"""
from agentlib.nag import Nag
from lesson.practice.model import PracticeModel
from agentlib.todo import TodoManager
from lesson.runs.trial import Trial, play
from lesson.widgets import Board, Player, Seat, Walkthrough
from lesson import sample

class Ranked(TodoManager):
    fields = TodoManager.fields | {{"priority": {{"type": "string", "default": "high"}}}}
todo = Ranked()
todo.update([{{"text": "Read the project", "status": "completed"}},
             {{"text": "Add type hints", "status": "in_progress", "activeForm": "Adding them"}},
             {{"text": {HOSTILE!r}}}])
board = Board(todo, Nag(todo)); board
#
player = Player(play(after=8)); player.at = 9; player
#
compare = Player.compare(play(after=3), play(after=8), ("Soon", "Late")); compare.at = 4; compare
#
Walkthrough()
#
many = TodoManager()
many.update([{{"text": f"{{n}}" + ("W" if n % 2 else "word ") * 100}} for n in range(20)])
crowded = Board(many, Nag(many, 9_999)); crowded
#
tool = "T" * 70
def turn(n):
    use = {{"type": "tool_use", "id": f"t{{n}}", "name": tool, "input": {{"p" * 60: "v" * 700}}}}
    output = {{"type": "tool_result", "tool_use_id": f"t{{n}}", "content": {HOSTILE!r} * 40}}
    words = {{"type": "text", "text": "W" * 600}}
    return [{{"role": "assistant", "content": [words, use]}},
            {{"role": "user", "content": [output]}}]
said = [{{"role": "user", "content": {HOSTILE!r} * 9}}, *turn(1), *turn(2), *turn(3)]
hostile = Player(said, title="W" * 200); hostile.at = 2; hostile
#
Seat()
#
replies = Seat(); replies.answer = "Add tests"; replies.compared = True; replies
"""
WIDGETS = ("board", "player", "compare", "walkthrough", "crowded", "hostile", "seat", "replies")
THEMES = ("light", "dark", "dark high contrast")


@pytest.fixture(scope="module")
def gallery(lab_server, lab_page, pictures):
    with open_gallery(lab_server, lab_page, pictures, "page", CELLS) as lab:
        yield lab


@pytest.fixture
def show(gallery):
    """The widget of a name, fresh: its cell has just been run again."""

    def again(name):
        widget = gallery.show(WIDGETS.index(name))
        widget.evaluate("(it, name) => { it.id = name; }", name)
        return widget

    yield again
    gallery.text_size(100)
    gallery.page.emulate_media(forced_colors="none")
    assert gallery.problems == []


def overflows(widget):
    """What is wider than the widget that it is in."""
    return widget.evaluate(
        """it => {
            const end = it.getBoundingClientRect().right + 0.5;
            const inside = [...it.querySelectorAll('*')].filter(
                one => !one.closest('.al-hidden') && !one.parentElement.closest('.al-scroll')
                    && one.getBoundingClientRect().right > end);
            return it.scrollWidth > it.clientWidth ? ['itself', ...inside.map(one => one.className)]
                : inside.map(one => one.className); }""")  # fmt: skip


@pytest.mark.parametrize("look", [*THEMES, "forced colours"])
def test_axe_finds_nothing_in_three_themes_and_forced_colours(gallery, show, look):
    if look == "forced colours":
        gallery.page.emulate_media(forced_colors="active")
    else:
        gallery.theme(look)
    for name in WIDGETS:
        widget = show(name)
        assert gallery.axe(f"#{name}", colours_only=look != "light") == [], name
        gallery.picture(f"{name}-{look.replace(' ', '-')}", widget)
    gallery.theme("light")


def test_axe_sees_text_that_is_too_pale(gallery, show):
    show("board")
    for pale in ("--muted: #e6e6e6", "color: #ddd"):
        style = gallery.page.add_style_tag(
            content=f".agentlib, .agentlib * {{ {pale} !important }}"
        )
        found = gallery.axe("#board", colours_only=True)
        assert any("color-contrast" in problem for problem in found), pale
        style.evaluate("it => it.remove()")
    assert gallery.axe("#board", colours_only=True) == []


@pytest.mark.parametrize("name", WIDGETS)
def test_nothing_overflows_at_any_width_or_size_of_text(gallery, show, name):
    widget = show(name)
    for percent in (100, 150, 200):
        gallery.text_size(percent)
        for width in (940, 620, 420):
            widget.evaluate("(it, width) => { it.style.width = `${width}px`; }", width)
            assert overflows(widget) == [], (percent, width)
        gallery.picture(f"{name}-text-{percent}", widget)


@pytest.mark.parametrize("name", WIDGETS)
def test_larger_text_makes_no_text_smaller(gallery, show, name):
    widget = show(name)
    smallest = """it => Math.min(...[...it.querySelectorAll('*')]
        .filter(one => [...one.childNodes].some(each => each.nodeType === 3))
        .map(one => parseFloat(getComputedStyle(one).fontSize)))"""
    sizes = []
    for percent in (100, 150, 200):
        gallery.text_size(percent)
        sizes.append(widget.evaluate(smallest))
    assert sizes == sorted(sizes)
    assert sizes[0] >= 10.5


@pytest.mark.parametrize("name", WIDGETS)
def test_what_can_be_pressed_is_24_pixels_in_size(show, name):
    small = show(name).evaluate(
        """it => [...it.querySelectorAll('button, [role=slider], summary')]
            .filter(one => one.checkVisibility())
            .map(one => [one.innerText, one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24)
            .map(([words, box]) => `${words}: ${box.width} x ${box.height}`)""")  # fmt: skip
    assert small == []


def test_the_reminders_colour_can_be_told_from_the_paper(gallery, show):
    widget = show("compare")
    ratio = """it => {
        const light = colour => {
            const paint = document.createElement('canvas').getContext('2d');
            paint.fillStyle = colour;
            paint.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map(part => part / 255)
                .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const it_ = it.querySelector('.al-reminded');
        const tick = getComputedStyle(it_, '::after').backgroundColor;
        const both = [light(tick), light(getComputedStyle(it).backgroundColor)].sort();
        return Math.max(...both) / Math.min(...both); }"""
    for theme in THEMES:
        gallery.theme(theme)
        assert widget.evaluate(ratio) >= 3, theme
    gallery.theme("light")


def test_a_player_fits_on_one_screen(show):
    for name in ("player", "compare"):
        assert show(name).bounding_box()["height"] < 700


# What a model says


def test_a_hostile_text_is_shown_as_text(show):
    board = show("board")
    assert board.get_by_text(HOSTILE).is_visible()
    assert board.locator("img").count() == 0
    assert show("hostile").locator("img").count() == 0


def test_a_long_text_shows_its_beginning_and_opens(gallery, show):
    board = show("crowded")
    fold = board.locator(".al-long-text").nth(1)
    closed = fold.bounding_box()["height"]
    fold.locator("summary").focus()
    gallery.press("Enter")
    assert fold.bounding_box()["height"] > 1.5 * closed


def test_a_count_beyond_counting_is_words(show):
    board = show("crowded")
    assert board.locator(".al-pip").count() == 0
    assert board.get_by_text("0 of 9,999 rounds without a todo call").is_visible()


def test_a_board_shows_the_fields_that_a_subclass_adds(show):
    assert show("board").get_by_text("priority: high").count() == 3


# Keys, and a kernel that is stopped


def test_the_walkthrough_by_keyboard(gallery, show):
    walk = show("walkthrough")
    walk.get_by_role("button", name="Next").focus()
    for step in (2, 3, 4, 5):
        gallery.press("Enter" if step % 2 else "ArrowRight")
        says(walk, f"Step {step} of 5")
        assert walk.locator(".al-lit").count() > 0
    gallery.press("Home")
    says(walk, "Step 1 of 5")
    walk.get_by_role("button", name="Step 4").click()
    says(walk, "Replace")
    gallery.press("ArrowLeft")
    says(walk, "Step 3 of 5")
    assert gallery.focused().startswith("button: Step 3")


def test_the_stop_button_stops_a_run_and_leaves_a_history_that_can_be_sent(gallery, show):
    board = show("board")
    gallery.run("""
from agentlib.loop import rounds
from agentlib.workspace import Workspace
def endless(request):
    return [{"type": "tool_use", "name": "bash", "input": {"command": "sleep 0.3"}}]
workspace = sample("hello")
messages = [{"role": "user", "content": "Go on for ever."}]
run = dict(tools=workspace.tools(), model="practice", max_tokens=500)
""")
    gallery.script("panel.sessionContext.session.kernel.requestExecute({code: argument});", """
for step in board.follow(rounds(PracticeModel(endless).client(), messages, **run)):
    pass""")  # fmt: skip
    says(board, "Round 2")
    gallery.script("await panel.sessionContext.session.kernel.interrupt();")
    says(board, "Stopped")
    brief = "PracticeModel(lambda request: [{'type': 'text', 'text': 'Done.'}]).client()"
    assert gallery.answer(f"[*rounds({brief}, messages, **run)][-1].text") == "'Done.'"
