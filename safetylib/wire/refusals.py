"""What a server's refusal of a request is about: the conversation is too long, or its thinking."""

import json
import re
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
# Not 429, which limits the tokens of a minute.
IS_TOO_LONG = re.compile(f"413|(?!429)[45].*({'|'.join(TOO_LONG)})", re.IGNORECASE | re.DOTALL)
# How the API rejects a model's thinking, with the place of the block: opencode #48637, claude-code
# #63284. A gateway may put words before it; an echo of the request has other words behind a place.
REJECTS_THINKING = (
    r"(.*messages\.\d+\.content\.\d+: )?Invalid `?signature`? in `?(redacted_)?thinking`? block|"
    r".*messages\.\d+\.content\.\d+: `?thinking`? or `?redacted_.* cannot be modified"
)


def is_too_long(problem: Any) -> bool:
    """Return whether a server has rejected a conversation because it is too long."""
    if not hasattr(problem, "status_code"):  # of the SDK, whose errors have it with a response
        return False
    # The code of an error, such as context_length_exceeded, is beside its message.
    said = f"{problem.status_code} {problem.response.text[:MAX_READ_CHARS]}"
    return bool(IS_TOO_LONG.match(said))


def rejects_thinking(problem: Any) -> bool:
    """Return whether a server has rejected a model's thinking, because something has changed.

    That thinking "must be passed back", or "must match the parameters", is another error.
    """
    if getattr(problem, "status_code", 0) != 400:
        return False
    return bool(re.match(REJECTS_THINKING, server_message(problem.response), re.IGNORECASE))


def server_message(response: Any) -> str:
    """Return the message in an error response, whatever its format; "" if there is none."""
    text = response.text
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):  # perhaps a web page
        return clip(re.sub("<[^<>]*>", " ", text))
    match body:
        case {"error": {"message": str(words)} | str(words)}:
            return clip(words)
        case {"message": str(words)} | {"detail": str(words)}:
            return clip(words)
    return clip(body)
