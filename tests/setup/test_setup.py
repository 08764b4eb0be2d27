"""The lock, the copies of notebooks, the conda environment and the Makefile."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
from packaging.specifiers import SpecifierSet
from traitlets.config import Config

from lesson.program import open_lab
from lesson.program.copy_lesson import PAGES, copy_lesson, lesson_notebooks

pytestmark = pytest.mark.slow
REPOSITORY = Path(__file__).parents[2]
SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
TOP_LEVEL_FOLDERS = {
    *(".ci", ".github", "agentlib", "docs", "lesson"),
    *("exerciselib", "findings", "notebooks", "safetylib", "tests", "tools"),
}
TOP_LEVEL_FILES = {
    *(".gitattributes", ".gitignore", "AGENTS.md", "CHANGELOG.md", "LICENSE"),
    *("Makefile", "README.md", "environment.yml", "postBuild", "pyproject.toml"),
    *(".devcontainer.json", "requirements.lock"),
}


def test_top_level_has_only_what_belongs_there():
    """What git knows: a log that a program leaves in the folder is the first that a reader sees."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("a copy without git")
    command = ["git", "ls-files"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    files = listed.stdout.splitlines()
    assert {name for name in files if "/" not in name} == TOP_LEVEL_FILES
    assert {name.split("/")[0] for name in files if "/" in name} == TOP_LEVEL_FOLDERS


def test_lock_has_hashes_and_contains_no_address():
    lock = (REPOSITORY / "requirements.lock").read_text()
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert all("--hash=sha256:" in entry for entry in entries) and len(entries) > 100
    assert "://" not in lock and "--index" not in lock


def list_linked(folder):
    """Return the files that the notebooks and the pages of docs in a folder link to."""
    linked = []
    for path in [*folder.rglob("*.ipynb"), *folder.glob("docs/*.md")]:
        texts = [path.read_text(encoding="utf-8")]
        if path.suffix == ".ipynb":
            cells = json.loads(texts[0])["cells"]
            texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        targets = re.findall(r"\]\(([^)#:\s]+)[)#]", "\n".join(texts))
        linked += [path.parent / target for target in targets]
    return linked


def test_copy_has_a_learners_pages_and_only_links_that_lead_somewhere_in_it(tmp_path):
    copy_lesson(tmp_path / "my_lesson")
    links = {link.resolve() for link in list_linked(tmp_path / "my_lesson")}
    inside = {link for link in links if (tmp_path / "my_lesson") in link.parents}
    assert [link for link in links if link not in inside or not link.exists()] == []
    pages = {path.name for path in (tmp_path / "my_lesson" / "docs").iterdir()}
    assert pages == {f"{name}.md" for name in PAGES}
    assert pages - {link.name for link in links} == set()  # each can be reached by a click
    assert len(links) > len(pages) + 10  # to pages and to notebooks


def test_copy_for_a_class_has_no_line_of_a_teachers_page_and_no_solution(tmp_path):
    copy_lesson(tmp_path, without_solutions=True)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    copied = "\n".join(path.read_text(encoding="utf-8") for path in files)
    pages = [(REPOSITORY / "docs" / name) for name in ("teach.md", "teach-set-up.md")]
    lines = {line for page in pages for line in page.read_text(encoding="utf-8").splitlines()}
    lines = {line for line in lines if len(line) > 60}
    assert len(lines) > 50 and [line for line in lines if line in copied] == []
    assert not [path for path in files if path.parent.name == "solutions"]


@pytest.mark.parametrize("name", ["agent.svg", "loop.svg", "trim.svg"])
def test_copy_has_the_pictures_of_the_agent_and_of_its_loop(tmp_path, name):
    assert name in copy_lesson(tmp_path)
    picture = (tmp_path / name).read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in picture and "<title" in picture and "<desc" in picture
    assert picture.isascii()  # JupyterLite draws no other SVG in Markdown


def test_an_agent_that_is_started_in_the_repository_is_also_told_to_be_a_tutor():
    # A terminal of the editor begins here, and not in `my_lesson`.
    scope = (REPOSITORY / "AGENTS.md").read_text(encoding="utf-8").partition("**Read first**")[0]
    assert "`AGENTS.md` of the folder `my_lesson`" in scope
    assert "You are their tutor: do not solve an exercise" in scope


def test_conda_environment_names_what_a_learner_needs():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text())
    assert environment.keys() == {"name", "channels", "dependencies"}
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    python, pip, from_pip = environment["dependencies"]
    assert python.removeprefix("python=") in SpecifierSet(PROJECT["requires-python"])
    *named, package = from_pip["pip"]
    assert (pip, named) == ("pip", ["jupyterlab", "ipywidgets", "anthropic", "nbval"])
    assert package == "-e .[lab]"


