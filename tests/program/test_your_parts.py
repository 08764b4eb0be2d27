"""play plays your agent: each part is yours if it passes what the run needs, and otherwise ours."""

import json
import re
from types import SimpleNamespace

import pytest
from support.notebook import CELLS, FIRST, write_file

from agentlib import Nag, TodoManager
from agentlib.defaults import AFTER
from lesson import NagSlider, PracticeModel, play
from lesson.common.solutions import read_first_loop
from lesson.in_cells import play_job
from lesson.practice.model_choice import connect_practice
from lesson.program import folder, your_parts
from lesson.program.my_agent import load_plain_nag, load_solutions, my_agent, store
from lesson.program.your_parts import choose

WRONG = {
    "MyTodo": CELLS["MyTodo"].replace("if not isinstance(items, list)", "if not items"),
    "MyNag": CELLS["MyNag"].replace("self.rounds += 1", "self.rounds += 2"),
}
STATES = {
    "nothing": {},
    "half": {"agent_loop": FIRST["agent_loop"], "MyTodo": WRONG["MyTodo"], "MyNag": CELLS["MyNag"]},
    "all": {name: CELLS[name] for name in ("agent_loop", "MyTodo", "MyNag")},
}
NO_LIST, NO_NAG, ALL = {"todo": None}, {"after": None}, {}
# A state, the arguments of `play`, and the line that says whose parts the run has.
HEADS = [
    ("nothing", NO_LIST, "agentlib's: loop."),
    ("nothing", NO_NAG, "agentlib's: loop, list."),
    ("nothing", ALL, "agentlib's: loop, list, nag."),
    ("nothing", {"nag": "plain"}, "agentlib's: loop, list, nag (plain words)."),
    ("nothing", {"nag": "MyNag"}, "agentlib's: loop, list, nag."),
    ("all", {"nag": "plain"}, "Yours: loop, list. agentlib's: nag (plain words)."),
    ("half", NO_LIST, "Yours: loop."),
    ("half", NO_NAG, "Yours: loop. agentlib's: list (yours needs E2)."),
    ("half", ALL, "Yours: nag. agentlib's: loop (yours needs E5), list (yours needs E2)."),
    ("all", NO_LIST, "Yours: loop."),
    ("all", NO_NAG, "Yours: loop, list."),
    ("all", ALL, "Yours: loop, list, nag."),
    ("all", {"nag": "agentlib"}, "Yours: loop, list. agentlib's: nag."),
    ("all", {"nag": None}, "Yours: loop, list."),
    ("all", {"nag": Nag}, "Yours: loop, list. Given: nag (Nag)."),
    ("all", {"todo": TodoManager()}, "Yours: loop, nag. Given: list (TodoManager)."),
    ("all", {"todo": "PriorityTodo"}, "Yours: loop, nag. agentlib's: list."),
    ("all", {"missing": "list"}, "Yours: loop, list, nag. agentlib's: ask_at_the_stop."),
    ("all", {"read_file": "read_file"}, "Yours: loop, list, nag. agentlib's: read_file."),
]


@pytest.fixture(autouse=True)
def own_folder(notebook_of):
    notebook_of()


@pytest.fixture
def set_up(monkeypatch):
    """Return a function that returns what `play` sets up for these arguments, and plays nothing."""

    def make(settings):
        return SimpleNamespace(**vars(settings), whose="", play_and_show=lambda: None)

    monkeypatch.setattr(play_job, "PlayedRun", make)
    return play


def test_files_are_looked_at_once_for_a_run(set_up, monkeypatch):
    looks = []
    look = store._look
    monkeypatch.setattr(store, "_look", lambda: looks.append(1) or look())
    set_up("hello")
    assert len(looks) == 1
    getattr(my_agent, "MyTodo")  # noqa: B009
    assert len(looks) == 2


@pytest.fixture
def tried(monkeypatch):
    """Return the exercises that are tried from now on, as in a new kernel."""
    tried_parts, real = [], your_parts.try_part

    def try_part(name, part, level):
        tried_parts.append((name, level))
        return real(name, part, level)

    your_parts.passes_level.cache_clear()
    monkeypatch.setattr(your_parts, "try_part", try_part)
    return tried_parts


@pytest.mark.parametrize("state", STATES)
def test_head_says_whose_the_parts_of_a_run_are(set_up, state):
    write_file(**STATES[state])
    heads = [(args, set_up(**args).whose) for case, args, _ in HEADS if case == state]
    assert heads == [(args, head) for case, args, head in HEADS if case == state]


