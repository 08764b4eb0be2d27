"""The widgets without a browser: their state, their plain text, and their requests to a model."""

import json
from typing import ClassVar
from unittest.mock import ANY

import pytest
from IPython.core.interactiveshell import InteractiveShell
from support.blocks import reply, result, text, use
from traitlets.config import Config

from agentlib import rounds, run, system_prompt
from agentlib.nag import Nag
from agentlib.todo import TodoManager
from lesson import Board, Player, check_remind
from lesson.practice.policy.next_reply import PracticePolicy
from lesson.practice.practice_model import PracticeModel
from lesson.runs.measured import Setting, measured
from lesson.runs.summaries import headline
from lesson.runs.trace import Trace
from lesson.runs.trial import Trial, play
from lesson.widgets.bundle import STATIC


@pytest.fixture(scope="module")
def hello():
    return play("hello")


@pytest.fixture(scope="module")
def lost():
    """Return a run that loses its plan in round 8, and writes a list of four."""
    return play(after=6)


MARKUP = ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "text/html", "eval(",
          "http:", "https:")  # fmt: skip


def test_scripts_insert_no_html_and_have_no_external_url():
    for file in STATIC.glob("*.js"):
        code = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert [word for word in MARKUP if word in code] == []


def test_surrogates_and_control_characters_are_escaped():
    todo = TodoManager()
    todo.update([{"text": "half \ud83d emoji, \u202etxt\x1b\uffff.exe"}])
    call = {"type": "tool_use", "id": "1", "name": "bash\ud83d", "input": {"\ud83d": ["\udc00"]}}
    said = {"role": "assistant", "content": [text("\ud83d"), call]}
    for widget in (Board(todo), Player([said])):
        data, _ = widget._repr_mimebundle_()
        for shown in (widget.get_state(), data, repr(widget)):
            json.dumps(shown, ensure_ascii=False, default=str).encode()
    item = "half ? emoji, \\u202etxt\ufffd\ufffd.exe"
    assert Board(todo).state["plan"]["items"][0]["text"] == item and item in repr(Board(todo))


# The board


class Ranked(TodoManager):
    fields = TodoManager.fields | {"priority": {"type": "string", "default": "low"}}


def test_board_shows_the_list_with_extra_fields_and_the_counter():
    todo = Ranked()
    board = Board(todo, Nag(todo))
    assert board.text() == "No todos." and board.state["counter"]["after"] == 3
    todo.update([{"text": "Add tests", "status": "in_progress", "activeForm": "Adding tests"}])
    board.refresh()
    assert board.text().startswith(todo.render())
    (item,) = board.state["plan"]["items"]
    assert (item["active"], item["more"]) == ("Adding tests…", ["priority: low"])


def test_board_shows_a_learners_list_without_ids_and_a_nag_without_attributes():
    class MyTodo:
        items: ClassVar = [{"text": "Add tests", "status": "pending"}]

    state = Board(MyTodo(), lambda calls: None).state
    assert state["plan"]["items"][0]["id"] == "1"
    assert state["counter"]["after"] is None


def test_board_of_something_that_is_no_list_says_what_it_needs():
    with pytest.raises(TypeError, match="shows a todo list.*NoneType has none. Give it your list"):
        Board(None)


def test_board_yields_each_round_without_requests_ahead():
    trial = Trial("hello")
    board = Board(trial.todo, trial.nag)
    for number, turn in enumerate(board.follow(trial), 1):
        assert turn is trial.rounds[-1]
        assert len(trial.model.requests) == number
        assert f"Round {number}: {headline(turn)}" in board.state["status"]
        assert board.state["counter"]["waited"] == trial.nag.rounds
    assert board.state["result"] == "It stopped by itself. The files show 3 of 3."


def test_board_of_a_list_alone_shows_when_the_model_loses_it_and_what_the_files_show():
    """The list is never updated: it says 0 of 10 while three steps are done in the files."""
    trial = Trial(after=None)
    board = Board(trial.todo, messages=trial.messages, window=12, workspace=trial.workspace)
    views = [board.state["view"]]
    for _ in board.follow(iter(trial)):
        view = board.state["view"]
        views.append(view)
        assert view["sent"] == len(trial.model.requests[-1]["messages"])
    assert [bool(view and view["lost"]) for view in views].index(True) == 8
    assert "The model does not see its list of 10 any more." in board.text()
    assert views[7]["list"].endswith("list of 10, until the next message.")
    assert views[2]["list"].endswith("stays in the window for 10 more messages.")
    assert board.state["plan"]["files"].count("x") == trial.steps_done == 3
    assert "(0/10 completed)" in board.text() and "The files show 3 of 10." in board.text()
    assert board.state["result"] == "It stopped by itself. The files show 3 of 10."
    run = measured(Setting(after=None))
    assert (board.state["cells"], board.state["steps"]) == (run.cells, run.steps)


