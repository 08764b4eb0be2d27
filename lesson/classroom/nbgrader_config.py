"""The settings of nbgrader for a class: copy this file into the folder of the class."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import nbformat
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell
from nbgrader.api import MissingEntry
from nbgrader.plugins import ExportPlugin
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    OverwriteCells,
    OverwriteKernelspec,
)

from lesson.classroom.class_files import COLLECTED
from lesson.common.parts import PARTS

c = get_config()  # noqa: F821

# The notebooks have no solutions to remove, and students begin with what is in the cells.
c.ClearSolutions.enabled = False
c.CourseDirectory.ignore.append("runs")  # what a teacher's own model has done, with all its texts


class PutBack(OverwriteCells):
    """Put back what students do to cells, and go on where nbgrader 0.9.6 ends with a KeyError.

    With that error, a student loses all points for one cell that was copied or split.
    """

    add_missing_cells = True  # a check that was deleted is put back, and runs like the others

    def preprocess(self, nb, resources):
        before = [(cell, cell.source) for cell in nb.cells if cell.cell_type == "code"]
        nb, resources = super().preprocess(nb, resources)
        for cell, text in before:
            # An exercise that was merged with its check is in the check's cell, which is replaced.
            if text.strip() != cell.source.strip():
                nb.cells.insert(nb.cells.index(cell), new_code_cell(text))
        return nb, resources

    def add_missing_grade_cells(self, nb, resources):
        """Put back a check below its exercise, or at the end if the exercise was deleted too."""
        for cell in nb.cells:
            if not name_of(cell):  # a copy, or a cell of another notebook
                cell.metadata.pop("nbgrader", None)
        notebook = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        points = {cell.name: cell.max_score for cell in notebook.grade_cells}
        for above, source in pairwise([None, *notebook.source_cells]):
            names = [name_of(cell) for cell in nb.cells]
            if source.name in points and source.name not in names:
                is_there = above and above.name in names
                place = names.index(above.name) + 1 if is_there else len(names)
                cell = self.missing_cell_transform(source, points[source.name])
                nb.cells.insert(place, cell)
        return nb, resources


def name_of(cell):
    """Return nbgrader's name of a cell; "" if it has none."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    PutBack,
    CheckCellMetadata,
]

# The names of the files in a download, for `zip_collect`: ada_s04a_what_comes_next.ipynb, or as in
# Moodle's folders "Ada Lovelace_123_assignsubmission_file_/s04a_what_comes_next.ipynb". Another
# pattern must have the same two groups, student_id and file_id.
c.FileNameCollectorPlugin.named_regexp = COLLECTED
c.FileNameCollectorPlugin.valid_ext = [".ipynb", ".json"]

# For each cell. An endless loop in a student's cell costs this time.
c.Execute.timeout = 120  # seconds


class FeedbackPage(HTMLExporter):
    """A page of feedback whose scripts do not run, because a student may have written them.

    The page also loads nothing from other addresses, and sends no form.
    """

    POLICY = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
        "base-uri 'none'"
    )

    def from_notebook_node(self, nb, resources=None, **more):
        page, resources = super().from_notebook_node(nb, resources, **more)
        head, tag, rest = page.partition("<head>")
        assert tag, "This version of nbgrader writes a page without <head>."
        policy = f'<meta http-equiv="Content-Security-Policy" content="{self.POLICY}">'
        return f"{head}{tag}{policy}{rest}", resources


c.GenerateFeedback.exporter_class = FeedbackPage

# What the two hours ask for, with the share of the rules that must pass: of E2's eight, three do if
# the first two are written.
ASKED = {"E1": 1, "E2": 3 / 8, "E4": 1}
LATER = {level.exercise for part in PARTS.values() for level in part.levels[1:]}


class LessonExport(ExportPlugin):
    """Write grades.csv: a row for each student of the gradebook, a column for each exercise.

    An exercise that passes is 1. Another one is the share of its rules that pass, or 0 if it is a
    later one of a part, of which most rules pass before it. What was not handed in is empty.
    """

    def export(self, gradebook):
        exercises = {
            "_".join(["check", part.name, *level.name.split()]): level.exercise
            for part in PARTS.values()
            for level in part.levels
        }
        names = sorted(exercises.values(), key=lambda name: int(name[1:]))
        with open(self.to or "grades.csv", "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["assignment", "student_id", "score", "max_score", "asked", *names])
            for assignment in gradebook.assignments:
                for student in gradebook.students:
                    try:
                        submission = gradebook.find_submission(assignment.name, student.id)
                    except MissingEntry:  # nothing was handed in
                        score, shares = 0.0, {}
                    else:
                        score, shares = submission.score, read_shares(submission, exercises)
                    met = sum(shares.get(name, 0) >= share for name, share in ASKED.items())
                    row = [assignment.name, student.id, score, assignment.max_score]
                    row += [f"{met} of {len(ASKED)}"]
                    rows.writerow(row + [f"{shares[n]:.2g}" if n in shares else "" for n in names])


def read_shares(submission, exercises):
    """Return the share of the rules that pass, by the exercises that were handed in."""
    shares = {}
    folder = Path("autograded", submission.student.id, submission.assignment.name)
    for notebook in submission.notebooks:
        points = {grade.name: grade.score for grade in notebook.grades}
        path = folder / f"{notebook.name}.ipynb"
        for cell in nbformat.read(path, as_version=4).cells if path.exists() else ():
            if name := exercises.get(name_of(cell)):
                said = re.search(r"(\d+) of (\d+) rules pass", str(cell.outputs))
                share = int(said[1]) / int(said[2]) if said and name not in LATER else 0
                shares[name] = 1 if points.get(name_of(cell)) else min(share, 0.99)
    return shares


c.ExportApp.plugin_class = LessonExport
