"""Draw what each round of a run sends, as bars below its tape. What a cache could keep is pale.

A prompt cache keeps the prefix that a request shares with the request before: first the tools,
then the system prompt, then the messages.
"""

import json
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from ..common.pluralize import pluralize
from ..runs.record import Record
from .picture import escape

SQUARE_TOKENS = 2_000  # per square of height: the same in each run, so that two can be compared
MOST_SQUARES = 5  # the highest bar. A run with longer requests has a smaller scale
CAN_KEEP = "begins as in the round before, so a cache could keep it"
HAS_KEPT = "came from the server's cache"
CACHED_PRICE = 0.1  # as a share of the price of new input: docs/sources.md
COST = "{} paid in full, {} at a tenth: as much as {}"
COST_IN_HTML = (
    "<i class='lp-new'></i>{} paid in full<i class='lp-same'></i>{} at a tenth: "
    "as much as <b>{}</b>"
)
PRICES = (
    "At a tenth: what begins as in the round before, if a cache keeps it. Left out: what the cache "
    "takes for keeping it, and what the model writes."
)
REAL_CACHES = (
    "A real cache keeps only what is longer than its smallest size, takes a price for writing, and "
    "forgets after minutes."
)


class Sent(NamedTuple):
    """How many tokens a request has, and how many of them a cache has kept or could keep."""

    tokens: int
    same: int

    def describe_cost(self, form: str = COST) -> str:
        """Return the cost in words: "38k paid in full, 19k at a tenth: as much as 40k"."""
        new = self.tokens - self.same
        price = new + round(CACHED_PRICE * self.same)
        return form.format(*map(shorten_number, (new, self.same, price)))


def list_sent(run: Record) -> list[Sent]:
    """Return what each round has sent.

    For a real model, `same` is what its server says came from the cache. For the practice model, it
    is the prefix that the request before has as well: its share of the tokens is estimated by that
    of its characters.
    """
    sent: list[Sent] = []
    before: list[str] = []
    for request, round_ in zip(run.requests, run.rounds, strict=False):
        usage = round_.usage
        tokens = usage.total - usage.output_tokens
        if run.is_real:
            sent.append(Sent(tokens, usage.cache_read_input_tokens))
            continue
        parts = [request.get("tools"), request.get("system"), *request["messages"]]
        texts = [json.dumps(part, default=str) for part in parts]
        same = takewhile(lambda pair: pair[0] == pair[1], zip(texts, before, strict=False))
        share = sum(len(text) for text, _ in same) / sum(map(len, texts))
        sent.append(Sent(tokens, round(share * tokens)))
        before = texts
    return sent


def sum_sent(rounds: Sequence[Sent]) -> Sent:
    """Return what all rounds have sent."""
    return Sent(sum(sent.tokens for sent in rounds), sum(sent.same for sent in rounds))


def shorten_number(number: int) -> str:
    """Return a number in words: "9,999", and from 10,000 on in thousands, "10k"."""
    return f"{number / 1000:.0f}k" if number >= 10_000 else f"{number:,}"


def draw_cost(run: Record) -> str:
    """Return a bar below each square of the tape as HTML, and what the bars mean."""
    rounds = list_sent(run)
    most = max([sent.tokens for sent in rounds], default=0)
    scale = 1 / max(SQUARE_TOKENS, most / MOST_SQUARES)
    bars = "".join(draw_bar(place, sent, scale) for place, sent in enumerate(rounds))
    size, height = max(len(rounds), 1), max(most * scale, 0.5)
    total, same = sum_sent(rounds)
    words = f"{pluralize(len(rounds), 'round')} send {total:,} tokens, {total - same:,} of them new"
    meaning = HAS_KEPT if run.is_real else CAN_KEEP
    return (
        f"<svg class='lp-tape lp-sent' role='img' aria-label='{escape(words)}' "
        f"viewBox='0 0 {size} {height:.2f}' style='--n:{size}'>{bars}</svg>"
        f"<p class='lp-cost'><i class='lp-new'></i><b>{total - same:,}</b> of {total:,} tokens are "
        f"new <i class='lp-same'></i><b>{same:,}</b> {meaning}. {REAL_CACHES}</p>"
    )


def draw_bill(sent: Sent, most: int) -> str:
    """Return a run's bar as HTML: as long as its tokens, of which `most` are 100%, and their price.

    The part that a cache could keep is lower, as its price is.
    """
    parts = (("new", sent.tokens - sent.same), ("same", sent.same))
    bars = "".join(
        f"<i class='lp-{name}' style='width:{100 * tokens / max(most, 1):.2f}%'></i>"
        for name, tokens in parts
    )
    words = sent.describe_cost(COST_IN_HTML)
    return f"<p class='lp-bill'>{bars}</p><p class='lp-cost'>{words}</p>"


def draw_bar(place: int, sent: Sent, scale: float) -> str:
    """Return the bar of a round as SVG. The beginning of its request is at the top."""
    tokens, same = sent
    x, middle = f"x='{place + 0.12:g}' width='.76'", same * scale
    words = f"Round {place + 1} sends {tokens:,} tokens, {tokens - same:,} of them new"
    return (
        f"<g><title>{words}</title><rect class='lp-same' {x} y='0' height='{middle:.3f}'/>"
        f"<rect class='lp-new' {x} y='{middle:.3f}' height='{(tokens - same) * scale:.3f}'/></g>"
    )
