"""A teacher's board: of a class of three, thirty and 300, and of files that nobody should trust."""

import csv
import html
import json
import os
import re
import sys
from contextlib import redirect_stdout
from datetime import date, timedelta
from itertools import count

import pytest

from exerciselib.page import PAGES
from lesson import Board
from lesson.__main__ import run
from lesson.classroom import board as board_module
from lesson.classroom import class_files
from lesson.classroom.progress import CLASS, FILE, Answer, Progress, Try, digest
from lesson.common.guesses import GUESSES
from lesson.exercises.rules import list_rules

BAD = "<x-bad>&<img src=x>' x-bad \" x-bad "
TODAY, YESTERDAY = date.today(), date.today() - timedelta(days=1)
numbers = count(1)


def make(guess=None, day=TODAY, **tries):
    """Return a file: by exercise "" if it passes, or the rule at which the last try is."""
    exercises = {name: Try(rule=rule, day=day) for name, rule in tries.items()}
    guesses = {"reminder": Answer(value=guess, day=day)} if guess is not None else {}
    name = f"{next(numbers):016x}"
    return Progress(exercises=exercises, guesses=guesses, copy_name=name)


def hand_in(folder, who, progress):
    """Write a file where nbgrader has it: submitted/ada/lesson."""
    path = folder / who / "lesson" / FILE
    path.parent.mkdir(parents=True)
    text = progress.model_dump_json() if isinstance(progress, Progress) else progress
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def copy(folder, progress):
    """Write a file where LESSON_CLASS has it. All have one owner here."""
    path = folder / f"{progress.copy_name}.json"
    path.write_text(progress.model_dump_json())
    return path


@pytest.fixture
def owners(monkeypatch):
    """Let the owner of a file be another one for each file, as of 30 accounts."""
    found = {}
    monkeypatch.setattr(
        class_files, "name_owner", lambda status: found.get(status.st_ino, f"{status.st_ino}")
    )
    return found


def row(board, exercise):
    return next(line for line in str(board).splitlines() if line.startswith(f"{exercise} "))


def test_three_of_nbgraders_folder(tmp_path):
    hand_in(tmp_path, "ada", make(E1="", E4="back"))
    hand_in(tmp_path, "ben", make(E1="", E4="back"))
    hand_in(tmp_path, "cy", make(E1="stops"))
    board = Board(tmp_path)
    text = next(one.text for one in list_rules("MyNag") if one.name == "back")
    assert "2 of 3 pass, 1 at “The loop stops when" in row(board, "E1")
    assert "0 of 3 pass, 2 at rule 2. Not begun: 1." in row(board, "E4")
    assert f"E4                   {text}" in str(board)
    assert "Begun by nobody: E2, E3, E5," in str(board)
    assert not re.search("ada|ben|cy", str(board) + board.draw()[0].replace("MyNag", ""))
    named = str(Board(tmp_path, names=True))
    assert "pass: ada, ben" in named and "at rule 2: ada, ben" in named
    assert "not begun: cy" in named


def test_html_and_text_say_the_same_words_in_the_same_order(tmp_path):
    """A column that is added to the board stands in both, and in this test."""
    hand_in(tmp_path, "ada", make(E1="", E4="counts"))
    hand_in(tmp_path, "ben", make(E1="SyntaxError"))
    (tmp_path / "cy").mkdir()
    drawn, text = Board(tmp_path, "E1 E4", names=True).draw()
    rule = next(one.text for one in list_rules("MyNag") if one.name == "counts")
    words = [
        "2 learners. Left out: 1 without my_progress.json.",
        "E1 agent_loop 1 of 2 pass, 1 at SyntaxError. Not begun: 0.",
        "pass: ada at SyntaxError: ben",
        "E4 MyNag 0 of 2 pass, 1 at rule 1. Not begun: 1. at rule 1: ada not begun: ben",
        f"E4 {rule} Learners can change these files, so this is not for grades.",
    ]
    assert text.split() == " ".join(words).split()
    assert "`after`" in text and "<code>after</code>" in drawn
    drawn = re.sub(r"<div.*?</div>|<[^>]+>", " ", drawn)  # without the bars
    assert html.unescape(drawn).split() == text.replace("`", " ").split()


