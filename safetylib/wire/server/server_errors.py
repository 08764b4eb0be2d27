"""Explain a server's errors to a beginner: what failed, and what to do.

The server's own message follows each explanation. All other errors keep the text of the SDK.
"""

import json
import re
import time
from contextlib import suppress
from email.utils import mktime_tz, parsedate_tz
from typing import TYPE_CHECKING, Any

from ...guard.hide_keys import clip
from ..refusals import is_too_long, own_words, server_message

if TYPE_CHECKING:
    import httpx2

MAX_WAIT_SECONDS = 60  # the longest wait that a server may demand before a retry
GROWN = "The conversation has grown longer than the model can read"
FIRST = "The first request is longer than the model can read"
TRIM = (
    "The list and the files are unchanged. my_agent leaves older messages out by itself, as long "
    "as the newest ones fit. In your own program, replace all messages by what agentlib's "
    "trim_messages(messages, todo) returns."
)
LARGER_CONTEXT = (
    "Nothing can be left out of it. Start your own server with a larger context, see “Local "
    "models” in docs/real-models.md, or choose another model."
)
# The status and a pattern in the server's own words, and what it means. The first match is used.
MEANINGS = (
    (
        "401|4.*x-api-key",
        "{host} does not accept your key, or needs one; a gateway there may have a wrong key for "
        "its own provider. Copy it again from the provider's "
        "website, and set ANTHROPIC_API_KEY before you start. If the key is right: the SDK sends "
        "it as `Authorization: Bearer`, and some gateways read only `x-api-key`. For these, also "
        'set ANTHROPIC_CUSTOM_HEADERS="x-api-key: YOUR_KEY".',
    ),
    (
        "404.*model",
        "{host} has no model '{model}'. Is it misspelled in MODEL_ID or in your call of "
        "connect(), or was it retired?",
    ),
    (
        "400.*version",
        "{host} does not know the API version that the SDK sends. Before you start, set "
        'ANTHROPIC_CUSTOM_HEADERS="anthropic-version: 2023-06-01".',
    ),
    (
        "(400|422|500) (?=.*thinking).*(signature|cannot be modified)",
        "{host} rejects what the model thought earlier, because something before it has changed, "
        "perhaps on the way there, or the account has. Begin a new conversation: the files are as "
        "they are.",
    ),
    (
        "[45].*roles must alternate",  # the templates of Mistral and Gemma: vllm-project/vllm #6862
        "This model wants messages of the user and of the model in turn. When messages are "
        "trimmed, the prompt and the list are two messages of the user. Choose another model, or "
        "give this one a context that is large enough for the whole run.",
    ),
    (
        ".*(not support tool|tool-call-parser|--jinja)",
        "An agent needs tools, and this model or server does not support them. Choose a model that "
        "supports tools, or start the server with them (vLLM: --enable-auto-tool-choice, "
        "llama.cpp: --jinja).",
    ),
)
# Why no complete answer has come, and what to do.
NO_CONNECTION = (
    "{host} cannot be reached",
    "Is the server running, and are ANTHROPIC_BASE_URL and HTTPS_PROXY right, if they are set?",
)
NOT_TRUSTED = (
    "The certificate of {host} is not trusted",
    "If it is of your firm, or of a proxy there, set SSL_CERT_FILE to the file with your firm's "
    "certificates (PEM) before you start.",
)
TOO_SLOW = (
    "{host} took too long to answer",
    "Try again when it has less to do. To let each request wait for longer, set "
    'model.settings["timeout"] to a number of seconds.',
)
BROKEN_OFF = (
    "{host} broke off its answer",
    "Run this again. If it happens again, look at ANTHROPIC_BASE_URL (http or https), or choose "
    "another model or server.",
)
TOO_LARGE = (
    "{host} sent an answer that does not end",
    "Is ANTHROPIC_BASE_URL the address of a model's server? If it is, choose another one.",
)
NO_STREAM = (
    "{host} has sent no stream that can be used, so the next request is without one",
    BROKEN_OFF[1],
)


