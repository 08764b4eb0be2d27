"""The eight agents that are measured: how each is installed, started, and sent a list.

Each runs in an empty home folder, without its telemetry and its updates, and talks to one address
on 127.0.0.1.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from scripted_server import Reply

HERE = Path(__file__).parent
PROMPT = "Make the zebra crossing new."
TASKS = ["Buy white paint", "Close the road", "Paint the stripes"]
QUIET = "all quiet"  # what the harmless call returns


@dataclass(frozen=True)
class Start:
    """How an agent is started: its command, its settings in the environment, and its files."""

    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # from the home folder on


@dataclass(frozen=True)
class Agent:
    """One agent. `packages` are pinned. `model` is a name with which it offers its list.

    `newest` is a newer model's name that it treats in another way, if there is one.
    `start` gets the folder of its programs, the server's address, a model's name, and whether to
    turn the list on. `plan` returns the replies that write a list with these statuses. `quiet`
    returns the harmless call: it gets a number, because some agents end a run that repeats itself.
    """

    name: str
    packages: list[str]
    tools: tuple[str, ...]  # the names of its list's tools
    model: str
    start: Callable[[Path, str, str, bool], Start]
    plan: Callable[[list[str]], list[Reply]]
    quiet: Callable[[int], tuple[str, dict]]
    newest: str = ""
    compacts: dict[str, str] = field(default_factory=dict)  # the setting for a small window


def whole_list(tool: str, key: str, text: str, **more: str) -> Callable[[list[str]], list[Reply]]:
    """Return a `plan` for a tool that gets the whole list: its field, and the field of a text."""

    def plan(statuses: list[str]) -> list[Reply]:
        items = []
        for number, (task, status) in enumerate(zip(TASKS, statuses, strict=True), start=1):
            extra = {name: value.format(task=task, number=number) for name, value in more.items()}
            items.append({text: task, "status": status, **extra})
        return [Reply(calls=((tool, {key: items}),))]

    return plan


def start_claude_code(bin: Path, url: str, model: str, on: bool) -> Start:
    env = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
    }
    if on:
        env["CLAUDE_CODE_ENABLE_TODO_TOOLS"] = "1"
    return Start([f"{bin}/claude", "-p", PROMPT, "--model", model], env)


def plan_claude_code(statuses: list[str]) -> list[Reply]:
    """Return the calls of the task tools: tasks have ids, and each call changes one of them."""
    create = [("TaskCreate", {"subject": task, "description": task}) for task in TASKS]
    update = []
    for number, status in enumerate(statuses, start=1):
        update.append(("TaskUpdate", {"taskId": str(number), "status": status}))
    return [Reply(calls=tuple(create)), Reply(calls=tuple(update))]


def start_codex(bin: Path, url: str, model: str, on: bool) -> Start:
    config = f"""
model = "{model}"
model_provider = "loopback"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "{url}/v1"
wire_api = "responses"
request_max_retries = 0
"""
    config += "[tools.update_plan]\nenabled = true\n" if on else ""
    command = [f"{bin}/codex", "exec", "--skip-git-repo-check", "--sandbox", "danger-full-access"]
    return Start([*command, PROMPT], files={".codex/config.toml": config})


def start_gemini(bin: Path, url: str, model: str, on: bool) -> Start:
    env = {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "none"}
    settings = {
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    }
    command = [f"{bin}/gemini", "-m", model, "--yolo", "--skip-trust", "-p", PROMPT]
    return Start(command, env, {".gemini/settings.json": json.dumps(settings)})


def start_opencode(bin: Path, url: str, model: str, on: bool) -> Start:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": {model: {"tool_call": True}},
    }
    config = {"provider": {"loopback": provider}, "autoupdate": False, "share": "disabled"}
    env = {
        "OPENCODE_CONFIG_CONTENT": json.dumps({**config, "permission": {"*": "allow"}}),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }
    return Start([f"{bin}/opencode", "run", "-m", f"loopback/{model}", PROMPT], env)


def start_qwen(bin: Path, url: str, model: str, on: bool) -> Start:
    env = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none", "OPENAI_MODEL": model}
    settings = {
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
        "tools": {"todoWrite": {"enabled": on}},
    }
    command = [f"{bin}/qwen", "--auth-type", "openai", "--yolo", "-p", PROMPT]
    return Start(command, env, {".qwen/settings.json": json.dumps(settings)})


def start_python(script: str) -> Callable[[Path, str, str, bool], Start]:
    """Return a `start` for one of the scripts in `in_python.py`."""

    def start(bin: Path, url: str, model: str, on: bool) -> Start:
        command = [f"{bin}/python", str(HERE / "in_python.py"), script, "on" if on else "off"]
        env = {
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_KEY": "none",
            "LOGFIRE_IGNORE_NO_CONFIG": "1",
        }
        return Start([*command, model, PROMPT, QUIET], env)

    return start


def start_hermes(bin: Path, url: str, model: str, on: bool) -> Start:
    config = {
        "model": {
            "default": model,
            "provider": "custom",
            "base_url": f"{url}/v1",
            "api_key": "none",
        },
    }
    env = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none"}
    command = [f"{bin}/hermes", "chat", "--yolo", "-q", PROMPT]
    return Start(command, env, {".hermes/config.yaml": json.dumps(config)})


def echo(tool: str, key: str = "command", **more: object) -> Callable[[int], tuple[str, dict]]:
    """Return a `quiet` for a tool that runs a command, which is its input's field `key`."""
    return lambda number: (tool, {key: f"echo {QUIET} {number}", **more})


