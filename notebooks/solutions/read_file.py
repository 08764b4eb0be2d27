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
