"""The walk: each line that is shown has run, recording changes nothing, and any code is shown."""

import re
import sys
from itertools import pairwise

import pytest
from support.notebook import CELLS, FIRST, write_file

from agentlib import defaults
from lesson import Walk
from lesson.drawing.marks import KINDS
from lesson.program import your_parts
from lesson.program.my_agent import load_plain_nag, load_solutions, my_agent, store
from lesson.walk import scenes
from lesson.walk.recorder import Recorder, is_shown_function
from lesson.walk.scenes import SCENES, THRESHOLD, WalkParts, find_step_kind, record_scenes
from lesson.widgets.walk import format_step

pytestmark = pytest.mark.slow
HELPERS = """
from agentlib import Tool


def demand(is_fine, problem):
    if not is_fine:
        raise ValueError(problem)


class MyTodo:
    fields = {name: {"type": "string"} for name in ("id", "text", "status", "activeForm")}
    items = ()

    def update(self, items):
        busy = [task for task in items if task["status"] == "in_progress"]
        before, self.items = self.items, [*items]
        try:
            demand(len(busy) < 2, "one at a time")
        except ValueError as problem:
            self.items = before
            raise ValueError(str(problem)) from None
        return self.render()

    def render(self):
        return str(self.items)
"""
DATACLASS = """
from dataclasses import dataclass


@dataclass
class MyNag:
    todo: object
    after: int = 3
    rounds: int = 0

    def __call__(self, calls):
        self.rounds = 0 if "todo" in [call.name for call in calls] else self.rounds + 1
        return self.text() if self.rounds >= self.after else None

    def text(self):
        return "<reminder>Update your todos.</reminder>"
"""
GENERATOR = CELLS["agent_loop"].replace(
    '        messages.append({"role": "user", "content": results})',
    """        messages.append(
            {"role": "user", "content": results}
        )
        yield results""",
)
STYLES = {
    "nothing": {},
    "solution": {name: CELLS[name] for name in ("agent_loop", "MyTodo", "MyNag")},
    "helpers": {"MyTodo": HELPERS, "MyNag": DATACLASS, "agent_loop": GENERATOR},
}


WRONG = CELLS["MyNag"].replace(f"after={defaults.AFTER}", "years=3, *, after")
# Of a loop: what is replaced, by what, and the reason that is told.
FAILS = {
    "an error": ("results = []", "results = tools.none", "AttributeError"),
    "no end": ("results = []", "while tools: pass", "does not end"),
    "no request": ("reply = client", "if tools: return\n        reply = client", "a request"),
}


def read_written():
    """Return the parts that are in files, also if they pass no exercise, and ours for the rest."""
    own = store.list_own()
    names = ("agent_loop", "MyTodo", "MyNag")
    parts = [getattr(my_agent if name in own else load_solutions(), name) for name in names]
    if "MyNag" not in own:
        parts[2] = load_plain_nag()  # which needs no `render`
    return WalkParts(*parts, "")


@pytest.fixture(autouse=True)
def own_folder(notebook_of):
    notebook_of()


def without_ids(messages):
    """Return messages as text, with the random ids of calls made equal."""
    ids: dict[str, str] = {}
    return re.sub(r"toolu_\w+", lambda id_: ids.setdefault(id_[0], f"id{len(ids)}"), messages)


def kinds_of(scene):
    return [find_step_kind(step) for step in scene.steps]


@pytest.mark.parametrize("style", STYLES)
def test_lines_that_reject_the_list_set_the_count_and_send_the_reminder_are_found(style):
    write_file(**STYLES[style])
    rejected, reminded = record_scenes(read_written())
    assert kinds_of(rejected).count("count") == kinds_of(reminded).count("count") == 1
    assert "error" in kinds_of(rejected) and "error" not in kinds_of(reminded)
    assert "sent" in kinds_of(reminded)[kinds_of(reminded).index("count") :]
    assert rejected.steps[-1].after.items == rejected.steps[0].before.items
    assert (rejected.steps[-1].after.waited, reminded.steps[-1].after.waited) == (0, THRESHOLD)
    assert reminded.steps[-1].after.is_reminded
    written = [format_step(step) for step in rejected.steps]
    assert all("raise ValueError" in line for line in written if "# ValueError: " in line)
    assert "self.rounds = 0" in next(line for line in written if "# self.rounds " in line)
    steps = [*rejected.steps, *reminded.steps]
    assert len(steps) < 90
    # A statement of several lines is one step.
    assert all(step.lines != later.lines or later.is_back for step, later in pairwise(steps))


