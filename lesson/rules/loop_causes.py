"""Say what is wrong with a learner's loop, from the requests and messages of its run.

These questions are asked before the API's error is shown: it names a message, and not the line.
"""

from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import Any

from lesson.message_blocks import blocks_of

from .engine import Differs, Words
from .scene import SETTINGS, ApiSaidError, EndlessError, Scene, has

NO_REQUEST = (
    "No request was sent with the `client` that your function was given. Does your loop run, and "
    "does it call `client.messages.create(…)`, not `model.client`?"
)
NO_TOOLS = "Your request has no `tools`: send `[tool.spec for tool in tools]`."
OTHER_TOOLS = "Your tools are not sent, but {}: send `[tool.spec for tool in tools]`."
NO_SETTINGS = "Your request does not have all settings: send `**settings` with each request."
NEW_LIST = "The given list has not changed: append to it, and do not make a new list."
LOST = "Messages that the list had before are gone: append to it, and delete nothing from it."
ASK_INSIDE = "The model was asked only once: call `client.messages.create(…)` inside `while`."
ASK_AGAIN = "Ask again after the results, in `while True:`, and `return` only if there is no call."
SEND_ALL = "Your last request had {} of {}: send all messages each time."
FORGETFUL = (
    "Request {} has lost messages of request {}: send the whole list each time, and delete nothing "
    "from it."
)
LOOK_AT_THE_BLOCKS = (
    "Your loop ended at a reply with a tool call. Look for blocks of the type `tool_use` among all "
    "blocks of each reply, and repeat until there is none."
)
NOT_SENT = "Your loop ended before it sent the results: is a `return` in the `for` over the calls?"
NOT_APPENDED = "You ask again before the results are in `messages`: append them inside `while`."
CUT_SHORT = "Your loop ended after results that the model has not read. Does it limit the rounds?"
LAST_REPLY = "The last reply is not in `messages`: append it before you test whether it has calls."
NO_END = "The reply has no tool call: return before you append, if the list of calls is empty."
EMPTY_REPLY = (
    "The history has a message without words: append a reply only if a block remains of it that is "
    "not a text of whitespace: `block.text.strip()`."
)
EMPTY_MESSAGE = "The history has an empty message of the user: append it only if it has content."
AFTER_THE_FOR = (
    "The results are in more than one message: append one message after the `for` over the calls."
)
APPEND_REPLY = 'Append a dict: `{"role": "assistant", "content": reply.content}`.'
MODELS_ROLE = 'The message with the calls is the model\'s: its role is "assistant".'
APPEND_RESULTS = 'The results go back in one dict: `{"role": "user", "content": results}`.'
NOTHING_BETWEEN = "Append nothing between the model's reply and the message with its results."
RESULTS_FIRST = "Append the model's reply first, and the message with the results after it."
WHOLE_CONTENT = "The reply has lost its calls: its `content` is `reply.content`, unchanged."
EACH_CALL = "Some calls of the reply have no result: the API wants one for each call."
TWO_RESULTS = "A call has two results: send one for each, with further text inside its content."
OLD_RESULTS = "Make the empty list of results inside `while`, once for each reply."
OWN_ID = "Take each result's `tool_use_id` from its own call: the `id` of the block that was run."
SWAPPED = (
    "The results are not in the order of the calls, or have each other's ids: take each "
    "`tool_use_id` from the block that was run."
)
NO_RESULTS = "The message has no tool_result: its content is the list of results, made by `append`."
NO_CONTENT = "The `content` of a result is no string: perhaps it is None, as `print(…)` returns?"
NO_BLOCKS = 'Each entry of a content list is a dict: `{"type": "text", "text": …}`.'
NO_TEXT = "The text of a text block must be a string, and not None or another block."
THREE_ARGUMENTS = (
    "`call_tool(dispatch, use.name, use.input)` takes three arguments: a dict from each name to "
    "its Tool, the block's name, and the block's whole input."
)
CALL_TOOL = f"`call_tool` has returned an error instead of running the tool. {THREE_ARGUMENTS}"
OTHER_NAMES = "Your loop uses another dispatch map or `done`: build both inside it, from `tools`."
SEND_OUTPUT = "A result is not what the tool returned: send the Call's `output`, unchanged."
ADDED = "Send the Call's `output` unchanged: a reminder, if any, goes into a second text block."


