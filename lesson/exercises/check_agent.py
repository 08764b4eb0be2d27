"""The exercise "An agent from nothing": tried on difficult conversations and on the ten steps."""

import re
import sys
import types
from contextlib import suppress
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

from agentlib.nag import REMINDER

from ..at_the_stop import MAX_QUESTIONS
from ..message_blocks import blocks_of
from ..practice.policy.next_reply import PracticePolicy
from .checking import case, check, exercise, explain_upto, hint, rule, why
from .checking.expected import Expected, explain_delay, is_message
from .checking.explain_run import NOT_ASKED, NOT_NAMED, explain_arguments, explain_empty
from .checking.likely_causes import ACCEPTED
from .checking.rule import LONG_CASE_SECONDS
from .scene import MISSING, SAID, STOPS, THOUGHT, Scene, call, find_steps, needs_notes, plan

PACKAGE_PARTS = ("agentlib.loop", "agentlib.todo", "agentlib.nag")
PUBLIC_NAMES = {"Nag", "TodoManager", "rounds", "run"}
FIRST, SECOND = TWO_READS = [call("read_file", path=path) for path in ("hello.py", "./hello.py")]
# Two files of the shop by four paths each: rounds of work without equal calls.
SHOP = ("books.py", "pricing.py") * 4
READS = [call("read_file", path="./" * number + name) for number, name in enumerate(SHOP)]
WORK = [READS[:2], READS[2:4], READS[4:6]]
ADDS_A_LINE = call("edit_file", path="hello.py", old_text="people =", new_text="# Hi\npeople =")
WRITES = call("write_file", path="notes.txt", content="whole")
HALF = call("write_file", path="notes.txt", content="half of")
NO_TEXT = {"type": "text", "text": ""}

NO_LIST = "Your agent sends no tool named todo that takes `items`."
EMPTY_LIST = "Is the list kept? `plan = items` makes a new local name, `plan[:] = items` fills it."
NOT_SHOWN = (
    "The reminder does not contain the list. If your code adds it: is the list kept? "
    "`plan = items` makes a new local name, `plan[:] = items` fills the old one."
)
NOT_MARKED = 'The model is not told that this is an error: add `"is_error": True` to the result.'
NO_WORDS = (
    "The model cannot read what went wrong: put the exception's message into the `content` of the "
    'result, as in `f"Error: {problem!r}"`.'
)
AN_ERROR = "No call is wrong. Do you compare the name and the input of three calls in a row?"
NO_TOOL = (
    "This is a method of the workspace, not a tool. Look for the name only among the tools that "
    "you offer: a model can write any name, and also one that runs commands without a question."
)
OUTSIDE = "Put the reminder into the content of the last tool_result, before you append it."
NO_OUTPUT = "Keep the output of the last result, and put the reminder after it."
WRONG = {"an error": AN_ERROR, "text outside": OUTSIDE, "no output": NO_OUTPUT}  # by their marks


def mark_reminders(scene: Scene) -> list[str]:
    """Return a mark for each message with results.

    "R" is a message whose last result has a reminder, "-" one without; other marks are in WRONG.
    The calls read files, so more than a file's text is a reminder.
    """
    if scene.questions:
        return ["text outside"]
    blocks = [block for message in scene.messages for block in blocks_of(message)]
    calls = iter([block["input"] for block in blocks if block["type"] == "tool_use"])
    marks = []
    for results in scene.answers:
        paths = [next(calls).get("path") for _ in results]
        outputs = [path and scene.workspace.read_file(path) for path in paths]
        if any(result.startswith("is_error: ") for result in results):
            marks.append("an error")
        elif results[:-1] != outputs[:-1]:
            marks.append("text outside")
        elif outputs[-1] and not results[-1].startswith(outputs[-1]):
            marks.append("no output")
        else:
            marks.append("R" if outputs[-1] not in (None, results[-1]) else "-")
    return marks


