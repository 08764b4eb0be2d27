"""The loop by hand: each blank is tried separately, with the API's own messages."""

import re

import pytest
from exercises.cells import define
from solutions import learners

from lesson import LOOP_SCAFFOLD, check_loop
from lesson.exercises.check_loop import ANSWERS, RULES, fill
from lesson.exercises.grading.notebooks import read_cells

OPEN = ["..."] * 5
RULE_NAMES = ["models_turn", "asks_for_a_tool", "ids", "stops", "results_go_back"]


def loop(source):
    return define(source, "agent_loop")


def with_blank(number, written):
    """Return the right loop with one blank as `written`; blanks count from 1."""
    return loop(fill(*ANSWERS[: number - 1], written, *ANSWERS[number:]))


@pytest.mark.parametrize(
    "number, written, words",
    [
        (1, '{"role": "user", "content": reply.content}', "can only be in `assistant` messages"),
        (1, "reply", "400: messages.1.id: Extra inputs are not permitted"),
        (1, "reply", "2. a Message object, which is not a message"),
        (2, '"text"', "'TextBlock' object has no attribute 'name'"),
        (3, "block.name", "`tool_use` ids were found without `tool_result` blocks"),
        (3, "call.id", "'Call' object has no attribute 'id'"),
        (4, "len(results) <= 1", "Requests: 1"),
        (4, 'reply.content[0].type == "text"', "Requests: 1"),
        (4, "False", "400: messages.4: user messages must have non-empty content"),
        (4, 'reply.stop_reason == "tool_use"', "Requests: 1"),
        (5, "results", "400: messages.2: Input does not match the expected shape."),
        (5, '{"role": "user", "content": results[:1]}', "without `tool_result` blocks"),
    ],
)
def test_wrong_blank_fails_alone_with_the_api_message(number, written, words):
    result = check_loop(with_blank(number, written))
    assert result.missed == RULE_NAMES[number - 1], result
    others = [state for n, state in enumerate(result.states[:5], 1) if n != number]
    assert others == ["yes"] * 4, result
    assert words in result.miss.got, result


def test_scaffold_is_the_notebooks_cell():
    tags = {"exercise", "loop"}
    [cell] = [one for one in read_cells(learners("s02_tool_use")) if tags <= one.tags]
    assert cell.source in LOOP_SCAFFOLD


def test_rules_say_message_and_not_turn():
    told = [text for rule in RULES for text in (rule.title, rule.why, *rule.hints)]
    assert not [text for text in told if re.search(r"\bturns?\b", text)]


def test_unchanged_scaffold_is_not_begun():
    result = check_loop(loop(LOOP_SCAFFOLD))
    assert not result.begun and "that is fine" in str(result)


@pytest.mark.parametrize("done", range(1, 5))
def test_open_blank_is_named_and_earlier_ones_pass(done):
    result = check_loop(loop(fill(*ANSWERS[:done], *OPEN[done:])))
    assert result.passed == done, result
    assert result.missed == RULE_NAMES[done]
    assert "That is fine" in result.miss.note


def test_test_says_what_the_model_replies():
    miss = check_loop(with_blank(1, "reply")).miss
    assert 'ScriptedRun(loop_with_blank_1, TWO_CALLS, "Done.")  # the model\'s' in miss.tried


def test_two_wrong_blanks_fail_two_rules():
    result = check_loop(loop(fill("reply", *ANSWERS[1:4], "results")))
    assert [state == "yes" for state in result.states] == [False, True, True, True, False, False]


def test_value_that_is_no_function_is_explained():
    assert "needs the def itself" in check_loop("agent_loop").note
