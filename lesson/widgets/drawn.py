"""The base of the lesson's widgets: plain ipywidgets around a picture, with all of it as text."""

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any
from uuid import uuid4

from IPython.display import display
from ipywidgets import HTML, DOMWidget, VBox, Widget

from safetylib.guard.escape import for_print

from ..drawing.picture import LESSON, ROOT, escape, read_style
from ..kernel.watching import find_cell, is_watched

WORKING = "The practice model is doing the job …"
# The modules that have a part of the style sheet. The order of the parts means nothing.
SHEETS = [f"{file.parent.name}/{file.stem}" for file in sorted(LESSON.glob("*/*.css"))]
UNTRUSTED = "Run this cell to draw this as a picture."
# The words of the legends on the page, each with the id of the cell that has it.
EXPLAINED: dict[str, str] = {}
# The widgets that all pictures of this kernel share, so that a page gets each of them once.
SHARED: dict[str, Widget] = {}


class Drawn(VBox):
    """A box of widgets under the lesson's style sheet. A subclass says all of it in `text()`.

    The text is what GitHub shows, and a notebook that is not trusted because it came from somebody
    else, and what tests compare. The repr of a plain widget is cut after 110 characters.
    """

    def __init__(self, *parts: Widget, css_class: str) -> None:
        """Take the parts, and the class of this widget in the style sheet."""
        super().__init__([share("style", lambda: HTML(read_style(*SHEETS))), *parts])
        self.css_class = css_class
        self.cell = find_cell()
        self._turn = RLock()
        for name in (ROOT, css_class):
            self.add_class(name)

    def in_turn(self, function: Callable[[Any], object]) -> Callable[[Any], None]:
        """Return a callback that waits until no other one of this picture is running.

        ipykernel 7.4.0 can call those of two of its widgets in two threads, at the same time.
        """

        def call(event: Any) -> None:
            with self._turn:
                function(event)

        return call

    def set_numbers(self, **numbers: int) -> str:
        """Return a `<style>` that sets numbers of the style sheet for this widget: --most=30.

        ipywidgets has no other way to set them: it goes into one of the widget's pictures.
        """
        name = "lp-with-" + "-".join(map(str, numbers.values()))
        for old in self._dom_classes:
            if old.startswith("lp-with-") and old != name:
                self.remove_class(old)
        self.add_class(name)
        rules = ";".join(f"--{number}:{value}" for number, value in numbers.items())
        return f"<style>.{name}{{{rules}}}</style>"

    def text(self) -> str:
        """Return the whole content as text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return for_print(self.text())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        data = super()._repr_mimebundle_(**kwargs) or {}
        return data | {"text/plain": f"{UNTRUSTED}\n{self.text()}"}


def share(name: str, make: Callable[[], Widget]) -> Any:
    """Return the widget of this name: a new one if there is none, or if somebody has closed it."""
    if name not in SHARED or SHARED[name].comm is None:
        SHARED[name] = make()
    return SHARED[name]


class SignOfWork(Drawn):
    """What a page shows in place of a picture that is being computed: words, or other HTML."""

    def __init__(self, css_class: str) -> None:
        """Take the class of the picture."""
        self.words, self.shown = "", HTML()
        super().__init__(self.shown, css_class=css_class)

    def text(self) -> str:
        """Return the words."""
        return self.words


class DrawnWhenShown(Drawn):
    """A widget whose picture takes a moment: on a page, it is computed when the widget is shown.

    A subclass does that in `compute()`, and calls `start()` at the end of its `__init__`.
    """

    working = WORKING
    _is_computed = False

    def start(self) -> None:
        """Compute at once if no page is there that would show the sign of work."""
        if not is_watched():
            self._compute_once()

    def _compute_once(self) -> None:
        self._is_computed = True
        self.compute()

    def compute(self) -> None:
        """Compute what is drawn, and draw it."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        if self._is_computed:
            display(DrawnOutput(self))
            return
        with shown_at_the_end(self, self.working):
            self._compute_once()


@contextmanager
def shown_at_the_end(shown: Any, words: str) -> Iterator[Callable[[str], None]]:
    """Show on a page what is being done, and at the end of the block what is `shown` in its place.

    `words` are shown at first, if the block takes longer than a moment. The block gets a function
    that shows other HTML. A page never gets a widget twice: with two views of it, Play stops after
    one step.
    """
    more: dict[str, Any] = {}
    name = shown.css_class
    sign: SignOfWork | None = share(name, lambda: SignOfWork(name)) if is_watched() else None

    def show(inside: str) -> None:
        if sign:
            sign.shown.value = inside

    if sign:
        sign.words = words
        show(f"<p class='lp-note lp-working'>{escape(words)}</p>")
        more = {"display_id": uuid4().hex}
        display(DrawnOutput(sign), **more)
        more["update"] = True
    try:
        yield show
    finally:
        display(DrawnOutput(shown), **more)


def draw_new_signs(draw: Callable[..., str], cell: str) -> str:
    """Return a legend without the signs that a picture of another cell than `cell` explains.

    `draw` draws it without the words that are `explained`. So each notebook explains a sign once.
    """
    if not cell:  # no page
        return draw()
    drawn = draw(explained=[words for words, place in EXPLAINED.items() if place != cell])
    for words in re.findall(r"</svg>([^<]+)</span>", drawn):
        EXPLAINED[html.unescape(words)] = cell
    return drawn


def set_class(widget: DOMWidget, name: str, is_on: bool) -> None:
    """Give a widget a class of the style sheet, or take it away."""
    if is_on:
        widget.add_class(name)
    else:
        widget.remove_class(name)


class DrawnOutput:
    """What is displayed in place of an object that has its own `_ipython_display_`."""

    def __init__(self, shown: Any) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return repr(self.shown)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        return dict(self.shown._repr_mimebundle_())
