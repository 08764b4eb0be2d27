"""The exercise "The loop by hand": the learner writes `agent_loop` from the cells run by hand."""

from collections.abc import Callable
from typing import Any

from agentlib.tools import Tool

from ..message_blocks import blocks_of
from ..practice.policy.next_reply import PracticePolicy
from .checking import case, exercise, hint, rule, why
from .checking.expected import Expected
from .checking.explain_run import NEW_LIST, OTHER_NAMES, explain_arguments, explain_run, list_ids
from .checking.rule import LONG_CASE_SECONDS
from .scene import SAID, THOUGHT, EndlessError, Scene, call

MAX_RUNS = 200  # of the tool; a loop that runs it more often does not stop


class ScriptedRun(Scene):
    """A run of a loop with two tools, `note(text)` and `shout(text)`. The `replies` are given.

    `noted` are the inputs that the tools got, those of `shout` in capitals. `note` raises for the
    text "fail".
    """

    must_end = False  # a rule may pass although a later request is rejected

    def __init__(self, loop: Callable[..., Any], *replies: Any, **settings: Any) -> None:
        super().__init__(*replies, **settings)
        self.noted: list[str] = []
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        note = Tool("note", "Note a text.", schema, self._note)
        shout = Tool("shout", "Note a text in capitals.", schema, self._shout)
        self.play(loop, [note, shout])

    def _note(self, text: str) -> str:
        self.noted.append(text)
        if not isinstance(text, str):
            raise TypeError(f"note(text) needs a string, and got a {type(text).__name__}")
        if len(self.noted) == MAX_RUNS:
            raise EndlessError(f"the tool has run {MAX_RUNS} times: this loop does not stop")
        if text == "fail":
            raise ValueError("this note is rejected")
        return f"noted {text}"

    def _shout(self, text: str) -> str:
        return self._note(text.upper())

    @property
    def outputs(self) -> list[str]:
        return [f"noted {text}" for text in self.noted]

    def __repr__(self) -> str:
        more = "" if len(self.noted) < 5 else f" and {len(self.noted) - 4} more"
        return self.tell(f"The tools got {self.noted[:4]}{more}.")


EARLIER = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi!"}]
ONE, TWO = call("note", text="one"), call("note", text="two")
TWO_CALLS = [ONE, TWO]
BOTH = Expected(
    "the tool runs twice, with 'one', then 'two'", lambda run: run.noted == ["one", "two"]
)


def takes_its_arguments(got: ScriptedRun) -> bool:
    """Return whether the requests contain what the loop was given, and its own tool ran."""
    said = explain_arguments(got)
    return bool(got.requests) and said in ("", NEW_LIST) and explain_run(got) != OTHER_NAMES


def has_the_reply(got: ScriptedRun) -> bool:
    """Return whether the second message is the model's, with each block of its first reply."""
    message = got.messages[1]
    pairs = zip(got.replies[0], blocks_of(message), strict=True)
    is_whole = all(sent.items() <= kept.items() for sent, kept in pairs)
    return is_whole and message.get("role") == "assistant"


def has_its_ids(got: ScriptedRun) -> bool:
    """Return whether each result has the id of its call, or no result was sent."""
    sent = got.requests[-1]["messages"]
    answered = [one for message in sent for one in list_ids(message, "tool_result")]
    calls = [one for message in sent for one in list_ids(message, "tool_use")]
    return not answered or answered == calls


def has_one_message_of_results(got: ScriptedRun) -> bool:
    """Return whether the two results of a reply went back in one message, as the tool returned."""
    is_sent = not isinstance(got.problem, TypeError)  # its content can be written as JSON
    is_next = got.messages[2].get("role") == "user"
    answers = [one for one in got.answers if one]
    return is_sent and is_next and answers == [got.outputs] and len(got.outputs) == 2


def is_stopped_after(requests: int) -> Callable[[ScriptedRun], Any]:
    """Return a test for the number of requests. An exception may have ended the run earlier."""
    return lambda got: len(got.requests) == requests or got.problem and len(got.requests) < requests


