"""The rules of the Messages API: which requests it takes, and what its answers look like.

Read from top to bottom, a request passes four gates, in the order of the real API:

    admit    the door: the address, the key, the version        404, 405, 401, 400
    parse    the body: small enough, and JSON                   413, 400
    shaped   each field by itself: there, of its type, known    400
    check    what only shows when fields are seen together:
             the model, its settings, the tools, the turns      404, 400

and `answer` makes the body that goes back. The first rule that is broken speaks, in the real API's
own words, so that what a learner meets here is what the rest of the world has met before.

Sources: pages of the API's documentation are named by their titles, in quotes; what no page says
was taken from exchanges that people recorded or quoted in public.
"""

from __future__ import annotations

import hashlib
import re
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import PydanticCustomError, core_schema, from_json, to_json

PATH = "/v1/messages"
KEY = "practice-key-opens-nothing"
LARGEST_BODY = 32_000_000  # bytes: "Errors", request size limits
MOST_CACHE_MARKS = 4  # "Prompt caching"
BYTES_PER_TOKEN = 4  # a rule of thumb for English text: "Token counting"


class Refused(Exception):
    """A request that is turned down: HTTP `status`, kind of error `type`, and a sentence.

    A mind may raise one too, to play an API that is overloaded or has lost its network.
    """

    def __init__(self, status: int, type: str, message: str):
        super().__init__(message)
        self.status, self.type, self.message = status, type, message

    def body(self, request_id: str) -> dict:
        """The JSON that carries the error: "Errors", error shapes."""
        error = {"type": self.type, "message": self.message}
        return {"type": "error", "error": error, "request_id": request_id}


def invalid(message: str) -> Refused:
    """The commonest refusal: a 400, the request itself is at fault."""
    return Refused(400, "invalid_request_error", message)


@dataclass(frozen=True)
class Model:
    """What one model takes: "Models overview", "Prefill not supported", "Thinking", "Effort"."""

    output: int = 64_000  # tokens
    context: int = 200_000  # tokens
    prefill: bool = True  # may the last turn be the assistant's, to be continued?
    system_turns: bool = False  # may a turn have the role `system`?
    sampling: Literal["free", "one of two", "fixed"] = "free"  # temperature, top_p, top_k
    budget: bool = True  # thinking with a budget
    adaptive: bool = False  # thinking as the model sees fit
    effort: tuple[str, ...] = ()


CLAUDE_4 = Model()
CLAUDE_4_5 = replace(CLAUDE_4, sampling="one of two")
CLAUDE_4_6 = replace(
    CLAUDE_4_5,
    output=128_000,
    context=1_000_000,
    prefill=False,
    adaptive=True,
    effort=("high", "low", "max", "medium"),
)
CLAUDE_4_7 = replace(
    CLAUDE_4_6, sampling="fixed", budget=False, effort=("high", "low", "max", "medium", "xhigh")
)
CLAUDE_5 = replace(CLAUDE_4_7, system_turns=True)

# The practice model keeps the rules of 4.5, the last that allow a prefill: the lesson's loop runs
# under the older, stricter ones, and what newer models do can be tried under their own names.
RULES = [
    (CLAUDE_4_5, "practice claude-sonnet-4-5 claude-haiku-4-5"),
    (replace(CLAUDE_4, output=4_096), "claude-3-opus claude-3-sonnet claude-3-haiku"),
    (replace(CLAUDE_4, output=8_192), "claude-3-5-sonnet claude-3-5-haiku"),
    (CLAUDE_4, "claude-3-7-sonnet claude-sonnet-4 claude-sonnet-4-0"),
    (replace(CLAUDE_4, output=32_000), "claude-opus-4 claude-opus-4-0"),
    (replace(CLAUDE_4_5, output=32_000), "claude-opus-4-1"),
    (replace(CLAUDE_4_5, effort=("high", "low", "medium")), "claude-opus-4-5"),
    (CLAUDE_4_6, "claude-opus-4-6 claude-sonnet-4-6 claude-mythos-preview"),
    (CLAUDE_4_7, "claude-opus-4-7"),
    (CLAUDE_5, "claude-opus-4-8 claude-opus-5 claude-opus-5-5 claude-sonnet-5 claude-sonnet-5-5"),
    (CLAUDE_5, "claude-haiku-5-5 claude-fable-5 claude-fable-5-1 claude-fable-5-2"),
    (CLAUDE_5, "claude-mythos-5 claude-mythos-5-1 claude-mythos-5-2"),
]
MODELS = {name: model for model, names in RULES for name in names.split()}


