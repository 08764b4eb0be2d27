"""The SDK's client for a real model: it waits where anybody can see it, and never without end.

It stands beneath everything that asks a model, loops written by hand included. What a learner
would otherwise meet: an hour's silence, a bill, a page of HTML where a message should be.
"""

import json
import time
from collections.abc import Callable
from contextlib import closing
from contextvars import copy_context
from threading import Event, Thread
from typing import Any

import anthropic
import httpx2

from .explain import brief, explain, retry_after, stopped
from .guard import Limits

PAUSES = (1, 2, 4, 8)  # seconds before the second try, the third, …
LONGEST_PAUSE = 60  # seconds that a server may make us wait; if it wants more, a person decides
TICK = 0.2  # seconds in which a stop is noticed
FIRST_WORD = 30  # seconds of silence before we say that we still wait
LARGEST = 32 * 2**20  # bytes of an answer; the API's own limit for a request
LARGEST_ERROR, LARGEST_PAGE = 10_000, 500  # bytes of an error, as JSON or not: in a traceback
BROKEN = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.NetworkError,
          httpx2.RemoteProtocolError)


class Client(anthropic.Anthropic):
    """An `anthropic.Anthropic` that keeps to `limits`, tries again, and explains its errors.

    `say` is told, a line each, of every wait and of every reply that ended early. Errors are the
    SDK's own, with a note (PEP 678) that says what to do: it is the traceback's last line.
    Raises LimitReached before anything is sent.
    """

    pauses: tuple[float, ...] = PAUSES

    def __init__(self, *, limits: Limits | None = None, say: Callable[[str], None] = print,
                 **options: Any) -> None:
        super().__init__(**{"max_retries": 0, "open_telemetry": False} | options)
        self.limits, self.say = limits or Limits(), say

    def copy(self, **changes: Any) -> "Client":
        """Like the SDK's; the copy shares the limits and their counts."""
        copy = super().copy(**changes)
        copy.limits, copy.say, copy.pauses = self.limits, self.say, self.pauses
        return copy

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """What every method of the SDK ends in: one request, and its answer."""
        costs = options.method == "post" and options.url.endswith("/v1/messages")
        if costs:
            self.limits.check()
        pauses = list(self.pauses) if costs else []
        while True:
            try:
                reply = super().request(cast_to, options, **more)
                break
            except anthropic.APIError as problem:
                pause = wait_for(problem, pauses)
                if pause is None:
                    model = (options.json_data or {}).get("model", "the model")
                    problem.add_note(explain(problem, model, self.base_url.host))
                    raise
                self.say(f"{reason(problem, self.base_url.host)} I try again in {pause:g} s.")
            rest(pause)
        if costs:
            self.limits.count(getattr(reply, "usage", None))
            if why := stopped(getattr(reply, "stop_reason", None)):
                self.say(why)
        return reply


def wait_for(problem: Exception, pauses: list[float]) -> float | None:
    """How many seconds to wait before the next try, or None where it makes no sense.

    `pauses` are those that are left. A server's word (retry-after, x-should-retry) counts more.
    An answer that took too long is not asked for again: it may have been paid for.
    """
    if not pauses:
        return None
    if isinstance(problem, anthropic.APIConnectionError):
        return pauses.pop(0) if isinstance(problem.__cause__, BROKEN) else None
    if not isinstance(problem, anthropic.APIStatusError):
        return None
    headers = problem.response.headers
    again = problem.status_code in (408, 409, 429) or problem.status_code >= 500
    if not again or headers.get("x-should-retry") == "false":
        return None
    pause, asked = pauses.pop(0), retry_after(headers)
    return max(pause, asked) if asked <= LONGEST_PAUSE else None


def reason(problem: Any, host: str) -> str:
    """Why we wait, as a sentence."""
    match getattr(problem, "status_code", None):
        case None:
            return f"{host} cannot be reached, or broke off."
        case 429:
            return f"{host} asks for a slower pace."
        case status:
            return f"{host} is overloaded or has a fault of its own ({status})."


