"""The package's README: its exercise works in a process without the lesson and the agent."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import exerciselib
from exerciselib.causes import GENERAL
from exerciselib.learners_code import is_in_learners_file, is_in_teachers_file
from exerciselib.page import change_lines

FOLDER = Path(exerciselib.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?ms)^```\w*\n(.*?)^```$", README)
PAGE, CHECK, LEARNERS, SHOWN, TEST, CELLS, BANK, ASKS = BLOCKS
LOAD = CHECK.partition("\n\n")[0]
LOAD_BANK = LOAD.replace("top_words", "BankAccount")
TRY_LOAD = f"try:\n{textwrap.indent(LOAD, '  ')}\nexcept ValueError as problem: print(problem)"
TRY_LOAD_BANK = TRY_LOAD.replace("top_words", "BankAccount")
# In a notebook, a cell has a file name, by which its lines are found.
BEGIN = """\
import sys, linecache
sys.modules |= dict.fromkeys(("lesson", "agentlib", "anthropic", "IPython"))

def run_cell(text):
    name = f"<cell {len(linecache.cache)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), globals())

"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs code beside the pages, without the lesson."""
    (tmp_path / "top_words.txt").write_text(PAGE, encoding="utf-8")
    (tmp_path / "BankAccount.txt").write_text(BANK, encoding="utf-8")

    def run(*cells):
        code = BEGIN + "".join(f"run_cell({cell!r})\n" for cell in cells)
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_learner_reads_what_the_readme_shows(run):
    call = CHECK.splitlines()[-1]
    assert run(LOAD, LEARNERS, f"print({call})") == SHOWN


def test_each_mistake_of_the_page_is_told_its_own_sentence(run):
    assert len(re.findall("(?m)^    ", PAGE.partition("\n[finds")[2])) == 8
    assert PAGE.count("\n? ") == 3 and len(PAGE.partition("\n\n")[0].splitlines()) - 1 == 6
    assert run(LOAD, TEST, "print(len(PAGE.list_mistakes()))") == "8\n"


def test_what_each_cell_of_a_folder_is_told_is_printed(run, tmp_path):
    (tmp_path / "cell_1.py").write_text(LEARNERS, encoding="utf-8")
    helped = LEARNERS.replace("def top_words", "def count(words): 1 / 0\n\ndef top_words")
    helped = helped.replace("words.count(one)", "count(words)")
    (tmp_path / "cell_2.py").write_text(helped, encoding="utf-8")
    output = run(LOAD, CELLS)
    assert output.startswith(f"cell_1.py\n{SHOWN}\ncell_2.py\n")
    assert "line 1: def count(words): 1 / 0" in output


def test_short_form_of_no_sentence_or_of_two_names_the_page_and_the_line(run, tmp_path):
    page, number = tmp_path / "top_words.txt", len(PAGE.splitlines()) + 1
    page.write_text(f"{PAGE}- No such…\n", encoding="utf-8")
    assert run(TRY_LOAD).startswith(
        f"{page}, line {number}: 0 sentences of this page begin with 'No "
    )
    page.write_text(f"{PAGE}- …\n", encoding="utf-8")
    assert f"{page}, line {number}: {len(re.findall('(?m)^- ', PAGE))} sentences" in run(TRY_LOAD)


ERRORS = {
    "    return text.lowered()": "Your code: line 2: return text.lowered()",
    # It is ended at the end of a round of one of its loops, and the inner one has more of them.
    "    while text:\n        for one in text * 99:\n            if one:\n                n = 1": (
        "Your code: line 3: for one in text * 99:\n  Likely cause: An endless loop, or a sleep?"
    ),
    "    print('the')": "use `return`, not `print`",
    "    ...": "not written yet",
    "    'It counts.'\n    return": "not written yet",
    "    return text\n    'It counts.'": "top_words: rule 1 does not pass yet.",
    "    count = 0\n    for _ in text:\n        cuont += 1": "Did you mean `count`?",
    "    return Flase": "`Flase` has no value here. Did you mean `False`?",
    "    return nothing_like_it": "This name has no value here: is it misspelled",
    "    return many + [1]": "Both sides of `+` must be of one kind",
    "    return list(many)": "This is one value, and no list",
    "    return many[0]": "This is one value, and has no items",
    "    return [*range(text)]": "A whole number is needed here",
    "    return 'the' in many": "`in` looks into a list, text or a dict",
    "    return (many,) < many": "of kinds that cannot be compared",
    "    return max([])": "no greatest or smallest item",
    "    return {}.count(many)": "`dict` has no `count`. It belongs to `list` and `str`.",
    "    return {}.itmes()": "`dict` has no `itmes`. Did you mean `items`?",
    "    return {'item': 1}.item": 'A field of a dict is read with `["item"]`, not `.item`.',
    "    return {}.append(many)": "A dict has no `append`: `d[key] = value` puts something in",
    "    return many.append(1)": "`int` has no `append`. It belongs to `list`.",
    "    lst = [lists(text)]": "`lists` has no value here. Did you mean `list`?",
    "    return hepler(text)\n\ndef helper(text): pass": "Did you mean `helper`?",
    "    word1 = word2 = text\n    return word": "Did you mean `word1` or `word2`?",
    "    if many > 1:\n        count = 1\n        return top_words(text, 0)\n    return count": (
        "This name has no value yet"
    ),
    "    sort = sort(text)\n    return sort": "This name has no value yet",
    "    return {}[many]": "No such key is in this dict yet",
    "    return many - [1]": "of kinds that this sign does not work with",
    "    return len(many)": "and has no length",
    "    return sum(list)": "This is a kind of values, such as `list`",
    "    return [].append(1, 2)": "Compare the parameters with the arguments",
    "    return int(text)": "This text is not a number",
    "    return print(many)": "use `return`, not `print`",
    "    if many:\n        return print(many)\n    return text": "use `return`, not `print`",
    "    many = +1\n    return many": "The result is 1 in each of the 2 calls tried so far",
    "    words = text.split()": "no `return` with a value, so it returns None",
}


