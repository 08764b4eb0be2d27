"""A real model's command, asked for by buttons beside a player that is stepped by hand."""

import nbformat
import pytest
from lab import Lab
from nbformat.v4 import new_code_cell, new_notebook

CELLS = """
from agentlib import PracticeModel, Workspace, rounds
from agentlib.live.connect import Connection
from agentlib.widgets import Approval, Player

def mind(request):
    done = len(request["messages"]) // 2
    use = {"type": "tool_use", "name": "bash", "input": {"command": f"echo '<b>{done}</b>' > f"}}
    return [use] if done < 3 else [{"type": "text", "text": "Done."}]

approval = Approval()
agent = Connection(PracticeModel(mind).client(), {"model": "practice", "max_tokens": 99},
                   real=True, ask=approval)
approval
#
shop = Workspace.sample("hello")
messages = [{"role": "user", "content": "Go"}]
Player(rounds(agent.client, messages, agent.guard(shop.tools()), **agent.settings), messages)
"""
READ_A_COMMAND = 600  # milliseconds: a click before that is the last question's second click


@pytest.fixture
def lab(lab_server, chromium, pictures):
    url, root = lab_server
    (root / "approval").mkdir()
    cells = [new_code_cell(cell.strip()) for cell in CELLS.split("#\n")]
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": python}),
                   root / "approval" / "approval.ipynb")
    lab = Lab(chromium.new_page(), url, "approval", pictures)
    lab.open("approval.ipynb")
    lab.run_all()
    assert lab.errors() == []
    yield lab
    assert lab.problems == []
    lab.close()


def test_a_command_waits_for_a_button_and_a_no_reaches_the_model(lab):
    page = lab.page
    approval, player = page.locator(".al-approval"), page.locator(".al-player")
    assert approval.get_by_role("status").inner_text() == "Nothing is asked now."
    for answer, outcome in [("Allow once", "(no output)"), ("No", "did not allow this command")]:
        player.get_by_role("button", name="Ask the model").click()
        command = approval.get_by_role("region", name="The command")
        command.wait_for()
        assert "<b>" in command.inner_text()
        for theme in ("light", "dark"):
            lab.theme(theme)
            assert lab.axe(".al-approval") == []
            lab.picture(f"approval-{theme}", ".al-approval")
        page.wait_for_timeout(READ_A_COMMAND)
        approval.get_by_role("button", name=answer).focus()
        lab.press("Enter")
        player.get_by_text(outcome).first.wait_for()
        command.wait_for(state="detached")
        assert lab.focused() == f"button: {answer}"
    lab.theme("light")
