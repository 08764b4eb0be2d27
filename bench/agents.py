"""The agents in the benchmark, each written as its documentation recommends.

An agent is a function that prepares everything once, and returns a function that plays one run.
Imports are inside the functions, because each agent is measured in a separate process.
"""

import gc
import os
from collections.abc import Callable
from functools import cache
from time import process_time
from typing import Any

from . import script
from .script import MODEL, PROMPT, SYSTEM, Server, is_finished, new_project

Play = Callable[[], object]
Agent = Callable[[Server], Play]
MAX_TOKENS = 1000


def connect(server: Server) -> Any:
    """Return the SDK's client, connected to a server in this process."""
    import anthropic

    return anthropic.Anthropic(api_key="none", http_client=server.http())


def plain_tools() -> tuple[list[dict[str, Any]], dict[str, Callable[..., str]]]:
    """Return the tools for a bare loop: the definitions, and the functions by name."""
    functions = {function.__name__: function for function in (*script.FILE_TOOLS, script.todo)}
    schemas = {
        "read_file": {"path": {"type": "string"}},
        "write_file": {"path": {"type": "string"}, "content": {"type": "string"}},
        "edit_file": {name: {"type": "string"} for name in ("path", "old_text", "new_text")},
        "todo": {"items": {"type": "array", "items": {"type": "object"}}},
    }
    specs = [
        {
            "name": name,
            "description": (functions[name].__doc__ or "").splitlines()[0],
            "input_schema": {"type": "object", "properties": fields, "required": list(fields)},
        }
        for name, fields in schemas.items()
    ]
    return specs, functions


def bare_loop(server: Server, as_dicts: bool = False) -> Play:
    """Prepare the shortest possible loop: no safety, no validated list, no reminder."""
    client = connect(server)
    tools, functions = plain_tools()

    def play() -> None:
        messages: list[Any] = [{"role": "user", "content": PROMPT}]
        while True:
            reply = client.messages.create(
                model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=tools, messages=messages
            )
            content = reply.content
            if as_dicts:
                content = [block.to_dict() for block in content]
            messages.append({"role": "assistant", "content": content})
            results = [
                {
                    "type": "tool_result",
                    "tool_use_id": block.id,
                    "content": functions[block.name](**block.input),
                }
                for block in reply.content
                if block.type == "tool_use"
            ]
            if not results:
                return
            messages.append({"role": "user", "content": results})

    return play


def bare_loop_with_dicts(server: Server) -> Play:
    """Prepare the same loop with the model's turns as plain dicts."""
    return bare_loop(server, as_dicts=True)


def our_loop(server: Server) -> Play:
    """Prepare the lesson's agent: validated list, reminder, file tools for one folder only."""
    return play_our_loop(connect(server))


def play_our_loop(client: Any) -> Play:
    """Prepare the lesson's agent with any client."""
    from agentlib import Nag, TodoManager, Workspace, run

    def play() -> None:
        workspace, todo = Workspace(os.getcwd()), TodoManager()
        messages = [{"role": "user", "content": PROMPT}]
        tools = [*workspace.tools()[1:], todo.tool()]
        settings = {"model": MODEL, "max_tokens": MAX_TOKENS, "system": SYSTEM}
        run(client, messages, tools, remind=Nag(todo), **settings)

    return play


def sdk_runner(server: Server) -> Play:
    """Prepare the SDK's tool runner, set to send the whole history like the others."""
    from anthropic import beta_tool

    client = connect(server)
    tools = [beta_tool(function) for function in (*script.FILE_TOOLS, script.todo)]

    def play() -> None:
        client.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=MAX_TOKENS,
            system=SYSTEM,
            tools=tools,
            messages=[{"role": "user", "content": PROMPT}],
            thread=False,
        ).until_done()

    return play


