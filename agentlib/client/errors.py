"""What went wrong between here and the model, in a sentence that says what to do.

After the sentence stand the server's own words: ours may be a guess, and theirs name the cause.
"""

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

from . import escape

AFRESH = (
    "Nothing is lost: the history, the list and the files stay as they are. Go on in a new "
    "conversation: messages[:] = [carry_on(task, todo.render())], then run this again."
)
STOPS = {
    "max_tokens": "The reply was cut off at max_tokens: say 'go on', or allow more tokens a reply.",
    "model_context_window_exceeded": f"The conversation is as long as the model can read. {AFRESH}",
    "refusal": "The model declined to answer this. Asked the same again it declines again: take "
    "back the last prompt, or say it in another way.",
}
USUAL_STOPS = (None, "end_turn", "tool_use", "stop_sequence", "pause_turn")

# What servers say, as patterns, and what it means. The first that is found counts.
NO_CREDIT = "credit balance|insufficient_quota|plan and billing"
TOO_LONG = (
    "prompt is too long|maximum context|context[ _]?(length|size|window)|too many (input )?tokens|"
    "exceed_context"
)
CAUSES = {
    NO_CREDIT: "The account behind your key has no credit left: buy some where you got the key, or "
    "use connect('practice'), which costs nothing.",
    r"max_(completion_)?tokens.*(>|too large|exceed|at most|maximum)|in the completion": "This "
    "model writes or reads less than max_tokens asks for. Ask for shorter replies: "
    "connect(…, max_tokens=2000), or --max-tokens 2000 in a terminal.",
    TOO_LONG: f"The conversation has grown longer than the model can read. {AFRESH}",
    "prefill": "The conversation ends with the model's own turn: append a message of yours, or "
    "start again with a new list of messages.",
    "without `tool_result`": "A tool call in the history has no result right after it, so it "
    "cannot be sent: start again with a new list of messages.",
    "not support tool|tool-call-parser|enable-auto-tool-choice|--jinja": "An agent needs tools, "
    "and this model or server does not support them: choose a model that can use them, or start "
    "the server with tools (vLLM: --enable-auto-tool-choice, llama.cpp: --jinja).",
}
# A fault of the request, which some servers call their own: asking again never helps.
REQUEST_FAULT = "|".join(
    ["not support", "unexpected keyword", "failed to parse", "not permitted", *CAUSES]
)
OUT_OF_TIME = (408, 504, 524)  # a server or a proxy gave up waiting for the model


def explain(problem: Exception, model: str, host: str) -> str:
    """An error of the SDK as a sentence, for a person who asked `model` at `host`."""
    import anthropic

    match problem:
        case anthropic.APITimeoutError() if "Connect" not in type(problem.__cause__).__name__:
            return (
                f"{host} took too long to answer: run this again, or give it more time, as in "
                "model.settings['timeout'] = 900 (seconds)."
            )
        case anthropic.APIConnectionError():
            return f"{host} {explain_connection(problem)}"
        case anthropic.APIStatusError():
            words = server_words(problem)
            return explain_status(problem, words, model, host) + quote(words, host)
        case anthropic.APIResponseValidationError():
            return f"{problem.message} Is ANTHROPIC_BASE_URL right, and are you logged in here?"
    return clip(problem)


def explain_connection(problem: Exception) -> str:
    """How the way to the server failed, as the second half of a sentence."""
    cause = problem.__cause__
    if "ertificate" in str(cause):
        return (
            "has a certificate that this computer does not trust: is a proxy or a virus "
            "scanner in between? SSL_CERT_FILE can name the certificates to trust."
        )
    if type(cause).__name__ in (
        "ReadError",
        "RemoteProtocolError",
        "WriteError",
        "DecodingError",
        "BrokenOffError",
    ):
        return "broke off before the answer was complete: run this again to go on."
    return (
        "cannot be reached: is there a network, is the server running, and is "
        "ANTHROPIC_BASE_URL right?"
    )