def list_borrowed(agent: Any) -> list[str]:
    """Return which parts of the package's loop, list and nag run while an agent works."""
    found: set[str] = set()

    def note(frame: types.FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_qualname.split(".")[0]
        if event == "call" and frame.f_globals.get("__name__") in PACKAGE_PARTS:
            found.update({name} & PUBLIC_NAMES)

    sys.setprofile(note)
    try:
        with suppress(Exception):  # the other rules report what does not work
            Scene(plan("in_progress"), *WORK * 4, job="ten_steps").perform(agent)
    finally:
        sys.setprofile(None)
    return sorted(found)


def is_error(result: str) -> bool:
    """Return whether a result is marked as an error and has a message that says something."""
    return result.startswith("is_error: ") and is_message(result.removeprefix("is_error: "))


def find_errors(got: Scene) -> list[bool]:
    """Return for each result whether it is an error."""
    return [is_error(result) for result in got.results]


def explain_error(got: Scene) -> str:
    if got.results and find_steps(got.results[0]):
        return ACCEPTED
    is_sent = got.results and got.results[0] != "nothing" and len(got.requests) > 1
    if not is_sent or is_error(got.results[0]):
        return ""
    return NO_WORDS if got.results[0].startswith("is_error: ") else NOT_MARKED


def explain_list(got: Scene) -> str:
    if got.problem is not None:
        return ""
    if not got.results:
        return NO_LIST
    is_known = is_error(got.results[0]) or "Step" in got.results[0] or got.results[0] == "None"
    return "" if is_known else EMPTY_LIST


def find_errors_first(got: Scene) -> bool:
    """Return whether the first result is an error, and the second is the text of hello.py."""
    return find_errors(got) == [True, False] and "def greet" in got.results[1]


HANDLED = Expected(
    "first an error, marked with is_error, then the text of hello.py",
    find_errors_first,
    explain_error,
)
NOT_CALLED = Expected(HANDLED.words, find_errors_first, lambda got: NO_TOOL)


def tells(*words: str) -> Expected:
    """Expect what HANDLED expects, with one of these words of the exception in the error."""

    def says_it(got: Scene) -> bool:
        return any(re.search(rf"\b{re.escape(one)}\b", got.results[0]) for one in words)

    def explain(got: Scene) -> str:
        is_told = not is_error(got.results[0]) or says_it(got)
        return explain_error(got) if is_told else NO_WORDS

    return Expected(
        f"first an error, marked with is_error, whose message contains "
        f"{' or '.join(map(repr, words))}, then the text of hello.py",
        lambda got: find_errors_first(got) and says_it(got),
        explain,
    )


def marks(*wanted: str) -> Expected:
    """Expect these marks of a run's messages: "R" with a reminder, "-" without."""
    return Expected(
        f"{list(wanted)}: R is a message with a reminder",
        lambda got: got == list(wanted),
        lambda got: next(filter(None, map(WRONG.get, got)), explain_delay(got, wanted)),
    )


EMPTY_TEXT = "The history has an empty text block: leave it out when you append the reply."
NO_RESULT = "The history has a call without a result: send an error for it, or leave the call out."


def explain_history(got: Scene) -> str:
    """Say why the API does not accept a history, or ""."""
    if got.has_empty_message:
        return explain_empty(got)
    *_, before, last = [{"content": "-"}, *got.messages]
    for message in (before, last):
        if any(block["type"] == "text" and not block["text"] for block in blocks_of(message)):
            return EMPTY_TEXT
    has_calls = any(block["type"] == "tool_use" for block in blocks_of(last))
    return NO_RESULT if has_calls else ""


def continues(*requests: int) -> Expected:
    """Expect one of these numbers of requests, and that the API accepts a next prompt."""
    return Expected(
        f"{' or '.join(map(str, requests))} requests, and the API accepts the next prompt",
        lambda got: len(got.requests) in requests and got.ask_more() == "accepted",
        explain_history,
    )


@rule("It asks the model, and stops when the reply has no tool call")
@why("Every round costs money. A loop that does not stop pays for rounds that no one needs.")
@hint("What is missing from a reply that has only text?")
@hint("Collect the blocks whose type is tool_use. If there are none, return.")
@hint("`while True:`, ask, append the reply; `if not uses: return`.")
@case("one request", lambda got: len(got.requests) == 1)
@case(
    "a request with all settings",
    lambda got: not explain_arguments(got),
    system="Be brief.",
    hint="`**settings` may contain more than model and max_tokens: pass all of them on.",
)
def ends(agent, **settings):
    return Scene("Hello.", **settings).play(agent)


@rule("It appends each reply, runs the tool that the model asks for, and sends back the result")
@why("The model only asks. Your loop reads and writes the files.")
@hint("Which of the workspace's tools has the same name as the block?")
@hint("Call `tool.run(**block.input)`, and put its output into a tool_result with the block's id.")
@hint('The results go back in one message with the role "user", right after the reply.')
@case(
    "one result, with the text of hello.py",
    lambda got: len(got.results) == 1 and "def greet" in got.results[0],
    replies=[[FIRST]],
)
@case(
    "three requests",
    lambda got: len(got.requests) == 3,
    replies=[[FIRST, SAID], [SAID, SECOND]],
    hint="Only calls count, not the text next to them: the third reply ends the run.",
)
@case(
    "four messages: user, assistant, user, assistant",
    lambda got: [message["role"] for message in got.messages] == ["user", "assistant"] * 2,
    replies=[[FIRST], "Done."],
    hint="Append every message to the list that your function was given, also the last reply.",
)
def acts(agent, replies):
    return Scene(*replies).play(agent)


@rule("Two calls in one reply: it runs both in order, and sends both results in one message")
@why("Models ask for several files at once. The API rejects a call without a result.")
@hint("Does your loop look at every block of the reply?")
@hint("Collect the results in a list, one for each tool_use, and append one message at the end.")
@hint("`tool_use_id` is the `id` of the block that was run.")
@case(
    "one message with two results: that of write_file, then the content of the file, whole",
    lambda got: [[one.split()[0] for one in turn] for turn in got.answers] == [["Wrote", "whole"]],
    reply=[SAID, WRITES, call("read_file", path="notes.txt")],
)
@case(
    "the thinking block, unchanged and first in the second message, and two results",
    lambda got: len(got.results) == 2 and THOUGHT.items() <= blocks_of(got.messages[1])[0].items(),
    reply=[THOUGHT, *TWO_READS],
    hint='Send blocks of other types back unchanged, and run only those whose type is "tool_use".',
)
def two_calls(agent, reply):
    return Scene(reply).play(agent)


@rule("If a tool raises, the model gets an error, and the run continues")
@why("Wrong paths are common. A model that reads the error can correct its call.")
@hint("What does your loop do when `tool.run` raises?")
@hint("Catch the exception of that one call, and send its message as the result.")
@hint('`except Exception as problem:`, `"content": f"Error: {problem}"`, `"is_error": True`.')
@case(tells("missing.txt"), wrong=call("read_file", path="missing.txt"))
@case(
    tells("file", "path"),
    wrong=call("read_file", file="hello.py"),
    hint="A wrong field raises a TypeError in the call itself: put the call inside the `try`.",
)
def raises(agent, wrong):
    return Scene([wrong], [FIRST]).play(agent)


@rule("If a tool does not exist, the model gets an error")
@why("A model may call a tool that you did not offer. This call also needs a result.")
@hint("What does your loop do with a name that it cannot find?")
@hint("Look the tool up inside the `try`: then a KeyError is handled like any other exception.")
@hint("List the existing tools in the message, so that the model can choose one.")
@case(HANDLED, wrong=call("delete_file", path="hello.py"))
@case(NOT_CALLED, wrong=call("run_command", command="ls"))
def unknown(agent, wrong):
    return Scene([wrong], [FIRST]).play(agent)


@unknown.also
@case(NOT_CALLED)
def begins_elsewhere(agent):
    with TemporaryDirectory() as folder:
        return Scene([call("__init__", root=folder)], [FIRST]).play(agent)


@rule("It has its own list: a tool that takes items with a status, and returns them as text")
@why("Without a plan in its window, the practice model drifts after three of ten steps.")
@hint("Which tools go with each request? The workspace's four, and one more.")
@hint('Its schema has an array of objects with a "status": pending, in_progress or completed.')
@hint("It returns a line for each item. Create the list before the loop, for the whole run.")
@case(
    Expected(
        "one result, a string with Step 1 and Step 2 in it",
        lambda got: [find_steps(one) for one in got.results] == ["12"],
        explain_list,
    ),
    replies=[plan("in_progress", "pending")],
)
@case(
    "the second message: one call, of todo",
    lambda got: [b["name"] for b in blocks_of(got.messages[1]) if "name" in b] == ["todo"],
    replies=[PracticePolicy()],
    hint="The model knows only your schema: an array `items` of objects with `text` and `status`.",
)
@case(
    "the second result: a string with Step 1 and without Step 2",
    lambda got: [find_steps(one) for one in got.results] == ["12", "1"],
    replies=[plan("in_progress", "pending"), plan("completed")],
    hint="Each list replaces the one before.",
)
def has_a_list(agent, replies):
    return Scene(*replies, job="ten_steps").play(agent)


@has_a_list.also
@case([], hint="`required` lists the names of properties: the model must be able to send them.")
def requires_what_exists(agent):
    schemas = [tool["input_schema"] for tool in Scene("Done.").perform(agent).requests[0]["tools"]]
    names = [(name, one["properties"]) for one in schemas for name in one.get("required", ())]
    return [name for name, properties in names if name not in properties]


@rule("It rejects a list with two tasks in progress")
@why("With two, the list does not show which task the model is working on.")
@hint("Where does your list check the items before it stores them?")
@hint("Count the items in progress, and raise a ValueError; your loop makes an error result of it.")
@hint("Store the list in the last line, after all checks.")
@case(
    Expected(
        "an error, marked with is_error, then a list with Step 1 and without Step 2",
        lambda got: is_error(got.results[0]) and find_steps(got.results[1]) == "1",
        explain_error,
    ),
    tasks=2,
)
@case(
    "an error, marked with is_error",
    lambda got: is_error(got.results[0]),
    tasks=3,
    hint="Three in progress are also more than one: `> 1`.",
)
def rejects(agent, tasks):
    return Scene(plan(*["in_progress"] * tasks), plan("pending")).play(agent)


@rule(
    "It reminds: from the third round without a todo call, inside the last result; a todo call "
    "starts the count again"
)
@why(
    "A list outside the model's window does not help. The API rejects your text before the "
    "results; after them, a model tends to end its turn. Inside a result it works."
)
@hint("What do you count, and what sets the count back to 0?")
@hint("Count rounds, not calls, and look for a todo call among the names of the round.")
@hint("The content of a result may be a list of two text blocks: the output, then the reminder.")
@case(marks("-", "-", "R", "R", "-"), after=3, replies=[*WORK, READS[6:], plan("in_progress")])
@case(
    marks("-", "-", "-", "R", "-", "-", "-", "R"),
    after=3,
    replies=[plan("in_progress"), *WORK, plan("completed"), *WORK],
)
@case(
    marks("-", "R"),
    after=2,
    replies=WORK[:2],
    hint="The argument `after` says how many rounds, not the number 3.",
)
def reminds(agent, after, replies):
    return mark_reminders(Scene(*replies, job="ten_steps", after=after).perform(agent))


@reminds.also
@case(
    "no reminder in any round",
    lambda got: [got.results[last] == got.results[1] for last in (3, 6, 10)] == [True] * 3,
    hint="Look for a todo call among all calls of a round.",
)
def starts_again(agent):
    def read_plan_read(request):
        """read_file, todo and read_file, in one reply"""
        return [READS[6], *plan("in_progress")(request), READS[7]]

    return Scene(*WORK[:2], read_plan_read, *WORK[:2], job="ten_steps").play(agent)


@reminds.also
@case(
    "no reminder before the third round, and no Step 1 in it",
    lambda got: got == (["-", "-", "R"], False),
    lambda got: "" if "R" in got[0] else "The default of `after` is 3.",
    hint="Each run counts from 0, and has an empty list: create both inside your function.",
)
def begins_anew(agent):
    Scene(plan("pending"), TWO_READS).perform(agent)
    scene = Scene(*WORK, job="ten_steps").perform(agent)
    return mark_reminders(scene), "Step 1" in scene.results[-1]


@rule("The reminder shows the list as it is now")
@why("A list outside the model's window does not help. The reminder puts it back.")
@hint("What does the model see of its plan when the reminder arrives?")
@hint("Add the list to the reminder, as your `todo` tool returns it. Is it stored at all?")
@case(
    "a reminder with Step 1 and Step 2",
    lambda got: find_steps(got) == "12",
    lambda got: "" if "Step" in got else NOT_SHOWN,
    replies=[plan("in_progress", "pending"), *WORK],
)
@case(
    "a reminder with Step 1, Step 2 and Step 3",
    lambda got: find_steps(got) == "123",
    replies=[plan("completed", "in_progress", "pending"), *WORK],
    hint="The whole list goes into the reminder, also what is completed.",
)
@case(
    "a reminder with Step 1 and without Step 2",
    lambda got: find_steps(got) == "1",
    replies=[plan("pending"), plan("in_progress", "in_progress"), *WORK],
    hint="After a rejected list, the old one is still the list.",
)
def shows_the_list(agent, replies):
    scene = Scene(*replies, job="ten_steps").perform(agent)
    return scene.results[-1].removeprefix(scene.workspace.read_file("pricing.py"))


def explain_no_question(got: Scene) -> str:
    if got.problem is not None or got.has_empty_message or len(got.questions) > 1:
        return ""
    return NOT_NAMED if got.questions else NOT_ASKED


@rule("It asks at the stop: it calls `missing`, and says by name what is missing")
@why("A model may stop too early, or only say that it is done. The files show what was done.")
@hint("Where does your loop end? What does it look at just before?")
@hint("If `missing(workspace)` returns something, append one user message with all of it.")
@hint("The argument has a default: `def nothing_missing(workspace): return []`.")
@case(
    f"one question, with all of {list(MISSING)}",
    lambda got: [all(name in one for name in MISSING) for one in got.questions] == [True],
    explain_no_question,
    replies=["Done.", [WRITES], "Done."],
    missing=needs_notes,
)
@case(
    "no question",
    lambda got: not got.questions,
    replies=["Done."],
    hint="If nothing is missing, ask nothing.",
)
@case(
    f"{MAX_QUESTIONS} questions",
    lambda got: len(got.questions) == MAX_QUESTIONS,
    replies=STOPS,
    missing=needs_notes,
    hint="Name all that is missing, and limit the questions: a model may never do it.",
)
def asks(agent, replies, **settings):
    return Scene(*replies, **settings).play(agent)


@rule("All together: ten of ten steps")
@why("This is the purpose of list and nag. The files show what was done; a report may not.")
@hint("When is your first reminder? The practice model's window is 12 messages: six rounds.")
@hint("What does your reminder say? It must tell the model to update its todo list.")
@hint(f"After three rounds, in the last result: <reminder>{REMINDER} …</reminder>")
@case("ten of ten steps are done", lambda got: got.steps_done == 10, seconds=LONG_CASE_SECONDS)
def ten_steps(agent):
    return Scene(*[PracticePolicy()] * 60, job="ten_steps").play(agent)


@rule("The loop, the list and the nag are your own")
@why("You know what you have written. The package's parts do the same, so you can compare them.")
@hint("Which names of the package does your code use?")
@hint("Use your own code from s02 and s03. `agentlib.tools` and the workspace are allowed.")
@case(
    "nothing from agentlib.loop, agentlib.todo or agentlib.nag: []",
    lambda got: got == [],
    lambda got: f"This is from the package, and it works: {', '.join(got)}.",
)
def own(agent):
    return list_borrowed(agent)


@rule("It does not run the third equal call in a row: the model gets an error")
@why("Some models repeat one call for ever. An error result tells them to do something else.")
@hint("What do you have to remember of each call, and for how long?")
@hint("Keep a list of all calls, each as its name and its input. Are the last three equal?")
@hint("Raise in the `try` around the tool: your loop makes an error result of it.")
@case(
    "four results: Edited, Edited, an error, and the file with two new lines",
    lambda got: find_errors(got)[:3] == [False, False, True] and got.results[3].count("# Hi") == 2,
    replies=[[ADDS_A_LINE]] * 3 + [[FIRST]],
)
@case(
    "six results: Edited, Edited, three errors, and the file with two new lines",
    lambda got: (
        find_errors(got)[:5] == [False] * 2 + [True] * 3 and got.results[5].count("# Hi") == 2
    ),
    replies=[[ADDS_A_LINE]] * 5 + [[FIRST]],
    hint="The fourth equal call is also one too many: compare it with the two calls before it.",
)
@case(
    "four results, none of them an error",
    lambda got: find_errors(got) == [False] * 4,
    replies=[[FIRST], TWO_READS, [FIRST]],
    hint="Another call in between starts the count again, also one with other input.",
)
def repeats(agent, replies):
    return Scene(*replies).play(agent)


@repeats.also
@case(
    "two results, none of them an error",
    lambda got: find_errors(got) == [False] * 2,
    hint="Each run has its own calls: create the list of calls inside your function.",
)
def repeats_in_another_run(agent):
    Scene([FIRST], [FIRST]).perform(agent)
    return Scene([FIRST], [FIRST]).play(agent)


KEEPS_THE_FILE = Expected(
    "notes.txt contains 'whole'", lambda got: got.workspace.read_file("notes.txt") == "whole"
)


@rule("It does not run a call that was cut off")
@why("After max_tokens in the middle of a call, half a file could overwrite a complete one.")
@hint("What is `reply.stop_reason` here, and what is it in other rounds with calls?")
@hint('With "max_tokens", the last block is incomplete. If it is a call, do not run it.')
@hint("It still needs a result: an error message. Or leave the call out of the history.")
@case(KEEPS_THE_FILE, replies=[[WRITES], {"content": [HALF], "stop_reason": "max_tokens"}])
@case(
    KEEPS_THE_FILE,
    replies=[{"content": [WRITES, HALF], "stop_reason": "max_tokens"}],
    hint="Only the last call is cut off. Those before it are complete, so run them.",
)
def cut_off(agent, replies):
    return Scene(*replies).play(agent)


@rule("Whatever the last reply was, the API accepts the history with a next prompt")
@why("After one message that the API rejects, the conversation cannot continue.")
@hint("Read the API's message under Got. Which message does it mean?")
@hint("The last reply may be empty. The API accepts no empty message and no empty text block.")
@hint("Remove empty text blocks from the reply. Append it only if a block remains.")
@case(continues(3), last=[NO_TEXT, SECOND], hint="Leave out an empty text next to a call.")
@case(continues(2), last={"content": [], "stop_reason": "end_turn"})
@case(continues(2), last=[NO_TEXT])
@case(
    continues(2, 3),
    last={"content": [SECOND], "stop_reason": "max_tokens"},
    hint="A call that is not run needs a result, or must not be in the history.",
)
@case(
    continues(2),
    last={"content": [SAID], "stop_reason": "max_tokens"},
    hint="This reply was cut off in its text. It has no call, whatever its `stop_reason` is.",
)
def goes_on(agent, last):
    return Scene([FIRST], last).play(agent)


@goes_on.also
@case(
    "one question after the empty reply, and then the file notes.txt",
    lambda got: len(got.questions) == 1 and got.workspace.read_file("notes.txt") == "whole",
    hint="An empty reply has no call, so it is a stop like any other: ask `missing` there as well.",
)
def asks_after_an_empty_reply(agent):
    empty = {"content": [], "stop_reason": "end_turn"}
    return Scene([FIRST], empty, [WRITES], "Done.", missing=needs_notes).play(agent)


# The last rule of each part, counted from 1. The difficult replies are the last part.
PARTS = (3, 5, 7, 9, 12, 15)
REQUIRED = 5  # parts: the difficult replies are an exercise that can be left out


@exercise(
    order=13,
    title="An agent from nothing",
    notebook="s08_your_agent",
    kind="function",
    after="This is an agent, and you have written all of it.",
    question="What would you add before you let it work in your own project?",
    answer="A question before each command and each change (`model.guard(tools)`), and a limit on "
    "rounds and tokens. An agent is a loop of eighty lines. What a real agent adds can let it "
    "work without supervision.",
)
def check_agent(agent=None, upto=REQUIRED):
    """Check an agent, the function, up to this part of the task: 1 to 6.

    It is called as `agent(client, messages, workspace, after=3, missing=…, **settings)`, and
    appends to `messages` until the model asks for no tool and nothing is missing. It may return
    anything, or yield. By default, all parts but the last are checked, the difficult replies.
    """
    exercise = check_agent.exercise
    if not isinstance(upto, int):
        return explain_upto(exercise, upto, len(PARTS))
    part = min(max(upto, 1), len(PARTS))
    facts = {}
    if part < REQUIRED:
        facts = {
            "label": f"agent, parts 1 to {part}" if part > 1 else "agent, part 1",
            "after": f"Now write the next part, and set `upto={part + 1}`.",
            "question": "",
        }
    elif part > REQUIRED:
        facts = {"after": "It also answers the difficult replies.", "question": ""}
    tried = replace(exercise, rules=exercise.rules[: PARTS[part - 1]], **facts)
    return check(tried, {"agent": agent})
