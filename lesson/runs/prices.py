"""The prices of tokens. prices.toml lists the models, with the date and source of their prices.

These are list prices of the Claude API, for a model that answers at once and at standard speed.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from agentlib.replies import Usage

FILE = Path(__file__).with_name("prices.toml")
DATE_OF_MODEL = re.compile(r"-20\d{6}$|-latest$")


class Price(NamedTuple):
    """US dollars for a million tokens of each kind."""

    input: float
    into_cache_5m: float
    into_cache_1h: float
    from_cache: float
    output: float

    def of(self, usage: Usage) -> float:
        """Return what this usage costs, in US dollars."""
        return sum(price * tokens for price, tokens in zip(self, kinds(usage), strict=True)) / 1e6


def kinds(usage: Usage) -> tuple[int, int, int, int, int]:
    """Return the tokens of a usage by what they cost, in the order of a Price."""
    hour = usage.ephemeral_1h_input_tokens
    five = usage.cache_creation_input_tokens - hour
    return usage.input_tokens, five, hour, usage.cache_read_input_tokens, usage.output_tokens


@cache
def read_table() -> dict[str, Any]:
    """Return the content of the file. `date` is the day on which the prices were valid."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def find_price(model: str, prompt_tokens: int = 0) -> Price | None:
    """Return the price of a model in a request with `prompt_tokens`, or None if it is unknown.

    `model` is its id in the Claude API, with a date or without.
    """
    name, table = DATE_OF_MODEL.sub("", model), read_table()
    long = table["long_prompts"].get(name)
    if long and prompt_tokens > long["above_tokens"]:
        return Price(*long["price"])
    return Price(*table["models"][name]) if name in table["models"] else None
