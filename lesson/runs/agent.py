"""Assemble an agent: a loop, and all that it is called with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentlib.prompts import first_message, system_prompt
from agentlib.tools import Tool
from agentlib.workspace import Workspace

from ..real_model.connection import Connection
from .adapters import ReadFile, call_loop, list_tool, list_tools, make_list, uses_remind
from .watch import WatchedClient

NO_REMIND = "This loop does not use `remind`, so it runs without the nag."
ONE_NAG = (
    "nag= got one nag. Give its class, as in nag=MyNag: each run makes a new one, because its "
    "count would go on."
)


@dataclass(frozen=True)
class Agent:
    """A loop with its client, messages, tools and settings, its list and its nag.

    `todo` and `nag` are None without one. `remind` is the nag as the loop calls it, or None, and
    `note` a sentence about what was left out, or "".
    """

    loop: Callable[..., Any]
    client: WatchedClient
    messages: list[dict[str, Any]]
    tools: list[Tool]
    settings: dict[str, Any]
    todo: Any
    nag: Any
    note: str = ""

    @property
    def remind(self) -> Callable[..., Any] | None:
        return None if self.nag is None else self.client.note(self.nag)

    def run(self) -> None:
        """Run the loop on the messages until the model stops."""
        call_loop(self.loop, self.client, self.messages, self.tools, self.remind, **self.settings)

    def last_text(self) -> str:
        """Return the text of the model's last reply."""
        return self.client.rounds[-1].text if self.client.rounds else ""

    def count_calls(self) -> int:
        """Return how many tools the model has called."""
        return sum(len(round_.calls) for round_ in self.client.rounds)


def assemble_agent(
    prompt: str,
    workspace: Workspace,
    connection: Connection,
    client: WatchedClient,
    *,
    loop: Callable[..., Any],
    todo: Any,
    nag: Callable[[Any, int], Any] | None,
    after: int | None,
    clock: Callable[[], float] | None = None,
    asks_user: bool = True,
    read_file: ReadFile | None = None,
) -> Agent:
    """Return an agent with these parts, which may be a learner's: what they raise passes through.

    `todo` is a list or its class, or None, and `nag` a class that gets the list and `after`. There
    is no nag without a list or `after`, or for a loop that does not use `remind`. A list that takes
    a `clock` gets this one, which by default counts rounds. `client` sends the requests of
    `connection`, which asks the user before each call if it `asks_user`. `read_file` is a learner's
    own, or None.
    """
    made = None
    if todo is not None:
        made = make_list(todo, clock or (lambda: len(client.requests)))
    if hasattr(nag, "rounds") and not isinstance(nag, type):
        raise TypeError(ONE_NAG)
    reminder, note = None, ""
    if made is not None and nag is not None and after is not None:
        reminder = nag(made, after)
        if not uses_remind(loop):
            reminder, note = None, NO_REMIND
    tools = list_tools(workspace, read_file)
    if made is not None:
        tools.append(list_tool(made))
    first = {"role": "user", "content": prompt} if made is None else first_message(prompt)
    return Agent(
        loop,
        client,
        [first],
        connection.guard(tools) if asks_user else tools,
        {"system": system_prompt(workspace.name, plan=made is not None), **connection.settings},
        made,
        reminder,
        note,
    )
