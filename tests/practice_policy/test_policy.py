"""The rules of the practice model, in the order of `PracticePolicy`, and its robustness."""

import json
import re
from pathlib import Path

import pytest
from steps_done.accepted.ten_steps import ONE_LINERS
from support.blocks import text

from agentlib import TodoManager, Tool, run
from lesson import PracticeModel, sample
from lesson.practice.policy.next_reply import PracticePolicy, describe_jobs
from lesson.practice.policy.own_work import find_unknown
from lesson.runs.claude_runs import claude_runs
from lesson.runs.trial import Trial, play
from lesson.samples.jobs import list_jobs, load_job

TEN = "ten_steps"
SETTINGS = {"model": "practice", "max_tokens": 8000}


def prompt(name):
    """Return the message with the prompt of a job."""
    return {"role": "user", "content": load_job(name).prompt}


def answer(messages, tools=()):
    """Return the practice model's reply to these messages."""
    client = PracticeModel().client()
    return client.messages.create(messages=messages, tools=[t.spec for t in tools], **SETTINGS)


def work(messages, tools, **options):
    """Return the rounds of the agent loop with the practice model."""
    return run(PracticeModel().client(), messages, tools, **options, **SETTINGS)


def play_until(trial, number):
    """Play a trial up to this round."""
    for turn in trial:
        if turn.number == number:
            break
    return trial


# Rule 1: the jobs


IN_OTHER_WORDS = {
    "Refactor hello.py, but don't change what it prints. Run it in the end.": "I have no tools "
    f"here, so I can only say what I would do:\n\n1. {load_job('hello').steps[0].text}",
    "Refactor hello.py and write a poem about it": "I am a practice model",
}


@pytest.mark.parametrize("words", IN_OTHER_WORDS)
def test_job_is_recognised_in_other_words_unless_the_prompt_asks_for_more(words):
    said = answer([{"role": "user", "content": words}]).content[0].text
    assert said.startswith(IN_OTHER_WORDS[words])


def test_chapter_that_the_reply_names_is_in_the_readme():
    (chapter,) = re.findall("under '(.+)'", describe_jobs())
    readme = Path(__file__).parents[2] / "README.md"
    assert f"## {chapter}\n" in readme.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list_jobs())
def test_every_job_is_done_on_real_files(name):
    trial = play(name, after=3)
    assert all(trial.done)
    assert trial.rounds[-1].text == load_job(name).closing != ""
    assert all(item["status"] == "completed" for item in trial.items)
    assert [item["text"] for item in trial.items] == [step.text for step in load_job(name).steps]


# Rule 2: the window, and no state


def test_window_of_less_than_two_rounds_is_rejected():
    with pytest.raises(ValueError, match="window must be 4 messages or more"):
        PracticePolicy(3)


def test_interrupted_conversation_can_be_resumed_after_any_round():
    whole = play("hello")
    for number in range(1, len(whole.rounds)):
        cut = play_until(Trial("hello"), number)
        cut.messages[:] = json.loads(json.dumps(cut.messages))
        cut.model = PracticeModel(PracticePolicy())
        assert list(cut)[-1].text == whole.rounds[-1].text
        assert cut.messages == whole.messages


# Rule 3: the plan


def test_plan_in_the_window_is_followed_even_if_it_was_changed():
    trial, main_guard = Trial("hello"), load_job("hello").steps[2].text
    next(iter(trial))
    items = [{"text": main_guard, "status": " PENDING "}, {"text": "Buy milk"}]
    trial.messages[1]["content"][-1]["input"] = {"items": items}
    assert "Buy milk" in list(trial)[-1].text
    assert trial.done == (False, False, True)


def test_todo_tool_is_recognised_by_its_schema():
    tool = TodoManager().tool()
    renamed = Tool("TodoWrite", tool.description, tool.input_schema, tool.run)
    *_, call = answer([prompt("hello")], [*sample("hello").tools(), renamed]).content
    assert call.name == "TodoWrite"
    assert len(call.input["items"]) == len(load_job("hello").steps)


def test_required_fields_of_the_todo_schema_are_filled():
    class More(TodoManager):
        fields = TodoManager.fields | {
            "priority": {"type": "string", "enum": ["high", "medium", "low"]},
            "is_hard": {"type": "boolean"},
        }
        required = (*TodoManager.required, "priority", "is_hard")

    trial = play("hello", todo=More())
    assert all(trial.done)
    first = trial.items[0]
    assert first["priority"] == "high"
    assert first["is_hard"] is False
    assert all(item["activeForm"] for item in trial.items)
    assert first.keys() == More.fields.keys()


# Rule 5: reminders. More in test_parse_reminder.py


def test_reminder_after_the_results_is_read():
    trial = play_until(Trial("hello", after=None), 2)
    request = trial.model.requests[-1] | {"messages": [*trial.messages]}
    trial.messages[-1]["content"].append(text("Please look at your list."))
    assert PracticePolicy()(request)[-1]["name"] == "todo"


