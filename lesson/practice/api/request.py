"""What a request looks like: each field by itself, as "Create a Message" lists them.

A field that the API does not know is refused, and so is a number in quotes. pydantic, whose words
the real API also uses, finds the first fault and its place: `messages.0.role: Field required`.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, get_args, get_type_hints

from anthropic.types import ContentBlockParam, ToolUnionParam
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from .errors import invalid


class Shape(BaseModel):
    """An object with exactly the declared fields, of exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True)


def one_of(*shapes: type[Shape], alphabetical: bool = False) -> GetPydanticSchema:
    """Whichever of these shapes the `type` of the object names.

    The place of an error then includes the type: `messages.0.content.0.text.text`. The error for
    an unknown type lists all types, in the order of the shapes or of the alphabet.
    """

    # pydantic's own discriminator needs two shapes, but the API names the type even of one.
    def union(_: Any, schema_of: Any) -> core_schema.CoreSchema:
        choices = {tag: schema_of(shape) for shape in shapes for tag in types_of(shape)}
        choices = dict(sorted(choices.items())) if alphabetical else choices
        return core_schema.tagged_union_schema(choices, discriminator="type")

    return GetPydanticSchema(union)


def types_of(shape: type[Shape]) -> tuple[str, ...]:
    """The values of `type` in an object of this shape."""
    if issubclass(shape, FromServer):
        return shape.types
    return get_args(shape.model_fields["type"].annotation)


def list_sdk_types(union: Any) -> set[str]:
    """The values of `type` in the objects of one of the SDK's unions."""
    hints = [get_type_hints(shape).get("type") for shape in get_args(union)]
    return {name for hint in hints for name in get_args(hint) if isinstance(name, str)}


def refuse(sentence: str) -> NoReturn:
    """Tell pydantic what is wrong here, in the API's own words."""
    raise PydanticCustomError("rule", sentence)


def as_blocks(content: Any) -> Any:
    """The content as blocks: a string is shorthand for a list of one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


class FromServer(Shape):
    """A part of a tool that runs on the API's own servers, with any fields: "Server tools".

    The practice model runs no such tools; it accepts whatever belongs to one. `types` are those
    that the installed SDK knows.
    """

    model_config = ConfigDict(extra="allow")
    types: ClassVar[tuple[str, ...]] = ()
    type: str


class Ephemeral(Shape):
    """A cache mark: the prompt up to here is kept for five minutes or for an hour."""

    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] = "5m"


class Block(Shape):
    """A part of a prompt that may have a cache mark: "Prompt caching"."""

    cache_control: Annotated[Any, one_of(Ephemeral)] | None = None


class Text(Block):
    type: Literal["text"]
    text: str
    citations: list[Any] | None = None


class Media(Block):
    """A picture or a document: "Vision", "PDF support". It is accepted, but not looked at."""

    model_config = ConfigDict(extra="allow")
    type: Literal["document", "image"]
    source: dict[str, Any]


class ToolReference(Block):
    """A tool found by a search for tools."""

    type: Literal["tool_reference"]
    tool_name: Annotated[str, Field(max_length=128)]


class Thinking(Shape):
    """What the model thought, sent back unchanged: "Thinking". It cannot have a cache mark."""

    type: Literal["thinking"]
    thinking: str
    signature: str


class RedactedThinking(Shape):
    type: Literal["redacted_thinking"]
    data: str


Id = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]+$")]


class ToolUse(Block):
    """The model calls a tool: "Handle tool calls"."""

    type: Literal["tool_use"]
    id: Id
    name: Annotated[str, Field(min_length=1, max_length=200)]
    input: dict[str, Any]
    caller: dict[str, Any] | None = None
    toolset_name: str | None = None


class ToolResult(Block):
    """The tool's output, as text or blocks, or why it failed: "Handle tool calls"."""

    type: Literal["tool_result"]
    tool_use_id: Id
    content: Annotated[
        list[Annotated[Any, one_of(Media, Text, ToolReference)]],
        BeforeValidator(as_blocks),
    ] = []
    is_error: bool | None = None
    toolset_name: str | None = None

    @model_validator(mode="after")
    def check_error_content(self) -> ToolResult:
        if self.is_error and not self.content:
            refuse("content cannot be empty if `is_error` is true")
        if self.is_error and any(block.type != "text" for block in self.content):
            refuse("all content must be type `text` if `is_error` is true")
        return self


KNOWN_BLOCKS = (Media, RedactedThinking, Text, Thinking, ToolResult, ToolUse)


class ServerBlock(Block, FromServer):
    """A call of a server tool, its result, or another block that only a server makes."""

    types = tuple(
        list_sdk_types(ContentBlockParam) - {tag for b in KNOWN_BLOCKS for tag in types_of(b)}
    )


ContentBlock = Annotated[Any, one_of(*KNOWN_BLOCKS, ServerBlock, alphabetical=True)]


class Message(Shape):
    """One message. `conversation` has the rules about roles, and about who may speak when."""

    role: str
    content: Annotated[list[ContentBlock], BeforeValidator(as_blocks)]


class InputSchema(Shape):
    """The schema of a tool's input: an object. Anything else that a schema may say is allowed."""

    model_config = ConfigDict(extra="allow")
    type: Literal["object"]
    properties: dict[str, Any] | None = None
    required: list[str] | None = None


