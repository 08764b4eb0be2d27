"""What a run cost: with the cache and without it, in tokens and in money, and what planning adds.

A reminder, or a call of the todo tool, costs more than its words: they stay in the conversation,
and every later request carries them. So its tokens are what the model wrote, and its words once for
each of these requests, as what that request paid for there: mostly something new the first time,
and something read from the cache from then on. Words count as one token for four bytes. A round
that only writes the list is also one more request; that is not counted, because the request that
it replaced cannot be known.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentlib.history import Usage
from agentlib.loop import Round
from agentlib.tools import Call

from ..practice.api.tokens import estimate_tokens
from .prices import find_price
from .sessions import LIST_TOOLS

TODO_TOOLS = ("todo", *LIST_TOOLS)


@dataclass(frozen=True)
class Item:
    """A line of a bill: how many there are, their tokens, and US dollars (None: not known)."""

    count: int
    usage: Usage
    usd: float | None


@dataclass(frozen=True)
class Bill:
    """What the rounds of a run cost, and what they would have cost without the cache.

    `reminders` and `todo_calls` are parts of it. `unpriced` are the models whose prices are not
    known.
    """

    rounds: Item
    without_cache: Item
    reminders: Item
    todo_calls: Item
    unpriced: tuple[str, ...]

    def __str__(self) -> str:
        """Return the bill as text: the sum, and a line for the tokens of planning."""
        used = self.rounds.usage
        words = f"{pluralize(self.rounds.count, 'round')}: {used.prompt_tokens:,} tokens read"
        is_cached = used.cache_read_input_tokens or used.cache_creation_input_tokens
        if is_cached:
            words += f" ({used.cache_read_input_tokens:,} of them from the cache,"
            words += f" {used.cache_creation_input_tokens:,} put into it)"
        words += f", {used.output_tokens:,} written."
        if self.rounds.usd:
            words += f" That is {dollars(self.rounds.usd)}."
        if self.without_cache.usd and is_cached:
            words += f" Without the cache it would be {dollars(self.without_cache.usd)}."
        unknown = [name or "this model" for name in self.unpriced if name != "practice"]
        if unknown:
            words += f" The price of {', '.join(unknown)} is not known here."
        parts = {"reminder": self.reminders, "todo call": self.todo_calls}.items()
        shares = [f"{pluralize(p.count, noun)}: {p.usage.total:,}" for noun, p in parts if p.count]
        return f"{words}\nTokens of planning: {', '.join(shares)}." if shares else words


def make_bill(rounds: Sequence[Round], model: str = "") -> Bill:
    """Return the bill for the rounds of one run, at the prices of who answered, or of `model`."""
    return make_bills(rounds, [model])[model]


def make_bills(rounds: Sequence[Round], models: Iterable[str]) -> dict[str, Bill]:
    """Return a bill for each name in `models`. "" is the model that answered."""
    usages = [step.usage for step in rounds]
    plain = [without_cache(usage) for usage in usages]
    reminders = spread(rounds, [weigh_reminder(step) for step in rounds])
    todo_calls = spread(rounds, [weigh_todo_calls(step) for step in rounds])
    reminder_count = sum(bool(step.reminder) for step in rounds)
    todo_count = sum(len(list_todo_calls(step)) for step in rounds)

    def price(model: str) -> Bill:
        names = [model or usage.model for usage in usages]
        prices = [find_price(name, u.prompt_tokens) for name, u in zip(names, usages, strict=True)]
        unpriced = {name for name, price in zip(names, prices, strict=True) if not price}

        def item(count: int, parts: Sequence[Usage]) -> Item:
            known = [price for price in prices if price]
            usd = None
            if not unpriced:
                usd = sum(price.of(usage) for price, usage in zip(known, parts, strict=True))
            return Item(count, sum(parts, Usage()), usd)

        return Bill(
            item(len(rounds), usages),
            item(len(rounds), plain),
            item(reminder_count, reminders),
            item(todo_count, todo_calls),
            tuple(sorted(unpriced)),
        )

    return {model: price(model) for model in models}


def without_cache(usage: Usage) -> Usage:
    """Return the same request without a cache: its whole prompt is plain input."""
    return Usage(input_tokens=usage.prompt_tokens, output_tokens=usage.output_tokens)


def spread(rounds: Sequence[Round], weights: Sequence[tuple[int, int]]) -> list[Usage]:
    """Return what words cost in each round: those that the model writes, and those it reads again.

    A weight is what a round adds, in tokens: what is written, and what all later requests carry.
    """
    costs: list[Usage] = []
    pieces: list[tuple[int, int]] = []  # the token at which words end in a prompt, and how many
    for n, step in enumerate(rounds):
        usage = step.usage
        if n > 0 and weights[n - 1][1]:
            # They end this prompt, and every later one begins with it.
            pieces.append((usage.prompt_tokens, weights[n - 1][1]))
        from_cache = usage.cache_read_input_tokens
        cached = from_cache + usage.cache_creation_input_tokens
        read = sum(tokens for end, tokens in pieces if end <= from_cache)
        kept = sum(tokens for end, tokens in pieces if from_cache < end <= cached)
        new = sum(tokens for end, tokens in pieces if end > cached)
        costs.append(Usage(new, weights[n][0], kept, read))
    return costs


def list_todo_calls(step: Round) -> list[Call]:
    """Return the calls of a round that wrote, or read, the list."""
    return [call for call in step.calls if call.name in TODO_TOOLS]


def weigh_reminder(step: Round) -> tuple[int, int]:
    """Return what a round's reminder adds, in tokens: none that are written, and its words."""
    return 0, estimate_tokens(step.reminder or "")


def weigh_todo_calls(step: Round) -> tuple[int, int]:
    """Return what a round's todo calls add, in tokens: calls are written; they and results stay."""
    calls = list_todo_calls(step)
    written = sum(estimate_tokens({"name": call.name, "input": call.input}) for call in calls)
    return written, written + sum(estimate_tokens(call.output) for call in calls)


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
