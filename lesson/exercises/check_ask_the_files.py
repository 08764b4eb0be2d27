"""The exercise "Ask the files, not the list": the question at the stop comes from a check."""

from .checking import case, exercise, hint, rule, why
from .scene import NOT_ASKED, AskingRun, call, has_file, has_files, list_questions, never_done, plan

WRITE = call("write_file", path="notes.txt", content="Notes")


@rule("It runs the loop, and asks nothing if `missing` returns an empty list")
@why("A question costs a request. If nothing is missing, the run is over.")
@hint("When do you call `missing`, and what does it need to know?")
@hint("After `run`, call `missing(workspace)`. An empty list is false in Python.")
@case((2, []), note="After two requests nothing is missing, so there is nothing to ask.")
def silent(ask_the_files):
    scene = AskingRun(ask_the_files, [WRITE], "Done.", missing=has_file)
    return len(scene.requests), list_questions(scene)


@rule("If something is missing, it appends one user message that names all of it")
@why("A count says that something is wrong. Only a name says what to do.")
@hint("What does `missing` return, and how much of it does your message contain?")
@hint("Join the strings: one message, with the role `user`.")
@case(
    "one question, with `notes.txt is not written` and `README.md is empty`",
    lambda got: len(got) == 1 and "notes.txt is not" in got[0] and "README.md is empty" in got[0],
    lambda got: "" if got else NOT_ASKED,
)
def names_it(ask_the_files):
    return list_questions(AskingRun(ask_the_files, "Done.", [WRITE], "Done.", missing=has_files))


@names_it.also
@case(
    1,
    hint="Do not look at the list: all its tasks are ticked here, and the file is not written.",
)
def whatever_the_list_says(ask_the_files):
    scene = AskingRun(ask_the_files, plan("completed"), "Done.", [WRITE], "Done.", missing=has_file)
    return len(list_questions(scene))


@rule("Then the model goes on, and at the next stop it checks again")
@why("The files have changed since the last question, or they have not.")
@hint("How often do `run` and `missing` have to happen? Put both into a loop.")
@hint("Call `missing(workspace)` after each `run`, and use the new result.")
@case(2)
def checks_again(ask_the_files):
    replies = ["Done.", [call("read_file", path="hello.py")], "Done.", [WRITE], "Done."]
    return len(list_questions(AskingRun(ask_the_files, *replies, missing=has_file)))


@rule("It asks at most ten times")
@why("A check may be wrong, or the model unable to pass it. Then each question only costs.")
@hint("What ends your loop if something stays missing for ever?")
@hint("Count the questions. After the tenth, run the loop once more, and return.")
@case((10, "assistant", "accepted"))
def ten_times(ask_the_files):
    scene = AskingRun(ask_the_files, *["Done."] * 11, missing=never_done)
    return len(list_questions(scene)), scene.messages[-1]["role"], scene.ask_more()


@rule("It prints how many questions were needed")
@why("A harness that needs ten questions is not better than one that needs none.")
@hint("Where do you know the number, and when is it final?")
@hint("One `print` with the count, after the loop.")
@case("a line with 3 in it", lambda got: "3" in got, number=3)
@case("a line with 10 in it", lambda got: "10" in got, number=11)
def prints(ask_the_files, number):
    replies = [*["Done."] * number, [WRITE], "Done."]
    return AskingRun(ask_the_files, *replies, missing=has_file).printed


@prints.also
@case("two different lines, for 0 and for 2 questions", lambda got: got[0] != got[1])
def prints_the_number(ask_the_files):
    runs = [[WRITE], "Done."], ["Done.", "Done.", [WRITE], "Done."]
    return [AskingRun(ask_the_files, *replies, missing=has_file).printed for replies in runs]


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
