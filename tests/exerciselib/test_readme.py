"""The package's README: its exercise works in a process without the lesson and the agent."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import exerciselib
from exerciselib.causes import GENERAL
from exerciselib.learners_code import is_in_learners_file, is_in_teachers_file

FOLDER = Path(exerciselib.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
PAGE, MODULE, CHECK, LEARNERS, SHOWN, TEST = re.findall(r"(?ms)^```\w*\n(.*?)^```$", README)
# In a notebook, a cell has a file name, by which its lines are found.
BEGIN = """\
import sys, linecache
sys.modules |= dict.fromkeys(("lesson", "agentlib", "anthropic", "IPython"))

def run_cell(text):
    name = f"<cell {len(linecache.cache)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    exec(compile(text, name, "exec"), globals())

"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs code beside the page and its module, without the lesson."""
    (tmp_path / "top_words.txt").write_text(PAGE, encoding="utf-8")
    (tmp_path / "top_words.py").write_text(MODULE, encoding="utf-8")

    def run(*cells):
        code = BEGIN + "".join(f"run_cell({cell!r})\n" for cell in cells)
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_learner_reads_what_the_readme_shows(run):
    *first, call = CHECK.strip().splitlines()
    assert run("\n".join(first), LEARNERS, f"print({call})") == SHOWN


def test_each_mistake_of_the_page_is_told_its_own_sentence(run):
    assert len(re.findall("(?m)^    ", PAGE.partition("\n[finds")[2])) == 8
    assert PAGE.count("\n? ") == 3 and len(PAGE.partition("\n\n")[0].splitlines()) - 1 == 6
    assert run("from top_words import PAGE", TEST, "print(len(PAGE.list_mistakes()))") == "8\n"


def test_short_form_of_no_sentence_or_of_two_names_the_page_and_the_line(run, tmp_path):
    page, number = tmp_path / "top_words.txt", len(PAGE.splitlines()) + 1
    code = "try: import top_words\nexcept ValueError as problem: print(problem)"
    page.write_text(f"{PAGE}- No such…\n", encoding="utf-8")
    assert run(code).startswith(f"{page}, line {number}: 0 sentences of this page begin with 'No ")
    page.write_text(f"{PAGE}- …\n", encoding="utf-8")
    assert f"{page}, line {number}: {len(re.findall('(?m)^- ', PAGE))} sentences" in run(code)


ERRORS = {
    "    return text.lowered()": "Your code: line 2: return text.lowered()",
    "    while True: pass": "An endless loop, or a sleep?",
    "    print('the')": "use `return`, not `print`",
    "    ...": "not written yet",
    "    counts == {}": "`==` only compares",
}


@pytest.mark.parametrize("body", ERRORS)
def test_general_cause_is_told_with_the_line_of_the_learners(run, body):
    cell = f"def top_words(text, many):\n{body}"
    said = run(CHECK.partition("\n\n")[0], cell, "print(check(top_words))")
    assert ERRORS[body] in said


def test_solution_passes_and_a_part_without_a_page_is_named(run):
    solution = PAGE.partition("\n\n")[0].partition("\n")[2]
    said = run(CHECK.partition("\n\n")[0], solution, "print(check(top_words))")
    assert said == "top_words: all 3 rules pass.\n"
    with pytest.raises(AssertionError, match="no rules for 'other', only for: top_words"):
        run(CHECK.partition("\n\n")[0], "def other(): pass\ncheck(other)")


def test_module_of_a_page_is_the_teachers_and_a_file_beside_it_is_not(run, tmp_path):
    said = run(
        "import top_words",
        "from exerciselib.learners_code import is_in_learners_file as is_learners",
        "print(is_learners(top_words.__file__), is_learners(f'{sys.path[0]}/mine.py'))",
    )
    assert said == "False True\n"
    assert is_in_teachers_file(str(FOLDER / "engine.py"))
    assert not is_in_learners_file(str(FOLDER / "engine.py"))


def test_nothing_of_the_lesson_is_imported():
    texts = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.py")}
    found = re.findall(r"(?m)^ *(?:from|import) (\w+)", "".join(texts.values()))
    assert len(texts) > 8 and not {*found} & {"lesson", "agentlib"}
    assert re.findall(r"(?m)^from (safetylib\S*)", "".join(texts.values())) == ["safetylib.escape"]


def test_causes_of_any_course_name_nothing_of_the_lesson():
    lessons = r"[Mm]odel|[Tt]odo|\b[Nn]ag|Call\||Tool\)|Clock|call\.\w|activeForm|priority"
    assert not [row for row in GENERAL if re.search(lessons, "\n".join(row))]
