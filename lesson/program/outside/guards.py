"""What is between the model and your files, you, and the server. Do not change it.

SECURITY.md of the lesson says what it promises: `test_frame.py` tests each promise. frame.py calls
it, and has what you may change. If nothing in the two was changed, the lesson renews them together.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import anthropic
import basics
from anthropic.types import RedactedThinkingBlock, TextBlock, ThinkingBlock, ToolUseBlock

try:
    ROOT = Path.cwd()  # the folder in which the program was started: the agent works in it
except FileNotFoundError:
    sys.exit("The folder in which you start this was deleted: start it in another one.")
MAX_OUTPUT = 20_000  # of one result: bytes of a command, characters of a file
MAX_FILE = 10_000_000  # bytes of a file that is read or changed


# What is between the model and the files.
SEEN = {}  # the bytes of each file as the model has last read or written it
RUNS = (".python-version", "pyproject.toml", "uv.toml")  # what these name is started or installed


def find(path):
    """Return the file of a path. It must be in the project, and not one of git's."""
    file = (ROOT / path).resolve()
    if not file.is_relative_to(ROOT):
        raise ValueError(f"{path} is outside of the project: give a path inside it")
    if ".git" in [part.lower() for part in file.relative_to(ROOT).parts]:
        raise ValueError(f"{path} is git's own, and git runs programs that files there name")
    if file == Notes.path:
        raise ValueError(f"{path} is the file of --save")
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise ValueError(f"{path} is no ordinary file")  # a pipe may never end
    if file.is_file() and file.stat().st_size > MAX_FILE:
        raise ValueError(f"{path} has more than {MAX_FILE:,} bytes")
    return file


def read_bytes(file):
    return file.read_bytes() if file.exists() else None


def save(path, content, shown, kind):
    """Ask the user, and write a file whole, or not at all if it has changed meanwhile."""
    file, data = find(path), content.encode()  # an error is raised before the question
    before = read_bytes(file)
    is_known = before == SEEN.get(file)  # else an earlier "a" is no answer about its text
    if file.name.lower() in RUNS:
        shown, kind = f"{shown}\n--- {file.name}: uv starts or installs what it names.", ""
    ask_user(shown, kind, is_known)
    if find(path) != file or before != read_bytes(file):
        raise ValueError(f"{path} was changed while the user was asked: read it again")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        new = Path(folder, "new")  # a full disk must not empty the old file
        new.write_bytes(data)
        if before is not None:
            shutil.copymode(file, new)
        new.replace(file)
    SEEN[file] = data


