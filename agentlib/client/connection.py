"""Connect to a real model: check the settings, try the key and the model's name."""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..tools import Tool
from . import approval
from .errors import clip, explain, names_model, server_words
from .limits import Limits

if TYPE_CHECKING:
    import anthropic

ANTHROPIC_URL = "https://api.anthropic.com"
MAX_TOKENS = 8000
# Caching makes the growing history cheap: each round reads the last one's part of it.
CACHE = {"type": "ephemeral"}
PROBE_SECONDS = 10  # that a first, free question may take
ANSWER_SECONDS = 300  # for an answer
LOCAL_ANSWER_SECONDS = 1800  # for one of a laptop's own model, which is slow
MIN_SECRET_CHARS = 16  # servers of your own take keys like "ollama": a word, not a secret
MAX_LISTED = 12  # models that are named where the one asked for is not there


class ConnectError(Exception):
    """No model can be reached as asked; the message says why, and what to do."""


@dataclass(frozen=True, repr=False)
class Connection:
    """A client, and what goes with every request: `rounds(c.client, …, **c.settings)`.

    `client` is an `anthropic.Anthropic`. `settings` holds model, max_tokens (in tokens) and,
    where it is understood, cache_control. With `real` False nothing leaves this machine. `limits`
    is how much a real model may be asked. As a string: which model answers, and what it costs.
    """

    client: "anthropic.Anthropic"
    settings: dict[str, Any]
    real: bool
    host: str = ""
    limits: Limits = field(default_factory=Limits)
    ask: approval.Ask = approval.ask

    def guard(self, tools: Iterable[Tool]) -> list[Tool]:
        """Return tools that ask the user before a real model's command or change to a file.

        "Allow all" applies to one tool, until the next prompt is sent to a real model over any
        connection. The practice model's tools do not ask, until a request is sent to a real one.
        """
        return approval.with_approval(tools, self.ask, is_practice=not self.real)

    def __str__(self) -> str:
        model = self.settings["model"]
        if not self.real:
            return "The practice model answers: a program on this machine. It costs nothing."
        if is_local(self.host):
            return (
                f"{model} answers, from a server on this machine. It costs nothing, unless "
                "that server asks a paid one."
            )
        return f"{model} answers, from {self.host}. Every request may cost money on your account."

    __repr__ = __str__


def connect_real(
    model: str,
    env: Mapping[str, str],
    max_tokens: int,
    limits: Limits,
    ask: approval.Ask,
    say: Callable[[str], None],
) -> Connection:
    """A connection to a real model, with key and address from `env`, tried as far as is free."""
    if sys.platform == "emscripten":
        raise ConnectError(
            f"In a browser there is only the practice model, and {model} cannot be reached: its "
            "answers need a Python on your computer. The README says how to set that up."
        )
    names = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"
    url, key, token = (env.get(name, "").strip() for name in names)
    check_settings(model, url, key, token)
    import httpx2

    from .anthropic_client import Client
    from .transport import BoundedClient

    is_here = is_local(urlsplit(url).hostname)
    seconds = LOCAL_ANSWER_SECONDS if is_here else ANSWER_SECONDS
    http_client = BoundedClient(
        secrets=find_secrets(key, token), say=say, count=limits.count, use_proxy=not is_here
    )
    client = Client(
        # A server of your own may ask for no key, but the SDK wants to send one.
        api_key=key or (None if token else "none"),
        auth_token=None if key else token or None,
        base_url=re.sub("(/v1(/messages)?)?/*$", "", url) or ANTHROPIC_URL,
        timeout=httpx2.Timeout(seconds, connect=PROBE_SECONDS),
        http_client=http_client,
        limits=limits,
        say=say,
    )
    host = client.base_url.host
    probe(client.with_options(timeout=PROBE_SECONDS), model, host, is_own_server=bool(url), say=say)
    settings: dict[str, Any] = {"model": model, "max_tokens": max_tokens}
    if not url or "claude" in model.lower():
        # Servers of other models keep it without a word, or do not know the field.
        settings["cache_control"] = CACHE
    return Connection(client, settings, True, host, limits, ask)


