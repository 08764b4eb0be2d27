"""The practice model knows the files that a job can make, in any order of its edits."""

import pytest

from lesson.practice.policy.own_work import can_work_on
from lesson.runs.run import Run
from lesson.samples import jobs

WORDS = "def count_words(text):\n    return len(text.split())\n"
JOB = """
prompt = "Document words.py: a docstring and a comment."
words = ["document", "words.py"]
closing = "words.py is documented."
"""
STEP = """
[[steps]]
text = "Add a {what}"
activeForm = "Adding a {what}"
priority = "high"
patterns = {{ "words.py" = '{new}' }}

[[steps.actions]]
tool = "edit_file"
path = "words.py"
old_text = "{old}"
new_text = '''
{new}
{old}'''
"""
DOCSTRING, COMMENT = '    "Count the words."', "# Words are separated by whitespace."
JOB += STEP.format(what="docstring", new=DOCSTRING, old="    return len(text.split())")
JOB += STEP.format(what="comment", new=COMMENT, old="def count_words")


@pytest.fixture
def words(tmp_path, monkeypatch):
    """Add a sample whose job has such edits: it is the only one in this test."""
    (tmp_path / "words" / "project").mkdir(parents=True)
    (tmp_path / "words" / "project" / "words.py").write_text(WORDS)
    (tmp_path / "words" / "job.toml").write_text(JOB)
    monkeypatch.setattr(jobs, "SAMPLES", tmp_path)
    caches = (jobs.list_jobs, jobs.load_job)
    for function in caches:
        function.cache_clear()
    yield "words"
    for function in caches:
        function.cache_clear()


def test_job_with_a_docstring_above_a_line_that_stays_is_done(words):
    run = Run(words).play()
    assert run.problem == ""
    assert run.rounds[-1].text == "words.py is documented."
    made = (run.workspace.root / "words.py").read_text()
    assert made.count("Count the words.") == made.count("# Words are") == 1


def test_each_order_of_the_edits_is_known_and_a_change_of_their_place_is_not(words):
    head, body = WORDS.splitlines(keepends=True)
    for text in [WORDS, head + DOCSTRING + "\n" + body, COMMENT + "\n" + WORDS]:
        assert can_work_on(jobs.load_job(words), "words.py", text)
    assert not can_work_on(jobs.load_job(words), "words.py", body)
