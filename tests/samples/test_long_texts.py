"""Time that grows with the square of a text: a long one would hang the end of a run.

The limit of processor time is far more than each trial needs, and it would miss it by far if the
time grew with the square: a busy machine changes nothing.
"""

from pathlib import Path

import httpx2
import pytest

from exerciselib.learners_code import TimeLimit
from lesson import sample
from lesson.practice.policy.recognize import FILE_NAME
from lesson.program.cells import MAGIC
from lesson.samples.jobs import load_job
from safetylib.guard.edits import show_lines
from safetylib.wire.refusals import server_message

pytestmark = pytest.mark.release
SECONDS = 10  # of processor time; each trial needs less than one


def judge(**files):
    """Judge the ten steps with these files; `_py` and `_md` are the ends of their names."""
    workspace = sample("ten_steps")
    for name, text in files.items():
        Path(workspace.root, name.replace("_py", ".py").replace("_md", ".md")).write_text(text)
    assert load_job("ten_steps").find_done(workspace.root) == (False,) * 10


TRIALS = {
    "a file of carriage returns": lambda: show_lines("\r" * 1_000_000),
    "a page of brackets": lambda: server_message(httpx2.Response(500, text="<" * 1_000_000)),
    "a cell of spaces": lambda: MAGIC.match(" " * 400_000),
    "a reminder of one word": lambda: FILE_NAME.findall("a" * 400_000),
    "a word in README.md": lambda: judge(README_md="a" * 98_000),
    "names in README.md": lambda: judge(
        README_md="python shop.py" + " m899.py" * 12_000, **{f"m{n}_py": "" for n in range(900)}
    ),
    "a chain of functions": lambda: judge(
        more_py="".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(3_500))
        + "def f3500():\n    print()\n"
    ),
    "a module and its attributes": lambda: judge(
        more_py="import books\n" * 2_000 + "books.x\n" * 8_000
    ),
    "tests with one helper": lambda: judge(
        test_py="from pricing import *\ndef helper():\n"
        + "    assert a(b)\n" * 2_500
        + "".join(f"def test_{n}(): helper()\n" for n in range(1_500))
    ),
    "functions in each other": lambda: judge(
        orders_py="".join(" " * n + f"def f{n}():\n" for n in range(90))
        + " " * 90
        + "a(b);" * 5_000
    ),
}


@pytest.mark.parametrize("trial", TRIALS)
def test_time_does_not_grow_with_the_square_of_a_text(trial):
    with TimeLimit(SECONDS):
        TRIALS[trial]()
