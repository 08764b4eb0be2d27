"""JupyterLab's terminal, as `make lab` starts it: the learner's own program runs in it."""

from lesson import keep
from lesson.exercises.catalogue import read_solution

PROMPT = "Refactor hello.py: add type hints, docstrings and a main guard."
COLLECT = """
    const terminal = await app.commands.execute('terminal:create-new', {cwd: argument});
    window.printed = '';
    await terminal.content.ready;
    terminal.content.session.messageReceived.connect((_, message) => {
        if (message.type === 'stdout') window.printed += message.content.join('');
    });
    terminal.content.activate();
"""


def test_learners_program_runs_in_jupyterlabs_terminal(lab, lab_server):
    folder = lab_server[1] / lab.folder
    names = {}
    source = read_solution("agent")
    exec(source, names)
    keep("agent", names["agent"], folder, [source])
    lab.open("s06_your_agent.ipynb")  # a kernel that starts later would take the focus
    lab.script(COLLECT, lab.folder)
    lab.page.locator(".jp-Terminal").click()
    lab.page.keyboard.type(f'python my_agent.py "{PROMPT}"; echo ended $?')
    lab.press("Enter")
    lab.page.wait_for_function("/ended \\d/.test(window.printed)")
    assert "ended 0" in lab.page.evaluate("window.printed")
    assert "def greet(name: str" in (folder / "hello" / "hello.py").read_text("utf-8")
