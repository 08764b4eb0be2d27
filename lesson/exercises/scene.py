"""A scene: a conversation whose replies are written in advance, to try a learner's loop."""

import io
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from copy import deepcopy
from functools import cache
from itertools import groupby
from typing import Any, ClassVar

from agentlib.todo import TodoManager
from agentlib.workspace import Workspace

from ..at_the_stop import MAX_QUESTIONS
from ..message_blocks import blocks_of, describe_result, text_of
from ..practice.practice_model import PracticeModel
from ..real_model.server_errors import server_message
from ..samples import sample
from ..samples.jobs import load_job
from ..time_limit import Raised, exhaust, show

SETTINGS = {"model": "practice", "max_tokens": 8000}
MORE_REQUESTS = MAX_QUESTIONS + 2  # answered after the last reply; one more counts as endless
STOPS = ["Done."] * (MAX_QUESTIONS + 1)  # the replies of a model that never does more
MISSING = ("notes.txt is not written", "README.md is empty", "the tests fail")
SOME = {"path": "notes.txt", "content": "Some"}  # after this call, the first one is not missing
SAID = {"type": "text", "text": "I see."}
THOUGHT = {"type": "thinking", "thinking": "Two notes.", "signature": "c2lnbmVk"}
ASK_INSIDE = "The model was asked only once: call `client.messages.create(…)` inside `while`."
SHOWN_MESSAGES = 8  # of a longer history, the first ones and the last two are shown


class ApiSaidError(Exception):
    """The API rejected a request: its status and its message."""


class EndlessError(BaseException):
    """A loop does not stop. Not an Exception, which `call_tool` would catch."""


@cache
def warm_up() -> None:
    """Import what the first request needs, so that it does not count as a trial's time."""
    Scene("Hello.").ask_more()


def call(tool: str, **input: Any) -> dict[str, Any]:
    """Return a tool_use block as a model writes it; the API adds the id."""
    return {"type": "tool_use", "name": tool, "input": input}


def plan(*statuses: str) -> Callable[[Mapping[str, Any]], Any]:
    """Return a reply that writes a todo list, Step 1, Step 2, …, with the fields of the schema."""

    def reply(request: Mapping[str, Any]) -> Any:
        tools = request.get("tools", ())
        schemas = [one["input_schema"] for one in tools if one["name"] == "todo"]
        if not schemas or "items" not in schemas[0]["properties"]:
            return "I see no tool named todo that takes items."
        fields = schemas[0]["properties"]["items"].get("items", {}).get("properties", {})
        items = []
        for number, status in enumerate(statuses, 1):
            extra = {"id": str(number), "activeForm": f"Doing step {number}", "priority": "high"}
            extra = {name: value for name, value in extra.items() if name in fields}
            items.append({"text": f"Step {number}", "status": status} | extra)
        return [call("todo", items=items)]

    steps = ", ".join(f"Step {number} {status}" for number, status in enumerate(statuses, 1))
    reply.__doc__ = f"todo({steps})"
    return reply


