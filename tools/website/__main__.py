"""Build the lesson as a static site in build/site, from the notebooks as they are.

    PYTHONPATH=tools python -m website

Nothing in it is loaded from another host. Each notebook is a page, with its text and its outputs,
and with the widgets that its cells show, which work without a kernel. What they show was recorded
from a run of the notebook (recorder.py); the players of the runs are in `runs/`, a file each.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from lesson import Arena, Cliff, JudgedRuns, Seat
from lesson.widgets.base import View, script_of_page, style
from lesson.widgets.page import encode, initial_values
from website.pages import (
    HERE,
    ROOT,
    Page,
    code_page,
    markdown_files,
    markdown_page,
    notebook_page,
    place_of,
)
from website.played import JOB, PLAYABLE, columns, packed_players, toy
from website.recorder import file_of

NOTEBOOKS = ROOT / "notebooks"
SITE = ROOT / "build" / "site"
STOP = "s05_at_the_stop.html"  # the chapter with all judged runs
SEAT = "seat.html"  # the page on which the reader takes the model's seat
WIDE = ("index", "seat")  # pages without contents beside them
# The rows of the README's table: a notebook, what is done in it, and how long that takes.
ROW = re.compile(r"^\| \[(\w+)\]\(notebooks/\1\.ipynb\) \| (.+?) \| (.+?) \|$", re.MULTILINE)
PICTURE = re.compile(r"<picture>.*?</picture>", re.DOTALL)
LINKS = {"Lesson": "index", "Code": "code", "Teach": "docs/teach", "Set up": "readme"}


class Site:
    """The pages, and the frame of each."""

    def __init__(self) -> None:
        self.readme = (ROOT / "README.md").read_text(encoding="utf-8")
        self.about = {name: (what, time) for name, what, time in ROW.findall(self.readme)}
        self.chapters = [read(NOTEBOOKS / f"{name}.ipynb") for name in self.about]
        self.solutions = [read(path) for path in sorted(NOTEBOOKS.glob("solutions/*.ipynb"))]
        for page in self.solutions:
            page.title += ", solved"
        self.is_live = (SITE / "live" / "index.html").exists()
        loader = FileSystemLoader(HERE / "template")
        self.templates = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True)

    def pages(self) -> Iterator[Page]:
        yield self.front()
        yield seat_page()
        yield from self.chapters
        yield from self.solutions
        yield code_page()
        yield from map(markdown_page, markdown_files())

    def front(self) -> Page:
        """Return the front page. Without scripts, the README's picture is in place of the toy."""
        cliff, judged, arena = Cliff(), JudgedRuns(), Arena()
        body = self.templates.get_template("front.html.j2").render(
            chapters=self.chapters,
            about=self.about,
            picture=PICTURE.search(self.readme)[0],
            judged=place_of(repr(judged)),
            stop=STOP,
            arena=place_of(repr(arena)),
            cliff=place_of(repr(cliff)),
            live=self.is_live,
            seat=SEAT,
        )
        widgets = [toy(), shown(cliff), shown(judged), shown(arena)]
        return Page("index.html", "An agent that plans", body, widgets=widgets)

    def render(self, page: Page) -> str:
        before, after = self.neighbours(page)
        return self.templates.get_template("page.html.j2").render(
            page=page,
            kind="front" if page.name in WIDE else "lesson",
            chapters=self.chapters,
            before=before,
            after=after,
            twin=self.twin(page),
            live=self.is_live,
            links=LINKS,
            data=encode(data(page)),
        )

    def neighbours(self, page: Page) -> tuple[Page | None, Page | None]:
        if page not in self.chapters:
            return None, None
        place, around = self.chapters.index(page), [None, *self.chapters, None]
        return around[place], around[place + 2]

    def twin(self, page: Page) -> Page | None:
        """Return the solution of a chapter, or the chapter of a solution."""
        others = self.chapters if page in self.solutions else self.solutions
        names = {other.name.rpartition("/")[2]: other for other in others}
        return names.get(page.name.rpartition("/")[2]) if page.notebook else None


def data(page: Page) -> dict[str, Any]:
    """Return what the page's script reads: see page.js of the widgets."""
    found: dict[str, Any] = {"widgets": page.widgets}
    kinds = {widget["kind"] for widget in page.widgets}
    if "runs" in kinds:
        runs = f"{page.to_root}runs/{JOB}"
        found |= {"columns": f"{runs}.json", "playable": list(PLAYABLE), "players": f"{runs}/"}
    return found


def read(path: Path) -> Page:
    """Return the page of a notebook, with its recorded widgets."""
    return notebook_page(path, json.loads(file_of(path).read_text(encoding="utf-8")))


def seat_page() -> Page:
    seat = Seat()
    body = f"<h1>Take the model's seat</h1>\n{place_of(repr(seat))}"
    return Page(SEAT, "Take the model's seat", body, widgets=[shown(seat)])


def shown(widget: View) -> dict[str, Any]:
    """Return what the page's script needs of a widget: its kind, and the values of its model."""
    return {"kind": widget.kind, "values": initial_values(widget)}


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the address and the content of every file of the site but those in `live`."""
    pages = list(site.pages())
    kinds = sorted({widget["kind"] for page in pages for widget in page.widgets} | {"player"})
    for page in pages:
        yield page.path, site.render(page).encode()
        if page.notebook:
            yield f"notebooks/{page.name}.ipynb", page.notebook.read_bytes()
    yield "assets/page.js", script_of_page(kinds).encode() + (HERE / "page.js").read_bytes()
    yield "assets/style.css", (HERE / "style.css").read_bytes() + style().encode()
    for file in (HERE / "icon.svg", *(HERE / "fonts").glob("*")):
        yield f"assets/{file.name}", file.read_bytes()
    for file in (ROOT / "docs").glob("*.svg"):  # where the Markdown files expect them
        yield f"docs/{file.name}", file.read_bytes()
    yield f"runs/{JOB}.json", json.dumps(columns(), separators=(",", ":")).encode()
    for name, player in packed_players():
        yield f"runs/{JOB}/{name}.bin", player


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
