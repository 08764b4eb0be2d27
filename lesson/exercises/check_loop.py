"""The exercise "The loop by hand": a scaffold with five blanks, each tried separately."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agentlib.tools import Tool

from ..practice.policy.practice_policy import PracticePolicy
from .checking.check import check
from .checking.exercise import Exercise, Further
from .checking.expected import Expected
from .checking.result import Result
from .checking.rule import Rules, case, hint, why
from .scene import ApiSaidError, Scene, blocks_of, call, warm_up

LOOP_SCAFFOLD = """\
from agentlib.tools import call_tool


def agent_loop(client, messages, tools, **settings):
    while True:
        reply = client.messages.create(
            messages=messages, tools=[tool.spec for tool in tools], **settings
        )
        messages.append(...)  # 1. the model's message
        results = []
        for block in reply.content:
            if block.type == ...:  # 2. the type that asks for a tool
                call = call_tool({tool.name: tool for tool in tools}, block.name, block.input)
                results.append(
                    {
                        "type": "tool_result",
                        "tool_use_id": ...,  # 3. the call that this answers
                        "content": call.output,
                    }
                )
        if ...:  # 4. when to stop
            return
        messages.append(...)  # 5. the results
"""
ANSWERS = (
    '{"role": "assistant", "content": reply.content}',
    '"tool_use"',
    "block.id",
    "not results",
    '{"role": "user", "content": results}',
)
PIECES = LOOP_SCAFFOLD.split("...")
SCAFFOLD = re.compile(  # a function of any name, with anything in its blanks
    re.escape(ast.unparse(ast.parse(LOOP_SCAFFOLD).body[-1]))
    .replace("agent_loop", r"\w+")
    .replace(re.escape("..."), "(.+)")
)
RULES = Rules()


def fill(*blanks: str) -> str:
    """Return the scaffold with its blanks filled in."""
    pairs = zip(blanks, PIECES[1:], strict=True)
    return PIECES[0] + "".join(blank + piece for blank, piece in pairs)


LOOP_SOLUTION = fill(*ANSWERS)


class ScriptedRun(Scene):
    """A run of a loop in which the model's `replies` are given, with one tool, `note(text)`.

    `noted` are the inputs that the tool got.
    """

    def __init__(self, loop: Callable[..., Any], *replies: Any, **settings: Any) -> None:
        super().__init__(*replies, **settings)
        self.noted: list[str] = []
        self.written = getattr(loop, "written", "")  # in the blank that is tried
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        with suppress(Exception):  # it is in `problem`
            self.perform(loop, [Tool("note", "Note a text.", schema, self._note)])

    def _note(self, text: str) -> str:
        self.noted.append(text)
        return f"noted {text}"

    def __repr__(self) -> str:
        lines = [f"The tool got {self.noted}. Requests: {len(self.requests)}. The messages:"]
        lines.append(self.turns)
        if isinstance(self.problem, ApiSaidError):
            lines.append(f"The API answered {self.problem}")
        elif self.problem is not None:
            lines.append(f"{type(self.problem).__name__}: {self.problem}")
        return "\n".join(lines)


def wanted(words: str, test: Callable[[ScriptedRun], Any]) -> Expected:
    """Expect a ScriptedRun that passes `test`. A blank that is still `...` gets a friendly note."""

    def is_right(got: Any) -> bool:
        return got.written != "..." and bool(test(got))

    def explain(got: Any) -> str:
        if not isinstance(got, ScriptedRun):
            return ""
        if got.written == "..." or ... in got.messages:
            return "This blank is still `...`. That is fine: fill it in next."
        if got.written:
            return f"You wrote `{got.written}`. For this test, the other blanks are filled in."
        return ""

    return Expected(words, is_right, explain)


TWO_CALLS = [call("note", text="one"), call("note", text="two")]
TEXT_AND_CALLS = [{"type": "text", "text": "I see."}, *TWO_CALLS]


def has_both_calls(got: ScriptedRun) -> bool:
    """Return whether the second message is the whole reply of the model."""
    message = got.messages[1]
    uses = [block for block in blocks_of(message) if block.get("type") == "tool_use"]
    return message.get("role") == "assistant" and len(uses) == 2


def has_its_ids(got: ScriptedRun) -> bool:
    """Return whether each result has the id of its call (in a whole loop: if it got that far)."""
    blocks = [block for message in got.requests[-1]["messages"] for block in blocks_of(message)]
    answered = [block.get("tool_use_id") for block in blocks if block["type"] == "tool_result"]
    ids = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return answered == ids if answered else not got.written


def has_one_message_of_results(got: ScriptedRun) -> bool:
    """Return whether the third message is from the user and has one result for each call."""
    kinds = [block.get("type") for block in blocks_of(got.messages[2])]
    return got.messages[2].get("role") == "user" and kinds == ["tool_result"] * 2


def is_stopped_after(requests: int) -> Callable[[ScriptedRun], bool]:
    """Return a test for the number of requests. A whole loop may have ended for another reason."""
    return lambda got: (
        len(got.requests) == requests
        or bool(not got.written and got.problem and len(got.requests) < requests)
    )


def has_run_all(got: ScriptedRun) -> bool:
    """Return whether 30 replies with two calls were answered."""
    return len(got.requests) == 31 and len(got.noted) == 60


@RULES.add("Blank 1: the model's reply goes into messages")
@why("The API keeps no state. It rejects a result without the call that it answers.")
@hint("A message has two fields: a role and a content.")
@hint("The role is not yours but the model's, and the content is in the reply.")
@hint('A dict with "role" and "content"; the content is the whole `reply.content`.')
@case(wanted("the second message: assistant, with its two tool_use blocks", has_both_calls))
def models_turn(loop_with_blank_1):
    return ScriptedRun(loop_with_blank_1, TWO_CALLS, "Done.")  # the model's two replies


@RULES.add("Blank 2: the loop runs the tool for each tool call, and for no other block")
@why("A reply has text and calls in any order. A text block has no name and no input.")
@hint("Print `block.type` for the blocks of a reply. Which type is a tool call?")
@hint("It is a string, in quotes. You have also seen it as a `stop_reason`.")
@case(wanted("the tool runs twice, with 'one', then 'two'", lambda c: c.noted == ["one", "two"]))
def asks_for_a_tool(loop_with_blank_2):
    return ScriptedRun(loop_with_blank_2, TEXT_AND_CALLS, "Done.")  # the model's two replies


@RULES.add("Blank 3: each result has the id of the call that it answers")
@why("With two calls in one reply, only the id says which result belongs to which call.")
@hint("The API gives each call an id. Which object of the reply contains it?")
@hint("Not the reply, and not `call`, which is the result: the block.")
@case(wanted("two results, with the ids of the two calls, in their order", has_its_ids))
def ids(loop_with_blank_3):
    return ScriptedRun(loop_with_blank_3, TWO_CALLS, "Done.")  # the model's two replies


@RULES.add("Blank 4: the loop stops when the reply has no tool call, and not before")
@why("Stop too early, and a call has no result. Never stop, and the API rejects an empty message.")
@hint("What is in `results` after a reply that has only text?")
@hint("An empty list is false in Python, and `not` negates it.")
@case(wanted("two requests: one for the calls, one for the end", is_stopped_after(2)))
def stops(loop_with_blank_4):
    return ScriptedRun(loop_with_blank_4, TEXT_AND_CALLS, "Done.")  # the model's two replies


@stops.also
@case(wanted("two requests: one for the call, one for the end", is_stopped_after(2)))
def stops_after_one_call(loop_with_blank_4):
    return ScriptedRun(loop_with_blank_4, [call("note", text="one")], "Done.")


@stops.also
@case(
    wanted("one request: there is nothing to run", is_stopped_after(1)),
    hint="This reply was cut off, so it has another `stop_reason`. Test whether there are results.",
)
def stops_at_once(loop_with_blank_4):
    text = [{"type": "text", "text": "I am"}]
    return ScriptedRun(loop_with_blank_4, {"content": text, "stop_reason": "max_tokens"})


@RULES.add("Blank 5: all results of a reply go back in one message")
@why("The API rejects a history in which a call has no result in the next message.")
@hint("Again a message with the same two fields. Who answers the model?")
@hint("The role is the user's, and the content is a list that you already have.")
@case(wanted("the third message: user, with two tool_result blocks", has_one_message_of_results))
def results_go_back(loop_with_blank_5):
    return ScriptedRun(loop_with_blank_5, TWO_CALLS, "Done.")  # the model's two replies


@RULES.add("All together: the practice model refactors hello.py with it")
@why("This is already an agent. What follows makes it better at long jobs.")
@hint("The blanks pass one by one. What else have you changed in the loop?")
@case("a scene with three of three steps done", lambda got: got.steps_done == 3)
def together(agent_loop):
    scene = Scene(*[PracticePolicy()] * 30)
    return scene.perform(agent_loop, scene.workspace.tools())


@together.also
@case("assistant", hint="Append every reply to messages, also the last one.")
def last_turn(agent_loop):
    return ScriptedRun(agent_loop, "Hello.").messages[-1].get("role")


@together.also
@case(
    wanted("31 requests, and the tool runs 60 times", has_run_all),
    hint="Run each call once, send all results of a reply in one message, and do not limit the "
    "number of rounds.",
)
def long_run(agent_loop):
    return ScriptedRun(agent_loop, *[TWO_CALLS] * 30)


@together.also
@case(
    ("Be brief.", 8000, "practice", ["note"]),
    hint="Send all `**settings` and all `tools` with each request.",
)
def settings(agent_loop):
    sent = ScriptedRun(agent_loop, TWO_CALLS, system="Be brief.").requests[-1]
    tools = [tool["name"] for tool in sent.get("tools", [])]
    return sent.get("system"), sent["max_tokens"], sent["model"], tools


def check_loop(agent_loop: Any = None) -> Result:
    """Check the loop with the five blanks: pass the function.

    Each blank is tried separately, in a loop whose other blanks are filled in. A loop that is not
    built like the scaffold is tried as a whole. Only `messages` counts, not what the function
    returns or yields.
    """
    warm_up()
    blanks = find_blanks(agent_loop)
    if blanks == ["..."] * len(ANSWERS):
        return Result(EXERCISE, begun=False)
    names = {"agent_loop": agent_loop}
    for number in range(len(ANSWERS)):
        one = with_blank(number, blanks[number], agent_loop) if blanks else agent_loop
        names[f"loop_with_blank_{number + 1}"] = one
    return check(EXERCISE, names)


def with_blank(number: int, written: str, loop: Any) -> Callable[..., Any]:
    """Return the right loop with one blank as the learner wrote it."""
    blanks = [*ANSWERS[:number], written, *ANSWERS[number + 1 :]]
    names = dict(loop.__globals__)
    exec(fill(*blanks), names)  # the learner's expression, in our lines
    loop = names["agent_loop"]
    loop.written, loop.__name__ = written, f"loop_with_blank_{number + 1}"
    return loop


def find_blanks(loop: Any) -> list[str]:
    """Return the content of the five blanks; [] if the loop is not built like the scaffold."""
    with suppress(OSError, SyntaxError, TypeError, IndexError):
        written = ast.parse(textwrap.dedent(inspect.getsource(loop))).body[0]
        found = SCAFFOLD.fullmatch(ast.unparse(Tidier().visit(written)))
        return list(found.groups()) if found else []
    return []


class Tidier(ast.NodeTransformer):
    """Remove what makes no difference: docstrings, prints, yields and the returned value."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        source = ast.unparse(node.value)
        is_print = source.startswith("print(") and "call_tool" not in source
        is_said = is_print or isinstance(node.value, (ast.Constant, ast.Yield))
        return None if is_said else node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        return ast.Return()


EXERCISE = Exercise(
    order=1,
    name="loop",
    title="The loop by hand",
    notebook="s02_tool_use",
    check=check_loop,
    subjects=("agent_loop",),
    rules=RULES,
    after="You have written an agent.",
    further=Further(
        "What stops the loop if a model never stops asking for tools?",
        "Nothing. `while True` ends only when the model asks for no tool. With a real model you "
        "need a limit on the rounds, because every round costs money: `connect()` has one.",
    ),
    needs=("call_tool",),
    kind="def",
    advice=(
        "Replace the first `...`, run that cell, then run this check again: it tries each blank "
        "separately."
    ),
)
