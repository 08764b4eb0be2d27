"""What is around a run: the conversation, the plan, the check, the session and the folder.

`my_agent.py` runs this module, and `take_away` writes its code into `agent.py`, below the tools of
`whole_agent.py` and the learner's parts. So it imports nothing but the standard library.

A **session** is a file, `sessions/DATE_TIME_PROCESS.jsonl`, with a JSON object in each line, which
has a `type` and a `time` (UTC):

- "session" is the first line: `version` (1), `folder`, the absolute path of the folder in which the
  program was started, `program` (a file's name), `model` (its name, or "practice") and `window`:
  null, or how many of the newest messages the program sent, besides the prompts.
- "prompt": `text`, what the user has typed.
- "sent": `kept` and `messages`. The conversation is now its first `kept` messages so far, and after
  them these. So `kept` is smaller than their number if room was made, or a reply was not used.
- "reply": `content`, `stop_reason`, `usage` and `model`, as the server sent them. The next message
  of the conversation has this `content`, and the role "assistant".
- "failed": `error`. There was no reply to what was sent.
- "continued": another process goes on with the conversation.

A process that was killed may leave half a line at the end. The key of the connection is replaced by
"(your key)"; what the model has read from files and commands is in the messages.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from copy import deepcopy
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what is in the same file after `take_away`
    import anthropic
    from my_agent import (
        PriorityNag,
        TimedTodo,
        agent_loop,
        ask_at_the_stop,
        make_room,
        read_file,
    )
    from whole_agent import (
        MARKS,
        MAX_OUTPUT,
        SAID,
        SYSTEM,
        Model,
        ask_user,
        bash,
        define,
        edit_file,
        find,
        plain,
        run_command,
        write_file,
    )

ROOT = Path.cwd()  # the folder in which the program was started
# What a change of these files does. The question says it.
RUNS = {
    ".git": "git runs programs that files in .git name",
    ".python-version": "uv and pyenv start the Python that it names",
    "pyproject.toml": "uv and pip install what it names, from where it says",
    "uv.toml": "uv installs packages from the addresses in it",
}
SHOWN = ("id", "text", "status", "activeForm")  # any other field of an item is shown by name
KEPT_SESSIONS = 20  # the newest ones
CHECK_LINES = 10  # of the output of --check: its last ones, which name what fails
STOPPED = "Stopped. The files are as the agent left them."
NOT_JUDGED = "Nobody has judged the files: --check COMMAND asks a command that can say no."
NOT_RUN = "Error: not run, because the run was stopped before."
NO_PLAN = "not run: until the user has approved your list of steps, you can only read files."
TYPED = "<reminder>At questions of this program, the user has typed: "


def add_options(parser):
    """Add what each program takes to the parser of its command."""
    parser.add_argument("prompt", nargs="*", help="what to do")
    parser.add_argument(
        "--check",
        metavar="COMMAND",
        default="",
        help='run this at each stop, such as "python -m unittest": if it fails, the agent goes on',
    )
    parser.add_argument("--plan", action="store_true", help="ask me about the first list of steps")
    parser.add_argument(
        "--continue", dest="go_on", action="store_true", help="go on from the newest session here"
    )
    parser.add_argument(
        "--no-session", action="store_true", help="store nothing of what is sent and answered"
    )


def converse(prompt, work, describe):
    """Call `work` with a prompt, and then with each that the user types, until there is none.

    Ctrl-C and an error end the run, and the conversation only if nobody is there to go on.
    """
    while prompt:
        try:
            work(prompt)
        except (KeyboardInterrupt, SystemExit) as ended:
            said = getattr(ended, "code", STOPPED)
            if not is_user_there():
                sys.exit(said)
            print(said if isinstance(said, str) else STOPPED)
        prompt = ask_prompt(describe())


def is_user_there():
    """Return whether a user sits at a terminal, who can answer and go on."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def ask_prompt(said=""):
    """Return the user's next prompt, or "" at the end: empty, "exit", Ctrl-C or closed input."""
    if not is_user_there():
        return ""
    with suppress(ImportError):  # what was typed before is no prompt; on Windows, it is one
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    with suppress(EOFError, KeyboardInterrupt):
        typed = input(f"\n{said}Your next prompt (empty: the end): ").strip()
        return "" if typed.lower() in ("exit", "quit") else typed
    return ""


def make_plain(value):
    """Return messages as JSON has them, also if they contain the SDK's objects."""

    def to_plain(one):
        return one.to_dict(warnings=False) if hasattr(one, "to_dict") else repr(one)

    return json.loads(json.dumps(value, default=to_plain))


