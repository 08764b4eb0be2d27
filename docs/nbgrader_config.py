"""The settings of nbgrader for a class: copy this file into the folder of the class."""

from itertools import pairwise

from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    OverwriteCells,
    OverwriteKernelspec,
)

c = get_config()  # noqa: F821

# The notebooks have no solutions to remove, and students begin with what is in the cells.
c.ClearSolutions.enabled = False


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

# The names of the files in a download, such as ada_s04a_what_comes_next.ipynb, for `zip_collect`.
c.FileNameCollectorPlugin.named_regexp = (
    r".*/(?P<student_id>[^/]+?)_(?P<file_id>s0\d[a-z]?_[a-z_]+)"
)

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
