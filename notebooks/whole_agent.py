"""A whole coding agent that plans, in one file: read it once, from top to bottom.

It needs `pip install anthropic`, a key in ANTHROPIC_API_KEY, and the name of a model in MODEL_ID:

    python whole_agent.py "Add a docstring to each function in hello.py"

The agent works in the folder `project`, asks you before each command and each change, and stops
after 60 rounds. A file is changed whole or not at all, and only as you saw it. A command can do all
that you can, also read the key: the lesson's SECURITY.md says what else is not promised.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from inspect import signature
from pathlib import Path

import anthropic

ROOT = Path("project").resolve()
MAX_ROUNDS = 60  # a model can send the same call again and again, and each round costs money
AFTER = 3  # rounds without a todo call: then the model is shown its own list again
MAX_OUTPUT = 20_000  # of one result: bytes of a command, characters of a file
SAID = []  # what the user has typed at questions, other than yes


# Four tools. The model reads their docstrings, and an exception tells it what was wrong.
def bash(command):
    """Run a bash command in the project's folder, for at most 60 seconds."""
    ask_user(f"bash: {command}")
    return run_command(command)


def read_file(path):
    """Return the text of a file."""
    return find(path).read_bytes().decode()


def write_file(path, content):
    """Create or overwrite a file."""
    save(path, content, f"write_file: {path}\n{content}")
    return f"Wrote {path}."


def edit_file(path, old_text, new_text):
    """Replace old_text, which must occur exactly once in the file, by new_text."""
    before = find(path).read_bytes().decode()
    end = "\r\n" if "\r\n" in before else "\n"  # a model writes either
    old, new = (one.replace("\r\n", "\n").replace("\n", end) for one in (old_text, new_text))
    if before.count(old) != 1:
        raise ValueError(f"old_text occurs {before.count(old)} times in {path}")
    save(path, before.replace(old, new), f"edit_file: {path}\n--- old\n{old}\n--- new\n{new}")
    return f"Changed {path}."


MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
TEXT = {"type": "string"}
ITEM = {"text": TEXT, "status": {"type": "string", "enum": list(MARKS)}}
ITEMS = {"type": "array", "items": {"type": "object", "properties": ITEM, "required": [*ITEM]}}


class TodoList:
    """The model writes the list, this program checks it, and both can read it."""

    items, rounds = (), 0  # the rounds are those without a todo call

    def todo(self, items):
        """Write your plan, and keep it up to date. Send the whole list each time."""
        texts, statuses = [one["text"] for one in items], [one["status"] for one in items]
        if len(items) > 20 or len(set(texts)) < len(texts) or not all(map(str.strip, texts)):
            raise ValueError("send at most 20 items, each with its own text")
        if wrong := set(statuses) - set(MARKS):
            raise ValueError(f"unknown status {wrong}: use one of {', '.join(MARKS)}")
        if statuses.count("in_progress") > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = items  # A list that breaks a rule does not reach this line.
        return self.render()

    def render(self):
        return "\n".join(f"{MARKS[item['status']]} {item['text']}" for item in self.items)

    def nag(self, calls):
        """After AFTER rounds without a todo call, show the model its own list again."""
        self.rounds = 0 if "todo" in [call.name for call in calls] else self.rounds + 1
        if self.rounds >= AFTER:
            return f"<reminder>Update your todos.\n{self.render()}</reminder>"

    def make_room(self, messages):
        """Return the messages to go on with: the prompt, the list, and the last three rounds."""
        note = f"<reminder>Messages were left out.\n{self.render()}\nThe user: {SAID}</reminder>"
        return [messages[0], {"role": "user", "content": note}, *messages[1:][-6:]]


def agent_loop(client, messages, tools, remind, **settings):
    """Ask the model, run the tools that it calls, send back their results, and repeat."""
    settings["tools"] = [define(tool) for tool in tools.values()]
    while True:
        reply = client.messages.create(messages=messages, **settings)
        if reply.content:
            messages.append({"role": "assistant", "content": reply.content})
        calls = [part for part in reply.content if part.type == "tool_use"]
        if not calls:
            return
        results = [answer(call, tools) for call in calls]
        if reminder := remind(calls):
            results[-1]["content"] += f"\n\n{reminder}"
        messages.append({"role": "user", "content": results})


class Model:
    """The client of any loop: `messages.create` is `ask`, which returns what a loop can use."""

    def __init__(self, client, make_room):
        self.client, self.make_room, self.requests = client, make_room, 0
        self.messages, self.create = self, self.ask

    def ask(self, messages, **settings):
        """Send the whole conversation and return the reply, or end the run if it has no use."""
        self.requests += 1
        if self.requests > MAX_ROUNDS:
            sys.exit(f"Stopped after {MAX_ROUNDS} rounds. The files are as the agent left them.")
        try:
            reply = self.client.messages.create(messages=messages, **settings)
        except anthropic.AnthropicError as problem:
            shorter = self.make_room(messages)
            if "prompt is too long" not in str(problem) or len(shorter) >= len(messages):
                said = plain(repr(problem)).replace(str(self.client.api_key), "(your key)")
                sys.exit(f"Stopped: {said}. The files are as the agent left them.")
            print(f"The conversation was too long: {len(messages) - len(shorter)} messages less.")
            messages[:] = shorter
            return self.ask(messages, **settings)
        # The API rejects a text without words when it is sent back, so it is left out.
        reply.content = [b for b in reply.content or () if b.type != "text" or b.text.strip()]
        for text in [part.text for part in reply.content if part.type == "text"]:
            print(plain(text))
        # Half a call can look like a whole one, and some servers report it as complete.
        used, end = getattr(reply.usage, "output_tokens", 0), reply.stop_reason
        if used == settings["max_tokens"] or end not in ("end_turn", "tool_use"):
            sys.exit(f"Stopped: {used} tokens, {end!a}. Nothing of the last reply was run.")
        return reply


