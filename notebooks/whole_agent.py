"""A whole coding agent that plans, in one file: read it once, from top to bottom.

It needs `pip install anthropic`, a key in ANTHROPIC_API_KEY, and the name of a model in MODEL_ID:

    python whole_agent.py "Add a docstring to each function in hello.py"

The agent works in the folder `project`, asks you before each command and each change, and stops
after 60 requests.
"""

import os
import subprocess
import sys
from pathlib import Path

import anthropic

ROOT = Path("project").resolve()
# A model can send the same call again and again, and every request costs money.
MAX_REQUESTS = 60


# Four tools. The model reads their docstrings, and an exception tells it what was wrong.
def bash(command):
    """Run a bash command in the project's folder."""
    ask_user(f"bash: {command}")
    settings = {"cwd": ROOT, "env": {"PATH": os.environ["PATH"]}, "timeout": 60}  # not the key
    done = subprocess.run(["bash", "-c", command], input=b"", capture_output=True, **settings)
    return (done.stdout + done.stderr).decode(errors="replace")


def read_file(path):
    """Return the text of a file."""
    return find(path).read_text(encoding="utf-8")


def write_file(path, content):
    """Create or overwrite a file."""
    file = find(path)
    data = content.encode()  # first, because an error must not leave an empty file
    ask_user(f"write_file: {path}\n{content}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return f"Wrote {path}."


def edit_file(path, old_text, new_text):
    """Replace old_text, which must occur exactly once in the file, by new_text."""
    file = find(path)
    before = file.read_text(encoding="utf-8")
    if before.count(old_text) != 1:
        raise ValueError(f"old_text occurs {before.count(old_text)} times in {path}")
    data = before.replace(old_text, new_text).encode()
    ask_user(f"edit_file: {path}\n--- old\n{old_text}\n--- new\n{new_text}")
    file.write_bytes(data)
    return f"Changed {path}."


def find(path):
    """Return the file of a path, which must be in the project's folder."""
    file = (ROOT / path).resolve()
    if not file.is_relative_to(ROOT):
        raise ValueError(f"{path} is outside the project")
    return file


def ask_user(action):
    """Show what the model wants to do, and raise PermissionError unless the user says yes."""
    # What is not plain ASCII is shown as a code, so no character can hide or reorder a line.
    print("\n".join(ascii(line)[1:-1] for line in action.split("\n")))
    if input("Allow this? [y/n] ").strip().lower() != "y":
        raise PermissionError("the user does not allow this")


def plain(text):
    """Return text for the screen: a character that could move the cursor becomes "?"."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


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
        # The loop of the first exercise looks only at the calls. This one also looks at the stop
        # reason, because half a call, such as half of a file's content, can look like a whole one.
        if reply.stop_reason not in ("end_turn", "tool_use"):
            sys.exit(f"Stopped: {reply.stop_reason!a}. Nothing of the last reply was run.")
        if not calls:
            return
        results = [answer(call, tools) for call in calls]
        if reminder := remind(calls):
            results[-1]["content"].append({"type": "text", "text": reminder})
        messages.append({"role": "user", "content": results})
    sys.exit(f"Stopped after {MAX_REQUESTS} requests. The files are as the agent left them.")


def answer(call, tools):
    """Run one tool call and return its result. An error is also a result: the model reads it."""
    try:
        output, failed = tools[call.name](**call.input), False
    except Exception as problem:
        output, failed = f"Error: {problem!r}", True
    if failed or call.name == "todo":
        print(plain(output))  # so that the user sees why the same call may come again
    text = {"type": "text", "text": output[:20_000] if output.strip() else "(no output)"}
    return {"type": "tool_result", "tool_use_id": call.id, "content": [text], "is_error": failed}


def define(tool, fields):
    """Return what the model reads about a tool. `fields` has a schema for each of its inputs."""
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    return {"name": tool.__name__, "description": tool.__doc__, "input_schema": schema}


SYSTEM = """You are a coding agent in the folder 'project'. Use the tools instead of describing what
you would do. For multi-step work, list the steps with the todo tool before you start. Mark a task
in_progress before you begin it, and completed when it is done."""


def connect():
    """Return a client. End the program with a message if no connection can be set up."""
    try:
        return anthropic.Anthropic(http_client=anthropic.DefaultHttpxClient())
    except Exception as problem:  # of many types, and its text may contain a proxy's password
        sys.exit(
            f"No connection could be set up ({type(problem).__name__}). Is a variable for a proxy "
            "or a certificate wrong, such as ALL_PROXY, HTTPS_PROXY or SSL_CERT_FILE?"
        )


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
    agent_loop(
        connect(),
        [{"role": "user", "content": prompt}],
        inputs,
        remind=Nag(todo),
        model=os.environ["MODEL_ID"],
        max_tokens=8000,
        system=SYSTEM,
    )


if __name__ == "__main__":
    key, model = os.environ.get("ANTHROPIC_API_KEY"), os.environ.get("MODEL_ID")
    if len(sys.argv) != 2 or not key or not model:
        sys.exit('Set ANTHROPIC_API_KEY and MODEL_ID, and run: python whole_agent.py "prompt"')
    ROOT.mkdir(exist_ok=True)
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit("\nStopped. The files are as the agent left them.")
    except anthropic.AnthropicError as problem:
        said = str(problem).replace(key, "(your key)")  # some servers repeat it
        sys.exit(f"The model did not answer: {plain(said)}")
    except UnicodeEncodeError:
        sys.exit("The model sent half a character, which cannot be sent back: run this again.")
