"""The rules: every right part passes, every mistake fails at its own rule and is told why."""

import gc
import inspect
import re
import weakref
from contextlib import nullcontext, suppress
from copy import deepcopy
from importlib import import_module

import pytest
from judge_rules import (
    find_faults,
    find_page,
    find_words,
    list_broken,
    list_right,
    list_wrong,
    make,
    module_of,
    run,
    slip,
    try_once,
    try_source,
)

from agentlib import TodoManager
from exerciselib import engine, try_it
from exerciselib.engine import Differs, Rule, same, trying
from exerciselib.page import PAGES, Trial, parent_of
from exerciselib.show_value import show_difference
from exerciselib.stories import Returned, StoryPage
from lesson.common.parts import PARTS
from lesson.exercises.agent_loop import play_package
from lesson.exercises.agent_loop_scene import make_random
from lesson.exercises.rules import count_levels, load_rules, name_module, try_part
from lesson.program.my_agent import load_solutions

pytestmark = pytest.mark.slow
WRONG = [one for part in PARTS for one in list_wrong(part)]
RIGHT = [one for part in PARTS for one in list_right(part)]
FIRST = [
    (part, title, source)
    for part in PARTS
    for title, source in getattr(module_of(part), "FIRST", {}).items()
]
NAG = """class MyNag:
    seen = []

    def __init__(self, todo, after=3):
        self.todo, self.after, self.rounds = todo, after, 0

    def __call__(self, calls):
        BODY
"""


@pytest.mark.parametrize("part, title, source", RIGHT)
def test_right_part_passes_all_levels(part, title, source):
    result = try_source(part, source)
    assert result.ok, result


@pytest.mark.parametrize("part, title, source", FIRST)
def test_part_of_the_first_level_passes_that_level_alone(part, title, source):
    assert {count_levels(part, made) for made in make(part, source)} == {1}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda one: f"{one.part}-{one.rule}-{one.number}")
def test_mistake_fails_at_its_own_rule_and_its_cause_is_told(wrong):
    result = try_once(wrong.part, wrong.source)
    assert not find_faults(wrong, result), result
    assert result.passed < result.total and result.title in str(result)
    assert result.got != result.expected or not result.got, result


@pytest.mark.parametrize("part", [part for part in PARTS if len(PARTS[part].levels) > 1])
def test_sentence_of_a_later_exercise_is_not_told_before_it(part):
    """Such as E1 with `.output.strip()`, which was told of a reminder."""
    first, level_of = PARTS[part].levels[0].name, find_page(part).level_of
    assert {*level_of.values()} == {level.name for level in PARTS[part].levels}
    for wrong in list_wrong(part)[::9]:
        cause = try_part(part, *make(part, wrong.source)[:1], first).cause
        assert level_of.get(cause, first) == first, cause


@pytest.mark.parametrize("part", PARTS)
def test_each_sentence_of_a_part_is_told_by_an_attempt(part):
    told = "\n".join(try_once(part, one.source).cause for one in list_wrong(part))
    sentences = find_page(part).sentences
    lost = [one for one in sentences if find_words(one) not in told]
    assert not lost, "Each of these sentences needs a mistake that is told it:\n" + "\n".join(lost)


@pytest.mark.parametrize("part", PARTS)
def test_our_solution_meets_no_error_of_a_story_itself(part):
    assert not list_broken(part), "\n\n".join(list_broken(part))


IN_ORDER = ["agent_loop", "MyTodo", "PriorityTodo"]  # of strength: an open sentence, then the hints


@pytest.mark.parametrize(
    "wrong",
    [one for one in WRONG if one.part in IN_ORDER],
    ids=lambda one: f"{one.part}-{one.number}",
)
def test_open_sentence_has_no_code_of_the_last_hint(wrong):
    result = try_once(wrong.part, wrong.source)
    code = {one for one in re.findall("`([^`]+)`", result.hints[-1]) if len(one.split()) > 1}
    assert result.hints and not [one for one in code if one in result.cause], result.cause


@pytest.fixture
def only_rule(monkeypatch):
    """Return a decorator that makes a function the only rule of its part."""

    def replace(function):
        monkeypatch.setattr("lesson.exercises.rules.import_module", lambda name: None)
        text, *hints = (" ".join(one.split()) for one in inspect.getdoc(function).split("\n\n"))
        rule = Rule("only", function, text, tuple(hints))
        monkeypatch.setattr(try_it, "RULE_SECONDS", 0.5)
        monkeypatch.setattr(engine, "RULES", {"MyNag": [rule]})

    return replace