AGENTS = {
    "claude_code": Agent(
        "Claude Code",
        ["npm:@anthropic-ai/claude-code@2.1.332"],
        ("TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"),
        "claude-sonnet-4-5",
        start_claude_code,
        plan_claude_code,
        echo("Bash", description="Say that all is quiet"),
        newest="claude-opus-5-5",
        compacts={"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"},
    ),
    "codex": Agent(
        "Codex",
        ["npm:@openai/codex@0.171.0"],
        ("update_plan",),
        "gpt-5-mini",
        start_codex,
        whole_list("update_plan", "plan", "step"),
        echo("exec_command", "cmd"),
    ),
    "gemini_cli": Agent(
        "Gemini CLI",
        ["npm:@google/gemini-cli@0.61.0"],
        ("write_todos",),
        "gemini-2.5-pro",
        start_gemini,
        whole_list("write_todos", "todos", "description"),
        echo("run_shell_command"),
        newest="gemini-3.1-pro-preview",
    ),
    "opencode": Agent(
        "opencode",
        ["npm:opencode-ai@1.18.33"],
        ("todowrite", "todoread"),
        "gpt-5-mini",
        start_opencode,
        whole_list("todowrite", "todos", "content", priority="high"),
        echo("bash", description="Say that all is quiet"),
    ),
    "qwen_code": Agent(
        "Qwen Code",
        ["npm:@qwen-code/qwen-code@0.24.4"],
        ("todo_write",),
        "qwen3-coder-plus",
        start_qwen,
        whole_list("todo_write", "todos", "content", id="{number}"),
        echo("run_shell_command", is_background=False),
    ),
    "langchain": Agent(
        "LangChain, TodoListMiddleware",
        ["pip:langchain==1.5.2", "pip:langchain-openai"],
        ("write_todos",),
        "gpt-5-mini",
        start_python("langchain"),
        whole_list("write_todos", "todos", "content"),
        lambda number: ("say_quiet", {"number": number}),
    ),
    "pydantic_ai": Agent(
        "pydantic-ai-harness, Planning",
        ["pip:pydantic-ai-harness==0.62.0", "pip:pydantic-ai-slim[openai]"],
        ("write_plan", "update_task_status"),
        "gpt-5-mini",
        start_python("pydantic_ai"),
        whole_list("write_plan", "items", "content"),
        lambda number: ("say_quiet", {"number": number}),
    ),
    "hermes": Agent(
        "hermes-agent",
        ["pip:hermes-agent==0.19.0"],
        ("todo",),
        "gpt-5-mini",
        start_hermes,
        whole_list("todo", "todos", "content", id="{number}"),
        echo("terminal"),
    ),
}

# An older version, of the runs that docs/sources.md has under "Recorded runs". Not in the table.
OLDER = {
    "claude_code_2025": replace(
        AGENTS["claude_code"],
        packages=["npm:@anthropic-ai/claude-code@2.0.76"],
        plan=whole_list("TodoWrite", "todos", "content", activeForm="{task} now"),
        newest="",
        compacts={},
    )
}
