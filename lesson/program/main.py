"""Run the learner's program: read its command, connect to a model, print each round, and ask."""

import os
import shutil
import sys
import time
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentlib import RunEndedError
from agentlib.loop import Round
from agentlib.nag import AFTER
from agentlib.replies import plain_blocks, shown_text
from agentlib.room import make_room
from agentlib.todo import GONE, TodoManager
from agentlib.tools import Call
from agentlib.workspace import Workspace
from exerciselib.learners_code import exhaust
from safetylib import approval, escape

from ..common.file_errors import describe_file_error
from ..common.message_blocks import REMINDERS, is_list_tool
from ..common.pluralize import pluralize
from ..practice.ignored_reminders import judge_reminder
from ..practice.model_choice import connect, connect_practice
from ..practice.policy.own_work import find_unknown
from ..practice.practice_model import PracticeModel
from ..real_model.connection import ConnectError, Connection
from ..real_model.cut_off import refuse_cut_off
from ..real_model.hide_keys import mask_keys
from ..real_model.limits import LimitReachedError
from ..real_model.server_errors import explain_server_error
from ..runs.adapters import ReadFile, list_tool, read_times, uses_remind
from ..runs.agent import Agent, assemble_agent
from ..runs.room import MakeRoom, NoRoomError, make_room_for
from ..runs.stop_in_vain import AskedInVainError, stop_in_vain
from ..runs.watch import WatchedClient
from ..runs.window import WINDOW
from ..samples.copies import copy_sample, find_job_of, find_missing
from ..samples.find_job import find_job
from ..samples.jobs import list_jobs
from ..samples.project_files import NotJudgedError
from ..samples.try_out import try_out
from . import frame

GREEN, RED, PURPLE = "32", "31", "35"  # what is done, what is not, and a reminder
CLEAR_LINE = "\x1b[K"
OTHER_SAMPLE = (
    "The agent works in the folder {} until the program ends. For {}, start it again with this "
    "prompt."
)
NO_LIST = "This loop does not use `remind`, so it runs without the list and the nag."


