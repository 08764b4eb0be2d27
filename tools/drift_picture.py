"""Draw the picture of a plan that fades: docs/drift-light.svg and docs/drift-dark.svg.

For narrow screens there are docs/drift-light-narrow.svg and docs/drift-dark-narrow.svg.

Nothing in it is drawn by hand: three runs of the ten steps are played, and what each round did,
which requests held the plan, and what the files and the list say at the end is read from them.

    python tools/drift_picture.py
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from lesson.runs.measured import Measured, Setting, measured

DOCS = Path(__file__).parents[1] / "docs"
THRESHOLDS = (5, 6, 8)  # rounds: the last that finishes, the first that fails, one far too late
LEFT, STEP, CELL = 172, 29, 26  # pixels: where the cells begin, from one to the next, one cell
TOP, GAP = 122, 86  # pixels: where the first strip begins, from one strip to the next
WIDTH, HEIGHT = 1180, 392
NARROW_WIDTH, NARROW_HEIGHT, NARROW_GAP, NARROW = 400, 286, 100, 0.47  # pixels, and the scale


@dataclass(frozen=True)
class Theme:
    """The colours of one picture."""

    ink: str
    muted: str
    paper: str
    plan: str
    work: str
    done: str
    lost: str
    wash: str


LIGHT = Theme(
    ink="#1f2328",
    muted="#59636e",
    paper="#ffffff",
    plan="#0d47a1",
    work="#a9d5ab",
    done="#388e3c",
    lost="#b3400e",
    wash="#fde5d6",
)
DARK = Theme(
    ink="#e6edf3",
    muted="#9da7b1",
    paper="#0d1117",
    plan="#64b5f6",
    work="#2e6b33",
    done="#4caf50",
    lost="#ff9d5c",
    wash="#4a2a18",
)


def main() -> None:
    """Write both pictures."""
    runs = [measured(Setting(after=after)) for after in THRESHOLDS]
    for name, theme in (("light", LIGHT), ("dark", DARK)):
        (DOCS / f"drift-{name}.svg").write_text(drawing(runs, theme), encoding="utf-8")
        (DOCS / f"drift-{name}-narrow.svg").write_text(narrow(runs, theme), encoding="utf-8")


def drawing(runs: list[Measured], theme: Theme) -> str:
    """The runs as SVG, one strip below the other."""
    lost = next(run for run in runs if run.seen)
    parts = [
        *opening(runs, WIDTH, HEIGHT, theme),
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{theme.paper}"/>',
        text(24, 40, "A plan fades. A reminder in time brings it back.", theme.ink, 22, bold=True),
        *legend(theme, lost.setting.window),
    ]
    for index, run in enumerate(runs):
        parts += strip(run, TOP + GAP * index, theme)
    parts += edge(lost.seen, lost.setting.window, theme)
    return "\n".join([*parts, "</svg>\n"])


def narrow(runs: list[Measured], theme: Theme) -> str:
    """The same strips for a phone: smaller, each between two lines of words."""
    lost = next(run for run in runs if run.seen)
    line = (
        f'<path d="M{LEFT + STEP * lost.seen - 1.5} -16V48" stroke="{theme.lost}" '
        'stroke-width="3" stroke-dasharray="6 6"/>'
    )
    parts = [*opening(runs, NARROW_WIDTH, NARROW_HEIGHT, theme)]
    for index, run in enumerate(runs):
        y = 22 + NARROW_GAP * index
        colour = theme.done if run.is_finished else theme.lost
        done = f"{run.steps_done} of {len(run.done)} done"
        says = f"its list says {run.list_done} of {len(run.claims)}"
        name = f"Remind after {run.setting.after}"
        parts += [
            text(8, y, name, theme.ink, 16, bold=True),
            text(NARROW_WIDTH - 8, y, done, colour, 16, bold=True, anchor="end"),
            f'<g transform="translate(8 {y + 16}) scale({NARROW}) translate({-LEFT} 0)">',
            *cells(run, 0, theme),
            line,
            "</g>",
            text(8, y + 54, timing(run), theme.muted, 14),
            text(NARROW_WIDTH - 8, y + 54, says, theme.muted, 14, anchor="end"),
        ]
    return "\n".join([*parts, "</svg>\n"])


def opening(runs: list[Measured], width: int, height: int, theme: Theme) -> Iterator[str]:
    """How both pictures begin."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="title what" '
        'font-family="system-ui, -apple-system, \'Segoe UI\', sans-serif" font-size="15">'
    )
    yield '<title id="title">A plan fades. A reminder in time brings it back.</title>'
    yield f'<desc id="what">{escape(" ".join(map(told, runs)))}</desc>'
    yield definitions(theme)


