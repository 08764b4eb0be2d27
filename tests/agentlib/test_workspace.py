"""The tools: they work in one folder, and reject everything else with a message."""

import os
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlib.workspace import Workspace
from safetylib.guard.approval import ACTIONS

unix = pytest.mark.skipif(os.name == "nt", reason="links, modes and bash are Unix's")


def test_approval_has_words_for_each_tool_that_asks(tmp_path):
    assert {tool.name for tool in Workspace(tmp_path).tools() if tool.asks} == {*ACTIONS}


@pytest.fixture
def workspace(tmp_path):
    """Return a workspace with a few files, and a secret file next to its folder."""
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "hello.py").write_text("print('hello')\nprint('bye')\n")
    (root / "src" / "deep.txt").write_text("deep")
    return Workspace(root)


def rejection(act, *arguments):
    """Return the message with which a tool rejects these arguments."""
    with pytest.raises((ValueError, OSError)) as caught:
        act(*arguments)
    return str(caught.value)


def each_file_tool(workspace, path):
    """Return the three tools that take a path, ready to be called with this one."""
    return [
        lambda: workspace.read_file(path),
        lambda: workspace.write_file(path, "x"),
        lambda: workspace.edit_file(path, "secret", "x"),
    ]


def test_root_that_is_no_folder_is_rejected(tmp_path):
    (tmp_path / "file").touch()
    for root in (tmp_path / "missing", tmp_path / "file"):
        with pytest.raises(NotADirectoryError, match="is not a folder"):
            Workspace(root)


# bash


@unix
def test_bash_returns_output_and_a_nonzero_exit_code(workspace):
    assert workspace.bash("echo hi") == "hi"
    assert workspace.bash("echo hi; exit 2") == "hi\n(exit code 2)"
    assert workspace.bash("true") == "(no output)"
    assert workspace.bash("exit 3") == "(no output)\n(exit code 3)"


# Paths out of the folder


@pytest.mark.parametrize("path", ["..", "src/../../secret.txt", "/etc/passwd", "~/secret.txt"])
def test_path_traversal_is_rejected(workspace, path):
    for act in each_file_tool(workspace, path):
        assert rejection(act).startswith(f"{path} escapes the workspace")
    assert not list(workspace.root.glob("~*"))


@unix
@pytest.mark.parametrize(
    "target, path",
    [("../secret.txt", "link"), ("{tmp}", "link/secret.txt"), ("../missing", "link")],
)
def test_symlink_out_of_the_workspace_is_rejected(workspace, tmp_path, target, path):
    link = workspace.root / path[: path.index("link") + 4]
    link.symlink_to(target.format(tmp=tmp_path))
    for act in each_file_tool(workspace, path):
        assert "escapes the workspace" in rejection(act)
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert not (tmp_path / "missing").exists()


@unix
def test_symlink_inside_the_workspace_is_followed_and_kept(workspace):
    (workspace.root / "link").symlink_to("src/deep.txt")
    (workspace.root / "folder").symlink_to(workspace.root / "src")
    assert workspace.read_file("link") == workspace.read_file("folder/deep.txt") == "deep"
    workspace.edit_file("link", "deep", "deeper")
    workspace.write_file("folder/new.txt", "new")
    assert (workspace.root / "link").is_symlink()
    assert (workspace.root / "src" / "deep.txt").read_text() == "deeper"
    assert (workspace.root / "src" / "new.txt").read_text() == "new"


@unix
def test_symlink_cycle_is_rejected(workspace):
    (workspace.root / "a").symlink_to("b")
    (workspace.root / "b").symlink_to("a")
    for path in ("a", "a/file"):
        for act in each_file_tool(workspace, path):
            assert rejection(act).startswith(f"{path} ")


@unix
@given(st.lists(st.sampled_from(["..", ".", "a", "in", "out", "", "~", "secret.txt"]), max_size=7))
def test_no_path_reads_or_writes_outside_the_workspace(tmp_path_factory, parts):
    base = tmp_path_factory.getbasetemp() / "any-path"
    root = base / "root"
    if not root.exists():
        (root / "a").mkdir(parents=True)
        (root / "in").symlink_to("a")
        (root / "out").symlink_to("..")
    (base / "secret.txt").write_text("secret")
    workspace, path = Workspace(root), "/".join(parts)
    for act in each_file_tool(workspace, path):
        try:
            assert act() != "secret"
        except (ValueError, OSError) as error:
            assert str(base) not in str(error)
    assert {each.name for each in base.iterdir()} == {"root", "secret.txt"}
    assert (base / "secret.txt").read_text() == "secret"


@pytest.mark.parametrize("value", [None, ["a"]])
def test_arguments_of_other_types_are_rejected(workspace, value):
    assert "is not a path" in rejection(workspace.read_file, value)
    assert "is not a path" in rejection(workspace.edit_file, value, "a", "b")
    assert "must be a string" in rejection(workspace.write_file, "file.txt", value)


# Paths that are not text files


