"""What the requests of runs cost: a bar for each, as high as its input tokens."""

from collections.abc import Mapping, Sequence
from typing import Any

from agentlib.loop import Round

from ..runs.bill import dollars, make_bill, pluralize
from .base import View


class Costs(View):
    """Shows the input tokens of each request of some runs, by the runs' names."""

    kind = "costs"

    def __init__(self, runs: Mapping[str, Sequence[Round]], model: str) -> None:
        """Show these runs, none of them empty. `model` is the model whose prices count."""
        super().__init__()
        shown: list[dict[str, Any]] = []
        for name, played in runs.items():
            usd = make_bill(played, model).usd
            title = name if usd is None else f"{name}: about {dollars(usd)}"
            requests = [
                (turn.usage.prompt_tokens, turn.usage.cache_read_input_tokens) for turn in played
            ]
            words = describe(title, requests)
            shown.append({"title": title, "words": words, "requests": requests})
        most = max(total for run in shown for total, _ in run["requests"])
        step = next(
            n * 10**zeros for zeros in range(9) for n in (1, 2, 5) if most <= n * 3 * 10**zeros
        )
        ticks = list(range(0, most + step, step))
        self.state = {"title": "Input tokens of each request", "runs": shown, "ticks": ticks}

    def text(self) -> str:
        return "\n".join([f"{self.state['title']}", *(run["words"] for run in self.state["runs"])])


def describe(title: str, requests: Sequence[tuple[int, int]]) -> str:
    """Return what the bars of a run show, as a sentence."""
    (first, _), (last, cached) = requests[0], requests[-1]
    words = (
        f"{title}. {pluralize(len(requests), 'request')}, from {first:,} to {last:,} input tokens."
    )
    return (
        f"{words} Of the last one, {cached:,} tokens are read from the cache." if cached else words
    )
