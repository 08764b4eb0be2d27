"""s03a, s03c and the exercises in JupyterLab: what only a kernel together with a page can show.

nbval runs every notebook in a kernel.
"""

import pytest
from lab import SHOWN
from learner import NOT_YET, RIGHT, Notebook
from playwright.sync_api import Error


def test_exercise_gives_feedback_on_an_empty_a_wrong_and_a_right_solution(lab):
    notebook = Notebook(lab)
    first = [cell["cell_type"] for cell in lab.notebook()["cells"]].index("code")
    lab.run_cell(first)  # the imports
    notebook.run("exercise", "priority")
    notebook.run("check", "priority")
    assert "nothing there yet, and that is fine" in notebook.feedback("check", "priority")

    said = notebook.check(NOT_YET, "priority")
    assert "PriorityTodo: not yet. 8 of 9 rules pass." in said
    assert "a priority that is left out is medium" in said
    assert "'medium'" in said and "'low'" in said
    output = f"{SHOWN} [data-windowed-list-index='{notebook.index('check', 'priority')}']"
    assert lab.axe(f"{output} .jp-RenderedHTML") == []
    value = lab.page.locator(f"{output} pre").first
    assert value.evaluate("it => getComputedStyle(it).wordBreak") == "normal"

    assert "all 9 rules pass" in notebook.check(RIGHT, "priority")
    lab.close_notebooks()
    assert lab.problems == []


def run_notebook(lab, name):
    """Open a notebook and run all of its cells."""
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open(name)
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []
    return lab


@pytest.fixture(scope="module")
def s03a(lab):
    return run_notebook(lab, "s03a_todo_write.ipynb")


@pytest.mark.parametrize("place", ["start", "center", "end"])
def test_live_board_is_in_view_wherever_its_cell_is(s03a, place):
    """Press Shift+Enter with the cell at each place of the view, and look at every round."""
    cells = s03a.notebook()["cells"]
    number = next(n for n, cell in enumerate(cells) if "board.follow(" in cell["source"])
    s03a.run_cell(number - 3)  # fresh files for a new run
    rounds, hidden = s03a.script(
        """const [number, place] = argument;
           panel.content.activeCellIndex = number;
           await app.commands.execute('notebook:clear-cell-output');
           const cell = panel.content.widgets[number];
           const source = cell.model.sharedModel;
           source.setSource(source.getSource().replace('pause=0.01', 'pause=0.2'));
           await panel.content.scrollToItem(number, place);
           const view = panel.content.node.querySelector('.jp-WindowedPanel-outer');
           const status = () => cell.node.querySelector('.al-board [role=status]')?.textContent;
           const drawn = new Set();
           const hidden = {};
           const measure = () => {
               const board = cell.node.querySelector('.al-board');
               const [it, all] = [board?.getBoundingClientRect(), view.getBoundingClientRect()];
               const pixels = it ? Math.max(all.top - it.top, it.bottom - all.bottom) : 0;
               if (pixels > 1) hidden[status()] = pixels;
           };
           const ended = new Promise((done) => {
               // A slow machine shows not every round, so only what it shows is measured.
               new MutationObserver(() => {
                   const said = status();
                   if (!said || drawn.has(said)) return;
                   drawn.add(said);
                   requestAnimationFrame(() => {
                       measure();
                       if (said.startsWith('It stopped by itself.')) done();
                   });
               }).observe(cell.node, {childList: true, characterData: true, subtree: true});
           });
           await app.commands.execute('notebook:run-cell-and-select-next');
           await ended;
           return [drawn.size, hidden];""",
        [number, place],
    )
    assert rounds > 5
    assert hidden == {}


def test_name_error_after_a_restart_says_in_its_cell_what_to_run(s03a, lab):
    ids = [cell["id"] for cell in lab.notebook()["cells"]]
    lab.script(
        """panel.content.widgets[argument].model.sharedModel.setSource('prnt(1)');
           await panel.sessionContext.session.kernel.restart();""",
        ids.index("todo-23"),
    )
    cells = {"rules-05": "check_rules", "todo-05": "Shown", "todo-23": None}
    for cell, name in cells.items():
        place = ids.index(cell)
        with pytest.raises(Error, match="NameError"):
            lab.run_cell(place)
        error, *more = lab.notebook()["cells"][place]["outputs"]
        assert error["ename"] == "NameError"
        begins = [one["text"].partition(".")[0] for one in more]
        assert begins == ([f"A cell above defines {name}"] if name else [])


@pytest.fixture(scope="module")
def s03c(lab):
    return run_notebook(lab, "s03c_how_soon.ipynb")


def test_both_sliders_of_plain_ipywidgets_change_the_picture(s03c, lab):
    ids = [cell["id"] for cell in lab.notebook()["cells"]]

    def move(slider, *keys):
        lab.page.locator(f"{SHOWN} .widget-slider", has_text=slider).last.locator(
            ".noUi-handle"
        ).focus()
        lab.press(*keys)

    lab.run_cell(ids.index("todo-slider-6"))
    move("after", *["ArrowRight"] * 3)  # from 3 to 6
    lab.page.locator(SHOWN).get_by_text("the files show 3 of 10").first.wait_for()
    move("window", *["ArrowRight"] * 4)  # from 12 to 16
    lab.page.locator(SHOWN).get_by_text("the files show 10 of 10").first.wait_for()
    assert lab.errors() == []


def test_closed_answer_has_space_below_it(s03c, lab):
    answer = lab.page.locator(f"{SHOWN} .jp-MarkdownOutput details:has(+ p)").first
    assert answer.evaluate("it => getComputedStyle(it).marginBottom") != "0px"