def told(run: Measured) -> str:
    """A run in words, for those who do not see the picture."""
    done = f"{run.steps_done} of {len(run.done)} steps are done"
    return f"Reminder after {run.setting.after} rounds: {done}. {run.why()}"


def definitions(theme: Theme) -> str:
    """How what is lost is hatched, and how a plan fades."""
    return (
        '<defs><pattern id="lost" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="7" height="7" fill="{theme.wash}"/>'
        f'<rect width="1.6" height="7" fill="{theme.lost}" opacity=".55"/></pattern>'
        + "".join(
            f'<linearGradient id="{name}"><stop stop-color="{colour}"/>'
            f'<stop offset="1" stop-color="{colour}" stop-opacity=".12"/></linearGradient>'
            for name, colour in (("plan", theme.plan), ("short", theme.lost))
        )
        + "</defs>"
    )


def legend(theme: Theme, window: int) -> Iterator[str]:
    """What the cells and marks mean, in one line."""
    x = LEFT
    kinds = {"p": "writes its plan", "w": "works", "d": "finishes a step", "l": "has lost it"}
    for kind, words in kinds.items():
        yield f'<g transform="translate({x} 62) scale(.62)">{cell(0, 0, kind, theme)}</g>'
        yield text(x + 22, 75, words, theme.muted)
        x += 42 + 7.4 * len(words)
    yield reminder(x + 6, 64, theme)
    yield text(x + 18, 75, "reminder", theme.muted)
    yield f'<rect x="{x + 100}" y="66" width="56" height="8" rx="4" fill="url(#plan)"/>'
    yield text(x + 164, 75, f"plan in view of the {window} messages", theme.muted)


def strip(run: Measured, y: int, theme: Theme) -> Iterator[str]:
    """One run: its name, its rounds, its reminders, how long each plan is in view, its end."""
    yield text(24, y + 13, f"Remind after {run.setting.after}", theme.ink, 16, bold=True)
    yield text(24, y + 31, timing(run), theme.muted)
    yield from cells(run, y, theme)
    yield from outcome(run, LEFT + STEP * run.rounds + 24, y, theme)


def cells(run: Measured, y: int, theme: Theme) -> Iterator[str]:
    """Its rounds, its reminders, and how long each plan is in view."""
    for place, letter in enumerate(run.cells):
        kind = letter.lower()
        if kind == "e":
            yield end(place, y, run, theme)
        else:
            yield cell(LEFT + STEP * place, y, kind, theme)
        if letter.isupper():
            yield reminder(LEFT + STEP * (place + 1) - 1.5, y - 13, theme)
    for start, stop in run.plans_in_view():
        x, length = LEFT + STEP * start, STEP * (stop - start) - 3
        fill = "url(#short)" if run.cells[start] in "sS" else "url(#plan)"
        yield f'<rect x="{x}" y="{y + 31}" width="{length}" height="8" rx="4" fill="{fill}"/>'


def timing(run: Measured) -> str:
    """Whether the reminder came in time."""
    late = run.read - run.seen
    if not run.lost:
        return "in time"
    return "1 round too late" if late == 1 else f"{late} rounds too late"


