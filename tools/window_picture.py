"""Draw the README's picture, docs/window-{light,dark}{,-narrow}.svg, from two real runs.

    python tools/window_picture.py

It shows another window than the one that s03's bet asks about.
"""

from collections.abc import Iterator
from pathlib import Path

from lesson.runs.measured import Setting, measured
from lesson.svg import DARK, LIGHT
from lesson.widgets.runs_picture import draw_windows

DOCS = Path(__file__).parents[1] / "docs"
TITLE = "The plan climbs out of the window"
WINDOW = 20  # messages
THRESHOLDS = (9, 10)  # rounds: the last that finishes with this window, and the first that does not
WIDTHS = {"": 1180, "-narrow": 400}  # pixels, by the end of the file's name


def draw_all() -> Iterator[tuple[str, str]]:
    """Yield the name and the content of each file."""
    runs = [measured(Setting(after=after, window=WINDOW)) for after in THRESHOLDS]
    for theme_name, theme in (("light", LIGHT), ("dark", DARK)):
        for end, width in WIDTHS.items():
            yield f"window-{theme_name}{end}.svg", draw_windows(runs, theme, TITLE, width)


if __name__ == "__main__":
    for name, drawing in draw_all():
        (DOCS / name).write_text(drawing, encoding="utf-8")
