"""Board(): where a class is, of what learners' files have, for the teacher. Not for grades."""

import builtins
import csv
import os
import re
import stat
import sys
import textwrap
from argparse import ArgumentParser
from asyncio import Task, sleep
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TextIO

from exerciselib.feedback import prose
from exerciselib.page import PAGES
from safetylib.guard.escape import for_print

from ..common.guesses import GUESSES
from ..common.lesson_folder import find_in_lesson
from ..common.parts import PARTS
from ..common.pluralize import pluralize
from ..drawing.picture import escape, page
from ..exercises.rules import list_rules
from ..kernel.watching import find_cell, find_event_loop, is_watched
from .class_files import is_shared, read_class
from .progress import CLASS, FILE, Progress, digest

FEWEST = 5  # answers of a histogram: fewer would say who has answered what
MOST_BARS = 20
SECONDS = 10  # until a picture on a page is drawn again
NOT_SAVED = "This picture is not saved with the notebook. Run the cell again, or print it."
NOT_FOR_GRADES = "Learners can change these files, so this is not for grades."
REFUSED = (
    "You may not list {}. If it is the folder of a class, your account must be in its group; a "
    "JupyterLab that was started before it was added does not know it: stop its server, and start "
    "it again."
)
ELSEWHERE = "a rule of another version of the lesson"
NOT_BEGUN = "not begun"
CLOSED = (
    "No learner can write in {}, because its mode is {:o}: make it as docs/teach-set-up.md says. "
)


class Place(NamedTuple):
    """Where some learners are in an exercise: its kind, in words, who, and the rule's sentence.

    `read` is the sentence that most of them have read.
    """

    kind: str
    words: str
    who: list[str]
    rule: str = ""
    read: str = ""


class Row(NamedTuple):
    """An exercise, and where the learners are in it: who passes first, who has not begun last."""

    exercise: str
    part: str
    places: list[Place]

    @property
    def title(self) -> str:
        return f"{self.exercise} {self.part}"


class Line(NamedTuple):
    """A line of the board: a title, words, and the pieces of its bar: a kind, and how many."""

    title: str
    words: str
    bar: Sequence[tuple[str, int]] = ()


class Picture:
    """A picture that is drawn again while a page shows it, and is not saved with the notebook."""

    tasks: ClassVar[dict[str, Task[None]]] = {}  # of the picture that each cell shows

    def __init__(self, draw: Callable[[], tuple[str, str]]) -> None:
        """Take the function that returns the picture as HTML and as text."""
        self.draw = draw

    def draw_page(self) -> str:
        """Return the picture with its style sheet."""
        return page(self.draw()[0], "lp-class", "classroom/board")

    def __repr__(self) -> str:
        return for_print(self.draw()[1])

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if not is_watched():
            return display({"text/plain": repr(self)}, raw=True)
        from ipywidgets import HTML

        shown = HTML(self.draw_page())
        display((shown._repr_mimebundle_() or {}) | {"text/plain": NOT_SAVED}, raw=True)
        if old := self.tasks.pop(find_cell(), None):
            old.cancel()
        if loop := find_event_loop():
            self.tasks[find_cell()] = loop.create_task(self._follow(shown))

    async def _follow(self, shown: Any) -> None:
        while True:
            await sleep(SECONDS)
            with suppress(OSError):  # the folder may be back in ten seconds
                shown.value = self.draw_page()