class Tool(Block):
    """A tool that the caller runs: "Define tools"."""

    type: Literal["custom"]
    name: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[a-zA-Z0-9_-]{1,128}$")]
    description: str | None = None
    input_schema: InputSchema
    strict: bool | None = None
    defer_loading: bool | None = None
    eager_input_streaming: bool | None = None
    input_examples: list[dict[str, Any]] | None = None
    allowed_callers: list[str] | None = None


class ServerTool(Block, FromServer):
    """A tool that the API itself provides, such as web_search: "Server tools"."""

    types = tuple(list_sdk_types(ToolUnionParam) - {"custom"})
    name: str | None = None


def add_type(tool: Any) -> Any:
    """The tool with its type: a tool without one is a custom tool."""
    return tool | {"type": tool.get("type") or "custom"} if isinstance(tool, dict) else tool


AnyTool = Annotated[Any, one_of(Tool, ServerTool, alphabetical=True), BeforeValidator(add_type)]


class FreeChoice(Shape):
    """The model chooses: whether to call a tool and which (`auto`), or only which (`any`)."""

    type: Literal["auto", "any"]
    disable_parallel_tool_use: bool = False


class ToolChoice(Shape):
    type: Literal["tool"]
    name: str
    disable_parallel_tool_use: bool = False


class NoChoice(Shape):
    type: Literal["none"]


class BudgetThinking(Shape):
    type: Literal["enabled"]
    budget_tokens: Annotated[int, Field(ge=1024)]
    display: Literal["summarized", "omitted"] | None = None


class AdaptiveThinking(Shape):
    type: Literal["adaptive"]
    display: Literal["summarized", "omitted"] | None = None


class OtherThinking(Shape):
    type: Literal["disabled", "between_tools"]


class OutputConfig(Shape):
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    format: dict[str, Any] | None = None


class Metadata(Shape):
    user_id: Annotated[str, Field(max_length=256)] | None = None


def require_not_negative(value: int) -> int:
    """Return the value for pydantic if it is in range."""
    return value if value >= 0 else refuse("must be greater than or equal to 0")


def require_fraction(value: float) -> float:
    """Return the value for pydantic if it is in range."""
    return value if 0 <= value <= 1 else refuse("range: 0..1")


Fraction = Annotated[float, AfterValidator(require_fraction)]


class Prompt(Shape):
    """The body of POST /v1/messages/count_tokens: "Count tokens in a Message".

    The order of the fields is the order in which the API reports their faults. A field whose type
    does not include None may be left out, but may not be null.
    """

    model: Annotated[str, Field(min_length=1)]
    tool_choice: Annotated[Any, one_of(FreeChoice, ToolChoice, NoChoice)] = None
    tools: list[AnyTool] = []
    messages: list[Message]
    system: Annotated[list[Text], BeforeValidator(as_blocks)] = []
    thinking: Annotated[Any, one_of(BudgetThinking, AdaptiveThinking, OtherThinking)] = None
    output_config: OutputConfig = OutputConfig()
    cache_control: Annotated[Any, one_of(Ephemeral)] | None = None
    speed: Literal["standard", "fast"] | None = None


class Request(Prompt):
    """The body of POST /v1/messages: a prompt, and what the reply should be like."""

    max_tokens: Annotated[int, AfterValidator(require_not_negative)]
    metadata: Metadata | None = None
    stop_sequences: list[str] | None = None
    temperature: Fraction = None  # type: ignore[assignment]  # left out, but never null
    service_tier: Literal["auto", "standard_only"] = "auto"
    top_k: int = None  # type: ignore[assignment]  # left out, but never null
    top_p: Fraction = None  # type: ignore[assignment]  # left out, but never null
    stream: bool = False
    container: Any = None
    inference_geo: str | None = None
    diagnostics: dict[str, Any] | None = None


MESSAGES = TypeAdapter(list[Message])


def parse_request(request: dict[str, Any], shape: type[Prompt]) -> Any:
    """The request as an object of this `shape`. Raises ApiError with the first fault."""
    try:
        return shape.model_validate(request)
    except ValidationError as error:
        raise invalid(describe_fault(error)) from None


def parse_rest(request: dict[str, Any], start: Request) -> Request:
    """The same for a request with the settings of an earlier one, and its messages at the start."""
    new = request["messages"][len(start.messages) :]
    try:
        messages = MESSAGES.validate_python(new)
    except ValidationError:  # the places of its faults are to count from the first message
        return parse_request(request, Request)
    return start.model_copy(update={"messages": [*start.messages, *messages]})


# For these errors the API uses the words of JSON, not of Python.
IN_OTHER_WORDS = {
    "list_type": "Input should be a valid array",
    "dict_type": "Input should be an object",
    "model_attributes_type": "Input should be an object",
    "model_type": "Input does not match the expected shape.",
}


def describe_fault(error: ValidationError) -> str:
    """The first error, after its place: `max_tokens: Field required`."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place, sentence = fault["loc"], IN_OTHER_WORDS.get(fault["type"], fault["msg"])
    if fault["type"] == "union_tag_not_found":
        place, sentence = (*place, "type"), "Field required"
    return ".".join(map(str, place)) + f": {sentence}"
