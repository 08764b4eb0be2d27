"""What the notebooks say of their runs, played by their own cells, also with all exercises done."""

import json
import re

import pytest
from support.notebook import CELLS, write_file

import lesson
from lesson.common.solutions import NOTEBOOKS
from lesson.in_cells import play_job


@pytest.fixture
def play_cell(monkeypatch, capsys, notebook):
    """Return a function that plays a cell, and returns its run and what the cell has printed.

    `parts` replaces the parts that the cell asks for by these names.
    """

    def play(notebook, name, **parts):
        [path] = NOTEBOOKS.glob(f"{notebook}_*.ipynb")
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        [code] = ["".join(cell["source"]) for cell in cells if cell["id"] == name]
        runs = []

        def play(*job, **arguments):
            arguments |= {name: parts[name] for name in arguments.keys() & parts}
            runs.append(play_job.play(*job, **arguments))
            return runs[-1]

        monkeypatch.setitem(lesson.__dict__, "play", play)
        names = {
            "play": play,
            "PracticeModel": lesson.PracticeModel,
            "reveal": lambda *_, **__: None,
        }
        guesses = ("with_rules", "ask_the_list", "ask_the_files")
        exec(code, names | dict.fromkeys(guesses))
        [run] = runs
        return run, capsys.readouterr().out

    return play


def list_written(run):
    calls = [call for record in run.records for call in record.round.calls]
    return [call.input["path"] for call in calls if call.name in ("write_file", "edit_file")]


def read_end(run):
    """Return the text of the last reply."""
    return "".join(block.text for block in run.messages[-1]["content"])


def test_without_a_word_on_the_next_task_the_tests_are_written_last(play_cell):
    run, _ = play_cell("s04a", "next-00b")
    assert run.items[-1]["text"].startswith("Write tests") and run.items[-1]["priority"] == "high"
    assert list_written(run)[-1] == "tests/test_utils.py" and all(run.done)


def test_a_reminder_of_the_next_task_makes_the_tests_the_second_one(play_cell):
    run, _ = play_cell("s04a", "next-05")
    written = [path.split("/")[0] for path in list_written(run)]
    assert written[:4] == ["textkit", "tests", "tests", "textkit"] and all(run.done)
    seen = str(run.messages[: 2 * 4 + 1])  # what the request of round 5 contains
    assert "Next: Write tests in tests/test_utils.py." in seen


def test_guard_refuses_a_path_that_leads_out_and_the_learner_one_that_leads_nowhere(play_cell):
    tried = []

    def own(folder, path):
        tried.append(path)
        raise ValueError(f"{path}: not for you")

    for read_file, words in (
        ("read_file", "missing.txt is not a file: here are"),
        (own, "not for"),
    ):
        run, _ = play_cell("s04b", "read-05", read_file=read_file)
        outside, missing = read_end(run).split("\n")
        assert outside.startswith("Error: ../secret.txt escapes the workspace") and words in missing
    assert tried == ["missing.txt"]


def test_the_last_task_has_no_time_although_its_file_was_written(play_cell):
    run, printed = play_cell("s04c", "times-00b")
    assert all(run.done) and printed.splitlines()[-1] == "  0 rounds  Sum it up in REVIEW.md"


def test_all_parts_together_finish_the_job_and_nothing_is_asked_at_the_stop(play_cell):
    run, printed = play_cell("s04c", "finale-01")
    assert all(run.done) and "The program asks" not in str(run.messages)
    times = [*map(int, re.findall(r"(?m)^ *(\d+) rounds  ", printed))]
    assert len(times) == 6 and all(times)
    written = [path.split("/")[0] for path in list_written(run)]
    assert written[:3] == ["textkit", "tests", "tests"]


# The steps that are done in each play of a notebook.
PLAYS = {
    ("00", "start-08"): 3,
    ("s02", "tools-16"): 3,
    ("s03a", "todo-02"): 3,
    ("s03a", "one-04"): 10,
    ("s03a", "job-03"): 3,
    ("s03b", "works-01"): 10,
    ("s03d", "trim-02"): 4,
    ("s03d", "trim-04"): 4,
    ("s03d", "trim-10"): 10,
    ("s04a", "next-00b"): 5,
    ("s04a", "next-05"): 5,
    ("s04a", "own-02"): 4,
    ("s04b", "stop-02"): 4,
    ("s04b", "stop-08"): 4,
    ("s04b", "stop-09"): 5,
    ("s04c", "times-00b"): 4,
    ("s04c", "finale-01"): 5,
}


@pytest.mark.release
def test_play_does_what_its_notebook_says_also_for_who_has_finished(play_cell):
    """Both take as many rounds, but in s03d, where the tokens decide when messages are trimmed."""
    rounds = []
    for is_second in (False, True):
        for place, steps_done in PLAYS.items():
            run, _ = play_cell(*place)
            assert run.steps_done == steps_done, place
            assert ("Yours: loop" in run.whose) == is_second and "needs" not in run.whose
            rounds.append((place, len(run.records) if place[0] != "s03d" else "any"))
        write_file(**CELLS)
    assert rounds[: len(PLAYS)] == rounds[len(PLAYS) :]
