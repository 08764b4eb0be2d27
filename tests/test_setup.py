"""The lock files, the copies of notebooks, the conda environment and the Makefile."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from lesson.copy_lesson import copy_lesson

REPOSITORY = Path(__file__).parent.parent
SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
LOCKS = ("build.lock", "grade.lock", "lab.txt", "live.lock", "test.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_hashes_and_contains_no_address(name):
    lock = (REPOSITORY / "requirements" / name).read_text()
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert name == "lab.txt" or all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in lock and "--index" not in lock


def links_of(folder):
    """Return the files that the Markdown cells of the notebooks in a folder link to."""
    found = []
    for path in folder.rglob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                targets = re.findall(r"\]\(([^)#:\s]+)[)#]", "".join(cell["source"]))
                found += [path.parent / target for target in targets]
    return found


@pytest.mark.parametrize("places", [[], ["docs", "agentlib", "SECURITY.md"]])
def test_copy_has_only_links_that_lead_somewhere(tmp_path, places):
    for place in places:
        (tmp_path / place).symlink_to(REPOSITORY / place)
    copy_lesson(tmp_path / "my_lesson")
    links = [link.resolve() for link in links_of(tmp_path / "my_lesson")]
    assert all(link.exists() for link in links)
    assert (REPOSITORY / "docs" / "glossary.md" in links) == bool(places)


def test_learners_copy_has_its_own_rules_for_an_agent(tmp_path):
    assert "AGENTS.md" in copy_lesson(tmp_path)[0]
    rules = tmp_path / "AGENTS.md"
    assert "You are their tutor" in rules.read_text(encoding="utf-8")
    rules.write_text("Mine")
    assert "AGENTS.md" in copy_lesson(tmp_path)[1] and rules.read_text() == "Mine"


def test_conda_environment_has_the_same_pins():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text())
    assert environment.keys() == {"name", "channels", "dependencies"}
    python, pip, from_pip = environment["dependencies"]
    assert python.removeprefix("python=") in SpecifierSet(PROJECT["requires-python"])
    assert (pip, from_pip) == ("pip", {"pip": ["-r requirements/lab.txt", "-e ."]})


def test_make_explains_what_is_missing(tmp_path):
    if not shutil.which("make"):
        pytest.skip("no make on this machine")
    folder = tmp_path / 'a $lesson\'s "copy"'
    shutil.copytree(REPOSITORY / "requirements", folder / "requirements")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, folder)

    def make(*arguments):
        return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True)

    assert "No Python 3.11 or newer was found" in make("lab", "PYTHON=").stderr
    old = tmp_path / "python3.10"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert f"{old} is no Python 3.11 or newer." in make("lab", f"PYTHON={old}").stdout
    assert not (folder / ".venv").exists()
    (folder / ".venv").mkdir()
    assert ".venv is broken: run 'make clean'" in make("lab").stderr
    assert make("clean").returncode == 0
    assert make("--dry-run", "lab").returncode == 0
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    assert make("--dry-run", "lab").returncode == 0, "this one works"


def test_package_json_has_no_type_module():
    """JupyterLab runs a CommonJS yarn.js in a folder of this one; "type": "module" breaks it."""
    settings = json.loads((REPOSITORY / "package.json").read_text(encoding="utf-8"))
    assert "type" not in settings
