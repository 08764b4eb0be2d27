"""Every text can be read: in JupyterLab's themes, and in a page with the colours of VS Code."""

from lab import SHOWN

CELLS = (
    "from lesson import Seat, said\nsaid(3, right=4)\nseat = Seat()\nseat",
    "seat = Seat()\nseat.answer.value = 'Add tests'\nseat.compare.click()\nseat",
    "from lesson import play\nrun = play('ten_steps', after=6)\nrun",
    "run.view.see.value = True\nrun.view",
    "from lesson import HowSoon\nHowSoon(after=5)",
    "from lesson import Walk\nWalk()",
    "from lesson import check\ndef agent_loop(*_, **more):\n    yield 1\nloop = check(agent_loop)",
)

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
    for (const one of document.querySelectorAll('.jp-OutputArea-output')) {
        one.classList.remove('jp-RenderedHTMLCommon', 'jp-RenderedText');
        const isWidget = one.querySelector('.jupyter-widgets');
        one.style.background = isWidget ? 'white' : paper;
        one.style.color = isWidget ? 'black' : ink;
    }
    """
LEAVE_VSCODE = """
    document.body.dataset.jpThemeLight = 'true';
    delete document.body.dataset.vscodeThemeKind;
    """

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
    const found = [];
    const measure = (text, colour, ground) => {
        const [dark, light] = [luminance(over(read(colour), ground)), luminance(ground)].sort(
            (one, other) => one - other);
        found.push([(light + .05) / (dark + .05), text.trim(), colour, ground.join()]);
    };
    for (const fold of root.querySelectorAll('details:not(.lp-part)')) fold.open = true;
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
    return found;
}"""


def list_unreadable(lab, prepare="", argument=None):
    """Return the texts below the cells whose contrast is under 4.5, each with its cell."""
    unreadable = []
    for place in range(len(CELLS)):
        lab.script("await panel.content.scrollToItem(argument, 'start');", place)
        lab.script(prepare, argument)
        cell = lab.page.locator(f"{SHOWN} .jp-Cell[data-windowed-list-index='{place}']")
        texts = cell.locator(".jp-OutputArea-output").evaluate_all(
            f"all => all.flatMap({CONTRASTS})"
        )
        assert texts, place
        unreadable += [(place, *one) for one in texts if one[0] < 4.5]
    return unreadable


def test_every_text_can_be_read_in_each_theme_of_jupyterlab_and_of_vs_code(notebook):
    lab = notebook(*CELLS)
    lab.run_all()
    lab.page.locator(f"{SHOWN} .fa-pause").first.wait_for(state="detached")
    unreadable = {}
    for theme in ("dark", "dark high contrast", "light"):
        lab.theme(theme)
        unreadable[theme] = list_unreadable(lab)
    for kind, colours in VSCODE.items():
        unreadable[kind] = list_unreadable(lab, LOOK_LIKE_VSCODE, [kind, *colours])
    lab.script(LEAVE_VSCODE)
    assert {theme: texts for theme, texts in unreadable.items() if texts} == {}
