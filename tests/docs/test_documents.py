"""All documents: their links, the names, paths and places that they give."""

import html
import json
import pkgutil
import re
from functools import cache

import pytest
from support.documents import NOTEBOOKS, ROOT, drop_code, list_files, list_links, read

DOTTED = re.compile(r"(?<![\w./-])(?:lesson|agentlib|safetylib|exerciselib)(?:\.[A-Za-z_]\w*)+")
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]*)+|[\w.-]+\.(?:py|js|md|css|json|lock))`")
ITALICS = re.compile(r"(?<![*\w])\*(?![*\s])([^*\n]+)(?<!\s)\*(?!\*)")
NAMED = re.compile(r"\b(?:00|s0\d[a-d]?)\b|play\.html|\b[\w/]+\.md\b")
TEST = re.compile(r"`(test_\w+)\.py`")
# Words in italics that are not places: a column, a stressed word, two priorities, and a term.
OTHERS = {"expect", "low", "medium", "old", "view"}
# Names in code style of other programs, of a request's fields that we do not send, and of a guess.
FOREIGN = set(
    "PIP_CERT NODE_EXTRA_CA_CERTS pause_turn TaskCreate TaskUpdate TaskList autograde autograded "
    "submitted tool_choice output_config stop_sequences maxItems minimum predict "
    "listed_1".split()
)
TEACHERS = ["docs/teach-set-up.md", "docs/teach.md"]


DOCUMENTS = list_files(".md", ".ipynb")
PAGES = NOTEBOOKS | {"play.html": ROOT / "docs" / "play.html"}


@cache
def list_anchors(path):
    """Return the anchors of a page, as GitHub and JupyterLab make them from its headings."""
    text = re.sub(r"(?s)```.*?```", "", read(path))
    headings = re.findall("(?m)^#+ (.*)", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text))
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    slugs += [heading.replace(" ", "-") for heading in headings]  # JupyterLab's
    return {*slugs, *re.findall(r'\bid="([^"]+)"', text)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_a_file_and_to_a_heading_of_it(path):
    for link in list_links(read(path)):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in list_anchors(target), link


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", ROOT / "docs/sources.md", *NOTEBOOKS.values()]
)
def test_file_on_github_is_linked_at_a_commit(path):
    """A branch moves, and then what was quoted may be gone."""
    links = re.findall(r"https://github\.com/[^/]+/[^/]+/(?:blob|tree)/[^)\s]+", read(path))
    assert [
        link for link in links if not re.search(r"/(?:blob|tree)/[0-9a-f]{40}(?:/|$)", link)
    ] == []


def test_every_dotted_name_exists():
    texts = {path: read(path) for path in list_files(".md", ".py", ".ipynb")}
    for path in list_files(".py"):
        texts[path] = " ".join(re.findall(r"`[\w.]+`", texts[path]))
    named = {(name, path.name) for path, text in texts.items() for name in DOTTED.findall(text)}
    for name, where in sorted(named):
        if not re.search(r"\.(py|md|toml|ipynb|css|js)$", name):
            assert pkgutil.resolve_name(name), where  # raises if there is no such thing


def test_every_name_in_code_style_is_in_the_code_or_is_foreign():
    """Such as `open_workspace`, a door that SECURITY named, and that did not exist."""
    names, words = set(), {"SLOW_MODULES", "RELEASE_MODULES"}  # of the tests
    for path in list_files(""):
        if path.suffix in (".png", ".gz"):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            text = "".join(re.findall(r"(?s)```.*?```", text))
        elif path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            text = str([cell["source"] for cell in cells if cell["cell_type"] == "code"])
        if ROOT / "tests" not in path.parents:
            words |= {path.stem, *path.parts, *re.findall(r"\w+", text)}
        if path.suffix in (".md", ".ipynb"):
            prose = re.sub(r"(?s)```.*?```", "", read(path))
            names |= {(name, path.name) for name in re.findall(r"`(\w+)(?:\(\))?`", prose)}
    assert len(names) > 200
    assert [one for one in sorted(names) if one[0] not in words | FOREIGN] == []


def test_each_bold_term_of_the_notebooks_is_in_the_glossary():
    """A term is at most three words in bold. A sign at the end makes them a sentence or a label."""
    rows = re.findall(r"(?m)^\| \[(.+?)\]\(\.\./notebooks/(\w+)", read(ROOT / "docs/glossary.md"))
    leads = {term.lower(): page for terms, page in rows for term in terms.split(", ")}
    bold = {}
    for path in NOTEBOOKS.values():
        for term in re.findall(r"\*\*([^*]+)\*\*", drop_code(read(path))):
            if len(term.split()) <= 3 and term[-1] not in ".?!:":
                singular = re.sub("(?<!s)s$", "", term.lower())
                bold.setdefault(singular, []).append(path.stem)
    assert len(bold) > 20
    assert [term for term, pages in bold.items() if leads.get(term) not in pages] == []


@pytest.mark.parametrize("page", ["AGENTS.md", "docs/CONTRIBUTING.md", "docs/design.md"])
def test_files_and_folders_that_a_maintainers_page_names_exist(page):
    names = {"", "my_agent", ".checked.json", "my_lesson"}  # a learner has them
    names |= {name for path in list_files("") for name in path.parts}
    text = re.sub(r"(`[^`]+`(?: and )?)+ at commit", "", read(ROOT / page))  # of an older one
    named = [path for path in PATH.findall(text) if "NAME" not in path]
    assert named
    for path in named:
        assert (ROOT / path).exists() if "/" in path else path in names, path