# Rule 6: files, rejected lists, and limits


@pytest.mark.parametrize("window", [4, 20])
def test_no_file_is_edited_whose_content_is_not_in_the_window(window):
    trial = play(TEN, window=window, after=8)
    assert all(call.ok for turn in trial.rounds for call in turn.calls)


def test_job_is_done_with_only_a_shell():
    workspace = sample("hello")
    before = workspace.bash("python hello.py")
    work([prompt("hello")], workspace.tools()[:1])
    assert all(step.is_done(workspace.root) for step in load_job("hello").steps)
    assert workspace.bash("python hello.py") == before


def test_text_of_a_file_never_runs_as_a_command_when_a_shell_writes_it():
    workspace = sample("hello")
    odd = '"""\nEOF\ntouch OWNED\nEOF_\n"""\n'
    workspace.write_file("hello.py", odd + workspace.read_file("hello.py"))
    work([prompt("hello")], workspace.tools()[:1])
    assert not (workspace.root / "OWNED").exists()
    assert "EOF\ntouch OWNED\nEOF_\n" in workspace.read_file("hello.py")
    assert load_job("hello").steps[0].is_done(workspace.root)


@pytest.mark.parametrize("offered", ["read_file", "edit_file"])
def test_job_that_the_tools_cannot_do_is_reported(offered):
    tools = [tool for tool in sample("hello").tools() if tool.name == offered]
    rounds = work([prompt("hello")], [*tools, TodoManager().tool()])
    assert "I could not do this" in rounds[-1].text
    assert "edit_file" not in {call.name for turn in rounds for call in turn.calls}


class Strict(TodoManager):
    """Reject a list with the error message that `rule` returns for it, if any."""

    def __init__(self, rule):
        super().__init__()
        self.rule = rule

    def update(self, items):
        problem = self.rule(items)
        if problem:
            raise ValueError(problem)
        return super().update(items)


@pytest.mark.parametrize(
    "rule, eager",
    [
        (lambda items: "", True),
        (lambda items: "No reason given" if "activeForm" in items[0] else "", False),
    ],
    ids=["several in progress", "a field"],
)
def test_rejected_list_is_corrected_and_sent_again(rule, eager):
    rounds = list(Trial("hello", todo=Strict(rule), eager=eager))
    accepted = [call.ok for turn in rounds for call in turn.calls if call.name == "todo"]
    assert accepted[:2] == [False, True] and rounds[-1].stop_reason == "end_turn"


def test_todo_tool_that_rejects_every_list_does_not_stop_the_work():
    trial = play("hello", todo=Strict(lambda items: "Not today"), window=20)
    assert all(trial.done)


def test_file_that_somebody_else_has_changed_ends_the_work_and_is_not_changed():
    trial = Trial("hello")
    trial.workspace.write_file("hello.py", 'print("short")\n')
    final = list(trial)[-1].text
    assert "I do not recognise hello.py" in final
    assert trial.workspace.read_file("hello.py") == 'print("short")\n'
    assert trial.items[0]["status"] != "completed"


def test_change_at_another_place_of_a_file_does_not_end_the_work():
    trial = Trial("hello")
    text = trial.workspace.read_file("hello.py")
    trial.workspace.write_file("hello.py", text + "\n# to be continued\n")
    trial.play()
    assert trial.steps_done == 3
    assert "# to be continued" in trial.workspace.read_file("hello.py")


@pytest.mark.parametrize("run", [*claude_runs(), *claude_runs("auth")], ids=repr)
def test_script_changes_nothing_in_the_folder_of_a_real_model(run):
    trial = Trial(run.job)
    for name, content in run.final_files.items():
        trial.workspace.write_file(name, content)
    trial.play()
    assert "I do not recognise" in trial.rounds[-1].text
    after = {name: trial.workspace.read_file(name) for name in run.final_files}
    assert after == run.final_files
    assert find_unknown(load_job(run.job), trial.workspace.root)


def test_script_stops_at_the_part_that_somebody_else_has_done():
    trial = Trial(TEN)
    trial.workspace.write_file("pricing.py", ONE_LINERS["pricing.py"])
    trial.play()
    assert "I do not recognise pricing.py" in trial.rounds[-1].text
    assert trial.workspace.read_file("pricing.py") == ONE_LINERS["pricing.py"]


def test_no_file_of_the_script_s_own_runs_is_unknown():
    for name in list_jobs():
        trial = Trial(name)
        for _ in trial:
            assert find_unknown(load_job(name), trial.workspace.root) == []


def test_job_that_is_already_done_is_recognised():
    first, again = play(TEN), Trial(TEN)
    again.workspace = first.workspace
    assert list(again)[-1].text == load_job(TEN).closing
    assert all(again.done)
