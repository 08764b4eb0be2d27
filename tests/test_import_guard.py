"""Code that runs outside the sandbox is never loaded from a folder that an agent can write to."""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from support.processes import calls_made

from agentlib import Workspace
from agentlib.sandbox import bubblewrap, import_guard, paths

HERE = Path(__file__).parent
linux = pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
CANARY = "with open({!r}, 'a') as canary:\n    canary.write(__name__ + '\\n')\n"


def every_module() -> set[str]:
    """Return the top-level names of all modules that this Python could import."""
    installed = metadata.packages_distributions()
    return {name.partition(".")[0] for name in (*sys.stdlib_module_names, *installed)}


def every_program() -> set[str]:
    """Return the names of all programs on PATH."""
    folders = filter(os.path.isdir, os.get_exec_path())
    return {name for folder in folders for name in os.listdir(folder)} | {"bwrap", "bash"}


def plant(folder: Path, canary: Path) -> None:
    """Write modules and programs of every name into `folder`; each appends to `canary`."""
    source = CANARY.format(str(canary))
    for name in every_module() | {"sitecustomize", "usercustomize", "conftest"}:
        # Python 3.13 and later call linecache themselves to run `python -c`.
        if name.isidentifier() and name not in ("agentlib", "lesson", "__main__", "linecache"):
            (folder / f"{name}.py").write_text(source)
    (folder / "bin").mkdir()
    program = folder / "bin" / "program"
    program.write_text(f"#!/bin/sh\necho program $0 >> {canary}\n")
    program.chmod(0o755)
    for name in every_program():
        (folder / "bin" / name).symlink_to("program")
        if not (folder / name).exists():
            (folder / name).symlink_to("bin/program")
    (folder / "planted.pth").write_text(source)
    plugin = folder / "planted-1.0.dist-info"
    plugin.mkdir()
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    (plugin / "entry_points.txt").write_text("[pydantic]\nplanted = xmlrpc:planted\n")


EVERYTHING = """
import importlib, os, pkgutil, sys
sys.path.insert(0, "")
import agentlib, lesson
from test_import_guard import plant
from pathlib import Path
workspace = agentlib.Workspace(".")
plant(workspace.root, Path({canary!r}))
os.environ["PATH"] = str(workspace.root / "bin") + ":.::" + os.environ["PATH"]
for package in (agentlib, lesson):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
model = lesson.connect("practice", say=str)
messages = [agentlib.first_message("Refactor hello.py: add type hints, docstrings, a main guard.")]
todo = agentlib.TodoManager()
tools = [*workspace.tools(), todo.tool()]
agentlib.run(model.client, messages, tools, remind=agentlib.Nag(todo), **model.settings)
assert workspace.bash("echo it ran") == "it ran"
import xmlrpc.client, sqlite3, doctest
"""


def test_no_module_or_program_is_loaded_from_a_workspace_on_the_paths(planted):
    folder, canary = planted
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING.format(canary=str(canary))],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not canary.exists(), canary.read_text()


def test_planted_traps_run_without_the_guard(planted):
    folder, canary = planted
    plant(folder, canary)
    subprocess.run([sys.executable, "-c", "import xmlrpc"], cwd=folder, check=True)
    subprocess.run(["ls"], env={"PATH": str(folder / "bin")}, cwd=folder, check=True)
    assert canary.read_text().split()[0] == "xmlrpc"
    assert "program" in canary.read_text()


@pytest.fixture
def planted(tmp_path):
    """Return an empty folder for `plant` and the path of its canary."""
    (tmp_path / "work").mkdir()
    return tmp_path / "work", tmp_path / "canary"


