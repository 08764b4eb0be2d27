"""The judges of the small jobs: what is there counts, not how it is written."""

import pytest
from steps_done.states import after
from support.nags import PlainNag

from lesson.runs.run import Run
from lesson.samples.jobs import load_job
from lesson.samples.project_files import ProjectFiles

JOBS = ["hello", "package", "style", "analyze"]


def find_missing(job, files):
    """Return the numbers of the steps, from 0, that these files do not show."""
    project = ProjectFiles(tuple(sorted(files.items())))
    steps = load_job(job).steps
    return [number for number, step in enumerate(steps) if not step.done(project)]


@pytest.mark.parametrize("job", JOBS)
def test_each_step_is_done_after_its_actions_and_stays_done(job):
    size = len(load_job(job).steps)
    for number in range(size + 1):
        assert find_missing(job, after(job, number)) == [*range(number, size)]


UTILS = "from re import sub\n\ndef slugify(t, sep='-'):\n    return sep.join(t.lower().split())\n"
MORE = (
    "def word_count(x):\n    n = len(x.split())\n    return n\ndef truncate(*a):\n    return a[0]\n"
)
TESTS = (
    "from kit import utils\ndef test_all():\n    assert utils.slugify('a') + utils.truncate('b')\n"
)
MINE = {
    "kit/utils.py": UTILS + MORE,
    "kit/__init__.py": "from .utils import *\n",
    "tests/test_utils.py": TESTS + "    utils.word_count('')\n",
}


@pytest.mark.parametrize(
    "changes, missing",
    [
        ({}, []),
        (
            {"kit/__init__.py": "from kit.utils import slugify, word_count, truncate as truncate"},
            [],
        ),
        ({"kit/utils.py": UTILS + "def word_count(x): pass\n"}, [1, 2]),
        ({"kit/__init__.py": "from .utils import slugify"}, [3]),
        ({"tests/test_utils.py": TESTS}, [4]),
        ({"tests/test_utils.py": "# slugify(), word_count(), truncate()"}, [4]),
        ({"kit/utils.py": "def slugify(: "}, [0, 1, 2]),
    ],
)
def test_a_package_of_another_style_is_accepted_and_half_of_one_is_not(changes, missing):
    assert find_missing("package", MINE | changes) == missing


@pytest.mark.parametrize(
    "file, old, new, missing",
    [
        ("stats.py", "temps = known(readings)", "values = known(readings); temps = values", []),
        ("stats.py", "import statistics", "from statistics import *", [1]),
        ("stats.py", "is None", "== None", [1]),
        ("readings.py", "skip=()", "skip=[]", [0]),
        ("readings.py", "except (TypeError, ValueError)", "except", [0]),
        ("report.py", "def show(temp):", "short = lambda t: t\n\n\ndef show(temp):", [2]),
        ("report.py", "import readings", "import os, readings", [2]),
        ("REVIEW.md", "stats", "statistics are fine; st", [3]),
        ("hello.py", "list[str]", "list", []),
        (
            "hello.py",
            "    main()\n",
            "    for line in greet_all(people):\n        print(line)\n",
            [],
        ),
        ("hello.py", "def main() -> None:", "def main():", [0]),
        ("hello.py", "name: str", "name", [0]),
        ("hello.py", '"""Say hello to everybody on a list."""', "# says hello", [1]),
        ("hello.py", '"""Say hello to everybody on a list."""', '"""Greet."""', []),
        (
            "hello.py",
            '"""Say hello to everybody on a list."""',
            '"""\u6328\u62f6\u3059\u308b"""',
            [],
        ),
        ("hello.py", '"""Say hello to everybody on a list."""', '"""  """', [1]),
        ("hello.py", '"""Greet everybody on the list, then the whole world."""', "pass", [1]),
        ("hello.py", "\n\nif __name__", "print(people)\n\n\nif __name__", [2]),
        ("hello.py", "    main()\n", "    pass\n", [2]),
        ("hello.py", "people = [", "people = (", [0, 1, 2]),
    ],
)
def test_a_flaw_that_is_left_is_seen_in_its_file_only(file, old, new, missing):
    job = "hello" if file == "hello.py" else "style"
    files = after(job)
    assert old in files[file]
    assert find_missing(job, files | {file: files[file].replace(old, new)}) == missing


def test_a_late_reminder_ticks_a_list_although_the_tests_of_the_package_are_missing():
    """The first cell of s04b; what is missing is seen by a command as well."""
    run = Run("package", after=7, nag=PlainNag).play()
    assert {item["status"] for item in run.items} == {"completed"}
    assert run.done == (True, True, True, True, False)
    output, _ = run.workspace.run_command("python -m unittest tests/test_utils.py")
    assert "FAILED" in output
    assert Run("package", after=7, nag=PlainNag, missing="list").play().steps_done == 4
    assert Run("package", after=7, nag=PlainNag, missing="files").play().steps_done == 5


@pytest.mark.parametrize(
    "old, new, missing",
    [
        ("- load:", "`load()` is one function:", []),
        ("- load:", "- reload:", [0]),
        ("## stats.py", "## stats.pyc", [1, 3]),
        ("- by_station", "- station", [2]),
        ("## report.py", "report.py imports stats.py and readings.py: it is the program", []),
        ("report.py imports readings.py", "readings.py imports", [3]),
    ],
)
def test_a_description_needs_each_function_in_any_words(old, new, missing):
    files = after("analyze", 4)
    text = files["STRUCTURE.md"]
    assert old in text
    if "imports" not in new:
        text = text.replace("report.py imports readings.py and stats.py", "", missing.count(3))
    changed = files | {"STRUCTURE.md": text.replace(old, new)}
    assert find_missing("analyze", changed) == missing
