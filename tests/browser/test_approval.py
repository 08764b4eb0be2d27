"""A real model's command, asked for by buttons beside a player that is stepped by hand."""

import pytest
from gallery import gallery, says

CELLS = """
import lesson.widgets.approval
from agentlib import Workspace, rounds; from lesson import PracticeModel
from agentlib.client.connection import Connection
from lesson.widgets import Approval, Player
from lesson import sample

def policy(request):
    done = len(request["messages"]) // 2
    use = {"type": "tool_use", "name": "bash", "input": {"command": f"echo '<b>{done}</b>' > f"}}
    return [use] if done < 3 else [{"type": "text", "text": "Done."}]

lesson.widgets.approval.TOO_SOON = 0  # a test reads faster than a person
approval = Approval()
model = Connection(PracticeModel(policy).client(), {"model": "practice", "max_tokens": 99},
                   real=True, ask=approval)
approval
#
shop = sample("hello")
messages = [{"role": "user", "content": "Go"}]
Player(rounds(model.client, messages, model.guard(shop.tools()), **model.settings), messages)
"""


@pytest.fixture
def lab(lab_server, lab_page, pictures):
    with gallery(lab_server, lab_page, pictures, "approval", CELLS) as lab:
        yield lab
    assert lab.problems == []


def test_a_command_waits_for_a_button_and_a_no_reaches_the_model(lab):
    page = lab.page
    approval, player = page.locator(".al-approval"), page.locator(".al-player")
    says(approval, "^Nothing is asked now.$")
    for answer, outcome in [("Allow once", "(no output)"), ("No", "did not approve it")]:
        player.get_by_role("button", name="Ask the model").click()
        command = approval.get_by_role("region", name="The command")
        command.wait_for()
        assert "<b>" in command.inner_text()
        approval.get_by_role("button", name=answer).focus()
        lab.press("Enter")
        player.get_by_text(outcome).first.wait_for()
        command.wait_for(state="detached")
        assert lab.focused() == f"button: {answer}"


def test_an_answer_to_a_question_that_is_over_is_not_taken(lab):
    approval, player = lab.page.locator(".al-approval"), lab.page.locator(".al-player")
    player.get_by_role("button", name="Ask the model").click()
    approval.get_by_role("region", name="The command").wait_for()
    question = int(lab.answer("approval.state['question']"))
    lab.run(f"""
approval._handle_custom_msg({{"answer": "once", "question": {question - 1}}}, None)
approval._handle_custom_msg({{"answer": "once"}}, None)
""")
    assert lab.answer("approval.state['question']") == str(question)
    approval.get_by_role("button", name="No").click()
    player.get_by_text("did not approve it").first.wait_for()
