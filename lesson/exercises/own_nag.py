"""A nag from its three facts: it counts, a todo call sets it back, from `after` on it reminds."""

from typing import Any

from agentlib.loop import run
from agentlib.prompts import first_message
from agentlib.todo import TodoManager
from agentlib.tools import Call

from ..practice import PracticeModel
from ..practice.policy.tasks import load
from ..samples import sample
from .checking.check import Subject, check
from .checking.expected import saying
from .checking.fixtures import PLANNING, WORK
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why
from .scene import warm_up

RULES = Rules()


@RULES.add(
    "Fact 1: it counts the rounds without a todo call, and is silent until there are `after`"
)
@why("A reminder in every round is soon ignored, and each costs tokens.")
@hint("What must a nag remember from one round to the next? Make it in `__init__`.")
@hint("`__call__` is called once a round, with all calls of that round.")
@hint("Add 1 to the count, and return the reminder only where the count has reached `after`.")
@case(saying("- - R"), after=3, rounds=[WORK, WORK, WORK])
@case(saying("R"), after=1, rounds=[WORK])
@case(
    saying("- R"),
    after=2,
    rounds=[WORK * 4, WORK],
    hint="Four calls in one round are one round: the count goes up by 1, not by `len(calls)`.",
)
def counts(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@counts.also
@case(saying("- - R"), hint="Where no `after` is given, it is 3: `def __init__(self, after=3)`.")
def counts_to_three(MyNag):
    nag = MyNag()
    return [nag(WORK), nag(WORK), nag(WORK)]


@counts.also
@case(saying("- -"), hint="A count in the class body is shared by all nags: use `self.rounds`.")
def counts_for_itself(MyNag):
    one, other = MyNag(after=2), MyNag(after=2)
    return [one(WORK), other(WORK)]


@RULES.add("Fact 2: a todo call sets the count back to 0, and its round is silent")
@why("The model has looked at its plan: that is all that the nag wants.")
@hint('Each call has a `name`. What is different in a round where one is called "todo"?')
@hint('Look at all calls: `any(call.name == "todo" for call in calls)`.')
@case(saying("- - - R"), after=2, rounds=[WORK, PLANNING, WORK, WORK])
@case(saying("- R -"), after=1, rounds=[PLANNING, WORK, PLANNING])
@case(
    saying("- - -"),
    after=2,
    rounds=[WORK, WORK + PLANNING, WORK],
    hint="The todo call may stand anywhere among the calls of its round.",
)
@case(
    saying("- - -"),
    after=2,
    rounds=[WORK, PLANNING + WORK, WORK],
    hint="Work beside the todo call does not count: the round had one.",
)
def back(MyNag, after, rounds):
    nag = MyNag(after=after)
    return [nag(calls) for calls in rounds]


@back.also
@case(saying("- - -"), hint="A call that was refused is a use of the tool, too.")
def back_when_refused(MyNag):
    refused = [Call("todo", {"items": 3}, "Error: items must be a list", ok=False)]
    nag = MyNag(after=2)
    return [nag(WORK), nag(refused), nag(WORK)]


@RULES.add("Fact 3: from `after` on it reminds in every round")
@why("A model may overlook one reminder. It stays due until the list is touched.")
@hint("Is it `==` or `>=`?")
@hint("The reminder itself does not set the count back.")
@case(saying("- R R R R"), rounds=[WORK] * 5)
@case(saying("- R R - - R R"), rounds=[WORK] * 3 + [PLANNING] + [WORK] * 3)
def stays_due(MyNag, rounds):
    nag = MyNag(after=2)
    return [nag(calls) for calls in rounds]


@RULES.add("With it, the practice model does all ten steps")
@why("The facts are about when it speaks. What it says must bring the model to its list.")
@hint("What do you say? The model reads it, and has to know what to do.")
@hint("Tell it to update its todos, between <reminder> and </reminder>.")
@case(10)
def works(MyNag):
    shop, job, todo = sample("ten_steps"), load("ten_steps"), TodoManager()
    tools, messages = [*shop.tools(), todo.tool()], [first_message(job.prompt)]
    settings = {"model": "practice", "max_tokens": 8000}
    run(PracticeModel().client(), messages, tools, remind=MyNag(after=3), **settings)
    return sum(step.is_done(shop.root) for step in job.steps)


FURTHER = Further(
    "Why does a reminder not set the count back to 0?",
    "Then it would be silent for `after` rounds, whether it was heard or not. The count stands for "
    "how old the list is, and a reminder does not make it younger.",
)


def check_nag_facts(MyNag: Any = None, **settings: Any) -> Result:
    """How far a nag is that is made with `(after=3)` and called with the calls of a round.

    Give it the class. `settings` are those of check.examine.
    """
    warm_up()
    subject = Subject("MyNag", RULES, "This is the package's Nag, from its facts.", FURTHER)
    return check(subject, {"MyNag": MyNag}, **{"seconds": 20.0} | settings)
