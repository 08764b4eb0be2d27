"""Remove the user's keys from texts: a server may repeat a key, and a notebook is saved.

Every text of a server that a user sees goes through `hide_keys`, after it was decoded and before it
is cut, because the first letters of a key that is cut would stay. The texts of models, files and
commands go through `hide_keys_in`, and in a terminal all that is printed.
"""

import os
import re
from html import unescape
from typing import Any
from urllib.parse import unquote

from . import escape

# What users write in place of a key if a server does not need one.
NO_SECRETS = {"", "none", "ollama", "lm-studio", "lmstudio", "not-needed", "dummy", "EMPTY"}
# The user's own headers whose values are not secret: servers name them in their errors.
PLAIN_HEADERS = ("anthropic-version", "anthropic-beta", "content-type", "accept", "user-agent")
# A shorter key, or value of the user's own header, is not secret. It may be part of any word.
MIN_SECRET_CHARS = 8
# A plain word, such as "production" or "Data-Platform", is not hidden, because a server may use it
# as well. It may be a short key, which some servers need only as a form, or the value of a header
# whose line does not match SAYS_SECRET.
PLAIN_WORD = re.compile(r"(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,14})(?:[-_./](?:[A-Z]?[a-z]{1,14})){0,2}")
SAYS_SECRET = re.compile(r"key|token|secret|auth|bearer|passw|cookie|session|cred", re.IGNORECASE)
MIN_PART_CHARS = 12  # a part of a key is hidden if it has so many characters
# The beginning of each of Anthropic's keys. An example of a key has it as well, so it stays.
PUBLIC = re.compile(r"sk-ant-[a-z]+\d+-?")
HIDDEN = "(your key)"
MAX_DECODED = 3  # how often a text is decoded: an entity may be inside an entity
LONGEST_WORD = 1000  # characters before the newest words that are searched for a key as well
MAX_MESSAGE_CHARS = 300  # of a server's message: four lines of a terminal
MAX_READ_CHARS = 20_000  # of a server's message, before it is shortened
CUT_CHARS = 200  # the end of a long message is left out: a key that is cut there would not be found
_secrets: set[str] = set()


def remember_keys(key: str, token: str, headers: str) -> None:
    """Note what `hide_keys` hides from now on: a key, a token, and the user's own headers.

    For each line in `headers`, the whole value and each of its words are hidden, except plain
    words. A key or token of at least MIN_PART_CHARS is hidden, and a shorter one if it is not a
    plain word.
    """
    for secret in {key, token} - NO_SECRETS:
        is_plain = len(secret) < MIN_SECRET_CHARS or PLAIN_WORD.fullmatch(secret)
        if len(secret) >= MIN_PART_CHARS or not is_plain:
            _secrets.add(secret)
    for line in headers.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() not in PLAIN_HEADERS:
            words = re.split(r"[\s;,=]+", value.strip())
            if not SAYS_SECRET.search(line):
                words = [word for word in words if not PLAIN_WORD.fullmatch(word)]
            if words:
                words.append(value.strip())
            _secrets.update(word for word in words if len(word) >= MIN_SECRET_CHARS)


def remember_own_keys() -> None:
    """Note the keys in the environment, so that they are hidden even before a connection."""
    names = ("API_KEY", "AUTH_TOKEN", "CUSTOM_HEADERS")
    remember_keys(*(os.environ.get(f"ANTHROPIC_{name}", "").strip() for name in names))


def hide_keys(words: str) -> str:
    """Return `words` with HIDDEN in place of each noted key, and of each long part of one.

    JSON can write a character as an escape, a web page as an entity, and an address with a percent
    sign. If more of a key is found after these are decoded, the decoded words are returned. Words
    without a key are not changed, because a user approves what is shown.
    """
    if not _secrets:
        return words
    for _ in range(2):  # another key may be written in another way
        plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), words)
        decoded = [words, plain.replace(r"\/", "/")]
        for _ in range(MAX_DECODED):
            decoded.append(unquote(unescape(decoded[-1])))
        places = {text: find_keys(text) for text in {*decoded}}
        text_with_most = max(decoded, key=lambda text: len(places[text]))
        if not places[text_with_most]:
            break
        words = mask(text_with_most, places[text_with_most])
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
    """Return the newest words of a text that still grows, without keys, at most `most` characters.

    A key is one word of ASCII. So the last word is shown only after it has ended, and the first one
    only if it is whole.
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
        # Every part of this size contains one of these pieces. Few texts have a key, so for most of
        # them the search ends here.
        step = (size + 1) // 2
        starts = range(0, len(secret) - step + 1, step)
        if not any(secret[start : start + step] in words for start in starts):
            continue
        parts = {secret[start : start + size] for start in range(len(secret) - size + 1)}
        for start in range(len(words) - size + 1):
            if words[start : start + size] in parts:
                hidden.update(range(start, start + size))
    public = [match for match in PUBLIC.finditer(words) if match.end() not in hidden]
    return hidden.difference(*(range(*match.span()) for match in public))


def mask(words: str, hidden: set[int]) -> str:
    """Return `words` with HIDDEN in place of the characters at these places."""
    marked = "".join("\0" if place in hidden else char for place, char in enumerate(words))
    return re.sub("\0+", HIDDEN, marked) if hidden else words


def hide_keys_in(value: Any) -> Any:
    """Return plain data without keys. Each text is searched by itself: JSON could change a key."""
    if isinstance(value, str):
        return hide_keys(value)
    if isinstance(value, dict):
        return {hide_keys_in(name): hide_keys_in(field) for name, field in value.items()}
    return [hide_keys_in(item) for item in value] if isinstance(value, list) else value