def explain_status(problem: Any, words: str, model: str, host: str) -> str:
    """What an answer with an error status means. `words` are the server's own."""
    status = problem.status_code
    if status not in (401, 403, 404):
        for pattern, sentence in CAUSES.items():
            if re.search(pattern, words, re.IGNORECASE):
                return sentence
    match status:
        case 401:
            return explain_key(problem, host)
        case 403:
            return f"Your key may not use {model}: choose another model."
        case 404:
            return explain_not_found(problem, words, model, host)
        case 301 | 302 | 303 | 307 | 308:
            there = problem.response.headers.get("location", "nowhere")
            return (
                f"{host} redirects us to {clip(there)}: if that is right, set "
                "ANTHROPIC_BASE_URL to it. Nothing was sent there."
            )
        case 413:
            return f"The conversation is too large to send. {AFRESH}"
        case 429:
            when = when_to_retry(problem)
            return f"{host} asks you to slow down: {when}, then run this again to go on."
        case _ if status in OUT_OF_TIME:
            return (
                f"{host} gave up waiting for the model ({status}): allow more time there, or ask "
                "for less at once, then run this again to go on."
            )
        case 500 | 501 if re.search(REQUEST_FAULT, words, re.IGNORECASE):
            return f"{host} cannot do what was asked ({status}), and waiting does not help."
        case _ if status >= 500:
            return (
                f"{host} is overloaded or has a fault of its own ({status}): wait a few "
                "minutes, then run this again to go on."
            )
    return f"{host} refuses the request ({status})."


def is_too_long(problem: Any) -> bool:
    """Whether an error of the SDK says that the conversation is longer than the model can read."""
    status = getattr(problem, "status_code", None)
    found = re.search(TOO_LONG, server_words(problem), re.IGNORECASE)
    return status == 413 or (bool(found) and status not in (401, 403, 404))


def explain_key(problem: Any, host: str) -> str:
    """What a 401 means, by the key that was sent."""
    headers = problem.request.headers
    if "Bearer none" in headers.get("authorization", "") or headers.get("x-api-key") == "none":
        return f"{host} wants a key: set ANTHROPIC_API_KEY before you start."
    return (
        f"{host} does not accept the key in ANTHROPIC_API_KEY, or a server behind it does not "
        "accept the one that it passes on: copy yours again from where you got it."
    )


def explain_not_found(problem: Any, words: str, model: str, host: str) -> str:
    """What a 404 means: that there is no such model, or no such page."""
    if names_model(words, model):
        return (
            f"{host} has no model '{model}': look for a typing mistake in its name, which is in "
            "MODEL_ID or in your call of connect()."
        )
    path = problem.request.url.path
    if not path.endswith("/v1/messages"):
        return f"{host} has nothing at {path}: not every server has it."
    return (
        f"{host} has nothing at {path}: it seems not to speak Anthropic's Messages API, or "
        "ANTHROPIC_BASE_URL is not its address."
    )


def names_model(words: str, model: str) -> bool:
    """Whether a server's words are about this model, and not about a page that it lacks."""
    return bool(re.search(rf"models?\W{{1,4}}{re.escape(model)}", words, re.IGNORECASE))


def server_words(problem: Any) -> str:
    """What a server said in an error, in whichever form it puts it; "" where it said nothing."""
    match getattr(problem, "body", None):
        case {"error": {"message": str(words)}} | {"error": str(words)}:
            return clip(words)
        case {"message": str(words)} | {"detail": str(words)}:
            return clip(words)
        case str(page) if page.lstrip().startswith("<"):
            return clip(re.sub("<[^>]*>", " ", page))
        case None:
            return ""
        case body:
            return clip(body)


def quote(words: str, host: str) -> str:
    """What a server said, in brackets, to stand after a sentence of ours; "" where it is silent."""
    return f" ({host} says: {words})" if words else ""


def when_to_retry(problem: Any) -> str:
    """How long a 429 says to wait."""
    seconds = round(parse_retry_after(problem.response.headers)) or 60
    if seconds < 100:
        return f"wait {seconds} seconds"
    if seconds < 100 * 60:
        return f"wait {-(-seconds // 60)} minutes"
    if seconds < 48 * 3600:
        return f"wait {-(-seconds // 3600)} hours"
    return "wait for some days"


def parse_retry_after(headers: Mapping[str, str]) -> float:
    """The seconds that a server asks for, by number or by date (RFC 9110, 10.2.3); 0 for none."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):
            return 0
    return max(0, seconds) if isfinite(seconds) else 0


def explain_stop(stop_reason: str | None) -> str | None:
    """Why a reply ended before it should have, as a sentence; None where all is well."""
    if stop_reason in USUAL_STOPS:
        return None
    unknown = f"The reply ended for a reason that is new: '{clip(stop_reason)}'."
    return STOPS.get(stop_reason or "", unknown)


def clip(words: Any, max_chars: int = 300) -> str:
    """The first line's worth of what a server said, made safe to show."""
    line = " ".join(escape.prose(str(words)).split())
    return line if len(line) <= max_chars else f"{line[: max_chars - 2]} …"
