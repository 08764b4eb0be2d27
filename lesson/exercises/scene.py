"""A conversation with replies that are written in advance, to try a learner's loop.

The loop gets the real SDK's client, connected to the practice API, and two tools: `note(text)`,
which fails for the text "fail", and `shout(text)`, which notes the text in capitals.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from hashlib import sha256
from itertools import groupby
from typing import Any

import anthropic

from agentlib.nag import REMINDER
from agentlib.tools import Call, Tool
from lesson.learners_code import exhaust
from lesson.message_blocks import blocks_of
from lesson.practice.api.errors import ApiError
from lesson.practice.practice_model import PracticeModel
from lesson.real_model.connection import make_settings
from lesson.real_model.server_errors import server_message

SETTINGS = make_settings("practice", system="Be brief.")
MORE_REQUESTS = 12  # are answered after the last reply; one more, and the loop does not stop
MAX_RUNS = 200  # of the tools or of `remind`; a loop that runs them more often does not stop
SHOWN_CHARACTERS = 60  # of each value in a reply, and of each reminder
SAID = {"type": "text", "text": "I see."}
THOUGHT = {"type": "thinking", "thinking": "Two notes.", "signature": "c2lnbmVk"}
# A tool that the server runs: its block has a name, an id and an input, and is no call for us.
SEARCHED = [
    {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": {"query": "notes"},
    },
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
]
EARLIER = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi!"}]
SAYS = f"<reminder>{REMINDER}</reminder>"
SERVER_ERROR = "an error of the server (529)"
MORE = "\nThen the messages are sent with a next prompt."
ERRORS = ("this note is rejected", "no tool 'missing'")


class ApiSaidError(Exception):
    """The API rejected a request: its status and its message."""

    # The API rejects what another line has appended, and not the line that sends it.
    hides_line = True


class EndlessError(BaseException):
    """A loop does not stop. Not an Exception, which `call_tool` would catch."""


def call(tool: str, **fields: Any) -> dict[str, Any]:
    """Return a tool_use block as a model writes it; a Scene adds the id."""
    return {"type": "tool_use", "name": tool, "input": fields}


ONE, TWO, FAILS = call("note", text="one"), call("note", text="two"), call("note", text="fail")
LONG = " one\n\n" + "and so on\n" * 200
# Replies like those of a real model: blocks of other types, long texts with whitespace around
# them, and the same call twice.
BIG: Sequence[Any] = (
    [THOUGHT, SAID, *SEARCHED, call("note", text=LONG), call("shout", text=r"{x} %s \1 <b>")],
    [ONE, ONE, SAID],
    [TWO],
    [*SEARCHED, ONE],
    [SAID, SAID],
)


class Scene:
    """A loop's run with `replies`, then always "Done.".

    A reply is a string, a list of blocks, a dict with `content` and `stop_reason`, or SERVER_ERROR.
    `earlier` are messages before the prompt. `says` are the strings that `remind` returns, one for
    each call; without it, the loop gets no `remind`. `names` are those of the two tools.

    `requests` are the request bodies, `messages` is the history, `before` what was in it at the
    start, `problem` the exception that ended the run. `noted` are the inputs that the tools got,
    `asked` the names of the calls that `remind` got, and `runs_before` how often a tool had run
    before each call of `remind`.
    """

    def __init__(
        self,
        loop: Callable[..., Any],
        *replies: Any,
        earlier: Sequence[Any] = (),
        says: Sequence[Any] | None = None,
        names: Sequence[str] = ("note", "shout"),
    ) -> None:
        self.script = describe_script(replies, earlier, says)
        self.replies, self.says, self.names = deepcopy(replies), says, names
        self.noted: list[Any] = []
        self.asked: list[list[str]] = []
        self.runs_before: list[int] = []
        self.problem: BaseException | None = None
        self.model = PracticeModel(self._reply, max_lost_replies=MAX_RUNS)
        self.requests: list[dict[str, Any]] = self.model.requests
        self.messages: list[Any] = [*deepcopy(earlier), {"role": "user", "content": "Take notes."}]
        self.before = deepcopy(self.messages)
        self.tools = make_tools(self._note, names)
        self.given = [*self.tools]
        more = {} if says is None else {"remind": self._make_remind(says)}
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
        if isinstance(reply, str):
            return [{"type": "text", "text": reply}]
        return add_ids(reply, number)

    def _note(self, text: str) -> str:
        self.noted.append(text)
        if not isinstance(text, str):
            raise TypeError(f"note(text) needs a string, and got a {type(text).__name__}")
        if len(self.noted) >= MAX_RUNS:
            raise EndlessError(f"the tool has run {MAX_RUNS} times: this loop does not stop")
        if text == "fail":
            raise ValueError("this note is rejected")
        return f"noted {text}"

    def _make_remind(self, says: Sequence[Any]) -> Callable[..., Any]:
        """Return a `remind` that notes when it is called, and returns one text after another."""
        texts = iter(says)

        def remind(calls: Sequence[Call]) -> str | None:
            try:
                self.asked.append([one.name for one in calls])
            except (AttributeError, TypeError) as problem:
                raise TypeError(f"remind(calls) needs calls, with names: {problem}") from None
            self.runs_before.append(len(self.noted))
            if len(self.asked) >= MAX_RUNS:
                raise EndlessError(f"`remind` was called {MAX_RUNS} times: this loop does not stop")
            return next(texts, None)

        remind.__qualname__ = "remind"  # a learner reads it in an error
        return remind

    def ask_more(self) -> str:
        """Send the history with one more prompt. Raise the SDK's error if it is not accepted."""
        if MORE not in self.script:
            self.script += MORE
        history = [*self.messages, {"role": "user", "content": "And now?"}]
        tools: Any = [tool.spec for tool in self.tools]
        model = PracticeModel(lambda _: [SAID])  # so that the requests of the run stay as they are
        model.client().messages.create(messages=history, tools=tools, **SETTINGS)
        return "accepted"

    def described(self) -> list[tuple[str, list[str]]]:
        """Return for each message who wrote it, and its blocks as strings."""
        ids = [one for message in self.messages for one in list_ids(message, "tool_use")]
        found = []
        for message in self.messages:
            role = message.get("role", "no role") if isinstance(message, Mapping) else "no dict"
            found.append((role, [describe_block(block, ids) for block in blocks_of(message)]))
        return found

    def reply_blocks(self) -> list[list[Any]]:
        """Return the blocks of each message of the model, without what the SDK fills in."""
        return [
            [
                {
                    key: value
                    for key, value in block.items()
                    if value is not None and key != "caller"
                }
                for block in blocks_of(message)
            ]
            for message in self.messages
            if isinstance(message, Mapping) and message.get("role") == "assistant"
        ]

    def results(self) -> list[list[str]]:
        """Return the blocks of each message that the loop has appended for the user."""
        ids = [one for message in self.messages for one in list_ids(message, "tool_use")]
        return [
            [describe_block(block, ids) for block in blocks_of(message)]
            for message in self.messages[len(self.before) :]
            if not isinstance(message, Mapping) or message.get("role") != "assistant"
        ]