def test_watched_client_shows_each_round_of_any_loop_as_follow_does():
    trial, other = Trial(), Trial()
    board = Board(trial.todo, trial.nag, window=12, workspace=trial.workspace)
    policy, shown = PracticePolicy(), []

    def answer(request):
        shown.append(board.state["status"])
        return policy(request)

    client = board.watch(PracticeModel(answer).client())
    tools = [*trial.workspace.tools(), trial.todo.tool()]
    settings = {"model": "practice", "max_tokens": 8000, "system": system_prompt("ten_steps")}
    loop = check_remind.exercise.make_solution()
    loop(client, trial.messages, tools, remind=trial.nag, **settings)
    follows = Board(other.todo, other.nag, window=12, workspace=other.workspace)
    followed = [follows.state["status"] for _ in follows.follow(other)]
    assert shown[1:] == followed[:-1] and len(shown) == len(followed)
    for name in ("result", "cells", "steps"):
        assert board.state[name] == follows.state[name]
    assert board.state["cells"] == measured(Setting()).cells


def test_watched_board_says_stopped_if_the_loop_raises_between_two_requests():
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    board = Board(TodoManager())
    call = use("bash", "t", command="ls")
    client = board.watch(PracticeModel(lambda _: [call]).client())
    contents = ("user", "Go"), ("assistant", [call]), ("user", [result("t")])
    messages = [{"role": role, "content": content} for role, content in contents]
    request = {"model": "practice", "max_tokens": 999, "messages": messages}
    request["tools"] = [one.spec for one in Trial().workspace.tools()]
    shell.push({"client": client, "request": request})
    shell.run_cell("client.messages.create(**request); sent = True; 1 / 0")
    assert shell.user_ns["sent"]
    InteractiveShell.clear_instance()
    assert board.state["result"].startswith("Stopped") and not board.state["isLive"]


# The player


@pytest.mark.parametrize("wrong", [3, [("a", "b")]])
def test_player_rejects_other_objects_than_runs(wrong):
    with pytest.raises(TypeError, match="A run is a Trial|A message is a dict"):
        Player(wrong)


@pytest.mark.parametrize("after, plan", [(5, True), (None, False)])
def test_player_cells_equal_the_measured_run(after, plan):
    setting = Setting(after=after, plan=plan)
    player = Player(play(after=after, plan=plan))
    frames = player.state["frames"]
    cells = [frame["cell"].upper() if frame["reminded"] else frame["cell"] for frame in frames]
    assert "".join(cells) == measured(setting).cells
    assert player.state["finished"] == (after == 5)


def test_player_of_messages_shows_the_edge_only_if_the_window_is_named(lost):
    named, unnamed = Player(lost.messages, window=12), Player(lost.messages)
    assert [frame["number"] for frame in named.state["frames"] if frame["view"]["lost"]] == [8]
    assert [frame["number"] for frame in named.state["frames"] if frame["leaves"]] == [8]
    assert not any(frame["view"]["lost"] for frame in unnamed.state["frames"])
    assert not named.state["frames"][8]["unseen"]  # it writes a new list
    # The ten-step list left in round 8: a list of four is not the plan.
    ninth = named.state["frames"][9]["view"]
    assert ninth["list"] == "The model sees a list of 4, not its list of 10."
    assert ninth["column"] == "ssWwwwwwwwww..gg"


def test_player_begins_in_the_decisive_round_and_shows_a_list_if_there_can_be_one(hello, lost):
    runs = lost, hello, play("hello", plan=False), Trial("hello"), []
    shown = [(player.at, player.state["listed"]) for player in map(Player, runs)]
    assert shown == [(8, True), (5, True), (1, False), (0, True), (0, False)]


