"""Files with anything in any place: they are drawn or refused, and nothing else happens."""

import copy
import json
import random

import pytest

from lesson.sessions.picture import Picture
from lesson.sessions.read_file import read_content
from lesson.sessions.session import CannotRead
from tests.sessions.test_my_agent import PROMPT, make_lines, replied, result, sent, todo
from tests.support.recorded import ClaudeCode, to_lines

ANYTHING = [None, True, 7, -1.5, "", "text", "\ud800", [], {}, [[]], [{"type": 5}], {"id": {}}]


def make_sessions():
    claude = ClaudeCode()
    claude.prompt()
    claude.todo("> Look", "- Mend")
    claude.create(1, "Test")
    claude.update(1, "completed")
    claude.show("+1 Test", "-2 Ship")
    claude.helper("TaskUpdate", {"taskId": "2", "status": "completed"}, told={"success": True})
    claude.update(2, "completed", was=None)
    claude.remind("+1 Test")
    claude.create(1, "Rest")
    claude.compact("Look", kept=["u2"])
    claude.work()
    claude.block("m", {"type": "text", "text": "x"}, isSidechain=True)
    claude.add("assistant", message={"model": "<synthetic>", "content": "No response requested."})
    claude.text()
    claude.lines[-1]["isAbortedMidStream"] = True
    claude.add("system", subtype="model_refusal_fallback", retractedMessageUuids=["u3"])
    claude.add("continued-in", continuedInSessionId="s2")
    mine = make_lines(
        sent(0, PROMPT), replied(todo("a", "Look")), sent(2, result("a")), {"type": "continued"},
        replied({"type": "text", "text": "Done."}), sent(1, PROMPT), replied(todo("b", "Mend")),
    )  # fmt: skip
    return {"claude": claude.lines, "mine": mine}


def list_places(value, path=()):
    """Yield the path to each value in a value from JSON."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in keys:
        yield (*path, key)
        yield from list_places(value[key], (*path, key))


@pytest.mark.parametrize("name", make_sessions())
def test_a_damaged_file_is_drawn_or_refused(name):
    lines = make_sessions()[name]
    assert Picture(read_content(to_lines(lines))).text()
    chance, drawn = random.Random(7), 0
    for path in list_places(lines):
        for value in chance.sample(ANYTHING, 4):
            damaged = copy.deepcopy(lines)
            place = damaged
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            given = [json.dumps(line).encode() for line in damaged]
            try:
                picture = Picture(read_content(given))
                assert picture.text().encode() and picture.html().encode()
                drawn += 1
            except CannotRead as problem:
                assert str(problem)
    assert drawn > 50


def test_a_file_that_is_cut_anywhere_is_drawn_or_refused():
    whole = b"".join(to_lines(make_sessions()["claude"]))
    for end in range(0, len(whole), 37):
        try:
            Picture(read_content(whole[:end].splitlines(True)))
        except CannotRead:
            continue