@pytest.mark.parametrize("style", STYLES)
def test_recording_changes_nothing_and_each_line_that_is_shown_has_run(style, monkeypatch):
    write_file(**STYLES[style])
    parts, ran = read_written(), set()

    def note(frame, event, arg):
        if is_shown_function(frame.f_code):
            ran.add((frame.f_code.co_qualname, frame.f_lineno))
            return note

    tracer = sys.gettrace()
    scenes = record_scenes(parts)
    monkeypatch.setattr(Recorder, "begin", lambda recorder: None)
    states = []

    def end(recorder):
        states.append(recorder.read_state())
        return states  # something, because a scene without steps is an error

    monkeypatch.setattr(Recorder, "end", end)
    sys.settrace(note)
    try:
        record_scenes(parts)
    finally:
        sys.settrace(tracer)
    for scene, state in zip(scenes, states, strict=True):
        last = scene.steps[-1].after
        assert last._replace(messages=without_ids(last.messages)) == state._replace(
            messages=without_ids(state.messages)
        )
    shown = {(step.code.co_qualname, step.lines.first) for scene in scenes for step in scene.steps}
    assert len(shown) > 15 and shown - ran == set()


def test_slider_shows_what_has_run_of_our_short_solution_and_nothing_before():
    walk = Walk()
    names = {step.code.co_qualname for step in walk.steps}
    assert names == {"agent_loop", "TodoManager.update", "Nag.__call__"}
    assert "lp-error" not in walk._tape.value
    assert f"round <strong>{THRESHOLD + 3}</strong>" in walk._state.value
    at = kinds_of(walk.recorded.scenes[0]).index("error") + 1
    walk.line.value = at
    assert walk._tape.value.count("lp-error") == 1 and "lp-later" in walk._tape.value
    assert "only one item can be in_progress" in walk._code.value
    assert walk._code.value.count("lp-now") == 1
    assert walk.line.description == f"step {at} of {len(walk.steps)}"
    walk.replay.value = walk.line.max  # as Play does
    assert "lp-later" not in walk._tape.value and "▼ reminder" in walk._state.value
    assert f"round <strong>{THRESHOLD + 1}</strong>" in walk._state.value


@pytest.mark.parametrize("style", STYLES)
def test_line_that_the_reader_looks_for_is_ticked_when_the_reader_says_so(style):
    write_file(**STYLES[style])
    walk = Walk()
    names = ["rejects the list", "sets the count to 0", "puts the reminder into the messages"]
    assert [*walk.sought] == names and "✓" not in walk._sought.value
    size = len(walk.recorded.scenes[0].steps)
    assert walk.sought[names[0]][0] <= size < walk.sought[names[2]][0]
    for name in names:
        at = walk.sought[name][0]
        walk.line.value = at
        assert f"○ {name}" in walk._sought.value, "▶ and the slider tick nothing"
        walk.replay.playing = True
        walk.decide.click()
        assert not walk.replay.playing, "the next line would take the answer away"
        assert f"✓ line {walk.steps[at - 1].lines.first} {name}" in walk._sought.value
        assert walk.answer.startswith("Yes: it ") and name in walk.answer
    walk.line.value = 1  # they stay ticked
    assert walk._sought.value.count("✓") == walk.text().partition("Find: ")[2].count("✓ line") == 3