def tidy(messages):
    """Make the messages a history that can be sent, in whatever way the run before has ended."""
    history = make_plain(messages)
    for one in [one for one in history if isinstance(one["content"], list)]:
        one["content"] = [b for b in one["content"] if b["type"] != "text" or b["text"].strip()]
    messages[:] = [one for one in history if one["content"]]
    places = [n for n, one in enumerate(messages) if one["role"] == "assistant"]
    blocks = [b for one in messages[places[-1] :] for b in one["content"]] if places else ()
    answered = [b["tool_use_id"] for b in blocks if "tool_use_id" in b]
    calls = [b["id"] for b in blocks if "input" in b and b["id"] not in answered]
    results = [{"type": "tool_result", "tool_use_id": one, "content": NOT_RUN} for one in calls]
    if results:
        messages.insert(places[-1] + 1, {"role": "user", "content": results})


def show_again(messages, tools):
    """Give the list its newest state in the messages of a session: only they have it."""
    for block in [b for one in messages for b in one["content"] if "input" in b]:
        if "todo" in block["name"]:
            with suppress(Exception):  # a list that was rejected is rejected again
                tools[block["name"]](**block["input"])


def asks_user(messages):
    """Return whether the last reply asks the user something, who is there to answer."""
    said = [b["text"] for b in make_plain(messages)[-1]["content"] if "text" in b]
    return is_user_there() and "".join(said[-1:]).rstrip(" *_`)\n").endswith(("?", "？", "؟"))


