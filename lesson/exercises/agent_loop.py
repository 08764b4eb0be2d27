"""The rules of `agent_loop`: tried with replies that are written in advance, on the real SDK.

Each rule asks one question about runs, `expect(question, agent_loop, reply, reply)`: the answer
must be the same as for the loop of the package. Why it is not, `explain_run` reads from the
messages, because the API's error names a message and not the line that has appended it. The last
rule of each level plays random stories, and compares all that is in a run.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import Any

from agentlib.loop import run as package_loop
from lesson.common.learners_code import Raised, show
from lesson.common.message_blocks import blocks_of
from lesson.common.pluralize import pluralize

from .kit.engine import Differs, EndlessError, Words, rule, same, show_difference
from .kit.telling import telling
from .scene import (
    BIG,
    CUT_OFF,
    EXIT,
    FAILS,
    HIDDEN,
    INTERRUPT,
    INTERRUPTED,
    LONG,
    ONE,
    ROUNDS,
    SAID,
    SAYS,
    SEARCHED,
    SERVER_ERROR,
    SETTINGS,
    THOUGHT,
    TWO,
    ApiSaidError,
    LongRun,
    Scene,
    call,
    list_ids,
    make_stories,
    text_of_result,
)

LINE_CHARACTERS = 200  # of a message that is shown whole
NO_MORE = "no more messages"
played: dict[str, Scene] = {}  # the runs of the package's loop, by what was given
NAG_ERRORS = (ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, OSError)
REFUSAL = {"content": [SAID], "stop_reason": "refusal"}

NO_REQUEST = (
    "Your loop has ended, or goes round, without a request to the model. Does a `return` come "
    "before it? The `client` that your function was given sends it, not `model.client`."
)
SPECS = "The request does not have the specs of the tools that your function was given."
NO_SETTINGS = (
    "The settings of a request are not those that your function was given, or have changed from "
    "one request to the next. Send them as they are, with each request: `**settings`."
)
HISTORY = (
    "The given list of messages was not kept, or not sent as a whole. Only append to it: make no "
    "new list, delete and change nothing in it, and send all of it with each request."
)
ASK_INSIDE = "The model was asked only once, before the loop: ask it inside `while`."
ASK_AGAIN = (
    "Your loop ended after results that the model has not read. Ask again, do not limit the "
    "rounds, and `return` only if a reply has no call."
)
LOOK_AT_THE_BLOCKS = (
    "Your loop ended at a reply with a tool call. Look for blocks of the type `tool_use` among all "
    "blocks of each reply, and repeat until there is none."
)
STOP_REASON = (
    "Your loop looks at the stop reason. A reply that was cut off or refused has another one, and "
    "some servers send a wrong one: look at the blocks alone, and return if none is a tool call."
)
CAUGHT = (
    "An error or an interrupt did not end your run. Catch nothing that the request, `remind` or "
    "`call_tool` raises: what a tool raises, `call_tool` has caught already."
)
NOT_SENT = "Your loop ended before it sent the results: is a `return` in the `for` over the calls?"
LAST_REPLY = "The last reply is not in `messages`: append it before you test whether it has calls."
NO_END = (
    "You appended a message without results, or asked again. If the list of calls is empty, "
    "append the reply and return, before you append results."
)
OTHER_TOOLS = (
    "In its second run, with other tools, your loop still has something of the first one. Make "
    "the specs, the dispatch map and the list of results inside the function. Keep nothing in a "
    "default argument or a global name."
)
EMPTY_REPLY = (
    "The history has a message without words. Keep a reply only if one of its blocks is no text, "
    "or is a text that is more than whitespace."
)
REPLY_FIRST = (
    "The reply is not in `messages` before its results: append it first, after each request."
)
REPLY_AS_A_DICT = (
    "The message with the reply is a dict with two keys: its role is that of the model, and its "
    "content is `reply.content`."
)
WHOLE_REPLY = (
    "The message is not the whole reply as the model has sent it. Append `reply.content` with all "
    "its blocks, of whatever type, and change neither a text nor an input in it later."
)
APPEND_RESULTS = (
    "After the reply comes one message with nothing but its results, as the API knows them: a dict "
    'with the role of the user, whose content is a list of dicts of the type "tool_result".'
)
AFTER_THE_FOR = (
    "The results are in more than one message: append one message after the `for` over the calls."
)
EACH_CALL = (
    "Some calls of the reply have no result, and the API wants one for each call. Make the list of "
    "the results once, above the `for`, and put one into it for each call, whatever its place."
)
OLD_RESULTS = (
    "There are more results than calls. Append one result for each call, and make the list of "
    "calls and the list of results anew inside `while`."
)
REPLACED = (
    "A result was replaced by text: it is a dict, and the reminder is added to its content, "
    '`results[-1]["content"]`.'
)
NO_CALL_FOR_US = (
    "Your loop also runs a block that is no call for your program, such as the search of a server: "
    'look for the type "tool_use" alone. Other blocks can have a name and an input as well.'
)
OWN_ID = (
    "The results do not have the ids of the calls, in their order. Take each `tool_use_id` from "
    "its own call: it is the `id` of the block that was run."
)
CALL_TOOL = (
    "Run each call once, in the order of the reply, also one that is equal to an earlier one: "
    "`call_tool(dispatch, use.name, use.input)`, with its whole input. `dispatch` is a dict from "
    "each name to its Tool, built from all `tools`."
)
DISPATCH = (
    "No tool has run: `call_tool(dispatch, use.name, use.input)` finds none. `dispatch` is a dict "
    "from the name of each tool to the Tool itself, such as `{tool.name: tool for tool in tools}`."
)
RESULT_KEYS = (
    'A result has three keys: "type", "tool_use_id", which is the id of the block that was run, '
    'and "content".'
)
SEND_OUTPUT = (
    "A result is not what its own call has returned. Send the Call's `output` under the id of its "
    "call: text, unchanged, and marked as an error only if the call has failed."
)
# When `remind` is called.
NOT_CALLED = (
    "Your loop has not called `remind` here. If it is not None, call it in each round with tool "
    "calls, also if one has failed, after the `for` over the calls."
)
ONE_LIST = (
    "`remind` is called too often, or without all calls of the round. Call it once, with all of "
    "them in one list, `uses`, after the `return` that ends the run."
)
TOO_SOON = (
    "`remind` is called before all tools have run, so it would show the list as it was before. "
    "Call it after the `for` over the calls."
)
# Where the reminder is sent.
BESIDE = (
    "The reminder is next to the results, or in its own message. Put it into the content of the "
    "last tool_result, before you append the results."
)
NONE_DUE = (
    "`remind` has returned None here, because no reminder is due. Leave the result as it is: add "
    "nothing, not even an empty line, and no reminder of an earlier round."
)
THE_LAST = "The reminder belongs into one result alone: the last one, `results[-1]`."
NO_REMINDER = (
    "`remind` has returned text here, and it is not in the last result. Keep what it returns, and "
    "send it in each such round, also if a call has failed."
)
REMINDER_EDITED = (
    "What comes after the blank line is not the text that `remind` has returned: send this text "
    "unchanged, with the whitespace around it."
)
BLANK_LINE = (
    "There is not exactly one blank line between the output and the reminder: two line ends, "
    '`"\\n\\n"`. Without it, the reminder looks like a part of the output.'
)
AFTER_THE_OUTPUT = (
    "The content of the last result is first its own output, whole and unchanged, then a blank "
    'line, `"\\n\\n"`, and then the reminder: add both to `results[-1]["content"]`, once.'
)

# What a learner meets first, by a pattern in the exception.
CAUSES = (
    (
        "unexpected keyword argument 'remind'|required (positional|keyword-only) argument: 'remind'"
        "|required positional arguments: .*'remind'",
        "Give `agent_loop` the argument `remind=None`: without a nag, it is called without one.",
    ),
    (
        "'str' object has no attribute '(append|extend)'|concatenate str .not .(list|dict)",
        "The content of a result is a string. Add text to it: a blank line, and the reminder.",
    ),
    ("concatenate str .not .NoneType", NONE_DUE),
    ("unsupported operand type.*'dict' and 'str'|'dict' .*attribute 'content'", REPLACED),
    (
        "this note is rejected|there is no tool 'missing'",
        "It has ended your loop: `call_tool` catches it, and its `output` is the result to send.",
    ),
    ("'dict' object is not callable", "A spec is a dict, which is not called: write `tool.spec`."),
    (
        r"^TypeError: remind\(|Object of type function|concatenate str .not .(function|method)",
        "`remind` is a function: call it with the list of blocks with the calls, `remind(uses)`, "
        "and send the text that it returns.",
    ),
    (
        "unhashable type: 'dict'",
        "A Tool is no key of a dict: `dispatch` has the names as keys, and the Tools as values.",
    ),
    (
        r"^KeyError: 'command'|^TypeError: (note|call_tool)\(|'Tool' object is not callable",
        CALL_TOOL,
    ),
    (
        "'dict' object has no attribute '(name|spec)'",
        "A spec and a message are dicts and no Tool: build `dispatch` from the given `tools`. Are "
        "the parameters of `agent_loop` in the given order?",
    ),
    (
        "'Message' .*(subscriptable|attribute)|'tuple' .*'type'",
        'The blocks of a reply are in `reply.content`, and not in `reply["content"]`.',
    ),
    (
        "Object of type Call|^AttributeError: 'Call'",
        "`call_tool` returns a Call, which is an object. Only its `output`, which is text, is the "
        "content of a result. The id is that of the block.",
    ),
    (
        "'ToolUseBlock' object does not support item",
        "A block of a reply is an object, which is read as `use.name`, and stays as it was sent. "
        "The results are your own dicts: add the reminder to the content of `results[-1]`.",
    ),
    ("'(Anthropic|Messages)' obj", "Write `client.messages.create(…)`, or `messages.append(…)`."),
    (
        "^AttributeError: 'ToolUseBlock'",
        "A block with a call has a `name`, an `input` and an `id`, and no field of another name.",
    ),
    (
        "^AttributeError: '(Text|Thinking|ToolUse)Block'",
        'Only a block of the type "tool_use" has a `name`, an `input` and an `id`, and only a '
        "block of text has a text. To keep a reply, append the whole `reply.content`.",
    ),
    (
        "^TypeError: '[A-Z][a-z]+(Use)?Block' object",
        'A block of a reply is an object: write `block.type`, not `block["type"]`. Only your own '
        'results are dicts: `results[-1]["content"]`.',
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

    `messages = messages + […]` makes a new list. `messages.append(…)` changes the given one.

    `client.messages.create(messages=messages, tools=specs, **settings)`, in each round, where the
    specs are `[tool.spec for tool in tools]`.
    """
    for question in (what_was_sent, what_became_of_the_list):
        expect(question, agent_loop, [ONE], [TWO], [ONE], "Done.")
    expect(what_became_of_the_list, agent_loop, [ONE], SERVER_ERROR)
    run = LongRun(agent_loop)
    with telling([run.script]):
        for number, (before, sent) in enumerate(pairwise(run.sent), 2):
            if sent <= before:
                got = f"request {number}: {sent} messages, after a request with {before}"
                raise Differs(Words(got), Words("more messages"), HISTORY)
        same(run.history[: len(run.before)], run.before, HISTORY)
    # A second use, with other tools, before anything is put back. `note` is now no tool.
    first = Scene(agent_loop, [call("shout", text="two")])
    if first.noted != ["two (shout)"]:
        return  # another rule says why
    second = Scene(agent_loop, [call("yell", text="two")], [ONE], names=("memo", "yell"))
    with telling([first.script, "Then a second run.", second.script]):
        expected = ["two (shout)", "two (yell)"]
        same([*first.noted, *second.noted], expected, OTHER_TOOLS)
        same(what_was_sent(second), {""}, OTHER_TOOLS)


