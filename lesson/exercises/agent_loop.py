"""The rules of `agent_loop`: tried with replies that are written in advance, on the real SDK.

Each rule asks one question about runs, `expect(question, agent_loop, reply, reply)`: the answer
must be the same as for the loop of the package. Why it is not, `explain_run` reads from the
messages, because the API's error names a message and not the line that has appended it. The last
rule of each level plays random scenes, and compares all that is in a run.
A note is the first words of a sentence of the page.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import Any

from agentlib.loop import run as package_loop
from exerciselib.engine import Differs, EndlessError, same, trying
from exerciselib.learners_code import Raised
from exerciselib.page import Page
from exerciselib.show_value import Words, show, show_difference
from lesson.common.message_blocks import blocks_of
from lesson.common.pluralize import pluralize
from lesson.common.solutions import read_solutions

from .agent_loop_scene import (
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
    SERVER_ERROR,
    SETTINGS,
    THOUGHT,
    TWO,
    ApiSaidError,
    LongRun,
    Scene,
    call,
    list_ids,
    make_random,
    text_of_result,
)

LINE_CHARACTERS = 200  # of a message that is shown whole
PAGE = Page("agent_loop", __file__, read_solutions())
played: dict[int, Scene] = {}  # the runs of the package's loop, by what was given
NAG_ERRORS = (ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, OSError)
# The first words of sentences that several questions name, and of those about a request.
HISTORY, TOOLS, CAUGHT = "The list `messages`", "The list `tools`", "An error or an interrupt"
NOT_READ = "Your loop ended before the model"
OF_REQUESTS = ("The specs of a request", "The settings of a request")
# In a block with the type of another one, the API misses the fields of that one.
WRONG_TYPE = re.compile(
    r"content\S*\.type: (Field required|Input tag)"
    r"|messages\.\d+\.content\.\d+\.(tool_use|text)\.\w+: Field required"
)
REFUSAL = {"content": [SAID], "stop_reason": "refusal"}


def arguments(agent_loop):
    for question in (what_was_sent, what_became_of_the_list):
        expect(question, agent_loop, [ONE], [TWO], [ONE], "Done.")
    expect(what_became_of_the_list, agent_loop, [ONE], SERVER_ERROR)
    expect(keeps_tools, agent_loop, [ONE], note=TOOLS)
    run = LongRun(agent_loop)
    with trying([run.script]):
        for number, (before, sent) in enumerate(pairwise(run.sent), 2):
            if sent <= before:
                got = f"request {number}: {sent} messages, after a request with {before}"
                is_equal = sent == before == len(run.before)
                note = "Two requests were sent" if is_equal else HISTORY
                raise Differs(Words(got), Words("more messages"), note)
        same(run.history[: len(run.before)], run.before, HISTORY)
    # A second use, with other tools, before anything is put back. `note` is now no tool.
    first = Scene(agent_loop, [call("shout", text="two")])
    if first.noted != ["two (shout)"]:
        return  # another rule says why
    second = Scene(agent_loop, [call("yell", text="two")], [ONE], names=("memo", "yell"))
    with trying([first.script, "Then a second run.", second.script]):
        expected = ["two (shout)", "two (yell)"]
        same([*first.noted, *second.noted], expected, "`call_tool` finds no tool")
        same(what_was_sent(second), {""}, "The specs of a request")


def models_turn(agent_loop):
    # Without a call, it is the last reply: it can also have blocks of other types.
    last = ("Hello.", REFUSAL, [THOUGHT, SAID], {"content": [SAID]} | CUT_OFF)
    for reply in ([ONE, TWO], [THOUGHT, HIDDEN, ONE, TWO], *last):
        expect(lambda run: run.list_turns("assistant")[:1], agent_loop, reply, "Done.")


def asks_for_a_tool(agent_loop):
    for reply in ([ONE], [call("shout", text="one")], [ONE, SAID], [THOUGHT, ONE, ONE], BIG[0]):
        expect(what_ran, agent_loop, reply, "Done.")


def results_go_back(agent_loop):
    for replies in ([[ONE, TWO]], [[ONE, ONE]], BIG):
        count = len([one for one in replies if any(b["type"] == "tool_use" for b in one)])
        expect(lambda run, count=count: run.list_turns("user")[:count], agent_loop, *replies)


def errors_go_back(agent_loop):
    for wrong in (FAILS, call("missing")):
        replies = ([ONE, wrong, TWO], "Done.")
        expect(lambda run: sum(run.list_turns("user"), [])[:3], agent_loop, *replies)
    missing = [call("missing", text="one")]
    expect(lambda run: run.list_turns("user")[:1], agent_loop, missing, names=())


def stops(agent_loop):
    for replies in ([[SAID, ONE]], [[ONE, SAID]], ["Which file?"], [[THOUGHT, SAID]], [[]]):
        expect(lambda run: (where_it_ends(run), has_raised(run)), agent_loop, *replies)
    # The same replies with another stop reason; some servers send "end_turn" with a call.
    for reply in (
        {"content": [SAID]} | CUT_OFF,
        {"content": [ONE]} | CUT_OFF,
        REFUSAL,
        {"content": [SAID], "stop_reason": "tool_use"},
        {"content": [ONE], "stop_reason": "end_turn"},
        {"content": [ONE], "stop_reason": "stop_sequence"},
    ):
        expect(where_it_ends, agent_loop, reply, "Done.", note="Your loop looks at the stop reason")
    run = LongRun(agent_loop)
    with trying([run.script]):
        same(len(run.sent), ROUNDS + 1, NOT_READ)
        same(run.is_changed, False, HISTORY)
    expect(ends_in_a_reply, agent_loop, [ONE], SERVER_ERROR, note=CAUGHT)
    for replies in ([[ONE], INTERRUPT], [[ONE], EXIT], [[INTERRUPTED]]):
        expect(has_raised, agent_loop, *replies, note=CAUGHT)


def all_together(agent_loop):
    for replies, given in make_random(has_nag=False):
        expect(what_happened, agent_loop, *replies, **given)


def called(agent_loop):
    todo = [call("todo", text="two")]
    for reply in ([SAID, ONE, TWO], [ONE, call("missing"), FAILS], todo):
        expect(when_reminded, agent_loop, reply, "Done.", says=[], names=("note", "todo"))
    expect(when_reminded, agent_loop, [ONE], "Done.", says=[SAYS])
    for kind in NAG_ERRORS:
        broken = [SAYS, kind("the nag has failed")]
        expect(has_raised, agent_loop, [ONE], [TWO], says=broken, note=CAUGHT)


def inside(agent_loop):
    for replies, says in (
        ([[ONE], "Done."], [None]),
        ([[ONE, TWO], "Done."], [SAYS]),
        ([[call("note", text=SAYS)], "Done."], [SAYS]),
        ([[FAILS], [ONE], [TWO, FAILS], "Done."], [SAYS, None, SAYS]),
        ([[call("note", text=LONG)], "Done."], [f" {SAYS}\n"]),
        ([[ONE], "Done."], [f"{SAYS} & “ü” {'long ' * 900}"]),
    ):
        expect(lambda run: run.list_turns("user"), agent_loop, *replies, says=says)
    run = LongRun(agent_loop, has_nag=True)
    results = run.history[len(run.before) + 1 :: 2]
    if len(results) == ROUNDS:  # otherwise another rule says why
        with trying([run.script, f"`remind` returns {SAYS!r} in the rounds {run.due}."]):
            got = [number for number, one in enumerate(results, 1) if SAYS in str(one)]
            same(got, run.due, "The last result lacks")
            same(run.is_changed, False, HISTORY)


def all_reminded(agent_loop):
    for replies, given in make_random(has_nag=True):
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
    """Return whether the list begins as before, and has all messages of the last request."""
    has_all = len(run.messages) >= len(run.requests[-1]["messages"])
    return has_all and run.messages[: len(run.before)] == run.before


def what_happened(run: Scene) -> Any:
    """Return all that a random scene compares. A call that was cut off may be run, or not."""
    ran = () if run.left_open else (run.noted, run.runs_before)
    return run.described(), len(run.requests), what_was_sent(run), run.asked, ran, keeps_tools(run)


def keeps_tools(run: Scene) -> bool:
    """Return whether the list `tools` is as before: the next run also gets it."""
    return run.tools == run.given


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
    if note == CAUGHT and len(run.requests) < len(right.requests):
        note = NOT_READ  # it has ended before the error
    said = ""
    with suppress(Exception):
        said = (note and explain_calls(run, right)) or note or explain_run(run, right)
    got, wanted = describe_difference(run, right, said)
    with trying([run.script]):
        raise Differs(Words(got), Words(wanted), said) from run.problem


def play_package(replies: Any, given: dict[str, Any]) -> Scene:
    """Return the run of the package's loop. It is played once, because many questions ask it."""
    key = hash(repr((replies, given)))  # the text of a long story is not kept
    if key not in played:
        run = played[key] = Scene(package_loop, *replies, **given)
        if run.problem:  # its frames, and those of the check, need not be kept
            run.problem = run.problem.with_traceback(None)
            run.problem.__context__ = None
    return played[key]