def expect(run: Scene, words: str, test: Any, note: str = "", otherwise: str = "") -> None:
    """Raise Differs if the test of a run fails: it is not what the `words` describe.

    The `note` is said unless an exception of the loop has ended the run, and otherwise what its
    messages show. If they show nothing, it is what is said `otherwise`.
    """
    if has(run, test):
        return
    said = note if isinstance(run.problem, ApiSaidError | None) else ""
    with suppress(Exception):  # what the loop has sent or appended can be anything
        said = said or explain_run(run)
    if run.problem is None:
        said = said or otherwise
    raise Differs(run, Words(words), said, run.script) from run.problem


def explain_run(run: Scene) -> str:
    """Say what is wrong with a run that has failed, if its requests or messages show it."""
    said = explain_empty(run) or explain_arguments(run)
    if said or not isinstance(run.problem, ApiSaidError | EndlessError | None):
        return said
    return explain_messages(run) or explain_outputs(run) or explain_end(run)


def explain_arguments(run: Scene) -> str:
    """Say which argument a run has not used, or "" if it used all of them."""
    if not run.requests:
        return "" if run.problem else NO_REQUEST
    names = [tool["name"] for request in run.requests for tool in request.get("tools", ())]
    if not names:
        return NO_TOOLS
    if not {tool.name for tool in run.tools} <= set(names):
        return OTHER_TOOLS.format(", ".join(dict.fromkeys(names)))
    if any(request | SETTINGS != request for request in run.requests):
        return NO_SETTINGS
    return explain_history(run)


def explain_history(run: Scene) -> str:
    """Say which messages a run has not sent or not kept, or ""."""
    has_asked = len(run.requests) > 1 or not run.requests[0]["messages"]
    if len(run.messages) == len(run.before) and has_asked:
        return NEW_LIST
    if len(run.requests) == 1:
        if isinstance(run.problem, EndlessError):
            return ASK_INSIDE
        has_results = list_ids(run.messages[-1], "tool_result") and run.problem is None
        return ASK_AGAIN if has_results else ""
    unsent = count_unsent(run)
    if not isinstance(run.problem, TypeError) and unsent > 1 and not is_cut_short(run):
        return SEND_ALL.format(len(run.messages) - unsent, len(run.messages))
    if number := find_forgetful(run):
        return FORGETFUL.format(number, number - 1)
    return "" if run.messages[: len(run.before)] == run.before else LOST


def find_forgetful(run: Scene) -> int:
    """Return the number of the first request without all messages of the one before it, or 0."""
    for number, (before, after) in enumerate(pairwise(run.requests), 2):
        pairs = zip_longest(before["messages"], after["messages"][: len(before["messages"])])
        # A message may have got more blocks: that is another mistake.
        if not all(blocks_of(now)[: len(blocks_of(old))] == blocks_of(old) for old, now in pairs):
            return number
    return 0


def is_empty(message: Any) -> bool:
    """Return whether this is a message without content, or with whitespace alone."""
    if not isinstance(message, Mapping):
        return False
    blocks = blocks_of(message)
    has_words = any(block["type"] != "text" or str(block["text"]).strip() for block in blocks)
    return not has_words and (not message.get("content") or bool(blocks))


def explain_empty(run: Scene) -> str:
    """Say why a run has appended an empty message, or ""."""
    added = run.messages[len(run.before) - 1 :]
    for before, message in pairwise(added):
        if is_empty(message):
            if message.get("role") == "assistant":
                return EMPTY_REPLY
            is_reply = isinstance(before, Mapping) and before.get("role") == "assistant"
            return NO_END if is_reply else EMPTY_MESSAGE
    return ""