def probe(
    client: "anthropic.Anthropic",
    model: str,
    host: str,
    is_own_server: bool,
    say: Callable[[str], None],
) -> None:
    """Try the key and the model's name where that is free. Raises ConnectError for a clear no.

    Not every server of your own can be asked about its models, and some take any name.
    """
    import anthropic

    try:
        client.models.retrieve(model)
    except anthropic.APITimeoutError:
        raise ConnectError(
            f"{host} took longer than {PROBE_SECONDS} seconds for a first, small answer: is it "
            "busy, or is ANTHROPIC_BASE_URL not its address? Try again a little later."
        ) from None
    except (
        anthropic.APIConnectionError,
        anthropic.AuthenticationError,
        anthropic.PermissionDeniedError,
    ) as problem:
        raise ConnectError(explain(problem, model, host)) from None
    except (anthropic.NotFoundError, anthropic.APIResponseValidationError) as problem:
        if not is_own_server:
            raise ConnectError(explain(problem, model, host)) from None
        is_denied = names_model(server_words(problem), model)
        say_what_there_is(list_models(client), model, host, is_denied, say)
    except anthropic.APIError:
        pass  # it may pass: the first request will tell


def list_models(client: "anthropic.Anthropic") -> list[str]:
    """The names of the models that a server says it has; none where it cannot say."""
    import anthropic

    try:
        found = client.models.list(limit=1000).data
        return [clip(each.id, 80) for each in found if isinstance(each.id, str)]
    except (anthropic.APIError, AttributeError, TypeError):  # a list in a form of its own
        return []


def say_what_there_is(
    names: list[str], model: str, host: str, is_denied: bool, say: Callable[[str], None]
) -> None:
    """Say that `model` is not among `names`; raise ConnectError where the server denied it, too."""
    if model in names or not names:
        return
    listed = ", ".join(names[:MAX_LISTED]) + (", …" if len(names) > MAX_LISTED else "")
    takes_more_names = any("*" in name for name in names)
    if is_denied and not takes_more_names:
        raise ConnectError(
            f"{host} has no model '{model}'. It has: {listed}. Name one of them in MODEL_ID, or in "
            "your call of connect()."
        )
    say(f"{host} does not list a model '{model}', but may know it all the same. It has: {listed}.")


def is_local(host: str | None) -> bool:
    """Return whether a host is this machine: localhost, or a loopback address.

    `host.docker.internal` is not: outside a container, any DNS server may answer for it.
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return False


def find_secrets(*keys: str) -> tuple[str, ...]:
    """Those of the keys that must never be shown."""
    return tuple(key for key in keys if len(key) >= MIN_SECRET_CHARS)


def check_settings(model: str, url: str, key: str, token: str) -> None:
    """Raise ConnectError for what cannot work; never repeat what may be a key."""
    if not (key or token or url):
        raise ConnectError(
            f"There is no key to ask {model} with: before you start, set ANTHROPIC_API_KEY, or "
            "ANTHROPIC_BASE_URL for a server of your own; or use connect('practice'), in a "
            "terminal --model practice, which needs neither."
        )
    if model in (key, token) or model.startswith("sk-"):
        raise ConnectError("The model's name looks like a key: is a key in MODEL_ID by mistake?")
    if not re.fullmatch("[!-~]*", key + token):
        raise ConnectError(
            "The key holds a blank or a character that no key has: copy it again from where "
            "you got it."
        )
    if url:
        check_address(url, has_secret=bool(find_secrets(key, token)))


def check_address(url: str, has_secret: bool) -> None:
    """Raise ConnectError for what is not an address, or one that a secret must not be sent to."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise ConnectError(
            "ANTHROPIC_BASE_URL is not an address. One looks like http://localhost:11434."
        )
    if has_secret and parts.scheme == "http" and not is_local(parts.hostname):
        raise ConnectError(
            "ANTHROPIC_BASE_URL begins with http://, so anybody on the way could read your key: "
            "use https://, or unset ANTHROPIC_API_KEY where that server asks for none."
        )