class Scene:
    """A model's replies to the prompt of a `job`, in order; after the last one always "Done.".

    A reply is a string, a list of blocks, a dict with `content` and `stop_reason`, or a function
    from the request to one of these. `settings` go with every request. `messages` is the history,
    `requests` are the request bodies, and `problem` is the exception that ended the run. `given`
    are the names of the tools that the loop was given, and `before` are the messages that it was
    given: those of an `earlier` conversation, and the prompt.
    `Scene.played` are the scenes that were made since the list was cleared.
    """

    played: ClassVar[list["Scene"]] = []
    must_end = True  # if an exception has ended the run, the trial has failed

    def __init__(
        self, *replies: Any, job: str = "hello", earlier: Sequence[Any] = (), **settings: Any
    ) -> None:
        self.replies = replies
        self.settings = SETTINGS | settings
        self.answered = 0
        self.job = load_job(job)
        self.model = PracticeModel(self._reply)
        self.workspace = sample(job)
        self.messages: list[Any] = [*earlier, {"role": "user", "content": self.job.prompt}]
        self.before = deepcopy(self.messages)
        self.problem: BaseException | None = None
        self.given: list[str] = []
        self.prompts_more = False
        Scene.played.append(self)

    def play(self, agent: Callable[..., Any], tools: Any = None) -> "Scene":
        """Run `agent` as `perform` does. Keep what it raises in `problem`, and raise nothing."""
        with suppress(Exception, EndlessError):
            self.perform(agent, tools)
        return self

    def perform(self, agent: Callable[..., Any], tools: Any = None) -> "Scene":
        """Run `agent(client, messages, tools or workspace, **settings)` to its end. Return self.

        Raise what the agent raises, and an ApiSaidError for a request that the API rejects.
        """
        import anthropic

        place = self.workspace if tools is None else tools
        self.given = [tool.name for tool in tools or ()]
        try:
            made = agent(self.model.client(), self.messages, place, **self.settings)
            if tools is not None and hasattr(made, "__next__"):  # an agent may also yield
                raise TypeError("a call of a function with `yield` does nothing: remove `yield`")
            exhaust(made)
        except (Exception, EndlessError) as error:
            self.problem = error
            if self.answered > len(self.replies) + MORE_REQUESTS:
                self.problem = EndlessError(f"{self.answered} requests: this loop does not stop")
            elif isinstance(error, anthropic.APIStatusError):
                said = server_message(error.response)
                self.problem = ApiSaidError(f"{error.status_code}: {said}")
            raise self.problem.with_traceback(error.__traceback__) from None
        return self

    def ask_more(self, **more: Any) -> str:
        """Send the history with one more prompt. Return "accepted", or the API's error message.

        `more` are further fields of the request.
        """
        turn = {"role": "user", "content": "And now?"}
        self.prompts_more = True

        def send(client: Any, messages: list[Any], *_: Any, **__: Any) -> None:
            client.messages.create(messages=[*messages, turn], **SETTINGS, **more)

        try:
            self.perform(send)
        except ApiSaidError as error:
            return str(error)
        return "accepted"

    @property
    def outputs(self) -> list[str] | None:
        """Return what the tools returned, if that is known."""
        return None

    @property
    def has_empty_message(self) -> bool:
        """Return whether the run has appended a message without content."""
        return any(map(is_empty, self.messages[len(self.before) :]))

    @property
    def steps_done(self) -> int:
        return sum(self.job.find_done(self.workspace.root))

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Return the bodies of all requests, in order, including the rejected ones."""
        return self.model.requests

    @property
    def results(self) -> list[str]:
        """Return the result of each call, by its id, in the order of the calls.

        Errors begin with "is_error: ". A call without a result has "nothing".
        """
        blocks = [block for message in self.messages for block in blocks_of(message)]
        results = {b.get("tool_use_id"): b for b in blocks if b.get("type") == "tool_result"}
        return [
            describe_result(results.get(b.get("id"))) for b in blocks if b.get("type") == "tool_use"
        ]

    @property
    def answers(self) -> list[list[str]]:
        """Return the results that each message of the user contains, without the prompt."""
        return [
            [describe_result(block) for block in blocks if block["type"] == "tool_result"]
            for blocks in self._list_turns()
        ]

    @property
    def questions(self) -> list[str]:
        """Return the text of each message of the user after the prompt, without the results."""
        texts = [list(filter(None, map(text_of, blocks))) for blocks in self._list_turns()]
        return ["\n".join(one) for one in texts if one]

    def _list_turns(self) -> list[list[dict[str, Any]]]:
        """Return the blocks of each message of the user after the prompt."""
        messages = [one for one in self.messages[1:] if isinstance(one, Mapping)]
        return [blocks_of(one) for one in messages if one.get("role") == "user"]

    def tell(self, first: str) -> str:
        """Return what happened: `first`, a line for each message, and the exception if any."""
        lines = [f"{n}. {describe_message(m)}" for n, m in enumerate(self.messages, 1)]
        if len(lines) > SHOWN_MESSAGES:
            lines[SHOWN_MESSAGES - 3 : -2] = ["…"]
        if self.problem is not None:
            lines.append(show(Raised(self.problem)))
        return "\n".join([f"{first} Requests: {len(self.requests)}. The messages:", *lines])

    @property
    def script(self) -> str:
        """Return what is given, as a learner reads it: the settings and the model's replies."""
        more = {name: one for name, one in self.settings.items() if name not in SETTINGS}
        given = ", ".join(f"{k}={getattr(one, '__name__', repr(one))}" for k, one in more.items())
        lines = [f"With {given}, the model replies:" if given else "The model replies:"]
        number = 1
        for reply, same in groupby(map(describe_reply, self.replies)):
            count = len(list(same))
            times = f" ({count} times)" if count > 1 else ""
            lines.append(f"{number}. {reply}{times}")
            number += count
        after = ["Then the messages are sent with a next prompt."] if self.prompts_more else []
        return "\n".join((lines if self.replies else []) + after)

    def __repr__(self) -> str:
        done = f"{self.steps_done} of {len(self.job.steps)} steps are done."
        return self.tell(done * any(map(callable, self.replies)))  # others do not work on them

    def _reply(self, request: Mapping[str, Any]) -> Any:
        self.answered += 1
        if self.answered > len(self.replies) + MORE_REQUESTS:
            raise RuntimeError("too many requests")
        reply = self.replies[self.answered - 1] if self.answered <= len(self.replies) else "Done."
        reply = reply(request) if callable(reply) else reply
        return [{"type": "text", "text": reply}] if isinstance(reply, str) else reply


