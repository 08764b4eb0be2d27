"""The cache marks."""

from support.practice_wire import (
    BASH,
    CACHED,
    CACHED_LONG,
    each_accepted,
    each_refusal,
    invalid,
    refusal,
    send,
    text,
    turns,
    user,
)

CACHE = {
    "A maximum of 4 blocks with cache_control may be provided. Found 5.": {
        "tools": [BASH | CACHED],
        "system": [text("Be brief.", **CACHED)],
        **turns(user(*[text("Hi", **CACHED)] * 3)),
    },
    "cache_control: Input should be an object": {"cache_control": "ephemeral"},
    "cache_control: Input tag 'for ever' found using 'type' does not match any of the expected "
    "tags: 'ephemeral'": {"cache_control": {"type": "for ever"}},
    "cache_control.ephemeral.ttl: Input should be '5m' or '1h'": {
        "cache_control": {"type": "ephemeral", "ttl": "1d"}
    },
    "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted": {
        "system": [text("Be brief.", cache_control={"type": "ephemeral", "scope": "global"})]
    },
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a "
    "ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, "
    "`system`, `messages`.": {
        "system": [text("Be brief.", **CACHED)],
        **turns(user(text("Hi", **CACHED_LONG))),
    },
}


@each_refusal(CACHE)
def test_cache_marks_are_few_and_the_long_ones_first(message, change):
    assert refusal(change) == invalid(message)


MARKED = {
    "four cache marks": turns(user(*[text("Hi", **CACHED)] * 4)),
    "an hour before five minutes": turns(user(text("Hi", **CACHED_LONG), text("!", **CACHED))),
    "the cache switched on at the top": CACHED,
}


@each_accepted(MARKED)
def test_the_cache_is_marked_or_switched_on_at_the_top(change):
    assert send(change).content[0].text == "Hello."
