"""`agent.py` keeps the promises of `whole_agent.py`: the same attacks, on the file that leaves."""

import importlib.util
from pathlib import Path

import pytest

from lesson.common.solutions import SOLUTIONS
from lesson.program.take_away import AGENT, write_agent

ATTACKS = [
    "test_a_link_that_takes_the_files_place_meanwhile_is_not_followed",
    "test_a_full_disk_leaves_the_old_file_and_no_other",
    "test_a_save_of_the_user_while_the_question_is_open_is_not_lost",
    "test_an_edit_across_mixed_line_ends_is_refused_and_changes_nothing",
    "test_an_edit_keeps_the_line_ends_and_the_rights_of_the_file",
    "test_an_output_without_end_is_cut_while_it_is_read_and_nothing_is_left",
    "test_half_a_character_leaves_the_old_file_and_asks_nothing",
    "test_on_windows_typed_keys_are_discarded",
    "test_the_question_shows_letters_that_reorder_a_line_as_codes",
]


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WHOLE = load("attacks", Path(__file__).parents[1] / "notebooks" / "test_whole_agent.py")
globals().update({name: getattr(WHOLE, name) for name in ATTACKS})


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Return `agent.py` as a module whose names have lost their `_`, in the folder `project`."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    (tmp_path / AGENT).write_text(write_agent(SOLUTIONS.read_text(encoding="utf-8"))[0])
    module = load("agent", tmp_path / AGENT)
    for name, value in [*vars(module).items()]:
        if name.startswith("_") and name[1:2].isalpha():
            vars(module).setdefault(name[1:], value)
    return module


def test_a_path_that_leaves_the_folder_is_refused_by_each_tool(agent, tmp_path, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda question: "y")
    (tmp_path / "secret").write_text("a")
    for call in (
        lambda: agent._read_inside("../secret"),
        lambda: agent._write_file("../secret", "b"),
        lambda: agent._edit_file("../secret", "a", "b"),
    ):
        with pytest.raises(ValueError, match="outside"):
            call()
    assert (tmp_path / "secret").read_text() == "a"
