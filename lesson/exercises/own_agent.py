"""The finale: an agent from nothing. It is tried on awkward conversations, and on the ten steps."""

import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..practice.policy.plan import Item, fill_fields
from ..practice.policy.practice_policy import PracticePolicy
from ..practice.policy.window import list_schema
from .checking.check import Subject, check
from .checking.expected import Expected
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why
from .scene import Scene, blocks_of, call, tell, warm_up

OWN_AGENT = r"""
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
ITEM = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "status": {"type": "string", "enum": list(MARKS)},
    },
    "required": ["text", "status"],
}
TODO = {
    "name": "todo",
    "description": "Write your plan, and keep it up to date: send the whole list each time.",
    "input_schema": {
        "type": "object",
        "properties": {"items": {"type": "array", "items": ITEM}},
        "required": ["items"],
    },
}
REMINDER = "<reminder>Update your todos.</reminder>"
AFTER = 3  # rounds


def check_list(items):
    if not isinstance(items, list):
        raise ValueError("items must be a list")
    for item in items:
        if not item.get("text") or item.get("status") not in MARKS:
            raise ValueError(f"an item needs a text and a status, and this has not: {item}")
    if [item["status"] for item in items].count("in_progress") > 1:
        raise ValueError("only one task can be in_progress at a time")


def agent(client, messages, workspace, **settings):
    plan = []

    def update(items):
        check_list(items)
        plan[:] = items
        return "\n".join(f"{MARKS[item['status']]} {item['text']}" for item in plan)

    tools = workspace.tools()
    dispatch = {tool.name: tool.run for tool in tools} | {"todo": update}
    specs = [tool.spec for tool in tools] + [TODO]
    rounds = 0  # without a todo call
    while True:
        reply = client.messages.create(messages=messages, tools=specs, **settings)
        content = [block for block in reply.content if block.type != "text" or block.text]
        if content:
            messages.append({"role": "assistant", "content": content})
        uses = [block for block in content if block.type == "tool_use"]
        if not uses:
            return
        results = []
        for use in uses:
            result = {"type": "tool_result", "tool_use_id": use.id}
            try:
                if reply.stop_reason == "max_tokens" and use is content[-1]:
                    raise ValueError("not run: your reply was cut off in this call")
                result["content"] = dispatch[use.name](**use.input)
            except Exception as problem:
                result |= {"content": f"Error: {problem!r}", "is_error": True}
            results.append(result)
        rounds = 0 if "todo" in [use.name for use in uses] else rounds + 1
        if rounds >= AFTER:
            texts = [results[-1]["content"], REMINDER]
            results[-1]["content"] = [{"type": "text", "text": text} for text in texts]
        messages.append({"role": "user", "content": results})
""".lstrip()
PACKAGE_PARTS = ("agentlib.loop", "agentlib.todo", "agentlib.nag")
TWO_READS = [call("read_file", path="hello.py"), call("read_file", path="hello.py")]
RULES = Rules()


def plan(*statuses: str) -> Callable[[Mapping[str, Any]], Any]:
    """A reply that writes a todo list, Step 1, Step 2, …, with the tool that the request has."""

    def reply(request: Mapping[str, Any]) -> Any:
        for tool in request.get("tools", ()):
            found = list_schema(tool["input_schema"])
            if found:
                name, schema = found
                whole = {**schema, "required": list(schema["properties"])}
                steps = [Item(f"Step {n}", None, status) for n, status in enumerate(statuses, 1)]
                items = [fill_fields(whole, n, step) for n, step in enumerate(steps, 1)]
                return [call(tool["name"], **{name: items})]
        return "I see no tool that takes a list of items with a status."

    return reply


