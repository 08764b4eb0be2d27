"""Put a number into words."""


def pluralize(count: int, noun: str) -> str:
    """Return a count with its noun: "1 round", "2 rounds", "12,345 tokens"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
