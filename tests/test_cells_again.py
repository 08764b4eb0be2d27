"""Each notebook in one kernel: each cell twice, and then once more, as a learner goes back."""

import nbformat
import pytest
from nbclient import NotebookClient

from notebooks import NOTEBOOKS, environment, find_notebooks, make_kernel

SOLVED = {path.name for path in NOTEBOOKS.glob("solutions/*.ipynb")}
# Those with exercises are run with our solutions, in which more cells do something.
PATHS = [one for one in find_notebooks() if one.parent != NOTEBOOKS or one.name not in SOLVED]
# Each reply of the practice model then begins with a thinking block.
THINK = "import lesson\nlesson.PracticeModel.__init__.__kwdefaults__['thinking'] = True"


def copies(cells, name):
    return [nbformat.from_dict({**cell, "id": f"{cell.id}-{name}"}) for cell in cells]


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(NOTEBOOKS).as_posix())
def test_every_cell_runs_again_in_the_same_kernel(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    notebook.cells = [one for pair in zip(code, copies(code, "twice"), strict=True) for one in pair]
    # From the last to the first: no cell above repairs what a cell below has overwritten.
    notebook.cells += copies(code[::-1], "again")
    notebook.cells.insert(0, nbformat.v4.new_code_cell(THINK))
    client = NotebookClient(notebook, km=make_kernel(str(tmp_path)), timeout=120)
    env = environment() | {"IPYTHONDIR": str(tmp_path)}
    client.execute(cwd=str(tmp_path), env=env, cleanup_kc=True)  # it raises a cell's error
