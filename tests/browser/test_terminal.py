"""JupyterLab's terminal, as `make lab` starts it: the learner's own program runs in it."""

from contextlib import chdir

from support.notebook import run_cells

from lesson import check_agent

COLLECT = """
    const terminal = await app.commands.execute('terminal:create-new', {cwd: argument});
    window.printed = '';
    await terminal.content.ready;
    terminal.content.session.messageReceived.connect((_, message) => {
        if (message.type === 'stdout') window.printed += message.content.join('');
    });
    terminal.content.activate();
"""


def test_the_line_of_the_notebook_runs_in_jupyterlabs_terminal(lab, lab_server):
    folder = lab_server[1] / lab.folder
    with chdir(folder):
        run_cells(check_agent.exercise.read_solution(), "keep('agent', agent)")
    lab.open("s08_your_agent.ipynb")  # a kernel that starts later would take the focus
    place = [cell["id"] for cell in lab.notebook()["cells"]].index("the-line")
    lab.run_cell(place)
    line = lab.notebook()["cells"][place]["outputs"][0]["text"]
    lab.script(COLLECT, lab.folder)
    lab.page.locator(".jp-Terminal").click()
    lab.page.keyboard.type("python -c 'import agentlib'; echo ended $?")
    lab.press("Enter")
    lab.page.wait_for_function("/ended \\d/.test(window.printed)")
    assert "No module named 'agentlib'" in lab.page.evaluate("window.printed")
    lab.page.keyboard.type(f"{line.strip()}; echo program ended $?")
    lab.press("Enter")
    lab.page.wait_for_function("/program ended \\d/.test(window.printed)")
    assert "program ended 0" in lab.page.evaluate("window.printed")
    assert "salt" in (folder / "auth" / "auth.py").read_text("utf-8")


def test_brought_loop_fills_its_own_cell_once_and_is_edited_there(lab):
    lab.open("s03b_nag_reminder.ipynb")
    ids = [cell["id"] for cell in lab.notebook()["cells"]]
    place = ids.index("remind-01")
    for cell in (ids.index("nag-02"), place, place):
        lab.run_cell(cell)
        cells = lab.notebook()["cells"]
        assert [cell["id"] for cell in cells] == ids
    whose, source = cells[place]["source"].split("\n", 1)
    assert whose == "# Our agent_loop, until my_agent.py has yours."
    assert source.startswith("from agentlib import call_tool\n\n\ndef agent_loop(")
    lab.run_cell(ids.index("remind-02"))
    checked = lab.notebook()["cells"][ids.index("remind-02")]["outputs"][0]["data"]["text/plain"]
    assert "nothing there yet, and that is fine" in checked  # the same loop, without remind
