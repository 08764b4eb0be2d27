"""JupyterLab's terminal, as `make lab` starts it: the learner's own program runs in it."""

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

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
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    shell.run_cell(check_agent.exercise.read_solution(), store_history=True)
    shell.run_cell(f"import lesson; lesson.keep('agent', agent, {str(folder)!r})")
    InteractiveShell.clear_instance()
    lab.open("s06_your_agent.ipynb")  # a kernel that starts later would take the focus
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
    assert "def greet(name: str" in (folder / "hello" / "hello.py").read_text("utf-8")
