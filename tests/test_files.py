"""What files.py promises: no way out, no waiting, no half-written file, nothing else changed."""

import contextlib
import os
import re
import shutil
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
from agentlib.sandbox import bubblewrap, excerpts, files

needs_descriptors = pytest.mark.skipif(
    os.open not in os.supports_dir_fd, reason="this system cannot open a file below a folder"
)
lines = st.lists(st.sampled_from(["a", "b", " ", "\n", "\r\n"]), max_size=30).map("".join)


def content(root, *parts):
    return files.read(root, parts).text


# Opening


@needs_descriptors
@pytest.mark.parametrize("parts", [("link",), ("outside", "secret"), ("in", "deep", "secret")])
def test_no_link_is_followed_wherever_it_stands_in_the_path(tmp_path, parts):
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (root / "in").mkdir(parents=True)
    (root / "link").symlink_to(outside / "secret")
    (root / "outside").symlink_to(outside)
    (root / "in" / "deep").symlink_to(outside)
    with pytest.raises(OSError):
        files.read(root, parts)
    with pytest.raises(OSError):
        files.write(root, parts, b"gone")
    assert (outside / "secret").read_text() == "secret"


@needs_descriptors
def test_a_folder_swapped_for_a_link_while_reading_and_writing_lets_nothing_in_or_out(tmp_path):
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (outside / "file").write_text("secret")
    (root / "real").mkdir(parents=True)
    (root / "real" / "file").write_text("mine")
    (root / "link").symlink_to(outside)
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            for target in ("real", "link"):
                try:
                    os.rename(root / target, root / "name")
                except OSError:  # a write has just made a folder of this name
                    shutil.rmtree(root / "name", ignore_errors=True)
                    continue
                stop.wait(0.0002)
                os.rename(root / "name", root / target)

    swapper = threading.Thread(target=swap)
    swapper.start()
    read = set()
    try:
        for _ in range(1500):
            try:
                read.add(content(root, "name", "file"))
                files.write(root, ("name", "file"), b"mine")
            except OSError:
                read.add("refused")
    finally:
        stop.set()
        swapper.join()
    assert read <= {"mine", "refused"}
    assert (outside / "file").read_text() == "secret"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_refused_at_once_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OSError):
        files.read(tmp_path, ["fifo"])
    with pytest.raises(OSError):
        files.write(tmp_path, ["fifo"], b"x")
    assert stat.S_ISFIFO(os.stat(tmp_path / "fifo").st_mode)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets in folders here")
def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a socket's path may be no longer than about 100 bytes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        with pytest.raises(OSError):
            files.read(tmp_path, ["socket"])
        with pytest.raises(OSError):
            files.write(tmp_path, ["socket"], b"x")


def test_a_device_is_refused():
    with pytest.raises(OSError):
        files.read(Path("/dev"), ["zero"])
    with pytest.raises(OSError):
        files.write(Path("/dev"), ["null"], b"x")


def test_a_giant_file_is_read_no_further_than_the_limit(tmp_path):
    with open(tmp_path / "giant", "wb") as giant:
        giant.write("é\n".encode() * 1000)
        giant.write(b"x" * files.MAX_READ_BYTES)
        giant.truncate(2**40)  # a terabyte of which nearly all is a hole
    file = files.read(tmp_path, ["giant"])
    assert len(file.data) == files.MAX_READ_BYTES
    assert file.unread == 2**40 - files.MAX_READ_BYTES
    assert (
        excerpts.excerpt(file, 3)
        == f"é\né\né\n... (998 more lines, {file.unread} bytes not looked at)"
    )
    with pytest.raises(ValueError, match="too large"):
        files.read(tmp_path, ["giant"], whole=True)


