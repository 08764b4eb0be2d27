"""Streams of a model's replies, byte for byte, and a client that gets them without a network."""

from contextlib import contextmanager

import httpx2

from agentlib.client.anthropic_client import Client
from agentlib.client.http_client import BoundedClient
from agentlib.client.limits import Limits
from agentlib.client.redaction import Redactor
from agentlib.client.streaming import LISTENER
from lesson.practice.api import server, stream
from lesson.practice.model import PracticeModel

HEADERS = {"content-type": stream.CONTENT_TYPE}
KEY = "a-key-that-nobody-may-ever-read"


def by_the_practice_api(policy):
    """Return an answer for Wire: that of the practice API, which streams if it is asked to."""
    http = PracticeModel(policy).client()._client  # the HTTP client below the SDK

    def answer(request):
        request.headers["x-api-key"] = server.KEY
        return http.send(request, stream=True)

    return answer


def sse(message):
    """Return the message as a stream: the bytes of each event."""
    return list(stream.encode(stream.write_message(message)))


@contextmanager
def listening(show):
    """Stream replies to `show` within the block."""
    before = LISTENER.set(show)
    try:
        yield
    finally:
        LISTENER.reset(before)


class Wire:
    """A real client that gets the answers of a test instead of a network.

    An answer is a response, a list of bytes and exceptions (the body of a stream), or a function
    that gets the request. The last one is repeated. `requests` are the requests that were sent,
    `said` the lines that the client printed.
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
        """Give these answers from now on. Reuse the client, because it is slow to create."""
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
