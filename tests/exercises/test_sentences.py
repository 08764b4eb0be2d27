"""A rule has the number of its sentence in the exercise's text, and a mistake that breaks it.

A sentence is told of no listed mistake of which it is false.
"""

import json
import re
from os.path import commonprefix
from pathlib import Path

import pytest
from judge_rules import find_page, read_mistake, try_once, try_source

from agentlib.stop import WHO
from exerciselib.page import REST
from lesson.common.parts import PARTS
from lesson.exercises import agent_loop_causes
from lesson.exercises.rules import list_rules

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
    rules = [one for one in list_rules(part, level.name) if one.level == level.name]
    assert {one.name for one in rules} <= {one.title for one in find_page(part).list_mistakes()}
    _, *parts = re.split(r"(?<!\S)(\d)\. (?=\W*[A-Z`])", read_text(level))
    sentences = {parts[at]: list_words(parts[at + 1]) for at in range(0, len(parts), 2)}
    named = {}
    for rule in rules:
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
    rules = [rule.function for rule in list_rules(part, PARTS[part].levels[-1].name)]
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
    texts = [rule.text for rule in list_rules(part, PARTS[part].levels[-1].name)]
    rules = [re.findall(r"\w+", one.lower()) for text in texts for one in re.split("[:;,.] ", text)]
    for sentence in find_page(part).sentences:
        words = re.findall(r"\w+", sentence.lower())
        shared = max(len(commonprefix([words, rule])) for rule in rules)
        assert shared < 6, sentence  # "A list that is rejected must" has five


def test_question_of_the_package_begins_with_the_same_words_as_the_cell_of_the_exercise():
    cells = json.loads((NOTEBOOKS / "s04b_who_says_no.ipynb").read_text("utf-8"))["cells"]
    assert any(f'WHO = "{WHO}"\n' in cell["source"] for cell in cells)
