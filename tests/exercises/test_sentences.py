"""A rule has the number of its sentence in the exercise's text, and a mistake that breaks it.

A sentence is told of no listed mistake of which it is false.
"""

import json
import re
from os.path import commonprefix
from pathlib import Path

import pytest
from judge_rules import find_page, read_mistake, try_once, try_source

from agentlib.defaults import AFTER
from agentlib.stop import WHO
from exerciselib.feedback import NUMBERED
from exerciselib.page import REST
from exerciselib.show_value import Words, show_both
from lesson.common.parts import PARTS
from lesson.exercises import agent_loop_causes
from lesson.exercises.rules import load_rules

pytestmark = pytest.mark.slow
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LEVELS = [(part, level) for part, found in PARTS.items() for level in found.levels]


def read_text(level):
    """Return the Markdown below the heading of an exercise."""
    title = f"## Exercise {level.exercise}:"
    cells = json.loads((NOTEBOOKS / f"{level.notebook}.ipynb").read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    (section,) = [text for text in texts if title in text]
    return section.partition(title)[2]


def list_words(text):
    return {*re.findall("[a-z_]{3,}", text.lower())}


@pytest.mark.limits
@pytest.mark.parametrize("part, level", LEVELS, ids=lambda one: getattr(one, "exercise", ""))
def test_rule_has_the_number_of_its_sentence_in_the_text_and_a_mistake(part, level):
    rules = [one for one in load_rules(part, level.name) if one.level == level.name]
    assert {one.name for one in rules} <= {one.title for one in find_page(part).list_mistakes()}
    _, *parts = re.split(r"(?<!\S)(\d)\. (?=\W*[A-Z`])", read_text(level))
    sentences = {parts[at]: list_words(parts[at + 1]) for at in range(0, len(parts), 2)}
    named = {}
    for rule in rules:
        assert NUMBERED.match(rule.text), f"{rule.text}: the head of a check cannot name this rule"
        if match := re.match(r"Rules? ([\d, and]+)(?: of E\d)?: (.*)", rule.text):
            words = list_words(match[2])
            shared = {number: len(words & sentences[number]) for number in sentences}
            named[rule.text] = {*re.findall(r"\d", match[1])}
            most = max(shared[number] for number in named[rule.text])
            assert most == max(shared.values()), f"{rule.text} has these words of each: {shared}"
    assert not named or {*sentences} == set().union(*named.values())


def test_cause_of_a_run_is_the_beginning_of_one_sentence():
    source = Path(agent_loop_causes.__file__).read_text("utf-8")
    causes = re.findall('(?:yield|else|:) "([A-Z`][^"]*)"', source)
    sentences = find_page("agent_loop").sentences
    assert len(causes) > 40
    for words in causes:
        assert len([text for text in sentences if text.startswith(words)]) == 1, words


def find_told(page, cause):
    """Return the sentences of a page that a cause has, whatever the values of the story are."""
    wanted = {one: re.split(r"\{[a-z]+\}", one) for one in page.sentences}
    return {one for one in wanted if re.search(".*".join(map(re.escape, wanted[one])), cause)}


@pytest.mark.release
@pytest.mark.parametrize("part", [part for part in PARTS if part != "agent_loop"])  # it has a tree
def test_mistake_that_no_row_lists_is_told_no_other_sentence(part):
    """Each is judged without its own row, as a mistake that nobody has listed.

    The rows of its sentence that cannot be told from it are left out as well. If another sentence
    is true of it, too, the change is below both, and the first one is told.
    """
    page, alike, told = find_page(part), {}, []
    rules = [rule.function for rule in load_rules(part, PARTS[part].levels[-1].name)]
    for mistake in page.list_mistakes():
        if mistake.title in ("exceptions", "extends", "any"):
            continue  # a row there is known by its error
        result = try_once(part, read_mistake(page, mistake).source)
        assert not result.ok, f"[{mistake.title}] this mistake passes all rules: {mistake.changes}"
        key = mistake.sentence, result.rule, result.got, result.tried
        alike.setdefault(key, []).append(mistake)
    for mistakes in alike.values():
        rows, own = [rule.rows for rule in rules], {mistake.changes for mistake in mistakes}
        wrong = read_mistake(page, mistakes[0])
        for rule in rules:
            rule.rows = [row for row in rule.rows if row.text not in own]
        result = try_source(part, wrong.source)
        for rule, kept in zip(rules, rows, strict=True):
            rule.rows = kept
        right = {mistake.sentence for mistake in page.list_mistakes() if mistake.changes in own}
        right |= {row.sentence for row in page.rows[result.rule] if row.kind == REST}
        if find_told(page, result.cause) - right:
            told.append(f"{mistakes[0].title}: {mistakes[0].sentence}\n    told: {result.cause}")
    narrow = "Narrow the pattern, or write the change below the other sentence, too:\n"
    assert not told, narrow + "\n".join(told)


@pytest.mark.parametrize("part", PARTS)
def test_cause_says_what_must_be_and_not_the_rule_as_if_it_were_so(part):
    """As a fact, a sentence would be false of the cell that it is told of."""
    texts = [rule.text for rule in load_rules(part, PARTS[part].levels[-1].name)]
    rules = [re.findall(r"\w+", one.lower()) for text in texts for one in re.split("[:;,.] ", text)]
    for sentence in find_page(part).sentences:
        words = re.findall(r"\w+", sentence.lower())
        shared = max(len(commonprefix([words, rule])) for rule in rules)
        assert shared < 6, sentence  # "A list that is rejected must" has five


def test_question_of_the_package_begins_with_the_same_words_as_the_cell_of_the_exercise():
    cells = json.loads((NOTEBOOKS / "s04b_who_says_no.ipynb").read_text("utf-8"))["cells"]
    assert any(f'WHO = "{WHO}"\n' in cell["source"] for cell in cells)


NAG, GIVEN = find_page("MyNag").solution, f"after={AFTER}"
FALSE = {
    "a wrong default": ((GIVEN, f"after={AFTER + 2}"), f"The threshold is {AFTER} here"),
    "an early default": ((GIVEN, "after=1"), f"The threshold is {AFTER} here"),
    "an argument that is ignored": (("self.after = after", "self.after = 3"), "The threshold is 2"),
    "a count of one call": (("+= 1", "+= len(calls) == 1"), "The rounds without a todo call are 2"),
    "a count of calls": (("+= 1", "+= len(calls)"), "Four calls in one round are one round: add 1"),
    "a changed threshold": (("+= 1", "+= 1; self.after -= 1"), "`self.after` was changed"),
}


@pytest.mark.parametrize("mistake", FALSE)
def test_pattern_that_stands_for_a_cause_fits_nothing_else(mistake):
    change, words = FALSE[mistake]
    assert change[0] in NAG
    assert try_source("MyNag", NAG.replace(*change)).cause.startswith(words)


def test_failed_check_names_the_rule_that_was_tried_and_no_count():
    for part, change, head in (
        ("MyNag", (">= self.after", "> self.after"), "rule 1 of E4 does not pass yet"),
        ("MyNag", ("Update your todos", "Update"), "a given rule of E4 does not pass yet"),
        ("agent_loop", ("tools=specs", "tools=tools"), "rules 1 and 2 of E1 do not all pass yet"),
        ("MyTodo", ("run=self.update", "run=print"), "a given rule in E3 does not pass yet"),
    ):
        source = find_page(part).solution
        assert change[0] in source
        told = str(try_source(part, source.replace(*change)))
        assert told.startswith(f"{part}: {head}.\n") and "rules pass" not in told


def test_failed_check_of_e9_shows_a_short_list_and_its_priorities():
    best = 'levels.index(item.get("priority", "medium"))'
    wrong = find_page("PriorityNag").solution.replace(best, 'item["priority"]')
    result = try_source("PriorityNag", wrong)
    assert len(result.got.splitlines()) < 8 and "priority: low" in result.got


def test_of_two_texts_of_many_lines_those_that_differ_are_shown():
    lines = [f"line {number}" for number in range(30)]
    got = "\n".join([*lines[:20], "wrong", *lines[21:]])
    shown = show_both(Words(got), Words("\n".join(lines)))
    assert shown == ("…\nline 19\nwrong\nline 21\n…", "…\nline 19\nline 20\nline 21\n…")


CALLED = {
    'min(pending, key="priority")': "`key` is a function that gets an item",
    "super()(calls)": "`super()` has the methods of the other class",
}


@pytest.mark.parametrize("code", CALLED)
def test_value_that_is_called_is_told_as_what_it_is(code):
    source = find_page("PriorityNag").solution
    old = re.findall(rf"\b{code[:3]}.*\)", source)[-1]
    assert try_source("PriorityNag", source.replace(old, code)).cause.startswith(CALLED[code])


def test_property_without_a_setter_is_told():
    own = "    @property\n    def items(self):\n        return []\n\n    def update(self, items)"
    source = find_page("MyTodo").solution.replace("    def update(self, items)", own)
    assert try_source("MyTodo", source).cause.startswith("A property without a setter")
