"""A conversation with replies that are written in advance, to try a learner's loop.

The loop gets the real SDK's client, connected to the practice API, and two tools: `note(text)`,
which fails for the text "fail", and `shout(text)`, which notes the text in capitals.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from itertools import groupby
from random import Random
from typing import Any

import anthropic

from agentlib.nag import REMINDER
from agentlib.tools import Call, Tool
from lesson.message_blocks import blocks_of
from lesson.practice.api.errors import ApiError
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
SERVER_ERROR = "an error of the server (529)"
TEXTS = ("one", "two", "One", " one", "{text}", r"a\1b", "<b>", "fail", "0", "ö")


class ApiSaidError(Exception):
    """The API rejected a request: its status and its message."""

    # The API rejects what another line has appended, and not the line that sends it.
    hides_line = True


class EndlessError(BaseException):
    """A loop does not stop. Not an Exception, which `call_tool` would catch."""


def call(tool: str, **fields: Any) -> dict[str, Any]:
    """Return a tool_use block as a model writes it; the API adds the id."""
    return {"type": "tool_use", "name": tool, "input": fields}


ONE, TWO, FAILS = call("note", text="one"), call("note", text="two"), call("note", text="fail")


class Scene:
    """A loop's run with `replies`, then always "Done.". Two are equal if the loops did the same.

    A reply is a string, a list of blocks, a dict with `content` and `stop_reason`, or SERVER_ERROR.
    `earlier` are messages before the prompt. `says` are the strings that `remind` returns, one for
    each call; without it, the loop gets no `remind`.

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
    ) -> None:
        self.script = describe_script(replies, earlier, says)
        self.replies, self.says = deepcopy(replies), says
        self.noted: list[Any] = []
        self.asked: list[list[str]] = []
        self.problem: BaseException | None = None
        self.model = PracticeModel(self._reply, max_lost_replies=MAX_RUNS)
        self.requests: list[dict[str, Any]] = self.model.requests
        self.messages: list[Any] = [*deepcopy(earlier), {"role": "user", "content": "Take notes."}]
        self.before = deepcopy(self.messages)
        self.tools = make_tools(self._note)
        more = {} if says is None else {"remind": make_remind(self.asked, says)}
        try:
            exhaust(loop(self.model.client(), self.messages, self.tools, **SETTINGS, **more))
        except (Exception, EndlessError) as error:
            self.problem = self._name(error).with_traceback(error.__traceback__)

    def _name(self, error: BaseException) -> BaseException:
        """Return the exception that a learner reads."""
        if len(self.requests) > len(self.replies) + MORE_REQUESTS:
            return EndlessError(f"{len(self.requests)} requests: this loop does not stop")
        if isinstance(error, anthropic.APIStatusError):
            return ApiSaidError(f"{error.status_code}: {server_message(error.response)}")
        return error

    def _reply(self, request: Mapping[str, Any]) -> Any:
        number = len(self.requests)
        if number > len(self.replies) + MORE_REQUESTS:
            raise RuntimeError("too many requests")
        reply = self.replies[number - 1] if number <= len(self.replies) else "Done."
        if reply == SERVER_ERROR:
            raise ApiError(529, "overloaded_error", "Overloaded")
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

    def ask_more(self) -> str:
        """Send the history with one more prompt. Raise the SDK's error if it is not accepted."""
        self.script += "\nThen the messages are sent with a next prompt."
        history = [*self.messages, {"role": "user", "content": "And now?"}]
        tools: Any = [tool.spec for tool in self.tools]
        self.model.client().messages.create(messages=history, tools=tools, **SETTINGS)
        return "accepted"

    def lines(self, are_compared: bool = True) -> list[str]:
        """Return each message as a line. If they are compared, the words of an error are not."""
        ids = [one for message in self.messages for one in list_ids(message, "tool_use")]
        lines = []
        for number, message in enumerate(self.messages, 1):
            blocks = [describe_block(block, ids, are_compared) for block in blocks_of(message)]
            role = message.get("role", "no role") if isinstance(message, Mapping) else "no dict"
            lines.append(f"{number}. {role}: {', '.join(blocks) or 'nothing'}")
        return lines

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        done = [
            (one.lines(), one.noted, one.asked, len(one.tools), type(one.problem))
            for one in (self, other)
        ]
        return done[0] == done[1]

    def __repr__(self) -> str:
        more = f" and {len(self.noted) - 4} more" if len(self.noted) > 4 else ""
        first = f"The tools got {self.noted[:4]}{more}."
        if self.says is not None:
            first += f" `remind` was called with {self.asked or 'nothing'}."
        lines = self.lines(are_compared=False)
        if len(lines) > SHOWN_MESSAGES:
            lines[SHOWN_MESSAGES - 3 : -2] = ["…"]
        if self.problem is not None:
            lines.append(show(Raised(self.problem)))
        return "\n".join([f"{first} Requests: {len(self.requests)}. The messages:", *lines])


