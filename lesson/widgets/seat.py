"""The seat: read exactly what the model reads in one round, and write the next message yourself.

Then compare: the practice model's reply, those of a current Claude model (recorded, see
`claude_replies.json`), and if you name one, your model's reply.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import traitlets

from agentlib.client.connection import Connection
from agentlib.nag import Nag

from .. import runs
from ..practice.policy.practice_policy import WINDOW
from ..practice.policy.tasks import load
from ..practice.policy.window import REMINDER, read_items
from ..runs.messages import blocks_of, text_of
from ..runs.trial import Trial, play
from .base import View
from .in_view import find_first

REPLIES = Path(runs.__file__).with_name("claude_replies.json")
TASK = "ten_steps"
GIVEN = 3  # steps that the window shows as done; they are filled in for the reader
CHARS_A_TOKEN = 3  # of JSON, roughly
SHORT = 3  # lines: text up to this length is shown in full


class ListNag(Nag):
    """A reminder that contains the list."""

    def reminder(self) -> str:
        """Return the request for an update, followed by the list."""
        return f"<reminder>Update your todos. Your list:\n{self.todo.render()}</reminder>"


@dataclass(frozen=True)
class Request:
    """A request of a real run: the Trial's settings, and the number of the round."""

    settings: dict[str, Any]
    number: int
    question: str


REQUESTS = {
    "plan lost": Request({"after": 6}, 8, "Update your todos."),
    "list in reminder": Request({"after": 6, "nag": ListNag}, 8, "Update your todos."),
    "no list": Request({"after": None, "plan": False}, 11, ""),
}


@dataclass(frozen=True)
class Row:
    """A step of the plan, and the patterns that find it in a list.

    A line names the step if `named` is found in it. The lines that name it contain all of it if
    `whole` is found in them; else they contain a part. `note` is what the lists with a part say.
    """

    number: int
    named: str
    whole: str = ""
    note: str = ""


TESTS = r"\btest(s|ing|ed)?\b|pytest|unittest"
RUN_TESTS = r"(?=.*\b(re)?run\b)(?!.*\b(add|write)\b)"
CODE = r"\w* (the |all |every )?(function|method|code|module)"
TYPES, DOCS = r"type ?hint|typing|annotat|\btypes\b", rf"doc ?string|\bcomments?\b|\bdocument{CODE}"
TIDY = r"(tid[yi]|clean|refactor|simplif|extract|restructur)\w*\b"
# Where else each step can be read: a title, a note, and the steps.
GROUPS = (
    (
        "The window shows it",
        "three edits, and load_old in books.py",
        (
            Row(1, r"cryptic|\brenam"),
            Row(2, r"magic|constant"),
            Row(3, r"\bmerge|copies|\bloops?\b"),
            Row(6, r"load_?\s?old|old load|unused|not used|dead code|obsolete|never called|nobody"),
        ),
    ),
    (
        "The prompt names it",
        "“tested and documented”",
        (
            Row(9, rf"^(?!{RUN_TESTS}).*({TESTS})"),
            Row(10, rf"read ?me|\bdocs?\b|\bdocument(?!{CODE})"),
            Row(
                7,
                f"{TYPES}|{DOCS}",
                rf"^(?=.*({TYPES}))(?=.*({DOCS}))",
                "the other {part} have the docstrings only",
            ),
        ),
    ),
    (
        "Only the plan had it",
        "written in round 1",
        (
            Row(
                4,
                rf"\bsplit|long function|receipts?\.py|{TIDY}.*receipt",
                r"\bsplit|long function|small(er)? functions|extract",
                "the other {part} “tidy” the receipts code",
            ),
            Row(5, r"stock|warning", "warning"),
            Row(
                8,
                r"\bmain\b|__name__|shop\.py|entry point|"
                rf"{TIDY}.*(remaining|other) (modules|files)",
                r"guard|__name__|__main__",
                "{part} “tidy” the main script or the remaining modules",
            ),
        ),
    ),
)
ROWS = tuple(row for _, _, rows in GROUPS for row in rows)
EXTRA = Row(0, r"(check|compare)\b.*receipts")


