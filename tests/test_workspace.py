"""What the four tools promise: real work in one folder, and a sentence for every refusal."""

import gc
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlib.tools import call_tool
from agentlib.workspace import Workspace
from lesson import sample
from lesson.samples import FOLDER as SAMPLES

unix = pytest.mark.skipif(os.name == "nt", reason="links, modes and bash are Unix's")


@pytest.fixture
def workspace(tmp_path):
    """A workspace with a few files, and a secret beside it."""
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "hello.py").write_text("print('hello')\nprint('bye')\n")
    (root / "src" / "deep.txt").write_text("deep")
    return Workspace(root)


def small_workspace(tmp_path_factory):
    """A workspace for all examples of a property: nothing but what they wrote is in it."""
    root = tmp_path_factory.getbasetemp() / "small"
    root.mkdir(exist_ok=True)
    return Workspace(root)


def refusal(act, *arguments):
    """The sentence with which a tool refuses."""
    with pytest.raises((ValueError, OSError)) as caught:
        act(*arguments)
    return str(caught.value)


def each_file_tool(workspace, path):
    """The three tools that take a path, ready to be called with this one."""
    return [
        lambda: workspace.read_file(path),
        lambda: workspace.write_file(path, "x"),
        lambda: workspace.edit_file(path, "secret", "x"),
    ]


# The tools as the model meets them


def test_the_four_tools_have_these_names_and_inputs(workspace):
    schemas = {tool.name: tool.input_schema for tool in workspace.tools()}
    assert {name: list(schema["properties"]) for name, schema in schemas.items()} == {
        "bash": ["command"],
        "read_file": ["path", "limit"],
        "write_file": ["path", "content"],
        "edit_file": ["path", "old_text", "new_text"],
    }
    assert schemas["read_file"]["required"] == ["path"]
    assert schemas["edit_file"]["required"] == ["path", "old_text", "new_text"]


def test_each_tool_is_described_in_a_line_of_prose(workspace):
    for tool in workspace.tools():
        assert tool.description.endswith(".") and "\n" not in tool.description


@unix
def test_what_one_tool_does_the_others_see(workspace):
    dispatch = {tool.name: tool for tool in workspace.tools()}
    steps = [
        ("write_file", {"path": "a.txt", "content": "one two"}, "Wrote 7 bytes to a.txt"),
        ("edit_file", {"path": "a.txt", "old_text": "two", "new_text": "2"}, "Edited a.txt."),
        ("bash", {"command": "cat a.txt"}, "one 2"),
        ("bash", {"command": "echo three >> a.txt"}, "(no output)"),
        ("read_file", {"path": "a.txt"}, "one 2three\n"),
    ]
    for name, input, output in steps:
        assert call_tool(dispatch, name, input).output == output


def test_a_refusal_becomes_an_error_in_words(workspace):
    dispatch = {tool.name: tool for tool in workspace.tools()}
    refused = call_tool(dispatch, "read_file", {"path": "../secret.txt"})
    assert not refused.ok
    assert refused.output.startswith("Error: ../secret.txt escapes the workspace")


def test_a_workspace_is_known_by_its_folders_name_alone(workspace):
    assert (workspace.name, repr(workspace)) == ("work", "Workspace('work')")


def test_a_workspace_needs_a_folder(tmp_path):
    (tmp_path / "file").touch()
    for root in (tmp_path / "missing", tmp_path / "file"):
        with pytest.raises(NotADirectoryError, match="is not a folder"):
            Workspace(root)


@unix
def test_a_workspace_may_be_given_by_its_place_in_the_home_folder(workspace, monkeypatch):
    monkeypatch.setenv("HOME", str(workspace.root.parent))
    assert Workspace("~/work").root == workspace.root


def test_a_workspace_may_be_given_relative_to_where_one_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("here")
    workspace = Workspace("here")
    monkeypatch.chdir("/")
    workspace.write_file("a", "x")
    assert (tmp_path / "here" / "a").exists()


# bash