@pytest.mark.parametrize(
    "path, message",
    [
        ("src", "src is a folder, not a file"),
        ("new/", "new/ is a folder, not a file"),
        ("hello.py/x", "hello.py/x cannot be reached: a part of this path is not a folder"),
        ("", "'' is not a path: it is empty"),
        ("a\0b", "embedded null"),
        ("x" * 300, "x" * 60 + "..." + "x" * 30 + " cannot exist: the name is too long"),
    ],
)
def test_path_that_cannot_be_a_file_is_rejected(workspace, path, message):
    before = sorted(workspace.root.rglob("*"))
    for act in each_file_tool(workspace, path):
        assert message in rejection(act)
    assert sorted(workspace.root.rglob("*")) == before


def test_missing_file_is_rejected_and_not_created(workspace):
    for act in (workspace.read_file, lambda path: workspace.edit_file(path, "a", "b")):
        assert rejection(act, "src/no.py").startswith("src/no.py does not exist in the workspace")
    assert not (workspace.root / "src" / "no.py").exists()


@unix
@pytest.mark.parametrize("stored, path", [("NFD", "NFC"), ("NFC", "NFD")])
def test_file_name_in_another_normal_form_is_the_same_file(workspace, tmp_path, stored, path):
    """A Mac stores names in NFD, and a model does not see the difference."""
    stored, path = (normalize(form, "caf\u00e9/\uac00.txt") for form in (stored, path))
    file = workspace.root / stored
    file.parent.mkdir()
    file.write_text("old")
    assert workspace.read_file(path) == "old"
    workspace.edit_file(path, "old", "new")
    workspace.write_file(path, f"{file.read_text()}er")
    assert file.read_text() == "newer" and len([*workspace.root.rglob("*.txt")]) == 2
    file.unlink()
    file.symlink_to(tmp_path / "secret.txt")
    for act in each_file_tool(workspace, path):
        assert "escapes the workspace" in rejection(act)


@unix
def test_path_of_any_depth_is_written_or_rejected_with_a_message(workspace):
    deep = "a/" * 1500 + "file.txt"
    workspace.write_file(deep, "x")
    assert workspace.read_file(deep) == "x"
    workspace.bash("rm -rf a")  # Python's rmtree calls itself for each folder
    for act in each_file_tool(workspace, "a/" * 2100):
        assert rejection(act).endswith("cannot exist: the name is too long.")


@unix
def test_fifo_is_rejected_without_blocking(workspace):
    os.mkfifo(workspace.root / "special")
    for act in each_file_tool(workspace, "special"):
        assert rejection(act).startswith("special is not a regular file")


@pytest.mark.parametrize(
    "data, reason",
    [
        (
            b"caf\xe9 secret",
            "data is not text in UTF-8 (byte 4): look at it with bash, such as xxd.",
        ),
        (b"\x7fELF\0\0", "data is a binary file"),
    ],
)
def test_file_that_is_not_utf_8_is_neither_read_nor_edited(workspace, data, reason):
    (workspace.root / "data").write_bytes(data)
    for act in each_file_tool(workspace, "data")[::2]:
        assert rejection(act).startswith(reason)
    assert (workspace.root / "data").read_bytes() == data


def test_huge_file_is_rejected_without_reading_it(workspace):
    with open(workspace.root / "huge", "wb") as huge:
        huge.truncate(2**40)  # a sparse file of a terabyte
    for act in each_file_tool(workspace, "huge")[::2]:
        assert rejection(act).startswith("huge is too large for this tool (1,099,511,627,776 byt")


@unix
def test_read_only_file_is_unchanged(workspace):
    file = workspace.root / "hello.py"
    before = file.read_text()
    file.chmod(0o444)
    assert rejection(workspace.write_file, "hello.py", "x").startswith("hello.py cannot be used")
    edit = ("hello.py", "bye", "x")
    assert rejection(workspace.edit_file, *edit).startswith("hello.py cannot be used")
    assert file.read_text() == before


# Reading and writing


def test_a_file_keeps_its_line_ends_and_its_byte_order_mark(workspace):
    file, bom = workspace.root / "a.txt", "\ufeff".encode()
    question = {tool.name: tool for tool in workspace.tools()}["write_file"].preview
    for before, sent, after in [
        (bom + b"a\r\nb\r\n", "a\nc\n", bom + b"a\r\nc\r\n"),
        (b"a\r\nb\r\n", "a\r\nc\n", b"a\r\nc\n"),  # the model has written \r\n itself
        (b"a\r\nb\n", "a\nc\n", b"a\nc\n"),
        (bom, "\ufeffa\n", bom + b"a\n"),
    ]:
        file.write_bytes(before)
        asked = question(path="a.txt", content=sent)
        assert ("\n(The file keeps its line ends, " in asked) is (sent.encode() != after)
        workspace.write_file("a.txt", sent)
        assert file.read_bytes() == after


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\ufeff")))
def test_write_then_read_returns_the_same_text(tmp_path_factory, text):
    root = tmp_path_factory.getbasetemp() / "small"
    root.mkdir(exist_ok=True)
    workspace = Workspace(root)
    output = workspace.write_file("round/trip.txt", text)
    assert output == f"Wrote {len(text.encode())} bytes to round/trip.txt"
    assert workspace.read_file("round/trip.txt") == text
    assert (workspace.root / "round" / "trip.txt").read_bytes() == text.encode()
