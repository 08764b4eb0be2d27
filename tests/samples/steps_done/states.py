"""Make states of a sample project: the files after the practice model's work, and changes."""

from lesson.samples.jobs import load_job

Files = dict[str, str]
Edit = tuple[str, str, str]  # a file, the text that it contains once, and the new text


class State:
    """A state of the files: the finished project with these `edits`.

    `files` replaces whole files, and None deletes one. In a refused state, a step is not done,
    though somebody might think so; those in `also` are not done either, and all others are.
    """

    def __init__(
        self, *edits: Edit, files: dict[str, str | None] | None = None, also: tuple[str, ...] = ()
    ) -> None:
        self.edits, self.files, self.also = edits, files or {}, also

    def of(self, finished: Files) -> Files:
        """Return the files of this state."""
        state = {**finished, **self.files}
        for file, old, new in self.edits:
            assert state[file].count(old) == 1, f"{file} contains this not once: {old!r}"
            state[file] = state[file].replace(old, new)
        return {name: text for name, text in state.items() if text is not None}


def original(name: str) -> Files:
    """Return the files of a sample project."""
    root = load_job(name).folder
    return {
        file.relative_to(root).as_posix(): file.read_text("utf-8")
        for file in sorted(root.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }


def after(name: str, steps: int | None = None) -> Files:
    """Return the files after the first `steps` steps of the script, or after all of them."""
    files = original(name)
    for step in load_job(name).steps[:steps]:
        for action in step.actions:
            do(action.tool, action.input, files)
    return files


def do(tool: str, fields: dict[str, str], files: Files) -> None:
    """Change `files` as one call of the script does."""
    if tool == "write_file":
        files[fields["path"]] = fields["content"]
    elif tool == "edit_file":
        text = files[fields["path"]]
        assert text.count(fields["old_text"]) == 1
        files[fields["path"]] = text.replace(fields["old_text"], fields["new_text"])
