"""Slips of Python that are sure by the code alone, and code that looks like them and is right."""

import linecache

import pytest

from exerciselib.learners_code import Cell
from exerciselib.slips import explain_syntax, find_slip

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
    slip = find_slip(define(f"def part(self, a=(), b=(), n=0):\n    {body}\n"))
    assert sentence in slip if sentence else slip == ""


# By a line of a slide: what is said of a character that is on no keyboard.
CHARACTERS = {
    "x = \u201cabc\u201d": '`x = \u201cabc\u201d` has \u201c (U+201C): type `"` in its place.',
    'x = "abc\u201d': '\u201d (U+201D): type `"` in its place.',
    "if x\uff1a": "\uff1a (U+FF1A): type `:` in its place.",
    "f(a\uff0c b)": "\uff0c (U+FF0C): type `,` in its place.",
    "x\u00a0= 1": "`x␣= 1` has ␣ (U+00A0): type a space in its place.",
    "x = 1\u3000+ 2": "(U+3000): type a space in its place.",
    "x = a\u200b + 1": "(U+200B): delete it.",
    "y = a \u2212 b": "\u2212 (U+2212): type `-` in its place.",
    "if a \u2260 b: pass": "\u2260 (U+2260): type `!=` in its place.",
    "y = a \u2208 b": "(U+2208): an English keyboard does not have this character.",
    'x = "it\u2019s': "",
    "def f(:": "",
}


@pytest.mark.parametrize("line", CHARACTERS)
def test_a_character_of_a_slide_is_named_with_the_key_to_press(line):
    with pytest.raises(SyntaxError) as raised:
        compile(line, "", "exec")
    cause = explain_syntax(raised.value)
    assert CHARACTERS[line] in cause if CHARACTERS[line] else not cause


def test_a_letter_of_another_alphabet_is_named_in_a_latin_word():
    assert "In line 2, `in_pr\u043egress` has \u043e (U+043E)" in find_slip(
        define("def part():\n    return 'in_pr\u043egress'")
    )
    for right in ("'\u0394t'", "'todo \u0441\u043f\u0438\u0441\u043e\u043a'", "'f\u00fc\u00dfe'"):
        assert find_slip(define(f"def part():\n    return {right}")) == ""


def define(source):
    names, file = {}, "<ipython-input-slip>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)
    return Cell(names["part"])
