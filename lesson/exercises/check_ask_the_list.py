"""The exercise "Ask at the stop": a loop around the loop, which asks about the open tasks."""

from ..at_the_stop import MAX_QUESTIONS
from .checking import case, exercise, hint, rule, why
from .checking.explain_run import ALL_QUESTIONS, NO_QUESTION, PRINTED, explain_arguments
from .scene import STOPS, AskingRun, describe_message, find_steps, plan

OPEN_TWICE = (plan("pending", "pending"), "Done.", plan("completed", "pending"), "Done.")
CLOSED = plan("completed", "completed")


@rule("Rule 1: it runs the loop, and asks nothing if no task is open")
@why("A question costs a request. If the list is done, the run is over.")
@hint("What does `run(client, messages, tools, **settings)` do, and when does it return?")
@hint("After `run`, look at `todo.items`. If nothing is open, stop.")
@case(NO_QUESTION, replies=[CLOSED, "Done."])
@case(NO_QUESTION, replies=["Hello."], hint="An empty list has no open task.")
def silent(ask_the_list, replies):
    return AskingRun(ask_the_list, *replies)


@rule("Rule 2: if tasks are open, it appends one user message that names each of them")
@why('"Update your todos." tells the model nothing new. The open tasks are what it has forgotten.')
@hint("Which items of the list are not completed? A task in progress is also open.")
@hint("One message with all their texts: a dict with the role `user` and a string.")
@case(
    "one question with Step 2 and Step 3, without Step 1",
    lambda got: [find_steps(one) for one in got.questions] == ["23"],
    before=plan("completed", "in_progress", "pending"),
)
@case(
    "4. assistant: text, 5. user: text, 6. assistant: tool_use",
    lambda got: (
        [describe_message(one) for one in got.messages[3:6]]
        == ["assistant: text", "user: text", "assistant: tool_use"]
    ),
    before=plan("pending"),
)
def names_them(ask_the_list, before):
    return AskingRun(ask_the_list, before, "Done.", plan(*["completed"] * 3), "Done.")


@rule("Rule 3: then the model goes on, and at the next stop it looks at the list again")
@why("The model may do one task and stop again. The second question names only what is left.")
@hint("How often do `run` and your look at the list have to happen? Put both into a loop.")
@hint("Read `todo.items` after each `run`: `update` makes a new list.")
@case(
    "two questions: the second one names Step 2 and not Step 1",
    lambda got: len(got.questions) == 2 and find_steps(got.questions[1]) == "2",
)
@case(
    "all settings and all tools in each request",
    lambda got: (
        not explain_arguments(got) and all("todo" in str(one.get("tools")) for one in got.requests)
    ),
    system="Be brief.",
    hint="Pass all `tools` and all `**settings` on to `run`, each time.",
)
def looks_again(ask_the_list, **settings):
    return AskingRun(ask_the_list, *OPEN_TWICE, CLOSED, "Done.", **settings)


@rule(f"Rule 4: it asks at most {MAX_QUESTIONS} times")
@why("A model may never do what you ask for. Each question costs a request with all messages.")
@hint("What ends your loop if a task stays open for ever?")
@hint("Count the questions. After the last one, run the loop once more, and return.")
@case(ALL_QUESTIONS)
def has_a_limit(ask_the_list):
    return AskingRun(ask_the_list, plan("pending"), *STOPS)


@rule("Rule 5: it prints how many questions were needed")
@why("A harness that needs many questions is not better than one that needs none.")
@hint("Where do you know the number, and when is it final?")
@hint("One `print` with the count, after the loop.")
@case(PRINTED)
def counted(ask_the_list):
    runs = [*OPEN_TWICE, CLOSED, "Done."], [plan("pending"), *STOPS]
    return [AskingRun(ask_the_list, *replies).printed for replies in runs]


@exercise(
    order=10,
    title="Ask at the stop",
    notebook="s05_at_the_stop",
    kind="def",
    after="Now see which run it saves, and which one not.",
    question="Why is this a function around the loop, and not an argument of it?",
    answer="The loop ends when the model asks for no tool. What should happen then differs from "
    "job to job, and needs only the list of messages: five lines that you can read and change.",
)
def check_ask_the_list(ask_the_list=None):
    """Check the function `ask_the_list(client, messages, tools, todo, **settings)`."""
