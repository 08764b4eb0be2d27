"""Trimming: a conversation that is too long goes on with the prompt, the list and the newest."""

import json
from itertools import count, pairwise

import pytest
from anthropic import BadRequestError
from support.blocks import text, use
from support.loop import SETTINGS
from support.play_loop import run as loop

from agentlib import TodoManager, list_tool, trim_messages
from agentlib.window import list_written
from lesson import PracticeModel, sample
from lesson.drawing.run_picture import list_run_edges
from lesson.practice.model_choice import connect_practice
from lesson.practice.policy.next_reply import practice_policy
from lesson.runs.run import Run
from lesson.runs.too_long import trim_if_too_long
from lesson.samples.jobs import load_job
from lesson.samples.own_job import make_job


def cut(messages, todo):
    return [messages[0], *messages[-6:]]


def play(context, room, **settings):
    return Run(model=PracticeModel(context_window=context), trim_messages=room, **settings).play()


WINDOW = 2500  # tokens, in s03d


def test_with_the_list_all_ten_steps_get_done_without_a_nag():
    run = play(WINDOW, trim_messages, after=None)
    assert run.steps_done == 10 and not run.problem
    assert any(record.view.left_out for record in run.records)


def with_a_long_note(messages, todo):
    """Trim as a learner does who writes 400 characters more into the message."""
    note = {"role": "user", "content": "<reminder>" + "Go on with the list. " * 20 + "</reminder>"}
    prompt, *others = trim_messages(messages, todo)
    return [prompt, note, *others] if len(messages) > 7 else messages


@pytest.mark.slow
@pytest.mark.parametrize("tokens", [-400, -200, 0, 200, 400])
def test_what_s03d_shows_does_not_depend_on_a_few_tokens(tokens):
    """As one more tool has, or a longer note. The test above has ours without any more."""
    room = trim_messages if tokens else with_a_long_note
    assert play(WINDOW + tokens, room, after=None).steps_done == 10
    drifted = play(WINDOW + tokens, cut, after=None)
    assert drifted.steps_done < 6 and drifted.rounds[-1].text.endswith("The work is complete.")
    assert play(WINDOW + tokens, None, after=None).problem


def list_prompts(messages):
    """Return the texts that the user has written, in their order."""
    return [block["text"] for one in messages for block in list_written(one)]


TEN, OWN = (
    load_job("ten_steps"),
    make_job([("Greet", "hi.txt", "Hi!"), ("Part", "bye.txt", "Bye!")]),
)


@pytest.mark.parametrize("jobs", [[TEN, OWN], [OWN, TEN]], ids=["then own", "then ten"])
def test_all_jobs_of_a_conversation_get_done_and_no_request_is_lost(jobs):
    """In public reports, a cut has left out the newest request, and the first one came back."""
    workspace, todo = sample("ten_steps"), TodoManager()
    client = PracticeModel(context_window=WINDOW).client()
    messages, cuts = [], 0
    for number, job in enumerate(jobs, 1):
        messages.append({"role": "user", "content": job.prompt})
        is_over = False
        while not is_over:
            try:
                loop(client, messages, [*workspace.tools(), list_tool(todo)], **SETTINGS)
                is_over = True
            except BadRequestError as problem:
                assert trim_if_too_long(messages, trim_messages, todo, problem)
                assert list_prompts(messages) == [one.prompt for one in jobs[:number]]
                cuts += 1
        assert not job.list_missing(workspace.root)
    assert cuts > 1


def test_the_model_goes_on_from_one_message_with_prompt_summary_and_list():
    def summarise(messages, todo):
        note = f"<reminder>Some steps are done. The list:\n{todo.render()}</reminder>"
        blocks = messages[0]["content"][:2]
        return [{"role": "user", "content": [*blocks, text(note)]}]

    run = play(4000, summarise, after=None)
    assert run.steps_done == 10 and len(run.rounds) < 40


def test_a_model_that_is_asked_from_its_prompt_again_and_again_comes_to_an_end():
    run = play(2000, lambda messages, todo: messages[:1], after=None)
    assert len(run.rounds) < 120 and "may begin again and again" in run.rounds[-1].text


def test_messages_that_become_fewer_each_time_are_sent_until_they_fit():
    called = []

    def drop_one_note(messages, todo):
        called.append(len(messages))
        notes = [{"role": "user", "content": "Note. " * 600}] * (4 - len(called))
        return [messages[0], *notes, *messages[-6:]]

    run = play(2000, drop_one_note, after=None)
    assert not run.problem and len(called) > 2
    assert called[1:] == [11 - number for number in range(1, len(called))]


def writes_and_works(request):
    """Reply with a todo call in every tenth round, and with other calls: 300 rounds in all."""
    number = next(REPLIES)
    if number >= 300:
        return [text("Done.")]
    if number % 10:
        return [use("read_file", path="hello.py")]
    items = [{"text": f"Part {number} of the work", "status": "in_progress"}]
    return [use("todo", items=items)]


REPLIES = count()
MODEL = PracticeModel(writes_and_works, context_window=3000, max_lost_replies=1000)


def test_three_hundred_rounds_trim_messages_a_dozen_times_and_lose_no_list():
    run = Run("hello", model=connect_practice(MODEL), after=None, trim_messages=trim_messages)
    run.play()
    assert run.rounds[-1].text == "Done." and len(run.rounds) == 301
    sizes = [len(request["messages"]) for request in MODEL.requests]
    rejected = sum(now < before for before, now in pairwise(sizes))
    assert rejected >= 12
    for request in MODEL.requests[1:]:
        sent = json.dumps(request["messages"])
        assert load_job("hello").prompt in sent.replace("\\n", "\n")
        assert "of the work" in sent  # the newest list is in its call, or was put back


@pytest.mark.parametrize("at", ["before", "inside", "after"])
def test_an_interrupt_while_messages_are_trimmed_loses_nothing(at):
    left = {at}

    def interrupt(now):
        if now in left:
            left.remove(now)
            raise KeyboardInterrupt

    def interrupted(messages, todo):
        interrupt("before")
        new = trim_messages(messages, todo)
        interrupt("inside")
        return new

    def policy(request):
        if "Earlier messages were left out" in str(request["messages"]):
            interrupt("after")
        return practice_policy(request)

    model = PracticeModel(policy, context_window=WINDOW)
    run = Run(model=connect_practice(model), trim_messages=interrupted, after=None)
    with pytest.raises(KeyboardInterrupt):
        run.play()
    before = json.dumps(run.items)
    assert list_run_edges(run) == [(len(run.records), "failed")] and "stop button" in run.problem
    run.play()  # goes on with the same messages
    assert run.steps_done == 10 and before != "[]"
