"""Find out whether a list helps a model: the same job in pairs, with a list and without one."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from agentlib.nag import AFTER
from agentlib.replies import Usage
from agentlib.safety import bubblewrap
from agentlib.safety.approval import ALL_IN_THIS_RUN, Question, confirm

from ..model_choice import connect, connect_practice
from ..practice.model import PracticeModel
from ..practice.models import MODELS
from ..real_model.connection import Connection
from .coins import exact_p
from .prices import find_price
from .trial import Trial

MAX_REQUESTS = 60  # of one run


@dataclass(frozen=True)
class Pair:
    """The steps that were done in one pair of runs, of ten, and the tokens that the runs used."""

    name: str
    steps_with: int
    steps_without: int
    tokens_with: int
    tokens_without: int

    def __str__(self) -> str:
        ratio = self.tokens_with / max(self.tokens_without, 1)
        return f"{self.name:18} {self.steps_with:6} {self.steps_without:11} {ratio:17.1f}"


class Experiment(list[Pair]):
    """The pairs of an experiment, printed as a table with its result in the last lines."""

    def __repr__(self) -> str:
        better = sum(pair.steps_with > pair.steps_without for pair in self)
        worse = sum(pair.steps_with < pair.steps_without for pair in self)
        return "\n".join(
            [
                f"{'':18} {'with':>6} {'without':>11} {'times the tokens':>17}",
                *map(str, self),
                f"The list did better in {better} pairs, worse in {worse}, and equally well in "
                f"{len(self) - better - worse}.",
                f"A fair coin splits {better + worse} pairs at least as unequally in "
                f"{exact_p(better, worse):.0%} of all experiments.",
            ]
        )


def experiment(model: str | None = None, pairs: int = 3, after: int = AFTER) -> Experiment:
    """Run the ten steps in pairs, with a list and a nag and without, and return the results.

    Without `model`, each pair is one of the models of the arena, and nothing costs money. With the
    name of a real model, `pairs` pairs are run in an order that is drawn by lot. Before the first
    request, the price is estimated and the user is asked once; commands then run without
    further questions, in the sandbox, on copies of the sample. `after` is the nag's threshold.

    Raises ConnectError if the model cannot be reached, RuntimeError without a sandbox, and
    PermissionError if the user does not agree.
    """
    if model is None:
        makers = {
            name: lambda model=model: connect_practice(PracticeModel(model.policy))
            for name, model in MODELS.items()
        }
        return run_pairs(makers.items(), after)
    ask_for_agreement(model, pairs, after)

    def make() -> Connection:
        return connect(model, ask=allow_in_sandbox, max_rounds=MAX_REQUESTS, say=lambda line: None)

    return run_pairs([(f"pair {number}", make) for number in range(1, pairs + 1)], after)


def run_pairs(makers: Iterable[tuple[str, Callable[[], Connection]]], after: int) -> Experiment:
    """Run each pair, the two conditions in random order."""
    found = Experiment()
    for name, make in makers:
        order = [True, False]
        random.shuffle(order)
        results = {has_list: run_once(make(), has_list, after) for has_list in order}
        listed, bare = results[True], results[False]
        found.append(Pair(name, listed.steps_done, bare.steps_done, listed.tokens, bare.tokens))
    return found


def run_once(model: Connection | None, has_list: bool, after: int) -> Trial:
    """Play one run, with the practice model if `model` is None, and return it."""
    trial = Trial(after=after, plan=has_list, connection=model)
    for turn in trial:
        if turn.number == MAX_REQUESTS:
            break
    return trial


def allow_in_sandbox(question: Question) -> Literal["once", "run"]:
    """Allow what a tool asks for: the user has agreed to the experiment."""
    return ALL_IN_THIS_RUN


def ask_for_agreement(model: str, pairs: int, after: int) -> None:
    """Say what the experiment does and costs, and ask once. Raise if the answer is no."""
    if not bubblewrap.works():
        raise RuntimeError("An experiment needs a sandbox for its commands: see SECURITY.md.")
    price = find_price(model)
    # The same pair with the practice model, whose requests are cached as those of a real one.
    used = [
        turn.usage for has_list in (True, False) for turn in run_once(None, has_list, after).rounds
    ]
    cost = f"about ${pairs * price.of(sum(used, Usage())):.2f}" if price else "an unknown amount"
    print(
        f"{2 * pairs} runs of the ten steps with {model}: {cost}, if it takes as many tokens as "
        f"the practice model, and at most {MAX_REQUESTS} requests each. Its commands run without "
        "further questions, in the sandbox, on copies of the sample."
    )
    if not confirm("Start? [y]es / [n]o: "):
        raise PermissionError("The experiment was not started.")