@rule
def models_turn(agent_loop):
    """Each reply of the model goes into messages, whole, and so does the last one.

    Under *Answer*, two messages were added. This is the first one, and its role is the model's.

    `{"role": "assistant", "content": reply.content}`: the whole content, not a part of it.
    """
    # Without a call, it is the last reply: it can also have blocks of other types.
    last = (
        "Hello.",
        REFUSAL,
        [THOUGHT, SAID],
        [SAID, *SEARCHED, SAID],
        {"content": [SAID]} | CUT_OFF,
    )
    for reply in ([ONE, TWO], [THOUGHT, HIDDEN, ONE, TWO], *last):
        expect(lambda run: run.list_turns("assistant")[:1], agent_loop, reply, "Done.")


@rule
def asks_for_a_tool(agent_loop):
    """The loop runs the tool for each tool call, and for no other block.

    Print `block.type` for the blocks of a reply. Which type is a tool call?

    Collect the blocks whose type is "tool_use", among all blocks, as in the cell under *Act*.
    """
    for reply in ([ONE], [call("shout", text="one")], [ONE, SAID], [THOUGHT, ONE, ONE], BIG[0]):
        expect(what_ran, agent_loop, reply, "Done.")


@rule
def results_go_back(agent_loop):
    """All results of a reply go back in one message, each with the id of the call it answers.

    When do you append the second message: after each call, or after all of them?

    The API gives each call an id: it is the `id` of the block with the call.

    `{"role": "user", "content": results}`, after the loop over the calls.
    """
    for replies in ([[ONE, TWO]], [[ONE, ONE]], BIG):
        count = len([one for one in replies if any(b["type"] == "tool_use" for b in one)])
        expect(lambda run, count=count: run.list_turns("user")[:count], agent_loop, *replies)