def main(
    agent_loop: Callable[..., Any],
    todo_class: Callable[..., Any],
    nag_class: Callable[..., Any],
    ask_at_the_stop: Callable[..., Any],
    make_room: MakeRoom = make_room,
    read_file: ReadFile | None = None,
) -> None:
    """Run an agent with these parts on the prompt in the command, in the folder of the program.

    If a user sits at the terminal, go on with the prompts that they type. The loop may yield, and
    may lack `remind`; the list may lack `tool()`. Raise SystemExit, with a message, if the program
    cannot begin, or ends before the work is done.
    """
    given = read_command()
    os.chdir(Path(sys.argv[0]).resolve().parent)  # the agent works next to the program
    path, prompts, messages = frame.find_session(given, os.getcwd())
    prompt = given.prompt or frame.ask_prompt()
    if not prompt:
        return
    try:
        model = connect(given.model or os.environ.get("MODEL_ID"))
        if given.context and not model.real:
            model = connect_practice(PracticeModel(context_window=given.context))
        workspace = open_workspace([*prompts, prompt][0], model)
    except shutil.Error as problem:
        raise SystemExit(f"The sample was not copied. {describe_file_error(problem)}") from None
    except (ConnectError, OSError, ValueError) as problem:
        raise SystemExit(str(problem)) from None
    typed: list[str] = []
    model = replace(model, ask=note_words(model.ask, typed))
    job = find_job_of(workspace)
    if model.real and job and prompt.split() == job.prompt.split():
        prompt = job.name_steps(prompt)  # so that what is asked and what is counted are the same
    # Without a window, all messages are sent, until the model's server rejects them.
    window = None if model.real or given.context else WINDOW
    session = frame.Session(
        path,
        mask_keys,
        messages,
        folder=os.getcwd(),
        program=Path(sys.argv[0]).name,
        model=model.settings["model"],
        window=window,
    )

    def room(messages: list[Any], *more: Any) -> str:
        if said := make_room_for(messages, make_room, todo, *more):
            frame.keep_words(messages, prompts[-1], typed)
            say(f"     {said}")
        return said

    client = PrintingClient(model, window, room, session=session)
    # A list that nothing brings back is lost: the package's is left out, the learner's is not.
    has_list = todo_class is not TodoManager or uses_remind(agent_loop)
    agent = assemble_agent(
        prompt,
        workspace,
        model,
        client,
        loop=agent_loop,
        todo=todo_class if has_list else None,
        nag=nag_class,
        after=given.after,
        clock=time.monotonic if model.real else None,
        read_file=read_file,
    )
    todo = agent.todo if has_list else TodoManager()  # which is empty
    if agent.note or not has_list:
        say(f"     {agent.note or NO_LIST}")
    frame.show_again(messages, {tool.name: tool.run for tool in agent.tools})
    if given.plan:
        ask = model.ask
        plan = frame.Plan(todo, list_tool, lambda shown: ask(approval.Question("todo", shown)))
        tools = [replace(tool, run=plan.ask_first(tool.name, tool.run)) for tool in agent.tools]
        # Half a list is no plan, so it is refused before the question.
        agent = replace(agent, tools=[refuse_cut_off(tool) for tool in tools])
    opening = agent.messages.pop()
    agent.messages.extend(messages)

    def work(prompt: str) -> None:
        if len(prompts) > 0 and (problem := describe_other_sample(workspace, prompt)):
            return say(problem)
        frame.tidy(agent.messages)
        is_first = not agent.messages
        agent.messages.append(opening if is_first else {"role": "user", "content": prompt})
        prompts.append(prompt)
        session.write("prompt", text=prompt)
        model.limits.renew()
        nag = nag_class(todo, given.after) if agent.nag is not None else None
        play_prompt(replace(agent, nag=nag), Judge(workspace, prompts[0], given.check, model.real))

    def play_prompt(agent: Agent, judge: Judge) -> None:
        in_vain = stop_in_vain(judge.missing, agent.count_calls, agent.last_text)

        def missing() -> Sequence[str]:  # a question is the user's to answer
            return [] if frame.asks_user(agent.messages) else in_vain()

        try:
            is_broken = play_to_the_end(lambda: ask_at_the_stop(agent.run, agent.messages, missing))
        finally:
            client.finish(agent.messages)
        judge.report()
        print_times(todo, "s" if model.real else "rounds")
        if is_broken:
            raise SystemExit(1)
        if client.rounds and (end := client.describe_end()):
            raise SystemExit(f"Stopped: {end} Look at the files.")
        if judge.failed:
            raise SystemExit(1)

    frame.converse(prompt, work, lambda: f"So far {pluralize(len(client.requests), 'request')}. ")


def note_words(ask: approval.Ask, typed: list[str]) -> approval.Ask:
    """Return the same `ask`, which also notes what the user types instead of yes or no."""

    def asking(question: approval.Question) -> approval.Answer:
        try:
            return ask(question)
        except PermissionError as problem:
            typed.append(str(problem).partition(approval.SAYS)[2])
            raise

    return asking


def describe_other_sample(workspace: Workspace, prompt: str) -> str:
    """Return a sentence if a prompt is about another sample than the one in the folder."""
    job, here = find_job(prompt), find_job_of(workspace)
    if job is None or job.name not in list_jobs() or job == here:
        return ""
    return OTHER_SAMPLE.format(workspace.name, job.name)


def read_command() -> Namespace:
    """Return the prompt, the name of the model and the check, or end with the usage."""
    parser = ArgumentParser(description="Your agent: it works on the prompt.")
    frame.add_options(parser)
    parser.add_argument(
        "--model", help="a real model, instead of MODEL_ID or, without both, the practice model"
    )
    parser.add_argument(
        "--after",
        type=int,
        default=AFTER,
        metavar="ROUNDS",
        help=f"the threshold of the nag, {AFTER} by default",
    )
    parser.add_argument(
        "--context",
        type=int,
        metavar="TOKENS",
        help="let the practice model have a context window of so many tokens, and send it all "
        "messages: the program makes room when they are too many",
    )
    given = parser.parse_args()
    given.prompt = " ".join(given.prompt)
    if not given.prompt and not frame.is_user_there():
        parser.error("the prompt is missing")
    return given


