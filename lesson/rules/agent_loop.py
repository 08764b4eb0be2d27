"""The rules of `agent_loop`: tried with replies that are written in advance, on the real SDK.

`Scene(agent_loop, reply, reply)` runs the loop, and `expect(run, words, test)` asks about the run.
"""

from collections.abc import Callable
from typing import Any

from agentlib.nag import Nag
from agentlib.todo import TodoManager
from lesson.message_blocks import blocks_of, describe_result
from lesson.practice.policy.next_reply import PracticePolicy
from lesson.samples import deleting, sample
from lesson.samples.jobs import load_job
from lesson.samples.project_files import read_files

from .conversations import compare_conversations
from .engine import rule
from .loop_causes import (
    NEW_LIST,
    OTHER_NAMES,
    THREE_ARGUMENTS,
    expect,
    explain_arguments,
    explain_empty,
    explain_run,
    list_ids,
)
from .scene import EARLIER, FAILS, ONE, SAID, SAYS, THOUGHT, TWO, ApiSaidError, Scene, call

CUT_OFF = {"stop_reason": "max_tokens"}
SPEC = "A spec is a dict and no Tool: build `dispatch` from the Tools, and keep their name `tools`."
ORDER = "This is a message and no Tool: the order is `client, messages, tools`."
BY_CALL_TOOL = "A tool is run by `call_tool(dispatch, use.name, use.input)`."
BESIDE = "The reminder is next to the results: put it into the content of the last tool_result."
IN_ANOTHER = "The reminder is inside another result: the last one is `results[-1]`."
NO_REMINDER = (
    "The last result does not have the reminder: its `content` becomes a list of two text blocks, "
    "the output and the reminder."
)
OTHER_OUTPUT = "The last result has the output of another call: keep its own, before the reminder."

# What a learner meets first, by a pattern in the exception.
CAUSES = (
    ("unexpected keyword argument 'remind'", "Give `agent_loop` the argument `remind=None`."),
    ("^KeyError: 'command'", "Every tool has other fields: pass on the whole `use.input`."),
    ("^ValueError: this note is rejected", "It has ended your loop: `call_tool` catches it."),
    (r"^TypeError: note\(\) .*argument|'Tool' object is not callable", BY_CALL_TOOL),
    (r"^TypeError: note\(text\) needs", BY_CALL_TOOL),
    (
        r"^TypeError: remind\(",
        "Give `remind` the list of the blocks with the calls: `remind(uses)`.",
    ),
    (r"^TypeError: call_tool\(\)", THREE_ARGUMENTS),
    (
        "unhashable type: 'dict'",
        "A key, or a value in a set, is a string here, such as `tool.name`.",
    ),
    ("'dict' object has no attribute '(name|spec)'.*keys: role", ORDER),
    ("'dict' object has no attribute '(name|spec)'", SPEC),
    ("'Message' .*subscriptable", 'This is no dict: write `.content`, not `["content"]`.'),
    ("'tuple' .*'type'|'Message' .*attribute", "The blocks of a reply are in `reply.content`."),
    (
        "'NoneType' object has no attribute '(content|output)'",
        "This is None: assign what `client.messages.create(…)` and `call_tool(…)` return.",
    ),
    ("^AttributeError: 'Call'", "A Call has a name, an input and an output. The id is `use.id`."),
    ("'(Anthropic|Messages)' obj", "Write `client.messages.create(…)`, or `messages.append(…)`."),
    (
        "^AttributeError: '(Text|Thinking)Block'",
        'Only a block of the type "tool_use" has a name, an input and an id.',
    ),
    ("'ToolUseBlock' .*'text'", "A tool call has no text: append the whole `reply.content`."),
    ("^AttributeError: 'ToolUseBlock'", "A tool call has a `name`, an `input` and an `id`."),
    (
        "^TypeError: '[A-Z][a-z]+(Use)?Block' object",
        'A block of a reply is an object: write `block.type`, not `block["type"]`.',
    ),
    ("^TypeError: Missing required arguments", "Send `messages=messages` and `**settings`."),
    (
        r"^TypeError: .*create\(\) takes",
        "Each argument of `create` has a name: `messages=messages`.",
    ),
    (r"Object of type Tool|tools(\.0)?: Input", "Send the specs: `[tool.spec for tool in tools]`."),
    ("Object of type Call", "A Call is no text: its `output` is a result's `content`."),
    (
        r"messages\.\d+\.content\.\d+: Input should be an object",
        "The content of a message is a string, or a list of blocks, each of them a dict.",
    ),
    (
        r"tool_result\.content(\.\d+)?: Input",
        "The content of a result is a string or a list of text blocks. Does the tool return one?",
    ),
)


