"""A run as a file: it is written as it comes, and opens as it was."""

import json
import os
import resource
import stat
import sys
from dataclasses import fields
from threading import Lock

import pytest
from support.play_loop import rounds
from support.rounds import check_opened

from agentlib import TodoManager, Workspace, call_tool
from lesson import open_run
from lesson.drawing.run_picture import draw_problem, format_run
from lesson.runs.facts import Facts
from lesson.runs.run import Run
from lesson.runs.run_lines import RunFileError
from lesson.runs.saved_run import read_run
from lesson.widgets.run_view import draw_still
from safetylib.guard import hide_keys
from safetylib.wire.run_file import VERSION, share

SECRET = "sk-ant-api03-of-the-learner-0123456789"


def read_lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"todo": None},
        {"after": 6},
        {"nag": None},
        {"job": "hello", "after": 2},
        {"after": 6, "missing": "files"},
        {"model": "starter"},
    ],
    ids=str,
)
def test_seven_kinds_of_runs_are_the_same_when_they_are_opened(settings, tmp_path):
    check_opened(Run(**settings).play(), tmp_path / "run.jsonl")


def test_each_fact_is_in_the_file(tmp_path):
    run = Run("hello").play()
    kinds = {str: "<words>", int: 1, bool: True}
    facts = {one.name: kinds.get(one.type, getattr(run, one.name)) for one in fields(Facts)}
    vars(run).update(facts)
    run.save(tmp_path / "run.jsonl")
    opened = read_run(tmp_path / "run.jsonl")
    facts |= {"problem": "", "note": ""}  # as the last line says, which was there already
    assert {name: getattr(opened, name) for name in facts} == facts


def test_run_is_on_the_disk_after_each_reply_and_only_its_owner_can_read_it(tmp_path):
    path, sizes = tmp_path / "run.jsonl", []

    def watch(record):
        sizes.append(path.stat().st_size)
        seen = read_run(path)
        assert len(seen.records) == len(sizes) and seen.letters == run.letters[: len(sizes)]
        assert "The end of this file is missing" in seen.note

    run = Run("hello", after=2, save=path)
    run.play(watch)
    assert sizes == sorted(set(sizes))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert format_run(read_run(path)) == format_run(run)


def test_interrupted_run_is_kept(tmp_path):
    def stop(record):
        if record.round.number == 3:
            raise KeyboardInterrupt

    path = tmp_path / "run.jsonl"
    run = Run(save=path)
    with pytest.raises(KeyboardInterrupt):
        run.play(stop)
    assert read_run(path).letters == run.letters and len(run.letters) == 3


def test_full_disk_leaves_no_half_run_and_the_run_is_played(tmp_path, capsys):
    path, limit = tmp_path / "run.jsonl", resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(client, messages, tools, **settings):
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, limit[1]))  # as a disk that is full
        client.messages.create(messages=messages, **settings)

    try:
        Run.play.__wrapped__(Run("hello", loop=fill, save=path))
        with pytest.raises(OSError, match="too large"):
            Run("hello", save=tmp_path / "new.jsonl").play()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert os.listdir(tmp_path) == ["run.jsonl"]
    sentence = f"From here on, nothing is saved in {path}: File too large.\n"
    assert capsys.readouterr().out == sentence


def test_file_that_is_being_written_is_opened_by_no_tool(tmp_path, monkeypatch):
    """A job of one's own can be played in the folder in which its run is saved."""
    path, tried = tmp_path / "run.jsonl", []

    def look(client, messages, tools, **settings):
        monkeypatch.chdir("/")  # the name of the file is relative
        yield from rounds(client, messages, tools, **settings)
        own = {tool.name: tool for tool in Workspace(tmp_path).tools()}
        for tool, more in (("read_file", {}), ("write_file", {"content": "x"})):
            tried.append(call_tool(own, tool, {"path": "link", **more}).output)

    (tmp_path / "link").symlink_to(path)
    monkeypatch.chdir(tmp_path)
    Run("hello", loop=look, save=path.name).play()
    assert ["is the file into which this run is saved" in said for said in tried] == [True] * 2
    assert Workspace(tmp_path).read_file("run.jsonl").startswith('{"type": "session"')


