"""The program at the top of README.md runs and prints what is printed below it."""

import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_program_of_the_readme_prints_what_it_says(capsys):
    [program, *_] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    [said] = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    exec(program, {"__name__": "__main__"})
    printed = capsys.readouterr().out
    first, last = said.split("…\n", 1)
    assert printed.startswith(first)
    for line in last.splitlines():
        assert line.removesuffix("…") in printed