@pytest.mark.parametrize("body", ERRORS)
def test_general_cause_is_told_with_the_line_of_the_learners(run, body):
    cell = f"def top_words(text, many):\n{body}"
    output = run(LOAD, cell, "print(check_object(top_words))")
    assert ERRORS[body] in output


@pytest.mark.parametrize("pattern", ["^AttributeError", "'str' object has no"])
def test_pattern_of_a_rule_is_told_of_an_error_if_it_names_it_or_its_words(run, tmp_path, pattern):
    rows = f"    ~ {pattern}\n- Words of no error.\n    ~ ."
    page = PAGE.replace("    .lower() =>", f"    .lower() =>\n{rows}")
    (tmp_path / "top_words.txt").write_text(page, encoding="utf-8")
    first, sentence = LOAD, "`The` and `the` are one word"
    for call, is_told in {"text.lowered()": True, "text.split()[9]": False, "1 / 0": False}.items():
        shown = run(
            first,
            f"def top_words(text, many):\n    return {call}",
            "print(check_object(top_words))",
        )
        assert (sentence in shown) is is_told and "Words of no error" not in shown


DOUBLE = (
    "[solution]\ndef top_words(n):\n    return {0}\n\n[rule]\nIt is right.\n? What is right?\n"
    "@ for n in range(1, 6): top_words(n)\n- This is it.\n    {0} => {1}\n"
)
DOES_SAME = {
    "return 3 * n": "It is right.\n  Likely cause: This is it.",
    "return 3 * n if n < 4 else 0": "It is right.\n  Got: 3",
    "return 9": "Likely cause: Is it always 9?",
    "return 8": "Likely cause: The result is 8 in each of the 5 calls tried so far. Follow",
    "for _ in [1]:\n        return 9": "The loop in line 2 always returns in its first round",
    "while n > 9:\n        return 9": "The result is None in each of the 5 calls",
}
CONSTANT = "- Is it always 9?\n    2 * n => 9\n- It is always 8.\n    2 * n => 8\n"


@pytest.mark.parametrize("body", DOES_SAME)
def test_mistake_is_told_if_it_does_the_same_in_the_whole_story_and_a_constant_is_asked_for(
    run, tmp_path, body
):
    page = DOUBLE.format("2 * n", "3 * n") + CONSTANT
    (tmp_path / "top_words.txt").write_text(page, encoding="utf-8")
    cell = f"def top_words(n):\n    {body}"
    assert DOES_SAME[body] in run(LOAD, cell, "print(check_object(top_words))")


def test_endless_call_is_named_and_a_wrong_value_before_it_is_told(run, tmp_path):
    page = DOUBLE.format("2 * n", "3 * n").replace("for n in range(1, 6): top_words(n)", "{}")
    page = page.format("top_words(1); top_words(7)")
    (tmp_path / "top_words.txt").write_text(page, encoding="utf-8")
    cell = "def top_words(n):\n    while n > 6:\n        n + 1\n    return n"
    first = LOAD
    first += "\nfrom exerciselib import try_it; try_it.RULE_SECONDS = 0.5"
    output = run(first, cell, "print(check_object(top_words))")
    assert "A later call, `top_words(7)`, does not end" in output and "Got: 1\n" in output
    output = run(first, f"{cell} * 2", "print(check_object(top_words))")
    assert re.search(r"line [23]: .*\n  Likely cause: An endless loop, or a sleep\?", output)
    assert "      top_words(1)\n      top_words(7)\n  Hints" in output


