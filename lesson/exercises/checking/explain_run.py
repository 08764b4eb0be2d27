"""Say what is wrong with a learner's loop, from the requests and messages of its run."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from ...at_the_stop import MAX_QUESTIONS
from ...message_blocks import blocks_of
from ..scene import ASK_INSIDE, MISSING, ApiSaidError, AskingRun, EndlessError, Scene, is_empty
from .expected import Expected
from .likely_causes import NO_TEXT, THREE_ARGUMENTS

NEW_LIST = "The given list has not changed: append to it, and do not make a new list."
LOST = "Messages that the list had before are gone: append to it, and delete nothing from it."
ASK_AGAIN = "Ask again after the results, in `while True:`, and `return` only if there is no call."
LOOK_AT_THE_BLOCKS = (
    "Your loop ended at a reply with a tool call. Look for blocks of the type `tool_use` among all "
    "blocks of each reply, and repeat until there is none."
)
NOT_SENT = "Your loop ended before it sent the results: is a `return` in the `for` over the calls?"
NOT_APPENDED = "You ask again before the results are in `messages`: append them inside `while`."
CUT_SHORT = "Your loop ended after results that the model has not read. Does it limit the rounds?"
LAST_REPLY = "The last reply is not in `messages`: append it before you test whether it has calls."
NO_END = "The reply has no tool call: return before you append, if the list of calls is empty."
EMPTY_REPLY = "The history has an empty message: append a reply only if a block remains of it."
EMPTY_MESSAGE = "The history has an empty message of the user: append it only if it has content."
AFTER_THE_QUESTION = (
    "After the question, ask the model again at once, with `continue`: your code goes on to the "
    "results, and there are none."
)
AFTER_THE_FOR = (
    "The results are in more than one message: append one message after the `for` over the calls."
)
APPEND_REPLY = 'Append a dict: `{"role": "assistant", "content": reply.content}`.'
APPEND_RESULTS = 'The results go back in one dict: `{"role": "user", "content": results}`.'
NOTHING_BETWEEN = "Append nothing between the model's reply and the message with its results."
RESULTS_FIRST = "Append the model's reply first, and the message with the results after it."
WHOLE_CONTENT = "The reply has lost its calls: its `content` is `reply.content`, unchanged."
EACH_CALL = "Some calls of the reply have no result: the API wants one for each call."
TWO_RESULTS = "A call has two results: send one for each, with further text inside its content."
OLD_RESULTS = "Make the empty list of results inside `while`, once for each reply."
OWN_ID = "Take each result's `tool_use_id` from its own call: the `id` of the block that was run."
NO_RESULTS = "The message has no tool_result: its content is the list of results, made by `append`."
NO_CONTENT = "The `content` of a result is no string: perhaps it is None, as `print(…)` returns?"
NO_BLOCKS = 'Each entry of a content list is a dict: `{"type": "text", "text": …}`.'
CALL_TOOL = f"`call_tool` has returned an error instead of running the tool. {THREE_ARGUMENTS}"
OTHER_NAMES = "Your loop uses another dispatch map or `done`: build both inside it, from `tools`."
SEND_OUTPUT = "A result is not what the tool returned: send the Call's `output`, unchanged."
ADDED = "Send the Call's `output` unchanged: a reminder, if any, goes into a second text block."
NO_RUN = "No request was sent: call `run(client, messages, tools, **settings)`. It runs the loop."
NOT_PASSED_ON = "Pass on all that you were given: `run(client, messages, tools, **settings)`."
NOT_ASKED = "No question was asked: if something is left, append a message with the role `user`."
NOT_NAMED = "Your question does not name all that is missing: join the strings of the list."
ASKED_AGAIN = "You ask the same again: after each question, call `run`, and then `missing` again."
RUN_AGAIN = "Nothing is missing after the first `run`, but your code calls it again: return there."
NOTHING_LEFT = "Nothing is left here: `missing` returns an empty list, which is false."
TOO_EARLY = "The question is about what was missing before `run`: call `missing` after it."
ASKS_FOREVER = f"Your loop asks without end: return after {MAX_QUESTIONS} questions."
NO_LIMIT = "Count the questions, call `run` once more after the last one, and return."
API_FIELDS = ("model", "max_tokens", "system")


def explain_run(got: Any) -> str:
    """Say what is wrong with a run that has failed, if its requests or messages show it."""
    if not isinstance(got, Scene):
        return ""
    if isinstance(got, AskingRun):
        return explain_asking(got)
    said = explain_empty(got) or explain_arguments(got)
    if said or not isinstance(got.problem, ApiSaidError | EndlessError | None):
        return said
    if isinstance(got.problem, EndlessError) and len(got.questions) > MAX_QUESTIONS:
        return ASKS_FOREVER
    return explain_messages(got) or explain_outputs(got) or explain_end(got)


def explain_arguments(got: Scene) -> str:
    """Say which argument a run has not used, or "" if it used all of them."""
    names = [tool["name"] for request in got.requests for tool in request.get("tools", ())]
    sent = [request | {"messages": (), "tools": ()} for request in got.requests]
    if not sent and got.problem is None:
        return (
            "No request was sent with the `client` that your function was given. Does your loop "
            "run, and does it call `client.messages.create(…)`, not `model.client`?"
        )
    if sent and not names:
        return "Your request has no `tools`: send `[tool.spec for tool in tools]`."
    if sent and not set(got.given) <= set(names):
        sent_names = ", ".join(dict.fromkeys(names))
        return f"Your tools are not sent, but {sent_names}: send `[tool.spec for tool in tools]`."
    settings = {name: got.settings[name] for name in API_FIELDS if name in got.settings}
    if any(request | settings != request for request in sent):
        return "Your request does not have all settings: send `**settings` with each request."
    has_sent = len(sent) > 1 or sent and not got.requests[0]["messages"]
    if len(got.messages) == len(got.before) and has_sent:
        return NEW_LIST
    all_, unsent = len(got.messages), count_unsent(got)
    if len(sent) == 1 and isinstance(got.problem, EndlessError):
        return ASK_INSIDE
    if len(sent) == 1:
        has_results = list_ids(got.messages[-1], "tool_result")
        return ASK_AGAIN if has_results and got.problem is None else ""
    if not isinstance(got.problem, TypeError) and unsent > 1 and not is_cut_short(got):
        return f"Your last request had {all_ - unsent} of {all_}: send all messages each time."
    forgetful = find_forgetful(got.requests)
    if forgetful:
        return (
            f"Request {forgetful} has lost messages of request {forgetful - 1}: send the whole "
            "list each time, and delete nothing from it. (`del messages[1:]` was only for the cell "
            "above, if it runs again.)"
        )
    return "" if got.messages[: len(got.before)] == got.before else LOST


def find_forgetful(requests: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of the first request without all messages of the one before it, or 0."""
    for number, (before, after) in enumerate(pairwise(requests), 2):
        pairs = zip_longest(before["messages"], after["messages"][: len(before["messages"])])
        if not all(begins_with(blocks_of(now), blocks_of(old)) for old, now in pairs):
            return number
    return 0


