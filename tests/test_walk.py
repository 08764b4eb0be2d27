"""The walk: what it records has run, recording changes nothing, and any learner's code is shown."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from exercises.attempts import nag, rules
from exercises.cells import slip

import agentlib
from lesson import Walk
from lesson.walk.code import own_code, package_code
from lesson.walk.film import Film, Recorded

HELPERS = """
def demand(is_fine, problem):
    if not is_fine:
        raise ValueError(problem)


def is_busy(task):
    return task["status"] == "in_progress"


class MyTodo:
    def __init__(self):
        self.items = []

    def update(self, items):
        tasks = [self.clean(task) for task in items]
        self.inspect(tasks)
        self.items = tasks
        return "\\n".join(task["text"] for task in tasks)

    def clean(self, task):
        demand(task.get("text"), "a task has no text")
        return dict(task)

    def inspect(self, tasks):
        busy = list(filter(is_busy, tasks))
        demand(len(busy) < 2, "one task at a time")
"""
MATCH = """
class MyTodo:
    items = ()

    def update(self, items):
        position = busy = 0
        while position < len(items):
            match items[position]:
                case {"status": "in_progress"}:
                    busy += 1
                case {"status": "pending" | "completed"}:
                    pass
                case _:
                    raise ValueError("unknown status")
            position += 1
        problems = {
            "too long": len(items) > 20,
            "one task at a time": any(
                busy > 1
                for _ in items
            ),
        }
        if broken := [rule for rule, is_broken in problems.items() if is_broken]:
            raise ValueError("; ".join(broken))
        self.items = [*items]
        return "saved"
"""
LIST_NAG = """
class MyNag:
    def __init__(self, after):
        self.after, self.names = after, []

    def __call__(self, calls):
        self.names.append({call.name for call in calls})
        if any("todo" in names for names in self.names[-self.after:]):
            return None
        return "<reminder>Update your todos.</reminder>"
"""
ANOTHER_DEFAULT = """
from pathlib import Path

from agentlib.nag import AFTER
from lesson.runs.arena import GROWING, ArenaTrial
from lesson.practice.models import MODELS
from lesson.widgets.walk import record

for part in record(Path("my_agent.py"))["films"][0]["parts"]:
    print(AFTER, part["title"], *(station["name"] for station in part["stations"]))
run = ArenaTrial(MODELS["Forgetter"].policy, GROWING[2]).play()
print([turn.number for turn in run.rounds if turn.reminder][0], run.steps_done)
"""
START = "clean, seen = [], set()"  # of the method update
QUIET_NAG = nag.IN_ONE_EXPRESSION.replace("self.rounds", "self.quiet")
EARLY = [("self.items = clean", "pass"), (START, START + "\n        self.items = items")]
STYLES = {
    "loop": (rules.PLAIN, nag.PLAIN),
    "helpers": (HELPERS, QUIET_NAG),
    "match": (MATCH, LIST_NAG),
}


@pytest.fixture
def saved(tmp_path):
    """Return a function that writes a learner's my_agent.py."""

    def write(todo, nag=nag.PLAIN):
        file = tmp_path / "my_agent.py"
        file.write_text(f"# --- MyTodo ---\n{todo}\n\n# --- MyNag ---\n{nag}\n", encoding="utf-8")
        return file

    return write


@pytest.fixture(params=["package", *STYLES])
def code(request, saved):
    if request.param == "package":
        return package_code()
    return own_code(saved(*STYLES[request.param]))


def without_ids(messages):
    """Return messages as text, with the ids of calls, which are drawn by lot, made equal."""
    ids: dict[str, str] = {}
    return re.sub(r"toolu_\w+", lambda one: ids.setdefault(one[0], f"id{len(ids)}"), str(messages))


def play(code, rounds=5):
    """Return a run of some rounds that are not recorded."""
    trial = Recorded(code, eager=False)
    for _ in zip(range(rounds), trial, strict=False):
        pass
    return trial


def test_recording_changes_nothing(code):
    film = Film(code, {})
    traced, plain = film.record((4, 5)), play(code)
    assert len(film.parts) == 2
    assert without_ids(traced.messages) == without_ids(plain.messages)
    assert traced.items == plain.items


def lines_that_run(code):
    """Return each line that runs in five rounds, with a tracer of three lines."""
    ran = set()

    def note(frame, event, arg):
        if frame.f_code.co_filename in code.sources:
            ran.add((frame.f_code.co_qualname, frame.f_lineno))
        return note

    old = sys.gettrace()
    sys.settrace(note)
    try:
        play(code)
    finally:
        sys.settrace(old)
    return ran


