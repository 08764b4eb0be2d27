"""Nothing that runs outside the sandbox is looked up in a place that an agent can write."""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from loopback import Server, message, text, use
from support.terminal import Screen

from agentlib import Workspace
from agentlib.sandbox import bubblewrap, import_guard
from lesson import sample

HERE = Path(__file__).parent
CANARY = "with open({!r}, 'a') as canary:\n    canary.write(__name__ + '\\n')\n"


def every_module() -> set[str]:
    """The top names of all modules that this Python could import."""
    installed = (name for names in metadata.packages_distributions() for name in [names])
    return {name.partition(".")[0] for name in (*sys.stdlib_module_names, *installed)}


def every_program() -> set[str]:
    """The names of all programs that this machine's PATH offers."""
    folders = filter(os.path.isdir, os.get_exec_path())
    return {name for folder in folders for name in os.listdir(folder)} | {"bwrap", "bash"}


def plant(folder: Path, canary: Path) -> None:
    """Put a module of every name and a program of every name into `folder`; each tells `canary`."""
    source = CANARY.format(str(canary))
    for name in every_module() | {"sitecustomize", "usercustomize", "conftest"}:
        # Python 3.13 and later call linecache themselves to run `python -c`.
        if name.isidentifier() and name not in ("agentlib", "__main__", "linecache"):
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


class PlantingServer(Server):
    """A model that, before its first reply, has planted a trap of every name."""

    def __init__(self, folder, canary, *answers):
        super().__init__(*answers)
        self.folder, self.canary = folder, canary

    def choose(self, head, body):
        if not head.startswith("GET") and not self.requests:
            plant(self.folder, self.canary)
        return super().choose(head, body)


def test_a_yes_to_one_command_in_a_folder_full_of_traps_springs_none(tmp_path):
    folder, canary = tmp_path / "work", tmp_path / "canary"
    folder.mkdir()
    answers = [message(use("bash", "toolu_1", command="echo it ran")), message(text("All over."))]
    with PlantingServer(folder, canary, *answers) as server:
        path = os.pathsep.join([str(folder / "bin"), ".", "", os.environ["PATH"]])
        screen = Screen(
            *("-m", "lesson", "--workspace", ".", "--model", "any", "Go"),
            cwd=folder, ANTHROPIC_BASE_URL=server.url, PATH=path,
        )  # fmt: skip
        screen.wait_for(b"instead: ")
        screen.type(b"y\n")
        screen.wait_for(b"All over.")
        assert screen.end() == 0
        assert server.requests[1]["messages"][2]["content"][0]["content"] == "it ran"
    assert not canary.exists(), canary.read_text()


EVERYTHING = """
import importlib, pkgutil, sys
sys.path.insert(0, "")
import agentlib
from test_lookup import plant
from pathlib import Path
workspace = agentlib.Workspace(".")
plant(workspace.root, Path({canary!r}))
for module in pkgutil.walk_packages(agentlib.__path__, "agentlib."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
model = agentlib.connect("practice", say=str)
messages = [agentlib.first_message("Refactor hello.py: add type hints, docstrings, a main guard.")]
todo = agentlib.TodoManager()
tools = [*workspace.tools(), todo.tool()]
agentlib.run(model.client, messages, tools, remind=agentlib.Nag(todo), **model.settings)
workspace.bash("true")
import xmlrpc.client, sqlite3, doctest
"""


def test_no_module_is_imported_from_a_workspace_that_is_on_the_path(tmp_path):
    folder, canary = tmp_path / "work", tmp_path / "canary"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING.format(canary=str(canary))],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(HERE)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not canary.exists(), canary.read_text()


def test_the_traps_would_spring(tmp_path):
    folder, canary = tmp_path / "work", tmp_path / "canary"
    folder.mkdir()
    plant(folder, canary)
    subprocess.run([sys.executable, "-c", "import xmlrpc"], cwd=folder, check=True)
    subprocess.run(["ls"], env={"PATH": str(folder / "bin")}, cwd=folder, check=True)
    assert canary.read_text().split()[0] == "xmlrpc"
    assert "program" in canary.read_text()


