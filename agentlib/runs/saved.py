"""What a saved run must look like, so that it can be opened and shown."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field


class Saved(BaseModel):
    """A part of the file. What a newer version may have added is left out."""

    model_config = ConfigDict(strict=True)


class SavedCall(Saved):
    name: str
    input: Any
    output: str
    ok: bool


class SavedRound(Saved):
    number: int
    text: str
    calls: list[SavedCall]
    reminder: str | None
    usage: dict[str, Any]
    stop_reason: str | None


class SavedText(Saved):
    type: str = ""
    text: str = ""


class SavedBlock(SavedText):
    type: str
    content: str | list[SavedText] | dict = ""


class SavedMessage(Saved):
    role: str
    content: str | list[SavedBlock]


class SavedItem(Saved):
    id: str
    text: str
    status: str
    activeForm: str = ""


class SavedStep(Saved):
    round: SavedRound | None
    messages: list[SavedMessage]
    items: list[SavedItem]
    waited: Annotated[int, Field(ge=0, lt=10_000)]


class SavedRun(Saved):
    title: str
    after: Annotated[int, Field(ge=1, lt=10_000)] | None
    steps: list[SavedStep]
