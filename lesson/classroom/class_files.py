"""The names under which platforms hand in the notebooks of a class."""

NAME = r"s0\d[a-z]?_[a-z_]+"  # of a notebook with exercises
# What Moodle and Canvas put behind a name: Ada Lovelace_123_assignsubmission_file, adal_123_4567.
# The first number is the learner's, and the second one that of each file.
LATE, OF_A_FILE = "_(?:LATE_)?", r"_(?:assignsubmission_\w+?_?|\d+)"
# For nbgrader's `zip_collect`: see lesson/classroom/nbgrader_config.py.
STUDENT = rf"(?P<student_id>[^/]+?)(?:{LATE}\d+{OF_A_FILE})?"
COLLECTED = rf".*/(?!extracted/){STUDENT}[_/](?P<file_id>{NAME})"
