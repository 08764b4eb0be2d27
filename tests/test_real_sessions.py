"""The recorded sessions of Claude Code: every figure, counted again from the data file."""

import json
import statistics
from xml.etree import ElementTree

import pytest
from traitlets import TraitError

from agentlib import Call, Nag, TodoManager
from lesson import RealSessions
from lesson.widgets.real_sessions import (
    DATA,
    THRESHOLDS,
    count_reminders,
    draw_reminders,
    draw_svg,
)

FILE = json.loads(DATA.read_text(encoding="utf-8"))
SESSIONS = FILE["sessions"]
LIST, OTHER = (Call(name, {}, "", ok=True) for name in ("todo", "bash"))


def play_nag(replies, after):
    """Return how often the package's own nag reminds, and in how many gaps between lists."""
    nag, reminders, gaps = Nag(TodoManager(), after), 0, 0
    for letter in replies.translate(str.maketrans("", "", "p|a")):
        if nag([LIST if letter == "t" else OTHER]):
            reminders += 1
            gaps += nag.rounds == after
    return gaps, reminders


@pytest.mark.parametrize("after", THRESHOLDS)
def test_counts_are_those_of_the_nag_played_over_each_session(after):
    played = [play_nag(session["replies"], after) for session in SESSIONS]
    assert count_reminders(after) == tuple(map(sum, zip(*played, strict=True)))
    later = [play_nag(one["replies"][one["replies"].index("t") :], after) for one in SESSIONS]
    assert count_reminders(after, True) == tuple(map(sum, zip(*later, strict=True)))


def test_data_file_is_consistent_and_names_source_and_licence():
    assert "github.com/entireio/cli" in FILE["source"] and FILE["licence"].startswith("MIT")
    assert len(SESSIONS) == 44
    for session in SESSIONS:
        assert set(session["replies"]) <= set("tebrsoap|")
        assert session["replies"].count("t") == len(session["lists"])
        assert session["replies"].count("|") == len(session["compacted"])


def test_facts_are_counted_from_the_file():
    facts = " ".join(RealSessions().state["facts"])
    lists = [counts for session in SESSIONS for counts in session["lists"]]
    assert len(lists) == 353 and {counts[1] for counts in lists} == {0, 1}
    assert "None of the 353 lists has more than 1 task in progress." in facts
    rounds = [one["replies"].translate(str.maketrans("", "", "p|a")) for one in SESSIONS]
    assert statistics.median(one.index("t") + 1 for one in rounds) == 6
    assert "round 6 (median)" in facts
    before = [tokens for one in SESSIONS for tokens, *_ in one["compacted"]]
    assert len(before) == 21 and round(statistics.median(before)) == 155
    tasks = [tasks for one in SESSIONS for tasks in count_open_tasks(one)]
    assert tasks == [tasks for one in SESSIONS for *_, tasks in one["compacted"]]
    assert sum(tasks) == 11 and sum(map(bool, tasks)) == 4
    assert "21 compactions, at about 155,000 tokens; at 4 of them tasks were open, 11 in" in facts


def count_open_tasks(session):
    """Yield how many tasks of the last list are open at each compaction."""
    *parts, _ = session["replies"].split("|")
    for number in range(len(parts)):
        written = session["lists"][: "".join(parts[: number + 1]).count("t")]
        yield sum(written[-1][1:]) if written else 0


@pytest.mark.parametrize("after", [1, 3, 20])
def test_picture_is_svg_with_a_triangle_for_each_first_reminder(after):
    picture = ElementTree.fromstring(draw_svg(after))
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert f" {count_reminders(after)[1]:,} if repeated" in "".join(picture.itertext())
    assert draw_reminders(after).count("l-1.5 4z") == count_reminders(after)[0]
    assert RealSessions(after)._repr_mimebundle_()[0]["image/svg+xml"] == draw_svg(after)


@pytest.mark.parametrize("after", [0, 21])
def test_threshold_out_of_range_is_rejected(after):
    with pytest.raises(TraitError):
        RealSessions(after)