ERROR_GOES_BACK = Expected(
    "two results, 'noted one' and an error message, and a second request",
    lambda got: (
        len(got.requests) > 1
        and got.results[0] == "noted one"
        and " " in got.results[1].removeprefix("is_error: ").strip()
        and got.results[1] not in got.outputs
    ),
)


@rule("It takes everything from its arguments, and sends all messages with each request")
@why("Only then does it work with any model and any tools. The API keeps no messages.")
@hint("`model`, `BASH` and `dispatch` are names of the notebook. Does your loop use one of them?")
@hint("In each round: `client.messages.create(messages=messages, tools=specs, **settings)`.")
@hint("`specs = [tool.spec for tool in tools]`, `dispatch = {tool.name: tool for tool in tools}`")
@case(
    "requests with its client, its tools, its settings and all messages; its tool runs",
    takes_its_arguments,
    replies=[[ONE], "Done."],
)
@case(
    "each request begins with all messages of the request before it",
    takes_its_arguments,
    replies=[[ONE], [TWO], [ONE], "Done."],
    hint="The list of messages is all that the model knows of the rounds before. It only grows.",
)
def arguments(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies, system="Be brief.")


@rule("It appends to the list that it was given")
@why("Whoever called your loop reads the run there, and goes on with the next prompt.")
@hint("Which list does your loop change: the one that it was given, or a new one?")
@hint("`messages = messages + […]` makes a new list. `messages.append(…)` changes the given one.")
@case("a list that has grown", lambda got: explain_arguments(got) != NEW_LIST)
def same_list(agent_loop):
    return ScriptedRun(agent_loop, [ONE], "Done.")


@same_list.also
@case(
    "a list that begins with the earlier prompt and its reply",
    lambda got: got.messages[: len(got.before)] == got.before,
    hint="The list may have an earlier conversation, which the next prompt continues: keep all.",
)
def earlier_messages(agent_loop):
    return ScriptedRun(agent_loop, [ONE], "Done.", earlier=EARLIER)