@rule
def errors_go_back(agent_loop):
    """A call that fails gets its error as the result, and the loop goes on.

    What happens to your loop if a tool raises an exception, or if there is no such tool?

    `call_tool` catches the exception, and its message is the `output`: send it like any other.
    """
    for wrong in (FAILS, call("missing")):
        replies = ([ONE, wrong, TWO], "Done.")
        expect(lambda run: sum(run.list_turns("user"), [])[:3], agent_loop, *replies)
    missing = [call("missing", text="one")]
    expect(lambda run: run.list_turns("user")[:1], agent_loop, missing, names=())


@rule
def stops(agent_loop):
    """The loop stops when the reply has no tool call, and not before.

    What is missing from a reply that has only text? Text says nothing: it can be next to a call.

    Test whether the list of calls is empty, in each round, and make a new list of results.

    A reply that was cut off has another `stop_reason`, with a call or without: look at the blocks.
    """
    for replies in ([[SAID, ONE]], [[ONE, SAID]], ["Which file do you mean?"], [[THOUGHT, SAID]]):
        expect(where_it_ends, agent_loop, *replies)
    # The same replies with another stop reason; some servers send "end_turn" with a call.
    for reply in (
        {"content": [SAID]} | CUT_OFF,
        {"content": [ONE]} | CUT_OFF,
        REFUSAL,
        {"content": [SAID], "stop_reason": "tool_use"},
        {"content": [ONE], "stop_reason": "end_turn"},
        {"content": [ONE], "stop_reason": "stop_sequence"},
    ):
        expect(where_it_ends, agent_loop, reply, "Done.", note=STOP_REASON)
    run = LongRun(agent_loop)
    with telling([run.script]):
        same(len(run.sent), ROUNDS + 1, ASK_AGAIN)
        assert not run.is_changed, HISTORY
    expect(ends_in_a_reply, agent_loop, [ONE], SERVER_ERROR, note=CAUGHT)
    for replies in ([[ONE], INTERRUPT], [[ONE], EXIT], [[INTERRUPTED]]):
        expect(has_raised, agent_loop, *replies, note=CAUGHT)