def define(body):
    """Return a MyNag whose __call__ has this body."""
    return run(NAG.replace("BODY", body), sum=0)["MyNag"]


def test_failure_names_rule_cause_values_what_was_tried_and_hints(only_rule):
    @only_rule
    def counts(MyNag):
        """It counts.

        Where does it
        count?
        """
        nag, lines = MyNag(None, after=2), ["nag = MyNag(None, after=2)"]
        with trying(lines):
            lines.append("nag([])\nnag([])")
            same([nag([]), nag([])], [None, "R"], "Add 1 first.")
            lines.append("what is never reached")

    result = try_part("MyNag", define("print('<b>')"))
    assert (result.ok, result.passed, result.total, result.title) == (False, 0, 1, "It counts.")
    assert (result.cause, result.got, result.expected) == (
        "Add 1 first.",
        "[None, None]",
        "[None, 'R']",
    )
    assert result.tried == "nag = MyNag(None, after=2)\nnag([])\nnag([])"
    assert result.hints == ("Where does it count?",) and "Where does it" not in str(result)
    html = result._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html and html.count("<details>") == 2
    assert "Hints: 1, which can be opened in a notebook." in str(result)
    assert all(part in str(result) for part in (*result.said.splitlines(), result.headline))


CALLED, AT_CALL = "return self.reminder()\n\n", "line 8: return self.reminder()"


@pytest.mark.parametrize(
    "body, line, cause",
    [
        ("return calls.count", "", "a function or a class"),
        ("return self.count", "line 8: return self.count", "not created in `__init__`"),
        ("return calls[0]['text']", "line 8: return calls[0]['text']", "item.get"),
        ("return calls[1]", "line 8: return calls[1]", "look at the length first"),
        ("return self.rounds()", "line 8: return self.rounds()", "name without parentheses"),
        ("while True: pass", "line 8: while True: pass", "endless loop"),
        ("print('R')", "", "use `return`, not `print`"),
        ("input('?')", "line 8: input('?')", "from the arguments"),
        ("raise SystemExit('no')", "line 8: raise SystemExit('no')", "ends Python here"),
        ("exit(1)", "line 8: exit(1)", "ends Python here"),
        ("return after", "line 8: return after", "It is kept as `self.after`"),
        ("rounds += 1", "line 8: rounds += 1", "It is kept as `self.rounds`"),
        ("return seen", "line 8: return seen", "It is kept as `self.seen`"),
        ("return known", "line 8: return known", "is it misspelled, or of another cell"),
        ("raise NameError('no nag')", "line 8: raise NameError('no nag')", "this error itself"),
        ("super.update(1)", "line 8: super.update(1)", "with parentheses"),
        ("return max(calls * 2)", "line 8: return max(calls * 2)", "a `key`, a function"),
        ("return self(calls)", "line 8: return self(calls)", "calls itself without end"),
        ("self.seen.append(1)", "", "so all objects share it"),
        ("return 1\n\n    def reminder(self): ...", "", "Write `reminder`"),
        ("'Count the rounds.'\n        ...", "", "Write `__call__`"),
        ("raise NotImplementedError", "", "Write `__call__`"),
        ("list = 3; list(calls)", "line 8: list = 3; list(calls)", "hides Python's `list`"),
        ("sum(calls)", "line 8: sum(calls)", "of this notebook, 0, and hides Python's"),
        (f"{CALLED}    @property\n    def reminder(self): return 'R'", AT_CALL, "is a property"),
        (f"{CALLED}    def reminder(self, seen=[]): seen += [1]", "", "The default of `seen` is"),
    ],
)
def test_line_is_the_learners_and_the_cause_is_named(only_rule, body, line, cause):
    @only_rule
    def reminds(MyNag):
        """It reminds."""
        same(MyNag(None, after=1)([{}]), "R")

    result = try_part("MyNag", define(body))
    assert not result.ok and result.line == line and cause in result.cause


class Slow:
    def __repr__(self):
        while True:
            pass


def test_the_time_limit_holds_while_the_cause_is_looked_for(only_rule):
    @only_rule
    def reminds(MyNag):
        """It reminds."""
        same(MyNag(None, after=1)([{}]), "R")

    result = try_part("MyNag", run(NAG.replace("BODY", "sum(calls)"), sum=Slow())["MyNag"])
    assert (result.ok, result.title) == (False, "It reminds.")
    assert "To find the cause has taken too long" in result.cause
    odd = "class Odd(Exception):\n            __str__ = lambda self: [][0]\n        raise Odd"
    assert "another error: IndexError: list index" in try_part("MyNag", define(odd)).cause


