"""Read a file of a folder, and refuse what is outside of it.

`read_file(folder, path)` gets the `Path` of the folder, and the path as the model has sent it,
relative to the folder. It returns the text of the file, in UTF-8. It raises ValueError, with a
message for the model, if the path leads out of the folder or is not a file, and UnicodeDecodeError
for a file that is not text. The notebook s04b builds this. A program calls it behind the guard of
`Workspace.read_file`, which also refuses devices and long files: see `safetylib/guard/read_by.py`.
"""


# Where a path leads is known only when `..` and links were followed, and not from its letters. An
# error names the path as the model has sent it, and what is there: the model reads it, and can ask
# again.
def read_file(folder, path):
    """Return the text of a file in `folder`, or raise an error that the model can use."""
    folder = folder.resolve()  # a path that was resolved is inside of no other one
    file = (folder / path).resolve()
    if not file.is_relative_to(folder):
        raise ValueError(f"{path} is outside of the folder: give a path inside it")
    if not file.is_file():
        names = ", ".join(entry.name for entry in folder.iterdir())
        raise ValueError(f"{path} is not a file: here are {names}")
    return file.read_text(encoding="utf-8")
