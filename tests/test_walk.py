"""The walk: what it records has run, recording changes nothing, and any learner's code is shown."""

import re
import sys

import pytest
from exercises.attempts import nag, rules
from exercises.cells import SOLUTIONS, slip
from support.notebook import write_program

from lesson import Walk
from lesson.program.my_parts import read_my_parts
from lesson.walk.film import Film, read_state
from lesson.walk.recorder import Recorder, is_shown

HELPERS = """
def demand(is_fine, problem):
    if not is_fine:
        raise ValueError(problem)


class MyTodo:
    items = ()

    def update(self, items):
        busy = [task for task in items if task["status"] == "in_progress"]
        before, self.items = self.items, [*items]
        try:
            demand(len(busy) < 2, "one at a time")
        except ValueError as problem:
            self.items = before
            raise ValueError(str(problem)) from None
        return "saved"
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
            position += 1
        if any(
            busy > 1
            for _ in items
        ):
            raise ValueError("one at a time")
        self.items = [*items]
        return "saved"
"""
START = "clean, seen = [], set()"  # of the method update
EARLY = [("self.items = clean", "pass"), (START, START + "\n        self.items = items")]
SLOTS = slip(nag.PLAIN, ("class MyNag:", "class MyNag:\n    __slots__ = ('after', 'rounds')"))
STYLES = {
    "helpers": {"MyTodo": HELPERS, "MyNag": nag.IN_ONE_EXPRESSION},
    "match": {"MyTodo": MATCH, "MyNag": slip(nag.PLAIN, ("self.rounds", "self.quiet"))},
    "own_loop": {"MyTodo": rules.PLAIN, "MyNag": SLOTS, "agent_loop": SOLUTIONS["remind"]},
    # Its __call__ calls the one of MyNag.
    "reminder": {"MyTodo": rules.PLAIN, "MyNag": nag.PLAIN, "MyReminder": SOLUTIONS["reminder"]},
}
STATIONS = ["124", "145", "1234"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def walk_with(**parts):
    """Return the walk through a my_agent.py with these parts."""
    write_program(**parts)
    return Walk()


def without_ids(messages):
    """Return messages as text, with the random ids of calls made equal."""
    ids: dict[str, str] = {}
    return re.sub(r"toolu_\w+", lambda one: ids.setdefault(one[0], f"id{len(ids)}"), str(messages))


def play(parts, trace):
    """Return the film of rounds 4 and 5, and its run, while a debugger traces the code."""
    film, old = Film(parts), sys.gettrace()
    sys.settrace(trace)
    try:
        trial = film.record((4, 5))
        assert sys.gettrace() is trace
    finally:
        sys.settrace(old)
    return film, trial


@pytest.mark.parametrize("style", ["package", *STYLES])
def test_recording_changes_nothing_and_each_line_that_is_shown_has_run(style, monkeypatch):
    write_program(**STYLES.get(style, {}))
    parts = read_my_parts()
    ran = set()

    def note(frame, event, arg):
        if is_shown(frame.f_code):
            ran.add((frame.f_code.co_qualname, frame.f_lineno))
            return note

    film, traced = play(parts, lambda *event: None)
    monkeypatch.setattr(Recorder, "begin", lambda recorder: None)
    monkeypatch.setattr(Recorder, "end", lambda recorder: [])
    _, plain = play(parts, note)
    assert without_ids(traced.messages) == without_ids(plain.messages)
    assert traced.items == plain.items
    assert film.steps[-1].after == read_state(traced)
    shown = {(step.code.co_qualname, step.statement.first) for step in film.steps}
    assert len(shown) > 15 and shown - ran == set()


def stations_of(film):
    return ["".join(one["number"] for one in round_["stations"]) for round_ in film["rounds"]]


def answers_to(film, question):
    """Return the lines that are right answers to a question."""
    function = film["functions"][film["steps"][question["at"]]["function"]]
    return [dict(function["lines"])[number].strip() for number in question["right"]]


@pytest.mark.parametrize("style", STYLES)
def test_own_code_comes_first_and_the_lines_that_answer_are_those_that_did_it(style):
    walk = walk_with(**STYLES[style])
    own, package = walk.state["films"]
    assert stations_of(own) == stations_of(package) == STATIONS
    assert walk.at == own["questions"][0]["at"]
    rejects, *_ = own["questions"]
    *caught, raises = answers_to(own, rejects)
    assert re.match(r"raise ValueError\(.*(at a time|problem)", raises)
    assert len(caught) == (style == "helpers")  # the line whose error it catches is right as well
    assert "9 are in progress" in rejects["ask"] and "is still in self.items" in rejects["why"]
    *counts, puts = [answers_to(own, question) for question in own["questions"][1:]]
    assert any('["content"] = [' in line or "last[" in line for line in puts)
    assert len(counts) == (style != "match")  # its nag has no attribute `rounds`
    assert all("self.rounds" in lines[-1] for lines in counts)
    assert ("agent_loop" in own["name"]) == (style == "own_loop")


def test_list_that_is_replaced_too_early_is_lost_and_the_answer_says_so():
    film = walk_with(MyTodo=slip(rules.PLAIN, *EARLY)).state["films"][0]
    assert "the old one is lost" in film["questions"][0]["why"]


def test_repeated_step_has_its_last_values_and_what_the_code_prints_is_dropped(capsys):
    walk = walk_with(MyTodo=slip(rules.PLAIN, (START, f"{START}; print('here')")))
    assert capsys.readouterr().out == ""
    chips = [step["chips"] for step in walk.state["films"][0]["steps"]]
    assert [["line", "10 times"], ["line", "clean = 10 items, 9 in progress"]] in chips


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("after=3", "after=years"), "has no loop, list or nag"),
        (('== "todo"', "== self.tool"), "has raised AttributeError"),
    ],
)
def test_package_is_shown_for_a_part_that_cannot_be_made_or_that_raises(change, why):
    walk = walk_with(MyNag=slip(nag.PLAIN, change))
    assert why in walk.state["whose"]
    assert [film["name"] for film in walk.state["films"]] == ["the package"]
