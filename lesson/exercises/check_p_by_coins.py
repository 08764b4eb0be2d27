"""The exercise "A coin for each task": `p_by_coins(gained, lost)` tests a paired comparison."""

from math import comb, sqrt
from numbers import Real
from typing import Any

from ..runs.coins import TOSSES, exact_p
from ..time_limit import Raised
from .checking import case, exercise, hint, rule, why
from .checking.expected import Expected

ONE_SIDE = (
    "You count one side only. A toss with as many more tails differs as much: compare the `abs` of "
    "its difference."
)
AT_LEAST = "A toss that differs as much as the measured numbers also counts: `>=`, not `>`."
OR_MORE = "A toss that differs more than the measured numbers also counts: `>=`, not `==`."
ALL_EQUAL = "Every toss is the same: make `Random` once, before the loop over the tosses."


def slack(p: float) -> float:
    """Return what a thousand tosses can be off, if this is the exact value."""
    return 0.01 * (p < 1) + 5 * sqrt(p * (1 - p) / TOSSES)


# With few coins, a thousand tosses take little time.
SMALL = [
    (5, 3),
    (6, 2),
    (7, 4),
    (4, 2),
    (3, 2),
    (9, 6),
    (5, 4),
    (8, 3),
    (8, 6),
    (7, 5),
    (6, 3),
    (4, 3),
]


def is_even(share: float) -> bool:
    """Return whether a share is an even number of thousandths, up to rounding.

    That of a thousand tosses may be, but not each time; that of 100 or 500 tosses always is, and
    so is twice a share.
    """
    return abs(float(share) * 500 - round(float(share) * 500)) < 1e-6


def near(gained: int, lost: int) -> Expected:
    """Expect the exact p of these tasks, up to what a thousand tosses can be off."""
    p = exact_p(gained, lost)
    coins, most = gained + lost, max(gained, lost)
    one_side = sum(comb(coins, heads) for heads in range(most, coins + 1)) / 2**coins
    as_much = comb(coins, most) / 2**coins

    def explain(got: Any) -> str:
        if got is None or isinstance(got, Raised):
            return ""
        if not isinstance(got, Real) or isinstance(got, bool):
            return "Return one number."
        if float(got) > 1:
            return "A share is at most 1: divide the count by the number of tosses."
        if coins and gained == lost:  # other numbers may be near to one of these by chance
            for share, cause in ((one_side, ONE_SIDE), (1 - as_much, AT_LEAST), (as_much, OR_MORE)):
                if abs(float(got) - share) <= slack(share):
                    return cause
        return ""

    return Expected(
        f"{p:.3f}, give or take {slack(p):.2f}" if slack(p) > 0.01 else f"{p:.0f}",
        lambda got: isinstance(got, Real) and abs(float(got) - p) <= slack(p) + 1e-9,
        explain,
    )


@rule("Rule 1: if as many are gained as lost, every toss differs at least as much")
@why("A difference of 0 is no difference, so nothing needs an explanation.")
@hint("Toss one coin for each task that was gained or lost. How many are that?")
@hint("Count a toss if its difference is at least as large as the measured one: `>=`.")
@case(near(34, 34), gained=34, lost=34)
@case(near(0, 0), gained=0, lost=0, hint="Without coins, each toss has a difference of 0.")
def no_difference(p_by_coins, gained, lost):
    return p_by_coins(gained, lost)


@rule("Rule 2: it returns the share of the tosses that differ at least as much")
@why("A share near 0 says that luck alone rarely makes such a difference.")
@hint("For one toss, add 1 for each head and subtract 1 for each tail: `random.choice((-1, 1))`.")
@hint("Count the tosses with `abs(toss) >= …`, and divide the count by the number of tosses.")
@case(
    "twelve shares of a thousand tosses, not all of them even",
    lambda got: not all(is_even(one) for one in got),
    lambda got: ALL_EQUAL if {*got} <= {0, 1} else "",
    hint="A share of fewer tosses, twice the share of one side, or a share that was rounded is "
    "less exact: toss a thousand times, count both sides, and do not round.",
)
def share(p_by_coins):
    return [p_by_coins(gained, lost) for gained, lost in SMALL]


@share.also
@case(near(48, 41), gained=48, lost=41)
@case(near(57, 26), gained=57, lost=26)
def share_of_many(p_by_coins, gained, lost):
    return p_by_coins(gained, lost)


@rule("Rule 3: 32 gained and 64 lost differ as much as 64 gained and 32 lost")
@why("Before the runs, nothing said in which direction the plan would change the result.")
@hint("What is `gained - lost` in the two cases?")
@hint("`abs(gained - lost)` is 32 in both.")
@case(near(41, 48), gained=41, lost=48)
@case(near(32, 64), gained=32, lost=64)
@case(near(64, 32), gained=64, lost=32)
def either_way(p_by_coins, gained, lost):
    return p_by_coins(gained, lost)


@rule("Rule 4: the same numbers give the same result again")
@why("Another reader must be able to check your figure.")
@hint("Where are your coins from? Make them inside the function.")
@hint("`random = Random(2026)` in the first line: the same seed gives the same tosses.")
@case("the same two numbers twice", lambda got: got[0] == got[1])
def repeatable(p_by_coins):
    return [[p_by_coins(5, 7), p_by_coins(6, 9)] for _ in range(2)]


@exercise(
    order=12,
    title="A coin for each task",
    notebook="s07_does_planning_help",
    kind="function",
    after="Now you can test any two series of runs on the same tasks.",
    question="What does a small p not tell you?",
    answer="What caused the difference. It says that luck alone rarely makes one as large. "
    "Something else than the plan may also differ.",
)
def check_p_by_coins(p_by_coins=None):
    """Check the function `p_by_coins(gained, lost)`."""
