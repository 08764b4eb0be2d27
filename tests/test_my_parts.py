"""Whose each part of an agent is: the learner's, from my_agent.py, or still the package's."""

from pathlib import Path

import pytest
from exercises.cells import SOLUTIONS
from support.notebook import write_program

from lesson.program.my_parts import read_my_parts

LOOP = SOLUTIONS["loop"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_without_a_file_all_parts_are_the_packages():
    parts = read_my_parts()
    assert [part.whose for part in parts.values()] == ["the package's"] * 3
    assert [part.name for part in parts.values()] == ["rounds", "TodoManager", "Nag"]


def test_part_that_was_changed_by_hand_and_fails_its_check_is_the_packages():
    write_program(MyTodo=SOLUTIONS["rules"])
    file = Path("my_agent.py")
    file.write_text(file.read_text().replace("def update(", "def renew("))
    assert not read_my_parts()["list"].is_yours


def test_each_kept_part_is_yours_and_its_lines_are_counted():
    write_program(MyTodo='class MyTodo:\n    """A list."""\n\n    def update(self): ...')
    parts = read_my_parts()
    assert [name for name, part in parts.items() if part.is_yours] == ["list"]
    assert parts["list"].lines == 3


def test_loop_that_cannot_remind_is_still_the_packages():
    write_program(agent_loop=LOOP)
    assert not read_my_parts()["loop"].is_yours
    write_program(agent_loop=SOLUTIONS["remind"])
    assert read_my_parts()["loop"].is_yours


def test_nag_that_shows_the_list_comes_with_the_nag_that_it_extends():
    nag, reminder = SOLUTIONS["nag"], SOLUTIONS["reminder"]
    write_program(MyNag=nag, MyReminder=reminder)
    part = read_my_parts()["nag"]
    assert part.name == "MyReminder"
    assert part.source == f"{nag.strip()}\n\n\n{reminder.strip()}"
