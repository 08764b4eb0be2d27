"""Agents in the arena, right and wrong: no crash, no hang, and a verdict that is true."""

import os
import time
from contextlib import suppress

import pytest
from exercises.cells import SOLUTIONS, define
from support.blocks import result

from agentlib import run
from lesson import Arena, check_agent
from lesson.practice.models import MODELS
from lesson.runs import agent_arena
from lesson.runs.agent_arena import play_agent, play_model
from lesson.runs.arena_trial import MAX_REQUESTS
from lesson.time_limit import OutOfTimeError

MODEL = MODELS["Keeper"].policy
OWN = define(SOLUTIONS["agent"], "agent")


def plain(client, messages, workspace, **settings):
    run(client, messages, workspace.tools(), **settings)


def raises(client, messages, workspace, **settings):
    raise KeyError("plan")


def never_ends(*given, **named):
    while True:
        pass


def asks_for_ever(client, messages, workspace, **settings):
    while True:
        try:
            client.messages.create(messages=messages, **settings)
        except Exception:
            continue


def goes_on_for_ever(client, messages, workspace, **settings):
    while True:
        plain(client, messages, workspace, **settings)
        messages.append({"role": "user", "content": "And now?"})


def asks_once(client, messages, workspace, **settings):
    specs = [tool.spec for tool in workspace.tools()]
    client.messages.create(messages=messages, tools=specs, **settings)


def sends_nonsense(client, messages, workspace, **settings):
    client.messages.create(messages=[{"role": "robot"}], **settings)


async def sends_later(client, messages, workspace, **settings):
    sends_nonsense(client, messages, workspace, **settings)


def writes_no_list(client, messages, workspace, **settings):
    todo = {"name": "todo", "description": "x", "input_schema": {"type": "object"}}
    for _ in range(3):
        reply = client.messages.create(messages=messages, tools=[todo], **settings)
        messages.append({"role": "assistant", "content": reply.content})
        results = [result(block.id) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results or "Go on."})


def catches_the_limit(client, messages, workspace, **settings):
    os.chdir(workspace.root)
    while True:
        try:
            sends_nonsense(client, messages, workspace, **settings)
        except:  # noqa: E722
            continue


# An agent, the steps that the files show with Keeper, and words of the verdict.
AGENTS = {
    "the loop": (plain, 10, ""),
    "the model solution": (OWN, 10, ""),
    "missing without a default": (lambda c, m, w, missing, **s: missing(w) and None, 0, "sent no"),
    "raises": (raises, 0, "KeyError: 'plan'"),
    "never ends": (never_ends, 0, "never end"),
    "catches the limit": (catches_the_limit, 0, "never end"),
    "asks for ever": (asks_for_ever, 0, "cut off after 80 requests"),
    "goes on for ever": (goes_on_for_ever, 10, "cut off after 80 requests, with 0 steps missing"),
    "async": (sends_later, 0, "remove `async`"),
    "sends nonsense": (sends_nonsense, 0, "400: messages.0.content: Field required"),
    "writes no list": (
        writes_no_list,
        0,
        "and 2 questions, with 10 steps missing. It said: “I could",
    ),
    "asks once": (asks_once, 0, "ended after 1 request, although the last reply calls read_file"),
}


@pytest.mark.parametrize("name", AGENTS)
def test_agent_neither_crashes_nor_hangs_and_gets_a_true_verdict(name):
    agent, steps, words = AGENTS[name]
    seconds = 0.5 if "never end" in words else 60
    start, folder = time.monotonic(), os.getcwd()
    played = play_model(agent, MODEL, seconds)
    assert os.getcwd() == folder
    assert time.monotonic() - start < 90
    assert (played.steps_done, played.requests <= MAX_REQUESTS) == (steps, True)
    assert words in played.why and bool(played.why) == bool(words)


def test_decorated_agent_gets_its_check():
    def decorated(*arguments, **settings):
        return OWN(*arguments, **settings)

    assert play_model(decorated, MODELS["Quitter"].policy).is_finished


def test_agent_that_never_sends_a_request_is_tried_twice(monkeypatch):
    monkeypatch.setattr(agent_arena, "SECONDS", 0.2)
    started = []

    def hangs(*arguments, **settings):
        started.append(settings)
        never_ends()

    played = play_agent(hangs)
    assert len(started) == 2 and set(played) == set(MODELS)


def test_verdict_says_what_the_loop_would_have_to_notice():
    def without_check(client, messages, workspace, after=3, **settings):
        OWN(client, messages, workspace, after=after, **settings)

    lost = {name: one.why for name, one in play_agent(without_check).items() if one.why}
    expected = {
        "Dropper": "its list shrank from 10 tasks to 6, with 4 steps missing.",
        "Ticker": "its list says 10 of 10, with 7 steps missing in the files.",
        "Quitter": "it stopped after 12 requests and 0 questions, with 6 steps missing. "
        "It said: “The refactoring is done: the code is much easier to read now.”",
    }
    assert expected.items() <= lost.items() and "Keeper" not in lost


def test_run_that_is_out_of_time_takes_no_time_from_the_others(monkeypatch):
    monkeypatch.setattr(agent_arena, "SECONDS", 2.0)
    given = []

    def hangs_once(*arguments, **settings):
        given.append(arguments)
        never_ends() if len(given) == 1 else plain(*arguments, **settings)

    first, *others = play_agent(hangs_once).values()
    assert first.why.startswith("out of time after 0 requests. Does one of your loops never end")
    assert not [one.why for one in others if one.why.startswith("out of time")]


def test_what_was_repeated_is_said_when_the_time_is_over():
    def slow(client, messages, workspace, **settings):
        with suppress(BaseException):
            plain(client, messages, workspace, **settings)
        raise OutOfTimeError

    assert "the same call 74 times" in play_model(slow, MODELS["Repeater"].policy).why


def test_list_that_was_rejected_is_not_blamed():
    def without_files(client, messages, workspace, **settings):
        for path in workspace.root.iterdir():
            path.unlink()
        OWN(client, messages, workspace, **settings)

    why = play_model(without_files, MODELS["Starter"].policy).why
    assert "10 steps missing. It said: “Two calls in a row have failed, so I stop: " in why


def test_one_line_names_all_models_with_the_same_verdict(monkeypatch):
    monkeypatch.setattr(agent_arena, "_versions", [])
    [note] = Arena(raises).state["notes"]
    assert note.startswith(f"*{', '.join(MODELS)}*: your agent raised KeyError: 'plan', in line ")
    assert note.endswith(': raise KeyError("plan")')


def test_first_and_last_version_stay_side_by_side(monkeypatch):
    monkeypatch.setattr(agent_arena, "_versions", [])
    first = Arena(plain)
    assert [row["name"] for row in first.state["rows"]] == ["Your agent"]
    assert f"2 of {len(MODELS)} models finish" in first.text()
    [played] = first.versions
    assert played["Dropper"].is_finished  # it has no list to drop them from
    assert played["Repeater"].is_stopped
    assert "the same call 74 times in a row" in played["Repeater"].why
    assert "6 steps missing" in played["Quitter"].why
    last = Arena(OWN)
    two, all_ = f"2 of {len(MODELS)}", f"{len(MODELS)} of {len(MODELS)}"
    assert last.text().splitlines() == [
        f"First version  {two} models finish",
        f"This version   {all_} models finish",
    ]
    ours = Arena(check_agent.exercise.make_solution())
    assert ours.text() == f"Our agent      {all_} models finish"
