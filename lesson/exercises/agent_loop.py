"""The rules of `agent_loop`, which try it with scripted replies on the real SDK.

Each rule asks one question about runs, `expect(question, agent_loop, reply, reply)`: the answer
must be the same as for the loop of the package. Why it is not, agent_loop_causes.py finds out,
because the API's error names a message and not the line that has appended it. The last rule of each
level plays random scenes, and compares all that is in a run. A note is the first words of a
sentence of the page.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from agentlib import agent_loop as our_loop
from exerciselib.causes import is_own_raise
from exerciselib.engine import Differs, same, trying
from exerciselib.learners_code import Raised
from exerciselib.page import Page
from exerciselib.show_value import Words, show, show_difference
from lesson.common.pluralize import pluralize
from lesson.common.solutions import read_solutions

from .agent_loop_causes import (
    find_remind_causes,
    find_wrong_part,
    keeps_messages,
    keeps_tools,
    list_causes,
)
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
    THOUGHT,
    TWO,
    ApiSaidError,
    LongRun,
    Scene,
    call,
    make_random,
)

LINE_CHARACTERS = 200  # limit of a message that is shown whole
PAGE = Page("agent_loop", __file__, read_solutions())
played: dict[int, Scene] = {}  # the runs of the package's loop, by what was given
NAG_ERRORS = (ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, OSError)
# The first words of sentences that several questions name, and of those about a request.
HISTORY, TOOLS, CAUGHT = "Something in `messages`", "The list `tools`", "An error or an interrupt"
NOT_READ = "Your loop ended before the model"
OF_REQUESTS = ("The specs of a request", "The settings of a request")
REFUSAL = {"content": [SAID], "stop_reason": "refusal"}


def arguments(agent_loop):
    for question in (what_was_sent, keeps_messages):
        expect(question, agent_loop, [ONE], [TWO], [ONE], "Done.")
    expect(keeps_messages, agent_loop, [ONE], SERVER_ERROR)
    expect(keeps_tools, agent_loop, [ONE], note=TOOLS)
    run = LongRun(agent_loop)
    with trying([run.script]):
        for number, (before, sent) in enumerate(pairwise(run.sent), 2):
            if sent <= before:
                got = f"request {number}: {sent} messages, after a request with {before}"
                is_equal = sent == before == len(run.before) and not run.is_changed
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
    calls = ([ONE], [call("shout", text="one")], [ONE, SAID], [ONE, TWO], [THOUGHT, ONE, ONE])
    for reply in (*calls, BIG[0]):
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
    plays_all(run)
    with trying([run.script]):
        same(run.is_changed, False, HISTORY)
    expect(ends_in_a_reply, agent_loop, [ONE], SERVER_ERROR, note=CAUGHT)
    for replies in ([[ONE], INTERRUPT], [[ONE], EXIT], [[INTERRUPTED]]):
        expect(has_raised, agent_loop, *replies, note=CAUGHT)


def all_together(agent_loop):
    for replies, options in make_random(has_nag=False):
        expect(what_happened, agent_loop, *replies, **options)


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
    plays_all(run)
    results = run.history[len(run.before) + 1 :: 2]
    with trying([run.script, f"`remind` returns {SAYS!r} in the rounds {run.due}."]):
        if not run.is_other:
            got = [number for number, one in enumerate(results, 1) if SAYS in str(one)]
            same(got, run.due, "The last result lacks")
            same(run.is_changed, False, HISTORY)


def all_reminded(agent_loop):
    for replies, options in make_random(has_nag=True):
        expect(what_happened, agent_loop, *replies, **options)


def plays_all(run: LongRun) -> None:
    """Raise Differs if a long run has ended too early, or not at all."""
    if run.is_other or not run.problem and len(run.sent) == ROUNDS + 1:
        return
    got, end = pluralize(len(run.sent), "request"), run.problem
    is_limit = end is None or is_own_raise(end) or isinstance(end, StopIteration | SystemExit)
    note = NOT_READ if is_limit else ""
    with trying([run.script]):
        got += f", then {show(Raised(end))}" if end else ""
        expected = Words(pluralize(ROUNDS + 1, "request"))
        raise Differs(Words(got), expected, note) from end


def what_was_sent(run: Scene) -> Any:
    """Return what is wrong with the requests, or "" for each right one."""
    return {find_wrong_part(run, number) for number in range(len(run.requests))}


def what_ran(run: Scene) -> tuple[Any, bool]:
    """Return what the tools got, and whether a block was answered that is not a call."""
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


def what_happened(run: Scene) -> Any:
    """Return all that a random scene compares. A call that was cut off may be run, or not."""
    ran = () if run.left_open else (run.noted, run.runs_before)
    return run.described(), len(run.requests), what_was_sent(run), run.asked, ran, keeps_tools(run)


def expect(
    question: Callable[[Scene], Any], loop: Any, *replies: Any, note: str = "", **options: Any
) -> None:
    """Raise Differs if the answer to a question differs from that for the package's loop.

    `note` is the cause, if the run is right but for this question.
    """
    run, right = Scene(loop, *replies, **options), play_package(replies, options)
    expected = question(right)
    with suppress(Exception):  # what the loop has appended can be anything
        if question(run) == expected:
            return
    if note == CAUGHT and len(run.requests) < len(right.requests):
        note = NOT_READ  # the loop has ended before the error
    # A note is about a run that is right but for its question.
    causes = [*find_remind_causes(run, right)] if note else list_causes(run, right)
    sentences = tuple(map(PAGE.find_sentence, causes or [note]))
    got, wanted = describe_difference(run, right, sentences[0])
    with trying([run.script]):
        raise Differs(Words(got), Words(wanted), sentences) from run.problem


def play_package(replies: Any, options: dict[str, Any]) -> Scene:
    """Return the run of our loop. It is played once, because many questions ask it."""
    key = hash(repr((replies, options)))  # the text of a long story is not kept
    if key not in played:
        run = played[key] = Scene(our_loop, *replies, **options)
        if run.problem:  # its frames, and those of the check, need not be kept
            run.problem = run.problem.with_traceback(None)
            run.problem.__context__ = None
    return played[key]


def describe_difference(run: Scene, right: Scene, sentence: str) -> tuple[str, str]:
    """Return the first line that differs in the descriptions of two runs, chosen by a sentence.

    If it is a message, the error that has ended the first run is below it.
    """
    if [*find_remind_causes(run, right)]:
        return describe_calls(run), describe_calls(right)
    lines = describe_requests if sentence.startswith(OF_REQUESTS) else describe
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
    error = f"the API said {run.problem}" if is_of_api else show(Raised(run.problem))
    return f"{count}, then {error}"


def describe_calls(run: Scene) -> str:
    """Return the inputs of the tools and of `remind`."""
    tools = f"the tools got {run.noted}"
    if run.says is None:
        return tools
    calls = [
        f"with {names} after {pluralize(number, 'run')} of the tools"
        for names, number in zip(run.asked, run.runs_before, strict=True)
    ]
    reminded = f"was called {', and '.join(calls)}" if calls else "was not called"
    return f"{tools}, and `remind` {reminded}"


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
