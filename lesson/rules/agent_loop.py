"""The rules of `agent_loop`: tried with replies that are written in advance, on the real SDK.

Each rule asks one question about runs, `expect(question, agent_loop, reply, reply)`: the answer
must be the same as for the loop of the package. Why it is not, `explain` reads from the messages,
because the API's error names a message and not the line that has appended it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from typing import Any

from agentlib.loop import run as package_loop
from lesson.message_blocks import blocks_of

from .engine import Differs, rule
from .random_cases import compare
from .scene import (
    EARLIER,
    FAILS,
    ONE,
    SAID,
    SAYS,
    SETTINGS,
    THOUGHT,
    TWO,
    ApiSaidError,
    EndlessError,
    Scene,
    call,
    converse,
    describe_script,
    draw,
    list_ids,
)

CUT_OFF = {"stop_reason": "max_tokens"}
CONVERSATIONS = 40

NO_REQUEST = (
    "No request was sent with the `client` that your function was given. Does your loop run, and "
    "does it call `client.messages.create(…)`, not `model.client`?"
)
SPECS = "Send the specs of the given tools: `tools=[tool.spec for tool in tools]`."
NO_SETTINGS = "Your request does not have all settings: send `**settings` with each request."
ALL_MESSAGES = (
    "Request {} has lost messages: send all messages each time, `messages=messages`. Append to "
    "the given list, and delete nothing from it."
)
NEW_LIST = (
    "The given list has not changed, or has lost messages: append to it, do not make a new list, "
    "and delete nothing from it."
)
ASK_INSIDE = "The model was asked only once: call `client.messages.create(…)` inside `while`."
ASK_AGAIN = (
    "Your loop ended after results that the model has not read. Ask again, in `while True:`, "
    "`return` only if a reply has no call, and do not limit the rounds."
)
LOOK_AT_THE_BLOCKS = (
    "Your loop ended at a reply with a tool call. Look for blocks of the type `tool_use` among all "
    "blocks of each reply, and repeat until there is none."
)
NOT_SENT = "Your loop ended before it sent the results: is a `return` in the `for` over the calls?"
NOT_APPENDED = "You ask again before the results are in `messages`: append them inside `while`."
LAST_REPLY = "The last reply is not in `messages`: append it before you test whether it has calls."
NO_END = (
    "You appended a message without results, or asked again: if the list of calls is empty, return "
    "after you append the reply, and before you append results."
)
EMPTY_REPLY = (
    "The history has a message without words: append a reply only if a block remains of it that is "
    "not a text of whitespace: `block.text.strip()`."
)
APPEND_REPLY = (
    "After each request, append the model's reply first, whole, and as a dict: "
    '`messages.append({"role": "assistant", "content": reply.content})`.'
)
APPEND_RESULTS = (
    "After the reply, append nothing but its results, in one dict: "
    '`{"role": "user", "content": results}`, where `results` is a list made by `append`.'
)
AFTER_THE_FOR = (
    "The results are in more than one message: append one message after the `for` over the calls."
)
EACH_CALL = "Some calls of the reply have no result: the API wants one for each call."
OLD_RESULTS = (
    "There are more results than calls. Make the empty list of results inside `while`, once for "
    "each reply, and append one result for each call."
)
OWN_ID = (
    "A result has the id of another call, or of none: take each `tool_use_id` from its own call, "
    "the `id` of the block that was run."
)
CALL_TOOL = (
    "A tool is run by `call_tool(dispatch, use.name, use.input)`, once for each block: a dict from "
    "each name to its Tool, built from `tools`, the block's name, and its whole input."
)
TEXT_BLOCKS = (
    "The content of a result is a string, or a list of text blocks with a string in each: "
    '`{"type": "text", "text": …}`. Is one of them None, as `print(…)` returns?'
)
SEND_OUTPUT = "A result is not what the tool returned: send the Call's `output`, unchanged."
BESIDE = "The reminder is next to the results: put it into the content of the last tool_result."
MAY_BE_NONE = "`remind` may return None, if no reminder is due: then add nothing."
IN_THE_LAST = (
    "The content of the last result, `results[-1]`, becomes a list of two text blocks: its own "
    "output, unchanged, and what `remind` has returned in this round."
)
CALLED_ONCE = (
    "Each call of `remind` counts as a round: call it once after the `for` loop, with the list of "
    "all calls, also those that failed, and keep what it returns: `text = remind(uses)`."
)
AS_THE_PACKAGE = (
    "Append only, also if the server fails; run each call once; keep nothing from one run to the "
    "next, and change nothing else that you were given."
)

# What a learner meets first, by a pattern in the exception.
CAUSES = (
    ("unexpected keyword argument 'remind'", "Give `agent_loop` the argument `remind=None`."),
    (
        "'str' object has no attribute '(append|extend)'|concatenate str .not .(list|dict)",
        "The content of a result is still a string. Replace it by a list of two text blocks, the "
        "output and the reminder.",
    ),
    ("^ValueError: this note is rejected", "It has ended your loop: `call_tool` catches it."),
    (r"^TypeError: remind\(", "Give `remind` the list of blocks with the calls: `remind(uses)`."),
    (
        r"^KeyError: 'command'|^TypeError: (note|call_tool)\(|'Tool' object is not callable|"
        "unhashable type: 'dict'",
        CALL_TOOL,
    ),
    (
        "'dict' object has no attribute '(name|spec)'.*keys: role",
        "This is a message and no Tool: the order is `client, messages, tools`.",
    ),
    (
        "'dict' object has no attribute '(name|spec)'",
        "A spec is a dict and no Tool: build `dispatch` from the Tools, and keep their name "
        "`tools`.",
    ),
    (
        "'Message' .*(subscriptable|attribute)|'tuple' .*'type'",
        'The blocks of a reply are in `reply.content`, and not in `reply["content"]`.',
    ),
    (
        "^AttributeError: 'Call'|Object of type Call",
        "A Call has a name, an input, and an `output`, which is a result's content. The id is "
        "`use.id`.",
    ),
    ("'(Anthropic|Messages)' obj", "Write `client.messages.create(…)`, or `messages.append(…)`."),
    (
        "^AttributeError: '(Text|Thinking|ToolUse)Block'",
        'Only a block of the type "tool_use" has a `name`, an `input` and an `id`, and only a '
        "block of text has a text. To keep a reply, append the whole `reply.content`.",
    ),
    (
        "^TypeError: '[A-Z][a-z]+(Use)?Block' object",
        'A block of a reply is an object: write `block.type`, not `block["type"]`.',
    ),
    (
        r"^TypeError: (Missing required arguments|.*create\(\) takes)",
        "Send `messages=messages`, by its name, and `**settings`.",
    ),
    (r"Object of type Tool|tools(\.0)?: Input", SPECS),
)


@rule
def arguments(agent_loop):
    """It takes everything from its arguments, sends all messages each time, and appends to them.

    `model`, `workspace` and `dispatch` are names of the notebook. Does your loop use one of them?

    In each round: `client.messages.create(messages=messages, tools=specs, **settings)`.

    `messages = messages + […]` makes a new list. `messages.append(…)` changes the given one.
    """
    for question in (what_was_sent, what_became_of_the_list):
        expect(question, agent_loop, [ONE], [TWO], [ONE], "Done.", earlier=EARLIER)


@rule
def models_turn(agent_loop):
    """The model's reply goes into messages.

    Under *Answer*, two messages were added. This is the first one, and its role is the model's.

    `{"role": "assistant", "content": reply.content}`: the whole content, not a part of it.
    """
    for reply in ([ONE, TWO], [THOUGHT, ONE, TWO], "Hello."):
        expect(lambda run: run.lines()[1], agent_loop, reply, "Done.")


@rule
def asks_for_a_tool(agent_loop):
    """The loop runs the tool for each tool call, and for no other block.

    Print `block.type` for the blocks of a reply. Which type is a tool call?

    Collect the blocks whose type is "tool_use", among all blocks, as in the cell under *Act*.
    """
    for reply in ([ONE], [call("shout", text="one")], [SAID, ONE, SAID, TWO], [THOUGHT, ONE, TWO]):
        expect(lambda run: run.noted, agent_loop, reply, "Done.")


@rule
def results_go_back(agent_loop):
    """All results of a reply go back in one message, each with the id of the call it answers.

    When do you append the second message: after each call, or after all of them?

    `{"role": "user", "content": results}`, after the loop over the calls.

    The API gives each call an id: it is the `id` of the block with the call.
    """
    expect(lambda run: run.lines()[2:4], agent_loop, [ONE, TWO], "Done.")


@rule
def errors_go_back(agent_loop):
    """A call that fails gets its error as the result, and the loop goes on.

    What happens to your loop if a tool raises an exception, or if there is no such tool?

    `call_tool` catches the exception, and its message is the `output`: send it like any other.
    """
    for wrong in (FAILS, call("missing")):
        expect(lambda run: run.lines()[2], agent_loop, [ONE, wrong], "Done.")


@rule
def stops(agent_loop):
    """The loop stops when the reply has no tool call, and not before.

    What is missing from a reply that has only text? Text says nothing: it can be next to a call.

    Test whether the list of calls is empty, in each round, and make a new list of results.

    A reply that was cut off has another `stop_reason`, with a call or without: look at the blocks.
    """
    for replies in (
        [[SAID, ONE, TWO], "Done."],
        [[ONE, SAID], "Done."],
        [[ONE], [ONE, TWO], [TWO], "Done."],
        [{"content": [SAID]} | CUT_OFF],
        [[ONE, TWO]] * 22,
    ):
        expect(lambda run: len(run.requests), agent_loop, *replies)
    expect(Scene.ask_more, agent_loop, {"content": [ONE]} | CUT_OFF)


@rule(seconds=8)
def conversations(agent_loop):
    """All together: in any conversation, it does what the loop of the package does.

    What was tried is one conversation. What is in it that the rules above do not have?

    Does something remain from one run to the next, or is one of two equal calls left out?
    """
    compare_conversations(agent_loop, reminds=False)


@rule(level="remind")
def called(agent_loop):
    """It calls remind once in each round that has tool calls, with these calls.

    Where does your loop know all calls of a reply?

    After the `for` loop that runs the tools: `remind(uses)`. Each use has a `name`.

    The default of `remind` is None: `remind=None`, and then nothing is called.
    """
    for reply in ([SAID, ONE, TWO], [ONE, call("missing"), FAILS]):
        expect(lambda run: run.asked, agent_loop, reply, "Done.", says=[])
    expect(lambda run: run.asked, agent_loop, [ONE], "Done.", says=[SAYS])


@rule(level="remind")
def inside(agent_loop):
    """What remind returns is a text block inside the last tool result.

    What is the content of a tool result: a string, or a list of blocks? It can be either.

    The content of `results[-1]` becomes a list of two text blocks: output, then reminder.
    """
    expect(Scene.lines, agent_loop, [ONE], "Done.", says=[None])
    expect(Scene.lines, agent_loop, [ONE, TWO], "Done.", says=[SAYS])
    expect(Scene.lines, agent_loop, [ONE], [TWO], [FAILS], "Done.", says=[SAYS, None, SAYS])


@rule(level="remind")
def empty_reply(agent_loop):
    """After a reply of whitespace, or of nothing, the API accepts the next prompt.

    The API can send such a reply, and it rejects a history that contains one.

    Append a reply only if one of its blocks is no text, or a text with words: `block.text.strip()`.
    """
    blank = {"type": "text", "text": " \n"}
    for replies in ([[ONE], " \n"], [[ONE], []], [[blank, ONE, blank], "Done."]):
        expect(lambda run: run.problem or run.ask_more(), agent_loop, *replies)


@rule(level="remind", seconds=8)
def reminded_conversations(agent_loop):
    """All together: in any conversation, its reminders are where the package's loop has them.

    What was tried is one conversation, and what `remind` returned in each round.
    """
    compare_conversations(agent_loop, reminds=True)


def what_was_sent(run: Scene) -> Any:
    """Return what is wrong with the requests, or "" for each right one."""
    return {explain_request(run, number) for number in range(len(run.requests))}


def what_became_of_the_list(run: Scene) -> tuple[bool, bool]:
    """Return whether the list begins as before, and has grown. It must, before a second request."""
    has_grown = len(run.messages) > len(run.before) or len(run.requests) < 2
    return run.messages[: len(run.before)] == run.before, has_grown


def compare_conversations(agent_loop: Any, reminds: bool) -> None:
    """Raise Differs for the smallest random conversation in which the two loops differ."""
    compare(
        agent_loop,
        package_loop,
        partial(draw, reminds=reminds),
        converse,
        lambda run, right: explain(run, right) or AS_THE_PACKAGE,
        tell=lambda case: describe_script(case[1], case[0], case[2]),
        count=CONVERSATIONS,
    )


def expect(question: Callable[[Scene], Any], loop: Any, *replies: Any, **given: Any) -> None:
    """Raise Differs if the question has another answer than for the package's loop."""
    run, right = (Scene(one, *replies, **given) for one in (loop, package_loop))
    expected = question(right)
    with suppress(Exception):  # what the loop has appended can be anything
        if question(run) == expected:
            return
    said = ""
    with suppress(Exception):
        said = explain(run, right)
    raise Differs(run, right, said, run.script) from run.problem


