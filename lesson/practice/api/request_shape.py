"""Check the shape of a request: each field by itself, as "Create a Message" lists them.

A field that the request, a message or a block does not have is rejected, and so is a number in
quotes. pydantic, whose error messages the real API also uses, finds the first error and its path:
`messages.0.role: Field required`. (The SDK's own TypedDicts do not help: they read lists lazily and
have no discriminator, so pydantic accepts a wrong block in them.)

Fields, blocks and tools that the SDK knows and that no rule here is about are accepted unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, NotRequired, get_args, get_type_hints

from anthropic.types import (
    ContentBlockParam,
    MessageCreateParams,
    TextBlockParam,
    ToolParam,
    ToolResultBlockParam,
    ToolUnionParam,
    ToolUseBlockParam,
)
from anthropic.types.beta import MessageCreateParams as BetaMessageCreateParams
from anthropic.types.tool_result_block_param import Content
from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    TypeAdapter,
    ValidationError,
    with_config,
)
from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import TypedDict  # pydantic requires this one before Python 3.12

from .errors import invalid
from .tokens import as_blocks


@with_config(ConfigDict(extra="forbid", strict=True))
class Shape(TypedDict):
    """An object with exactly the declared fields, of exactly the declared types."""


def one_of(others: Iterable[str] = (), **shapes: Any) -> GetPydanticSchema:
    """Choose between these shapes by the object's `type`. Objects with one of the `others` as
    their type are not checked.

    The path of an error then includes the type: `messages.0.content.0.text.text`.
    """
    choices = dict.fromkeys(others, Other) | shapes

    # pydantic's own discriminator needs two shapes, but the API includes the type even for one.
    def union(_: Any, schema_of: Any) -> core_schema.CoreSchema:
        schemas = {tag: schema_of(choices[tag]) for tag in sorted(choices)}
        return core_schema.tagged_union_schema(schemas, discriminator="type")

    return GetPydanticSchema(union)


def list_sdk_types(union: Any) -> set[str]:
    """Return the values of `type` in the objects of one of the SDK's unions."""
    hints = [get_type_hints(shape).get("type") for shape in get_args(union)]
    return {name for hint in hints for name in get_args(hint) if isinstance(name, str)}


def dropping(sdk: Any, shape: Any) -> BeforeValidator:
    """Drop the fields that the SDK's type `sdk` has and `shape` has not: no rule is about them.

    A request that is rejected here, and not by the real API, is worse than the reverse.
    """
    others = get_type_hints(sdk).keys() - shape.__annotations__.keys()

    def drop(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {name: field for name, field in value.items() if name not in others}

    return BeforeValidator(drop)


class Block(Shape):
    """A part of a prompt. A cache mark in it has no effect."""

    type: str
    cache_control: NotRequired[Any]


@with_config(ConfigDict(extra="allow", strict=True))
class Other(Block):
    """A block or tool that is accepted with any fields: pictures, documents, server tools."""

    name: NotRequired[str | None]


class Text(Block):
    text: str


AnyText = Annotated[Text, dropping(TextBlockParam, Text)]
Id = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]+$")]


class ToolUse(Block):
    """A tool call of the model: "Handle tool calls"."""

    id: Id
    name: Annotated[str, Field(min_length=1, max_length=200)]
    input: dict[str, Any]


class ToolResult(Block):
    """The tool's output, as a string or as blocks, or its error: "Handle tool calls"."""

    tool_use_id: Id
    content: NotRequired[
        Annotated[
            list[Annotated[Any, one_of(list_sdk_types(Content), text=AnyText)]],
            BeforeValidator(as_blocks),
        ]
    ]
    is_error: NotRequired[bool | None]


def check_error_content(result: ToolResult) -> ToolResult:
    """Check that a tool result that is an error says which."""
    if result.get("is_error") and not result.get("content"):
        raise PydanticCustomError("rule", "content cannot be empty if `is_error` is true")
    return result


ContentBlock = Annotated[
    Any,
    one_of(
        list_sdk_types(ContentBlockParam),
        text=AnyText,
        tool_use=Annotated[ToolUse, dropping(ToolUseBlockParam, ToolUse)],
        tool_result=Annotated[
            ToolResult,
            AfterValidator(check_error_content),
            dropping(ToolResultBlockParam, ToolResult),
        ],
    ),
]


