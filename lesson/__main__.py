"""The commands of `planning-agent`, such as `lab`, `lesson` and `practice`."""

import os
import sys
from pathlib import Path

from .kernel.deferred_imports import install
from .program import copy_lesson

USAGE = """\
usage: planning-agent lab [FOLDER]           copy the lesson into a folder, and open it
       planning-agent lesson FOLDER          copy the notebooks of the lesson into a folder
       planning-agent practice               serve the practice model to any program with its tools
       planning-agent practice FILE PROMPT   run a program with it (`-- OPTIONS` are the program's)
       planning-agent take-away FOLDER       write the program my_agent so that it needs no lesson,
                                             into a new folder or, as NAME.zip, into one file"""


def run(argv: list[str] | None = None) -> int:
    """Run the command. Return the exit status: 0, 1 or 2 for an error, 130 after an interrupt."""
    try:
        try:
            return choose(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader has what it wants, as `head` has; Python would say more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def choose(argv: list[str]) -> int:
    """Run the command that the first words name."""
    try:
        if argv[:1] == ["lesson"]:
            return copy_lesson.main(argv[1:])
        if argv[:1] == ["lab"]:
            from .program import open_lab

            return open_lab.main(argv[1:])
        if argv[:1] == ["practice"]:
            # Defer the SDK's imports, which take half of the time of a process that only serves.
            install()
        if argv[:1] == ["practice"] and len(argv) > 2:
            from .practice.run_program import run_with_practice_model

            place = argv.index("--") if "--" in argv else len(argv)
            words, more = argv[1:place], argv[place + 1 :]
            # An option of the program without `--` before it would become a part of the prompt.
            if len(words) > 1 and not any(one.startswith("--") for one in words):
                return run_with_practice_model(Path(words[0]), " ".join(words[1:]), more)
        if argv == ["practice"]:
            from .practice.run_program import serve

            return serve()
        if argv[:1] == ["take-away"] and len(argv) == 2:
            from .program.take_away import main as take_away

            return take_away(argv[1])
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    is_asked = argv == ["--help"]
    print(USAGE, file=sys.stdout if is_asked else sys.stderr)
    return 0 if is_asked else 2


if __name__ == "__main__":
    sys.exit(run())
