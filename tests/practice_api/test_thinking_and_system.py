"""What the API checks and shows of a growing history: thinking blocks, and system messages."""

import pytest
from support.blocks import result, text
from support.practice_api import ASK, BASH, assistant, body, call, post, turns, user

from lesson.practice.api.conversation import CLEAR_AT_BETA
from lesson.practice.practice_model import PracticeModel

REMINDER = "<reminder>Update your todos.</reminder>"
CLEARED = {"role": "system", "content": REMINDER, "clear_at": "next_user_message"}
MARK = {"cache_control": {"type": "ephemeral"}}


def run_bash(request):
    """A policy: a call that no check is about."""
    return [call("toolu_1")] if len(request["messages"]) == 1 else [text("Done.")]


def send_second(change=lambda request: request):
    """Return the reply to a second request, after `change`, of a model that thinks."""
    client = PracticeModel(run_bash, thinking=True).client()
    first = body({"system": "Be brief.", "tools": [BASH]})
    reply = post(client, first)
    assert [block.type for block in reply.content] == ["thinking", "tool_use"]
    assert reply.content[0].thinking == "" and reply.content[0].signature
    blocks = [block.model_dump(exclude_unset=True) for block in reply.content]
    second = first | turns(ASK, assistant(*blocks), user(result("toolu_1")))
    return post(client, change(second))


def rejection_of(change):
    with pytest.raises(Exception) as rejected:
        send_second(change)
    return rejected.value.status_code, rejected.value.body["error"]["message"]


def test_thinking_block_that_is_sent_back_after_the_same_history_is_accepted():
    assert [block.type for block in send_second().content] == ["thinking", "text"]


@pytest.mark.parametrize(
    "change",
    [
        lambda request: request | {"tools": [BASH | {"description": "Run a command."}]},
        lambda request: request | turns(user(text("Hello")), *request["messages"][1:]),
        lambda request: request | turns(ASK, ASK, *request["messages"][1:]),
    ],
    ids=["another tool", "another prompt", "one more message"],
)
def test_changed_history_before_a_thinking_block_is_400(change):
    status, message = rejection_of(change)
    assert status == 400
    assert message.startswith("messages.") and "bound to a different conversation." in message
    assert "`system` prompt differs" not in message


def test_changed_system_prompt_is_named():
    status, message = rejection_of(lambda request: request | {"system": "Be brief today."})
    assert status == 400 and message.startswith("messages.1.content.0: Invalid `signature` in")
    assert message.endswith(
        " The `system` prompt differs from the one this block was created with."
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda request: request | {"system": [text("Be brief.", **MARK)]},
        lambda request: request | turns(*request["messages"], user(text("Go on."))),
        lambda request: request | turns(ASK, assistant(call("toolu_1")), user(result("toolu_1"))),
    ],
    ids=["a cache mark", "a message at the end", "without the thinking block"],
)
def test_what_changes_nothing_before_the_block_is_accepted(change):
    assert send_second(change).content


def test_thinking_blocks_of_other_servers_are_accepted():
    other = {"type": "thinking", "thinking": "Hm.", "signature": "EqQBCkYIAR"}
    assert post(PracticeModel().client(), body(turns(ASK, assistant(other), ASK))).content


def test_empty_reply_of_a_model_that_thinks_stays_empty():
    client = PracticeModel(lambda request: {"content": []}, thinking=True).client()
    assert post(client, body()).content == []


def ask_with_beta(model, *messages):
    client = model.client()
    return client.beta.messages.create(
        model="claude-opus-4-8", max_tokens=100, messages=list(messages), betas=[CLEAR_AT_BETA]
    )


def test_system_message_is_shown_until_the_next_message_of_the_user():
    shown = []
    model = PracticeModel(lambda request: shown.append(request["messages"]) or [text("Hello.")])
    ask_with_beta(model, ASK, CLEARED)
    ask_with_beta(model, ASK, CLEARED, assistant(text("Hello.")), user(text("And now?")))
    assert shown[0] == [user(text("Hi"), text(REMINDER))]
    assert shown[1] == [ASK, assistant(text("Hello.")), user(text("And now?"))]
    assert model.requests[1]["messages"][1] == CLEARED  # in the list it stays


def test_system_message_that_is_never_cleared_stays_in_view():
    shown = []
    model = PracticeModel(lambda request: shown.append(request["messages"]) or [text("Hello.")])
    kept = CLEARED | {"clear_at": "never"}
    ask_with_beta(model, ASK, kept, assistant(text("Hello.")), ASK)
    assert shown == [[user(text("Hi"), text(REMINDER)), assistant(text("Hello.")), ASK]]


def test_only_system_messages_can_be_cleared():
    with pytest.raises(Exception, match="messages.0.clear_at: Extra inputs are not permitted"):
        ask_with_beta(PracticeModel(), ASK | {"clear_at": "next_user_message"})
