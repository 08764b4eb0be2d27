"""The terminal's side of what protects you: questions, screen, saved file. Do not change it.

The protection itself is the package `safetylib`, which a notebook uses as well. SECURITY.md of the
lesson says what they promise. frame.py calls this file, and has what you may change. If nothing in
the two was changed, the lesson renews them together.
"""

import os
import re
import shlex
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path

import anthropic

from agentlib import Call, Tool, Workspace, first_message
from agentlib.room import keep_last, read_blocks, take_room
from safetylib.guard import approval, bubblewrap, diffs, escape, files, import_guard, opening, paths
from safetylib.guard.circles import SAME_CALLS, Failures, count_same, describe_circle
from safetylib.guard.hide_keys import hide_keys_in, remember_own_keys
from safetylib.guard.shell import MAX_OUTPUT_CHARS
from safetylib.guard.signatures import signature
from safetylib.guard.typed import ANSWERS, MAX_LINE, MEANWHILE, has_lines, take_lines, take_typed
from safetylib.wire.client import CheckedClient
from safetylib.wire.ends import EARLY_ENDS, RunEndedError, read_end
from safetylib.wire.last_reply import describe_end
from safetylib.wire.refusals import is_too_long
from safetylib.wire.reminders import PROGRAM_SAYS
from safetylib.wire.replies import (
    answer_calls,
    calls_of,
    find_half,
    plain_blocks,
    shown_text,
    without_empty,
    write_sendable,
)
from safetylib.wire.run_file import VERSION, RunLines
from safetylib.wire.server.connect import ConnectError, Watched, open_client
from safetylib.wire.server.limits import LimitReachedError
from safetylib.wire.server.server_errors import explain_server_error

try:
    ROOT = Path.cwd().resolve()  # where the program was started: the agent works in this folder
except FileNotFoundError:
    sys.exit("The folder in which you start this was deleted: start it in another one.")
QUIET_SECONDS = 5  # a longer wait for the server is said
remember_own_keys()


# What is between the model and the files.
@cache
def workspace():
    """Return the package's tools for this folder. Raise ValueError where no agent must work."""
    return Workspace(ROOT, sandbox=Commands.in_sandbox)


@cache
def tools():
    """Return those that ask first, by name: each shows in its first line which file it changes."""

    def ask_first(tool):
        def preview(path, **more):
            name = diffs.show_name(find(path).relative_to(ROOT).as_posix())
            return f"{tool.name}: {name}\n{tool.preview(path=path, **more)}"

        made = Tool(**vars(tool) | {"preview": preview})
        return approval.ask_first(made, ask, show=show_allowed)

    return {one.name: ask_first(one) for one in workspace().tools() if one.depends_on}


def change(tool, path, **more):
    """Ask the user, and change a file by a tool of the package: what was shown, or nothing."""
    return tools()[tool].run(path=path, **more)


find = partial(files.explain_errors(paths.find_file), ROOT)


def guard(function):
    """Return the tool of a part's `read_file`. What is refused, it is called for its words."""

    def read_file(path):
        """Return the text of a file."""
        return opening.read_by(function, ROOT, path)

    read_file.__qualname__ = "read_file"  # as an error about its arguments names it
    return read_file


SKIPPED = (".git", ".venv", "__pycache__", "node_modules")  # folders that others write
MOST_FILES = 20_000  # that are compared: it takes less than a second
MOST_NAMES = 10


def list_files():
    """Return what tells a changed file of the project, by its name; None if there are too many."""
    found = {}
    for place, folders, names in os.walk(ROOT):
        folders[:] = [one for one in folders if one not in SKIPPED]
        for file in [Path(place, one) for one in names]:
            with suppress(OSError):  # it has just gone
                if not paths.is_written(file):
                    status = file.lstat()
                    name = diffs.show_name(file.relative_to(ROOT).as_posix())
                    found[name] = status.st_size, status.st_mtime_ns, status.st_ino
        if len(found) > MOST_FILES:
            return None
    return found


