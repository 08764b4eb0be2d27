"""Write the project's address wherever a reader needs it: `make publish ADDRESS=…`.

ADDRESS is that of its repository on GitHub, whose workflows publish the pages and the releases.
Called again, this writes another address, and without one it takes the address out. TABLE has each
sentence in both forms. An index of packages, such as PyPI, shows README, from which a relative link
leads nowhere: it gets COPY, with absolute ones.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPY = "tools/long_description.md"  # in docs, it would be a page of each learner
GITHUB = re.compile(
    r"(?:https://(?:[^/@]+@)?|(?:ssh://)?git@)github\.com[/:]([\w-]+)/([\w.-]+?)(?:\.git)?/?"
)
DARK = '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="docs/too-late-dark.svg">'
INSTALL = 'pip install "planning-agent-lesson[lab] @ {address}/archive/HEAD.zip"'
FORM = "{address}/issues/new?template=stop.yml"
STOPPED = f"<a href='{FORM}'>Where did you stop?</a>"
LESSON = "lab/index.html?path=00_start_here.ipynb"
# A file, its text without an address, and its text with one, from which `pages` is made.
TABLE = [
    ("README.md", "plans\n\nIn two evenings", "plans\n\n**[Play it in your browser]({pages})**: "
     "eight minutes, and nothing to install.\n\nIn two evenings"),
    ("README.md", DARK, f'<a href="{{pages}}">\n{DARK}'),
    ("README.md", "</picture>\n\n*One job", "</picture>\n</a>\n\n*One job"),
    ("README.md", "Python 3.11 or newer and `make`. In this folder, run:\n\n```sh\nmake",
     "git, `make` and Python 3.11 or newer. Run:\n\n```sh\n"
     "git clone {address}\ncd {name}\nmake"),
    ("README.md", "open [docs/play.html](docs/play.html) in a browser: you",
     "open [its first page]({pages}): you"),
    ("README.md", "For a preview", "Or, in any folder:\n\n```sh\npython3 -m venv planner\n"
     f"planner/bin/{INSTALL}\nplanner/bin/planning-agent lab\n```\n\nFor a preview"),
    ("README.md", "lesson yet, and it is [not published](docs/CONTRIBUTING.md#publish).",
     "lesson yet."),
    ("docs/install.md", "The usual way is `make lab`,", "The usual way is `git clone {address}` "
     "and, in its folder, `make lab`,"),
    ("docs/install.md", "With pip:", f"`{INSTALL}` installs it from anywhere. In this folder:"),
    ("docs/install.md", "The browser edition is", "The [browser edition]({pages}) is"),
    ("docs/what-agents-do.md", "planning-agent, counted", "planning-agent, {address}, counted"),
    ("docs/teach-set-up.md", "somebody who [publishes it](install.md#in-the-browser-without-an-"
     "installation) under `https://`", "[its address]({pages})"),
    ("docs/CONTRIBUTING.md", "No address is written now.", "Now it is {address}."),
    ("docs/play.html", "In the folder of the project, <b>make lab</b> opens the lesson. The file "
     "<b>docs/install.md</b> has the other ways, also one without an installation.",
     "If you have called <b>make lab</b>, go on in the JupyterLab that it opens. Otherwise, "
     f"<a href='{{pages}}{LESSON}'><b>open the lesson</b></a> in a browser, without an "
     f"installation, or take it from <a href='{{address}}'>its repository</a>. {STOPPED}"),
    ("notebooks/s03b_nag_reminder.ipynb", "This is a good place to end an evening.",
     f"End an evening here ([where did you stop?]({FORM}))."),
    ("pyproject.toml", 'readme = { content-type = "text/plain", text = "In two evenings of '
     "Jupyter notebooks, you write a coding agent: its loop, its todo list, and the reminder that "
     'brings its plan back. `planning-agent lab` opens the lesson." }', f'readme = "{COPY}"'),
    ("pyproject.toml", "[project.scripts]", '[project.urls]\nHomepage = "{pages}"\nRepository = '
     '"{address}"\nChangelog = "{address}/blob/HEAD/CHANGELOG.md"\n\n[project.scripts]'),
]  # fmt: skip


def find_address(root: Path = ROOT) -> str:
    """Return the address that is written now, or an empty string."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "")


def write(text: str, published: str, address: str) -> str:
    """Return the form of a sentence that is right for this address, or for none."""
    if not address:
        return text
    owner, name = address.split("/")[-2:]
    place = f"{owner}.github.io"
    pages = f"https://{place}/" if name.lower() == place.lower() else f"https://{place}/{name}/"
    return published.format(address=address, name=name, pages=pages)


def make_absolute(text: str, place: str) -> str:
    """Return Markdown in which relative links lead to files below `place`."""
    return re.sub(r"(?<=\]\()(?!\w+:|#)", place, text)


def write_copy(readme: str, address: str) -> str:
    """Return README with absolute links and pictures."""
    pictures = re.sub(r'(?<=src=")|(?<=srcset=")', f"{address}/raw/HEAD/", readme)
    return make_absolute(pictures, f"{address}/blob/HEAD/")


def publish(address: str, root: Path = ROOT) -> None:
    """Write the address into all files, or into none if a sentence is not where it was."""
    now, texts = find_address(root), {}
    for file, *forms in TABLE:
        text = texts.get(file) or (root / file).read_text(encoding="utf-8")
        old, new = write(*forms, now), write(*forms, address)
        if text.count(old) != 1:
            sys.exit(f"{file} must have this once, as TABLE in tools/publish.py says: {old}")
        texts[file] = text.replace(old, new)
    if address:
        texts[COPY] = write_copy(texts["README.md"], address)
    else:
        (root / COPY).unlink(missing_ok=True)
    for file, text in texts.items():
        (root / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    given = "".join(sys.argv[1:])
    found = GITHUB.fullmatch(given)
    if given and not found:
        shown = re.sub(r"(?<=//)[^/@]*@", "…@", given)  # it may be a token
        sys.exit(f"{shown} is no address of a repository, such as https://github.com/OWNER/NAME")
    publish(found.expand(r"https://github.com/\1/\2") if found else "")