def make_tools(run: Callable[[str], str]) -> list[Tool]:
    """Return the two tools."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}

    def note(text: str) -> str:
        return run(text)

    def shout(text: str) -> str:
        return run(text.upper())

    note.__qualname__, shout.__qualname__ = "note", "shout"  # a learner reads it in an error
    return [
        Tool("note", "Note a text.", schema, note),
        Tool("shout", "Note a text in capitals.", schema, shout),
    ]


def make_remind(asked: list[list[str]], says: Sequence[Any]) -> Callable[..., Any]:
    """Return a `remind` that notes the names of the calls, and returns one text after another."""
    texts = iter(says)

    def remind(calls: Sequence[Call]) -> str | None:
        try:
            asked.append([one.name for one in calls])
        except (AttributeError, TypeError) as problem:
            raise TypeError(f"remind(calls) needs calls, with names: {problem}") from None
        return next(texts, None)

    remind.__qualname__ = "remind"  # a learner reads it in an error
    return remind


def list_ids(message: Any, kind: str) -> list[Any]:
    """Return the ids of the calls in a message, or of the calls that its results answer."""
    key = "id" if kind == "tool_use" else "tool_use_id"
    return [block.get(key) for block in blocks_of(message) if block["type"] == kind]


def describe_block(
    block: Mapping[str, Any], ids: Sequence[Any] = (), are_compared: bool = True
) -> str:
    """Return a block as a string: a call as `name(field=value)`, or a text, or a result."""
    if block["type"] == "tool_use":
        fields = [f"{name}={value!r}" for name, value in dict(block["input"]).items()]
        return f"{block['name']}({', '.join(fields)})"
    if block["type"] != "tool_result":
        return f"{block['type']} {block.get(block['type'], '')!r}"
    parts = [part.get(part["type"]) for part in blocks_of(block)]
    output, *more = map(str, parts or ["nothing"])
    shown = "an error" if are_compared and not output.startswith("noted ") else repr(output)
    answered = [*ids, block.get("tool_use_id")].index(block.get("tool_use_id")) + 1
    owner = f"call {answered}" if answered <= len(ids) else "no call"
    return " + ".join([f"result of {owner} {shown}", *map(repr, more)])


def describe_reply(reply: Any) -> str:
    """Return a scripted reply in one line: its text and calls, and why it was cut off."""
    if isinstance(reply, str):
        return repr(reply)
    if isinstance(reply, Mapping):
        return f"{describe_reply(reply['content'])} (cut off: {reply['stop_reason']})"
    return ", ".join(map(describe_block, reply)) or "nothing"


def describe_script(replies: Sequence[Any], earlier: Any, says: Sequence[Any] | None) -> str:
    """Return what is given, as a learner reads it: the model's replies."""
    lines = ["After an earlier prompt and its reply:"] if earlier else []
    lines.append("The model replies:")
    number = 1
    for reply, equal in groupby(map(describe_reply, replies)):
        times = len(list(equal))
        lines.append(f"{number}. {reply}" + (f" ({times} times)" if times > 1 else ""))
        number += times
    if says:
        lines.append(f"`remind` returns {list(says)}.")
    return "\n".join(lines)


def draw(random: Random, size: int, reminds: bool = False) -> Any:
    """Return a random conversation: earlier messages, the replies, and what remind returns."""
    rounds = []
    for _ in range(random.randint(0, min(size, 4))):
        texts = [random.choice(TEXTS) for _ in range(random.randint(1, min(size, 3)))]
        calls = [call(random.choice(("note", "note", "shout", "missing")), text=t) for t in texts]
        if random.random() < 0.3:  # the same call again
            calls.append(dict(calls[0]))
        if random.random() < 0.3:
            calls.insert(random.randint(0, len(calls)), SAID)
        rounds.append(calls)
    says = [random.choice((None, SAYS, "{Next}: <b>a\\1</b>")) for _ in rounds]
    earlier = EARLIER if random.random() < 0.2 else []
    last = SERVER_ERROR if random.random() < 0.1 else "Done."
    return earlier, [*rounds, last], says if reminds else None


def converse(loop: Any, case: Any) -> Scene:
    """Return the run of a drawn conversation. An exception of the loop itself is raised."""
    earlier, replies, says = case
    run = Scene(loop, *replies, earlier=earlier, says=says)
    if isinstance(run.problem, Exception) and not isinstance(run.problem, ApiSaidError):
        raise run.problem
    return run