def describe_changes(before):
    """Return which files have changed since `list_files` was called, and in which folder."""
    after = list_files()
    if before is None or after is None:
        return f"The files are in {ROOT}. They are too many to say which have changed."
    names = sorted(one for one in before | after if before.get(one) != after.get(one))
    shown = ", ".join(one if one in after else f"{one} (deleted)" for one in names[:MOST_NAMES])
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Changed ({len(names)}): {shown}{more}, in {ROOT}" if names else "No file has changed."


failures = Failures()
made = []  # the calls of a prompt
shown = []  # what a call does, by a question, or because "a" has allowed it


def show(name, function):
    """Return a tool's function that shows me its calls, and each list, and returns a text."""

    first = next(iter(signature(function).parameters), "")  # such as the path

    def run(**given):
        shown.clear()
        try:
            output, failed = cut(str(function(**given))), False
        except Exception as problem:
            output, failed = cut(str(problem) or type(problem).__name__), True
            say(f"(not done) {name}: {output}")
        made.append(Call(name, given, output, not failed))
        if count_same(made) == SAME_CALLS:
            say(describe_circle(made))
        output = failures.note(name, given, output, has_failed=failed)
        if failed:
            raise ValueError(output)
        if not shown:
            say(output if name == "todo" else f"{name}: {given.get(first, '')}")
        return output if output.strip() else "(no output)"

    run.__signature__ = signature(function)  # so a wrong field is told in the package's words
    return run


class Commands:
    """How commands run: as the user does or, with --sandbox, in the lesson's sandbox."""

    in_sandbox, is_told = False, False
    OPTION = " (`--sandbox` runs them without network and your home folder.)"
    FAILED = (
        "(It ran in the sandbox of --sandbox: no network, no home folder, so none of its settings, "
        "keys and programs, and nothing can be written outside of the project.)"
    )


def use_sandbox(wanted):
    """Let commands run in the sandbox, or as the user does. Return a sentence that says which."""
    Commands.in_sandbox = wanted
    try:
        import_guard.find_bash()
        if wanted and not bubblewrap.sandbox_works():
            sys.exit(f"--sandbox: there is none here ({bubblewrap.explain_missing()}).")
    except FileNotFoundError as problem:
        return str(problem)
    except OSError as problem:
        sys.exit(f"--sandbox: {problem}")
    if wanted:
        return bubblewrap.BOXED
    return bubblewrap.FREE.format("") + (
        Commands.OPTION if import_guard.find_program("bwrap") else ""
    )


def has_shell():
    """Return whether this computer has bash: Windows and a browser have none."""
    with suppress(FileNotFoundError):
        return bool(import_guard.find_bash())
    return False


def run_command(command):
    """Return the output and the exit code of a command, and end all that it has started."""
    try:
        output, code = workspace().run_command(command)
    except (OSError, ValueError) as problem:  # such as its time limit, or no sandbox now
        return str(problem), 1
    if code and Commands.in_sandbox and not Commands.is_told:
        Commands.is_told = True
        say(f"(exit code {code}) {Commands.FAILED}")
        output = f"{output}\n{Commands.FAILED}"
    return output, code


# What is between the model and the user.
STOPPED = "Stopped. The files are as the agent left them."


@cache
def asking(kind):
    """Return a tool that does nothing but ask, so that "a" is about its kind only."""
    asked = Tool(kind, "", {}, lambda action: "", preview=lambda action: action)
    return approval.ask_first(asked, ask, show=show_allowed)


def ask_user(action, kind=""):
    """Show what the model wants to do, and raise PermissionError unless the user says yes.

    The answer "a" also allows the later calls of this kind, until the next prompt.
    """
    asking(kind).run(action=action)


def draw(action):
    """Return what a call does, for the screen, and note that it is shown."""
    shown.append(action)
    return escape.for_approval(action, getattr(sys.stdout, "encoding", None) or "ascii")


MOST_LINES, MOST_CHARS = 40, 200  # of what is shown without a question, and of a line of it


def show_allowed(action):
    """Show the first lines of what "a" has allowed."""
    lines = draw(action).split("\n")
    left = len(lines) - MOST_LINES
    say("\n".join(cut_lines(lines[:MOST_LINES]) + [f"(… {left} more lines)"] * (left > 0)))


