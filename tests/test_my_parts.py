"""Whose each part of an agent is: the learner's, from my_agent.py, or still the package's."""

from dataclasses import replace
from pathlib import Path

import pytest
from exercises.cells import SOLUTIONS
from support.notebook import write_program

from lesson import Diagram, my_code, what_changed
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
    assert "MyTodo, yours: 3 lines" in repr(Diagram(mine=True))
    assert "rounds, the package's" in repr(Diagram(mine=True))


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


def test_diagram_has_the_seven_names_and_a_text_for_pages_without_pictures():
    html = Diagram()._repr_html_()
    for name in ("user", "model", "tools", "todo", "list", "counter", "reminder"):
        assert f">{name}</text>" in html
        assert name in repr(Diagram())


def test_diagram_shows_a_name_of_the_learner_as_text():
    write_program(MyTodo="class MyTodo: ...")
    diagram = Diagram(mine=True)
    diagram.parts["list"] = replace(diagram.parts["list"], name="<script>")
    assert "<script>" not in diagram._repr_html_()


def test_table_of_what_changed_counts_the_lines_of_each_part():
    write_program(MyTodo="class MyTodo:\n    def update(self): ...")
    rows = [line.split(" | ") for line in what_changed().data.splitlines()]
    assert {len(row) for row in rows} == {4}
    assert rows[3][-1] == "`MyTodo`, 2 lines, yours |"
    assert rows[6][-1].endswith("the package's |")


def test_code_of_all_parts_is_shown_in_fences_that_it_cannot_end():
    write_program(MyNag='class MyNag:\n    """```"""')
    text = my_code().data
    assert text.count("\n````python\n") == 1 and text.count("\n```python\n") == 2
    assert "**The nag**, `MyNag`, 2 lines, yours:" in text
    assert "**The loop**, `rounds`, " in text