def test_each_line_that_is_shown_has_run(code):
    film = Film(code, {})
    film.record((4, 5))
    steps = [step for part in film.parts for step in part["steps"]]
    shown = {(film.tables["functions"][step["f"]]["name"], step["a"]) for step in steps}
    assert len(shown) > 15
    assert shown - lines_that_run(code) == set()


def stations_of(walk, film=0):
    parts = walk.state["films"][film]["parts"]
    return ["".join(one["name"] or "·" for one in part["stations"]) for part in parts]


def errors_of(walk):
    chips = [chip for step in walk.state["films"][0]["parts"][0]["steps"] for chip in step["chips"]]
    return [words for look, words in chips if look == "error"]


@pytest.mark.parametrize("style", STYLES)
def test_rejected_list_survives_and_with_one_line_moved_it_is_lost(saved, style):
    walk = Walk(file=saved(*STYLES[style]))
    line, survivor, *_ = walk.state["questions"]
    assert stations_of(walk) == ["·124", "·45", "·1234"]
    assert "one mistake" in walk.state["films"][walk.state["mistake"]]["name"]
    assert survivor["choices"][survivor["right"]] == "only the left one"
    assert errors_of(walk)[0].endswith("at a time")
    assert re.search(r"raise .*(at a time|broken)|inspect", line["choices"][line["right"]])
    assert ("calls the function that raises" in line["why"]) == (style == "helpers")


def test_repeated_step_has_its_last_values_and_a_missing_result_is_no_error(saved, capsys):
    walk = Walk(file=saved(slip(rules.PLAIN, (START, f"{START}; print('here')"))))
    assert capsys.readouterr().out == ""
    chips = [step["chips"] for step in walk.state["films"][0]["parts"][0]["steps"]]
    assert [["", "10 times"], ["", "clean = 10 items, 9 in progress"]] in chips
    texts = [one["text"] for one in walk.state["messages"]]
    assert "user: no result yet" in texts
    assert all("one task" in text for text in texts if "Error" in text)


def test_list_that_is_replaced_too_early_is_lost_and_the_station_says_so(saved):
    walk = Walk(file=saved(slip(rules.PLAIN, *EARLY)))
    stations = walk.state["films"][0]["parts"][0]["stations"]
    assert any("too late: the list was replaced" in one["words"] for one in stations)


def test_package_is_shown_without_a_file_and_beside_own_code_with_one(saved, tmp_path):
    alone, both = Walk(file=tmp_path / "none.py"), Walk(file=saved(rules.PLAIN))
    assert "my_agent.py has no class for a list" in alone.state["whose"]
    assert "your MyTodo and MyNag" in both.state["whose"]
    assert "your MyTodo (" in Walk(file=saved(rules.PLAIN, nag="")).state["whose"]
    assert stations_of(both, both.state["package"]) == stations_of(alone) == stations_of(both)


def test_nag_without_a_count_hides_the_count_and_its_question(saved):
    with_count, without = Walk(file=saved(HELPERS, QUIET_NAG)), Walk(file=saved(HELPERS, LIST_NAG))
    assert with_count.state["films"][0]["counter"] == "self.quiet"
    assert without.state["films"][0]["counter"] == ""
    assert len(with_count.state["questions"]) == len(without.state["questions"]) + 1


def test_list_that_inherits_update_is_shown_and_the_mistake_is_the_packages(tmp_path):
    file = tmp_path / "my_agent.py"
    kept = "from agentlib import TodoManager\n\n\nclass KeptTodo(TodoManager):\n    pass\n"
    file.write_text(f"# --- KeptTodo ---\n{kept}", encoding="utf-8")
    walk = Walk(file=file)
    assert "your KeptTodo" in walk.state["whose"]
    assert walk.state["films"][walk.state["mistake"]]["name"] == "the package with one mistake"


@pytest.mark.parametrize(
    ("change", "error"),
    [(("after=3", "after=years"), "NameError"), (('== "todo"', "== self.tool"), "AttributeError")],
)
def test_code_that_raises_is_named_and_the_package_is_shown(saved, change, error):
    walk = Walk(file=saved(rules.PLAIN, slip(nag.PLAIN, change)))
    assert f"has raised {error}" in walk.state["whose"]
    assert stations_of(walk) == ["·124", "·45", "·1234"]


def test_walk_and_arena_play_with_another_default_of_the_nag(tmp_path):
    copy = shutil.copytree(Path(agentlib.__file__).parent, tmp_path / "agentlib") / "nag.py"
    copy.write_text(copy.read_text("utf-8").replace("AFTER = 3", "AFTER = 4"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ANOTHER_DEFAULT],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == [
        "4 Run 1, an eager model: round 7  1 2 4",
        "4 Run 2, a reminder: round 5  4 5",
        "4 Run 2, a reminder: round 6  1 2 3 4",
        "5 10",
    ], done.stderr
