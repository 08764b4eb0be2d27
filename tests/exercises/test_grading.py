"""`planning-agent check` checks saved notebooks, also broken and hostile ones."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest
from exercises.cells import SOLUTIONS
from solutions import learners, solved
from support import processes

from agentlib.safety import bubblewrap
from lesson import check_kept
from lesson.exercises.catalogue import EXERCISES
from lesson.exercises.grading.check_notebooks import (
    MAX_NOTEBOOK_BYTES,
    NO_EXERCISES,
    check_exercises,
    check_notebook,
    read_cells,
)
from lesson.exercises.grading.command import main
from lesson.exercises.grading.process import run_worker
from lesson.exercises.grading.students import find_students
from lesson.exercises.grading.table import disarm

SOLVED = solved("s04_exercises")
KEPT = SOLUTIONS["kept"]
RULES = check_kept.exercise.rules
SLOW = {"ask_the_list", "ask_the_files"}  # these checks play whole runs
UNSOLVED = "class PriorityTodo(TodoManager):\n    pass"


def save(path, *more, **sources):
    """Save s05 and s04 solved, without SLOW exercises, with other sources and `more` cells."""
    files = (solved("s05_at_the_stop"), SOLVED)
    cells = [one for file in files for one in json.loads(file.read_text(encoding="utf-8"))["cells"]]
    cells = [cell for cell in cells if SLOW.isdisjoint(cell["metadata"].get("tags", ()))]
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        if tags[:1] == ["exercise"] and tags[1] in sources:
            cell["source"] = sources[tags[1]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": [*more, *cells, *more]}), encoding="utf-8")
    return path


def check_one(path, exercise):
    """Check one exercise of a notebook."""
    chosen = [one for one in EXERCISES if one.name == exercise]
    [checked] = check_exercises(chosen, read_cells(path))
    return checked


def run_cell(source):
    """Run a cell as the grader does, and return what is said about it."""
    answers, _ = run_worker({"cells": [source], "exercises": {"kept": [0]}})
    return " ".join(answers[0]["said"])


# Results


@pytest.mark.parametrize("name", ["s03_todo_write", "s06_your_agent"])
def test_lesson_notebooks_are_checked_without_tags_and_ids(name, tmp_path):
    notebook = json.loads(solved(name).read_text(encoding="utf-8"))
    for number, cell in enumerate(notebook["cells"]):
        cell |= {"metadata": {}, "id": f"cell-{number}"}
    path = tmp_path / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    checked = check_notebook(path)
    assert {one.exercise.notebook for one in checked.checked} == {name}
    assert checked.ok, checked


def test_unchanged_notebook_is_not_begun():
    assert not check_one(learners("s04_exercises"), "priority").result.begun


def test_only_the_cells_of_exercises_are_run_and_each_may_use_earlier_ones(tmp_path):
    wrong = UNSOLVED.replace("pass", "def update(self, items):\n        return self.no\n")
    code = f"print(Trial, Board, Player, check_kept, TimedTodo)\n{KEPT}"
    end = {"cell_type": "code", "metadata": {"tags": ["check"]}, "source": "import os; os._exit(1)"}
    said = str(check_notebook(save(tmp_path / "a.ipynb", end, priority=wrong, kept=code)))
    assert "[not yet] A list without priorities still works" in said
    assert "Your code: line 3: return self.no\n" in said
    assert "PriorityNag: all 7 rules pass. It was tried with our list" in said
    assert "[kept] KeptTodo: all " in said and "stopped" not in said
    assert "[ask_the_list] No code cell has its tag." in said


@pytest.mark.parametrize(
    "lines", ["exit()\n!ls\nNag?\nimport asyncio\nawait asyncio.sleep(0)\ndisplay(7)", "%%time"]
)
def test_ipython_syntax_is_accepted(tmp_path, lines):
    checked = check_one(save(tmp_path / "a.ipynb", kept=f"{lines}\n{KEPT}"), "kept")
    assert checked.ok and "stopped" not in checked.text, checked


def test_error_of_a_cell_is_explained(tmp_path):
    sources = {
        "kept": f"{KEPT}\nprint(unknown)",
        "priority": "text = 'A'\ntext +",
        "priority_nag": "import sys; sys.exit(0)",
        "timed": "a = 1",
    }
    notebook = check_notebook(save(tmp_path / "a.ipynb", **sources))
    said = {one.exercise.name: one.text for one in notebook.checked}
    assert "in line 12: print(unknown)." in said["kept"]
    assert "KeptTodo: all 6 rules pass" in said["kept"]
    assert "SyntaxError: invalid syntax (" in said["priority"]
    assert "SystemExit" in said["priority_nag"]
    assert said["timed"] == "Its cell does not define TimedTodo."


@pytest.mark.slow
def test_line_of_an_endless_loop_is_named_also_if_ipython_is_interrupted_after_it():
    # On a busy machine, the time limit raises again before IPython has finished the cell.
    busy = r"""exec("def hook(_):\n while True: number = 1")
