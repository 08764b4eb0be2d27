"""The two sessions of the lesson, and the script that scrubs a session."""

import json
import sys
from pathlib import Path

import pytest

from lesson import session
from lesson.sessions.read_file import read_records
from lesson.widgets.session_view import SHIPPED
from tests.support.recorded import ClaudeCode, Codex, to_lines

sys.path[:0] = [str(Path(__file__).parents[2] / "research" / one) for one in ("agents", "sessions")]
from codex import read_codex  # noqa: E402
from scrub import scrub  # noqa: E402

MOST_BYTES = 60_000
SHOWN = {
    "shop": [
        "compacted                ┊",
        "rounds    ≡--≡---≡---≡---/////////---≡--≡□",
        "Open at the end: nothing.",
        "Vanished while open: “Write a helper that reads the price list” (reply 12); “Write tests "
        "for the discounts” (reply 31); “Write tests for the receipt” (reply 31).",
        "Replies without the list in sight, with tasks open: 9 (16 to 24).",
    ],
    "museum": [
        "reminder            ▼               ▼",
        "resumed                                 │",
        "rounds    -----------≡≡--≡-----------≡---≡□",
        "Open at the end: Print the labels; Check the lamps.",
    ],
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_session_of_the_lesson_is_drawn(name):
    lines = str(session(name)).splitlines()
    assert [line for line in SHOWN[name] if line not in lines] == []
    assert not any("Not understood" in line for line in lines)


def test_the_sessions_of_the_lesson_are_scrubbed_and_small():
    files = sorted(SHIPPED.glob("*"))
    assert [file.stem for file in files] == sorted(SHOWN)
    for file in files:
        lines = file.read_bytes().splitlines(True)
        assert "".join(scrub(lines)).encode() == file.read_bytes()
        assert file.stat().st_size <= MOST_BYTES


SAID = "What was said in /home/ada"


def make_claude():
    code = ClaudeCode()
    code.prompt(SAID)
    code.todo("> Look", "- Mend")
    code.create(1, "Test")
    code.update(1, "completed")
    code.update(1, "in_progress", was=None)
    code.block("m9", {"type": "text", "text": SAID})
    code.call("Bash", {"command": SAID, SAID: 1}, SAID, told={"stdout": SAID})
    code.remind("> Look", "- Mend")
    code.add("attachment", attachment={"type": "file", "content": SAID, "rendered": SAID})
    code.add("api-request-blob", message={"content": SAID}, system=SAID, name=SAID)
    code.compact(SAID)
    code.add("assistant", message={"model": "<synthetic>", "content": "No response requested."})
    code.text(SAID)
    taken = [code.lines[-1]["uuid"]]
    code.add("system", subtype="model_refusal_fallback", retractedMessageUuids=taken)
    code.text(SAID)
    code.lines[-1]["isAbortedMidStream"] = True
    return code


def make_codex():
    code = Codex()
    code.prompt()
    code.lines[0]["payload"] |= {"base_instructions": SAID, "git": {"url": SAID}}
    code.plan("> Look", "- Mend", output=SAID)
    code.call("exec_command", {"cmd": SAID}, SAID)
    code.add("event_msg", type="exec_command_end", stdout=SAID)
    code.compact(SAID)
    code.text(SAID)
    return code


@pytest.mark.parametrize("make", [make_claude, make_codex])
def test_scrubbing_leaves_the_session_and_nothing_that_was_said(make):
    lines = to_lines(make().lines)
    scrubbed = [line.encode() for line in scrub(lines)]
    text = b"".join(scrubbed).decode()
    assert "said" not in text and "/home" not in text and "Mend it" not in text
    assert len(scrubbed) == len(lines)
    objects = [[json.loads(line) for line in some] for some in (lines, scrubbed)]
    before, after = (
        read_codex(some) if make is make_codex else read_records(some) for some in objects
    )
    assert before == after
    types = [[line.get("type") for line in some] for some in objects]
    assert types[0] == types[1]