class Seat(View):
    """The model's seat in one request: `Seat()`, or with the name of another of REQUESTS."""

    kind = "seat"
    answer = traitlets.Unicode().tag(sync=True)
    compared = traitlets.Bool(False).tag(sync=True)
    moved = traitlets.Dict().tag(sync=True)

    def __init__(self, request: str = "plan lost") -> None:
        """Play the run of `request`. Raises ValueError for an unknown name."""
        super().__init__()
        if request not in REQUESTS:
            raise ValueError(f"The requests are {', '.join(map(repr, REQUESTS))}, not {request!r}.")
        self.name, self.chosen = request, REQUESTS[request]
        self.trial = play(TASK, **self.chosen.settings)
        self.state = self._state(None)

    @property
    def request(self) -> dict[str, Any]:
        """Return the request that was sent, without the messages that the model does not see."""
        sent = self.trial.model.requests[self.chosen.number - 1]
        prompt, first = find_first(sent["messages"], WINDOW)
        return sent | {"messages": [sent["messages"][prompt], *sent["messages"][first:]]}

    def ask(self, model: Connection) -> "Seat":
        """Send the request once to a real model that you name, and show its reply as well.

        `model` is what `connect("a model's name")` returns. Raises ValueError for the practice
        model, whose reply is shown already.
        """
        if not (isinstance(model, Connection) and model.real):
            raise ValueError('Name a real model: seat.ask(connect("a model\'s name")).')
        name = model.settings["model"]
        tokens = round(len(json.dumps(self.request)) / CHARS_A_TOKEN, -2)
        print(f"One request of about {tokens:,.0f} tokens goes to {name}.")
        reply = model.client.messages.create(**{**self.request, **model.settings})
        self.state = self._state(read_reply(reply.to_dict(mode="json")["content"]) | {"name": name})
        return self

    def _state(self, own: dict[str, Any] | None) -> dict[str, Any]:
        request = self.request
        sent = self.trial.model.requests[self.chosen.number - 1]["messages"]
        system = request["system"]
        return {
            "round": self.chosen.number,
            "question": self.chosen.question,
            "prompt": [text_of(block) for block in blocks_of(request["messages"][0])],
            "removed": len(sent) - len(request["messages"]),
            "messages": draw_messages(request["messages"][1:], self.chosen.number),
            "system": system if isinstance(system, str) else text_of(system[0]),
            "tools": [tool["name"] for tool in request["tools"]],
            "given": [step.text for step in load(TASK).steps[:GIVEN]],
            "groups": draw_groups(own) if self.name == "plan lost" else [],
            "extra": draw_extra(),
            "practice": self._practice(),
            "replies": replies(self.name),
            "kept": len(replies("list in reminder")),
            "told": describe_told(replies(self.name)) if self.name == "plan lost" else "",
            "own": own,
        }

    def _practice(self) -> dict[str, Any]:
        """Return the practice model's reply in the real run, and how the run ended."""
        reply = read_reply(self.trial.rounds[self.chosen.number - 1].messages[0]["content"])
        end = f"In the end the files show {self.trial.steps_done} of {len(self.trial.done)} steps"
        says = count_done(self.trial)
        return reply | {"end": f"{end}{says and f', its list says {says}'}.", "says": says}

    def text(self) -> str:
        """Return the request in short, and all replies to it."""
        state = self.state
        said = [
            f"Take the model's seat: round {state['round']} of a run in ten steps.",
            f"The model sees the prompt and the last {len(state['messages'])} messages; "
            f"{state['removed']} older ones have left its window.",
            f"Prompt: {state['prompt'][-1]}",
            *(
                f"round {m['round'] or '':<2} {m['who']:6} {in_a_line(m)}"
                for m in state["messages"]
            ),
            "",
        ]
        return "\n".join([*said, *(self._table() if state["groups"] else self._replies())])

    def _table(self) -> list[str]:
        state = self.state
        count, kept = len(state["replies"]), len(replies("list in reminder"))
        lines = [
            "The plan of round 1 had ten steps. How many new lists still have each?",
            f"The practice model (a script): {state['practice']['says']} done.",
            f"Claude: {count} replies; {kept} more in which the reminder shows the list.",
        ]
        for group in state["groups"]:
            lines += ["", f"{group['title']} ({group['note']})"]
            for row in group["rows"]:
                part = f", a part in {row['part']}" if row["part"] else ""
                own = f"; {state['own']['name']}: {MARKS[row['own']]}" if state["own"] else ""
                lines.append(
                    f"{row['number']:3} {row['text']}: {row['full']} of {count}{part}; "
                    f"with the list {row['kept']} of {kept}{own}"
                )
        return lines

    def _replies(self) -> list[str]:
        practice, own = self.state["practice"], self.state["own"]
        lines = [f"Practice model (a script): {reply_in_a_line(practice)} {practice['end']}"]
        lines += [f"Claude: {reply_in_a_line(reply)}" for reply in self.state["replies"]]
        return lines + ([f"{own['name']}: {reply_in_a_line(own)}"] if own else [])


MARKS = ("missing", "a part", "on the list")


@cache
def replies(name: str) -> list[dict[str, Any]]:
    """Return the recorded replies of a current Claude model to a request."""
    return json.loads(REPLIES.read_text(encoding="utf-8"))["requests"][name]


def describe_told(recorded: Sequence[dict[str, Any]]) -> str:
    """Return how many replies were told that messages had been removed, and what the others say."""
    told, count = sum(reply["told"] for reply in recorded), len(recorded)
    return (
        f"{told} of the {count} replies were told, as you were, that older messages had been "
        f"removed. The other {count - told} all wrote that they should have listed the steps at "
        "the start. They had."
    )


def match(row: Row, lines: Sequence[str]) -> int:
    """Return how much of a step the lines of a list contain: 0 nothing, 1 a part, 2 all of it."""
    named = [line.lower() for line in lines if re.search(row.named, line.lower())]
    if not named:
        return 0
    return 2 if re.search(row.whole, " ".join(named)) else 1