def test_board_of_this_hour_has_the_exercises_that_are_named(tmp_path):
    hand_in(tmp_path, "ada", make(E1="", E2="a_status", E4="counts"))
    board = Board(tmp_path, "E1, E2")
    assert [line[:2] for line in str(board).splitlines() if line[0] == "E"] == ["E1", "E2", "E2"]
    with pytest.raises(ValueError, match="'E13' is no exercise: write `E1 E2`."):
        Board(tmp_path, "E13")


def test_the_sentence_that_most_have_read_is_told_without_a_learners_words(tmp_path):
    sentences = [one for one in PAGES["MyNag"].sentences if "{" not in one][:2]
    for who, sentence in zip("abc", [sentences[1], *sentences[:1] * 2], strict=True):
        known = make(E4="counts")
        known.exercises["E4"].sentence = digest(sentence)
        hand_in(tmp_path, who, known)
    assert f"Most often read: “{sentences[0]}”" in str(Board(tmp_path))


def test_thirty_with_a_histogram_and_what_is_right(tmp_path, owners):
    for number in range(30):
        copy(tmp_path, make(3 + number % 6, E1="" if number % 3 else "stops"))
    tmp_path.chmod(0o3773)
    board = Board(tmp_path)
    assert len(board.learners) == 30 and "20 of 30 pass" in row(board, "E1")
    lines = str(board.guesses("reminder")).splitlines()
    assert lines[0] == GUESSES["reminder"].question
    assert "✓     5 █████ 5" in lines and "      8 █████ 5" in lines
    assert "30 answers. Right: 5." in lines
    assert board.guesses("reminder").draw()[0].count("<span class='lp-hand'>") == 5


