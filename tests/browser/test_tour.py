"""One tour for each picture in JupyterLab: drawn, used with keys, read, and there on other days.

Each row is a cell of one notebook. The tests go on with one another's, and each passes alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from lab import check_has_no_kernel, find_violations, read_states
from playwright.sync_api import expect

from lesson.drawing.picture import LESSON
from lesson.widgets.drawn import SHEETS
from lesson.widgets.nag_slider import THRESHOLD_LABEL

pytestmark = pytest.mark.slow
SMALL, LAPTOP = {"width": 844, "height": 600}, {"width": 1280, "height": 800}
# Of a picture, in pixels: in a JupyterLab of 1536, 1366 and 1280 pixels with its list of files, and
# on a phone. Between the last two, the style sheet has other rules.
WIDTHS = (1104, 934, 848, 412)
KEYS = {
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "End",
    "Enter",
    "Home",
    "Space",
    "Tab",
}  # other keys are what is typed
SLIDER, FOLD = "role=slider", "summary:has-text('{}')"
PART, OPEN = "role=radio[name=/{}/]", ".lp-part:has(:checked) > div:has-text('{}')"
FIELD = "role=textbox[name='The steps that are left, one on each line']"
BOX = "role=checkbox[name=/{}/]"
COMPARE = "role=button[name='Compare with the plan']"


class Row(NamedTuple):
    """A cell, its text, and what is done: where, which keys, and what must then be in view.

    The text is what a notebook that is not trusted has in place of the picture. `small` and `large`
    must be in view in a small window, and in that of a laptop. The first slider has so many
    `steps`, in which nothing jumps. A picture that is not saved has only its text on another day.
    """

    cell: str
    text: str
    uses: Sequence[tuple[str, str, str]]
    small: Sequence[str] = ()
    large: Sequence[str] = ()
    steps: int = 0
    is_saved: bool = True


ROWS = {
    "run": Row(
        # A round is a tenth of a second: the motion itself is in test_widgets.py.
        "from lesson.widgets import run_view\nrun_view.REPLAY_MILLISECONDS = 100\n"
        "from lesson import play\nrun = play('ten_steps', after=6, nag='plain')\nrun",
        "the files show 3 of 10, its list says 4 of 4",
        [
            ("role=button[name='play or pause']", "", ".widget-label:has-text('round 10')"),
            (".lp-changes summary >> nth=0", "Enter", ".lp-changes ins"),
            (f"{SLIDER}[name='round 10']", "ArrowLeft", ".widget-label:has-text('round 9')"),
            (f"{SLIDER}[name='round 9']", "ArrowLeft", "text=round 8 changed no file"),
            (f"{SLIDER}[name='round 8']", "", ".lp-head:has-text('reads a reminder')"),
            (f"{SLIDER}[name='round 8']", "", ".lp-card:has-text('its plan is not sent')"),
        ],
        small=[".lp-run-counts", ".lp-run-tape", ".lp-run-legend"],
        steps=10,
    ),
    "run without a list": Row(
        "play('ten_steps', todo=None)",
        "the files show",
        [("role=button[name='play or pause']", "", ".widget-label:has-text('round 11')")],
        steps=11,
    ),
    "request": Row(
        "view = run_view.RunView(run)\nview.round.value = 8\nview.see.value = True\nview",
        "the files show 3 of 10, its list says 4 of 4",
        [
            (SLIDER, "", OPEN.format("Nag wrote this, and the loop put it inside")),
            (PART.format("with its plan: not sent"), "Space", OPEN.format("left these messages")),
            (PART.format("^system"), "Space", OPEN.format("You are a coding agent.")),
        ],
        steps=10,
    ),
    "slider": Row(
        "from lesson import NagSlider\nNagSlider(after=5)",
        "the files show 10 of 10",
        [
            (f"{SLIDER}[name='{THRESHOLD_LABEL}: 5']", "ArrowRight", "text=the files show 3 of 10"),
            (f"{SLIDER}[name='{THRESHOLD_LABEL}: 6']", "", ".lp-here b:has-text('3')"),
            (f"{SLIDER}[name='window: 12 messages']", "ArrowRight", "text=show 10 of 10"),
            (f"{SLIDER}[name='window: 14 messages']", "", ".lp-here b:has-text('10')"),
        ],
        small=[".lp-soon"],
    ),
    "slider, all tried": Row(
        "from lesson import NagSlider\nNagSlider(after=6)",
        "the files show 3 of 10",
        [("role=button[name='try all 15']", "Enter", ".lp-rows > li >> nth=14")],
    ),
    "seat": Row(
        "from lesson import Seat\nSeat()",
        "Refactor this bookshop",
        [
            (FIELD, "", OPEN.format("easy to read, tested and documented")),
            (PART.format("Refactor"), "ArrowDown", OPEN.format("messages were left out here")),
            (PART.format("import csv"), "Space", OPEN.format("load_old")),
            (PART.format("import csv"), "Tab", ".lp-part > div:focus"),  # the messages are one stop
            (".lp-part > div:visible", "Tab", "textarea:focus"),
            (COMPARE, "Enter", ".lp-said:has-text('Write your list first')"),
            (FIELD, "Add tests", "textarea:focus"),
            (FIELD, "Tab", "button:focus:has-text('Compare')"),
        ],
        small=[FIELD, COMPARE],
        large=[".lp-part:has(:checked) > div"],
    ),
    "seat, compared": Row(
        "from lesson import Seat\nSeat()",
        "Refactor this bookshop",
        [
            (FIELD, "Add tests", COMPARE),
            (COMPARE, "Enter", "text=three were only in the lost plan"),
            (BOX.format("Split .*visible nowhere"), "Space", "text=named 0. Guessed, because"),
            (BOX.format("Write tests .*the prompt"), "Space", "[role=status]:has-text('named 1')"),
            (BOX.format("Write tests"), "", "input:focus"),
        ],
        small=[".lp-said", BOX.format("README"), "role=button[name='Back to the messages']"],
    ),
    "walk": Row(
        "from lesson import Walk\nWalk()",
        "rejects the list",
        [
            ("role=button[name='play or pause']", "", "text=○ rejects the list"),
            (SLIDER, "Home ArrowRight ArrowRight", "text=step 3 of"),
            ("role=button[name='this line']", "Enter", "text=Not this one"),
            ("role=button[name='this line']", "ArrowRight", "text=step 4 of"),
        ],
        small=[".lp-now", SLIDER],
        large=[".lp-code > div >> nth=0", ".lp-code > div >> nth=-1"],
        steps=20,
    ),
    "compared runs": Row(
        "from lesson import compare\nfrom lesson.runs.run import Run\n"
        "compare({'late': Run(after=6).play(), 'no list': Run(todo=None).play()}, costs=True)",
        "the files show",
        [(".lp-result >> nth=1", "", ".lp-bill + .lp-cost:has-text('at a tenth') >> nth=1")],
    ),
    "evaluation": Row(
        "from lesson import evaluate\nsteps = [(f'Go {n}', f'{n}.txt', 'x') for n in range(10)]\n"
        "agents = {'asked': {'missing': 'list'}, 'bare': {'todo': None}, 'mine': {}}\n"
        "evaluate({'A long name of an agent ' * (name != 'bare') + name: agents[name] "
        "for name in agents}, job=steps)",
        "all steps done",
        [("th[scope=row] >> nth=3", "", "svg[aria-label*='4 of 10'] >> nth=0")],
    ),
    "check": Row(
        "from lesson import check\ndef agent_loop(*_, **more):\n    yield 1\n"
        'check("agent_loop")',
        "do not all pass yet",
        [(FOLD.format("Hint 1"), "Enter", "details[open] > :not(summary)")],
    ),
    "reveal": Row(
        "from lesson import reveal\nreveal(3, right=4)",
        "You said 3; it is 4.",
        [("p", "", "text=You said 3; it is 4.")],
    ),
}  # fmt: skip

DAILY_ROWS = "run", "slider"  # of `make test`; ALL=1 looks at each
OUTPUT = ".jp-OutputArea-output:not([data-mime-type$=stdout])"

# What is wrong at these widths of a picture (a text that leaves it, or a line that is on another
# one), and its heights. What is cut where it scrolls, or ends with an ellipsis, is there as far as
# it is seen.
MEASURE = """(output, widths) => {
    const it = output.querySelector('.lesson-picture') ?? output.firstElementChild;
    const clip = (box, by) => ({
        left: Math.max(box.left, by.left), right: Math.min(box.right, by.right),
        top: Math.max(box.top, by.top), bottom: Math.min(box.bottom, by.bottom)});
    const find = text => {
        const range = document.createRange();
        range.selectNodeContents(text);
        let [box, more] = range.getClientRects();
        if (more) return;
        for (let up = text.parentElement; up !== it; up = up.parentElement)
            if (getComputedStyle(up).overflow !== 'visible')
                box = clip(box, up.getBoundingClientRect());
        return box;
    };
    // A line that stays in view while one scrolls is on others.
    const besides = 'style, title, svg, .lp-as-unseen, .lp-as-reply';
    const wrong = [], heights = [];
    for (const width of widths) {
        it.style.width = `${width}px`;
        const seen = [];
        const walker = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const text = walker.currentNode, {parentElement} = text;
            if (/\\S\\t/.test(text.data))  // what wraps would go on below the first column
                wrong.push(`${text.data} has a column that only a tab begins`);
            if (!text.data.trim() || parentElement.closest(besides)
                || !parentElement.checkVisibility({visibilityProperty: true})) continue;
            const box = find(text), say = what => wrong.push(`${width} px: ${text.data} ${what}`);
            if (!box || box.right - box.left < 1 || box.bottom - box.top < 1) continue;
            const place = parentElement.closest('td') ?? it;
            if (box.right > place.getBoundingClientRect().right + 1) say('leaves its place');
            for (const [other, words] of seen) {
                const both = clip(box, other);
                if (both.right - both.left > 2 && both.bottom - both.top > 4) say(`is on ${words}`);
            }
            seen.push([box, text.data]);
        }
        if (it.scrollWidth > it.clientWidth + 1) wrong.push(`${width} px: it scrolls sideways`);
        heights.push(Math.round(it.getBoundingClientRect().height));
    }
    it.style.width = '';
    return [wrong, heights];
}"""

# The looks of all elements of a picture at a width, with this text in place of its style sheets.
LOOKS_WITH = """(output, [text, width]) => {
    const it = output.querySelector('.lesson-picture'), sheet = new CSSStyleSheet();
    const own = [...document.querySelectorAll('style')].filter(
        style => style.textContent.startsWith('.lesson-picture {'));
    for (const style of own) style.disabled = true;
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
    it.style.width = `${width}px`;
    const looks = [...it.querySelectorAll('*')].flatMap(element => ['', '::before', '::after'].map(
        part => `${element.className?.baseVal ?? element.className}${part}: `
            + ['width', 'height', 'margin', 'padding', 'color', 'background', 'border', 'fill',
                'stroke', 'font', 'display', 'visibility', 'translate', 'content', 'clip-path'].map(
                name => getComputedStyle(element, part)[name]).join()));
    it.style.width = '';
    document.adoptedStyleSheets.pop();
    for (const style of own) style.disabled = false;
    return looks;
}"""
ALL_SHEETS = "request", "slider, all tried", "seat", "walk", "compared runs", "evaluation"

# VS Code's own values, and the white box that some releases of its extension put around a widget.
# Its widgets' style sheet sets JupyterLab's light colours on :root, so this page has them as well.
VSCODE = {
    "vscode-light": ("#ffffff", "#3b3b3b"),
    "vscode-dark": ("#1f1f1f", "#cccccc"),
    "vscode-high-contrast": ("#000000", "#ffffff"),
    "vscode-high-contrast-light": ("#ffffff", "#292929"),
}
LOOK_LIKE_VSCODE = """
    const [kind, paper, ink] = argument;
    delete document.body.dataset.jpThemeLight;
    document.body.dataset.vscodeThemeKind = kind;
    const set = (name, value) => document.documentElement.style.setProperty(name, value);
    set('--vscode-editor-background', paper);
    set('--vscode-editor-foreground', ink);
    for (const output of document.querySelectorAll('.jp-OutputArea-output')) {
        output.classList.remove('jp-RenderedHTMLCommon', 'jp-RenderedText');
        const isWidget = output.querySelector('.jupyter-widgets');
        output.style.background = isWidget ? 'white' : paper;
        output.style.color = isWidget ? 'black' : ink;
    }
    """
LEAVE_VSCODE = """
    document.body.dataset.jpThemeLight = 'true';
    delete document.body.dataset.vscodeThemeKind;
    """
LOOKS = ("dark", "dark high contrast", "light", *VSCODE)

# For each text in an element, also in SVG and of ::before and ::after: its contrast as WCAG defines
# it, between its colour and all grounds below it, each with its transparency.
CONTRASTS = """root => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const read = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [...parts] = canvas.getImageData(0, 0, 1, 1).data;
        return [...parts.slice(0, 3), parts[3] / 255];
    };
    const over = (top, below) => [0, 1, 2].map(n => top[n] * top[3] + below[n] * (1 - top[3]));
    const groundOf = element => {
        const below = element.parentElement ? groundOf(element.parentElement) : [255, 255, 255];
        return over(read(getComputedStyle(element).backgroundColor), below);
    };
    const luminance = parts => {
        const linear = parts.map(part => part / 255).map(
            part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return linear[0] * .2126 + linear[1] * .7152 + linear[2] * .0722;
    };
    const contrasts = [];
    const measure = (text, colour, ground) => {
        const [dark, light] = [luminance(over(read(colour), ground)), luminance(ground)].sort(
            (first, second) => first - second);
        contrasts.push([(light + .05) / (dark + .05), text.trim(), colour, ground.join()]);
    };
    for (const fold of root.querySelectorAll('details')) fold.open = true;
    for (const element of root.querySelectorAll('*')) {
        if (!element.checkVisibility({visibilityProperty: true}) || element.closest('style, title'))
            continue;
        const texts = [...element.childNodes].filter(it => it.nodeType === Node.TEXT_NODE);
        const text = texts.map(it => it.data).join(' ');
        const {color, fill} = getComputedStyle(element);
        const behind = element.closest('svg') && element.parentElement.querySelector('rect');
        const value = element.matches('textarea') ? element.value : '';
        if (text.trim() && element.matches('text') && behind)
            measure(text, fill, over(read(getComputedStyle(behind).fill), groundOf(element)));
        else if (text.trim() || value) measure(text || value, color, groundOf(element));
        if (element.placeholder && !value)
            measure(element.placeholder, getComputedStyle(element, '::placeholder').color,
                groundOf(element));
        for (const name of ['::before', '::after']) {
            const {content, color, backgroundColor} = getComputedStyle(element, name);
            if (/[^"'\\s]/.test(content) && !['none', 'normal'].includes(content))
                measure(content, color, over(read(backgroundColor), groundOf(element)));
        }
    }
    return contrasts;
}"""

# What a reader sees of a picture: its text, its drawings, and what is in its fields.
CONTENT = """it => [it.textContent, ...[...it.querySelectorAll('svg, table, textarea')].map(
    part => part.value ?? part.innerHTML)]"""


@pytest.fixture(scope="module")
def tour(lab, request):
    """Open a notebook with the cells of all rows, and run those of this test run."""
    lab.page.emulate_media(reduced_motion="reduce")  # what moves is measured at rest
    lab.open_new("tour", *[row.cell for row in ROWS.values()])
    is_daily = "not release" in request.config.option.markexpr
    for place, name in enumerate(ROWS):
        if name in DAILY_ROWS or not is_daily:
            lab.run_cell(place)
    yield lab
    lab.page.emulate_media(reduced_motion="no-preference")


def show(tour, name):
    """Scroll to the cell of a row, and return its output."""
    return tour.show([*ROWS].index(name), OUTPUT)


def press(element, keys):
    """Press keys, or type a text."""
    if set(keys.split()) <= KEYS:
        for key in keys.split():
            element.press(key)
    else:
        element.press_sequentially(keys)


@pytest.mark.parametrize(
    "name",
    [
        *DAILY_ROWS,
        *(pytest.param(name, marks=pytest.mark.release) for name in ROWS if name not in DAILY_ROWS),
    ],
)
def test_each_is_drawn_and_used_with_keys(tour, name):
    row = ROWS[name]
    tour.page.set_viewport_size(SMALL)
    tour.script("app.shell.collapseLeft();")
    view = show(tour, name)
    for element, keys, seen in row.uses:
        expect(view.locator(element).first).to_be_visible()
        press(view.locator(element), keys)
        expect(view.locator(seen).first).to_be_visible()
    for size, selectors in (SMALL, row.small), (LAPTOP, row.large):
        tour.page.set_viewport_size(size)
        show(tour, name)
        for selector in selectors:
            expect(view.locator(selector)).to_be_in_viewport(ratio=0.99)
    heights = set()
    for number in range(1, max(row.steps, 1) + 1):
        if row.steps:
            view.locator(SLIDER).press("ArrowRight" if number > 1 else "Home")
            expect(view.locator(f"{SLIDER}[name=/^(round|step) {number}\\b/]")).to_be_visible()
            reached = view.locator("svg[role=img] >> nth=0 >> g:not(.lp-later)")
            expect(reached).to_have_count(number)
        wrong, measured = view.evaluate(MEASURE, WIDTHS)
        assert wrong == [], number
        # The narrowest walk wraps its long lines of code, so there it is not always equally high.
        heights.add(tuple(measured[:-1] if name == "walk" else measured))
    assert len(heights) == 1, "nothing jumps"


@pytest.mark.release
def test_marks_of_a_run_are_below_their_rounds_to_the_pixel(tour):
    view = show(tour, "run")
    for key in ("d", "d", "End"):  # elsewhere in a notebook, "d d" deletes the cell
        view.locator(SLIDER).press(key)
    expect(view.locator(f"{SLIDER}[name='round 10']")).to_be_visible()
    centres = """all => all.map(it => it.getBoundingClientRect()).map(
        ({x, width}) => x + width / 2)"""
    above, below = (view.locator(f"{part} g.lp-d") for part in (".lp-run-tape", ".lp-timeline"))
    expect(below).to_have_count(3)
    last = view.locator(".lp-run-tape g >> nth=-1").evaluate_all(centres)
    assert above.evaluate_all(centres) == pytest.approx(below.evaluate_all(centres), abs=1)
    assert view.locator(".noUi-handle").evaluate_all(centres) == pytest.approx(last, abs=1)


def test_step_of_a_run_is_one_line_and_the_run_fits_into_a_notebook(tour):
    """At 1366 x 768, an output has 647 pixels, below JupyterLab's menus, tabs and buttons."""
    tour.script("app.shell.expandLeft();")
    for width, height in ((1366, 768), (1366, 900), (1536, 864), (844, 600)):
        tour.page.set_viewport_size({"width": width, "height": height})
        view = show(tour, "run")
        rows = view.locator(".lp-timeline > li > div")
        expect(rows).to_have_count(11)
        assert max(rows.evaluate_all("all => all.map(it => it.offsetHeight)")) <= 22, width
        numbers = view.locator(".lp-numbers > span")
        expect(numbers).to_have_text(["5", "10"])
        if width > 844:
            top = view.locator(".lp-run-counts").bounding_box()["y"]
            end = view.locator(".lp-run-cost").bounding_box()
            assert end["y"] + end["height"] - top < 647 - (768 - min(height, 768))
    tour.script("app.shell.collapseLeft();")


@pytest.mark.release
def test_style_sheets_can_be_in_any_order(tour):
    """A page has those of several pictures, each with what every picture has."""
    names = ["drawing/picture", *SHEETS]
    parts = [(LESSON / f"{name}.css").read_text(encoding="utf-8") for name in names]
    for name in ALL_SHEETS:
        for width in (WIDTHS[0], WIDTHS[-1]):
            orders = (" ".join(parts), width), (" ".join(parts[::-1]), width)
            looks, turned = (show(tour, name).evaluate(LOOKS_WITH, [*order]) for order in orders)
            assert looks == turned, name


@pytest.mark.release
@pytest.mark.parametrize("look", LOOKS)
def test_each_text_can_be_read_and_each_part_has_a_name(tour, look):
    if look not in VSCODE:
        tour.theme(look)
    unreadable = []
    for name in ROWS:
        view = show(tour, name)
        if look in VSCODE:
            tour.script(LOOK_LIKE_VSCODE, [look, *VSCODE[look]])
        texts = view.evaluate(CONTRASTS)
        assert texts, name
        unreadable += [(name, *text) for text in texts if text[0] < 4.5]
        if look == "light":
            unreadable += find_violations(tour.page, view)
    tour.script(LEAVE_VSCODE)
    assert unreadable == []


@pytest.mark.release
def test_each_is_there_on_two_other_days_and_is_text_for_who_does_not_trust_it(tour):
    tour.save()
    states = read_states(tour.path)
    tour.run_cell([*ROWS].index("slider"))
    tour.save()
    assert len(read_states(tour.path)) == len(states), "only the widgets of the last run are saved"
    states = read_states(tour.path)
    kept = [name for name, row in ROWS.items() if row.is_saved]
    content = {name: show(tour, name).evaluate(CONTENT) for name in kept}
    for _ in range(2):
        source = tour.path.read_text(encoding="utf-8")
        tour.reopen()
        for name in kept:
            view = show(tour, name)
            expect(view.locator("svg, table, p, strong").first).to_be_visible()
            assert view.evaluate(CONTENT) == content[name], name
            for widget in view.locator(".lesson-picture.jupyter-widgets").all():
                check_has_no_kernel(widget)
        lost = len(ROWS) - len(kept)
        assert tour.blank_widgets() == ["Error displaying widget: model not found"] * lost
        tour.save()
        assert read_states(tour.path).keys() == states.keys()
    tour.close_notebooks()
    tour.path.write_text(source.replace("after=6", "after = 6"), encoding="utf-8")
    tour.reopen()
    for name, row in ROWS.items():
        expect(show(tour, name)).to_contain_text(row.text)
    assert tour.problems == []
