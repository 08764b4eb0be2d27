"""Build the lesson as a static site in build/site, from the notebooks as they are.

    PYTHONPATH=tools python -m website

Nothing in it is loaded from another host. Each notebook is a page, with its text and its outputs,
and with the widgets that its cells show, which work without a kernel. What they show was recorded
from a run of the notebook (recordings.py); the players of the runs are in `runs/`, a file each.
"""

import base64
import json
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from lesson import Seat
from lesson.widgets.base import script_of_page, style
from lesson.widgets.page import encode, initial_values
from website.pages import (
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
from website.played import TASK, WINDOW, WINDOWS, columns, packed_players, players, windows
from website.recordings import recording

NOTEBOOKS = ROOT / "notebooks"
SITE = ROOT / "build" / "site"
KINDS = ("board", "player", "runs", "seat", "walkthrough", "windows")
FONTS = HERE / "fonts"
SEAT = "seat.html"  # the page on which the reader takes the model's seat
WIDE = ("index", "seat")  # pages without contents beside them
DESCRIPTION = "An agent without a plan drifts: list the steps first, then execute."
# The rows of the README's table: a notebook, what is done in it, and how long that takes.
ROW = re.compile(r"^\| \[(\w+)\]\(notebooks/\1\.ipynb\) \| (.+?) \| (.+?) \|$", re.MULTILINE)
PICTURE = re.compile(r'<img src="docs/window-light.svg" alt="([^"]+)">')
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true">'
    '<rect width="24" height="24" rx="5" fill="#0d47a1"/>'
    '<path d="M6 7h12M6 12h12M6 17h7" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>'
)


class Site:
    """The pages, and the frame of each."""

    def __init__(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        rows = ROW.findall(readme)
        self.about = {name: {"what": what, "time": time} for name, what, time in rows}
        self.picture = PICTURE.search(readme)[1]
        chapters = [NOTEBOOKS / f"{name}.ipynb" for name in self.about]
        solutions = sorted((NOTEBOOKS / "solutions").glob("*.ipynb"))
        with ThreadPoolExecutor(2) as pool:  # a kernel waits as much as it works
            list(pool.map(recording, [*chapters, *solutions]))
        self.chapters = list(map(read, chapters))
        self.solutions = list(map(read, solutions))
        for page in self.solutions:
            page.title += ", solved"
        self.others = [code_page(), *map(markdown_page, markdown_files())]
        self.is_live = (SITE / "live" / "index.html").exists()
        self.templates = Environment(
            loader=FileSystemLoader(HERE / "template"), trim_blocks=True, lstrip_blocks=True
        )

    def pages(self) -> Iterator[Page]:
        """Yield every page of the site."""
        yield self.front()
        yield seat_page()
        yield from self.chapters
        yield from self.solutions
        yield from self.others

    def front(self) -> Page:
        """Return the front page."""
        body = self.templates.get_template("front.html.j2").render(
            chapters=self.chapters,
            about=self.about,
            picture=self.picture,
            live=self.is_live,
            seat=SEAT,
            messages=windows()["values"]["window"],
        )
        return Page("index.html", "An agent that plans", body, widgets=[windows()])

    def render(self, page: Page, inline: dict[str, str] | None = None) -> str:
        """Return the whole HTML of a page; with `inline`, of a handout."""
        before, after = self.neighbours(page)
        solved = {page.name.rpartition("/")[2]: page for page in self.solutions}
        unsolved = {chapter.name: chapter for chapter in self.chapters}
        is_solution = page in self.solutions
        return self.templates.get_template("page.html.j2").render(
            page=page,
            inline=inline,
            kind="front" if page.name in WIDE else "lesson",
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
        """Return the chapters before and after a chapter."""
        if page not in self.chapters:
            return None, None
        place = self.chapters.index(page)
        before = self.chapters[place - 1] if place else None
        return before, next(iter(self.chapters[place + 1 :]), None)

    def data(self, page: Page, is_inline: bool) -> dict[str, Any]:
        """Return what the page's script reads: see page.js of the widgets."""
        data: dict[str, Any] = {"made_from": page.made_from, "widgets": page.widgets}
        kinds = {widget["kind"] for widget in page.widgets}
        if kinds & {"runs", "windows"}:
            data["columns"] = columns() if is_inline else f"{page.to_root}runs/{TASK}.json"
        if "runs" in kinds:
            data["playable"] = [WINDOW] if is_inline else list(WINDOWS)
            data["players"] = players() if is_inline else f"{page.to_root}runs/{TASK}/"
        return data

    def handout(self, page: Page) -> str:
        """Return a page as one file that needs no other."""

        def without_link(found: re.Match[str]) -> str:
            return found[3] if found[1] else found[0]

        body = REFERENCE.sub(without_link, page.body)
        alone = replace(page, body=body)
        return self.render(alone, inline={"style": style_sheet(is_inline=True), "script": script()})


LINKS = (
    {"path": "index.html", "label": "Lesson"},
    {"path": "code.html", "label": "Code"},
    {"path": "docs/teach.html", "label": "Teach"},
    {"path": "readme.html", "label": "Set up"},
)


def read(path: Path) -> Page:
    """Return the page of a notebook, with its widgets."""
    recorded = recording(path)
    page = notebook_page(path, recorded["widgets"])
    page.made_from = recorded["made_from"]
    return page


def seat_page() -> Page:
    """Return the page on which the reader takes the model's seat."""
    seat = Seat()
    body = f"<h1>Take the model's seat</h1>\n{place_of(repr(seat))}"
    shown = {"kind": seat.kind, "values": initial_values(seat)}
    return Page(SEAT, "Take the model's seat", body, widgets=[shown])


def script() -> str:
    """Return the JavaScript of every page."""
    return script_of_page(KINDS) + (HERE / "page.js").read_text(encoding="utf-8")


def style_sheet(is_inline: bool = False) -> str:
    """Return the style sheet of every page."""
    text = (HERE / "style.css").read_text(encoding="utf-8") + style(*KINDS)

    def inlined(found: re.Match[str]) -> str:
        code = base64.b64encode((FONTS / found[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{code}")'

    return re.sub(r'url\("([\w.-]+\.woff2)"\)', inlined, text) if is_inline else text


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the address and the content of every file of the site but those in `live`."""
    for page in site.pages():
        yield page.path, site.render(page).encode()
        if page.notebook:
            yield f"handout/{page.path}", site.handout(page).encode()
            yield f"notebooks/{page.name}.ipynb", page.notebook.read_bytes()
    yield "assets/page.js", script().encode()
    yield "assets/style.css", style_sheet().encode()
    for file in FONTS.glob("*"):
        yield f"assets/{file.name}", file.read_bytes()
    for file in (ROOT / "docs").glob("*.svg"):  # where the Markdown files expect them
        yield f"docs/{file.name}", file.read_bytes()
    yield f"runs/{TASK}.json", json.dumps(columns(), separators=(",", ":")).encode()
    for name, player in packed_players():
        yield f"runs/{TASK}/{name}.bin", player


def main() -> None:
    """Build the site. What is in `live` stays."""
    built = dict(files(Site()))
    for old in SITE.glob("*"):
        if old.name != "live":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for path, content in built.items():
        (SITE / path).parent.mkdir(parents=True, exist_ok=True)
        (SITE / path).write_bytes(content)


if __name__ == "__main__":
    main()
