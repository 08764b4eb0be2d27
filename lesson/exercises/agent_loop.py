"""The rules of `agent_loop`: tried with replies that are written in advance, on the real SDK.

Each rule asks one question about runs, `expect(question, agent_loop, reply, reply)`: the answer
must be the same as for the loop of the package. Why it is not, `explain_run` reads from the
messages, because the API's error names a message and not the line that has appended it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from agentlib.loop import run as package_loop
from lesson.learners_code import Raised, show
from lesson.message_blocks import MESSAGES_PER_ROUND, blocks_of
from lesson.pluralize import pluralize

from .kit.engine import Differs, Words, rule, show_difference
from .kit.telling import telling
from .scene import (
    BIG,
    EARLIER,
    FAILS,
    LONG,
    ONE,
    SAID,
    SAYS,
    SEARCHED,
    SERVER_ERROR,
    SETTINGS,
    THOUGHT,
    TWO,
    ApiSaidError,
    EndlessError,
    Scene,
    call,
    list_ids,
)

LINE_CHARACTERS = 200  # of a message that is shown whole
CUT_OFF = {"stop_reason": "max_tokens"}
MANY = [[ONE]] * 22  # more rounds than a loop with a limit or a window has
NO_MORE = "no more messages"
PLAYED: dict[str, Scene] = {}  # the runs of the package's loop, by what was given
REFUSAL = {"content": [SAID], "stop_reason": "refusal"}
OTHER_RUN = """The model replies:
1. shout(text='two')
Then a second run, with the tools `memo` and `yell`. The model replies:
1. yell(text='two')
2. note(text='one')"""

NO_REQUEST = (
    "No request was sent with the `client` that your function was given. Does your loop run, and "
    "does it call `client.messages.create(…)`, not `model.client`?"
)
SPECS = "Send the specs of the given tools: `tools=[tool.spec for tool in tools]`."
NO_SETTINGS = (
    "Your request does not have all settings, or has changed one: send `**settings`, as they are, "
    "with each request."
)
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
STOP_REASON = (
    "Your loop looks at the stop reason. A reply that was cut off or refused has another one, and "
    "some servers send a wrong one: look at the blocks alone, and return if none is a tool call."
)
CAUGHT = (
    "The request has failed, and your loop ended as if the job were done. Do not catch what "
    "`client.messages.create` raises, because only a reply without a tool call ends the run."
)
NOT_SENT = "Your loop ended before it sent the results: is a `return` in the `for` over the calls?"
NOT_APPENDED = "You ask again before the results are in `messages`: append them inside `while`."
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
    "The history has a message without words. Append a reply only if one of its blocks is no "
    "text, or is a text with words: `block.text.strip()`."
)
REPLY_FIRST = (
    "The reply is not in `messages` before its results. After each request, append it first: "
    '`messages.append({"role": "assistant", "content": reply.content})`.'
)
REPLY_AS_A_DICT = (
    "The reply goes into `messages` as a dict with these two keys: "
    '`{"role": "assistant", "content": reply.content}`.'
)
REPLY_ROLE = (
    'The message with the reply has another role than "assistant", which is the role of the model: '
    '`{"role": "assistant", "content": reply.content}`.'
)
WHOLE_REPLY = (
    "The message does not have all blocks of the reply. Its content is the whole list, "
    "`reply.content`, because a reply may also have blocks of other types."
)
REPLY_CHANGED = (
    "The reply is not as the model has sent it. Append `reply.content` unchanged, and "
    "change neither a text nor an input in it later."
)
APPEND_RESULTS = (
    "After the reply, append nothing but its results, in one dict: "
    '`{"role": "user", "content": results}`, where `results` is a list made by `append`.'
)
ONLY_RESULTS = (
    "The message after the reply has more in it than the results. Put nothing next to them, and "
    "send each Call's `output` as the content of its result, as a string."
)
KEEP_MESSAGES = (
    "A message that was there before is gone or was changed: only append to `messages`, and change "
    "none of the messages in it."
)
AFTER_THE_FOR = (
    "The results are in more than one message: append one message after the `for` over the calls."
)
EACH_CALL = "Some calls of the reply have no result: the API wants one for each call."
MADE_ANEW = (
    "Only the last call of the reply has a result. Make the list of the results once, above the "
    "`for`, and not anew for each call."
)
OLD_RESULTS = (
    "There are more results than calls. Append one result for each call, and make the list of "
    "calls and the list of results anew inside `while`."
)
RESULT_TYPE = (
    'A result has the type "tool_result", and the API knows no other one for it: '
    '`{"type": "tool_result", "tool_use_id": use.id, "content": …}`.'
)
NO_CALL_FOR_US = (
    "Your loop also runs a block that is no call for your program, such as the search of a server: "
    'look for the type "tool_use" alone. Other blocks can have a name and an input as well.'
)
OWN_ID = (
    "A result has the id of another call, or of none. Take each `tool_use_id` from its own call: "
    "it is the `id` of the block that was run."
)
CALL_TOOL = (
    "Run each call once, by `call_tool(dispatch, use.name, use.input)`, with its whole input. "
    "`dispatch` is a dict from each name to its Tool, built from `tools`."
)
EQUAL_CALLS = (
    "Your loop has not run a call that is equal to an earlier one. Run each call, because a tool "
    "may now return something else, for example if a file has changed."
)
IN_ORDER = (
    "The calls of a reply run in another order than the model has asked for, and a file must be "
    "read before it is written. Go through the blocks as they are in `reply.content`."
)
TEXT_BLOCKS = (
    "The content of a result is a string, or a list of text blocks with a string in each: "
    '`{"type": "text", "text": …}`. Is one of them None, as `print(…)` returns?'
)
OTHER_OUTPUT = (
    "A result has the output of another call. Keep each output under the id of its call, `use.id`, "
    "because two calls can have the same name, and each round has its own calls."
)
SEND_OUTPUT = "A result is not what the tool returned: send the Call's `output`, unchanged."
# When `remind` is called.
NOT_CALLED = (
    "Your loop has not called `remind` here. If it is not None, call it in each round with tool "
    "calls, also if one has failed: `text = remind(uses)`, after the `for` over the calls."
)
CALLED_ONCE = (
    "`remind` is called more than once in a round, and a nag counts each call as a round. Call it "
    "once, after the `for` over the calls, and keep what it returns: `text = remind(uses)`."
)
ALL_CALLS = "`remind` gets all calls of the round in one list, also those that failed: `uses`."
NO_CALLS = (
    "`remind` is also called if the reply has no tool call: call it after the `return` that ends "
    "the run."
)
TOO_SOON = (
    "`remind` is called before all tools have run, so it would show the list as it was before. "
    "Call it after the `for` over the calls."
)
# Where the reminder is sent.
BESIDE = "The reminder is next to the results: put it into the content of the last tool_result."
OWN_MESSAGE = (
    "The reminder has its own message: put it into the content of the last tool_result, before you "
    "append the results."
)
NONE_DUE = (
    "`remind` has returned None here, because no reminder is due. Leave the result as it is, and "
    "add no block, not even an empty one."
)
OLD_REMINDER = (
    "This is the reminder of an earlier round: send only what `remind` has returned in this one."
)
LIST_OF_BLOCKS = (
    "The content of the last result becomes a list, and each of the two things in it is a dict: "
    '`{"type": "text", "text": …}`.'
)
TEXT_KEY = (
    'A block of text has the two keys "type" and "text": `{"type": "text", "text": …}`, with a '
    "string as its text."
)
ONLY_THE_LAST = "The reminder is in more than one result: change the last one alone, `results[-1]`."
THE_LAST = "The reminder is in another result: the last one is `results[-1]`."
OUTPUT_FIRST = "The two blocks are in the wrong order: the output is first, then the reminder."
OUTPUT_CHANGED = (
    "The output of the call was cut or changed: the first of the two blocks has it unchanged."
)
OUTPUT_LOST = (
    "The output of the call is lost: keep it as the first of the two blocks, before the reminder."
)
ONE_BLOCK = (
    "The output and the reminder are in one text. Make a list of two blocks, and add nothing to "
    "the output or to the reminder."
)
NO_REMINDER = (
    "`remind` has returned text here, and it is not in the last result. Keep what it returns, and "
    "send it in each such round, also if a call has failed."
)
REMINDER_CHANGED = "The reminder is another text: send what `remind` has returned, unchanged."
TWO_BLOCKS = "The last result has exactly two blocks: its own output, and the reminder."
GIVEN_TOOLS = "The list of tools that your function was given has changed: only read it."

# What a learner meets first, by a pattern in the exception.
CAUSES = (
    (
        "unexpected keyword argument 'remind'|required (positional|keyword-only) argument: 'remind'"
        "|required positional arguments: .*'remind'",
        "Give `agent_loop` the argument `remind=None`: without a nag, it is called without one.",
    ),
    (
        "'str' object has no attribute '(append|extend)'|concatenate str .not .(list|dict)",
        "The content of a result is still a string. Replace it by a list of two text blocks, the "
        "output and the reminder.",
    ),
    (
        "this note is rejected|there is no tool 'missing'",
        "It has ended your loop: `call_tool` catches it, and its `output` is the result to send.",
    ),
    ("'dict' object is not callable", "A spec is a dict, which is not called: write `tool.spec`."),
    (
        "'NoneType' object is not callable",
        "This is None, and not a function. In E5, `remind` is None if there is no nag: test it "
        "before you call it.",
    ),
    (r"^TypeError: remind\(", "Give `remind` the list of blocks with the calls: `remind(uses)`."),
    (
        "Circular reference",
        "A result contains itself: the text of its first block is the output, which is a string.",
    ),
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
        "Object of type Call",
        "You sent the object that `call_tool` returns. Send its `output`, which is text.",
    ),
    (
        "^AttributeError: 'Call'",
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
    expect(what_became_of_the_list, agent_loop, [ONE], SERVER_ERROR)
    expect(what_was_sent, agent_loop, *MANY)
    # A second use, with other tools, before anything is put back. `note` is now no tool.
    names = ("memo", "yell")
    first = Scene(agent_loop, [call("shout", text="two")])
    noted, expected = [*first.noted], describe_first(first, names)
    second = Scene(agent_loop, [call("yell", text="two")], [ONE], names=names)
    got, late = describe_first(second), first.noted[len(noted) :]
    if late:
        got += f"\nthe tools of the first run get {late}"
    if late or second.noted != noted or what_was_sent(second) != what_was_sent(first):
        with telling([OTHER_RUN]):
            raise Differs(Words(got), Words(expected), OTHER_TOOLS) from second.problem


@rule
def models_turn(agent_loop):
    """Each reply of the model goes into messages, whole, and so does the last one.

    Under *Answer*, two messages were added. This is the first one, and its role is the model's.

    `{"role": "assistant", "content": reply.content}`: the whole content, not a part of it.
    """
    # Without a call, it is the last reply: it can also have blocks of other types.
    last = ("Hello.", REFUSAL, [THOUGHT, SAID], [SAID, *SEARCHED, SAID])
    for reply in ([ONE, TWO], [THOUGHT, ONE, TWO], BIG[0], *last):
        expect(lambda run: run.reply_blocks()[:1], agent_loop, reply, "Done.")


@rule
def asks_for_a_tool(agent_loop):
    """The loop runs the tool for each tool call, and for no other block.

    Print `block.type` for the blocks of a reply. Which type is a tool call?

    Collect the blocks whose type is "tool_use", among all blocks, as in the cell under *Act*.
    """
    for reply in (
        [ONE],
        [call("shout", text="one")],
        [ONE, SAID],
        [SAID, ONE, SAID, TWO],
        [THOUGHT, ONE, ONE],
        BIG[0],
    ):
        expect(what_ran, agent_loop, reply, "Done.")


@rule
def results_go_back(agent_loop):
    """All results of a reply go back in one message, each with the id of the call it answers.

    When do you append the second message: after each call, or after all of them?

    `{"role": "user", "content": results}`, after the loop over the calls.

    The API gives each call an id: it is the `id` of the block with the call.
    """
    for reply in ([ONE, TWO], [ONE, ONE], BIG[0]):
        expect(lambda run: run.results()[:1], agent_loop, reply, "Done.")
    expect(lambda run: run.results()[: len(BIG) - 1], agent_loop, *BIG)


@rule
def errors_go_back(agent_loop):
    """A call that fails gets its error as the result, and the loop goes on.

    What happens to your loop if a tool raises an exception, or if there is no such tool?

    `call_tool` catches the exception, and its message is the `output`: send it like any other.
    """
    for wrong in (FAILS, call("missing")):
        expect(lambda run: sum(run.results(), [])[:3], agent_loop, [ONE, wrong, TWO], "Done.")


@rule
def stops(agent_loop):
    """The loop stops when the reply has no tool call, and not before.

    What is missing from a reply that has only text? Text says nothing: it can be next to a call.

    Test whether the list of calls is empty, in each round, and make a new list of results.

    A reply that was cut off has another `stop_reason`, with a call or without: look at the blocks.
    """
    for replies in (
        [[SAID, ONE], "Done."],
        [[ONE, SAID], "Done."],
        ["Which file do you mean?"],
        [[THOUGHT, SAID]],
    ):
        expect(where_it_ends, agent_loop, *replies)
    # The same replies with another stop reason; some servers send "end_turn" with a call.
    for reply in (
        {"content": [SAID]} | CUT_OFF,
        REFUSAL,
        {"content": [SAID], "stop_reason": "tool_use"},
        {"content": [ONE], "stop_reason": "end_turn"},
    ):
        expect(where_it_ends, agent_loop, reply, "Done.", note=STOP_REASON)
    expect(where_it_ends, agent_loop, *MANY)
    expect(ends_in_a_reply, agent_loop, [ONE], SERVER_ERROR, note=CAUGHT)
    expect(Scene.ask_more, agent_loop, {"content": [ONE]} | CUT_OFF, note=STOP_REASON)


@rule(level="remind")
def called(agent_loop):
    """It calls remind once in each round with tool calls, with these calls, after they have run.

    Where does your loop know all calls of a reply, and where have all of them run?

    After the `for` loop that runs the tools: `remind(uses)`. Each use has a `name`.

    The default of `remind` is None: `remind=None`, and then nothing is called.
    """
    for reply in ([SAID, ONE, TWO], [ONE, call("missing"), FAILS]):
        expect(when_reminded, agent_loop, reply, "Done.", says=[])
    expect(when_reminded, agent_loop, [ONE], "Done.", says=[SAYS])
    todo = call("todo", text="two")
    names = ("note", "todo")
    expect(is_reminded_each_time, agent_loop, [todo], [todo, ONE], "Done.", says=[], names=names)
    shout = call("shout", text="two")
    says = [SAYS, None, SAYS]
    expect(is_reminded_each_time, agent_loop, [ONE], [shout, TWO], [ONE], "Done.", says=says)


@rule(level="remind")
def inside(agent_loop):
    """What remind returns is a text block inside the last tool result.

    What is the content of a tool result: a string, or a list of blocks? It can be either.

    The content of `results[-1]` becomes a list of two text blocks: output, then reminder.
    """
    expect(Scene.results, agent_loop, [ONE], "Done.", says=[None])
    expect(Scene.results, agent_loop, [ONE, TWO], "Done.", says=[SAYS])
    says = [SAYS, None, SAYS]
    expect(Scene.results, agent_loop, [FAILS], [ONE], [TWO, FAILS], "Done.", says=says)
    expect(Scene.results, agent_loop, [call("note", text=LONG)], "Done.", says=[SAYS])
    lines = f"<reminder>\n  {LONG}{{Next}}: <b>a\\1</b>\n</reminder>\n"
    expect(Scene.results, agent_loop, *BIG, says=[lines, None, SAYS, SAYS])


@rule(level="remind")
def empty_reply(agent_loop):
    """After a reply of whitespace, or of nothing, the API accepts the next prompt.

    The API can send such a reply, and it rejects a history that contains one.

    Append a reply only if one of its blocks is no text, or a text with words: `block.text.strip()`.
    """
    blank = {"type": "text", "text": " \n"}
    for replies in ([[ONE], " \n"], [[ONE], []], [[blank, ONE, blank], "Done."]):
        expect(lambda run: run.problem or run.ask_more(), agent_loop, *replies)


def what_was_sent(run: Scene) -> Any:
    """Return what is wrong with the requests, or "" for each right one."""
    return {explain_request(run, number) for number in range(len(run.requests))}


def what_ran(run: Scene) -> tuple[Any, bool]:
    """Return what the tools got, and whether a block was answered that is no call."""
    return run.noted, any("of no call" in block for one in run.results() for block in one)


def where_it_ends(run: Scene) -> tuple[int, int]:
    """Return the number of requests, and of the messages that answer a reply."""
    return len(run.requests), len(run.results())


def when_reminded(run: Scene) -> Any:
    """Return the calls that `remind` got each time, and how often a tool had run before."""
    return run.asked, run.runs_before


def is_reminded_each_time(run: Scene) -> bool:
    """Return whether `remind` got the calls of each round.

    The API may have ended the run before: that is another mistake.
    """
    rounds = [[block["name"] for block in reply] for reply in run.replies if reply != "Done."]
    count = len(run.asked)
    return run.asked == rounds[:count] and has_asked_in_each_round(run)


def has_asked_in_each_round(run: Scene) -> bool:
    """Return whether no request was sent before `remind` was called in the round before it."""
    return len(run.asked) >= len(run.requests) - 1


def ends_in_a_reply(run: Scene) -> bool:
    """Return whether a run has ended in a reply of the model, or in an error."""
    return run.problem is not None or run.described()[-1][0] == "assistant"


def what_became_of_the_list(run: Scene) -> tuple[bool, bool, bool]:
    """Return whether the list begins as before and has grown, and the tools are the given ones.

    It must have grown before a second request.
    """
    has_grown = len(run.messages) > len(run.before) or len(run.requests) < 2
    is_kept = run.messages[: len(run.before)] == run.before
    return is_kept, has_grown, run.tools == run.given


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
        said = note or explain_run(run, right)
    got, wanted = describe_difference(run, right)
    with telling([run.script]):
        raise Differs(Words(got), Words(wanted), said) from run.problem


def play_package(replies: Any, given: dict[str, Any]) -> Scene:
    """Return the run of the package's loop. It is played once, because many questions ask it.

    Its replies are never cut off, because it does not run a call that was cut off. A learner's loop
    runs it, and the learner reads what is expected.
    """
    key = repr((replies, given))
    if key not in PLAYED:
        whole = [one["content"] if is_cut_off(one) else one for one in replies]
        PLAYED[key] = Scene(package_loop, *whole, **given)
    return PLAYED[key]


def is_cut_off(reply: Any) -> bool:
    return isinstance(reply, Mapping) and CUT_OFF.items() <= reply.items()


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
    """Return two messages: whole, or if they are long, the first block that differs.

    Each is described as who wrote it and its blocks, or is None if there is none.
    """
    lines = []
    for one in messages:
        shown = f"message {number}, {one[0]}: {', '.join(one[1]) or 'nothing'}" if one else NO_MORE
        lines.append(shown)
    if max(map(len, lines)) <= LINE_CHARACTERS:
        return lines[0], lines[1]
    if all(messages):
        pairs = zip_longest(*(blocks for _, blocks in messages), fillvalue="nothing")
        for place, (one, other) in enumerate(pairs, 1):
            if one != other:
                begins = [f"message {number}, {role}, block {place}: " for role, _ in messages]
                got, wanted = show_difference(Words(one), Words(other))
                return begins[0] + got, begins[1] + wanted
    return show_difference(Words(lines[0]), Words(lines[1]))


def describe_request(run: Scene, number: int) -> str:
    """Return what a request contains, without the messages."""
    request = dict(run.requests[number])
    messages = request.pop("messages")
    request["tools"] = [tool.get("name") for tool in request.get("tools", ())]
    return f"request {number + 1}: {len(messages)} messages, {request}"


def describe_first(run: Scene, names: Sequence[str] = ()) -> str:
    """Return what the first request of a run contains, what the tools got, and how it ended.

    The tools are called by these `names`, if they are given.
    """
    if not run.requests:
        return describe_end(run) or "no request"
    request = run.requests[0]
    tools = [*names] or [tool.get("name") for tool in request.get("tools", ())]
    count = pluralize(len(request["messages"]), "message")
    said = f"request 1 has {count} and the tools {tools}, which get {run.noted}"
    return f"{said}\n{describe_end(run)}".strip()


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
        said = explain_request(run, number)
        if said:
            return said
    is_kept, has_grown, has_tools = what_became_of_the_list(run)
    if not is_kept or not has_grown:
        return NEW_LIST if not has_grown or len(run.messages) < len(run.before) else KEEP_MESSAGES
    if not has_tools:
        return GIVEN_TOOLS
    if len(run.requests) == 1 and isinstance(run.problem, EndlessError):
        return ASK_INSIDE
    said = explain_calls(run, right)
    if said:
        return said
    if run.noted != right.noted and sorted(map(str, run.noted)) == sorted(map(str, right.noted)):
        return IN_ORDER
    if has_own_message(run):
        return OWN_MESSAGE
    pairs = zip_longest(run.described(), right.described())
    places = [number for number, (got, expected) in enumerate(pairs) if got != expected]
    if not places:
        return explain_runs(run, right) if run.noted != right.noted else ""
    place = places[0]
    if place == len(run.messages):
        return explain_end(run)
    if place == len(right.messages):
        return explain_more(run.messages[place])
    if right.messages[place]["role"] == "assistant":
        return explain_reply(run.messages[place - 1], run.messages[place], right.messages[place])
    return explain_results(run, right, place)


def explain_calls(run: Scene, right: Scene) -> str:
    """Say what is wrong with the calls of `remind`, or "". A run may have ended before them."""
    if len(run.asked) < len(right.asked) and not has_asked_in_each_round(run):
        return NOT_CALLED
    if run.asked != right.asked[: len(run.asked)]:
        if [] in run.asked[len(right.asked) :]:
            return NO_CALLS
        return CALLED_ONCE if len(run.asked) > len(right.asked) else ALL_CALLS
    if run.runs_before != right.runs_before[: len(run.asked)] and run.noted == right.noted:
        return TOO_SOON
    return ""


def explain_runs(run: Scene, right: Scene) -> str:
    """Say why the tools got something else, although the messages are right."""
    got, expected = map(str, run.noted), map(str, right.noted)
    is_less = len(run.noted) < len(right.noted)
    return EQUAL_CALLS if is_less and {*got} == {*expected} else CALL_TOOL


def has_own_message(run: Scene) -> bool:
    """Return whether a reminder is in a message without results."""
    reminders = [text for text in run.says or () if text]
    for message in run.messages[len(run.before) :]:
        texts = [block.get("text") for block in blocks_of(message)]
        if not list_ids(message, "tool_result") and any(one in texts for one in reminders):
            return True
    return False


def explain_request(run: Scene, number: int) -> str:
    """Say what is wrong with a request, or ""."""
    request = run.requests[number]
    sent = {tool.get("name"): tool for tool in request.get("tools", ())}
    specs = {tool.name: tool.spec for tool in run.given}
    if sent.keys() != specs.keys() or any(sent[n] | specs[n] != sent[n] for n in specs):
        return SPECS
    if request | SETTINGS != request:
        return NO_SETTINGS
    before = run.requests[number - 1]["messages"] if number else run.before
    sent = request["messages"]
    if sent[: len(before)] == before:
        return ""
    if len(sent) < len(before) or sent[0] in before[1:] or is_window(sent, before):
        return ALL_MESSAGES.format(number + 1)
    # A message may have got more blocks: that is another mistake.
    pairs = zip(map(blocks_of, before), map(blocks_of, sent), strict=False)
    has_grown = all(now[: len(old)] == old for old, now in pairs)
    return "" if has_grown and run.problem else KEEP_MESSAGES


def is_window(sent: list[Any], before: list[Any]) -> bool:
    """Return whether a request is the one `before`, without some messages, and with a new round."""
    kept = [one for one in sent if one in before]
    new = sent[len(kept) :]
    has_lost = any(one not in sent for one in before)
    return has_lost and kept + new == sent and len(new) <= MESSAGES_PER_ROUND


def explain_end(run: Scene) -> str:
    """Say why a run has ended before its last message."""
    if list_ids(run.messages[-1], "tool_use"):
        if len(run.requests[-1]["messages"]) > len(run.messages):
            return NEW_LIST
        if run.problem is not None:
            return NOT_APPENDED
        answered = [one for each in run.messages for one in list_ids(each, "tool_result")]
        return NOT_SENT if len(run.noted) > len(answered) else LOOK_AT_THE_BLOCKS
    if run.problem is not None:
        return ""
    return LAST_REPLY if len(run.requests[-1]["messages"]) == len(run.messages) else ASK_AGAIN


def explain_reply(before: Any, message: Any, right: Any) -> str:
    """Say what is wrong with the message where the model's reply should be."""
    if list_ids(message, "tool_result"):
        return AFTER_THE_FOR if list_ids(before, "tool_result") else REPLY_FIRST
    if not isinstance(message, Mapping) or "content" not in message:
        return REPLY_AS_A_DICT
    if message.get("role") == "user" and not list_ids(message, "tool_use"):
        return APPEND_RESULTS
    if message.get("role") != "assistant":
        return REPLY_ROLE
    return WHOLE_REPLY if len(blocks_of(message)) < len(blocks_of(right)) else REPLY_CHANGED


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
    if not results and any("tool_use_id" in block for block in blocks_of(message)):
        return RESULT_TYPE
    if not results or message.get("role") != "user":
        return APPEND_RESULTS
    if any(str(one).startswith("srv") for one in results):
        return NO_CALL_FOR_US
    if len(results) > len(calls):
        return OLD_RESULTS
    if len(results) < len(calls):
        later = [one for each in run.messages[place + 1 :] for one in list_ids(each, "tool_result")]
        if {*calls} & {*later}:
            return AFTER_THE_FOR
        has_run_all = run.noted == right.noted
        return MADE_ANEW if has_run_all and results == calls[-1:] else EACH_CALL
    if results != calls:
        return OWN_ID
    sent, wanted = list_texts(message), list_texts(right.messages[place])
    if run.says is not None and len(sent) == len(wanted) and run.noted == right.noted:
        before = [one for one in run.messages[:place] if list_ids(one, "tool_result")]
        earlier = run.says[: len(before)]
        return explain_reminder(earlier, blocks_of(message)[-1], sent, wanted)
    return explain_outputs(run, right, sent, wanted)