def describe_difference(run: Scene, right: Scene, said: str) -> tuple[str, str]:
    """Return the first line that differs in the descriptions of two runs, of what is `said`.

    If it is a message, the error that has ended the first run is below it.
    """
    if explain_calls(run, right):
        return describe_calls(run), describe_calls(right)
    lines = describe_requests if said in OF_REQUESTS else describe
    with suppress(Exception):  # what the loop has appended can be anything
        for (begin, got), (other, wanted) in zip(lines(run), lines(right), strict=False):
            if begin + got != other + wanted:
                end = f"\n{describe_end(run)}" if begin and run.problem else ""
                if max(len(got), len(wanted)) > LINE_CHARACTERS:
                    cut, wanted = show_difference(Words(got), Words(wanted))
                    got = cut if begin else got  # an error is shown whole
                return begin + got + end, other + wanted
    return describe_end(run), describe_end(right)


def describe(run: Scene) -> Iterator[tuple[str, str]]:
    """Yield the lines of a description, each in two parts: messages, end, calls and requests."""
    for number, (role, blocks) in enumerate(run.described(), 1):
        yield f"message {number}, {role}: ", ", ".join(blocks) or "nothing"
    yield "", describe_end(run)
    yield "", describe_calls(run)
    yield "`tools` has at the end ", ", ".join(tool.name for tool in run.tools) or "nothing"
    yield from describe_requests(run)


