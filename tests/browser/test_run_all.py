"""What a newcomer's first click does: every notebook opens, and Run All leaves nothing red.

s03 is in test_lesson.py. The solutions run under nbval, and the site's tests draw their widgets.
"""

import pytest

from notebooks import NOTEBOOKS

NAMES = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb") if path.stem != "s03_todo_write")


@pytest.mark.parametrize("name", NAMES)
def test_run_all_ends_without_an_error(lab, name):
    lab.open(name)
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []
    lab.picture(name.removesuffix(".ipynb") + "-light")
    assert lab.problems == []
