"""session(): a recorded session of a real agent, as a picture that is not saved."""

from pathlib import Path
from typing import Any

from IPython.display import display
from ipywidgets import HTML

from safetylib.escape import for_print

from ..common.ipython_shell import find_shell
from ..common.watching import is_watched
from ..drawing.picture import escape, page
from ..sessions.picture import Picture
from ..sessions.read_file import read_session
from ..sessions.session import CannotRead

SHIPPED = Path(__file__).parents[1] / "sessions" / "recorded"
NOT_SAVED = (
    "This picture is of your own session, so it is not saved with the notebook. "
    "session(…, keep=True) saves it, and print(session(…)) prints it."
)


class SessionView:
    """What `session` returns: the picture on a page, and as text for `print`."""

    def __init__(self, html: str, text: str, is_kept: bool) -> None:
        """Take both, and whether the picture is saved with the notebook that shows it."""
        self._html, self._text, self.is_kept = html, text, is_kept

    def __str__(self) -> str:
        return for_print(self._text)

    def __repr__(self) -> str:
        """Return the text, but not for the output of a cell, which would be saved."""
        in_notebook = hasattr(find_shell(), "kernel") and not self.is_kept
        return NOT_SAVED if in_notebook else str(self)

    def _ipython_display_(self) -> None:
        """Show a picture that is kept as HTML, and one that is not as a widget.

        JupyterLab does not save widgets, and the lesson's extension saves only those of its own
        class. Without a page, a program that runs a notebook would save the widget as well.
        """
        data: dict[str, Any] = {"text/plain": repr(self)}
        if self.is_kept:
            data["text/html"] = self._html
        elif is_watched():
            data |= HTML(self._html)._repr_mimebundle_() or {}
            data["text/plain"] = NOT_SAVED
        display(data, raw=True)


def session(file: str | Path, keep: bool = False) -> SessionView:
    """Show a recorded session of a coding agent: its own list, reply by reply.

    `file` is the path of a session of Claude Code or my_agent, or the name of one that the
    lesson has: "shop" or "museum". Of a file, texts of tasks, states, counts and names of
    tools are shown, and nothing else. The picture is saved with the notebook only with `keep`.
    """
    shipped = [one for one in SHIPPED.glob("*.jsonl") if one.stem == str(file)]
    path = shipped[0] if shipped else Path(file).expanduser()
    try:
        picture = Picture(read_session(path))
        html, text = page(picture.html(), "lp-session"), picture.text()
    except CannotRead as problem:
        text = str(problem)
        html = page(f"<p class='lp-problem'>{escape(text)}</p>")
    return SessionView(html, text, bool(shipped) or keep)
