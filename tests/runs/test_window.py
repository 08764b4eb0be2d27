"""What a program sends of a conversation: the model sees this request, and nothing else."""

import json
from copy import deepcopy
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import result, text, use
from support.loop import ANY_TOOL, SETTINGS
from support.nags import PlainNag
from support.play_loop import rounds

from agentlib import Nag, TodoManager, trim_messages
from agentlib.signatures import call_loop
from agentlib.window import LEFT_OUT, is_prompt, keep_last, list_written
from lesson.common.message_blocks import blocks_of, find_prompt
from lesson.drawing.plan_card import find_card
from lesson.drawing.run_picture import draw_round
from lesson.practice.api.server import check_request
from lesson.practice.policy.history import VisibleHistory
from lesson.practice.policy.next_reply import find_list, practice_policy
from lesson.practice.practice_model import PracticeModel
from lesson.runs.run import Run
from lesson.samples.jobs import load_job


@pytest.mark.parametrize("window", [6, 12])
@pytest.mark.parametrize(
    "settings",
    [{"after": 3}, {"after": 8}, {"todo": None}, {"after": 8, "nag": Nag}],
    ids=str,
)
def test_view_of_every_request_is_that_of_the_practice_model(window, settings):
    run = Run(window=window, **settings).play()
    assert any(not record.view.is_whole for record in run.records)
    for number, record in enumerate(run.records, 1):
        seen, view = VisibleHistory(run.request(number).sent), record.view
        listed = find_list(load_job("ten_steps"), seen)
        assert view.is_lost == (not seen.is_whole and not listed), number
        if not listed:
            assert view.is_whole == seen.is_whole, number


def give_each_step_its_own_window(client, messages, tools, remind=None, **settings):
    """Begin a new conversation for each of the first three steps, as a loop of s06 does."""
    for step in load_job("ten_steps").steps[:3]:
        asked = f"{find_prompt(messages[0])}\n\n<reminder>\n- [ ] {step.text}\n</reminder>"
        call_loop(rounds, client, [{"role": "user", "content": asked}], tools, remind, **settings)


def test_conversation_that_begins_anew_has_lost_nothing_and_the_end_before_it_is_no_stop():
    run = Run(loop=give_each_step_its_own_window, todo=None, window=4).play()
    assert run.letters == "wdnwdnwde" and run.steps_done == 3
    assert [record.view.frame[0] for record in run.records] == [0, 0, 0, 3, 3, 3, 6, 6, 6]
    assert not any(record.view.left_out for record in run.records)
    assert "not sent" not in str(run.request(6))
    assert [find_card(run, at) and find_card(run, at).name for at in (3, 4, 5)] == [
        *("round 1 is still sent", None, "round 4 is still sent"),
    ]
    assert "ends its conversation, and says" in draw_round(run, 3)
    assert ">stops, and says" in draw_round(run, 9)


def test_conversation_whose_replies_were_left_out_before_a_stop_is_not_a_new_one():
    def forgets(messages, todo):
        return messages[:1]

    run = Run(window=1000, model=PracticeModel(context_window=2500), trim_messages=forgets).play()
    assert any(record.view.left_out for record in run.records)
    assert not any(record.view.start for record in run.records) and "n" not in run.letters


