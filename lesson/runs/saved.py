"""The format of a saved run, which is checked when a file is opened.

A step is saved with its messages. The text, calls and results of its Round are read from them when
the file is opened. Messages and items are taken from the file with their unknown fields; of a
Round, only known fields are kept.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from agentlib.loop import Round
from agentlib.replies import COUNTS, Usage, is_count

from ..redaction import redact
from ..window import Message
from .messages import read_json, require_message, round_of
from .step import Item, Step

FORMAT = "agentlib trace 2"
MAX_BYTES = 64 * 2**20  # of a file, when it is saved and when it is opened

Count = Annotated[int, Field(ge=0, lt=1_000_000)]


def require_counts(usage: Usage) -> Usage:
    """Return `usage`. Raise ValueError if it contains a number that is no count of tokens."""
    if not all(is_count(getattr(usage, name)) for name in COUNTS):
        raise ValueError("a count of tokens is negative or too large")
    return usage


class SavedRound(BaseModel):
    """The fields of a Round that its messages do not contain."""

    number: Count
    reminder: str | None = None
    usage: Annotated[Usage, AfterValidator(require_counts)] = Usage()
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
    """Return the file of a run, without keys. Raise OSError if it is too large to be opened."""
    saved = [vars(step) | {"round": step.round and save_round(step.round)} for step in steps]
    data = {"format": FORMAT, "title": title, "after": after, "steps": saved}
    text = json.dumps(redact(data), indent=1, ensure_ascii=False)
    written = f"{text}\n".encode("utf-8", "replace")
    if len(written) > MAX_BYTES:
        raise OSError(f"it is larger than {MAX_BYTES // 2**20} MB")
    return written


def save_round(step: Round) -> dict[str, Any]:
    """Return the fields of SavedRound."""
    kept = {name: getattr(step, name) for name in SavedRound.model_fields}
    return kept | {"usage": vars(step.usage)}


def read_file(data: bytes) -> Any:
    """Return the content of a JSON file, without keys. Raise ValueError, which names other files.

    The message is the second half of a sentence.
    """
    try:
        content = read_json(data)
    except ValueError as problem:
        raise ValueError(
            name_json_lines(data) or f"it is not JSON, or not all ({problem})"
        ) from None
    if isinstance(content, list) and any(map(is_from_openai, content)):
        raise ValueError("messages in the format of OpenAI's Chat Completions are not supported")
    if isinstance(content, dict) and "nbformat" in content:
        raise ValueError("it is a notebook")
    return redact(content)


def name_json_lines(data: bytes) -> str:
    """Return what a file of JSON lines is, judging by the first line; "" for any other file."""
    try:
        first = read_json(data.lstrip().split(b"\n", 1)[0])
    except ValueError:
        return ""
    fields = first if isinstance(first, dict) else {}
    if "payload" in fields or "instructions" in fields:
        return "a rollout of Codex is not supported"
    if "type" in fields and not fields.keys().isdisjoint(("sessionId", "uuid", "leafUuid")):
        return "a session of Claude Code is not supported"
    return "a file of JSON lines is not supported"


def is_from_openai(message: Any) -> bool:
    """Return whether a message has what only OpenAI's Chat Completions have."""
    return isinstance(message, dict) and ("tool_calls" in message or message.get("role") == "tool")


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
