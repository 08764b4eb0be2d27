"""Widgets of a saved notebook that is opened again in new kernels: JupyterLab would delete them."""

import json

import nbformat
import pytest
from gallery import PYTHON
from lab import SHOWN, TIMEOUT_MS, Lab
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect

# The tests save. If JupyterLab saved at the same moment, it would ask what to do with the file.
AUTOSAVE = {"autosave": False}
DOCMANAGER = "@jupyterlab/docmanager-extension:plugin"
MANAGER = "@jupyter-widgets/jupyterlab-manager:plugin"
CHANGE = "await app.serviceManager.settings.save(...argument);"
STATES = "application/vnd.jupyter.widget-state+json"
# The paragraphs fill the first screens: no widget is drawn when the notebook is opened.
CELLS = [
    new_markdown_cell("\n\n".join(f"Paragraph {number}" for number in range(150))),
    new_code_cell("from lesson import Arena, Runs\nArena()"),
    new_code_cell("runs = Runs('hello')\nruns"),
]


class Saved(Lab):
    """A notebook that is closed and opened again, each time with a new kernel."""

    def __init__(self, page, server, name):
        super().__init__(page, server[0], "saved")
        self.name, self.path = name, server[1] / "saved" / name

    def create(self):
        """Open a notebook with new widgets."""
        nbformat.write(new_notebook(cells=CELLS, metadata={"kernelspec": PYTHON}), self.path)
        self.open(self.name)

    def save(self):
        """Save the notebook."""
        self.script("await panel.context.save();")

    def states(self):
        """Return the widgets in the file, by their ids."""
        saved = json.loads(self.path.read_text(encoding="utf-8"))["metadata"].get("widgets", {})
        return saved.get(STATES, {}).get("state", {})

    def guesses(self):
        """Return how many guesses the arena in the file has."""
        return sum(len(one["state"].get("guesses", [])) for one in self.states().values())

    def save_until(self, is_so):
        """Save each time that the notebook becomes unsaved, until `is_so()` is true of the file."""
        while not is_so():
            self.script(
                """const model = panel.context.model;
                   if (!model.dirty) await new Promise((done) => {
                       model.stateChanged.connect(function onChange() {
                           if (!model.dirty) return;
                           model.stateChanged.disconnect(onChange);
                           done();
                       });
                   });
                   await panel.context.save();"""
            )

    def reopen(self):
        """End the kernel, open the notebook in a new page and kernel, and save it."""
        self.close_notebooks()
        self.page.goto("about:blank")
        self.open(self.name)
        self.save()

    def show(self, place):
        """Scroll to the widget of the cell at `place`, and return it when it is drawn."""
        self.script("await panel.content.scrollToItem(argument, 'start');", place)
        cell = self.page.locator(f"{SHOWN} .jp-Cell[data-windowed-list-index='{place}']")
        widget = cell.locator(".agentlib").first
        widget.wait_for()
        return widget


@pytest.fixture(scope="module")
def page(chromium, lab_server):
    """Return a page of a JupyterLab that does not save by itself."""
    page = chromium.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    (lab_server[1] / "saved").mkdir()
    lab = Lab(page, lab_server[0], "saved")
    page.goto(lab.address(""))
    page.wait_for_function("'jupyterapp' in window")
    lab.script(CHANGE, [DOCMANAGER, json.dumps(AUTOSAVE)])
    page.goto("about:blank")  # a new page of JupyterLab reads the setting
    yield page
    lab.script(CHANGE, [DOCMANAGER, "{}"])
    lab.close_notebooks()
    page.close()


@pytest.fixture(params=[False, True], ids=["", "if JupyterLab saves the widgets of all notebooks"])
def saves_all(page, lab_server, request):
    """Set JupyterLab's "Save Widget State Automatically", which a user can switch on."""
    lab = Saved(page, lab_server, "")
    page.goto(lab.address(""))
    page.wait_for_function("'jupyterapp' in window")
    lab.script(CHANGE, [MANAGER, json.dumps({"saveState": request.param})])
    page.goto("about:blank")
    yield request.param
    lab.script(CHANGE, [MANAGER, "{}"])