@rule
def all_together(agent_loop):
    """Whatever the replies contain, in whatever order, each is answered as these rules say.

    Does your loop look at each block of each reply, and at nothing but its type?

    Play the replies below "What was tried" by hand, and write down what your loop appends.
    """
    for replies, given in make_stories(has_nag=False):
        expect(what_happened, agent_loop, *replies, **given)


@rule(level="remind")
def called(agent_loop):
    """It calls remind once in each round with tool calls, with these calls, after they have run.

    Where does your loop know all calls of a reply, and where have all of them run?

    The default of `remind` is None: `remind=None`, and then nothing is called.

    After the `for` loop that runs the tools: `text = remind(uses)`. Each use has a `name`.
    """
    todo = [call("todo", text="two")]
    for reply in ([SAID, ONE, TWO], [ONE, call("missing"), FAILS], todo):
        expect(when_reminded, agent_loop, reply, "Done.", says=[], names=("note", "todo"))
    expect(when_reminded, agent_loop, [ONE], "Done.", says=[SAYS])
    for kind in NAG_ERRORS:
        broken = [SAYS, kind("the nag has failed")]
        expect(has_raised, agent_loop, [ONE], [TWO], says=broken, note=CAUGHT)


@rule(level="remind")
def inside(agent_loop):
    """What remind returns is added to the last tool result, after a blank line.

    What is the content of a tool result? In your loop, it is a string: the output of its call.

    `results[-1]["content"] += "\\n\\n" + text`, if there is a text.
    """
    for replies, says in (
        ([[ONE], "Done."], [None]),
        ([[ONE, TWO], "Done."], [SAYS]),
        ([[FAILS], [ONE], [TWO, FAILS], "Done."], [SAYS, None, SAYS]),
        ([[call("note", text=LONG)], "Done."], [f" {SAYS}\n"]),
        ([[ONE], "Done."], [f"{SAYS} & “ü” {'long ' * 900}"]),
    ):
        expect(lambda run: run.list_turns("user"), agent_loop, *replies, says=says)
    run = LongRun(agent_loop, has_nag=True)
    results = run.history[len(run.before) + 1 :: 2]
    if len(results) == ROUNDS:  # otherwise another rule says why
        with telling([run.script, f"`remind` returns {SAYS!r} in the rounds {run.due}."]):
            got = [number for number, one in enumerate(results, 1) if SAYS in str(one)]
            same(got, run.due, NO_REMINDER)
            assert not run.is_changed, HISTORY


