"""Play a conversation with scripted replies, to try a learner's loop.

The loop gets the real SDK's client, connected to the practice API, and tools such as `note(text)`,
which fails for the text "fail".
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from hashlib import sha256
from itertools import accumulate, groupby
from random import Random
from typing import Any

import anthropic
from anthropic.types import Message

from agentlib.defaults import REMINDER
from agentlib.signatures import exhaust
from agentlib.tools import Call, Tool
from exerciselib.engine import EndlessError
from lesson.common.message_blocks import blocks_of
from lesson.practice.api.errors import ApiError
from lesson.practice.practice_model import PracticeModel
from safetylib.wire.refusals import server_message
from safetylib.wire.replies import is_empty
from safetylib.wire.server.connect import make_settings

SETTINGS = make_settings("practice", system="Be brief.")
MORE_REQUESTS = 12  # are answered after the last reply; one more, and the loop does not stop
MAX_RUNS = 200  # limit of runs of the tools: a loop that has more does not stop
SHOWN_CHARACTERS = 300  # limit of a reply, and of each reminder
SAID = {"type": "text", "text": "I see."}
HIDDEN = {"type": "redacted_thinking", "data": "c2lnbmVk"}
THOUGHT = {"type": "thinking", "thinking": "Two notes.", "signature": "c2lnbmVk"}
# A tool that the server runs: its block has a name, an id and an input, but is not a call.
SEARCHED = [
    {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": {"query": "notes"},
    },
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
]
EARLIER = [{"role": "user", "content": " Hello.\n"}, {"role": "assistant", "content": "Hello!"}]
PROMPT = [{"role": "user", "content": "Take notes."}]
SAYS = f"<reminder>{REMINDER}</reminder>"
SERVER_ERROR = "an error of the server (529)"
INTERRUPT, EXIT = "an interrupt by the user, Ctrl-C", "a SystemExit, which ends the program"
ROUNDS = 120  # length of a long run: more than the limit of a loop that has one
SCENES = 14  # random ones, for each level
# The names of real tools, because a loop may treat one of them in a special way.
SCENE_TOOLS = ["note", "bash", "todo", "read_file", "edit_file"]
BLANK_LINE = "\n\n"
REMINDERS = [None, None, SAYS, "Go on.", f"{SAYS}\n  {{Next}}: <b>a\\1</b> & “ü” {'long ' * 900}\n"]
NOT_SHOWN = ("type", "caller", "citations")  # of a block that is neither a call nor a result
ERRORS = ("this note is rejected", "no tool 'missing'")


class ApiSaidError(Exception):
    """The API rejected a request: its status and its message."""

    # The API rejects what another line has appended, and not the line that sends it.
    hides_line = True


class InterruptError(KeyboardInterrupt):
    """An interrupt that a scene has made, and not the user of the check."""


class ExitError(SystemExit):
    """A SystemExit that a scene has made."""


def call(tool: str, **fields: Any) -> dict[str, Any]:
    """Return a tool_use block as a model writes it; a Scene adds the id."""
    return {"type": "tool_use", "name": tool, "input": fields}


ONE, TWO, FAILS = (call("note", text=text) for text in ("one", "two", "fail"))
INTERRUPTED = call("note", text="interrupt")
FINISHED = {"items": [{"text": "Take notes", "status": "completed"}]}  # of a todo list
CUT_OFF = {"stop_reason": "max_tokens"}
# A copy of one is raised: an exception keeps the frames of each time that it was raised.
FAILURES = {
    SERVER_ERROR: ApiError(529, "overloaded_error", "Overloaded"),
    INTERRUPT: InterruptError(INTERRUPT),
    EXIT: ExitError(EXIT),
}
LINES = " one\n\n" + "and so on\n" * 2
# Longer than what a course or a product cuts. Only few stories have it: a kernel keeps their runs.
LONG = " one\n\n" + "and so on\n" * 6000
# Replies like those of a real model: blocks of other types, long texts with whitespace around
# them, and the same call twice.
BIG: Sequence[Any] = (
    [
        THOUGHT,
        HIDDEN,
        SAID,
        *SEARCHED,
        call("note", text=LONG),
        call("shout", text=r"{x} %s \1 <b>"),
    ],
    [ONE, ONE, SAID, *[TWO, ONE] * 6],
    [TWO],
    [*SEARCHED, ONE],
    [SAID, SAID],
)


class Scene:
    """A loop's run with `replies`, then always "Done.".

    A reply is a string, a list of blocks, a dict with `content` and `stop_reason`, or one of
    FAILURES. `says` are the strings that `remind` returns, one for each call, or an exception that
    it raises; without it, the loop gets no `remind`. `names` are those of the tools.

    `requests` are the request bodies, `messages` is the history, `before` what was in it at the
    start, `problem` the exception that ended the run. `noted` are the inputs that the tools got,
    `asked` the names of the calls that `remind` got, and `runs_before` how often a tool had run
    before each call of `remind`. `left_open` are the ids of calls that were cut off.
    """

    def __init__(
        self,
        loop: Callable[..., Any],
        *replies: Any,
        says: Sequence[Any] | None = None,
        names: Sequence[str] = ("note", "shout"),
    ) -> None:
        self.script = describe_script(replies, says, names)
        self.replies, self.says = deepcopy(replies), says
        self.noted: list[Any] = []
        self.left_open = set[str]()
        self.asked: list[list[str]] = []
        self.runs_before: list[int] = []
        self.problem: BaseException | None = None
        model = PracticeModel(self._reply, max_lost_replies=MAX_RUNS)  # its client is not kept
        self.requests: list[dict[str, Any]] = model.requests
        self.messages: list[Any] = deepcopy(PROMPT)
        self.before = deepcopy(self.messages)
        self.given = make_tools(self._note, names)
        self.tools = [*self.given]  # the list that the loop gets
        more = {} if says is None else {"remind": self._make_remind(says)}
        client = model.client()
        try:
            exhaust(loop(client, self.messages, self.tools, **SETTINGS, **more))
        except (Exception, EndlessError, InterruptError, ExitError) as error:
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
        if isinstance(reply, str) and reply in FAILURES:
            raise copy(FAILURES[reply])
        if isinstance(reply, str):
            return [{"type": "text", "text": reply}]
        content = add_ids(reply, number)
        if isinstance(content, Mapping) and content["stop_reason"] == "max_tokens":
            self.left_open |= {*list_ids(content, "tool_use")}
        return content

    def _note(self, text: str) -> str:
        self.noted.append(text)
        if len(self.noted) >= MAX_RUNS:
            raise EndlessError(f"the tool has run {MAX_RUNS} times: this loop does not stop")
        if text == "interrupt":
            raise copy(FAILURES[INTERRUPT])
        if text == "fail":
            raise ValueError("this note is rejected")
        return f"noted {text}"

    def _make_remind(self, says: Sequence[Any]) -> Callable[..., Any]:
        """Return a `remind` that notes when it is called, and returns one text after another."""
        texts = iter(says)

        def remind(calls: Sequence[Call]) -> str | None:
            len(calls)  # a nag may go through them twice, which a generator does not allow
            try:
                self.asked.append([one.name for one in calls])
            except (AttributeError, TypeError) as problem:
                raise TypeError(f"remind(calls) needs calls, with names: {problem}") from None
            self.runs_before.append(len(self.noted))
            text = next(texts, None)
            if isinstance(text, Exception):
                raise copy(text)
            return text

        remind.__qualname__ = "remind"  # a learner reads it in an error
        return remind

    def described(self) -> list[tuple[str, list[str]]]:
        """Return for each message who wrote it, and its blocks as strings."""
        ids = [one for message in self.messages for one in list_ids(message, "tool_use")]
        described = []
        for message in self.messages:
            role = message.get("role", "no role") if isinstance(message, Mapping) else "no dict"
            blocks = blocks_of(message)
            kept = leave_out(blocks) if role == "assistant" else blocks
            if role == "assistant" and is_empty(message):
                continue  # it may be kept or not
            if kept or not blocks:
                described.append((role, [self.describe(block, ids) for block in kept]))
        return described

    def describe(self, block: Mapping[str, Any], ids: Sequence[Any]) -> str:
        """Return a block as a string.

        A result says which of the calls `ids` it answers. Of a call that failed, the reason counts,
        and not the words around it. The result of a call that was cut off can have any text.
        """
        if block["type"] != "tool_result":
            return describe_block(block)
        id_, (output, reminder) = block.get("tool_use_id"), self.part_text(text_of_result(block))
        error = next((one for one in ERRORS if one in output), "")
        shown = f"the error {error!r}" if error else repr(output or "nothing")
        if id_ in self.left_open:
            shown, error = "any text", "any"
        answered = [*ids, id_].index(id_) + 1
        owner = f"call {answered}" if answered <= len(ids) else "no call"
        begin = f"{'error' if block.get('is_error') and not error else 'result'} of {owner} {shown}"
        return f"{begin} + {reminder!r}" if reminder else begin

    def part_text(self, text: str) -> tuple[str, str]:
        """Return the output in the text of a result, and the reminder after it, or ""."""
        reminders = [one for one in self.says or () if isinstance(one, str)]
        for reminder in sorted(reminders, key=len, reverse=True):
            if reminder and text.endswith(BLANK_LINE + reminder):
                return text.removesuffix(BLANK_LINE + reminder), reminder
        return text, ""

    def list_turns(self, role: str) -> list[list[str]]:
        """Return the blocks of each new message of the model, "assistant", or of any other role."""
        new = self.described()[len(self.before) :]
        return [blocks for one, blocks in new if (one == "assistant") == (role == "assistant")]


class LongRun:
    """A loop's run in which the model calls a tool in ROUNDS rounds.

    The SDK copies all messages for each request, which would take a second: so this is a client
    without it. `sent` is the number of messages in each request, and `history` are those of the
    loop, which began as `before`. `is_changed` says if a message was sent that is not as before.
    `problem` is what has ended it, and `is_other` says if that is a method that this client lacks.
    With a nag, `due` are the rounds with a reminder: each time, one more has none before it.
    """

    due = [*accumulate(range(1, 16))]  # 1, 3, 6, 10, … 120

    def __init__(self, loop: Callable[..., Any], has_nag: bool = False) -> None:
        self.script = f"The model replies {describe_reply([ONE])} {ROUNDS} times, then 'Done.'."
        self.sent: list[int] = []
        self.seen: list[Any] = []  # a copy of each message, as it was when it was sent first
        self.is_changed = False
        self.notes = 0
        self.problem: BaseException | None = None
        self.messages = self  # `client.messages.create` is the method below
        self.before = [*EARLIER * 10, *PROMPT]
        self.history = deepcopy(self.before)
        says = iter([SAYS if number + 1 in self.due else None for number in range(10 * ROUNDS)])
        more = {"remind": lambda calls: next(says)} if has_nag else {}
        try:
            exhaust(loop(self, self.history, make_tools(self._note, ["note"]), **SETTINGS, **more))
        except EndlessError:
            pass
        except (Exception, SystemExit) as problem:
            self.problem = problem
        self.is_other = getattr(self.problem, "obj", None) is self

    def _note(self, text: str) -> str:
        self.notes += 1
        if self.notes > 10 * ROUNDS:
            raise EndlessError("this loop does not stop")
        return text

    def create(self, *, messages: Sequence[Any], **_: Any) -> Message:
        """Return a call of the tool, or the last reply."""
        self.sent.append(len(messages))
        self.is_changed |= [*messages[: len(self.seen)]] != self.seen
        self.seen += deepcopy([*messages[len(self.seen) :]])
        number = len(self.sent)
        if number > ROUNDS + MORE_REQUESTS:
            raise EndlessError("this loop does not stop")
        return Message.model_validate(
            {
                **{"id": f"msg_{number}", "type": "message", "role": "assistant"},
                **{"content": add_ids([ONE if number <= ROUNDS else SAID], number)},
                **{"model": "practice", "usage": {"input_tokens": 1, "output_tokens": 1}},
                "stop_reason": "tool_use" if number <= ROUNDS else "end_turn",
            }
        )


def make_random(has_nag: bool) -> list[tuple[list[Any], dict[str, Any]]]:
    """Return replies, and what else a Scene is given, the shortest first.

    They are random, and the same for everybody.
    """
    chance = Random(3)
    scenes = []
    for _ in range(SCENES):
        names = chance.sample(SCENE_TOOLS, chance.randint(1, 4))
        counts = [chance.choice([1, 1, 2, 3, 5]) for _ in range(chance.randint(1, 2))]
        replies = [make_reply(chance, names, count) for count in counts]
        if chance.random() < 0.3:  # a reply can come twice
            replies.append(replies[-1])
        replies.append(" \n" if has_nag and chance.random() < 0.2 else make_reply(chance, [], 0))
        if chance.random() < 0.4:
            first = replies[0]
            replies[0] = {
                "content": first["content"] if isinstance(first, dict) else first
            } | CUT_OFF
        options: dict[str, Any] = {"names": names}
        if has_nag:
            options["says"] = [chance.choice(REMINDERS) for _ in replies]
        scenes.append((replies, options))
    return sorted(scenes, key=lambda scene: len(str(scene)))


def make_reply(chance: Random, names: list[str], count: int) -> Any:
    """Return a reply with `count` calls, other blocks around them, and any stop reason."""
    others = [[THOUGHT], [SAID], SEARCHED, [{"type": "text", "text": " Done.\n"}]]
    parts = chance.sample(others, chance.randint(0 if count else 1, 3))
    for _ in range(count):
        name = chance.choice([*names, *names, "missing"])
        fields = {} if name == "missing" else {"text": chance.choice(["one", "two", "fail", LINES])}
        parts.append([call(name, **fields, **(FINISHED if name == "todo" else {}))])
    chance.shuffle(parts)
    content = [block for part in parts for block in part]
    reason = chance.choice(["", "", "end_turn", "tool_use"])
    return {"content": content, "stop_reason": reason} if reason else content


def leave_out(blocks: list[Any]) -> list[Any]:
    """Return the blocks of a reply without those that a loop may send back, or drop.

    That is thinking at the end, which the package's loop drops, and text without words next to
    another block.
    """
    kept = [block for block in blocks if str(block.get("text", "words")).strip()] or [*blocks]
    while kept and kept[-1]["type"] == "thinking":
        kept.pop()
    return kept


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
    """Return tools of these names: `note` notes a text, and any other adds its name to it."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}, "items": {}}}

    def make(name: str) -> Tool:
        def note(text: str, items: Any = ()) -> str:
            return run(text if name == "note" else f"{text} ({name})")

        note.__qualname__ = name  # a learner reads it in an error
        return Tool(name, "Note a text.", schema, note)

    return [make(name) for name in names]