get_ipython().events.register("post_run_cell", hook)
while True: pass"""
    said = run_cell(busy)
    assert "OutOfTimeError: nothing within " in said and " in line 3: while True: pass." in said


@pytest.mark.parametrize("states", [["yes"] * 50, ["maybe"] * 9, "yes"])
def test_forged_answer_that_cannot_be_true_is_rejected(tmp_path, states):
    source = f"_worker.check_exercise = lambda name: {{'states': {states!r}}}"
    checked = check_notebook(save(tmp_path / "a.ipynb", priority=source))
    assert "cannot be read" in checked.problem and not checked.checked


# Right code in several cells

COUNTING = """
class MyNag{base}:
    def __init__(self, after=3):
        self.after, self.rounds = after, 0

    def __call__(self, calls):
        self.rounds = {count}
        return {text} if self.rounds >= self.after else None
"""
COUNT = "0 if any(one.name == 'todo' for one in calls) else self.rounds + 1"
TEXT = "'<reminder>Update your todos.</reminder>'"
IS_TODO = "def is_todo(call):\n    return call.name == 'todo'\n"
HELPED = "0 if any(map(is_todo, calls)) else self.rounds + 1"


def nag(base="", count=COUNT, text=TEXT):
    """Return the code of a right MyNag that uses these names of other cells."""
    return COUNTING.format(base=base, count=count, text=text)


def save_cells(path, *sources):
    """Save a notebook with these cells, of which the one with "# here" is the exercise's."""
    cells = [
        {"cell_type": "code", "metadata": {"tags": tags}, "source": source}
        for source in sources
        for tags in [["exercise", "nag"] if "# here" in source else []]
    ]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "cells",
    {
        "import": [
            "import re",
            "# here" + nag(text="re.sub('X', 'todos', '<reminder>Update your X.</reminder>')"),
        ],
        "from import": ["from math import floor", "# here" + nag(count=f"floor({COUNT})")],
        "star import": ["from math import *", "# here" + nag(count=f"floor({COUNT})")],
        "future import": ["from __future__ import annotations", "# here" + nag()],
        "constant": [f"TEXT = {TEXT}", "# here" + nag(text="TEXT")],
        "computed": [f"PARTS = [*{TEXT}]", "TEXT = ''.join(PARTS)", "# here" + nag(text="TEXT")],
        "helper": [IS_TODO, "# here" + nag(count=HELPED)],
        "helper below": ["# here" + nag(count=HELPED), IS_TODO],
        "helper written twice": ["is_todo = 3", "def (", IS_TODO, "# here" + nag(count=HELPED)],
        "helper after %%time": ["%%time\n" + IS_TODO, "# here" + nag(count=HELPED)],
        "helper with a shell command": ["!ls\n" + IS_TODO, "# here" + nag(count=HELPED)],
        "base class": ["class Base:\n    pass", "# here" + nag(base="(Base)")],
        "decorator": ["def same(cls):\n    return cls", "# here\n@same" + nag()],
        "if and else": [
            f"if True:\n    TEXT = {TEXT}\nelse:\n    TEXT = None",
            "# here" + nag(text="TEXT"),
        ],
        "partial of a helper": [
            "from functools import partial",
            "def counted(name, calls):\n    return any(one.name == name for one in calls)",
            "has_todo = partial(counted, 'todo')",
            "# here" + nag(count="0 if has_todo(calls) else self.rounds + 1"),
        ],
        "method added below": [
            "# here\nclass MyNag:\n    def __init__(self, after=3):\n"
            "        self.after, self.rounds = after, 0",
            nag().replace("class MyNag", "class Counting"),
            "MyNag.__call__ = Counting.__call__",
        ],
        "solution below": ["# here\nclass MyNag:\n    pass", nag()],
        "experiment below": ["# here" + nag(), "class MyNag:\n    pass"],
    }.items(),
    ids=lambda cells: cells[0],
)
def test_right_code_that_is_spread_over_cells_passes(tmp_path, cells):
    checked = check_one(save_cells(tmp_path / "a.ipynb", *cells[1]), "nag")
    assert checked.ok, checked.text