def test_a_giant_file_cut_within_a_character_is_still_text(tmp_path):
    (tmp_path / "giant").write_bytes(b"x" + "é".encode() * (files.MAX_READ_BYTES // 2 + 5))
    assert files.read(tmp_path, ["giant"]).text.endswith("éé")


# Writing


def test_a_write_makes_the_folders_on_the_way(tmp_path):
    files.write(tmp_path, ["a", "b", "c.txt"], b"hello")
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == b"hello"


@pytest.mark.skipif(os.name == "nt", reason="modes are Unix's")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4755])
def test_a_write_keeps_the_mode(tmp_path, mode):
    script = tmp_path / "script"
    script.write_text("old")
    script.chmod(mode)
    files.write(tmp_path, ["script"], b"new")
    assert (script.read_text(), stat.S_IMODE(script.stat().st_mode)) == ("new", mode)


@pytest.mark.skipif(os.name == "nt", reason="modes are Unix's")
def test_a_new_file_gets_the_mode_that_open_would_give_it(tmp_path):
    files.write(tmp_path, ["ours"], b"")
    (tmp_path / "theirs").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root owns others'")
def test_a_file_that_root_writes_keeps_its_owner(tmp_path):
    file = tmp_path / "file"
    file.touch()
    os.chown(file, 1234, 1234)
    files.write(tmp_path, ["file"], b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 1234)


def test_whoever_has_the_old_file_open_keeps_the_old_text_whole(tmp_path):
    files.write(tmp_path, ["file"], b"old text")
    with open(tmp_path / "file", "rb") as before:
        files.write(tmp_path, ["file"], b"new")
        assert before.read() == b"old text"


def test_a_file_that_changed_since_it_was_read_is_left_alone(tmp_path):
    (tmp_path / "file").write_text("old")
    known = files.read(tmp_path, ["file"]).status
    (tmp_path / "file").write_text("somebody else's")
    with pytest.raises(OSError):
        files.write(tmp_path, ["file"], b"mine", known=known)
    (tmp_path / "file").unlink()
    with pytest.raises(OSError):
        files.write(tmp_path, ["file"], b"mine", known=known)


@pytest.mark.parametrize("bit, act", [(0o222, "write"), (0o444, "read")])
def test_permissions_count_for_root_too(tmp_path, bit, act):
    file = tmp_path / "file"
    file.write_text("text")
    file.chmod(0o666 & ~bit)
    if act == "read" and os.name == "nt":
        pytest.skip("every file can be read there")
    with pytest.raises(PermissionError):
        files.read(tmp_path, ["file"]) if act == "read" else files.write(tmp_path, ["file"], b"x")
    file.chmod(0o666)
    assert file.read_text() == "text"


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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_write_that_fails_half_way_leaves_the_old_file_and_no_other(tmp_path):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    script = WRITE_TOO_MUCH.format(limit=limit)
    ran = subprocess.run(
        [sys.executable, "-c", script, tmp_path], capture_output=True, text=True, timeout=60
    )
    assert ran.stdout.splitlines() == [
        "file was not written, and is as it was: it would be larger than is allowed.",
        "['file'] old",
    ]


@pytest.mark.skipif(not bubblewrap.works(), reason="needs bubblewrap, to make a tiny disk")
def test_a_full_disk_is_told_and_loses_nothing():
    disk = ["--ro-bind", "/", "/", "--size", "65536", "--tmpfs", "/mnt"]
    script = WRITE_TOO_MUCH.format(limit="")
    ran = subprocess.run(
        ["bwrap", *disk, sys.executable, "-c", script, "/mnt"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(files.__file__).parent.parent,
    )
    assert ran.stdout.splitlines() == [
        "file was not written, and is as it was: no space is left on the disk.",
        "['file'] old",
    ]


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="cannot count descriptors here")
def test_no_descriptor_stays_open_whether_it_works_or_fails(tmp_path):
    (tmp_path / "file").write_text("text")
    before = len(os.listdir("/dev/fd"))
    for parts in (["file"], ["missing"], ["file", "below"], ["a", "b", "c"], []):
        for act in (files.read, lambda root, parts: files.write(root, parts, b"x")):
            try:
                act(tmp_path, parts)
            except OSError:
                pass
    assert len(os.listdir("/dev/fd")) == before


