"""The sections of `my_agent.py`: a head, one for each part with the text of its cell, and `main`.

A section begins with a comment, such as `# --- MyTodo --- 1f0c2b7a90de`. The number is a hash of
the text that `keep` has written, so that a section that was changed by hand is known.
"""

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shlex import quote

from agentlib.safety.files import write_atomically

from ..exercises.catalogue import PARTS

FILE = "my_agent.py"
HEAD = '''\
"""My agent: the parts that I have written in the lesson, and a `main` that runs them.

Run it with the Python that has the lesson:

    PYTHON my_agent.py "Refactor hello.py: add type hints."

The number after the name of a part tells `keep` whether the part was changed by hand.
"""

try:
    import lesson

    if __name__ == "__main__":
        program = lesson.open_program()  # reads the command, and connects to a model
        workspace, model = program.workspace, program.model
except ModuleNotFoundError:
    raise SystemExit("This Python does not have the lesson: use PYTHON") from None
except KeyboardInterrupt:
    raise SystemExit("\\nStopped.") from None'''
# Only names of parts: a learner's own comment may look like the line above a section.
MARKED = re.compile(rf"(?m)^# --- ((?:our )?(?:{'|'.join(PARTS)})|main) ---(?: (\w+))?$\n?")
IMPORT = re.compile(r"(?m)^(?:import|from) [^(\n]*(?:\([^)]*\))?.*$")


@dataclass(frozen=True)
class Section:
    """The text of a section, the hash with which it was written, and its first line's number.

    Outside of the file, the number is 0.
    """

    text: str
    written: str = ""
    line: int = 0

    @property
    def is_changed(self) -> bool:
        """Return whether it was changed by hand."""
        return self.written != seal(self.text).written


def seal(text: str) -> Section:
    """Return a section with this text, as `keep` writes it."""
    return Section(text, hashlib.sha256(encode(text)).hexdigest()[:12])


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def read_program(file: Path) -> str:
    """Return the text of a program, "" if there is none. Raise OSError.

    What is not UTF-8 becomes surrogates, which `encode` turns back.
    """
    data = file.read_bytes() if file.exists() else b""
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def read_sections(text: str) -> list[tuple[str, Section]]:
    """Return the sections of a program with their names. The head has the name ""."""
    marks = [*MARKED.finditer(text)]
    ends = [*(mark.start() for mark in marks), len(text)]
    head = text[: ends[0]].rstrip()
    is_written = re.fullmatch(".+".join(map(re.escape, HEAD.split("PYTHON"))), head)
    sections = [("", seal(head) if is_written else Section(head))]
    for mark, end in zip(marks, ends[1:], strict=True):
        line = text.count("\n", 0, mark.end()) + 1
        sections.append((mark[1], Section(text[mark.end() : end].rstrip(), mark[2] or "", line)))
    return sections


def read_parts(file: Path) -> dict[str, Section]:
    """Return the learner's parts of a program. Raise OSError."""
    return {name: one for name, one in read_sections(read_program(file)) if name in PARTS}


def join_sections(sections: Mapping[str, Section]) -> str:
    """Return the program with these sections."""
    python = quote(Path(sys.executable or "python").as_posix())
    texts = [HEAD.replace("PYTHON", json.dumps(python, ensure_ascii=False)[1:-1])]
    for name, one in sections.items():
        texts.append(f"# --- {name} --- {one.written}".rstrip() + f"\n{one.text}")
    return "\n\n\n".join(texts) + "\n"


def back_up(file: Path) -> str:
    """Copy a file before it is replaced. Return a sentence with the name of the copy."""
    copies = (file.with_stem(f"{file.stem}_{number}") for number in count(1))
    copy = next(one for one in copies if not one.exists())
    write_atomically(copy, file.read_bytes(), replace=False)
    return f"The file as it was before is now {copy.name}."


def list_own_lines(text: str) -> list[str]:
    """Return the lines of a part that are neither empty nor an import."""
    return [line for line in IMPORT.sub("", text).splitlines() if line.strip()]
