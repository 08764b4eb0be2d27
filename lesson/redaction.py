"""Redaction: replace what looks like a key in everything that is saved or opened."""

import os
import re
from collections.abc import Mapping
from typing import Any

from .real_model.connection import MIN_SECRET_CHARS

REDACTED = "[your key]"
NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
# All repetitions that can fail late are bounded, so that the time is linear in the text.
PATTERN = re.compile(
    r"\bsk-(?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{16,}"  # Anthropic, OpenAI and others
    r"|\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"  # Stripe
    r"|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{40,}|\bglpat-[\w-]{20,}"  # GitHub, GitLab
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"  # AWS, the ID
    r"|(?<=secret_access_key)[\"']?\s{0,3}[:=]\s{0,3}[\"']?[A-Za-z0-9/+]{40}"  # AWS, the secret
    r"|(?<=SECRET_ACCESS_KEY)[\"']?\s{0,3}[:=]\s{0,3}[\"']?[A-Za-z0-9/+]{40}"
    r"|\bAIza[\w-]{35}"  # Google
    r"|\bxox[abeprs]-[\w-]{10,}"  # Slack
    r"|\bhf_[A-Za-z0-9]{30,}|\bnpm_[A-Za-z0-9]{36}"  # Hugging Face, npm
    r"|\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}"  # a JSON Web Token
    r"|(?<=\b[Bb]earer )(?=[A-Za-z._~+/=-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{16,}"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]|\\n){40,20000}"
    r"(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
given_keys: set[str] = set()


def remember_keys(env: Mapping[str, str]) -> None:
    """Make `redact` also replace the keys in `env`, an argument of `connect`."""
    given_keys.update(key for key in map(env.get, NAMES) if key and len(key) >= MIN_SECRET_CHARS)


def redact(thing: Any) -> Any:
    """Return a copy of plain data in which keys are replaced in every string.

    These are the keys in the environment, those that `connect` was called with, and whatever
    looks like a key of a common service.
    """
    remember_keys(os.environ)
    return _redact(thing)


def _redact(thing: Any) -> Any:
    if isinstance(thing, str):
        for key in given_keys:
            thing = thing.replace(key, REDACTED)
        return PATTERN.sub(REDACTED, thing)
    if isinstance(thing, Mapping):
        return {_redact(name): _redact(value) for name, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [_redact(value) for value in thing]
    return thing