def test_reminder_without_its_line_is_shown_whole():
    changes = "\\nNext: {best['text']}.</reminder> => </reminder>"
    result = try_source("PriorityNag", find_page("PriorityNag").change(changes))
    assert (result.got + "\nNext: Test.</reminder>").split("</reminder>")[0] in result.expected
    assert (
        result.got.startswith("<reminder>Update") and "\nNext: Test.</reminder>" in result.expected
    )


def test_error_of_the_learner_after_other_events_is_shown_in_words():
    source = module_of("ask_at_the_stop").FOR + "    raise RuntimeError(left)\n"
    assert str(try_source("ask_at_the_stop", source).got).endswith(
        "and then RuntimeError: ['notes.txt is not written']"
    )


def test_list_that_a_learner_has_changed_is_shown_before_what_it_was():
    sorts = ("left = missing()\n", "left = missing()\n        left.sort(reverse=True)\n")
    result = try_source("ask_at_the_stop", slip(find_page("ask_at_the_stop").solution, sorts))
    assert "was changed" in result.cause
    assert result.got.startswith("['notes") and result.expected.startswith("['README")


LONG = [
    "Add tests to all modules of the package",
    "Write the docs, and say what is new",
    "Release it on Monday morning",
]


@pytest.mark.parametrize(
    "got, expected, shown",
    [
        ([1, 2], [1, 3], ("[1, 2]", "[1, 3]")),
        ([*LONG, "a"], [*LONG, "b"], ("place 4: 'a'", "place 4: 'b'")),
        ({"x": LONG, "y": 1}, {"x": LONG}, ("'y': 1", "'y': nothing")),
        (
            "\n".join([*LONG, *LONG, "a"]),
            "\n".join([*LONG, *LONG, "b"]),
            ("line 7: 'a'", "line 7: 'b'"),
        ),
        (
            "x" * 500 + "a",
            "x" * 500 + "b",
            (f"after 470 characters: '…{'x' * 30}a'", f"after 470 characters: '…{'x' * 30}b'"),
        ),
        (
            [{"text": "\n".join([*LONG, *LONG, "a" * 20])}],
            [{"text": "\n".join([*LONG, *LONG, "b" * 20])}],
            (
                "place 1, 'text', line 7: '" + "a" * 20 + "'",
                "place 1, 'text', line 7: '" + "b" * 20 + "'",
            ),
        ),
    ],
)
def test_long_values_are_shown_from_the_first_place_that_differs(got, expected, shown):
    assert show_difference(got, expected) == shown


@pytest.mark.parametrize("wrong", WRONG, ids=lambda one: f"{one.part}-{one.number}")
def test_what_was_tried_is_told_and_names_no_function_of_the_rules(wrong):
    tried = try_once(wrong.part, wrong.source).tried
    module = import_module(name_module(wrong.part))
    readable = {*PARTS, "call_tool", *re.findall(r"class (\w+)", tried)}  # what a learner can read
    readable |= {*getattr(find_page(wrong.part), "make_names", dict)()}  # such as `calls("bash")`
    own = [name for name, one in vars(module).items() if callable(one)]
    called = {*re.findall(r"(?<![.\w])(\w+)\(", tried)} - readable
    assert tried and not called & {*own}, tried
    assert not re.search(r"^(assert|raise|if|with) ", tried, re.MULTILINE)


def test_what_a_trial_changes_is_restored(only_rule):
    @only_rule
    def counts(MyNag):
        """It counts."""
        same(MyNag(None)([]), 1)

    made = define("self.seen.append(1); MyNag.more = 2; return len(self.seen)")
    assert try_part("MyNag", made).ok and try_part("MyNag", made).ok
    assert made.seen == [] and not hasattr(made, "more")


@pytest.mark.parametrize("part", ["MyTodo", "PriorityTodo", "TimedTodo"])
def test_list_that_changes_what_it_was_sent_changes_no_story(part):
    made = make(part, find_page(part).solution)[0]

    class Changes(made):
        def update(self, items):
            shown = super().update(items)
            for item in items:
                item.clear()
            items.clear()
            return shown

    trials = [one for rule in load_rules(part) for one in rule.function.trials]
    stories = [one.stories for one in trials if isinstance(one, Trial)]
    before = deepcopy(stories)
    for rule in load_rules(part):
        with suppress(Exception):
            rule.function(Changes)
    assert stories == before


