"""What a tool is, and what happened when one was called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from textwrap import shorten
from typing import Any


@dataclass(frozen=True)
class Tool:
    """A function that a model may ask for, and the words that tell the model about it.

    `input_schema` is a JSON Schema of type "object". `run` gets the input's fields as keyword
    arguments, returns the text that goes back to the model, and refuses by raising.

    Before a tool with a `preview` runs, a person may be asked, and is shown what this returns.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[..., str]
    preview: Callable[..., str] | None = None

    @property
    def spec(self) -> dict[str, Any]:
        """The tool as the Messages API wants it, in the `tools` list of a request."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": dict(self.input_schema),
        }


@dataclass(frozen=True)
class Call:
    """A tool call that happened: what was asked for, what came back, and whether it worked."""

    name: str
    input: Any
    output: str
    ok: bool = True

    def __str__(self) -> str:
        """The call in one line, with the first part of its input: `edit_file hello.py`."""
        words = shorten(f"{self.name} {self._subject()}", 72, placeholder=" …")
        visible = "".join(c if c.isprintable() else "\ufffd" for c in words)
        return visible if self.ok else f"{visible} (failed)"

    def _subject(self) -> str:
        """What the call is about: the first field of its input."""
        if not isinstance(self.input, Mapping) or not self.input:
            return ""
        first = next(iter(self.input.values()))
        return f"{len(first)} items" if isinstance(first, list) else str(first)


def call_tool(dispatch: Mapping[str, Tool], name: str, input: Any) -> Call:
    """Run the tool that `dispatch` has under `name`, with the `input` of a tool_use block.

    Whatever goes wrong comes back as text for the model, not as an exception: a model that is
    told of its mistake can correct it. Only a person's stop (KeyboardInterrupt) passes through.
    """
    try:
        arguments = bind(dispatch, name, input)
        output = str(dispatch[name].run(*arguments.args, **arguments.kwargs))
    except (Exception, SystemExit) as problem:
        reason = str(problem) or type(problem).__name__
        return Call(name, input, make_sendable(f"Error: {reason}"), ok=False)
    return Call(name, input, make_sendable(output))


def bind(dispatch: Mapping[str, Tool], name: str, input: Any) -> Any:
    """The arguments for the tool called `name`. Raises LookupError or TypeError, a sentence."""
    if name not in dispatch:
        raise LookupError(f"there is no tool {name!r}, only {', '.join(dispatch) or 'none'}")
    try:
        return signature(dispatch[name].run).bind(**input)
    except TypeError as problem:
        raise TypeError(f"{name} cannot take this input: {problem}") from None


def make_sendable(text: str) -> str:
    """The text as the API takes it: not blank, and "?" for what UTF-8 cannot encode."""
    if not text.strip():
        return "(no output)"
    return text.encode("utf-8", "replace").decode()