def explain(run: Scene, right: Scene) -> str:
    """Say why a run is not like the right one, or "" if only its exception can say it."""
    if not run.requests:
        return "" if run.problem else NO_REQUEST
    if not isinstance(run.problem, ApiSaidError | EndlessError | None):
        return ""
    for number in range(len(run.requests)):
        if said := explain_request(run, number):
            return said
    if what_became_of_the_list(run) != (True, True):
        return NEW_LIST
    if len(run.requests) == 1 and isinstance(run.problem, EndlessError):
        return ASK_INSIDE
    if run.asked != right.asked[: len(run.asked)]:
        return CALLED_ONCE
    pairs = zip_longest(run.lines(), right.lines())
    place = next((n for n, (got, expected) in enumerate(pairs) if got != expected), None)
    if place is None:
        return CALL_TOOL if run.noted != right.noted else ""
    if place == len(run.messages):
        return explain_end(run)
    if place == len(right.messages):
        return explain_more(run.messages[place])
    if right.messages[place]["role"] == "assistant":
        return explain_reply(run.messages[place - 1], run.messages[place])
    return explain_results(run, right, place)


def explain_request(run: Scene, number: int) -> str:
    """Say what is wrong with a request, or ""."""
    request = run.requests[number]
    if {tool["name"] for tool in request.get("tools", ())} != {"note", "shout"}:
        return SPECS
    if request | SETTINGS != request:
        return NO_SETTINGS
    before = run.requests[number - 1]["messages"] if number else run.before
    pairs = zip_longest(before, request["messages"][: len(before)])
    # A message may have got more blocks: that is another mistake.
    is_whole = all(blocks_of(now)[: len(blocks_of(old))] == blocks_of(old) for old, now in pairs)
    return "" if is_whole else ALL_MESSAGES.format(number + 1)


