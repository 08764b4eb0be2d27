"""NagSlider in a kernel, moved by the messages that JupyterLab sends, also while a cell runs."""

import sys
import threading

import pytest
from support.kernel import running_kernel

from agentlib import TodoManager
from lesson import Seat, Walk
from lesson.runs.run import Run
from lesson.widgets.nag_slider import THRESHOLD_LABEL
from lesson.widgets.run_view import RunView

pytestmark = pytest.mark.release
START = """
import threading, time
from agentlib import Nag
from lesson import NagSlider
from lesson.widgets import nag_slider

class Endless(Nag):
    def __call__(self, calls):
        while self.after == 9:
            pass
        return super().__call__(calls)

widget, begun = NagSlider(nag=Endless, after=3), []
play = widget._play
def note(setting):
    begun.append(threading.current_thread() is threading.main_thread())
    return play(setting)
widget._play = note
widget._settings = lambda: [widget.setting]  # and none of its neighbours
last = widget.after.model_id
"""
FORGET = "widget.results.clear(); widget.tried.clear(); begun.clear(); last = True"
SIGN = """
result = widget.results.get(nag_slider.Setting({after}, 12))
last = (result.sign, result.problem, [*begun]) if result else None
"""
LABEL = "last = widget.after.description"


@pytest.fixture(scope="module")
def kernel():
    with running_kernel() as kernel:
        yield kernel


def test_endless_code_of_a_learner_is_ended_at_each_move_idle_and_busy(kernel):
    slider = kernel.run(START)
    for is_busy, moves in ((False, [9]), (False, [6, 9]), (True, [9, 4, 9])):
        kernel.run(FORGET)
        cell = kernel.begin("time.sleep(1); last = True") if is_busy else None
        for after in moves:
            kernel.move(slider, after)
        if cell:
            assert kernel.end(cell)
        sign, problem, begun = kernel.run_until(SIGN.format(after=9)) or ("", "", [])
        assert sign == "!" and "It does not end" in problem, moves
        assert begun and all(begun), moves
        assert kernel.run(LABEL) == f"{THRESHOLD_LABEL}: 9"


def test_two_moves_never_play_at_the_same_time(kernel):
    count = """
running, most = 0, 0
def note(setting):
    global running, most
    for _ in play(setting):
        running += 1; most = max(most, running); time.sleep(0.01); running -= 1
        yield
widget._play = note; last = True
"""
    slider = kernel.run(START)
    kernel.run(FORGET + "\n" + count)
    for after in (5, 6, 7, 8, 6):
        kernel.move(slider, after)
    # Of moves at the same moment, the kernel's last one was not always the last one sent.
    last = "last = widget.setting in widget.results and widget.results[widget.setting].sign"
    assert kernel.run_until(last) in ("10", "3")
    assert kernel.run("last = most") == 1


class Own(TodoManager):
    """A list of a learner's."""

    def line(self, item):
        return super().line(item)


def test_no_other_widget_runs_code_of_a_learner_when_it_is_moved():
    """Only the slider plays a run in a callback, so only it needs the main thread."""
    view, walk, seat = RunView(Run("hello", todo=Own).play()), Walk(), Seat()
    ran = []

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename == __file__:
            ran.append(frame.f_code.co_name)

    def move():
        sys.setprofile(note)
        try:
            for at in (1, 2):
                view.round.value = walk.line.value = at
            view.see.value = True
            walk.decide.click()
            seat.answer.value = "tests"
            seat.compare.click()
        finally:
            sys.setprofile(None)

    thread = threading.Thread(target=move)
    thread.start()
    thread.join()
    assert not ran
