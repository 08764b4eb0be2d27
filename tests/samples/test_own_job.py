"""A job of the learner's own, which the practice model reads from the prompt."""

import re
from pathlib import Path

import pytest
from support.loop import SETTINGS

from agentlib.defaults import MAX_QUESTIONS
from lesson.practice.practice_model import PracticeModel
from lesson.program.my_agent import load_solutions
from lesson.runs.run import Run
from lesson.samples.own_job import FIELDS, OPENING, make_job, read_own_job

STEPS = [
    ("Write the greeting", "hello.txt", "Hello!\n"),
    ("Write the question", "texts/ask.txt", 'Is {this} a "path\\n"?\n'),
    ("Write the farewell", "bye.txt", "Bye!\n"),
    ("Sign it", "sign.txt", ""),
]


DICTS = [dict(zip(FIELDS, step, strict=False)) for step in STEPS]


@pytest.mark.parametrize(
    "lines",
    [
        "1. Sign it: write Ada into by.txt",
        '1. Greet: write "Hi" into "a.txt"\n2. Sign it: write Ada into by.txt',
        '1. Greet: write "C:\\x" into "a.txt"',
        "Write the greeting.",
    ],
)
def test_a_prompt_with_a_step_that_cannot_be_read_is_answered_with_how_to_write_one(lines):
    """With the others alone, the model would say that all steps are done."""
    messages = [{"role": "user", "content": f"{OPENING}\n{lines}"}]
    reply = PracticeModel().client().messages.create(messages=messages, **SETTINGS)
    assert reply.content[0].text.startswith("I am a practice model")
    [example] = re.findall(rf"(?m)^- ({OPENING}.*)$", reply.content[0].text)
    pasted = example.replace(" 1.", "\n\n    1.").replace(" 2.", "\n    2.")  # from a page
    for prompt in (example, pasted):
        steps = read_own_job(prompt).steps
        assert [(step.text, step.actions[0].input["path"]) for step in steps] == [
            ("Greet", "hello.txt"),
            ("Sign it", "by.txt"),
        ]


@pytest.mark.parametrize(
    "steps, problem",
    [
        ([], "1 to 20 steps, not 0"),
        ([(f"Write {n}", f"{n}.txt", "") for n in range(21)], "1 to 20 steps, not 21"),
        *((wrong, "list of steps.* This is none") for wrong in (None, Path("a"), 3, {"text": ""})),
        (["Write it"], "Each is a text, a path, a content .* Step 1 is none: 'Write it'"),
        ([STEPS[0], ("Write it", "it.txt", 3)], 'content of step 2 must be text, such as "3"'),
        ([{"text": "Write it", "path": "it.txt"}], "these fields: text, path, content.* Step 1 is"),
        ([{**DICTS[0], "status": "pending"}], "these fields: .* Step 1 is none"),
        ([("Write it", "a/../../it.txt", "")], "The path of step 1 is outside of the job's folder"),
        ([("Write it", "C:\\it.txt", "")], "The path of step 1 is outside of the job's folder"),
        ([(" ", "it.txt", "")], "The text of step 1 must be one line"),
        ([("One\ntwo", "it.txt", "")], "The text of step 1 must be one line"),
        ([("Write it", " ", "")], "Step 1 needs the path of a file"),
        ([("Write it", "a/.env", "")], "The path of step 1 is hidden"),
        ([("Write it", "it.txt", "", "urgent")], "priority of step 1 is one of high, medium, low"),
        ([*STEPS, STEPS[1]], "Steps 2 and 5 must have different texts, not both 'Write"),
        ([("Go on", "1.txt", ""), ("go  on", "2.txt", "")], "Steps 1 and 2 must have different"),
    ],
)
def test_steps_that_are_not_a_job_raise_a_sentence(steps, problem):
    with pytest.raises(ValueError, match=problem):
        make_job(steps)


def test_dicts_are_steps_and_a_sentence_is_told_how_a_job_is_written():
    assert make_job(DICTS) == make_job(STEPS)
    with pytest.raises(FileNotFoundError, match="no sample 'Write .*A job of your own is a list"):
        Run("Write a website")


def play_own(steps):
    """Play an own job with the solutions of the exercises."""
    parts = load_solutions()
    settings = {"loop": parts.agent_loop, "todo": parts.PriorityTodo, "nag": parts.PriorityNag}
    return Run(steps, after=1, missing="files", **settings).play()


RANKED = [
    ("Write the greeting", "hello.txt", "Hello!\n", "low"),
    ("Write the question", "./texts//ask.txt", "How?"),
    ("Write the farewell", "bye.txt", "Bye!\n", "HIGH"),
    ("Sign it", "sign.txt", "\u00e9\n", "High"),
]


def test_files_of_an_own_job_are_judged_and_written_in_the_order_of_their_priorities():
    run = play_own(RANKED)
    calls = [call for round_ in run.rounds for call in round_.calls if call.name == "write_file"]
    written = [call.input["path"] for call in calls]
    assert written == ["hello.txt", "bye.txt", "sign.txt", "./texts//ask.txt"]
    assert run.steps_done == 4 and not run.problem


@pytest.mark.parametrize("written", ["Hello!\n", "Hello!", "Hello!\r\n"])
def test_line_ends_do_not_matter_to_the_judge_of_a_step(written, tmp_path):
    (tmp_path / "hello.txt").write_bytes(written.encode())
    assert make_job(RANKED).find_done(tmp_path) == (True, False, False, False)
    (tmp_path / "hello.txt").write_text("Hello")
    assert make_job(RANKED).find_done(tmp_path) == (False,) * 4


def test_two_steps_with_one_file_are_told_and_the_first_is_asked_for_ten_times():
    run = play_own([("Leave", "./hello.txt", "x"), RANKED[0]])
    asked = [m for m in run.messages if m["role"] == "user" and "this is missing:" in str(m)]
    assert run.steps_done == 1 and len(asked) == MAX_QUESTIONS
    assert run.note.startswith("Steps 1 and 2 write the same file, hello.txt: at the end")
