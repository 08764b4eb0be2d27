"""What a newcomer's first click does: every notebook opens, and Run All leaves nothing red."""

import pytest

from notebooks import NOTEBOOKS, find_notebooks

NAMES = [path.relative_to(NOTEBOOKS).as_posix() for path in find_notebooks()]


@pytest.mark.parametrize("name", NAMES)
def test_run_all_ends_without_an_error(lab, name):
    lab.open(name)
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []
    lab.picture(name.removesuffix(".ipynb").replace("/", "-") + "-light")
    assert lab.problems == []