def show_output(output):
    """Show the last lines of what a command has printed."""
    lines = cut_lines(hide_keys_in(output).strip().splitlines()[-5:])
    if lines not in ([], ["(no output)"]):
        say("\n".join(f"    {one}" for one in lines))


def cut_lines(lines):
    """Return lines without the ends of long ones."""
    return [one if len(one) <= MOST_CHARS else f"{one:.{MOST_CHARS}} …" for one in lines]


def ask(question):
    """Show a question in full, and return the user's answer: an `approval.Ask`."""
    action = question.preview
    text = draw(action)
    codes = approval.describe_characters(question.tool, action, text)
    say(f"{text}\n({question.why})" if question.why else text)
    lines = text.split("\n")
    many = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
    size = f"{many}, {len(action):,} characters{codes}"  # one line can fill the screen
    if question.tool == "bash":
        size += ", in the sandbox" if Commands.in_sandbox else ", without a sandbox"
    all_of = f", a (all {question.tool})" if question.tool else ""
    said = read_line(f"Allow {lines[0]:.70} ({size})? [y{all_of}, n, or what instead] ")
    if said is None:
        say(approval.NOT_ANSWERED)
        raise PermissionError(approval.NO_ONE)
    answer = approval.parse_answer(said)
    if answer == approval.ALL_IN_THIS_RUN and not question.tool:  # there is no "all" of it
        raise PermissionError(approval.REFUSED)
    return answer


class Meanwhile:
    """What the user has typed while the agent worked: whole lines, for the next request."""

    lines = []
    MOST = 2000  # characters

    @classmethod
    def keep(cls, found):
        """Keep what was typed for the model, and say what is dropped."""
        size = sum(map(len, cls.lines))
        for line in found.words:
            if (size := size + len(line)) > cls.MOST:
                say(f"(Not sent: more than {cls.MOST:,} characters were typed meanwhile.)")
                break
            cls.lines.append(line)
        if len(found.words) < sum(map(bool, found.lines)):
            say("(A lone y, a or n before a question is no answer, and is not sent.)")
        if found.rest:
            say(f"(Not sent, because it had no Enter: {found.rest:.70})")

    @classmethod
    def take(cls):
        """Return what is kept as one text, and forget it."""
        words, cls.lines = " ".join(cls.lines), []
        return words


def read_line(question, is_prompt=False):
    """Return what the user types after the question, and not before it; None if nobody is there.

    Lines that come together are one text, unless the first one is an answer.
    """
    Meanwhile.keep(take_typed())
    try:
        text = input(plain(question))
    except (EOFError, RuntimeError):
        return None
    except UnicodeError:  # what was typed is no text
        return ""
    if len(text.encode("utf-8", "replace")) >= MAX_LINE and is_user_there():
        say(f"(A terminal cuts a line after {MAX_LINE:,} bytes: the end of yours may be missing.)")
    if is_prompt or has_lines():
        more = take_typed()
        if text.strip().lower() in (*ANSWERS, ""):
            Meanwhile.keep(more)
        else:
            text = "\n".join([text, *more.lines, more.rest])
    return plain(text).strip()


def read_prompt():
    """Return the user's next prompt, or "" at the end. It can be what was typed meanwhile."""
    Meanwhile.keep(take_typed())
    words = Meanwhile.take()
    if words:
        say(f"You typed meanwhile: {words}")
    empty = "these words" if words else "the end"
    text = read_line(f"\nYour next prompt (empty: {empty}): ", is_prompt=True)
    text = words if text == "" else text or ""
    if text.lower() in ANSWERS:
        asked = f"Nothing is asked now. Type {text} again to send it as a prompt, or another one: "
        text = read_line(asked, is_prompt=True) or ""
    return text


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
    """Return text for the screen, without the key, and without what could move the cursor."""
    return escape.for_print(hide_keys_in(str(text)))


def cut(text):
    """Return text that can be sent: not too long, and without half a character or the key."""
    text, half = hide_keys_in(text), MAX_OUTPUT_CHARS // 2
    if len(text) > MAX_OUTPUT_CHARS:  # the end of an output says whether it has failed
        text = f"{text[:half]}\n(the middle is left out)\n{text[-half:]}"
    return escape.for_api(text)