def describe_requests(run: Scene) -> Iterator[tuple[str, str]]:
    """Yield a line for each request: its number of messages, its tools and its settings."""
    for number, request in enumerate(run.requests, 1):
        tools = [tool.get("name") for tool in request.get("tools", ())]
        sent = pluralize(len(request["messages"]), "message")
        yield f"request {number}: ", f"{sent}, {request | {'tools': tools, 'messages': '…'}}"
        for tool in request.get("tools", ()):
            yield f"request {number}: ", show(tool)


def describe_end(run: Scene) -> str:
    """Return how many requests a run has sent, and the exception that has ended it."""
    count = pluralize(len(run.requests), "request")
    if run.problem is None:
        return f"no more messages after {count}"
    is_of_api = isinstance(run.problem, ApiSaidError)
    said = f"the API said {run.problem}" if is_of_api else show(Raised(run.problem))
    return f"{count}, then {said}"


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
        return "" if run.problem else "No request was sent"
    if not isinstance(run.problem, ApiSaidError | EndlessError | None):
        return explain_calls(run, right)
    if WRONG_TYPE.search(str(run.problem)):
        return "A block that was sent"  # in the API's own words
    for number in range(len(run.requests)):
        if said := explain_request(run, number):
            return said
    if not what_became_of_the_list(run):
        return HISTORY
    if not keeps_tools(run):
        return TOOLS
    if len(run.requests) == 1 and isinstance(run.problem, EndlessError):
        return "The model was asked"
    if said := explain_calls(run, right):
        return said
    if has_reminder_outside(run):
        return "The reminder is in a place"
    pairs = zip_longest(run.described(), right.described())
    places = [number for number, (got, expected) in enumerate(pairs) if got != expected]
    if not places:
        return "Run each call once" if run.noted != right.noted else "A reply without a call"
    place = places[0]
    if place == len(run.messages):
        return explain_end(run, right)
    if place == len(right.messages):
        is_of_results = list_ids(run.messages[place], "tool_result")
        return "There are more results" if is_of_results else "A reply without a call"
    if right.messages[place]["role"] == "assistant":
        return explain_reply(run.messages[place - 1], run.messages[place])
    return explain_results(run, right, place)


