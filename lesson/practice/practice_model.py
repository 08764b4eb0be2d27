"""The practice model: a real SDK client whose server is in this process.

It needs no network and no key, and costs nothing. `api` checks each request, a policy decides what
to reply, and everything between the client and the API is the SDK's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableSequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from safetylib.guard.approval import request_number

from ..common.message_blocks import find_prompt
from ..samples.find_job import find_job, part_prompts
from .policy import Policy
from .policy.next_reply import practice_policy

if TYPE_CHECKING:
    import anthropic
    import httpx2

HOST = "practice.invalid"  # The domain .invalid never exists (RFC 6761).
# A run that sends its history back has lost no reply, and one with a window loses the older ones.
# After so many it stops, as a run that sends everything does after 200 messages.
MAX_LOST_REPLIES = 100

NO_FUNCTION = (
    "PracticeModel takes a function, which it calls with each request, as in PracticeModel("
    "my_model). It got a value of the type {}: do not call the function yourself."
)
# The first block of each reply of the newest models. The API signs it.
THOUGHT = {"type": "thinking", "thinking": ""}

# The calls that the practice models of this process have made, as hashes of `describe_call`, each
# with the number of the newest request that a real model had got by then.
calls_made: dict[int, int] = {}


def has_called(tool: str, tool_input: Mapping[str, Any]) -> bool:
    """Return whether a practice model has made this call: it needs no approval.

    A call before the newest request to a real model does not count, because that model may make
    the same call.
    """
    return calls_made.get(hash(describe_call(tool, tool_input))) == request_number()


def describe_call(tool: str, tool_input: Any) -> str:
    """Return a call as JSON. A value that JSON cannot contain is not from a practice model."""
    return json.dumps([tool, tool_input], sort_keys=True, default=id)


class PracticeModel:
    """A scripted model: a program that replies in place of a language model.

    `policy` is any function from a request's JSON to the content blocks of the reply, without ids;
    by default it is `practice_policy`. `context_window` is the longest prompt that is accepted, in
    tokens; by default CONTEXT_WINDOW of `api.server`. With `thinks`, each reply begins with
    thinking, which is bound to all that was before it: see `api.thinking`. `.requests` contains the
    body of every request, in order, including those that were rejected.

    The same request always gets the same reply, with one exception: a run that goes in circles,
    because its requests lack `max_lost_replies` of the replies before, gets a last reply that says
    so.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        context_window: int | None = None,
        max_lost_replies: int = MAX_LOST_REPLIES,
        thinks: bool = False,
    ) -> None:
        if not (policy is None or callable(policy)):
            raise TypeError(NO_FUNCTION.format(type(policy).__name__))
        self.policy: Policy = practice_policy if policy is None else policy
        self.context_window = context_window
        self.max_lost_replies = max_lost_replies
        self.thinks = thinks
        self.requests: MutableSequence[dict[str, Any]] = []
        self._replies, self._is_over = 0, False  # of this run: how many, and whether it has ended

    def client(self) -> anthropic.Anthropic:
        """Return the SDK's client, connected to this model: always the same one."""
        return self._client

    def respond(self, http: httpx2.Request) -> httpx2.Response:
        """Return the response to a request, as the server of the Messages API would."""
        from .api import server

        return server.respond(http, self._decide, self.requests, self.context_window)

    @cached_property
    def _client(self) -> anthropic.Anthropic:
        # Imported here because it takes most of a second, and many notebooks call no model.
        import anthropic
        import httpx2

        return anthropic.Anthropic(
            api_key="practice-key-opens-nothing",
            base_url=f"http://{HOST}",
            max_retries=0,
            # With its own default, the SDK refuses a max_tokens that could take ten minutes.
            timeout=60,
            http_client=httpx2.Client(
                transport=httpx2.MockTransport(self.respond), trust_env=False
            ),
        )

    def _decide(self, request: dict[str, Any]) -> Any:
        """Return the reply to a request, and note its calls, and whether it ends the run."""
        reply = self._reply(request)
        blocks = reply["content"] if isinstance(reply, dict) else reply
        calls = [block for block in blocks if block["type"] == "tool_use"]
        calls_made.update(
            (hash(describe_call(call["name"], call["input"])), request_number()) for call in calls
        )
        self._is_over = not calls
        if not self.thinks:
            return reply
        blocks = [THOUGHT, *blocks]
        return reply | {"content": blocks} if isinstance(reply, dict) else blocks

    def _reply(self, request: dict[str, Any]) -> Any:
        """Return the policy's reply, or the last one of a run that has lost MAX_LOST_REPLIES.

        A loop that forgets its messages has no end otherwise: from what is left, a policy that
        decides from the request alone begins again and again.
        """
        returned = sum(message["role"] == "assistant" for message in request["messages"])
        prompt = find_prompt(part_prompts(request["messages"][-1:])[-1])
        if self._is_over and (not prompt or find_job(prompt)):  # a new run begins, or goes on
            self._replies = returned
        lost = self._replies - returned
        self._replies += 1
        if lost < self.max_lost_replies:
            return ask_policy(self.policy, request)
        text = (
            f"I have replied {self._replies - 1} times since the prompt, and this request contains "
            f"{returned} of my replies. Without the others I may begin again and again, so I stop "
            "here. Send all messages, or show me my list."
        )
        return [{"type": "text", "text": text}]


def ask_policy(policy: Policy, request: dict[str, Any]) -> Any:
    """Return the policy's reply. Raise ApiError, a 500, if the policy fails or returns no reply."""
    from .api.errors import ApiError
    from .api.reply import check_blocks, policy_failed

    try:
        reply = policy(request)
    except ApiError:
        raise
    except Exception as error:
        raise policy_failed(error, policy) from error
    check_blocks(reply, policy)
    return reply
