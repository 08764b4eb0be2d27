"""The commands of the lesson: `planning-agent lesson FOLDER` and `planning-agent check FOLDER`."""

import sys

from . import copy_lesson

USAGE = """\
usage: planning-agent lesson FOLDER   copy the notebooks of the lesson into a folder
       planning-agent check FOLDER    check the exercises in saved notebooks"""


def run(argv: list[str] | None = None) -> int:
    """Run a command. Return the exit status: 0, 1 or 2 for an error, 130 after an interrupt."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        match argv:
            case ["lesson", *rest]:
                return copy_lesson.main(rest)
            case ["check", *rest]:
                from .exercises.grading import command  # late, because it imports every exercise

                return command.main(rest)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    is_asked = argv == ["--help"]
    print(USAGE, file=sys.stdout if is_asked else sys.stderr)
    return 0 if is_asked else 2


if __name__ == "__main__":
    sys.exit(run())
