"""Build the lesson as a static site in build/site, from the notebooks as they are.

    python tools/website/build.py

Nothing in it is loaded from another host. Each notebook is a page, with its text and its outputs,
and with the widgets that its cells show, which work without a kernel. What they show was recorded
from a run of the notebook (recordings.py); the players of the strips are in `runs/`, a file each.
"""

import base64
import json
import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from pages import (
    HERE,
    REFERENCE,
    ROOT,
    Page,
    code_page,
    markdown_files,
    markdown_page,
    notebook_page,
    place_of,
)
from played import ATTENTION, TASK, columns, players, strips
from recordings import recording

from agentlib.widgets.base import make_drawable, script_of_page, style
from agentlib.widgets.page import encode

SITE = ROOT / "build" / "site"
KINDS = ("board", "player", "runs", "walkthrough")
FONTS = HERE / "fonts"
DESCRIPTION = "An agent without a plan drifts: list the steps first, then execute."
# The rows of the README's table: a notebook, what is done in it, and how long that takes.
ROW = re.compile(r"^\| \[(\w+)\]\(notebooks/\1\.ipynb\) \| (.+?) \| (.+?) \|$", re.MULTILINE)
DRIFT = re.compile(r'<img src="docs/drift-light.svg" alt="([^"]+)">')
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true">'
    '<rect width="24" height="24" rx="5" fill="#0d47a1"/>'
    '<path d="M6 7h12M6 12h12M6 17h7" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>'
)


class Site:
    """The pages, and what stands around each."""

    def __init__(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        rows = ROW.findall(readme)
        self.about = {name: {"what": what, "time": time} for name, what, time in rows}
        self.drift = DRIFT.search(readme)[1]
        self.chapters = [read(ROOT / "notebooks" / f"{name}.ipynb") for name in self.about]
        self.solutions = [
            read(path) for path in sorted((ROOT / "notebooks" / "solutions").glob("*.ipynb"))
        ]
        self.others = [code_page(), *map(markdown_page, markdown_files())]
        self.is_live = (SITE / "live" / "index.html").exists()
        self.templates = Environment(
            loader=FileSystemLoader(HERE / "template"), trim_blocks=True, lstrip_blocks=True
        )

    def pages(self) -> Iterator[Page]:
        """Every page of the site."""
        yield self.front()
        yield from self.chapters
        yield from self.solutions
        yield from self.others

    def front(self) -> Page:
        """The first page."""
        widget = strips()
        body = self.templates.get_template("front.html.j2").render(
            chapters=self.chapters,
            about=self.about,
            drift=self.drift,
            live=self.is_live,
            played=sum(map(len, columns().values())),
            strips=place_of(widget["text"]),
        )
        return Page("index.html", "An agent that plans", body, widgets=[widget])

    def render(self, page: Page, inline: dict[str, str] | None = None) -> str:
        """The whole text of a page; with `inline`, of a handout."""
        before, after = self.neighbours(page)
        solved = {page.name.rpartition("/")[2]: page for page in self.solutions}
        unsolved = {chapter.name: chapter for chapter in self.chapters}
        is_solution = page in self.solutions
        return self.templates.get_template("page.html.j2").render(
            page=page,
            inline=inline,
            kind="front" if page.name == "index" else "lesson",
            chapters=self.chapters,
            before=before,
            after=after,
            solved=None if is_solution else solved.get(page.name),
            unsolved=unsolved.get(page.name.rpartition("/")[2]) if is_solution else None,
            live=self.is_live,
            links=LINKS,
            icon=ICON,
            description=DESCRIPTION,
            data=encode(self.data(page, is_inline=inline is not None)),
        )

    def neighbours(self, page: Page) -> tuple[Page | None, Page | None]:
        """The chapters before and after a chapter."""
        if page not in self.chapters:
            return None, None
        place = self.chapters.index(page)
        before = self.chapters[place - 1] if place else None
        return before, next(iter(self.chapters[place + 1 :]), None)

    def data(self, page: Page, is_inline: bool) -> dict[str, Any]:
        """What the page's script reads: see page.js of the widgets."""
        data: dict[str, Any] = {"widgets": page.widgets}
        if any(widget["kind"] == "runs" for widget in page.widgets):
            data["playable"] = [ATTENTION]
            data["columns"] = columns() if is_inline else f"{page.to_root}runs/{TASK}.runs.json"
            data["players"] = players() if is_inline else f"{page.to_root}runs/{TASK}/"
        return data

    def handout(self, page: Page) -> str:
        """A page as one file, which works wherever it is."""

        def without_link(found: re.Match[str]) -> str:
            return found[3] if found[1] else found[0]

        body = REFERENCE.sub(without_link, page.body)
        alone = Page(page.path, page.title, body, page.sections, page.widgets)
        return self.render(alone, inline={"style": style_sheet(is_inline=True), "script": script()})


LINKS = (
    {"path": "index.html", "label": "The lesson"},
    {"path": "code.html", "label": "The code"},
    {"path": "docs/teach.html", "label": "For teachers"},
    {"path": "readme.html", "label": "Set it up"},
)


def read(path: Path) -> Page:
    """The page of a notebook, with what its widgets show."""
    return notebook_page(path, recording(path)["widgets"])


def script() -> str:
    """The JavaScript of every page."""
    return script_of_page(KINDS) + (HERE / "page.js").read_text(encoding="utf-8")


def style_sheet(is_inline: bool = False) -> str:
    """The style sheet of every page."""
    text = (HERE / "style.css").read_text(encoding="utf-8") + style(*KINDS)

    def inlined(found: re.Match[str]) -> str:
        code = base64.b64encode((FONTS / found[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{code}")'

    return re.sub(r'url\("([\w.-]+\.woff2)"\)', inlined, text) if is_inline else text


def write(path: str, text: str) -> None:
    """Write a file of the site."""
    file = SITE / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Build all of it; what is in `live` stays."""
    site = Site()
    for old in SITE.glob("*"):
        if old.name != "live":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for page in site.pages():
        write(page.path, site.render(page))
        if page.notebook:
            write(f"handout/{page.path}", site.handout(page))
            write(f"notebooks/{page.name}.ipynb", page.notebook.read_text(encoding="utf-8"))
    write("assets/page.js", script())
    write("assets/style.css", style_sheet())
    for file in [*FONTS.glob("*"), *(ROOT / "docs").glob("drift-*.svg")]:
        folder = SITE / ("assets" if file.parent == FONTS else "")
        shutil.copy(file, folder)
    for name, player in players().items():
        write(f"runs/{TASK}/{name}.json", json.dumps(make_drawable(player), ensure_ascii=False))
    write(f"runs/{TASK}.runs.json", json.dumps({"columns": columns()}))


if __name__ == "__main__":
    sys.exit(main())