@unix
def test_bash_returns_output_and_a_last_line_with_the_exit_code_if_it_is_not_0(workspace):
    assert workspace.bash("echo hi") == "hi"
    assert workspace.bash("echo hi; exit 2") == "hi\n(exit code 2)"
    assert workspace.bash("true") == "(no output)"
    assert workspace.bash("exit 3") == "(no output)\n(exit code 3)"


@unix
def test_bash_has_the_time_that_the_workspace_gives(workspace):
    assert refusal(Workspace(workspace.root, timeout=0.2).bash, "sleep 60").startswith(
        "Timeout (0.2s): "
    )
    assert workspace.limits["timeout"] == 120


@unix
def test_bash_takes_only_a_string(workspace):
    for command in (None, 5, ["ls"], {}):
        assert "command must be a string" in refusal(workspace.bash, command)


# Ways out of the folder

WAYS_OUT = [
    "../secret.txt",
    "..",
    "../",
    "src/../../secret.txt",
    "./src/.././../secret.txt",
    "../work/../secret.txt",
    "../worker/file",
    "/",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/environ",
    "/dev/zero",
    "missing/../../secret.txt",
]


@pytest.mark.parametrize("path", WAYS_OUT)
def test_a_path_that_leads_out_is_refused(workspace, path):
    for act in each_file_tool(workspace, path):
        assert refusal(act).startswith(f"{path} escapes the workspace")


@pytest.mark.parametrize("path", ["~", "~/secret.txt"])
def test_a_home_folder_is_refused(workspace, path):
    for act in each_file_tool(workspace, path):
        assert refusal(act) == f"{path} escapes the workspace: ~ means a home folder."
    assert not list(workspace.root.glob("~*"))


@unix
@pytest.mark.parametrize(
    "target, path",
    [
        ("../secret.txt", "link"),
        ("{tmp}/secret.txt", "link"),
        ("..", "link/secret.txt"),
        ("{tmp}", "link/secret.txt"),
        ("../..", "src/link/secret.txt"),
        ("/", "link/etc/passwd"),
        ("../missing", "link"),
        ("hop", "link"),
        ("src/../../secret.txt", "link"),
    ],
)
def test_a_link_that_leads_out_is_refused(workspace, tmp_path, target, path):
    (workspace.root / "hop").symlink_to("../secret.txt")
    link = workspace.root / path[: path.index("link") + 4]
    link.symlink_to(target.format(tmp=tmp_path))
    for act in each_file_tool(workspace, path):
        assert "escapes the workspace" in refusal(act)
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert not (tmp_path / "missing").exists()


@unix
def test_a_link_that_stays_inside_is_followed_and_kept(workspace):
    (workspace.root / "link").symlink_to("src/deep.txt")
    (workspace.root / "folder").symlink_to(workspace.root / "src")
    assert workspace.read_file("link") == workspace.read_file("folder/deep.txt") == "deep"
    workspace.edit_file("link", "deep", "deeper")
    workspace.write_file("folder/new.txt", "new")
    assert (workspace.root / "link").is_symlink()
    assert (workspace.root / "src" / "deep.txt").read_text() == "deeper"
    assert (workspace.root / "src" / "new.txt").read_text() == "new"


@unix
def test_links_in_a_circle_are_told(workspace):
    (workspace.root / "a").symlink_to("b")
    (workspace.root / "b").symlink_to("a")
    for path in ("a", "a/file"):
        for act in each_file_tool(workspace, path):
            assert refusal(act).startswith(f"{path} ")


def test_a_path_that_stays_inside_may_be_written_in_any_way(workspace):
    absolute = str(workspace.root / "src" / "deep.txt")
    for path in ("src/deep.txt", "./src/deep.txt", "src//deep.txt", "src/../src/deep.txt"):
        assert workspace.read_file(path) == "deep"
    assert workspace.read_file(absolute) == "deep"
    assert workspace.read_file("../work/src/deep.txt") == "deep"