def test_only_the_right_lines_of_the_learner_are_ticked_and_no_error_that_was_caught():
    line = "        checked = []\n"
    caught = "        try:\n            items[99]\n        except IndexError:\n            pass\n"
    parts = STYLES["solution"] | {"MyTodo": CELLS["MyTodo"].replace(line, caught + line)}
    write_file(**parts)
    walk = Walk()
    assert kinds_of(walk.recorded.scenes[0]).count("error") == 2
    ticked = {name: [] for name in walk.sought}
    for at, step in enumerate(walk.steps, 1):
        walk.found.clear()
        walk.line.value = at
        walk.decide.click()
        for name in walk.found:
            ticked[name].append(format_step(step).split("    # ")[0][4:].strip())
    assert ticked == {
        "rejects the list": ['raise ValueError("only one item can be in_progress at a time")'],
        "sets the count to 0": ["self.rounds = 0"],
        "puts the reminder into the messages": [
            'results[-1]["content"] += "\\n\\n" + text',
            'messages.append({"role": "user", "content": results})',
        ],
    }


def test_a_wrong_line_is_told_what_it_does():
    walk = Walk()
    at = walk.sought["rejects the list"][0]
    walk.line.value = at - 1
    walk.decide.click()
    assert walk.answer.startswith("Not this one: it ") and not walk.found
    assert walk.answer in walk._sought.value
    walk.line.value = at
    assert walk.answer == ""


def test_marks_are_explained_and_the_functions_of_the_parts_are_named_above_their_lines():
    walk = Walk()
    legend = re.findall(r"</svg>([^<]+)</span>", walk._sought.value)
    kinds = {find_step_kind(step) for step in walk.steps}
    assert {KINDS[kind].meaning for kind in kinds} | {"not reached yet"} == {*legend}
    spans = r"style='--at:(\d+);--for:(\d+)' title='(\w+)\(\)'"
    calls = re.findall(spans, walk._tape.value)
    assert [name for _, _, name in calls] == ["update", "__call__", "__call__"]
    for start, size, name in calls:
        steps = walk.steps[int(start) : int(start) + int(size)]
        running = [[code.co_name for code in [*step.waits, step.code]] for step in steps]
        assert all(name in names for names in running)


def test_code_stays_where_it_is_while_the_line_is_in_view():
    walk = Walk()
    shown = {}
    for at, step in enumerate(walk.steps, 1):
        walk.line.value = at
        numbers = [int(n) for n in re.findall(r"<small>(\d+)</small>", walk._code.value)]
        before = shown.get(step.code, numbers)
        assert numbers == before or step.lines.first not in before
        assert step.lines.first in numbers
        shown[step.code] = numbers
    assert len(shown) == 3


def test_text_is_the_output_and_has_each_line(capsys):
    walk = Walk()
    data = walk._repr_mimebundle_()["text/plain"]
    assert data.endswith(walk.text()) and all(name in data for name, *_ in SCENES)
    assert "reply = a call of todo" in data and "reply = a call of read_file" in data
    counts = (f"{THRESHOLD} → 0", f"{THRESHOLD - 1} → {THRESHOLD}")
    assert all(f"self.rounds {change}" in data for change in counts)
    assert data.count("\n") > len(walk.steps) and "object at 0x" not in data
    assert capsys.readouterr().out == ""


def test_parts_that_pass_are_shown_and_what_the_code_prints_is_dropped(capsys):
    """A loop that has passed E1 alone does not use `remind`, which the second round needs."""
    line = "        checked = []\n"
    loud = CELLS["MyTodo"].replace(line, f"        print('here')\n{line}")
    write_file(agent_loop=FIRST["agent_loop"], MyTodo=loud, MyNag=WRONG)
    walk = Walk()
    assert "Yours: list. agentlib's: loop (yours needs E5), nag" in walk.text()
    assert "print('here')" in walk.text() and "years" not in walk.text()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("old, new, why", FAILS.values(), ids=FAILS)
def test_solution_is_shown_if_the_learners_code_does_not_run(old, new, why, monkeypatch):
    monkeypatch.setattr(scenes, "SECONDS", 1.0)  # until a loop that does not end is ended
    write_file(agent_loop=CELLS["agent_loop"].replace(old, new, 1))
    monkeypatch.setattr(your_parts, "find_open", lambda name, needed: "")
    walk = Walk()
    assert len(walk.steps) > 30 and "agentlib's: loop, list, nag." in walk.text()
    assert "does not run here" in walk.text() and why in walk.recorded.whose