def model_named(name: str) -> Model:
    """The model with this id, which may end in a date or `-latest`; a 404 when there is none."""
    model = MODELS.get(name) or MODELS.get(re.sub(r"-(20\d{6}|latest)$", "", name))
    if model is None:
        raise Refused(404, "not_found_error", f"model: {name}")
    return model


def admit(method: str, path: str, headers: Mapping[str, str]) -> None:
    """Is this the right address, and who asks? "API overview".

    `headers` must find their names in small letters. The key may come in either header.
    """
    if path != PATH:
        raise Refused(404, "not_found_error", "Not Found")
    if method != "POST":
        raise Refused(405, "invalid_request_error", "Method Not Allowed")
    keys = {headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")}
    if not keys - {None, ""}:
        raise Refused(401, "authentication_error", "x-api-key header is required")
    if KEY not in keys:
        raise Refused(401, "authentication_error", "invalid x-api-key")
    if "anthropic-version" not in headers:
        raise invalid("anthropic-version: header is required")


def parse(body: bytes) -> dict:
    """The request as a dict; 413 when it is too large, 400 when it is not a JSON object."""
    if len(body) > LARGEST_BODY:
        raise Refused(413, "request_too_large", "Request exceeds the maximum size")
    try:
        request = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        what, _, where = str(error).rpartition(" at ")
        what = "no low surrogate in string" if "hex escape" in what else what
        raise invalid(f"The request body is not valid JSON: {what}: {where}") from None
    if not isinstance(request, dict):
        raise invalid("Input should be an object")
    return request


class Shape(BaseModel):
    """An object with the fields it names, of exactly their types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


def tagged(**shapes: type[Shape]) -> Any:
    """One of several shapes, told apart by `type`; in an error's place the tag shows as well."""

    def union(_, schema_of):
        choices = {tag: schema_of(shape) for tag, shape in shapes.items()}
        return core_schema.tagged_union_schema(choices, discriminator="type")

    return Annotated[Any, GetPydanticSchema(union)]


def as_blocks(content: Any) -> Any:
    """A string is short for a list of one text block: "Create a Message", `content`."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


def as_custom(tool: Any) -> Any:
    """A tool that does not say its type is a custom one: "Define tools"."""
    return tool | {"type": tool.get("type") or "custom"} if isinstance(tool, dict) else tool


def between_0_and_1(value: float) -> float:
    if not 0 <= value <= 1:
        raise PydanticCustomError("range", "range: 0..1")
    return value


def not_negative(value: int) -> int:
    if value < 0:
        raise PydanticCustomError("range", "must be greater than or equal to 0")
    return value


Fraction = Annotated[float, AfterValidator(between_0_and_1)]
Id = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]+$")]


class Ephemeral(Shape):
    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] = "5m"


class Block(Shape):
    """A piece of a prompt that may carry a cache mark: "Prompt caching"."""

    cache_control: tagged(ephemeral=Ephemeral) | None = None


class Text(Block):
    type: Literal["text"]
    text: str
    citations: list | None = None


class Source(Block):
    """An image or a document. The practice model takes them, but has no eyes."""

    model_config = ConfigDict(extra="allow")
    type: Literal["image", "document"]
    source: dict


class ToolReference(Block):
    type: Literal["tool_reference"]
    tool_name: Annotated[str, Field(max_length=128)]


class Thinking(Shape):
    type: Literal["thinking"]
    thinking: str
    signature: str


class RedactedThinking(Shape):
    type: Literal["redacted_thinking"]
    data: str


class ToolUse(Block):
    type: Literal["tool_use"]
    id: Id
    name: Annotated[str, Field(min_length=1, max_length=200)]
    input: dict
    caller: dict | None = None
    toolset_name: str | None = None


ResultBlock = tagged(document=Source, image=Source, text=Text, tool_reference=ToolReference)


class ToolResult(Block):
    type: Literal["tool_result"]
    tool_use_id: Id
    content: Annotated[list[ResultBlock], BeforeValidator(as_blocks)] = []
    is_error: bool | None = None
    toolset_name: str | None = None


ContentBlock = tagged(
    document=Source,
    image=Source,
    redacted_thinking=RedactedThinking,
    text=Text,
    thinking=Thinking,
    tool_result=ToolResult,
    tool_use=ToolUse,
)


class Message(Shape):
    role: str
    content: Annotated[list[ContentBlock], BeforeValidator(as_blocks)]


class InputSchema(Shape):
    model_config = ConfigDict(extra="allow")
    type: Literal["object"]
    properties: dict | None = None
    required: list[str] | None = None


class Tool(Block):
    type: Literal["custom"]
    name: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[a-zA-Z0-9_-]{1,128}$")]
    description: str | None = None
    input_schema: InputSchema
    strict: bool | None = None
    defer_loading: bool | None = None
    eager_input_streaming: bool | None = None
    input_examples: list[dict] | None = None
    allowed_callers: list[str] | None = None


class AutoChoice(Shape):
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
    format: dict | None = None


class Metadata(Shape):
    user_id: str | None = None


class Request(Shape):
    """The body of POST /v1/messages: "Create a Message".

    The order of the fields is the order in which the API reports their faults. Where null is not
    named as a type, the field may be left out but not be null.
    """

    model: Annotated[str, Field(min_length=1)]
    tool_choice: tagged(auto=AutoChoice, any=AutoChoice, tool=ToolChoice, none=NoChoice) = None
    tools: list[Annotated[tagged(custom=Tool), BeforeValidator(as_custom)]] = []
    messages: list[Message]
    system: Annotated[list[Text], BeforeValidator(as_blocks)] = []
    thinking: tagged(
        enabled=BudgetThinking,
        adaptive=AdaptiveThinking,
        disabled=OtherThinking,
        between_tools=OtherThinking,
    ) = None
    output_config: OutputConfig = OutputConfig()
    cache_control: tagged(ephemeral=Ephemeral) | None = None
    max_tokens: Annotated[int, AfterValidator(not_negative)]
    metadata: Metadata | None = None
    stop_sequences: list[str] | None = None
    temperature: Fraction = None
    service_tier: Literal["auto", "standard_only"] = "auto"
    top_k: int = None
    top_p: Fraction = None
    stream: bool = False
    container: Any = None
    inference_geo: str | None = None
    diagnostics: dict | None = None
    speed: Literal["standard", "fast"] | None = None


# The API says these in the words of JSON, not of Python.
IN_OTHER_WORDS = {
    "list_type": "Input should be a valid array",
    "dict_type": "Input should be an object",
    "model_attributes_type": "Input should be an object",
    "model_type": "Input does not match the expected shape.",
}


def shaped(request: dict) -> Request:
    """The request with each field of its type; else the first fault, as `place: sentence`."""
    try:
        return Request.model_validate(request)
    except ValidationError as error:
        raise invalid(first_fault(error)) from None


def first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place, sentence = fault["loc"], IN_OTHER_WORDS.get(fault["type"], fault["msg"])
    if fault["type"] == "union_tag_not_found":
        place, sentence = (*place, "type"), "Field required"
    return ".".join(map(str, place)) + f": {sentence}"


def check(request: dict) -> None:
    """Everything that a request's body must fulfil; raises Refused with the first thing it breaks.

    `request` is the body as a dict, and stays as it is.
    """
    asked = shaped(request)
    model = model_named(asked.model)
    settings_fit(asked, model)
    tools_fit(asked.tools, asked.tool_choice)
    turns = conversation(asked.messages)
    system_turns_fit(asked.messages, model)
    nothing_is_empty(turns)
    blocks_are_in_their_turn(turns)
    texts_say_something(asked.system, turns)
    calls_have_results(turns)
    ending_fits(turns, model)
    cache_marks_fit(asked)
    if (tokens := prompt_tokens(request)) > model.context:  # "Context windows"
        raise invalid(f"prompt is too long: {tokens} tokens > {model.context} maximum")


def settings_fit(asked: Request, model: Model) -> None:
    """The numbers and switches against what the model takes."""
    if asked.stream:
        raise invalid("stream: The practice model does not stream. Leave `stream` out.")
    if asked.max_tokens > model.output:
        raise invalid(
            f"max_tokens: {asked.max_tokens} > {model.output}, which is the maximum allowed "
            f"number of output tokens for {asked.model}"
        )
    if not all(sequence.strip() for sequence in asked.stop_sequences or []):
        raise invalid("stop_sequences: each stop sequence must contain non-whitespace")
    sampling_fits(asked, model)
    thinking_fits(asked, model)
    effort = asked.output_config.effort
    if effort and not model.effort:
        raise invalid("This model does not support the effort parameter.")
    if effort and effort not in model.effort:
        raise invalid(
            f"This model does not support effort level '{effort}'. "
            f"Supported levels: {', '.join(model.effort)}."
        )


def sampling_fits(asked: Request, model: Model) -> None:
    """Newer models take no temperature; those before them one of temperature and top_p."""
    if model.sampling == "fixed":
        for name, neutral in ("temperature", 1), ("top_p", 1), ("top_k", None):
            if getattr(asked, name) not in (None, neutral):
                raise invalid(f"`{name}` is deprecated for this model.")
    both = asked.temperature is not None and asked.top_p is not None
    if model.sampling == "one of two" and both:
        raise invalid(
            "`temperature` and `top_p` cannot both be specified for this model. "
            "Please use only one."
        )


def thinking_fits(asked: Request, model: Model) -> None:
    """Thinking is of the kind the model has, and leaves room to answer: "Thinking"."""
    kind = asked.thinking.type if asked.thinking else "disabled"
    if kind == "enabled" and not model.budget:
        raise invalid(
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" '
            'and "output_config.effort" to control thinking behavior.'
        )
    if kind == "adaptive" and not model.adaptive:
        raise invalid("adaptive thinking is not supported on this model")
    if kind == "enabled" and asked.thinking.budget_tokens >= asked.max_tokens:
        raise invalid(
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our "
            "documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
            "#max-tokens-and-context-window-size"
        )
    if kind in ("enabled", "adaptive") and asked.temperature not in (None, 1):
        raise invalid(
            "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. "
            "Please consult our documentation at "
            "https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
        )
    forced = asked.tool_choice is not None and asked.tool_choice.type in ("any", "tool")
    if kind == "enabled" and forced:
        raise invalid("Thinking may not be enabled when tool_choice forces tool use.")


Schema = Annotated["JsonSchema | bool", Field(union_mode="left_to_right")]
Schemas = Annotated[list[Schema], Field(min_length=1)]
TypeName = Literal["array", "boolean", "integer", "null", "number", "object", "string"]


class JsonSchema(BaseModel):
    """What JSON Schema's own schema says of the keywords that tools use (draft 2020-12)."""

    model_config = ConfigDict(extra="allow", strict=True)
    type: TypeName | list[TypeName] = []
    description: str = ""
    properties: dict[str, Schema] | None = None
    required: list[str] | None = None
    additionalProperties: Schema = True
    items: Schema = True
    enum: list = []
    anyOf: Schemas = [True]
    allOf: Schemas = [True]
    oneOf: Schemas = [True]


def tools_fit(tools: list[Tool], choice: Any) -> None:
    """Schemas are plain, names are unique, and a forced tool is there: "Define tools"."""
    for i, tool in enumerate(tools):
        schema = tool.input_schema.model_dump(exclude_unset=True)
        try:
            JsonSchema.model_validate(schema)
        except ValidationError:
            raise invalid(
                f"tools.{i}.custom.input_schema: JSON schema is invalid. It must match JSON Schema "
                "draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use "
                "at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
            ) from None
        if {"oneOf", "allOf", "anyOf"} & schema.keys():
            raise invalid(
                f"tools.{i}.custom.input_schema: input_schema does not support oneOf, allOf, "
                "or anyOf at the top level"
            )
        if tool.strict and schema.get("additionalProperties") is not False:
            raise invalid(
                f"tools.{i}.custom: For 'object' type, 'additionalProperties' must be explicitly "
                "set to false"
            )
    names = [tool.name for tool in tools]
    if len(set(names)) < len(names):
        raise invalid("tools: Tool names must be unique.")
    if choice and choice.type == "any" and not names:
        raise invalid("tool_choice.any may only be specified while providing tools")
    if choice and choice.type == "tool" and choice.name not in names:
        raise invalid(f"Tool '{choice.name}' not found in provided tools")


class Turn(NamedTuple):
    """Messages of one role in a row, which the API reads as one: "Create a Message"."""

    role: str
    messages: list[int]  # their numbers in the request
    blocks: list[tuple[int, int, Any]]  # (message number, block number, block)


def conversation(messages: list[Message]) -> list[Turn]:
    """The messages as turns. Roles need not alternate, and any known role may come first."""
    if not messages:
        raise invalid("messages: at least one message is required")
    turns: list[Turn] = []
    for i, message in enumerate(messages):
        if message.role not in ("user", "assistant", "system"):
            raise invalid(
                f'messages: Unexpected role "{message.role}". '
                'Allowed roles are "user" or "assistant"'
            )
        if not turns or turns[-1].role != message.role:
            turns.append(Turn(message.role, [], []))
        turns[-1].messages.append(i)
        turns[-1].blocks.extend((i, j, block) for j, block in enumerate(message.content))
    return turns


ANYWHERE = "; the directive-only form (content: [] with output_config) is accepted at any position"


def system_turns_fit(messages: list[Message], model: Model) -> None:
    """Where instructions may come in late, and on which models: "Mid-conversation system
    messages". They follow the user and stand before the assistant's next turn, or last."""
    roles = [message.role for message in messages]
    for i, message in enumerate(messages):
        if message.role != "system":
            continue
        if not message.content:
            raise invalid(f"messages.{i}: system content must contain at least one block")
        if any(block.type != "text" for block in message.content):
            raise invalid(
                f"messages.{i}: role 'system' supports text, tool_addition, "
                "and tool_removal blocks only"
            )
        if i == 0:
            raise invalid(
                "messages.0: use the top-level 'system' parameter for the initial system prompt"
                + ANYWHERE
            )
        if not model.system_turns:
            raise invalid("role 'system' is not supported on this model")
        if roles[i - 1] == "assistant":
            raise invalid(
                f"messages.{i}: role 'system' must follow a 'user' message or an 'assistant' "
                "message ending in a server tool result" + ANYWHERE
            )
        if roles[i + 1 : i + 2] == ["user"]:
            raise invalid(
                f"messages.{i}: role 'system' must precede an 'assistant' message "
                "or end the array" + ANYWHERE
            )


def nothing_is_empty(turns: list[Turn]) -> None:
    """Each turn has content; only the assistant's may lack it, and only at the end."""
    for turn in turns:
        if turn.blocks:
            continue
        if turn.role == "user":
            raise invalid(f"messages.{turn.messages[0]}: user messages must have non-empty content")
        if turn is not turns[-1]:
            raise invalid(
                f"messages.{turn.messages[0]}: all messages must have non-empty content "
                "except for the optional final assistant message"
            )


def blocks_are_in_their_turn(turns: list[Turn]) -> None:
    """Who may say what: the assistant calls and thinks, the user brings results."""
    for turn in turns:
        for i, _, block in turn.blocks:
            if block.type == "tool_use" and turn.role != "assistant":
                raise invalid(
                    f"messages.{i}: `tool_use` blocks can only be in `assistant` messages"
                )
            if block.type == "tool_result" and turn.role != "user":
                raise invalid(f"messages.{i}: `tool_result` blocks can only be in `user` messages")
            if block.type.endswith("thinking") and turn.role != "assistant":
                raise invalid(
                    f"messages.{i}.content: thinking blocks may only be in `assistant` messages"
                )
        if turn.role == "assistant" and turn.blocks and turn.blocks[-1][2].type == "thinking":
            raise invalid(
                f"messages.{turn.messages[-1]}: The final block in an assistant message "
                "cannot be `thinking`."
            )


def texts_say_something(system: list[Text], turns: list[Turn]) -> None:
    """No text block is empty, and no turn is made of blanks alone.

    A blank beside a call is let through: models write such turns, and they must go back.
    """
    for n, text in enumerate(system):
        text_is_not_empty(text, "system", f"system.{n}")
        if not text.text.strip():
            raise invalid("system: text content blocks must contain non-whitespace text")
    for turn in turns:
        for i, j, block in turn.blocks:
            if block.type == "text":
                text_is_not_empty(block, "messages", f"messages.{i}.content.{j}.text")
            for inner in block.content if block.type == "tool_result" else ():
                if inner.type == "text":
                    text_is_not_empty(inner, "messages", f"messages.{i}.content.{j}.tool_result")
        if all(block.type == "text" and not block.text.strip() for _, _, block in turn.blocks):
            if turn.role == "system":
                raise invalid(
                    f"messages.{turn.messages[0]}: system text blocks must contain "
                    "non-whitespace text"
                )
            if turn.blocks:
                raise invalid("messages: text content blocks must contain non-whitespace text")


def text_is_not_empty(block: Text, field: str, place: str) -> None:
    if block.text:
        return
    if block.cache_control:
        raise invalid(f"{place}: cache_control cannot be set for empty text blocks")
    raise invalid(f"{field}: text content blocks must be non-empty")


def calls_have_results(turns: list[Turn]) -> None:
    """Each tool_use is answered by one tool_result, at the very start of the next turn:
    "Handle tool calls"."""
    seen: set[str] = set()
    for n, turn in enumerate(turns):
        calls = [(i, j, block.id) for i, j, block in turn.blocks if block.type == "tool_use"]
        for i, j, id in calls:
            if id in seen:
                raise invalid(f"messages.{i}.content.{j}: `tool_use` ids must be unique")
            seen.add(id)
        unanswered = {id for _, _, id in calls} - leading_results(turns[n + 1 : n + 2])
        if unanswered:
            first = next(i for i, _, id in calls if id in unanswered)
            ids = ", ".join(id for i, _, id in calls if i == first and id in unanswered)
            raise invalid(
                f"messages.{first}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {ids}. Each `tool_use` block must have a corresponding "
                "`tool_result` block in the next message."
            )
        results_have_calls(turn, turns[n - 1] if n else None)


def leading_results(turns: list[Turn]) -> set[str]:
    """The ids that these turns answer before they say anything else."""
    ids = set()
    for _, _, block in (block for turn in turns for block in turn.blocks):
        if block.type != "tool_result":
            break
        ids.add(block.tool_use_id)
    return ids


def results_have_calls(turn: Turn, before: Turn | None) -> None:
    """Each tool_result answers a tool_use of the turn before, and no two the same one."""
    calls = (
        {block.id for _, _, block in before.blocks if block.type == "tool_use"} if before else ()
    )
    given: set[str] = set()
    for i, j, block in turn.blocks:
        if block.type != "tool_result":
            continue
        id = block.tool_use_id
        if id not in calls:
            raise invalid(
                f"messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` "
                f"blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message."
            )
        if id in given:
            raise invalid(
                f"messages.{i}.content.{j}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {id}"
            )
        given.add(id)


def ending_fits(turns: list[Turn], model: Model) -> None:
    """A last turn of the assistant's is there to be continued, where the model does that:
    "Prefill not supported"."""
    role, _, blocks = turns[-1]
    if role != "assistant" or not blocks:
        return
    if not model.prefill:
        raise invalid(
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )
    last = blocks[-1][2]
    if last.type == "text" and last.text != last.text.rstrip():
        raise invalid("messages: final assistant content cannot end with trailing whitespace")


def cache_marks_fit(asked: Request) -> None:
    """Few marks, and those that live an hour before those that live five minutes:
    "Prompt caching"."""
    marks = [(place, block.cache_control) for place, block in markable(asked)]
    marks = [(place, mark) for place, mark in marks if mark]
    if len(marks) + bool(asked.cache_control) > MOST_CACHE_MARKS:
        raise invalid(
            f"A maximum of {MOST_CACHE_MARKS} blocks with cache_control may be provided. "
            f"Found {len(marks) + bool(asked.cache_control)}."
        )
    for (_, before), (place, mark) in pairwise(marks):
        if (before.ttl, mark.ttl) == ("5m", "1h"):
            raise invalid(
                f"{place}.cache_control.ttl: a ttl='1h' cache_control block must not come after a "
                "ttl='5m' cache_control block. Note that blocks are processed in the following "
                "order: `tools`, `system`, `messages`."
            )


def markable(asked: Request) -> Iterator[tuple[str, Block]]:
    """Each block that can carry a cache mark, with its place, in the order of the prompt."""
    for i, tool in enumerate(asked.tools):
        yield f"tools.{i}.custom", tool
    for i, text in enumerate(asked.system):
        yield f"system.{i}", text
    for i, message in enumerate(asked.messages):
        for j, block in enumerate(message.content):
            if block.type == "tool_result":
                for k, inner in enumerate(block.content):
                    yield f"messages.{i}.content.{j}.tool_result.content.{k}", inner
            if isinstance(block, Block):
                yield f"messages.{i}.content.{j}", block


class SaidToolUse(Shape):
    type: Literal["tool_use"]
    name: str
    input: dict
    id: Id = ""


Said = TypeAdapter(
    list[
        tagged(
            text=Text, tool_use=SaidToolUse, thinking=Thinking, redacted_thinking=RedactedThinking
        )
    ]
)


def answer(request: dict, reply: list[dict] | dict) -> dict:
    """The message that brings `reply`, what a mind said, to whoever sent `request`.

    A list of content blocks gets its ids, and is cut at a stop sequence and at max_tokens. A dict
    is a message as it stands; what it leaves out is filled in. Anything else is a 500 that says
    what is wrong. The same request and reply always give the same message.
    """
    digest = hashlib.sha256(to_json(request)).hexdigest()
    if isinstance(reply, dict):
        content, stop = reply.get("content", []), reply
    else:
        content, stop = cut(said(reply), request["max_tokens"], request.get("stop_sequences") or [])
    content = [with_id(block, f"toolu_{digest[:22]}{n:02}") for n, block in enumerate(content)]
    calls = any(block.get("type") == "tool_use" for block in content)
    return {
        "id": f"msg_{digest[-24:]}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "stop_details": None,
        "usage": usage(request, content),
        **stop,
        "content": content,
    }


def with_id(block: dict, id: str) -> dict:
    """The block as the API sends it: a call has an id, and says who made it."""
    if block.get("type") != "tool_use":
        return block
    return {"type": "tool_use", "id": id, "caller": {"type": "direct"}} | block


def said(reply: Any) -> list[dict]:
    """The blocks of a mind's reply, if they are such."""
    try:
        Said.validate_python(reply)
    except ValidationError as error:
        got = f"It returned a {type(reply).__name__}" if error.errors()[0]["loc"] == () else ""
        raise mind_failed(
            f"The mind's reply does not fit. {got or first_fault(error)}. A reply is a list of "
            'blocks: {"type": "text", "text": …} and {"type": "tool_use", "name": …, "input": {…}}.'
        ) from None
    return reply


def cut(blocks: list[dict], max_tokens: int, stop_sequences: list[str]) -> tuple[list[dict], dict]:
    """As much of the blocks as is generated, and why it stopped, where something stopped it.

    A call that is cut keeps no input: "Handling stop reasons".
    """
    kept: list[dict] = []
    room = max_tokens * BYTES_PER_TOKEN
    for block in blocks:
        text = block.get("text", "") if block["type"] == "text" else ""
        ends = [(at, stop) for stop in stop_sequences if (at := text.find(stop)) >= 0]
        if ends and min(ends)[0] <= room:
            at, stop = min(ends)
            kept += [block | {"text": text[:at]}] if at else []
            return kept, {"stop_reason": "stop_sequence", "stop_sequence": stop}
        size = len(text) or len(to_json(block.get("input", block)))
        if size > room:
            if room:
                kept.append(block | ({"text": text[:room]} if text else {"input": {}}))
            return kept, {"stop_reason": "max_tokens"}
        room -= size
        kept.append(block)
    return kept, {}


def usage(request: dict, content: list[dict]) -> dict:
    """What the exchange would be billed for: sizes are real, the cache is never hit."""
    return {
        "input_tokens": prompt_tokens(request),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": min(tokens_of(content), request["max_tokens"]),
        "service_tier": "standard",
        "inference_geo": "not_available",
    }


def prompt_tokens(request: dict) -> int:
    """About how many tokens the prompt has: system, tools and messages as they are sent."""
    return tokens_of([request.get("system"), request.get("tools"), request["messages"]])


def tokens_of(value: Any) -> int:
    return -(-len(to_json(value)) // BYTES_PER_TOKEN)


def mind_failed(problem: str | Exception) -> Refused:
    """A 500: not the request is at fault but the mind that should have answered it."""
    if isinstance(problem, Exception):
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        problem = (
            f"The mind raised {type(problem).__name__} in line {frame.lineno} of {frame.name}: "
            f"{problem}"
        )
    return Refused(500, "api_error", problem)
