"""Cells of read_file as learners write them: right ones, and mistakes that no change makes."""

from lesson.exercises.read_file import PAGE

PLAIN = PAGE.solution
PACKAGE = "from agentlib import read_file\n"
OS_PATH = """
import os


def read_file(folder, path):
    root = os.path.realpath(folder)
    full = os.path.realpath(os.path.join(root, path))
    if os.path.commonpath([root, full]) != root:
        raise PermissionError(path + " leads out. Possible is a path without a way out")
    if os.path.isdir(full):
        raise IsADirectoryError(f"{path} is a folder, take one of {os.listdir(root)}")
    if not os.path.exists(full):
        raise FileNotFoundError(f"there is no {path}, only {os.listdir(root)}")
    with open(full) as file:
        return file.read()
"""
PARENTS = '''
def read_file(folder, path):
    """Read a file."""
    folder = folder.resolve()
    target = folder.joinpath(path).resolve()
    if folder in target.parents and target.is_file():
        return target.read_text()
    known = sorted(str(one.relative_to(folder)) for one in folder.rglob("*.*"))
    raise LookupErrorForTheModel(f"You asked for {path!r}, choose one of: {known}")


class LookupErrorForTheModel(Exception):
    pass
'''
ASSERTS = """
def read_file(folder, path):
    folder = folder.absolute().resolve()
    file = (folder / path).resolve()
    assert file == folder or folder in file.parents, f"{path} is not here: use a path in it"
    assert file.exists(), f"{path} does not exist, you can write it with write_file"
    assert not file.is_dir(), f"{path} is a folder, list it with bash"
    return file.read_text()
"""
LOOKUP = PLAIN.replace("ValueError(f", "LookupError(f")
GOES_INTO = PLAIN.replace("    file =", "    import os\n    os.chdir(folder)\n    file =", 1)
RIGHT = {
    "an error of a kind that mistakes also raise": LOOKUP,
    "goes into the folder": GOES_INTO,
    "the package's": PACKAGE,
    "os.path": OS_PATH,
    "parents, and an error class": PARENTS,
    "assert": ASSERTS,
}
ORIGINAL = """
def read_file(folder, path):
    return open(path).read()
"""
RELATIVE = """
def read_file(folder, path):
    folder = folder.resolve()
    file = (folder / path).resolve()
    file.relative_to(folder)
    if not file.is_file():
        names = [entry.name for entry in folder.iterdir()]
        raise ValueError(f"{path} is not a file: here are {names}")
    return file.read_text()
"""
ONE_OF_SEVERAL = PLAIN.replace('", ".join(entry.name', "next(entry.name")
WRONG = [
    ("says", ONE_OF_SEVERAL, "name all"),
    ("reads", ORIGINAL, "join `folder / path`"),
    ("stays", PLAIN.replace("ValueError(f", "(f", 1), "`raise` needs an error"),
    (
        "no_file",
        PLAIN.replace('raise ValueError(f"{path} is no', 'return ValueError(f"{path} is no'),
        "do not return it",
    ),
    ("says", RELATIVE, "has a path of your machine"),
]
