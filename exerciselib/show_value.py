"""Show any value of a learner's code as a short string, and two where they differ."""

import re
from itertools import zip_longest
from os.path import commonprefix
from typing import Any

from .learners_code import Raised

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 600  # of a value: a list of ten short tasks is shown whole
WHOLE_CHARACTERS = 100  # two values that are longer are shown from the first place that differs
MANY_LINES = 12  # of two texts that are longer, only the lines that differ are shown
BEFORE_CHARACTERS = 30  # are shown before a place in a string


class Words(str):
    """A description of an expected value, which is shown without quotes."""

    __repr__ = str.__str__


def show(value: Any) -> str:
    """Return any value as a short string that is the same on every machine."""
    try:
        if isinstance(value, Raised):
            text = f"{type(value.problem).__name__}: {value.problem}".removesuffix(": ")
        elif isinstance(value, str) and "\n" in value.strip():
            text = value
        else:
            text = repr(value)
    except Exception:  # a learner's __repr__ may raise anything
        text = f"a {type(value).__name__} that cannot be shown"
    text = ADDRESS.sub("", text.encode("utf-8", "replace").decode())
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + " … (and more)"
    return text


def show_both(got: Any, expected: Any) -> tuple[str, str]:
    """Return what was got and what was expected as strings.

    Words of a rule are shown whole, or if they have many lines, those that differ.
    """
    if isinstance(expected, Words):
        return cut_lines(show(got), show(expected))
    return show_difference(got, expected)


def cut_lines(*texts: str) -> tuple[str, str]:
    """Return two texts of many lines without those that are equal, but for one on each side."""
    got, expected = ([*text.splitlines()] for text in texts)
    if min(len(got), len(expected)) <= MANY_LINES:
        return texts[0], texts[1]
    before = max(0, len(commonprefix([got, expected])) - 1)
    after = max(0, len(commonprefix([got[before:][::-1], expected[before:][::-1]])) - 1)
    dots = ["…"] if before else [], ["…"] if after else []
    cut = (dots[0] + one[before : len(one) - after] + dots[1] for one in (got, expected))
    first, second = map("\n".join, cut)
    return first, second


def show_difference(got: Any, expected: Any) -> tuple[str, str]:
    """Return two values as strings: whole, or if they are long, the first place that differs."""
    places = []
    while is_long(got) or is_long(expected):
        place, *inner = find_first_difference(got, expected)
        if not place:
            break
        places.append(place)
        got, expected = inner
    if isinstance(got, str) and isinstance(expected, str):
        place, got, expected = cut_strings(got, expected)
        places += [place] if place else []
    begin = f"{', '.join(places)}: " if places else ""
    return begin + show(got), begin + show(expected)


def is_long(value: Any) -> bool:
    return len(show(value)) > WHOLE_CHARACTERS


def find_first_difference(got: Any, expected: Any) -> tuple[str, Any, Any]:
    """Return the first place inside of two values that differs, and both values there.

    Without such a place, return "" and the values.
    """
    nothing = Words("nothing")
    places: list[tuple[str, Any, Any]] = []
    if isinstance(got, str) and isinstance(expected, str):
        lines = zip_longest(got.splitlines(), expected.splitlines(), fillvalue="")
        kind = Words if isinstance(expected, Words) else str
        places = [(f"line {n}", kind(a), kind(b)) for n, (a, b) in enumerate(lines, 1)]
        if len(places) == 1:
            return "", got, expected
    elif isinstance(got, dict) and isinstance(expected, dict):
        names = dict.fromkeys([*expected, *got])
        places = [(repr(n), got.get(n, nothing), expected.get(n, nothing)) for n in names]
    elif isinstance(got, list | tuple) and isinstance(expected, list | tuple):
        pairs = zip_longest(got, expected, fillvalue=nothing)
        places = [(f"place {n}", a, b) for n, (a, b) in enumerate(pairs, 1)]
    for place, value, other in places:
        if value != other:
            return place, value, other
    return "", got, expected


def cut_strings(got: str, expected: str) -> tuple[str, str, str]:
    """Return a place and two strings: what is around their first difference, if they are long."""
    if "\n" in got + expected or not (is_long(got) or is_long(expected)):
        return "", got, expected
    start = max(0, len(commonprefix([got, expected])) - BEFORE_CHARACTERS)
    end = start + 3 * BEFORE_CHARACTERS
    kind = Words if isinstance(expected, Words) else str
    shown = []
    for text in (got, expected):
        begin, rest = "…" if start else "", "…" if text[end:] else ""
        shown.append(kind(f"{begin}{text[start:end]}{rest}"))
    return f"after {start} characters" if start else "", shown[0], shown[1]