@unix
def test_a_workspace_reached_through_a_link_takes_paths_through_it(workspace, tmp_path):
    (tmp_path / "alias").symlink_to(workspace.root)
    alias = Workspace(tmp_path / "alias")
    assert alias.read_file(str(tmp_path / "alias" / "hello.py")) == alias.read_file("hello.py")


@unix
@given(st.lists(st.sampled_from(["..", ".", "a", "in", "out", "", "~", "secret.txt"]), max_size=7))
def test_no_path_at_all_reads_or_writes_outside(tmp_path_factory, parts):
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
        except (ValueError, OSError) as refused:
            assert str(base) not in str(refused)
    assert {each.name for each in base.iterdir()} == {"root", "secret.txt"}
    assert (base / "secret.txt").read_text() == "secret"


@given(path=st.text(max_size=300))
def test_any_text_as_a_path_is_read_or_refused_in_a_sentence(tmp_path_factory, path):
    workspace = small_workspace(tmp_path_factory)
    try:
        workspace.read_file(path)
    except (ValueError, OSError) as refused:
        sentence = str(refused)
        assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 250
        sentence.encode()


@given(
    path=st.none() | st.integers() | st.lists(st.text()) | st.binary() | st.just({}),
    content=st.none() | st.integers() | st.lists(st.text()) | st.text(),
)
def test_what_is_not_a_string_is_refused_in_a_sentence(tmp_path_factory, path, content):
    workspace = small_workspace(tmp_path_factory)
    assert "is not a path" in refusal(workspace.read_file, path)
    assert "is not a path" in refusal(workspace.edit_file, path, "a", "b")
    if not isinstance(content, str):
        assert "must be a string" in refusal(workspace.write_file, "file.txt", content)


# What is not a text file


@pytest.mark.parametrize(
    "path, sentence",
    [
        ("src", "src is a folder, not a file"),
        ("src/", "src/ is a folder, not a file"),
        ("new/", "new/ is a folder, not a file"),
        (".", ". is a folder, not a file"),
        ("hello.py/x", "hello.py/x cannot be reached: a part of this path is not a folder"),
        ("", "'' is not a path: it is empty"),
        (" ", "' ' is not a path: it is empty"),
        ("a\0b", r"'a\x00b' is not a path: it contains a NUL character"),
        ("x" * 300, "x" * 60 + "..." + "x" * 30 + " cannot exist: the name is too long"),
        ("x/" * 3000 + "x", "cannot exist: the name is too long"),
        ("\ud800", r"'\ud800' cannot exist: the name is not valid text"),
    ],
)
def test_what_can_be_no_file_is_refused_in_a_sentence(workspace, path, sentence):
    before = sorted(workspace.root.rglob("*"))
    for act in each_file_tool(workspace, path):
        assert sentence in refusal(act)
    assert sorted(workspace.root.rglob("*")) == before


def test_a_missing_file_is_refused_and_not_made(workspace):
    for act in (workspace.read_file, lambda path: workspace.edit_file(path, "a", "b")):
        assert refusal(act, "src/no.py").startswith("src/no.py does not exist in the workspace")
    assert not (workspace.root / "src" / "no.py").exists()


@unix
def test_a_pipe_is_refused_and_not_waited_for(workspace):
    os.mkfifo(workspace.root / "pipe")
    for act in each_file_tool(workspace, "pipe"):
        assert refusal(act).startswith("pipe is not a regular file")


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xfe\0", b"caf\xe9 secret"])
def test_a_file_that_is_no_text_is_neither_shown_nor_edited(workspace, data):
    (workspace.root / "data").write_bytes(data)
    for act in each_file_tool(workspace, "data")[::2]:
        assert refusal(act).startswith("data is ")
    assert (workspace.root / "data").read_bytes() == data


@unix
def test_a_file_without_permission_is_refused_and_left_alone(workspace):
    file = workspace.root / "hello.py"
    before = file.read_text()
    file.chmod(0o000)
    assert refusal(workspace.read_file, "hello.py").startswith("hello.py cannot be used")
    file.chmod(0o444)
    assert refusal(workspace.write_file, "hello.py", "x").startswith("hello.py cannot be used")
    edit = ("hello.py", "bye", "x")
    assert refusal(workspace.edit_file, *edit).startswith("hello.py cannot be used")
    assert file.read_text() == before