def explain_calls(run: Scene, right: Scene) -> str:
    """Say what is wrong with the calls of `remind`, or "". A run may have ended before them."""
    has_asked_again = len(run.requests) - 1 > len(run.asked)  # without a call of `remind` before it
    if has_asked_again and len(run.asked) < len(right.asked):
        return "Your loop has not called"
    if run.asked != right.asked[: len(run.asked)]:
        return "Call `remind` once"
    if run.runs_before != right.runs_before[: len(run.asked)] and run.noted == right.noted:
        return "`remind` is called before"
    return ""


def has_reminder_outside(run: Scene) -> bool:
    """Return whether a reminder is next to the results, or in a message without results."""
    reminders = [text for text in run.says or () if text]
    new = run.messages[len(run.before) :]
    texts = [str(block.get("text")) for one in new for block in blocks_of(one)]
    # `+=` adds a string to a list letter by letter.
    contents = [one.get("content") for one in new if isinstance(one, Mapping)]
    for content in (one for one in contents if isinstance(one, list)):
        texts.append("".join(one for one in content if isinstance(one, str) and len(one) == 1))
    return any(reminder in text for text in texts for reminder in reminders)


def explain_request(run: Scene, number: int) -> str:
    """Say what is wrong with a request, or ""."""
    request = run.requests[number]
    sent = {tool.get("name"): tool for tool in request.get("tools", ())}
    specs = {tool.name: tool.spec for tool in run.given}
    if sent.keys() != specs.keys() or any(sent[n] | specs[n] != sent[n] for n in specs):
        return "The specs of a request"
    if request | SETTINGS != request or request.keys() != run.requests[0].keys():
        return "The settings of a request"
    before = run.requests[number - 1]["messages"] if number else run.before
    messages = request["messages"]
    if messages[: len(before)] == before:
        return ""
    # A message may have got more blocks: that is another mistake.
    pairs = zip(map(blocks_of, before), map(blocks_of, messages), strict=False)
    has_grown = all(now[: len(old)] == old for old, now in pairs)
    return "" if len(messages) >= len(before) and has_grown and run.problem else HISTORY


def explain_end(run: Scene, right: Scene) -> str:
    """Say why a run has ended before its last message."""
    if list_ids(run.messages[-1], "tool_use"):
        if run.problem is not None:
            return "The results of a round"
        return "Your loop ended before it" if has_unsent(run) else "Your loop ended at a reply"
    if run.problem is not None:
        return ""
    is_kept = len(run.requests[-1]["messages"]) < len(run.messages)
    is_early = is_kept or len(run.requests) < len(right.requests)
    return NOT_READ if is_early else "The last reply"


def has_unsent(run: Scene) -> bool:
    """Return whether a tool has run more often than there are results."""
    return len(run.noted) > sum(len(list_ids(one, "tool_result")) for one in run.messages)


def explain_reply(before: Any, message: Any) -> str:
    """Say what is wrong with the message where the model's reply should be."""
    if list_ids(message, "tool_result"):
        is_second = list_ids(before, "tool_result")
        return f"The results are in {'more' if is_second else '`messages`'}"
    if not isinstance(message, Mapping) or "content" not in message:
        return "Append the reply as a dict"
    if message.get("role") == "user" and not list_ids(message, "tool_use"):
        return "After a reply with calls"
    is_models = message.get("role") == "assistant"
    return "This message is not the whole reply" if is_models else "Append the reply as a dict"


