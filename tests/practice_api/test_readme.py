"""The README of the practice API: it names what is there."""

from pathlib import Path

from lesson.practice import api


def test_the_readme_names_every_module_and_the_tests():
    folder = Path(api.__file__).parent
    text = (folder / "README.md").read_text(encoding="utf-8")
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    assert [module for module in modules if f"| `{module}` |" not in text] == []
    assert "tests/practice_api/test_recorded.py" in text
