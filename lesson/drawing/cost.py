"""What each round of a run sends, as bars below its tape: pale is what a cache could keep.

A prompt cache keeps the beginning of a request, as far as it is the same as that of the request
before: first the tools, then the system prompt, then the messages.
"""

import json
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from ..common.pluralize import pluralize
from ..runs.record import Record
from .picture import escape

SQUARE_TOKENS = 2_000  # in a bar of one square: the same in each run, so that two can be compared
MOST_SQUARES = 5  # a run with longer requests has a smaller scale
CAN_KEEP = "begins as in the round before, so a cache could keep it"
HAS_KEPT = "came from the server's cache"
PRICE = 0.1  # of the price of new input, for what a cache has kept: docs/sources.md
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
    """The tokens of a request, and how many of them are pale."""

    tokens: int
    same: int

    def describe_cost(self, form: str = COST) -> str:
        """Return the cost in words: "38k paid in full, 19k at a tenth: as much as 40k"."""
        new = self.tokens - self.same
        return form.format(*map(shorten_number, (new, self.same, new + round(PRICE * self.same))))


def list_sent(run: Record) -> list[Sent]:
    """Return what each round has sent.

    Of a real model, what its server says came from the cache is pale. Of the practice model, it is
    what begins as in the round before; its share of the tokens is that of its characters.
    """
    found: list[Sent] = []
    before: list[str] = []
    for request, round_ in zip(run.requests, run.rounds, strict=False):
        usage = round_.usage
        tokens = usage.total - usage.output_tokens
        if run.is_real:
            found.append(Sent(tokens, usage.cache_read_input_tokens))
            continue
        parts = [request.get("tools"), request.get("system"), *request["messages"]]
        texts = [json.dumps(part, default=str) for part in parts]
        same = takewhile(lambda pair: pair[0] == pair[1], zip(texts, before, strict=False))
        share = sum(len(text) for text, _ in same) / sum(map(len, texts))
        found.append(Sent(tokens, round(share * tokens)))
        before = texts
    return found


def sum_sent(sent: Sequence[Sent]) -> Sent:
    """Return what all rounds have sent."""
    return Sent(sum(one.tokens for one in sent), sum(one.same for one in sent))


def shorten_number(number: int) -> str:
    """Return a number, in thousands if it has so many."""
    return f"{number / 1000:.0f}k" if number >= 10_000 else f"{number:,}"


def draw_cost(run: Record) -> str:
    """Return a bar below each square of the tape as HTML, and what the bars mean."""
    sent = list_sent(run)
    most = max([one.tokens for one in sent], default=0)
    scale = 1 / max(SQUARE_TOKENS, most / MOST_SQUARES)
    bars = "".join(draw_bar(place, one, scale) for place, one in enumerate(sent))
    size, height = max(len(sent), 1), max(most * scale, 0.5)
    total, same = sum_sent(sent)
    words = f"{pluralize(len(sent), 'round')} send {total:,} tokens, {total - same:,} of them new"
    meaning = HAS_KEPT if run.is_real else CAN_KEEP
    return (
        f"<svg class='lp-tape lp-sent' role='img' aria-label='{escape(words)}' "
        f"viewBox='0 0 {size} {height:.2f}' style='--n:{size}'>{bars}</svg>"
        f"<p class='lp-cost'><i class='lp-new'></i><b>{total - same:,}</b> of {total:,} tokens are "
        f"new <i class='lp-same'></i><b>{same:,}</b> {meaning}. {REAL_CACHES}</p>"
    )


def draw_bill(sent: Sent, most: int) -> str:
    """Return a bar as HTML, as long as what was sent and as high as its price. `most` is 100%."""
    parts = (("new", sent.tokens - sent.same), ("same", sent.same))
    bars = "".join(
        f"<i class='lp-{name}' style='width:{100 * tokens / max(most, 1):.2f}%'></i>"
        for name, tokens in parts
    )
    words = sent.describe_cost(COST_IN_HTML)
    return f"<p class='lp-bill'>{bars}</p><p class='lp-cost'>{words}</p>"


def draw_bar(place: int, sent: Sent, scale: float) -> str:
    """Return the bar of a round as SVG: the beginning of its request is above."""
    tokens, same = sent
    x, middle = f"x='{place + 0.12:g}' width='.76'", same * scale
    words = f"Round {place + 1} sends {tokens:,} tokens, {tokens - same:,} of them new"
    return (
        f"<g><title>{words}</title><rect class='lp-same' {x} y='0' height='{middle:.3f}'/>"
        f"<rect class='lp-new' {x} y='{middle:.3f}' height='{(tokens - same) * scale:.3f}'/></g>"
    )