# What is between the loop and the server.
@contextmanager
def waiting(host):
    """Say in a terminal that the server is waited for, if it takes longer than QUIET_SECONDS."""
    said = f"(Waiting for {host}. Ctrl-C stops this.)"
    timer = threading.Timer(QUIET_SECONDS, lambda: print(plain(said), flush=True))
    timer.daemon = True
    if is_user_there():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def to_json(value):
    """Return messages, or a part of one, as plain data that can be sent, without the key."""
    return hide_keys_in(write_sendable(value))


class Notes(RunLines):
    """The lines of --save, with their times."""

    def __init__(self, name, **first):
        """Create the file, which only I can read. Raise OSError if anything has its name."""
        super().__init__(say)
        if name is not None:
            self.create(name)
        self.add("session", version=VERSION, **first)

    def add(self, kind, **fields):
        """Add a line with the time, and return it."""
        return super().add(kind, time=time.strftime("%FT%TZ", time.gmtime()), **fields)

    def watch(self, nag):
        """Return the nag as a function that also shows and writes what it returns."""

        def remind(calls):
            reminder = nag(calls)
            if isinstance(reminder, str) and reminder.strip():
                self.add("known", reminder=reminder)
                words = re.sub("</?reminder>", "", reminder).strip()
                say("(reminder) " + words.replace("\n", "\n           "))
            return reminder

        return remind


DECLINED = (
    "the prompt before was declined, so it is left out, with all that followed. Run for it: {}. {}"
)
OPEN = "open tasks of an earlier prompt are in your list ({}): keep only what this one asks for."