def test_fields_that_a_trial_has_changed_in_a_class_are_put_back():
    for base in (TodoManager, load_solutions().MyTodo):
        before = deepcopy(dict(base.fields))
        names = run(
            "class PriorityTodo(MyTodo):\n"
            "    def update(self, items):\n"
            '        MyTodo.fields["status"]["enum"].append("blocked")\n'
            "        return super().update(items)\n",
            MyTodo=base,
        )
        assert not try_part("PriorityTodo", names["PriorityTodo"]).ok
        assert dict(base.fields) == before


def test_unknown_part_or_level_is_an_error_that_names_what_there_is():
    with pytest.raises(LookupError, match="agent_loop, read_file, MyTodo, MyNag"):
        try_part("Mynag", define("return 1"))
    with pytest.raises(LookupError, match="shows the list"):
        try_part("MyNag", define("return 1"), "remind")


def test_part_of_the_same_file_is_the_parent_and_a_class_between_is_not():
    text = "from agentlib import TodoManager as MyTodo\n"
    for name, base in (
        ("PriorityTodo", "MyTodo"),
        ("Between", "PriorityTodo"),
        ("TimedTodo", "Between"),
    ):
        text += f"class {name}({base}):\n    def update(self, items): return ''\n"
    made = run(text)
    assert parent_of(made["TimedTodo"], {"update"}, "", PARTS) is made["PriorityTodo"]


def test_a_check_that_passes_ticks_each_of_its_rules():
    passing = try_part("MyNag", load_solutions().MyNag)
    assert passing.ok and passing.rules == tuple(one.text for one in load_rules("MyNag"))
    assert passing._repr_html_().count("✓") == passing.total
    failing = try_part("MyNag", define("return None"))
    assert failing.rules == passing.rules and "✓" not in failing._repr_html_()


@pytest.mark.parametrize("part", PARTS)
def test_nothing_of_a_cell_is_kept_after_its_check(part):
    """Fifty tries are one evening, and one frame of a loop's run has half a megabyte."""
    tried = []
    for cell in [cell for cell in WRONG if cell.part == part][::8]:
        made = make(part, cell.source)[0]
        result = try_part(part, made, PARTS[part].levels[-1].name)
        tried.append((result.rule, weakref.ref(made)))
    del made
    gc.collect()
    assert tried and not [rule for rule, cell in tried if cell()]


def test_run_with_which_a_loop_is_compared_has_requests_and_no_error_of_its_own():
    """A rule passes if two runs are alike, so a package's loop that does nothing passes all."""
    for replies, options in [(("Done.",), {}), *((tuple(r), g) for r, g in make_random(True))]:
        run = play_package(replies, options)
        assert run.requests and run.problem is None, run.problem


def test_story_is_python_and_is_told_without_its_views(tmp_path, monkeypatch):
    monkeypatch.setitem(PAGES, "half", None)  # a page registers itself
    text = "[solution]\ndef half(x):\n    return x / 2\n\n[halves]\nIt halves.\n? How?\n"
    text += "@ n = 5; size(half(n)); _ = half(n)\n  for _ in range(2): half(n)\n"
    text += "  int('x'); half(None); half(6)\n"
    (tmp_path / "half.txt").write_text(text, encoding="utf-8")
    page = StoryPage("half", str(tmp_path / "half.py"), dict, views=[size])
    steps = [*page.observe(page.make(), page.read("halves")[0])]
    keys = [(False, None), (True, "small"), (False, 2.5), (True, 2.5), (True, 2.5)]
    keys = [(is_compared, Returned(value)) for is_compared, value in keys]
    # A ValueError may be right, and any other one ends the story.
    assert [step.key for step in steps] == [*keys, (True, "ValueError"), (True, "TypeError")]
    assert steps[4].tried() == "n = 5\nhalf(n)  # 4 times"
    for wrong, is_seen in (("x // 2", True), ("x / 2.0", False)):
        others = page.observe(page.make(f"x / 2 => {wrong}"), page.read("halves")[0])
        pairs = [*zip(others, steps, strict=True)]
        with pytest.raises(Differs) if is_seen else nullcontext():
            _ = [page.compare(*pair) for pair in pairs]


def size(number):
    return "small" if number < 9 else "large"


def test_got_is_about_the_request_that_the_cause_names():
    own = (
        ("specs, **settings", "specs, model='practice', max_tokens=9"),
        ("            return\n", "            messages.pop()\n            return\n"),
    )
    result = try_source("agent_loop", slip(find_page("agent_loop").solution, *own))
    assert "settings of a request" in result.cause and result.got.startswith("request 1"), result
