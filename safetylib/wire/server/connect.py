"""Open the SDK's client: check the settings, then try the key and the model's name."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...guard.hide_keys import NO_SECRETS, clip, remember_keys
from ..client import take_out_half_calls
from ..refusals import find_message, server_message
from .limits import Limits
from .server_errors import explain_server_error

if TYPE_CHECKING:
    from .anthropic_client import Anthropic

ANTHROPIC_URL = "https://api.anthropic.com"
MAX_TOKENS = 8000  # of one reply: the largest file of a sample needs a tenth of them
# With prompt caching, each round reads the history of the round before it at a tenth of the price.
CACHE = {"type": "ephemeral"}
PROBE_SECONDS = 10  # timeout of the first request, which is free and asks no model
# Timeout until a reply begins or, in its stream, until it goes on. A ping does not renew it.
ANSWER_SECONDS = 300
NOT_SET_UP = (
    "No connection could be set up. Is a variable for a proxy or a certificate wrong, such as "
    "HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE?"
)
PASSWORD = "In the password of a proxy, write # as %23, / as %2F, and ? as %3F."
NO_INPUT = {"type": "object", "properties": {}}
NO_TOOLS = (
    "{model} may not see any tool: this server counts as many tokens with a tool as without it. "
    "If the first run calls no tool, choose another model, or start the server with tool use "
    "(for llama.cpp, a model whose template has tools)."
)
NOT_ASKED = (
    "{host} does not know the question for a model's name. It says: {words}. If the first run "
    "fails as well, look at ANTHROPIC_BASE_URL."
)
LOCAL_ANSWER_SECONDS = 1800  # timeout of a reply of a model on this machine, which is slow
# Servers that listen on all addresses print 0.0.0.0, and users copy that.
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")
# A proxy would get the key that is sent to a server on this machine. (With trust_env=False, the
# SDK's HTTP client still uses the proxies of the environment.)
NO_PROXY = {f"all://{host}": None for host in LOCAL_HOSTS}


class ConnectError(Exception):
    """Raised if no model can be reached. The message says why, and what to do."""


@dataclass
class ReplyDisplay:
    """The display of a reply: `show` gets its newest words while it comes, and "" at its end."""

    show: Callable[[str], object] = lambda words: None


def make_settings(
    model: str, max_tokens: int = MAX_TOKENS, host: object = "", **settings: Any
) -> dict[str, Any]:
    """Return the fields of every request to a host. This is the only place that names them."""
    if host == urlsplit(ANTHROPIC_URL).hostname:  # other servers ignore the field or reject it
        settings["cache_control"] = CACHE
    return {"model": model, "max_tokens": max_tokens, **settings}


def open_client(
    model: str,
    env: Mapping[str, str],
    limits: Limits,
    say: Callable[[str], None],
    display: ReplyDisplay,
) -> "Anthropic":
    """Return a client for the key and the base URL in `env`, and try both with a free request.

    Raise ConnectError if no model can be reached.
    """
    if sys.platform == "emscripten":
        raise ConnectError(
            f"In a browser, only the practice model is available. To use {model}, install the "
            "lesson on your computer: see the README."
        )
    import httpx2  # the SDK sends its requests with it

    from .anthropic_client import Anthropic, Attempts
    from .streams import StreamingClient

    names = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"
    url, key, token = (env.get(name, "").strip() for name in names)
    headers = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").strip()  # the SDK reads it there
    remember_keys(key, token, headers)
    check_settings(model, url, key, token)
    check_headers(headers)
    if url:
        check_address(url, has_secret=bool({key, token, headers} - NO_SECRETS))
    try:
        is_here = is_local(urlsplit(url).hostname)
        seconds = LOCAL_ANSWER_SECONDS if is_here else ANSWER_SECONDS
        client = Anthropic(
            # A local server may need no key, but the SDK requires one.
            api_key=key or (None if token else "none"),
            auth_token=None if key else token or None,
            base_url=re.sub("(/v1(/messages)?)?/*$", "", url) or ANTHROPIC_URL,
            timeout=httpx2.Timeout(seconds, connect=PROBE_SECONDS),
            # A redirect would send the whole conversation to another server: the user decides that.
            http_client=StreamingClient(
                lambda words: display.show(words),
                say,
                follow_redirects=False,
                mounts=NO_PROXY,
            ),
            middleware=[take_out_half_calls, Attempts(say).middleware, limits.middleware],
        )
        if words := try_connection(client, model, client.base_url.host, is_own_server=bool(url)):
            say(NOT_ASKED.format(host=client.base_url.host, words=words))
        if is_local(client.base_url.host) and hides_tools(client, model):
            say(NO_TOOLS.format(model=model))
        return client
    except ConnectError:
        raise
    except httpx2.InvalidURL:  # its message may contain a part of a proxy's password
        raise ConnectError(f"{NOT_SET_UP} {PASSWORD}") from None
    except Exception as problem:  # the HTTP library raises many types for a wrong variable
        raise ConnectError(f"{NOT_SET_UP} ({clip(problem)})") from None


def try_connection(client: "Anthropic", model: str, host: str, is_own_server: bool) -> str:
    """Try the key and the model's name with a free request. Raise ConnectError if it is rejected.

    Return the server's words if the answer is an error with the status 200, or "". Some servers of
    users do not know this request, and some accept any name.
    """
    import anthropic

    rejections = (401, 403) if is_own_server else (401, 403, 404)
    try:
        probe = client.with_options(timeout=PROBE_SECONDS, max_retries=0)
        answer = probe.models.with_raw_response.retrieve(model).http_response
        # LM Studio sends such an error for each unknown address (its bug tracker's issue 618).
        return server_message(answer) if find_message(answer.json()) else ""
    except anthropic.APIConnectionError as problem:
        raise ConnectError(explain_server_error(problem, model, host)) from None
    except ValueError:  # the answer is not JSON
        return ""
    except anthropic.APIStatusError as problem:
        if problem.status_code in rejections:
            raise ConnectError(explain_server_error(problem, model, host)) from None
        return ""  # any other error may be temporary, so the first request of a run is tried


def hides_tools(client: "Anthropic", model: str) -> bool:
    """Return whether the server counts as many tokens with a tool as without it.

    Then the model may not see any tool: llama.cpp drops tools without a message if the template of
    a model has no place for them. But some gateways show the tools and do not count them, as
    LiteLLM did until August 2026 (https://github.com/BerriAI/litellm/pull/38657), or always answer
    0. The request is free, and some servers do not know it.
    """
    count = client.with_options(timeout=PROBE_SECONDS, max_retries=0).messages.count_tokens
    prompt: Any = {"model": model, "messages": [{"role": "user", "content": "Hello"}]}
    tools: Any = [{"name": "read_file", "description": "Read.", "input_schema": NO_INPUT}]
    try:
        without_tool = count(**prompt).input_tokens
        with_tool = count(**prompt, tools=tools).input_tokens
    except Exception:  # many types, because some servers do not have this address
        return False
    return with_tool == without_tool and type(with_tool) is int and with_tool > 0


def is_local(host: str | None) -> bool:
    """Return whether a host is this machine. It costs nothing, and a key may be sent to it."""
    return host in LOCAL_HOSTS or f"[{host}]" in LOCAL_HOSTS


def check_settings(model: str, url: str, key: str, token: str) -> None:
    """Raise ConnectError for settings that cannot work. The message never contains a key."""
    if not (key or token or url):
        raise ConnectError(
            f"There is no key for {model}. Set ANTHROPIC_API_KEY before you start, or "
            "ANTHROPIC_BASE_URL for your own server, or pass the SDK's own client, which also "
            "uses a log-in of the SDK: connect(model, client=anthropic.Anthropic()). If you name "
            "no model, the practice model answers, which needs none of these."
        )
    if model in (key, token) or model.startswith("sk-"):
        raise ConnectError("The model's name looks like a key. Is there a key in MODEL_ID?")
    if not re.fullmatch(r"[!#-\[\]-~]*", key + token):  # ASCII without quotes and backslashes
        raise ConnectError(
            "The API key contains whitespace or a character that no key has. Copy it again from "
            "the provider's website."
        )


def check_headers(headers: str) -> None:
    """Raise ConnectError if a line is not a header: the HTTP library would quote it, with a key."""
    for line in headers.splitlines():
        if not re.fullmatch(r"[\w-]+:[ -~]*", line.strip(), re.ASCII):
            raise ConnectError(
                "ANTHROPIC_CUSTOM_HEADERS is not one header in each line, like X-Team: mine."
            )


def check_address(url: str, has_secret: bool) -> None:
    """Raise ConnectError if a URL is not an address, or if a secret must not be sent there."""
    import httpx2

    try:
        parts = httpx2.URL(url)
    except httpx2.InvalidURL:
        parts = httpx2.URL()
    if parts.scheme not in ("http", "https") or not parts.host or parts.userinfo or parts.query:
        raise ConnectError(
            "ANTHROPIC_BASE_URL is not an address like http://localhost:11434, without a query "
            "and without a password."
        )
    if has_secret and parts.scheme == "http" and not is_local(parts.host):
        raise ConnectError(
            "ANTHROPIC_BASE_URL begins with http://, so others on the network could read your "
            "key. Use https://. If that server needs no key, unset ANTHROPIC_API_KEY, "
            "ANTHROPIC_AUTH_TOKEN and ANTHROPIC_CUSTOM_HEADERS."
        )