def list_ids(message: Any, block_type: str) -> list[Any]:
    """Return the ids of the calls in a message, or of the calls that its results answer."""
    key = "id" if block_type == "tool_use" else "tool_use_id"
    return [block.get(key) for block in blocks_of(message) if block["type"] == block_type]


def text_of_result(block: Mapping[str, Any]) -> str:
    """Return the text of a result. Between the texts of several blocks is nothing."""
    return "".join(str(part.get("text")) for part in blocks_of(block))


def describe_block(block: Mapping[str, Any]) -> str:
    """Return a block as a string: a call as `name(field=value)`, or a text."""
    if block["type"] in ("tool_use", "server_tool_use"):
        fields = [f"{name}={value!r}" for name, value in dict(block["input"]).items()]
        return f"{block['name']}({', '.join(fields)})"
    values = [repr(one) for key, one in sorted(block.items()) if key not in NOT_SHOWN and one]
    return " ".join([block["type"], *values])


def describe_reply(reply: Any) -> str:
    """Return a scripted reply in one line: its text and calls, and why it was cut off."""
    if isinstance(reply, str):
        return reply if reply in FAILURES else repr(reply)
    if isinstance(reply, Mapping):
        return f"{describe_reply(reply['content'])} (stop reason: {reply['stop_reason']})"
    return ", ".join(describe_block(block) for block in reply)[:SHOWN_CHARACTERS] or "nothing"


def describe_script(
    replies: Sequence[Any], says: Sequence[Any] | None, names: Sequence[str]
) -> str:
    """Return the scripted replies, as a learner reads them."""
    lines = (
        [f"The tools are {', '.join(names) or 'none'}."] if [*names] != ["note", "shout"] else []
    )
    lines.append("The model replies:")
    number = 1
    for reply, equal in groupby(map(describe_reply, replies)):
        times = len(list(equal))
        lines.append(f"{number}. {reply}" + (f" ({times} times)" if times > 1 else ""))
        number += times
    if says:
        texts = [text and str(text)[:SHOWN_CHARACTERS] for text in says]
        lines.append(f"`remind` returns {texts}.")
    return "\n".join(lines)
