"""Recognize why a server rejected a request: it is too long, or has thinking that does not fit."""

import json
import re
from collections.abc import Iterator
from typing import Any

from ..guard.hide_keys import MAX_READ_CHARS, clip

# How servers say that a conversation is too long, each with a report that quotes it.
TOO_LONG = (
    "prompt is too long",  # Anthropic: cc-haha #860
    "exceed context limit",  # Anthropic, with max_tokens: docker/docker-agent #569
    # vLLM: AutoGPT #4985; llama.cpp: its pull request 15780; OpenAI's code: chathub #126;
    # LM Studio, MiniMax, Mistral, OpenRouter: badlogic/pi-mono, packages/ai/src/utils/overflow.ts;
    # of each of them LiteLLM makes a ContextWindowExceededError.
    "context[ _]?(length|size|window)",
    "exceeded model token limit",  # Kimi: MoonshotAI/kimi-cli #2011
    "exceeds max length",  # GLM: zeroclaw-labs/zeroclaw #4124
    "more than max tokens allowed",  # GLM: NousResearch/hermes-agent #61728
    "input is too long",  # Bedrock: aws-samples/assessment-generator #2
    "token count .*exceeds",  # Gemini: gemini-cli #12098; Copilot: jjleng/copilot-more #35
    "prompt length",  # xAI: pi-mono; TensorRT: tensorrtllm_backend #141, TensorRT-LLM #9277
    "reduce the length of",  # Groq: pi-mono; Cerebras: cline #5140
    "input length",  # Poolside: earendil-works/pi #4943; DashScope: QwenLM/Qwen-Agent #615
    "too many tokens: ",  # Cohere: cohere-ai/sandbox-topically #4
)
# Not 429, which limits the tokens of a minute, and not 401, 403 and 404: a key or a name is wrong.
IS_TOO_LONG = re.compile(
    f"413|(?!429|40[134])[45].*({'|'.join(TOO_LONG)})", re.IGNORECASE | re.DOTALL
)
# Fields of an error in which a server repeats the request, in FastAPI's form or in its own.
ECHOES = (
    *("input", "ctx", "body", "url", "value", "messages", "content", "text", "thinking"),
    *("arguments", "system", "tools", "prompt"),
)
# vLLM repeats such a field inside a text, in Python's form: its issue 57997.
ECHO = re.compile(rf"""[\"'](?:{"|".join(ECHOES)})\\*[\"']\s*:|\binput_value=""")
DEMANDED = "must be passed back"  # DeepSeek: NousResearch/hermes-agent #16149


def is_too_long(problem: Any) -> bool:
    """Return whether a server has rejected a conversation because it is too long."""
    if not hasattr(problem, "status_code"):  # the SDK's errors have it if there was a response
        return False
    # The code of an error, such as context_length_exceeded, is beside its message. The field `loc`
    # is not read: it may name an unknown field `context_length`.
    return bool(IS_TOO_LONG.match(f"{problem.status_code} {own_words(problem, ('loc',))}"))


def rejects_thinking(answer: Any) -> bool:
    """Return whether a server may have rejected a model's thinking: it names that or a signature.

    A wrong guess costs one request, so this needs no list of wordings.
    """
    if getattr(answer, "status_code", 0) not in (400, 422, 500):
        return False
    words = own_words(answer).lower()
    return ("thinking" in words or "signature" in words) and DEMANDED not in words


def own_words(answer: Any, also_left_out: tuple[str, ...] = ()) -> str:
    """Return a server's own words in an error, without names of fields and parts of the request.

    `answer` is the response, or an error with or without a response.
    """
    text = getattr(getattr(answer, "response", answer), "text", str(answer))
    try:
        texts = [*list_texts(json.loads(text), (*ECHOES, *also_left_out))]
    except (ValueError, RecursionError):
        texts = [text]
    # A web page may repeat the request as well.
    own = [text for text in texts if not re.match(r"\s*<[!?A-Za-z]", text)]
    return " ".join(ECHO.split(text, 1)[0] for text in own)[:MAX_READ_CHARS]


def list_texts(value: Any, left_out: tuple[str, ...]) -> Iterator[str]:
    """Yield each text in plain data, except those in fields of these names."""
    if isinstance(value, dict):
        value = [field for name, field in value.items() if name not in left_out]
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from list_texts(item, left_out)


def server_message(response: Any) -> str:
    """Return the message in an error response, whatever its format; "" if there is none."""
    text = response.text
    try:
        body = json.loads(text)
        return clip(find_message(body) or body)
    except (ValueError, RecursionError):  # perhaps a web page
        return clip(re.sub("<[^<>]*>", " ", text))


def find_message(body: Any) -> str:
    """Return the message in the body of an error, or ""."""
    match body:
        case {"metadata": {"raw": str(words)}} | str(words):  # the first form is OpenRouter's
            return words
        case {"error": inner} | {"errors": [inner, *_]} | {"detail": [inner, *_]} if (
            words := find_message(inner)
        ):
            return words
        case {"message": str(words)} | {"detail": str(words)} | {"msg": str(words)}:
            return words
    return ""
