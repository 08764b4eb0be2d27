"""Start an agent of a Python framework: langchain or pydantic_ai, with or without its list.

Usage: python in_python.py NAME on|off MODEL PROMPT WHAT-THE-TOOL-RETURNS
"""

import sys

name, switch, model, prompt, quiet = sys.argv[1:]


def say_quiet(number: int) -> str:
    """Say that all is quiet."""
    return f"{quiet} {number}"


if name == "langchain":
    from langchain.agents import create_agent
    from langchain.agents.middleware import TodoListMiddleware
    from langchain_openai import ChatOpenAI

    middleware = [TodoListMiddleware()] if switch == "on" else []
    agent = create_agent(ChatOpenAI(model=model), tools=[say_quiet], middleware=middleware)
    messages = [{"role": "user", "content": prompt}]
    print(agent.invoke({"messages": messages}, {"recursion_limit": 200})["messages"][-1].content)
else:
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai_harness import Planning

    capabilities = [Planning()] if switch == "on" else []
    agent = Agent(OpenAIChatModel(model), tools=[say_quiet], capabilities=capabilities)
    print(agent.run_sync(prompt, usage_limits=UsageLimits(request_limit=None)).output)