MEMO = """
import collections
def top_words(n):
    if n in memo:
        return memo[n]
    memo[n] = n
    return n
"""
LINES = {
    f"{MEMO}\nmemo = {{}}": "line 7: return n",
    f"{MEMO}\nmemo = collections.Counter()": "",  # it is not restored, so line 4 could be shown
    f"def make():\n    memo = {{}}\n{textwrap.indent(MEMO, '    ')}\n    return top_words\n"
    "top_words = make()": "",
    "def top_words(n):\n    if n > 1: return 0\n    if n > 9: return 0": "",  # it ends without one
    "def top_words(n):\n    if n > 1: return top_words(n - 1)\n    return n": "line 3: return n",
    f"import sys; sys.settrace(before := lambda *_: None)\n{MEMO}\nmemo = {{}}": "",
    f"import sys\n{MEMO}\nmemo = {{}}".replace("in memo:", "in memo or sys.settrace(None):"): "",
}


@pytest.mark.parametrize("cell", LINES)
def test_line_is_of_the_return_that_has_given_the_value_or_left_out(run, tmp_path, cell):
    (tmp_path / "top_words.txt").write_text(DOUBLE.format("2 * n", "3 * n"), encoding="utf-8")
    output = run(LOAD, cell, "print(check_object(top_words))")
    shown = re.findall("Your code: (.*)", output)
    assert shown == ([LINES[cell]] if LINES[cell] else []), output
    kept = "sys.gettrace() is globals().get('before')"
    assert run(LOAD, cell, f"check_object(top_words); print({kept})") == "True\n"


def test_program_that_asks_and_prints_is_checked(run, tmp_path):
    (tmp_path / "greet.txt").write_text(ASKS, encoding="utf-8")
    greet = "def greet():\n    {0}\n    print('Hello', input())"
    cells = [f"{greet.format(more)}\nprint(check_object(greet).cause)" for more in ("", "input()")]
    output = run(LOAD.replace("top_words", "greet"), TEST, *cells)
    assert output == "\nIt asks once more than there are lines.\n"
    (tmp_path / "greet.txt").write_text(ASKS.replace("def program", "def a program"), "utf-8")
    assert "line 6: this section is no Python: " in run(TRY_LOAD.replace("top_words", "greet"))


def test_solution_passes_and_a_part_without_a_page_is_named(run):
    solution = PAGE.partition("\n\n")[0].partition("\n")[2]
    output = run(LOAD, solution, "print(check_object(top_words))")
    assert output == "top_words: all 3 rules pass.\n"
    output = run(LOAD, "def other(): pass", "print(check_object(other))")
    assert "other: nothing was tried." in output
    assert "no rules with this name, only for: `top" in output
    output = run(LOAD, solution, "print(check_object('top_words'))")
    assert "Pass `top_words` without quotes, and without parentheses" in output


ACCOUNT = """
class InsufficientFunds(ValueError):
    pass

class BankAccount:
    def __init__(self, owner):
        self.balance = 0.0

    def deposit(self, amount):
        self.balance = self.balance + amount
        return self.balance

    def withdraw(self, amount):
        if self.balance < amount:
            raise InsufficientFunds(amount)
        self.balance = self.balance - amount

    def add_interest(self, percent):
        self.balance *= 1 + percent / 100
"""


def test_class_of_the_readme_is_tried_by_its_levels_and_tells_each_mistake(run):
    output = run(
        LOAD_BANK,
        ACCOUNT,
        "print(check_object(BankAccount), check_object(BankAccount, 'interest'))",
        TEST.replace("(mistake.changes))", "(mistake.changes), 'interest')"),
        "print(len(PAGE.list_mistakes()))",
    )
    assert output == "BankAccount: all 2 rules pass. BankAccount: all 3 rules pass.\n4\n"


WRONG = {
    "return self.balance": ("", "2 rules pass"),
    "self.balance < amount": ("self.balance <= amount", "compare with `>`, and not"),
    "raise InsufficientFunds": ("raise TypeError", "raises this error itself, and another one"),
    "self.balance + amount": ("amount", "The new deposit replaces the balance"),
}


@pytest.mark.parametrize("old", WRONG)
def test_what_a_class_returns_beside_its_work_or_raises_below_ours_is_right(run, old):
    new, says = WRONG[old]
    output = run(LOAD_BANK, ACCOUNT.replace(old, new), "print(check_object(BankAccount))")
    assert says in output


def test_page_that_is_read_again_has_its_rules_once(run):
    output = run(LOAD_BANK, LOAD_BANK, LOAD_BANK, ACCOUNT, "print(check_object(BankAccount))")
    assert output == "BankAccount: all 2 rules pass.\n"


