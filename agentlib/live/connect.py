"""Which model answers: the practice model, or a real one where you ask for it."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ..machine import sandbox
from ..practice.model import PracticeModel
from ..tools import Tool
from . import approval
from .approval import Limits
from .errors import explain

PRACTICE = "practice"
MAX_TOKENS = 8000
HERE = ("localhost", "127.0.0.1", "::1")
TRIAL = 10  # seconds that a first, free question may take
PATIENCE, PATIENCE_HERE = 300, 1800  # seconds for an answer; a laptop's own model is slow


class ConnectError(Exception):
    """No model can be reached as asked; the message says why, and what to do."""


@dataclass(frozen=True, repr=False)
class Connection:
    """A client, and what goes with every request: `rounds(c.client, …, **c.settings)`.

    `client` is an `anthropic.Anthropic`. `settings` holds model and max_tokens (in tokens). With
    `real` False nothing leaves this machine. `limits` is how much a real model may be asked.
    As a string: which model answers, and what it costs.
    """

    client: Any
    settings: dict[str, Any]
    real: bool
    host: str = ""
    limits: Limits = field(default_factory=Limits)
    ask: approval.Ask = approval.ask

    def guard(self, tools: Iterable[Tool]) -> list[Tool]:
        """The tools for one run: with a real model, a person is asked before
        each command and each change to a file."""
        return approval.guarded(tools, self.ask) if self.real else list(tools)

    def __str__(self) -> str:
        model = self.settings["model"]
        if not self.real:
            return "The practice model answers: a program on this machine. It costs nothing."
        if self.host in HERE:
            return (
                f"{model} answers, from a server on this machine. It costs nothing, unless "
                "that server asks a paid one."
            )
        return f"{model} answers, from {self.host}. Every request may cost money on your account."

    __repr__ = __str__


def connect(
    model: str | None = None,
    *,
    max_rounds: int = 60,
    max_total_tokens: int = 500_000,
    ask: approval.Ask = approval.ask,
    env: Mapping[str, str] | None = None,
    say: Callable[[str], None] = print,
) -> Connection:
    """Connect to `model`, or to the one that MODEL_ID names, or else to the practice model.

    A real model is asked with the key in ANTHROPIC_API_KEY, at ANTHROPIC_BASE_URL where that is
    set: any server of Anthropic's Messages API, such as Ollama or LM Studio. A key alone changes
    nothing: it is not spent unless a model is named. Where it can be had for nothing, the key and
    the model's name are tried at once.

    A real model gets at most `max_rounds` requests, and no more once `max_total_tokens` are
    spent: see Limits. `ask` is how a person is asked to allow a deed: see approval.guarded. `env`
    takes the place of os.environ. `say` is told which model answers, what it costs and what
    protects this computer, and later of every wait. Raises ConnectError for a key, a name or an
    address that does not work.
    """
    env = os.environ if env is None else env
    model = (model or env.get("MODEL_ID", "")).strip() or PRACTICE
    if model == PRACTICE:
        connection = practice(PracticeModel())
    else:
        connection = real(model, env, Limits(max_rounds, max_total_tokens), ask, say)
    say(str(connection))
    if connection.real:
        say(sandbox.protection())
    return connection


def practice(model: PracticeModel) -> Connection:
    """A connection to a practice model of your own making."""
    return Connection(model.client(), {"model": PRACTICE, "max_tokens": MAX_TOKENS}, real=False)


def real(
    model: str,
    env: Mapping[str, str],
    limits: Limits,
    ask: approval.Ask,
    say: Callable[[str], None],
) -> Connection:
    """A connection to a real model, with key and address from `env`, tried as far as is free."""
    names = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"
    url, key, token = (env.get(name, "").strip() for name in names)
    check(model, url, key, token)
    import anthropic
    import httpx2

    from .client import Client
    from .transport import Exchange

    here = urlsplit(url).hostname in HERE
    client = Client(
        # A server of one's own asks for no key, but the SDK wants to send one.
        api_key=key or (None if token else "none"),
        auth_token=None if key else token or None,
        base_url=url.rstrip("/").removesuffix("/v1") or "https://api.anthropic.com",
        timeout=httpx2.Timeout(PATIENCE_HERE if here else PATIENCE, connect=TRIAL),
        http_client=Exchange(secrets=(key, token), say=say),
        limits=limits,
        say=say,
    )
    host = client.base_url.host
    try:
        client.with_options(timeout=TRIAL).models.retrieve(model)
    except anthropic.APIError as problem:
        # Not every server can be asked about its models: only a clear no counts.
        unclear = (anthropic.NotFoundError, anthropic.APIResponseValidationError)
        clear = (
            anthropic.APIConnectionError,
            anthropic.AuthenticationError,
            anthropic.PermissionDeniedError,
            *([] if url else unclear),
        )
        if isinstance(problem, clear):
            raise ConnectError(explain(problem, model, host)) from None
    # Caching makes the growing history cheap: each round reads the last one's part of it.
    settings = {"model": model, "max_tokens": MAX_TOKENS, "cache_control": {"type": "ephemeral"}}
    return Connection(client, settings, True, host, limits, ask)


def check(model: str, url: str, key: str, token: str) -> None:
    """Raise ConnectError for what cannot work; never repeat what may be a key."""
    if not (key or token or url):
        raise ConnectError(
            f"There is no key to ask {model} with: set ANTHROPIC_API_KEY before you start, "
            "or use connect('practice'), in a terminal --model practice, which needs none."
        )
    if model in (key, token) or model.startswith("sk-"):
        raise ConnectError("The model's name looks like a key: is a key in MODEL_ID by mistake?")
    if not all(
        character.isascii() and character.isprintable() and character != " "
        for character in key + token
    ):
        raise ConnectError(
            "The key holds a blank or a character that no key has: copy it once "
            "more from where you got it."
        )
    try:
        parts = urlsplit(url)
        address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        address = False
    if url and not address:
        raise ConnectError(
            "ANTHROPIC_BASE_URL is no address. One looks like http://localhost:11434."
        )