def explain_results(run: Scene, right: Scene, place: int) -> str:
    """Say what is wrong with the message where the results of a reply should be."""
    message, calls = run.messages[place], list_ids(run.messages[place - 1], "tool_use")
    results = list_ids(message, "tool_result")
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, list) and any(isinstance(one, list | str) for one in content):
        return "After a reply with calls" if run.says is None else "A result was replaced"
    if content == []:
        return "The message with the results"
    if not results or message.get("role") != "user":
        return "After a reply with calls"
    if any(str(one).startswith("srv") for one in results):
        return "Your loop runs a block"
    if len(results) > len(calls):
        return "There are more results"
    if len(results) < len(calls) and run.problem is None and place == len(run.messages) - 1:
        return "Your loop ended before it"
    if len(results) < len(calls):
        later = [one for each in run.messages[place + 1 :] for one in list_ids(each, "tool_result")]
        if {*calls} & {*later}:
            return "The results are in more"
        return "Some calls have no result" if has_unsent(run) else "Some calls of the reply"
    keys = [one.keys() for one in blocks_of(message) if one["type"] == "tool_result"]
    if any(not {"tool_use_id", "content"} <= one for one in keys):
        return "A result needs three keys"
    if results != calls:
        is_order = {*results} == {*calls} and run.noted != right.noted
        is_order = is_order or list_answers(message) == list_answers(right.messages[place])
        return "The calls were run" if is_order else "The ids of the results"
    others = [block for block in blocks_of(message) if block["type"] != "tool_result"]
    if run.says is not None and not others and run.noted == right.noted:
        kinds = {type(part) for part in blocks_of(message)[-1].get("content", ())}
        if {dict, str} <= kinds:
            return "This result is a list"
        sent, wanted = map(list_texts, (message, right.messages[place]))
        is_blocks = isinstance(blocks_of(message)[-1].get("content"), list)
        return explain_reminder(run, sent, wanted, is_blocks)
    if others:
        return "After a reply with calls"
    if right.noted and not run.noted and " takes " not in str(run.messages):
        return "`call_tool` finds no tool"
    if run.noted[: len(right.noted)] != right.noted:
        return "Run each call once"
    pairs = [*zip(list_texts(message), list_texts(right.messages[place]), strict=False)]
    has_more = any(one != text for one, text in pairs)
    is_blank = has_more and all(one.rstrip() == text.rstrip() for one, text in pairs)
    return "No reminder is due" if is_blank else "A result is not what"


def list_answers(message: Any) -> dict[str, str]:
    """Return the text of each result in a message, by the id of its call."""
    results = [block for block in blocks_of(message) if block["type"] == "tool_result"]
    return {one["tool_use_id"]: text_of_result(one) for one in results}


def list_texts(message: Any) -> list[str]:
    """Return the text of each result in a message."""
    return [*map(text_of_result, blocks_of(message))]


def explain_reminder(run: Scene, sent: list[str], wanted: list[str], is_blocks: bool) -> str:
    """Say what is wrong with the texts of the results of a round, by the first thing that is.

    `is_blocks` says whether the last one is a list of blocks.
    """
    output, reminder = run.part_text(wanted[-1])
    if not reminder:
        is_longer = sent[-1].startswith(output) and sent[-1] != output
        return "No reminder is due" if is_longer else "A result is not what"
    if any(reminder.strip() in text for text in sent[:-1]):
        return "Add the reminder to one"
    if sent[-1] == output:
        return "The last result lacks"
    before, found = run.part_text(sent[-1])
    before = before if found else sent[-1].removesuffix(reminder)
    if before.startswith(output) and not before.removeprefix(output).strip():
        return "The reminder is a block" if is_blocks else "Between the output"
    if r"\n" in sent[-1].removeprefix(output):
        return "The result has a backslash"
    return "The last result must"


PAGE.add_rules(
    None,
    {
        one.__name__: [one]
        for one in (
            arguments,
            models_turn,
            asks_for_a_tool,
            results_go_back,
            errors_go_back,
            stops,
            all_together,
            called,
            inside,
            all_reminded,
        )
    },
)
