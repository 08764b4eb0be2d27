"""The commands in a terminal: the lesson is copied, and a line runs the learner's program."""

import json
import shlex
import sys

import pytest

import lesson
from lesson.__main__ import run
from lesson.copy_lesson import lesson_notebooks
from lesson.program.command_line import command_line

HELLO = "Refactor hello.py: add type hints, docstrings and a main guard."


def test_other_commands_print_the_usage(capsys):
    assert run(["Refactor hello.py"]) == 2
    assert "planning-agent lesson FOLDER " in capsys.readouterr().err


def test_lesson_is_copied_without_outputs_and_overwrites_nothing(capsys, tmp_path):
    (tmp_path.parent / "docs").mkdir(exist_ok=True)  # without what the links lead to
    (tmp_path / "s04_exercises.ipynb").write_text("mine")
    assert run(["lesson", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "s04_exercises.ipynb").read_text() == "mine"
    assert f"New in {tmp_path}: 00_start_here.ipynb, s02_" in printed
    assert "unchanged: s04_exercises.ipynb.\n" in printed
    for name, source in lesson_notebooks().items():
        if name != "s04_exercises.ipynb":
            copy = json.loads((tmp_path / name).read_text(encoding="utf-8"))["cells"]
            whole = json.loads(source.read_text(encoding="utf-8"))["cells"]
            assert [cell["id"] for cell in copy] == [cell["id"] for cell in whole]
            assert "](../docs" not in str(copy) and "](../../docs" not in str(copy)
            assert not any(cell.get("outputs") or cell.get("execution_count") for cell in copy)


def test_lesson_is_not_copied_to_a_folder_without_a_name_and_errors_say_what_to_do(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        run(["lesson", ""])
    assert "the name of FOLDER is empty." in capsys.readouterr().err and not [*tmp_path.iterdir()]
    (tmp_path / "link").symlink_to("nowhere")
    assert run(["lesson", "link"]) == 1
    said = "link: File exists. Something has this name already: rename it.\n"
    assert capsys.readouterr().err == said


def test_unknown_name_is_told_that_the_notebook_may_be_of_another_version():
    with pytest.raises(ImportError, match=r"lesson has no check_all\. Is it misspelled\?"):
        from lesson import check_all  # noqa: F401
    assert not hasattr(lesson, "__wrapped__")
    from lesson import widgets

    assert widgets.__name__ == "lesson.widgets"


def test_command_line_names_the_python_of_the_notebook_and_the_file_in_its_folder(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    monkeypatch.chdir(tmp_path)
    assert command_line(HELLO).startswith("There is no my_agent.py yet. keep() writes it")
    (tmp_path / "my_agent.py").touch()
    file = shlex.quote(str(tmp_path / "my_agent.py"))
    assert command_line(HELLO) == f"/usr/bin/python3 {file} '{HELLO}'"
    assert command_line("Go", model="m") == f"MODEL_ID=m /usr/bin/python3 {file} Go"
    monkeypatch.setattr(sys, "executable", "")
    assert command_line(HELLO) == f"%run my_agent.py '{HELLO}'"
