"""Explain the errors of a server and of the SDK: what failed, where, and what to do.

Each message is followed by the server's own: ours may be a guess, the server's names the cause.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from agentlib import escape

if TYPE_CHECKING:
    import httpx2

MAX_MESSAGE_CHARS = 300

NEW_CONVERSATION = (
    "The history, the list and the files are unchanged. Continue in a new conversation: "
    "messages[:] = [carry_on(prompt, todo.render())], then run this again."
)
TOO_LONG = f"The conversation has grown longer than the model can read. {NEW_CONVERSATION}"

NO_MODEL = (
    "{host} has no model '{model}'. It is misspelled in MODEL_ID or in your call of connect(), "
    "or it was retired."
)

# A pattern in the server's message and our message, for all statuses but 401, 403 and 404. The
# first pattern that is found is used.
BY_WORDS = {
    "credit balance|plan and billing": "The account behind your key has no credit left. Buy some "
    "from your provider, or name no model: then the practice model answers, which costs nothing.",
    r"max_(completion_)?tokens|requested \d+ output tokens": "max_tokens is larger than this model "
    "allows. Ask for shorter replies: connect(…, max_tokens=2000).",
    "prompt is too long|context (length|size|window)": TOO_LONG,
    "not support tool|tool-call-parser|--jinja": "An agent needs tools, and this model or server "
    "does not support them. Choose a model that supports tools, or start the server with them "
    "(vLLM: --enable-auto-tool-choice, llama.cpp: --jinja).",
}
BY_STATUS = {
    401: "{host} does not accept your key, or needs one. Copy it again from the provider's "
    "website, and set ANTHROPIC_API_KEY before you start.",
    403: "Your key may not use {model}. Choose another model.",
    429: "Rate limit of {host}. Wait {seconds} seconds, then run this again to continue.",
}
NO_PAGE = (
    "{host} has nothing at {path}. Does it support Anthropic's Messages API, and is "
    "ANTHROPIC_BASE_URL its address?"
)
REJECTED = "{host} rejected the request ({status})."
OVERLOADED = (
    "{host} is overloaded or has an internal error ({status}). Wait a few minutes, then run this "
    "again to continue."
)
TIMEOUT = (
    "{host} took too long to answer. Is it busy, or is ANTHROPIC_BASE_URL wrong? Run this again, "
    "or allow more time: model.settings['timeout'] = 900 (seconds)."
)
NO_CONNECTION = (
    "{host} cannot be reached, or the connection broke ({cause}). Is there a network, is the "
    "server running, and is ANTHROPIC_BASE_URL right? If your company's "
    "proxy reads encrypted connections: set SSL_CERT_FILE to the file with its certificate."
)

STOP_REASONS = {
    "max_tokens": "The reply was cut off at max_tokens. Say 'go on', or raise max_tokens.",
    "model_context_window_exceeded": f"The model's context window is full. {NEW_CONVERSATION}",
    "refusal": "The model declined to answer. Sending it again will not help. Remove or rephrase "
    "your last prompt.",
}


def explain(problem: Exception, model: str, host: str) -> str:
    """Return what an error of the SDK means and what to do, with the server's message."""
    import anthropic

    if isinstance(problem, anthropic.APIStatusError):
        response = problem.response
        message = find_message(problem).format(
            host=host,
            model=model,
            status=response.status_code,
            path=response.request.url.path,
            seconds=clip(response.headers.get("retry-after", 60)),
        )
        return message + quote(response, host)
    if isinstance(problem, anthropic.APITimeoutError):
        return TIMEOUT.format(host=host)
    if isinstance(problem, anthropic.APIConnectionError):
        return NO_CONNECTION.format(host=host, cause=clip(problem.__cause__))
    return clip(problem)


def find_message(problem: Any) -> str:
    """Return the message for an answer of the server that is an error."""
    status, words = problem.status_code, server_message(problem.response)
    if status == 404:
        return NO_MODEL if "model" in words else NO_PAGE
    if status not in (401, 403):
        for pattern, message in BY_WORDS.items():
            if re.search(pattern, words, re.IGNORECASE):
                return message
    return BY_STATUS.get(status, OVERLOADED if status >= 500 else REJECTED)


def describe_attempt(number: int, response: "httpx2.Response | None", host: str) -> str:
    """Return why an attempt failed after which the SDK tries again, with the server's message.

    `response` is None if there was none. The SDK waits as long as Retry-After asks, in seconds.
    """
    if response is None:
        return f"Attempt {number} failed: {host} cannot be reached, or took too long to answer."
    status = response.status_code
    problem = "rate limit" if status == 429 else "the server is overloaded or has an error"
    wait = clip(response.headers.get("retry-after", ""))
    asked = f" Retry-After: {wait}." if wait else ""
    return f"Attempt {number} failed: {problem} ({status}).{asked}{quote(response, host)}"


def quote(response: "httpx2.Response", host: str) -> str:
    """Return the server's message in brackets, to add to ours; "" if there is none."""
    words = server_message(response)
    return f" ({host} says: {words})" if words else ""


def server_message(response: "httpx2.Response") -> str:
    """Return the message in an error response, whatever its format; "" if there is none."""
    try:
        body = json.loads(response.text)
    except ValueError:  # perhaps a web page
        return clip(re.sub("<[^>]*>", " ", response.text))
    match body:
        case {"error": {"message": str(words)} | str(words)}:
            return clip(words)
        case {"message": str(words)} | {"detail": str(words)}:
            return clip(words)
    return clip(body)


def clip(words: Any) -> str:
    """Return the text in one line, escaped for a screen and shortened."""
    line = " ".join(escape.for_screen(str(words)).split())
    return line if len(line) <= MAX_MESSAGE_CHARS else f"{line[: MAX_MESSAGE_CHARS - 2]} …"
