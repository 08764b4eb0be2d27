"""The same parts bring the same in a notebook's `play` and in `my_agent`.

The words of the tools are frame.py's to change, so they are not compared.
"""

import re
import sys
from functools import wraps
from time import time_ns

import pytest
from judge_rules import find_page, list_right, make, module_of, slip
from loopback import Server, message, reach
from support.blocks import text, use
from support.loop import PROMPT as GO
from support.loop import SETTINGS, assert_every_call_is_sent
from support.program import play as play_program

from agentlib import TodoManager, Tool
from agentlib.signatures import call_loop, uses_remind
from agentlib.terminal.model import Model
from agentlib.terminal.notes import Notes
from agentlib.tools import call_tool
from lesson import PracticeModel, play
from lesson.common.message_blocks import blocks_of
from lesson.practice.api.errors import invalid
from lesson.program.my_agent import load_solutions
from lesson.runs.adapters import count_failures
from lesson.runs.watch import WatchedClient
from lesson.samples.jobs import load_job
from safetylib.wire.server.connect import MAX_TOKENS
from safetylib.wire.server.limits import Limits

pytestmark = pytest.mark.slow
PROMPT = load_job("hello").prompt
CHECK = "test -f c.txt"
FAILS = f"{CHECK} fails:\n(no output)\n(exit code 1)"


def todo(*statuses):
    tasks = zip(("First", "Second"), statuses, strict=True)
    return use("todo", items=[{"text": name, "status": status} for name, status in tasks])


def write(path, content="1\n"):
    return use("write_file", path=path, content=content)


SCRIPT = [
    [text("I plan."), todo("in_progress", "pending")],
    [write("a.txt")],
    [use("read_file", path="a.txt")],
    [write("b.txt")],  # three rounds without a list: a reminder
    [use("read_file", path="none.txt")],  # fails
    [todo("completed", "in_progress"), use("read_file", path="b.txt")],
    [todo("in_progress", "in_progress")],  # is rejected
    [write("b.txt", "2\n")],
    [text("All is done.")],  # and is asked, because the check fails
    [write("c.txt")],
    [todo("completed", "completed")],
    [text("Done.")],
]


def make_model(rejected):
    """Return a model of this script, which rejects these requests, counted from 1, as too long."""
    replies, numbers = iter(SCRIPT), iter(range(1, 99))

    def reply(request):
        if next(numbers) in rejected:
            raise invalid("prompt is too long: 9 tokens > 8 maximum")
        return next(replies, [text("Done.")])

    return PracticeModel(reply, max_lost_replies=99)


def read(model):
    """Return what the parts have brought into each request."""
    return [
        (
            {tool["name"] for tool in request["tools"]},
            "todo" in request["system"],
            [(m["role"], *map(read_block, blocks_of(m))) for m in request["messages"]],
        )
        for request in model.requests
    ]


def read_block(block):
    """Return the words or the call of a block; of a result, the list and the reminder in it."""
    if block["type"] == "tool_result":
        return re.findall(r"\[[ x>]\] .*|(?s:<reminder>.*)", str(block["content"]))
    return block.get("text") or (block["name"], block["input"])


@pytest.fixture
def play_both(frame, monkeypatch):
    """Return a function that plays parts through both doors, and returns what each has brought.

    That is what was sent, the length of the messages at each call of the loop, and if it failed.
    """

    def play_both(loop, todo, nag, ask, room, window=None, rejected=()):
        begun = []

        @wraps(loop)
        def counted(*args, **more):
            begun.append(len(args[1]))
            return loop(*args, **more)

        has_list = uses_remind(loop) or todo is not TodoManager
        model = make_model(rejected)
        run = play(
            "hello",
            loop=counted,
            todo=todo if has_list else None,
            nag=nag,
            at_stop=ask,
            missing=lambda: [] if "c.txt" in str(model.requests) else [FAILS],
            trim_messages=room,
            window=window or "all",
            model=model,
        )
        in_notebook = read(model), [*begun], bool(run.problem)
        begun.clear()
        (frame.project.root / "c.txt").unlink(missing_ok=True)
        model, ended = make_model(rejected), False
        monkeypatch.setattr(sys, "argv", ["my_agent", "--check", CHECK, PROMPT])
        try:
            parts = counted, todo, nag, ask, room, load_solutions().read_file
            frame.main(*parts, client=model.client(), window=window)
        except SystemExit:
            ended = True
        return in_notebook, (read(model), begun, ended)

    return play_both


def list_parts(*names):
    """Return what the right attempts at these parts define, on each level."""
    first = [(name, getattr(module_of(name), "FIRST", {})) for name in names]
    cells = [(name, cell) for name, cells in first for cell in cells.values()]
    cells += [(name, cell) for name in names for _, _, cell in list_right(name)]
    return [make(*attempt)[0] for attempt in cells]


def returns(value):
    """Return our loop, which returns a value at its end."""
    end = "            return\n"
    return make(
        "agent_loop", slip(find_page("agent_loop").solution, (end, f"{end[:-1]} {value}\n"))
    )[0]


LOOPS = [*list_parts("agent_loop"), *map(returns, ("len(messages)", "True", "messages"))]
LISTS = list_parts("MyTodo", "PriorityTodo")
NAGS, ASKS, ROOMS = map(list_parts, ("MyNag", "ask_at_the_stop", "trim_messages"))


class WithLength(LISTS[2]):
    """A list that is false without tasks."""

    def __len__(self):
        return len(self.items)


def shorten(messages, todo):
    """Return as many messages, but without the result."""
    return [*messages[:-1], {"role": "user", "content": "Go on."}]


