"""Play a run: an agent does a job on new files, within a time limit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Self

from agentlib.list_tool import list_tool, make_nag, unfinished
from agentlib.loop import agent_loop
from agentlib.prompts import first_message, system_prompt
from agentlib.signatures import call_loop, uses_remind
from agentlib.stop import ask_at_the_stop
from agentlib.tools import Tool, call_tool
from exerciselib.learners_code import OutOfTimeError, TimeLimit
from safetylib.guard.approval import hide_result
from safetylib.guard.circles import SAME_CALLS, count_same, describe_circle, stop_in_vain
from safetylib.guard.files import explain_errors, write
from safetylib.guard.hide_keys import hide_keys_in, remember_own_keys
from safetylib.guard.paths import find_file
from safetylib.wire.ends import CutOffError, NoMessageError, read_end
from safetylib.wire.last_reply import NO_REQUEST
from safetylib.wire.refusals import is_too_long
from safetylib.wire.run_file import SNAPSHOT, VERSION, Line, to_json
from safetylib.wire.server.limits import LimitReachedError

from ..common.message_blocks import WINDOW, is_list_tool, read_messages
from ..common.round import Round
from ..practice.model_choice import choose_model, is_fault
from ..practice.policy.history import list_schema
from ..practice.policy.next_reply import practice_policy
from ..practice.practice_model import PracticeModel
from ..samples.copies import open_job
from ..samples.own_job import describe_shared
from ..samples.project_files import NotJudgedError, ProjectFiles, read_files
from .adapters import (
    ONE_NAG,
    copy_fields,
    copy_items,
    count_failures,
    is_one_nag,
    list_tools,
    make_list,
    read_times,
)
from .facts import write_facts
from .one_by_one import play_one_by_one
from .problems import describe_last_round, describe_problem, describe_rejected_lists
from .record import Record, RoundRecord, Snapshot
from .request_parts import Authors, name_owner
from .run_lines import check_new, count_tokens, take_rounds, write_run
from .settings import Settings
from .too_long import trim_if_too_long
from .watch import WatchedClient
from .window import SMALLEST_WINDOW

FindMissing = Callable[[], Sequence[str]]
SECONDS = 20  # of work, for a run of the practice model: the longest of ours takes 0.5
ENDED = object()  # what no generator yields
ROUND_SECONDS = 2  # of work, for one round of it: ours take 0.01
NOT_DRAWN = (
    "No round is drawn, because the loop has not asked the model by `client.messages.create`, but "
    "in another way (requests: {})."
)
NO_SCHEMA = (
    "The practice model does not understand the schema of {}, so it writes no list: it looks for "
    "an array whose items are objects with a `status`."
)
NO_REMIND = "This loop does not use `remind`, so it runs without the nag."
WRONG_AFTER = "after must be a whole number of rounds, 1 or more, not {!r}"
STOPPED = "The run was stopped here, by the stop button or Ctrl-C. The files are as they were then."


class Run(Record):
    """One run of a job by the practice model, or by a real one.

    A run has the job in a folder of its own, the parts of an agent, and a client that watches what
    the agent's loop sends. `play` calls the loop until it ends, and after each round the client
    calls `_record`, which looks at the files and the list, and adds what it sees to the Record and
    to the lines of the run's file. Whatever ends the run early becomes `problem`.

    Attributes, besides those of a Record: `workspace` and `messages`.
    """

    def __init__(self, job: Any = "ten_steps", **more: Any) -> None:
        """Set up a run of Settings, or of their `job` and `more` of them.

        Raise FileNotFoundError for an unknown job. Raise ValueError for an unknown model, too small
        a `window`, a `missing` that is neither "list" nor "files" nor a function, "files" if nobody
        judges them, or a `save` that is there already.
        """
        settings = job if isinstance(job, Settings) else Settings(job, **more)
        self._connection = choose_model(settings.model)
        window = find_window(settings)
        self._job, self.workspace = open_job(settings.job)
        self.todo: Any = None
        super().__init__(
            self._look(Snapshot()),
            job=self._job.name,
            step_texts=[step.text for step in self._job.steps],
            window=window,
            after=settings.after,
            is_real=self._connection.real,
        )
        self._path = None if settings.save is None else Path(settings.save).expanduser()
        if self._path is not None:
            check_new(self._path)  # before anything is shown
        self.messages: list[Any] = []
        self.about: Line = {}  # what the first line of its file says besides
        self._has_lost_call = False
        self._at_stop = settings.at_stop or ask_at_the_stop
        self._missing = self._choose_missing(settings.missing)
        self._watched = WatchedClient(
            self._connection.client,
            self._record,
            window,
            lambda messages, *more: trim_if_too_long(
                messages, settings.trim_messages, self.todo, *more
            ),
            is_of_learner(settings.model),
        )
        self.requests, self._lines = self._watched.requests, self._watched.lines
        self._lines.begin(self.start)
        self._on_round: Callable[[RoundRecord], object] = lambda record: None
        self._loop: Callable[..., Any] = agent_loop if settings.loop is None else settings.loop
        self._tools: list[Tool] = []
        self._settings: dict[str, Any] = {}  # of each request
        with self._reporting(ROUND_SECONDS):  # the list and the nag may be the learner's
            self._assemble(settings)

    def _assemble(self, settings: Settings) -> None:
        """Make the list, the nag and everything else that the loop is called with.

        There is no nag without a list or `after`, or for a loop that does not use `remind`. A list
        that takes a `clock` gets one that counts rounds.
        """
        todo: Any = None
        nag, notes = None, [describe_shared(self._job)]
        if settings.todo is not None:
            todo = make_list(settings.todo, lambda: len(self._watched.requests))
        if is_one_nag(settings.nag):
            raise TypeError(ONE_NAG)
        if todo is not None and settings.nag is not None and self.after is not None:
            if type(self.after) is not int or self.after < 1:  # True is also an int
                raise ValueError(WRONG_AFTER.format(self.after))
            nag = make_nag(settings.nag, todo, self.after)
            if not uses_remind(self._loop):
                nag, notes = None, [NO_REMIND, *notes]
        tools = list_tools(self.workspace, settings.read_file)
        if hasattr(todo, "tools"):
            tools += todo.tools()
        elif todo is not None:
            tools.append(list_tool(todo))
            if not self.is_real and not list_schema(tools[-1].input_schema):
                notes.insert(0, NO_SCHEMA.format(tools[-1].name))
        remember_own_keys()
        tools = self._connection.guard(tools) if self.is_real else [*map(hide_result, tools)]
        self._tools = count_failures(tools)
        names = getattr(todo, "tools_name", "todo tool")
        has_list = todo is not None
        system = system_prompt(self.workspace.name, plan=has_list, tools=names)
        self._settings = {"system": system, **self._connection.settings}
        prompt = self._job.prompt_for(self._connection)
        first = first_message(prompt, names) if has_list else {"role": "user", "content": prompt}
        self.messages, self.todo, self.nag = [first], todo, nag
        self.has_todo, self.has_nag = has_list, nag is not None
        self.note = " ".join(filter(None, notes))
        at_stop = self._at_stop if self._missing else None
        self.authors = Authors(*map(name_owner, (todo, nag, at_stop)))

    @property
    def _remind(self) -> Callable[..., Any] | None:
        return None if self.nag is None else self._watched.note_reminders(self.nag)

    def _call_loop(self) -> None:
        """Run the loop on the messages until the model stops."""
        call_loop(
            self._loop, self._watched, self.messages, self._tools, self._remind, **self._settings
        )

    def _choose_missing(self, missing: Any) -> FindMissing | None:
        """Return the function that says what is missing when the loop has ended."""
        if missing is None or callable(missing):
            return missing
        functions = {
            "list": lambda: unfinished(self.items),
            "files": lambda: self._job.list_missing(self.workspace.root),
        }
        if missing not in functions:
            raise ValueError(f'missing is "list", "files" or a function, not {missing!r}')
        return functions[missing]

    def _ask_less(self, missing: FindMissing) -> FindMissing:
        """Return a `missing` that asks nothing in vain, nor after half a reply or a refusal."""
        rounds = self._watched.rounds

        def look_at_replies() -> tuple[int, str]:
            return sum(len(round_.calls) for round_ in rounds), rounds[-1].text if rounds else ""

        asked = stop_in_vain(missing, look_at_replies)
        return lambda: asked() if not rounds or read_end(rounds[-1].stop_reason).is_complete else []

    def play(self, on_round: Callable[[RoundRecord], object] | None = None) -> Self:
        """Play the run to its end and return it. Call `on_round` with the record of each round.

        An exception of the learner's code becomes `problem`. Raise KeyboardInterrupt, and before
        the first request OSError for a file that cannot be written.
        """
        self._on_round = on_round or self._on_round
        if self.problem == STOPPED:
            self.problem = ""  # it goes on with the same messages
        if self._path is not None:
            self._lines.open(self._path, self._describe())
        limits, lines = self._connection.limits, self._lines.all
        others = limits.tokens_used - count_tokens(lines)
        try:
            try:
                with self._reporting(SECONDS):
                    self._play_loop()
            except KeyboardInterrupt:
                self.problem = STOPPED
                raise
            finally:
                self._watched.finish(self.messages)
            self._judge_end()
        finally:
            unseen = limits.tokens_used - count_tokens(lines) - others
            if unseen > 0:  # of a reply that is not a message, or that Stop has ended
                self._lines.add("paid", tokens=unseen)
            self._lines.close()
        return self

    def limit_requests(self, number: int) -> None:
        """End the run after so many requests. The SDK's own retries are not counted."""
        self._watched.max_requests = number

    def save(self, file: str | Path) -> None:
        """Write the run into a file that `open_run` opens, with all of its texts but without keys.

        Only its owner can read it. Raise RunFileError if something has its name, and OSError if it
        cannot be written.
        """
        write_run(Path(file).expanduser(), self.lines)

    @property
    def is_broken_off(self) -> bool:
        """Return whether the server, the network or a limit of the connection has ended this run.

        So is a run that has sent no request: a real model has done nothing in it.
        """
        error = self._watched.error
        is_of_sdk = type(error).__module__.partition(".")[0] in ("anthropic", "httpx2")
        is_of_server = is_of_sdk and not is_too_long(error)
        is_of_server |= self._has_lost_call
        has_ended = isinstance(error, NoMessageError | LimitReachedError) or is_of_server
        return self.is_real and (has_ended or not self._watched.requests_sent)

    def name_steps(self) -> str:
        """Return what the prompt of a real model has more than that of the practice model."""
        return self._job.name_steps("")

    @property
    def lines(self) -> list[Line]:
        """Return the lines of the run's file."""
        return [*map(to_json, (self._describe(), *self._lines.all))]

    def begin_after(self, run: Record, lines: Sequence[Line], number: int) -> None:
        """Begin where another run of this job was after a round: with its files, list and messages.

        `lines` are those of its file. The nag has the count that it had then.
        """
        taken, messages = take_rounds(lines, number)
        last = run.records[number - 1].snapshot
        files = last.files
        for name in self.start.files.keys() | files.keys():
            put_file(self.workspace.root, name, files.get(name))
        self.messages[:] = messages
        self._lines.begin(run.start)
        self._lines.start_from(taken, messages, files)
        self._watched.rounds += run.rounds[:number]
        self.start = self.newest = run.start
        self._was_done = run.start.done
        for record, request in zip(run.records[:number], run.requests, strict=False):
            self.requests.append(request)
            self._write_lists(record.round)
            self.add_round(record.round, read_messages(request["messages"]), record.snapshot)
        with self._reporting(ROUND_SECONDS):  # the list and the nag may be the learner's
            if self.todo is not None and copy_items(self.todo) != last.items:
                self.todo.items = [copy_fields(item) for item in last.items]
            if self.nag is not None:
                self.nag.rounds = self.records[-1].waited
        self.rounds_before = number

    def _write_lists(self, round_: Round) -> None:
        """Write the lists of a round once more: a list may keep more of them, such as times."""
        calls = [call for call in round_.calls if call.ok and is_list_tool(call.name)]
        if self.todo is not None and calls:
            with self._reporting(ROUND_SECONDS):
                tool = list_tool(self.todo)
                for call in calls:
                    call_tool({call.name: tool}, call.name, call.input)

    def _describe(self) -> Line:
        """Return the first line of the run's file: what the run was begun with."""
        facts = {"type": "session", "version": VERSION} | write_facts(self)
        return facts | {"start": self._lines.start} | self.about

    def _play_loop(self) -> None:
        """Play the loop, and ask when the model stops, if this run asks."""
        if self.problem:  # the agent could not be assembled
            return
        if self._missing is None:
            self._call_loop()
        else:
            missing = self._missing
            if self._connection.real:  # each question is paid for
                missing = self._ask_less(missing)
            self._at_stop(self._call_loop, self.messages, missing)

    def play_rounds(self) -> Iterator[None]:
        """Play the run, and yield after each round: it may be dropped.

        Each round has its own time limit.
        """
        more = self._tools, self._remind
        playing = play_one_by_one(self._loop, self._watched, self.messages, *more, **self._settings)
        while not self.problem:
            with self._reporting(ROUND_SECONDS):
                if next(playing, ENDED) is ENDED:
                    break
            yield
        self._watched.finish(self.messages)
        self._judge_end()

    def _judge_end(self) -> None:
        """Note why the run has ended early, if it has, and write the last line of its file."""
        self.problem = self.problem or self._find_problem()
        again: Line = {}
        if self.is_broken_off:
            again = {"again": True, "status": getattr(self._watched.error, "status_code", None)}
        self._lines.add("end", problem=self.problem, note=self.note, **again)

    def _find_problem(self) -> str:
        """Return why a run that no error has ended is not complete, or ""."""
        watched = self._watched
        if len(self.records) == self.rounds_before:
            sent = watched.requests_sent
            return NOT_DRAWN.format(sent) if sent else NO_REQUEST
        problem = describe_last_round(self.rounds, watched.requests[-1], watched.stop_details)
        return problem or describe_rejected_lists(self.rounds, self.todo)

    def _record(self, round_: Round) -> None:
        """Add a round that has ended to the record and to the file, and report it."""
        snapshot = self._look(self.newest, round_.reminder)
        self._lines.add(SNAPSHOT, **self._lines.write_snapshot(snapshot))
        self.add_round(round_, self._watched.request, snapshot)
        calls = [call for round_ in self.rounds for call in round_.calls]
        same = count_same(calls)
        if self.is_real and same - len(round_.calls) < SAME_CALLS <= same:  # more are paid for
            self._watched.say(describe_circle(calls))
        self._on_round(self.records[-1])

    def _look(self, before: Snapshot, reminder: str | None = None) -> Snapshot:
        """Return what is known now. What has not changed is the very object that `before` has."""
        read, not_judged = read_files(self.workspace.root), ""
        done: tuple[bool, ...] = ()
        try:
            done = self._job.judge(read)
        except NotJudgedError as problem:
            not_judged = str(problem)
        files = hide_keys_in(keep_unread(read, before.files))
        items = copy_items(self.todo, before.items)  # the learner's cell may change the list later
        return Snapshot(items, done, not_judged, read_times(self.todo), files, reminder)

    @contextmanager
    def _reporting(self, seconds: float) -> Iterator[None]:
        """Give the code inside a time limit, and keep the error that it raises as `problem`."""
        limit = nullcontext() if self._connection.real else TimeLimit(seconds)
        try:
            with limit:
                yield
        except (Exception, SystemExit, OutOfTimeError) as problem:
            if isinstance(limit, TimeLimit):
                limit.end()  # the last signal may have come before its own end
            self.problem = describe_problem(problem)
            # The server has ended a call itself, without the stop reason of a limit.
            self._has_lost_call = isinstance(problem, CutOffError) and "too early" in str(problem)


