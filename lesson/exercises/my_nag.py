"""The rules of MyNag: when it reminds, what the reminder says, and that it shows the list."""

from itertools import product
from typing import Any

from agentlib.nag import REMINDER
from lesson.common.learners_code import Raised
from lesson.common.show_value import show

from .kit.engine import Differs, Words, show_difference
from .kit.nags import Step, Story, is_due, make_random, only_reads, play, read_event, read_stories
from .kit.page import Page, Trial

BEGIN, END = f"<reminder>{REMINDER}", "</reminder>"
SAYS = Words(f"{BEGIN}{END} (in E7, with the list before the last tag)")
RETURNS = "A nag returns a string with the reminder, or None: `return None` if none is due."
PAGE = Page("MyNag", __file__)


def is_counted(one: Step, our: Step) -> None:
    """Raise Differs if the count is not in `self.rounds`. It may stop once a reminder is due."""
    if our.got is None and one.seen.count != our.seen.count:
        counts = (Words(f"self.rounds is {show(step.seen.count)}") for step in (one, our))
        raise Differs(*counts)


def returns_a_reminder(one: Step, our: Step) -> None:
    """Raise Differs if a nag returns neither. An error is told by the rule about the text."""
    is_text = isinstance(one.got, str) and one.got.strip()
    if not (one.got is None or is_text or isinstance(one.got, Raised)):
        raise Differs(one.got, our.got and Words("a reminder"), RETURNS)


def says_the_sentence(one: Step, our: Step) -> None:
    """Raise Differs if a reminder is not the sentence between tags, perhaps with a list."""
    text = one.got
    if text in (None, BEGIN + END):
        return
    has_list = any(
        word in str(text) for word in ("tests", "Other", "No todos", "TodoManager", "render")
    )
    is_right = isinstance(text, str) and text.startswith(BEGIN) and text.endswith(END)
    if not (is_right and has_list and text.count(END) == text.count("<reminder>") == 1):
        raise Differs(Words(show(text)) if isinstance(text, str) else text, SAYS)


def shows_the_list(one: Step, our: Step) -> None:
    """Raise Differs if a reminder does not show the whole list. One line may be above it.

    After the first reminder, and without an open task, a nag may return None.
    """
    if one.got is None and (our.got is None or one.seen.is_closed or one.seen.number > 2):
        return
    before, _, after = str(one.got).partition(f"\n{one.seen.todo}")
    if not (before.startswith(BEGIN) and len(before.split("\n")) < 4 and after.strip() == END):
        got, expected = show_difference(one.got, f"{BEGIN}\n{one.seen.todo}{END}")
        raise Differs(Words(got), Words(expected))


def words_of(step: Step) -> Any:
    """Return what a reminder says: a mistake in its text has the same."""
    return step.got if isinstance(step.got, str) else step.key


COUNTS, BACK, STAYS_DUE = (read_stories(PAGE, name) for name in ("counts", "back", "stays_due"))
STORIES = [*COUNTS, *BACK, *STAYS_DUE]
LISTS = ["[]", "[c]", "[cc]", "[p]", "[i]", "[cp]", "[pc]", "[cic]"]
ENDS = [
    Story(3, [read_event(word) for word in f"{first} w w {later} w".split()])
    for first, later in product(LISTS, repeat=2)
]
RANDOM = make_random()

PAGE.add_rules(
    play,
    {
        "counts": [
            Trial(COUNTS, is_due),
            Trial(COUNTS, is_counted),
            Trial(COUNTS, returns_a_reminder),
        ],
        "back": [Trial(BACK, is_due)],
        "stays_due": [Trial(STAYS_DUE, is_due)],
        "says_the_sentence": [Trial(STORIES, says_the_sentence, words_of)],
        "copes_without_open_tasks": [Trial(ENDS, is_due)],
        "only_reads": [Trial([*ENDS[::5], *RANDOM[::3]], only_reads)],
        "all_together": [Trial(RANDOM, is_due)],
        "shows_the_list": [
            Trial(read_stories(PAGE, "shows_the_list"), shows_the_list, words_of),
        ],
        "as_it_is_now": [
            Trial([*read_stories(PAGE, "as_it_is_now"), *RANDOM[1::3]], shows_the_list, words_of)
        ],
    },
)