@rule("The model's reply goes into messages")
@why("The API keeps no state. It rejects a result without the call that it answers.")
@hint("Which two messages did you append under *Answer*? This is the first one.")
@hint("A message is a dict with a `role` and a `content`. This one is the model's.")
@hint('`{"role": "assistant", "content": reply.content}`: the whole content, not a part of it.')
@case(
    "the second message: assistant, with its two tool_use blocks",
    has_the_reply,
    replies=[TWO_CALLS, "Done."],
)
@case(
    "the second message begins with the thinking block, unchanged",
    has_the_reply,
    replies=[[THOUGHT, *TWO_CALLS], "Done."],
    hint="A thinking block has a signature: pass it back, with all types that you do not know.",
    note="The thinking block is missing: append the whole `reply.content`, and not a part of it.",
)
@case(
    "the last message: assistant, with the last reply",
    lambda got: got.problem or got.messages[-1].get("role") != "user",
    replies=["Hello."],
    hint="Append every reply to the list that you were given, also the last one.",
)
def models_turn(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("The loop runs the tool for each tool call, and for no other block")
@why("A reply has text and calls in any order. A text block has no name and no input.")
@hint("Print `block.type` for the blocks of a reply. Which type is a tool call?")
@hint('Collect the blocks whose type is "tool_use", as in the cell under *Act*.')
@case(
    "the tool runs once, with 'one'",
    lambda run: run.noted == ["one"],
    replies=[[ONE], "Done."],
)
@case(
    "the second tool runs once, with 'one'",
    lambda run: run.noted == ["ONE"],
    replies=[[call("shout", text="one")], "Done."],
    hint="There may be any number of tools: take the one with the name that the block has.",
)
@case(BOTH, replies=[[SAID, ONE, SAID, TWO], "Done."])
@case(
    BOTH,
    replies=[[THOUGHT, *TWO_CALLS], "Done."],
    hint='A model that thinks sends blocks of another type. Only "tool_use" is a call.',
)
def asks_for_a_tool(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("All results of a reply go back in one message")
@why("After a message with two calls, the API wants both results in the next message.")
@hint("When do you append the second message: after each call, or after all of them?")
@hint("Again a dict with a role and a content. Who answers the model?")
@hint('`{"role": "user", "content": results}`, after the loop over the calls.')
@case("the third message: user, with the two results", has_one_message_of_results)
def results_go_back(agent_loop):
    return ScriptedRun(agent_loop, TWO_CALLS, "Done.")


@rule("Each result has the id of the call that it answers")
@why("With two calls in one reply, only the id says which result belongs to which call.")
@hint("The API gives each call an id. Which object of the reply contains it?")
@hint("Not the reply, and not what `call_tool` returns: the block with the call.")
@case("two results, with the ids of the two calls, in their order", has_its_ids)
def ids(agent_loop):
    return ScriptedRun(agent_loop, TWO_CALLS, "Done.")


@rule("A call that fails gets its error as the result, and the loop goes on")
@why("The model decides what is called, and it can be wrong. It corrects what it can read about.")
@hint("What happens to your loop if a tool raises an exception?")
@hint("`call_tool` catches the exception, and its message is the `output`: send it like any other.")
@case(ERROR_GOES_BACK, replies=[[ONE, call("note", text="fail")], "Done."])
@case(
    ERROR_GOES_BACK,
    replies=[[ONE, call("missing")], "Done."],
    hint="The second tool does not exist. `call_tool` returns this error as its output.",
)
def errors_go_back(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("The loop stops when the reply has no tool call, and not before")
@why("If it stops too early, a call has no result; too late, the API rejects an empty message.")
@hint("What is missing from a reply that has only text?")
@hint("Test whether the list of calls is empty. Text says nothing: it can be next to a call.")
@case(
    "two requests: one for the calls, one for the end",
    is_stopped_after(2),
    replies=[[SAID, *TWO_CALLS], "Done."],
)
@case(
    "two requests: the first reply has a call, and text after it",
    is_stopped_after(2),
    replies=[[ONE, SAID], "Done."],
    hint="A model may also write text after a call. Does your loop stop because of the last block?",
)
@case(
    "four requests: three for the calls, one for the end",
    lambda got: got.problem is None and len(got.requests) == 4,
    replies=[[ONE], TWO_CALLS, [TWO], "Done."],
    hint="The model chooses how many rounds: each needs a request, and a new list of results.",
)
@case(
    "one request: there is nothing to run",
    is_stopped_after(1),
    replies=[{"content": [SAID], "stop_reason": "max_tokens"}],
    hint="This reply was cut off, so it has another `stop_reason`. Test whether there are calls.",
)
@case(
    "the API accepts the next prompt",
    lambda got: got.ask_more() == "accepted",
    replies=[{"content": [ONE], "stop_reason": "max_tokens"}],
    hint="This reply was cut off after a call, which still needs a result: look at the blocks.",
)
def stops(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("All together: the practice model refactors hello.py with it")
@why("This is already an agent. What follows makes it better at long jobs.")
@hint("What does the API, or Python, say under Got?")
@hint("Compare your loop with the three cells above it, line by line.")
@case("three of three steps are done", lambda got: got.steps_done == 3, seconds=LONG_CASE_SECONDS)
def together(agent_loop):
    scene = Scene(*[PracticePolicy()] * 30)
    return scene.play(agent_loop, scene.workspace.tools())


@together.also
@case(
    "31 requests, and the tool runs 60 times",
    lambda run: (len(run.requests), len(run.noted)) == (31, 60),
    hint="Run each call once, send its results in one message, and do not limit the rounds.",
    seconds=LONG_CASE_SECONDS,
)
def long_run(agent_loop):
    return ScriptedRun(agent_loop, *[TWO_CALLS] * 30)


@exercise(
    order=1,
    title="The loop by hand",
    notebook="s02_tool_use",
    kind="function",
    after="You have written an agent.",
    question="What stops the loop if a model never stops asking for tools?",
    answer="Nothing. `while True` ends only when the model asks for no tool. With a real model "
    "you need a limit on the rounds, because every round costs money: `connect()` has one.",
)
def check_loop(agent_loop=None):
    """Check an agent loop: pass the function `agent_loop(client, messages, tools, **settings)`.

    Only `messages` counts, not what the function returns.
    """