def mark_reminders(scene: Scene) -> Iterator[str]:
    """For each turn of results: "R" for a reminder in its last result, "-" for none.

    A reminder is what a file's text has more than the file; "astray" is one that is elsewhere.
    """
    output = scene.workspace.read_file("hello.py")
    for message in scene.messages[1:]:
        blocks = blocks_of(message)
        results = [tell(block) for block in blocks if block.get("type") == "tool_result"]
        if message["role"] == "user" and results:
            is_astray = len(results) < len(blocks) or any(r != output for r in results[:-1])
            is_reminded = results[-1] != output and len(results) > 1
            yield "astray" if is_astray else ("R" if is_reminded else "-")


def is_reminding(marks: Any) -> bool:
    """Whether reminders are right in twelve rounds of work, then a list, then one more round."""
    *worked, listed, again = marks[1:]
    return "astray" not in marks and "R" in worked and listed == "-" and again == worked[0]


def explain_marks(marks: Any) -> str:
    """What is not right about the reminders, in a sentence."""
    if "astray" in marks:
        return "`astray` is a reminder that stands outside the last result of its turn."
    if "R" not in marks[1:]:
        return "Each - is a turn of results without a reminder."
    return "The last two are the round with the list, and one round of work after it."


def borrowed(agent: Any) -> list[str]:
    """What of the package's own loop, list and nag runs while an agent works, by name."""
    found: set[str] = set()

    def note(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_globals.get("__name__") in PACKAGE_PARTS:
            found.add(frame.f_code.co_qualname.split(".")[0])

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        with suppress(Exception):  # what does not work is told by the other rules
            Scene(plan("in_progress"), *[TWO_READS] * 12).perform(agent)
    finally:
        sys.setprofile(before)
    return sorted(found)


HANDLED = Expected(
    "first an error as a result, marked with is_error, then the text of hello.py",
    lambda c: len(c) == 2 and is_error(c[0]) and "def greet" in c[1],
)


def is_error(result: str) -> bool:
    """Whether a result is marked as an error, and says something."""
    return result.startswith("is_error: ") and len(result.split()) > 2


@RULES.add("It asks the model, and stops when the model asks for nothing")
@why("Every round costs money. A loop without an end pays for rounds that nobody wants.")
@hint("What is missing from a reply that only talks?")
@hint(
    "Call `client.messages.create(messages=messages, tools=…, **settings)`, and look for "
    "blocks of type tool_use in the reply. Where there are none, return."
)
@hint("`while True:`, ask, append the model's turn; `if not uses: return`.")
@case(1, reply="Hello.")
@case(
    1,
    reply={"content": [{"type": "text", "text": "I am"}], "stop_reason": "max_tokens"},
    hint="This reply was cut off while it talked. There is nothing to run, whatever its "
    "`stop_reason` says.",
)
def ends(agent, reply):
    return len(Scene(reply).perform(agent).requests)


@RULES.add("It runs the tool that the model asks for, and sends back what came")
@why("The model only asks. Nothing is read or written unless your loop does it.")
@hint("Which of the workspace's tools has the name that the block has?")
@hint("`tool.run(**block.input)`, and its output in a tool_result with the block's id.")
@hint('The results go back in one message with the role "user", right behind the model\'s turn.')
@case("one result, with the text of hello.py", lambda c: len(c) == 1 and "def greet" in c[0])
def acts(agent):
    return Scene([call("read_file", path="hello.py")]).perform(agent).results


@RULES.add("Two calls in one reply: both are run in their order, and each gets its own result")
@why("Models ask for several files at once. The API refuses a history with an unanswered call.")
@hint("Does your loop look at every block of the reply, or at one?")
@hint("Collect the results in a list, one for each tool_use, and append one message at the end.")
@hint("`tool_use_id` is the `id` of the very block that was run.")
@case(
    "two results: the words of write_file, then one, as the file has it",
    lambda c: len(c) == 2 and c[0].startswith("Wrote") and c[1].startswith("one"),
)
def two_calls(agent):
    write = call("write_file", path="new.txt", content="one")
    read = call("read_file", path="new.txt")
    return Scene([{"type": "text", "text": "Both."}, write, read]).perform(agent).results


@RULES.add("A tool that raises does not end the run: the model is told, and goes on")
@why("Wrong paths are common. A model that is told of its mistake can correct it.")
@hint("What happens in your loop when `tool.run` raises?")
@hint("Catch it around that one call, and make its words the result.")
@hint('`except Exception as problem:`, `"content": f"Error: {problem}"`, `"is_error": True`.')
@case(HANDLED, input={"path": "missing.txt"})
@case(
    HANDLED,
    input={"file": "hello.py"},
    hint="A wrong field is a TypeError of the call itself: it belongs inside the `try`, too.",
)
def raises(agent, input):
    wrong, right = call("read_file", **input), call("read_file", path="hello.py")
    return Scene([wrong], [right]).perform(agent).results


@RULES.add("A tool that does not exist is answered with an error, too")
@why("A model may call a tool that you never offered. That call needs a result, too.")
@hint("What does your loop do with a name that it cannot find?")
@hint("Look the tool up inside the `try`; a KeyError is a problem like any other.")
@hint("Say which tools there are: then the model can choose one.")
@case(HANDLED)
def unknown(agent):
    wrong, right = call("delete_file", path="hello.py"), call("read_file", path="hello.py")
    return Scene([wrong], [right]).perform(agent).results


@RULES.add("A call in which the reply was cut off is not run")
@why("With max_tokens in the middle of a call, half a file would be written over a whole one.")
@hint("What does `reply.stop_reason` say here, and what in an ordinary round with calls?")
@hint('With "max_tokens", the last block is not whole. If that is a call, do not run it.')
@hint("It still needs a result: an error that says so. Or leave the call out of the history.")
@case("whole")
def cut_off(agent):
    half = call("write_file", path="notes.txt", content="half of")
    whole = call("write_file", path="notes.txt", content="whole")
    scene = Scene([whole], {"content": [half], "stop_reason": "max_tokens"}).perform(agent)
    return scene.workspace.read_file("notes.txt")


@RULES.add("Whatever the model said last, the history can be sent again with a next prompt")
@why("A conversation goes on. One turn that the API does not take back, and it is lost.")
@hint("Read what the API says under Came: which message does it mean?")
@hint("A model may end with nothing at all. The API does not take back an empty turn or text.")
@hint("Append the model's turn only where something is in it, without its empty texts.")
@case("accepted", last="Done.")
@case("accepted", last={"content": [], "stop_reason": "end_turn"})
@case("accepted", last=[{"type": "text", "text": ""}])
@case(
    "accepted",
    last={"content": [call("read_file", path="hello.py")], "stop_reason": "max_tokens"},
    hint="A call that is not run needs a result all the same, or must not be in the history.",
)
def goes_on(agent, last):
    return Scene([call("read_file", path="hello.py")], last).perform(agent).ask_more()


@goes_on.also
@case(
    ["user", "assistant", "user", "assistant"],
    hint="The history is the list that your function was given: append to it, the last turn, too.",
)
def keeps_the_history(agent):
    messages = Scene([call("read_file", path="hello.py")], "Done.").perform(agent).messages
    return [message["role"] for message in messages]


@RULES.add(
    "It has a list of its own: a tool that takes items with a status, and returns them rendered"
)
@why("Without a plan in sight the practice model loses the thread after three of ten steps.")
@hint("Which tools go with each request? The four of the workspace, and one more.")
@hint(
    'Its schema has an array, whose items are objects with a "status" that is pending, '
    "in_progress or completed."
)
@hint(
    "What it returns is a text: a line for each item. It is kept between the rounds, so it is "
    "made before the loop begins."
)
@case(
    "one result, a text with Step 1 and Step 2 in it",
    lambda c: len(c) == 1 and not is_error(c[0]) and "Step 1" in c[0] and "Step 2" in c[0],
    lambda c: "" if c else "No tool of yours takes a list of items that have a status.",
)
def has_a_list(agent):
    return Scene(plan("in_progress", "pending")).perform(agent).results


@has_a_list.also
@case(
    "as the second result a text with Step 1, and without Step 2",
    lambda c: len(c) == 2 and "Step 1" in c[1] and "Step 2" not in c[1],
    hint="Each list takes the place of the one before.",
)
def replaces_the_list(agent):
    return Scene(plan("in_progress", "pending"), plan("completed")).perform(agent).results


@RULES.add("A list with two tasks in progress is refused, and nothing of it is kept")
@why("With two at once, the list does not say what is being done.")
@hint("Where does your list look at the items before it takes them?")
@hint("Count what is in progress, and raise a ValueError; your loop makes a result of it.")
@hint("Change the list only in the last line, when all has been looked at.")
@case(
    "an error as a result, marked with is_error, then a list with Step 1 alone",
    lambda c: len(c) == 2 and is_error(c[0]) and "Step 1" in c[1] and "Step 2" not in c[1],
)
def refuses(agent):
    return Scene(plan("in_progress", "in_progress"), plan("pending")).perform(agent).results


@RULES.add(
    "It reminds: after some rounds without its list, in the last result; a todo call stops it"
)
@why(
    "A list that has scrolled out of the model's sight does not help. Before the results the "
    "API refuses your words, and after them a model tends to end its turn. Inside one they are "
    "safe."
)
@hint("What do you count, and what sets the count back to 0?")
@hint("Count rounds, not calls, and look for a todo call among the names of the round.")
@hint(
    "The content of a tool_result may be a list of texts: the output, then the reminder. Put "
    "it into the last result before you append the message."
)
@case(
    "R (a reminder) in some of the twelve rounds of work, then - for the list, and the count "
    "from 0 again",
    is_reminding,
    explain_marks,
)
def reminds(agent):
    replies = [plan("in_progress"), *[TWO_READS] * 12, plan("completed"), TWO_READS]
    return list(mark_reminders(Scene(*replies).perform(agent)))


@RULES.add("All together: the ten steps, ten of ten")
@why("This is what it is for. The files say what was done, not the model.")
@hint("When does your first reminder come? The practice model sees 12 messages: six rounds.")
@hint("What does your reminder say? It must tell the model to update its todo list.")
@hint("After three rounds, in the last result: <reminder>Update your todos.</reminder>")
@case(10)
def ten_steps(agent):
    return Scene(*[PracticePolicy()] * 60, task="ten_steps").perform(agent).steps_done


@RULES.add("The loop, the list and the nag are your own")
@why(
    "You know what you have written. The package's parts do the same, and that is how you can "
    "tell that yours are right."
)
@hint("Put in your own from s02 and s03. `agentlib.tools` and the workspace may stay.")
@case(
    "nothing from agentlib.loop, agentlib.todo or agentlib.nag: []",
    lambda came: came == [],
    lambda came: f"This is the package's, and it works: {', '.join(came)}.",
)
def own(agent):
    return borrowed(agent)


FURTHER = Further(
    "What would you add first, before you let it work in a project of yours?",
    "A question before each command and each change (`connect().guard(tools)`), and a limit on "
    "rounds and tokens. An agent is a loop of sixty lines; most of what surrounds it in real ones "
    "is there so that one can leave it alone.",
)
AFTER = "This is an agent, and it is yours."


def check_agent(agent: Any = None, **settings: Any) -> Result:
    """How far an agent is: give it the function `agent(client, messages, workspace, **settings)`.

    It runs until the model asks for nothing, on a history that it appends to. It may return
    anything, or yield. `settings` are those of check.examine.
    """
    warm_up()
    subject = Subject("agent", RULES, AFTER, FURTHER, kind="def")
    limits = {"seconds": 30.0, "check_seconds": 150.0}
    return check(subject, {"agent": agent}, **limits | settings)