def list_texts(message: Any) -> list[list[Any]]:
    """Return the texts in the content of each block of a message."""
    return [[part.get("text") for part in blocks_of(block)] for block in blocks_of(message)]


def explain_outputs(run: Scene, right: Scene, sent: list[Any], wanted: list[Any]) -> str:
    """Say what is wrong with the texts of the results."""
    if len(sent) > len(wanted):
        return ONLY_RESULTS if run.says is None else BESIDE
    if not all(isinstance(text, str) for texts in sent for text in texts or [None]):
        return TEXT_BLOCKS
    if len(run.noted) < len(right.noted) or run.noted[: len(right.noted)] != right.noted:
        return CALL_TOOL
    if [*map(len, sent)] != [*map(len, wanted)]:
        return ONLY_RESULTS
    outputs = [texts for one in right.messages for texts in list_texts(one)]
    differing = [texts for texts, other in zip(sent, wanted, strict=True) if texts != other]
    return OTHER_OUTPUT if any(texts in outputs for texts in differing) else SEND_OUTPUT


def explain_reminder(earlier: Sequence[Any], last: Any, sent: list[Any], wanted: list[Any]) -> str:
    """Say what is wrong with the results of a round, by the first thing that is.

    `earlier` is what `remind` has returned in the rounds before, and `last` is the last result.
    `sent` and `wanted` are the texts of each result.
    """
    output, *reminders = wanted[-1]
    texts, content = sent[-1], last.get("content")
    if any(text in texts and text not in reminders for text in earlier):
        return OLD_REMINDER
    if not reminders:
        return NONE_DUE if texts[1:] else SEND_OUTPUT
    (reminder,) = reminders
    if not isinstance(content, str | list | tuple):
        return LIST_OF_BLOCKS
    if not isinstance(content, str) and len(blocks_of(last)) < len(content):
        return LIST_OF_BLOCKS
    types = [part["type"] for part in blocks_of(last)]
    if {*types} != {"text"} or not all(isinstance(text, str) for text in texts):
        return TEXT_KEY
    if any(reminder in others for others in sent[:-1]):
        return ONLY_THE_LAST if reminder in texts else THE_LAST
    if texts == [output]:
        return NO_REMINDER
    if reminder not in texts:
        is_joined = any(reminder in text and output in text for text in texts)
        return ONE_BLOCK if is_joined else REMINDER_CHANGED
    if output not in texts:
        is_cut = any(text.strip() and text.strip() in output for text in texts)
        return OUTPUT_CHANGED if is_cut else OUTPUT_LOST
    return OUTPUT_FIRST if texts == [reminder, output] else TWO_BLOCKS
