"""The lock files, the copies of notebooks, the conda environment and the Makefile."""

import json
import os
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
LOCKS = ("build.lock", "grade.lock", "lab.txt", "test.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_hashes_and_contains_no_address(name):
    lock = (REPOSITORY / "requirements" / name).read_text()
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert name.endswith(".txt") or all("--hash=sha256:" in entry for entry in entries)
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


def test_copy_has_the_picture_of_the_agent(tmp_path):
    assert "agent.svg" in copy_lesson(tmp_path)[0]
    picture = (tmp_path / "agent.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in picture and "<title" in picture and "<desc" in picture


def test_learners_copy_has_its_own_rules_for_an_agent(tmp_path):
    assert "AGENTS.md" in copy_lesson(tmp_path)[0]
    rules = tmp_path / "AGENTS.md"
    assert "You are their tutor" in rules.read_text(encoding="utf-8")
    rules.write_text("Mine")
    assert "AGENTS.md" in copy_lesson(tmp_path)[1] and rules.read_text() == "Mine"


def test_conda_environment_has_the_same_versions():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text())
    assert environment.keys() == {"name", "channels", "dependencies"}
    python, pip, from_pip = environment["dependencies"]
    assert python.removeprefix("python=") in SpecifierSet(PROJECT["requires-python"])
    *named, pins, package = from_pip["pip"]
    assert (pip, named) == ("pip", ["jupyterlab", "ipywidgets", "anthropic", "nbval"])
    assert (pins, package) == ("-r requirements/lab.txt", "-e .")
    for_learners = (REPOSITORY / "requirements/lab.txt").read_text().splitlines()
    locked = (REPOSITORY / "requirements/test.lock").read_text()
    entries = [entry.split(" \\\n")[0] for entry in re.split(r"\n(?=\S)", locked.strip())]
    assert {*for_learners} < {*entries}
    names = {entry.split("==")[0] for entry in for_learners}
    assert names >= {*named} and names.isdisjoint({"mypy", "ruff", "playwright", "hypothesis"})


@pytest.mark.parametrize("page", ["AGENTS.md", "CONTRIBUTING.md", "docs/design.md"])
def test_files_and_folders_that_a_maintainers_page_names_exist(page):
    known = {"", *(path.name for path in REPOSITORY.iterdir())}
    for folder in ("agentlib", "docs", "jupyter", "lesson", "notebooks", "tests", "tools"):
        known |= {path.name for path in (REPOSITORY / folder).rglob("*")}
    known |= {"my_agent.py", "my_lesson"}  # a learner has them
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    named = re.findall(r"`([\w.-]+(?:/[\w.-]*)+|[\w.-]+\.(?:py|js|md|css|json|lock))`", text)
    missing = [
        name
        for name in named
        if "NAME" not in name
        and not ((REPOSITORY / name).exists() if "/" in name else name in known)
    ]
    assert named and not missing


@pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
def test_make_lock_updates_all_packages_or_only_one():
    def commands(*arguments):
        command = ["make", "--dry-run", "lock", *arguments]
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if "--upgrade" in line]

    assert len(commands()) == 3 and all("--upgrade " in line for line in commands())
    only = commands("ONLY=ruff")
    assert len(only) == 3 and all("--upgrade-package ruff " in line for line in only)


def test_make_explains_what_is_missing(tmp_path):
    if not shutil.which("make"):
        pytest.skip("no make on this machine")
    folder = tmp_path / 'a $lesson\'s "copy"'
    for name in ("requirements", "tools"):
        shutil.copytree(REPOSITORY / name, folder / name)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, folder)
    programs = tmp_path / "programs"  # all that make needs, and no Python
    programs.mkdir()
    for name in ("make", "sh", "dirname", "grep", "rm", "find", "env"):
        (programs / name).symlink_to(shutil.which(name))

    def make(*arguments, path=None):
        env = {**os.environ, "PATH": str(path or os.environ["PATH"])}
        return subprocess.run(
            ["make", *arguments], cwd=folder, env=env, capture_output=True, text=True
        )

    assert "No Python 3.11 or newer was found" in make("lab", path=programs).stderr
    old = tmp_path / "python3.10"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert f"{old} is no Python 3.11 or newer." in make("lab", f"PYTHON={old}").stderr
    assert not (folder / ".venv").exists()
    (folder / ".venv").mkdir()
    assert ".venv is broken: run 'make clean'" in make("check-venv").stderr
    assert make("clean").returncode == 0
    assert make("check-venv").returncode == 0, "there is none yet"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    assert make("check-venv").returncode == 0, "this one works"
    (folder / ".venv").rename(tmp_path / ".venv")
    shutil.copytree(tmp_path / ".venv", tmp_path / "moved/.venv", symlinks=True)
    shutil.copytree(folder, tmp_path / "moved", dirs_exist_ok=True)
    moved = subprocess.run(["make", "check-venv"], cwd=tmp_path / "moved", capture_output=True)
    assert b".venv is broken" in moved.stderr


def test_package_json_has_no_type_module():
    """JupyterLab runs a CommonJS yarn.js in a folder of this one; "type": "module" breaks it."""
    settings = json.loads((REPOSITORY / "package.json").read_text(encoding="utf-8"))
    assert "type" not in settings
