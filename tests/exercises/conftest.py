"""Delete the samples of each test at its end: a cell's namespace is a reference cycle."""

import pytest

from lesson.samples import deleting


@pytest.fixture(autouse=True)
def delete_samples():
    with deleting():
        yield
