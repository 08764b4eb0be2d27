"""The lesson in a browser, with nothing installed: JupyterLite from a plain file server.

`make live` builds it, and .ci/run runs these tests. The browser has no network.
"""

import os
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from lab import NO_LOCALHOST, Lab, file_server
from learner import NOT_YET, RIGHT, Notebook
from playwright.sync_api import expect
from support.nbgrader import Course

SITE = Path(__file__).parents[2] / "build" / "site"
ENDLESS = (
    NOT_YET
    + """
    def check(self, item, position):
        while True:
            try:
                super().check(item, position)
            except Exception:
                pass
"""
)
PATIENCE_SECONDS = 300  # a few seconds on an idle machine


class LiveLab(Lab):
    """A page of the lesson that runs in the browser."""

    patience_seconds = PATIENCE_SECONDS

    def address(self, path):
        # Below the root of the server, as the pages of a project are.
        return f"{self.url}/{SITE.name}/live/lab/index.html?path={path}"

    def execute(self, code):
        """Run code in the kernel of the notebook in front; return what it prints, or its error."""
        return self.script(
            """const future = panel.sessionContext.session.kernel.requestExecute({code: argument});
               let said = '';
               future.onIOPub = ({content}) => { said += content.text ?? content.evalue ?? ''; };
               await future.done;
               return said;""",
            code,
            seconds=PATIENCE_SECONDS,
        )


@pytest.fixture(scope="module")
def new_page(chromium):
    """Return a function that opens a new page; all pages share one storage."""
    if not (SITE / "live").is_dir():
        give_up = pytest.fail if os.environ.get("CI") else pytest.skip
        give_up("`make live` has not built it")
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    with file_server(SITE.parent) as url:
        yield lambda: LiveLab(context.new_page(), url, "")
    context.close()


@pytest.fixture(scope="module")
def live(new_page):
    """Open s03c in a page and run all of it."""
    lab = new_page()
    lab.page.add_init_script(
        """window.said = [];
           const told = new BroadcastChannel('agentlib-progress');
           told.onmessage = ({data}) => said.push(data.said);
           addEventListener('DOMContentLoaded', () => said.push(
               document.querySelector('[role=status]#agentlib-progress').textContent));"""
    )
    lab.open("s03c_how_soon.ipynb")
    lab.run_all(PATIENCE_SECONDS)
    yield lab
    lab.page.close()


def test_page_reports_its_progress(live):
    opening, fetching, *_, starting, ready = live.page.evaluate("said")
    assert opening == "Opening JupyterLab…"
    assert fetching.startswith("Fetching Python and its packages: 1 of")
    assert starting == "Starting Python: a few seconds more"
    assert ready == "Ready. What you change is kept in this browser."


def test_s03c_runs_with_all_its_widgets(live):
    assert live.errors() == []
    assert live.blank_widgets() == []


def test_ten_steps_are_done_without_a_shell(live):
    said = live.execute(
        "trial = play(after=3)\nprint(trial.steps_done, trial.rounds[-1].text)\n"
        "print(trial.workspace.bash('ls'))"
    )
    assert said.startswith("10 Everything on my list is done. There is no shell here")
    assert "a browser has none" in said


def test_solutions_are_checked_and_nbgrader_grades_a_downloaded_notebook(new_page, tmp_path):
    lab = new_page()
    notebook = Notebook(lab)
    notebook.run("setup")
    expected = {
        ENDLESS: "nothing within ",
        NOT_YET: "not yet. 8 of 9 rules pass",
        RIGHT: "all 9 rules pass",
    }
    for text, words in expected.items():
        assert words in notebook.check(text, "priority")
    with lab.page.expect_download() as download:
        lab.script("await panel.context.save(); await app.commands.execute('docmanager:download');")
    download.value.save_as(tmp_path / "downloads" / "s04_exercises.ipynb")
    course = Course(tmp_path / "class", ["s04_exercises"])
    course.hand_in("ada", tmp_path / "downloads")
    assert course.grade() == {"ada": 1}  # of three exercises, she has written one
    assert lab.problems == []
    lab.page.close()


