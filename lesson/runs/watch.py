"""Watch a loop at its client: what any loop has done is in the messages that it sends."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from agentlib.window import is_reply, keep_last
from safetylib.wire.client import CheckedClient
from safetylib.wire.replies import make_history_sendable, replace_all_halves
from safetylib.wire.run_file import begins_with, share
from safetylib.wire.thinking import leave_out

from ..common.message_blocks import Message, read_messages
from ..common.round import Round
from .ended import check_count
from .from_messages import plain_messages, read_on, round_of, write_messages
from .run_lines import Lines
from .window import ids_of

NOTHING: tuple[str, list[Any]] = ("[]", [])


class WatchedClient(CheckedClient):
    """A CheckedClient that calls `on_round` with each Round of the loop that uses it.

    With a `window`, it sends the prompt and so many of the last messages. `trim_messages` is called
    with the loop's messages, an error, and how often it has trimmed for this request; it returns
    whether it has replaced the messages. With `is_own_model`, it ends a run of more than 60
    requests: see `ended`.

    A round has ended when the next request is sent, or when its reply calls no tool. If the loop
    ends in another way, call `finish`. `requests` are all that were sent and answered, `rounds` all
    rounds that have ended, and `lines` are those of the run's file.
    """

    def __init__(
        self,
        client: Any,
        on_round: Callable[[Round], object],
        window: int | None = None,
        trim_messages: Callable[[list[Any], Exception, int], object] = lambda *_: False,
        is_own_model: bool = False,
    ) -> None:
        super().__init__(client)
        self.lines = Lines()
        self.requests: list[dict[str, Any]] = []
        self.rounds: list[Round] = []
        self._on_round = on_round
        self._window, self._trim_messages = window, trim_messages
        self._is_own_model = is_own_model
        self._reply: Any = None  # of the round that has not ended
        self.stop_details: Any = None  # of the newest reply
        self.error: Exception | None = None  # of the newest request, even if a loop has caught it
        self.reminder: str | None = None  # what the nag has returned in it
        self._copied: tuple[str, list[Any]] = NOTHING  # the conversation as JSON, and its copy
        self._sent: list[Any] = []  # the messages of the newest request,
        self.request: list[Message] = []  # and the same as `read_messages` reads them

    def note_reminders(self, nag: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same nag, and note what it returns.

        The messages do not say whose words a reminder is: a file can contain the same tags.
        """

        def remind(*calls: Any) -> Any:
            reminder = nag(*calls)
            self.reminder = reminder if isinstance(reminder, str) else None
            return reminder

        return remind

    def send(self, **request: Any) -> Any:
        """Report the round before, send the request and return the reply."""
        messages = request.get("messages") or []
        plain = self.finish(messages, request)  # a copy: a loop may change a message later
        self.lines.check_kept()
        if self._is_own_model:
            check_count(self.rounds, messages)
        for times_before in count():
            try:
                copied: Any = self._find_sent(plain)
                reply = self.send_repaired(**request | {"messages": copied})
                self.error = None
                break
            except Exception as problem:
                self.error = problem
                if not self._trim_messages(messages, problem, times_before):
                    raise
            plain = self.finish(messages, request)
        copied = leave_out(copied, self.thinking_left_out)
        with suppress(ValueError):
            copied = share(copied, self._sent)
        kept = len(self._sent) if begins_with(copied, self._sent) else 0
        copied = [*copied[:kept], *replace_all_halves(copied[kept:])]  # as it was sent
        self.requests.append(request | {"messages": copied})
        self.request = [*self.request[:kept], *read_messages(copied[kept:])]
        self._sent = copied
        self.lines.add_reply(reply, left_out=self.thinking_left_out)
        self._reply, self.stop_details = reply, getattr(reply, "stop_details", None)
        if not any(block.type == "tool_use" for block in reply.content or ()):
            self._end_round(plain)
        return reply

    def _find_sent(self, messages: Any) -> Any:
        """Return what is sent of the messages of a conversation."""
        return keep_last(make_history_sendable(messages), self._window)

    def finish(self, messages: Sequence[Any], settings: Message | None = None) -> Any:
        """Report the round that has not ended, if there is one, and note what is sent next.

        `messages` are those up to now. Return a copy of them; themselves if JSON cannot contain
        them: the SDK rejects these.
        """
        plain = self._copy(messages)
        try:
            if self._reply is not None:
                self._end_round(plain or [])
        finally:
            if plain is not None:
                self._note_sent(plain, settings)
            if settings is None:
                self._copied = NOTHING  # the run has ended, and may be kept
        return messages if plain is None else plain

    def _copy(self, messages: Sequence[Any]) -> list[Any] | None:
        """Return a copy of messages, or None if JSON cannot contain them.

        What is as in the copy before is not copied again.
        """
        with suppress(TypeError, ValueError, RecursionError):
            text = write_messages([*messages])
            copied = share(read_on(text, *self._copied), self.lines.messages)
            self._copied = text, copied
            return copied
        return None

    def _note_sent(self, messages: list[Any], settings: Message | None) -> None:
        fields = {name: value for name, value in (settings or {}).items() if name != "messages"}
        self.lines.add_sent(messages, fields)

    def _end_round(self, messages: list[Any]) -> None:
        reply, self._reply = self._reply, None
        reminder, self.reminder = self.reminder, None
        round_ = round_of(find_turn(messages, reply), reply, len(self.rounds) + 1, reminder)
        self.rounds.append(round_)
        self._on_round(round_)


def find_turn(messages: list[Message], reply: Any) -> list[Message]:
    """Return the message of a reply and the messages after it; the reply alone if it is missing.

    A loop may forget to append its reply, or append something other than a message.
    """
    alone = {"role": "assistant", "content": reply.content or []}
    places = (place for place in range(len(messages) - 1, -1, -1) if is_reply(messages[place]))
    turn = messages[next(places, len(messages)) :]
    ids = ids_of(alone)
    return turn if turn and ids and ids_of(turn[0]) == ids else plain_messages([alone])
