"""A statement of a learner's cell that has no effect is told with its line, in each exercise."""

import pytest
from judge_rules import list_right, run, slip, try_source

from exerciselib.no_effect import find_no_effect
from lesson.common.parts import PARTS
from lesson.exercises.kit.lists import LEVELS, STATUSES
from lesson.exercises.my_nag import PAGE
from lesson.exercises.rules import try_part

WORDS = (*STATUSES, *LEVELS)
START = 'def f(text):\n    """Say it."""\n    '


@pytest.mark.parametrize(
    "line, words",
    [
        ("text == 3", "`=` assigns"),
        ("return text; raise ValueError('no')", "below a `return`"),
        ("ValueError('no')", "write `raise` before it"),
        ("raise ValueError('no {text}')", "only in an f-string"),
        ("return 'no {len(text)}'", "only in an f-string"),
        ("f'{text}'", "a `return` missing"),
        ("'a' + text", "`+=` meant, or is a `return` missing"),
        ("text.lower", "`()` after it to call it"),
        ("text", "write `return` before it"),
        ("text.replace('a', 'b')", "never changed"),
        ("count =+ 1", "`+= 1` changes it by 1"),
        ("count =- 1", "sets it to -1"),
        ("return text in ('low' 'high', 'medium')", "comma is missing"),
        ("return text + '/n/n' + text", "has a backslash"),
        ("self.begun.get(text, 3)", "stores nothing"),
        ("begun = ended = {}", "make two, `{}, {}`"),
        ("text = text(3)", "no function any more"),
        ("return 3 if not text else text.a\n    text()", "call it first"),
        ("for text in text(3): pass", "no function any more"),
        ("return text == 'in progress'", "'in_progress'"),
        ("return text != 'a' or text != 'b'", "write `and`"),
        ("return text is not 'a'", "by `==` or `!=`"),
        ("return text['text'] is text[0]['text']", "by `==` or `!=`"),
        ("if made == None: made = [text]", "never None"),
        ("return text != ('a' or 'b')", "are 'a' alone"),
        ("return not text == 'a' or 'b'", "`or 'b'` compares nothing"),
        ("if text == 'a' and 'b': return 3", "`and 'b'` compares nothing"),
        ("return text == 'a' and text == 'b'", "never true"),
        ("count = +1", "`+= 1` changes it by 1"),
        ("text = text.append(3)", "and returns None"),
        ("fields = dict(text).update({'a': 3})", "and returns None"),
        ("return text.extend([3])\n    return text", "and returns None"),
    ],
)
def test_statement_without_effect_is_found(line, words):
    number, said = find_no_effect(f"{START}{line}\n", WORDS)
    assert number == 3 and words in said


@pytest.mark.parametrize(
    "line",
    [
        "text.append(3)",
        "return text == 3",
        "return text != 'a' or text.name != 'b' or text is None",
        "raise ValueError(f'no {text}')",
        "return '{text}'.format(text=text)",
        "return 'a {place} in braces'",
        "return f'{{text}}'",
        "...",
        "text(3); 'The core loop.'",
        "count = -1",
        "return text['text'] is None or text['row'] is text[0]['row']",
        "count = x = 0",
        "return text(3) if text else None",
        "self.begun = begun = {}",
        'say(\'"high" "low"\')',
        "print('a/n', 'a' 'b c')",
        "text = text.get(text, 'done') == 'Fix'",
        "yield text",
        "text[0]()",
        "if made is None: made = [3] if text else None",
        "return text == 'a' and 'yes' or 'no'",
        "return text == 'a' or text == 'b'",
        "text = text.update([3])",
        "return text.append(3)",
    ],
)
def test_statement_with_an_effect_is_left_alone(line):
    assert find_no_effect(f"{START}{line}\nf\nf.name\n'shown'\n", WORDS) == (0, "")


@pytest.mark.parametrize("part", PARTS)
def test_right_cells_have_an_effect_in_each_statement(part):
    assert [find_no_effect(source, WORDS) for _, _, source in list_right(part)].count((0, "")) > 2
    assert all(find_no_effect(source, WORDS) == (0, "") for _, _, source in list_right(part))


def test_line_and_cause_are_told_before_all_others():
    result = try_source("MyNag", slip(PAGE.solution, ("self.rounds += 1", "self.rounds =+ 1")))
    assert result.line == "line 16: self.rounds =+ 1" and "`+= 1` changes it by 1" in result.cause
    assert result.got == "None" and result.expected == "a reminder"


def test_pass_is_not_written_yet():
    made = run("def agent_loop(client, messages, tools, **settings):\n    pass\n")["agent_loop"]
    result = try_part("agent_loop", made)
    assert "not written yet" in str(result) and "Write `agent_loop`" in result.cause