@pytest.mark.usefixtures("saves_all")
def test_widgets_and_new_answers_are_kept_each_time_a_saved_notebook_is_opened(page, lab_server):
    lab = Saved(page, lab_server, "widgets.ipynb")
    lab.create()
    lab.run_all()
    lab.save()
    first = lab.states()
    assert {one["model_name"] for one in first.values()} == {"AnyModel", "LayoutModel"}
    for guesses in range(1, 4):
        lab.reopen()
        expect(page.locator(f"{SHOWN} .agentlib").first).not_to_be_in_viewport()
        assert set(lab.states()) == set(first)
        lab.show(2).get_by_role("slider").first.wait_for()
        arena = lab.show(1)
        assert lab.blank_widgets() == []
        expect(arena.locator(".al-arena-row")).to_have_count(guesses)
        arena.locator(".al-arena-box").get_by_role("button").first.click()
        expect(arena.locator(".al-arena-row")).to_have_count(guesses + 1)
        lab.save_until(lambda wanted=guesses: lab.guesses() == wanted)
    lab.script("panel.content.model.sharedModel.deleteCell(1); await panel.context.save();")
    assert 0 < len(lab.states()) < len(first)


def test_notebook_is_unsaved_after_an_answer_that_was_given_during_a_save(page, lab_server):
    lab = Saved(page, lab_server, "saving.ipynb")
    lab.create()
    lab.run_all()
    lab.save()
    requests = f"**/api/contents/**/{lab.name}*"
    page.route(requests, lambda route: None)  # it is held
    with page.expect_request(requests):
        lab.script("window.saving = panel.context.save();")
    lab.script(
        """window.written = new Promise((done) => panel.context.model.metadataChanged.connect(
               (_, {key}) => key === 'widgets' && done()));"""
    )
    lab.show(1).locator(".al-arena-box").get_by_role("button").first.click()
    lab.script("await window.written;")  # the extension has written the answer into the notebook
    page.unroute(requests)  # and let the save go on
    lab.script("await window.saving;")
    assert lab.guesses() == 0
    assert lab.script("return panel.context.model.dirty;")
    lab.save()
    assert lab.guesses() == 1


def test_run_that_is_chosen_after_a_restart_is_not_shown_as_the_run_that_was_open(page, lab_server):
    lab = Saved(page, lab_server, "players.ipynb")
    lab.create()
    lab.run_all()
    lab.show(1).get_by_role("button", name="Model C, the loop alone").click()
    lab.show(2).get_by_role("button", name="Open run").click()
    lab.show(2).locator(".al-player").wait_for()
    lab.save()
    lab.reopen()
    for place, key in ((1, "ArrowLeft"), (2, "ArrowDown")):
        lab.show(place).locator(".al-player").wait_for()
        lab.show(place).locator("[aria-expanded=true], [role=slider]").first.press(key)
        lab.press("Enter")
        expect(lab.show(place)).to_contain_text("run this cell again to open the run")
        expect(lab.show(place).locator(".al-player")).to_have_count(0)
    expect(lab.show(1)).to_contain_text("Model B, the loop alone: the files show 3 of 10 steps.")


def test_notebook_does_not_grow_when_its_cells_are_run_again(page, lab_server):
    lab = Saved(page, lab_server, "again.ipynb")
    lab.create()
    sizes = []
    for _ in range(10):
        lab.run_all()
        lab.save()
        lab.save_until(lambda: len(lab.states()) == 4)  # two widgets, and the layout of each
        sizes.append(lab.path.stat().st_size)
    assert max(sizes) < 1.1 * sizes[0], sizes


def test_notebook_without_the_lesson_is_not_changed(page, lab_server):
    lab = Saved(page, lab_server, "other.ipynb")
    cells = [new_code_cell("from ipywidgets import IntSlider\nIntSlider()")]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": PYTHON}), lab.path)
    lab.open(lab.name)
    lab.run_all()
    lab.save()
    assert "widgets" not in json.loads(lab.path.read_text(encoding="utf-8"))["metadata"]
