"""files.py and edits.py: atomic writes, encodings, line endings, and the size of an output."""

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from agentlib.workspace import Workspace
from safetylib.guard import edits, files

unix = pytest.mark.skipif(os.name == "nt", reason="modes and resource limits are Unix's")


# Writing


@unix
@pytest.mark.parametrize("mode", [0o600, 0o4755])
def test_write_is_atomic_creates_folders_and_keeps_the_mode(tmp_path, mode):
    script = tmp_path / "a" / "b" / "script"
    files.write(script, "old")
    (tmp_path / "by_touch").touch()
    assert script.stat().st_mode == (tmp_path / "by_touch").stat().st_mode
    script.chmod(mode)
    with open(script, "rb") as before:
        files.write(script, "new")
        assert before.read() == b"old"  # a process that has the file open reads the old one
    assert (script.read_text(), stat.S_IMODE(script.stat().st_mode)) == ("new", mode)


@unix
def test_failed_write_leaves_the_old_file_and_no_temporary_file(tmp_path):
    import resource

    file, limits = tmp_path / "file", resource.getrlimit(resource.RLIMIT_FSIZE)
    files.write(file, "old")
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, limits[1]))  # bytes
    try:
        with pytest.raises(OSError, match="file cannot be used: File too large"):
            Workspace(tmp_path).write_file("file", "x" * 2**21)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ([path.name for path in tmp_path.iterdir()], file.read_text()) == (["file"], "old")


@unix
def test_failed_write_leaves_no_folder_that_it_has_created(tmp_path):
    (tmp_path / "old").mkdir()
    for path in ("new/deep/", "old/new/"):
        with pytest.raises(OSError, match="the name is too long"):
            Workspace(tmp_path).write_file(path + "x" * 300, "x")
    assert [each.name for each in tmp_path.rglob("*")] == ["old"]


class Swapped(type(Path())):
    """A path to a file that becomes a FIFO between the look at it and its opening."""

    def stat(self, **options):
        status = super().stat(**options)
        self.unlink()
        os.mkfifo(self)
        return status


@unix
@pytest.mark.parametrize("act", [files.read, files.digest])
def test_fifo_in_the_place_of_a_file_is_rejected_without_blocking(tmp_path, act):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="Not a regular file"):
        act(Swapped(tmp_path / "file"))


# Excerpts


@pytest.mark.parametrize(
    "text, start, limit, expected",
    [
        ("a\nb\nc", None, None, "a\nb\nc"),
        ("a\r\nb\r\nc\r\nd\r\n", None, 2, "a\nb\n... (2 more lines: read on with start_line 3)"),
        ("a\nb\nc\nd", "2", "1", "b\n... (2 more lines: read on with start_line 3)"),
        ("a\nb\nc\n", 3, 1, "c\n"),
        ("", 1, None, ""),
    ],
)
def test_excerpt_names_the_line_at_which_the_rest_begins(text, start, limit, expected):
    assert edits.show_lines(text, start, limit) == expected


@pytest.mark.parametrize("text", ["a\nb", "a\nb\n"])
@pytest.mark.parametrize("start", [3, 10**30])
def test_line_behind_the_end_is_rejected(text, start):
    with pytest.raises(
        ValueError, match=f"^was not read: it has 2 lines, and start_line is {start}"
    ):
        edits.show_lines(text, start)


def test_long_file_is_read_to_its_end(tmp_path):
    (tmp_path / "a.txt").write_text(text := "".join(f"line {n}\n" for n in range(20_000)))
    start, parts = 1, []
    while start:
        shown = Workspace(tmp_path).read_file("a.txt", start)
        part, _, note = shown.partition("... (")
        parts.append(part)
        start = int(note.split()[-1].strip(")")) if note else 0
    assert "".join(parts) == text and len(parts) == 5


MARKED = "a\n... (15 more lines: read on with start_line 2)\n"


@pytest.mark.parametrize(
    "tool, arguments",
    [
        ("write_file", {"content": MARKED}),
        ("write_file", {"content": "x\n... (3 characters left out) ...\ny"}),
        ("write_file", {"content": edits.show_lines("x" * 60_000)}),
        *[
            ("write_file", {"content": f"a\n{before}... (5,000 more lines{end}"})
            for before in ("", " \t", "# ", '"', "700: ", "700\t", "b\r", "a b = ")
            for end in (": read on with start_line 701)", ")", "")
        ],
        ("edit_file", {"old_text": "a\n", "new_text": MARKED}),
        ("edit_file", {"old_text": MARKED, "new_text": "b\n"}),
    ],
)
def test_note_of_our_tools_is_not_written_in_place_of_text(tmp_path, tool, arguments):
    (tmp_path / "a.txt").write_text(text := "a\n" + "b\n" * 15)
    [own] = [one for one in Workspace(tmp_path).tools() if one.name == tool]
    for act in (own.preview, own.run):  # so nobody is asked
        with pytest.raises(
            ValueError, match="a.txt was not written: .* has the form of a tool's note"
        ):
            act(path="a.txt", **arguments)
    assert (tmp_path / "a.txt").read_text() == text


def test_file_that_has_such_a_line_itself_can_be_changed(tmp_path):
    (tmp_path / "log.txt").write_text(MARKED)
    Workspace(tmp_path).write_file("log.txt", f"new\n{MARKED}")
    Workspace(tmp_path).edit_file("log.txt", MARKED, f"b\n{MARKED}")
    assert (tmp_path / "log.txt").read_text() == f"new\nb\n{MARKED}"
    quote = '    ends_with("x ... (3 characters left out) ...")\n'
    (tmp_path / "test.py").write_text(f"a\n{quote}")
    Workspace(tmp_path).edit_file("test.py", f"a\n{quote}", f"b\n{quote}")
    Workspace(tmp_path).write_file("test.py", f"c\n{quote}")
    with pytest.raises(ValueError, match="the file has no such line.* use bash"):
        Workspace(tmp_path).write_file("test.py", f"c\n{quote.replace('ends', 'starts')}")