def test_endless_cell_is_ended_and_its_kernel_goes_on(live):
    shorter = "get_ipython().kernel.run.__func__.__globals__['CELL_SECONDS'] = {}"
    live.execute(shorter.format(1.0))
    assert live.execute("a = 7\nwhile True:\n    pass") == "nothing within 1 seconds of work"
    assert live.execute(shorter.format(60.0) + "\nprint(a)") == "7\n"


def test_kernel_that_nothing_can_end_is_restarted(new_page):
    lab = new_page()
    lab.open("00_start_here.ipynb")
    lab.script(
        """const kernel = panel.sessionContext.session.kernel;
           kernel.requestExecute({code: 'max(iter(int, 1))'});  // a loop in C
           while (kernel.status !== 'busy') await new Promise(done => setTimeout(done, 50));
           await panel.sessionContext.restartKernel();
           await panel.sessionContext.session.kernel.info;""",
        seconds=PATIENCE_SECONDS,
    )
    assert lab.execute("print(6 * 7)") == "42\n"
    lab.page.close()


def test_my_agent_runs_in_a_cell_and_its_loop_is_brought_into_s03b(new_page):
    lab = new_page()
    lab.turn_to("s02_tool_use.ipynb")
    notebooks = SITE.parents[1] / "notebooks"
    # Copies, because another page may have saved s03b after bring() has changed a cell.
    for name, file in (("solved", "solutions/s02_tool_use"), ("mine", "s03b_nag_reminder")):
        lab.script(
            """const [path, content] = argument;
               await app.serviceManager.contents.save(
                   path, {type: 'notebook', format: 'json', content});""",
            [f"{name}.ipynb", nbformat.read(notebooks / f"{file}.ipynb", as_version=4)],
        )
    lab.page.goto("about:blank")  # the notebook of the first address may open a second time
    lab.open("solved.ipynb")
    lab.run_all(PATIENCE_SECONDS)
    assert lab.errors() == []
    said = lab.execute('%run my_agent.py "Refactor hello.py: add type hints"')
    assert "Error" not in said and "hello.py" in said, said
    lab.page.goto("about:blank")
    lab.open("mine.ipynb")
    lab.run_all(PATIENCE_SECONDS)
    [brought] = [cell for cell in lab.notebook()["cells"] if "\ndef agent_loop(" in cell["source"]]
    assert "yours, from my_agent.py" in brought["outputs"][0]["text"]
    lab.page.close()


def test_changes_are_kept_until_the_notebook_is_deleted(new_page):
    lab = new_page()
    lab.turn_to("s06_arena.ipynb")
    source = "return panel.content.model.cells.get(0).sharedModel.getSource();"
    original = lab.script(source)
    lab.script(
        """panel.content.model.cells.get(0).sharedModel.setSource('My own words');
           await panel.context.save();"""
    )
    lab.page.goto("about:blank")
    lab.turn_to("s06_arena.ipynb")
    assert lab.script(source) == "My own words"
    lab.script(
        """panel.dispose();
           await app.serviceManager.contents.delete('s06_arena.ipynb');"""
    )
    lab.page.goto("about:blank")
    lab.turn_to("s06_arena.ipynb")
    assert lab.script(source) == original
    lab.page.close()


