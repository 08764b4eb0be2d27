"""The folder my_agent: no file is replaced without a message, and other files are not touched."""

import json
import os
import re
import subprocess
import sys
import threading
import time

import pytest
from support.notebook import CELLS, write_file

from lesson.common.file_errors import describe_file_error
from lesson.common.parts import PARTS
from lesson.common.solutions import SOLUTIONS
from lesson.program import folder, take_away
from lesson.program.folder import (
    HASHES,
    create_folder,
    find_file,
    hash_text,
    write_part,
)
from lesson.program.my_agent import my_agent
from lesson.program.save_part import save_part
from safetylib.guard import files
from safetylib.guard.files import exclusive

OURS_NAMES = ("frame.py", "__main__.py")
unix = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes are Unix's")


@pytest.fixture(autouse=True)
def path(notebook_of):
    """Return the path of the program, in an empty folder."""
    return folder.path


def save(name="MyNag", more="", level=""):
    return save_part(name, CELLS[name] + more, level)


def fail_to_save():
    """Return the error of a part that cannot be saved."""
    with pytest.raises(OSError) as refused:
        save()
    return describe_file_error(refused.value)


def read_all(path):
    return {one.name: one.read_bytes() for one in path.iterdir()}


@unix
def test_file_that_is_read_only_is_not_written_and_that_is_said(path):
    write_file(MyNag="MyNag = None")
    find_file("MyNag").chmod(0o444)
    assert fail_to_save().startswith("The file is read-only. You may not write")
    assert find_file("MyNag").read_text() == "MyNag = None\n"


