"""A model that waits for the user, or cannot go on, is not asked the same again and again."""

import pytest
from loopback import Server, message, reach
from support.blocks import text, use

from lesson import play

QUESTION = message(text("I need a decision from you: which format?"))
READ = message(use("read_file", "t", path="README.md"))


@pytest.mark.parametrize(
    "answers, requests",
    [([QUESTION] * 12, 2), ([READ, *[QUESTION] * 12], 3), ([QUESTION, READ, *[QUESTION] * 9], 4)],
)
def test_question_without_an_answer_is_asked_once(answers, requests):
    seconds = iter(range(99))
    with Server(*answers) as server:
        missing = lambda: [f"tests fail in {next(seconds)}.5 s"]  # noqa: E731
        run = play("hello", model=reach(server)[0], missing=missing)
    assert len(server.requests) == requests
    assert "Read its last reply" in run.problem and "Read its last reply" in str(run)