def dry_run(*arguments, cwd=REPOSITORY):
    """Return the commands that make would run."""
    command = ["make", "--dry-run", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


needs_make = pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")


@needs_make
def test_make_lock_updates_all_packages_or_only_one():
    [every] = [line for line in dry_run("lock") if "--upgrade" in line]
    [only_ruff] = [line for line in dry_run("lock", "ONLY=ruff") if "--upgrade" in line]
    assert "--upgrade " in every and "--upgrade-package ruff " in only_ruff


@needs_make
@pytest.mark.parametrize("home", ["/elsewhere", "here"])
def test_environment_of_another_folder_or_one_that_was_emptied_is_made_again(tmp_path, home):
    """`uv sync` empties .venv: it leaves Python, and takes JupyterLab."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(REPOSITORY / name, tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 0\n")
    python.chmod(0o755)
    home = tmp_path if home == "here" else home
    (tmp_path / ".venv/pyvenv.cfg").write_text(f"command = python -m venv {home}/.venv\n")
    (tmp_path / ".venv/bin/uv").touch()
    (tmp_path / ".venv/lab.done").touch()
    commands = dry_run("lab", cwd=tmp_path)
    assert "python3 -m venv --clear .venv" in commands
    # pip refuses with PIP_USER=1, or `user = yes` in pip.conf, unless it is told otherwise.
    assert any("pip install -q --no-user --require-hashes" in command for command in commands)
    [hint] = [command for command in commands if "docs/play.html" in command]
    [install] = [command for command in commands if ".[lab]" in command]
    assert commands.index(hint) < commands.index(install)


def test_the_browser_gets_an_address_and_kernels_are_encrypted():
    """A browser in a sandbox cannot open a file in a hidden folder, nor can one outside of WSL."""
    config = Config(json.loads((open_lab.SETTINGS / "jupyter_config.json").read_text()))
    assert ServerApp(config=config).use_redirect_file is False
    assert MappingKernelManager(config=config).transport_encryption == "auto"


def test_list_of_files_has_the_notebooks_and_the_program_and_the_others_are_opened(tmp_path):
    copy_lesson(tmp_path)
    config = Config(json.loads((open_lab.SETTINGS / "jupyter_config.json").read_text()))
    manager = LargeFileManager(root_dir=str(tmp_path), config=config)
    assert {*LargeFileManager().hide_globs} < {*manager.hide_globs}
    listed = {entry["name"] for entry in manager.get("")["content"]}
    assert listed == {*lesson_notebooks(), "my_agent", "docs"}
    assert manager.get("solutions/nag.py")["content"] and manager.get("AGENTS.md")["content"]


@pytest.mark.parametrize(
    "variables, mirror",
    [
        ({}, "https://of.pip.conf"),
        ({"PIP_INDEX_URL": "https://of.pip"}, "https://of.pip"),
        ({"PIP_INDEX_URL": "https://of.pip", "UV_INDEX_URL": "https://of.uv"}, "https://of.uv"),
    ],
)
def test_both_steps_of_make_ask_the_mirror_of_pip(tmp_path, monkeypatch, variables, mirror):
    """uv does not read pip's settings, so the second step would ask the public index."""
    for name in ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        '#!/bin/sh\ncase "$*" in *"get global.index-url") echo https://of.pip.conf; esac\n'
    )
    python.chmod(0o755)
    makefile = (REPOSITORY / "Makefile").read_text() + '\nshow:\n\t@echo "$(MIRROR)"\n'
    (tmp_path / "Makefile").write_text(makefile)
    command = ["make", "-s", "show"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == mirror


@pytest.mark.parametrize("home, kept", [("", False), ("missing", True)])
def test_a_home_that_cannot_be_written_is_not_needed(tmp_path, home, kept):
    """Seen as another user: uv ended `make lab`, and then Jupyter, each at its own folder."""
    (tmp_path / "Makefile").write_text((REPOSITORY / "Makefile").read_text() + "\nshow:\n\tenv\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / home)}
    command = ["make", "-s", "show"]
    shown = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    names = {"UV_CACHE_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"}
    moved = {*re.findall(rf"(?m)^(\w+)={tmp_path}/build/home/", shown.stdout)}
    assert moved == (names | {"IPYTHONDIR"} if kept else set())


def test_python_of_a_terminal_is_the_one_of_the_lesson(tmp_path, monkeypatch):
    """The lines of pyenv and conda in ~/.bashrc put their own first, without the packages."""
    other, home = tmp_path / "other", tmp_path / "home"
    home.mkdir()
    other.mkdir()
    (other / "python").write_text("#!/bin/sh\necho of pyenv\n")
    (other / "python").chmod(0o755)
    (home / ".bashrc").write_text(f"PATH='{other}':$PATH\nMINE=kept\n")
    options = open_lab.list_options(tmp_path)
    [option] = [option for option in options if "shell_command" in option]
    command = shlex.split(ast.literal_eval(option.partition("shell_command=")[2]))
    env = open_lab.find_environment(str(other)) | {"HOME": str(home)}
    shown = subprocess.run(
        [*command, "-ic", "command -v python; echo $MINE; pwd"],
        env=env, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    python = str(Path(sys.executable).with_name("python"))
    assert shown.stdout.split("\n")[:3] == [python, "kept", str(other)]  # not above the lesson
