"""What all widgets share: plain data that the browser draws, and a text that says the same."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..escape import TURNS

STATIC = Path(__file__).parent / "static"


IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
CSS_IMPORT = re.compile(r'^@import "\./(\w+)\.css";\n', re.MULTILINE)


def script(name: str) -> str:
    """The JavaScript of one widget, as the one module that a page can load.

    Each file that it imports becomes a function that returns what the file exports. So a name is
    known only where it is imported, as in a browser that loads the files themselves.
    """
    own = read_static(f"{name}.js")
    parts = [as_function(part) for part in imported(name, ".js", IMPORT)]
    return "\n".join([*parts, import_from_functions(own)])


def style(name: str) -> str:
    """The style sheet of one widget, with those that it imports before it, each once."""
    names = [*imported(name, ".css", CSS_IMPORT), name]
    return "\n".join(CSS_IMPORT.sub("", read_static(f"{part}.css")) for part in names)


def imported(name: str, suffix: str, pattern: re.Pattern[str]) -> list[str]:
    """The files that a file imports, and those that they import: each before who needs it."""
    found: dict[str, None] = {}
    for match in pattern.finditer(read_static(name + suffix)):
        part = match.groups()[-1]
        found |= dict.fromkeys([*imported(part, suffix, pattern), part])
    return list(found)


def as_function(name: str) -> str:
    """A JavaScript module as a function that is called at once: `const $dom = (() => {…})();`."""
    code = import_from_functions(read_static(f"{name}.js"))
    names = ", ".join(EXPORT.findall(code))
    return f"const ${name} = (() => {{\n{EXPORT.sub('', code)}return {{ {names} }};\n}})();\n"


def import_from_functions(code: str) -> str:
    """The code with its imports from files turned into imports from `as_function`'s results."""
    return IMPORT.sub(
        lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = ${found[2]};\n", code
    )


def read_static(name: str) -> str:
    """The text of a file in static/."""
    return (STATIC / name).read_text(encoding="utf-8")


class View(anywidget.AnyWidget):
    """A widget whose picture follows from `state`, which is plain data, and nothing else.

    A subclass names its script, fills `state`, and says the same in `text()`: that is what a
    front end without widgets shows, what GitHub shows, and what a test compares.
    """

    _css = style("base")
    state = traitlets.Dict().tag(sync=True)

    @traitlets.validate("state")
    def _drawable(self, proposal: Any) -> dict:
        return drawable(proposal.value)

    def text(self) -> str:
        """What the widget shows, as plain text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return drawable(self.text())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        # Outside a notebook there may be no picture at all; the words are always there.
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return data | {"text/plain": repr(self)}, metadata


def drawable(thing: Any) -> Any:
    """A copy of plain data in which every text can be sent and shown: half of a surrogate pair, as
    a model may write it, is a "?", and what would turn a line round is shown as its code."""
    if isinstance(thing, str):
        return thing.encode("utf-8", "replace").decode().translate(TURNS)
    if isinstance(thing, Mapping):
        return {drawable(key): drawable(value) for key, value in thing.items()}
    return [drawable(one) for one in thing] if isinstance(thing, list | tuple) else thing
