"""Code that runs outside the sandbox is never loaded from a folder that an agent can write to."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from agentlib import Workspace
from safetylib.guard import bubblewrap, import_guard

pytestmark = pytest.mark.slow
linux = pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")


@pytest.mark.parametrize("entry", ["", ".", "{0}", "{0}/modules"])
def test_workspace_from_which_python_imports_modules_is_rejected(tmp_path, monkeypatch, entry):
    (tmp_path / "modules").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry.format(tmp_path), *sys.path])
    with pytest.raises(ValueError, match="imports modules from it.* Make a folder for the agent"):
        Workspace(tmp_path)
    before = list(sys.path), list(sys.meta_path)
    workspace = Workspace(tmp_path / "work")
    assert workspace.name == "work"
    with pytest.raises(ValueError, match="imports modules from it"):
        workspace.__init__(tmp_path)
    assert workspace.root == tmp_path / "work"
    assert (sys.path, sys.meta_path) == before


@pytest.fixture
def on_the_path(tmp_path, monkeypatch):
    """Return a workspace whose folder is on PATH."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    return Workspace(tmp_path)


def test_program_in_the_workspace_is_not_found(on_the_path):
    on_the_path.write_file("bash", "#!/bin/sh\n")
    (on_the_path.root / "bash").chmod(0o755)
    assert shutil.which("bash") == str(on_the_path.root / "bash")
    assert not import_guard.find_program("bash").startswith(str(on_the_path.root))
    assert on_the_path.bash("echo it ran") == "it ran"


def test_planted_program_does_not_switch_the_sandbox_off(on_the_path, monkeypatch):
    if not bubblewrap.sandbox_works():
        pytest.skip("bubblewrap does not work here")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-for-this-test")
    on_the_path.write_file("true", f"#!/bin/sh\nenv >> {on_the_path.root}/canary\nexit 1\n")
    (on_the_path.root / "true").chmod(0o755)
    bubblewrap.accepts.cache_clear()
    bubblewrap.start_once.cache_clear()
    assert bubblewrap.sandbox_works()
    assert not (on_the_path.root / "canary").exists()
    bubblewrap.try_sandbox([shutil.which("bash"), "-c", "! env | grep a-key"])


# Folders that are rejected as a workspace


@pytest.mark.parametrize(
    "place, reason",
    [
        (sys.prefix, "the Python that runs the agent|your home folder"),
        (str(import_guard.PACKAGES[0].parent), "the Python that runs the agent"),
        pytest.param("/", "the operating system", marks=linux),
        pytest.param("/etc", "the operating system", marks=linux),
        pytest.param("/usr", "the operating system", marks=linux),
    ],
)
def test_workspace_with_python_this_package_or_the_system_is_rejected(place, reason):
    with pytest.raises(ValueError, match=reason):
        Workspace(place)


def test_home_folder_is_rejected_and_a_folder_in_it_is_accepted(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ValueError, match="your home folder.* Make a folder for the agent"):
        Workspace("~")
    (tmp_path / "work").mkdir()
    assert Workspace("~/work").name == "work"


@linux
@pytest.mark.parametrize("place", ["~/.ipython/profile_default", "~/.ssh", "~/.jupyter", "/run"])
def test_folder_whose_files_programs_of_the_user_run_or_trust_is_rejected(
    tmp_path, monkeypatch, place
):
    monkeypatch.setenv("HOME", str(tmp_path))
    if place.startswith("~"):
        Path(place).expanduser().mkdir(parents=True)
    with pytest.raises(ValueError, match="the operating system.* make a folder|Make a folder"):
        Workspace(place)


@pytest.mark.parametrize("platform, remedy", [("win32", "under WSL"), ("linux", "install bash")])
def test_a_computer_without_bash_is_told_what_to_do(monkeypatch, platform, remedy):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(import_guard, "find_program", lambda name: None)
    with pytest.raises(FileNotFoundError, match=f"no shell here, so nothing was run: .*{remedy}"):
        import_guard.find_bash()
