"""The format of a saved run, which is checked when a file is opened.

A step is saved with its messages. The text, calls and results of its Round are read from them when
the file is opened. Messages and items are taken from the file with their unknown fields; of a
Round, only known fields are kept.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from agentlib.loop import Round
from agentlib.replies import Usage

from ..redaction import redact
from ..window import Message
from .messages import require_message, round_of
from .step import Item, Step

FORMAT = "agentlib trace 2"
MAX_BYTES = 64 * 2**20  # of a file that is opened

Count = Annotated[int, Field(ge=0, lt=1_000_000)]


class SavedRound(BaseModel):
    """The fields of a Round that its messages do not contain."""

    number: Count
    reminder: str | None = None
    usage: Usage = Usage()
    stop_reason: str | None = None
    is_last: bool


class SavedStep(BaseModel):
    """A step of the run."""

    round: SavedRound | None
    messages: list[Message]
    items: list[Item]
    waited: Count


class SavedRun(BaseModel):
    """The whole file."""

    format: Literal["agentlib trace 2"]
    title: str
    after: Annotated[int, Field(ge=1, lt=10_000)] | None
    steps: Annotated[list[SavedStep], Field(min_length=1)]


def write_run(title: str, after: int | None, steps: Sequence[Step]) -> bytes:
    """Return the file of a run, without keys."""
    saved = [vars(step) | {"round": step.round and save_round(step.round)} for step in steps]
    data = {"format": FORMAT, "title": title, "after": after, "steps": saved}
    text = json.dumps(redact(data), indent=1, ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "replace")


def save_round(step: Round) -> dict[str, Any]:
    """Return the fields of SavedRound."""
    kept = {name: getattr(step, name) for name in SavedRound.model_fields}
    return kept | {"usage": vars(step.usage)}


def read_file(data: bytes) -> Any:
    """Return the content of a JSON file, without keys. Raise ValueError if it is not JSON."""
    try:
        return redact(json.loads(data, parse_constant=reject_constant))
    except ValueError as problem:
        raise ValueError(f"it is not JSON ({problem})") from None


def reject_constant(name: str) -> None:
    """Raise ValueError for NaN and Infinity, which a browser's JSON cannot contain."""
    raise ValueError(f"{name} is no number")


def read_run(content: Any) -> tuple[str, int | None, list[Step]]:
    """Return the title, the reminder's threshold and the steps of a saved run.

    Raise ValueError or TypeError if it is something else; the message is the second half of a
    sentence.
    """
    try:
        run = SavedRun.model_validate(content)
    except ValidationError as problem:
        fault = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise ValueError(f"{place}: {fault['msg']}" if place else fault["msg"]) from None
    return run.title, run.after, [open_step(step) for step in run.steps]


def open_step(saved: SavedStep) -> Step:
    """Return the Step that was saved; its Round is read from the messages."""
    messages = [require_message(message) for message in saved.messages]
    turn, kept = None, saved.round
    if kept:
        turn = round_of(messages, kept.number, is_reminder=lambda text: text == kept.reminder)
        turn = replace(turn, **dict(kept))
    return Step(turn, tuple(messages), tuple(saved.items), saved.waited)