@pytest.fixture
def on_the_path(tmp_path, monkeypatch):
    """A workspace that is on sys.path and on PATH; forgotten afterwards."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    workspace = Workspace(tmp_path)
    yield workspace
    import_guard.forget(workspace.root)
    importlib.invalidate_caches()


def test_a_module_that_is_only_in_the_workspace_is_refused_in_a_sentence(on_the_path):
    on_the_path.write_file("only_here.py", "x = 1")
    with pytest.raises(ModuleNotFoundError, match="only in the folder that an agent writes"):
        importlib.import_module("only_here")


def test_a_module_that_is_in_both_places_comes_from_outside(on_the_path):
    on_the_path.write_file("colorsys.py", "x = 1")
    spec = importlib.util.find_spec("colorsys")
    assert spec is not None and not Path(spec.origin).is_relative_to(on_the_path.root)


@pytest.mark.parametrize("name", ["linked_package", "linked_module.py"])
def test_a_link_elsewhere_that_leads_into_the_workspace_is_not_followed(
    on_the_path, tmp_path_factory, monkeypatch, name
):
    outside = tmp_path_factory.mktemp("outside")  # as `flit install --symlink` leaves it behind
    monkeypatch.setattr(sys, "path", [str(outside), *sys.path])
    on_the_path.write_file("linked_package/__init__.py", "x = 1")
    on_the_path.write_file("linked_module.py", "x = 1")
    (outside / name).symlink_to(on_the_path.root / name)
    with pytest.raises(ModuleNotFoundError, match="only in the folder that an agent writes"):
        importlib.import_module(name.removesuffix(".py"))


def test_a_plugin_in_the_workspace_is_not_found(on_the_path):
    on_the_path.write_file("evil-1.0.dist-info/METADATA", "Name: evil\nVersion: 1.0\n")
    on_the_path.write_file("evil-1.0.dist-info/entry_points.txt", "[evil]\nx = os:abort\n")
    assert not metadata.entry_points(group="evil")
    assert metadata.version("pytest")


def test_a_program_in_the_workspace_is_not_found(on_the_path):
    on_the_path.write_file("bash", "#!/bin/sh\n")
    (on_the_path.root / "bash").chmod(0o755)
    assert shutil.which("bash") == str(on_the_path.root / "bash")
    assert not import_guard.find_program("bash").startswith(str(on_the_path.root))


def test_a_planted_program_does_not_switch_the_sandbox_off(on_the_path, monkeypatch):
    if not bubblewrap.works():
        pytest.skip("there is no sandbox here")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-that-nobody-has")
    tell = f"env >> {on_the_path.root}/canary"
    on_the_path.write_file("true", f"#!/bin/sh\n{tell}\nexit 1\n")
    (on_the_path.root / "true").chmod(0o755)
    bubblewrap.accepts.cache_clear()
    assert bubblewrap.works.__wrapped__()
    assert not (on_the_path.root / "canary").exists()
    assert bubblewrap.runs([shutil.which("bash"), "-c", "! env | grep a-key"])


def test_a_folder_is_known_by_what_it_is_and_not_by_its_name(on_the_path, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (on_the_path.root / "bin").symlink_to("/usr/bin")  # it may lead somewhere else tomorrow
    (elsewhere / "alias").symlink_to(on_the_path.root)
    for place in (on_the_path.root / "bin" / "env", elsewhere / "alias", elsewhere / "alias/x/y"):
        assert import_guard.is_agents(str(place))
    for place in (elsewhere, "/usr/bin/env", on_the_path.root.parent):
        assert not import_guard.is_agents(str(place))


def test_a_folder_that_is_gone_takes_no_other_with_it(tmp_path):
    for _ in range(5):
        (tmp_path / "work").mkdir()
        import_guard.register(tmp_path / "work")
        (tmp_path / "work").rmdir()
        (tmp_path / "next").mkdir()  # it may get the number of the one that is gone
        assert not import_guard.is_agents(str(tmp_path / "next"))
        (tmp_path / "next").rmdir()
    import_guard.forget(tmp_path / "work")


def test_a_zip_and_half_a_namespace_in_the_workspace_are_passed_by(on_the_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    for folder in (outside, on_the_path.root):
        (folder / "shared_space").mkdir()
    (outside / "shared_space" / "good.py").write_text("x = 1")
    (on_the_path.root / "shared_space" / "planted.py").write_text("x = 1")
    with zipfile.ZipFile(on_the_path.root / "planted.zip", "w") as archive:
        archive.writestr("only_zipped.py", "x = 1")
    sys.path += [str(on_the_path.root / "planted.zip"), str(outside)]
    assert importlib.import_module("shared_space.good").x == 1
    sys.path.append(str(outside / "new"))  # a change makes Python look for the other half again
    for name in ("shared_space.planted", "only_zipped"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(name)


class Editable:
    """Finds a package where its source is, as what `pip install -e` leaves behind does."""

    def __init__(self, source):
        self.source = source

    def find_spec(self, name, path=None, target=None):
        if name == "installed_for_editing":
            return importlib.util.spec_from_file_location(name, self.source)
        return None


def test_a_package_that_is_installed_from_the_workspace_is_refused_too(on_the_path, monkeypatch):
    on_the_path.write_file("source/__init__.py", "x = 1")
    source = on_the_path.root / "source" / "__init__.py"
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Editable(source)])
    with pytest.raises(ModuleNotFoundError, match="only in the folder that an agent writes"):
        importlib.import_module("installed_for_editing")


def test_to_go_into_the_workspace_does_not_open_it(on_the_path, monkeypatch):
    on_the_path.write_file("only_here_too.py", "x = 1")
    monkeypatch.setattr(sys, "path", ["", ".", *sys.path])
    monkeypatch.chdir(on_the_path.root)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("only_here_too")


@pytest.mark.parametrize("place", [sys.prefix, str(Path(import_guard.PACKAGE).parent), "/"])
def test_a_workspace_with_the_running_python_or_the_package_in_it_is_refused(place):
    with pytest.raises(ValueError, match="holds (the Python that runs|your home folder)"):
        Workspace(place)


def test_a_workspace_with_the_virtual_environment_behind_a_link_is_refused(tmp_path, monkeypatch):
    (tmp_path / ".venv").symlink_to(sys.prefix)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    with pytest.raises(ValueError, match="holds the Python that runs the agent"):
        Workspace(tmp_path)


def test_a_workspace_with_a_link_that_starts_the_running_python_is_refused(tmp_path, monkeypatch):
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(ValueError, match="holds the Python that runs the agent"):
        Workspace(tmp_path)


@pytest.mark.parametrize("value", ["{0}/lib", "/usr/lib:", ":/usr/lib", ".", "{0}/../{1}"])
def test_a_workspace_where_shared_libraries_are_looked_for_is_refused(tmp_path, monkeypatch, value):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LD_LIBRARY_PATH", value.format(tmp_path, tmp_path.name))
    with pytest.raises(ValueError, match="LD_LIBRARY_PATH leads into the workspace"):
        Workspace(tmp_path)
    for harmless in ("", "/usr/lib", str(tmp_path.parent)):
        monkeypatch.setenv("LD_LIBRARY_PATH", harmless)
        assert Workspace(tmp_path)
        import_guard.forget(tmp_path)


def test_the_home_folder_is_no_workspace_but_a_folder_in_it_is_one(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ValueError, match="make a folder for the agent"):
        Workspace("~")
    (tmp_path / "work").mkdir()
    assert Workspace("~/work").name == "work"


@pytest.fixture
def repository(tmp_path):
    """A workspace that is a git repository, with another one inside."""
    for folder in (tmp_path, tmp_path / "parts" / "inner"):
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "config").write_text("[core]\n")
    yield Workspace(tmp_path)
    import_guard.forget(tmp_path)


@pytest.mark.parametrize("content", ["link", "gitdir: ../data\n", "gitdir: {root}/data"])
def test_a_repository_whose_data_can_be_moved_is_refused(tmp_path, content):
    (tmp_path / "data").mkdir()
    (tmp_path / "parts").mkdir()
    if content == "link":
        (tmp_path / "parts" / ".git").symlink_to("../data")
    else:
        (tmp_path / "parts" / ".git").write_text(content.format(root=tmp_path))
    with pytest.raises(ValueError, match=r"parts/\.git in the workspace .* work in a copy"):
        Workspace(tmp_path)


def test_a_worktree_and_a_submodule_are_protected_and_not_refused(tmp_path):
    (tmp_path / ".git" / "modules" / "part").mkdir(parents=True)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / ".git").write_text("gitdir: ../.git/modules/part\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text("gitdir: /somewhere/else/.git/worktrees/tree\n")
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / ".git").write_text("")
    found = Workspace(tmp_path).limits["read_only"]
    import_guard.forget(tmp_path)
    assert [str(place.relative_to(tmp_path)) for place in sorted(found)] == [
        ".git", "none/.git", "part/.git", "tree/.git",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".git/hooks/pre-commit",
        ".GIT/config",
        ".g\u200cit/config",
        "parts/inner/.git/config",
        "parts/../.git/x",
    ],
)
def test_the_file_tools_do_not_write_into_git(repository, path):
    with pytest.raises(ValueError, match="belongs to git"):
        repository.write_file(path, "[core]\nfsmonitor = evil\n")
    with pytest.raises((ValueError, OSError)):
        repository.edit_file(path, "[core]", "[core]\nfsmonitor = evil")
    assert "[core]" in repository.read_file(".git/config")


@pytest.mark.parametrize("command", [
    "echo evil >> .git/config",
    "mv .git .old && mkdir .git",
    "rm -rf .git",
    "echo evil >> parts/inner/.git/config",
    "mv parts other",
    "mv parts/inner parts/outer",
])  # fmt: skip
def test_a_command_in_the_sandbox_does_not_change_git(repository, command):
    if not bubblewrap.works():
        pytest.skip("there is no sandbox here")
    output = repository.bash(command)
    assert "exit code" in output
    for folder in (repository.root, repository.root / "parts" / "inner"):
        assert (folder / ".git" / "config").read_text() == "[core]\n"
    assert repository.bash("echo x > new.txt && cat new.txt") == "x"


def test_a_module_is_found_while_other_threads_open_workspaces(on_the_path):
    def open_and_close():
        while not is_over.is_set():
            sample("hello")

    is_over = threading.Event()
    workers = [threading.Thread(target=open_and_close) for _ in range(3)]
    for worker in workers:
        worker.start()
    try:
        for _ in range(3_000):
            import_guard.known_outside.clear()
            assert importlib.util.find_spec("colorsys")
    finally:
        is_over.set()
        for worker in workers:
            worker.join()
