"""Judge the rules: `python tests/judge_rules.py [PART …]` tries all attempts of tests/attempts.

A module of attempts is named like the module of the rules, and has

- `PLAIN`: the text of a right cell, which the changes of WRONG are made in,
- `RIGHT`: further right cells by title, which pass all levels,
- `FIRST` (may be left out): cells by title that pass the first level alone,
- `WRONG`: rows of the name of the rule that fails first, a whole cell if it is not PLAIN,
  changes `(old, new)` of the cell, and, last, words of the cause that the learner reads; the
  cell and the words may be left out,
- `BASES` (may be left out): texts of the cells above, by label. The attempt is defined below each
  of them, and all are tried, the first one as the learner's.

It counts how many wrong cells are refused, and at their rule; in how many the only feedback is an
exception; how many lines are not in the cell; how many feedbacks name a cause; and how many are
refused because the call itself does not fit (a TypeError about arguments).
"""

import linecache
import re
import sys
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from lesson.parts import PARTS
from lesson.rules.engine import Result, count_levels, try_part

NUMBERS = count(1)
IMPORTS = (
    "import time\nfrom agentlib import Nag, TodoManager, Tool, call_tool\nfrom lesson import *\n"
)
ARGUMENTS = "positional argument|unexpected keyword|multiple values for|takes no arguments"
FAULTS = (
    "passes",
    "another rule",
    "not told",
    "no cause",
    "raw exception",
    "line outside the cell",
    "call does not fit",
)
NO_BASES = {"": ""}


class Wrong(NamedTuple):
    """A wrong cell: the rule that refuses it, and words of the cause."""

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


def module_name(part: str) -> str:
    """Return the name of the module with the attempts of a part."""
    return f"attempts.{re.sub('(?<=[a-z])(?=[A-Z])', '_', part).lower()}"


def module_of(part: str) -> Any:
    """Return the module with the attempts of a part."""
    return import_module(module_name(part))


def list_wrong(part: str) -> list[Wrong]:
    """Return the wrong attempts of a part."""
    found, attempts = [], module_of(part)
    for number, (rule, *rest) in enumerate(attempts.WRONG):
        source = rest.pop(0) if isinstance(rest[0], str) else attempts.PLAIN
        words = rest.pop() if rest and isinstance(rest[-1], str) else ""
        found.append(Wrong(part, number, rule, slip(source, *rest), words))
    return found


def list_right(part: str) -> list[tuple[str, str, str]]:
    """Return the part, a title and a cell for each cell that passes all levels."""
    attempts = module_of(part)
    return [
        (part, title, one) for title, one in ({"plain": attempts.PLAIN} | attempts.RIGHT).items()
    ]


def make(part: str, source: str) -> tuple[Any, list[tuple[str, Any]]]:
    """Return what a cell defines on the first base, and (label, object) for each other base."""
    made = []
    for label, base in getattr(module_of(part), "BASES", NO_BASES).items():
        made.append((label, run(source, **run(base))[part]))
    return made[0][1], made[1:]


def try_source(part: str, source: str) -> Result:
    """Try all levels of a part on a cell."""
    made, others = make(part, source)
    return try_part(part, made, PARTS[part].levels[-1].name, others)


def count_source(part: str, source: str) -> int:
    """Return how many levels a cell passes."""
    made, others = make(part, source)
    return count_levels(part, made, others)


def find_faults(wrong: Wrong, result: Result) -> list[str]:
    """Return what is wrong with the feedback about a wrong attempt, by the names of the counts."""
    if result.ok:
        return ["passes"]
    line = re.match(r"line (\d+): (.*)", result.line)
    lines = wrong.source.splitlines()
    is_own = (
        not line
        or lines[int(line[1]) - 1 : int(line[1])]
        and line[2] == lines[int(line[1]) - 1].strip()
    )
    found = (
        False,
        result.rule != wrong.rule,
        wrong.words not in result.said,
        not result.cause,
        not result.cause and re.match(r"\w+(Error|Exception|Exit)\b", result.got),
        not is_own,
        re.search(f"TypeError.*({ARGUMENTS})", result.got),
    )
    return [fault for fault, is_found in zip(FAULTS, found, strict=True) if is_found]


def judge(part: str, shows: bool = False) -> dict[str, int]:
    """Try all attempts of a part. Return the counts, and print each feedback if `shows`."""
    wrong = list_wrong(part)
    counts = {"wrong": len(wrong), "right": 0, "right refused": 0} | dict.fromkeys(FAULTS, 0)
    for _, title, source in list_right(part):
        result = try_source(part, source)
        counts["right"] += 1
        counts["right refused"] += not result.ok
        if not result.ok:
            print(f"RIGHT, BUT REFUSED: {part}, {title}\n{result}\n")
    for title, source in getattr(module_of(part), "FIRST", {}).items():
        if (levels := count_source(part, source)) != 1:
            print(f"FIRST LEVEL ONLY, BUT {levels}: {part}, {title}\n")
    for one in wrong:
        result = try_source(part, one.source)
        for fault in (faults := find_faults(one, result)):
            counts[fault] += 1
        if shows or faults:
            print(f"{part} {one.number}: {', '.join(faults)} (rule {one.rule})\n{result}\n")
    return counts


def main() -> None:
    """Judge the parts that are named, or all that have attempts. `-v` shows each feedback."""
    folder = Path(__file__).parent
    sys.path[:0] = [str(folder)]
    named = [one for one in sys.argv[1:] if one != "-v"]
    for part in named or PARTS:
        try:
            module_of(part)
        except ModuleNotFoundError:
            continue
        print(f"{part}: {judge(part, '-v' in sys.argv)}")


if __name__ == "__main__":
    main()
