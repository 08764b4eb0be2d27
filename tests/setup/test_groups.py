"""Tests that share what is slow to make are in one group, and so in one worker."""

from pathlib import Path

from support.groups import find_group
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).parents[2]


def test_groups_are_those_of_jupyterlab_and_of_the_mistakes_of_a_part():
    rules = "tests/exercises/test_rules.py::test_x"
    assert find_group(f"{rules}[MyNag-due-3]") == find_group(f"{rules}[MyNag]")
    assert find_group(f"{rules}[MyNag-due-3]") != find_group(f"{rules}[MyTodo-due-3]")
    sentences = "tests/exercises/test_sentences.py"
    told = "test_mistake_that_no_row_lists_is_told_its_sentence"
    assert f"def {told}(part)" in (ROOT / sentences).read_text(encoding="utf-8")
    assert find_group(f"{sentences}::{told}[MyNag]") == find_group(f"{rules}[MyNag]")
    tests = (
        "test_widgets.py::test_secret",
        "test_tour.py::test_each[seat]",
        "test_site.py::test_x",
    )
    groups = [find_group(f"tests/browser/{one}") for one in tests]
    assert groups == ["tests/browser/", "tests/browser/", "tests/browser/test_site.py"]
    other = "tests/runs/test_run.py::test_x[MyNag]"
    assert find_group(other) == other
    for path in ("tests/browser/test_site.py", "tests/widgets/test_how_soon.py"):
        assert (ROOT / path).exists() and find_group(f"{path}::test_x") == path


def test_workers_ask_for_the_group():
    # If it has another name in a new version, nothing would fail, and nothing would be grouped.
    assert callable(vars(LoadScopeScheduling)["_split_scope"])
