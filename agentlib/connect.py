"""Which model answers: the practice model, or a real one where you ask for it."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .practice.model import PracticeModel

PRACTICE = "practice"
MAX_TOKENS = 8000
HERE = ("localhost", "127.0.0.1", "::1")


class ConnectError(Exception):
    """No model can be reached as asked; the message says why, and what to do."""


@dataclass(frozen=True, repr=False)
class Connection:
    """A client, and what goes with every request: `rounds(c.client, …, **c.settings)`.

    `client` is an `anthropic.Anthropic`. `settings` holds model and max_tokens (in tokens). With
    `real` False nothing leaves this machine. As a string: which model answers, and what it costs.
    """

    client: Any
    settings: dict[str, Any]
    real: bool
    host: str = ""

    def __str__(self) -> str:
        model = self.settings["model"]
        if not self.real:
            return "The practice model answers: a program on this machine. It costs nothing."
        if self.host in HERE:
            return f"{model} answers, from a server on this machine. It costs nothing."
        return f"{model} answers, from {self.host}. Every request may cost money on your account."

    __repr__ = __str__


def connect(
    model: str | None = None,
    *,
    env: Mapping[str, str] | None = None,
    say: Callable[[str], None] = print,
) -> Connection:
    """Connect to `model`, or to the one that MODEL_ID names, or else to the practice model.

    A real model is asked with the key in ANTHROPIC_API_KEY, at ANTHROPIC_BASE_URL where that is
    set: any server of Anthropic's Messages API, such as Ollama or LM Studio. A key alone changes
    nothing: it is not spent unless a model is named. Where it can be had for nothing, the key and
    the model's name are tried at once.

    `env` takes the place of os.environ. `say` is told which model answers and what it costs.
    Raises ConnectError for a key, a name or an address that does not work.
    """
    env = os.environ if env is None else env
    model = model or env.get("MODEL_ID", "").strip() or PRACTICE
    if model == PRACTICE:
        connection = practice(PracticeModel())
    else:
        connection = real(model, env)
    say(str(connection))
    return connection


def practice(model: PracticeModel) -> Connection:
    """A connection to a practice model of your own making."""
    return Connection(model.client(), {"model": PRACTICE, "max_tokens": MAX_TOKENS}, real=False)


def real(model: str, env: Mapping[str, str]) -> Connection:
    """A connection to a real model, with key and address from `env`, tried as far as is free."""
    url = env.get("ANTHROPIC_BASE_URL", "").strip()
    key = env.get("ANTHROPIC_API_KEY", "").strip()
    token = env.get("ANTHROPIC_AUTH_TOKEN", "").strip()
    if not (key or token or url):
        raise ConnectError(
            f"There is no key to ask {model} with: set ANTHROPIC_API_KEY before you start, "
            "or use connect('practice'), which needs none."
        )
    if url and not urlsplit(url).hostname:
        raise ConnectError(f"ANTHROPIC_BASE_URL is no address: {url!r}. It looks like "
                           "http://localhost:11434.")
    import anthropic

    client = anthropic.Anthropic(
        # A server of one's own asks for no key, but the SDK wants to send one.
        api_key=key or (None if token else "none"),
        auth_token=None if key else token or None,
        base_url=url or "https://api.anthropic.com",
    )
    host = client.base_url.host
    try:
        client.with_options(timeout=10, max_retries=0).models.retrieve(model)
    except anthropic.APIError as problem:
        # Not every server can be asked about its models: only a clear no counts.
        unclear = isinstance(problem, anthropic.NotFoundError) and url
        clear = (anthropic.APIConnectionError, anthropic.AuthenticationError,
                 anthropic.PermissionDeniedError, anthropic.NotFoundError)
        if isinstance(problem, clear) and not unclear:
            raise ConnectError(explain(problem, model, host)) from None
    # Caching makes the growing history cheap: each round reads the last one's part of it.
    settings = {"model": model, "max_tokens": MAX_TOKENS, "cache_control": {"type": "ephemeral"}}
    return Connection(client, settings, real=True, host=host)


def explain(problem: Exception, model: str, host: str) -> str:
    """An error of the SDK, as a sentence that says what to do."""
    import anthropic

    match problem:
        case anthropic.AuthenticationError():
            return (f"{host} does not accept the key in ANTHROPIC_API_KEY: copy it once more "
                    "from where you got it.")
        case anthropic.PermissionDeniedError():
            return f"The key in ANTHROPIC_API_KEY may not use {model}: choose another model."
        case anthropic.NotFoundError():
            return (f"{host} has no model '{model}': look for a slip of the pen in its name, "
                    "which is in MODEL_ID or in your call of connect().")
        case anthropic.APITimeoutError():
            return f"{host} took too long to answer: try again in a minute."
        case anthropic.APIConnectionError():
            return (f"{host} cannot be reached: is there a network, is the server running, and "
                    "is ANTHROPIC_BASE_URL right?")
        case anthropic.RateLimitError():
            return f"{host} asks you to slow down: wait a minute, then go on where you stopped."
        case anthropic.APIStatusError():
            return f"{host} answers {problem.status_code}: {problem.message}"
    return f"{type(problem).__name__}: {problem}"
