"""The exercise "The loop by hand": the learner writes `agent_loop` from the cells run by hand."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agentlib.tools import Tool

from ..blocks import blocks_of
from ..practice.policy.practice_policy import PracticePolicy
from .checking import case, exercise, hint, rule, why
from .checking.expected import Expected
from .scene import ApiSaidError, Scene, call


class ScriptedRun(Scene):
    """A run of a loop in which the model's `replies` are given, with one tool, `note(text)`.

    `noted` are the inputs that the tool got.
    """

    def __init__(self, loop: Callable[..., Any], *replies: Any, **settings: Any) -> None:
        super().__init__(*replies, **settings)
        self.noted: list[str] = []
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        with suppress(Exception):  # it is in `problem`
            self.perform(loop, [Tool("note", "Note a text.", schema, self._note)])

    def _note(self, text: str) -> str:
        self.noted.append(text)
        return f"noted {text}"

    def __repr__(self) -> str:
        return self.tell(f"The tool got {self.noted}.")


ONE, TWO = call("note", text="one"), call("note", text="two")
TWO_CALLS = [ONE, TWO]
SAID = {"type": "text", "text": "I see."}
THOUGHT = {"type": "thinking", "thinking": "Two notes.", "signature": "c2lnbmVk"}


def wanted(words: str, test: Callable[[Any], Any]) -> Expected:
    """Expect a ScriptedRun, or another Scene, that passes `test`."""
    return Expected(words, test, explain_run)


def explain_arguments(got: Scene) -> str:
    """Say which argument a run has not used, or "" if it used all of them."""
    names = [tool["name"] for request in got.requests for tool in request.get("tools", ())]
    sent = [request | {"messages": (), "tools": ()} for request in got.requests]
    if not sent and got.problem is None:
        return (
            "No request was sent with the `client` that your loop was given: call "
            "`client.messages.create(…)`, not `model.client`."
        )
    if sent and not names:
        return "Your request has no `tools`: send `[tool.spec for tool in tools]`."
    if isinstance(got, ScriptedRun) and {"note"} != set(names) and sent:
        return (
            f"Your request offers {', '.join(dict.fromkeys(names))}, not the tools that your loop "
            "was given: send `[tool.spec for tool in tools]`."
        )
    if any(request | got.settings != request for request in sent):
        return "Your request does not have all settings: send `**settings` with each request."
    if len(got.messages) == 1 < len(sent):
        return (
            f"Your loop has sent {len(sent)} requests, but the list that it was given has not "
            "changed: append to it, and do not make a new list."
        )
    all_, unsent = len(got.messages), count_unsent(got)
    if not isinstance(got.problem, TypeError) and unsent > 1 and not is_cut_short(got):
        return (
            f"Your last request contained {all_ - unsent} of {all_} messages. The API keeps none "
            "of them: send all messages each time."
        )
    if any("there is no tool 'note'" in result for result in got.results):
        return (
            "A result went back, but the tool that your loop was given has not run: your function "
            "uses another dispatch map. Build it from `tools`."
        )
    return ""


def explain_run(got: Any) -> str:
    """Say what is wrong with a run that has failed, if its requests show it."""
    if not isinstance(got, Scene):
        return ""
    said = explain_arguments(got)
    if said or got.problem is not None:
        return said
    if len(got.requests) == 1:
        return "Your loop ended before the model could read the results."
    if is_cut_short(got):
        return (
            "Your loop ended after results that the model has not read. Does it limit the rounds?"
        )
    if got.messages[-1].get("role") == "user":
        return (
            "The last reply is not in `messages`: append each one, and go on until it has no call."
        )
    return ""


def is_cut_short(got: Scene) -> bool:
    """Return whether a loop ended after two or more rounds, with results that it did not send."""
    has_results = got.messages[-1].get("role") == "user"
    is_long = len(got.messages) > 4
    return got.problem is None and has_results and is_long and count_unsent(got) == 2


def count_unsent(got: Scene) -> int:
    """Return how many messages the last request did not contain."""
    return len(got.messages) - (len(got.requests[-1]["messages"]) if got.requests else 0)


def has_both_calls(got: ScriptedRun) -> bool:
    message = got.messages[1]
    uses = [block for block in blocks_of(message) if block.get("type") == "tool_use"]
    return message.get("role") == "assistant" and len(uses) == 2


def has_the_thought(got: ScriptedRun) -> bool:
    first = blocks_of(got.messages[1])[0]
    return {name: first.get(name) for name in THOUGHT} == THOUGHT


def has_its_ids(got: ScriptedRun) -> bool:
    """Return whether each result has the id of its call, or no result was sent."""
    blocks = [block for message in got.requests[-1]["messages"] for block in blocks_of(message)]
    answered = [block.get("tool_use_id") for block in blocks if block["type"] == "tool_result"]
    return not answered or answered == [b["id"] for b in blocks if b["type"] == "tool_use"]


def has_one_message_of_results(got: ScriptedRun) -> bool:
    kinds = [block.get("type") for block in blocks_of(got.messages[2])]
    is_sent = not isinstance(got.problem, TypeError)  # its content can be written as JSON
    return is_sent and got.messages[2].get("role") == "user" and kinds == ["tool_result"] * 2


def has_results_or_raised(got: ScriptedRun) -> bool:
    """Return whether no failed call was dropped: each has a result, or its error ended the run."""
    has_raised = got.problem is not None and not isinstance(got.problem, ApiSaidError)
    return has_raised or has_one_message_of_results(got)


def is_stopped_after(requests: int) -> Callable[[ScriptedRun], bool]:
    """Return a test for the number of requests. An exception may have ended the run earlier."""
    return lambda got: (
        len(got.requests) == requests or bool(got.problem and len(got.requests) < requests)
    )


@rule("It takes everything from its arguments, and sends all messages with each request")
@why("Only then does it work with any model and any tools. The API keeps no messages.")
@hint(
    "Does it use a name of the cells above? `model`, `BASH` and `dispatch` belong to the notebook."
)
@hint(
    "`client.messages.create(messages=messages, tools=[tool.spec for tool in tools], **settings)`"
)
@hint("`{tool.name: tool for tool in tools}` is a dispatch map of the tools that it was given.")
@case(
    wanted(
        "requests with its client, its tools, its settings and all messages; its tool runs",
        lambda got: got.requests and not explain_arguments(got),
    )
)
def arguments(agent_loop):
    return ScriptedRun(agent_loop, [ONE], "Done.", system="Be brief.")


@rule("The model's reply goes into messages")
@why("The API keeps no state. It rejects a result without the call that it answers.")
@hint("Which two messages did you append under *Answer*? This is the first one.")
@hint("A message is a dict with a `role` and a `content`. This one is the model's.")
@hint('`{"role": "assistant", "content": reply.content}`: the whole content, not a part of it.')
@case(
    wanted("the second message: assistant, with its two tool_use blocks", has_both_calls),
    replies=[TWO_CALLS, "Done."],
)
@case(
    wanted("the second message begins with the thinking block, unchanged", has_the_thought),
    replies=[[THOUGHT, *TWO_CALLS], "Done."],
    hint="A model that thinks begins its reply with a thinking block, which has a signature. Pass "
    "the whole `reply.content` back, not only the types that you know.",
)
def models_turn(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("The loop runs the tool for each tool call, and for no other block")
@why("A reply has text and calls in any order. A text block has no name and no input.")
@hint("Print `block.type` for the blocks of a reply. Which type is a tool call?")
@hint('Collect the blocks whose type is "tool_use", as in the cell under *Act*.')
@case(
    wanted("the tool runs twice, with 'one', then 'two'", lambda run: run.noted == ["one", "two"]),
    replies=[[SAID, ONE, SAID, TWO], "Done."],
)
def asks_for_a_tool(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("All results of a reply go back in one message")
@why("After a message with two calls, the API wants both results in the next message.")
@hint("When do you append the second message: after each call, or after all of them?")
@hint("Again a dict with a role and a content. Who answers the model?")
@hint('`{"role": "user", "content": results}`, after the loop over the calls.')
@case(
    wanted("the third message: user, with two tool_result blocks", has_one_message_of_results),
    replies=[TWO_CALLS, "Done."],
)
@case(
    wanted("the third message: user, with two tool_result blocks", has_results_or_raised),
    replies=[[ONE, call("missing")], "Done."],
    hint="The second tool does not exist. This call needs a result as well: `call_tool` returns "
    "the error as its output.",
)
def results_go_back(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@rule("Each result has the id of the call that it answers")
@why("With two calls in one reply, only the id says which result belongs to which call.")
@hint("The API gives each call an id. Which object of the reply contains it?")
@hint("Not the reply, and not what `call_tool` returns: the block with the call.")
@case(wanted("two results, with the ids of the two calls, in their order", has_its_ids))
def ids(agent_loop):
    return ScriptedRun(agent_loop, TWO_CALLS, "Done.")


@rule("The loop stops when the reply has no tool call, and not before")
@why(
    "If it stops too early, a call has no result. If it never stops, it sends a message without "
    "results, which the API rejects."
)
@hint("What is missing from a reply that has only text?")
@hint("Test whether the list of calls is empty. Text says nothing: it can be next to a call.")
@case(
    wanted("two requests: one for the calls, one for the end", is_stopped_after(2)),
    replies=[[SAID, *TWO_CALLS], "Done."],
)
@case(
    wanted("two requests: one for the call, one for the end", is_stopped_after(2)),
    replies=[[ONE], "Done."],
)
@case(
    wanted("two requests: the first reply has a call, and text after it", is_stopped_after(2)),
    replies=[[ONE, SAID], "Done."],
    hint="A model may also write text after a call. Does your loop stop because of the last block?",
)
@case(
    "one request: there is nothing to run",
    is_stopped_after(1),
    replies=[{"content": [SAID], "stop_reason": "max_tokens"}],
    hint="This reply was cut off, so it has another `stop_reason`. Test whether there are calls.",
)
def stops(agent_loop, replies):
    return ScriptedRun(agent_loop, *replies)


@stops.also
@case(
    "accepted",
    hint="This reply was cut off after a call, so its `stop_reason` is max_tokens. The call still "
    "needs a result: look at the blocks, not at the stop reason.",
)
def stops_by_the_blocks(agent_loop):
    return ScriptedRun(agent_loop, {"content": [ONE], "stop_reason": "max_tokens"}).ask_more()


@rule("All together: the practice model refactors hello.py with it")
@why("This is already an agent. What follows makes it better at long jobs.")
@hint("What does the API, or Python, say under Got?")
@hint("Compare your loop with the three cells above it, line by line.")
@case(wanted("a scene with three of three steps done", lambda got: got.steps_done == 3))
def together(agent_loop):
    scene = Scene(*[PracticePolicy()] * 30)
    return scene.perform(agent_loop, scene.workspace.tools())


@together.also
@case("assistant", hint="Append every reply to the list that you were given, also the last one.")
def last_turn(agent_loop):
    return ScriptedRun(agent_loop, "Hello.").messages[-1].get("role")


@together.also
@case(
    wanted(
        "31 requests, and the tool runs 60 times",
        lambda run: (len(run.requests), len(run.noted)) == (31, 60),
    ),
    hint="Run each call once, send all results of a reply in one message, and do not limit the "
    "number of rounds.",
)
def long_run(agent_loop):
    return ScriptedRun(agent_loop, *[TWO_CALLS] * 30)


@exercise(
    order=1,
    title="The loop by hand",
    notebook="s02_tool_use",
    needs=("call_tool",),
    kind="def",
    after="You have written an agent.",
    question="What stops the loop if a model never stops asking for tools?",
    answer="Nothing. `while True` ends only when the model asks for no tool. With a real model "
    "you need a limit on the rounds, because every round costs money: `connect()` has one.",
)
def check_loop(agent_loop=None):
    """Check an agent loop: pass the function `agent_loop(client, messages, tools, **settings)`.

    Only `messages` counts, not what the function returns.
    """