def test_excerpt_is_cut_between_lines_or_within_a_long_line():
    long = edits.show_lines("0123456789\n" * 10_000)
    assert len(long) <= 50_000 and re.match(r"(0123456789\n)+\.\.\. \(\d+ more lines", long)
    assert long.count("\n") + int(long.split("(")[1].split()[0]) == 10_000
    assert edits.show_lines("x" * 60_000).endswith("x\n... (10100 more characters of line 1)")
    end = "x\n... (10100 more characters of line 2; 1 more lines: read on with start_line 3)"
    assert edits.show_lines("a\n" + "x" * 60_000 + "\nb", 2).endswith(end)


@pytest.mark.parametrize("field", ["start_line", "limit"])
@pytest.mark.parametrize("value", [0, "ten", [], float("nan"), float("inf")], ids=str)
def test_what_is_no_number_of_lines_is_rejected(tmp_path, field, value):
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(ValueError) as caught:
        Workspace(tmp_path).read_file("a.txt", **{field: value})
    reason = f"was not read: {field} must be a whole number, 1 or more, not"
    assert str(caught.value) == f"a.txt {reason} {value!r}."


# Editing


@pytest.mark.parametrize(
    "before, old, new, after",
    [
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\r\nb\nc\n", "b\nc", "x\ny", "a\r\nx\ny\n"),
        # Across the seam of a file that mixes line ends: the lines that stay keep theirs.
        ("a\nb\r\nc\nd\n", "a\nb\nc\nd", "a\nB\nc\nd", "a\nB\r\nc\nd\n"),
        ("a\nb\r\nc\n", "a\nb\nc", "a\nb\nx\nc", "a\nb\r\nx\nc\n"),
        ("a\nb\r\nc\r\r\nd", "b\r\nc\nd", "b\nd\ne", "a\nb\r\nd\r\r\ne"),
        ("a\r\nb", "b", "b\nc", "a\r\nb\r\nc"),
        ("a", "a", "a\nb", "a\nb"),
        ("a.c abc", "a.c", r"\1\n", r"\1\n abc"),
    ],
)
def test_edit_keeps_line_endings_and_knows_no_regular_expressions(before, old, new, after):
    assert edits.replace_once(before, old, new) == after


@pytest.mark.parametrize(
    "text, old, reason",
    [
        ("a\nb", "a b", "not found"),
        ("a\nb", "b\n", "line 2 has its end where old_text has a line break"),
        ("x x x", "x", "in 3 places"),
        ("text", "", "empty"),
        ("a\u00a0b", "a b", "line 1 has U\\+00A0 where old_text has a space"),
        ("x\n\tdef f(): 1", "  def f(): 1", "line 2 has a tab where old_text has a space"),
        ("a \nb", "a\nb", "line 1 has a space where old_text has a line break"),
        ("a: \u201cb\u201d", 'a: "b"', "line 1 has U\\+201C where old_text has '\"'"),
        ("a - b", "a \u2014 b", "line 1 has '-' where old_text has U\\+2014"),
        ("cafe\u0301", "caf\u00e9", "line 1 has 'e' where old_text has U\\+00E9"),
        ("\ufb01le", "file", "line 1 has U\\+FB01 where old_text has 'f'"),
        ("a\r\n" * 2000 + "b\u2019", "b'", "line 2001 has U\\+2019"),
        ("a" * 100_000 + "b\u2019", "b'", "with every space\\.$"),  # a search would take long
        ("text", "word", "every space\\.$"),
        ("new", "new", "old_text and new_text are the same"),
    ],
)
def test_edit_requires_exactly_one_match(text, old, reason):
    with pytest.raises(ValueError, match=reason):
        edits.replace_once(text, old, "new")


# Error messages


@files.explain_errors
def fail(problem, path):
    raise problem


def test_error_message_contains_the_given_path_and_no_absolute_path(tmp_path):
    missing = FileNotFoundError(errno.ENOENT, "no file", str(tmp_path / "missing"))
    for path, shown in (("a b.txt", "a b.txt"), ("a\nb", r"'a\nb'"), ("\ud800", r"'\ud800'")):
        with pytest.raises(FileNotFoundError) as caught:
            fail(missing, path)
        assert str(caught.value).startswith(f"{shown} does not exist")
        assert str(tmp_path) not in str(caught.value)
    with pytest.raises(ValueError) as long:
        fail(ValueError("is too long."), path="x" * 10_000)
    assert len(str(long.value)) < 120


def test_cell_with_a_wrong_edit_shows_its_own_line_and_the_message(notebook, capsys):
    notebook.run("from lesson import sample\nworkspace = sample('hello')")
    for line, message in {
        'edit_file("hello.py", "ada", "Maria")': "hello.py has no such text",
        'read_file("helo.py")': "helo.py does not exist",
    }.items():
        notebook.run(f"workspace.{line}")
        printed = capsys.readouterr().out
        assert message in printed
        # The lines of one frame, and of two for read_file, which is a part of its own.
        assert len(printed.splitlines()) < 17, printed


def test_error_of_a_function_whose_path_has_a_default_names_the_path():
    @files.explain_errors
    def look(root, depth=1, path="src"):
        raise ValueError("is odd.")

    for arguments in ((), (2,), (2, "src")):
        with pytest.raises(ValueError, match="^src is odd.$"):
            look(".", *arguments)
