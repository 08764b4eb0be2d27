"""The arguments of a call: whole, cut off, or no JSON."""

import json

import pytest

from safetylib.wire.call_input import NO_JSON, refuse_no_json
from safetylib.wire.server.stream_events import read_input

BODIES = [
    r'{"path": "a\u00e9\n.txt", "n": -1.5e+3, "ok": true, "no": null, "l": [1, {"a": []}, ""]}',
    r'{"text": "\"q\" \\ {[,:"}',
    '{"content": "one\n\ttwo\n", "x": false}',
    '{"content": "ü 很 😀", "items": [{"text": "a"}, {"text": "b"}]}',
    " { } ",
]
# Forms that models have sent, and what the parser says of each.
WRONG = {
    '{"path": "a.py", "content": "print("hi")"}': "Expecting ',' delimiter: line 1 column 37",
    '{"content": """doc"""}': "Expecting ',' delimiter: line 1 column 15",
    "{'path': 'a.py'}": "Expecting property name enclosed in double quotes: line 1 column 2",
    '{"path": "a.py",}': "Expecting property name enclosed in double quotes: line 1 column 17",
    '{"{"path": "a.py"}': "Expecting ':' delimiter: line 1 column 5",
    '{"path": "a.py"}{"path": "a.py"}': "Extra data: line 1 column 17",
    '```json\n{"path": "a.py"}\n```': "Expecting value: line 1 column 1",
    r'{"pattern": "\d"}': r"Invalid \escape: line 1 column 14",
    'path": "a.py"}': "Expecting value: line 1 column 1",
    "[" * 5000: "it is nested too deep",
}


@pytest.mark.parametrize("body", BODIES)
def test_each_beginning_of_a_body_is_cut_off_and_the_body_is_whole(body):
    assert read_input(body) == (json.loads(body, strict=False), True)
    end = len(body.rstrip())
    for cut in range(body.index("{") + 1, end):
        assert read_input(body[:cut])[1] is False, body[:cut]


@pytest.mark.parametrize("sent", WRONG, ids=lambda sent: sent[:20])
def test_what_is_the_beginning_of_no_json_is_whole_and_the_parser_says_why(sent):
    assert read_input(sent) == ({NO_JSON: sent}, True)
    with pytest.raises(ValueError) as raised:
        refuse_no_json({NO_JSON: sent})
    assert f"are no JSON: {WRONG[sent]}" in str(raised.value)
