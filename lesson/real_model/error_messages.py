"""Error messages: what failed, where, and what to do, as a table of statuses and patterns.

Each message is followed by the server's own: ours may be a guess, the server's names the cause.
"""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentlib import escape

if TYPE_CHECKING:
    import httpx2

MAX_WAIT_SECONDS = 60  # before a retry; if the server asks for more, the user decides
TIMEOUT_STATUSES = (408, 504, 524)  # a server or a gateway gave up waiting for the model
MAX_WAIT_MINUTES = 1440  # shown; a server may send "retry-after: inf"
MAX_MESSAGE_CHARS = 300

NEW_CONVERSATION = (
    "The history, the list and the files are unchanged. Continue in a new conversation: "
    "messages[:] = [carry_on(task, todo.render())], then run this again."
)
TOO_LONG = f"The conversation has grown longer than the model can read. {NEW_CONVERSATION}"

# A pattern and its message; the first pattern that matches is used. It is matched against
# "STATUS message of the server"; without a response, against the exception: "ReadError: …".
PERMANENT = {  # never retried, not even if the status is 5xx; not used for 401, 403 and 404
    ".*(credit balance|insufficient_quota|plan and billing)": "The account behind your key has no "
    "credit left. Buy some from your provider, or use connect('practice'), which costs nothing.",
    r".*(max_(completion_)?tokens.*(>|too large|exceed|at most|maximum)|in the completion|"
    r"requested [1-9]\d* output tokens)": "max_tokens is larger than this model allows. Ask for "
    "shorter replies: connect(…, max_tokens=2000).",
    ".*(prompt is too long|maximum context|context[ _]?(length|size|window)|"
    "too many (input )?tokens|exceed_context)": TOO_LONG,
    ".*(not support tool|tool-call-parser|enable-auto-tool-choice|--jinja)": "An agent needs "
    "tools, and this model or server does not support them. Choose a model that does, or start "
    "the server with tools (vLLM: --enable-auto-tool-choice, llama.cpp: --jinja).",
}
MESSAGES = {
    "401": "{host} does not accept your key, or needs one. Copy it again from the provider's "
    "website, and set ANTHROPIC_API_KEY before you start.",
    "403": "Your key may not use {model}. Choose another model.",
    "404.*model": "{host} has no model '{model}'. Check its spelling in MODEL_ID or in your call "
    "of connect().",
    "404": "{host} has nothing at {path}. Does it support Anthropic's Messages API, and is "
    "ANTHROPIC_BASE_URL its address?",
    "413": TOO_LONG,
    "429": "Rate limit of {host}. Wait {minutes:,.0f} min, then run this again to continue.",
    "408|504|524": "{host} gave up waiting for the model ({status}). Raise the timeout of that "
    "server, or ask for shorter replies, then run this again to continue.",
    "5": "{host} is overloaded or has an internal error ({status}). Wait a few minutes, then run "
    "this again to continue.",
    "[0-9]": "{host} rejected the request ({status}).",
    ".*certificate": "{host} has a certificate that this computer does not trust. Is there a proxy "
    "or a virus scanner in between? SSL_CERT_FILE can name the certificates to trust.",
    "(Read|Write|Pool)Timeout": "{host} took too long to answer. Run this again, or allow more "
    "time: model.settings['timeout'] = 900 (seconds).",
    "(Read|Write|RemoteProtocol|Decoding)Error": "The connection to {host} broke before the answer "
    "was complete. Run this again to continue.",
    "": "{host} cannot be reached. Is there a network, is the server running, and is "
    "ANTHROPIC_BASE_URL right?",
}

STOP_REASONS = {
    "max_tokens": "The reply was cut off at max_tokens. Say 'go on', or raise max_tokens.",
    "model_context_window_exceeded": f"The model's context window is full. {NEW_CONVERSATION}",
    "refusal": "The model declined to answer. Sending it again will not help. Remove or rephrase "
    "your last prompt.",
}
NORMAL_STOP_REASONS = (None, "end_turn", "tool_use", "stop_sequence", "pause_turn")


def explain(problem: Exception, model: str, host: str) -> str:
    """Return what an error of the SDK means and what to do, with the server's message."""
    import anthropic

    if isinstance(problem, anthropic.APIResponseValidationError):
        return f"{problem.message} Is ANTHROPIC_BASE_URL right, and are you logged in here?"
    if not isinstance(problem, (anthropic.APIStatusError, anthropic.APIConnectionError)):
        return clip(problem)
    response = getattr(problem, "response", None)
    message = find_message(problem).format(
        host=host,
        model=model,
        status=getattr(problem, "status_code", 0),
        path=problem.request.url.path,
        minutes=max(1, parse_retry_after(response.headers) / 60) if response else 0,
    )
    return message + (quote(response, host) if response else "")


def find_message(problem: Any) -> str:
    """Return the message of the first pattern that matches an error of the SDK."""
    status = getattr(problem, "status_code", None)
    if status is None:
        subject = f"{type(problem.__cause__).__name__}: {problem.__cause__}"
    else:
        subject = f"{status} {server_message(problem.response)}"
    rows = MESSAGES if status in (None, 401, 403, 404) else PERMANENT | MESSAGES
    return next(rows[pattern] for pattern in rows if matches(pattern, subject))


def matches(pattern: str, subject: str) -> bool:
    """Return whether a pattern of the table matches."""
    return bool(re.match(pattern, subject, re.IGNORECASE | re.DOTALL))


def is_permanent(response: "httpx2.Response") -> bool:
    """Return whether an error is one that a retry cannot fix. A 429 that names a wait is not."""
    if response.status_code == 429 and "retry-after" in response.headers:
        return False
    subject = f"{response.status_code} {server_message(response)}"
    return any(matches(pattern, subject) for pattern in PERMANENT)


def is_too_long(problem: Any) -> bool:
    """Return whether an error says that the conversation is longer than the model can read."""
    return hasattr(problem, "status_code") and find_message(problem) == TOO_LONG


def server_message(response: "httpx2.Response") -> str:
    """Return the message in an error response, whatever its format; "" if there is none."""
    try:
        body = json.loads(response.text)
    except (ValueError, RecursionError):  # perhaps a web page
        return clip(re.sub("<[^>]*>", " ", response.text))
    match body:
        case {"error": {"message": str(words)} | str(words)}:
            return clip(words)
        case {"message": str(words)} | {"detail": str(words)}:
            return clip(words)
    return clip(body)


def quote(response: "httpx2.Response", host: str) -> str:
    """Return the server's message in brackets, to add to ours; "" if there is none."""
    words = server_message(response)
    return f" ({host} says: {words})" if words else ""


def parse_retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds in Retry-After; 0 if it is missing, or a date."""
    try:
        return min(max(0.0, float(headers.get("retry-after", 0))), MAX_WAIT_MINUTES * 60)
    except ValueError:
        return 0


def explain_stop(stop_reason: str | None) -> str | None:
    """Return why a reply ended early and what to do; None if it ended normally."""
    if stop_reason in NORMAL_STOP_REASONS:
        return None
    unknown = f"The reply ended for an unknown reason: '{clip(stop_reason)}'."
    return STOP_REASONS.get(stop_reason or "", unknown)


def clip(words: Any, max_chars: int = MAX_MESSAGE_CHARS) -> str:
    """Return the text in one line, escaped for a screen and shortened."""
    line = " ".join(escape.for_screen(str(words)).split())
    return line if len(line) <= max_chars else f"{line[: max_chars - 2]} …"