def explain_messages(run: Scene) -> str:
    """Say what is wrong with the messages that a run appended, or ""."""
    said = ""  # unless the other results are in a further message
    for place, (message, following) in enumerate(pairwise(run.messages), 1):
        calls = list_ids(message, "tool_use")
        results = list_ids(following, "tool_result")
        if not isinstance(following, Mapping) or "role" not in following:
            return APPEND_RESULTS if calls else APPEND_REPLY
        if results and following["role"] != "user":
            return APPEND_RESULTS
        later = [one for each in run.messages[place + 1 :] for one in list_ids(each, "tool_result")]
        if calls and not results and calls[0] in later:
            return NOTHING_BETWEEN
        is_reply = message.get("role") == "assistant"
        if calls and not is_reply:
            return MODELS_ROLE
        if results and not calls:
            after_results = AFTER_THE_FOR if list_ids(message, "tool_result") else RESULTS_FIRST
            return WHOLE_CONTENT if is_reply else after_results
        said = said or (EACH_CALL if 0 < len(results) < len(calls) else "")
        if is_reply and not calls and following.get("role") == "assistant":
            return NO_END
        if wrong := explain_ids(calls, results):
            return wrong
        if following.get("role") == "user" and calls and not results:
            return NO_RESULTS
    return said


def explain_ids(calls: list[Any], results: list[Any]) -> str:
    """Say what is wrong with the ids of the results that answer `calls`, or ""."""
    is_known = set(results) <= set(calls)
    if len(results) > len(calls):
        return TWO_RESULTS if is_known else OLD_RESULTS
    if not is_known or len(set(results)) < len(results):
        return OWN_ID
    return SWAPPED if results and results != [one for one in calls if one in results] else ""


def explain_outputs(run: Scene) -> str:
    """Say why the results of a run are not what its tools returned, or ""."""
    errors = [one for one in run.results if one.removeprefix("is_error: ").startswith("Error")]
    others = [one for one in run.results if one != "nothing" and one not in errors]
    if run.outputs is None or not errors and set(others) <= set(run.outputs):
        return ""
    blocks = [block for message in run.messages for block in blocks_of(message)]
    sent = [block for block in blocks if block["type"] == "tool_result"]
    if not all(isinstance(part.get("text"), str) for one in sent for part in blocks_of(one)):
        return NO_TEXT
    if not all(blocks_of(one) for one in sent):
        has_list = any(isinstance(one.get("content"), list) for one in sent)
        return NO_BLOCKS if has_list else NO_CONTENT
    if run.outputs:
        outputs = tuple(run.outputs)
        is_whole = all(one.startswith(outputs) or one.endswith(outputs) for one in others)
        return ADDED if is_whole else SEND_OUTPUT
    return OTHER_NAMES if others or "there is no tool 'note'" in errors[0] else CALL_TOOL


def explain_end(run: Scene) -> str:
    """Say why a run ended too early or not at all, or ""."""
    has_calls = list_ids(run.messages[-1], "tool_use")
    if has_calls and (run.problem is None or run.prompts_more):
        answered = [one for message in run.messages for one in list_ids(message, "tool_result")]
        return NOT_SENT if len(run.outputs or ()) > len(answered) else LOOK_AT_THE_BLOCKS
    if has_calls and isinstance(run.problem, ApiSaidError):
        return NOT_APPENDED
    if run.problem is not None:
        return NO_END if isinstance(run.problem, EndlessError) else ""
    if is_cut_short(run):
        return CUT_SHORT
    return LAST_REPLY if run.messages[-1].get("role") == "user" else ""


def list_ids(message: Any, kind: str) -> list[Any]:
    """Return the ids of the calls in a message, or of the calls that its results answer."""
    key = "id" if kind == "tool_use" else "tool_use_id"
    return [block.get(key) for block in blocks_of(message) if block["type"] == kind]


def is_cut_short(run: Scene) -> bool:
    """Return whether a loop ended after two or more rounds, with results that it did not send."""
    has_results = isinstance(run.messages[-1], Mapping) and run.messages[-1].get("role") == "user"
    is_long = len(run.messages) > 4
    return run.problem is None and has_results and is_long and count_unsent(run) == 2


def count_unsent(run: Scene) -> int:
    """Return how many messages the last request did not contain."""
    return len(run.messages) - (len(run.requests[-1]["messages"]) if run.requests else 0)