@pytest.mark.parametrize("window", [4, 5, 11, 12, 13])
def test_what_is_sent_has_the_prompt_and_the_last_whole_rounds(window):
    run = Run(after=None, window=window).play()
    for number in range(1, len(run.records) + 1):
        prompt, *rest = run.request(number).sent["messages"]
        assert len(rest) == min(2 * (number - 1), window // 2 * 2)
        assert [message["role"] for message in rest[:1]] in ([], ["assistant"])
        texts = [block["text"] for block in blocks_of(prompt)]
        assert (LEFT_OUT in texts) is (2 * (number - 1) > window)
        assert run.records[number - 1].view.frame == (
            max(0, number - 1 - window // 2),
            number - 1,
        )
    assert not run.problem and LEFT_OUT not in str(run.messages)  # the loop's list is unchanged


def test_a_window_holds_for_any_model_and_without_one_it_gets_everything():
    for window in (None, 8):
        run = Run(model=PracticeModel(), window=window, after=None).play()
        assert all(record.view.is_whole for record in run.records) is (window is None)
    assert Run(model="starter").window is Run(model=PracticeModel()).window is None


def test_two_replies_in_a_row_are_kept_or_left_out_together():
    """A recorded history that the API has accepted has the calls of one turn in two messages."""
    messages = [{"role": "user", "content": "Go."}]
    for ids in ("ab", "cd"):
        messages += [{"role": "assistant", "content": [use("ls", id=id_)]} for id_ in ids]
        messages.append({"role": "user", "content": [result(id_) for id_ in ids]})
    for window in (2, 3, 4, 5):
        sent = keep_last(messages, window)
        check_request(SETTINGS | {"messages": sent, "tools": [ANY_TOOL]})


@st.composite
def conversations(draw):
    """Return messages that the API accepts: calls and their results, and texts of both sides."""
    messages = [{"role": "user", "content": draw(st.sampled_from(["Go.", [text("Go.")]]))}]
    for number in range(draw(st.integers(0, 12))):
        ids = [f"t{number}_{n}" for n in range(draw(st.integers(0, 2)))]
        texts = [text("I see.")] if draw(st.booleans()) or not ids else []
        calls = [{"type": "tool_use", "id": id_, "name": "ls", "input": {}} for id_ in ids]
        results = [{"type": "tool_result", "tool_use_id": id_, "content": "ok"} for id_ in ids]
        messages += [
            {"role": "assistant", "content": [*texts, *calls]},
            {"role": "user", "content": results or "Go on."},
        ]
        if draw(st.booleans()):  # an empty reply was not kept, and the user writes again
            messages.append({"role": "user", "content": "And now?"})
    return messages


@given(messages=conversations())
def test_the_api_accepts_what_trimming_returns_of_any_conversation(messages):
    todo, before = TodoManager(), deepcopy(messages)
    todo.update([{"text": "Write it", "status": "in_progress"}])
    new = trim_messages(messages, todo)
    check_request(SETTINGS | {"messages": new, "tools": [ANY_TOOL]})
    assert messages == before and list_texts(new) == list_texts(messages)
    if len(messages) > 8:
        assert list_written(new[-1]) == list_written(messages[-1])
        assert str(new).replace("\\n", "\n").count(todo.render()) == 1
        answers = [one for one in new[:-6] if one["role"] == "assistant"]
        calls = [block for one in answers for block in one["content"] if block["type"] != "text"]
        assert not calls


def list_texts(messages):
    """Return all that the user has written."""
    return [block["text"] for one in messages for block in list_written(one)]


@given(conversations(), st.integers(4, 20))
def test_the_api_accepts_what_is_sent_of_any_conversation(messages, window):
    sent = keep_last(messages, window)
    for history in (messages, sent):
        check_request(SETTINGS | {"messages": history, "tools": [ANY_TOOL]})
    assert sum(not is_prompt(message) for message in sent) <= window or sent == messages
    assert sent[-1] == messages[-1]
    prompts = [find_prompt(one) for one in sent]  # what the user has written is always sent
    assert [one for one in prompts if one] == [one for one in map(find_prompt, messages) if one]


def test_a_loop_that_leaves_messages_out_by_itself_is_drawn_in_rounds_of_the_run():
    """The rounds keep their numbers, whoever leaves messages out, and their plan has left."""

    class Cuts:
        """A client that keeps the prompt and the last six messages when there are 13."""

        def __init__(self, client):
            self.messages, self.client, self.view, self.read = self, client, [], 0

        def create(self, messages, **settings):
            self.view, self.read = [*self.view, *messages[self.read :]], len(messages)
            if len(self.view) > 13:
                self.view = [self.view[0], *self.view[-6:]]
            return self.client.messages.create(messages=self.view, **settings)

    def loop(client, messages, tools, **settings):
        call_loop(rounds, Cuts(client), messages, tools, **settings)

    run = Run(loop=loop, model=PracticeModel(), after=None).play()
    assert run.steps_done == 3 and run.rounds[-1].text.endswith("The work is complete.")
    [first] = [n for n, record in enumerate(run.records, 1) if record.view.left_out][:1]
    assert run.records[first - 1].view.frame == (first - 4, first - 1)
    assert run.records[first - 1].view.has_left and "l" in run.letters
    [unseen] = [part for part in run.request(first).parts if part.kind == "unseen"]
    assert unseen.line.startswith(f"{2 * (first - 4)} messages of rounds 1 to {first - 4}, with")
    labels = [part.label for part in run.request(first).parts if part.kind == "call"]
    assert labels[0] == f"assistant {first - 3}"


SPELLINGS = {
    "JSON": json.dumps,
    "literal": str,
    "last comma": lambda items: json.dumps(items)[:-1] + ",]",
    "space and case": lambda items: [
        item | {"text": f" {item['text']}\n", "status": f" {item['status'].upper()} "}
        for item in items
    ],
}


@cache
def play_plain(nag):
    return Run(model=PracticeModel(), window=8, nag=nag).play()


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("nag", [PlainNag, Nag])
def test_a_list_is_seen_in_whatever_form_the_tool_has_accepted_it(spelling, nag):
    """The tool, the window and the pictures read a list with one function."""

    def policy(request):
        blocks = practice_policy(request)
        for block in blocks:
            if block["type"] == "tool_use" and block["name"] == "todo":
                block["input"] = {"items": SPELLINGS[spelling](block["input"]["items"])}
        return blocks

    plain = play_plain(nag)
    run = Run(model=PracticeModel(policy), window=8, nag=nag).play()
    assert run.letters == plain.letters and "P" in run.letters.upper()
    for record, same in zip(run.records, plain.records, strict=True):
        assert (record.is_lost, record.view.seen is None) == (same.is_lost, same.view.seen is None)
