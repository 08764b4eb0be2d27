"""Board(): where a class is, of what learners' files have, for the teacher. Not for grades."""

import os
import re
import stat
import textwrap
from argparse import ArgumentParser
from asyncio import Task, sleep
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from exerciselib.feedback import prose
from exerciselib.page import PAGES
from safetylib.escape import for_print

from ..common.guesses import GUESSES
from ..common.parts import PARTS
from ..common.pluralize import pluralize
from ..common.watching import find_event_loop, find_kernel_request, is_watched
from ..drawing.picture import BOARD, escape, page, style
from ..exercises.rules import list_rules
from ..program.progress import CLASS, FILE, digest, read_progress

MOST_FILES = 10_000  # of one folder
MOST_FOLDERS = 1_000  # of one learner: nbgrader makes one for each assignment
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
CLOSED = "No learner can write in {}, because its mode is {:o}: make it as docs/teach.md says. "


class Picture:
    """A picture that is drawn again while a page shows it, and is not saved with the notebook."""

    tasks: ClassVar[dict[str, Task[None]]] = {}  # of the picture that each cell shows

    def __init__(self, draw: Callable[[], tuple[str, str]]) -> None:
        """Take the function that returns the picture as HTML and as text."""
        self.draw = draw

    def draw_page(self) -> str:
        """Return the picture with its style sheets."""
        return page(style(BOARD) + self.draw()[0], "lp-class")

    def __repr__(self) -> str:
        return for_print(self.draw()[1])

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if not is_watched():
            return display({"text/plain": repr(self)}, raw=True)
        from ipywidgets import HTML

        shown = HTML(self.draw_page())
        display((shown._repr_mimebundle_() or {}) | {"text/plain": NOT_SAVED}, raw=True)
        cell = find_kernel_request().get("metadata", {}).get("cellId", "")
        if old := self.tasks.pop(cell, None):
            old.cancel()
        if loop := find_event_loop():
            self.tasks[cell] = loop.create_task(self._follow(shown))

    async def _follow(self, shown: Any) -> None:
        while True:
            await sleep(SECONDS)
            with suppress(OSError):  # the folder may be back in ten seconds
                shown.value = self.draw_page()


class Board(Picture):
    """Where a class is: for each exercise how many pass, and at which rule the others stand."""

    def __init__(
        self, folder: str | Path = "", *, names: bool = False, since: date | None = None
    ) -> None:
        """Take the folder of a class: that of LESSON_CLASS, or one of handed-in work.

        In the folder of LESSON_CLASS, which is taken if none is named, a learner is the owner of a
        file, and what was tried and guessed before today is left out. Among handed-in work, a
        learner is a folder. `since` is another first day for both. Names are shown with `names`.
        Raise ValueError if no folder is named, and OSError if it cannot be listed.
        """
        if not (folder := folder or os.environ.get(CLASS, "")):
            raise ValueError(f"Name a folder: {CLASS} is not set here.")
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

    def read(self) -> None:
        """Read all files again. What is no file of a learner's is counted, and not opened."""
        self.skipped: Counter[str] = Counter()
        newest: dict[str, tuple[float, Any, date | None]] = {}
        for path, folder, is_copy in self._find_files():
            try:
                known, status = read_progress(path)
            except (OSError, ValueError) as problem:
                self.skipped["not readable" if isinstance(problem, OSError) else str(problem)] += 1
                continue
            since = self.since or (date.today() if is_copy else None)
            days = [one.day for one in (*known.exercises.values(), *known.guesses.values())]
            if since and max(days, default=date.min) < since:
                self.skipped[f"from before {since}"] += 1
                continue
            found = status.st_mtime, known, since
            who = name_owner(status) if is_copy else folder.name
            newest[who] = max(newest.get(who, found), found, key=lambda one: one[0])
        self.learners = {who: (known, since) for who, (_, known, since) in sorted(newest.items())}

    def _is_of_class(self) -> bool:
        """Return whether this is the folder of a class: everybody can write in it."""
        is_named = os.path.realpath(self.folder) == os.path.realpath(os.environ.get(CLASS) or "/")
        return is_named or bool(self.folder.stat().st_mode & stat.S_IWOTH)

    def _find_files(self) -> Iterator[tuple[Path, Path, bool]]:
        """Yield each file of a learner's, the learner's folder, and whether it is its owner's.

        In the folder of a class, a folder is nobody's work: anybody can make one with any name.
        """
        is_of_class = self._is_of_class()
        for path in islice(self.folder.iterdir(), MOST_FILES):
            if path.suffix == ".json":
                yield path, self.folder, True
            elif path.is_dir() and not path.is_symlink():
                if is_of_class:
                    self.skipped["folders, because everybody can write here"] += 1
                    continue
                for folder in (path, *list_folders(path)):
                    if os.path.lexists(folder / FILE):
                        yield folder / FILE, path, False

    def _list_rows(self) -> Iterator[tuple[str, list[tuple[str, list[str], str]]]]:
        """Yield each exercise with its rules: the text, who stands there, and what most have read.

        The first has no text: it is who passes. The others are sorted by how many stand there.
        """
        found = [(one.exercise, part, one.name) for part in PARTS for one in PARTS[part].levels]
        for exercise, part, level in sorted(found, key=lambda one: int(one[0][1:])):
            rules = {one.name: one.text for one in list_rules(part, level)} | {"": ""}
            said = {digest(one): re.sub(r"\{\w+\}", "…", one) for one in PAGES[part].sentences}
            who: dict[str, list[str]] = {"": []}
            read: dict[str, Counter[str]] = {"": Counter()}
            for name, (known, since) in self.learners.items():
                one = known.exercises.get(exercise)
                if one and one.rule in rules and not (since and one.rule and one.day < since):
                    who.setdefault(one.rule, []).append(name)
                    read.setdefault(one.rule, Counter())[said.get(one.sentence, "")] += 1
            others = sorted((rule for rule in who if rule), key=lambda rule: -len(who[rule]))
            yield (
                f"{exercise} {part}",
                [
                    (rules[one], who[one], max(read[one], key=read[one].__getitem__, default=""))
                    for one in ["", *others]
                ],
            )

    def _draw_rows(self) -> tuple[str, str]:
        """Return the board as HTML and as text: a bar for each exercise, and the same in words."""
        self.read()
        total = len(self.learners)
        learners = pluralize(total, "learner")
        drawn, lines = f"<h4>{learners}</h4><p></p>", [f"{learners}."]
        for title, standings in self._list_rows():
            words = describe(standings, total)
            groups = [(shorten(text) if text else "pass", who) for text, who, _ in standings if who]
            names = [f"{place}: {', '.join(who)}" for place, who in groups if self.names]
            lines += [f"{title:20} {words}", *(f"{'':20} {line}" for line in names)]
            rest = total - sum(len(who) for _, who, _ in standings)
            if rest == total:
                drawn += f"<h4>{escape(title)}</h4><p>{words}</p>"
                continue
            kinds = [("at" if text else "all", len(who)) for text, who, _ in standings]
            bar = "".join(
                f"<i class='lp-{kind}' style='flex:{many}'>"
                # A number has no room in a bar that is a fortieth of the width.
                f"{many if many * 40 > total else ''}{' ✓' * (kind == 'all')}</i>"
                for kind, many in [*kinds, ("rest", rest)]
                if many
            )
            said = "".join(f"<small>{escape(line)}</small>" for line in names)
            drawn += f"<h4>{escape(title)}</h4><div aria-hidden='true'>{bar}</div>"
            drawn += f"<p>{prose(words)}{said}</p>"
        return self._add_notes(f"<section>{drawn}</section>", lines)

    def _draw_guesses(self, name: str) -> tuple[str, str]:
        """Return the histogram of a guess as HTML and as text, with a bar for each answer."""
        self.read()
        guess, found = GUESSES[name], Counter[int]()
        for known, since in self.learners.values():
            if (one := known.guesses.get(name)) and not (since and one.day < since):
                found[one.value] += 1
        if found.total() < FEWEST:
            words = f"{pluralize(found.total(), 'answer')}. {FEWEST} answers make a picture."
            return self._add_notes(f"<h3>{escape(guess.question)}</h3><p>{words}</p>", [words])
        words = f"{found.total()} answers. Right: {guess.right}."
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

    def _add_notes(self, drawn: str, lines: list[str]) -> tuple[str, str]:
        """Return a picture as HTML and as text, with what a teacher must know about the files."""
        left_out = ", ".join(f"{many} {reason}" for reason, many in sorted(self.skipped.items()))
        notes = f"Files that were left out: {left_out}. " if left_out else ""
        if not self.learners and f"{self.folder}" == os.environ.get(CLASS, "").rstrip("/"):
            mode = stat.S_IMODE(self.folder.stat().st_mode)
            is_open = mode & 0o3 == 0o3  # for everybody: write, and go into it
            notes += "" if is_open else CLOSED.format(self.folder, mode)
        notes += NOT_FOR_GRADES
        return f"{drawn}<p class='lp-note'>{escape(notes)}</p>", "\n".join([*lines, notes])


