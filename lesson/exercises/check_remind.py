"""The exercise "Give your loop remind": the loop calls the nag and sends what it returns."""

from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from typing import Any

from agentlib.nag import REMINDER, Nag
from agentlib.todo import TodoManager
from agentlib.tools import Call

from ..message_blocks import blocks_of, text_of
from ..practice.policy.next_reply import PracticePolicy
from .check_loop import ONE, TWO, TWO_CALLS, ScriptedRun
from .checking import Result, case, exercise, hint, rule, why
from .scene import SAID, ApiSaidError, Scene, call

SAYS = f"<reminder>{REMINDER}</reminder>"
BESIDE = "The reminder is next to the results: put it into the content of the last tool_result."
IN_ANOTHER = "The reminder is inside another result: the last one is `results[-1]`."
OTHER_OUTPUT = "The last result has the output of another call: keep its own, before the reminder."
FAILS = call("note", text="fail")


class RemindedRun(ScriptedRun):
    """A run of a loop whose `remind` returns what is in `says`, one for each call, and then None.

    `asked` are the names of the calls that it got.
    """

    def __init__(self, loop: Callable[..., Any], *replies: Any, says: Sequence[Any] = ()) -> None:
        self.asked: list[list[str]] = []
        texts = iter(says)

        def remind(calls: Sequence[Call]) -> str | None:
            try:
                self.asked.append([one.name for one in calls])
            except (AttributeError, TypeError) as problem:
                raise TypeError(f"remind(calls) needs calls, with names: {problem}") from None
            return next(texts, None)

        remind.__qualname__ = "remind"  # a learner reads it in an error
        super().__init__(partial(loop, remind=remind), *replies)

    def __repr__(self) -> str:
        return self.tell(f"`remind` was called with {self.asked or 'nothing'}.")


def list_texts(got: RemindedRun) -> list[list[list[str]]]:
    """Return the texts of each result, for each message with results of the last request."""
    turns = [blocks_of(one) for one in got.requests[-1]["messages"][1:] if one["role"] == "user"]
    return [[[text_of(part) for part in blocks_of(one)] for one in turn] for turn in turns]


def is_inside_the_last_result(got: RemindedRun) -> bool:
    return list_texts(got)[0] == [["noted one"], ["noted two", SAYS]]


def is_in_the_second_round_alone(got: RemindedRun) -> bool:
    return list_texts(got) == [[["noted one"]], [["noted two", SAYS]], [["noted one"]]]


def explain_place(got: RemindedRun) -> str:
    kinds = [block["type"] for block in blocks_of(got.messages[2])]
    if "tool_result" in kinds and "text" in kinds:
        return BESIDE
    texts = [result for turn in list_texts(got) for result in turn]
    if texts and SAYS in texts[0]:
        return IN_ANOTHER
    return OTHER_OUTPUT if texts and "noted one" in texts[-1] else ""


@rule("Rule 1: it calls remind once in each round that has tool calls, with these calls")
@why("A nag counts rounds. If it is called for each tool call, it reminds too early.")
@hint("Where does your loop know all calls of a reply?")
@hint("After the `for` loop that runs the tools: `remind(uses)`. Each use has a `name`.")
@case(
    "one call of remind, with two calls",
    lambda run: run.asked == [["note", "note"]],
    replies=[[SAID, *TWO_CALLS], "Done."],
    hint="Call `remind` after the `for` loop, not in it, and not in a round without tool calls.",
)
@case(
    "one call of remind, which returns a reminder",
    lambda run: run.asked == [["note"]],
    replies=[[ONE], "Done."],
    says=[SAYS],
    note="Each call of `remind` counts as a round: keep what it returns, `text = remind(uses)`.",
)
@case(
    "a call of remind in each of two rounds",
    # A reminder in the wrong place, which the API rejects, is the next rule's.
    lambda run: run.asked == [["note"]] * 2 or isinstance(run.problem, ApiSaidError),
    replies=[[ONE], [ONE], "Done."],
    says=[SAYS, SAYS],
    hint="Is `remind` still the function in the second round, or have you assigned to its name?",
)
@case(
    "one call of remind, with three calls, of which two have failed",
    lambda run: run.asked == [["note", "missing", "note"]],
    replies=[[ONE, call("missing"), FAILS], "Done."],
    hint="A call that failed is a call as well: pass on all calls of the reply.",
)
def called(agent_loop, replies, says=()):
    return RemindedRun(agent_loop, *replies, says=says)


@called.also
@case(
    "two requests, without remind",
    lambda run: len(run.requests) == 2,
    hint="The default of `remind` is None: `remind=None`, and then nothing is called.",
)
def left_out(agent_loop):
    return ScriptedRun(agent_loop, TWO_CALLS, "Done.")


@rule("Rule 2: what remind returns is a text block inside the last tool result")
@why("This place is accepted by every model, and the results stay first in their message.")
@hint("What is the content of a tool result: a string, or a list of blocks? It can be either.")
@hint("The content of `results[-1]` becomes a list of two text blocks: output, then reminder.")
@case(
    "two results, the reminder is a second block in the last",
    is_inside_the_last_result,
    explain_place,
)
def inside(agent_loop):
    return RemindedRun(agent_loop, TWO_CALLS, "Done.", says=[SAYS])


@inside.also
@case(
    "one result, with its output alone",
    lambda run: run.results == ["noted one"],
    lambda run: "`remind` may return None, if no reminder is due: then add nothing.",
)
def nothing_to_say(agent_loop):
    return RemindedRun(agent_loop, [ONE], "Done.")


@inside.also
@case(
    "a reminder in the result of the second round alone, as `remind` returned it",
    is_in_the_second_round_alone,
    hint="Each round asks `remind` anew: `text = remind(uses)`, also if it returned text before.",
)
def inside_each_time(agent_loop):
    return RemindedRun(agent_loop, [ONE], [TWO], [ONE], "Done.", says=[None, SAYS, None])


@inside.also
@case(
    "one result, with the error and the reminder",
    lambda got: len(list_texts(got)[0]) == 1 and list_texts(got)[0][0][1:] == [SAYS],
    hint="A reminder is as important in a round whose call has failed.",
)
def inside_after_an_error(agent_loop):
    return RemindedRun(agent_loop, [FAILS], "Done.", says=[SAYS])


@rule("All together: with a nag, the practice model does all ten steps")
@why("Without a reminder it does three of them.")
@hint("What does the API, or Python, say under Got?")
@case("ten of ten steps are done", lambda got: got.steps_done == 10)
def together(agent_loop):
    scene, todo = Scene(*[PracticePolicy()] * 40, job="ten_steps"), TodoManager()
    tools = [*scene.workspace.tools(), todo.tool()]
    return scene.perform(partial(agent_loop, remind=Nag(todo)), tools)


@exercise(
    order=4.5,
    title="The loop reminds",
    notebook="s03b_nag_reminder",
    kind="function",
    advice="Give {name} one more argument, `remind=None`, then run its cell and this check again.",
    after="Your loop sends what your nag says.",
    question="Why does the loop not know what a todo list is?",
    answer="It calls any function that takes the calls and returns text or None. So the same loop "
    "works with another nag, or with none.",
)
def check_remind(agent_loop=None):
    """Check a loop that takes `remind`: pass `agent_loop(client, messages, tools, remind=None)`."""
    if callable(agent_loop) and "remind" not in signature(agent_loop).parameters:
        return Result(check_remind.exercise, begun=False)
    return None
