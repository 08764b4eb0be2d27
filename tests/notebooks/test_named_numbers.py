"""The notebooks name numbers of the package: how many tools it has, and the nag's threshold."""

from pathlib import Path

from agentlib.workspace import Workspace
from lesson.walk.scenes import THRESHOLD

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NUMBERS = "no one two three four five six seven eight nine".split()
ORDINALS = "none first second third fourth fifth sixth seventh eighth ninth".split()


def test_notebooks_have_the_numbers_of_the_package(tmp_path):
    tools = [tool.name for tool in Workspace(tmp_path).tools()]
    many, all_of_them, todo = len(tools), len(tools) + 1, "todo"
    sentences = {
        "00_start_here.ipynb": [
            f"has {NUMBERS[all_of_them]} **tools**",
            f"{NUMBERS[many].capitalize()} of them",
            f"the {ORDINALS[all_of_them]} one, `{todo}`",
        ],
        "agent.svg": [*tools, f"the {ORDINALS[all_of_them]} tool"],
        "s03c_walkthrough.ipynb": [
            f"| tools | {many} | {all_of_them}: `{todo}` |",
            f"the nag counts its {ORDINALS[THRESHOLD]} round",
        ],
    }
    texts = {name: (NOTEBOOKS / name).read_text(encoding="utf-8") for name in sentences}
    missing = [
        (name, words) for name in texts for words in sentences[name] if words not in texts[name]
    ]
    assert not missing, f"the package has other numbers now, so write: {missing}"
