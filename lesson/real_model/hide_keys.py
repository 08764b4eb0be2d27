"""Remove the user's keys from a server's words: some repeat them, and a notebook is saved."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

# What users write if a server needs no key.
NO_SECRETS = {"", "none", "ollama", "lm-studio", "lmstudio", "not-needed", "dummy", "EMPTY"}
KEY_HEADERS = ("x-api-key", "authorization")
# A shorter value of the user's own header is no secret, and may be part of any word.
MIN_SECRET_CHARS = 8
HIDDEN = "(your key)"


def hide_keys(words: str, request: "httpx2.Request") -> str:
    """Return `words` without the keys that `request` has sent, with HIDDEN in their place."""
    for secret in find_keys(request):
        words = words.replace(secret, HIDDEN)
    return words


def find_keys(request: "httpx2.Request") -> list[str]:
    """Return the keys in the headers of a request, also in those that the user has added."""
    sent = [request.headers.get(name, "") for name in KEY_HEADERS]
    # "Bearer KEY"
    keys = [value.rpartition(" ")[2] for value in sent]
    lines = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
    own = [line.partition(":")[2].strip().rpartition(" ")[2] for line in lines]
    keys += [value for value in own if len(value) >= MIN_SECRET_CHARS]
    # The longest first: one key can be the beginning of another.
    return sorted({*keys} - NO_SECRETS, key=len, reverse=True)