def begins_with(blocks: list[Any], first: list[Any]) -> bool:
    # A message may have got more blocks: that is another mistake.
    return blocks[: len(first)] == first


def explain_empty(got: Scene) -> str:
    """Say why a run has appended an empty message, or has looked for results after a question."""
    before: Any = {}
    for message in got.messages:
        if is_empty(message):
            if message.get("role") == "assistant":
                return EMPTY_REPLY
            if is_question(before, got):
                return AFTER_THE_QUESTION
            return NO_END if before.get("role") == "assistant" else EMPTY_MESSAGE
        before = message if isinstance(message, Mapping) else {}
    is_cut = isinstance(got.problem, IndexError) and is_question(before, got)
    return AFTER_THE_QUESTION if is_cut else ""


def is_question(message: Any, got: Scene) -> bool:
    """Return whether a message is the user's, without results, and not one that was given."""
    is_users = isinstance(message, Mapping) and message.get("role") == "user"
    return is_users and message not in got.before and not list_ids(message, "tool_result")


def explain_messages(got: Scene) -> str:
    """Say what is wrong with the messages that a run appended, or ""."""
    said = ""  # unless the other results are in a further message
    for place, (message, following) in enumerate(pairwise(got.messages), 1):
        calls = list_ids(message, "tool_use")
        results = list_ids(following, "tool_result")
        if not isinstance(following, Mapping) or "role" not in following:
            return APPEND_RESULTS if calls else APPEND_REPLY
        if results and following["role"] != "user":
            return APPEND_RESULTS
        later = [one for each in got.messages[place + 1 :] for one in list_ids(each, "tool_result")]
        if calls and not results and calls[0] in later:
            return NOTHING_BETWEEN
        is_reply = message.get("role") == "assistant"
        if results and not calls:
            after_results = AFTER_THE_FOR if list_ids(message, "tool_result") else RESULTS_FIRST
            return WHOLE_CONTENT if is_reply else after_results
        said = said or (EACH_CALL if 0 < len(results) < len(calls) else "")
        if is_reply and not calls and following.get("role") == "assistant":
            return NO_END
        is_known = set(results) <= set(calls)
        if len(results) > len(calls):
            return TWO_RESULTS if is_known else OLD_RESULTS
        if not is_known or len(set(results)) < len(results):
            return OWN_ID
        if following.get("role") == "user" and not results:
            if calls:
                return NO_RESULTS
            if is_reply and not blocks_of(following):
                return NO_END
    return said


