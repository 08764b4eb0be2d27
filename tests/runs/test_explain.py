"""The sentence below the slider tells only what the record of its run shows, whatever the nag."""

import re

import pytest
from support.nags import OffThePoint, PlainNag

from agentlib import Nag
from lesson.common.message_blocks import MESSAGES_PER_ROUND
from lesson.runs.explain import REASONS, explain_outcome
from lesson.runs.run import Run
from lesson.widgets.nag_slider import THRESHOLDS

pytestmark = pytest.mark.slow
WINDOWS = (4, 20)


class Once(PlainNag):
    """A nag that reminds only once."""

    def __call__(self, calls):
        reminder = super().__call__(calls) if isinstance(self, Once) else Nag.__call__(self, calls)
        if reminder:
            self.after = 1000
        return reminder


class OnceWithList(Nag):
    """A nag that reminds only once, and shows the list."""

    __call__ = Once.__call__


class Facts:
    """What the messages and the files of a run show, counted without `lesson.runs.window`."""

    def __init__(self, run):
        self.run, self.rounds = run, len(run.rounds)
        self.lists = {
            round_.number: call.input["items"]
            for round_ in run.rounds
            for call in round_.calls
            if call.name == "todo" and call.ok
        }
        self.steps, self.done = len(run.step_texts), sum(run.records[-1].snapshot.done)
        reminded = [round_.number for round_ in run.rounds[:-1] if round_.reminder]
        self.read = reminded[0] + 1 if reminded else 0

    def sees_plan(self, at):
        """Return whether the newest list with all steps is in the window of round `at`."""
        whole = [n for n, items in self.lists.items() if n < at and len(items) == self.steps]
        # Before the request of round `at`, each round has added two messages to the prompt.
        removed = MESSAGES_PER_ROUND * (at - 1) - self.run.window
        return at == 1 or MESSAGES_PER_ROUND * (whole[-1] - 1) >= removed

    def shows_plan(self, at):
        """Return whether the reminder that is read in round `at` contains all steps."""
        reminder = self.run.rounds[at - 2].reminder
        return all(text in reminder for text in self.run.step_texts)


# What a sentence can say, and whether it is true. A group is a number.
CLAIMS = {
    r"in the window up to round (\d+)\.": lambda f, n: f.sees_plan(n) and not f.sees_plan(n + 1),
    r"[Tt]he first reminder is read in round (\d+)": lambda f, n: f.read == n,
    r", while the plan is still in the window": lambda f: f.sees_plan(f.read),
    r", \*(\d+) rounds? too late\*": lambda f, n: (
        f.sees_plan(f.read - n) and not f.sees_plan(f.read)
    ),
    r"(?:\*brings it back\*|brings it back)": lambda f: (
        not f.sees_plan(f.read) and f.shows_plan(f.read)
    ),
    r"writes (?:its plan|it) again": lambda f: len(f.lists.get(f.read, ())) == f.steps,
    r"does not write its plan again": lambda f: max(f.lists) < f.read,
    r"lists what it still sees": lambda f: 0 < len(f.lists[f.read]) < f.steps,
    r"calls that complete": lambda f: (
        f.done < f.steps and {item["status"] for item in f.run.items} == {"completed"}
    ),
    r"nothing is lost": lambda f: (
        f.done == f.steps and all(map(f.sees_plan, range(1, f.rounds + 1)))
    ),
    r"every step gets done": lambda f: f.done == f.steps,
    r"leaves the window again": lambda f: (
        not all(map(f.sees_plan, range(f.read + 1, f.rounds + 1)))
    ),
    r"improvises": lambda f: [*f.lists] == [1] and not f.sees_plan(f.rounds),
    r"stops in round (\d+)": lambda f, n: n == f.rounds and f.run.is_over,
    r", with (\d+) of (\d+) steps done": lambda f, n, of: (f.done, f.steps) == (n, of),
    r"before it has read a reminder": lambda f: not f.read,
}


def name_reason(says):
    """Return the key of the sentence."""
    return next(
        key
        for key, words in REASONS.items()
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+?", re.escape(words)), says)
    )


def find_false_claims(run):
    """Return what the sentence of a run says that is not so, or that no claim checks."""
    says, facts, numbers, false = explain_outcome(run), Facts(run), 0, []
    for words, is_true in CLAIMS.items():
        for match in re.finditer(words, says):
            numbers += len(match.groups())
            if not is_true(facts, *map(int, match.groups())):
                false.append(match[0])
    if numbers != len(re.findall(r"\d+", says)):
        false.append("a number that no claim checks")
    if facts.read:  # what must be told of a reminder
        answer = len(facts.lists.get(facts.read, ()))
        told = {
            f"read in round {facts.read}": True,
            "still in the window": facts.sees_plan(facts.read),
            " again": answer == facts.steps,
        }
        if name_reason(says) not in ("otherwise", "unheeded"):
            false += [words for words, is_so in told.items() if (words in says) is not is_so]
    return [f"after {run.after}: {says}: {words}" for words in false]


@pytest.mark.release
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("nag", [PlainNag, Nag])
def test_sentence_says_only_what_the_run_shows(nag, window):
    for after in THRESHOLDS:
        run = Run(nag=nag, after=after, window=window).play()
        assert find_false_claims(run) == []
        # With these nags, there is always something to say of the reminder, or of its absence.
        assert name_reason(explain_outcome(run)) not in ("otherwise", "unheeded")
        if not any(round_.reminder for round_ in run.rounds):
            return  # with a larger threshold, it is the same run


@pytest.mark.parametrize("nag", [OffThePoint, Once, OnceWithList])
def test_sentence_is_also_true_of_a_nag_that_is_wrong(nag):
    for after in (3, 6, 8, 12):
        run = Run(nag=nag, after=after).play()
        assert find_false_claims(run) == []
        is_unheeded = nag is OffThePoint and any(round_.reminder for round_ in run.rounds)
        assert (name_reason(explain_outcome(run)) == "unheeded") is is_unheeded
        is_lost_again = nag is OnceWithList and after in (6, 8)
        assert (name_reason(explain_outcome(run)) == "lost_again") is is_lost_again
