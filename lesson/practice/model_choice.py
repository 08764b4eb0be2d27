"""Choose which model answers: the practice model, or a real one if you name it."""

import os
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

from safetylib.guard import approval, bubblewrap
from safetylib.wire.client import CheckedClient, take_out_half_calls
from safetylib.wire.server.connect import (
    CACHE,
    MAX_TOKENS,
    ReplyDisplay,
    make_settings,
    open_client,
)
from safetylib.wire.server.limits import Limits

from ..common.connection import Connection
from .faults import FAULTS
from .policy.next_reply import practice_policy
from .practice_model import PracticeModel, has_called
from .starter import starter
from .task_calls import diligent, with_tasks

if TYPE_CHECKING:
    import anthropic

PRACTICE = "practice"
SERVED = f"claude-{PRACTICE}"  # its name at the address of `planning-agent practice`
# The scripts that `play` plays, by name.
POLICIES = {"starter": starter, "diligent": diligent}
POLICIES |= {name: fault.policy for name, fault in FAULTS.items()}
# The SDK sends a request without a stream only if its longest reply takes ten minutes at most, and
# reckons with an hour for 128,000 tokens.
MAX_WHOLE_REPLY_TOKENS = 21_333
WRAPPED = (
    "If a library has wrapped this client to trace it, it sees nothing of this connection, which "
    "uses a copy. Choose one that instruments the SDK's class: docs/real-models.md names some."
)


def connect(
    model: str | None = None,
    *,
    client: "anthropic.Anthropic | None" = None,
    max_tokens: int = MAX_TOKENS,
    max_requests: int = Limits.max_requests,
    max_total_tokens: int = Limits.max_total_tokens,
    ask: approval.Ask = approval.ask_at_keyboard,
    env: Mapping[str, str] | None = None,
    say: Callable[[str], None] = print,
) -> Connection:
    """Connect to `model`, or to the practice model if none is named.

    A real model is reached with the key in ANTHROPIC_API_KEY at ANTHROPIC_BASE_URL, if that is
    set: any server of Anthropic's Messages API, such as Ollama, LM Studio or LiteLLM. Or pass
    your own `client` of the SDK, such as `AnthropicBedrock()`. Only a name in this call spends
    money: neither a key nor a variable with a model's name does. The key and the model's name are
    tried at once if that is free.

    `max_tokens` limits one reply; a server with a small context window needs a smaller number. With
    your own `client`, it is 21,333 at most, because the replies of that one are not streamed. A
    real model gets at most `max_requests` requests, and none after `max_total_tokens`: see Limits.
    `ask` is called with an approval.Question before a real model's tool call runs. It returns
    "once" to allow the call, or "run" to allow all calls of this tool until the next prompt; to
    refuse, it raises PermissionError, whose message the model gets. Any other answer is an
    InvalidAnswerError, which ends the run. `env` replaces os.environ. `say` is called with a line
    about the model, its cost and the sandbox, and later with every attempt that failed.
    Raises ConnectError for a key, a name or an address that does not work, ValueError for
    `max_tokens` above its limit, and TypeError for an AsyncAnthropic.
    """
    env = os.environ if env is None else env
    model = (model or "").strip() or PRACTICE
    if max_tokens > MAX_WHOLE_REPLY_TOKENS and client is not None:
        raise ValueError(
            f"max_tokens is {max_tokens:,}, but at most {MAX_WHOLE_REPLY_TOKENS:,} tokens can be "
            "sent as a whole reply, and your own client does not stream. Choose a smaller number."
        )
    if model == PRACTICE:
        connection = connect_practice(PracticeModel(), max_tokens, ask)
    else:
        limits, display = Limits(max_requests, max_total_tokens), ReplyDisplay()
        if client is None:
            client = CheckedClient(open_client(model, env, limits, say, display), say=say)
        else:
            if hasattr(client, "__aenter__"):
                raise TypeError("client= got an AsyncAnthropic. Pass an anthropic.Anthropic().")
            has_other = {"create", "stream"} & getattr(client.messages, "__dict__", {}).keys()
            if has_other or type(client).__module__.partition(".")[0] != "anthropic":
                say(WRAPPED)
            client = client.with_middleware(take_out_half_calls, limits.middleware)
            client = CheckedClient(client, say=say)
        host = client.base_url.host
        settings = make_settings(model, max_tokens, host)
        connection = Connection(client, settings, True, host, limits, ask, display=display)
    say(str(connection))
    if connection.real:
        say(describe_protection())
    return connection


def connect_practice(
    model: PracticeModel, max_tokens: int = MAX_TOKENS, ask: approval.Ask = approval.ask_at_keyboard
) -> Connection:
    """Return a connection to your own practice model."""
    settings = make_settings(PRACTICE, max_tokens, cache_control=CACHE)
    return Connection(model.client(), settings, real=False, ask=ask, needs_no_approval=has_called)


def choose_model(model: str | PracticeModel | Connection | None) -> Connection:
    """Return a connection to the `model` of a run, by default to the practice model.

    Raise ValueError for a model that does not exist.
    """
    if isinstance(model, Connection):
        return model
    if isinstance(model, PracticeModel):
        return connect_practice(model)
    if model is not None and (not isinstance(model, str) or model not in POLICIES):
        names = ", ".join(map(repr, POLICIES))
        raise ValueError(f"model is {names}, a PracticeModel or a connection, not {model!r}")
    policy = practice_policy if model is None else POLICIES[model]
    script = PracticeModel(with_tasks(policy))
    script.requests = deque(maxlen=0)  # nobody else has this model, and the run has its requests
    return connect_practice(script)


def is_fault(model: Any) -> TypeGuard[str]:
    """Return whether this is the name of a model with a fault."""
    return isinstance(model, str) and model in FAULTS


def describe_protection() -> str:
    """Return one line that says what protects this machine from a model's commands."""
    try:
        is_sandboxed = bubblewrap.sandbox_works()
    except OSError as problem:
        return f"No command runs now. {problem}"
    if is_sandboxed:
        return bubblewrap.BOXED
    return bubblewrap.FREE.format(f" ({bubblewrap.explain_missing()})")