def add_ids(reply: Any, number: int) -> Any:
    """Return a reply whose calls have ids: different ones in each reply, and in no order."""
    if isinstance(reply, Mapping):
        return {**reply, "content": add_ids(reply["content"], number)}
    ids = [sha256(f"{number} {place}".encode()).hexdigest()[:12] for place in range(len(reply))]
    return [
        block | {"id": f"toolu_{id}"} if block["type"] == "tool_use" else block
        for block, id in zip(reply, ids, strict=True)
    ]


def make_tools(run: Callable[[str], str], names: Sequence[str]) -> list[Tool]:
    """Return the two tools: the first notes a text, the second one in capitals."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}

    def note(text: str) -> str:
        return run(text)

    def shout(text: str) -> str:
        return run(text.upper())

    note.__qualname__, shout.__qualname__ = names  # a learner reads it in an error
    return [
        Tool(names[0], "Note a text.", schema, note),
        Tool(names[1], "Note a text in capitals.", schema, shout),
    ]


def list_ids(message: Any, kind: str) -> list[Any]:
    """Return the ids of the calls in a message, or of the calls that its results answer."""
    key = "id" if kind == "tool_use" else "tool_use_id"
    return [block.get(key) for block in blocks_of(message) if block["type"] == kind]


def describe_block(block: Mapping[str, Any], ids: Sequence[Any] = ()) -> str:
    """Return a block as a string: a call as `name(field=value)`, or a text, or a result.

    Of a call that failed, the reason counts, and not the words around it.
    """
    if block["type"] in ("tool_use", "server_tool_use"):
        fields = [f"{name}={value!r}" for name, value in dict(block["input"]).items()]
        return f"{block['name']}({', '.join(fields)})"
    if block["type"] != "tool_result":
        return f"{block['type']} {block.get(block['type'], '')!r}"
    parts = [part.get(part["type"]) for part in blocks_of(block)]
    texts = [
        next((f"the error {one!r}" for one in ERRORS if one in str(text)), repr(text))
        for text in parts or ["nothing"]
    ]
    answered = [*ids, block.get("tool_use_id")].index(block.get("tool_use_id")) + 1
    owner = f"call {answered}" if answered <= len(ids) else "no call"
    return " + ".join([f"result of {owner} {texts[0]}", *texts[1:]])


def describe_reply(reply: Any) -> str:
    """Return a scripted reply in one line: its text and calls, and why it was cut off."""
    if reply == SERVER_ERROR:
        return SERVER_ERROR
    if isinstance(reply, str):
        return repr(reply)
    if isinstance(reply, Mapping):
        return f"{describe_reply(reply['content'])} (stop reason: {reply['stop_reason']})"
    blocks = [describe_block(shorten_input(block)) for block in reply]
    return ", ".join(blocks) or "nothing"


def shorten_input(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block whose input is short enough to be shown."""
    given = block.get("input", {})
    return block | {"input": {name: text[:SHOWN_CHARACTERS] for name, text in given.items()}}


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
        texts = [text and text[:SHOWN_CHARACTERS] for text in says]
        lines.append(f"`remind` returns {texts}.")
    return "\n".join(lines)