@rule(level="remind")
def empty_reply(agent_loop):
    """After a reply of whitespace, or of nothing, the API accepts the next prompt.

    The API can send such a reply, and it rejects a history that contains one.

    Append a reply only if one of its blocks is no text, or a text with words: `block.text.strip()`.
    """
    blank = {"type": "text", "text": " \n"}
    for replies in ([[ONE], " \n"], [[ONE], []], [[blank, ONE, blank], "Done."]):
        expect(lambda run: run.list_turns("assistant"), agent_loop, *replies)


@rule(level="remind")
def all_reminded(agent_loop):
    """With any replies, and any reminders, a run is as these rules say.

    Does your loop look at something else than what `remind` returns, such as the calls?

    Play the replies below "What was tried" by hand, and write down the last result of each round.
    """
    for replies, given in make_stories(has_nag=True):
        expect(what_happened, agent_loop, *replies, **given)


def what_was_sent(run: Scene) -> Any:
    """Return what is wrong with the requests, or "" for each right one."""
    return {explain_request(run, number) for number in range(len(run.requests))}


def what_ran(run: Scene) -> tuple[Any, bool]:
    """Return what the tools got, and whether a block was answered that is no call."""
    return run.noted, "of no call" in str(run.list_turns("user"))


def where_it_ends(run: Scene) -> tuple[int, int]:
    """Return the number of requests, and of the messages that answer a reply."""
    return len(run.requests), len(run.list_turns("user"))


