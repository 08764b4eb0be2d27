"""What docs/teach.md and the sheet tell a teacher: what a class has run and reads on the screen."""

import ast
import builtins
import html
import json
import re
from pathlib import Path

from lesson import claude_runs
from lesson.exercises.rules import try_part
from lesson.program.folder import OURS

TWO_RULES = """
        statuses = [one["status"] for one in checked]
        for status in statuses:
            if status not in ("pending", "in_progress", "completed"):
                raise ValueError(f"{status} is not pending, in_progress or completed")
        if statuses.count("in_progress") > 1:
            raise ValueError("only one task can be in_progress")
"""
TEACH = Path(__file__).parents[2] / "docs" / "teach.md"
SHEET = TEACH.with_name("answers.html")


def read_sections(notebook):
    """Return the code of each section of a notebook, by its heading. The first has no heading."""
    [path] = TEACH.parents[1].glob(f"notebooks/{notebook}_*.ipynb")
    sections, heading = {"": ""}, ""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            sections[heading] = f"{sections.get(heading, '')}\n{source}"
        elif found := re.search("(?m)^## (.*)", source):
            heading = found[1]
    return sections


def list_names(code):
    """Return the names that code reads at its top level before it defines them, and defines."""
    read, defined = set(), set()
    for statement in ast.parse(code).body:
        names = [one for one in ast.walk(statement) if isinstance(one, ast.Name)]
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            loaded = {one.id for one in names if isinstance(one.ctx, ast.Load)}
            read |= loaded - defined - {one.id for one in names if isinstance(one.ctx, ast.Store)}
        elif isinstance(statement, ast.ClassDef):
            read |= {one.id for one in statement.bases if isinstance(one, ast.Name)} - defined
        defined |= {one.id for one in names if isinstance(one.ctx, ast.Store)}
        if isinstance(statement, ast.Import | ast.ImportFrom):
            defined |= {(one.asname or one.name).split(".")[0] for one in statement.names}
        elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined.add(statement.name)
    return read - vars(builtins).keys(), defined


def list_unprepared(text):
    """Return the steps of the two hours whose cells need names that the class does not have.

    Such a step must say which menu runs the cells above. What only the teacher runs defines
    nothing for the class, and a step "from the first cell to" a section runs all until there.
    """
    hours = text.partition("## Two hours of 60 minutes")[2]
    known, wrong = {}, []
    for line in re.findall(r"(?m)^\| \d+ \|.*", hours):
        step, how = line.split("|")[2:4]
        [notebook, *_] = re.findall(r"\bs0\d[a-d]?\b", step) or [""]
        if not notebook or how.strip().startswith("You,"):
            continue
        sections, has = read_sections(notebook), known.setdefault(notebook, set())
        named = re.findall(r"\*([^*]+)\*", step) or [""]
        for place in named:
            [heading] = [one for one in sections if one.startswith(place) and (place or not one)]
            until = [*sections][: [*sections].index(heading) + 1]
            code = "\n".join(sections[one] for one in until)
            needs, _ = list_names(sections[heading])
            if "from the first cell" in step or "Run All Above Selected Cell" in how:
                has |= list_names(code)[1]
            if lost := needs - has:
                wrong.append((step.strip(), sorted(lost)))
            has |= list_names(sections[heading])[1]
    return wrong


def test_class_has_what_the_cells_of_a_step_need():
    text = TEACH.read_text(encoding="utf-8")
    assert list_unprepared(text) == []
    without = text.replace("choose *Run › Run All Above Selected Cell*. Count", "Count")
    assert without != text
    [(step, lost)] = list_unprepared(without)
    assert "Why only one task" in step and lost == ["TakesAnything", "play"]


def test_two_rules_of_e3_end_at_the_third_as_the_teacher_says():
    place = "        # Your rules go here. They look at `checked`.\n"
    [given] = [code for code in read_sections("s03a").values() if place in code]
    names = {}
    exec(given.partition("Todo = check(")[0].replace(place, TWO_RULES), names)
    result = try_part("MyTodo", names["MyTodo"])
    sheet = html.unescape(re.sub("<.*?>", "", SHEET.read_text(encoding="utf-8")))
    assert f"{result.headline} {result.heading}" in sheet
    assert "Not yet: Rule 3" in result.heading
    assert 'it says "Not yet: Rule 3"' in TEACH.read_text(encoding="utf-8")


def test_number_of_runs_is_as_the_teacher_reads_it():
    text = TEACH.read_text(encoding="utf-8")
    says = "runs without the list and the nag"
    assert f", so it {says}." in (OURS / "frame.py").read_text(encoding="utf-8") and says in text
    kinds = ("listed", "plantext", "reminder", "nolist")  # those of s03b's table
    assert sum(len(claude_runs(condition=kind)) for kind in kinds) == 16
    assert "sixteen recorded runs" in text