def test_saved_notebook_of_an_older_version_says_how_to_get_the_newer_one_beside_it(new_page):
    name, lab = "s03d_walkthrough.ipynb", new_page()
    lab.turn_to(name)
    read_version = """const cells = [...panel.content.model.cells];
        return cells.find(cell => cell.type === 'code').getMetadata('planning_agent_lesson');"""
    current = lab.script(read_version)
    lab.script(
        """for (const cell of panel.content.model.cells)
               if (cell.type === 'code') cell.setMetadata('planning_agent_lesson', argument);
           panel.content.model.cells.get(0).sharedModel.setSource('My own words');
           await panel.context.save();""",
        current | {"version": "of last week"},
    )
    lab.page.goto("about:blank")
    lab.open(name)
    lab.run_all(PATIENCE_SECONDS)
    cells = lab.notebook()["cells"]
    said = next(cell for cell in cells if cell["cell_type"] == "code")["outputs"][0]["text"]
    assert said.startswith(f"The lesson has a newer {name} than this one.")
    assert said.endswith("The new one then has the old name in the list of files.\n")
    lab.script("await panel.context.save(); await panel.context.rename('mine.ipynb');")
    lab.turn_to(name)
    assert lab.script(read_version) == current
    lab.turn_to("mine.ipynb")
    assert lab.notebook()["cells"][0]["source"] == "My own words"
    lab.page.close()


MISSING = {
    "start.js": "Python could not be loaded, so no cell can run",
    "pyodide.asm.js": "Python did not start. Reload the page to try again.",
    "pyodide.asm.wasm": "Python did not start. Reload the page to try again.",
    "python_stdlib.zip": "Python did not start. Reload the page to try again.",
}


@pytest.mark.parametrize(("missing", "sentence"), MISSING.items())
def test_page_says_that_python_could_not_be_loaded(chromium, tmp_path, missing, sentence):
    shutil.copytree(SITE / "live", tmp_path / "live", copy_function=os.link)
    (tmp_path / "live/static/pyodide" / missing).unlink()
    with file_server(tmp_path) as url, chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"{url}/live/lab/index.html?path=00_start_here.ipynb")
        expect(page.locator("#agentlib-progress")).to_contain_text(sentence, timeout=60_000)


def test_content_security_policy_of_the_documentation_lets_python_start(chromium):
    install = (SITE.parents[1] / "docs/install.md").read_text(encoding="utf-8")
    policy = re.search(r"(?m)^ +(default-src .*)$", install)[1]
    with file_server(SITE.parent, policy) as url, chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"{url}/{SITE.name}/live/lab/index.html?path=00_start_here.ipynb")
        line = page.locator("#agentlib-progress")
        expect(line).to_contain_text("Ready", timeout=PATIENCE_SECONDS * 1000)
        page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
        seat = page.locator(".jp-OutputArea .agentlib").first
        expect(seat).to_be_visible(timeout=PATIENCE_SECONDS * 1000)


def test_page_says_at_its_top_what_gets_lost_without_https(chromium, live):
    assert live.page.locator("#agentlib-insecure").count() == 0
    with file_server(SITE.parent) as url, chromium.new_context() as context:
        page = context.new_page()
        page.goto(
            url.replace("127.0.0.1", NO_LOCALHOST)
            + f"/{SITE.name}/live/lab/index.html?path=00_start_here.ipynb"
        )
        warning = page.get_by_role("alert").filter(has_text="my_agent.py gets lost")
        expect(warning).to_be_visible(timeout=PATIENCE_SECONDS * 1000)
        below = page.locator("#main")
        expect(below).to_be_visible(timeout=PATIENCE_SECONDS * 1000)
        ends = warning.bounding_box()["height"]
        assert warning.bounding_box()["y"] == 0 and below.bounding_box()["y"] == ends


def test_notebook_has_a_phone_for_itself(chromium):
    with file_server(SITE.parent) as url:
        with chromium.new_context(viewport={"width": 390, "height": 844}) as context:
            page = context.new_page()
            page.goto(f"{url}/{SITE.name}/live/lab/index.html?path=00_start_here.ipynb")
            expect(page.locator(".jp-Notebook")).to_be_visible(timeout=PATIENCE_SECONDS * 1000)
            expect(page.locator("#jp-left-stack")).to_be_hidden()
            page.wait_for_function(  # JupyterLab gives it the place of the hidden panel
                "() => document.querySelector('.jp-Notebook').getBoundingClientRect().width > 300"
            )


def test_no_request_to_another_host(live):
    assert live.problems == []
