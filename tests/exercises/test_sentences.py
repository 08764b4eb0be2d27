"""Every sentence of an exercise's text is tried, and every trial has its sentence.

The page of a part has each piece of the exercise's text below the mistake that breaks this piece
alone, or below the section `[text]` if it demands nothing. A mistake that breaks other rules as
well, because nothing works without it, has `>>` before its piece. The map of an exercise is from
each piece to its mistake, or to None.
"""

import json
import re
from functools import cache, partial
from pathlib import Path
from statistics import median

import pytest
from judge_rules import find_page, make, read_mistake, try_once, try_source

from agentlib.at_the_stop import WHO
from exerciselib import causes, no_effect, restore
from exerciselib.learners_code import Raised, attempt
from exerciselib.page import REST
from exerciselib.restore import save_state
from exerciselib.try_it import RULE_SECONDS
from lesson.common.parts import PARTS
from lesson.exercises.rules import CAUSES, list_rules

STORIES = {"all_together", "all_reminded"}  # they play what all rules ask
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def tidy(text):
    return " ".join(text.split())


@cache
def read_text(level):
    """Return the Markdown below the heading of an exercise, without programs."""
    title = f"Exercise {level.exercise}:"
    cells = json.loads((NOTEBOOKS / f"{level.notebook}.ipynb").read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    (found,) = [text.partition(title)[2] for text in texts if f"## {title}" in text]
    return tidy(re.sub(r"(?s)```.*?```", "", found.partition("\n")[2]))


def read_page(page, level):
    """Return the map of a page: the words that nothing breaks, and those with a mistake.

    Words that no level's text has are those of the first one, whose test names them.
    """
    found = dict.fromkeys(page.texts)
    found |= {one.words: one for one in page.list_mistakes() if one.words}
    first, *others = PARTS[page.part].levels
    texts = [read_text(other) for other in others]
    if level is not first:
        return {words: one for words, one in found.items() if tidy(words) in read_text(level)}
    return {w: one for w, one in found.items() if not any(tidy(w) in text for text in texts)}


def read_maps():
    """Yield part, level and map for each exercise that has a map."""
    for part, found in PARTS.items():
        for level in found.levels:
            if sentences := read_page(find_page(part), level):
                yield part, level, sentences


MAPS = [*read_maps()]
ROWS = [
    (part, level.name, piece, mistake)
    for part, level, sentences in MAPS
    for piece, mistake in sentences.items()
    if mistake
]


@pytest.mark.parametrize(
    "part, level, sentences", MAPS, ids=lambda one: getattr(one, "exercise", "")
)
def test_every_word_of_an_exercise_is_in_its_map(part, level, sentences):
    text = read_text(level)
    for piece in sorted(map(tidy, sentences), key=len, reverse=True):
        assert piece in text, (
            f"{level.exercise} has no {piece!r}, or a longer piece has it already: a piece stands "
            "in the text as it is written there, with its backticks"
        )
        text = text.replace(piece, "", 1)
    assert not re.search(r"[^\W\d_]", text), (
        f"{level.exercise} has more: {text}\nWrite it after `> ` below the mistake that breaks it, "
        "or in the section [text]"
    )


@pytest.mark.parametrize(
    "part, level, sentences", MAPS, ids=lambda one: getattr(one, "exercise", "")
)
def test_every_rule_has_its_sentence(part, level, sentences):
    named = {mistake.title for mistake in sentences.values() if mistake}
    rules = {one.name for one in list_rules(part, level.name) if one.level == level.name}
    assert rules <= named


@pytest.mark.parametrize(
    "part, level, sentences", MAPS, ids=lambda one: getattr(one, "exercise", "")
)
def test_rule_has_the_number_of_its_sentence_in_the_text(part, level, sentences):
    text, rules = read_text(level), {one.name: one.text for one in list_rules(part, level.name)}
    found = [*re.finditer(r"(?<!\S)(\d)\. (?=\W*[A-Z`])", text)]
    places = {place: one[1] for one in found for place in (one.start(), one.end())}
    for piece, mistake in sentences.items():
        title = rules[mistake.title] if mistake else ""
        if numbered := re.match(r"Rules? ([\d, and]+):", title):
            numbers = {*re.findall(r"\d", numbered[1])}
            begun = places.get(text.index(tidy(piece)))  # if the piece is the begin of a sentence
            assert numbers <= {*places.values()}, title
            assert begun is None or begun in numbers, f"{title} is about: {begun}. {piece}"


def list_failing(part, source, level):
    """Return the names of the rules that fail, of this level and of those before it."""
    made, others = make(part, source)
    things = [made, *(one for _, one in others)]
    restore, failing = save_state(things), []
    for rule in list_rules(part, level):
        for thing in things:
            got, _ = attempt(partial(rule.function, thing), RULE_SECONDS)
            restore()
            if isinstance(got, Raised):
                failing.append(rule.name)
                break
    return failing


def list_told(part):
    """List the mistakes that are told their sentence, the last one of a rule, or another one.

    Each is judged without its own row, as a mistake that nobody has listed, and without the rows of
    the same sentence that cannot be told from it.
    """
    page, alike = find_page(part), {}
    rules = [rule.function for rule in list_rules(part, PARTS[part].levels[-1].name)]
    for one in page.list_mistakes():
        if one.title not in ("exceptions", "extends", "any"):  # a row there is known by its error
            result = try_once(part, read_mistake(page, one).source)
            assert not result.ok, f"[{one.title}] this mistake passes all rules: {one.changes}"
            alike.setdefault((one.sentence, result.rule, result.got, result.tried), []).append(one)
    told = {"own": [], "last": [], "another": []}
    for ones in alike.values():
        rows, own = [rule.rows for rule in rules], {one.changes for one in ones}
        wrong = read_mistake(page, ones[0])
        for rule in rules:
            rule.rows = [row for row in rule.rows if row.text not in own]
        result = try_source(part, wrong.source)
        for rule, kept in zip(rules, rows, strict=True):
            rule.rows = kept
        last = {row.sentence for row in page.rows[result.rule] if row.kind == REST}
        kind = "last" if result.cause in {*last, ""} else "another"
        told["own" if wrong.words in result.said else kind].append(
            f"{ones[0].title}: {ones[0].sentence}\n    told: {result.cause or 'no cause'}"
        )
    return told


@pytest.mark.parametrize("part", [part for part in PARTS if part != "agent_loop"])  # it has a tree
def test_mistake_that_no_row_lists_is_told_its_sentence(part):
    told = list_told(part)
    own, another = len(told["own"]), len(told["another"])
    total = own + another + len(told["last"])
    floor = 0.95 if part == "ask_at_the_stop" else 0.8
    add = "Without its own row, it is not told its sentence, so add a pattern or another change:\n"
    assert own >= floor * total, add + "\n".join(told["last"] + told["another"])
    assert another <= 0.1 * total, add + "\n".join(told["another"])


def test_sentences_are_short():
    said = [one for part in PARTS for one in find_page(part).sentences]
    said += [find_page(part).sections.get("extends", "").removeprefix("- ") for part in PARTS]
    said += [text for _, text in (*causes.GENERAL, *CAUSES, *no_effect.IN_A_LINE)]
    named = {**vars(causes), **vars(restore), **vars(no_effect)}.items()
    said += [one for name, one in named if name.isupper() and isinstance(one, str)]
    words = {one: len(one.split()) for one in said}
    long = [one for one, many in words.items() if many > 25]
    assert median(words.values()) <= 18 and not long, "\n".join(long)


def test_question_of_the_package_begins_with_the_same_words_as_the_cell_of_the_exercise():
    cells = json.loads((NOTEBOOKS / "s04b_who_says_no.ipynb").read_text("utf-8"))["cells"]
    assert any(f'WHO = "{WHO}"\n' in cell["source"] for cell in cells)


@pytest.mark.parametrize("part, level, piece, mistake", ROWS, ids=lambda one: str(one)[:40])
def test_cell_that_breaks_one_sentence_fails_at_its_rule_and_no_other(part, level, piece, mistake):
    failing = list_failing(part, find_page(part).change(mistake.changes), level)
    failing = [one for one in failing if one == mistake.title or one not in STORIES]
    assert failing[:1] == [mistake.title], piece
    assert failing == [mistake.title] or not mistake.alone, piece
