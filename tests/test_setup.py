"""The lock files, the wheel, the conda environment and the Makefile."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import benchmark
import pytest
import yaml
from packaging.specifiers import SpecifierSet

from lesson.terminal.copy_lesson import copy_lesson

REPOSITORY = Path(__file__).parent.parent
SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
LOCKS = ("build.lock", "classroom.lock", "lab.txt", "live.lock", "test.lock")


def lock(name: str) -> str:
    return (REPOSITORY / "requirements" / name).read_text()


def pins(name: str) -> dict[tuple[str, str], str]:
    """Return the versions in a lock file by package and marker."""
    pinned = re.findall(r"^([\w.-]+)==([^\s;]+)(?: ; (.*?))?(?: \\)?$", lock(name), re.MULTILINE)
    return {(package, marker): version for package, version, marker in pinned}


@pytest.mark.parametrize("name", LOCKS)
def test_lock_pins_every_package_with_hashes_and_contains_no_address(name):
    entries = re.split(r"\n(?=\S)", lock(name).strip())
    assert len(pins(name)) == len(entries) > 5
    assert name == "lab.txt" or all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in lock(name)
    assert "--index" not in lock(name)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel, as for a release."""
    pytest.importorskip("hatchling", reason="make installs it")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    with zipfile.ZipFile(*folder.glob("*.whl")) as archive:
        yield archive


def test_wheel_contains_all_files_of_the_lesson_and_no_others(wheel):
    names = wheel.namelist()
    sources = {
        path.relative_to(REPOSITORY).as_posix()
        for folder in ("agentlib", "lesson", "notebooks")
        for path in (REPOSITORY / folder).rglob("*")
        if path.is_file()
    }
    generated = ("/.", "/__pycache__/", "solutions/my_agent.py")  # by editors, Python, and keep()
    sources = {name for name in sources if not any(part in name for part in generated)}
    wanted = {name.replace("notebooks/", "lesson/notebooks/", 1) for name in sources}
    assert {name for name in names if name.startswith(("agentlib/", "lesson/"))} == wanted
    assert any(name.endswith("labconfig/default_setting_overrides.json") for name in names)
    others = {name.split("/")[0] for name in names if not name.startswith(("agentlib/", "lesson/"))}
    assert all(name.endswith((".dist-info", ".data")) for name in others)


def links_of(folder):
    """Return the files that the Markdown cells of the notebooks in a folder link to."""
    found = []
    for path in folder.rglob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                targets = re.findall(r"\]\(([^)#:\s]+)[)#]", "".join(cell["source"]))
                found += [path.parent / target for target in targets]
    return found


def test_copy_has_only_links_that_lead_somewhere(tmp_path):
    (tmp_path / "docs").mkdir()
    glossary = tmp_path / "docs" / "glossary.md"
    glossary.touch()
    copy_lesson(tmp_path / "my_lesson")
    links = [link.resolve() for link in links_of(tmp_path)]
    assert glossary in links and all(link.exists() for link in links)


def test_conda_environment_has_the_same_pins():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text())
    assert environment.keys() == {"name", "channels", "dependencies"}
    python, pip, from_pip = environment["dependencies"]
    assert python.removeprefix("python=") in SpecifierSet(PROJECT["requires-python"])
    assert (pip, from_pip) == ("pip", {"pip": ["-r requirements/lab.txt", "-e ."]})


def test_make_explains_what_is_missing(tmp_path):
    if not shutil.which("make"):
        pytest.skip("no make on this machine")
    folder = tmp_path / "a lesson"  # with a space
    shutil.copytree(REPOSITORY / "requirements", folder / "requirements")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, folder)

    def make(*arguments):
        return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True)

    assert "No Python 3.11 or newer was found" in make("lab", "PYTHON=").stderr
    (folder / ".venv").mkdir()
    assert ".venv is broken: run 'make clean'" in make("lab").stderr
    assert make("clean").returncode == 0
    assert make("--dry-run", "lab").returncode == 0


def test_benchmark_plays_whole_runs_with_both_loops():
    assert benchmark.ratio(6, repeats=1) > 0


def test_package_json_has_no_type_module():
    """JupyterLab runs a CommonJS yarn.js in a folder of this one; "type": "module" breaks it."""
    settings = json.loads((REPOSITORY / "package.json").read_text(encoding="utf-8"))
    assert "type" not in settings
