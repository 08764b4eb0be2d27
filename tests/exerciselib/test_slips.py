"""Slips of Python: each is told with its line if its mend mends what a story saw, and only then."""

import linecache
import re
import socket
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from exerciselib import slips
from exerciselib.engine import RULES
from exerciselib.learners_code import Cell
from exerciselib.mend import make_mended
from exerciselib.slips import explain_syntax, list_slips
from exerciselib.stories import StoryPage
from exerciselib.try_it import try_rules

# A wrong body, the right one, what it is called with, and words of the sentence.
SLIPS = [
    ("n = a,\nreturn n", "return a", "1", "The comma in line 2 makes a tuple"),
    ("if (a, b): return 1", "if a and b: return 1", "0, 1", "The condition in line 2"),
    ("a =+ 1\nreturn a", "return a + 1", "5", "`=+` in line 2 assigns"),
    ("if not filter(None, a): return 1", "if not any(a): return 1", "[0]", "`filter(…)` of line 2"),
    ("left = (x for x in a)\nreturn len(left)", "return len(a)", "[0]", "The generator of line 2"),
    ("c = []\n(c.append(x) for x in a)\nreturn c", "return a", "[1]", "does nothing by itself"),
    ("return a.strip() is 'xy'", "return a.strip() == 'xy'", "'xy '", "`is` in line 2 asks"),
    ("return '{a} is missing'", "return f'{a} is missing'", "3", "line 2 has no `f`"),
    ("a = a.append(1)\nreturn a", "return [*a, 1]", "[]", "`append` in line 2 changes `a`"),
    ("c = {}\nreturn c.update(a)", "return a", "{1: 2}", "`update` in line 3 changes `c`"),
    ("return 1 if a.strip else 2", "return 1 if a.strip() else 2", "''", "`a.strip()` calls"),
    ("return b", "return a.pop and b()", "[], lambda: 3", "`b()` calls"),
    ("c = []\nc += a\nreturn c", "return [a]", "'xy'", "`+=` in line 3 takes"),
    ("c = []\nc.extend({'x': 1})\nreturn c", "return [{'x': 1}]", "1", "`extend` in line 3 takes"),
    ("if a: ValueError('no')\nreturn 1", "raise ValueError('no')", "1", "write `raise` before it"),
    ("return a in ['p\u043e', 1]", "return a in ['po', 1]", "'po'", "has \u043e (U+043E)"),
    ("c = [*a, (b,)]\nd = 1,\nreturn c, d", "return [*a, b], 1", "[], 1", "The comma in line 2"),
]


def run(source, **names):
    """Return the names after a cell has run; its lines can be read."""
    file = f"<cell {source}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names := {"__name__": "__main__", **names})
    return names


def define(body, **names):
    return run("def part(a, b=1):\n    " + body.replace("\n", "\n    ") + "\n", **names)["part"]


def tell(folder, part, right, called):
    """Return the cause that is told of a part if the solution has the right body."""
    page = f"[solution]\ndef part(a, b):\n    {right}\n\n[it]\nIt is right.\n? Is it?\n"
    (folder / "part.txt").write_text(f"{page}@ part({called})\n", encoding="utf-8")
    StoryPage("part", str(folder / "part.txt")).add()
    try:
        return try_rules("part", part).cause
    finally:
        del RULES["part"]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("wrong, right, called, words", SLIPS)
def test_slip_is_told_only_if_its_mend_mends_what_the_check_saw(
    tmp_path, wrong, right, called, words
):
    called += "" if "," in called else ", 1"
    assert words in tell(tmp_path, define(wrong), right, called)
    assert words not in tell(tmp_path, define(wrong), "return {'another': 'mistake'}, b", called)


README = Path(slips.__file__).with_name("README.md")


def test_course_adds_a_slip_as_the_readme_says(tmp_path, monkeypatch):
    monkeypatch.setattr(slips, "SLIPS", [])
    exec(re.search(r"SLIPS\.append.*", README.read_text(encoding="utf-8"))[0], vars(slips))
    told = tell(tmp_path, define("a.add(1)\nreturn a"), "return [1]", "[], 1")
    assert told == "Line 2: a list has `append`, so write `a.append(…)`."


