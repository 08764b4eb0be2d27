"""The client of the loop: it shortens, counts, shows and saves what goes to the server."""

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from safetylib.guard.hide_keys import hide_keys_in
from safetylib.guard.typed import MEANWHILE, take_lines
from safetylib.wire.client import CheckedClient
from safetylib.wire.ends import EARLY_ENDS, RunEndedError, read_end
from safetylib.wire.last_reply import describe_end
from safetylib.wire.refusals import is_too_long
from safetylib.wire.reminders import PROGRAM_SAYS
from safetylib.wire.replies import (
    calls_of,
    find_half,
    make_history_sendable,
    plain_blocks,
    shown_text,
)
from safetylib.wire.server.connect import ConnectError, ReplyDisplay, open_client
from safetylib.wire.server.limits import LimitReachedError, Limits
from safetylib.wire.server.server_errors import explain_server_error

from ..prompts import first_message
from ..window import keep_last, read_blocks, replace_messages
from . import screen
from .changes import MOST_NAMES
from .notes import Notes, to_json
from .project import Project

if TYPE_CHECKING:
    from anthropic import Anthropic

STOPPED = "Stopped. The files are as the agent left them."
DECLINED = (
    "the previous prompt was declined, so it was left out with all that followed. For it, this was "
    "run: {}"
)
OPEN = "open tasks of an earlier prompt are in your list ({}): keep only what this one asks for."
NOT_SET = (
    "Set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL, for a server of your own), and a model's name "
    "in MODEL_ID: see __main__.py."
)


