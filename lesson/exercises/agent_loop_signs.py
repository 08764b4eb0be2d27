"""Describe what is wrong with the run of a loop, by signs that agent_loop.txt explains.

A sign is a phrase about one fault, such as "no reminder", and a run's signs are joined by "; ".
Each row in the section [any] of the page has a pattern of signs, and its sentence is the cause if
it is the first row whose pattern is found. So change a sign together with its row: tests make each
mistake of the page, and fail if no row or an earlier one explains it.

Three sets decide about a round: the calls without a result, of these the failed ones, and the
results that do not belong to a call. Only a round in which all three are empty is examined further.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any

from exerciselib.engine import EndlessError
from lesson.common.message_blocks import blocks_of

from .agent_loop_scene import ERRORS, SETTINGS, ApiSaidError, Scene, list_ids, text_of_result

# In a block with the type of another one, the API misses the fields of that one.
WRONG_TYPE = re.compile(
    r"content\S*\.type: (Field required|Input tag)"
    r"|messages\.\d+\.content\.\d+\.(tool_use|text)\.\w+: Field required"
)


def read_signs(run: Scene, right: Scene) -> str:
    """Return the signs of a run in one line, up to a message that cannot be read."""
    signs = list[str]()
    with suppress(Exception):
        for sign in list_signs(run, right):
            signs.append(sign)
    return "; ".join(signs)


def list_signs(run: Scene, right: Scene) -> Iterator[str]:
    """Yield the signs of a run. An exception of the loop says more than its messages.

    The sign of the first message that differs is "GOT for WANTED, END", such as "the end for
    results, early": the kinds of this message and of the right one, and how the run has ended.
    """
    if not isinstance(run.problem, ApiSaidError | EndlessError | None):
        yield from list_remind_signs(run, right)
        return
    if not run.requests:
        yield "no request"
        return
    if WRONG_TYPE.search(str(run.problem)):  # in the API's own words
        yield "a block of the wrong type"
    for number in range(len(run.requests)):
        if wrong := find_in_request(run, number):
            yield f"other {wrong} in a request"
    if not keeps_messages(run):
        yield "other messages"
    if not keeps_tools(run):
        yield "other tools"
    if len(run.requests) == 1 and isinstance(run.problem, EndlessError):
        yield "asked once"
    yield from list_remind_signs(run, right)
    if has_reminder_outside(run):
        yield "a reminder outside of the results"
    pairs = [*zip_longest(run.described(), right.described())]
    place = next((number for number, (got, wanted) in enumerate(pairs) if got != wanted), None)
    if place is None:
        yield "the same messages" if run.noted == right.noted else "other runs of the tools"
        return
    got, wanted = name_message(run.messages, place), name_message(right.messages, place)
    yield f"{got} for {wanted}, {name_end(run, right, wanted)}"
    if wanted == "results":
        yield from list_round_signs(run, right, place)
    if got == "results":
        yield (
            "after results" if name_message(run.messages, place - 1) == got else "before its reply"
        )


def name_message(messages: list[Any], place: int) -> str:
    """Return the kind of the message at a place of the conversation."""
    if place >= len(messages):
        return "the end"
    message = messages[place]
    if not isinstance(message, Mapping) or "content" not in message:
        return "no message"
    if message.get("role") == "assistant":
        return "a reply"
    if message["content"] == []:
        return "an empty message"
    if list_ids(message, "tool_result") and message.get("role") == "user":
        return "results"
    return "a reply of another role" if list_ids(message, "tool_use") else "a text"


def name_end(run: Scene, right: Scene, wanted: str) -> str:
    """Return how a run has ended that lacks a `wanted` message: "raised", "early" or "ended"."""
    if run.problem:
        return "raised"
    has_unsent = len(run.requests[-1]["messages"]) < len(run.messages)
    if has_unsent:
        return "early"
    is_lost = wanted == "a reply"  # the model has sent it, and the loop has not appended it
    return "early" if len(run.requests) < len(right.requests) and not is_lost else "ended"


def list_round_signs(run: Scene, right: Scene, place: int) -> Iterator[str]:
    """Yield the signs of the results of a reply, by the three sets.

    A sign of calls is "without a result: MANY, RUN" and perhaps which ones: whether all or some
    calls lack their result, and whether a tool has run more often than there are results.
    """
    reply = run.messages[place - 1]
    calls = list_ids(reply, "tool_use")
    message = run.messages[place] if place < len(run.messages) else {"content": []}
    if message == reply:
        yield "the same reply again"
    results = list_ids(message, "tool_result")
    wanted = list_answers(right.messages[place])
    unanswered = [id_ for id_ in calls if id_ not in results]
    failed = [id_ for id_ in calls if any(error in wanted[id_] for error in ERRORS)]
    if any(not {"tool_use_id", "content"} <= result.keys() for result in find_results(message)):
        yield "a result without its keys"
    if unanswered and len(results) < len(calls):
        answered = [list_ids(message, "tool_result") for message in run.messages]
        later = chain.from_iterable(answered[place + 1 :])
        has_run = len(run.noted) > sum(map(len, answered))
        first = [block.get("id") for block in blocks_of(reply)[:1]]
        signs = {
            "the failed ones": {*unanswered} == {*failed} != {*calls},
            "all but the first block": unanswered == calls[1:] and calls[:1] == first,
            "answered later": bool({*unanswered} & {*later}),
            "all but the last one": unanswered == calls[:-1] != [],
        }
        which = [name for name, is_so in signs.items() if is_so]
        runs = "run" if has_run else "not run"
        many = "all" if unanswered == calls else "some"
        yield ", ".join([f"without a result: {many}", runs, *which])
    if any(str(id_).startswith("srv") for id_ in results):
        yield "a result of the server's tool"
    if len(results) > len(calls):
        yield "a result of no call: more than calls"
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, list) and any(isinstance(block, list | str) for block in content):
        yield "letters among the results"
    if len(results) == len(calls):
        yield from list_result_signs(run, right, place)


def list_result_signs(run: Scene, right: Scene, place: int) -> Iterator[str]:
    """Yield the signs of results that answer all calls of a reply."""
    message, expected = run.messages[place], right.messages[place]
    blocks = blocks_of(message)
    results, calls = list_ids(message, "tool_result"), list_ids(expected, "tool_result")
    others = [block for block in blocks if block["type"] != "tool_result"]
    if results != calls:
        # With the outputs of their own calls, only the order is wrong.
        is_order = {*results} == {*calls} and run.noted != right.noted
        is_order = is_order or list_answers(message) == list_answers(expected)
        yield f"results in another order{', run so' if is_order else ''}"
    if others:
        yield "a block beside the results"
        return
    if right.noted and not run.noted and " takes " not in str(run.messages):
        yield "no tool was found"
    if run.noted[: len(right.noted)] != right.noted:
        yield "other runs of the tools"
    sent, wanted = ([*map(text_of_result, blocks_of(either))] for either in (message, expected))
    output, reminder = run.part_text(wanted[-1])
    pairs = [*zip(sent, wanted, strict=False)]
    if any(error in text and error not in got for got, text in pairs for error in ERRORS):
        yield "another error"
    if run.says is None or not reminder:
        is_longer = sent[-1] != output and sent[-1].startswith(output)
        yield "more after a result" if is_longer else "another output"
        return
    yield from list_reminder_signs(run, blocks[-1], sent, reminder, output)


def list_reminder_signs(
    run: Scene, block: Any, sent: list[str], reminder: str, output: str
) -> Iterator[str]:
    """Yield the signs of a reminder that belongs into the last of these texts."""
    content = block.get("content")
    if {dict, str} <= {*map(type, content or ())}:
        yield "letters in a list of blocks"
    if sent[-1].strip() == reminder.strip() != output.strip():
        yield "the reminder alone"
    if any(reminder.strip() in text for text in sent[:-1]):
        yield "a reminder in another result"
    if sent[-1] == output:
        yield "no reminder"
    before, ending = run.part_text(sent[-1])
    before = before if ending else sent[-1].removesuffix(reminder)
    if before.startswith(output) and not before.removeprefix(output).strip():
        yield (
            "a reminder block without a blank line"
            if isinstance(content, list)
            else ("a reminder without a blank line")
        )
    if r"\n" in sent[-1].removeprefix(output):
        yield "a backslash before the reminder"
    yield "another last result"


def list_remind_signs(run: Scene, right: Scene) -> Iterator[str]:
    """Yield the signs of the calls of `remind`. A run may have ended before them."""
    has_asked_again = len(run.requests) - 1 > len(run.asked)  # without a call of `remind` before it
    if has_asked_again and len(run.asked) < len(right.asked):
        yield "`remind` was not called"
    elif run.asked != right.asked[: len(run.asked)]:
        yield "`remind` was called otherwise"
    elif run.runs_before != right.runs_before[: len(run.asked)] and run.noted == right.noted:
        yield "`remind` was called early"


def has_reminder_outside(run: Scene) -> bool:
    """Return whether a reminder is next to the outputs, or in a message without results."""
    reminders = [text for text in run.says or () if isinstance(text, str)]
    new = run.messages[len(run.before) :]
    blocks = [block for message in new for block in blocks_of(message)]
    texts = [str(block.get("text")) for block in blocks]
    texts += [text for block in blocks if (text := block.get("content")) in reminders]
    # `+=` adds a string to a list letter by letter.
    contents = [message.get("content") for message in new if isinstance(message, Mapping)]
    for content in contents:
        if isinstance(content, list):
            letters = [block for block in content if isinstance(block, str) and len(block) == 1]
            texts.append("".join(letters))
    return any(reminder in text for text in texts for reminder in reminders)


def find_in_request(run: Scene, number: int) -> str:
    """Return what a request has otherwise: "specs", "settings" or "messages", or ""."""
    request = run.requests[number]
    sent = {tool.get("name"): tool for tool in request.get("tools", ())}
    specs = {tool.name: tool.spec for tool in run.given}
    if sent.keys() != specs.keys() or any(sent[n] | specs[n] != sent[n] for n in specs):
        return "specs"
    if request | SETTINGS != request or request.keys() != run.requests[0].keys():
        return "settings"
    before = run.requests[number - 1]["messages"] if number else run.before
    messages = request["messages"]
    if messages[: len(before)] == before:
        return ""
    # A message may have got more blocks: that is another mistake.
    pairs = zip(map(blocks_of, before), map(blocks_of, messages), strict=False)
    has_grown = all(now[: len(old)] == old for old, now in pairs)
    return "" if len(messages) >= len(before) and has_grown and run.problem else "messages"


def keeps_messages(run: Scene) -> bool:
    """Return whether the list begins as before, and has all messages of the last request."""
    has_all = len(run.messages) >= len(run.requests[-1]["messages"])
    return has_all and run.messages[: len(run.before)] == run.before


def keeps_tools(run: Scene) -> bool:
    """Return whether the list `tools` is as before: the next run also gets it."""
    return run.tools == run.given


def list_answers(message: Any) -> dict[str, str]:
    """Return the text of each result in a message, by the id of its call."""
    return {result["tool_use_id"]: text_of_result(result) for result in find_results(message)}


def find_results(message: Any) -> list[Any]:
    """Return the results in a message."""
    return [block for block in blocks_of(message) if block["type"] == "tool_result"]