class Board(Picture):
    """Where a class is: for each exercise how many pass, and at which rule the others stand."""

    def __init__(
        self,
        folder: str | Path = "",
        exercises: str = "",
        *,
        names: bool = False,
        since: date | None = None,
    ) -> None:
        """Take the folder of a class: that of LESSON_CLASS, or one of handed-in work.

        In the folder of LESSON_CLASS, which is taken if none is named, a learner is the owner of a
        file, and what was tried and guessed before today is left out. Among handed-in work, a
        learner is a folder, or what is before `_my_progress.json` in a file's name. `since` is
        another first day for both. `exercises`, such as "E1 E2", are those of this hour. Names are
        shown with `names`. Raise ValueError if no folder is named, or for an exercise that does not
        exist, and OSError if the folder cannot be listed.
        """
        if not (folder := folder or os.environ.get(CLASS, "")):
            raise ValueError(f"Name a folder: {CLASS} is not set here.")
        self.shown = re.findall(r"\w+", exercises)
        known = {level.exercise for part in PARTS.values() for level in part.levels}
        if wrong := [one for one in self.shown if one not in known]:
            raise ValueError(f"{wrong[0]!r:.20} is no exercise: write `E1 E2`.")
        super().__init__(self._draw_rows)
        self.folder = Path(folder).expanduser()
        self.names, self.since = names, since
        try:
            self.read()
        except PermissionError as problem:
            raise PermissionError(REFUSED.format(problem.filename)) from None

    def guesses(self, name: str) -> Picture:
        """Return a histogram of the first answers to a guess, such as "reminder".

        Raise LookupError, with the names of all guesses, for any other name.
        """
        if name not in GUESSES:
            raise LookupError(f"{name!r:.60} is no guess. The guesses: {', '.join(GUESSES)}.")
        return Picture(partial(self._draw_guesses, name))

    def make_csv(self, students: Iterable[str] = ()) -> str:
        """Return the class as CSV: a row for each learner, and for who of `students` is in no file.

        It has a column for each exercise and each guess.
        """
        found = self.read()
        rows = self._list_rows()
        words = {
            (row.exercise, who): one.words for row in rows for one in row.places for who in one.who
        }
        head = ["student", *(row.exercise for row in rows), *(f"guess {one}" for one in GUESSES)]
        lines = [head]
        for who in sorted({*found, *filter(None, map(str.strip, students))}):
            guesses = self.learners[who].guesses if who in self.learners else {}
            line = [who, *(words.get((row.exercise, who), "") for row in rows)]
            line += [f"{guesses[one].value}" if one in guesses else "" for one in GUESSES]
            lines.append(line)
        file = StringIO()
        csv.writer(file, lineterminator="\n").writerows([map(keep_text, line) for line in lines])
        return file.getvalue()

    def read(self) -> dict[str, Progress | None]:
        """Read all files again, and return what was found: see `read_class`."""
        self.skipped: Counter[str] = Counter()
        self.first_day = self.since or (date.today() if is_shared(self.folder) else None)
        found = read_class(self.folder, self.first_day, self.skipped)
        self.learners = {who: known for who, known in found.items() if known}
        return found

    def _is_before(self, day: date) -> bool:
        """Return whether a try or a guess is from before the first day."""
        return self.first_day is not None and day < self.first_day

    def _list_rows(self) -> list[Row]:
        """Return each exercise with its places, in the order in which the exercises are written."""
        found = [(one.exercise, part, one.name) for part in PARTS for one in PARTS[part].levels]
        rows = []
        for exercise, part, level in sorted(found, key=lambda one: int(one[0][1:])):
            rules = {one.name: one.text for one in list_rules(part, level)}
            said = {digest(one): re.sub(r"\{\w+\}", "…", one) for one in PAGES[part].sentences}
            who: dict[str, list[str]] = {"": []}
            read: dict[str, Counter[str]] = {}
            rest = []
            for name, known in self.learners.items():
                one = known.exercises.get(exercise)
                if one is None or (one.rule and self._is_before(one.day)):
                    rest.append(name)
                    continue
                rule = one.rule
                if rule not in rules and not (rule == "" or is_error(rule)):
                    rule = ELSEWHERE
                who.setdefault(rule, []).append(name)
                read.setdefault(rule, Counter())[said.get(one.sentence, "")] += 1
            others = sorted((rule for rule in who if rule), key=lambda rule: -len(who[rule]))
            places = [
                Place("all", "pass", who[""]),
                *(
                    Place(
                        "at",
                        name_place(one, rules),
                        who[one],
                        rules.get(one, ""),
                        max(read[one], key=read[one].__getitem__, default=""),
                    )
                    for one in others
                ),
                Place("rest", NOT_BEGUN, rest),
            ]
            rows.append(Row(exercise, part, [one for one in places if one.who]))
        return rows

    def _list_lines(self) -> list[Line]:
        """Return all that the board says, in its order: HTML and text are made of these lines.

        The bars come first, for one screen of a projector, and the sentences below them.
        """
        rows = [row for row in self._list_rows() if not self.shown or row.exercise in self.shown]
        begun = [row for row in rows if any(place.kind != "rest" for place in row.places)]
        total = len(self.learners)
        lines = [Line(f"{pluralize(total, 'learner')}.", self._describe_skipped())]
        for row in begun:
            bar = [(place.kind, len(place.who)) for place in row.places]
            many = {place.words: len(place.who) for place in row.places}
            passed, rest = many.pop("pass", 0), many.pop(NOT_BEGUN, 0)
            words = [f"{passed} of {total} pass", *(f"{many[one]} {one}" for one in many)]
            lines.append(Line(row.title, f"{', '.join(words)}. Not begun: {rest}.", bar))
            for place in row.places if self.names else ():
                lines.append(Line("", f"{place.words}: {', '.join(place.who)}"))
        if nobody := [row.exercise for row in rows if row not in begun]:
            lines.append(Line("", f"Begun by nobody: {', '.join(nobody)}."))
        for row in begun:
            first = next((place for place in row.places if place.kind == "at"), None)
            if first and (first.rule or first.read):
                read = f" Most often read: “{first.read}”" if first.read else ""
                lines.append(Line(row.exercise, f"{first.rule}{read}"))
        return lines

    def _draw_rows(self) -> tuple[str, str]:
        """Return the board as HTML and as text."""
        self.read()
        lines, total = self._list_lines(), len(self.learners)
        drawn = ""
        for line in lines:
            bar = "".join(
                f"<i class='lp-{kind}' style='flex:{many}'>"
                # A number has no room in a bar that is a fortieth of the width.
                f"{many if many * 40 > total else ''}{' ✓' * (kind == 'all')}</i>"
                for kind, many in line.bar
            )
            drawn += f"<h4>{escape(line.title)}</h4>" if line.title else ""
            drawn += f"<div aria-hidden='true'>{bar}</div>" if bar else ""
            drawn += f"<p>{prose(for_print(line.words))}</p>"
        text = [f"{line.title:20} {line.words}".rstrip() for line in lines]
        return self._add_notes(f"<section>{drawn}</section>", text)

    def _draw_guesses(self, name: str) -> tuple[str, str]:
        """Return the histogram of a guess as HTML and as text, with a bar for each answer."""
        self.read()
        guess, found = GUESSES[name], Counter[int]()
        for known in self.learners.values():
            if (one := known.guesses.get(name)) and not self._is_before(one.day):
                found[one.value] += 1
        skipped = f" {said}" if (said := self._describe_skipped()) else ""
        if found.total() < FEWEST:
            words = (
                f"{pluralize(found.total(), 'answer')}. {FEWEST} answers make a picture.{skipped}"
            )
            drawn = f"<h3>{escape(guess.question)}</h3><p>{escape(words)}</p>"
            return self._add_notes(drawn, [words])
        words = f"{found.total()} answers. Right: {guess.right}.{skipped}"
        shown = Counter(dict(found.most_common(MOST_BARS)))
        if rest := found.total() - shown.total():
            words += f" {rest} other answers are not drawn: they are rare."
        bars, lines = "", [guess.question]
        values = sorted({*shown, guess.right})
        if values[-1] - values[0] < MOST_BARS:  # then a number that nobody has said has its place
            values = [*range(values[0], values[-1] + 1)]
        for value in values:
            many, sign = shown[value], "✓ " if value == guess.right else ""
            kind, height = "right" if sign else "hand", 180 * many / max(shown.values())
            bars += f"<span class='lp-{kind}'><b>{many or ''}</b>"
            bars += f"<i style='height:{height:.0f}px'></i><small>{sign}{value}</small></span>"
            lines.append(f"{sign:2}{value:5} {'█' * many} {many}")
        picture = f"<div class='lp-hands' role='img' aria-label='{words}'>{bars}</div>"
        drawn = f"<h3>{escape(guess.question)}</h3>{picture}<p>{words}</p>"
        return self._add_notes(drawn, [*lines, words])

    def _describe_skipped(self) -> str:
        """Return what was left out, and why, in one sentence."""
        left_out = ", ".join(f"{many} {reason}" for reason, many in sorted(self.skipped.items()))
        return f"Left out: {left_out}." if left_out else ""

    def _add_notes(self, drawn: str, lines: list[str]) -> tuple[str, str]:
        """Return a picture as HTML and as text, with what a teacher must know about the files."""
        notes = NOT_FOR_GRADES
        if not self.learners and f"{self.folder}" == os.environ.get(CLASS, "").rstrip("/"):
            mode = stat.S_IMODE(self.folder.stat().st_mode)
            is_open = mode & 0o3 == 0o3  # for everybody: write, and go into it
            notes = notes if is_open else CLOSED.format(self.folder, mode) + notes
        return f"{drawn}<p class='lp-note'>{escape(notes)}</p>", "\n".join([*lines, notes])


