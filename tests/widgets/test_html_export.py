"""A notebook with widgets that is converted to HTML has their text, also without internet."""

import re
import subprocess
import sys

import nbformat
import pytest
from ipywidgets.embed import dependency_state
from nbconvert import HTMLExporter
from support.documents import ROOT
from traitlets.config import Config

from lesson.widgets.drawn import Drawn

pytestmark = pytest.mark.release


class Example(Drawn):
    def text(self):
        return "round 1: the list"


def convert():
    """Return the HTML of a notebook with a widget whose state was saved, as JupyterLab saves it."""
    widget = Example(css_class="example")
    data = widget._repr_mimebundle_()
    state = {"state": dependency_state([widget]), "version_major": 2, "version_minor": 0}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    cell = nbformat.v4.new_code_cell("Example()", outputs=[output], execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
    return HTMLExporter(config=Config({})).from_notebook_node(notebook)[0]


@pytest.mark.parametrize("form", ["html", "slides"])
def test_page_that_a_terminal_exports_as_the_page_says_has_the_text_of_a_widget(tmp_path, form):
    text = (ROOT / "docs" / "install.md").read_text("utf-8")
    [command] = re.findall(r"`(jupyter nbconvert [^`]+)`, also with `--to slides`", text)
    words = command.replace("--to html", f"--to {form}").replace("NOTEBOOK", "a").split()
    source = "from lesson import play\nplay('hello')"
    cells = [nbformat.v4.new_code_cell(source)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    subprocess.run([sys.executable, "-m", *words], cwd=tmp_path, check=True)
    [page] = tmp_path.glob("*.html")
    assert "the files show 3 of 3" in page.read_text("utf-8").replace("&#39;", "'")


def test_html_page_has_only_the_widget_without_these_settings():
    """If this fails, nbconvert shows the text by itself, and the settings can go."""
    assert "round 1: the list" not in convert()
