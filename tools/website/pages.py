"""Pages: a notebook or a Markdown file of the repository as the body of a page."""

import posixpath
import re
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import Any

import nbformat
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from traitlets.config import Config

from lesson.widgets.without_kernel import own_traits

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NOTEBOOKS = ROOT / "notebooks"
EXECUTED = ROOT / "build" / "executed"  # copies of the notebooks, run by `make site`
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
# What a beginner reads, in this order.
MODULES = ("tools", "loop", "workspace", "todo", "nag")
PLACE = '<div class="widget">'
PREDICT = re.compile(r"predict|\*\*(think first|guess)", re.IGNORECASE)
RUN_THE_CELL = re.compile(r"Press Shift\+Enter[^.]*\. ")  # a page has no kernel
ANCHOR = re.compile(r'<a class="anchor-link".*?</a>')
HEADING = re.compile(r'<h([12]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
TAG = re.compile("<[^>]+>")
HEADING_ID = re.compile(r'(<h\d id=")([^"]+)')
REFERENCE = re.compile(r'<a href="([^"#:]*)(#[^"]*)?">(.*?)</a>', re.DOTALL)


@dataclass
class Page:
    """A page of the site. `path` is its address below the site's root.

    `sections` are its headings of the second level: an id and a text each. `widgets` are those
    that its body has places for, in their order.
    """

    path: str
    title: str
    body: str
    sections: list[tuple[str, str]] = field(default_factory=list)
    widgets: list[dict[str, Any]] = field(default_factory=list)
    notebook: Path | None = None

    @property
    def name(self) -> str:
        return self.path.removesuffix(".html")

    @property
    def to_root(self) -> str:
        """Return what comes before an address below the root, seen from this page."""
        return "../" * self.path.count("/")


def notebook_page(path: Path) -> Page:
    """Return the page of a notebook, with the outputs and the widgets of its executed copy."""
    notebook = nbformat.read(EXECUTED / path.relative_to(NOTEBOOKS), as_version=4)
    widgets = mark_up(notebook)
    exporter = HTMLExporter(
        config=Config(HTMLExporter={"default_preprocessors": []}),
        template_name="cells",
        extra_template_basedirs=[str(HERE / "template")],
    )
    for widget in widgets:  # the runs with other windows are in a separate file
        if widget["kind"] == "runs":
            first = str(widget["values"]["window"])
            widget["values"]["columns"] = {first: widget["values"]["columns"][first]}
    body, _ = exporter.from_notebook_node(notebook, {"solved": path.parent.name == "solutions"})
    if body.count(PLACE) != len(widgets):
        raise ValueError(f"{path.name}: {len(widgets)} widgets for {body.count(PLACE)} places")
    address = path.relative_to(NOTEBOOKS).with_suffix(".html").as_posix()
    return finished(Page(address, "", body, widgets=widgets, notebook=path), path)


def mark_up(notebook: nbformat.NotebookNode) -> list[dict]:
    """Mark how each cell is shown, put places where widgets are, and return the widgets."""
    models = notebook.metadata.widgets[STATE]["state"] if "widgets" in notebook.metadata else {}
    widgets: list[dict] = []
    is_question = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = RUN_THE_CELL.sub("", cell.source)
            is_question = bool(PREDICT.search(cell.source))
            continue
        # Whoever is asked what will come should not see it beside the question.
        cell.metadata["folded"] = is_question and bool(cell.outputs)
        for output in cell.outputs:
            if VIEW in output.get("data", {}):
                state = models[output.data[VIEW]["model_id"]]["state"]
                is_ours = "_anywidget_id" in state  # and not an ipywidget, as the slider of s03c
                html = (
                    place_of(output.data["text/plain"])
                    if is_ours
                    else draw_ipywidget(models, output.data[VIEW]["model_id"])
                )
                if is_ours:  # the id is "lesson.widgets.board.Board", and the kind "board"
                    kind = state["_anywidget_id"].split(".")[-2]
                    widgets.append({"kind": kind, "values": own_traits(state)})
                output.data = nbformat.from_dict({"text/html": html})
    return widgets


def draw_ipywidget(models: dict[str, Any], name: str) -> str:
    """Return a widget of ipywidgets with its last value: a box, its sliders, its HTML."""
    state = models[name]["state"]
    match state["_model_name"]:
        case "VBoxModel":
            inside = "".join(
                draw_ipywidget(models, child.removeprefix("IPY_MODEL_"))
                for child in state["children"]
            )
            note = "In a running notebook, you can move the sliders."
            return f'<div class="widget-vbox">{inside}<p class="note">{note}</p></div>'
        case "IntSliderModel":
            label = escape(state["description"])
            numbers = " ".join(f'{key}="{state[key]}"' for key in ("min", "max", "value"))
            return (
                f'<div class="widget-hslider"><span class="widget-label">{label}</span>'
                f'<span class="slider-container"><input type="range" {numbers} disabled '
                f'aria-label="{label}"></span><span>{state["value"]}</span></div>'
            )
        case "HTMLModel":
            return f'<div class="widget-html">{state["value"]}</div>'
        case other:
            raise ValueError(f"The site cannot draw a widget of this kind: {other}")


def place_of(text: str) -> str:
    """Return the place of a widget, and its text for browsers without scripts."""
    return f'{PLACE}</div><pre class="output as-text">{escape(text)}</pre>'


def markdown_page(path: Path) -> Page:
    """Return the page of a Markdown file of the repository."""
    body = markdown2html_mistune(path.read_text(encoding="utf-8"))
    body = HEADING_ID.sub(lambda found: f"{found[1]}{anchor_as_on_github(found[2])}", body)
    return finished(Page(address_of(path), "", body), path)


def anchor_as_on_github(anchor: str) -> str:
    """Return the anchor of a heading as links in the repository's Markdown files know it."""
    return re.sub(r"[^\w-]", "", unescape(anchor)).lower()


def code_page() -> Page:
    """Return the page of the five modules that a beginner reads, one below the other."""
    words = "This is the whole agent, as it is imported in the lesson. Read it in this order."
    parts = [f'<h1 id="code">The agent, in five modules</h1><p>{words}</p>']
    for name in MODULES:
        text = (ROOT / "agentlib" / f"{name}.py").read_text(encoding="utf-8")
        code = highlight(text, PythonLexer(), HtmlFormatter())
        parts.append(f'<h2 id="{name}">{name}.py</h2><div class="code">{code}</div>')
    return finished(Page("code.html", "", "\n".join(parts)), ROOT / "README.md")


def finished(page: Page, source: Path) -> Page:
    """Return the page with its title, sections, tables that may scroll, and links to pages."""
    page.body = ANCHOR.sub("", page.body)
    headings = [
        (level, key, TAG.sub("", words).strip()) for level, key, words in HEADING.findall(page.body)
    ]
    page.title = next((words for level, _, words in headings if level == "1"), page.name)
    page.sections = [(key, words) for level, key, words in headings if level == "2"]
    body = page.body.replace("<table>", '<div class="table"><table>')
    body = body.replace("</table>", "</table></div>").replace("<th></th>", "<td></td>")
    folder = posixpath.dirname(source.relative_to(ROOT).as_posix())
    page.body = REFERENCE.sub(lambda found: link(found, folder, page), body)
    return page


def link(found: re.Match[str], folder: str, page: Page) -> str:
    """Return a link to the page of a file of the repository; without a page, its words alone."""
    target, anchor, words = found[1], found[2] or "", found[3]
    if not target:
        return found[0]
    path = ROOT / posixpath.normpath(posixpath.join(folder, target))
    address = address_of(path)
    if address is None:
        return words
    return f'<a href="{page.to_root}{address}{anchor}">{words}</a>'


def address_of(path: Path) -> str | None:
    """Return the address of the page that shows a file of the repository, or None."""
    name = path.relative_to(ROOT).as_posix()
    if name == "notebooks/solutions":
        return "solutions/s04_exercises.html"
    if path.suffix == ".ipynb" and path.exists():
        return path.relative_to(NOTEBOOKS).with_suffix(".html").as_posix()
    if path in markdown_files():
        return path.relative_to(ROOT).with_suffix(".html").as_posix().lower()
    if name in {"agentlib", *(f"agentlib/{module}.py" for module in MODULES)}:
        return "code.html" + (f"#{path.stem}" if path.suffix else "")
    return None


def markdown_files() -> list[Path]:
    """Return the Markdown files of the repository that readers are sent to."""
    folders = (".", "docs", "lesson/practice/api")
    return [path for folder in folders for path in sorted((ROOT / folder).glob("*.md"))]
