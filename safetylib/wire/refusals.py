"""What a server's refusal of a request is about: the conversation is too long, or its thinking."""

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
# Not 429, which limits the tokens of a minute, and not what is about a key or a name.
IS_TOO_LONG = re.compile(
    f"413|(?!429|40[134])[45].*({'|'.join(TOO_LONG)})", re.IGNORECASE | re.DOTALL
)
# The fields of an error that repeat the request: those of FastAPI's details and of a request.
ECHOES = (
    *("input", "ctx", "body", "url", "value", "messages", "content", "text", "thinking"),
    *("arguments", "system", "tools", "prompt"),
)
# vLLM has such a detail inside a text, as Python writes it: its issue 57997.
ECHO = re.compile(rf"""[\"'](?:{"|".join(ECHOES)})\\*[\"']\s*:|\binput_value=""")
DEMANDED = "must be passed back"  # DeepSeek: NousResearch/hermes-agent #16149


def is_too_long(problem: Any) -> bool:
    """Return whether a server has rejected a conversation because it is too long."""
    if not hasattr(problem, "status_code"):  # of the SDK, whose errors have it with a response
        return False
    # The code of an error, such as context_length_exceeded, is beside its message. A place is not
    # read: it may be a field `context_length` that the server does not know.
    return bool(IS_TOO_LONG.match(f"{problem.status_code} {own_words(problem, ('loc',))}"))


def rejects_thinking(answer: Any) -> bool:
    """Return whether a server may have rejected a model's thinking: it names that or a signature.

    To be wrong costs one more request, so there is no list of wordings.
    """
    if getattr(answer, "status_code", 0) not in (400, 422, 500):
        return False
    words = own_words(answer).lower()
    return ("thinking" in words or "signature" in words) and DEMANDED not in words


def own_words(answer: Any, also_left_out: tuple[str, ...] = ()) -> str:
    """Return what a server says itself in an error: no name of a field, and no part of a request.

    `answer` is the response, or an error with or without one.
    """
    text = getattr(getattr(answer, "response", answer), "text", str(answer))
    try:
        texts = [*list_texts(json.loads(text), (*ECHOES, *also_left_out))]
    except (ValueError, RecursionError):
        texts = [text]
    own = [one for one in texts if not re.match(r"\s*<[!?A-Za-z]", one)]  # a page may repeat it
    return " ".join(ECHO.split(one, 1)[0] for one in own)[:MAX_READ_CHARS]


def list_texts(value: Any, left_out: tuple[str, ...]) -> Iterator[str]:
    """Yield each text in plain data, but for those in fields of these names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        value = [one for name, one in value.items() if name not in left_out]
    for one in value if isinstance(value, list) else ():
        yield from list_texts(one, left_out)


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
        case {"metadata": {"raw": str(words)}} | str(words):  # of OpenRouter's provider
            return words
        case {"error": inner} | {"errors": [inner, *_]} | {"detail": [inner, *_]} if (
            words := find_message(inner)
        ):
            return words
        case {"message": str(words)} | {"detail": str(words)} | {"msg": str(words)}:
            return words
    return ""
