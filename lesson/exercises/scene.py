"""A scene: a conversation in which the model's part is written down, to try a loop with."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..practice.model import PracticeModel
from ..practice.policy.tasks import load
from ..samples import sample

SETTINGS = {"model": "practice", "max_tokens": 8000}
MORE_REQUESTS = 4  # answered after the last reply, before a loop counts as endless
SHOWN_CHARACTERS = 60


class ApiSaidError(Exception):
    """The API has turned a request down: its status, and its own sentence."""


def warm_up() -> None:
    """Import what the first request needs, so that no trial's time is spent on it."""
    Scene("Hello.").ask_more()


def call(tool: str, **input: Any) -> dict[str, Any]:
    """A tool_use block as a model writes it; the API adds the id."""
    return {"type": "tool_use", "name": tool, "input": input}


class Scene:
    """What a model will say to the prompt of a `task`, reply by reply; then "Done.", always.

    A reply is a text, a list of blocks, a dict with `content` and `stop_reason`, or a function
    from the request to one of these. `messages` is the history, `requests` are the bodies that
    were sent, and `problem` is what `perform` raised.
    """

    def __init__(self, *replies: Any, task: str = "hello") -> None:
        self.replies = replies
        self.answered = 0
        self.task = load(task)
        self.model = PracticeModel(self._reply)
        self.workspace = sample(task)
        self.messages: list[Any] = [{"role": "user", "content": self.task.prompt}]
        self.problem: Exception | None = None

    def perform(self, agent: Callable[..., Any], tools: Any = None) -> "Scene":
        """Run `agent(client, messages, tools or workspace, **settings)` to its end. Returns self.

        Raises what the agent raises, and an ApiSaidError for a request that was refused.
        """
        import anthropic

        place = self.workspace if tools is None else tools
        try:
            exhaust(agent(self.model.client(), self.messages, place, **SETTINGS))
        except anthropic.APIStatusError as error:
            said = ApiSaidError(f"{error.status_code}: {sentence_of(error)}")
            self.problem = said
            raise said.with_traceback(error.__traceback__) from None
        except Exception as error:
            self.problem = error
            raise
        return self

    def ask_more(self, **more: Any) -> str:
        """Send the history with one more prompt behind it: "accepted", or what the API says.

        `more` are further fields of the request.
        """
        import anthropic

        turn = {"role": "user", "content": "And now?"}
        try:
            send = self.model.client().messages.create
            send(messages=[*self.messages, turn], **SETTINGS, **more)  # type: ignore[call-overload]  # plain dicts
        except anthropic.APIStatusError as error:
            return f"{error.status_code}: {sentence_of(error)}"
        return "accepted"

    @property
    def steps_done(self) -> int:
        """How many steps of the task are done, going by the files."""
        return sum(step.is_done(self.workspace.root) for step in self.task.steps)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies of all requests, in order, the refused ones too."""
        return self.model.requests

    @property
    def results(self) -> list[str]:
        """What went back for each call, by its id, in the order of the calls.

        Errors begin with "is_error: "; "nothing" stands for a call without a result.
        """
        blocks = [block for message in self.messages for block in blocks_of(message)]
        results = {b.get("tool_use_id"): b for b in blocks if b.get("type") == "tool_result"}
        return [tell(results.get(b.get("id"))) for b in blocks if b.get("type") == "tool_use"]

    @property
    def turns(self) -> str:
        """The history in a few words, a line for each message."""
        return "\n".join(f"{n}. {tell_message(m)}" for n, m in enumerate(self.messages, 1))

    def _reply(self, request: Mapping[str, Any]) -> Any:
        """The next reply. Raises where a loop asks again and again."""
        self.answered += 1
        if self.answered > len(self.replies) + MORE_REQUESTS:
            raise RuntimeError("asked again and again: this loop does not stop")
        if self.answered > len(self.replies):
            return text("Done.")
        reply = self.replies[self.answered - 1]
        reply = reply(request) if callable(reply) else reply
        return text(reply) if isinstance(reply, str) else reply


def text(words: str) -> list[dict[str, Any]]:
    """A reply of words alone."""
    return [{"type": "text", "text": words}]


def exhaust(came: Any) -> None:
    """Run a generator to its end; anything else has run already."""
    if hasattr(came, "__next__"):
        for _ in came:
            pass


def sentence_of(error: Any) -> str:
    """The API's own sentence in an error of the SDK."""
    body = error.body if isinstance(error.body, Mapping) else {}
    return str(body.get("error", {}).get("message", error))


def plain(block: Any) -> dict[str, Any]:
    """A block as a dict, whether the learner kept the SDK's object or made a dict of it."""
    if hasattr(block, "to_dict"):
        return block.to_dict()
    return dict(block) if isinstance(block, Mapping) else {"type": shorten(block)}


def blocks_of(message: Any) -> list[dict[str, Any]]:
    """The blocks of a message, of whichever form; none for what is not a message."""
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, str):
        return text(content)
    return [plain(block) for block in content] if isinstance(content, (list, tuple)) else []


def tell(result: Mapping[str, Any] | None) -> str:
    """The text of a tool_result; "is_error: " before one that is marked as such."""
    if result is None:
        return "nothing"
    words = "\n".join(block.get("text", "") for block in blocks_of(result))
    return f"is_error: {words}" if result.get("is_error") else words


def tell_message(message: Any) -> str:
    """A message in one line: who says it, and of what it is made."""
    if not isinstance(message, Mapping):
        return f"{shorten(message)}, which is not a message"
    parts = [str(block.get("type")) for block in blocks_of(message)]
    said = ", ".join(parts) or shorten(message.get("content", "no content"))
    return f"{message.get('role', 'no role')}: {said}"


def shorten(value: Any) -> str:
    """Any value in a few characters; `...` as it is written."""
    if value is ...:
        return "..."
    try:
        words = json.dumps(value)
    except (TypeError, ValueError):
        words = f"a {type(value).__name__}"
    return words if len(words) <= SHOWN_CHARACTERS else words[:SHOWN_CHARACTERS] + " …"
