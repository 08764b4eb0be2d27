"""What the real API took, the practice wire takes; what it refused, it refuses in the same words.

The recordings are other people's, so they stay outside the repository; without them these tests
are skipped. `lesson/practice/api/README.md` says how such a comparison is made.
"""

import json
from pathlib import Path

import anthropic
import pytest

from lesson.practice.model import PracticeModel

FOLDER = Path(__file__).parents[3] / "shared" / "wire"
RECORDINGS = sorted(FOLDER.glob("[0-9]*.json"))
pytestmark = pytest.mark.skipif(not RECORDINGS, reason="the recorded exchanges are not here")

# Its text was cut out by those who published it; the old words of 2024 have since changed.
UNUSABLE = {"61"}


def exchanges(refused: bool):
    for path in RECORDINGS:
        number = path.name[:2]
        exchange = json.loads(path.read_text(encoding="utf-8"))
        if number in UNUSABLE:
            continue
        if (exchange["response"]["status"] >= 400) == refused:
            yield pytest.param(exchange, id=path.stem)


def send(exchange: dict):
    """The recorded request, as it was; only the stream is left out: see test_stream."""
    key = {"api_key": "somebody-elses"} if exchange["response"]["status"] == 401 else {}
    client = PracticeModel(lambda request: [{"type": "text", "text": "Hello."}]).client(**key)
    body = {name: value for name, value in exchange["request"]["body"].items() if name != "stream"}
    return client.post("/v1/messages", body=body, cast_to=anthropic.types.Message)


@pytest.mark.parametrize("exchange", list(exchanges(refused=False)))
def test_a_request_that_the_api_took_is_taken(exchange):
    assert send(exchange).content[0].text == "Hello."


@pytest.mark.parametrize("exchange", list(exchanges(refused=True)))
def test_a_request_that_the_api_refused_is_refused_in_its_words(exchange):
    with pytest.raises(anthropic.APIStatusError) as refusal:
        send(exchange)
    assert refusal.value.status_code == exchange["response"]["status"]
    assert refusal.value.body["error"] == exchange["response"]["body"]["error"]