@pytest.mark.parametrize("window", [None, 12])
def test_time_to_open_a_run_grows_with_its_rounds_and_not_with_their_square(tmp_path, window):
    def count_calls(number):
        lines, content = [FIRST | {"window": window}], "Go"
        for at in range(number):
            message = {"role": "user", "content": content}
            call = {"type": "tool_use", "id": f"c{at}", "name": "bash", "input": {}}
            lines += [SENT | {"kept": 2 * at, "messages": [message]}, REPLY | {"content": [call]}]
            lines.append({"type": "known"})
            content = [{"type": "tool_result", "tool_use_id": f"c{at}", "content": "a"}]
        lines.append(
            SENT | {"kept": 2 * number, "messages": [{"role": "user", "content": content}]}
        )
        path, calls = tmp_path / "run.jsonl", []
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        sys.setprofile(lambda frame, event, argument: calls.append(1) if "call" in event else None)
        try:
            assert len(read_run(path).records) == number
        finally:
            sys.setprofile(None)
        return len(calls)

    count_calls(5)  # what is imported when it is first used
    assert count_calls(200) < 5 * count_calls(50)  # before, 12 times as many


@pytest.mark.parametrize("cut", [2, 40, 700, 5000, 15000])
def test_file_without_its_end_opens_up_to_its_last_whole_round(tmp_path, cut):
    path = tmp_path / "run.jsonl"
    run = Run("hello", after=2).play()
    run.save(path)
    path.write_bytes(path.read_bytes()[:-cut])
    opened = read_run(path)
    assert run.letters.startswith(opened.letters) and "is missing" in opened.note
    for at, record in enumerate(opened.records, 1):
        assert str(opened.request(at)) == str(run.request(at))
        assert [str(call) for call in record.round.calls] == [
            str(call) for call in run.rounds[at - 1].calls
        ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANTHROPIC_API_KEY", f"{SECRET}\n"),
        ("ANTHROPIC_AUTH_TOKEN", SECRET),
        ("ANTHROPIC_CUSTOM_HEADERS", f"X-Team: mine\nX-Key: {SECRET}"),
    ],
)
def test_key_of_the_environment_is_hidden_where_nothing_has_connected(
    tmp_path, monkeypatch, name, value
):
    monkeypatch.setattr(hide_keys, "_secrets", set())
    monkeypatch.setenv(name, value)
    path = tmp_path / "run.jsonl"

    def add_key(client, messages, tools, **settings):
        messages.append({"role": "user", "content": f"My key is {SECRET}."})
        client.messages.create(messages=messages, **settings)

    run = Run.play.__wrapped__(Run("hello", loop=add_key, save=path))
    run.save(tmp_path / "saved.jsonl")
    for text in (path.read_text(), (tmp_path / "saved.jsonl").read_text()):
        assert SECRET not in text and "(your key)." in text


@pytest.mark.parametrize("kind", ["loop", "list", "line"])
def test_key_in_the_error_of_a_part_is_hidden_where_the_error_is_shown(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(hide_keys, "_secrets", set())
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)

    class Leaky(TodoManager):
        def update(self, items):
            raise ValueError(f"{'x' * 40} {os.environ['ANTHROPIC_API_KEY']}")

    def loop(*args, **settings):
        raise ValueError(f"no server at {os.environ}")

    scope, file = {}, tmp_path / "mine.py"
    file.write_text(f"def line(*args, **settings):\n    1 / 0  # {SECRET}")
    exec(compile(file.read_text(), file, "exec"), scope)
    made = {"loop": {"loop": loop}, "list": {"todo": Leaky()}, "line": {"loop": scope["line"]}}
    run = Run.play.__wrapped__(Run("hello", **made[kind]))
    shown = str(run) + str(run.requests[-1:]) + draw_problem(run)
    assert run.problem and SECRET[:6] not in shown and SECRET[-6:] not in shown


def test_nothing_is_replaced(tmp_path):
    run = Run("hello").play()
    run.save(tmp_path / "run.jsonl")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    for name in ("run.jsonl", "link"):
        with pytest.raises(RunFileError, match="is there already"):
            run.save(tmp_path / name)
        with pytest.raises(RunFileError, match="is there already"):
            Run(save=tmp_path / name)  # before `play` shows a picture
    with pytest.raises(RunFileError, match=f"There is no folder {tmp_path / 'gone'}"):
        run.save(tmp_path / "gone" / "run.jsonl")
    assert sorted(os.listdir(tmp_path)) == ["link", "run.jsonl"]


class Growing(TodoManager):
    """A list whose items grow each time it is shown."""

    more = {}

    def render(self):
        for item in self.items:
            item.update(self.more)
            item.setdefault("history", []).append({"status": item["status"]})
        return super().render()

    def summary(self):
        return {item["text"]: item.get("history") for item in self.items}


@pytest.mark.parametrize("more", [{}, {"lock": Lock()}], ids=["plain", "cannot be copied"])
def test_file_has_of_each_round_what_was_true_then_whenever_it_is_written(tmp_path, more):
    todo = type("Growing", (Growing,), {"more": more})
    run = Run("hello", todo=todo, nag=None, save=tmp_path / "streamed.jsonl")
    run.play(lambda record: run.todo.render())
    run.save(tmp_path / "saved.jsonl")
    streamed, saved = (read_lines(tmp_path / f"{name}.jsonl") for name in ("streamed", "saved"))
    assert streamed == saved
    items = [line["items"] for line in saved if line.get("items")]
    times = [line["times"] for line in saved if line.get("times")]
    assert [len(one[0]["history"]) for one in items][:3] == [1, 2, 3]
    assert [len(next(iter(one.values()))) for one in times][:3] == [1, 2, 3]