def open_workspace(prompt: str, model: Connection) -> Workspace:
    """Return a workspace in a folder of the current one, which is created if it is missing.

    If `prompt` is about a sample project, the folder has the sample's name and begins as a copy of
    it. Otherwise it is `project` or, for the practice model and a prompt that it does not know,
    `hello`. It is never the current folder: Python imports modules from there when
    `my_agent.py` or a notebook starts, so an agent could plant code that runs outside the sandbox.
    Raise ValueError if the folder is a symlink, which may lead there, or for the practice model if
    somebody else has worked in it: it would overwrite that.
    """
    job = find_job(prompt)
    is_sample = job is not None and job.name in list_jobs()  # not the learner's own job
    if job and is_sample:
        name = job.name
    else:
        name = "project" if model.real or job else "hello"
    if Path(name).is_symlink():
        raise ValueError(
            f"{name} is a symlink, so the agent would work elsewhere: delete it first."
        )
    is_new = not Path(name).exists()
    if is_new and name == "project":
        Path(name).mkdir()
    elif is_new:
        copy_sample(name, Path(name))
    elif job and is_sample and not model.real:
        unknown = find_unknown(job, Path(name))
        if unknown:
            raise ValueError(
                f"The practice model does not recognise {' and '.join(unknown)} in the folder "
                f"{name}: somebody else has worked there, so nothing was changed. Name a model in "
                "MODEL_ID, or delete the folder to start again."
            )
    left = ", as the last run left it; delete it to start again"
    print(f"The agent works in the folder {name}{'' if is_new or name == 'project' else left}.")
    return Workspace(name)


def play_to_the_end(ask: Callable[[], Any]) -> bool:
    """Play the run to its end. Return whether the learner's code ended it with an exception."""
    try:
        exhaust(ask())
    except KeyboardInterrupt:
        raise SystemExit(f"\n{frame.STOPPED}") from None
    except RunEndedError as problem:  # the loop says why
        raise SystemExit(f"Stopped: {problem}") from None
    except (AskedInVainError, NoRoomError) as problem:
        say(f"     {problem}", RED)
    except Exception:
        traceback.print_exc()
        return True
    return False


def print_times(todo: Any, unit: str) -> None:
    """Print the time of each task and of the session, if the list has a `summary`.

    The practice model needs no time, so with it the clock counts rounds.
    """
    for name, time_ in read_times(todo).items():
        shown = f"{time_:8.2f}" if isinstance(time_, float) else f"{time_!s:>5}"
        say(f"{shown} {unit}  {name}")


class Judge:
    """Say what is missing at a stop: the user's own --check or, without one, the files of a job.

    `failed` is what the check has printed at each stop since it last passed.
    """

    def __init__(self, workspace: Workspace, prompt: str, check: str, real: bool) -> None:
        self.workspace, self.check, self.real = workspace, check, real
        self.failed: list[str] = []
        self.job = find_job_of(workspace)
        # The practice model has the steps in its script. A real model is judged only if its prompt
        # names them: otherwise the user has asked for something else.
        if real and self.job and not all(step.text in prompt for step in self.job.steps):
            self.job = None

    def missing(self) -> list[str]:
        """Return what is not done, to ask for it."""
        if not self.check:
            try:
                return find_missing(self.workspace) if self.job else []
            except NotJudgedError:  # `report` says why
                return []
        try:
            # It is the user's own command, so nobody has to approve it.
            output, code = self.workspace.run_command(self.check)
        except (OSError, ValueError) as problem:
            output, code = str(problem), 1
        failure = frame.describe_failure(self.check, output, code)
        if not failure:
            say(f"     {self.check}: passes", GREEN)
            self.failed.clear()
            return []
        say(f"     {self.check}: fails: {failure.splitlines()[-2]}", RED)
        self.failed.append(failure)
        return self.failed[-1:]

    def report(self) -> None:
        """Print what the files show, or that the check still fails."""
        done: tuple[bool, ...] = ()
        not_judged = frame.NOT_JUDGED
        try:
            done = self.job.find_done(self.workspace.root) if self.job else ()
        except NotJudgedError as problem:
            not_judged = f"The files are {problem}."
        if done:
            say(
                f"     The files show {sum(done)} of {len(done)} steps.",
                GREEN if all(done) else RED,
            )
        if self.failed:
            say(f"     `{self.check}` still fails: it said no {len(self.failed)} times.", RED)
        elif self.real and done and not self.check:
            say(f"     {try_out(self.workspace, approval.confirm)}")
        elif not done and not self.check:
            say(f"     {not_judged}")