@pytest.fixture
def on_the_path(tmp_path, monkeypatch):
    """Yield a workspace whose folder is on sys.path and on PATH."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    yield Workspace(tmp_path)
    importlib.invalidate_caches()


def test_workspace_is_removed_from_sys_path(on_the_path):
    on_the_path.write_file("only_here.py", "x = 1")
    on_the_path.write_file("colorsys.py", "x = 1")
    assert str(on_the_path.root) not in sys.path
    assert importlib.util.find_spec("only_here") is None
    spec = importlib.util.find_spec("colorsys")
    assert spec is not None and not Path(spec.origin).is_relative_to(on_the_path.root)


class Editable:
    """An import finder for a package elsewhere, like that of `pip install -e`."""

    def __init__(self, source):
        self.source = source

    def find_spec(self, name, path=None, target=None):
        if name == "agents_package":
            return importlib.util.spec_from_file_location(name, self.source)
        return None


@pytest.mark.parametrize("way", ["symlink", "finder", "chdir", "package", "sys.path"])
def test_import_that_reaches_the_workspace_in_another_way_is_rejected(
    on_the_path, tmp_path_factory, monkeypatch, way
):
    on_the_path.write_file("agents_package/__init__.py", "")
    on_the_path.write_file("agents_package/late.py", "x = 1")
    outside, package = tmp_path_factory.mktemp("outside"), on_the_path.root / "agents_package"
    name = "agents_package"
    if way == "symlink":  # as `flit install --symlink` creates it
        (outside / name).symlink_to(package)
        monkeypatch.syspath_prepend(str(outside))
    elif way == "finder":
        finder = Editable(package / "__init__.py")
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    elif way == "chdir":
        monkeypatch.syspath_prepend("")
        monkeypatch.chdir(on_the_path.root)
    elif way == "package":  # imported before the workspace was opened
        import_guard.forget(on_the_path.root)
        monkeypatch.syspath_prepend(str(on_the_path.root))
        importlib.import_module(name)
        import_guard.register(on_the_path.root)
        name = "agents_package.late"
    else:
        monkeypatch.setattr(sys, "path", [*sys.path, str(on_the_path.root)])
    with pytest.raises(ModuleNotFoundError, match="is in the workspace of an agent"):
        importlib.import_module(name)
    sys.modules.pop("agents_package", None)


def test_plugin_or_program_in_the_workspace_is_not_found(on_the_path):
    on_the_path.write_file("evil-1.0.dist-info/METADATA", "Name: evil\nVersion: 1.0\n")
    on_the_path.write_file("evil-1.0.dist-info/entry_points.txt", "[evil]\nx = os:abort\n")
    assert not metadata.entry_points(group="evil")
    assert metadata.version("pytest")
    on_the_path.write_file("bash", "#!/bin/sh\n")
    (on_the_path.root / "bash").chmod(0o755)
    assert shutil.which("bash") == str(on_the_path.root / "bash")
    assert not import_guard.find_program("bash").startswith(str(on_the_path.root))


def test_planted_program_does_not_switch_the_sandbox_off(on_the_path, monkeypatch):
    if not bubblewrap.works():
        pytest.skip("bubblewrap does not work here")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-for-this-test")
    on_the_path.write_file("true", f"#!/bin/sh\nenv >> {on_the_path.root}/canary\nexit 1\n")
    (on_the_path.root / "true").chmod(0o755)
    bubblewrap.accepts.cache_clear()
    assert bubblewrap.works.__wrapped__()
    assert not (on_the_path.root / "canary").exists()
    assert bubblewrap.succeeds([shutil.which("bash"), "-c", "! env | grep a-key"])


def test_workspace_is_recognized_through_symlinks(on_the_path, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (on_the_path.root / "bin").symlink_to("/usr/bin")  # an agent could change this symlink
    (elsewhere / "alias").symlink_to(on_the_path.root)
    for place in (on_the_path.root / "bin" / "env", elsewhere / "alias", elsewhere / "alias/x/y"):
        assert import_guard.is_agents(str(place))
    for place in (elsewhere, "/usr/bin/env", on_the_path.root.parent):
        assert not import_guard.is_agents(str(place))


# Folders that are rejected as a workspace


@pytest.mark.parametrize(
    "place, reason",
    [
        (sys.prefix, "the Python that runs the agent|your home folder"),
        (str(import_guard.PACKAGE.parent), "the Python that runs the agent"),
        *(
            pytest.param(place, "the operating system", marks=linux)
            for place in ("/", "/dev", "/etc", "/proc", "/usr", "/var")
        ),
    ],
)
def test_workspace_with_python_this_package_or_the_system_is_rejected(place, reason):
    with pytest.raises(ValueError, match=reason):
        Workspace(place)


@pytest.mark.parametrize("name", ["prefix", "executable"])
def test_workspace_with_a_symlink_to_the_running_python_is_rejected(tmp_path, monkeypatch, name):
    (tmp_path / "link").symlink_to(getattr(sys, name))
    monkeypatch.setattr(sys, name, str(tmp_path / "link"))
    with pytest.raises(ValueError, match="the Python that runs the agent"):
        Workspace(tmp_path)


@pytest.mark.parametrize("value", ["{0}/lib", ":/usr/lib", "."])
def test_workspace_on_the_library_path_is_rejected(tmp_path, monkeypatch, value):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LD_LIBRARY_PATH", value.format(tmp_path))
    with pytest.raises(ValueError, match=r"contains .* \(LD_LIBRARY_PATH\)"):
        Workspace(tmp_path)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path.parent))
    assert Workspace(tmp_path)


def test_home_folder_is_rejected_and_a_folder_in_it_is_accepted(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ValueError, match="your home folder.* Make a folder for the agent"):
        Workspace("~")
    (tmp_path / "work").mkdir()
    assert Workspace("~/work").name == "work"


# .git


@pytest.fixture
def repository(tmp_path):
    """Return a workspace that is a git repository, with another one inside."""
    for folder in (tmp_path, tmp_path / "parts" / "inner"):
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "config").write_text("[core]\n")
    return Workspace(tmp_path)


def test_git_that_is_a_symlink_is_rejected(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / ".git").symlink_to("data")
    with pytest.raises(ValueError, match=r"\.git is a symlink: work in a copy"):
        Workspace(tmp_path)


def test_git_file_of_a_worktree_is_protected(tmp_path):
    (tmp_path / ".git").write_text("gitdir: /elsewhere/.git/worktrees/tree\n")
    assert paths.find_git(tmp_path) == [tmp_path / ".git"]


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".GIT/config",
        "parts/inner/.git/config",
        "new/.git/x",
        "git~1/x",
        ".g\u200cit/x",
        ".git::$INDEX_ALLOCATION/x",
    ],
)
def test_file_tools_do_not_write_to_git(repository, path):
    with pytest.raises(ValueError, match="belongs to git"):
        repository.write_file(path, "[core]\nfsmonitor = evil\n")
    with pytest.raises((ValueError, OSError)):
        repository.edit_file(path, "[core]", "[core]\nfsmonitor = evil")
    assert "[core]" in repository.read_file(".git/config")


@pytest.mark.parametrize("command", [
    "echo evil >> .git/config",
    "mv .git .old && mkdir .git",
    "rm -rf .git",
])  # fmt: skip
def test_sandboxed_command_cannot_change_git(repository, command):
    if not bubblewrap.works():
        pytest.skip("bubblewrap does not work here")
    assert "exit code" in repository.bash(command)
    assert (repository.root / ".git" / "config").read_text() == "[core]\n"
    assert repository.bash("echo x > new.txt && cat new.txt") == "x"


def test_opening_a_large_workspace_does_not_walk_it(tmp_path):
    large, small = tmp_path / "large", tmp_path / "small"
    small.mkdir()
    for number in range(2000):
        (large / "packages" / str(number)).mkdir(parents=True)
    Workspace(small)  # what is done once per process
    assert calls_made(Workspace, large) < calls_made(Workspace, small) + 100