def find_window(settings: Settings) -> int | None:
    """Return how many messages are sent, or None for all. Raise ValueError for other values."""
    window, model = settings.window, settings.model
    if window is None and (model in (None, "diligent") or is_fault(model)):
        return WINDOW
    if window == "all":
        return None
    if isinstance(window, str):
        raise ValueError(f'window is a number of messages or "all", not {window!r}')
    if window is not None and window < SMALLEST_WINDOW:
        raise ValueError(f"window must be {SMALLEST_WINDOW} messages or more, not {window!r}")
    return window


def is_of_learner(model: Any) -> bool:
    """Return whether a learner has written the policy of a model."""
    return isinstance(model, PracticeModel) and model.policy is not practice_policy


@explain_errors
def put_file(root: Path, path: str, text: str | None) -> None:
    """Write a file of a run, or delete it if `text` is None. The run may be somebody else's."""
    file = find_file(root, path)
    if text is None:
        file.unlink(missing_ok=True)
    else:
        write(file, text)


def keep_unread(files: ProjectFiles, before: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of files, with those `before` in place of what is over a limit now.

    Such a file has not been deleted, and what has changed in it is not known. A text that has not
    changed is the very one from before: each round of a run has all of them.
    """
    is_kept = before.keys() if files.is_cut else files.unread
    same = {name: before[name] for name, text in files.texts.items() if before.get(name) == text}
    return {name: text for name, text in before.items() if name in is_kept} | files.texts | same
