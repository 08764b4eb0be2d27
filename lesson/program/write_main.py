"""The last section of my_agent.py: a `main` that says which of the learner's parts run."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from agentlib.nag import AFTER
from agentlib.todo import TodoManager

# The lists and the nags, the newest first; of a nag, whether it is made with the list.
LISTS = ("PriorityTodo", "TimedTodo", "MyTodo")
NAGS = {"PriorityNag": True, "MyReminder": True, "MyNag": False}
LOOPS = ("ask_at_the_stop", "agent_loop")
LINES = {
    "ask_at_the_stop": """\
    messages = [{"role": "user", "content": program.prompt}]
    CALL
""",
    "": """\
    messages = []
    for prompt in program.prompts():  # yours and, at each stop, what --check says
        messages.append({"role": "user", "content": prompt})
        CALL
""",
}


def choose_parts(made: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the names of the loop, the list and the nag that run, of the parts `made`; "" if none.

    The newest of each is chosen. A loop without `remind` is replaced if there is a nag.
    """
    loop = next((one for one in LOOPS if one in made), "")
    todo = next((one for one in LISTS if one in made), "")
    nag = next((one for one in NAGS if one in made), "")
    if loop == "agent_loop" and nag and not takes_remind(made[loop]):
        loop = ""
    return loop, todo, nag


def takes_remind(loop: Any) -> bool:
    """Return whether a loop has the argument `remind`."""
    try:
        return "remind" in signature(loop).parameters
    except (TypeError, ValueError):  # no function, or one of Python's own
        return False


def write_main(made: Mapping[str, Any]) -> str:
    """Return the source of `main` for the parts `made`, with what it imports."""
    loop, todo, nag = choose_parts(made)
    has_list = bool(todo or nag or loop == "ask_at_the_stop")
    lines = []
    tools = "workspace.tools()"
    if has_list:
        lines.append(f"todo = {todo or 'agentlib.TodoManager'}()")
        tools = "[*workspace.tools(), lesson.list_tool(todo)]"
    lines.append(f"tools = {tools}")
    if nag:
        lines.append(f"nag = {nag}({'todo, ' if NAGS[nag] else ''}after={AFTER})")
    plan = "" if has_list else ", plan=False"
    system = f"agentlib.system_prompt(workspace.name{plan})"
    lines.append(f'settings = model.settings | {{"system": {system}}}')
    call = f"{loop or 'agentlib.run'}(program.client, messages, tools, "
    if loop == "ask_at_the_stop":
        call += "workspace, program.missing, "
    call += "remind=nag, **settings)" if nag else "**settings)"
    body = LINES.get(loop, LINES[""]).replace("CALL", call)
    start = "".join(f"    {line}\n" for line in lines)
    # No `from agentlib import run`: a part may have a helper of this name.
    return (
        "import agentlib\n\n\n"
        f'def main():\n{start}{body}\n\nif __name__ == "__main__":\n    program.run(main)\n'
    )


def describe_main(made: Mapping[str, Any]) -> str:
    """Return one sentence: what `main` calls, with which list and nag."""
    loop, todo, nag = choose_parts(made)
    with_ = [one for one in (todo, nag) if one]
    said = f"Its main calls {loop or 'the loop of agentlib'}"
    said += f" with {', '.join(with_)}." if with_ else "."
    if not loop and "agent_loop" in made:
        said = f"{said[:-1]}, because agent_loop does not take remind yet."
    if isinstance(made.get(todo), type) and issubclass(made[todo], TodoManager):
        said = f"{said[:-1]}; {todo} extends the package's list."
    return said
