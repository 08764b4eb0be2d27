"""What a run cost, in tokens and in money, with the prompt cache and without it.

prices.toml lists the models, with the date and source of their prices. These are list prices of
the Claude API, for a model that answers at once and at standard speed.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from agentlib.loop import Round
from agentlib.replies import Usage

FILE = Path(__file__).with_name("prices.toml")
DATE_OF_MODEL = re.compile(r"-20\d{6}$|-latest$")


class Price(NamedTuple):
    """US dollars for a million tokens of each kind."""

    input: float
    into_cache: float
    from_cache: float
    output: float

    def of(self, usage: Usage) -> float:
        """Return what this usage costs, in US dollars."""
        written, read = usage.cache_creation_input_tokens, usage.cache_read_input_tokens
        prompt = usage.input_tokens * self.input + written * self.into_cache
        return (prompt + read * self.from_cache + usage.output_tokens * self.output) / 1e6


@cache
def read_table() -> dict[str, Any]:
    """Return the content of the file. `date` is the day on which the prices were valid."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def find_price(model: str, prompt_tokens: int = 0) -> Price | None:
    """Return the price of a model in a request with `prompt_tokens`; None if it is not known.

    `model` is its id in the Claude API, with a date or without.
    """
    name, table = DATE_OF_MODEL.sub("", model), read_table()
    long = table["long_prompts"].get(name)
    is_long = long and prompt_tokens > long["above_tokens"]
    price = long["price"] if is_long else table["models"].get(name)
    return Price(*price) if price else None


@dataclass(frozen=True)
class Bill:
    """What the rounds of a run cost, and what they would have cost without the cache.

    `count` is the number of rounds, and `usage` their tokens. The costs are in US dollars, or None
    if a price is not known; `unpriced` are the models whose prices are not known.
    """

    count: int
    usage: Usage
    usd: float | None
    usd_without_cache: float | None
    unpriced: tuple[str, ...]

    def __str__(self) -> str:
        used = self.usage
        words = f"{pluralize(self.count, 'round')}: {used.prompt_tokens:,} input tokens"
        is_cached = used.cache_read_input_tokens or used.cache_creation_input_tokens
        if is_cached:
            words += f" ({used.cache_read_input_tokens:,} cache reads,"
            words += f" {used.cache_creation_input_tokens:,} cache writes)"
        words += f", {used.output_tokens:,} output tokens."
        if self.usd:
            words += f" That is {dollars(self.usd)}."
        if self.usd_without_cache and is_cached:
            words += f" Without the cache it would be {dollars(self.usd_without_cache)}."
        unknown = [name or "this model" for name in self.unpriced if name != "practice"]
        if unknown:
            words += f" The price of {', '.join(unknown)} is not known here."
        return words


def make_bill(rounds: Sequence[Round], model: str = "") -> Bill:
    """Return the bill for the rounds of one run, at the prices of who answered, or of `model`."""
    usages = [turn.usage for turn in rounds]
    names = [model or usage.model for usage in usages]
    prices = [find_price(name, one.prompt_tokens) for name, one in zip(names, usages, strict=True)]
    unpriced = {name for name, price in zip(names, prices, strict=True) if not price}

    def add_up(usages: Sequence[Usage]) -> float | None:
        known = [(price, usage) for price, usage in zip(prices, usages, strict=True) if price]
        return None if unpriced else sum(price.of(usage) for price, usage in known)

    # Without a cache, the whole prompt is plain input.
    plain = [Usage(usage.prompt_tokens, usage.output_tokens) for usage in usages]
    total = sum(usages, Usage())
    return Bill(len(usages), total, add_up(usages), add_up(plain), tuple(sorted(unpriced)))


def dollars(usd: float) -> str:
    """Return an amount of money with as many places as it needs: "$1.25", "$0.0042"."""
    if usd >= 1:
        return f"${usd:,.2f}"
    if usd < 0.0001:  # which would be written as 1e-05
        return "less than $0.0001"
    return f"${usd:.3f}" if usd >= 0.01 else f"${usd:.2g}"


def pluralize(count: int, noun: str) -> str:
    """Return a count with its noun: "1 round", "2 rounds", "12,345 tokens"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
