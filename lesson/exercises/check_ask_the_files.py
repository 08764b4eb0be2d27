"""The exercise "Ask the files, not the list": the question at the stop comes from a check."""

from ..at_the_stop import MAX_QUESTIONS
from .checking import case, exercise, hint, rule, why
from .checking.explain_run import ALL_QUESTIONS, NO_QUESTION, PRINTED
from .scene import MISSING, STOPS, AskingRun, call, needs_notes, plan

WRITE = call("write_file", path="notes.txt", content="Notes")


@rule("It runs the loop, and asks nothing if `missing` returns an empty list")
@why("A question costs a request. If nothing is missing, the run is over.")
@hint("When do you call `missing`, and what does it need to know?")
@hint("After `run`, call `missing(workspace)`. An empty list is false in Python.")
@case(NO_QUESTION)
def silent(ask_the_files):
    return AskingRun(ask_the_files, [WRITE], "Done.", missing=needs_notes)


@rule("If something is missing, it appends one user message that names all of it")
@why("A count says that something is wrong. Only a name says what to do.")
@hint("What does `missing` return, and how much of it does your message contain?")
@hint("Join the strings: one message, with the role `user`.")
@case(
    "one question, with `notes.txt is not written` and `README.md is empty`",
    lambda got: [all(name in one for name in MISSING) for one in got.questions] == [True],
    replies=["Done.", [WRITE], "Done."],
)
@case(
    "one question",
    lambda got: len(got.questions) == 1,
    replies=[plan("completed"), "Done.", [WRITE], "Done."],
    hint="Do not look at the list: all its tasks are ticked here, and the file is not written.",
)
def names_it(ask_the_files, replies):
    return AskingRun(ask_the_files, *replies, missing=needs_notes)


@rule("Then the model goes on, and at the next stop it checks again")
@why("The files have changed since the last question, or they have not.")
@hint("How often do `run` and `missing` have to happen? Put both into a loop.")
@hint("Call `missing(workspace)` after each `run`, and use the new result.")
@case("two questions", lambda got: len(got.questions) == 2)
def checks_again(ask_the_files):
    replies = ["Done.", [call("read_file", path="hello.py")], "Done.", [WRITE], "Done."]
    return AskingRun(ask_the_files, *replies, missing=needs_notes)


@rule(f"It asks at most {MAX_QUESTIONS} times")
@why("A check may be wrong, or the model unable to pass it. Then each question only costs.")
@hint("What ends your loop if something stays missing for ever?")
@hint("Count the questions. After the last one, run the loop once more, and return.")
@case(ALL_QUESTIONS)
def has_a_limit(ask_the_files):
    return AskingRun(ask_the_files, *STOPS, missing=needs_notes)


@rule("It prints how many questions were needed")
@why("A harness that needs many questions is not better than one that needs none.")
@hint("Where do you know the number, and when is it final?")
@hint("One `print` with the count, after the loop.")
@case(PRINTED)
def counted(ask_the_files):
    runs = ["Done.", "Done.", [WRITE], "Done."], STOPS
    return [AskingRun(ask_the_files, *replies, missing=needs_notes).printed for replies in runs]


@exercise(
    order=11,
    title="Ask the files, not the list",
    notebook="s05_at_the_stop",
    kind="def",
    after="Do not ask the model whether it is done; ask something that can say no.",
    question="What can your check not see?",
    answer="Everything that nobody has written into it: tests that are missing, a README that is "
    "wrong. A model that passes a check has done what the check asks for, and no more.",
)
def check_ask_the_files(ask_the_files=None):
    """Check `ask_the_files(client, messages, tools, workspace, missing, **settings)`."""