def keep_text(text: str) -> str:
    """Return a cell that can be printed, and that no spreadsheet takes for a formula.

    A name is a learner's.
    """
    return for_print(f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text)


def is_utf8_file(stream: TextIO) -> bool:
    """Return whether this is a file in UTF-8, which Excel takes for another one without a mark.

    In a terminal or a pipe, the mark would be a part of the first name.
    """
    try:
        is_file = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False
    return is_file and stream.encoding.lower() in ("utf-8", "utf8")


def is_error(rule: str) -> bool:
    """Return whether this is the name of an error, with which the cell of an exercise has ended."""
    return isinstance(kind := getattr(builtins, rule, None), type) and issubclass(kind, Exception)


def name_place(rule: str, rules: dict[str, str]) -> str:
    """Return in a few words where those are who stand at this rule, or at an error."""
    if is_error(rule):
        return f"at {rule}"  # with which the cell ends
    return f"at {shorten(rules[rule])}" if rule in rules else f"at {ELSEWHERE}"


def shorten(rule: str) -> str:
    """Return "rule 3" for a rule that has a number in the text, and its first words for another."""
    number = re.match(r"Rules? [\d and]+(?=:)", rule)
    return number[0].lower() if number else f"“{textwrap.shorten(rule, 40, placeholder=' …')}”"