def test_three_hundred_of_which_some_are_broken(tmp_path):
    for number in range(300):
        known = make(number % 40, E2="" if number % 2 else "a_status")
        text = known.model_dump_json()
        broken = {0: text[: len(text) // 2], 1: "[" * 9000, 2: "", 3: "null", 4: b"\xff\xfe\0"}
        hand_in(tmp_path, f"s{number}", broken.get(number, known))
    board = Board(tmp_path)
    assert len(board.learners) == 295 and board.skipped == {"broken": 5}
    assert str(board).splitlines()[0] == "295 learners.        Left out: 5 broken."
    assert "Left out: 5 broken" in board.guesses("reminder").draw()[0]
    assert "148 of 295 pass" in row(board, "E2")
    drawn = board.guesses("reminder").draw()[0]
    assert drawn.count("<span") <= 21 and "other answers are not drawn" in drawn


def test_links_pipes_and_large_files_are_counted_and_not_opened(tmp_path, monkeypatch):
    secret = tmp_path / "secret.json"
    secret.write_text(make(E1="").model_dump_json())
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "a.json").symlink_to(secret)
    os.link(secret, folder / "b.json")
    os.mkfifo(folder / "c.json")
    with open(folder / "d.json", "wb") as file:
        file.truncate(50_000_000)
    (folder / "e").symlink_to(tmp_path, target_is_directory=True)
    opened = []
    monkeypatch.setattr(os, "open", lambda path, *more: opened.append(path))
    board = Board(folder)
    assert opened == [] and not board.learners
    assert board.skipped == {"with another name": 4}
    folder.chmod(0o3773)
    board = Board(folder)
    assert opened == [] and not board.learners
    assert board.skipped == {
        "links or pipes": 3,
        "too large": 1,
        "folders, because everybody can write here": 1,
    }


def test_folder_in_the_folder_of_a_class_is_nobodys_work(tmp_path, owners, monkeypatch):
    """Anybody can make one there, with the name of another account and a time in the future."""
    mine = copy(tmp_path, make(E1=""))
    owners[mine.stat().st_ino] = "ada"
    for who in ("ada", *(f"learner{number}" for number in range(40))):
        os.utime(hand_in(tmp_path, who, make(E1="stops")), (9e9, 9e9))
    tmp_path.chmod(0o3773)
    board = Board(tmp_path, names=True)
    assert [*board.learners] == ["ada"] and "1 of 1 pass" in row(board, "E1")
    assert "41 folders, because everybody can write here" in str(board)
    tmp_path.chmod(0o700)
    assert len(Board(tmp_path).learners) == 42
    monkeypatch.setenv(CLASS, f"{tmp_path}/")
    assert [*Board().learners] == ["ada"]


def test_handed_in_links_to_folders_are_not_followed_and_limits_are_said(tmp_path, monkeypatch):
    secret = hand_in(tmp_path, "secret", make(E1=""))
    folder = tmp_path / "submitted"
    (folder / "lnk").mkdir(parents=True)
    (folder / "lnk" / "in").symlink_to(secret.parent)
    hand_in(folder, "ada", make(E1=""))
    assert [*Board(folder).learners] == ["ada"]
    deep = folder / "deep" / "1" / "2" / "3"
    hand_in(deep, "4", make(E1=""))
    assert Board(folder).skipped == {
        "without my_progress.json": 2,
        "with folders that are too deep": 1,
    }
    monkeypatch.setattr(class_files, "MOST_FILES", 3)
    assert Board(folder).skipped["or more, because 3 were read before"] >= 1


def test_sheets_are_found_as_platforms_hand_them_in(tmp_path):
    """Each learner by the name of the folder or of the file, in one folder for all or in many."""
    sheets = {
        "ada_my_progress.json": "ada",
        "Ben Meier_12346_assignsubmission_file_my_progress.json": "Ben Meier",
        "cyd_12_345_my_progress-1.json": "cyd",
        "Dora_7_assignsubmission_file_/my_progress.json": "Dora",
        "emil/my_progress (1).json": "emil",
        "fay/lesson/my_lesson/my_progress.json": "fay",
        "gus/lesson/s02_tool_use.ipynb": "",  # no sheet
        "ida_s02_tool_use.ipynb": "",
        "Jo Li_1_assignsubmission_file_/my_progress.json": "Jo Li",
        "Jo Li_2_assignsubmission_file_/my_progress.json": "Jo Li_2",
        "Kay Lo - my_progress.json": "Kay Lo",  # Google Drive
        "lea/._my_progress.json": "",  # macOS
        "__MACOSX/._my_progress.json": "",
        "max/my_lesson.zip": "",  # nobody has unpacked it
        "mia_12_345_my_lesson.ZIP": "",
        "ned/my_lesson.zip": "",
        "ned/my_progress.json": "ned",
        f"{7:016x}.json": f"{7:016x}",  # of the folder of a class, copied here
        "settings.json": "",
    }
    for name in sheets:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(E1="").model_dump_json())
    (tmp_path / "kim").mkdir()
    board = Board(tmp_path)
    assert [*board.learners] == sorted(filter(None, sheets.values()))
    assert board.skipped == {
        "in a packed file, such as .zip: unpack it first": 2,
        "of macOS (._…), which have no work": 2,
        "with another name": 1,
        "without my_progress.json": 4,
    }