class Message(Shape):
    """One message. `conversation` has the rules about roles and their order."""

    role: str
    content: Annotated[list[ContentBlock], BeforeValidator(as_blocks)]


TypeName = Literal["array", "boolean", "integer", "null", "number", "object", "string"]


@with_config(ConfigDict(extra="allow", strict=True))
class JsonSchema(TypedDict, total=False):
    """A JSON Schema: the keywords in which tools often have errors. Others are not checked."""

    type: TypeName | Annotated[list[TypeName], Field(min_length=1)]
    description: str
    enum: list[Any]
    required: list[str]
    properties: dict[str, JsonSchema | bool]
    items: JsonSchema | bool


@with_config(ConfigDict(extra="allow", strict=True))
class InputSchema(TypedDict):
    """The schema of a tool's input: an object. The rest of it must be JSON Schema."""

    type: Literal["object"]


JSON_SCHEMA = TypeAdapter(JsonSchema)


def check_json_schema(schema: Any) -> Any:
    """Check that the schema of a tool's input is JSON Schema. Properties may be null."""
    try:
        JSON_SCHEMA.validate_python({k: v for k, v in schema.items() if v is not None})
    except ValidationError:
        raise PydanticCustomError(
            "rule",
            "JSON schema is invalid. It must match JSON Schema draft 2020-12 "
            "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
            "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
        ) from None
    return schema


class Tool(Block):
    """The definition of a tool that the caller runs: "Define tools"."""

    name: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[a-zA-Z0-9_-]{1,128}$")]
    description: NotRequired[str | None]
    input_schema: Annotated[InputSchema, AfterValidator(check_json_schema)]


def add_type(tool: Any) -> Any:  # a tool without a type is a custom tool
    return tool | {"type": tool.get("type") or "custom"} if isinstance(tool, dict) else tool


AnyTool = Annotated[
    Any,
    one_of(list_sdk_types(ToolUnionParam), custom=Annotated[Tool, dropping(ToolParam, Tool)]),
    BeforeValidator(add_type),
]


class Request(Shape):
    """The body of POST /v1/messages: the fields that are checked. NOT_CHECKED have no effect.

    The order of the fields is the order in which the API reports errors. A field whose type does
    not include None can be left out, but cannot be null.
    """

    model: str
    tools: NotRequired[list[AnyTool]]
    messages: list[Message]
    system: NotRequired[Annotated[list[AnyText], BeforeValidator(as_blocks)]]
    max_tokens: Annotated[int, Field(ge=0)]
    stream: NotRequired[bool]


REQUEST = TypeAdapter(Request)
# The other fields that the SDK knows, also those of betas, and three that older models take.
KNOWN = (*get_args(MessageCreateParams), *get_args(BetaMessageCreateParams))
NOT_CHECKED = {name for params in KNOWN for name in params.__annotations__}
NOT_CHECKED |= {"temperature", "top_k", "top_p"}
NOT_CHECKED -= {"betas", *Request.__annotations__}  # betas are a header

# For these errors the API uses the words of JSON, not of Python.
MESSAGES = {
    "greater_than_equal": "must be greater than or equal to 0",
    "list_type": "Input should be a valid array",
    "dict_type": "Input should be an object",
    "model_attributes_type": "Input should be an object",
}
LETTER = " (it is one letter, {!r}: `blocks += text` adds each letter of a text as a block)"


def parse_request(request: dict[str, Any]) -> Request:
    """Return the fields that are checked. Raise ApiError with the first error in them."""
    fields = request.items() if isinstance(request, dict) else ()
    checked = {name: value for name, value in fields if name not in NOT_CHECKED}
    try:
        return REQUEST.validate_python(checked)
    except ValidationError as error:
        raise invalid(describe_error(error)) from None


def describe_error(error: ValidationError) -> str:
    """Return the first error, after its path: `max_tokens: Field required`."""
    first = error.errors(include_url=False, include_context=False)[0]
    path, message = first["loc"], MESSAGES.get(first["type"], first["msg"])
    if first["type"] == "union_tag_not_found":
        path, message = (*path, "type"), "Field required"
    elif first["type"] == "dict_type" and path[:-1] == ("messages",):
        message = "Input does not match the expected shape."
    elif first["type"] in MESSAGES and isinstance(first["input"], str) and len(first["input"]) == 1:
        message += LETTER.format(first["input"])  # the API does not say so
    return ".".join(map(str, path)) + f": {message}"
