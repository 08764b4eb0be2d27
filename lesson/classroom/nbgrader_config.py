"""The settings of nbgrader for a class: copy this file into the folder of the class."""

from nbconvert.exporters import HTMLExporter

c = get_config()  # noqa: F821

# The notebooks have no solutions to remove, and students begin with what is in the cells.
c.ClearSolutions.enabled = False
c.CourseDirectory.ignore.append("runs")  # what a teacher's own model has done, with all its texts

# For each cell. An endless loop in a student's cell costs this time.
c.Execute.timeout = 120  # seconds


class FeedbackPage(HTMLExporter):
    """Write a page of feedback whose scripts do not run, because a student may have written them.

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

# For `nbgrader zip_collect`, remove the # before the line of your system.
MOODLE = r".*/(?P<student_id>[^/]+)_\d+_assignsubmission_file_?/(?P<file_id>[^/]+)\.ipynb"
# With one attempt of each student: a second one ends the command, and nothing is collected.
CANVAS = r".*?(?P<student_id>[^_/]+)_(?:LATE_)?\d+_\d+_(?P<file_id>.+?)(?:-\d+)?\.ipynb"
# c.FileNameCollectorPlugin.named_regexp = MOODLE
# c.FileNameCollectorPlugin.named_regexp = CANVAS