# Text


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
def test_text_is_read_as_what_it_says_it_is_and_goes_back_byte_for_byte(tmp_path, data, text):
    (tmp_path / "file").write_bytes(data)
    file = files.read(tmp_path, ["file"])
    assert file.text == text
    assert file.encode(file.text) == data


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"caf\xe9", "not text in UTF-8 or UTF-16: see its byte 4"),
        (b"\x7fELF\0\0", "binary"),
        (b"\xff\xfe\0\0h\0\0\0", "binary"),
        (b"\xff\xfeh", "not text"),
        (b"\xed\xa0\x80", "not text"),
    ],
)
def test_what_is_not_text_is_refused(tmp_path, data, reason):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ValueError, match=reason):
        files.read(tmp_path, ["file"])


def shown(tmp_path, text, limit=None):
    (tmp_path / "file").write_bytes(text.encode())
    return excerpts.excerpt(files.read(tmp_path, ["file"]), limit)


@pytest.mark.parametrize(
    "text, limit, expected",
    [
        ("a\nb\nc\n", None, "a\nb\nc\n"),
        ("a\nb\nc\n", 3, "a\nb\nc\n"),
        ("a\nb\nc", 3, "a\nb\nc"),
        ("a\nb\nc\nd\n", 2, "a\nb\n... (2 more lines)"),
        ("a\nb\nc\nd", 1, "a\n... (3 more lines)"),
        ("a\r\nb\r\nc\r\nd\r\n", 2, "a\nb\n... (2 more lines)"),
        ("\n\n\n", 1, "\n... (2 more lines)"),
        ("", 1, ""),
    ],
)
def test_a_limit_is_in_lines_and_tells_how_many_more_there_are(tmp_path, text, limit, expected):
    assert shown(tmp_path, text, limit) == expected


def test_a_long_file_is_cut_between_lines_and_a_long_line_within(tmp_path):
    long = shown(tmp_path, "0123456789\n" * 10_000)
    assert len(long) <= 50_000 and re.fullmatch(r"(0123456789\n)+\.\.\. \(\d+ more lines\)", long)
    lines_shown, lines_more = long.count("\n"), int(long.split("(")[1].split()[0])
    assert lines_shown + lines_more == 10_000
    assert shown(tmp_path, "x" * 60_000).endswith("x\n... (10100 more characters)")


@given(lines, st.integers(1, 10))
def test_what_is_shown_and_what_is_counted_are_the_whole_file(tmp_path_factory, text, limit):
    folder = tmp_path_factory.getbasetemp()
    text = text.replace("\r\n", "\n")
    out = shown(folder, text, limit)
    if out != text:
        head, more = out.rsplit("... (", 1)
        assert text.startswith(head) and head.count("\n") == limit
        rest = text[len(head) :]
        assert int(more.split()[0]) == len(rest.removesuffix("\n").split("\n"))


# Editing


@pytest.mark.parametrize(
    "before, old, new, after",
    [
        ("one two", "two", "three", "one three"),
        ("a\nb\nc\n", "b\n", "", "a\nc\n"),
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"),
        ("a\r\nb\nc\n", "b\nc", "x\ny", "a\r\nx\ny\n"),
        ("a\r\nb\nc\n", "a\nb", "x\ny", "x\r\ny\nc\n"),
        ("a.c abc", "a.c", r"\1\n", r"\1\n abc"),
        ("tab\there", "\t", " ", "tab here"),
        ("é", "é", "ü", "ü"),
    ],
)
def test_an_edit_changes_its_place_and_keeps_the_line_endings(before, old, new, after):
    assert excerpts.replace(before, old, new) == after


@pytest.mark.parametrize(
    "text, old, reason",
    [
        ("one", "two", "not found"),
        ("a\nb", "a b", "not found"),
        ("x x x", "x", "in 3 places"),
        ("aaa", "aa", "in 2 places"),
        ("a\r\n\r\nb", "\n", "in 2 places"),
        ("text", "", "empty"),
        ("text", None, "old_text must be a string, not NoneType"),
    ],
)
def test_an_edit_wants_exactly_one_place(text, old, reason):
    with pytest.raises(ValueError, match=reason):
        excerpts.replace(text, old, "new")