class PrintingClient(WatchedClient):
    """A client that also prints replies, errors of tools, reminders, and what is new in the list.

    An error of the model's server ends the program with a message. At the limit of requests or
    tokens, the user may allow as much again.
    """

    def __init__(self, model: Connection, *more: Any, session: Any = None) -> None:
        """Watch the client of a model. `more` are the window and `make_room` of WatchedClient."""
        super().__init__(model.client, self.print_results, *more)
        self.model, self.session = model, session or frame.Session(None, str)
        self.todo = ""  # the newest list, as the model has read it
        model.watched.show = show_words

    def create(self, **request: Any) -> Any:
        reply = self.session.watch(self.send, **request)
        uses = [block for block in reply.content if block.type == "tool_use"]
        said = [str(Call(use.name, use.input, "")) for use in uses]
        words = "  ".join(said) or shown_text(plain_blocks(reply)).strip() or "(empty)"
        say(f"{len(self.requests):3}  {words}")
        return reply

    def send(self, **request: Any) -> Any:
        """Send a request and return the reply. Raise SystemExit, with a message, for an error."""
        import anthropic  # here, because it takes a second

        while True:
            try:
                return super().create(**request)
            except LimitReachedError as problem:
                say(problem.reached)
                if not approval.confirm("Allow as much again? [y/n] "):
                    raise SystemExit(frame.STOPPED) from None
                self.model.limits.extend()
            except (anthropic.APIError, RunEndedError) as problem:
                host = self.model.host or "The practice model"
                said = explain_server_error(problem, self.model.settings["model"], host)
                raise SystemExit(said) from None

    def print_results(self, round_: Round) -> None:
        """Print what the user sees of the results of a round's calls."""
        for call in round_.calls:
            if not call.ok:
                say(f"     (failed) {call.output.strip()}")
            elif is_list_tool(call.name):
                for line in call.output.splitlines():
                    if line.strip() and line not in self.todo.splitlines():
                        say(f"     {line}")
                self.todo = call.output.partition(GONE)[0].strip()  # as a reminder shows it
        if round_.reminder:
            reminder = REMINDERS.sub(r"\1", round_.reminder)
            words = reminder.replace(self.todo, " … ") if self.todo else reminder
            say(f"     + reminder: {' '.join(words.split())}", PURPLE)
            if not_understood := judge_reminder(round_):
                say(f"     {not_understood}")


def show_words(words: str) -> None:
    """Show the newest words of a reply in the last line of a terminal, until it is complete."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        line = " ".join(escape.for_print(words).split())[-width:]
        print(f"\r{CLEAR_LINE}{line}", end="", flush=True)


def say(text: str, colour: str = "") -> None:
    """Print text of a model or a tool, with control characters escaped.

    `colour` is a number of ANSI's, for a terminal of a user who has not set NO_COLOR.
    """
    shown = escape.for_print(text)
    if colour and sys.stdout.isatty() and os.name == "posix" and not os.environ.get("NO_COLOR"):
        shown = f"\x1b[{colour}m{shown}\x1b[0m"
    print(shown, flush=True)
