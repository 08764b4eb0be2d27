"""A conversation with replies that are written in advance, to try a learner's loop.

The loop gets the real SDK's client, connected to the practice API, and two tools: `note(text)`,
which fails for the text "fail", and `shout(text)`, which notes the text in capitals.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import groupby
from typing import Any

import anthropic

from agentlib.nag import REMINDER
from agentlib.tools import Call, Tool
from lesson.message_blocks import blocks_of, describe_result, text_of
from lesson.practice.practice_model import PracticeModel
from lesson.real_model.server_errors import server_message
from lesson.time_limit import Raised, exhaust, show

SETTINGS: dict[str, Any] = {"model": "practice", "max_tokens": 8000, "system": "Be brief."}
MORE_REQUESTS = 12  # are answered after the last reply; one more, and the loop does not stop
MAX_RUNS = 200  # of the tools; a loop that runs them more often does not stop
SHOWN_MESSAGES = 8  # of a longer history, the first ones and the last two are shown
SAID = {"type": "text", "text": "I see."}
THOUGHT = {"type": "thinking", "thinking": "Two notes.", "signature": "c2lnbmVk"}

EARLIER = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi!"}]
SAYS = f"<reminder>{REMINDER}</reminder>"


class ApiSaidError(Exception):
    """The API rejected a request: its status and its message."""

    # The API rejects what another line has appended, and not the line that sends it.
    hides_line = True


class EndlessError(BaseException):
    """A loop does not stop. Not an Exception, which `call_tool` would catch."""

    is_endless = True


def call(tool: str, **fields: Any) -> dict[str, Any]:
    """Return a tool_use block as a model writes it; the API adds the id."""
    return {"type": "tool_use", "name": tool, "input": fields}


ONE, TWO, FAILS = call("note", text="one"), call("note", text="two"), call("note", text="fail")


class Scene:
    """A loop's run with `replies`, then always "Done.".

    A reply is a string, a list of blocks, a dict with `content` and `stop_reason`, or a function
    from the request to one of these. `earlier` are messages before the prompt. `says` are the
    strings that `remind` returns, one for each call; without it, the loop gets the `remind` that is
    given, or none. `tools` replace the two tools.

    `requests` are the request bodies, `messages` is the history, `before` what was in it at the
    start, `problem` the exception that ended the run. `noted` are the inputs that the tools got,
    and `asked` the names of the calls that `remind` got.
    """

    def __init__(
        self,
        loop: Callable[..., Any],
        *replies: Any,
        earlier: Sequence[Any] = (),
        says: Sequence[Any] | None = None,
        prompt: str = "Take notes.",
        tools: Sequence[Tool] | None = None,
        remind: Callable[..., Any] | None = None,
    ) -> None:
        self.replies, self.says, self.answered = replies, says, 0
        self.noted: list[Any] = []
        self.asked: list[list[str]] = []
        self.problem: BaseException | None = None
        self.prompts_more = False
        self.done = ""  # what a job has reached, in words
        self.model = PracticeModel(self._reply, max_lost_replies=MAX_RUNS)
        self.messages: list[Any] = [*deepcopy(list(earlier)), {"role": "user", "content": prompt}]
        self.before = deepcopy(self.messages)
        self.is_noting = tools is None
        self.tools = list(tools or self._make_tools())
        if says is not None:
            remind = self._make_remind(iter(says))
        more = {} if remind is None else {"remind": remind}
        try:
            exhaust(loop(self.model.client(), self.messages, self.tools, **SETTINGS, **more))
        except (Exception, EndlessError) as error:
            self.problem = self._name(error).with_traceback(error.__traceback__)

    def _make_tools(self) -> list[Tool]:
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}

        def note(text: str) -> str:
            return self._note(text)

        def shout(text: str) -> str:
            return self._note(text.upper())

        note.__qualname__, shout.__qualname__ = "note", "shout"  # a learner reads it in an error
        return [
            Tool("note", "Note a text.", schema, note),
            Tool("shout", "Note a text in capitals.", schema, shout),
        ]

    def _name(self, error: BaseException) -> BaseException:
        """Return the exception that a learner reads."""
        if self.answered > len(self.replies) + MORE_REQUESTS:
            return EndlessError(f"{self.answered} requests: this loop does not stop")
        if isinstance(error, anthropic.APIStatusError):
            return ApiSaidError(f"{error.status_code}: {server_message(error.response)}")
        return error

    def _reply(self, request: Mapping[str, Any]) -> Any:
        self.answered += 1
        if self.answered > len(self.replies) + MORE_REQUESTS:
            raise RuntimeError("too many requests")
        reply = self.replies[self.answered - 1] if self.answered <= len(self.replies) else "Done."
        reply = reply(request) if callable(reply) else reply
        return [{"type": "text", "text": reply}] if isinstance(reply, str) else reply

    def _note(self, text: str) -> str:
        self.noted.append(text)
        if not isinstance(text, str):
            raise TypeError(f"note(text) needs a string, and got a {type(text).__name__}")
        if len(self.noted) >= MAX_RUNS:
            raise EndlessError(f"the tool has run {MAX_RUNS} times: this loop does not stop")
        if text == "fail":
            raise ValueError("this note is rejected")
        return f"noted {text}"

    def _make_remind(self, texts: Any) -> Callable[..., Any]:
        def remind(calls: Sequence[Call]) -> str | None:
            try:
                self.asked.append([one.name for one in calls])
            except (AttributeError, TypeError) as problem:
                raise TypeError(f"remind(calls) needs calls, with names: {problem}") from None
            return next(texts, None)

        remind.__qualname__ = "remind"  # a learner reads it in an error
        return remind

    def ask_more(self) -> str:
        """Send the history with one more prompt. Return "accepted", or the API's message."""
        self.prompts_more = True
        history = [*self.messages, {"role": "user", "content": "And now?"}]
        tools: Any = [tool.spec for tool in self.tools]
        try:
            self.model.client().messages.create(messages=history, tools=tools, **SETTINGS)
        except anthropic.APIStatusError as error:
            return server_message(error.response)
        except Exception as error:
            return str(error)
        return "accepted"

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Return the bodies of all requests, in order, including the rejected ones."""
        return self.model.requests

    @property
    def outputs(self) -> list[str] | None:
        """Return what the two tools returned, or None for others."""
        return [f"noted {text}" for text in self.noted] if self.is_noting else None

    @property
    def results(self) -> list[str]:
        """Return the result of each call, by its id, in the order of the calls."""
        blocks = [block for message in self.messages for block in blocks_of(message)]
        results = {b.get("tool_use_id"): b for b in blocks if b.get("type") == "tool_result"}
        uses = [b for b in blocks if b.get("type") == "tool_use"]
        return [describe_result(results.get(b.get("id"))) for b in uses]

    @property
    def texts(self) -> list[list[list[str]]]:
        """Return the texts of each block, for each message of the user in the last request."""
        sent = self.requests[-1]["messages"][len(self.before) :]
        turns = [blocks_of(one) for one in sent if one["role"] == "user"]
        return [[[text_of(part) for part in blocks_of(one)] for one in turn] for turn in turns]

    @property
    def script(self) -> str:
        """Return what is given, as a learner reads it: the model's replies."""
        lines, number = ["The model replies:"], 1
        for reply, equal in groupby(map(describe_reply, self.replies)):
            times = len(list(equal))
            lines.append(f"{number}. {reply}" + (f" ({times} times)" if times > 1 else ""))
            number += times
        if self.says:
            lines.append(f"`remind` returns {list(self.says)}.")
        if self.prompts_more:
            lines.append("Then the messages are sent with a next prompt.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        more = f" and {len(self.noted) - 4} more" if len(self.noted) > 4 else ""
        first = f"The tools got {self.noted[:4]}{more}." if self.is_noting else self.done
        if self.says is not None:
            first += f" `remind` was called with {self.asked or 'nothing'}."
        lines = [f"{n}. {describe_message(m)}" for n, m in enumerate(self.messages, 1)]
        if len(lines) > SHOWN_MESSAGES:
            lines[SHOWN_MESSAGES - 3 : -2] = ["…"]
        if self.problem is not None:
            lines.append(show(Raised(self.problem)))
        return "\n".join([f"{first} Requests: {len(self.requests)}. The messages:", *lines])


def describe_message(message: Any) -> str:
    """Return a message in one line: its role, the types of its blocks, and the results."""
    if not isinstance(message, Mapping):
        return f"a {type(message).__name__} object, which is not a message"
    parts = []
    for block in blocks_of(message):
        result = textwrap.shorten(describe_result(block), 60, placeholder=" …")
        is_result = block.get("type") == "tool_result"
        parts.append(f"tool_result {result!r}" if is_result else str(block.get("type")))
    said = ", ".join(parts) or show(message.get("content", "no content"))
    return f"{message.get('role', 'no role')}: {said}"


def describe_reply(reply: Any) -> str:
    """Return a scripted reply in one line: its text and calls, and why it was cut off."""
    if callable(reply):
        return "as the practice model does"
    if isinstance(reply, str):
        return repr(reply)
    if isinstance(reply, Mapping):
        cut = " (cut off: max_tokens)" if reply["stop_reason"] == "max_tokens" else ""
        return describe_reply(reply["content"]) + cut
    return ", ".join(map(describe_block, reply)) or "nothing"


def describe_block(block: Mapping[str, Any]) -> str:
    """Return a block of a scripted reply: a call as `name(field=value)`, or its type."""
    if block["type"] != "tool_use":
        return f"{block['type']} {block.get(block['type'], '')!r}"
    fields = [f"{name}={value!r}" for name, value in block["input"].items()]
    return f"tool_use {block['name']}({', '.join(fields)})"


def has(run: Scene, test: Callable[[Scene], Any]) -> bool:
    """Return whether a test of a run passes. A test that raises has failed."""
    with suppress(Exception):
        return bool(test(run))
    return False
