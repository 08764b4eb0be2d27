"""The practice API accepts and rejects what the real API accepted and rejected.

The recordings belong to other people, so they are not in this repository: without the folder
`shared/wire` next to it, all tests of this module are skipped. See `lesson/practice/api/README.md`.
"""

import json
from pathlib import Path

import anthropic
import pytest
from support.practice_api import post, say_hello

from lesson.practice.model import PracticeModel

FOLDER = Path(__file__).parents[3] / "shared" / "wire"
EXCHANGES = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("[0-9]*.json"))
}
pytestmark = pytest.mark.skipif(not EXCHANGES, reason="the recorded exchanges are not here")

# Those who published it removed the text of 61. The practice API does not check the effort of 62.
UNUSABLE = ("61", "62")


def each_exchange(is_wanted):
    """Parametrize a test by the recorded exchanges with such a response."""
    return pytest.mark.parametrize(
        "exchange",
        [
            pytest.param(exchange, id=name)
            for name, exchange in EXCHANGES.items()
            if name[:2] not in UNUSABLE and is_wanted(exchange["response"])
        ],
    )


def send(exchange):
    """Send a recorded request, without streaming."""
    key = {"api_key": "somebody-elses"} if exchange["response"]["status"] == 401 else {}
    client = PracticeModel(say_hello).client(**key)
    return post(client, exchange["request"]["body"] | {"stream": False})


@each_exchange(lambda response: response["status"] < 400)
def test_recorded_request_is_accepted(exchange):
    assert send(exchange).content[0].text == "Hello."


@each_exchange(lambda response: response["status"] >= 400)
def test_recorded_error_is_the_same(exchange):
    with pytest.raises(anthropic.APIStatusError) as rejected:
        send(exchange)
    assert rejected.value.status_code == exchange["response"]["status"]
    assert rejected.value.body["error"] == exchange["response"]["body"]["error"]
