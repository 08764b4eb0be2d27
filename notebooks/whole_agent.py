"""A whole coding agent that plans, in one file: read it once, from top to bottom.

It needs `pip install anthropic`, a key in ANTHROPIC_API_KEY, and the name of a model in MODEL_ID:

    python whole_agent.py "Add a docstring to each function in hello.py"

The agent works in the folder `project`, asks you before each command and each change, and stops
after 60 requests. A file is changed whole or not at all, and only as you saw it.

It is made for reading, and keeps fewer promises than the agent of the lesson: a command can do all
that you can, also read the key; the key goes to any address, proxy or redirect that the variables
name; `.git` can be written, and a server that sends no message of the API ends in a traceback. It
also ends when its messages are too many for the model: the lesson's agent then goes on with the
prompt, the list and the last rounds (exercise E11).
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path

import anthropic

ROOT = Path("project").resolve()
# A model can send the same call again and again, and every request costs money.
MAX_REQUESTS = 60
ENOUGH = f"Stopped after {MAX_REQUESTS} requests. The files are as the agent left them."
MAX_OUTPUT = 20_000  # of one result: bytes of a command, characters of a file


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
    before = read_file(path)
    end = "\r\n" if "\r\n" in before else "\n"  # a model writes either
    old, new = (one.replace("\r\n", "\n").replace("\n", end) for one in (old_text, new_text))
    if before.count(old) != 1:
        raise ValueError(f"old_text occurs {before.count(old)} times in {path}")
    save(path, before.replace(old, new), f"edit_file: {path}\n--- old\n{old}\n--- new\n{new}")
    return f"Changed {path}."


MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}


class TodoList:
    """The model writes the list, this program checks it, and both can read it."""

    items = ()

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


class Nag:
    """After three rounds without a todo call, show the model its own list again."""

    def __init__(self, todo, after=3):
        self.todo, self.after, self.rounds = todo, after, 0

    def __call__(self, calls):
        self.rounds = 0 if "todo" in [call.name for call in calls] else self.rounds + 1
        if self.rounds >= self.after:
            return f"<reminder>Update your todos.\n{self.todo.render()}</reminder>"


def agent_loop(client, messages, inputs, remind, **settings):
    """Ask the model, run the tools that it calls, send back their results, and repeat.

    `inputs` has the tools, which are functions, and a schema for each input of each.
    """
    tools = {tool.__name__: tool for tool in inputs}
    settings["tools"] = [define(tool, fields) for tool, fields in inputs.items()]
    for _ in range(MAX_REQUESTS):
        reply = client.messages.create(messages=messages, **settings)
        # The API rejects a text without words when it is sent back, so it is left out.
        content = [part for part in reply.content if part.type != "text" or part.text.strip()]
        calls = [part for part in content if part.type == "tool_use"]
        for text in [part.text for part in content if part.type == "text"]:
            print(plain(text))
        if content:
            messages.append({"role": "assistant", "content": content})
        # Half a call, such as half of a file's content, can look like a whole one, so this loop
        # also looks at the stop reason, and at the length, which some servers report as complete.
        # (In the lesson, the connection to a model does it.)
        is_full = getattr(reply.usage, "output_tokens", 0) == settings["max_tokens"]
        if is_full or reply.stop_reason not in ("end_turn", "tool_use"):
            end = "max_tokens" if is_full else reply.stop_reason
            sys.exit(f"Stopped: {end!a}. Nothing of the last reply was run.")
        if not calls:
            return
        results = [answer(call, tools) for call in calls]
        if reminder := remind(calls):
            results[-1]["content"] += f"\n\n{reminder}"
        messages.append({"role": "user", "content": results})
    sys.exit(ENOUGH)


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


def define(tool, fields):
    """Return what the model reads about a tool. `fields` has a schema for each of its inputs."""
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    return {"name": tool.__name__, "description": tool.__doc__, "input_schema": schema}


SYSTEM = """You are a coding agent in the folder 'project'. Use the tools instead of describing what
you would do. For multi-step work, list the steps with the todo tool before you start. Mark a task
in_progress before you begin it, and completed when it is done. This program adds reminders about
your list to tool results, in <reminder>: they are not part of a file or of a command's output."""