class Model(CheckedClient):
    """The client of any loop: it records and shows each request that goes out, and its reply."""

    def __init__(self, client, notes, window, limits, make_room):
        super().__init__(client, say=say)
        self.notes, self.window, self.make_room = notes, window, make_room
        self.limits = limits  # of requests and tokens, for each prompt
        self.kept = []  # the conversation before the last prompt
        self.has_declined, self.said = False, ""  # by its last reply

    def begin(self, prompt, messages, has_list=False, left=()):
        """Add a prompt to the conversation, and count its requests, tokens and failures anew.

        The first one reminds a model that has a list to plan, and a later one says how many tasks
        are `left` in it. After a refusal, which each later request would get as well, all since the
        prompt before leaves, and the model is told what has run and changed.
        """
        prompt, told, history = to_json(prompt), [], messages
        if self.has_declined:
            ran = [str(one) for one in made if one.ok and one.name not in ("read_file", "todo")]
            ran = "; ".join(ran[-MOST_NAMES:]) or "nothing"
            told.append(DECLINED.format(ran, describe_changes(self.files)))
            history = self.kept
        if left:
            told.append(OPEN.format(left))
        messages[:] = to_json(answer_calls(history))  # also those that Ctrl-C has stopped
        self.kept, self.files = [*messages], list_files()
        self.has_declined, self.said = False, ""
        is_first = has_list and not messages
        message = first_message(prompt) if is_first else {"role": "user", "content": prompt}
        if told:
            words = to_json(PROGRAM_SAYS + " ".join(told))
            say(f"(to the model) {words}")
            block = {"type": "text", "text": f"{words}\n\n"}
            message["content"] = [block, *read_blocks(message)]
        messages.append(message)
        self.notes.add("prompt", text=prompt)
        self.limits.renew()
        self.before = self.limits.requests_sent, self.limits.tokens_used
        approval.end_all()
        failures.clear()
        made.clear()

    def create(self, messages, **settings):
        """Return a reply that any loop can run, or end the run if there is none, and say why."""
        try:
            reply = super().create(messages=messages, **settings)
        except RunEndedError as problem:
            self.fail(f"{problem} {STOPPED}")
        self.has_declined = reply.stop_reason == "refusal"
        if calls_of(reply):
            return reply
        why = describe_end(
            shown_text(plain_blocks(reply)),
            reply.stop_reason,
            [tool["name"] for tool in settings.get("tools", ())],
            has_calls=False,
            has_called="'tool_use'" in str(messages),
            details=getattr(reply, "stop_details", None),
        )
        if not read_end(reply.stop_reason).is_complete:
            self.fail(f"{why} {STOPPED}")
        if why:
            say(why)
        return reply

    def send(self, messages, made=0, **settings):
        """Send the conversation once, and again if room was made for it. Show what comes."""
        messages[:] = to_json(messages)
        self.add_typed(messages)
        self.notes.add_sent(messages, settings)
        sent = keep_last(answer_calls(without_empty(messages)), self.window)
        host = getattr(getattr(self._client, "base_url", None), "host", "the server")
        try:
            with waiting(host):
                reply = super().send(messages=sent, **settings)
        except LimitReachedError:
            requests = self.limits.requests_sent - self.before[0]
            tokens = self.limits.tokens_used - self.before[1]
            used = f"{requests} request{'s' * (requests != 1)} and {tokens:,} tokens"
            self.fail(f"The limit of a prompt is reached: {used}. {STOPPED}")
        except anthropic.APIError as problem:
            said = f"{explain_server_error(problem, settings['model'], host)} {STOPPED}"
            if not is_too_long(problem):
                self.fail(said)
            before = len(messages)
            if not take_room(messages, self.make_room(to_json(messages)), made):
                self.fail(f"The conversation is too long, and `make_room` left nothing out. {said}")
            say(f"The conversation was too long: {before - len(messages)} messages less.")
            return self.send(messages, made + 1, **settings)
        return self.show(reply, settings)

    def fail(self, said):
        """End the run, and write why."""
        self.notes.add("failed", error=said)
        sys.exit(plain(said))

    def add_typed(self, messages):
        """Add what the user has typed meanwhile to the last result, where a reminder is as well."""
        Meanwhile.keep(take_lines())
        blocks = messages[-1]["content"]
        last = blocks[-1] if isinstance(blocks, list) and blocks else {}
        is_text = isinstance(last, dict) and isinstance(last.get("content"), str)
        if Meanwhile.lines and is_text and last.get("type") == "tool_result":
            words = hide_keys_in(Meanwhile.take())
            last["content"] += f"{MEANWHILE}{words}"
            self.notes.add("typed", text=words)
            say(f"(to the model) {words}")

    def show(self, reply, settings):
        """Show the words of a reply, and which calls of it are not run, and save it."""
        self.notes.add_reply(reply, "model", left_out=self.thinking_left_out)
        self.said = shown_text(plain_blocks(reply))
        if self.said:
            say(self.said)
        names = [tool["name"] for tool in settings.get("tools", ())]
        half = find_half(reply, settings["max_tokens"])
        for call in calls_of(reply):
            if call is half:
                end = reply.stop_reason
                say(f"(not done) The reply was cut off ({end!a:.60}): the model is told.")
            elif call.name not in names:
                say(f"(not done) The model has called {call.name:.60}, which is no tool.")
        return reply


def check_folder(prompt):
    """End the program where an agent must not work: what it writes there could run."""
    program = Path(__file__).parent
    if any(place.is_relative_to(ROOT) for place in (program, program.resolve())):
        line = shlex.join([sys.executable, str(program), prompt or "…"])
        print(plain(f"Start this in the folder of a project:\n\n    {line}"), file=sys.stderr)
        sys.exit(2)
    try:
        workspace()
    except (OSError, ValueError) as problem:
        sys.exit(plain(f"{problem} Then start this in the folder of a project."))


def say_attempt(text):
    """Say what the connection says, but for the end of a reply, which `Model` says."""
    if text not in EARLY_ENDS.values():
        say(text)


def connect(model, limits, client=None):
    """Return a client with these limits for the server that the environment names, or yours."""
    if client:
        return client.with_middleware(limits.middleware)
    names = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")
    if not (model and any(os.environ.get(name, "").strip() for name in names)):
        sys.exit(
            "Set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL, for a server of your own), and a "
            "model's name in MODEL_ID: see __main__.py."
        )
    try:
        with waiting("the server: are the key and the model's name right?"):
            return open_client(model, os.environ, limits, say_attempt, Watched())
    except ConnectError as problem:
        sys.exit(plain(problem))
    except KeyboardInterrupt:
        sys.exit("Stopped. Nothing was sent but the question whether there is this model.")
