"""Rules that involve several fields: the settings, the tools, the cache marks.

`check` applies all rules to a request, in the order in which the API reports faults. `request`
comes first, with each field by itself; the rules of a conversation are in `conversation`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from jsonschema_rs import Draft202012Validator

from .conversation import Place, Turn, check_conversation
from .errors import invalid
from .memory import Known
from .models import Model, find_model
from .request import Block, Prompt, Request, ServerTool, Tool, parse_request, parse_rest

MAX_CACHE_MARKS = 4  # "Prompt caching"
FORCED = ("any", "tool")  # the types of tool_choice that make the model use a tool
JSON_SCHEMA = Draft202012Validator({"$ref": "https://json-schema.org/draft/2020-12/schema"})
PROPERTY_KEY = "[a-zA-Z0-9_.-]{1,64}"  # of a tool's own fields; deeper ones are free


def check(request: dict[str, Any], known: Known | None = None) -> tuple[Request, list[Turn]]:
    """Return the body of a request as an object, and its turns; raise ApiError with the first rule
    that it breaks.

    `request` is the body as a dict, and is not changed. What is `known` of its beginning is not
    checked again. Whether the prompt fits into the context window is another question:
    `check_context_window`.
    """
    asked: Request
    if known and known.asked:
        asked = parse_rest(request, known.asked)
        model = find_model(asked.model)
    else:
        asked = parse_request(request, Request)
        model = find_model(asked.model)
        check_lengths(asked, model)
        check_thinking_budget(asked)
        check_warming(asked)
        check_settings(asked, model)
    turns = check_conversation(asked, model, known.turns if known else ())
    check_cache_marks(asked, turns)
    return asked, turns


def check_prompt(request: dict[str, Any]) -> None:
    """Do the same for a prompt whose tokens are only counted, which may have any length."""
    asked = parse_request(request, Prompt)
    model = find_model(asked.model)
    check_settings(asked, model)
    check_cache_marks(asked, check_conversation(asked, model))


def check_settings(asked: Prompt, model: Model) -> None:
    """How the model should think about the prompt, and with which tools."""
    check_thinking(asked, model)
    check_effort(asked.output_config.effort, model)
    check_tools(asked.tools)
    check_tool_choice(asked.tool_choice, asked.tools, model)


def check_lengths(asked: Request, model: Model) -> None:
    """Where the reply may end: max_tokens, stop sequences."""
    if asked.max_tokens > model.max_output_tokens:
        raise invalid(
            f"max_tokens: {asked.max_tokens} > {model.max_output_tokens}, which is the maximum "
            f"allowed number of output tokens for {asked.model}"
        )
    if not all(sequence.strip() for sequence in asked.stop_sequences or []):
        raise invalid("stop_sequences: each stop sequence must contain non-whitespace")


def check_thinking(asked: Prompt, model: Model) -> None:
    """The type of thinking is one that the model has: "Thinking"."""
    if asked.thinking and asked.thinking.type not in model.thinking:
        raise invalid(explain_thinking(asked.thinking.type))


def explain_thinking(kind: str) -> str:
    """What the API says about a type of thinking that the model does not have."""
    if kind == "adaptive":
        return "adaptive thinking is not supported on this model"
    words = f'"thinking.type.{kind}" is not supported for this model.'
    if kind == "between_tools":
        return words
    return (
        f'{words} Use "thinking.type.adaptive" and "output_config.effort" to control '
        "thinking behavior."
    )


def check_thinking_budget(asked: Request) -> None:
    """A budget for thinking leaves room for an answer and a free choice of tools: "Thinking"."""
    if asked.thinking is None or asked.thinking.type != "enabled":
        return
    if asked.thinking.budget_tokens >= asked.max_tokens:
        raise invalid(
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our "
            "documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
            "#max-tokens-and-context-window-size"
        )
    if asked.tool_choice and asked.tool_choice.type in FORCED:
        raise invalid("Thinking may not be enabled when tool_choice forces tool use.")


def check_warming(asked: Request) -> None:
    """What asks for no token asks for nothing that a token would be needed for: "Prompt caching",
    pre-warming. The page does not quote the API's words."""
    if asked.max_tokens > 0:
        return
    is_forced = asked.tool_choice is not None and asked.tool_choice.type in FORCED
    needs = {
        "stream": asked.stream,
        "output_config.format": asked.output_config.format is not None,
        "a tool_choice that forces tool use": is_forced,
    }
    for what, is_asked in needs.items():
        if is_asked:
            raise invalid(f"max_tokens: 0 is not supported with {what}")


