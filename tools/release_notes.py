"""Print the text of a release: `python tools/release_notes.py`, in GitHub's workflow for a tag.

It is the newest section of CHANGELOG.md, with links that lead somewhere from the page of a release.
A tag that is not the version's own would publish a wheel under another name, so it is refused.
"""

import os
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tag, version = os.environ["GITHUB_REF_NAME"], project["version"]
    if tag != f"v{version}":
        sys.exit(
            f"The tag {tag} is not that of this commit, whose version is {version}: v{version}."
        )
    place = f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}/blob/{tag}/"
    print(write_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version, place))


def write_notes(changes: str, version: str, place: str) -> str:
    """Return the newest section, which must be this version's, with its links below `place`."""
    heading, _, text = changes.partition("\n## ")[2].partition("\n")
    if heading.split(" ")[0] != version:
        sys.exit(
            f"The newest section of CHANGELOG.md is {heading!r}, and the version is {version}."
        )
    section = text.partition("\n## ")[0].strip()
    return make_absolute(section, place).replace("](#", f"]({place}CHANGELOG.md#")


def make_absolute(text: str, place: str) -> str:
    """Return Markdown in which relative links lead to files below `place`."""
    return re.sub(r"(?<=\]\()(?!\w+:|#)", place, text)


if __name__ == "__main__":
    main()