def explain_end(run: Scene) -> str:
    """Say why a run has ended before its last message."""
    if list_ids(run.messages[-1], "tool_use"):
        if run.problem is not None:
            return NOT_APPENDED
        answered = [one for each in run.messages for one in list_ids(each, "tool_result")]
        return NOT_SENT if len(run.noted) > len(answered) else LOOK_AT_THE_BLOCKS
    if run.problem is not None:
        return ""
    return LAST_REPLY if len(run.requests[-1]["messages"]) == len(run.messages) else ASK_AGAIN


def explain_reply(before: Any, message: Any) -> str:
    """Say what is wrong with the message where the model's reply should be."""
    if list_ids(message, "tool_result"):
        return AFTER_THE_FOR if list_ids(before, "tool_result") else APPEND_REPLY
    is_other = isinstance(message, Mapping) and message.get("role") == "user"
    return APPEND_RESULTS if is_other and not list_ids(message, "tool_use") else APPEND_REPLY


def explain_more(message: Any) -> str:
    """Say what is wrong with a message after the end."""
    is_reply = isinstance(message, Mapping) and message.get("role") == "assistant"
    has_words = any(str(block.get("text", " ")).strip() for block in blocks_of(message))
    return EMPTY_REPLY if is_reply and not has_words else NO_END


