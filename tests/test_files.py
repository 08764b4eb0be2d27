"""files.py and excerpts.py: regular files only, atomic writes, encodings, line endings, limits."""

import contextlib
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlib import Workspace
from agentlib.sandbox import bubblewrap, diffs, excerpts, files

unix = pytest.mark.skipif(os.name == "nt", reason="modes and special files are Unix's")
lines = st.lists(st.sampled_from(["a", "b", " ", "\n", "\r\n"]), max_size=30).map("".join)


# Reading


@unix
def test_fifo_socket_symlink_and_device_are_rejected_without_waiting(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the path of a socket may have about 100 bytes
    os.mkfifo("fifo")
    Path("symlink").symlink_to("fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for root, name in [(tmp_path, "fifo"), (tmp_path, "socket"), (tmp_path, "symlink"),
                           (Path("/dev"), "zero")]:  # fmt: skip
            with pytest.raises(OSError):
                files.read(root, [name])
            with pytest.raises(OSError):
                files.write(root, [name], b"x")
    assert stat.S_ISFIFO(os.stat("fifo").st_mode)


def test_huge_file_is_read_up_to_the_size_limit(tmp_path):
    with open(tmp_path / "huge", "wb") as huge:
        huge.write("é\n".encode() * 1000)
        huge.write(b"x" * files.MAX_READ_BYTES)
        huge.truncate(2**40)  # a sparse file of a terabyte
    file = files.read(tmp_path, ["huge"])
    assert len(file.data) == files.MAX_READ_BYTES
    note = f"... (998 more lines, {2**40 - files.MAX_READ_BYTES} bytes not read)"
    assert excerpts.excerpt(file, 3) == f"é\né\né\n{note}"
    with pytest.raises(ValueError, match="too large"):
        files.read(tmp_path, ["huge"], whole=True)
    (tmp_path / "huge").write_bytes(b"x" + "é".encode() * (files.MAX_READ_BYTES // 2 + 5))
    assert files.read(tmp_path, ["huge"]).text.endswith("éé")  # not half a character


@pytest.mark.parametrize(
    "data, text",
    [
        (b"", ""),
        ("häß\n".encode(), "häß\n"),
        (b"\xef\xbb\xbfh\xc3\xa9", "hé"),
        (b"\xff\xfeh\0\xe9\0", "hé"),
        (b"\xfe\xff\0h\0\xe9", "hé"),
    ],
)
def test_utf8_and_utf16_with_byte_order_mark_round_trip(tmp_path, data, text):
    (tmp_path / "file").write_bytes(data)
    file = files.read(tmp_path, ["file"])
    assert file.text == text
    assert file.encode(file.text) == data


@pytest.mark.parametrize(
    "data, reason",
    [(b"caf\xe9", "not text in UTF-8 or UTF-16: see its byte 4"), (b"\x7fELF\0\0", "binary"),
     (b"\xff\xfe\0\0h\0\0\0", "binary"), (b"\xff\xfeh", "not text"), (b"\xed\xa0\x80", "not text")],
)  # fmt: skip
def test_other_encodings_and_binary_files_are_rejected(tmp_path, data, reason):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ValueError, match=reason):
        files.read(tmp_path, ["file"])


# Writing


@unix
@pytest.mark.parametrize("mode", [0o600, 0o755, 0o4755])
def test_write_is_atomic_creates_folders_and_keeps_the_mode(tmp_path, mode):
    files.write(tmp_path, ["a", "b", "script"], b"old")
    script = tmp_path / "a" / "b" / "script"
    (tmp_path / "by_touch").touch()
    assert script.stat().st_mode == (tmp_path / "by_touch").stat().st_mode
    script.chmod(mode)
    with open(script, "rb") as before:
        files.write(tmp_path, ["a", "b", "script"], b"new")
        assert before.read() == b"old"  # a process that has the file open reads the old one
    assert (script.read_text(), stat.S_IMODE(script.stat().st_mode)) == ("new", mode)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root")
def test_write_by_root_keeps_the_owner(tmp_path):
    file = tmp_path / "file"
    file.touch()
    os.chown(file, 1234, 1234)
    files.write(tmp_path, ["file"], b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 1234)


WRITE_TOO_MUCH = """
import sys
from pathlib import Path
from agentlib.sandbox import files
root = Path(sys.argv[1])
{limit}
files.write(root, ["file"], b"old")
try:
    with files.naming("file"):
        files.write(root, ["file"], b"x" * 2**20)
except OSError as problem:
    print(problem)
print([path.name for path in root.iterdir()], (root / "file").read_text())
"""


def write_too_much(root, limit="", prefix=()):
    """Write more than the limit to a file in `root`, in a new process. Return its output."""
    command = [*prefix, sys.executable, "-c", WRITE_TOO_MUCH.format(limit=limit), root]
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=60, cwd=Path(files.__file__).parents[2]
    )
    return ran.stdout.splitlines()


@unix
def test_failed_write_leaves_the_old_file_and_no_temporary_file(tmp_path):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    message = "file was not written (larger than the limit for files). The file is unchanged."
    assert write_too_much(str(tmp_path), limit) == [message, "['file'] old"]


@pytest.mark.skipif(not bubblewrap.works(), reason="needs bubblewrap, to make a small disk")
def test_write_on_a_full_disk_leaves_the_old_file():
    disk = ["bwrap", "--ro-bind", "/", "/", "--size", "65536", "--tmpfs", "/mnt"]
    message = "file was not written (disk full). The file is unchanged."
    assert write_too_much("/mnt", prefix=disk) == [message, "['file'] old"]


def test_write_of_a_file_that_changed_since_it_was_read_is_rejected(tmp_path):
    (tmp_path / "file").write_text("old")
    known = files.read(tmp_path, ["file"]).status
    (tmp_path / "file").write_text("changed by another program")
    with pytest.raises(OSError):
        files.write(tmp_path, ["file"], b"mine", known=known)
    (tmp_path / "file").unlink()
    with pytest.raises(OSError):
        files.write(tmp_path, ["file"], b"mine", known=known)


def test_concurrent_edits_in_two_threads_lose_no_confirmed_edit(tmp_path):
    (tmp_path / "list.txt").write_text("".join(f"{n} open\n" for n in range(200)))
    workspace, confirmed = Workspace(tmp_path), []

    def edit(numbers):
        for n in numbers:
            with contextlib.suppress(OSError):
                workspace.edit_file("list.txt", f"\n{n} open", f"\n{n} done")
                confirmed.append(f"{n} done")

    threads = [threading.Thread(target=edit, args=[range(first, 200, 2)]) for first in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert confirmed and set(confirmed) <= set((tmp_path / "list.txt").read_text().splitlines())


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="cannot count descriptors here")
def test_success_and_failure_leave_no_descriptor_open(tmp_path):
    (tmp_path / "file").write_text("text")
    before = len(os.listdir("/dev/fd"))
    for parts in (["file"], ["missing"], ["file", "below"], ["a", "b", "c"], []):
        for act in (files.read, lambda root, parts: files.write(root, parts, b"x")):
            with contextlib.suppress(OSError):
                act(tmp_path, parts)
    assert len(os.listdir("/dev/fd")) == before


def test_deleted_workspace_is_reported_and_not_created_again(tmp_path):
    (tmp_path / "new").mkdir()
    workspace = Workspace(tmp_path / "new")
    (tmp_path / "new").rmdir()
    for use in (lambda: workspace.read_file("a"), lambda: workspace.write_file("a", "b")):
        with pytest.raises(OSError, match="the workspace's folder is gone"):
            use()
    assert not (tmp_path / "new").exists()


def test_name_that_begins_with_a_tilde_is_an_ordinary_file(tmp_path):
    workspace = Workspace(tmp_path)
    workspace.write_file("~backup.txt", "text")
    assert workspace.read_file("~backup.txt") == "text" and (tmp_path / "~backup.txt").exists()


# Excerpts


def excerpt(folder, text, limit=None):
    (folder / "file").write_bytes(text.encode())
    return excerpts.excerpt(files.read(folder, ["file"]), limit)


@pytest.mark.parametrize(
    "text, limit, expected",
    [("a\nb\nc\n", 3, "a\nb\nc\n"), ("a\nb\nc", 3, "a\nb\nc"), ("", 1, ""),
     ("a\nb\nc\nd\n", 2, "a\nb\n... (2 more lines)"), ("a\nb\nc\nd", 1, "a\n... (3 more lines)"),
     ("a\r\nb\r\nc\r\nd\r\n", 2, "a\nb\n... (2 more lines)"),
     ("\n\n\n", 1, "\n... (2 more lines)")],
)  # fmt: skip
def test_excerpt_counts_the_remaining_lines(tmp_path, text, limit, expected):
    assert excerpt(tmp_path, text, limit) == expected


def test_excerpt_is_cut_between_lines_or_within_a_long_line(tmp_path):
    long = excerpt(tmp_path, "0123456789\n" * 10_000)
    assert len(long) <= 50_000 and re.fullmatch(r"(0123456789\n)+\.\.\. \(\d+ more lines\)", long)
    assert long.count("\n") + int(long.split("(")[1].split()[0]) == 10_000
    assert excerpt(tmp_path, "x" * 60_000).endswith("x\n... (10100 more characters)")


@given(lines, st.integers(1, 10))
def test_excerpt_and_its_count_cover_the_whole_file(tmp_path_factory, text, limit):
    text = text.replace("\r\n", "\n")
    out = excerpt(tmp_path_factory.getbasetemp(), text, limit)
    if out != text:
        head, more = out.rsplit("... (", 1)
        assert text.startswith(head) and head.count("\n") == limit
        rest = text[len(head) :]
        assert int(more.split()[0]) == len(rest.removesuffix("\n").split("\n"))


@pytest.mark.parametrize("limit, count", [(None, None), (3, 3), ("10", 10), (2.0, 2)])
def test_line_limit_accepts_numbers_and_digits(limit, count):
    assert excerpts.parse_line_limit(limit) == count


@pytest.mark.parametrize("limit", [0, -1, "ten", "", 1.5, True, [], float("nan"), "9" * 5000])
def test_line_limit_rejects_other_values(limit):
    with pytest.raises(ValueError, match="limit must be a whole number of lines, 1 or more, not"):
        excerpts.parse_line_limit(limit)


# Editing


@pytest.mark.parametrize(
    "before, old, new, after",
    [
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"),
        ("a\r\nb\nc\n", "b\nc", "x\ny", "a\r\nx\ny\n"),
        ("a\r\nb\nc\n", "a\nb", "x\ny", "x\r\ny\nc\n"),
        ("a.c abc", "a.c", r"\1\n", r"\1\n abc"),
    ],
)
def test_edit_keeps_line_endings_and_knows_no_regular_expressions(before, old, new, after):
    assert excerpts.replace(before, old, new) == after


@pytest.mark.parametrize(
    "text, old, reason",
    [("a\nb", "a b", "not found"), ("x x x", "x", "in 3 places"), ("aaa", "aa", "in 2 places"),
     ("a\r\n\r\nb", "\n", "in 2 places"), ("text", "", "empty"),
     ("text", None, "old_text must be a string, not NoneType")],
)  # fmt: skip
def test_edit_requires_exactly_one_match(text, old, reason):
    with pytest.raises(ValueError, match=reason):
        excerpts.replace(text, old, "new")


def test_edit_of_a_repetitive_file_takes_linear_time():
    with pytest.raises(ValueError, match="not found"):
        excerpts.replace("x" * 9_000_000, "x" * 4_000_000 + "y", "")
    with pytest.raises(ValueError, match="in 9 places"):
        excerpts.replace("x" * 9_000_000, "x" * 1_000_000, "")


@given(st.text("ab\n", max_size=8), st.text("ab\n", min_size=1, max_size=3), st.text("ab\n"))
def test_edit_equals_str_replace_for_exactly_one_match(text, old, new):
    if sum(text.startswith(old, place) for place in range(len(text))) == 1:
        assert excerpts.replace(text, old, new) == text.replace(old, new)
    else:
        with pytest.raises(ValueError):
            excerpts.replace(text, old, new)


# Diffs and error messages


def test_diff_of_a_write_names_a_change_of_the_encoding(tmp_path):
    (tmp_path / "file").write_text("text\n", encoding="utf-16")
    assert "encoding would change to UTF-8" in diffs.write(tmp_path, "file", "text\n")
    assert "encoding" not in diffs.edit(tmp_path, "file", "text", "new")


def test_error_message_contains_the_given_path_and_no_absolute_path(tmp_path):
    for path, shown in (("a b.txt", "a b.txt"), ("a\nb", r"'a\nb'"), ("\ud800", r"'\ud800'")):
        with pytest.raises(FileNotFoundError) as caught, files.naming(path):
            open(tmp_path / "missing")
        assert str(caught.value).startswith(f"{shown} does not exist")
        assert str(tmp_path) not in str(caught.value)
    with pytest.raises(ValueError) as long, files.naming("x" * 10_000):
        raise ValueError("is too long.")
    assert len(str(long.value)) < 120