def test_priorities_and_times_are_drawn_only_if_the_list_is_named():
    write_file(**CELLS)
    named, usual = play("package", todo="TimedTodo"), play("package")
    assert type(named.todo).__name__ == type(usual.todo).__name__ == "TimedTodo"
    assert re.search(r"Write slugify in utils.py  \(\d+ rounds; .*priority: high", str(named))
    assert "priority" not in str(usual) and usual.items[0]["priority"] == "high"


def test_head_is_in_the_picture_and_the_parts_are_those_that_it_names(capsys):
    write_file(**STATES["half"])
    run = play("hello", nag="agentlib")
    head = (
        f"hello, reminded after {AFTER} rounds, window of 12 messages. agentlib's: loop (yours "
        "needs E5)"
    )
    assert (
        str(run).startswith(f"{head}, list (yours needs E2), nag.\n")
        and type(run.todo) is TodoManager
    )
    assert type(play("hello", todo="MyTodo").todo) is load_solutions().MyTodo
    write_file(**STATES["all"])
    assert type(play("hello").todo) is my_agent.MyTodo
    exec(read_first_loop(), names := {})
    run = play("hello", loop=names["agent_loop"])  # which cannot remind
    assert run.whose == "Yours: list. Given: loop (agent_loop)."
    exec(read_first_loop(), names := {"__name__": "__main__"})  # of a cell
    run = play("hello", loop=names["agent_loop"])
    assert run.whose == "Yours: loop (from this notebook), list."


def test_of_parts_that_extend_each_other_the_last_one_that_is_yours_is_played(set_up):
    write_file(MyTodo=CELLS["MyTodo"])
    assert set_up().todo is my_agent.MyTodo
    write_file(PriorityTodo=CELLS["PriorityTodo"], PriorityNag=WRONG["MyNag"])
    run = set_up()
    assert run.todo is my_agent.PriorityTodo and run.nag is Nag
    assert set_up(todo="MyTodo").todo is my_agent.MyTodo
    assert set_up(todo="TimedTodo").todo is load_solutions().TimedTodo
    write_file(TimedTodo=CELLS["TimedTodo"])
    assert set_up().todo is my_agent.TimedTodo


def test_yours_trims_if_the_model_has_a_limit_and_files_are_read_by_yours(set_up):
    write_file(trim_messages=CELLS["trim_messages"], read_file=CELLS["read_file"])
    run = set_up(after=None, model=PracticeModel(context_window=2500))
    assert run.trim_messages is my_agent.trim_messages and run.read_file is my_agent.read_file
    assert (
        set_up(model=PracticeModel(context_window=2500), trim_messages=None).trim_messages is None
    )
    assert set_up().trim_messages is None


def test_real_model_gets_yours_as_well(set_up):
    """Its replies are made sendable above the loop, so any loop of a learner's may have them."""
    write_file(**STATES["all"], read_file=CELLS["read_file"])
    real = connect_practice(PracticeModel())
    object.__setattr__(real, "real", True)
    assert set_up(model=real).whose == "Yours: loop, list, nag, read_file. Model: practice."
    assert set_up(model=real, loop="agentlib").whose.startswith(
        "Yours: list, nag, read_file. agentlib's: l"
    )


def test_model_of_a_cell_is_yours_and_the_tools_that_it_calls_are_ours(set_up):
    exec("def tiny(request):\n    return []", names := {"__name__": "__main__"})
    run = set_up(todo=None, loop="agentlib", model=PracticeModel(names["tiny"]))
    assert run.whose == "Yours: model (tiny). agentlib's: loop, tools."
    assert set_up(todo=None, loop="agentlib", model=PracticeModel()).whose == "agentlib's: loop."


def test_unknown_name_is_told_with_those_that_are_known(set_up):
    with pytest.raises(LookupError, match="'MyNog'") as problem:
        set_up(nag="MyNog")
    assert "'yours', 'agentlib', 'plain', 'PriorityNag', 'MyNag'" in str(problem.value)