LISTS.append(WithLength)
ROOMS.append(shorten)
PARTS = LOOPS, LISTS, NAGS, ASKS, ROOMS
# A window in messages, and which requests are rejected as too long. Each row is played in two ways.
WAYS = [(4, ()), (4, (9,)), (None, (9, 10))]


@pytest.mark.parametrize("at", range(max(map(len, PARTS))))
def test_the_same_parts_bring_the_same(play_both, at):
    parts = [attempts[at % len(attempts)] for attempts in PARTS]
    for way in ((None, ()), WAYS[at % len(WAYS)]):
        in_notebook, in_terminal = play_both(*parts, *way)
        *_, has_problem = in_notebook
        assert in_notebook == in_terminal and has_problem <= (way == WAYS[-1])


async def waits(client, messages, tools, remind=None, **settings):
    yield


def in_place(messages, todo):
    del messages[1:3]


ODD = {
    "async": (0, waits),
    **{
        f"room {new}": (4, lambda messages, todo, new=new: new)
        for new in (None, "text", [], ["text"])
    },
    "room in place": (4, in_place),
}


@pytest.mark.parametrize("name", ODD)
def test_a_part_that_cannot_be_right_ends_both_and_has_replaced_no_message(play_both, name):
    parts = [PARTS[0][0], TodoManager, *[attempts[0] for attempts in PARTS[2:]]]
    place, part = ODD[name]
    parts[place] = part
    in_notebook, in_terminal = play_both(*parts, rejected=(5,))
    assert in_notebook == in_terminal and in_notebook[-1]
    assert len(in_notebook[0]) == (0 if place == 0 else 5)  # it is not called again


@pytest.fixture
def ask_both(frame, monkeypatch):
    """Return a function that plays replies, and returns what each door has sent and says."""

    def ask_both(*replies, missing=None, check=()):
        monkeypatch.setattr(sys, "argv", ["my_agent", *check, PROMPT])
        doors = (
            lambda server: play("hello", model=reach(server)[0], missing=missing).problem,
            lambda server: play_program(frame, server),
        )
        for door in doors:
            with Server(*replies) as server:
                printed = door(server)
            yield [str(request["messages"][-1]["content"]) for request in server.requests], printed

    return ask_both


def test_a_call_that_fails_again_and_a_question_in_vain_are_told(ask_both):
    """The failure has another number each time, as the duration of a test run."""
    failed, asks = message(use("read_file", "t", path="none.txt")), message(text("Which format?"))
    replies = [*[failed] * 3, asks, failed, asks, asks, asks]
    check = "--check", "date +%s%N; false"
    for sent, printed in ask_both(*replies, missing=lambda: [f"{time_ns()} fails"], check=check):
        told = ["do not repeat it" in words for words in sent]
        assert told == [False, False, False, True, False, True, False]
        assert "so it is not asked again. Read its last reply" in printed


def test_an_error_without_words_keeps_its_name_when_it_is_told_the_third_time():
    def update():
        raise NotImplementedError

    [tool] = count_failures([Tool("todo", "", {}, update)])
    outputs = [call_tool({"todo": tool}, "todo", {}).output for _ in range(3)]
    assert {output.partition("\n")[0] for output in outputs} == {"Error: NotImplementedError"}
    assert "do not repeat it" in outputs[2]


WHY = {"type": "refusal", "explanation": "Why."}
EARLY = {
    "was cut off at max_tokens": {"tokens": (5, MAX_TOKENS)},  # vLLM calls it complete
    "begin a new conversation. The server says: Why.": {
        "stop_reason": "refusal",
        "stop_details": WHY,
    },
}


@pytest.mark.parametrize("says", EARLY)
def test_a_reply_that_is_not_whole_ends_a_run_whatever_is_missing(ask_both, says):
    replies = [message(text("Half of"), **EARLY[says])] * 9
    for sent, printed in ask_both(*replies, missing=lambda: ["x"], check=("--check", "false")):
        assert len(sent) == 1 and says in printed


DOORS = {
    "notebook": lambda client, project, window: WatchedClient(client, print, window),
    "terminal": lambda client, project, window: Model(
        client, project, Notes(None), window, Limits(), None
    ),
}
THREE = [use("work", f"toolu_{n}", n=n) for n in range(3)]
PLACES = ["request", "reply", *(f"{when} {n}" for n in range(3) for when in ("before", "after"))]


@pytest.mark.parametrize("prompts", [[], [GO]], ids=["same messages", "a prompt"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("agent_loop", [load_solutions().agent_loop])
@pytest.mark.parametrize("open_door", DOORS.values(), ids=DOORS)
def test_each_door_sends_an_accepted_request_after_an_interrupt(
    project, open_door, agent_loop, place, prompts
):
    """Interrupt while a request is sent, after its reply, and before and after each call."""
    left, ran = [place], []

    def stop_at_place(now):
        if now in left:
            left.remove(now)
            raise KeyboardInterrupt

    def answer(request):
        stop_at_place("request")
        return [text("Done.")] if "tool_use" in str(request["messages"]) else THREE

    def work(n):
        stop_at_place(f"before {n}")
        ran.append(n)
        stop_at_place(f"after {n}")
        return f"did {n}"

    def create(**request):
        reply = checked(**request)
        stop_at_place("reply")
        return reply

    model, messages = PracticeModel(answer), [GO]
    client = open_door(model.client(), project, 12)
    checked, client.create = client.create, create
    arguments = client, messages, [Tool("work", "Work.", {"type": "object"}, work)]
    with pytest.raises(KeyboardInterrupt):
        call_loop(agent_loop, *arguments, **SETTINGS)
    messages += prompts
    call_loop(agent_loop, *arguments, **SETTINGS)
    assert assert_every_call_is_sent(model.requests[-1]["messages"], ran) == [0, 1, 2]
