"""The loop by hand: what a wrong loop's feedback says."""

import re

import pytest
from exercises.attempts.loop import LAST, PLAIN, REPLY
from exercises.cells import define, slip

from lesson import check_loop
from lesson.exercises.check_loop import RULES


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('"assistant"', '"user"', "can only be in `assistant` messages"),
        (REPLY, "messages.append(reply)", "2. a Message object, which is not a message"),
        ("if not uses:", f"if {LAST}:", "Requests: 1"),
        ("if not uses:", "if False:", "400: messages.4: user messages must have non-empty content"),
    ],
)
def test_wrong_loop_shows_the_messages_and_the_api_error(old, new, words):
    result = check_loop(define(slip(PLAIN, (old, new)), "agent_loop"))
    assert words in result.miss.got, result


@pytest.mark.parametrize(
    "old, words", [("tools=specs, ", "Your request has no `tools`"), (PLAIN, "has sent no request")]
)
def test_missing_request_is_explained(old, words):
    source = slip(PLAIN, (old, "")) if old != PLAIN else "def agent_loop(*_, **__): return 1"
    assert words in check_loop(define(source, "agent_loop")).miss.note


def test_rules_say_message_and_not_turn():
    told = [text for rule in RULES for text in (rule.title, rule.why, *rule.hints)]
    assert not [text for text in told if re.search(r"\bturns?\b", text)]


def test_value_that_is_no_function_is_explained():
    assert "needs the def itself" in check_loop("agent_loop").note
