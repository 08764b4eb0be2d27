"""A learner's own agent in the arena: played against each model, whatever it does.

The agent is `agent(client, messages, workspace, after=3, missing=…, **settings)`; one without
`after` or `missing` also plays. Its runs have a limit of requests and a limit of seconds, and the
result is read from the files and from what the models wrote, not from what the agent returns.
"""

import json
import traceback
from collections.abc import Callable, Mapping
from inspect import signature
from itertools import groupby
from typing import Any

from agentlib.nag import AFTER
from agentlib.replies import read_usage

from ..message_blocks import Message, blocks_of
from ..model_choice import connect_practice
from ..picture_letters import CLAIMED, SHOWN
from ..pluralize import pluralize
from ..practice.models import MODELS
from ..practice.practice_model import PracticeModel
from ..real_model.server_errors import server_message
from ..time_limit import OutOfTimeError, Raised, attempt, exhaust, show
from .arena_cells import Cell, mark_steps
from .arena_trial import MAX_REQUESTS
from .harness_parts import JOB, missing_steps
from .measured import count_claims
from .trace import Trace
from .trial import Trial

SECONDS = 4.0  # of processor time for one run; most need 0.2, one with 80 requests needs 0.9
RAISED = "your agent raised"
STUCK = "out of time after 0 requests"
LONGEST = 250  # characters of an error message, or of the model's last words


class TooManyRequestsError(BaseException):
    """The run was stopped. Not an Exception, which the agent could catch."""


class Limited:
    """A policy that records the history and its replies, and ends the run after MAX_REQUESTS."""

    def __init__(self, policy: Callable[[Mapping[str, Any]], Any]) -> None:
        self.policy = policy
        self.history: list[Message] = []
        self.replies: list[list[dict[str, Any]]] = []
        self.is_stopped = False

    def __call__(self, request: Mapping[str, Any], /) -> Any:
        if len(self.replies) == MAX_REQUESTS:
            self.is_stopped = True
            raise TooManyRequestsError
        self.history = request["messages"]
        reply = self.policy(request)
        self.replies.append(reply)
        return reply

    @property
    def calls(self) -> list[dict[str, Any]]:
        return [block for reply in self.replies for block in reply if block["type"] == "tool_use"]


_versions: list[dict[str, Cell]] = []  # the first and the last that were played in this process


def remember_version(played: dict[str, Cell]) -> list[dict[str, Cell]]:
    """Return the first version that was played in this process and, if it is another, this one."""
    _versions[1:] = [played]
    return _versions[:1] if played == _versions[0] else [*_versions]


def play_agent(agent: Callable[..., Any]) -> dict[str, Cell]:
    """Play the agent against each of MODELS. Raise TypeError if it cannot be called.

    If two runs in a row end out of time and without a request, the others are not tried.
    """
    played: dict[str, Cell] = {}
    for name, model in MODELS.items():
        last = [*played.values()][-2:]
        is_stuck = len(last) == 2 and all(one.why.startswith(STUCK) for one in last)
        played[name] = last[-1] if is_stuck else play_model(agent, model.policy, SECONDS)
    return played


def play_model(
    agent: Callable[..., Any], policy: Callable[..., Any], seconds: float = SECONDS
) -> Cell:
    """Play the agent once with a model, on fresh files, and return what the files show."""
    limited = Limited(policy)
    trial = Trial(JOB, plan=False)
    # The limit of requests ends a run that goes in circles, also if it sends nothing back.
    trial.model = PracticeModel(limited, max_lost_replies=MAX_REQUESTS + 1)
    given = {"missing": missing_steps, "after": AFTER}
    parameters = signature(agent).parameters
    # A decorator's function often has `*args`: it passes on what it is given.
    takes_all = any(one.kind is one.VAR_POSITIONAL for one in parameters.values())
    settings = {name: given[name] for name in given if takes_all or name in parameters}

    result, _ = attempt(lambda: let_play(agent, trial, **settings), seconds)
    problem = result.problem if isinstance(result, Raised) else None
    done = trial.done
    lists = [frame.items for frame in Trace.from_messages(limited.history).frames]
    items = lists[-1]
    marks = mark_steps(done, items)
    claims = count_claims(items)
    number = len(limited.replies)
    is_finished = all(done) and not limited.is_stopped
    why = "" if is_finished else find_why(limited, problem, marks, claims, lists)
    if problem is not None and why.startswith(RAISED):
        why += find_line(problem, agent)
    tokens = sum(read_usage(reply["usage"]).total for reply in trial.model.replies)
    return Cell(marks, claims, number, tokens, limited.is_stopped, number, why)


def let_play(agent: Callable[..., Any], trial: Trial, **given: Any) -> None:
    """Let the agent play a trial to its end, also one that yields, whatever it returns."""
    model = connect_practice(trial.model)
    exhaust(agent(model.client, trial.messages, trial.workspace, **given, **model.settings))


def find_why(
    limited: Limited, problem: BaseException | None, marks: str, claims: str, lists: list[Any]
) -> str:
    """Return what a loop would have to notice in a run that did not finish."""
    if problem is not None and not isinstance(problem, (OutOfTimeError, TooManyRequestsError)):
        return describe_problem(problem)
    missing = pluralize(len(marks) - marks.count(SHOWN), "step")
    sent = pluralize(len(limited.replies), "request")
    keys = [json.dumps([call["name"], call["input"]], sort_keys=True) for call in limited.calls]
    equal = max((len(list(group)) for _, group in groupby(keys)), default=0)
    if equal > 5:
        return f"the same call {equal} times in a row, and {missing} missing."
    if isinstance(problem, OutOfTimeError):
        return f"out of time after {sent}. Does one of your loops never end, or does it sleep?"
    if not limited.replies:
        return "your agent sent no request."
    if limited.is_stopped:
        return f"cut off after {sent}, with {missing} missing."
    called = [block["name"] for block in limited.replies[-1] if block["type"] == "tool_use"]
    if called:
        return f"your loop ended after {sent}, although the last reply calls {called[0]}."
    sizes = [len(one) for one in lists if one]
    if any([item["status"] for item in one].count("in_progress") > 1 for one in lists):
        return f"several tasks in progress at once; it stopped with {missing} missing."
    if CLAIMED in marks:
        return f"its list says {claims}, with {missing} missing in the files."
    if sizes and sizes[-1] < max(sizes):
        return f"its list shrank from {max(sizes)} tasks to {sizes[-1]}, with {missing} missing."
    turns = [blocks_of(turn) for turn in limited.history[1:] if turn["role"] == "user"]
    asked = [turn for turn in turns if all(block["type"] == "text" for block in turn)]
    questions = pluralize(len(asked), "question")
    said = limited.replies[-1][-1]["text"][:LONGEST]
    return f"it stopped after {sent} and {questions}, with {missing} missing. It said: “{said}”"


def describe_problem(problem: BaseException) -> str:
    response = getattr(problem, "response", None)
    if response is not None:
        said = f"{response.status_code}: {server_message(response)}"
        return f"the API rejected a request, {said}"[:LONGEST]
    return f"{RAISED} {show(Raised(problem))}"[:LONGEST]


def find_line(problem: BaseException, agent: Callable[..., Any]) -> str:
    """Return the line of the agent's own file that was running, or ""."""
    file = getattr(getattr(agent, "__code__", None), "co_filename", "")
    own = [one for one in traceback.extract_tb(problem.__traceback__) if one.filename == file]
    return f", in line {own[-1].lineno}: {own[-1].line}" if own else ""
