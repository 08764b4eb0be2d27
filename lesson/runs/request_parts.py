"""Read the request of a round part by part: what was sent, and who wrote it."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agentlib.tools import Call
from exerciselib.learners_code import is_learners
from safetylib.guard.escape import for_print, for_screen
from safetylib.guard.typed import MEANWHILE
from safetylib.wire.reminders import PROGRAM_SAYS
from safetylib.wire.replies import THINKING

from ..common.message_blocks import (
    Message,
    blocks_of,
    is_list_tool,
    is_task_tool,
    read_messages,
    text_of,
)
from ..common.pluralize import pluralize
from ..common.round import Round
from .changes import Change, join_diffs
from .from_messages import plain_messages
from .window import View

LINE_CHARACTERS = 90  # of a part in `str(request)`
PROGRAM, MODEL, YOU = "the program", "the model", "you"
REPLY = "reply"


def shorten(id_: str) -> str:
    """Return the end of an id, which is long."""
    return f"…{id_[-4:]}"


class RequestPart(NamedTuple):
    """A part of a request, or the reply to it.

    `label` says where it is ("system", "user 3", "reply"), `text` is all of it, `author` is who
    wrote it, and `origin` says so in a sentence. `kind` is "system", "tools", "text", "call",
    "result", "reminder" or "unseen" (messages that were left out). `id` ties a result to its call.
    """

    label: str
    kind: str
    text: str
    author: str
    origin: str
    id: str = ""

    @property
    def line(self) -> str:
        """Return the part in one line, which may be long."""
        first, _, rest = self.text.strip().partition("\n")
        if self.kind in ("tools", "call", "unseen") or not rest.strip():
            return first  # it says enough
        return f"{first} … + {pluralize(rest.count(chr(10)) + 1, 'line')}"


@dataclass(frozen=True)
class Request:
    """The request of a round. `print(run.request(8))` prints a line for each of its parts.

    `sent` is the request as a dict, as it was sent: model, system, tools, messages and so on.
    `parts` are its parts in their order, with messages that the program has left out as one, and
    last the reply. `number` is that of the round, and `changes` is what its calls have changed in
    the files.
    """

    number: int
    sent: dict[str, Any]
    parts: tuple[RequestPart, ...]
    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        """Return a line for each part, with who wrote it."""
        lines = [f"The request of round {self.number}, and the reply:"]
        for part in self.parts:
            text = part.line
            if len(text) > LINE_CHARACTERS:
                text = f"{text[:LINE_CHARACTERS]} …"
            ids = f"  id {shorten(part.id)}" if part.id else ""
            lines.append(f"{part.label:12} {part.author:20} {text}{ids}")
        return for_print("\n".join(lines))

    __repr__ = __str__

    def diff(self, path: str | None = None) -> str:
        """Return what the calls of the reply have changed, as `Record.diff` does."""
        return join_diffs(self.changes, path)

    @property
    def chosen(self) -> int:
        """Return which part is shown at first: the newest reminder, or the newest message."""
        sent = [place for place, part in enumerate(self.parts) if part.label != REPLY]
        newest = [place for place in sent if self.parts[place].label == self.parts[sent[-1]].label]
        reminders = [place for place in newest if self.parts[place].kind == "reminder"]
        return (reminders or newest)[-1]


class Authors(NamedTuple):
    """Whose the parts of a run are: "your MyTodo", "agentlib's Nag"; "" for what it lacks."""

    todo: str
    nag: str
    ask: str


def name_owner(part: Any) -> str:
    """Return whose a function, class or object is, with its name; "" for None."""
    if part is None:
        return ""
    named = part if hasattr(part, "__name__") else type(part)
    whose = "your" if is_learners(named) else "agentlib's"
    return f"{whose} {named.__name__}"


def read_request(
    sent: Mapping[str, Any],
    view: View,
    reminders: Mapping[str, str],
    reply: Sequence[Message],
    authors: Authors,
    prompts: Collection[str] = (),
) -> Request:
    """Return the request of a round.

    `view` says which messages of the run it has, `reminders` are those of `find_reminded`, `reply`
    is the model's message, as the loop has kept it, and `prompts` are what the user has written, if
    there can be several.
    """
    plain = dict(sent) | {"messages": plain_messages(sent["messages"])}
    reader = Reader(read_messages(plain["messages"]), view, reminders, authors, prompts)
    parts = [*read_settings(plain, authors), *reader.read()]
    for part in reader.read_message({"role": "assistant", "content": list(reply)}, view.number):
        parts.append(part._replace(label=REPLY))
    shown = (part._replace(text=for_screen(part.text)) for part in parts)
    return Request(view.number, plain, tuple(shown))


def find_reminded(rounds: Iterable[Round]) -> dict[str, str]:
    """Return the reminder that the nag has returned in the round of each call, by the call's id.

    The messages do not say whose words they are: a file can end with the same ones.
    """
    return {
        str(block.get("id")): round_.reminder.strip()
        for round_ in rounds
        if round_.reminder
        for block in blocks_of(round_.messages[0])
    }


def read_settings(sent: Mapping[str, Any], authors: Authors) -> Iterator[RequestPart]:
    """Yield the system prompt and the tools."""
    if sent.get("system"):
        origin = "The program wrote it. It is sent with each request, outside of the messages."
        yield RequestPart("system", "system", str(sent["system"]), PROGRAM, origin)
    if tools := sent.get("tools"):
        names = "  ".join(tool["name"] for tool in tools)
        shown = "\n\n".join(
            f"{tool['name']}: {tool.get('description', '')}\n"
            f"{json.dumps(tool.get('input_schema', {}))}"
            for tool in tools
        )
        origin = "The program sends these definitions with each request."
        if authors.todo and any(is_task_tool(tool["name"]) for tool in tools):
            origin += f" Those of tasks are from {authors.todo}."
        elif authors.todo and any(is_list_tool(tool["name"]) for tool in tools):
            origin += f" That of todo is from {authors.todo}."
        yield RequestPart("tools", "tools", f"{names}\n\n{shown}", PROGRAM, origin)


@dataclass
class Reader:
    """Reads the messages of a request. The arguments are those of `read_request`."""

    messages: Sequence[Message]
    view: View
    reminders: Mapping[str, str]
    authors: Authors
    prompts: Collection[str] = ()
    reminder: str = ""  # what the nag has returned in the round that is read
    tools: dict[str, str] = field(default_factory=dict)  # the name of each call's tool, by its id

    def read(self) -> Iterator[RequestPart]:
        """Yield the parts of all messages, with one part for the rounds that were left out."""
        before = 0
        for message, number in zip(self.messages, self.view.numbers, strict=True):
            yield from self.read_left_out(before + 1, number)
            yield from self.read_message(message, number)
            before = number
        yield from self.read_left_out(before + 1, self.view.number)

    def read_left_out(self, first: int, end: int) -> Iterator[RequestPart]:
        """Yield one part for the messages of the rounds up to `end` that were not sent."""
        numbers = [number for number in range(first, end) if number in self.view.left_out]
        if not numbers:
            return
        rounds = f"round {first}" if len(numbers) == 1 else f"rounds {first} to {numbers[-1]}"
        messages = [(each, number) for number in numbers for each in self.view.left_out[number]]
        plan = self.view.plan
        its_plan = ", with its plan" if plan and plan.round in numbers else ""
        words = f"{pluralize(len(messages), 'message')} of {rounds}{its_plan}: not sent"
        parts = [part for each, number in messages for part in self.read_message(each, number)]
        lines = [f"{part.label}  {part.line}" for part in parts]
        origin = "The program has left these messages out, so the model does not see them."
        yield RequestPart("", "unseen", "\n".join([words, "", *lines]), "", origin)

    def read_message(self, message: Message, number: int) -> Iterator[RequestPart]:
        """Yield the parts of one message. `number` is the round that it belongs to."""
        role = str(message.get("role", ""))
        label = f"{role} {number}" if number else role
        blocks = blocks_of(message)
        if role == "assistant":
            called = [self.reminders.get(str(block.get("id")), "") for block in blocks]
            self.reminder = next(filter(None, called), "")
        reminded = [block for block in blocks if self.ends_with_reminder(block)][-1:]
        for block in blocks:
            if block["type"] == "tool_use":
                yield self.read_call(block, label)
            elif block["type"] == "tool_result":
                yield from self.read_result(block, label, block in reminded)
            else:
                yield self.read_text(block, label, role, number)

    def ends_with_reminder(self, block: Message) -> bool:
        text, _ = self.split_typed(join_texts(block))
        return self.reminder != "" and text.strip().endswith(self.reminder)

    def split_typed(self, text: str) -> tuple[str, str]:
        """Return the text of a result, and what the user has typed meanwhile behind it, or ""."""
        typed = [words for words in self.prompts if words.startswith(MEANWHILE)]
        typed = [words for words in typed if text.endswith(words)]
        return (text.removesuffix(typed[-1]), typed[-1].strip()) if typed else (text, "")

    def read_call(self, block: Message, label: str) -> RequestPart:
        name, id_ = str(block.get("name", "")), str(block.get("id", ""))
        self.tools[id_] = name
        value = block.get("input")
        fields = value.items() if isinstance(value, Mapping) else [("input", value)]
        inputs = [f"{key}: {show_value(field)}" for key, field in fields]
        origin = f"The model asks for {name}. The result has the same id, {shorten(id_)}."
        head = str(Call(name, value, "")).replace(" items", " tasks")
        return RequestPart(label, "call", "\n".join([head, "", *inputs]), MODEL, origin, id_)

    def read_result(self, block: Message, label: str, is_reminded: bool) -> Iterator[RequestPart]:
        """Yield the result of a call, and the reminder if the loop has put it into this one."""
        id_ = str(block.get("tool_use_id", ""))
        name = self.tools.get(id_, "")
        is_lists = is_list_tool(name) and self.authors.todo
        author = self.authors.todo if is_lists else f"tool {name}"
        text, typed = self.split_typed(join_texts(block))
        if is_reminded:
            text = text.strip().removesuffix(self.reminder)
        if not text.strip():
            text = "(no output)"
        failed = "an error of " if block.get("is_error") else "the result of "
        whose = author if is_lists else f"the {author}"
        origin = f"{capital(whose)} wrote it: {failed}the call with the same id, {shorten(id_)}."
        yield RequestPart(label, "result", text, author, origin, id_)
        if is_reminded:
            nag = self.authors.nag
            origin = f"{capital(nag)} wrote this, and the loop put it inside the result of {name}."
            yield RequestPart(label, "reminder", self.reminder, nag, origin)
        if typed:
            origin = "You typed it while the agent worked, and the program put it into the result."
            yield RequestPart(label, "text", typed, YOU, origin)

    def read_text(self, block: Message, label: str, role: str, number: int) -> RequestPart:
        """Return a text beside the results, of the user, the program or the model."""
        text = text_of(block) or json.dumps(block)
        kind, author, origin = "text", MODEL, "The model wrote it."
        if block["type"] in THINKING:
            text = f"(thinking) {block.get('thinking', '')}".strip()
            origin = "The model thought it, and gets it back while nothing before it has changed."
        elif block["type"] != "text":
            origin = f"The model sent a block of the type {block['type']}."
        if role != "assistant":
            if text.strip() and text.strip() == self.reminder:
                kind, author = "reminder", self.authors.nag
                origin = f"{capital(author)} wrote this, and the loop put it beside the results."
            elif text in self.prompts:
                author, origin = YOU, "You wrote it: it is a prompt."
            elif not number and text not in self.view.opening:
                author, origin = PROGRAM, "The program wrote it, because it left messages out."
            elif text.strip().startswith(PROGRAM_SAYS):
                author, origin = PROGRAM, "The program wrote it, and not you."
            elif number:
                author = self.authors.ask or PROGRAM
                origin = f"{capital(author)} wrote it when the model stopped. The user did not."
            elif self.authors.todo and text.startswith("<reminder>"):
                kind, author = "reminder", PROGRAM
                origin = "The program puts it before your prompt, at the start of a conversation."
            else:
                author, origin = YOU, "You wrote it: it is the prompt, with which a run begins."
        return RequestPart(label, kind, text, author, origin)


def join_texts(block: Message) -> str:
    """Return the text of a block, or those in the content of a result, one below the other."""
    return "\n".join(map(text_of, blocks_of(block) or [block]))


def capital(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return words if words.startswith("agentlib") else words[:1].upper() + words[1:]


def show_value(value: Any) -> str:
    """Return a value of a call's input: a text as it is, and anything else as JSON."""
    if not isinstance(value, str):
        return json.dumps(value, indent=1, ensure_ascii=False)
    return f"\n{value}" if "\n" in value.strip() else value