def keep_words(messages, prompt, typed):
    """Add what the user has typed at questions to the newest prompt.

    It is in results, which a cut leaves out. If the cut has also lost the prompt, put it back.
    """
    words = [one for one in typed if one.strip().lower() not in ("", "n", "no")]
    added = [{"type": "text", "text": f"{TYPED}{'; '.join(words)}</reminder>"}] if words else []
    for one in [one for one in reversed(messages) if one["role"] == "user"]:
        content = one["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if any(prompt in dict(b).get("text", "") for b in blocks):
            blocks = [b for b in blocks if not str(dict(b).get("text", "")).startswith(TYPED)]
            one["content"] = [*blocks, *added]
            return
    put_back = [{"type": "text", "text": prompt}, *added]
    messages.insert(1, {"role": "user", "content": put_back})


class Plan:
    """Let the model only read, until the user has approved its first list."""

    def __init__(self, todo, make_tool, ask):
        self.todo, self.make_tool, self.ask, self.is_approved = todo, make_tool, ask, False

    def ask_first(self, name, run):
        """Return `run`, the function of the tool `name`, with this question before it."""

        @wraps(run)
        def asking(**given):
            if not self.is_approved and "todo" in name:
                shown = self.make_tool(deepcopy(self.todo)).run(**given)
                self.ask(str(shown))  # it raises PermissionError for a no
                self.is_approved = True
            if not self.is_approved and name != "read_file":
                raise PermissionError(NO_PLAN)
            return run(**given)

        return asking


def describe_failure(command, output, code):
    """Return what to tell the model of a check that has failed, or "" if it has passed."""
    if code == 0 and re.search(r"^Ran 0 tests.*\s+OK$", output, re.MULTILINE):
        output, code = f"{output}\nNo test ran.", 5  # as with Python 3.12
    last = output.splitlines()[-CHECK_LINES:]
    return "\n".join([f"{command} fails:", *last, f"(exit code {code})"]) if code else ""


class Session:
    """The file of a conversation: what was sent, and what was answered."""

    def __init__(self, path, hide, sent=(), **first):
        self.path, self.hide, self.sent = path, hide, [*sent]
        try:
            if path and not sent:
                path.parent.mkdir(exist_ok=True)
                path.with_name(".gitignore").write_text("*\n")  # what was read is in a session
                os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
                for old in sorted(path.parent.glob("*.jsonl"))[:-KEPT_SESSIONS]:
                    old.unlink()
                print(f"This session is in {path}.")
        except OSError as problem:
            self.give_up(problem)
        self.write("continued" if sent else "session", version=1, **first)

    def give_up(self, problem):
        """Say that the session is not stored, and go on without it."""
        print(f"This session is not stored: {problem.strerror} ({self.path}).")
        self.path = None

    def write(self, kind, **fields):
        """Append a line."""
        line = json.dumps({"type": kind, "time": time.strftime("%FT%TZ", time.gmtime())} | fields)
        try:
            if self.path:
                with open(self.path, "a", encoding="ascii") as file:
                    file.write(self.hide(line) + "\n")
        except OSError as problem:
            self.give_up(problem)

    def note(self, messages):
        """Write what is new in the messages of a request, if there is anything."""
        new, kept = make_plain(messages), 0
        while kept < min(len(new), len(self.sent)) and new[kept] == self.sent[kept]:
            kept += 1
        if new != self.sent:
            self.write("sent", kept=kept, messages=new[kept:])
        self.sent = new

    def watch(self, create, messages, **settings):
        """Send a request with `create`, and write what was sent and answered."""
        self.note(messages)
        try:
            reply = create(messages=messages, **settings)
        except BaseException as problem:
            self.write("failed", error=repr(problem))
            raise
        self.note(messages)  # room may have been made
        names = ("content", "stop_reason", "usage", "model")
        fields = make_plain({name: getattr(reply, name, None) for name in names})
        self.write("reply", **fields)
        self.sent = [*self.sent, {"role": "assistant", "content": fields["content"]}]
        return reply


def read_session(path):
    """Return the first line of a session, its prompts, and its conversation up to the end."""
    first, prompts, messages = {}, [], []
    for line in path.read_text(encoding="ascii").split("\n"):
        with suppress(ValueError):  # half a line
            entry = json.loads(line)
            first = first or entry
            if entry["type"] == "prompt":
                prompts.append(entry["text"])
            elif entry["type"] == "sent":
                messages[entry["kept"] :] = entry["messages"]
            elif entry["type"] == "reply":
                messages.append({"role": "assistant", "content": entry["content"]})
    return first, prompts, messages


def find_session(given, folder):
    """Return the path, the prompts and the messages of the session: new, or to go on with."""
    name = time.strftime(f"%Y-%m-%d_%H-%M-%S_{os.getpid()}.jsonl")
    new = Path(sys.argv[0]).resolve().parent / "sessions" / name  # next to the program
    if not given.go_on:
        return None if given.no_session else new, [], []
    for path in sorted(new.parent.glob("*.jsonl"), reverse=True):
        first, prompts, messages = read_session(path)
        if first.get("folder") == folder and messages:
            print(f"It goes on from {first['time']}: {' '.join(prompts[0].split()):.70}")
            return None if given.no_session else path, prompts, messages
    sys.exit(f"There is no session of {folder} to go on from.")


class Tool:
    """A function that the model can call: `spec` is what it reads."""

    def __init__(self, name, description, input_schema, run, **more):
        self.name, self.run = name, run
        self.spec = {"name": name, "description": description, "input_schema": input_schema}


def call_tool(dispatch, name, tool_input):
    """Run a tool and return its result. An error is also a result: the model reads it."""
    try:
        output, ok = dispatch[name].run(**tool_input), True
    except Exception as problem:
        output, ok = f"Error: {problem!r}"[:MAX_OUTPUT].encode(errors="replace").decode(), False
    return SimpleNamespace(name=name, input=tool_input, output=output, ok=ok)


class Shown:
    """The base of a list: it shows its items."""

    def __init__(self):
        self.items = []

    def render(self):
        """Return the list as text: a line for each item, and how many are completed."""
        lines = []
        for item in self.items:
            more = ", ".join(f"{one}: {item[one]}" for one in item if one not in SHOWN)
            shown = f"{item['text']} ({more})" if more else item["text"]
            lines.append(f"{MARKS.get(item['status'])} {shown}")
        done = sum(item["status"] == "completed" for item in self.items)
        return "\n".join([*lines, f"({done}/{len(lines)} completed)"])


def read_inside(path):
    """Return the text of a file."""
    file = (ROOT / path).resolve()
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise ValueError(f"{path} is no ordinary file")
    if not file.is_relative_to(ROOT):
        read_file(ROOT, path)  # the learner's own error, if there is one, and never the text
        find(path)
    return read_file(ROOT, path)


def guard(name, run):
    """Return `run` as the model gets it: what the user must know is asked and shown."""

    def guarded(**given):
        try:
            if name in ("write_file", "edit_file"):
                for part in find(given["path"]).relative_to(ROOT).parts:
                    if part.lower() in RUNS:
                        ask_user(f"{name}: {given['path']}\n{RUNS[part.lower()]}.")
            output = str(run(**given))
        except Exception as problem:
            print(plain(f"(not done) {name}: {problem!r}"))
            raise
        if name == "todo":
            print(plain(output))
        output = output if output.strip() else "(no output)"
        return output[:MAX_OUTPUT].encode(errors="replace").decode()

    return guarded


def check_folder():
    """End the program where an agent must not work: what it writes there could run."""
    for place in (Path(__file__).parent, Path.home(), *map(Path, sys.path)):
        if place.resolve().is_relative_to(ROOT):
            sys.exit(f"{ROOT} contains {place}: start this program in the folder of a project.")


def run_check(command):
    """Return what to tell the model if the user's command fails, or "" if it passes."""
    try:
        script = f"({command}\n) 2>&1 | tail -c 4000; printf '\\n%s' $PIPESTATUS"
        output, _, code = run_command(script).strip().rpartition("\n")
    except subprocess.TimeoutExpired:
        output, code = "It has not ended after 60 seconds.", ""
    return describe_failure(command, output, int(code) if code.isdigit() else 1)


def close(*_):
    """End the conversation, and the command that runs: the terminal was closed."""
    sys.stdin = None  # nobody is there any more
    raise KeyboardInterrupt


def main():
    """Work on the prompts of the user, in the folder in which this program was started."""
    parser = argparse.ArgumentParser(description="My agent, for the folder in which it is started.")
    add_options(parser)
    given = parser.parse_args()
    key, name = os.environ.get("ANTHROPIC_API_KEY"), os.environ.get("MODEL_ID")
    if not (key and name):
        sys.exit(f"Set ANTHROPIC_API_KEY and MODEL_ID: the first lines of {__file__} say how.")
    check_folder()
    if not (prompt := " ".join(given.prompt) or ask_prompt()):
        sys.exit("Give a prompt.")
    sys.stdin = sys.stdin or open(os.devnull)
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, close)
    path, prompts, messages = find_session(given, str(ROOT))
    first = {"folder": str(ROOT), "program": Path(__file__).name, "model": name, "window": None}
    session = Session(path, lambda line: line.replace(key, "(your key)"), messages, **first)
    todo, failed = TimedTodo(), [""]

    def room(messages):
        shorter = make_room(make_plain(messages), todo)
        keep_words(shorter, prompts[-1], SAID)
        return shorter

    sdk = anthropic.Anthropic()
    sdk.messages.create = partial(session.watch, sdk.messages.create)
    client = Model(sdk, room)
    # A tool of your own is a function, here with its name. The model reads its docstring and sends
    # its arguments, which are texts. If it changes something, let it ask first, as bash does.
    runs = {"bash": bash, "read_file": read_inside}
    runs |= {"write_file": write_file, "edit_file": edit_file}
    tools = [Tool(**define(run) | {"name": name}, run=run) for name, run in runs.items()]
    tools.append(todo.tool())
    show_again(messages, {tools[-1].name: tools[-1].run})
    plan = Plan(todo, type(todo).tool, lambda shown: ask_user(f"the plan\n{shown}"))
    plan.is_approved = not given.plan
    for tool in tools:
        tool.run = guard(tool.name, plan.ask_first(tool.name, tool.run))
    settings = {"model": name, "max_tokens": 8000, "system": SYSTEM.replace("project", ROOT.name)}

    def missing():
        failed[0] = "" if not given.check or asks_user(messages) else run_check(given.check)
        if failed[0] and f"{given.check} fails:" in str(messages[-2]["content"]):
            sys.exit(f"{failed[0]}\nThe model was told, and has called no tool: read its reply.")
        return [failed[0]] if failed[0] else []

    def run():
        has_remind = "remind" in signature(agent_loop).parameters
        nag = {"remind": PriorityNag(todo)} if has_remind else {}
        list(agent_loop(client, messages, tools, **nag, **settings) or ())

    def work(prompt):
        tidy(messages)
        messages.append({"role": "user", "content": prompt})
        prompts.append(prompt)
        session.write("prompt", text=prompt)
        client.requests = 0
        try:
            ask_at_the_stop(run, messages, missing)
        except Exception:
            traceback.print_exc()
            sys.exit(STOPPED)
        for name, seconds in todo.summary().items():
            print(f"{seconds:8.1f} s  {plain(name)}")
        if failed[0]:
            sys.exit(failed[0])
        if not asks_user(messages):
            print(f"{given.check}: passes" if given.check else NOT_JUDGED)

    converse(prompt, work, lambda: f"Requests of this prompt: {client.requests}. ")


if __name__ == "__main__":
    main()