def lists(name: str) -> list[list[str]]:
    """Return the text of the items of each recorded list."""
    return [[text for text, _ in reply["list"]] for reply in replies(name)]


def draw_groups(own: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Group the steps of the plan by where else they can be read, and count the lists with each."""
    mine = [text for text, _ in own["list"]] if own else []
    return [
        {"title": title, "note": note, "rows": [draw_row(row, mine) for row in rows]}
        for title, note, rows in GROUPS
    ]


def draw_row(row: Row, mine: Sequence[str]) -> dict[str, Any]:
    """Return a step of the plan, and how many lists have it."""
    found = [match(row, lines) for lines in lists("plan lost")]
    kept = [match(row, lines) for lines in lists("list in reminder")]
    return vars(row) | {
        "text": load(TASK).steps[row.number - 1].text,
        "full": found.count(2),
        "part": found.count(1),
        "note": row.note.format(part=found.count(1)),
        "kept": kept.count(2),
        "own": match(row, mine),
    }


def draw_extra() -> dict[str, Any]:
    """Count the lists with a step that was not in the plan."""
    found = [match(EXTRA, lines) for lines in lists("plan lost")]
    return {"full": found.count(2), "note": "check the receipts: the prompt asks for it"}


def draw_messages(messages: Sequence[dict[str, Any]], last: int) -> list[dict[str, Any]]:
    """Return the messages of the request for round `last`, each with the text to unfold."""
    first = last - len(messages) // 2
    return [
        draw_message(message, first + index // 2 if message["role"] == "assistant" else 0)
        for index, message in enumerate(messages)
    ]


def draw_message(message: dict[str, Any], number: int) -> dict[str, Any]:
    """Return one message: what the model says and calls, or a tool's output with its reminder."""
    blocks = blocks_of(message)
    parts = [part for block in blocks for part in [block, *blocks_of(block)]]
    texts = [text_of(part) for part in parts if text_of(part)]
    notes = [found for text in texts for found in REMINDER.findall(text)]
    call = next((block for block in blocks if block["type"] == "tool_use"), None)
    given = call["input"] if call else {}
    code = [("− ", given.get("old_text", "")), ("+ ", given.get("new_text", ""))]
    code += [("", given.get("content", ""))]
    said = [text for text in texts if not REMINDER.search(text)]
    if not number:
        code, said = [("", "\n".join(said))], []
    marked = [(sign, text.rstrip("\n").split("\n")) for sign, text in code if text]
    return {
        "round": number,
        "who": "model" if number else "result",
        "text": " ".join(said),
        "call": [call["name"], str(given.get("path") or given.get("command"))] if call else [],
        "heads": [head for sign, lines in marked for head in list_heads(lines, sign)],
        "full": "\n".join(sign + line for sign, lines in marked for line in lines),
        "note": notes[-1] if notes else "",
    }


def list_heads(lines: Sequence[str], sign: str) -> list[str]:
    """Return the lines of a file that are not indented, with "…" for what follows; or the first
    line of an edit."""
    if len(lines) <= SHORT and not sign:
        return list(lines)
    tops = [n for n, line in enumerate(lines) if line and (n == 0 or not line[0].isspace())]
    ends = [*tops[1:], len(lines)]
    hides = [
        any(line.strip() for line in lines[n + 1 : end]) for n, end in zip(tops, ends, strict=True)
    ]
    heads = [
        sign + lines[n].strip() + (" …" if more or sign else "")
        for n, more in zip(tops, hides, strict=True)
    ]
    return heads[:1] if sign else heads


def read_reply(content: Any) -> dict[str, Any]:
    """Read a reply: what it says, the items of its list, and its other calls."""
    blocks = blocks_of({"content": content})
    uses = [block for block in blocks if block["type"] == "tool_use"]
    items = [item for use in uses if use["name"] == "todo" for item in read_items(use["input"])]
    others = [use for use in uses if use["name"] != "todo"]
    return {
        "opening": " ".join(text_of(block) for block in blocks if text_of(block)),
        "list": [[str(item.get("text")), str(item.get("status"))] for item in items],
        "does": ", ".join(
            f"{use['name']} {use['input'].get('path', '')}".strip() for use in others
        ),
    }


def reply_in_a_line(reply: dict[str, Any]) -> str:
    """Return a reply on one line."""
    steps = reply.get("list") or []
    done = sum(status == "completed" for _, status in steps)
    parts = [f"“{reply['opening']}”"]
    parts += [f"A list of {len(steps)}, {done} completed."] if steps else []
    return " ".join([*parts, *([f"Then: {reply['does']}."] if reply.get("does") else [])])


def in_a_line(message: dict[str, Any]) -> str:
    """Return a message of the window on one line."""
    note = [f"<reminder>{message['note']}</reminder>"] if message["note"] else []
    parts = [message["text"], " ".join(message["call"]), *message["heads"], *note]
    return " · ".join(filter(None, parts)).replace("\n", " ")


def count_done(trial: Trial) -> str:
    """Return what the list says in the end: "4 of 4"; "" without a list."""
    statuses = [item["status"] for item in trial.items]
    return f"{statuses.count('completed')} of {len(statuses)}" if statuses else ""
