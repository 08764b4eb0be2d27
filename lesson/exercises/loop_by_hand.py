"""The loop by hand: a scaffold with five blanks, each tried by itself."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agentlib.tools import Tool

from ..practice import PracticeModel
from ..practice.policy.tasks import load
from ..samples import sample
from .checking.check import Subject, check
from .checking.expected import Expected, message
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why
from .scene import ApiSaidError, Scene, blocks_of, call, exhaust, warm_up

LOOP_SCAFFOLD = """\
from agentlib.tools import call_tool


def agent_loop(client, messages, tools, **settings):
    while True:
        reply = client.messages.create(
            messages=messages, tools=[tool.spec for tool in tools], **settings
        )
        messages.append(...)  # 1. the model's turn
        results = []
        for block in reply.content:
            if block.type == ...:  # 2. what asks for a tool
                call = call_tool({tool.name: tool for tool in tools}, block.name, block.input)
                results.append(
                    {
                        "type": "tool_result",
                        "tool_use_id": ...,  # 3. the call that it answers
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
    """The scaffold with these in its blanks."""
    pairs = zip(blanks, PIECES[1:], strict=True)
    return PIECES[0] + "".join(blank + piece for blank, piece in pairs)


LOOP_SOLUTION = fill(*ANSWERS)


class Rehearsal:
    """What comes of a scene that a loop plays with one tool, `note(text)`.

    `noted` are the texts that the tool got. Whatever the loop raises is kept in `scene.problem`.
    """

    def __init__(self, loop: Callable[..., Any], *replies: Any) -> None:
        self.noted: list[str] = []
        self.written = getattr(loop, "written", "")
        self.scene = Scene(*replies)
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        with suppress(Exception):
            self.scene.perform(loop, [Tool("note", "Note a text.", schema, self._note)])

    def _note(self, text: str) -> str:
        self.noted.append(text)
        return f"noted {text}"

    @property
    def messages(self) -> list[Any]:
        """The history; padded, so that a message which is missing is an empty one."""
        return self.scene.messages + [{}] * 5

    def find(self, kind: str) -> list[dict[str, Any]]:
        """Every block of this type in the history."""
        blocks = [block for message in self.scene.messages for block in blocks_of(message)]
        return [block for block in blocks if block.get("type") == kind]

    @property
    def requests(self) -> int:
        """How many requests reached the API."""
        return len(self.scene.requests)

    def __repr__(self) -> str:
        lines = [f"The tool got {self.noted}. Requests: {self.requests}. The messages:"]
        lines.append(self.scene.turns)
        problem = self.scene.problem
        if isinstance(problem, ApiSaidError):
            lines.append(f"The API said {message(problem)}")
        elif problem is not None:
            lines.append(f"{type(problem).__name__}: {message(problem)}")
        return "\n".join(lines)


def wanted(words: str, test: Callable[[Rehearsal], Any]) -> Expected:
    """What a Rehearsal must show. Of a blank that is still `...` it is said that this is fine."""

    def is_right(came: Any) -> bool:
        return came.written != "..." and bool(test(came))

    def explain(came: Any) -> str:
        if not isinstance(came, Rehearsal):
            return ""
        if came.written == "..." or ... in came.scene.messages:
            return "There is still a `...` there: nothing yet, and that is fine."
        if came.written:
            return f"You wrote `{came.written}`; the other blanks were filled in for this trial."
        return ""

    return Expected(words, is_right, explain)


TWO_CALLS = [call("note", text="one"), call("note", text="two")]


def has_both_calls(came: Rehearsal) -> bool:
    """Whether the second message is the model's turn, whole."""
    turn = came.messages[1]
    uses = [block for block in blocks_of(turn) if block.get("type") == "tool_use"]
    return turn.get("role") == "assistant" and len(uses) == 2


def has_its_ids(came: Rehearsal) -> bool:
    """Whether each result carries the id of its call; of a whole loop, each that is in sight."""
    results = {result.get("tool_use_id"): result for result in came.find("tool_result")}
    sent = came.scene.requests[-1]["messages"]
    blocks = [block for message in sent for block in blocks_of(message)]
    ids = [block["id"] for block in blocks if block.get("type") == "tool_use"]
    return list(results) == ids if results else not came.written


def has_one_turn_of_results(came: Rehearsal) -> bool:
    """Whether the third message is the user's, with one result for each call, and nothing else."""
    kinds = [block.get("type") for block in blocks_of(came.messages[2])]
    return came.messages[2].get("role") == "user" and kinds == ["tool_result"] * 2


def is_stopped_after(requests: int) -> Callable[[Rehearsal], bool]:
    """A test whether the loop asked so often. A whole loop may have ended for another reason."""
    return lambda came: (
        came.requests == requests
        or bool(not came.written and came.scene.problem and came.requests < requests)
    )


@RULES.add("Blank 1: the model's turn goes into messages")
@why("The API remembers nothing. A result without the call that it answers is refused.")
@hint("A message has two fields: who speaks, and what is said.")
@hint("The speaker is not you: its role is the model's, and what it said is in the reply.")
@hint('A dict with "role" and "content"; the content is the whole `reply.content`.')
@case(wanted("the second message: assistant, with its two tool_use blocks", has_both_calls))
def models_turn(loop_with_blank_1):
    return Rehearsal(loop_with_blank_1, TWO_CALLS, "Done.")


@RULES.add("Blank 2: each block that asks for a tool, and no other, has its tool run")
@why("A reply has words and calls in any order. Words have no name and no input to run.")
@hint("Print `block.type` for the blocks of a reply: which of them asks for something?")
@hint("It is a text, in quotes. You have seen it as a `stop_reason`, too.")
@case(wanted("the tool runs twice, with 'one', then 'two'", lambda c: c.noted == ["one", "two"]))
def asks_for_a_tool(loop_with_blank_2):
    return Rehearsal(loop_with_blank_2, [{"type": "text", "text": "I see."}, *TWO_CALLS], "Done.")


@RULES.add("Blank 3: each result carries the id of the call that it answers")
@why("With two calls in one turn, the id alone says which result belongs to which.")
@hint("The API gives each call an id. In what the model sent, where does it stand?")
@hint("Not in the reply, and not in `call`, which is yours: in the block.")
@case(wanted("two results, with the ids of the two calls, in their order", has_its_ids))
def ids(loop_with_blank_3):
    return Rehearsal(loop_with_blank_3, TWO_CALLS, "Done.")


@RULES.add("Blank 4: it stops when the model asked for no tool, and not before")
@why("Stop too early, and a call has no answer. Never stop, and the API refuses an empty turn.")
@hint("What is in `results` after a reply that only talks?")
@hint("An empty list is false in Python, and `not` turns that around.")
@case(wanted("two requests: one for the calls, one for the end", is_stopped_after(2)))
def stops(loop_with_blank_4):
    return Rehearsal(loop_with_blank_4, TWO_CALLS, "Done.")


@stops.also
@case(wanted("one request: there is nothing to run", is_stopped_after(1)), reply="Hello.")
@case(
    wanted("one request: there is nothing to run", is_stopped_after(1)),
    reply={"content": [{"type": "text", "text": "I am"}], "stop_reason": "max_tokens"},
    hint="This reply was cut off, so its `stop_reason` is another. Ask what there was to run.",
)
def stops_at_once(loop_with_blank_4, reply):
    return Rehearsal(loop_with_blank_4, reply)


@RULES.add("Blank 5: all results of a turn go back in one message")
@why(
    "Without them the model waits for an answer: the API refuses a history in which a call has "
    "no result right behind it."
)
@hint("Again a message, with the same two fields. Who answers the model?")
@hint("What is not the model's is the user's, and the content is a list that you already have.")
@case(wanted("the third message: user, with two tool_result blocks", has_one_turn_of_results))
def results_go_back(loop_with_blank_5):
    return Rehearsal(loop_with_blank_5, TWO_CALLS, "Done.")


@RULES.add("All together: the practice model refactors hello.py with it")
@why("This is already an agent. What follows makes it better at long jobs.")
@hint("Each blank by itself is right. Look at what else you have changed in the loop.")
@case(["Add type hints", "Add docstrings", "Add a main guard, and run it"])
def together(agent_loop):
    workspace, job = sample("hello"), load("hello")
    messages = [{"role": "user", "content": job.prompt}]
    settings = {"model": "practice", "max_tokens": 8000}
    exhaust(agent_loop(PracticeModel().client(), messages, workspace.tools(), **settings))
    return [step.text for step in job.steps if step.is_done(workspace.root)]


FURTHER = Further(
    "Where does the loop stop a model that asks for a tool for ever?",
    "It does not. `while True` ends only when the model wants nothing more. With a real model a "
    "limit on the rounds belongs there: `connect()` has one, because every round costs money.",
)
AFTER = "You have written an agent."


def check_loop(agent_loop: Any = None, **settings: Any) -> Result:
    """How far the loop with the five blanks is: give it the function.

    Each blank is tried by itself, in a loop whose other blanks are filled in. A loop that is not
    built as the scaffold is tried as a whole. Only what is in `messages` counts, not what the
    function returns or yields. `settings` are those of check.examine.
    """
    warm_up()
    blanks = find_blanks(agent_loop)
    if blanks == ["..."] * len(ANSWERS):
        note = (
            "agent_loop: nothing there yet, and that is fine. Put something in place of the first "
            "`...`, run that cell, then the check again: it tries each blank by itself."
        )
        return Result("agent_loop", RULES, begun=False, note=note)
    names = {"agent_loop": agent_loop}
    for number in range(len(ANSWERS)):
        one = with_blank(number, blanks[number], agent_loop) if blanks else agent_loop
        names[f"loop_with_blank_{number + 1}"] = one
    return check(Subject("agent_loop", RULES, AFTER, FURTHER, kind="def"), names, **settings)


def with_blank(number: int, written: str, loop: Any) -> Callable[..., Any]:
    """The right loop, except that one blank has what the learner has written there."""
    blanks = [*ANSWERS[:number], written, *ANSWERS[number + 1 :]]
    names = dict(loop.__globals__)
    exec(fill(*blanks), names)  # the learner's own expression, in our lines
    names["agent_loop"].written = written
    return names["agent_loop"]


def find_blanks(loop: Any) -> list[str]:
    """What stands in each of the five blanks; empty where the loop is not built as the scaffold."""
    with suppress(OSError, SyntaxError, TypeError, IndexError):
        written = ast.parse(textwrap.dedent(inspect.getsource(loop))).body[0]
        found = SCAFFOLD.fullmatch(ast.unparse(Tidier().visit(written)))
        return list(found.groups()) if found else []
    return []


class Tidier(ast.NodeTransformer):
    """Takes away what makes no difference: what is only said, and what is returned."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_print = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "print"
        is_said = is_print or isinstance(node.value, (ast.Constant, ast.Yield))
        return None if is_said else node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        return ast.Return()
