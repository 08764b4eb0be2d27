"""Build the lesson as a static site in build/site, from the notebooks as they are.

    PYTHONPATH=tools python -m website

Nothing in it is loaded from another host. Each notebook is a page, with its text and its outputs,
and with the widgets that its cells show, which work without a kernel. `make site` runs copies of
the notebooks for this. The players of the runs are in `runs/`, a file each.
"""

import json
import re
import shutil
from collections.abc import Iterator
from typing import Any

from jinja2 import Environment, FileSystemLoader
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from lesson import PlanStudy, RemindIt, Seat
from lesson.widgets.base import View
from lesson.widgets.bundle import script_of_page, style
from lesson.widgets.without_kernel import encode, initial_values
from website.pages import (
    HERE,
    NOTEBOOKS,
    REFERENCE,
    ROOT,
    Page,
    code_page,
    link,
    markdown_files,
    markdown_page,
    notebook_page,
    place_of,
)
from website.played import JOB, PLAYABLE, columns, packed_players

SITE = ROOT / "build" / "site"
NAME = "The planning-agent lesson"
SEAT = "seat.html"  # the page on which the reader takes the model's seat
WIDE = ("index", "seat")  # pages without contents beside them
# The notebooks in the lesson's order, and what is done in each.
CHAPTERS = {
    "00_start_here": "take the model's place",
    "s02_tool_use": "write the loop and a tool",
    "s03a_todo_write": "write the list",
    "s03b_nag_reminder": "write the reminder",
    "s03c_how_soon": "find out how soon it must come",
    "s03d_walkthrough": "follow one reminder through the code",
    "s04_exercises": "priorities, and where the time goes",
    "s05_at_the_stop": "judge real runs, and ask what is missing",
    "s06_arena": "which part answers which failure",
    "s07_does_planning_help": "measurements of real models",
    "s08_your_agent": "the agent from nothing, and as one file",
}
PICTURE = re.compile(r"<picture>.*?</picture>", re.DOTALL)
FOUND = re.compile(r"(?<=## What was found\n\n).*")  # a paragraph of the README
LINKS = {"Lesson": "index", "Code": "code", "Teach": "docs/teach", "Set up": "readme"}


class Site:
    """The pages, and the frame of each."""

    def __init__(self) -> None:
        self.readme = (ROOT / "README.md").read_text(encoding="utf-8")
        self.chapters = [notebook_page(NOTEBOOKS / f"{name}.ipynb") for name in CHAPTERS]
        self.solutions = [*map(notebook_page, sorted(NOTEBOOKS.glob("solutions/*.ipynb")))]
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
        """Return the front page. Without scripts, it begins with the README's picture."""
        study = PlanStudy()
        page = Page("index.html", NAME, "", widgets=[shown(RemindIt()), shown(study)])
        answer = markdown2html_mistune(FOUND.search(self.readme)[0])
        page.body = self.templates.get_template("front.html.j2").render(
            chapters=self.chapters,
            about=CHAPTERS,
            picture=PICTURE.search(self.readme)[0],
            study=place_of(repr(study)),
            answer=REFERENCE.sub(lambda found: link(found, "", page), answer),
            live=self.is_live,
            seat=SEAT,
        )
        return page

    def render(self, page: Page) -> str:
        before, after = self.neighbours(page)
        return self.templates.get_template("page.html.j2").render(
            page=page,
            name=NAME,
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
    """Return what the page's script reads: see without_kernel.js."""
    found: dict[str, Any] = {"widgets": page.widgets}
    kinds = {widget["kind"] for widget in page.widgets}
    if "runs" in kinds:
        runs = f"{page.to_root}runs/{JOB}"
        found |= {"columns": f"{runs}.json", "playable": list(PLAYABLE), "players": f"{runs}/"}
    return found


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
    # Where the Markdown files expect them
    for file in [*(ROOT / "docs").glob("*.png"), *(ROOT / "docs").glob("*.webp")]:
        yield f"docs/{file.name}", file.read_bytes()
    # With sorted keys, as in the executed notebooks: a page compares the two.
    runs = json.dumps(columns(), separators=(",", ":"), sort_keys=True)
    yield f"runs/{JOB}.json", runs.encode()
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