def check_effort(effort: str | None, model: Model) -> None:
    """The effort is a level that the model has: "Effort"."""
    if effort and not model.effort:
        raise invalid("This model does not support the effort parameter.")
    if effort and effort not in model.effort:
        raise invalid(
            f"This model does not support effort level '{effort}'. "
            f"Supported levels: {', '.join(model.effort)}."
        )


def check_tools(tools: list[Tool | ServerTool]) -> None:
    """Each tool has a valid and simple schema, and a name of its own: "Define tools"."""
    for i, tool in enumerate(tools):
        if isinstance(tool, ServerTool):
            continue
        schema = tool.input_schema.model_dump(exclude_unset=True, exclude_none=True)
        if not JSON_SCHEMA.is_valid(schema):
            raise invalid(
                f"tools.{i}.custom.input_schema: JSON schema is invalid. It must match JSON Schema "
                "draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use "
                "at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
            )
        if not all(re.fullmatch(PROPERTY_KEY, key) for key in schema.get("properties", ())):
            raise invalid(
                f"tools.{i}.custom.input_schema.properties: Property keys should match pattern "
                f"'^{PROPERTY_KEY}$'"
            )
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
    names = [tool.name for tool in tools if tool.name is not None]
    if len(set(names)) < len(names):
        raise invalid("tools: Tool names must be unique.")


def check_tool_choice(choice: Any, tools: list[Tool], model: Model) -> None:
    """The tool to choose is among the tools, and the model can be forced to use one, if that is
    what the choice says: "Define tools"."""
    if choice and choice.type in FORCED and not model.forced_tools:
        raise invalid('tool_choice: type "tool" and "any" are not supported for this model.')
    if choice and choice.type in ("auto", "any") and not tools:
        what = "tool_choice.any" if choice.type == "any" else "tool_choice"
        raise invalid(f"{what} may only be specified while providing tools")
    if choice and choice.type == "tool" and choice.name not in {tool.name for tool in tools}:
        raise invalid(f"Tool '{choice.name}' not found in provided tools")


def check_cache_marks(asked: Prompt, turns: list[Turn]) -> None:
    """There are few cache marks, and those for an hour come before those for five minutes:
    "Prompt caching". That of the request itself counts as one, on the last block."""
    blocks: list[tuple[Place, Block]] = []  # those that can have a mark
    blocks += [(("tools", i, tool.type), tool) for i, tool in enumerate(asked.tools)]
    blocks += [(("system", i), text) for i, text in enumerate(asked.system)]
    blocks += [markable for turn in turns for markable in turn.markable]
    marks = [(place, block.cache_control) for place, block in blocks if block.cache_control]
    number = len(marks) + bool(asked.cache_control)
    if number > MAX_CACHE_MARKS:
        raise invalid(
            f"A maximum of {MAX_CACHE_MARKS} blocks with cache_control may be provided. "
            f"Found {number}."
        )
    if asked.cache_control and blocks:
        place, target = blocks[-1]
        own = target.cache_control or asked.cache_control
        if own.ttl != asked.cache_control.ttl:
            raise invalid(
                f"Top-level cache_control has ttl='{asked.cache_control.ttl}' but the target block "
                f"already has cache_control with ttl='{own.ttl}'. When both are specified on the "
                "same block, they must have matching TTLs."
            )
        marks.append((place, asked.cache_control))
    for (_, before), (place, mark) in pairwise(marks):
        if (before.ttl, mark.ttl) == ("5m", "1h"):
            raise invalid(
                ".".join(map(str, place)) + ".cache_control.ttl: a ttl='1h' cache_control block "
                "must not come after a ttl='5m' cache_control block. Note that blocks are "
                "processed in the following order: `tools`, `system`, `messages`."
            )


def check_context_window(tokens: int, context_window: int) -> None:
    """A prompt of so many tokens fits into the context window: "Context windows"."""
    if tokens > context_window:
        raise invalid(f"prompt is too long: {tokens} tokens > {context_window} maximum")