def describe(standings: list[tuple[str, list[str], str]], total: int) -> str:
    """Return in words how many pass, at which rule most of the others stand, and what they read."""
    (_, passed, _), *others = standings
    if not passed and not others:
        return "Nobody has tried it."
    said = f"{len(passed)} of {total} pass."
    for text, who, read in others[:1]:
        place = f"{text[0].lower()}{text[1:]}" if text.startswith("Rule") else f"this rule: {text}"
        said += f" {len(who)} of {total} {'stands' if len(who) == 1 else 'stand'} at {place}"
        said += f" Most often read: “{read}”" if read else ""
    more = [f"{len(who)} at {shorten(text)}" for text, who, _ in others[1:4]]
    if rest := sum(len(who) for _, who, _ in others[4:]):
        more.append(f"{rest} elsewhere")
    return f"{said} Others: {', '.join(more)}." if more else said


def shorten(rule: str) -> str:
    """Return "rule 3" for a rule that has a number in the text, and its first words for another."""
    number = re.match(r"Rules? [\d and]+(?=:)", rule)
    return number[0].lower() if number else f"“{textwrap.shorten(rule, 40, placeholder=' …')}”"


def list_folders(folder: Path) -> list[Path]:
    """Return the first folders in a folder. A link to one is none."""
    with os.scandir(folder) as found:
        return [
            Path(one) for one in islice(found, MOST_FOLDERS) if one.is_dir(follow_symlinks=False)
        ]


def name_owner(status: os.stat_result) -> str:
    """Return the account that owns a file: a file's name may be taken by somebody else first."""
    try:
        import pwd  # Windows has none

        return pwd.getpwuid(status.st_uid).pw_name
    except (ImportError, KeyError):
        return f"user {status.st_uid}"


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
    parser.add_argument("--names", action="store_true", help="print who is where")
    parser.add_argument("--guesses", metavar="NAME", choices=[*GUESSES], help="print a histogram")
    parser.add_argument("--since", type=date.fromisoformat, help="the first day, as 2026-11-28")
    given = parser.parse_args(argv)
    try:
        board = Board(given.folder, names=given.names, since=given.since)
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    print(board.guesses(given.guesses) if given.guesses else board)
    return 0
