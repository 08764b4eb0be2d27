"""A learner's code is known, and its time limit ends loops of every kind, and nothing else."""

import gc
import os
import re
import signal
import subprocess
import sys
import time
from collections import OrderedDict
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

import exerciselib.learners_code
from agentlib.signatures import exhaust
from exerciselib.learners_code import OutOfTimeError, TimeLimit, attempt, is_learners

pytestmark = pytest.mark.slow


def loop():
    while True:
        pass


def comprehension():
    return [0 for _ in count() if _ < 0]


def generator():
    exhaust(iter(int, 1))


def read_a_reply():
    return sum(range(20_000))


def bare_except():
    """Go on after every error of a tool, as a learner's loop may."""
    while True:
        read_a_reply()
        try:
            sum(range(1000))
        except:  # noqa: E722
            pass


def stored_errors():
    kept = []
    while True:
        read_a_reply()
        try:
            sum(range(1000))
        except BaseException as error:
            kept.append(error)


def second_call():
    try:
        loop()
    except BaseException as error:
        kept = error
    return loop(), kept


@pytest.mark.parametrize("name", ["builtins.input", "getpass.getpass"])
def test_input_raises_at_once_and_shows_no_box(monkeypatch, name):
    monkeypatch.setattr(name, lambda prompt="": pytest.fail("the user was asked"))
    module, _, function = name.partition(".")
    got, _ = attempt(lambda: getattr(sys.modules[module], function)("Your name? "), seconds=2)
    assert "input('Your name? ') has nobody to answer it" in str(got.problem)
    with pytest.raises(pytest.fail.Exception, match="the user was asked"):
        getattr(sys.modules[module], function)()  # as before


@pytest.mark.parametrize(
    "code", [loop, comprehension, generator, bare_except, stored_errors, second_call]
)
def test_endless_loop_is_ended(code):
    got, _ = attempt(code, seconds=0.1)
    assert isinstance(got.problem, OutOfTimeError)
    assert str(got.problem).startswith("nothing within 0.")


@pytest.mark.parametrize("nap", [0.01, 60])
def test_sleep_is_ended_by_the_clock(monkeypatch, nap):
    monkeypatch.setattr(exerciselib.learners_code, "PATIENCE_SECONDS", 0.2)
    got, _ = attempt(lambda: [time.sleep(nap) for _ in count()], seconds=0.1)
    assert str(got.problem) == "nothing within 0.5 seconds of sleep"


def test_code_that_waits_for_its_turn_or_is_stopped_is_not_ended(monkeypatch):
    monkeypatch.setattr(exerciselib.learners_code, "PATIENCE_SECONDS", 0.2)
    done = []
    # One thread in nine has its turn, as on a busy machine, and the process is stopped for a while.
    others = [Thread(target=lambda: [None for _ in iter(lambda: done, ["yes"])]) for _ in range(8)]
    stops = f"sleep 0.3; kill -STOP {os.getpid()}; sleep 1.5; kill -CONT {os.getpid()}"

    def work():
        end = time.thread_time() + 0.15
        while time.thread_time() < end:
            pass

    with subprocess.Popen(["sh", "-c", stops]):
        for other in others:
            other.start()
        got, _ = attempt(work, seconds=0.2)
        done.append("yes")
        for other in others:
            other.join()
    assert got is None


def test_limit_goes_on_after_one_inside_it():
    inner = []
    with pytest.raises(OutOfTimeError, match="within 0.4 seconds of work"), TimeLimit(0.4):
        inner.append(attempt(loop, seconds=0.1)[0])
        loop()
    assert str(inner[0].problem).startswith("nothing within 0.")


class Forgotten:
    def __init__(self):
        self.itself = self  # so the garbage collector deletes it

    def __del__(self):
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            read_a_reply()


def collect_garbage():
    Forgotten()
    gc.collect()
    loop()


def test_alarm_inside_the_garbage_collector_ends_the_code_after_it_without_a_warning(monkeypatch):
    reported = []
    gc.collect()  # what other tests have left is not deleted under the alarm
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    got, printed = attempt(collect_garbage, seconds=0.1)
    assert isinstance(got.problem, OutOfTimeError) and printed == ""
    assert reported == []


def test_other_error_that_cannot_be_raised_is_reported(monkeypatch):
    reported = []
    monkeypatch.setattr("sys.unraisablehook", lambda it: reported.append(str(it.exc_value)))

    class Broken:
        def __del__(self):
            raise ValueError("broken")

    attempt(Broken, seconds=2)
    attempt(lambda: attempt(Broken, seconds=2) and None, seconds=2)
    assert reported == ["broken", "broken"]


def test_nothing_is_left_of_a_limit():
    reports = sys.unraisablehook
    kept = [attempt(code, seconds=0.05)[0] for code in (loop, bare_except)]
    assert sys.unraisablehook is reports
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    kept.clear()  # the last of these errors is deleted
    signal.raise_signal(signal.SIGALRM)  # one that comes late is ignored, and ends no kernel
    time.sleep(0.01)


def test_a_class_is_the_learners_unless_python_a_package_or_this_one_has_made_it():
    class Mine:
        """Defined in a test, which is like a cell."""

    assert is_learners(Mine)
    for other in (int, OrderedDict, pytest.Item, TimeLimit):
        assert not is_learners(other), other


def test_a_frame_and_what_is_shared_are_asked_in_one_function_each():
    folder = Path(exerciselib.__file__).parent
    files = [*folder.glob("*.py"), *(folder.parent / "lesson" / "exercises").rglob("*.py")]
    texts = {file.name: file.read_text("utf-8") for file in files}
    for asked, owner in {
        r"\bwalk_tb\(|extract_tb\(|co_filename": "learners_code.py",  # is_learners_frame
        r"__globals__|__kwdefaults__|__mro__ for": "restore.py",  # find_shared
    }.items():
        assert [name for name, text in texts.items() if re.search(asked, text)] == [owner]
