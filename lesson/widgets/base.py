"""The base of all widgets: plain data that the browser draws, and the same content as text."""

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from agentlib import escape

from ..ipython_shell import find_shell

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
CSS_IMPORT = re.compile(r'^@import "\./(\w+)\.css";\n', re.MULTILINE)


def pack(name: str) -> str:
    """Return one widget as a module that a page can load: its script and style sheets, compressed.

    A notebook saves the module with each widget, so it contains only the sheets that the widget
    needs, each with its number in the order of `style()`.
    """
    order = list_sheets()
    sheets = {f"{order.index(one):02}": read_sheet(one) for one in list_sheets(name)}
    code = join_scripts(name) + f"export default ${name}.widget;\n"
    data = json.dumps({"code": code, "sheets": sheets}).encode()
    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode()
    return read_static("unpack.js").replace('PACKED = ""', f'PACKED = "{packed}"')


def script_of_page(kinds: Iterable[str]) -> str:
    """Return the JavaScript of a page that shows widgets of these kinds: each file once."""
    widgets = ", ".join(f"{kind}: ${kind}.widget" for kind in kinds)
    return join_scripts(*kinds, "without_kernel") + f"$without_kernel.drawAll({{ {widgets} }});\n"


def join_scripts(*names: str) -> str:
    return "\n".join(map(wrap_in_function, list_files(names, ".js", IMPORT)))


def style() -> str:
    """Return all style sheets, each after those that it imports, for a page of many widgets."""
    return "\n".join(map(read_sheet, list_sheets()))


def list_sheets(*names: str) -> list[str]:
    """Return the style sheets of these widgets, or all, each after those that it imports."""
    every = sorted(path.stem for path in STATIC.glob("*.css"))
    return list_files(names or every, ".css", CSS_IMPORT)


def read_sheet(name: str) -> str:
    return CSS_IMPORT.sub("", read_static(f"{name}.css"))


def list_files(names: Iterable[str], suffix: str, pattern: re.Pattern[str]) -> list[str]:
    """Return these files and those that they import, directly or not, imported files first."""
    found: list[str] = []
    for name in names:
        imported = [match.groups()[-1] for match in pattern.finditer(read_static(name + suffix))]
        found += [*list_files(imported, suffix, pattern), name]
    return list(dict.fromkeys(found))


def wrap_in_function(name: str) -> str:
    """Return a JavaScript module as a function call: `const $dom = (() => {…})();`.

    Its default export is named `widget`.
    """
    code = IMPORT.sub(r"const {\1} = $\2;\n", read_static(f"{name}.js"))
    code = code.replace("\nexport default ", "\nexport const widget = ")
    names = ", ".join(EXPORT.findall(code))
    return f"const ${name} = (() => {{\n{EXPORT.sub('', code)}return {{ {names} }};\n}})();\n"


@cache
def read_static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


class View(anywidget.AnyWidget):
    """A widget whose picture depends only on `state`, which is plain data.

    A subclass names its `kind`, fills `state`, and says the same in `text()`, which is shown on
    GitHub and in any front end without widgets, and which tests compare.
    """

    kind = ""  # its script and its style sheet in static/
    state = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **settings: Any) -> None:
        if "kind" in cls.__dict__:
            cls._esm = pack(cls.kind)
        super().__init_subclass__(**settings)

    @traitlets.validate("state")
    def _drawable(self, proposal: Any) -> dict:
        return make_drawable(proposal.value)

    def text(self) -> str:
        """Return the widget's content as plain text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return make_drawable(self.text())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        # Outside a notebook there may be no widget; the text is always there.
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return data | {"text/plain": repr(self)}, metadata


def is_watched() -> bool:
    """Return whether a page runs the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), output cannot be updated later.
    """
    kernel = getattr(find_shell(), "kernel", None)
    return kernel is not None and "cellId" in kernel.get_parent("shell").get("metadata", {})


def make_drawable(thing: Any) -> Any:
    """Return a copy of plain data in which every string is safe to send, to show and to save.

    A lone surrogate, which a model may write, becomes "?". Control characters, and those that would
    reverse the direction of a line, are escaped.
    """
    # The same words are often in one picture, so each is changed once.
    return map_texts(thing, cache(escape.for_screen))


def map_texts(thing: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of plain data with `change` applied to every string in it."""
    if isinstance(thing, str):
        return change(thing)
    if isinstance(thing, list | tuple):
        return [map_texts(one, change) for one in thing]
    if isinstance(thing, Mapping):
        return {map_texts(key, change): map_texts(one, change) for key, one in thing.items()}
    return thing
