"""What went wrong between here and the model, in one sentence that says what to do."""

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from textwrap import shorten
from typing import Any

STOPS = {
    "max_tokens": "The reply was cut off at max_tokens: say 'go on', or allow more tokens a reply.",
    "model_context_window_exceeded": "The conversation is as long as the model can read: start a "
    "new one; what is done in the files stays.",
    "refusal": "The model declined to answer this. Asked the same again it declines again: take "
    "back the last prompt, or say it in another way.",
}
KNOWN = (None, "end_turn", "tool_use", "stop_sequence", "pause_turn")
REFUSALS = {
    "credit balance": "The account behind your key is empty: buy credit where you got the key, or "
    "use connect('practice'), which costs nothing.",
    "prompt is too long": "The conversation has grown longer than the model can read: start a new "
    "one; what is done in the files stays.",
    "prefill": "The conversation ends with the model's own turn: append a message of yours, or "
    "start again with a new list of messages.",
    "without `tool_result`": "A tool call in the history has no result right after it, so it "
    "cannot be sent: start again with a new list of messages.",
}


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
            return explain_status(problem, model, host)
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
    if type(cause).__name__ in ("ReadError", "RemoteProtocolError", "WriteError", "DecodingError"):
        return "broke off before the answer was complete: run this again to go on."
    return (
        "cannot be reached: is there a network, is the server running, and is "
        "ANTHROPIC_BASE_URL right?"
    )


def explain_status(problem: Any, model: str, host: str) -> str:
    """What an answer with an error status means."""
    said = clip(getattr(problem, "api_message", None) or problem.body or problem)
    match problem.status_code:
        case 400 | 402:
            for sign, sentence in REFUSALS.items():
                if sign in said:
                    return sentence
            return f"{host} refuses the request: {said}"
        case 401:
            return (
                f"{host} does not accept the key in ANTHROPIC_API_KEY: copy it once more "
                "from where you got it."
            )
        case 403:
            return f"Your key may not use {model}: choose another model. ({host} says: {said})"
        case 404:
            return (
                f"{host} has no model '{model}': look for a slip of the pen in its name, "
                "which is in MODEL_ID or in your call of connect()."
            )
        case 301 | 302 | 303 | 307 | 308:
            there = problem.response.headers.get("location", "nowhere")
            return (
                f"{host} sends us on, to {clip(there)}: if that is right, set "
                "ANTHROPIC_BASE_URL to it. Nothing was sent there."
            )
        case 413:
            return "The conversation is too large to send: start a new one; the files stay."
        case 429:
            return (
                f"{host} asks you to slow down: {when_to_retry(problem)}, then run this again to "
                "go on."
            )
        case status if status >= 500:
            return (
                f"{host} is overloaded or has a fault of its own ({status}): wait a few "
                "minutes, then run this again to go on."
            )
    return f"{host} answers {problem.status_code}: {said}"


def when_to_retry(problem: Any) -> str:
    """How long a 429 says to wait."""
    seconds = round(parse_retry_after(problem.response.headers)) or 60
    return f"wait {seconds} seconds" if seconds < 100 else f"wait {-(-seconds // 60)} minutes"


def parse_retry_after(headers: Mapping[str, str]) -> float:
    """The seconds that a server asks for, by number or by date (RFC 9110, 10.2.3); 0 for none."""
    said = headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except ValueError:
            return 0
    return max(0, seconds) if isfinite(seconds) else 0


def explain_stop(stop_reason: str | None) -> str | None:
    """Why a reply ended before it should have, as a sentence; None where all is well."""
    if stop_reason in KNOWN:
        return None
    return STOPS.get(stop_reason, f"The reply ended for a reason that is new: '{stop_reason}'.")


def clip(words: Any) -> str:
    """The first line's worth of what a server said."""
    return shorten(str(words), 300, placeholder=" …")