@pytest.mark.parametrize(
    "name",
    [
        "ada_{number}_7{file}_{work}",  # Canvas
        "ada_LATE_{number}_7{file}_{work}",
        "ada_{number}_assignsubmission_file_/{attempt}/{work}",  # Moodle
        "Home_work {number}_ada_attempt_2026-10-0{attempt}-14-30-00_{work}",  # Blackboard
        "{number}-{file} - ada - Oct {attempt}, 2026 230 PM/{work}",  # Brightspace
        "{number}-45 - ada - 5 oct. 2026 143{attempt} - {work}",
    ],
)
def test_learner_with_several_files_and_two_attempts_is_one_row(tmp_path, name):
    """Two learners have one name. Of a platform's two numbers, the first one is the learner's."""
    files = count(1)
    for number in (12, 13):
        known = make(E1="stops", day=YESTERDAY)
        for attempt in (1, 2):
            for work in ("s02_tool_use.ipynb", FILE, "s03b_nag_reminder.ipynb"):
                given = {"number": number, "attempt": attempt, "work": work}
                path = tmp_path / name.format(**given, file=next(files))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(known.model_dump_json())
            known.exercises["E1"] = Try(rule="", day=TODAY)
    board = Board(tmp_path)
    rows = [tuple(one.split(",")[:2]) for one in board.make_csv().splitlines()[1:]]
    assert rows[0] == ("ada", "pass") and [passed for _, passed in rows] == ["pass", "pass"]
    assert board.skipped == {"of a learner with another one, which counts": 2}


def test_older_sheet_of_a_learner_does_not_replace_a_newer_one_with_an_older_time(tmp_path):
    newer = hand_in(tmp_path, "ada", make(E1="", E2="", day=TODAY))
    older = hand_in(tmp_path / "ada", "first", make(E1="", day=YESTERDAY))
    os.utime(newer, (1, 1))
    os.utime(older, (9e9, 9e9))
    assert "1 of 1 pass" in row(Board(tmp_path), "E2")
    os.utime(hand_in(tmp_path / "ada", "half", make(E1="", E2="a_status")), (9e9, 9e9))
    assert "1 of 1 pass" in row(Board(tmp_path), "E2")  # of one day, in which a pass stays


def test_folder_that_was_handed_on_with_its_progress_is_said(tmp_path):
    known = make(E1="")
    for who in ("ada", "ben"):
        hand_in(tmp_path, who, known)
    hand_in(tmp_path, "cy", make(E1=""))
    board = Board(tmp_path)
    assert len(board.learners) == 3
    assert "2 with the mark of another (a folder was handed on), which are counted" in str(board)


def test_folder_of_a_learner_that_may_not_be_listed_hides_nobody_else(tmp_path, monkeypatch):
    hand_in(tmp_path, "ada", make(E1=""))
    private = hand_in(tmp_path, "ben", make(E1="")).parent
    scan = os.scandir

    def refuse(path):
        if path == private:
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    board = Board(tmp_path)
    assert [*board.learners] == ["ada"]
    assert "1 with a folder that you may not list" in str(board)


def test_thousands_of_files_of_one_account_hide_nobody_else(tmp_path, owners):
    for number in range(50):
        owners[copy(tmp_path, make(E1="")).stat().st_ino] = f"learner{number}"
    for number in range(300):
        path = tmp_path / f"junk{number}.json"
        path.write_text("{")
        owners[path.stat().st_ino] = "mallory"
    tmp_path.chmod(0o3773)
    board = Board(tmp_path)
    assert len(board.learners) == 50
    assert board.skipped == {"above 20 of one account": 280, "broken": 20}


