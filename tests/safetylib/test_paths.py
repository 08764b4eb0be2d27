"""The path that a model gives: it stays in the workspace, and does not lead into .git."""

import pytest

from agentlib import Workspace
from safetylib.guard import bubblewrap, paths


@pytest.fixture
def root(tmp_path):
    """Return a folder that is a git repository, and has one inside."""
    root = tmp_path / "work"
    for folder in (root, root / "parts" / "inner"):
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "config").write_text("[core]\n")
    return root


@pytest.mark.parametrize(
    "path, named",
    [
        ("a.txt", "a.txt"),
        ("./a/../b/c.txt", "b/c.txt"),
        ("../work/a.txt", "a.txt"),
        ("{root}/a.txt", "a.txt"),
        ("~backup.txt", "~backup.txt"),
        ("parts/.gitignore", "parts/.gitignore"),
    ],
)
def test_path_in_the_folder_is_resolved(root, path, named):
    assert paths.find_file(root, path.format(root=root)) == root / named


@pytest.mark.parametrize("path", [".git/config", ".GIT/config", "parts/inner/.git/x", "a/../.git"])
def test_file_tools_open_nothing_of_git(root, path):
    with pytest.raises(ValueError, match="belongs to git"):
        paths.find_file(root, path)
    workspace = Workspace(root)
    for call in (
        lambda: workspace.read_file(path),
        lambda: workspace.write_file(path, "[core]\nfsmonitor = evil\n"),
        lambda: workspace.edit_file(path, "[core]", "[core]\nfsmonitor = evil"),
    ):
        with pytest.raises(ValueError, match="belongs to git"):
            call()
    assert (root / ".git" / "config").read_text() == "[core]\n"


def test_git_of_the_folder_is_read_only_and_rejected_if_it_is_a_symlink(root):
    assert paths.find_git(root) == [root / ".git"]
    assert paths.find_git(root / "parts") == []
    (root / "parts" / ".git").symlink_to("inner")
    with pytest.raises(ValueError, match=r"\.git is a symlink: work in a copy"):
        Workspace(root / "parts")


@pytest.mark.parametrize("command", ["echo evil >> .git/config", "mv .git .old && mkdir .git"])
def test_sandboxed_command_cannot_change_git(root, command):
    if not bubblewrap.sandbox_works():
        pytest.skip("bubblewrap does not work here")
    workspace = Workspace(root)
    assert "exit code" in workspace.bash(command)
    assert (root / ".git" / "config").read_text() == "[core]\n"
    assert workspace.bash("echo x > new.txt && cat new.txt") == "x"