def test_each_promise_names_tests_that_exist():
    answers, _, rest = read(ROOT / "docs/SECURITY.md").partition("## What is promised")
    promises, _, rest = rest.partition("## Not promised")
    rows = dict(re.findall(r"(?m)^\| \*\*(.+?)\*\* \| .* \| (.*?) \|$", promises))
    assert rest and len(rows) > 20
    assert [name for name, named in rows.items() if not TEST.search(named)] == []
    assert {*re.findall(r"\*\*(.+?)\*\*", answers)} <= rows.keys(), "a promise has no row"
    tests = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}
    for name in TEST.findall(promises):
        assert "def test_" in tests[name].read_text(encoding="utf-8"), name


@cache
def list_places(path):
    """Return the headings, folds, buttons and labels of a page, and what is bold in Markdown."""
    text = read(path)
    if path.suffix == ".md":
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    tags = re.findall(r"<(h\d|summary|button|label)\b[^>]*>(.*?)</\1>", text, re.DOTALL)
    words = [part for _, inside in tags for part in inside.split("</span>")]  # one is shown
    places = [html.unescape(re.sub("<[^>]+>", "", part)).strip() for part in words]
    if path.suffix != ".html":
        places += re.findall(r"(?m)^#+ (.*?)$", text)
    return places + re.findall(r"(?m)^[- \d.]*\*\*(.*?)\*\*", text)


@pytest.mark.parametrize("name", [*TEACHERS, "README.md", "docs/CONTRIBUTING.md"])
def test_place_in_italics_is_on_the_page_that_its_line_names_or_on_any(name):
    for line in read(ROOT / name).splitlines():
        named = [PAGES.get(page, ROOT / page) for page in NAMED.findall(line)]
        pages = [page for page in named if page.is_file()] or [*PAGES.values()]
        places = [place.casefold() for page in (ROOT / name, *pages) for place in list_places(page)]
        for words in map(str.casefold, ITALICS.findall(line)):
            # A caption is a sentence. Menus, with ›, are tried in tests/browser/test_menus.py.
            if words not in OTHERS and "›" not in words and not words.endswith("."):
                assert any(f"{place}:".startswith(f"{words}:") for place in places), words