@unix
@pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() == 0, reason="root may do anything")
def test_a_folder_without_permission_is_told(workspace):
    (workspace.root / "src").chmod(0o555)
    assert refusal(workspace.write_file, "src/new", "x").startswith("src/new cannot be used")
    (workspace.root / "src").chmod(0o755)


# Reading and writing


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\ufeff")))
def test_what_is_written_is_what_is_read(tmp_path_factory, text):
    workspace = small_workspace(tmp_path_factory)
    told = workspace.write_file("round/trip.txt", text)
    assert told == f"Wrote {len(text.encode())} bytes to round/trip.txt"
    assert workspace.read_file("round/trip.txt") == text
    assert (workspace.root / "round" / "trip.txt").read_bytes() == text.encode()


def test_line_endings_are_written_as_given_and_shown_as_one_kind(workspace):
    workspace.write_file("dos.txt", "a\r\nb\n")
    assert (workspace.root / "dos.txt").read_bytes() == b"a\r\nb\n"
    assert workspace.read_file("dos.txt") == "a\nb\n"


def test_a_limit_shows_the_first_lines_and_counts_the_others(workspace):
    assert workspace.read_file("hello.py", limit=1) == "print('hello')\n... (1 more lines)"
    assert workspace.read_file("hello.py", limit="1") == workspace.read_file("hello.py", 1)
    assert refusal(workspace.read_file, "hello.py", "all").startswith("limit must be a whole")


@pytest.mark.parametrize("name", ["a b", "ü☃𝄞", "-rf", "*", "$HOME", "a\nb", "'\"", ".x"])
@unix
def test_odd_names_are_only_names(workspace, name):
    workspace.write_file(name, "one")
    workspace.edit_file(name, "one", "two")
    assert workspace.read_file(name) == "two"
    assert (workspace.root / name).read_text() == "two"


def test_text_that_no_file_can_hold_is_refused_and_the_file_is_as_it_was(workspace):
    before = workspace.read_file("hello.py")
    for act in (
        lambda: workspace.write_file("hello.py", "ok \ud800"),
        lambda: workspace.edit_file("hello.py", "bye", "\udfff"),
    ):
        assert "half a character" in refusal(act)
    assert workspace.read_file("hello.py") == before


@unix
def test_nothing_but_the_file_is_in_the_folder_after_a_write(workspace):
    for _ in range(3):
        workspace.write_file("src/deep.txt", "x")
        workspace.edit_file("src/deep.txt", "x", "y")
    assert os.listdir(workspace.root / "src") == ["deep.txt"]


# Editing


@pytest.mark.parametrize(
    "before, old, new, after",
    [
        (b"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nb", b"x\r\ny\r\nb\r\nc\r\n"),
        (b"\xef\xbb\xbfold", "old", "new", b"\xef\xbb\xbfnew"),
        ("\ufeffold\r\n".encode("utf-16-le"), "old\n", "n\n", "\ufeffn\r\n".encode("utf-16-le")),
        ("\ufeffold".encode("utf-16-be"), "old", "ü", "\ufeffü".encode("utf-16-be")),
        (b"no newline at the end", "end", "END", b"no newline at the END"),
        (b"a\x0cb\x0bc", "b", "B", b"a\x0cB\x0bc"),
    ],
)
def test_an_edit_keeps_encoding_mark_and_line_endings(workspace, before, old, new, after):
    (workspace.root / "file").write_bytes(before)
    assert workspace.edit_file("file", old, new) == "Edited file."
    assert (workspace.root / "file").read_bytes() == after


