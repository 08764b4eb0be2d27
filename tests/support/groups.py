"""Which tests one worker runs, because they share what is slow to make."""

import re

# Those of JupyterLab in a browser share its server and its page, and this file the runs of all
# thresholds. The pages of the browser edition are another server's. Three files share a kernel, a
# wheel, and nbgrader's class.
FILES = re.compile(
    r"(?:tests/)?(?:browser/(?!test_site)|browser/\w+\.py|widgets/test_nag_slider\.py"
    r"|widgets/test_moved_in_a_page\.py|setup/test_wheel\.py|notebooks/test_nbgrader\.py)"
)
# The mistakes of a part are tried once, and several tests look at what was told.
TOLD = r"test_rules\.py::\w+|test_sentences\.py::test_mistake_that_no_row_lists\w+"
PARTS = re.compile(rf"(?:tests/)?exercises/(?:{TOLD})\[(\w+)")
# What waits longest for programs and clocks begins first: it would run alone at the end.
LONGEST = re.compile(r"test_(?:in_a_terminal|leaves|nbgrader|notebooks_run|shell|site|wheel)\.py")


def find_group(test: str) -> str:
    """Return the group of a test, by its id: a file, a part, or the test alone."""
    if file := FILES.match(test):
        return file[0]
    part = PARTS.match(test)
    return f"mistakes of {part[1]}" if part else test