def test_a_long_file_that_repeats_itself_is_searched_all_the_same():
    """One that looks at each place anew would be at it for hours."""
    with pytest.raises(ValueError, match="not found"):
        excerpts.replace("x" * 9_000_000, "x" * 4_000_000 + "y", "")
    with pytest.raises(ValueError, match="in 9 places"):
        excerpts.replace("x" * 9_000_000, "x" * 1_000_000, "")


def test_of_two_edits_at_once_none_is_lost_in_silence(tmp_path):
    (tmp_path / "list.txt").write_text("".join(f"{n} open\n" for n in range(200)))
    workspace, said = Workspace(tmp_path), []

    def edit(numbers):
        for n in numbers:
            with contextlib.suppress(OSError):
                workspace.edit_file("list.txt", f"\n{n} open", f"\n{n} done")
                said.append(f"{n} done")

    threads = [threading.Thread(target=edit, args=[range(first, 200, 2)]) for first in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said and set(said) <= set((tmp_path / "list.txt").read_text().splitlines())


def test_in_a_workspace_that_is_gone_nothing_is_read_or_written(tmp_path):
    (tmp_path / "new").mkdir()
    workspace = Workspace(tmp_path / "new")
    (tmp_path / "new").rmdir()
    for use in (lambda: workspace.read_file("a"), lambda: workspace.write_file("a", "b")):
        with pytest.raises(OSError, match="the workspace's folder is gone"):
            use()


@given(st.text("ab\n", max_size=8), st.text("ab\n", min_size=1, max_size=3), st.text("ab\n"))
def test_an_edit_is_what_str_replace_does_where_the_text_occurs_once(text, old, new):
    count = sum(text.startswith(old, place) for place in range(len(text)))
    if count == 1:
        assert excerpts.replace(text, old, new) == text.replace(old, new)
    else:
        with pytest.raises(ValueError):
            excerpts.replace(text, old, new)


@given(lines, lines, lines)
def test_an_edit_touches_nothing_before_and_after_its_place(before, after, new):
    edited = excerpts.replace(before + "<here>" + after, "<here>", new)
    assert edited.startswith(before) and edited.endswith(after)
    middle = edited[len(before) : len(edited) - len(after)]
    assert middle.replace("\r\n", "\n") == new.replace("\r\n", "\n")


@given(lines, st.text("xy\n", max_size=10))
def test_an_edit_of_a_file_with_one_kind_of_line_ending_leaves_it_with_one(text, new):
    text = text.replace("\r", "").replace("\n", "\r\n")
    edited = excerpts.replace("start\r\n" + text + "<here>", "<here>", new)
    assert "\n" not in edited.replace("\r\n", "")


# Sentences


@pytest.mark.parametrize(
    "limit, lines", [(None, None), (3, 3), ("10", 10), (2.0, 2), (10**30,) * 2]
)
def test_a_limit_may_come_as_a_number_in_words(limit, lines):
    assert excerpts.parse_line_limit(limit) == lines


@pytest.mark.parametrize(
    "limit", [0, -1, "ten", "", 1.5, True, False, [], {}, float("nan"), float("inf"), "9" * 5000]
)
def test_a_limit_that_is_no_number_of_lines_is_refused_in_a_sentence(limit):
    with pytest.raises(ValueError, match="limit must be a whole number of lines, 1 or more, not"):
        excerpts.parse_line_limit(limit)


def test_a_sentence_shows_the_path_as_it_was_given_and_nothing_of_the_machine(tmp_path):
    for path, shown in (("a b.txt", "a b.txt"), ("a\nb", r"'a\nb'"), ("\ud800", r"'\ud800'")):
        with pytest.raises(FileNotFoundError) as caught, files.naming(path):
            open(tmp_path / "missing")
        assert str(caught.value).startswith(f"{shown} does not exist")
        assert str(tmp_path) not in str(caught.value)


def test_a_long_path_is_shortened_in_a_sentence():
    with pytest.raises(ValueError) as caught, files.naming("x" * 10_000):
        raise ValueError("is too long.")
    assert len(str(caught.value)) < 120