def when_reminded(run: Scene) -> Any:
    """Return the calls that `remind` got each time, and how often a tool had run before."""
    return run.asked, run.runs_before


def ends_in_a_reply(run: Scene) -> bool:
    """Return whether a run has ended in a reply of the model, or in an error."""
    return run.problem is not None or run.described()[-1][0] == "assistant"


def has_raised(run: Scene) -> bool:
    """Return whether a run has ended in an exception."""
    return run.problem is not None


def what_became_of_the_list(run: Scene) -> bool:
    """Return whether the list begins as before, and has grown before a second request."""
    has_grown = len(run.messages) > len(run.before) or len(run.requests) < 2
    return has_grown and run.messages[: len(run.before)] == run.before


def what_happened(run: Scene) -> Any:
    """Return all that a story compares. A call that was cut off may be run, or not."""
    ran = () if run.left_open else (run.noted, run.runs_before)
    return run.described(), len(run.requests), what_was_sent(run), run.asked, ran


def expect(
    question: Callable[[Scene], Any], loop: Any, *replies: Any, note: str = "", **given: Any
) -> None:
    """Raise Differs if the question has another answer than for the package's loop.

    `note` is the cause, if the run is right but for this question.
    """
    run, right = Scene(loop, *replies, **given), play_package(replies, given)
    expected = question(right)
    with suppress(Exception):  # what the loop has appended can be anything
        if question(run) == expected:
            return
    said = ""
    with suppress(Exception):
        said = (note and explain_calls(run, right)) or note or explain_run(run, right)
    got, wanted = describe_difference(run, right)
    with telling([run.script]):
        raise Differs(Words(got), Words(wanted), said) from run.problem


def play_package(replies: Any, given: dict[str, Any]) -> Scene:
    """Return the run of the package's loop. It is played once, because many questions ask it."""
    key = repr((replies, given))
    if key not in played:
        played[key] = Scene(package_loop, *replies, **given)
    return played[key]


def describe_difference(run: Scene, right: Scene) -> tuple[str, str]:
    """Return the first message of two runs that differs, or else calls or requests that do."""
    if explain_calls(run, right):
        return describe_calls(run), describe_calls(right)
    end = describe_end(run)
    with suppress(Exception):  # what the loop has appended can be anything
        pairs = zip_longest(run.described(), right.described())
        for number, (one, other) in enumerate(pairs, 1):
            if one != other:
                got, wanted = describe_messages(number, one, other)
                if one is None and end:
                    return end, wanted
                return "\n".join([got, end]).strip(), wanted
        if run.noted != right.noted or run.asked != right.asked:
            return describe_calls(run), describe_calls(right)
        for number in range(len(run.requests)):
            if explain_request(run, number):
                return describe_request(run, number), describe_request(right, number)
    counts = [pluralize(len(one.requests), "request") for one in (run, right)]
    return end or counts[0], describe_end(right) or counts[1]


def describe_end(run: Scene) -> str:
    """Return the exception that has ended a run, and after how many requests, or ""."""
    if run.problem is None:
        return ""
    said = show(Raised(run.problem))
    if isinstance(run.problem, ApiSaidError):
        said = f"the API said {run.problem}"
    return f"{pluralize(len(run.requests), 'request')}, then {said}"


def describe_messages(number: int, *messages: Any) -> tuple[str, str]:
    """Return two messages: whole, or if they are long, the first place that differs.

    Each is described as who wrote it and its blocks, or is None if there is none.
    """
    begins = [f"message {number}, {one[0]}: " if one else "" for one in messages]
    texts = [", ".join(one[1]) or "nothing" if one else NO_MORE for one in messages]
    if max(map(len, texts)) > LINE_CHARACTERS:
        texts = [*show_difference(Words(texts[0]), Words(texts[1]))]
    return begins[0] + texts[0], begins[1] + texts[1]


def describe_request(run: Scene, number: int) -> str:
    """Return what a request contains, without the messages."""
    request = dict(run.requests[number])
    messages = request.pop("messages")
    request["tools"] = [tool.get("name") for tool in request.get("tools", ())]
    return f"request {number + 1}: {len(messages)} messages, {request}"