# For each kind, a body that does something only after its mend.
DOES = [
    "c = False,\nif not c: DO",
    "if (a, False): pass\nelse: DO",
    "a =+ 1\nif a > 1: DO",
    "if str(a).strip() is '1': DO",
    "c = []\nc += 'xy'\nif c == ['xy']: DO",
    "c = []\nc.extend('xy')\nif c == ['xy']: DO",
    "if filter(None, [0]): pass\nelse: DO",
    "(DO for _ in [1])",
    "if '{a}' == '1': DO",
    "c = [1]\nif c.append(2): DO",
    "if not ''.strip: DO",
    "try: ValueError('no')\nexcept ValueError: DO",
    "if 'p\u043e' == 'po': DO",
]
EFFECTS = {
    "write": "open('new', 'w')",
    "delete": "__import__('pathlib').Path('kept').unlink()",
    "process": "__import__('os').system('touch new')",
    "thread": "[(it.start(), it.join()) for it in [THREAD(target=open, args=('new', 'w'))]]",
    "network": "__import__('socket').create_connection(('127.0.0.1', PORT))",
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("body", DOES)
def test_mend_has_no_effect(tmp_path, monkeypatch, body, effect):
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        do = EFFECTS[effect].replace("PORT", str(server.getsockname()[1]))
        part = define(body.replace("DO", do), THREAD=Thread)

        def list_effects():
            names = {one.name for one in tmp_path.iterdir()} ^ {"part.txt", "kept"}
            with suppress(BlockingIOError):
                server.accept()[0].close()
                names.add("asked")
            kept.touch()
            return names

        kept = tmp_path / "kept"
        kept.touch()
        tell(tmp_path, part, "return {'another': 'mistake'}, b", "1, 1")
        assert not list_effects()
        found = list_slips(cell := Cell(part), "def part(a, b): pass")
        assert found
        for slip in found:  # without the guard, one of them has the effect
            make_mended(cell, slip)(1)
        assert list_effects()


WRITES = "open('runs', 'a').write('x')"
OUTSIDE = {
    "a body": f"class part:\n    x = {WRITES}\n    def call(self, a): return a,",
    "a default": f"class part:\n    def call(self, a, b={WRITES}): return a,",
    "an annotation": f"class part:\n    def call(self, a: {WRITES}): return a,",
    "a decorator": f"def keep(it):\n    {WRITES}; return it\n"
    "class part:\n    @keep\n    def call(self, a): return a,",
    "a base": f"class Base:\n    def __init_subclass__(cls): {WRITES}\n"
    "class part(Base):\n    def call(self, a): return a,",
    "the cell": f"{WRITES}\nclass part:\n    def call(self, a): return a,",
    "a change": f"log = ['']\nlog[0] += {WRITES} * 'x'\nclass part:\n"
    "    log[0] = 'y'\n    def call(self, a): return a,",
    "an open file": f"log = open('runs', 'a')\n{WRITES}\nclass part:\n"
    "    def call(self, a):\n        a = a,\n        if a: return a\n        log.write('y')",
}
PAGE_OF_PART = """[solution]
class Part:
    def call(self, a):
        return a

[it]
It is right.
? Is it?
@ Part().call(0)
"""


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("place", ["nowhere", *OUTSIDE])
def test_no_statement_with_a_call_runs_again_outside_of_functions(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    cell = OUTSIDE.get(place, "class part:\n    def call(self, a): return a,")
    cell = cell.replace("class part", "class Part")
    (tmp_path / "runs").touch()
    (tmp_path / "part.txt").write_text(PAGE_OF_PART, encoding="utf-8")
    StoryPage("Part", str(tmp_path / "part.txt")).add()
    part = run(cell)["Part"]
    told = try_rules("Part", part).cause
    del RULES["Part"]
    assert (tmp_path / "runs").read_text() == "x" * (place != "nowhere")
    assert told.startswith("The comma in line") is (place in ("nowhere", "the cell"))


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