def test_name_in_a_notebook_without_exercises_is_no_solution():
    assert check_notebook(learners("00_start_here")).problem == NO_EXERCISES


# Limits


def test_a_notebook_has_one_deadline():
    cell = "import threading; threading.Event().wait()"
    request = {"cells": [cell], "exercises": {"kept": [0]}}
    answers, said = run_worker(request, seconds=0.1)
    assert answers == [] and said.startswith("The notebook took longer than 0.1 seconds, and")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory this way")
def test_memory_is_limited():
    assert "MemoryError" in run_cell("hog = bytearray(8 * 2**30)")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_processes_are_killed():
    assert run_cell("import subprocess\nsubprocess.Popen(['sleep', '86399.25'])") == ""
    assert processes.gone("sleep", "86399.25")


DEEP_FOLDERS = """import os
os.chdir(os.environ["HOME"])
for _ in range(3000):
    os.mkdir("a")
    os.chdir("a")
"""
READ_KEYS = """from contextlib import suppress
from pathlib import Path
found = b""
for one in Path("/proc").glob("[0-9]*/environ"):
    with suppress(OSError):
        found += one.read_bytes()
raise ValueError("key found" if b"SECRET-OF-THE-TEACHER" in found else "no key")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("is_sandboxed", [True, False])
def test_keys_are_out_of_reach_also_without_a_sandbox(tmp_path, is_sandboxed):
    path = save_cells(tmp_path / "a.ipynb", f"# here\n{READ_KEYS}")
    command = [Path(sys.executable).with_name("planning-agent"), "check", path]
    env = {"PATH": os.environ["PATH"] if is_sandboxed else str(tmp_path), "HOME": str(tmp_path)}
    key = {"ANTHROPIC_API_KEY": "SECRET-OF-THE-TEACHER"}
    done = subprocess.run(command, env=env | key, capture_output=True, encoding="utf-8")
    assert "ValueError: no key" in done.stdout, done.stdout + done.stderr
    works = is_sandboxed and bubblewrap.works()
    assert ("There is no sandbox here" in done.stderr) == (not works)


@pytest.mark.skipif(not bubblewrap.works(), reason="bubblewrap is not installed")
def test_notebook_sees_no_other_and_leaves_nothing_on_the_disk(tmp_path, monkeypatch):
    # In this repository, no folder is hidden because it is a home folder or a temporary one.
    folder, gone = (Path(__file__).parents[2] / "build" / one for one in ("a class", "gone"))
    mine = f"# here\nraise ValueError([*__import__('os').walk({str(folder)!r})])"
    try:
        (folder / "ada").mkdir(parents=True)
        (folder / "ada" / "a.ipynb").write_text("right")
        checked = check_notebook(save_cells(folder / "b.ipynb", mine), [folder, gone])
    finally:
        shutil.rmtree(folder)
    assert f"ValueError: [('{folder}', [], [])]" in str(checked)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = save_cells(tmp_path / "c.ipynb", "# here\n" + DEEP_FOLDERS)
    before = [*tmp_path.iterdir()]
    checked = check_notebook(path)
    assert "does not define MyNag" in str(checked) and "stopped" not in str(checked)
    assert [*tmp_path.iterdir()] == before


def test_error_message_does_not_look_like_another_notebook(tmp_path):
    path = save_cells(tmp_path / "a.ipynb", "# here\nraise ValueError('x\\n\\nben.ipynb\\n')")
    assert "ben.ipynb" in str(check_notebook(path))
    assert [one for one in str(check_notebook(path)).splitlines() if one[:1].strip()] == [str(path)]


def test_giant_notebook_is_not_read(tmp_path):
    with (tmp_path / "a.ipynb").open("wb") as file:
        file.truncate(MAX_NOTEBOOK_BYTES + 1)
    assert check_notebook(tmp_path / "a.ipynb").problem.startswith("It has more than 50 MB.")


@pytest.mark.skipif(not bubblewrap.works(), reason="bubblewrap is not installed")
def test_cells_run_in_the_sandbox(tmp_path):
    said = run_cell(f"open({str(tmp_path / 'out')!r}, 'w').close()")
    assert "stopped with" in said and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "damaged"),
        (b"[" * 100_000, "damaged"),
        ('{"cells": []}'.encode("utf-16"), "tagged exercise"),
        (b'{"cells": [{"cell_type": "code", "metadata": {"tags": 5}, "source": 7}]}', "damaged"),
    ],
)
def test_file_that_is_no_notebook_is_reported(tmp_path, capsys, content, words):
    path = tmp_path / "a\x1b[2J.ipynb"
    path.write_bytes(content)
    assert main([str(path)]) == 1
    printed = capsys.readouterr().out
    assert words in printed and "a\ufffd[2J.ipynb" in printed


def test_command_loads_nothing_from_the_folder_that_it_checks(tmp_path):
    for name in ("IPython", "lesson", "agentlib", "pydantic", "json", "random", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    shutil.copy(SOLVED, tmp_path)
    program = Path(sys.executable).with_name("planning-agent")
    done = subprocess.run(
        [program, "check", ".", "--csv"], cwd=tmp_path, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    header, row = done.stdout.splitlines()  # a single student needs no row about the class
    assert header == "\ufeffstudent,passed,notes,priority,priority_nag,timed"
    assert row.endswith(",3,,yes,yes,yes")


# The table


def find(folder, *files, given="."):
    """Return the students who are found for these empty files, and how many files each has."""
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    return {name: len(paths) for name, paths in find_students([str(folder / given)]).items()}


def test_a_student_is_a_folder_whatever_copies_are_in_it(tmp_path):
    copies = ["s04_exercises", "s04_exercises-Copy1", "s04_exercises (1)", "mine"]
    hidden = [".ipynb_checkpoints/s04_exercises", "solutions/a"]
    ada = [f"ada/my_lesson/{one}.ipynb" for one in (*copies, "old/s02_tool_use", *hidden)]
    assert find(tmp_path, *ada, "ben/loesung.ipynb") == {"ada": 5, "ben": 1}
    assert find(tmp_path, given="ada/my_lesson/s04_exercises.ipynb") == {"my_lesson": 1}


def test_a_student_may_be_called_solutions(tmp_path):
    assert find(tmp_path, "ada/a.ipynb", "solutions/b.ipynb") == {"ada": 1, "solutions": 1}
    assert find(tmp_path, "ada/solutions/s04_exercises.ipynb", given="ada") == {"a": 1}


def test_a_student_is_the_beginning_of_a_name_in_a_flat_download(tmp_path):
    meier = [f"Ada Meier_4711_file_{name}.ipynb" for name in ("s02_tool_use", "s04_exercises (2)")]
    found = find(tmp_path, *meier, "ben.ipynb", "cleo-1.ipynb", "dan_s04_exercises-3.ipynb")
    assert found == {"Ada Meier_4711_file": 2, "ben": 1, "cleo-1": 1, "dan": 1}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return the table of a class, by student, and what was printed while it was made."""
    folder = tmp_path_factory.mktemp("class")
    kept = KEPT.replace('{i["id"], i["text"]}', '{i["id"]}')
    save(folder / "ada/my_lesson/s04_exercises.ipynb", priority=UNSOLVED, kept=kept)
    save(folder / "ada/my_lesson/s04_exercises-Copy1.ipynb", kept="KeptTodo = 3")
    (folder / "ada/my_lesson/00_start_here.ipynb").write_text('{"cells": []}')
    save(
        folder / "ben/s04_exercises.ipynb",
        kept="import os; os._exit(1)",
        priority_nag="class MyList: pass",
    )
    (folder / "=HYPERLINK(1)").mkdir()
    (folder / "=HYPERLINK(1)/s04_exercises.ipynb").write_text("oops")
    (folder / "dora").mkdir()
    (folder / "dora/s04_exercises.ipynb").symlink_to("../ada/my_lesson/s04_exercises.ipynb")
    (folder / "emil").symlink_to("ada")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "dora/pipe.ipynb")
    printed, progress = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(progress):
        assert main([str(folder), "--csv", "--rules"]) == 1
    rows = csv.DictReader(io.StringIO(printed.getvalue()))
    return {row["student"]: row for row in rows}, progress.getvalue()