def describe_calls(run: Scene) -> str:
    """Return what the tools and `remind` were given."""
    said = f"the tools got {run.noted}"
    if run.says is None:
        return said
    calls = [
        f"with {names} after {pluralize(number, 'run')} of the tools"
        for names, number in zip(run.asked, run.runs_before, strict=True)
    ]
    reminded = f"was called {', and '.join(calls)}" if calls else "was not called"
    return f"{said}, and `remind` {reminded}"


def explain_run(run: Scene, right: Scene) -> str:
    """Say why a run is not like the right one, or "" if only its exception can say it."""
    if not run.requests:
        return "" if run.problem else NO_REQUEST
    if not isinstance(run.problem, ApiSaidError | EndlessError | None):
        return ""
    for number in range(len(run.requests)):
        if said := explain_request(run, number):
            return said
    if not what_became_of_the_list(run) or len(run.messages) < len(run.before):
        return HISTORY
    if len(run.requests) == 1 and isinstance(run.problem, EndlessError):
        return ASK_INSIDE
    if said := explain_calls(run, right):
        return said
    if has_reminder_outside(run):
        return BESIDE
    pairs = zip_longest(run.described(), right.described())
    places = [number for number, (got, expected) in enumerate(pairs) if got != expected]
    if not places:
        return CALL_TOOL if run.noted != right.noted else NO_END
    place = places[0]
    if place == len(run.messages):
        return explain_end(run)
    if place == len(right.messages):
        return explain_more(run.messages[place])
    if right.messages[place]["role"] == "assistant":
        return explain_reply(run.messages[place - 1], run.messages[place])
    return explain_results(run, right, place)


def explain_calls(run: Scene, right: Scene) -> str:
    """Say what is wrong with the calls of `remind`, or "". A run may have ended before them."""
    has_asked_again = len(run.requests) - 1 > len(run.asked)  # without a call of `remind` before it
    if has_asked_again and len(run.asked) < len(right.asked):
        return NOT_CALLED
    if run.asked != right.asked[: len(run.asked)]:
        return ONE_LIST
    if run.runs_before != right.runs_before[: len(run.asked)] and run.noted == right.noted:
        return TOO_SOON
    return ""


def has_reminder_outside(run: Scene) -> bool:
    """Return whether a reminder is next to the results, or in a message without results."""
    reminders = [text for text in run.says or () if text]
    texts = [b.get("text") for one in run.messages[len(run.before) :] for b in blocks_of(one)]
    return any(text in texts for text in reminders)


def explain_request(run: Scene, number: int) -> str:
    """Say what is wrong with a request, or ""."""
    request = run.requests[number]
    sent = {tool.get("name"): tool for tool in request.get("tools", ())}
    specs = {tool.name: tool.spec for tool in run.given}
    if sent.keys() != specs.keys() or any(sent[n] | specs[n] != sent[n] for n in specs):
        return SPECS
    if request | SETTINGS != request or request.keys() != run.requests[0].keys():
        return NO_SETTINGS
    before = run.requests[number - 1]["messages"] if number else run.before
    messages = request["messages"]
    if messages[: len(before)] == before:
        return ""
    # A message may have got more blocks: that is another mistake.
    pairs = zip(map(blocks_of, before), map(blocks_of, messages), strict=False)
    has_grown = all(now[: len(old)] == old for old, now in pairs)
    return "" if len(messages) >= len(before) and has_grown and run.problem else HISTORY


def explain_end(run: Scene) -> str:
    """Say why a run has ended before its last message."""
    if list_ids(run.messages[-1], "tool_use"):
        if run.problem is not None or len(run.requests[-1]["messages"]) > len(run.messages):
            return HISTORY if run.problem is None else APPEND_RESULTS
        answered = [one for each in run.messages for one in list_ids(each, "tool_result")]
        return NOT_SENT if len(run.noted) > len(answered) else LOOK_AT_THE_BLOCKS
    if run.problem is not None:
        return ""
    return LAST_REPLY if len(run.requests[-1]["messages"]) == len(run.messages) else ASK_AGAIN