@rule
def arguments(agent_loop):
    """It takes everything from its arguments, and sends all messages with each request.

    `model`, `workspace` and `dispatch` are names of the notebook. Does your loop use one of them?

    In each round: `client.messages.create(messages=messages, tools=specs, **settings)`.

    `specs = [tool.spec for tool in tools]`, `dispatch = {tool.name: tool for tool in tools}`
    """
    words = "requests with its client, its tools, its settings and all messages; its tool runs"
    for replies in ([[ONE], "Done."], [[ONE], [TWO], [ONE], "Done."]):
        expect(Scene(agent_loop, *replies), words, takes_its_arguments)


@rule
def same_list(agent_loop):
    """It appends to the list that it was given.

    Which list does your loop change: the one that it was given, or a new one?

    `messages = messages + […]` makes a new list. `messages.append(…)` changes the given one.
    """
    run = Scene(agent_loop, [ONE], "Done.")
    expect(run, "a list that has grown", lambda run: explain_arguments(run) != NEW_LIST)
    run = Scene(agent_loop, [ONE], "Done.", earlier=EARLIER)
    words = "a list that begins with the earlier prompt and its reply"
    expect(run, words, lambda run: run.messages[: len(run.before)] == run.before)


@rule
def models_turn(agent_loop):
    """The model's reply goes into messages.

    Under *Answer*, two messages were added. This is the first one.

    A message is a dict with a `role` and a `content`. This one is the model's.

    `{"role": "assistant", "content": reply.content}`: the whole content, not a part of it.
    """
    run = Scene(agent_loop, [ONE, TWO], "Done.")
    expect(run, "the second message: assistant, with its two tool_use blocks", has_the_reply)
    run = Scene(agent_loop, [THOUGHT, ONE, TWO], "Done.")
    note = "The thinking block is missing: append the whole `reply.content`, and not a part of it."
    expect(run, "the second message begins with the thinking block", has_the_reply, note)
    run = Scene(agent_loop, "Hello.")
    words = "the last message: assistant, with the last reply"
    expect(run, words, lambda run: run.problem or run.messages[-1].get("role") != "user")


@rule
def asks_for_a_tool(agent_loop):
    """The loop runs the tool for each tool call, and for no other block.

    Print `block.type` for the blocks of a reply. Which type is a tool call?

    Collect the blocks whose type is "tool_use", among all blocks, as in the cell under *Act*.

    There may be any number of tools: take the one with the name that the block has.
    """
    run = Scene(agent_loop, [ONE], "Done.")
    once = "Call `call_tool` once for each block, and keep what it returns."
    expect(run, "the tool runs once, with 'one'", lambda run: run.noted == ["one"], otherwise=once)
    run = Scene(agent_loop, [call("shout", text="one")], "Done.")
    expect(run, "the second tool runs once, with 'one'", lambda run: run.noted == ["ONE"])
    words = "the tool runs twice, with 'one', then 'two'"
    for reply in ([SAID, ONE, SAID, TWO], [THOUGHT, ONE, TWO]):
        expect(Scene(agent_loop, reply, "Done."), words, lambda run: run.noted == ["one", "two"])


@rule
def results_go_back(agent_loop):
    """All results of a reply go back in one message.

    When do you append the second message: after each call, or after all of them?

    Again a dict with a role and a content. Who answers the model?

    `{"role": "user", "content": results}`, after the loop over the calls.
    """
    run = Scene(agent_loop, [ONE, TWO], "Done.")
    expect(run, "the third message: user, with the two results", has_one_message_of_results)


@rule
def ids(agent_loop):
    """Each result has the id of the call that it answers.

    The API gives each call an id. Which object of the reply contains it?

    Not the reply, and not what `call_tool` returns: the block with the call.
    """
    run = Scene(agent_loop, [ONE, TWO], "Done.")
    expect(run, "two results, with the ids of the two calls, in their order", has_its_ids)


@rule
def errors_go_back(agent_loop):
    """A call that fails gets its error as the result, and the loop goes on.

    What happens to your loop if a tool raises an exception, or if there is no such tool?

    `call_tool` catches the exception, and its message is the `output`: send it like any other.
    """
    words = "two results, 'noted one' and an error message, and a second request"
    for wrong in (FAILS, call("missing")):
        expect(Scene(agent_loop, [ONE, wrong], "Done."), words, sends_the_error)


