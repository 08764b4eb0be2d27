"""What the lesson needs in a browser, as far as an ordinary Python can try it.

The rest is tried in a real browser: see browser/test_live.py.
"""

import asyncio
import sys
import threading

import pytest

from agentlib import ConnectError
from lesson import connect, sample
from lesson.exercises.checking.timeout import OutOfTimeError, attempt
from lesson.widgets.background import Latest


@pytest.fixture
def no_threads(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


# Work without threads


def count_to_three(seen):
    for number in (1, 2, 3):
        seen.append(number)
        yield


def test_a_job_goes_on_between_what_a_reader_does(no_threads):
    seen = []

    async def page():
        Latest(pytest.fail).start(count_to_three(seen))
        assert seen == []
        while len(seen) < 3:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(page(), 30))


def test_a_newer_job_takes_the_place_of_one_that_has_begun(no_threads):
    old, new = [], []

    async def page():
        latest = Latest(pytest.fail)
        latest.start(count_to_three(old))
        while not old:
            await asyncio.sleep(0)
        latest.start(count_to_three(new))
        while len(new) < 3:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(page(), 30))
    assert old == [1]


def test_to_wait_for_a_job_is_to_do_it(no_threads):
    seen = []

    async def cell():
        latest = Latest(pytest.fail)
        latest.start(count_to_three(seen))
        latest.wait()
        assert seen == [1, 2, 3]

    asyncio.run(cell())


# A check's time limit without threads


def loop_for_ever():
    while True:
        pass


def catch_everything():
    while True:
        try:
            loop_for_ever()
        except Exception:
            pass


def call_for_ever(depth=0):
    return depth > 100 or [call_for_ever(depth + 1) for _ in range(10)]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python cannot be watched")
@pytest.mark.parametrize("code", [loop_for_ever, catch_everything, call_for_ever])
def test_code_that_does_not_end_is_ended(no_threads, code):
    outcome = attempt(code, seconds=0.1)
    assert isinstance(outcome.problem, OutOfTimeError)
    assert not outcome.is_stuck
    assert attempt(lambda: 7).value == 7


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python cannot be watched")
def test_code_in_time_is_left_alone(no_threads):
    outcome = attempt(lambda: print("done") or 7)
    assert (outcome.value, outcome.printed, outcome.problem) == (7, "done\n", None)


# No shell, no network


def test_a_command_comes_back_with_a_sentence_and_raises_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setenv("PATH", "/nowhere")
    said = sample("hello").bash("ls")
    assert said.startswith("There is no shell here, so nothing was run: a browser has none")
    assert said.endswith("(exit code 127)")


def test_a_real_model_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ConnectError, match="only the practice model, and some-model"):
        connect("some-model", env={"ANTHROPIC_API_KEY": "a key"})