def test_round_is_dark_green_only_if_the_files_were_checked(lost):
    for player, cells in (
        (Player(lost), "pwdwdwdsse"),
        (Player(lost.messages, window=12), "puuuuuusse"),
    ):
        assert "".join(frame["cell"] for frame in player.state["frames"]) == cells


def items(*pairs):
    return [{"text": words, "status": status} for words, status in pairs]


FIRST = items(("Read", "in_progress"), ("Write", "pending"))
SECOND = items(("Read", "completed"), ("Write a test", "in_progress"))
TWO_AT_ONCE = items(("Read", "in_progress"), ("Write", "in_progress"))


def play_replies(*replies, board=False):
    """Return the Rounds of a run with these replies and its messages, or the Board of it."""
    left, todo = list(replies), TodoManager()
    model = PracticeModel(lambda request: left.pop(0))
    messages = [{"role": "user", "content": "Go on."}]
    turns = rounds(model.client(), messages, [todo.tool()], model="practice", max_tokens=900)
    if not board:
        return list(turns), messages
    shown = Board(todo)
    for _ in shown.follow(turns):
        pass
    return shown


def test_player_shows_for_each_list_of_a_reply_how_it_changed_the_last_one():
    lists = [use("todo", items=one) for one in (FIRST, TWO_AT_ONCE, SECOND)]
    _, messages = play_replies([text("I plan."), lists[0], lists[1]], [lists[2]], [text("Done.")])
    _, first, second, last = Player(messages).state["frames"]
    assert first["changes"] == [{"title": "2 tasks", "lines": ANY}, None]
    assert second["changes"] == [
        {
            "title": "2 tasks",
            "lines": [
                ["", "✓ #1 Read"],
                ["new", "+ ▸ #2 Write a test"],
                ["new", "1 task gone:"],
                ["gone", "#2 Write"],
            ],
        }
    ]
    assert last["changes"] == []
    _, messages = play_replies([lists[0], text("And on."), lists[2]], [text("Done.")])
    changes = Player(messages).state["frames"][1]["changes"]
    assert [one["lines"][0] for one in changes] == [["", "▸ #1 Read"], ["", "✓ #1 Read"]]


@pytest.mark.parametrize(
    "reply, said",
    [
        (reply(text("And now"), stop_reason="max_tokens"), "says “And now” (cut off: max_tokens)"),
        (reply(stop_reason="max_tokens"), "says nothing (cut off: max_tokens)"),
        (
            reply(use("todo", items=SECOND), stop_reason="refusal"),
            "todo (failed) (cut off: refusal)",
        ),
    ],
)
def test_run_that_ends_with_half_a_reply_did_not_stop_by_itself(reply, said):
    board = play_replies([use("todo", items=FIRST)], reply, board=True)
    assert board.state["result"] == "Its last reply was cut off."
    assert f"Round 2: {said}." in board.state["status"]
    played, messages = play_replies([use("todo", items=FIRST)], reply)
    player = Player(Trace(played, messages[:1]))
    assert said in player.state["frames"][2]["said"] and said in player.text()
    assert len(player.state["frames"][2]["plan"]["items"]) == 2


def test_watched_board_also_says_that_the_last_reply_was_cut_off():
    model = PracticeModel(lambda _: {"content": [text("And")], "stop_reason": "max_tokens"})
    board = Board(TodoManager())
    settings = {
        "model": "practice",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "?"}],
    }
    board.watch(model.client()).create(**settings)
    assert board.state["result"] == "Its last reply was cut off."


def test_empty_reply_is_a_round_without_messages():
    played, messages = play_replies(
        [use("todo", items=FIRST)], {"content": [], "stop_reason": "end_turn"}
    )
    last = Player(Trace(played, messages[:1])).state["frames"][-1]
    assert last["said"].startswith("Round 2 of 2: says nothing.")
    assert (last["messages"], last["lines"], last["cell"]) == ([], [], "e")


def test_very_long_text_is_truncated_in_the_player_and_complete_in_the_trace():
    long = "x" * 50_000
    mine = PracticeModel(lambda request: [text(long)]).client()
    messages = [{"role": "user", "content": "Go on."}]
    run(mine, messages, model="practice", max_tokens=20_000)
    player = Player(messages)
    shown = player.state["frames"][1]["messages"][0]["content"][0]["text"]
    assert len(shown) < 30_000
    assert "30,000 more characters" in shown
    assert player.trace.frames[1].round.text == long
