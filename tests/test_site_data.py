"""What the site's check tells of a site that was altered after it was built."""

import json
import shutil

import pytest
from website import __main__ as website
from website.played import TASK, columns, players

NAME = f"runs/{TASK}/12-5.json"


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A file of the site as it should be, and where the site has it."""
    monkeypatch.setattr(website, "SITE", tmp_path)
    content = json.dumps(players()["12-5"]).encode()
    file = tmp_path / NAME
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return content, file


def test_a_site_as_it_was_built_has_no_fault(built):
    content, _ = built
    assert list(website.check(NAME, content)) == []


def test_an_altered_run_is_told_with_its_place(built):
    content, file = built
    stored = json.loads(content)
    stored["values"]["state"]["runs"][0]["steps"][3]["usage"][0] += 1
    file.write_text(json.dumps(stored))
    (told,) = website.check(NAME, content)
    assert NAME in told
    assert "values, state, runs, 0, steps, 3, usage, 0" in told


def test_a_run_of_other_code_is_told(built):
    content, file = built
    file.write_bytes(content.replace(b'"digest": "', b'"digest": "0'))
    (told,) = website.check(NAME, content)
    assert "made_from, digest" in told


def test_a_file_that_is_missing_or_another_text_is_told(built):
    _, file = built
    shutil.rmtree(file.parent)
    assert list(website.check(NAME, b"{}"))
    file.parent.mkdir()
    file.with_suffix(".html").write_text("one\ntwo")
    (told,) = website.check(NAME.replace("json", "html"), b"one\n2")
    assert "line 2" in told


@pytest.mark.parametrize("end", [b"", b"\xff"], ids=["cut", "no text"])
def test_a_file_that_is_damaged_is_told(built, end):
    content, file = built
    file.write_bytes(content[:-9] + end)
    (told,) = website.check(NAME, content)
    assert f"{file}: is damaged" in told


def test_an_entry_that_was_added_is_told_even_if_it_holds_nothing(built):
    content, file = built
    file.write_bytes(content.replace(b'{"', b'{"more": null, "', 1))
    (told,) = website.check(NAME, content)
    assert "more: stored is null, built again it is nothing" in told


def test_a_file_that_was_put_beside_the_others_is_told(built):
    _, file = built
    (file.parents[2] / "live").mkdir()
    (file.parents[2] / "live" / "built by others.js").touch()
    assert list(website.find_strangers([NAME])) == []
    (file.parent / "more.html").touch()
    (told,) = website.find_strangers([NAME])
    assert "more.html" in told


def test_every_player_says_what_it_was_made_from():
    settings = [player["made_from"]["settings"] for player in players().values()]
    assert len(settings) == len(columns()["12"]) == 17
    assert settings[5] == {"after": 6, "window": 12, "plan": True}
    assert settings[-1] == {"after": None, "window": 12, "plan": False}
