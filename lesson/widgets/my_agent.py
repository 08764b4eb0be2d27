"""What a learner's agent consists of, as Markdown: what is new in s03, and the code itself."""

from IPython.display import Markdown

from ..program.my_parts import MyPart, read_my_parts

TITLES = {"loop": "The loop", "list": "The list", "nag": "The nag"}


def what_changed() -> Markdown:
    """Return the table of what s03 adds to s02, with the lines of each part in `my_agent.py`."""
    parts = read_my_parts()
    rows = [
        ("", "s02", "s03", "its code"),
        ("---", "---", "---", "---"),
        ("tools", "4", "5: `todo` is new", ""),
        ("planning", "none", "a list of tasks, each with a status", count_lines(parts["list"])),
        ("what a person sees", "a log of calls", "a checklist", ""),
        ("limits", "paths stay in the workspace", "the same, and one task in progress", ""),
        ("reminder", "none", "after 3 rounds without the list", count_lines(parts["nag"])),
        (
            "the loop",
            "ask, act, answer",
            "the same; it calls `remind`, and sends the text",
            count_lines(parts["loop"]),
        ),
    ]
    return Markdown("\n".join(f"| {' | '.join(row)} |" for row in rows))


def my_code() -> Markdown:
    """Return the code of the loop, the list and the nag, and say whose each part is."""
    parts = read_my_parts()
    lines = sum(part.lines for part in parts.values())
    shown = [f"{lines} lines in all, without blank lines and imports."]
    for name, part in parts.items():
        fence = "`" * (3 + part.source.count("```"))  # longer than any in the code
        shown.append(f"**{TITLES[name]}**, {count_lines(part)}:")
        shown.append(f"{fence}python\n{part.source.strip()}\n{fence}")
    return Markdown("\n\n".join(shown))


def count_lines(part: MyPart) -> str:
    """Return a part's name, how many lines it has, and whose it is, as Markdown."""
    return f"`{part.name}`, {part.lines} lines, {part.whose}"
