"""The same parts bring the same in a notebook's `play` and in `my_agent`.

The words of the tools are frame.py's to change, so they are not compared.
"""

import sys
from functools import partial, wraps

import pytest
from judge_rules import find_page, list_right, make, module_of, slip
from loopback import Server, message, reach
from support.blocks import text, use
from support.program import play as play_program

from agentlib import TodoManager
from agentlib.signatures import uses_remind
from lesson import PracticeModel, play
from lesson.practice.api.errors import invalid
from lesson.program.my_agent import load_solutions
from lesson.samples.jobs import load_job
from safetylib.server.connect import MAX_TOKENS

pytestmark = pytest.mark.slow  # many runs
OURS = load_solutions()
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
            [(one["role"], *read_blocks(one["content"], request)) for one in request["messages"]],
        )
        for request in model.requests
    ]


def read_blocks(content, request):
    """Yield the words, calls and results of a message; of a result of a tool, what was added."""
    blocks = [text(content)] if isinstance(content, str) else content
    sent = [block for one in request["messages"] for block in one["content"] if block != str(block)]
    calls = {block["id"]: block["name"] for block in sent if block["type"] == "tool_use"}
    for block in blocks:
        if block["type"] == "tool_result":
            said = "".join(part["text"] for part in read_texts(block["content"]))
            is_list = calls[block["tool_use_id"]] == "todo" and "todo" in str(request["tools"])
            _, sign, added = said.partition("\n\n<reminder>")
            yield block.get("is_error", False), said if is_list else sign + added
        else:
            yield block.get("text") or (block["name"], block["input"])


def read_texts(content):
    return [text(content)] if isinstance(content, str) else content


def count_calls(loop):
    """Return the same loop, and a list that grows with each call of it."""
    calls = []

    @wraps(loop)
    def counted(*given, **more):
        calls.append(len(given[1]))
        return loop(*given, **more)

    return counted, calls


@pytest.fixture
def play_both(frame, monkeypatch):
    """Return a function that plays parts through both doors, and returns what each has brought.

    That is what was sent, the length of the messages at each call of the loop, and how it ended.
    """

    def play_both(parts, window=None, rejected=()):
        loop, todo, nag, ask, room, read_file = parts
        has_list = uses_remind(loop) or todo is not TodoManager
        loop, calls = count_calls(loop)
        for name in "abc":
            (frame.ROOT / f"{name}.txt").unlink(missing_ok=True)
        model = make_model(rejected)
        run = play(
            "hello",
            loop=loop,
            todo=todo if has_list else None,
            nag=nag,
            ask=ask,
            missing=lambda: [] if "c.txt" in str(model.requests) else [FAILS],
            make_room=room,
            read_file=read_file,
            window=window or "all",
            model=model,
        )
        in_notebook = read(model), [*calls], bool(run.problem)
        calls.clear()
        model, ended = make_model(rejected), ""
        monkeypatch.setattr(sys, "argv", ["my_agent", "--check", CHECK, PROMPT])
        try:
            frame.main(loop, *parts[1:], client=model.client(), window=window)
        except SystemExit as problem:
            ended = str(problem.code)
        return in_notebook, (read(model), calls, bool(ended))

    return play_both


def list_parts(*names):
    """Return what the right attempts at these parts define, on each level."""
    cells = [
        (name, cell) for name in names for cell in getattr(module_of(name), "FIRST", {}).values()
    ]
    cells += [(name, cell) for name in names for _, _, cell in list_right(name)]
    return [make(*one)[0] for one in cells]


def returns(value):
    """Return our loop, which returns a value at its end."""
    end = "            return\n"
    return make(
        "agent_loop", slip(find_page("agent_loop").solution, (end, f"{end[:-1]} {value}\n"))
    )[0]


LOOPS = [*list_parts("agent_loop"), *map(returns, ("len(messages)", "True", "messages"))]
LISTS = list_parts("MyTodo", "PriorityTodo")
NAGS, ASKS, ROOMS = map(list_parts, ("MyNag", "ask_at_the_stop", "make_room"))


class WithLength(LISTS[2]):
    """A list that is false as long as it has no tasks."""

    def __len__(self):
        return len(self.items)


def shorten(messages, todo):
    """Make room without a message less: a result is left out."""
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
        in_notebook, in_terminal = play_both((*parts, OURS.read_file), *way)
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
    parts = [PARTS[0][0], TodoManager, *[attempts[0] for attempts in PARTS[2:]], OURS.read_file]
    place, part = ODD[name]
    parts[place] = part
    in_notebook, in_terminal = play_both(parts, rejected=(5,))
    assert in_notebook == in_terminal and in_notebook[-1]
    assert len(in_notebook[0]) == (0 if place == 0 else 5)  # it is not called again


@pytest.fixture
def ask_both(frame, monkeypatch):
    """Return a function that plays a server's replies, and what was sent and said at the end."""

    def play_server(end, *replies):
        with Server(*(message(*content, **more) for content, more in replies)) as server:
            said = end(server)
        return [str(request["messages"][-1]["content"]) for request in server.requests], said

    def ask_both(*replies, has_check=True):
        missing = (lambda: [FAILS]) if has_check else None
        monkeypatch.setattr(sys, "argv", ["my_agent", *["--check", CHECK] * has_check, PROMPT])

        def in_notebook(server):
            return play("hello", model=reach(server)[0], missing=missing).problem

        ends = in_notebook, partial(play_program, frame)
        return [play_server(end, *replies) for end in ends]

    return ask_both


def test_a_call_that_fails_again_and_a_question_in_vain_are_told(ask_both):
    failed, asks = [use("read_file", "t", path="none.txt")], [text("Which format?")]
    for sent, said in ask_both(*((content, {}) for content in (*[failed] * 3, asks, asks))):
        assert ["do not repeat it" in words for words in sent] == [False] * 3 + [True, False]
        assert "so it is not asked again. Read its last reply" in said


def test_a_reply_that_has_used_all_tokens_is_cut_off_whatever_the_server_says(ask_both):
    """vLLM calls it complete."""
    reply = [text("Half of")], {"tokens": (5, MAX_TOKENS)}
    for sent, said in ask_both(reply, has_check=False):
        assert len(sent) == 1 and "was cut off at max_tokens" in said