@unix
def test_symlink_to_a_file_or_to_the_folder_stays_one_and_its_file_is_written(path, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    path.symlink_to("elsewhere")
    (tmp_path / "nag.py").touch()
    find_file("MyNag").symlink_to(tmp_path / "nag.py")
    save()
    assert path.is_symlink() and find_file("MyNag").is_symlink()
    assert "class MyNag" in (tmp_path / "nag.py").read_text()
    assert (tmp_path / "elsewhere" / "frame.py").is_file()


@pytest.mark.parametrize("kind", ["file", "link", "pipe"])
def test_what_has_the_name_of_the_folder_is_said_and_stays(path, kind):
    {
        "file": path.touch,
        "link": lambda: path.symlink_to("nowhere"),
        "pipe": lambda: os.mkfifo(path),
    }[kind]()
    assert "Something has this name already: rename it." in fail_to_save()
    assert my_agent.MyNag.__module__ == "my_agent.nag"  # of this notebook
    assert [one.name for one in path.parent.iterdir()] == ["my_agent"] and not path.is_dir()


@unix
def test_pipe_with_the_name_of_a_part_does_not_block(path):
    create_folder()
    find_file("MyNag").unlink()
    os.mkfifo(find_file("MyNag"))
    message = "Not a regular file. A pipe .* has this name: rename it."
    assert re.fullmatch(message, fail_to_save())


def test_file_that_hides_a_module_which_the_program_needs_is_named(path):
    create_folder()
    (path / "json.py").touch()
    assert save().endswith(" Rename my_agent/json.py: it hides a module of Python or the SDK.")
    (path / "json.py").rename(path / "my_json.py")
    assert "Rename" not in save(more="\n    more = 1")


def test_files_of_the_learners_own_are_not_touched(path):
    save("MyTodo", level="tool")
    own = {name: name.encode() for name in ("my.py", "notes.txt", "nag_1.txt", ".gitignore")}
    for name, data in own.items():
        (path / name).write_bytes(data)
    find_file("MyNag").write_text("MyNag = 1\n")
    assert " What was changed by hand is in my_agent/nag_2.txt now." in save()
    after = read_all(path)
    assert own.items() <= after.items() and after["nag_2.txt"] == b"MyNag = 1\n"


def test_part_that_check_has_written_is_replaced_without_a_copy_unless_its_hash_is_lost(path):
    save()
    assert save(more="\n    more = 1") == "Your program has it now, in my_agent/nag.py."
    (path / folder.HASHES).write_text("[broken")
    assert "is in my_agent/nag_1.txt now" in save(more="\n    more = 2")
    assert "nag_" not in save(more="\n    more = 3") and not (path / "nag_2.txt").exists()


def test_the_first_file_is_renewed_unless_it_was_changed_by_hand_and_frame_never(path):
    create_folder()
    hashes, older = path / folder.HASHES, "# of an older lesson\n"
    saved_hashes = json.loads(hashes.read_text()) | dict.fromkeys(OURS_NAMES, hash_text(older))
    hashes.write_text(json.dumps(saved_hashes))
    for name in OURS_NAMES:
        (path / name).write_text(older)
    assert save() == "Your program has it now, in my_agent/nag.py."
    assert (path / "frame.py").read_text() == older
    assert (path / "__main__.py").read_bytes() == (SOLUTIONS / "__main__.py").read_bytes()
    (path / "__main__.py").write_text("# mine\n")
    assert save(more="\n    more = 1") == "Your program has it now, in my_agent/nag.py."
    assert (path / "__main__.py").read_text() == "# mine\n"
    (path / "__main__.py").unlink()
    (path / "__main__.py").mkdir()
    assert "my_agent/__main__.py was not renewed: " in save(more="\n    more = 4")


def test_folder_that_is_new_does_not_replace_what_was_saved_in_the_meantime(path, monkeypatch):
    write_file(MyNag="theirs = MyNag = 1")
    monkeypatch.setattr(os.path, "lexists", lambda path: False)  # as it was when this began
    create_folder()
    assert find_file("MyNag").read_text() == "theirs = MyNag = 1\n"


def test_part_that_another_notebook_saves_while_this_one_compares_is_not_lost(path):
    create_folder()
    begun = threading.Event()

    def save_theirs():
        with exclusive(path / HASHES):
            begun.set()
            time.sleep(0.5)
            find_file("MyNag").write_text(write_part("MyNag", CELLS["MyNag"] + "\n    # theirs"))

    other = threading.Thread(target=save_theirs)
    other.start()
    assert begun.wait(60)
    save()
    other.join()
    assert "# theirs" in (path / "nag_1.txt").read_text()
    assert not [*path.glob("*.lock")]


def test_two_notebooks_that_save_two_parts_at_once_keep_both_hashes(path):
    create_folder()
    texts = {"MyNag": "", "MyTodo": ""}
    for number in range(30):
        both = threading.Barrier(2)

        def put(name, number=number, both=both):
            new = f"{name} = {number}\n"
            both.wait()
            assert folder.replace_part(name, new, texts[name]) == ""
            texts[name] = new

        others = [threading.Thread(target=put, args=[name]) for name in texts]
        for other in others:
            other.start()
        for other in others:
            other.join()
        hashes = folder.read_hashes(path)
        assert {name: hashes[find_file(name).name] for name in texts} == {
            name: hash_text(text) for name, text in texts.items()
        }


@pytest.mark.parametrize("file", ["nag.py", HASHES])
def test_text_of_a_kernel_that_was_killed_while_it_saved_is_not_changed_by_hand(
    path, monkeypatch, file
):
    save()
    write, seen = folder.write_atomically, []

    def be_killed(target, *args, **named):
        write(target, *args, **named)
        seen.append(target.name)
        if target.name == file:
            raise SystemExit

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(folder, "write_atomically", be_killed)
        save(more="\n    more = 1")
    assert seen[-1] == file
    assert "by hand" not in save(more="\n    more = 2")
    assert not [*path.glob("nag_*.txt")]


def test_lock_of_a_notebook_that_was_killed_is_removed(path, monkeypatch):
    monkeypatch.setattr(files, "LOCK_SECONDS", 0.1)
    create_folder()
    (path / f".{HASHES}.lock").touch()
    save()
    assert not [*path.glob("*.lock")]


def test_lock_of_another_notebook_that_came_first_is_waited_for(path, monkeypatch):
    monkeypatch.setattr(files, "LOCK_SECONDS", 0.5)
    create_folder()
    lock, left = path / f".{HASHES}.lock", [0.3] * 4
    lock.touch()

    def others():
        for seconds in left:  # one after the other, each for less than LOCK_SECONDS
            time.sleep(seconds)
            os.utime(lock)
        left.clear()
        lock.unlink()

    other = threading.Thread(target=others)
    other.start()
    save()
    assert left == []
    other.join()


def test_parts_that_are_taken_away_need_no_other_package_and_not_the_sdk(path, tmp_path):
    write_file(**CELLS)
    find_file("MyNag").write_text("from agentlib import Nag\n\n\nclass MyNag(Nag):\n    x = 1\n")
    take_away.write_files(tmp_path / "taken", take_away.read_program()[0])
    names = " ".join(part.file for part in PARTS.values())
    code = "import sys; sys.path[0] = sys.argv[1]\n"
    code += "for name in sys.argv[2].split():\n    __import__(name)\nprint('all')"
    # Without the checkout and the packages.
    command = [sys.executable, "-I", "-S", "-c", code, str(tmp_path / "taken"), names]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "all\n", done.stderr
