"""The seat: read exactly what the model reads in one round, and write the next message yourself.

Then compare, step by step of the plan: your list, the practice model's, those of a Claude model
(recorded, see `claude_replies.json`), and if you name one, your model's. GitHub shows the request
only, because the replies would answer what the reader is asked.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import traitlets

from agentlib.loop import Round
from agentlib.nag import REMINDER, Nag

from ..message_blocks import REMINDERS, blocks_of, read_items, text_of
from ..practice.policy.next_reply import WINDOW
from ..real_model.connection import Connection
from ..runs.from_messages import round_of
from ..runs.measured import Setting, count_claims, summarize
from ..runs.summaries import describe_message
from ..runs.trial import Trial, play
from ..samples.jobs import load_job
from .base import View
from .seat_replies import JOB, PLAN_LOST, PROMPT, STILL_SEEN, WITH_LIST, draw_table, replies

GIVEN = 3  # steps that the window shows as done; they are filled in for the reader
SHORT = 3  # lines: text up to this length is shown in full
SIGNS = {"old_text": "− ", "new_text": "+ ", "content": ""}  # of the lines that a call writes


class ListNag(Nag):
    """A reminder that contains the list."""

    def reminder(self) -> str:
        return f"<reminder>{REMINDER} Your list:\n{self.todo.render()}</reminder>"


# The requests: the settings of the Trial that sends each, and its round.
REQUESTS: dict[str, tuple[dict[str, Any], int]] = {
    PLAN_LOST: ({"after": 6}, 8),
    WITH_LIST: ({"after": 6, "nag": ListNag}, 8),
}


class Seat(View):
    """The model's seat in one request, in which its plan has left the window."""

    kind = "seat"
    answer = traitlets.Unicode().tag(sync=True)
    compared = traitlets.Bool(False).tag(sync=True)
    presented = traitlets.Bool(False).tag(sync=True)
    with_list = traitlets.Bool(False).tag(sync=True)  # the replies to a reminder with the list
    claude = traitlets.Bool(False).tag(sync=True)  # whether Claude's replies are compared as well
    read = traitlets.Int(0).tag(sync=True)  # the reply that is shown in full
    marks = traitlets.Dict().tag(sync=True)  # the reader's own verdict on their list, by step

    def __init__(self) -> None:
        """Play the run of the request."""
        super().__init__()
        self.trial, self.number = play_request(PLAN_LOST)
        self._sent = self.trial.model.requests[self.number - 1]
        self.state = self._state()

    @property
    def request(self) -> dict[str, Any]:
        """Return the request that was sent, without the messages that the model does not see."""
        messages = self._sent["messages"]
        return self._sent | {"messages": [messages[0], *messages[-WINDOW:]]}

    def ask(self, model: Connection) -> "Seat":
        """Send the request once to a real model, `connect("its name")`, and show its reply too."""
        reply = model.client.messages.create(**{**self.request, **model.settings})
        message = {"role": "assistant", "content": reply.to_dict(mode="json")["content"]}
        replies = [read_reply(round_of([message], self.number))]
        own = {"name": model.settings["model"], "short": "Your model", "replies": replies}
        own["with_list"] = False
        self.state = self.state | {"columns": [*self.state["columns"], own]}
        return self

    def _state(self) -> dict[str, Any]:
        prompt, *messages = self.request["messages"]
        seen = self.trial.rounds[self.number - 1 - len(messages) // 2 : self.number - 1]
        words = [text_of(block) for block in blocks_of(prompt)]
        drawn = [part for turn in seen for part in draw_round(turn)]
        return {
            "lede": f"An agent is working in ten steps. It is round {self.number}, and this is all "
            f"that the model sees: the prompt and the last {len(messages)} messages. Now the "
            f"harness says *▼\u00a0{REMINDER.rstrip('.')}*. What do you write?",
            "round": self.number,
            "cells": summarize(Setting(), self.trial).cells[: self.number - 1],
            "prompt": words,
            "removed": len(self._sent["messages"]) - len(messages) - 1,
            "messages": drawn,
            "lines": list(draw_lines(words[-1], drawn)),
            "reminder": REMINDER,
            "system": text_of(blocks_of({"content": self._sent["system"]})[0]),
            "tools": [tool["name"] for tool in self._sent["tools"]],
            "given": [step.text for step in load_job(JOB).steps[:GIVEN]],
            "columns": [column for name in REQUESTS for column in draw_columns(name)],
            "table": draw_table(),
        }

    def text(self) -> str:
        """Return what the reader is asked and the messages of the request, without an answer."""
        asked = f"Take the model's seat. {self.state['lede'].replace('*', '')}"
        lines = [asked, "", f"user: {self.state['prompt'][-1]}"]
        for message in self.request["messages"][1:]:
            words = " ".join(filter(None, describe_message(message)))
            lines.append(f"{message['role']}: {words}")
        return "\n".join(lines)


@cache
def play_request(name: str) -> tuple[Trial, int]:
    """Play the run of a request. Return it with the number of the request's round."""
    settings, number = REQUESTS[name]
    return play(JOB, **settings), number


def draw_columns(name: str) -> Iterator[dict[str, Any]]:
    """Yield the replies of each model; the practice model's with the end of the real run."""
    trial, number = play_request(name)
    says = count_claims(trial.items)
    end = f"In the end the files show {trial.steps_done} of {len(trial.done)} steps"
    end += f", its list says {says}." if says else "."
    script = [read_reply(trial.rounds[number - 1]) | {"end": end}]
    shared = {"with_list": name == WITH_LIST}
    yield shared | {"name": "Practice model (a script)", "short": "Script", "replies": script}
    yield shared | {"name": "Claude", "replies": replies(name)}


def draw_round(turn: Round) -> Iterator[dict[str, Any]]:
    """Yield the two messages of a round: what the model says and calls, and the result."""
    (call,) = turn.calls
    written = [
        (sign, call.input[name].rstrip("\n").split("\n"))
        for name, sign in SIGNS.items()
        if name in call.input
    ]
    yield {
        "round": turn.number,
        "who": "model",
        "text": turn.text,
        "call": [call.name, call.input.get("path") or call.input["command"]],
        "heads": [head for sign, lines in written for head in list_heads(lines, sign)],
        "full": "\n".join(f"{sign}{line}" for sign, lines in written for line in lines),
        "note": "",
    }
    output = call.output.rstrip("\n")
    yield {
        "round": 0,
        "who": "result",
        "text": "",
        "call": [],
        "heads": list_heads(output.split("\n")),
        "full": output,
        "note": "".join(REMINDERS.findall(turn.reminder or "")),
    }


def draw_lines(prompt: str, messages: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the window in short: the prompt, what the model says, and a result that shows a step.

    A line has its place, its text, and the words in it that show a step.
    """

    def line(place: str, text: str) -> dict[str, Any]:
        shown = {words for where, words in STILL_SEEN.values() if where == place}
        return {"place": place, "text": text, "words": sorted(shown)}

    yield line(PROMPT, prompt)
    for said, result in zip(messages[::2], messages[1::2], strict=True):
        yield line(f"round {said['round']}", said["text"])
        for head in result["heads"]:
            found = line(f"the result of round {said['round']}", head)
            if any(words in head for words in found["words"]):
                yield found


def list_heads(lines: Sequence[str], sign: str = "") -> list[str]:
    """Return the lines of a file that are not indented, with "…" if indented ones follow.

    Of a part of a file, with its `sign` in an edit, return the first line.
    """
    if sign:
        return [f"{sign}{lines[0].strip()} …"]
    if len(lines) <= SHORT:
        return list(lines)
    heads: list[str] = []
    for line in lines:
        if line and (not heads or not line[0].isspace()):
            heads.append(line)
        elif line and not heads[-1].endswith(" …"):
            heads[-1] += " …"
    return heads


def read_reply(turn: Round) -> dict[str, Any]:
    """Read a reply: what it says, the items of its list, and its other calls."""
    items = [item for call in turn.calls if call.name == "todo" for item in read_items(call.input)]
    others = [call for call in turn.calls if call.name != "todo"]
    return {
        "opening": turn.text,
        "list": [[str(item.get("text")), str(item.get("status"))] for item in items],
        "does": ", ".join(f"{call.name} {call.input.get('path', '')}".strip() for call in others),
    }
