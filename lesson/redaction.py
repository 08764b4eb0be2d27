"""Redaction: replace keys in what a server sends, and in everything that is shown or saved."""

import os
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

REDACTED = "[your key]"
MIN_KEY_CHARS = 16  # local servers accept keys like "ollama": a word, not a secret
HEADERS = "ANTHROPIC_CUSTOM_HEADERS"  # lines "name: value", which the SDK sends; often keys
NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", HEADERS)
# All repetitions that can fail late are bounded, so that the time is linear in the text.
PATTERN = re.compile(
    r"\bsk-(?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{16,}"  # Anthropic, OpenAI and others
    r"|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{40,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"  # AWS, the ID
    r"|(?i:(?<=secret_access_key))[\"']?\s{0,3}[:=]\s{0,3}[\"']?[A-Za-z0-9/+]{40}"
    r"|\bAIza[\w-]{35}|\bhf_[A-Za-z0-9]{30,}"  # Google, Hugging Face
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]|\\n){40,20000}"
    r"(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
Keys = Collection[str]
given_keys: set[str] = set()


def remember_keys(env: Mapping[str, str]) -> None:
    """Make `redact` also replace the keys in `env`, an argument of `connect`."""
    given_keys.update(list_keys(env))


def list_keys(env: Mapping[str, str]) -> set[str]:
    """Return the keys in `env` that must be redacted."""
    words = " ".join(env.get(name, "") for name in NAMES).split()
    return {word for word in words if len(word) >= MIN_KEY_CHARS}


def redact_keys(text: str, keys: Keys) -> str:
    """Return `text` without these keys."""
    for key in keys:
        text = text.replace(key, REDACTED)
    return text


def redact_bytes(data: bytes, keys: Keys) -> bytes:
    """Return `data` without these keys, which are ASCII. Latin-1 decodes every byte."""
    return redact_keys(data.decode("latin-1"), keys).encode("latin-1")


def redact(thing: Any) -> Any:
    """Return a copy of plain data in which keys are replaced in every string.

    These are the keys in the environment, those that `connect` was called with, and whatever
    looks like a key of a common service.
    """
    remember_keys(os.environ)
    return map_texts(thing, redact_text)


def redact_text(text: str) -> str:
    """Return `text` as `redact` does, with the keys that are known already."""
    return PATTERN.sub(REDACTED, redact_keys(text, given_keys))


def map_texts(thing: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of plain data with `change` applied to every string, keys included."""
    if isinstance(thing, str):
        return change(thing)
    if isinstance(thing, list | tuple):
        return [map_texts(one, change) for one in thing]
    if isinstance(thing, Mapping):
        return {map_texts(key, change): map_texts(one, change) for key, one in thing.items()}
    return thing
