"""GitHub's workflows, read: each step finds what it needs, and a release is that of its version."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
WORKFLOWS = sorted(REPOSITORY.glob(".github/workflows/*.yml"))


def test_what_is_published_was_tested_and_each_action_is_a_commit():
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        jobs = yaml.safe_load(text)["jobs"]
        for uses in re.findall(r"uses: (.*)", text):
            assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", uses)
        for job in jobs.values():
            if "write" in job.get("permissions", {}).values():
                before = jobs[job["needs"]]
                assert {"run": ".ci/run"} in before["steps"]
                assert before["permissions"] == {"contents": "read"}
                assert "pages" not in job["permissions"] or before["env"] == {"SITE_LEVEL": "19"}


@pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
def test_newest_sdk_is_not_replaced_by_that_of_the_lock(tmp_path):
    """In test.yml, .ci/run comes after the newest SDK was installed."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(REPOSITORY / name, tmp_path)
    bin = tmp_path / ".venv/bin"
    bin.mkdir(parents=True)
    (bin.parent / "pyvenv.cfg").write_text(f"command = python -m venv {bin.parent}\n")
    for name in ("python", "jupyter-lab", "uv"):
        (bin / name).write_text("#!/bin/sh\n")
        (bin / name).chmod(0o755)
    (bin.parent / "test.done").touch()
    builds = next(
        line for line in (REPOSITORY / ".ci/run").read_text().splitlines() if line[:5] == "make "
    )
    commands = subprocess.check_output([*builds.split(), "--dry-run"], cwd=tmp_path, text=True)
    assert "--python build/env-site/bin/python" in commands and "--python .venv" not in commands


@pytest.mark.parametrize(
    "tag, is_released", [("v1.0.0", True), ("v1.0", False), ("1.0", False), ("v1.0.0-rc1", False)]
)
def test_tag_of_another_version_makes_no_release(tmp_path, tag, is_released):
    (tmp_path / "pyproject.toml").write_text('version = "1.0.0"\n')
    text = (REPOSITORY / ".github/workflows/release.yml").read_text(encoding="utf-8")
    [line] = re.findall(r"(?m)^ *(grep -qx .*)$", text)
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env={"GITHUB_REF_NAME": tag})
    assert (done.returncode == 0) is is_released