def test_table_has_each_exercise_and_guess_and_who_was_absent(tmp_path, capsys):
    folder = tmp_path / "submitted"
    hand_in(folder, "ada", make(8, E1="", E4="counts"))
    hand_in(folder, "=ben", make(E1="SyntaxError"))
    (folder / "cy").mkdir()
    names = tmp_path / "class.txt"
    names.write_text("ada\ntess\n")
    assert run(["class", str(folder), "--csv", "--students", str(names)]) == 0
    printed = capsys.readouterr()
    rows = {one["student"]: one for one in csv.DictReader(printed.out.splitlines())}
    assert [*rows] == ["'=ben", "ada", "cy", "tess"]
    exercises = [f"E{number}" for number in range(1, 13)]
    assert [*rows["ada"]] == ["student", *exercises, *(f"guess {one}" for one in GUESSES)]
    ada = rows["ada"]
    assert (ada["E1"], ada["E2"], ada["E4"]) == ("pass", "not begun", "at rule 1")
    assert ada["guess reminder"] == "8" and rows["'=ben"]["E1"] == "at SyntaxError"
    assert not any([*rows["tess"].values()][1:])
    assert "1 without my_progress.json" in printed.err
    for encoding, first in (("utf-8", b"\xef\xbb\xbfstudent"), ("cp1252", b"student,")):
        with open(tmp_path / "class.csv", "w", encoding=encoding) as file, redirect_stdout(file):
            assert run(["class", str(folder), "--csv"]) == 0
        assert (tmp_path / "class.csv").read_bytes().startswith(first)


def test_a_file_is_its_owners_and_the_newest_counts(tmp_path, owners):
    first, second, other = (copy(tmp_path, make(E1=rule)) for rule in ("stops", "", "stops"))
    forged = tmp_path / "ben.json"  # a name says nothing
    forged.write_text(make(E1="").model_dump_json())
    for path, who in ((first, "ada"), (second, "ada"), (other, "ben"), (forged, "mallory")):
        owners[path.stat().st_ino] = who
    tmp_path.chmod(0o3773)
    named = str(Board(tmp_path, names=True))
    assert "3 learners." in named
    assert "pass: ada, mallory" in named and "“The loop stops when" in named and ": ben" in named


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owners by number")
def test_the_owner_is_the_accounts_name(tmp_path):
    import pwd

    copy(tmp_path, make(E1=""))
    tmp_path.chmod(0o3773)
    assert [*Board(tmp_path).learners] == [pwd.getpwuid(os.getuid()).pw_name]


def test_everything_in_a_file_is_escaped(tmp_path, capfd):
    name = BAD.replace("/", "")
    hand_in(tmp_path, name, make(3, E1=""))
    hand_in(tmp_path, "\x1b[31mred", make(4, E1=""))
    hand_in(tmp_path, os.fsdecode(b"latin\xff"), make(4, E1=""))
    text = make(E4="counts").model_dump_json().replace("counts", json.dumps(BAD)[1:-1])
    hand_in(tmp_path, "forged", text)
    board = Board(tmp_path, names=True)
    assert board.skipped == {"broken": 1}
    drawn = board.draw()[0]
    assert "<x-bad" not in drawn and "<img" not in drawn and "&lt;x-bad&gt;" in drawn
    assert "\x1b" not in str(board) and "\x1b" not in board.draw()[0]
    assert run(["class", str(tmp_path), "--csv"]) == 0
    table = capfd.readouterr().out
    assert "\x1b" not in table and "[31mred,pass," in table and "latin?,pass," in table


def test_unknown_exercises_and_guesses_are_not_shown_and_an_unknown_rule_is_counted(tmp_path):
    known = make(5, E1="", E99="", E2="no_such_rule")
    known.guesses["mine"] = Answer(value=1)
    hand_in(tmp_path, "ada", known)
    board = Board(tmp_path)
    assert "E99" not in str(board)
    assert "1 at a rule of another version of the lesson" in row(board, "E2")
    with pytest.raises(LookupError, match="The guesses: without_rules"):
        board.guesses("mine")


def test_fewer_than_five_answers_make_no_histogram(tmp_path):
    for number in range(4):
        hand_in(tmp_path, f"s{number}", make(7))
    drawn, text = Board(tmp_path).guesses("reminder").draw()
    assert "7" not in text and "<span" not in drawn and "4 answers" in text
    hand_in(tmp_path, "fifth", make(7))
    assert "5 answers" in str(Board(tmp_path).guesses("reminder"))


