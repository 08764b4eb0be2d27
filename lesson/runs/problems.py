"""What has ended a run early, in sentences for whoever wrote the agent."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exerciselib.causes import find_hidden, find_hidden_in
from exerciselib.learners_code import OutOfTimeError, find_last_line
from safetylib.guard import escape
from safetylib.guard.circles import EndedError
from safetylib.guard.hide_keys import hide_keys, remember_own_keys
from safetylib.wire.ends import RequestLimitError
from safetylib.wire.last_reply import describe_end
from safetylib.wire.refusals import is_too_long
from safetylib.wire.server.limits import Limits
from safetylib.wire.server.server_errors import describe_too_long

from ..common.message_blocks import is_list_tool
from ..common.round import Round
from ..practice.practice_model import HOST
from ..samples.project_files import NotJudgedError

LINE_CHARACTERS = 80  # of the learner's line
NO_LIST = "The list rejected each todo call. The last time, the model read: {}"
NOT_ASKED = "The agent was not asked what is missing, because the files are {}."
TOO_MANY = "The run was ended after {} requests, which is the most for a run of a table."


def describe_problem(problem: Any) -> str:
    """Return an exception as sentences, with its notes, and the learner's line if theirs ran.

    It is without the user's keys, also if nothing has connected: a picture of the run shows it.
    """
    remember_own_keys()
    return hide_keys(find_words(problem))


def find_words(problem: Any) -> str:
    """Return the sentences of `describe_problem`, which can have a key."""
    if isinstance(problem, NotJudgedError):
        return NOT_ASKED.format(problem)
    if isinstance(problem, EndedError):
        return str(problem)
    if isinstance(problem, RequestLimitError):
        return TOO_MANY.format(Limits.max_requests)
    if is_of_policy(problem):
        return str(problem.body["error"]["message"])
    if is_too_long(problem):
        return describe_too_long(problem)
    kind, said = type(problem).__name__, escape.words_of(problem)
    words = kind if said == kind else f"{kind}: {said}"
    words = "\n".join([words, *getattr(problem, "__notes__", ())])
    if isinstance(problem, OutOfTimeError):
        words = f"It does not end: {problem}"
    last = find_last_line(problem)
    if last is None:
        return words
    name = Path(last.filename).name
    is_cell = last.filename.startswith("<") or "ipykernel_" in last.filename
    place = name if name.endswith(".py") and not is_cell else "its cell"
    text = escape.shorten(hide_keys(last.line or ""), LINE_CHARACTERS)
    line = f"in line {last.lineno} of {place}" + (f": {text}" if text else "")
    return "\n".join(filter(None, [words, line, find_hidden(problem)]))


def is_of_policy(problem: Any) -> bool:
    """Return whether an error is the answer of a practice model whose policy has failed."""
    has_failed = getattr(problem, "status_code", None) == 500
    return has_failed and problem.request.url.host == HOST


def describe_last_round(rounds: Sequence[Round], request: dict[str, Any], details: Any) -> str:
    """Return why the last reply is not a complete answer, or "". `request` is what it answers.

    `details` are those that a server gives of a refusal.
    """
    last = rounds[-1]
    return describe_end(
        last.text,
        last.stop_reason,
        [tool["name"] for tool in request.get("tools", ())],
        has_calls=bool(last.calls),
        has_called=any(round_.calls for round_ in rounds),
        before=rounds[-2].text if len(rounds) > 1 else "",
        details=details,
    )


def describe_rejected_lists(rounds: Sequence[Round], todo: Any) -> str:
    """Return why each list of the run was rejected, if there were several and none passed."""
    lists = [call for round_ in rounds for call in round_.calls if is_list_tool(call.name)]
    if todo is None or len(lists) < 2 or any(call.ok for call in lists):
        return ""
    error = escape.shorten(hide_keys(lists[-1].output), LINE_CHARACTERS)
    return "\n".join(filter(None, [NO_LIST.format(error), find_hidden_in(type(todo))]))