def rest(seconds: float) -> None:
    """Sleep, and wake at once when a person says stop."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, TICK))


class Wire(anthropic.DefaultHttpxClient):
    """The HTTP client: an answer comes whole, in time, and without your keys, or not at all.

    `secrets` are never let in, should a server repeat them. The time limit is the request's read
    timeout, but for the whole answer: a server that sends one byte now and then gains nothing.
    """

    def __init__(self, *, secrets: tuple[str, ...] = (), say: Callable[[str], None] = print,
                 **options: Any) -> None:
        super().__init__(**options)
        # Servers of one's own take keys like "ollama": that is a word, not a secret.
        self.secrets, self.say = [key.encode() for key in secrets if len(key) >= 16], say

    def send(self, request: httpx2.Request, *, stream: bool = False, **more: Any) -> Any:
        """Send one request. A stream is passed on as it comes."""
        if stream:
            return super().send(request, stream=True, **more)
        send, limit = super().send, request.extensions.get("timeout", {}).get("read")
        return self.wait(lambda: self.whole(send(request, stream=True, **more)), request, limit)

    def wait(self, job: Callable[[], Any], request: httpx2.Request, limit: float | None) -> Any:
        """Return what `job` returns; in a thread, so that neither a stop nor the clock waits.

        Looking up a name, for one, cannot be interrupted. Raises ReadTimeout after `limit` s.
        """
        done, outcome = Event(), []

        def work() -> None:
            try:
                outcome[:] = job(), None
            except Exception as problem:
                outcome[:] = None, problem
            done.set()

        Thread(target=copy_context().run, args=[work], daemon=True).start()
        start, word = time.monotonic(), FIRST_WORD
        while not done.wait(TICK):
            passed = time.monotonic() - start
            if limit is not None and passed > limit:
                raise httpx2.ReadTimeout(f"no answer in {limit:g} s", request=request)
            if passed > word:
                self.say(f"Still waiting for {request.url.host}, for {word} s now.")
                word *= 2
        answer, problem = outcome
        if problem:
            raise problem
        return answer

    def whole(self, response: httpx2.Response) -> httpx2.Response:
        """The response with all of its body, which is a message or an error."""
        body, limit = bytearray(), LARGEST if response.is_success else LARGEST_ERROR
        with closing(response):
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    break
        for secret in self.secrets:
            body = body.replace(secret, b"[your key]")
        if not response.is_success and not body.lstrip().startswith(b"{"):
            body = body[:LARGEST_PAGE]
        headers = [(name, value) for name, value in response.headers.multi_items()
                   if name.lower() not in ("content-encoding", "content-length",
                                           "transfer-encoding")]
        response = httpx2.Response(response.status_code, headers=headers, request=response.request,
                                   content=bytes(body[:limit]), extensions=response.extensions)
        if response.is_success and (flaw := flawed(response)):
            host = response.request.url.host
            raise anthropic.APIResponseValidationError(
                response, None, message=f"{host} sent {flaw}: {brief(response.text[:200])!r}.")
        return response


def flawed(response: httpx2.Response) -> str | None:
    """What is wrong with the body of an answer, or None.

    Checked is what a conversation cannot go on without: one wrong turn in the history, and every
    later request would be refused.
    """
    if "json" not in response.request.headers.get("accept", ""):
        return None
    try:
        data = json.loads(response.content)
    except (ValueError, RecursionError):
        kind = response.headers.get("content-type", "")
        return "a web page in place of an answer" if "html" in kind else "an answer that is no JSON"
    if not response.request.url.path.endswith("/v1/messages"):
        return None
    content = data.get("content") if isinstance(data, dict) else None
    if not isinstance(content, list) or not all(map(sound, content)):
        return "an answer that is no message"
    return None


def sound(block: Any) -> bool:
    """Whether a block of content can be worked with, and sent back."""
    match block:
        case {"type": "text", "text": str()}:
            return True
        case {"type": "tool_use", "id": str(id), "name": str(name), "input": dict()}:
            return bool(id and name)
        case {"type": str(kind)}:
            return kind not in ("text", "tool_use")
    return False