def main(prompt):
    text, todo = {"type": "string"}, TodoList()
    item = {"text": text, "status": {"type": "string", "enum": list(MARKS)}}
    items = {"type": "object", "properties": item, "required": list(item)}
    inputs = {
        bash: {"command": text},
        read_file: {"path": text},
        write_file: {"path": text, "content": text},
        edit_file: {"path": text, "old_text": text, "new_text": text},
        todo.todo: {"items": {"type": "array", "items": items}},
    }
    messages = [{"role": "user", "content": prompt}]
    settings = {"model": os.environ["MODEL_ID"], "max_tokens": 8000, "system": SYSTEM}
    agent_loop(connect(), messages, inputs, remind=Nag(todo), **settings)


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
    opened, new = tempfile.mkstemp(dir=file.parent)  # a full disk must not empty the old file
    try:
        with open(opened, "wb") as copy:
            copy.write(data)
        file.touch()
        shutil.copymode(file, new)
        os.replace(new, file)
    finally:
        Path(new).unlink(missing_ok=True)


def find(path):
    """Return the file of a path, which must be in the project's folder."""
    file = (ROOT / path).resolve()
    if not file.is_relative_to(ROOT):
        raise ValueError(f"{path} is outside the project")
    return file


def ask_user(action):
    """Show what the model wants to do, and raise PermissionError unless the user says yes."""
    # What is not plain ASCII is shown as a code, so no character can hide or reorder a line.
    lines = [ascii(line)[1:-1] for line in action.split("\n")]
    print("\n".join(lines))
    forget_typed()
    size = f"{len(lines)} lines, {len(action):,} characters"  # one line can fill the screen
    if input(f"Allow {lines[0]:.70} ({size})? [y/n] ").strip().lower() != "y":
        raise PermissionError("the user does not allow this")


def forget_typed():
    """Discard what was typed before the question: it was no answer to it."""
    if os.name == "nt":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    elif sys.stdin.isatty():
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def plain(text):
    """Return text for the screen: what it lacks, or could move the cursor, becomes "?"."""
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    return text.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding)


def connect():
    """Return a client. End the program with a message if no connection can be set up."""
    numbers = count(1)

    def stop_at_the_limit(request):  # the SDK also sends a request again after an error
        if next(numbers) > MAX_REQUESTS:
            sys.exit(ENOUGH)

    hooks = {"request": [stop_at_the_limit]}
    try:
        return anthropic.Anthropic(http_client=anthropic.DefaultHttpxClient(event_hooks=hooks))
    except Exception as problem:  # of many types, and its text may contain a proxy's password
        said = "Is a variable for a proxy or a certificate wrong, such as HTTPS_PROXY?"
        sys.exit(f"No connection could be set up ({type(problem).__name__}). {said}")


if __name__ == "__main__":
    key, model = os.environ.get("ANTHROPIC_API_KEY"), os.environ.get("MODEL_ID")
    if len(sys.argv) != 2 or not key or not model:
        sys.exit('Set ANTHROPIC_API_KEY and MODEL_ID, and run: python whole_agent.py "prompt"')
    ROOT.mkdir(exist_ok=True)
    # A closed terminal stops this program as Ctrl-C does, so it kills the command that it runs.
    for name in ("SIGTERM", "SIGHUP"):  # Windows has only the first
        signal.signal(getattr(signal, name, signal.SIGTERM), signal.default_int_handler)
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit("\nStopped. The files are as the agent left them.")
    except anthropic.AnthropicError as problem:
        said = str(problem).replace(key, "(your key)")  # some servers repeat it
        sys.exit(f"The model did not answer: {plain(said)}")
    except UnicodeEncodeError:
        sys.exit("The model sent half a character, which cannot be sent back: run this again.")
