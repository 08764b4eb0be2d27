"""A coin for each task that was gained or lost: how often luck makes as large a difference."""

from collections import Counter
from math import comb
from random import Random

TOSSES = 1000


def exact_p(gained: int, lost: int) -> float:
    """Return how probable a difference at least as large is, either way, if coins decide.

    This is the two-sided sign test: what stayed equal does not count.
    """
    coins = gained + lost
    tail = sum(comb(coins, heads) for heads in range(max(gained, lost), coins + 1))
    return min(1.0, 2 * tail / 2**coins)


def toss_coins(coins: int) -> Counter[int]:
    """Toss the coins TOSSES times. Return how often each difference of heads and tails came up."""
    random = Random(2026)
    return Counter(sum(random.choice((-1, 1)) for _ in range(coins)) for _ in range(TOSSES))