def main(argv: list[str]) -> int:
    """Run `class FOLDER`: print where a class is. Return the exit status."""
    parser = ArgumentParser(
        prog="planning-agent class",
        description=f"Print where the learners of a class are. FOLDER is that of {CLASS}, or of "
        f"handed-in work, in which each learner has a folder with {FILE}.",
    )
    parser.add_argument(
        "folder", default="", nargs="?", metavar="FOLDER", help=f"without one: {CLASS}"
    )
    parser.add_argument("--exercises", default="", metavar="E1,E2", help="print only these")
    parser.add_argument("--names", action="store_true", help="print who is where")
    parser.add_argument("--csv", action="store_true", help="print a table, with names")
    parser.add_argument("--students", type=Path, metavar="FILE", help="for --csv: a name a line")
    parser.add_argument("--guesses", metavar="NAME", choices=[*GUESSES], help="print a histogram")
    parser.add_argument("--since", type=date.fromisoformat, help="the first day, as 2026-11-28")
    given = parser.parse_args(argv)
    try:
        folder = find_in_lesson(Path(given.folder)) if given.folder else ""
        board = Board(folder, given.exercises, names=given.names, since=given.since)
        students = given.students.read_text("utf-8-sig").splitlines() if given.students else []
        if given.csv or students:
            table = board.make_csv(students)
            print(f"\ufeff{table}" if is_utf8_file(sys.stdout) else table, end="")
            print(board._describe_skipped(), NOT_FOR_GRADES, file=sys.stderr)
            return 0
    except FileNotFoundError as problem:
        parser.error(f"There is no {problem.filename}.")
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    print(board.guesses(given.guesses) if given.guesses else board)
    return 0