def explain_outputs(got: Scene) -> str:
    """Say why the results of a run are not what its tool returned, or ""."""
    errors = [one for one in got.results if one.removeprefix("is_error: ").startswith("Error")]
    others = [one for one in got.results if one != "nothing" and one not in errors]
    if got.outputs is None or not errors and set(others) <= set(got.outputs):
        return ""
    blocks = [block for message in got.messages for block in blocks_of(message)]
    sent = [block for block in blocks if block["type"] == "tool_result"]
    if not all(isinstance(part.get("text"), str) for one in sent for part in blocks_of(one)):
        return NO_TEXT
    if not all(blocks_of(one) for one in sent):
        has_list = any(isinstance(one.get("content"), list) for one in sent)
        return NO_BLOCKS if has_list else NO_CONTENT
    if got.outputs:
        outputs = tuple(got.outputs)
        whole = all(one.startswith(outputs) or one.endswith(outputs) for one in others)
        return ADDED if whole else SEND_OUTPUT
    return OTHER_NAMES if others or "there is no tool 'note'" in errors[0] else CALL_TOOL


def explain_end(got: Scene) -> str:
    """Say why a run ended too early or not at all, or ""."""
    has_calls = list_ids(got.messages[-1], "tool_use")
    if has_calls and (got.problem is None or got.prompts_more):
        answered = [one for message in got.messages for one in list_ids(message, "tool_result")]
        return NOT_SENT if len(got.outputs or ()) > len(answered) else LOOK_AT_THE_BLOCKS
    if has_calls and isinstance(got.problem, ApiSaidError):
        return NOT_APPENDED
    if got.problem is not None:
        return NO_END if isinstance(got.problem, EndlessError) else ""
    if got.questions:
        return ""
    if is_cut_short(got):
        return CUT_SHORT
    return LAST_REPLY if got.messages[-1].get("role") == "user" else ""


NO_QUESTION = Expected(
    "no question, and a request for each reply",
    lambda got: len(got.requests) == len(got.replies) and not got.questions,
    lambda got: explain_question(got) if can_be_read(got) else "",
)
ALL_QUESTIONS = Expected(
    f"{MAX_QUESTIONS} questions, each with a reply",
    lambda got: got.has_asked_enough,
    lambda got: NO_LIMIT if got.problem is None else "",
)
COUNTS = [{0}, {2}, {MAX_QUESTIONS}]
PRINTED = Expected(
    f"three printed lines: with 0, with 2, and with {MAX_QUESTIONS} in it",
    lambda got: [find_counts(one) for one in got] in (COUNTS, [set(), *COUNTS[1:]]) and all(got),
    lambda got: "" if any(got) else "Nothing was printed: use `print`, before any `return`.",
)


def find_counts(printed: str) -> set[int]:
    """Return the numbers from 0 to MAX_QUESTIONS in what was printed. For 0 it may say "no"."""
    return {int(one) for one in re.findall(r"\d+", printed) if int(one) <= MAX_QUESTIONS}


def can_be_read(got: AskingRun) -> bool:
    """Return whether the messages of a run say what is wrong, because no error has ended it."""
    return isinstance(got.problem, EndlessError | None)


def explain_question(got: AskingRun) -> str:
    """Say why a run asked although nothing was left."""
    if not got.requests:
        return NO_RUN
    if not all(request.get("tools") for request in got.requests):
        return NOT_PASSED_ON
    if not got.questions:
        return "" if got.has_empty_message else RUN_AGAIN
    return TOO_EARLY if any(one in got.questions[0] for one in MISSING) else NOTHING_LEFT


def explain_asking(got: AskingRun) -> str:
    """Say what is wrong with the questions of a run, or ""."""
    if got.problem is not None:
        return NO_LIMIT if isinstance(got.problem, EndlessError) else ""
    if not got.requests:
        return NO_RUN
    if got.has_empty_message:
        return NOTHING_LEFT
    if not got.questions:
        return NOT_ASKED
    return ASKED_AGAIN if len(set(got.questions)) < len(got.questions) else ""


def list_ids(message: Any, kind: str) -> list[Any]:
    """Return the ids of the calls in a message, or of the calls that its results answer."""
    key = "id" if kind == "tool_use" else "tool_use_id"
    return [block.get(key) for block in blocks_of(message) if block["type"] == kind]


def is_cut_short(got: Scene) -> bool:
    """Return whether a loop ended after two or more rounds, with results that it did not send."""
    has_results = got.messages[-1].get("role") == "user"
    is_long = len(got.messages) > 4
    return got.problem is None and has_results and is_long and count_unsent(got) == 2


def count_unsent(got: Scene) -> int:
    """Return how many messages the last request did not contain."""
    return len(got.messages) - (len(got.requests[-1]["messages"]) if got.requests else 0)
