"""The format of a saved run, checked when a file is opened.

pydantic checks the file against the package's own dataclasses. Messages and items are then taken
over as they are in the file, unknown fields included; of a Round, only today's fields are kept.
"""

import json
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from agentlib.loop import Round

from .step import Step

Rounds = Annotated[int, Field(ge=0, lt=10_000)]


class Text(TypedDict):
    """A piece of a tool result."""

    type: NotRequired[str]
    text: NotRequired[str]


class Block(TypedDict):
    """A content block of a message."""

    type: str
    text: NotRequired[str]
    content: NotRequired[str | list[Text] | dict[str, Any]]


class Message(TypedDict):
    """A message as it is on the wire."""

    role: str
    content: str | list[Block]


class Item(TypedDict):
    """A task of the todo list."""

    id: str
    text: str
    status: str
    activeForm: NotRequired[str]


@dataclass
class SavedStep:
    """A step in the file."""

    round: Round | None
    messages: list[Message]
    items: list[Item]
    waited: Rounds


@dataclass
class SavedRun:
    """The whole file."""

    title: str
    after: Annotated[int, Field(ge=1, lt=10_000)] | None
    steps: Annotated[list[SavedStep], Field(min_length=1)]
    format: str = ""


def read_run(data: bytes, wanted: str) -> tuple[str, int | None, list[Step]]:
    """The title, the threshold and the steps in a file whose format is `wanted`.

    Raises ValueError, with half a sentence that says what is wrong with the file.
    """
    try:
        run = TypeAdapter(SavedRun).validate_json(data, strict=True)
    except ValidationError as problem:
        fault = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise ValueError(f"{place}: {fault['msg']}" if place else fault["msg"]) from None
    if run.format != wanted:
        raise ValueError(f"its format is not {wanted!r}")
    written = json.loads(data)["steps"]
    steps = [step_of(*pair) for pair in zip(run.steps, written, strict=True)]
    return run.title, run.after, steps


def step_of(saved: SavedStep, written: dict[str, Any]) -> Step:
    """The Step that was saved. The earliest files do not say which Round was the last."""
    turn, messages = saved.round, tuple(written["messages"])
    if turn:
        is_last = turn.is_last or not (turn.calls or turn.stop_reason == "pause_turn")
        turn = replace(turn, messages=messages, is_last=is_last)
    return Step(turn, messages, tuple(written["items"]), saved.waited)