def send_definition(tool: Any) -> str:
    """Send a tool's definition to the API. Return "accepted", or its error message."""
    spec = tool.spec  # first: if it raises, no scene has been played
    return Scene().ask_more(tools=[spec])


class AskingRun(Scene):
    """A run of `ask_at_the_stop` with its `missing`. `printed` is its output.

    Its tools are the workspace's four and a todo list.
    """

    def __init__(
        self, ask: Callable[..., Any], *replies: Any, missing: Any, **settings: Any
    ) -> None:
        super().__init__(*replies, **settings)
        todo, printed = TodoManager(), io.StringIO()

        def agent(client: Any, messages: Any, tools: Any, **more: Any) -> Any:
            return ask(client, messages, tools, self.workspace, missing, **more)

        with redirect_stdout(printed):
            self.play(agent, [*self.workspace.tools(), todo.tool()])
        self.printed = printed.getvalue()

    @property
    def has_asked_enough(self) -> bool:
        """Return whether it asked MAX_QUESTIONS, and each has a reply."""
        has_all = len(self.questions) == MAX_QUESTIONS and self.messages[-1]["role"] == "assistant"
        return has_all and self.ask_more() == "accepted"

    def __repr__(self) -> str:
        shown = [textwrap.shorten(one, 120, placeholder=" …") for one in self.questions[:2]]
        more = f" and {len(self.questions) - 2} more" if len(self.questions) > 2 else ""
        return self.tell(f"Questions: {shown}{more}. Printed: {self.printed!r}.")


def needs_notes(workspace: Workspace) -> list[str]:
    """Return what is MISSING: all, then all but the first, then nothing, judging by notes.txt."""
    if not isinstance(workspace, Workspace):
        kind = type(workspace).__name__
        raise TypeError(f"missing(workspace) needs the workspace, and got a {kind}")
    notes = workspace.root / "notes.txt"
    if not notes.exists():
        return [*MISSING]
    return [*MISSING[1:]] if notes.read_text(encoding="utf-8") == SOME["content"] else []


def find_steps(text: str) -> str:
    """Return the numbers of the steps of a plan that a text names, or "" if it is an error."""
    return "".join(n for n in "123" if f"Step {n}" in text and not text.startswith("is_error: "))


def is_empty(message: Any) -> bool:
    """Return whether this is a message without content."""
    return isinstance(message, Mapping) and not message.get("content")


def describe_message(message: Any) -> str:
    """Return a message in one line: its role, the types of its blocks, and the results."""
    if not isinstance(message, Mapping):
        return f"a {type(message).__name__} object, which is not a message"
    parts = []
    for block in blocks_of(message):
        result = textwrap.shorten(describe_result(block), 60, placeholder=" …")
        is_result = block.get("type") == "tool_result"
        parts.append(f"tool_result {result!r}" if is_result else str(block.get("type")))
    said = ", ".join(parts) or show(message.get("content", "no content"))
    return f"{message.get('role', 'no role')}: {said}"


def describe_reply(reply: Any) -> str:
    """Return a scripted reply in one line: its text and calls, and why it was cut off."""
    if callable(reply):
        return reply.__doc__ if hasattr(reply, "__name__") else "as the practice model does"
    if isinstance(reply, str):
        return repr(reply)
    if isinstance(reply, Mapping):
        cut = " (cut off: max_tokens)" if reply["stop_reason"] == "max_tokens" else ""
        return describe_reply(reply["content"]) + cut
    return ", ".join(map(describe_block, reply)) or "nothing"


def describe_block(block: Mapping[str, Any]) -> str:
    """Return a block of a scripted reply: a call as `name(field=value)`, or its type."""
    if block["type"] != "tool_use":
        return f"{block['type']} {block.get(block['type'], '')!r}"
    fields = [f"{name}={value!r}" for name, value in block["input"].items()]
    return f"tool_use {block['name']}({', '.join(fields)})"
