"""Choose which model answers: the practice model, or a real one if you name it."""

import os
from collections.abc import Callable, Mapping

from agentlib.client import approval
from agentlib.client.connection import CACHE, MAX_TOKENS, Connection, connect_real
from agentlib.client.limits import Limits
from agentlib.sandbox import bubblewrap

from .practice.model import PracticeModel
from .redaction import remember_keys

PRACTICE = "practice"


def connect(
    model: str | None = None,
    *,
    max_tokens: int = MAX_TOKENS,
    max_rounds: int = 60,
    max_total_tokens: int = 500_000,
    ask: approval.Ask = approval.ask,
    env: Mapping[str, str] | None = None,
    say: Callable[[str], None] = print,
) -> Connection:
    """Connect to `model`, or to the one that MODEL_ID names, or else to the practice model.

    A real model is asked with the key in ANTHROPIC_API_KEY, at ANTHROPIC_BASE_URL where that is
    set: any server of Anthropic's Messages API, such as Ollama, LM Studio or LiteLLM. A key alone
    changes nothing: it is not spent unless a model is named. Where it can be had for nothing, the
    key and the model's name are tried at once.

    `max_tokens` is the longest reply, in tokens; a server with a small context window wants less.
    A real model gets at most `max_rounds` requests, and no more once `max_total_tokens` are
    spent: see Limits. `ask` is how a person is asked to allow a deed: see
    approval.with_approval. `env` takes the place of os.environ. `say` is told which model
    answers, what it costs and what protects this computer, and later of every wait. Raises
    ConnectError for a key, a name or an address that does not work.
    """
    env = os.environ if env is None else env
    model = (model or env.get("MODEL_ID", "")).strip() or PRACTICE
    if model == PRACTICE:
        connection = connect_practice(PracticeModel(), max_tokens, ask)
    else:
        remember_keys(env)
        limits = Limits(max_rounds, max_total_tokens)
        connection = connect_real(model, env, max_tokens, limits, ask, say)
    say(str(connection))
    if connection.real:
        say(bubblewrap.protection())
    return connection


def connect_practice(
    model: PracticeModel, max_tokens: int = MAX_TOKENS, ask: approval.Ask = approval.ask
) -> Connection:
    """Return a connection to your own practice model."""
    settings = {"model": PRACTICE, "max_tokens": max_tokens, "cache_control": CACHE}
    return Connection(model.client(), settings, real=False, ask=ask)
