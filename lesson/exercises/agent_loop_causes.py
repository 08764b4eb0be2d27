"""Find the sentences of agent_loop.txt that are true of a learner's run.

A run is compared with that of the package's loop: its requests, its calls of `remind`, and the
first message that differs. What this message should be, a reply, its results or the end, decides
which function looks at it. Each function yields the first words of sentences, and a learner reads
the first sentence, so the likeliest cause is yielded first.
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
# The kinds of a message. END is what is after the last one.
REPLY, RESULTS, TEXT, EMPTY, END = "a reply", "results", "a text", "an empty message", "the end"
OTHER_ROLE, NO_MESSAGE = "a reply of another role", "no message"
# In the place of a reply.
NOT_A_REPLY = {
    RESULTS: "The results are in `messages`",
    REPLY: "This message is",
    NO_MESSAGE: "Append the reply",
    OTHER_ROLE: "Append the reply",
    TEXT: "After a reply",
}


def list_causes(run: Scene, right: Scene) -> list[str]:
    """Return the first words of the sentences, up to a message that cannot be read."""
    causes = list[str]()
    with suppress(Exception):
        for words in find_causes(run, right):
            causes.append(words)
    return causes


def find_causes(run: Scene, right: Scene) -> Iterator[str]:
    """Yield the causes of a run. An exception of the loop says more than its messages."""
    if not isinstance(run.problem, ApiSaidError | EndlessError | None):
        yield from find_remind_causes(run, right)
        return
    if not run.requests:
        yield "No request was"
        return
    if WRONG_TYPE.search(str(run.problem)):  # in the API's own words
        yield "A block that"
    wrong = {find_wrong_part(run, number) for number in range(len(run.requests))}
    if "specs" in wrong:
        yield "The specs of"
    if "settings" in wrong:
        yield "The settings of"
    if "messages" in wrong or not keeps_messages(run):
        yield "Something in `messages`"
    if len(run.requests) == 1 and isinstance(run.problem, EndlessError):
        yield "The model was"
    yield from find_remind_causes(run, right)
    if has_reminder_outside(run):
        yield "The reminder is in a place"
    yield from find_message_causes(run, right)


def find_remind_causes(run: Scene, right: Scene) -> Iterator[str]:
    """Yield the causes in the calls of `remind`. A run may have ended before them."""
    has_asked_again = len(run.requests) - 1 > len(run.asked)  # without a call of `remind` before it
    if has_asked_again and len(run.asked) < len(right.asked):
        yield "Your loop has not called"
    elif run.asked != right.asked[: len(run.asked)]:
        yield "Call `remind` once"
    elif run.runs_before != right.runs_before[: len(run.asked)] and run.noted == right.noted:
        yield "`remind` is called"


def find_message_causes(run: Scene, right: Scene) -> Iterator[str]:
    """Yield the causes in the first message that differs."""
    pairs = enumerate(zip_longest(run.described(), right.described()))
    place = next((place for place, (got, wanted) in pairs if got != wanted), None)
    if place is None:
        yield "Run each call" if run.noted != right.noted else "Your loop went on after a reply"
        return
    got, wanted = name_message(run.messages, place), name_message(right.messages, place)
    end = name_end(run, right, wanted) if got == END else ""
    if wanted == RESULTS:
        yield from find_results_causes(run, right, place, end)
    elif wanted == REPLY:
        if got == RESULTS == name_message(run.messages, place - 1):
            yield "The results are in more"
        if end == "ended":
            yield "The last reply"
        if got in NOT_A_REPLY:
            yield NOT_A_REPLY[got]
    if end == "early":
        yield "Your loop ended before the"
    if wanted == END:
        yield "There are more" if got == RESULTS else "Your loop went on after a reply"


def name_message(messages: list[Any], place: int) -> str:
    """Return the kind of the message at a place of the conversation."""
    if place >= len(messages):
        return END
    message = messages[place]
    if not isinstance(message, Mapping) or "content" not in message:
        return NO_MESSAGE
    if message.get("role") == "assistant":
        return REPLY
    if message["content"] == []:
        return EMPTY
    if list_ids(message, "tool_result") and message.get("role") == "user":
        return RESULTS
    return OTHER_ROLE if list_ids(message, "tool_use") else TEXT


def name_end(run: Scene, right: Scene, wanted: str) -> str:
    """Return how a run has ended that lacks a `wanted` message: "raised", "early" or "ended"."""
    if run.problem:
        return "raised"
    has_unsent = len(run.requests[-1]["messages"]) < len(run.messages)
    if has_unsent:
        return "early"
    is_lost = wanted == REPLY  # the model has sent it, and the loop has not appended it
    return "early" if len(run.requests) < len(right.requests) and not is_lost else "ended"


def find_results_causes(run: Scene, right: Scene, place: int, end: str) -> Iterator[str]:
    """Yield the causes in the message that should have the results of a reply."""
    reply, got = run.messages[place - 1], name_message(run.messages, place)
    message = {"content": []} if got == END else run.messages[place]
    calls, results = list_ids(reply, "tool_use"), list_ids(message, "tool_result")
    if any(str(id_).startswith("srv") for id_ in results):
        yield "Your loop runs a block"
    if any(not {"tool_use_id", "content"} <= result.keys() for result in find_results(message)):
        yield "A result needs"
    if message == reply:
        yield "The reply is in"
    unanswered = [id_ for id_ in calls if id_ not in results] if len(results) < len(calls) else []
    answered = [list_ids(message, "tool_result") for message in run.messages]
    has_lost = len(run.noted) > sum(map(len, answered))  # a result is in no message
    outputs = list_answers(right.messages[place])
    failed = [id_ for id_ in calls if any(error in outputs[id_] for error in ERRORS)]
    first = [block.get("id") for block in blocks_of(reply)[:1]]
    if {*unanswered} & {*chain.from_iterable(answered[place + 1 :])}:
        yield "The results are in more"
    if unanswered and unanswered == failed != calls:
        yield "A failed call"
    if unanswered and unanswered == calls[1:] and calls[:1] == first and not has_lost:
        yield "Your loop runs the first"
    if end == "raised":
        yield "The results of a"
    elif got == END:
        yield "Your loop ended before it" if has_lost else "Your loop ended at"
    if len(results) > len(calls):
        yield "There are more"
    content = message.get("content") if isinstance(message, Mapping) else None
    has_letters = isinstance(content, list) and any(isinstance(one, list | str) for one in content)
    if got in (TEXT, REPLY, NO_MESSAGE) or has_letters:
        yield "After a reply"
    if got == EMPTY:
        yield "The message with"
    if unanswered:
        yield "Some calls have" if has_lost else "Some calls of"
    if len(results) == len(calls):
        yield from find_output_causes(run, right, message, right.messages[place])


def find_output_causes(run: Scene, right: Scene, message: Any, expected: Any) -> Iterator[str]:
    """Yield the causes in results that answer all calls of a reply."""
    blocks = blocks_of(message)
    results, calls = list_ids(message, "tool_result"), list_ids(expected, "tool_result")
    if results != calls:
        # If each result has the output of its own call, only the order is wrong.
        is_only_order = {*results} == {*calls} and run.noted != right.noted
        is_only_order = is_only_order or list_answers(message) == list_answers(expected)
        yield "The calls were" if is_only_order else "The ids of"
    if any(block["type"] != "tool_result" for block in blocks):
        yield "After a reply"
        return
    if right.noted and not run.noted and " takes " not in str(run.messages):
        yield "`call_tool` finds no"
    if run.noted[: len(right.noted)] != right.noted:
        yield "Run each call"
    sent, wanted = ([*map(text_of_result, blocks_of(either))] for either in (message, expected))
    output, reminder = run.part_text(wanted[-1])
    pairs = [*zip(sent, wanted, strict=False)]
    if any(error in text and error not in got for got, text in pairs for error in ERRORS):
        yield "This is not the error"
    if not reminder:
        if sent[-1] != output and sent[-1].startswith(output):
            yield "No reminder is"
        yield "A result is not"
        return
    yield from find_reminder_causes(run, blocks[-1].get("content"), sent, reminder, output)


def find_reminder_causes(
    run: Scene, content: Any, sent: list[str], reminder: str, output: str
) -> Iterator[str]:
    """Yield the causes in a reminder that belongs into the last of these texts."""
    if sent[-1].strip() == reminder.strip():
        yield "`=` puts the"
    if {dict, str} <= {*map(type, content or ())}:
        yield "This result is"
    if any(reminder.strip() in text for text in sent[:-1]):
        yield "Add the reminder"
    if sent[-1] == output:
        yield "The last result lacks"
    before, ending = run.part_text(sent[-1])
    before = before if ending else sent[-1].removesuffix(reminder)
    if before.startswith(output) and not before.removeprefix(output).strip():
        yield "The reminder is a" if isinstance(content, list) else "Between the output"
    if r"\n" in sent[-1].removeprefix(output):
        yield "The result has"
    yield "The last result must"


def has_reminder_outside(run: Scene) -> bool:
    """Return whether a reminder is next to the outputs, or in a message without results."""
    reminders = [text for text in run.says or () if isinstance(text, str)]
    new = run.messages[len(run.before) :]
    blocks = [block for message in new for block in blocks_of(message)]
    texts = [str(block.get("text")) for block in blocks]
    # A result that has only a reminder lacks its output, unless its call has another result.
    ids = [block.get("tool_use_id") for block in blocks]
    others = [block for block in blocks if ids.count(block.get("tool_use_id")) > 1]
    texts += [text for block in others if (text := block.get("content")) in reminders]
    # `+=` adds a string to a list letter by letter.
    contents = [message.get("content") for message in new if isinstance(message, Mapping)]
    for content in contents:
        if isinstance(content, list):
            letters = [block for block in content if isinstance(block, str) and len(block) == 1]
            texts.append("".join(letters))
    return any(reminder in text for text in texts for reminder in reminders)


def find_wrong_part(run: Scene, number: int) -> str:
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
