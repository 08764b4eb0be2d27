"""Judge the steps of this job from STRUCTURE.md, whoever has written it."""

import re

from ..project_files import ProjectFiles


def describes(files: ProjectFiles, *words: str) -> bool:
    """Return whether STRUCTURE.md has each of these words, which name files or functions."""
    text = files.texts.get("STRUCTURE.md", "")
    return all(re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.]*\w)", text) for word in words)


def follows_imports(files: ProjectFiles) -> bool:
    """Return whether a line of STRUCTURE.md says that the program imports the other two files."""
    lines = files.texts.get("STRUCTURE.md", "").splitlines()
    wanted = ("import", "report", "readings", "stats")
    return any(all(word in line for word in wanted) for line in lines)
