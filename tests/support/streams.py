"""Streamed replies as bytes, and a client that receives them without a network."""

from contextlib import contextmanager

import httpx2

from lesson.practice.api import server, stream
from lesson.practice.model import PracticeModel
from lesson.real_model.anthropic_client import Client
from lesson.real_model.http_client import BoundedClient
from lesson.real_model.limits import Limits
from lesson.real_model.redaction import Redactor
from lesson.real_model.streaming import LISTENER

HEADERS = {"content-type": stream.CONTENT_TYPE}
KEY = "a-key-that-nobody-may-ever-read"


def by_the_practice_api(policy):
    """Return a function that sends a request to the practice API, and returns its response."""

    http = PracticeModel(policy).client()._client  # the HTTP client of the SDK

    def answer(request):
        request.headers["x-api-key"] = server.KEY
        return http.send(request, stream=True)

    return answer


def sse(message):
    """Return the bytes of each event of a streamed message."""
    return list(stream.encode(stream.write_message(message)))


@contextmanager
def listening(show):
    """Pass the model's streamed text to `show` within the block."""
    before = LISTENER.set(show)
    try:
        yield
    finally:
        LISTENER.reset(before)


class Wire:
    """A real client that receives the answers of a test instead of those of the network.

    An answer is a response; a list of bytes and exceptions, as the body of a stream; or a
    function of the request. The last one is repeated. `requests` are the requests sent, `said`
    the messages that the client showed to the user.
    """

    def __init__(self, *answers):
        self.said: list[str] = []
        self.begin(*answers)
        self.limits = Limits(10**9, 10**12)
        self.client = Client(
            api_key=KEY,
            base_url="http://there",
            http_client=BoundedClient(
                transport=httpx2.MockTransport(self.answer),
                trust_env=False,
                redactor=Redactor((KEY,)),
                count=self.limits.count,
            ),
            limits=self.limits,
            say=self.said.append,
        )
        self.client.max_retries = 0

    def begin(self, *answers):
        """Replace the answers. This is faster than a new client."""
        self.answers, self.requests = list(answers), []

    def answer(self, request):
        self.requests.append(request)
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if callable(found):
            return found(request)
        if isinstance(found, httpx2.Response):
            return found
        return httpx2.Response(200, headers=HEADERS, content=self.send(found))

    def send(self, parts):
        for part in parts:
            if isinstance(part, Exception):
                raise part
            yield part