def explain_server_error(problem: Exception, model: str, host: str) -> str:
    """Return what an error of the SDK means and what to do, with the server's message."""
    import anthropic

    if isinstance(problem, anthropic.APIStatusError):
        words = server_message(problem.response)
        meaning = find_meaning(problem).format(host=host, model=model)
        if is_too_long(problem):
            meaning = "{}. {}".format(*find_too_long(problem))
        return f"{meaning} ({host} says: {words})" if words else meaning
    if isinstance(problem, anthropic.APIConnectionError):
        _, advice = find_failure(problem)
        return f"{describe_failure(problem, host)} {advice}"
    return clip(problem)


def describe_failure(problem: Exception, host: str) -> str:
    """Return why no complete answer has come, in one sentence that names the cause."""
    failure, _ = find_failure(problem)
    cause = find_cause(problem)
    return f"{failure.format(host=host)} ({clip(cause) or type(cause).__name__})."


def find_failure(problem: Exception) -> tuple[str, str]:
    """Return which of the failures above has happened."""
    import httpx2

    from .deadline import TooLargeError
    from .stream_events import NoStreamError

    cause = find_cause(problem)
    if isinstance(cause, TooLargeError):
        return TOO_LARGE
    if isinstance(cause, NoStreamError):
        return NO_STREAM
    if "CERTIFICATE_VERIFY_FAILED" in str(cause):
        return NOT_TRUSTED
    if isinstance(cause, httpx2.ReadTimeout | httpx2.WriteTimeout):
        return TOO_SLOW
    if isinstance(cause, httpx2.ReadError | httpx2.WriteError | httpx2.RemoteProtocolError):
        return BROKEN_OFF
    return NO_CONNECTION


def find_cause(problem: Exception) -> BaseException:
    """Return the error of the HTTP library below an error of the SDK.

    Our client removes the cause, so that a traceback does not print it. It is still the context.
    """
    return problem.__cause__ or problem.__context__ or problem


def find_too_long(problem: Any) -> tuple[str, str]:
    """Return why a server rejected a conversation as too long, and what to do.

    Before the model's first reply, the conversation has not grown.
    """
    messages: Any = None
    with suppress(Exception):  # another client may have read the request already
        messages = json.loads(problem.request.content)["messages"]
    if messages and not any(message.get("role") == "assistant" for message in messages):
        return FIRST, LARGER_CONTEXT
    return GROWN, TRIM


def describe_too_long(problem: Any) -> str:
    """Describe a conversation that was too long for the model, with the server's words."""
    reason, advice = find_too_long(problem)
    words = server_message(problem.response)
    error = f"{reason}, so the request was rejected with the error {problem.status_code}: {words}"
    return f"{error}. {advice}" if reason == FIRST else error


def find_meaning(problem: Any) -> str:
    """Return the meaning of an error. Without an entry, the server's own words must be enough."""
    words = f"{problem.status_code} {own_words(problem)}"
    for pattern, meaning in MEANINGS:
        if re.match(pattern, words, re.IGNORECASE | re.DOTALL):
            return meaning
    return f"{{host}} answered with the error {problem.status_code}."


def describe_attempt(number: int, response: "httpx2.Response") -> str:
    """Return why an attempt failed that may be retried, and which wait the server demands."""
    host, words = response.request.url.host, server_message(response)
    name = "retry-after-ms" if "retry-after-ms" in response.headers else "retry-after"
    wait = response.headers.get(name)
    demand = f" {name.title()}: {clip(wait)}." if wait else ""
    if demands_long_wait(response):
        demand += f" That is more than {MAX_WAIT_SECONDS} seconds, so it is not sent again."
    return f"Attempt {number} failed: {host} says {response.status_code}: {words}.{demand}"


def demands_long_wait(response: "httpx2.Response") -> bool:
    """Return whether a server demands such a long wait that the user should decide about it.

    The SDK would wait as long as Retry-After-Ms or else Retry-After says, even for a day.
    """
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(KeyError, ValueError):
            return float(response.headers[name]) / unit > MAX_WAIT_SECONDS
    date = parsedate_tz(response.headers.get("retry-after", ""))
    return date is not None and mktime_tz(date) - time.time() > MAX_WAIT_SECONDS
