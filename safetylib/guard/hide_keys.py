"""Remove the user's keys from what is said: a server may repeat them, and a notebook is saved.

Every text of a server that a user sees goes through `hide_keys`, after it was decoded and before it
is cut: of a key that is cut, the first letters would stay. What a model, a file or a
command says goes through `hide_keys_in`, and in `my_agent` every text.
"""

import os
import re
from html import unescape
from typing import Any
from urllib.parse import unquote

from . import escape

# What users write if a server needs no key.
NO_SECRETS = {"", "none", "ollama", "lm-studio", "lmstudio", "not-needed", "dummy", "EMPTY"}
# The user's own headers whose values are no secrets: servers name them in their errors.
PLAIN_HEADERS = ("anthropic-version", "anthropic-beta", "content-type", "accept", "user-agent")
# A shorter key or value of the user's own header is no secret, and may be part of any word.
MIN_SECRET_CHARS = 8
# Neither is a plain word, such as "production" or "Data-Platform", which a server may also use: a
# header that does not say that it has a secret, or a short key, which some servers need as a form.
PLAIN_WORD = re.compile(r"(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,14})(?:[-_./](?:[A-Z]?[a-z]{1,14})){0,2}")
SAYS_SECRET = re.compile(r"key|token|secret|auth|bearer|passw|cookie|session|cred", re.IGNORECASE)
MIN_PART_CHARS = 12  # of a key: a server may repeat only a part
# The beginning of each of Anthropic's keys, which an example of one has as well.
PUBLIC = re.compile(r"sk-ant-[a-z]+\d+-?")
HIDDEN = "(your key)"
MAX_DECODED = 3  # times: an entity inside an entity
LONGEST_WORD = 1000  # characters of newest words that are looked at, besides those that are shown
MAX_MESSAGE_CHARS = 300  # of a server's message: four lines of a terminal
MAX_READ_CHARS = 20_000  # of it, before it is shortened
CUT_CHARS = 200  # before that place, in which a part of a key would be too short to be known
_secrets: set[str] = set()


def remember_keys(key: str, token: str, headers: str) -> None:
    """Note what `hide_keys` hides from now on: a key, a token, and the user's own headers.

    Of each line in `headers`, these are the whole value and each of its words, but for plain words.
    A key or token is hidden from MIN_PART_CHARS on; a shorter one if it is no plain word.
    """
    for given in {key, token} - NO_SECRETS:
        is_plain = len(given) < MIN_SECRET_CHARS or PLAIN_WORD.fullmatch(given)
        if len(given) >= MIN_PART_CHARS or not is_plain:
            _secrets.add(given)
    for line in headers.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() not in PLAIN_HEADERS:
            words = re.split(r"[\s;,=]+", value.strip())
            if not SAYS_SECRET.search(line):
                words = [word for word in words if not PLAIN_WORD.fullmatch(word)]
            words += [value.strip()] if words else []
            _secrets.update(word for word in words if len(word) >= MIN_SECRET_CHARS)


def remember_own_keys() -> None:
    """Note the keys in the environment, which are hidden also where nothing has connected yet."""
    names = ("API_KEY", "AUTH_TOKEN", "CUSTOM_HEADERS")
    remember_keys(*(os.environ.get(f"ANTHROPIC_{name}", "").strip() for name in names))


def hide_keys(words: str) -> str:
    """Return `words` with HIDDEN in place of each noted key, and of each long part of one.

    JSON can write a character as an escape, a page as an entity, and an address with a percent
    sign. If more of a key is found after these are decoded, the decoded words are returned. Words
    without a key are not changed: a user approves what is shown.
    """
    if not _secrets:
        return words
    for _ in range(2):  # another key may be written in another way
        plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), words)
        decoded = [words, plain.replace(r"\/", "/")]
        for _ in range(MAX_DECODED):
            decoded.append(unquote(unescape(decoded[-1])))
        found = {one: find_keys(one) for one in {*decoded}}
        most = max(decoded, key=lambda one: len(found[one]))
        if not found[most]:
            break
        words = mask(most, found[most])
    return words


def clip(words: Any, most: int = MAX_MESSAGE_CHARS) -> str:
    """Return a server's words in one line, without keys, escaped for a screen and shortened."""
    text = str(words)
    hidden = hide_keys(text[:MAX_READ_CHARS])
    if len(text) > MAX_READ_CHARS:
        hidden = hidden[:-CUT_CHARS]
    line = " ".join(escape.for_screen(hidden).split())
    return line if len(line) <= most else f"{line[: most - 2]} …"


def newest_words(words: str, most: int) -> str:
    """Return the newest words of a text that goes on to come, without keys, at most so many chars.

    A key is one word of ASCII, so the last one is shown only when the next character has come, and
    the first only if it is whole.
    """
    end, start = len(words), max(len(words) - most - LONGEST_WORD, 0)
    while end > start and "!" <= words[end - 1] <= "~":
        end -= 1
    while 0 < start < end and "!" <= words[start - 1] <= "~":
        start += 1
    return hide_keys(words[start:end])[-most:]


def find_keys(words: str) -> set[int]:
    """Return the places of all characters that spell a noted key or a long part of one."""
    hidden: set[int] = set()
    for secret in _secrets:
        size = min(len(secret), MIN_PART_CHARS)
        # A part of `size` has one of these in it. Texts are long, and few have a key.
        step = (size + 1) // 2
        if not any(
            secret[at : at + step] in words for at in range(0, len(secret) - step + 1, step)
        ):
            continue
        parts = {secret[start : start + size] for start in range(len(secret) - size + 1)}
        for start in range(len(words) - size + 1):
            if words[start : start + size] in parts:
                hidden.update(range(start, start + size))
    public = [one for one in PUBLIC.finditer(words) if one.end() not in hidden]
    return hidden.difference(*(range(*one.span()) for one in public))


def mask(words: str, hidden: set[int]) -> str:
    """Return `words` with HIDDEN in place of the characters at these places."""
    marked = "".join("\0" if place in hidden else char for place, char in enumerate(words))
    return re.sub("\0+", HIDDEN, marked) if hidden else words


def hide_keys_in(value: Any) -> Any:
    """Return plain data without keys. Each text by itself, because a key may be in quotes."""
    if isinstance(value, str):
        return hide_keys(value)
    if isinstance(value, dict):
        return {hide_keys_in(name): hide_keys_in(one) for name, one in value.items()}
    return [hide_keys_in(one) for one in value] if isinstance(value, list) else value
