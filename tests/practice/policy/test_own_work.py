"""The practice model knows the files that a job can make, also if its edits could go on forever."""

import pytest

from lesson.common.learners_code import TimeLimit
from lesson.practice.policy.own_work import known_texts, reachable_texts
from lesson.runs.run import Run
from lesson.samples import jobs
from lesson.samples.jobs import action

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


def edit(old, new):
    return action("edit_file", path="new.txt", old_text=old, new_text=new)


def write(content):
    return action("write_file", path="new.txt", content=content)


def reach(*actions):
    """Return what a new file can contain, and stop a search that would eat all memory."""
    with TimeLimit(2):
        return reachable_texts("hello", "new.txt", actions)


def test_edit_whose_new_text_contains_its_old_one_is_made_once():
    assert reach(write("b"), edit("b", "a b")) == {"", "b", "a b"}


def test_two_edits_that_feed_each_other_are_made_once_each():
    grown = reach(write("cat"), edit("cat", "dog!"), edit("dog", "cat?"))
    assert grown == {"", "cat", "dog!", "cat?!"}


@pytest.fixture
def words(tmp_path, monkeypatch):
    """Add a sample whose job has such edits: it is the only one in this test."""
    (tmp_path / "words" / "project").mkdir(parents=True)
    (tmp_path / "words" / "project" / "words.py").write_text(WORDS)
    (tmp_path / "words" / "job.toml").write_text(JOB)
    monkeypatch.setattr(jobs, "SAMPLES", tmp_path)
    caches = (jobs.list_jobs, jobs.load_job, known_texts)
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
    with TimeLimit(2):
        assert len(known_texts(words)["words.py"]) == 4