def explain_results(run: Scene, right: Scene, place: int) -> str:
    """Say what is wrong with the message where the results of a reply should be."""
    message, calls = run.messages[place], list_ids(run.messages[place - 1], "tool_use")
    results = list_ids(message, "tool_result")
    if not results or message.get("role") != "user":
        return APPEND_RESULTS
    if len(results) > len(calls):
        return OLD_RESULTS
    if len(results) < len(calls):
        later = [one for each in run.messages[place + 1 :] for one in list_ids(each, "tool_result")]
        return AFTER_THE_FOR if {*calls} & {*later} else EACH_CALL
    if results != calls:
        return OWN_ID
    sent, wanted = (
        [[part.get("text") for part in blocks_of(block)] for block in blocks_of(one)]
        for one in (message, right.messages[place])
    )
    return explain_outputs(run, right, sent, wanted)


def explain_outputs(run: Scene, right: Scene, sent: list[Any], wanted: list[Any]) -> str:
    """Say what is wrong with the texts of the results, and with the reminder."""
    if len(sent) > len(wanted):
        return BESIDE
    if not all(isinstance(text, str) for texts in sent for text in texts or [None]):
        return MAY_BE_NONE if None in sent[-1][1:] else TEXT_BLOCKS
    if len(run.noted) < len(right.noted) or run.noted[: len(right.noted)] != right.noted:
        return CALL_TOOL
    return (
        IN_THE_LAST
        if [*map(len, sent)] != [*map(len, wanted)] or len(wanted[-1]) > 1
        else SEND_OUTPUT
    )