def answer(call, tools):
    """Run one tool call and return its result. An error is also a result: the model reads it."""
    try:
        output, failed = tools[call.name](**call.input), False
    except Exception as problem:
        output, failed = f"Error: {problem!r}", True
    if failed or call.name == "todo":
        print(plain(output))  # so that the user sees why the same call may come again
    text = output[:MAX_OUTPUT] if output.strip() else "(no output)"
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": failed}


def define(tool):
    """Return what the model reads about a tool: its name, its docstring and its inputs."""
    fields = {one: ITEMS if one == "items" else TEXT for one in signature(tool).parameters}
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    return {"name": tool.__name__, "description": tool.__doc__, "input_schema": schema}


SYSTEM = """You are a coding agent in the folder 'project'. Use the tools, and do not describe what
you would do. For multi-step work, list the steps with the todo tool before you start. Mark a task
in_progress before you begin it, and completed when it is done. This program adds reminders about
your list to tool results, in <reminder>: they are not part of a file or of a command's output."""


def main(prompt):
    todo = TodoList()
    tools = {one.__name__: one for one in (bash, read_file, write_file, edit_file, todo.todo)}
    messages = [{"role": "user", "content": prompt}]
    settings = {"model": os.environ["MODEL_ID"], "max_tokens": 8000, "system": SYSTEM}
    agent_loop(Model(anthropic.Anthropic(), todo.make_room), messages, tools, todo.nag, **settings)


# What follows protects the user's files, screen and answers, and has no new idea of an agent.
def run_command(command):
    """Return the output of a command, and end all that it has started."""
    # Of a long output, the rest is read and dropped: it may have no end.
    script = f'(eval "$0") 2>&1 | {{ head -c {MAX_OUTPUT}; cat > /dev/null; }}'
    settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "start_new_session": True}
    settings |= {"cwd": ROOT, "env": {"PATH": os.environ["PATH"]}}  # not the key
    with subprocess.Popen(["bash", "-c", script, command], **settings) as process:
        try:
            return process.communicate(timeout=60)[0].decode(errors="replace")
        finally:
            with suppress(OSError):  # all that it has started; on Windows only bash itself
                getattr(os, "killpg", os.kill)(process.pid, 9)


def save(path, content, shown):
    """Ask the user, and write a file, unless it has changed since they were asked."""
    file, data = find(path), content.encode()  # an error is raised before the question
    before = file.read_bytes() if file.exists() else None
    ask_user(shown)
    if find(path) != file or before != (file.read_bytes() if file.exists() else None):
        raise ValueError(f"{path} was changed while the user was asked: read it again")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        new = Path(folder, "new")  # a full disk must not empty the old file
        new.write_bytes(data)
        if before is not None:
            shutil.copymode(file, new)
        new.replace(file)


def find(path):
    """Return the file of a path, which must be in the project's folder."""
    if not (file := (ROOT / path).resolve()).is_relative_to(ROOT):
        raise ValueError(f"{path} is outside the project")
    return file


def ask_user(action):
    """Show what the model wants to do, and raise PermissionError unless the user says yes."""
    # What is not plain ASCII is shown as a code, so no character can hide or reorder a line.
    lines = [ascii(line)[1:-1] for line in action.split("\n")]
    print("\n".join(lines))
    if os.name == "nt":  # What was typed before the question is no answer to it.
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    elif sys.stdin.isatty():
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    size = f"{len(lines)} lines, {len(action):,} characters"  # one line can fill the screen
    said = plain(input(f"Allow {lines[0]:.70} ({size})? [y, n, or what instead] ")).strip()
    if said.lower() not in ("y", "yes"):
        SAID.append(said)
        raise PermissionError(f"the user does not allow this, and says: {said or 'no'}")


def plain(text):
    """Return text for the screen: what it lacks, or could move the cursor, becomes "?"."""
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    return text.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not all(map(os.environ.get, ("ANTHROPIC_API_KEY", "MODEL_ID"))):
        sys.exit('Set ANTHROPIC_API_KEY and MODEL_ID, and run: python whole_agent.py "prompt"')
    ROOT.mkdir(exist_ok=True)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # of a closed terminal; Windows has none
        signal.signal(getattr(signal, name, signal.SIGTERM), lambda *_: sys.exit("Stopped."))
    main(sys.argv[1])
