"""What is yours around the parts: the tools, the system prompt, the limits, and the last words.

`__main__.py` calls `main` with the parts of this folder. The lesson has written this file once, and
never changes it.

**A tool** is a function such as `count_words`: its arguments are text, and the model reads its
docstring, and what it returns. The model may leave out an argument that has a default. Write yours
below it, and add its name to TOOLS. Of a path, `project.read(path)` returns the text, and
`project.find(path)` a `Path`, also of a folder: both refuse what is outside of the project. If a
tool changes something, let it call `project.ask_user("what it does")` first. If it prints
something, let it use `say` of `agentlib.terminal`, which hides your key.

A tool with other arguments is a `Tool`: see docs/extend.md of the lesson. How the program asks,
shows and sends is in `agentlib/terminal`: read `project.py` there, then `agent.py` and `model.py`.
"""

from agentlib.terminal import Agent, Limits, Project

project = Project(__file__)  # the folder in which the program was started, and you
LIMITS = Limits()  # of one prompt: Limits(90, 900_000) are 90 requests and 900,000 tokens


# The tools, beside todo and read_file, which are parts. This one is an example: add it to TOOLS.
def count_words(path):
    """Count the words in a text file."""
    return str(len(project.read(path).split()))  # an exception tells the model what was wrong


TOOLS = [project.bash, project.write_file, project.edit_file]


class MyAgent(Agent):
    """The conversation of the package, and what is yours in it."""

    def write_system(self, has_list):
        """Return the system prompt, which is sent with each request. Add your own sentences."""
        return super().write_system(has_list)

    def report(self):
        """Say at the end which files have changed, which tasks are open, and how long each took."""
        super().report()


def main(*parts, **given):
    """Work on the user's prompts with these parts."""
    MyAgent(project, TOOLS, LIMITS).main(*parts, **given)