# (a line of the page, what it becomes, what is said, how many lines below it)
UNPLACED = {
    "[never_below_zero]": ("[never-below-zero]", "the name of a rule has letters, digits and _"),
    "[interest]": ("[my interest]", "the name of a rule has letters, digits and _"),
    "    def deposit(self": ("    def deposit self", "the solution is no Python"),
    "? How much is 3": ("How much is 3", "such a line has no place here. In [interest]"),
    "  account.balance\n- The new": ("\taccount.balance\n- The new", "such a line has no place"),
    "? What must be compared": ("- What must be compared", "[never_below_zero] has no hint"),
    '@ account = BankAccount("Ada"); done = account.deposit(200); ': (
        "@ account = ; ",
        "no Python",
    ),
    "  for _ in range(2): done": ("  for _ in range(2) done", "no Python: "),
    "    amount > => amount >=": ("    amount < => amount >=", "does not have what this changes"),
    "    self.balance * percent / 100 => ": ("    percent / 100", "text before ` => `"),
    "    - self.balance += amount\n": ("    - self.balance + amount\n", "the lines without `+`"),
}


@pytest.mark.parametrize("old", UNPLACED)
def test_line_that_cannot_be_placed_is_told_to_the_teacher_with_its_number(run, tmp_path, old):
    new, says = UNPLACED[old]
    page = tmp_path / "BankAccount.txt"
    assert BANK.count(old) == 1
    page.write_text(BANK.replace(old, new), encoding="utf-8")
    output = run(TRY_LOAD_BANK)
    number = int(re.search(r"line (\d+): ", output)[1])
    wrong = page.read_text(encoding="utf-8").splitlines()[number - 1]
    assert output.startswith(f"{page}, line {number}: ") and says in output
    assert wrong.startswith(new.splitlines()[0]) or wrong == "[never_below_zero]"


INNER = "def f():\n    a()\n    if b:\n        a()\n        c()\n"
CHANGED_LINES = {
    "- a()\n+ d()": INNER.replace("a", "d", 1),  # the first one
    "  if b:\n-     a()\n+     d()": INNER.replace("    a()\n        c", "    d()\n        c"),
    "+ d()\n  if b:": INNER.replace("    if", "    d()\n    if"),
    "  a()\n+ d()\n-     c()": "def f():\n    a()\n    d()\n    if b:\n        a()\n",
    "      if b:\n+\n+         return": INNER.replace("b:\n", "b:\n\n        return\n"),
    "- c()\n- a()": "",
    "-     if b:\n- a()": "",
    "+ d()": "",
}


@pytest.mark.parametrize("diff", CHANGED_LINES)
def test_lines_of_a_change_are_in_the_order_and_the_indentation_of_the_solution(diff):
    assert change_lines(INNER, diff) == CHANGED_LINES[diff]


EQUAL = """
from collections import Counter, OrderedDict, defaultdict
from exerciselib.stories import Returned
class Same(dict):
    def __eq__(self, other): return True
    def __hash__(self): return 1
pairs = [(Counter("aab"), {"a": 2, "b": 1}), ({"b": 1, "a": 2}, {"a": 2, "b": 1}), (2.0, 2),
         ({1, 2}, {2, 1}), (defaultdict(int, a=1), {"a": 1}), (float("nan"), float("nan")),
         ([{"b": 1, "a": 2}], [{"a": 2, "b": 1}])]
others = [(True, 1), (1, 1.5), ([1], (1,)), ("1", 1), (None, 0), (Same(), 5), ([2, 1], [1, 2])]
print(*[[Returned(a) == Returned(b) for a, b in some] for some in (pairs, others)])
grows = [1]; before = Returned(grows); grows.append(2); print(before == Returned([1]))
"""


def test_equal_values_are_equal(run):
    assert run(EQUAL) == f"{[True] * 7} {[False] * 7}\nTrue\n"


def test_page_is_the_teachers_and_a_file_beside_it_is_not(run):
    output = run(
        LOAD,
        "from exerciselib.learners_code import is_in_learners_file as is_learners",
        "print(is_learners(PAGE.code.co_filename), is_learners('mine.py'))",
    )
    assert output == "False True\n"
    assert is_in_teachers_file(str(FOLDER / "engine.py"))
    assert not is_in_learners_file(str(FOLDER / "engine.py"))


def test_nothing_of_the_lesson_is_imported():
    texts = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.py")}
    imported = re.findall(r"(?m)^ *(?:from|import) (\w+)", "".join(texts.values()))
    assert len(texts) > 8 and not {*imported} & {"lesson", "agentlib"}
    imported = re.findall(r"(?m)^from (safetylib\S*)", "".join(texts.values()))
    assert {*imported} == {"safetylib.guard.escape"}


def test_causes_of_any_course_name_nothing_of_the_lesson():
    lessons = r"[Mm]odel|[Tt]odo|\b[Nn]ag|Call\||Tool\)|Clock|call\.\w|activeForm|priority"
    assert not [row for row in GENERAL if re.search(lessons, "\n".join(row))]