@rule
def stops(agent_loop):
    """The loop stops when the reply has no tool call, and not before.

    What is missing from a reply that has only text? Text says nothing: it can be next to a call.

    Test whether the list of calls is empty, in each round, and make a new list of results.

    A reply that was cut off has another `stop_reason`, with a call or without: look at the blocks.
    """
    for replies in ([[SAID, ONE, TWO], "Done."], [[ONE, SAID], "Done."]):
        run = Scene(agent_loop, *replies)
        expect(run, "two requests: one for the calls, one for the end", is_stopped_after(2))
    run = Scene(agent_loop, [ONE], [ONE, TWO], [TWO], "Done.")
    words = "four requests: three for the calls, one for the end"
    expect(run, words, lambda run: run.problem is None and len(run.requests) == 4)
    run = Scene(agent_loop, {"content": [SAID]} | CUT_OFF)
    expect(run, "one request: there is nothing to run", is_stopped_after(1))
    run = Scene(agent_loop, {"content": [ONE]} | CUT_OFF)
    expect(run, "the API accepts the next prompt", lambda run: run.ask_more() == "accepted")


@rule(seconds=8)
def together(agent_loop):
    """All together: the practice model refactors hello.py with it, and a long run is not cut.

    What does the API, or Python, say under Got?

    Run each call once, send its results in one message, and do not limit the rounds.
    """
    run, done = do_job(agent_loop, "hello")
    expect(run, "three of three steps are done", lambda run: done == 3 and ends_well(run))
    run = Scene(agent_loop, *[[ONE, TWO]] * 30)
    words = "31 requests, and the tool runs 60 times"
    expect(run, words, lambda run: (len(run.requests), len(run.noted)) == (31, 60))


@rule
def conversations(agent_loop):
    """In any conversation, it does what the loop of the package does.

    What was tried is one conversation. What is in it that the rules above do not have?

    Does something remain from one run to the next, or is one of two equal calls left out?
    """
    compare_conversations(agent_loop)


@rule(level="remind")
def called(agent_loop):
    """It calls remind once in each round that has tool calls, with these calls.

    Where does your loop know all calls of a reply?

    After the `for` loop that runs the tools: `remind(uses)`. Each use has a `name`.

    The default of `remind` is None: `remind=None`, and then nothing is called.
    """
    run = Scene(agent_loop, [ONE, TWO], "Done.")
    expect(run, "two requests, without remind", lambda run: len(run.requests) == 2)
    run = Scene(agent_loop, [SAID, ONE, TWO], "Done.", says=[])
    note = "Call `remind` after the `for` loop, once, with the list of all calls."
    words = "one call of remind, with two calls"
    expect(run, words, lambda run: run.asked == [["note", "note"]], note)
    run = Scene(agent_loop, [ONE], "Done.", says=[SAYS])
    note = "Each call of `remind` counts as a round: keep what it returns, `text = remind(uses)`."
    expect(run, "one call of remind", lambda run: run.asked == [["note"]], note)
    run = Scene(agent_loop, [ONE], [ONE], "Done.", says=[SAYS, SAYS])
    note = "Is `remind` still the function in the second round, or have you assigned to its name?"
    # A reminder in the wrong place, which the API rejects, is the next rule's.
    words = "a call of remind in each of two rounds"
    expect(
        run,
        words,
        lambda run: run.asked == [["note"]] * 2 or isinstance(run.problem, ApiSaidError),
        note,
    )
    run = Scene(agent_loop, [ONE, call("missing"), FAILS], "Done.", says=[])
    note = "A call that failed is a call as well: pass on all calls of the reply."
    words = "one call of remind, with three calls, of which two have failed"
    expect(run, words, lambda run: run.asked == [["note", "missing", "note"]], note)


@rule(level="remind")
def inside(agent_loop):
    """What remind returns is a text block inside the last tool result.

    What is the content of a tool result: a string, or a list of blocks? It can be either.

    The content of `results[-1]` becomes a list of two text blocks: output, then reminder.
    """
    run = Scene(agent_loop, [ONE, TWO], "Done.", says=[SAYS])
    words = "two results, the reminder is a second block in the last"
    right = [["noted one"], ["noted two", SAYS]]
    expect(
        run,
        words,
        lambda run: ends_well(run) and run.texts[0] == right,
        explain_place(run),
        otherwise=NO_REMINDER,
    )
    run = Scene(agent_loop, [ONE], "Done.", says=[])
    note = "`remind` may return None, if no reminder is due: then add nothing."
    words = "one result, with its output alone"
    expect(run, words, lambda run: ends_well(run) and run.results == ["noted one"], note)
    run = Scene(agent_loop, [ONE], [TWO], [ONE], "Done.", says=[None, SAYS, None])
    right = [[["noted one"]], [["noted two", SAYS]], [["noted one"]]]
    note = "Each round asks `remind` anew: `text = remind(uses)`, also if it returned text before."
    words = "a reminder in the result of the second round alone, as `remind` returned it"
    expect(run, words, lambda run: ends_well(run) and run.texts == right, note)
    run = Scene(agent_loop, [FAILS], "Done.", says=[SAYS])
    note = "A reminder is as important in a round whose call has failed: add it there as well."
    words = "one result, with the error and the reminder"
    expect(run, words, lambda run: run.texts[0][0][1:] == [SAYS], note)


