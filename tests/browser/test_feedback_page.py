"""A page of nbgrader's feedback: what a student has written in it runs no script."""

from pathlib import Path

import nbformat.v4 as v4
import pytest
from nbconvert import HTMLExporter
from traitlets.config import Config

pytestmark = pytest.mark.release
CONFIG = Path(__file__).parents[2] / "lesson" / "classroom" / "nbgrader_config.py"
RUN = "document.title += ' ran{}'"
SCRIPT = "<script>" + RUN + "</script>"
IMAGE = '<img src="x:" onerror="' + RUN.format(3) + '">'


def make_notebook():
    """Return a notebook with a script in an output, and in two texts."""
    html = v4.new_output("display_data", {"text/html": SCRIPT.format(1)})
    texts = [v4.new_markdown_cell(text) for text in (SCRIPT.format(2), IMAGE, "The end")]
    return v4.new_notebook(cells=[v4.new_code_cell("1", outputs=[html]), *texts])


@pytest.fixture
def feedback_page():
    """Return the class with which nbgrader writes each page."""
    config = Config(CourseDirectory={"ignore": []})
    exec(CONFIG.read_text(), {"get_config": lambda: config, "__name__": "nbgrader_config"})
    return config.GenerateFeedback.exporter_class


@pytest.mark.parametrize("is_ours", [False, True], ids=["nbconvert's page", "ours"])
def test_scripts_of_a_student_do_not_run_in_a_page_of_feedback(
    chromium, tmp_path, feedback_page, is_ours
):
    """Without our class, all three ways run: if that changes, this test says so."""
    exporter = feedback_page if is_ours else HTMLExporter
    html, _ = exporter(template_name="classic").from_notebook_node(make_notebook())
    (tmp_path / "page.html").write_text(html)
    page = chromium.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_text("The end").wait_for()
    page.wait_for_timeout(300)
    ran = [number for number in (1, 2, 3) if f"ran{number}" in page.title()]
    page.close()
    assert ran == ([] if is_ours else [1, 2, 3])
