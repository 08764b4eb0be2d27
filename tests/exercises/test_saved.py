"""`python -m lesson.exercises` checks saved notebooks, also broken and hostile ones."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from solutions import learners, solved

from agentlib.sandbox import bubblewrap
from lesson.exercises import catalogue
from lesson.exercises.__main__ import main, make_row
from lesson.exercises.check_brief import RULES
from lesson.exercises.grading.bets import read_bets
from lesson.exercises.grading.kernel import Session
from lesson.exercises.grading.notebooks import (
    EXERCISE_SECONDS,
    Cell,
    Notebook,
    check_exercise,
    check_notebook,
    read_cells,
)
from lesson.runs.measured import Setting, measured
from lesson.svg import LIGHT

EXERCISES = [one for one in catalogue.EXERCISES if one.notebook == "exercises"]
LEARNERS, SOLVED = learners("exercises"), solved("exercises")
SOLVED_LIST = """class PriorityTodo(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"], "default": "medium"}}

"""
WRITTEN = [one for one in read_cells(SOLVED) if "exercise" in one.tags]
SOLUTIONS = {name: one.source for one in WRITTEN for name in one.tags}
SOLUTION, BRIEF = SOLUTIONS["timed"], SOLUTIONS["brief"]


@pytest.fixture
def saved(tmp_path):
    """Return a function that saves the solved notebook with some exercise cells replaced."""

    def save(name="exercises.ipynb", **sources):
        notebook = json.loads(SOLVED.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            tags = cell["metadata"].get("tags", [])
            if tags[:1] == ["exercise"] and tags[1] in sources:
                cell["source"] = sources[tags[1]]
        path = tmp_path / name
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path

    return save


@pytest.fixture(scope="module")
def kernel():
    """Return a kernel that many tests share."""
    with Session([]) as session:
        yield session


FORGET = "for _one in _worker.EXERCISES:\n    for _it in _one.subjects: globals().pop(_it, None)"


@pytest.fixture
def outcome(kernel):
    """Return a function that checks one exercise of a notebook in the shared kernel."""

    def check(path, exercise, seconds=EXERCISE_SECONDS):
        kernel.done.clear()
        kernel.execute(FORGET, EXERCISE_SECONDS)
        return check_one(kernel, path, exercise, seconds)

    return check


def outcome_alone(path, exercise):
    """Check one exercise in a separate kernel, which the cell may break."""
    with Session([]) as session:
        return check_one(session, path, exercise, EXERCISE_SECONDS)


def check_one(session, path, exercise, seconds):
    chosen = next(one for one in EXERCISES if one.name == exercise)
    return check_exercise(session, chosen, read_cells(path), seconds)


def table(capsys, *arguments):
    main([*map(str, arguments), "--csv"])
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out.removeprefix("\ufeff"))))


# Results


@pytest.mark.parametrize("name", ["s02_tool_use", "s03_todo_write", "your_agent"])
def test_lesson_notebooks_are_checked_without_tags_and_ids(name, tmp_path):
    notebook = json.loads(solved(name).read_text(encoding="utf-8"))
    for number, cell in enumerate(notebook["cells"]):
        cell |= {"metadata": {}, "id": f"cell-{number}"}
    path = tmp_path / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    checked = check_notebook(path)
    assert checked.ok, str(checked)
    assert not any(one.result.begun for one in check_notebook(learners(name)).checked)


def test_unchanged_notebook_is_not_begun():
    notebook = check_notebook(LEARNERS)
    assert [one.result.begun for one in notebook.checked] == [False] * len(EXERCISES)


def test_feedback_is_the_same_as_in_the_notebook(saved):
    path = saved(priority="class PriorityTodo(TodoManager):\n    priority = 'medium'\n")
    said = str(check_notebook(path))
    assert "[not yet] An item keeps the priority" in said
    assert "PriorityNag: all 11 rules pass. It was tried with our list" in said
    assert "[timed] TimedTodo: all 15 rules pass." in said


def test_only_the_cells_of_an_exercise_are_run(saved, tmp_path):
    path = saved()
    notebook = json.loads(path.read_text())
    spoiler = {"cell_type": "code", "metadata": {"tags": ["check"]}, "source": "raise SystemExit"}
    notebook["cells"] = [spoiler, *notebook["cells"], spoiler]
    path.write_text(json.dumps(notebook))
    assert check_notebook(path).ok


def test_cell_that_raises_after_the_class_is_checked(saved, outcome):
    checked = outcome(saved(brief=BRIEF + "\n\nprint(unknown)"), "brief")
    assert checked.ok
    assert "NameError" in checked.text and "line 10: print(unknown)" in checked.text


@pytest.mark.parametrize(
    "line", ["%xmode Plain\n!ls\nNag?", "import asyncio\nawait asyncio.sleep(0)", "%%time"]
)
def test_ipython_syntax_is_accepted(saved, line):
    checked = outcome_alone(saved(brief=f"{line}\n{BRIEF}"), "brief")
    assert checked.ok and "stopped" not in checked.text, checked


@pytest.mark.parametrize(
    "source, words",
    [
        ("text = 'A'\ntext +", "SyntaxError: invalid syntax"),
        ("text = list(AllAtOnce)", "Only the cells of the exercises are run here."),
        ("", "does not define BriefTodo"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("BriefTodo = input('class? ')", "StdinNotImplementedError"),
    ],
)
def test_error_of_a_cell_is_explained(saved, outcome, source, words):
    assert words in outcome(saved(brief=source), "brief").problem


def test_exercise_may_use_earlier_cells(saved):
    code = SOLUTION.replace("TodoManager", "PriorityTodo")
    code = "print(Trial, Board, Player, islice, check_brief, PLANNING)\n" + code
    *_, timed = check_notebook(saved(timed=code)).checked
    assert timed.ok and "stopped" not in timed.text, timed


def test_two_cells_with_the_same_tags_are_reported(saved, outcome):
    path = saved()
    notebook = json.loads(path.read_text())
    [cell] = [one for one in notebook["cells"] if one["id"] == "brief-02"]
    notebook["cells"].append(cell | {"source": "BriefTodo = None", "id": "copy"})
    path.write_text(json.dumps(notebook))
    assert "2 cells carry its tags; the last one counts." in outcome(path, "brief").text


def test_only_the_last_five_cells_with_the_same_tags_are_run(saved, outcome):
    path = saved()
    notebook = json.loads(path.read_text())
    [cell] = [one for one in notebook["cells"] if one["id"] == "brief-02"]
    others = ["while True: pass", *["pass"] * 4]
    notebook["cells"] = [*(cell | {"source": source} for source in others), cell]
    path.write_text(json.dumps(notebook))
    checked = outcome(path, "brief")
    assert checked.ok and "6 cells carry its tags" in checked.text


def test_forged_result_keeps_the_columns(saved):
    forged = "import lesson.exercises.checking.check as c\nc.try_rules = lambda *_: (%s, None)"
    for states in ("('yes',) * 50", "(3, 'x')", "None"):
        checked = outcome_alone(saved(priority=SOLVED_LIST + forged % states), "priority")
        row = make_row("a", [Notebook("a.ipynb", (checked,))], EXERCISES)
        assert len(row) == len(make_row("b", [Notebook("b.ipynb")], EXERCISES))


def test_error_in_a_class_shows_the_learners_line(saved, outcome):
    path = saved(
        priority="class PriorityTodo(TodoManager):\n    def update(self, items):\n"
        "        return self.nothing\n"
    )
    assert "Your code: line 3: return self.nothing" in outcome(path, "priority").text


# Broken notebooks


@pytest.mark.parametrize(
    "source, words",
    [
        ("import os; os._exit(7)", "exit code 7"),
        ("import os, signal; os.kill(os.getpid(), 9)", "signal 9"),
        ("sum(range(10**15))", "still running after 1 second"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_end_of_the_kernel_is_explained(saved, outcome, source, words):
    seconds = 1 if "range" in source else EXERCISE_SECONDS
    checked = outcome(saved(priority=source), "priority", seconds=seconds)
    assert words in checked.problem, checked


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory this way")
def test_memory_is_limited(saved, outcome):
    text = outcome(saved(priority="hog = bytearray(8 * 2**30)"), "priority").text
    assert "MemoryError" in text


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_processes_are_killed_and_keys_are_hidden(saved, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    path = saved(
        priority="import os, subprocess\n"
        "left = subprocess.Popen(['sleep', '86399.25'])\n"
        "raise ValueError([name for name in os.environ if 'KEY' in name or 'PATH' in name])"
    )
    said = outcome_alone(path, "priority").text
    assert "ANTHROPIC" not in said and "PATH" in said
    give_up = time.monotonic() + 60
    while any(b"86399.25" in read_command(one) for one in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < give_up, "it is still running"
        time.sleep(0.05)


def read_command(process):
    with suppress(OSError):
        return (process / "cmdline").read_bytes()
    return b""


@pytest.mark.skipif(not bubblewrap.works(), reason="bubblewrap is not installed")
def test_kernel_runs_in_the_sandbox(saved, tmp_path):
    path = saved(brief=f"{BRIEF}\nopen({str(tmp_path / 'out')!r}, 'w').close()")
    assert "stopped with" in outcome_alone(path, "brief").text
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
    assert capsys.readouterr().out.count("There is no such file.") == 3
    assert "no such file" in check_notebook(tmp_path / "folder.ipynb").problem


def test_deleted_cell_is_reported(saved, outcome):
    path = saved()
    notebook = json.loads(path.read_text())
    notebook["cells"] = [
        cell for cell in notebook["cells"] if cell["metadata"].get("tags") != ["exercise", "nag"]
    ]
    path.write_text(json.dumps(notebook))
    assert "tags exercise and nag" in outcome(path, "nag").problem
    assert outcome(path, "timed").ok


# The table


def test_table_has_one_row_per_student_and_one_column_per_rule(saved, tmp_path, capsys):
    saved("ada.ipynb")
    saved(
        "ben.ipynb",
        priority="class PriorityTodo(TodoManager):\n    pass",
        brief=BRIEF.replace("> 60", ">= 60"),
    )
    (tmp_path / "cleo.ipynb").write_text("oops")
    saved("dan.ipynb", timed="import os; os._exit(1)", brief="class MyList: pass")
    hidden = tmp_path / ".ipynb_checkpoints"
    hidden.mkdir()
    shutil.copy(SOLVED, hidden / "ada-checkpoint.ipynb")

    ada, ben, cleo, dan, last = table(capsys, tmp_path)
    students = [Path(row["student"]).stem for row in (ada, ben, cleo, dan)]
    assert students == ["ada", "ben", "cleo", "dan"]
    assert ada["priority"] == "10 of 10" and ada["priority: rules"] == "10"
    assert ada["did not run"] == ""
    assert ben["priority"] == "not begun" and ben["brief"] == "3 of 4"
    assert [ben[f"brief: {rule.title}"] for rule in RULES] == ["yes", "yes", "not yet", "yes"]
    assert ben["brief: first miss"].startswith(RULES[2].title)
    assert ben["nag"] == "11 of 11"
    assert "damaged" in cleo["did not run"] and cleo["priority"] == ""
    assert dan["did not run"].startswith("brief: Its cell does not define BriefTodo. timed: It ")
    assert dan["timed"] == dan["brief"] == "" and dan["nag"] == "11 of 11"
    assert len(ada) == 2 + sum(3 + len(exercise.rules) for exercise in EXERCISES)
    assert last["student"] == "not yet, of 4 students"
    assert (last["brief"], last[f"brief: {RULES[2].title}"], last["nag"]) == ("3", "3", "1")


def test_table_prints_progress_to_stderr(saved, capsys):
    main([str(saved("ada.ipynb")), "--csv"])
    told = capsys.readouterr()
    assert told.err.startswith("1 of 1: ") and told.err.endswith("ada.ipynb\n")
    assert len(told.out.splitlines()) == 2, "a single notebook needs no row about the class"


def test_formula_in_a_name_is_disarmed(saved, tmp_path, monkeypatch, capsys):
    saved("=HYPERLINK(1).ipynb")
    monkeypatch.chdir(tmp_path)
    assert table(capsys, "=HYPERLINK(1).ipynb")[0]["student"].startswith("'=")


def test_feedback_has_one_page_per_notebook_and_files_never_collide(saved, tmp_path, capsys):
    for folder, changes in {"a/b": {"brief": "BriefTodo = 3"}, "a-b": {}}.items():
        (tmp_path / folder).mkdir(parents=True)
        shutil.copy(saved(**changes), tmp_path / folder / ("x" * 120 + ".ipynb"))
    folders = [str(tmp_path / "a"), str(tmp_path / "a-b")]
    command = [*folders, "--feedback", str(tmp_path / "said"), "--jobs", "2", "--csv"]
    assert main(command) == 1
    pages = [page.read_text() for page in (tmp_path / "said").iterdir()]
    assert sorted("The check needs the class itself" in page for page in pages) == [False, True]
    assert sorted("all 4 rules pass" in page for page in pages) == [False, True]
    assert capsys.readouterr().out.startswith("\ufeffstudent,")


def test_forged_answer_adds_no_markup_and_no_control_characters(saved, tmp_path, capsys):
    forged = {"states": ["yes"] * 4, "html": "<script>", "aside": "<script>\x1b[2J"}
    source = f"_worker.check_exercise = lambda name: {forged}\nBriefTodo = 1"
    main([str(saved(brief=source)), "--feedback", str(tmp_path / "said")])
    [page] = (tmp_path / "said").iterdir()
    assert "all 4 rules pass. &lt;script&gt;" in page.read_text()
    assert "<script>" not in page.read_text()
    assert "all 4 rules pass. <script>\ufffd[2J" in capsys.readouterr().out


def test_command_exits_with_0_and_is_not_shadowed_by_files_in_the_folder(tmp_path):
    for name in ("json.py", "random.py", "agentlib.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')")
    shutil.copy(SOLVED, tmp_path)
    home = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "lesson.exercises", tmp_path / SOLVED.name],
        cwd=home,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all 15 rules pass" in done.stdout


def test_folder_without_notebooks_is_reported(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "there is no notebook in" in capsys.readouterr().err


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
        cells["todo-50"]["source"] = f"my_law = {law}\n"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return read_bets(read_cells(path))


def test_bets_are_numbers_in_a_saved_notebook(tmp_path):
    path = tmp_path / "ada.ipynb"
    assert save_bet(path) == {}
    assert save_bet(path, bet=7) == {12: 7}
    assert save_bet(path, bet=5, law="{24: 9, 30: 40}") == {12: 5, 24: 9, 30: 40}
    for law in ("{24: 0, 30: 0}", "{24: 'nine', 30: 1}", "{24, 30}", "{24: 9999, 30: 4}"):
        assert save_bet(path, law=law) == {}, law
    assert read_bets([Cell(frozenset(), "my_bet = 8  # of 15")]) == {12: 8}
    assert read_bets([Cell(frozenset(), "my_bet = " + "9" * 60_000)]) == {}


def test_picture_has_a_block_per_bet_and_the_measured_steps(tmp_path, capsys):
    for number, bet in enumerate([5, 8, 8, 99]):
        save_bet(tmp_path / f"{number}.ipynb", bet=bet)
    save_bet(tmp_path / "none.ipynb")
    picture = tmp_path / "bets.svg"
    assert main([str(tmp_path), "--bets", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("4 of 5 notebooks contain a bet.")
    drawn = picture.read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn) is not None
    assert "1 of 4 bets are right" in drawn and "the median is 8" in drawn and ">15+<" in drawn
    assert drawn.count(f'fill="{LIGHT.plan}"/>') == 4
    for after in (5, 6):
        run = measured(Setting("ten_steps", after=after))
        sign = "✓" if run.steps_done == 10 else "✗"
        assert f">{sign} {run.steps_done} of 10<" in drawn


def test_folder_without_bets_is_reported(tmp_path, capsys):
    save_bet(tmp_path / "ada.ipynb")
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--bets", str(tmp_path / "bets.svg")])
    assert "none of 1 notebooks contains a bet" in capsys.readouterr().err
    assert not (tmp_path / "bets.svg").exists()


def test_changed_parent_is_reported_until_the_kernel_is_restarted():
    with Session([]) as session:
        session.run_cell("TodoManager.line = None\n" + SOLVED_LIST, 10)
        said = [session.ask("priority", 20) for _ in range(2)]
    assert "has changed TodoManager.line" in said[0]["note"] and said[0] == said[1]


def test_any_error_is_the_problem_of_its_own_notebook(saved, monkeypatch, capsys):
    def fail(cells):
        raise RecursionError("too deep")

    monkeypatch.setattr("lesson.exercises.grading.notebooks.choose_exercises", fail)
    assert main([str(saved("ada.ipynb")), str(saved("ben.ipynb"))]) == 1
    assert capsys.readouterr().out.count("failed: RecursionError: too deep") == 2


def test_endless_output_uses_bounded_memory(saved, outcome):
    shout = "from IPython.display import display\nfor _ in range(300): display('x' * 10_000)\n"
    assert outcome(saved(brief=shout + BRIEF), "brief").ok