@unix
def test_an_edit_keeps_the_mode(workspace):
    (workspace.root / "hello.py").chmod(0o750)
    workspace.edit_file("hello.py", "bye", "so long")
    assert (workspace.root / "hello.py").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(
    "old, sentence",
    [
        ("nothing like it", "hello.py has no such text: old_text was not found"),
        ("print", "hello.py has old_text in 2 places"),
        ("", "hello.py was not edited: old_text is empty"),
        (None, "hello.py was not edited: old_text must be a string"),
    ],
)
def test_an_edit_that_does_not_fit_exactly_once_is_refused(workspace, old, sentence):
    before = workspace.read_file("hello.py")
    assert refusal(workspace.edit_file, "hello.py", old, "x").startswith(sentence)
    assert workspace.read_file("hello.py") == before


CHANGED = "It has changed since you last read it: read it again."


def test_an_edit_of_a_file_that_changed_since_it_was_read_says_so(workspace):
    workspace.read_file("hello.py")
    (workspace.root / "hello.py").write_text("print('HELLO')\nprint('bye')\n")
    assert CHANGED in refusal(workspace.edit_file, "hello.py", "'hello'", "'hi'")
    assert workspace.edit_file("hello.py", "bye", "ciao") == f"Edited hello.py. {CHANGED}"
    assert workspace.edit_file("hello.py", "ciao", "bye") == f"Edited hello.py. {CHANGED}"
    workspace.read_file("hello.py")
    assert workspace.edit_file("hello.py", "HELLO", "hi") == "Edited hello.py."


def test_a_file_that_was_never_read_may_be_edited(workspace):
    assert workspace.edit_file("hello.py", "bye", "ciao") == "Edited hello.py."


def test_the_tools_own_changes_count_as_read(workspace):
    workspace.write_file("hello.py", "one")
    assert workspace.edit_file("hello.py", "one", "two") == "Edited hello.py."
    assert workspace.edit_file("./hello.py", "two", "three") == "Edited ./hello.py."


def test_a_file_that_was_touched_but_says_the_same_has_not_changed(workspace):
    text = workspace.read_file("hello.py")
    (workspace.root / "hello.py").write_text(text)
    assert workspace.edit_file("hello.py", "bye", "ciao") == "Edited hello.py."


# Samples


def test_a_sample_is_a_fresh_copy_under_its_own_name():
    first, second = sample("hello"), sample("hello")
    assert (first.name, first.root.name) == ("hello", "hello") and first.root != second.root
    first.write_file("hello.py", "changed")
    assert second.read_file("hello.py") != "changed"
    assert sample("hello").read_file("hello.py") == second.read_file("hello.py")


def test_a_sample_is_deleted_with_its_workspace():
    workspace = sample("hello")
    root = workspace.root
    assert root.is_dir()
    del workspace
    gc.collect()
    assert not root.parent.exists()


def test_a_sample_holds_no_bytecode_that_an_installer_made():
    for project in SAMPLES.glob("*/project"):
        copy = sample(project.parent.name)
        assert not list(copy.root.rglob("*.pyc"))


def test_an_unknown_sample_is_told_with_the_names_of_the_known():
    for name in ("helo", "", "..", "../samples/hello", "hello/project"):
        with pytest.raises(FileNotFoundError, match="There is no sample .* only .*hello"):
            sample(name)


def test_no_sentence_shows_where_on_the_machine_the_workspace_lies(workspace):
    folder = str(workspace.root.parent)
    for path in ("", ".", "no", "no/no", "src", "../secret.txt", "~", "hello.py/x", "x" * 300):
        for act in each_file_tool(workspace, path):
            try:
                told = act()
            except (ValueError, OSError) as refused:
                told = str(refused)
            assert folder not in told


WITHOUT_UNIX = """
import sys
sys.modules |= dict.fromkeys(["fcntl", "grp", "pwd", "resource", "termios"])
from agentlib.workspace import Workspace
workspace = Workspace(sys.argv[1])
workspace.write_file("a.txt", "one")
workspace.edit_file("a.txt", "one", "two")
print(workspace.read_file("a.txt"))
"""


def test_the_file_tools_work_where_unix_has_no_modules(tmp_path):
    """As on Windows: with None in sys.modules, an import fails."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX, tmp_path], capture_output=True, text=True
    )
    assert done.stdout == "two\n", done.stderr