def explain_reply(before: Any, message: Any) -> str:
    """Say what is wrong with the message where the model's reply should be."""
    if list_ids(message, "tool_result"):
        return AFTER_THE_FOR if list_ids(before, "tool_result") else REPLY_FIRST
    if not isinstance(message, Mapping) or "content" not in message:
        return REPLY_AS_A_DICT
    if message.get("role") == "user" and not list_ids(message, "tool_use"):
        return APPEND_RESULTS
    return WHOLE_REPLY if message.get("role") == "assistant" else REPLY_AS_A_DICT


def explain_more(message: Any) -> str:
    """Say what is wrong with a message after the end."""
    if list_ids(message, "tool_result"):
        return OLD_RESULTS
    is_reply = isinstance(message, Mapping) and message.get("role") == "assistant"
    has_words = any(str(block.get("text", " ")).strip() for block in blocks_of(message))
    return EMPTY_REPLY if is_reply and not has_words else NO_END


def explain_results(run: Scene, right: Scene, place: int) -> str:
    """Say what is wrong with the message where the results of a reply should be."""
    message, calls = run.messages[place], list_ids(run.messages[place - 1], "tool_use")
    results = list_ids(message, "tool_result")
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, list) and any(isinstance(one, list | str) for one in content):
        return APPEND_RESULTS if run.says is None else REPLACED
    if not results or message.get("role") != "user":
        return APPEND_RESULTS
    if any(str(one).startswith("srv") for one in results):
        return NO_CALL_FOR_US
    if len(results) > len(calls):
        return OLD_RESULTS
    if len(results) < len(calls) and run.problem is None and place == len(run.messages) - 1:
        return NOT_SENT
    if len(results) < len(calls):
        later = [one for each in run.messages[place + 1 :] for one in list_ids(each, "tool_result")]
        if {*calls} & {*later}:
            return AFTER_THE_FOR
        return EACH_CALL
    keys = [one.keys() for one in blocks_of(message) if one["type"] == "tool_result"]
    if any(not {"tool_use_id", "content"} <= one for one in keys):
        return RESULT_KEYS
    if results != calls:
        is_order = {*results} == {*calls} and run.noted != right.noted
        return CALL_TOOL if is_order else OWN_ID
    others = [block for block in blocks_of(message) if block["type"] != "tool_result"]
    if run.says is not None and not others and run.noted == right.noted:
        sent, wanted = map(list_texts, (message, right.messages[place]))
        return explain_reminder(run, sent, wanted)
    if others:
        return APPEND_RESULTS
    if right.noted and not run.noted and "there is no tool" not in str(run.messages):
        return DISPATCH
    return CALL_TOOL if run.noted[: len(right.noted)] != right.noted else SEND_OUTPUT


def list_texts(message: Any) -> list[str]:
    """Return the text of each result in a message."""
    return [*map(text_of_result, blocks_of(message))]


def explain_reminder(run: Scene, sent: list[str], wanted: list[str]) -> str:
    """Say what is wrong with the texts of the results of a round, by the first thing that is."""
    output, reminder = run.part_text(wanted[-1])
    if not reminder:
        return NONE_DUE if sent[-1].startswith(output) and sent[-1] != output else SEND_OUTPUT
    if any(reminder.strip() in text for text in sent[:-1]):
        return THE_LAST
    if sent[-1] == output:
        return NO_REMINDER
    before, found = run.part_text(sent[-1])
    before = before if found else sent[-1].removesuffix(reminder)
    if before.startswith(output) and not before.removeprefix(output).strip():
        return BLANK_LINE
    is_edited = not found and reminder not in sent[-1] and sent[-1].startswith(f"{output}\n\n")
    return REMINDER_EDITED if is_edited else AFTER_THE_OUTPUT