# Python says what it is about to do: https://docs.python.org/3/library/audit_events.html
OPENS = {"open", "os.listdir", "os.scandir"}
STARTS = {"os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
PYTHON = Path(os.__file__).resolve().parent  # from where a function can import
reading = []  # while the part's read_file runs: why its path is refused, or None


def watch(event, given):
    """Raise an error if the part's `read_file` is about to open what it may not."""
    if not reading or event not in OPENS | STARTS or event in OPENS and isinstance(given[0], int):
        return
    refused = reading[-1]
    if event in STARTS:
        raise refused or PermissionError("read_file starts no program")
    file = Path(os.fsdecode(given[0] or ".")).resolve()
    if not file.is_relative_to(PYTHON):
        if refused:
            raise refused
        find(file)


sys.addaudithook(watch)  # for good: Python cannot remove one


def guard(function):
    """Return the tool of a part's `read_file`. What `find` refuses, it is called for its words."""

    def read_file(path):
        """Return the text of a file."""
        refused = None
        try:
            file = find(path)
            data = file.read_bytes() if file.is_file() else None
        except (OSError, RuntimeError, TypeError, ValueError) as problem:
            refused = problem
        reading.append(refused)
        try:
            text = function(ROOT, path)
        except UnicodeError:  # its text has the bytes
            raise refused or ValueError(f"{path} is no text in UTF-8") from None
        finally:
            reading.clear()
        if refused:
            raise refused
        SEEN[file] = data
        return text

    read_file.__qualname__ = "read_file"  # as an error about its arguments names it
    return read_file


failures = Counter()  # of each call and its error, since a call has changed something


def show(name, function):
    """Return a tool's function that shows me its errors, and each list, and returns a text."""

    def run(**given):
        try:
            output, failed = cut(str(function(**given))), False
        except Exception as problem:
            output, failed = cut(str(problem) or type(problem).__name__), True
            say(f"(not done) {name}: {output}")
        if failed or re.search(r"\(exit code \d+\)$", output):
            failures[call := (name, str(given), output)] += 1
            if failures[call] > 2:
                output += f"\nThis call has failed {failures[call]} times in this way: do not "
                output += "repeat it. Do something else, or say what you need."
        elif name not in ("read_file", "todo"):
            failures.clear()
        if failed:
            raise ValueError(output)
        if name in ("read_file", "todo"):  # about all others, I was asked
            say(output if name == "todo" else f"read_file: {given['path']}")
        return output if output.strip() else "(no output)"

    return run


@cache
def find_sandbox():
    """Return a function that runs commands in the lesson's way, or None, and what protects me."""
    without = "Commands run without a sandbox{}: they can do whatever you can do."
    if not basics.HAS_LESSON:
        return None, without.format("")
    from safetylib import bubblewrap, paths, shell

    def run(command, seconds):
        git = paths.find_git(ROOT)
        return shell.run_command(command, ROOT, timeout=seconds, read_only=git)

    try:
        if bubblewrap.sandbox_works():
            return run, "Commands run in a sandbox: they can write only here, without network."
        return run, without.format(f" ({bubblewrap.explain_missing()})")
    except OSError as problem:
        return run, f"No command runs now. {problem}"


def run_command(command, seconds=60):
    """Return the output and the exit code of a command, and end all that it has started."""
    if run := find_sandbox()[0]:
        try:
            return run(command, seconds)
        except (OSError, ValueError) as problem:  # such as its time limit
            return str(problem), 1
    # Of a long output, what is between its beginning and its end is dropped: it may have no end.
    half, pipe = MAX_OUTPUT // 2, subprocess.PIPE
    with start(f"head -c {half}; tail -c {half}", stdin=pipe, stdout=pipe) as reader:
        output, errors = reader.stdin, subprocess.STDOUT
        with start(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors) as process:
            try:
                code, said = process.wait(seconds), ""
            except subprocess.TimeoutExpired:
                code, said = 1, f"\nIt has not ended after {seconds} seconds, so it was ended."
        try:
            output = reader.communicate(timeout=5)[0]
        except subprocess.TimeoutExpired as late:  # a process that has left the group may write
            output = late.output or b""
    output = output.decode(errors="replace").rstrip("\n")
    return output + said, code if code >= 0 else 128 - code  # as a shell says a signal


@contextmanager
def start(command, **streams):
    """Start a command, and at the end of the block end it and all that it has started."""
    names = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")  # so not the key
    env = {name: os.environ[name] for name in names if name in os.environ}
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=ROOT, env=env, start_new_session=True, **streams
    )
    try:
        yield process
    finally:
        with suppress(OSError):  # on Windows only bash itself
            getattr(os, "killpg", os.kill)(process.pid, 9)
        process.wait()