@rule(level="remind")
def empty_reply(agent_loop):
    """After a reply of whitespace, or of nothing, the API accepts the next prompt.

    The API can send such a reply, and it rejects a history that contains one.

    Append a reply only if one of its blocks is no text, or a text with words: `block.text.strip()`.
    """
    words = "the API accepts the next prompt"
    blank = {"type": "text", "text": " \n"}
    for replies in ([[ONE], " \n"], [[ONE], []], [[blank, ONE, blank], "Done."]):
        run = Scene(agent_loop, *replies)
        expect(run, words, lambda run: ends_well(run) and run.ask_more() == "accepted")


@rule(level="remind", seconds=8)
def reminded(agent_loop):
    """All together: with a nag, the practice model does all ten steps.

    Without a reminder, it does three of them. What does the API, or Python, say under Got?
    """
    run, done = do_job(agent_loop, "ten_steps", TodoManager())
    expect(run, "ten of ten steps are done", lambda run: done == 10 and ends_well(run))


@rule(level="remind")
def reminded_conversations(agent_loop):
    """In any conversation, its reminders are where the loop of the package has them.

    What was tried is one conversation, and what `remind` returned in each round.
    """
    compare_conversations(agent_loop, reminds=True)


def ends_well(run: Scene) -> bool:
    """Return whether a run has ended without an exception, and without an empty message."""
    return run.problem is None and not explain_empty(run)


def takes_its_arguments(run: Scene) -> bool:
    """Return whether the requests contain what the loop was given, and its own tool ran."""
    said = explain_arguments(run)
    return bool(run.requests) and said in ("", NEW_LIST) and explain_run(run) != OTHER_NAMES


def has_the_reply(run: Scene) -> bool:
    """Return whether the second message is the model's, with each block of its first reply."""
    message = run.messages[1]
    pairs = zip(run.replies[0], blocks_of(message), strict=True)
    is_whole = all(sent.items() <= kept.items() for sent, kept in pairs)
    return is_whole and message.get("role") == "assistant"


def has_its_ids(run: Scene) -> bool:
    """Return whether each result has the id of its call, or no result was sent."""
    sent = run.requests[-1]["messages"]
    answered = [one for message in sent for one in list_ids(message, "tool_result")]
    calls = [one for message in sent for one in list_ids(message, "tool_use")]
    return not answered or answered == calls


def has_one_message_of_results(run: Scene) -> bool:
    """Return whether the two results of a reply went back in one message, as the tool returned."""
    is_sent = not isinstance(run.problem, TypeError)  # its content can be written as JSON
    is_next = run.messages[2].get("role") == "user"
    answers = [describe_result(one) for one in blocks_of(run.messages[2]) if "tool_use_id" in one]
    count = sum(len(list_ids(message, "tool_result")) for message in run.messages)
    return is_sent and is_next and count == 2 and answers == run.outputs


def sends_the_error(run: Scene) -> bool:
    """Return whether a failed call has a result that says so, and the run went on."""
    said = run.results[1].removeprefix("is_error: ").strip()
    is_error = " " in said and run.results[1] not in (run.outputs or ())
    return len(run.requests) > 1 and run.results[0] == "noted one" and is_error


def is_stopped_after(requests: int) -> Callable[[Scene], Any]:
    """Return a test for the number of requests. An exception may have ended the run earlier."""
    return lambda run: len(run.requests) == requests or run.problem and len(run.requests) < requests


def explain_place(run: Scene) -> str:
    """Say where the reminder of a run is, if it is in the wrong place, or ""."""
    if len(run.messages) < 3:
        return ""
    kinds = [block["type"] for block in blocks_of(run.messages[2])]
    if "tool_result" in kinds and "text" in kinds:
        return BESIDE
    texts = [result for turn in run.texts for result in turn]
    if texts and SAYS in texts[0]:
        return IN_ANOTHER
    return OTHER_OUTPUT if texts and "noted one" in texts[-1] else ""


def do_job(agent_loop: Any, name: str, todo: TodoManager | None = None) -> tuple[Scene, int]:
    """Let the practice model do a job. Return the run, and how many steps the files show."""
    job, replies = load_job(name), [PracticePolicy()] * 40
    with deleting():
        workspace = sample(name)
        tools = [*workspace.tools(), *([todo.tool()] if todo else [])]
        remind = Nag(todo) if todo else None
        run = Scene(agent_loop, *replies, prompt=job.prompt, tools=tools, remind=remind)
        texts = read_files(workspace.root).texts
        steps = sum(step.is_written(texts) for step in job.steps)  # as the practice model writes
        run.done = f"{steps} of {len(job.steps)} steps are done."
    return run, steps
