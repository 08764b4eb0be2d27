"""What the lesson needs in a browser, as far as an ordinary Python can try it.

The rest is tried in a real browser: see browser/test_live.py.
"""

import asyncio
import importlib.util
import sys
import threading
from pathlib import Path

import jsonschema_rs
import pytest

from agentlib import ConnectError, TodoManager
from lesson import connect, sample
from lesson.exercises.checking.timeout import OutOfTimeError, attempt
from lesson.widgets.background import Latest

LIVE = Path(__file__).parents[1] / "tools" / "live"


@pytest.fixture
def no_threads(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.fixture(scope="module")
def stand_in():
    """What the browser has in place of jsonschema_rs."""
    spec = importlib.util.spec_from_file_location("stand_in", LIVE / "jsonschema_rs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Work without threads


def count_to_three(seen):
    for number in (1, 2, 3):
        seen.append(number)
        yield


def test_a_job_goes_on_between_what_a_reader_does(no_threads):
    seen = []

    async def page():
        Latest(pytest.fail).start(count_to_three(seen))
        assert seen == []
        while len(seen) < 3:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(page(), 30))


def test_a_newer_job_takes_the_place_of_one_that_has_begun(no_threads):
    old, new = [], []

    async def page():
        latest = Latest(pytest.fail)
        latest.start(count_to_three(old))
        while not old:
            await asyncio.sleep(0)
        latest.start(count_to_three(new))
        while len(new) < 3:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(page(), 30))
    assert old == [1]


def test_to_wait_for_a_job_is_to_do_it(no_threads):
    seen = []

    async def cell():
        latest = Latest(pytest.fail)
        latest.start(count_to_three(seen))
        latest.wait()
        assert seen == [1, 2, 3]

    asyncio.run(cell())


# A check's time limit without threads


def loop_for_ever():
    while True:
        pass


def catch_everything():
    while True:
        try:
            loop_for_ever()
        except Exception:
            pass


def call_for_ever(depth=0):
    return depth > 100 or [call_for_ever(depth + 1) for _ in range(10)]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python cannot be watched")
@pytest.mark.parametrize("code", [loop_for_ever, catch_everything, call_for_ever])
def test_code_that_does_not_end_is_ended(no_threads, code):
    outcome = attempt(code, seconds=0.1)
    assert isinstance(outcome.problem, OutOfTimeError)
    assert not outcome.is_stuck
    assert attempt(lambda: 7).value == 7


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python cannot be watched")
def test_code_in_time_is_left_alone(no_threads):
    outcome = attempt(lambda: print("done") or 7)
    assert (outcome.value, outcome.printed, outcome.problem) == (7, "done\n", None)


# No shell, no network


def test_a_command_comes_back_with_a_sentence_and_raises_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setenv("PATH", "/nowhere")
    said = sample("hello").bash("ls")
    assert said.startswith("There is no shell here, so nothing was run: a browser has none")
    assert said.endswith("(exit code 127)")


def test_a_real_model_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ConnectError, match="only the practice model, and some-model"):
        connect("some-model", env={"ANTHROPIC_API_KEY": "a key"})


# The stand-in for jsonschema-rs

SCHEMAS = [
    {},
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    {"type": "object", "properties": {"path": {"type": "strnig"}}},
    {"type": "object", "properties": []},
    {"type": "object", "required": "path"},
    {"type": "object", "properties": {"a": {"enum": []}}},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"minimum": 1}}},
    {"type": "object", "properties": {"a": {"minLength": -1}}},
    {"type": "object", "properties": {"a": {"prefixItems": [{"type": "integer"}]}}},
    {"type": "object", "properties": {"a": {"pattern": 3}}},
    {"type": "object", "properties": {"a": True, "b": None}},
    TodoManager().tool().spec["input_schema"],
    *(tool.spec["input_schema"] for tool in sample("hello").tools()),
]
META = {"$ref": "https://json-schema.org/draft/2020-12/schema"}
FIELDS: list[tuple[dict, list]] = [
    ({"type": "string", "minLength": 1}, ["a", "", 1, None]),
    ({"enum": ["high", "low"]}, ["high", "no", None]),
    ({"type": "integer", "minimum": 0}, [0, -1, 1.0, 1.5, True, "1"]),
    ({"type": "array", "items": {"type": "string"}, "maxItems": 2}, [[], ["a"], [1], ["a"] * 3]),
    ({"type": ["string", "null"], "pattern": "^a"}, ["ab", "b", None, 3]),
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_it_tells_a_schema_from_what_is_none(stand_in, schema):
    expected = jsonschema_rs.Draft202012Validator(META).is_valid(schema)
    assert stand_in.Draft202012Validator(META).is_valid(schema) == expected


@pytest.mark.parametrize(
    "schema, value", [(schema, value) for schema, values in FIELDS for value in values]
)
def test_it_tells_what_a_schema_allows(stand_in, schema, value):
    assert stand_in.is_valid(schema, value) == jsonschema_rs.is_valid(schema, value)