# What is between the model and the user.
STOPPED = "Stopped. The files are as the agent left them."
allowed = set()  # the tools that "a" has allowed, until the next prompt
# A short key, such as "test" for a local server, is no secret: it would also be found in words.
KEYS = [os.environ.get(name, "") for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")]
KEYS = [key for key in KEYS if len(key) >= 16]
# An error of the SDK has the text of an answer as Python or JSON writes it.
KEYS = [form for key in KEYS for form in (key, repr(key)[1:-1], json.dumps(key)[1:-1])]


def ask_user(action, kind="", is_known=True):
    """Show what the model wants to do, and raise PermissionError unless the user says yes.

    The answer "a" also allows the later calls of this kind, until the next prompt.
    """
    # What is not plain ASCII is shown as a code, so no character can hide or reorder a line.
    lines = [ascii(line)[1:-1] for line in action.split("\n")]
    say("\n".join(lines))
    if kind in allowed and is_known:
        return
    many = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
    size = f"{many}, {len(action):,} characters"  # one line can fill the screen
    all_of = f", a (all {kind})" if kind else ""
    said = read_line(f"Allow {lines[0]:.70} ({size})? [y{all_of}, n, or what instead] ")
    if kind and said.lower() == "a":
        allowed.add(kind)
    elif said.lower() not in ("y", "yes"):
        raise PermissionError(f"the user does not allow this, and says: {said or 'no'}")


def read_line(question):
    """Return what the user types after the question: what was typed before is no answer to it."""
    if sys.stdin and sys.stdin.isatty():
        with suppress(ImportError):  # on Windows, there is no termios
            import termios

            termios.tcflush(sys.stdin, termios.TCIFLUSH)
        with suppress(ImportError):
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()
    try:
        return plain(input(plain(question))).strip()
    except (EOFError, RuntimeError, UnicodeError):
        return ""  # nobody is there, or what was typed is no text


def is_user_there():
    """Return whether a user sits at a terminal, who can answer and go on."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def say(text):
    """Print text, or end the run if the screen is closed, as after `| head`."""
    try:
        print(plain(text), flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        close()


def close(*_):
    """End the conversation, and the command that runs: the terminal was closed."""
    sys.stdin = None  # nobody is there any more
    raise KeyboardInterrupt


def plain(text):
    """Return text for the screen: what it lacks, or could move the cursor, becomes "?"."""
    text = "".join(c if c.isprintable() or c == "\n" else "?" for c in hide(str(text)))
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return text.encode(encoding, "replace").decode(encoding)


def hide(value):
    """Return text, or data of JSON, without the key."""
    if isinstance(value, str):
        for key in KEYS:
            value = value.replace(key, "(your key)")
    elif isinstance(value, list):
        value = [hide(one) for one in value]
    elif isinstance(value, dict):
        value = {hide(name): hide(one) for name, one in value.items()}
    return value


def cut(text):
    """Return text that can be sent: not too long, and without half a character or the key."""
    text, half = hide(text), MAX_OUTPUT // 2
    if len(text) > MAX_OUTPUT:  # the end of an output says whether it has failed
        text = f"{text[:half]}\n(the middle is left out)\n{text[-half:]}"
    return text.encode(errors="replace").decode()


# What is between the loop and the server.
UNKNOWN = (
    "Error: the run was stopped before the result was known. It may have run, or a part of it."
)
TOO_LONG = re.compile(  # how servers say that the conversation is too long
    r"(?i)prompt is too long|exceed context limit|context (length|size|window)|input is too long"
    r"|exceeded model token limit|exceeds max length|more than max tokens allowed"
)
MEANINGS = {
    401: "does not accept the key: is ANTHROPIC_API_KEY right?",
    403: "does not accept the key: is ANTHROPIC_API_KEY right, and may it use this model?",
    404: "does not know this model, or this page: are MODEL_ID and ANTHROPIC_BASE_URL right?",
    None: "cannot be reached: does it run, and is ANTHROPIC_BASE_URL right?",
}
WHOLE = ["end_turn", "tool_use", "tool_calls", "function_call"]  # stop reasons of a whole reply
WHOLE_TEXT = ["stop", "stop_sequence"]  # of one without a call
WAITS = (5, 20)  # seconds before a request is sent again, if the server has too much to do


def to_json(value):
    """Return data of JSON for messages: without objects, halves of characters, NaN or the key."""
    text = json.dumps(value, default=lambda one: one.to_dict(warnings=False), ensure_ascii=False)
    return hide(json.loads(text.encode(errors="replace"), parse_constant=lambda number: None))


def read_content(reply):
    """Return the blocks of a reply that any loop can use and send. Raise ValueError for others."""
    blocks, ids = [], set()
    for one in to_json(reply.content):
        kind, text = one["type"], str(one.get("text") or "")
        if kind == "text" and text.strip():  # the API rejects one without words, if it is sent back
            blocks.append(TextBlock.construct(type="text", text=text))
        elif kind == "tool_use":
            name, given, call = one["name"], one["input"], str(one.get("id") or "")
            if not (isinstance(name, str) and name and isinstance(given, dict)):
                raise ValueError(f"a call of {name!r} with {given!r}")
            ids.add(call := call if call and call not in ids else f"call_{len(ids)}")
            blocks.append(ToolUseBlock.construct(type=kind, id=call, name=name, input=given))
        elif kind == "thinking":
            blocks.append(ThinkingBlock.construct(**one))
        elif kind == "redacted_thinking":
            blocks.append(RedactedThinkingBlock.construct(**one))
    return blocks or [TextBlock.construct(type="text", text="(empty)")]


def keep_newest(messages, window, prompts):
    """Return the prompts and at most the last `window` messages, which begin with a reply."""
    place = max(len(messages) - (window or len(messages)), 0)
    while place and place < len(messages) and messages[place]["role"] != "assistant":
        place += 1
    return [one for one in messages[:place] if one["content"] in prompts] + messages[place:]


def answer_calls(messages):
    """Give each call of the newest reply a result, so that the history can be sent."""
    messages[:] = to_json(messages)
    places = [place for place, one in enumerate(messages) if one["role"] == "assistant"]
    newest = messages[places[-1] :] if places else []
    blocks = [block for one in newest for block in one["content"] if isinstance(block, dict)]
    answered = [block.get("tool_use_id") for block in blocks]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    result = {"type": "tool_result", "content": UNKNOWN}
    results = [result | {"tool_use_id": call} for call in calls if call not in answered]
    if results:
        messages.insert(places[-1] + 1, {"role": "user", "content": results})


class Notes:
    """The file of --save: a line of JSON for each prompt, request, reply and error.

    A "sent" line has the `messages` after the first `kept` ones of the conversation so far, which
    the reply is added to.
    """

    path = None  # of the file, which no tool may change

    def __init__(self, name, **first):
        """Create the file, which only I can read. Raise OSError if anything has its name."""
        self.sent, self.file = [], None
        if name is not None:
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
            self.file = os.fdopen(os.open(name, flags, 0o600), "w")
            Notes.path = Path(name).resolve()
        self.write("session", version=1, **first)

    def write(self, kind, **fields):
        line = {"type": kind, "time": time.strftime("%FT%TZ", time.gmtime())} | hide(fields)
        try:
            if self.file:
                print(json.dumps(line), file=self.file, flush=True)
        except (OSError, ValueError) as problem:
            self.file = None
            say(f"From here on, nothing is saved: {problem}.")

    def write_sent(self, messages):
        """Write what is new in the messages: how many are those of before, and the others."""
        kept = 0
        while kept < min(len(messages), len(self.sent)) and messages[kept] == self.sent[kept]:
            kept += 1
        if messages != self.sent:
            self.write("sent", kept=kept, messages=messages[kept:])
        self.sent = messages[:]


class Model:
    """The client of any loop: `messages.create` is `create`, which returns what a loop can use."""

    def __init__(self, client, notes, window, limits, make_room):
        self.client, self.notes, self.window, self.make_room = client, notes, window, make_room
        self.messages, self.prompts = self, []  # so it is `client.messages` as well
        self.limits = limits  # of requests and tokens, for each prompt

    def begin(self, prompt, messages):
        """Add a prompt to the conversation, and count its requests, tokens and failures anew."""
        prompt = to_json(prompt)
        answer_calls(messages)
        messages.append({"role": "user", "content": prompt})
        self.notes.write("prompt", text=prompt)
        self.prompts.append(prompt)
        self.requests = self.tokens = 0
        allowed.clear()
        failures.clear()

    def create(self, messages, **settings):
        """Send the conversation and return the reply, or end the run if there is none to use."""
        messages[:] = to_json(messages)
        for words in re.findall(r"<reminder>(.{,70}?)(?:\\n|<)", str(messages[-1]["content"])):
            say(f"(reminder) {words}")
        self.notes.write_sent(messages)
        try:
            reply = self.send(keep_newest(messages, self.window, self.prompts), settings)
        except anthropic.AnthropicError as problem:
            said = f"{describe(problem, self.client)} {STOPPED}"
            self.notes.write("failed", error=said)
            if not TOO_LONG.search(str(problem)):
                sys.exit(said)
            shorter = self.make_room(to_json(messages))
            if len(shorter) >= len(messages):
                sys.exit(f"The conversation is too long, and `make_room` left nothing out. {said}")
            say(f"The conversation was too long: {len(messages) - len(shorter)} messages less.")
            messages[:] = shorter
            return self.create(messages, **settings)
        return self.check(reply, settings["max_tokens"])

    def send(self, messages, settings):
        """Send a request, and send it again if the server has too much to do."""
        for wait in (*WAITS, 0):
            self.requests += 1
            if self.requests > self.limits[0] or self.tokens > self.limits[1]:
                limits = f"{self.requests - 1} requests and {self.tokens:,} tokens"
                sys.exit(f"The limit of a prompt is reached: {limits}. {STOPPED}")
            try:
                return self.client.messages.create(messages=messages, **settings)
            except (anthropic.RateLimitError, anthropic.InternalServerError) as problem:
                if not wait or TOO_LONG.search(str(problem)):
                    raise
                say(f"{describe(problem, self.client)} It is asked again in {wait} seconds.")
                time.sleep(wait)
            except (ValueError, RecursionError) as problem:  # half a reply, or a page of a proxy
                sys.exit(f"The server's reply cannot be read: {hide(repr(problem)):.300} {STOPPED}")

    def check(self, reply, most):
        """Show the words of a reply, and return it if it is whole."""
        try:
            reply.content = read_content(reply)
            names = ("content", "stop_reason", "usage", "model")
            fields = to_json({name: getattr(reply, name, None) for name in names})
            used = [getattr(reply.usage, f"{one}put_tokens", None) for one in ("in", "out")]
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as problem:
            sys.exit(f"The server's reply is no message: {hide(repr(problem)):.300} {STOPPED}")
        self.notes.write("reply", **fields)
        self.notes.sent.append({"role": "assistant", "content": fields["content"]})
        for block in reply.content:
            if block.type == "text":
                say(block.text)
        used = [one if isinstance(one, int) else 0 for one in used]
        self.tokens += sum(used)
        has_calls = any(block.type == "tool_use" for block in reply.content)
        whole = WHOLE if has_calls else WHOLE + WHOLE_TEXT
        # Half a call can look like a whole one, and some servers report it as complete.
        if used[1] >= most or reply.stop_reason not in whole:
            why = f"{used[1]} tokens, {reply.stop_reason!a:.60}"
            sys.exit(f"The reply was cut off ({why}), so nothing of it was run. {STOPPED}")
        return reply


def describe(problem, client):
    """Return what a failed request means, and what the server has said."""
    status = getattr(problem, "status_code", None)
    said = hide(str(getattr(problem, "message", problem)))  # before it is cut
    meaning = MEANINGS.get(status, f"answered with an error ({status}).")
    return plain(f"{getattr(client, 'base_url', 'The server')} {meaning} It said: {said:.300}")


def check_folder(prompt):
    """End the program where an agent must not work: what it writes there could run."""
    program = Path(__file__).parent
    if any(place.is_relative_to(ROOT) for place in (program, program.resolve())):
        line = shlex.join([sys.executable, str(program), prompt or "…"])
        print(plain(f"Start this in the folder of a project:\n\n    {line}"), file=sys.stderr)
        sys.exit(2)
    places = [*map(Path, sys.path)]
    with suppress(RuntimeError):  # an account without a home folder
        places.append(Path.home())
    for place in places:
        if place.resolve().is_relative_to(ROOT):
            sys.exit(plain(f"{ROOT} contains {place}: start this in the folder of a project."))


def read_address(address):
    """Return the parts of the server's address, or end the program if it is none."""
    with suppress(ValueError):
        url = urlsplit(address)
        known = url.scheme in ("http", "https") and url.hostname and url.port != 0
        if known and re.fullmatch("[!-~]+", address):
            return url
    sys.exit("ANTHROPIC_BASE_URL is no address like http://localhost:11434.")


def connect(model):
    """Return a client for the server that the environment names. The key is sent nowhere else."""
    if not (os.environ.get("ANTHROPIC_API_KEY") and model):
        sys.exit("Set ANTHROPIC_API_KEY, and a model's name in MODEL_ID: see __main__.py.")
    if not re.fullmatch("[!-~]+", os.environ["ANTHROPIC_API_KEY"]):
        sys.exit("ANTHROPIC_API_KEY has a space, a line break or another sign that no key has.")
    url = read_address(os.environ.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com")
    is_local = url.hostname in ("localhost", "127.0.0.1", "::1")
    if url.scheme == "http" and KEYS and not is_local:
        sys.exit(
            "ANTHROPIC_BASE_URL begins with http://, so others could read your key: use https."
        )
    # A redirect leads to another server, and a proxy would get the key of a local one.
    http = anthropic.DefaultHttpxClient(follow_redirects=False, trust_env=not is_local)
    return anthropic.Anthropic(http_client=http, max_retries=0)