def cell(x: float, y: float, kind: str, theme: Theme) -> str:
    """One round."""
    colour = {"p": theme.plan, "w": theme.work, "d": theme.done}.get(kind, "url(#lost)")
    line = theme.lost if colour.startswith("url") else colour
    box = (
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="5" '
        f'fill="{colour}" stroke="{line}" stroke-width="2"/>'
    )
    if kind in "ps":
        colour = theme.paper if kind == "p" else theme.lost
        heights = (8, 13, 18) if kind == "p" else (11, 16)
        lines = "".join(f"M{x + 7} {y + height}h12" for height in heights)
        return box + f'<path d="{lines}" stroke="{colour}" stroke-width="2"/>'
    if kind in "lf":
        return box + text(x + 13, y + 19, "?", theme.lost, 16, bold=True, anchor="middle")
    return box


def end(place: int, y: int, run: Measured, theme: Theme) -> str:
    """The round in which the model says that it is done."""
    x, mark = LEFT + STEP * place, "✓" if run.is_finished else "✗"
    box = (
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="5" '
        f'fill="none" stroke="{theme.muted}" stroke-width="2"/>'
    )
    colour = theme.done if run.is_finished else theme.lost
    return box + text(x + 13, y + 19, mark, colour, 16, bold=True, anchor="middle")


def outcome(run: Measured, x: int, y: int, theme: Theme) -> Iterator[str]:
    """What the files show, and what the list says: filled is shown, hollow is only claimed."""
    colour = theme.done if run.is_finished else theme.lost
    done = f"{run.steps_done} of {len(run.done)} done"
    says = f"its list says {run.list_done} of {len(run.claims)}"
    yield text(x, y + 11, done, colour, 16, bold=True)
    yield text(x, y + 31, says, theme.ink if "o" in run.claims else theme.muted)
    if run.is_finished:
        return
    for row, letters in enumerate(("".join("x" if ok else "." for ok in run.done), run.claims)):
        for place, letter in enumerate(letters):
            yield square(x + 140 + 17 * place, y - 1 + 20 * row, letter, theme)


def square(x: int, y: int, letter: str, theme: Theme) -> str:
    """A step, or an item of the list."""
    looks = {
        "x": f'fill="{theme.done}" stroke="{theme.done}"',
        "o": f'fill="none" stroke="{theme.lost}" stroke-width="1.5"',
    }
    look = looks.get(letter, f'fill="none" stroke="{theme.muted}" stroke-dasharray="2 2"')
    box = f'<rect x="{x}.5" y="{y}.5" width="12" height="12" rx="3" {look}/>'
    if letter != "o":
        return box
    tick = f"M{x + 3.5} {y + 6.5}l2.5 3 4-6"
    return box + f'<path d="{tick}" fill="none" stroke="{theme.lost}" stroke-width="1.5"/>'


def reminder(x: float, y: float, theme: Theme) -> str:
    """The mark of a reminder: between the round it goes out with and the one that reads it."""
    return f'<path d="M{x - 6} {y}h12l-6 9z" fill="{theme.lost}"/>'


def edge(seen: int, window: int, theme: Theme) -> Iterator[str]:
    """The line at which the first plan leaves the model's view, through all strips."""
    x = LEFT + STEP * seen - 1.5
    end = TOP + GAP * (len(THRESHOLDS) - 1) + 44
    look = f'stroke="{theme.lost}" stroke-width="2" stroke-dasharray="4 4"'
    yield f'<path d="M{x} {TOP - 18}V{end}" {look}/>'
    words = f"here the first plan leaves the {window} messages that the model sees"
    yield text(x + 8, TOP + 61, words, theme.lost, bold=True)


def text(
    x: float,
    y: float,
    words: str,
    colour: str,
    size: int = 15,
    *,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    """Words that begin at `x` and stand on the line `y`."""
    weight = "600" if bold else "400"
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


if __name__ == "__main__":
    main()
