"""Put the scripts and style sheets in static/ together. Nothing needs a build.

A notebook saves one module for each widget (`pack`). A browser cannot load the files by their
names from there, so each module becomes a function call, which returns what it exports:
`const $dom = (() => {…})();`.

The files are not parsed, but searched with three patterns. So a file in static/ imports and exports
only in these forms, each from the first column; any other form reaches the browser unchanged and
fails there.

    import { NAME, NAME } from "./FILE.js";    the braces may be broken over lines; no `as`
    export const NAME, export function NAME, export async function NAME, export class NAME
    export default                             what draws a widget: once, in the file of its kind
    @import "./FILE.css";                      in a style sheet
"""

import base64
import gzip
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
CSS_IMPORT = re.compile(r'^@import "\./(\w+)\.css";\n', re.MULTILINE)


def pack(name: str) -> str:
    """Return one widget as a module that a page can load: its script and style sheets, compressed.

    A notebook saves the module with each widget, so it contains only the sheets that the widget
    needs, each with its number in the order of `list_sheets()`.
    """
    order = list_sheets()
    sheets = {f"{order.index(one):02}": read_sheet(one) for one in list_sheets(name)}
    code = join_scripts(name) + f"export default ${name}.widget;\n"
    data = json.dumps({"code": code, "sheets": sheets}).encode()
    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode()
    return read_static("unpack.js").replace('PACKED = ""', f'PACKED = "{packed}"')


def join_scripts(*names: str) -> str:
    """Return these scripts and what they import as one script, imported files first."""
    return "\n".join(map(wrap_in_function, list_files(names, ".js", IMPORT)))


def wrap_html(name: str, html: str) -> str:
    """Return HTML that a cell shows, with its style sheets: that of `name` and what it imports.

    They are below those of the widgets, and would change these, so the imported ones have effect in
    this HTML only. The colours are outside, because they follow from the theme of the page.
    """
    colours, *shared, own = map(read_sheet, list_sheets(name))
    scoped = "\n".join(["@scope (.al-html) {", *shared, "}"])
    return f'<style>{colours}\n{scoped}\n{own}</style><div class="al-html">{html}</div>'


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