def test_table_has_one_row_per_student_and_one_column_per_rule(table):
    rows, progress = table
    assert list(rows) == ["'=HYPERLINK(1)", "ada", "ben", "dora", "not yet"]
    assert progress.startswith("1 of 4: =HYPERLINK(1)\n2 of 4: ada\n")
    ada, last = rows["ada"], rows["not yet"]
    assert (ada["priority"], ada["kept"], ada["priority_nag"]) == ("yes", "not yet", "yes")
    assert [ada[f"kept: {rule.title}"] for rule in RULES] == [*"110111"]
    assert ada["kept: first miss"].startswith(RULES[2].title)
    assert "00_start_here" not in ada["notes"]
    assert (ada["passed"], rows["ben"]["passed"], last["passed"]) == ("3", "2", "")
    title = f"kept: {RULES[2].title}"  # two students have handed in nothing that can be counted
    assert (last["kept"], last[title], last["priority_nag"]) == ("2 of 2", "2 of 2", "1 of 2")
    assert disarm("a;=1\x1b[2J") == "a,=1\ufffd[2J"  # some spreadsheets separate with semicolons
    assert disarm("a\t=1") == "a =1" and disarm("\t=1") == "' =1"


def test_notes_name_what_could_not_be_checked(table):
    rows, _ = table
    assert "damaged" in rows["'=HYPERLINK(1)"]["notes"] and rows["'=HYPERLINK(1)"]["kept"] == ""
    ben = rows["ben"]
    assert "priority_nag: Its cell does not define PriorityNag." in ben["notes"]
    assert "kept: The process ended (exit code 1), and this was not checked." in ben["notes"]
    assert (ben["kept"], ben["timed"], ben["priority_nag"]) == ("", "yes", "")
    assert "s04_exercises.ipynb: It is a link to another place" in rows["dora"]["notes"]


