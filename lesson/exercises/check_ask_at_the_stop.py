"""The exercise "Ask at the stop": a loop around the loop, which asks for what is missing."""

from ..at_the_stop import MAX_QUESTIONS
from .checking import case, exercise, hint, rule, why
from .checking.explain_run import ALL_QUESTIONS, NO_QUESTION, NOT_NAMED, PRINTED, explain_arguments
from .scene import MISSING, SOME, STOPS, AskingRun, call, needs_notes, plan

READS = {"tool": "read_file", "path": "hello.py"}
WRITE = call("write_file", path="notes.txt", content="Notes")


def names_missing(got: AskingRun) -> list[list[str]]:
    """Return what each question names of the things that are MISSING."""
    return [[name for name in MISSING if name in one] for one in got.questions]


@rule("Rule 1: it runs the loop, and asks nothing if `missing` returns an empty list")
@why("A question costs a request. If nothing is missing, the run is over.")
@hint("When do you call `missing`, and what does it need to know?")
@hint("After `run`, call `missing(workspace)`. An empty list is false in Python.")
@case(NO_QUESTION)
def silent(ask_at_the_stop):
    return AskingRun(ask_at_the_stop, [WRITE], "Done.", missing=needs_notes)


@rule("Rule 2: if something is missing, it appends one user message that names all of it")
@why("A count says that something is wrong. Only a name says what to do.")
@hint("What does `missing` return, and how much of it does your message contain?")
@hint("One message with all the strings: a dict with the role `user` and a string.")
@case(
    f"a first question with all of {list(MISSING)}",
    lambda got: names_missing(got)[0] == list(MISSING),
    lambda got: NOT_NAMED if got.problem is None and got.questions else "",
    replies=["Done.", [WRITE], "Done."],
)
@case(
    "messages of assistant, user, assistant after the prompt",
    lambda got: [one["role"] for one in got.messages[1:4]] == ["assistant", "user", "assistant"],
    replies=["Done.", [WRITE], "Done."],
)
@case(
    "a question",
    lambda got: bool(got.questions),
    replies=[plan("completed"), "Done.", [WRITE], "Done."],
    hint="Do not look at the list: all its tasks are ticked here, and the file is not written.",
)
def names_it(ask_at_the_stop, replies):
    return AskingRun(ask_at_the_stop, *replies, missing=needs_notes)


@rule("Rule 3: then the model goes on, and at the next stop it calls `missing` again")
@why("The files have changed since the last question, or they have not.")
@hint("How often do `run` and `missing` have to happen? Put both into a loop.")
@hint("Call `missing(workspace)` after each `run`, and use the new result.")
@case("two questions, and none when nothing is missing", lambda got: len(got.questions) == 2)
@case(
    f"a second question, which names what is missing then: {list(MISSING[1:])}",
    lambda got: names_missing(got)[1] == list(MISSING[1:]),
    second=SOME | {"tool": "write_file"},
    hint="What was missing at first may be done now: name what the newest `missing` has returned.",
)
@case(
    "all settings and all tools in each request",
    lambda got: (
        not explain_arguments(got) and all("todo" in str(one.get("tools")) for one in got.requests)
    ),
    system="Be brief.",
    hint="Pass all `tools` and all `**settings` on to `run`, each time.",
)
def looks_again(ask_at_the_stop, second=READS, **settings):
    replies = ["Done.", [call(**second)], "Done.", [WRITE], "Done."]
    return AskingRun(ask_at_the_stop, *replies, missing=needs_notes, **settings)


@rule(f"Rule 4: it asks at most {MAX_QUESTIONS} times")
@why("A check may be wrong, or the model unable to pass it. Then each question only costs.")
@hint("What ends your loop if something stays missing for ever?")
@hint("Count the questions. After the last one, run the loop once more, and return.")
@case(ALL_QUESTIONS)
def has_a_limit(ask_at_the_stop):
    return AskingRun(ask_at_the_stop, *STOPS, missing=needs_notes)


@rule("Rule 5: it prints how many questions were needed")
@why("A harness that needs many questions is not better than one that needs none.")
@hint("Where do you know the number, and when is it final?")
@hint("One `print` with the count, after the loop.")
@case(PRINTED)
def counted(ask_at_the_stop):
    runs = [[WRITE], "Done."], ["Done.", "Done.", [WRITE], "Done."], STOPS
    return [AskingRun(ask_at_the_stop, *replies, missing=needs_notes).printed for replies in runs]


@exercise(
    order=10,
    title="Ask at the stop",
    notebook="s05_at_the_stop",
    kind="function",
    after="Now see which question saves which run.",
    question="What can your question not see?",
    answer="Everything that `missing` does not look at: a task that is not on the list, a test "
    "that nobody wrote. A model that passes a check has done what the check asks for, and no more.",
)
def check_ask_at_the_stop(ask_at_the_stop=None):
    """Check `ask_at_the_stop(client, messages, tools, workspace, missing, **settings)`."""