def test_number_that_nobody_has_said_has_its_place_in_the_histogram(tmp_path):
    for number in range(5):
        hand_in(tmp_path, f"s{number}", make(8 if number else 2))
    drawn, text = Board(tmp_path).guesses("reminder").draw()
    assert re.findall(r"<small>(?:✓ )?(\d)<", drawn) == list("2345678")
    assert "      3  0" in text
    hand_in(tmp_path, "far", make(900))
    drawn = Board(tmp_path).guesses("reminder").draw()[0]
    assert re.findall(r"<small>(?:✓ )?(\d+)<", drawn) == ["2", "5", "8", "900"]


def test_yesterdays_are_not_todays(tmp_path, owners):
    for _ in range(5):
        copy(tmp_path, make(8, day=YESTERDAY, E1=""))
    both = make(8, day=YESTERDAY, E1="", E2="a_status", E4="counts")
    both.exercises["E4"].day = TODAY
    copy(tmp_path, both)
    tmp_path.chmod(0o3773)
    board = Board(tmp_path)
    assert len(board.learners) == 1 and f"5 from before {TODAY}" in str(board)
    assert "1 of 1 pass" in row(board, "E1") and "1 at rule 1" in row(board, "E4")
    assert "0 answers" in str(board.guesses("reminder")) and "nobody: E2" in str(board)
    assert "6 answers" in str(Board(tmp_path, since=YESTERDAY).guesses("reminder"))


def test_handed_in_work_counts_from_any_day(tmp_path):
    hand_in(tmp_path, "ada", make(E1="", day=date(2026, 1, 1)))
    assert "1 of 1 pass" in row(Board(tmp_path), "E1")


def test_it_says_that_it_is_not_for_grades_and_is_not_saved(tmp_path, monkeypatch):
    hand_in(tmp_path, "ada", make(E1=""))
    shown = []
    monkeypatch.setattr(board_module, "is_watched", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    Board(tmp_path, names=True)._ipython_display_()
    assert "not for grades" in str(Board(tmp_path))
    assert shown[0]["text/plain"] == board_module.NOT_SAVED and "text/html" not in shown[0]


def test_folder_that_is_closed_to_the_learners_or_to_the_teacher_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv(CLASS, f"{tmp_path}/")
    tmp_path.chmod(0o3773)
    assert "No learner can write" not in str(Board())
    tmp_path.chmod(0o755)
    assert f"No learner can write in {tmp_path}, because its mode is 755" in str(Board())
    assert "No learner" not in str(Board(tmp_path.parent))

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(PermissionError, match=f"You may not list {tmp_path}. .* in its group"):
        Board()


def test_command(tmp_path, capsys, monkeypatch):
    for number in range(6):
        hand_in(tmp_path, f"s{number}", make(number, E1=""))
    assert run(["class", str(tmp_path)]) == 0
    assert "6 of 6 pass" in capsys.readouterr().out
    assert run(["class", str(tmp_path), "--guesses", "reminder"]) == 0
    assert "✓     5 █ 1" in capsys.readouterr().out
    monkeypatch.delenv(CLASS, raising=False)
    (tmp_path / "my_lesson").mkdir()
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        hand_in(tmp_path / "my_lesson" / "work", "ada", make(E1=""))
        assert run(["class", "work"]) == 0
        assert "This is my_lesson/work." in capsys.readouterr().err
    students = [str(one) for one in tmp_path.iterdir()]  # submitted/* would be one learner
    for words in ([], [str(tmp_path / "gone")], students):
        with pytest.raises(SystemExit):
            run(["class", *words])
        told = capsys.readouterr().err
        assert any(one in told for one in (CLASS, "gone", "unrecognized arguments")), told
    monkeypatch.setenv(CLASS, str(tmp_path))
    copy(tmp_path, make(E1=""))
    assert run(["class", "--names"]) == 0 and "1 of 1 pass" in capsys.readouterr().out
