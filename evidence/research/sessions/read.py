"""Read the recorded sessions of a collection out of git, with `claude_code` and `codex`.

A checkpoint has the whole session so far, so a session is in several files: its copies are read as
one. A reply that stands in two sessions, as in a fork, is counted in one of them.
"""

import re
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from claude_code import is_claude_code, read_claude_code
from codex import is_codex, read_codex
from lines import Record, read_lines
from session import CannotRead, Event, Reply, Session

MOST_BYTES = 4 * 1024 * 1024  # of a file: the stored copies that were counted lack larger ones
ID = re.compile(rb'"sessionId":\s*"([^"]+)"')  # of Claude Code
OTHER_ID = re.compile(rb'"session_meta".{,400}?"id":\s*"([^"]+)"|"id":\s*"(ses_[^"]+)"', re.DOTALL)
# A person is known by the name of the home folder; where there is none, by the repository.
HOME = re.compile(rb'"cwd":\s*"(?:/Users/|/home/|[A-Z]:\\\\Users\\\\)([^/\\"]+)')
TIME = re.compile(rb'"timestamp":\s*"([^"]+)"')


@dataclass
class Collection:
    """A repository of `collections.csv`. `people` has whose a session is, by its `id()`."""

    repository: str
    commits: list[str]
    licence: str
    files: str
    kind: str = "work"
    sessions: list[Session] = field(default_factory=list)
    people: dict[int, str] = field(default_factory=dict)
    left_out: int = 0

    def read(self, folder: Path) -> None:
        """Read the sessions, and count those that are refused."""
        self.git = ["git", f"--git-dir={folder / self.repository.replace('/', '+')}"]
        groups: dict[bytes, list[tuple[bytes, str]]] = defaultdict(list)
        for blob in self.list_blobs():
            data = self.run("cat-file", "blob", blob)
            time = max(TIME.findall(data), default=b"")
            groups[find_id(data) or blob.encode()].append((time, blob))
        for blobs in groups.values():
            try:
                session = read_copies([self.run("cat-file", "blob", b) for _, b in sorted(blobs)])
                is_helper = session.is_subagent and session.agent == "Claude Code"
                is_read = session.replies and not (session.unread_lists or is_helper)
            except CannotRead:
                is_read = False
            if is_read:
                self.sessions.append(session)
                home = HOME.search(self.run("cat-file", "blob", blobs[0][1]))
                self.people[id(session)] = home[1].decode() if home else self.repository
            self.left_out += not is_read

    def run(self, *command: str) -> bytes:
        return subprocess.run([*self.git, *command], stdout=subprocess.PIPE, check=True).stdout

    def list_blobs(self) -> list[str]:
        """Return the files of sessions, each content once."""
        blobs: dict[str, None] = {}
        for commit in self.commits:
            for line in self.run("ls-tree", "-r", "-l", commit).decode().splitlines():
                about, path = line.split("\t", 1)
                _, _, blob, size = about.split()
                if re.search(self.files, path) and size.isdigit() and int(size) < MOST_BYTES:
                    blobs[blob] = None
        return list(blobs)


def find_id(data: bytes) -> bytes:
    """Return the id of the session in a file; empty if it has none."""
    found = OTHER_ID.search(data[:1000])
    ids = [found[1] or found[2]] if found else ID.findall(data)
    return Counter(ids).most_common(1)[0][0] if ids else b""


def read_copies(copies: list[bytes]) -> Session:
    """Return the session in its copies, which are sorted by their time. Raise CannotRead."""
    whole: list[Session] = []  # of Codex, whose lines have no ids: the longest is taken
    records: list[Record] = []
    for data in copies:
        found = list(read_lines(data.splitlines(keepends=True)))
        if is_codex(found):
            whole.append(read_codex(found))
        else:
            records += found
    if whole:
        return max(whole, key=lambda one: len(one.replies))
    if not is_claude_code(records):
        raise CannotRead
    return read_claude_code(records)


def drop_copies(collections: list[Collection]) -> int:
    """Remove replies that stand in a longer session; return how many sessions go as a whole."""
    seen: set[str] = set()
    copies = 0
    pairs = [(one, session) for one in collections for session in one.sessions]
    for collection, session in sorted(pairs, key=lambda pair: -len(pair[1].replies)):
        keys = {reply.key for reply in session.replies}
        if len(keys & seen) * 2 > len(keys):
            copies += 1
            collection.sessions.remove(session)
            continue
        kept: list[Event] = []
        is_copy = False
        for event in reversed(session.events):
            is_copy = event.key in seen if isinstance(event, Reply) else is_copy
            kept += [] if is_copy else [event]
        session.events = kept[::-1]
        seen |= keys
    return copies
