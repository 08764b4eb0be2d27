"""`planning-agent check` checks saved notebooks, also broken and hostile ones."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from exercises.cells import SOLUTIONS
from solutions import learners, solved
from support import processes

from agentlib.sandbox import bubblewrap
from lesson.exercises import catalogue
from lesson.exercises.check_kept import RULES
from lesson.exercises.grading.bets import read_bets
from lesson.exercises.grading.command import main
from lesson.exercises.grading.kernel import CellStoppedError, Session
from lesson.exercises.grading.notebooks import (
    CHECK_SECONDS,
    NOTEBOOK_SECONDS,
    Cell,
    check_exercise,
    check_notebook,
    choose_exercises,
    find_setup,
    read_cells,
)
from lesson.exercises.grading.students import find_students
from lesson.exercises.grading.table import disarm
from lesson.practice.models import MODELS
from lesson.runs.measured import Setting, measured
from lesson.svg import LIGHT

EXERCISES = [one for one in catalogue.EXERCISES if one.notebook == "exercises"]
LEARNERS, SOLVED = learners("exercises"), solved("exercises")
SOLUTION, KEPT = SOLUTIONS["timed"], SOLUTIONS["kept"]


@pytest.fixture
def saved(tmp_path):
    """Return a function that saves the solved notebook with some exercise cells replaced.

    `edit` returns the cells to save.
    """

    def save(name="exercises.ipynb", edit=list, **sources):
        notebook = json.loads(SOLVED.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            tags = cell["metadata"].get("tags", [])
            if tags[:1] == ["exercise"] and tags[1] in sources:
                cell["source"] = sources[tags[1]]
        notebook["cells"] = edit(notebook["cells"])
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path

    return save


@pytest.fixture(scope="module")
def kernel():
    """Return a kernel that many tests share."""
    with Session([], 3600) as session:
        yield session


FORGET = "for _one in _worker.EXERCISES:\n    for _it in _one.subjects: globals().pop(_it, None)"


@pytest.fixture
def outcome(kernel):
    """Return a function that checks one exercise of a notebook, in the shared kernel by default."""

    def check(path, exercise, session=kernel):
        chosen = next(one for one in catalogue.EXERCISES if one.name == exercise)
        cells = read_cells(path)
        setup = (FORGET, *find_setup([chosen], cells))
        session.done = [(source, CHECK_SECONDS) for source in setup]
        for source in setup:
            session.execute(source, CHECK_SECONDS)
        return check_exercise(session, chosen, cells)

    return check


# Results


@pytest.mark.parametrize("name", ["s02_tool_use", "s03_todo_write", "your_agent"])
def test_lesson_notebooks_are_checked_without_tags_and_ids(name, tmp_path, outcome):
    notebook = json.loads(solved(name).read_text(encoding="utf-8"))
    for number, cell in enumerate(notebook["cells"]):
        cell |= {"metadata": {}, "id": f"cell-{number}"}
    path = tmp_path / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    exercises = choose_exercises(read_cells(path))
    assert {one.notebook for one in exercises} == {name}
    for one in exercises:
        checked = outcome(path, one.name)
        assert checked.ok, checked.text


def test_unchanged_notebook_is_not_begun(outcome):
    assert not any(outcome(LEARNERS, one.name).result.begun for one in EXERCISES)


def test_only_the_cells_of_exercises_are_run_and_each_may_use_earlier_ones(saved):
    wrong = (
        "class PriorityTodo(TodoManager):\n    def update(self, items):\n        return self.no\n"
    )
    code = SOLUTION.replace("TodoManager", "KeptTodo")
    code = "print(Trial, Board, Player, islice, check_kept, PLANNING)\n" + code
    end = {"cell_type": "code", "metadata": {"tags": ["check"]}, "source": "import os; os._exit(1)"}
    said = str(check_notebook(saved(priority=wrong, timed=code, edit=lambda c: [end, *c, end])))
    assert "[not yet] A list without priorities still works" in said
    assert "Your code: line 3: return self.no\n" in said
    assert "PriorityNag: all 6 rules pass. It was tried with our list" in said
    assert "[timed] TimedTodo: all 10 rules pass." in said and "stopped" not in said


def test_cell_that_raises_after_the_class_is_checked(saved, outcome):
    checked = outcome(saved(kept=KEPT + "\nprint(unknown)"), "kept")
    assert checked.ok
    assert "NameError" in checked.text and "line 12: print(unknown)" in checked.text


@pytest.mark.parametrize(
    "lines", ["!ls\nNag?\nimport asyncio\nawait asyncio.sleep(0)", "%%time"], ids=["lines", "cell"]
)
def test_ipython_syntax_is_accepted(saved, outcome, lines):
    checked = outcome(saved(kept=f"{lines}\n{KEPT}"), "kept")
    assert checked.ok and "stopped" not in checked.text, checked


@pytest.mark.parametrize(
    "source, words",
    [
        ("text = 'A'\ntext +", "SyntaxError: invalid syntax in line 2: text +."),
        ("text = list(AllAtOnce)", "Only the cells of the exercises are run here."),
        ("", "does not define KeptTodo"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("KeptTodo = input('class? ')", "StdinNotImplementedError"),
    ],
)
def test_error_of_a_cell_is_explained(saved, outcome, source, words):
    assert words in outcome(saved(kept=source), "kept").problem


def test_answer_with_other_rules_is_rejected(saved, outcome):
    forge = "_worker.check_exercise = lambda name: {'states': %r}\nKeptTodo = 1"
    with Session([], NOTEBOOK_SECONDS) as session:
        for states in (["yes"] * 50, ["maybe"] * len(RULES), "yes"):
            checked = outcome(saved(kept=forge % (states,)), "kept", session=session)
            assert "cannot be read" in checked.problem


# Broken notebooks


@pytest.mark.parametrize(
    "source, words",
    [
        ("import os, signal; os.kill(os.getpid(), 9)", "signal 9"),
        ("import time; time.sleep(600)", "still running after 1 second"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_end_of_the_kernel_is_explained(saved, outcome, source, words, monkeypatch):
    monkeypatch.setattr("lesson.exercises.grading.notebooks.CELL_SECONDS", 1)
    checked = outcome(saved(priority=source), "priority")
    assert words in checked.problem, checked


def test_notebook_has_one_time_limit_for_everything(saved):
    cells = read_cells(saved(priority="import time; time.sleep(600)"))
    with Session(["import time; time.sleep(600)"], 0) as session:
        for one in EXERCISES:
            assert "time for this notebook is over" in check_exercise(session, one, cells).problem
        assert session.client is None  # no kernel was started
    with Session([], 1) as session, pytest.raises(CellStoppedError):
        session.execute("while True: pass", CHECK_SECONDS)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory this way")
def test_memory_is_limited(saved, outcome):
    text = outcome(saved(priority="hog = bytearray(8 * 2**30)"), "priority").text
    assert "MemoryError" in text


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_processes_are_killed_and_keys_are_hidden(saved, outcome, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    path = saved(
        priority="import os, subprocess\n"
        "left = subprocess.Popen(['sleep', '86399.25'])\n"
        "raise ValueError([name for name in os.environ if 'KEY' in name or 'PATH' in name])"
    )
    with Session([], NOTEBOOK_SECONDS) as session:
        said = outcome(path, "priority", session=session).text
        assert processes.started("sleep", "86399.25")
    assert "ANTHROPIC" not in said and "PATH" in said
    assert processes.gone("sleep", "86399.25")


@pytest.mark.skipif(not bubblewrap.works(), reason="bubblewrap is not installed")
def test_kernel_runs_in_the_sandbox(saved, outcome, tmp_path):
    path = saved(kept=f"{KEPT}\nopen({str(tmp_path / 'out')!r}, 'w').close()")
    assert "stopped with" in outcome(path, "kept").text
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "The file is empty"),
        (b"[" * 100_000, "damaged"),
        ('{"cells": []}'.encode("utf-16"), "tagged exercise"),
        (b'{"cells": 3}', "not a notebook"),
        (b'{"cells": [{"cell_type": "code", "metadata": {"tags": 5}, "source": 7}]}', "tagged"),
    ],
)
def test_file_that_is_no_notebook_is_reported(tmp_path, content, words):
    path = tmp_path / "exercises.ipynb"
    path.write_bytes(content)
    notebook = check_notebook(path)
    assert words in notebook.problem and not notebook.ok


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes")
def test_missing_file_folder_and_pipe_are_reported(tmp_path, capsys):
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "broken.ipynb").symlink_to("gone")
    os.mkfifo(tmp_path / "pipe.ipynb")
    paths = [str(tmp_path / f"{name}.ipynb") for name in ("gone", "broken", "pipe")]
    assert main(paths) == 1
    told = capsys.readouterr().out
    assert told.count("There is no such file.") == 2 and told.count("It is a link") == 1
    assert "no such file" in check_notebook(tmp_path / "folder.ipynb").problem


def test_deleted_cell_is_reported(saved, outcome):
    path = saved(edit=lambda cells: [cell for cell in cells if cell["id"] != "build-10"])
    assert "tags exercise and nag" in outcome(path, "nag").problem
    assert outcome(path, "timed").ok


def test_widgets_are_not_kept(kernel):
    kernel.execute("from ipywidgets import Text\ntext = Text('x')", CHECK_SECONDS)
    assert kernel.client.widget_state == {}


def test_error_with_a_huge_message_is_explained(saved, outcome):
    huge = outcome(
        saved(kept="for _ in range(30): display(1)\nraise ValueError('x' * 10**7)"), "kept"
    )
    assert "The cell stopped with ValueError" in huge.problem


def test_links_are_named_in_the_table_and_not_followed(tmp_path, capsys):
    for name in ("bob", "alice", "carl/my_lesson"):
        (tmp_path / "class" / name).mkdir(parents=True)
    (tmp_path / "class/bob/exercises.ipynb").write_text("oops")
    (tmp_path / "class/alice/my_lesson").symlink_to("../bob")
    (tmp_path / "class/carl/my_lesson/exercises.ipynb").symlink_to("../../bob/exercises.ipynb")
    (tmp_path / "class/dora").symlink_to("bob")
    names = ("bob", "alice/my_lesson", "carl/my_lesson", "dora")
    files = [str(tmp_path / "class" / name / "exercises.ipynb") for name in names]
    folders = [str(Path(file).parent) for file in files]
    for given in ([str(tmp_path / "class")], files, folders):
        assert main([*given, "--csv"]) == 1
        printed = capsys.readouterr().out.removeprefix("\ufeff")
        rows = {row["student"].split("/")[0]: row for row in csv.DictReader(io.StringIO(printed))}
        assert "damaged" in rows.pop("bob")["notes"]
        del rows["not yet"]
        assert len(rows) == 3
        assert all("link to another place" in row["notes"] for row in rows.values()), rows


# The table


def find(folder, *files, given=None):
    """Return the students who are found for these empty files, and how many files each has."""
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    paths = [folder / one for one in given or (".",)]
    return {one.name: len(one.paths) for one in find_students(map(str, paths))}


def test_a_student_is_a_folder_whatever_copies_are_in_it(tmp_path):
    copies = ("exercises.ipynb", "exercises-Copy1.ipynb", "exercises (1).ipynb", "mine.ipynb")
    ada = [f"ada/my_lesson/{name}" for name in (*copies, "old/s02_tool_use.ipynb")]
    hidden = ["ada/my_lesson/.ipynb_checkpoints/exercises.ipynb", "ada/my_lesson/solutions/a.ipynb"]
    found = find(tmp_path, *ada, *hidden, "ben/loesung.ipynb", "b/cleo/exercises.ipynb")
    assert found == {"ada": 5, "ben": 1, "b/cleo": 1}
    given = [ada[0], ada[1], "ben/loesung.ipynb"]
    assert find(tmp_path, given=given) == {"ada": 2, "ben/loesung": 1}


def test_a_student_is_the_beginning_of_a_name_in_a_flat_download(tmp_path):
    meier = [f"Ada Meier_4711_file_{name}.ipynb" for name in ("s02_tool_use", "exercises (2)")]
    others = ["ben.ipynb", "cleo-1.ipynb", "cleo-2.ipynb", "dan_exercises-3.ipynb"]
    expected = {"Ada Meier_4711_file": 2, "ben": 1, "cleo-1": 1, "cleo-2": 1, "dan": 1}
    assert find(tmp_path / "flat", *meier, *others) == expected
    inside = {f"flat/{name}": count for name, count in expected.items()}
    assert find(tmp_path, "zed/exercises.ipynb") == inside | {"zed": 1}


def read_table(text):
    """Return the rows of a table."""
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_table_has_one_row_per_student_and_one_column_per_rule(saved, tmp_path, capsys):
    kept = KEPT.replace('{i["id"], i["text"]}', '{i["id"]}')
    unsolved = "class PriorityTodo(TodoManager):\n    pass"
    saved("class/ada/exercises.ipynb", priority=unsolved, kept=kept)
    saved("class/ada/exercises-Copy1.ipynb", kept="KeptTodo = 3")
    saved("class/ben/my_lesson/exercises.ipynb", priority=unsolved, kept=f"\n{kept}\n")
    (tmp_path / "class/ben/my_lesson/00_start_here.ipynb").write_text('{"cells": []}')
    (tmp_path / "class/cleo").mkdir()
    (tmp_path / "class/cleo/exercises.ipynb").write_text("oops")
    saved("class/dan/exercises.ipynb", timed="import os; os._exit(1)", kept="class MyList: pass")

    assert main([str(tmp_path / "class"), "--csv", "--jobs", "2"]) == 1
    ada, ben, cleo, dan, last = read_table(capsys.readouterr().out)
    assert [row["student"] for row in (ada, ben, cleo, dan)] == ["ada", "ben", "cleo", "dan"]
    assert ada["priority"] == "yes" and ada["kept"] == "not yet"
    assert "Counted from exercises.ipynb: kept." in ada["notes"]
    assert ben["priority"] == "not begun" and ben["notes"] == ""
    assert [ben[f"kept: {rule.title}"] for rule in RULES] == [*"110111"]
    assert ben["kept: first miss"].startswith(RULES[2].title)
    codes = [{one for one in row["equal code"].split(", ") if "kept" in one} for row in (ada, ben)]
    assert codes[0] == codes[1] and len(codes[0]) == 1
    assert "priority" not in ben["equal code"] and "timed" not in dan["equal code"]
    assert "damaged" in cleo["notes"] and cleo["priority"] == ""
    ends = "kept: Its cell does not define KeptTodo. timed: It ended (exit code 1)"
    assert dan["notes"].startswith(ends)
    assert dan["timed"] == dan["kept"] == "" and dan["nag"] == "yes"
    assert len(ada) == 3 + sum(2 + len(exercise.rules) for exercise in EXERCISES)
    title = f"kept: {RULES[2].title}"  # cleo has handed in nothing that can be counted
    assert (last["kept"], last[title], last["nag"]) == ("3 of 3", "3 of 3", "0 of 3")


def test_formula_in_a_name_is_disarmed_and_progress_goes_to_stderr(
    saved, tmp_path, monkeypatch, capsys
):
    saved("=HYPERLINK(1).ipynb", kept="KeptTodo = 3")
    monkeypatch.chdir(tmp_path)
    assert main(["=HYPERLINK(1).ipynb", "--csv"]) == 1
    told = capsys.readouterr()
    assert told.err == "1 of 1: =HYPERLINK(1)\n"
    header, row = told.out.splitlines()  # a single student needs no row about the class
    assert header.startswith("\ufeffstudent,") and row.startswith("'=")
    assert disarm("a;=1") == "a,=1"  # where a semicolon separates columns, too


def test_feedback_has_one_page_per_student_and_forged_answers_add_no_markup(
    saved, tmp_path, capsys
):
    forged = {"states": ["yes"] * 6, "html": "<script>", "aside": "<script>\x1b[2J"}
    forge = f"_worker.check_exercise = lambda name: {forged}\nKeptTodo = 1"
    for folder, kept in {"a/ada": "KeptTodo = 3", "b/ada": forge}.items():
        (tmp_path / folder).mkdir(parents=True)
        shutil.copy(saved(kept=kept), tmp_path / folder / ("x" * 120 + ".ipynb"))
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert main([*folders, "--feedback", str(tmp_path / "said"), "--jobs", "2"]) == 1
    honest, forged_page = (page.read_text() for page in sorted((tmp_path / "said").iterdir()))
    assert "The check needs the class itself" in honest
    assert "all 6 rules pass. &lt;script&gt;" in forged_page and "<script>" not in forged_page
    assert "all 6 rules pass. <script>\ufffd[2J" in capsys.readouterr().out


def test_command_loads_nothing_from_the_folder_that_it_checks(tmp_path):
    for name in ("nbclient", "lesson", "agentlib", "pydantic", "json", "random", "jupyter_config"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    shutil.copy(SOLVED, tmp_path)
    program = Path(sys.executable).with_name("planning-agent")
    done = subprocess.run(
        [program, "check", "."], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all 10 rules pass" in done.stdout


# The class's bets


def save_bet(path, bet=None, law=None):
    """Save s03 with this bet and this law, and return the bets that are read from it."""
    notebook = json.loads(learners("s03_todo_write").read_text(encoding="utf-8"))
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    if bet is not None:
        [printed] = [one for one in cells["todo-48"]["outputs"] if one["output_type"] == "stream"]
        assert printed["text"] == ["My bet: no bet yet\n"]
        printed["text"] = [f"My bet: {bet}\n"]
    if law is not None:
        cells["todo-50"]["source"] = f"my_formula = {law}\n"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return read_bets(read_cells(path))


def test_bets_are_numbers_in_a_saved_notebook(tmp_path):
    path = tmp_path / "ada.ipynb"
    assert save_bet(path) == {}
    assert save_bet(path, bet=7) == {12: 7}
    assert save_bet(path, bet=5, law="{24: 9, 30: 40}") == {12: 5, 24: 9, 30: 40}
    for law in ("{24: 0, 30: 0}", "{24: 'nine', 30: 1}", "{24, 30}", "{24: 9999, 30: 4}"):
        assert save_bet(path, law=law) == {}, law
    assert read_bets([Cell(frozenset(), "My bet: 8 of 15")]) == {12: 8}
    assert read_bets([Cell(frozenset(), "My bet: " + "9" * 60_000)]) == {}


def test_picture_has_a_block_per_bet_and_the_measured_steps(tmp_path, capsys):
    for number, bet in enumerate([5, 8, 8, 99]):
        save_bet(tmp_path / f"{number}.ipynb", bet=bet)
    save_bet(tmp_path / "none.ipynb")
    picture = tmp_path / "bets.svg"
    assert main([str(tmp_path), "--bets", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("4 of 5 students have a bet.")
    drawn = picture.read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn) is not None
    assert "1 of 4 bets are right" in drawn and "the median is 8" in drawn and ">15+<" in drawn
    assert drawn.count(f'fill="{LIGHT.plan}"/>') == 4
    for after in (5, 6):
        run = measured(Setting("ten_steps", after=after))
        sign = "✓" if run.steps_done == 10 else "✗"
        assert f">{sign} {run.steps_done} of 10<" in drawn


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["empty"], "there is no notebook in"),
        (["ada.ipynb", "--bets", "bets.svg"], "none of 1 students has a bet"),
        (["ada.ipynb", "--arena"], "was it saved?"),
    ],
)
def test_folder_without_results_is_reported(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    save_bet(tmp_path / "ada.ipynb")
    with pytest.raises(SystemExit):
        main(arguments)
    assert words in capsys.readouterr().err


# The class's agents in the arena


def save_arena(folder, last):
    """Save a notebook in which Arena(agent) has shown these steps."""
    data = {"exercise": "arena", "first": last, "last": last}
    output = nbformat.v4.new_output("display_data", metadata={"lesson": data})
    cell = nbformat.v4.new_code_cell("Arena(agent)", outputs=[output])
    folder.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "your_agent.ipynb")


def test_arena_of_a_class_counts_who_lacks_which_part(tmp_path, capsys):
    steps = dict.fromkeys(MODELS, 10)
    save_arena(tmp_path / "Ada", steps)
    save_arena(tmp_path / "Bo", steps | {"repeats": 3, "ticks only": 3})
    for name, forged in (("Cy", "three"), ("Di", float("inf"))):  # they have no row
        save_arena(tmp_path / name, steps | {"repeats": forged})
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "Cy/pipe.ipynb")
    assert main([str(tmp_path), "--arena"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert [line.split() for line in table[1:3]] == [
        ["Ada", *["10"] * 7],
        ["Bo", "10", "10", "10", "10", "3", "10", "3"],
    ]
    assert "    1  repeats: no third equal call" in table
    assert "    0  forgets: a reminder in time" in table


def test_endless_output_uses_bounded_memory(saved, outcome):
    shout = "from IPython.display import display\nfor _ in range(300): display('x' * 10_000)\n"
    shout += "display('x' * 30_000_000)\n"
    assert outcome(saved(kept=shout + KEPT), "kept").ok