FIRST = {"type": "session", "version": VERSION, "job": "hello", "window": None}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is no run"),
        ("[]", "is no run"),
        ("# notes", "is no run"),
        ('{"type": "user", "sessionId": "1"}', "is no run"),
        ('{"type": "session", "version": "2", "job": "a"}', "is no run"),
        (json.dumps(FIRST | {"version": VERSION + 1}), "is of another version of the lesson"),
        (json.dumps(FIRST | {"version": VERSION - 1}), "format has the number 1, not 2"),
        (json.dumps(FIRST) + '\n{"type": "sent"}', "line 2: this is no line of a run"),
        (json.dumps(FIRST) + "\n[1]", "no line of a run"),
        (
            json.dumps(FIRST) + '\n{"type": "reply", "content": 3}\n{"type": "known"}',
            "no line of a run",
        ),
        *(
            (f'{json.dumps(FIRST)}\n{{"type": "reply", {more}}}\n{{"type": "known"}}', "of a run")
            for more in ('"content": [NaN]', '"content": [], "stop_reason": ["end_turn"]')
        ),
        (json.dumps(FIRST | {"steps": 3}), "line 1: this is no line of a run"),
    ],
)
def test_foreign_file_is_refused_with_a_sentence(tmp_path, content, sentence):
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(RunFileError, match=sentence):
        open_run(path)


COUNTS = {"input_tokens": 10**400, "output_tokens": -(10**400)}
REPLY = {"type": "reply", "content": [], "usage": COUNTS}
SENT = {"type": "sent", "kept": 0, "messages": []}
TOOLS = SENT | {"settings": {"tools": [{"name": 1}]}}


@pytest.mark.parametrize(
    "line",
    [
        FIRST | {"rounds_before": float("inf")},
        FIRST | {"start": {"files": {"hello.py": 1}}},
        {"type": "known", "items": ["a task"]},
        {"type": "known", "done": ["yes"]},
        {"type": "sent", "kept": 0, "messages": "Hello"},
        TOOLS,
        TOOLS | {"settings": {"tools": ["bash"]}},
        SENT | {"messages": [{"role": "user", "content": float("nan")}]},
        {"type": "known", "reminder": 3},
        {"type": "known", "times": 3},
        {"type": "end", "problem": ""},
    ],
)
def test_line_that_could_not_be_drawn_is_refused_when_it_is_read(tmp_path, line):
    path = tmp_path / "run.jsonl"
    lines = [line] if line["type"] == "session" else [FIRST, line]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    with pytest.raises(RunFileError, match=f"line {len(lines)}: this is no line of a run"):
        open_run(path)
    path.write_text("".join(json.dumps(one) + "\n" for one in (FIRST, SENT, REPLY, REPLY)))
    with pytest.raises(RunFileError, match="this is no line of a run"):
        open_run(path)  # of a request that has no message


def test_counts_of_tokens_that_no_reply_has_are_drawn(tmp_path):
    path = tmp_path / "run.jsonl"
    sent = {"type": "sent", "kept": 0, "messages": [{"role": "user", "content": "Hello"}]}
    end = {"type": "end", "problem": "", "note": "", "window": "x", "job": "other"}
    lines = [FIRST, sent, REPLY, {"type": "known"}, end]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    run = open_run(path)
    assert "1 round, 1000000k tokens" in str(run) and run.rounds[0].usage.output_tokens == 0
    assert (run.window, run.job) == (None, "hello")  # only the first line says these
    threshold = f'"has_nag": 1, "after": {10**30}, "window"'  # for "never"
    path.write_text(path.read_text().replace('"window"', threshold))
    assert "000,000 rounds without a todo call" in draw_still(open_run(path), 1)
    path.write_text(path.read_text().replace(f'"after": {10**30}', '"after": "2"'))
    with pytest.raises(RunFileError, match="line 5: this is no line of a run"):
        open_run(path)


def test_messages_that_two_requests_share_are_equal_in_json():
    assert share([{"n": True}], [{"n": 1}])[0]["n"] is True  # with ==, it would be 1


def test_huge_file_and_none_are_refused_with_a_sentence(tmp_path):
    path = tmp_path / "run.jsonl"
    with pytest.raises(RunFileError, match="There is no file"):
        open_run(path)
    with path.open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(RunFileError, match="50,000,001 bytes"):
        open_run(path)