def smolagents(server: Server) -> Play:
    """Prepare smolagents' ToolCallingAgent with a short model class for Anthropic's SDK.

    smolagents has none. Its model for OpenAI takes ten times as long, almost all in OpenAI's SDK.
    """
    from smolagents import ChatMessage, LogLevel, Model, ToolCallingAgent, tool

    client = connect(server)
    server.dialect = script.smolagents_reply

    class Claude(Model):
        def generate(self, messages: Any, stop_sequences: Any = None, **more: Any) -> ChatMessage:
            asked = self._prepare_completion_kwargs(messages, **more)
            reply = client.messages.create(
                model=MODEL,
                max_tokens=MAX_TOKENS,
                messages=[
                    {"role": turn["role"], "content": turn["content"]}
                    for turn in asked["messages"]
                    if turn["role"] != "system"
                ],
                system=SYSTEM,
                tools=[
                    {
                        "name": each["function"]["name"],
                        "description": each["function"]["description"],
                        "input_schema": each["function"]["parameters"],
                    }
                    for each in asked["tools"]
                ],
            )
            text = "".join(block.text for block in reply.content if block.type == "text")
            calls = [
                {
                    "id": block.id,
                    "type": "function",
                    "function": {"name": block.name, "arguments": block.input},
                }
                for block in reply.content
                if block.type == "tool_use"
            ]
            return ChatMessage.from_dict(
                {"role": "assistant", "content": text, "tool_calls": calls}
            )

    model = Claude()
    tools = [tool(function) for function in (*script.FILE_TOOLS, script.todo)]

    def play() -> None:
        agent = ToolCallingAgent(tools, model, max_steps=10_000, verbosity_level=LogLevel.OFF)
        agent.run(PROMPT)

    return play


def pydantic_ai(server: Server) -> Play:
    """Prepare pydantic-ai's Agent with its model for Anthropic."""
    from anthropic import AsyncAnthropic
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(api_key="none", http_client=server.async_http())
    model = AnthropicModel(MODEL, provider=AnthropicProvider(anthropic_client=client))
    tools = [*script.FILE_TOOLS, script.todo]
    settings = {"max_tokens": MAX_TOKENS}
    agent = Agent(model, instructions=SYSTEM, tools=tools, model_settings=settings)

    def play() -> None:
        agent.run_sync(PROMPT, usage_limits=UsageLimits(request_limit=None))

    return play


def langchain(server: Server) -> Play:
    """Prepare LangChain's agent with its todo list and its model for Anthropic."""
    from langchain.agents import create_agent
    from langchain.agents.middleware import TodoListMiddleware
    from langchain_anthropic import ChatAnthropic

    server.dialect = script.langchain_reply
    model = ChatAnthropic(model=MODEL, max_tokens=MAX_TOKENS, api_key="none")
    model.__dict__["_client"] = connect(server)  # no argument for a client: replace the cached one
    agent = create_agent(
        model, list(script.FILE_TOOLS), system_prompt=SYSTEM, middleware=[TodoListMiddleware()]
    )

    def play() -> None:
        messages = {"messages": [{"role": "user", "content": PROMPT}]}
        agent.invoke(messages, config={"recursion_limit": 100_000})

    return play


AGENTS: dict[str, Agent] = {
    agent.__name__: agent
    for agent in (
        bare_loop,
        bare_loop_with_dicts,
        our_loop,
        sdk_runner,
        smolagents,
        pydantic_ai,
        langchain,
    )
}


@cache
def prepare(name: str) -> tuple[Server, Play]:
    """Return the server and the agent of this name. Both are cached for this process."""
    server = Server()
    return server, AGENTS[name](server)


def cpu_ms_per_round(name: str, rounds: int, runs: int) -> float:
    """Return an agent's milliseconds of CPU per round, for `runs` runs of `rounds` rounds.

    Include all threads of the process. The garbage collector is on, and runs once before the
    measurement.
    """
    server, play = prepare(name)
    gc.collect()
    seconds = 0.0
    for _ in range(runs):
        with new_project() as notes:
            server.expect(rounds)
            start = process_time()
            play()
            seconds += process_time() - start
            if server.answered != rounds or not is_finished(notes, rounds):
                raise RuntimeError(f"{name} did not play the whole run of {rounds} rounds")
    return seconds / (runs * rounds) * 1000
