"""session(): what it shows, and what it leaves in a notebook."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from lesson import session
from tests.support.recorded import ClaudeCode, to_lines

TASK = "Mend the till"


@pytest.fixture
def mine(tmp_path):
    code = ClaudeCode()
    code.todo(f"> {TASK}")
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"".join(to_lines(code.lines)))
    return path


def test_a_session_is_printed(mine):
    assert TASK in str(session(mine)) and TASK in repr(session(str(mine)))


def test_a_notebook_that_a_program_runs_keeps_nothing_of_it_unless_asked(mine):
    texts = [f"session({str(mine)!r}{more})" for more in ("", ", keep=True")]
    cells = ["from lesson import session", *texts, f"print({texts[0]})"]
    book = new_notebook(cells=list(map(new_code_cell, cells)))
    NotebookClient(book, kernel_name="python3", timeout=120).execute()
    saved = [nbformat.writes(new_notebook(cells=[cell])) for cell in book.cells]
    assert [TASK in one for one in saved] == [False, False, True, True]
    assert TASK not in str(book.metadata)
    assert "not saved with the notebook" in saved[1] and "text/html" in saved[2]
