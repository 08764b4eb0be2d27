"""Try the attempts in `attempts`, and those on the pages, as a learner's cells.

`judge_rules.py PART CELL.py …` prints what a learner reads about the cell in each file.

A module of attempts is named like the page, and has `RIGHT`, right cells by title. It may have
`FIRST`, cells that pass the first level alone; `WRONG`, mistakes that are on no page: the rule that
fails first, a whole cell if it is not our solution, changes `(old, new)` of it, and words of the
cause; `BASES`, cells by label: the attempt is tried below each of them.
"""

import linecache
import re
import sys
from functools import cache, partial
from importlib import import_module
from itertools import count
from operator import attrgetter
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from exerciselib import page as exercise_page
from exerciselib.feedback import Verdict
from exerciselib.learners_code import Raised
from exerciselib.page import PAGES, Mistake, Page
from exerciselib.stories import StoryPage
from lesson.common.parts import PARTS
from lesson.exercises.rules import load_rules, try_part

exercise_page.PARENTS_KEPT = 3  # as many as the bases of a right cell
NUMBERS = count(1)
passed = attrgetter("passed")
IMPORTS = (
    "import time\nfrom agentlib import Nag, TodoManager, Tool, call_tool\nfrom lesson import *\n"
)


class Wrong(NamedTuple):
    """A wrong cell: the rule that refuses it, if it is one, and words of the cause."""

    part: str
    number: int
    rule: str
    source: str
    words: str


def run(source: str, **names: Any) -> dict[str, Any]:
    """Return the names after a cell has run, as in a notebook: its lines can be read."""
    file = f"<cell {next(NUMBERS)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"__name__": "__main__"} | names
    exec(IMPORTS, names)
    exec(compile(source, file, "exec"), names)
    return names


def slip(source: str, *changes: tuple[str, str]) -> str:
    """Return the source with each (old, new) change made; the old text must be there."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


def module_of(part: str) -> Any:
    """Return the module with the attempts of a part."""
    return import_module(f"attempts.{re.sub('(?<=[a-z])(?=[A-Z])', '_', part).lower()}")


def list_wrong(part: str) -> list[Wrong]:
    """Return the wrong attempts of a part: the mistakes of its page, and those of its module."""
    rows = getattr(module_of(part), "WRONG", ())
    page = find_page(part)
    # A change below two sentences is told the first one.
    first = {(row.title, row.changes): row for row in reversed(page.list_mistakes())}
    wrong = [read_mistake(page, row) for row in first.values()]
    wrong += [read_row(part, row) for row in rows]
    return [cell._replace(number=number) for number, cell in enumerate(wrong)]


def find_page(part: str) -> Page:
    """Return the page of a part."""
    load_rules(part)  # this imports its module
    return PAGES[part]


def read_mistake(page: Page, mistake: Mistake) -> Wrong:
    """Return the cell of a mistake. One that raises may fail at any rule."""
    rule = "" if mistake.title in ("exceptions", "extends") else mistake.title
    return Wrong(page.part, 0, rule, page.change(mistake.changes), find_words(mistake.sentence))


def find_words(sentence: str) -> str:
    """Return the longest words of a sentence that it has whatever the values of a story are."""
    return max(re.split(r"\{[a-z]+\}", sentence), key=len)


def read_row(part: str, row: Any) -> Wrong:
    """Return the wrong cell of a row of `WRONG`."""
    rule, *rest = row
    source = rest.pop(0) if isinstance(rest[0], str) else find_page(part).solution
    words = rest.pop() if rest and isinstance(rest[-1], str) else ""
    return Wrong(part, 0, rule, slip(source, *rest), words)


def list_right(part: str) -> list[tuple[str, str, str]]:
    """Return the part, a title and a cell for each cell that passes all levels."""
    cells = {"plain": find_page(part).solution} | module_of(part).RIGHT
    return [(part, title, cell) for title, cell in cells.items()]


def make(part: str, source: str) -> list[Any]:
    """Return what a cell defines on each base."""
    bases = getattr(module_of(part), "BASES", {"": ""})
    return [make_on(part, source, base) for base in bases.values()]


@cache
def run_base(base: str) -> dict[str, Any]:
    """Return the names after the cell of a base, which is run once: a trial restores its state."""
    return run(base)


def make_on(part: str, source: str, base: str) -> Any:
    """Return what a cell defines below another one. If the cell raises, so does a call of it."""
    names = run_base(base)
    try:
        return run(source, **names)[part]
    except Exception as problem:
        return type(part, (), {"__init__": partial(raises, problem)})


def raises(problem: Exception, *_: Any, **__: Any) -> None:
    raise problem


def try_source(part: str, source: str) -> Verdict:
    """Try all levels of a part on a cell, below each base. Return the first failure."""
    level = PARTS[part].levels[-1].name
    return min((try_part(part, made, level) for made in make(part, source)), key=passed)


@cache
def try_once(part: str, source: str) -> Verdict:
    """Try all levels of a part on a wrong cell, once for all tests that look at the feedback."""
    return try_source(part, source)


def find_faults(wrong: Wrong, verdict: Verdict) -> list[str]:
    """Return what is wrong with the feedback about a wrong attempt."""
    lines = [
        "",
        *(f"line {n}: {one.strip()}" for n, one in enumerate(wrong.source.splitlines(), 1)),
    ]
    faults = {
        "passes": verdict.ok,
        "another rule": verdict.rule != (wrong.rule or verdict.rule),
        "not told": wrong.words not in verdict.said,
        "no cause": not isinstance(verdict.cause, str) or not verdict.cause,
        "line outside the cell": verdict.line not in lines,
    }
    return [fault for fault, is_found in faults.items() if is_found]


def list_broken(part: str) -> list[str]:
    """List the stories of a part that end in an error outside of it, even with our solution.

    The learner's part ends there too, so such a story compares nothing and lets mistakes pass.
    """
    page, broken = find_page(part), []
    if isinstance(page, StoryPage):
        made = make(part, page.solution)[0]
        for title, text in page.sections.items():
            for story in page.read(title) if "\n? " in text else ():
                for step in page.run(made, story)[1]:
                    if isinstance(step.got, Raised) and not is_raised_in_cell(step.got.problem):
                        broken.append(f"[{title}] {step.tried()}\n{step.got.problem!r}")
    return broken


def is_raised_in_cell(problem: BaseException) -> bool:
    """Return whether an error has gone through a line of a cell."""
    return any(one.filename.startswith("<cell ") for one in extract_tb(problem.__traceback__))


def main() -> None:
    """Print what a learner reads about each of the cells."""
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    if len(sys.argv) < 3:
        sys.exit("usage: judge_rules.py PART CELL.py …")
    part, *cells = sys.argv[1:]
    for cell in cells:
        print(f"{cell}\n{try_source(part, Path(cell).read_text(encoding='utf-8'))}\n")


if __name__ == "__main__":
    main()
