"""The command in a terminal that copies the lesson into a learner's folder."""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import lesson
from lesson.__main__ import run
from lesson.program import terminal as terminal_module
from lesson.program.copy_lesson import STAMP, copy_lesson, lesson_notebooks

pytestmark = pytest.mark.slow


def test_other_commands_print_the_usage(capsys):
    assert run(["Refactor hello.py"]) == 2
    assert "planning-agent lesson FOLDER " in capsys.readouterr().err


def test_lesson_is_copied_without_outputs_and_overwrites_nothing(capsys, tmp_path):
    (tmp_path / "s04a_what_comes_next.ipynb").write_text("mine")
    assert run(["lesson", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "s04a_what_comes_next.ipynb").read_text() == "mine"
    assert f"Your copy is {tmp_path}: 13 notebooks and your program.\nNew in it: 00_" in printed
    assert "s04a_what_comes_next.ipynb" not in printed
    for name, source in lesson_notebooks().items():
        if name != "s04a_what_comes_next.ipynb":
            copy = json.loads((tmp_path / name).read_text(encoding="utf-8"))["cells"]
            whole = json.loads(source.read_text(encoding="utf-8"))["cells"]
            assert [cell["id"] for cell in copy] == [cell["id"] for cell in whole]
            assert not any(cell.get("outputs") or cell.get("execution_count") for cell in copy)


def test_the_last_line_opens_the_lesson_with_the_python_that_has_it(capsys, tmp_path):
    run(["lesson", str(tmp_path / "my lesson")])
    line = f"Open it: {sys.executable} -m lesson lab '{tmp_path}/my lesson'\n"
    assert capsys.readouterr().out.endswith(line)


def test_notebooks_of_an_older_lesson_stay_and_are_named(capsys, tmp_path):
    assert run(["lesson", str(tmp_path)]) == run(["lesson", str(tmp_path)]) == 0
    assert "an older lesson" not in capsys.readouterr().out
    # A learner writes, adds and deletes cells. JupyterLab keeps the metadata.
    mine = tmp_path / "s02_tool_use.ipynb"
    notebook = json.loads(mine.read_text(encoding="utf-8"))
    notebook["cells"] = [notebook["cells"][0] | {"source": "mine"}]
    mine.write_text(json.dumps(notebook), encoding="utf-8")
    # Before there was a stamp, and when the text was another one.
    old, other = tmp_path / "s03a_todo_write.ipynb", tmp_path / "s04a_what_comes_next.ipynb"
    old.write_text('{"cells": [], "metadata": {}}')
    notebook["metadata"][STAMP] = "0" * 16
    other.write_text(json.dumps(notebook), encoding="utf-8")
    # One that is gone from the lesson, a copy of one of today's, and a notebook of the learner's.
    other.with_name("s04_exercises.ipynb").write_bytes(other.read_bytes())
    mine.with_name("s02_tool_use-Copy1.ipynb").write_bytes(mine.read_bytes())
    other.with_name("tried.ipynb").write_bytes(old.read_bytes())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(["lesson", str(tmp_path)]) == 0
    names = "s03a_todo_write.ipynb, s04_exercises.ipynb, s04a_what_comes_next.ipynb"
    printed = capsys.readouterr().out
    assert f"Of an older lesson: {names}. They may not work" in printed
    assert "To take your parts along, first copy its my_agent into the new one." in printed
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_copy_of_a_class_without_solutions_stays_without_them(tmp_path, capsys):
    """`lab` and a hub copy what is missing at each start, so deleted ones would come back."""
    command = ["lesson", "--without-solutions", str(tmp_path / "given")]
    assert run(command) == run(command) == run(["lesson", str(tmp_path / "given")]) == 0
    assert not (tmp_path / "given" / "solutions").exists()
    copy_lesson(tmp_path / "made")
    shutil.rmtree(tmp_path / "made" / "solutions")
    (tmp_path / "made" / "s08_again.ipynb").unlink()
    assert copy_lesson(tmp_path / "made") == ["s08_again.ipynb"]
    (tmp_path / "made" / "solutions").mkdir()
    assert "solutions/nag.py" in copy_lesson(tmp_path / "made")


def test_program_solutions_and_rules_for_agents_are_copied_and_a_learners_program_stays(tmp_path):
    copy_lesson(tmp_path)
    program = tmp_path / "my_agent"
    assert (program / "nag.py").read_text(encoding="utf-8") == "from agentlib import Nag as MyNag\n"
    assert "class MyNag" in (tmp_path / "solutions" / "nag.py").read_text(encoding="utf-8")
    rules = tmp_path / "AGENTS.md"
    assert "You are their tutor" in rules.read_text(encoding="utf-8")
    assert (tmp_path / "GEMINI.md").read_text() == "@AGENTS.md\n"  # Gemini CLI reads only this
    rules.write_text("mine")
    (program / "nag.py").write_text("mine")
    (program / "mine.py").write_text("mine")
    (program / "frame.py").unlink()
    (tmp_path / "solutions" / "nag.py").unlink()
    assert copy_lesson(tmp_path) == ["solutions/nag.py"]
    assert {f.read_text() for f in (program / "nag.py", program / "mine.py", rules)} == {"mine"}
    assert (program / "frame.py").exists()


def test_lesson_is_not_copied_to_a_folder_without_a_name_and_errors_say_what_to_do(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for command in ("lesson", "lab"):  # as with a variable of the shell that is not set
        with pytest.raises(SystemExit):
            run([command, ""])
        assert "argument FOLDER: the name is empty." in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
    (tmp_path / "link").symlink_to("nowhere")
    assert run(["lesson", "link"]) == 1
    error = "link: File exists. Something has this name already: rename it.\n"
    assert capsys.readouterr().err == error


def test_a_reader_that_wants_no_more_lines_gets_no_traceback():
    command = [sys.executable, "-m", "lesson", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()  # as `head` does
        assert process.stderr.read() == b""


def test_unknown_name_is_told_that_the_notebook_may_be_of_an_older_lesson_and_what_to_do():
    with pytest.raises(
        ImportError, match=r"lesson has no check_all\. Is it misspelled\?"
    ) as raised:
        from lesson import check_all  # noqa: F401
    assert "of an older lesson: `planning-agent lesson NEW_FOLDER`" in str(raised.value)
    assert not hasattr(lesson, "__wrapped__")
    from lesson import widgets

    assert widgets.__name__ == "lesson.widgets"


def test_lab_says_in_three_lines_what_it_has_copied_and_where_to_open_it(tmp_path):
    command = [sys.executable, "-m", "lesson", "lab", "my lesson", "--no-browser", "--port=0"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        copied, opened, _ = (process.stdout.readline() for _ in range(3))
        address = opened.removeprefix("Open: ").strip()
        page = address.replace("/lab/tree/00_start_here.ipynb?", "/files/docs/sources.md?")
        opens = address.replace("/lab/tree/", "/api/contents/")  # it is not trusted: said nowhere
        for _ in range(300):  # it is said before the server listens
            with suppress(URLError):
                assert (
                    urlopen(address).status == urlopen(page).status == urlopen(opens).status == 200
                )
                break
            time.sleep(0.1)
        else:
            pytest.fail(f"{opened} does not answer with the first notebook and a page of docs.")
    finally:
        process.terminate()
        rest = process.communicate(timeout=60)[0]
    assert copied == "Your copy is my lesson: 13 notebooks and your program.\n"
    assert len(rest.splitlines()) == 1 and "received signal 15" in rest


def test_jupyterlab_would_import_the_slow_parser_that_is_left_out(tmp_path):
    """If this fails, `leave_out_slow_parser` can go."""
    (tmp_path / "rfc3987_syntax.py").write_text("print('imported')\n")
    done = subprocess.run(
        [sys.executable, "-c", "import jupyter_server.serverapp"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "imported" in done.stdout, done.stderr


def test_the_browser_edition_gets_a_line_for_a_cell_in_place_of_a_command(
    capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", "")  # as Pyodide has it
    lesson.terminal("Refactor hello.py")
    assert "%run my_agent/__main__.py 'Refactor hello.py'" in capsys.readouterr().out


def test_command_is_short_where_the_short_name_leads_to_this_python(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(terminal_module.folder, "path", tmp_path / "my_agent")
    lesson.terminal("Refactor hello.py")
    assert f"{sys.executable} -m lesson practice" in capsys.readouterr().out
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "planning-agent").write_text("")
    (tmp_path / "planning-agent").chmod(0o755)
    lesson.terminal("Refactor hello.py")
    words = "planning-agent practice my_agent 'Refactor hello.py'\n"
    assert capsys.readouterr().out == words
