"""What is yours around the parts: the tools, the system prompt, the limits, and the last words.

`__main__.py` calls `main` with the parts of this folder. The lesson has written this file once, and
never changes it.

**A tool** is a function below `bash`, with a docstring, which the model reads, and with arguments
that are text. Add its name to TOOLS. If it changes something, let it call `project.ask_user`
first. A path is `project.find(path)`, which refuses what is outside of the project. What you show
yourself, show with `say` of `agentlib.terminal`, which hides your key.
"""

from agentlib.terminal import Agent, Limits, Project

project = Project(__file__)  # the agent works in the folder in which the program was started
LIMITS = Limits()  # of one prompt: Limits(90, 900_000) are 90 requests and 900,000 tokens


# The tools. An exception tells the model what was wrong.
def bash(command):
    """Run a bash command in the project's folder."""
    return project.bash(command)


def write_file(path, content):
    """Create or overwrite a file."""
    return project.change("write_file", path, content=content)


def edit_file(path, old_text, new_text):
    """Replace old_text, which must occur exactly once in the file, by new_text."""
    return project.change("edit_file", path, old_text=old_text, new_text=new_text)


TOOLS = [bash, write_file, edit_file]  # and read_file, which is a part


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