def test_play_tries_nothing_that_a_check_has_noted_but_what_was_changed_by_hand(notebook, tried):
    for name, level in (("agent_loop", "remind"), ("MyTodo", "tool"), ("MyNag", None)):
        notebook.check(name, level=level)
    assert choose("loop", "yours", "remind")[1] == "Yours: loop"
    assert choose("todo", "yours")[1] == "Yours: list"
    assert choose("nag", "yours")[1] == "Yours: nag" and tried == []
    for text, whose in (
        (f"{CELLS['MyNag']}\n    more = 1", "Yours: nag (as it passed last)"),
        (WRONG["MyNag"], "agentlib's: nag (yours needs E4)"),
    ):
        tried.clear()
        write_file(MyNag=text)
        assert [choose("nag", "yours")[1] for _ in range(3)] == [whose] * 3
        assert tried == [("MyNag", "")]


def test_what_has_passed_in_another_version_or_on_another_list_is_tried_again(
    notebook, tried, monkeypatch
):
    notebook.check("MyTodo")
    notebook.run("MyTodo = my_agent.MyTodo")
    notebook.check("PriorityTodo")
    assert choose("todo", "yours")[1] == "Yours: list" and tried == []
    write_file(MyTodo=f"{CELLS['MyTodo']}\n    more = 1")
    choose("todo", "PriorityTodo")
    monkeypatch.setattr(your_parts, "__version__", "0")
    choose("todo", "PriorityTodo")
    assert tried == [("PriorityTodo", "")] * 2


def test_no_check_reads_the_note(notebook, monkeypatch):
    """A cell that writes into it passes nothing, even while nbgrader grades."""
    write_file(MyNag=WRONG["MyNag"])
    your_parts.note_passed("MyNag", "shows the list")
    noted = json.loads((folder.path / folder.HASHES).read_text())
    assert noted["E4"] == noted["E6"] == your_parts.write_note("MyNag")
    assert choose("nag", "yours")[1] == "Yours: nag"
    assert "Likely cause" in notebook.tell("MyNag", WRONG["MyNag"])
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match="does not pass yet"):
        notebook.shell.run_cell("check('MyNag')").raise_error()


@pytest.mark.release
def test_slider_keeps_plain_words_and_chooses_a_named_one():
    """Its first question is about a reminder that does not show the list."""
    assert NagSlider().nag is load_plain_nag()
    assert NagSlider().whose == "agentlib's: nag (plain words)."
    ours = NagSlider(nag="MyNag")
    assert ours.nag is load_solutions().MyNag and "agentlib's: nag. the files show" in ours.text()
    write_file(MyNag=FIRST["MyNag"])
    assert NagSlider(nag="MyNag").whose == "agentlib's: nag (yours needs E6)."
    write_file(MyNag=CELLS["MyNag"])
    assert NagSlider().nag is load_plain_nag() and NagSlider(nag="MyNag").whose == "Yours: nag."


@pytest.mark.parametrize("args", [{"loop": None}, {"at_stop": None, "missing": "list"}], ids=str)
def test_a_part_that_each_run_needs_is_not_taken_away(set_up, args):
    with pytest.raises(ValueError, match=f"^{next(iter(args))}=None takes nothing away"):
        set_up(**args)
    assert set_up(at_stop=None).at_stop is None  # nothing is asked


def test_a_name_of_python_that_a_cell_hides_is_told_for_a_list_that_each_call_rejects(notebook):
    """`check` tries the cell as a file, where the name is Python's, so all its rules pass."""
    notebook.run("len = 3", CELLS["MyTodo"])
    problem = play("hello", todo=notebook["MyTodo"]).problem
    assert problem.startswith("The list rejected each todo call. The last time, the model read: ")
    assert "\n`len` is a variable of this notebook, 3, and hides Python's: rename it" in problem
    notebook.run("del len\nany = False", CELLS["MyNag"])
    problem = play("hello", nag=notebook["MyNag"]).problem
    assert "`any` is a variable of this notebook, False, and hides Python's" in problem
    notebook.run("del any")
    assert not play("hello", nag=notebook["MyNag"]).problem


def test_a_class_on_an_older_parent_is_named_in_the_head(notebook):
    notebook.run(CELLS["MyNag"], "class PriorityNag(MyNag):\n    pass")
    run = play("hello", nag=notebook["PriorityNag"])
    assert run.whose.startswith("Yours: nag (from this notebook).")
    notebook.run(f"{CELLS['MyNag']}\n    # mended")
    run = play("hello", nag=notebook["PriorityNag"])
    older = "on an older MyNag: run the cell of PriorityNag again"
    assert run.whose.startswith(f"Yours: nag (from this notebook, {older}).")
