"""The chart: steps done and tokens spent for every threshold, measured by running."""

import logging
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple

import traitlets

from ..practice.mind.mind import ATTENTION
from ..practice.mind.tasks import load
from ..runs.trial import THRESHOLDS, Trial
from .background import Latest
from .base import View, script, style
from .todo_state import number


class Row(NamedTuple):
    """How the run with one threshold ended."""

    after: int
    steps_done: int
    rounds: int
    tokens: int
    reminders: int


COLUMNS = tuple(name.replace("_", " ") for name in Row._fields)

# Stand-ins for colours, which become variables of the page: so the theme decides.
INK, MUTED, STEPS, TOKENS, BAND = "#010101", "#020202", "#030303", "#040404", "#050505"
PAGE = {INK: "var(--ink)", MUTED: "var(--muted)", STEPS: "var(--good)",
        TOKENS: "var(--accent)", BAND: "var(--ink)"}


class Chart(View):
    """Plays a practice task once for each threshold, and shows how each run ended.

    `rows` are the numbers, a Row for each threshold. `after` is the threshold that is marked; a
    NagSlider that knows the chart moves the mark.
    """

    _esm = script("chart")
    _css = style("chart")
    after = traitlets.Int(3).tag(sync=True)
    svg = traitlets.Unicode().tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, task: str = "ten_steps", *, attention: int = ATTENTION, after: int = 3
    ) -> None:
        """`attention` is in messages, `after` in rounds. Fifteen runs take a second or two."""
        super().__init__(after=after)
        self.task, self.attention, self.slider = task, attention, None
        self._wanted = attention
        self._measured: dict[int, list[Row]] = {}
        self._latest = Latest(self._failed)
        for _ in self._measure(attention):
            pass

    @property
    def rows(self) -> list[Row]:
        """The numbers that are shown, one row for each threshold."""
        return self._measured[self.attention]

    def mark(self, after: int, attention: int) -> None:
        """Mark the threshold `after`; where the attention is another, measure with that."""
        self.after = after
        if attention != self._wanted:
            self._wanted = attention
            self.busy = attention not in self._measured
            self._latest.start(self._measure(attention))

    def wait(self) -> "Chart":
        """Return when what is shown belongs to the attention as it stands."""
        self._latest.wait()
        return self

    def _measure(self, attention: int) -> Iterator[None]:
        if attention not in self._measured:
            rows = []
            for after in THRESHOLDS:
                trial = Trial(self.task, after=after, attention=attention)
                for _ in trial:
                    yield
                rows.append(Row(after, trial.steps_done, len(trial.rounds), trial.tokens,
                                trial.reminders))
            self._measured[attention] = rows
        self._show(attention)

    def _show(self, attention: int) -> None:
        rows, steps = self._measured[attention], len(load(self.task).steps)
        self.attention = attention
        title = f"Every threshold, measured (attention: {number(attention, 'message')})"
        with self.hold_sync():
            self.busy = False
            self.svg = drawing(rows, steps)
            self.state = {"title": title, "status": conclusion(rows, steps),
                          "table": {"caption": "The same in numbers", "columns": COLUMNS,
                                    "rows": rows}}

    def _failed(self, problem: Exception) -> None:
        self._wanted = self.attention
        with self.hold_sync():
            self.busy = False
            self.state = self.state | {"status": f"The measuring failed: {problem}"}

    def text(self) -> str:
        """The title, the table, and what it comes to."""
        width = [len(name) for name in COLUMNS]
        lines = [COLUMNS, *[[f"{value:,}" for value in row] for row in self.rows]]
        table = ["  ".join(cell.rjust(w) for cell, w in zip(line, width, strict=True))
                 for line in lines]
        return "\n".join([self.state["title"], *table, self.state["status"]])


def conclusion(rows: Sequence[Row], steps: int) -> str:
    """What the numbers come to: which thresholds finish, and which of them is the cheapest."""
    good = [row for row in rows if row.steps_done == steps]
    if not good:
        return f"With this attention no threshold finishes all {steps} steps."
    best = min(good, key=lambda row: row.tokens)
    names = ", ".join(str(row.after) for row in good)
    return f"All {steps} steps are done with: {names}. The cheapest of them is {best.after}."


def drawing(rows: Sequence[Row], steps: int) -> str:
    """The rows as an SVG: two rows of bars above one axis, with a band for each threshold."""
    # Only who looks at a chart pays for the library.
    import matplotlib
    from matplotlib.figure import Figure

    # On its first use it may take a while to look for fonts: no reason for a red box.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "agentlib",
                                "font.size": 9, "text.color": INK}):
        # In a notebook it is some 460 pixels wide: so a point is more than one of them.
        figure = Figure(figsize=(4.7, 2.75), layout="constrained")
        upper, lower = figure.subplots(2, sharex=True)
        done, tokens = [row.steps_done for row in rows], [row.tokens for row in rows]
        bars(upper, done, f"steps done, of {steps}", STEPS, steps, [str(n) for n in done])
        bars(lower, tokens, "tokens, in thousands", TOKENS, max(tokens),
             [f"{n / 1000:.0f}" for n in tokens])
        lower.set_xticks(range(len(rows)), [row.after for row in rows])
        lower.set_xlabel("reminder after … rounds without a todo call", color=INK)
        for axes in (upper, lower):
            for place, row in enumerate(rows):
                band = axes.axvspan(place - 0.5, place + 0.5, facecolor="none", edgecolor=BAND,
                                    linestyle="--", linewidth=1.3)
                band.set_gid(f"threshold-{row.after}-{axes is upper}")
        file = StringIO()
        figure.savefig(file, format="svg", transparent=True,
                       metadata={"Date": None, "Creator": None})
    picture = file.getvalue()
    for stand_in, colour in PAGE.items():
        picture = picture.replace(stand_in, colour)
    return picture[picture.index("<svg"):]


def bars(axes: Any, heights: Sequence[int], title: str, colour: str, top: int, words: list) -> None:
    """One row of bars, each with its number above it, so that no scale is needed."""
    drawn = axes.bar(range(len(heights)), heights, width=0.66, color=colour)
    for word in axes.bar_label(drawn, words, padding=1.5, color=INK, fontsize=8.5):
        word.set_gid(f"value-{title}-{word.xy[0]}")
    axes.set_title(title, loc="left", fontsize=9, color=INK)
    axes.set_ylim(0, top * 1.3)
    axes.set_yticks([])
    axes.tick_params(colors=INK, length=0)
    axes.spines[["left", "right", "top"]].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