class Model(CheckedClient):
    """The client of any loop: it records each request, and records and shows its reply."""

    def __init__(
        self,
        client: Any,
        project: Project,
        notes: Notes,
        window: int | None,
        limits: Limits,
        trim_messages: Callable[[list[Any]], Any],
    ) -> None:
        super().__init__(client, say=screen.say)
        self.project, self.notes = project, notes
        self.window, self.trim_messages = window, trim_messages
        self.limits = limits  # of requests and tokens, for each prompt
        self.kept: list[Any] = []  # the conversation before the last prompt
        self.has_declined, self.last_words = False, ""  # in its last reply

    def begin(
        self, prompt: str, messages: list[Any], has_list: bool = False, left: int = 0
    ) -> None:
        """Add a prompt to the conversation, and count its requests, tokens and failures anew.

        With a list, the first prompt reminds the model to plan. `left` is the number of open tasks:
        a later prompt says it. If the model declined the prompt before, the API would decline each
        request with it, so all messages since that prompt are left out, and the model is told what
        has run and changed.
        """
        prompt, notes, history = to_json(prompt), [], messages
        if self.has_declined:
            notes.append(DECLINED.format(self.project.describe_work(MOST_NAMES)))
            history = self.kept
        if left:
            notes.append(OPEN.format(left))
        # Ctrl-C may have left calls without a result.
        messages[:] = to_json(make_history_sendable(history))
        self.kept = [*messages]
        self.project.begin(is_retry=self.has_declined)
        self.has_declined, self.last_words = False, ""
        message: dict[str, Any] = {"role": "user", "content": prompt}
        if has_list and not messages:
            message = first_message(prompt)
        if notes:
            words = to_json(PROGRAM_SAYS + " ".join(notes))
            screen.say(f"(to the model) {words}", screen.PROGRAM)
            block = {"type": "text", "text": f"{words}\n\n"}
            message["content"] = [block, *read_blocks(message)]
        messages.append(message)
        self.notes.add("prompt", text=prompt)
        self.limits.renew()
        self.before = self.limits.requests_sent, self.limits.tokens_used

    @property
    def has_asked(self) -> bool:
        """Return whether a request was sent for this prompt."""
        return self.limits.requests_sent > self.before[0]

    def create(self, **request: Any) -> Any:
        """Return a reply that any loop can run. If there is none, end the run and say why."""
        try:
            reply = super().create(**request)
        except RunEndedError as problem:
            self.fail(f"{problem} {STOPPED}")
        self.has_declined = reply.stop_reason == "refusal"
        if calls_of(reply):
            return reply
        why = describe_end(
            shown_text(plain_blocks(reply)),
            reply.stop_reason,
            [tool["name"] for tool in request.get("tools", ())],
            has_calls=False,
            has_called="'tool_use'" in str(request["messages"]),
            before=self.last_words,
            details=getattr(reply, "stop_details", None),
        )
        if not read_end(reply.stop_reason).is_complete:
            self.fail(f"{why} {STOPPED}")
        if why:
            screen.say(why)
        return reply

    def send(self, times_before: int = 0, **request: Any) -> Any:
        """Send the conversation, and again after it was trimmed. Show the reply."""
        import anthropic

        messages: list[Any] = request.pop("messages")
        messages[:] = to_json(messages)
        self.add_typed(messages)
        self.notes.add_sent(messages, request)
        sent = keep_last(make_history_sendable(messages), self.window)
        host = getattr(getattr(self._client, "base_url", None), "host", "the server")
        try:
            with screen.waiting(host):
                reply = self.send_repaired(messages=sent, **request)
        except LimitReachedError:
            requests = self.limits.requests_sent - self.before[0]
            tokens = self.limits.tokens_used - self.before[1]
            sent_requests = "1 request" if requests == 1 else f"{requests} requests"
            used = f"{sent_requests} and {tokens:,} tokens"
            self.fail(f"The limit of a prompt is reached: {used}. {STOPPED}")
        except anthropic.APIError as problem:
            error = f"{explain_server_error(problem, request['model'], host)} {STOPPED}"
            if not is_too_long(problem):
                self.fail(error)
            before = len(messages)
            if not replace_messages(messages, self.trim_messages(to_json(messages)), times_before):
                error = (
                    f"The conversation is too long, and `trim_messages` left nothing out. {error}"
                )
                self.fail(error)
            left_out = f"{before - len(messages)} messages were left out"
            screen.say(f"The conversation was too long, so {left_out}.")
            return self.send(times_before + 1, messages=messages, **request)
        return self.show(reply, request)

    def fail(self, error: str) -> NoReturn:
        """End the run with an error, and write it to the file of --save."""
        self.notes.add("failed", error=error)
        sys.exit(screen.plain(error))

    def add_typed(self, messages: list[Any]) -> None:
        """Add what the user has typed meanwhile to the last tool result, after any reminder."""
        keyboard = self.project.keyboard
        keyboard.keep(take_lines())
        blocks = messages[-1]["content"]
        last = blocks[-1] if isinstance(blocks, list) and blocks else {}
        is_text = isinstance(last, dict) and isinstance(last.get("content"), str)
        if keyboard.lines and is_text and last.get("type") == "tool_result":
            words = hide_keys_in(keyboard.take())
            last["content"] += f"{MEANWHILE}{words}"
            self.notes.add("typed", text=words)
            screen.say(f"(to the model) {words}", screen.USER)

    def show(self, reply: Any, request: Mapping[str, Any]) -> Any:
        """Save a reply. Show its words, and which of its calls will not run."""
        self.notes.add_reply(reply, "model", left_out=self.thinking_left_out)
        words = shown_text(plain_blocks(reply))
        if words or calls_of(reply):  # before an empty last reply, the model may have answered
            self.last_words = words
        if words:
            screen.say(words, screen.MODEL)
        names = [tool["name"] for tool in request.get("tools", ())]
        half = find_half(reply, request["max_tokens"])
        for call in calls_of(reply):
            if call is half:
                end = reply.stop_reason
                screen.say(f"(not done) The reply was cut off ({end!a:.60}): the model is told.")
            elif call.name not in names:
                name = screen.one_line(call.name)
                screen.say(f"(not done) The model called {name:.60}, which is not a tool.")
        return reply


def say_attempt(text: str) -> None:
    """Print the connection's messages, except how a reply ended, which `Model` prints."""
    if text not in EARLY_ENDS.values():
        screen.say(text)


def connect(model: str | None, limits: Limits, client: Any = None) -> "Anthropic":
    """Return a client with these limits: `client`, or one for the server of the environment."""
    if client:
        limited: Anthropic = client.with_middleware(limits.middleware)
        return limited
    names = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")
    if not (model and any(os.environ.get(name, "").strip() for name in names)):
        sys.exit(NOT_SET)
    try:
        with screen.waiting("the server, to look up the model"):
            return open_client(model, os.environ, limits, say_attempt, ReplyDisplay())
    except ConnectError as problem:
        sys.exit(screen.plain(problem))
    except KeyboardInterrupt:
        sys.exit("Stopped. Only a request to look up the model was sent.")
