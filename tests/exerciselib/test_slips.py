"""Slips of Python that are sure by the code alone, and code that looks like them and is right."""

import linecache

import pytest

from exerciselib.learners_code import Cell
from exerciselib.slips import find_slip

SLIPS = [
    ("self.rounds = 0,", "The comma at the end of line 2 makes a tuple"),
    ("self.rounds += 1,", "The comma at the end of line 2"),
    ("return left,", "The comma at the end of line 2"),
    ("left: list = missing(),", "The comma at the end of line 2"),
    ("return (left,)", ""),
    ("left, = missing()", ""),
    ("return left, right", ""),
    ("if (left, right): pass", "The condition in line 2 is always true: with a comma"),
    ("n =+ 1", "`=+` in line 2 assigns"),
    ("n = +1", ""),
    (
        "left = filter(None, missing())\n    if not left: return",
        "`filter(…)` of line 2 is always true",
    ),
    ("if map(str, left): return", "`map(…)` of line 2 is always true"),
    ("left = (x for x in y)\n    while left and n: pass", "The generator of line 2 is always true"),
    ("left = zip(a, b)\n    return len(left)", "`zip(…)` of line 2 has no length"),
    ("left = map(str, a)\n    for x in left: pass\n    for x in left: pass", "only once"),
    ("left = map(str, a)\n    left = list(left)\n    if not left: return", ""),
    ("left = list(filter(None, a))\n    if not left: return", ""),
    ("left = filter(None, a)\n    for x in left: pass", ""),
    ("if any(x for x in a): return", ""),
    ("for left in a:\n        left = map(str, left)\n        if left: pass", ""),
    ("(a.append(x) for x in b)", "The generator in line 2 does nothing by itself"),
    ("map(print, left)", "`map(…)` in line 2 does nothing by itself"),
    ("if status is not 'pending': pass", "`is not` in line 2 asks whether two texts are the same"),
    ("if status is None: pass", ""),
    ("if s != 'a' or s != 'b': pass", "because no value equals both texts"),
    ("if s != 'a' or t != 'b': pass", ""),
    ("if s == 'a' or 'b': pass", "because a text behind `or` counts as true"),
    ("return s or 'medium'", ""),
    ("messages = messages.append(x)", "`append` in line 2 changes the list and returns None"),
    ("last = stack.append(x)", ""),
    (
        "left = a\n    return '{left} is missing'",
        "line 3 has no `f` before its quotes, so `{left}`",
    ),
    ("left = a\n    return f'{left} is missing'", ""),
    ("left = a\n    return '{left} is missing'.format(left=left)", ""),
    ("left = a\n    '''Return {left}.'''", ""),
    ("return '{name} is of nobody here'", ""),
    ("left = a\n    return 'so many: {len(left)}'", "line 3 has no `f` before its quotes"),
    ("path = a\n    return '{\"path\": 1}'", ""),
]


@pytest.mark.filterwarnings("ignore:.* literal. Did you mean:SyntaxWarning")
@pytest.mark.parametrize("body, sentence", SLIPS)
def test_a_slip_is_named_with_its_line_and_right_code_is_not(body, sentence):
    found = find_slip(define(f"def part(self, a=(), b=(), n=0):\n    {body}\n"))
    assert sentence in found if sentence else found == ""


def define(source):
    names, file = {}, "<ipython-input-slip>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)
    return Cell(names["part"])