def test_folder_without_notebooks_is_reported(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "there is no notebook in" in capsys.readouterr().err


# The recipe for copies that a teacher can open


def test_cleaned_copies_contain_no_code_that_runs_when_they_are_opened(tmp_path):
    """Run the lines of docs/teach.md."""
    text = (Path(__file__).parents[2] / "docs" / "teach.md").read_text(encoding="utf-8")
    recipe = re.search(r"    cp -rP FOLDER COPIES .*\n    find COPIES .*\n", text)[0]
    folder = tmp_path / "FOLDER" / "ada"
    (folder / "IPython").mkdir(parents=True)
    for name in ("ipykernel_launcher.py", "IPython/__init__.py", "homework.IPYNB", ".hidden.py"):
        (folder / name).write_text("{}")
    (folder / "link.ipynb").symlink_to("/etc/passwd")
    (folder / "folder.ipynb").symlink_to("/etc")
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": {"a": "<script>"}}}
    output = nbformat.v4.new_output("display_data", {"text/html": "<script>"})
    cell = nbformat.v4.new_code_cell("1 + 1", outputs=[output], metadata={"x": "<script>"})
    made = nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": widgets})
    nbformat.write(made, folder / "it's mine.ipynb")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = os.environ | {"PATH": path}
    subprocess.run(["bash", "-euc", recipe], cwd=tmp_path, env=env, check=True)
    [left] = [one for one in (tmp_path / "COPIES").rglob("*") if not one.is_dir()]
    assert left.name == "it's mine.ipynb"
    assert nbformat.read(left, 4).cells[0].source == "1 + 1"
    assert "<script>" not in left.read_text(encoding="utf-8")
