"""Hide what must not be shown of a recorded session: keys, e-mail addresses and paths of a machine.

Keys are hidden by their shape, and by their value if the user's own environment has it. That finds
most of them, and not all: a picture is read before it is shared.
"""

import os
import re
from pathlib import Path

from safetylib.hide_keys import hide_keys

HIDDEN = "(hidden)"
PATH = "(path)"
LONGEST = 300  # characters of a task
# No pattern sees more, so none takes long: of a task, of any text, and of a word in it.
LONGEST_READ, LONGEST_TEXT, LONGEST_WORD = 2000, 100_000, 1000
NAME = re.compile(r"\w[\w.:-]{0,47}")  # of a tool, a type or a version
MIN_VALUE = 6  # characters: a shorter value of a variable may be part of any word
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH", re.IGNORECASE)
SHAPES = re.compile(
    r"-----BEGIN[^-]*-----.*?(?:-----END[^-]*-----|$)"
    r"|\b(?:sk|pk|rk|glpat|xox[abeprs]|pypi|github_pat|gh[opsur]|npm|hf|whsec|dop_v1|shpat|glsa"
    r"|lin_api|ntn)[-_][-\w]{10,}"
    r"|\b(?:AKIA|ASIA|AIza|ya29|eyJ|SG\.)[-.\w]{10,}"
    r"|(?i:\bBearer\s+)\S+|\bBasic\s+(?=\S*(?:[\d=]|[a-z][A-Z]))\S{8,}|(?<=\s-u\s)\S+:\S+"
    r"|(?i:(?<=passwd\s)|(?<=password\s))(?=\S*\d)\S+|(?<=hooks\.slack\.com/)\S+"
    # A whole word at a time, and none twice: `*+` gives nothing back.
    r"|(?i:(?<![\w-])(?=[\w-]*?(?:secret|token|passw|pwd|api[-_ ]?key|credential))[\w-]*+"
    r"(?:(?<=api)\skey[\w-]*+)?)[\"']?\s*"
    r"(?:=\s*[\"']?\S+|:\s*[\"']?(?=\S*\d|\S{16})\S+)"
    r"|(?<=://)[^/\s@]+@"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"
    r"|\b[0-9a-fA-F]{32,}\b"
    r"|\b(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])[\w+=-]{28,}",
    re.DOTALL,
)
ROOTS = (
    "home|Users|root|tmp|var|private|mnt|opt|etc|srv|usr|Volumes|work|workspaces?|data|app"
    "|scratch|nfs|cluster|media|run|content|[a-z]/Users"
)
REST = r"[^\s\"'`<>|,;)]*"  # of a path
PATHS = re.compile(
    # A home's name and what is below it may have spaces: up to the next slash.
    rf"(?:(?<![\w/.])|(?<=host)|(?:-remote|wsl)\+\w+)(?:/home|/Users)/{REST}"
    rf"(?: (?=[\w.-]+[/\\]){REST})*"
    rf"|(?<![\w/.])(?:file://)?(?:~\w*|/(?:{ROOTS}))/{REST}"
    rf"|(?<!\w)(?:[A-Za-z]:\\|\\\\){REST}(?: (?=[\w.-]+\\){REST})*"
)


class Hider:
    """Hides what must not be shown. `places` are the folders of the session: see `add_place`."""

    def __init__(self) -> None:
        self._values = [
            value
            for name, value in os.environ.items()
            if SECRET_NAME.search(name) and len(value) >= MIN_VALUE
        ]
        self._places: set[str] = {str(Path.home())} - {"/"}
        self._hidden: dict[str, str] = {}  # each text of a task is in many lists

    def add_place(self, folder: object) -> None:
        """Note a folder of the session, which is hidden wherever it is."""
        if isinstance(folder, str) and folder.count("/") + folder.count("\\") > 1:
            self._places.add(folder)

    def hide(self, given: object) -> str:
        """Return a text on one line of at most LONGEST characters, as `hide_all` does."""
        text = str(given)[:LONGEST_READ]
        if text not in self._hidden:
            shown = self.hide_all(text)
            self._hidden[text] = shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
        return self._hidden[text]

    def hide_all(self, text: str) -> str:
        """Return a text on one line, without what must not be shown."""
        words = text[:LONGEST_TEXT].encode("utf-8", "replace").decode().split()
        shown = " ".join(word if len(word) <= LONGEST_WORD else HIDDEN for word in words)
        for value in self._values:
            shown = shown.replace(value, HIDDEN)
        for place in self._places:
            shown = re.sub(re.escape(place) + REST, PATH, shown)
        return PATHS.sub(PATH, SHAPES.sub(HIDDEN, hide_keys(shown)))

    def name(self, given: object) -> str:
        """Return the name of a tool or a type, if it looks like one."""
        text = self.hide(given)
        return text if NAME.fullmatch(text) else "(a name that is not shown)"
