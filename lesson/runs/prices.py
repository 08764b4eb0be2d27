"""List prices of Claude models. prices.toml has their date and source."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from agentlib.replies import Usage

FILE = Path(__file__).with_suffix(".toml")
DATE_OF_MODEL = re.compile(r"-20\d{6}$|-latest$")


class Price(NamedTuple):
    """US dollars for a million tokens of each kind, at standard speed and without thinking."""

    input: float
    into_cache: float
    from_cache: float
    output: float

    def of(self, usage: Usage) -> float:
        """Return what this usage costs, in US dollars."""
        written, read = usage.cache_creation_input_tokens, usage.cache_read_input_tokens
        prompt = usage.input_tokens * self.input + written * self.into_cache
        return (prompt + read * self.from_cache + usage.output_tokens * self.output) / 1e6


def find_price(model: str) -> Price | None:
    """Return the price of a model, by its id with a date or without; None if it is not known."""
    prices = tomllib.loads(FILE.read_text(encoding="utf-8"))["models"]
    price = prices.get(DATE_OF_MODEL.sub("", model))
    return Price(*price) if price else None
