"""Half-done and wrong states of the weather report, by the step that is not done in them."""

from steps_done.states import REPORT, State, after, original, wrong

FIRST, DONE = original("style"), after("style")
SAVED, READINGS, STATS, PRINTED, COMPARED = (
    "Look for the usual flaws and save what the report prints",
    "Clean up readings.py",
    "Clean up stats.py",
    "Clean up report.py",
    "Check that the report prints the same as before",
)

REFUSED: dict[str, dict[str, State]] = {
    SAVED: {
        "nothing was saved": wrong(files={"before.txt": None}, also=(COMPARED,)),
        "the file is empty": wrong(files={"before.txt": ""}, also=(COMPARED,)),
        "an error was saved": wrong(
            files={"before.txt": "python: can't open file 'reports.py'\n"}, also=(COMPARED,)
        ),
        "the title was saved, and nothing below it": wrong(
            files={"before.txt": "Weather report\n"}, also=(COMPARED,)
        ),
    },
    READINGS: {
        "nothing was cleaned": wrong(files={"readings.py": FIRST["readings.py"]}),
        "there are still tabs": wrong(
            files={"readings.py": DONE["readings.py"].replace("    ", "\t")}
        ),
        "an import is not used": wrong(("readings.py", "import csv\n", "import csv\nimport sys\n")),
        "two modules are imported in one line": wrong(
            ("readings.py", "import csv\n", "import csv, os\n"),
            ("readings.py", "    readings = []\n", "    readings = [os.sep][:0]\n"),
        ),
        "a list is the default of a parameter": wrong(("readings.py", "skip=()", "skip=[]")),
        "an except catches everything": wrong(
            ("readings.py", "except (TypeError, ValueError):", "except:")
        ),
        "a condition and what it does are in one line": wrong(
            (
                "readings.py",
                '            if row["station"] in skip:\n                continue\n',
                '            if row["station"] in skip: continue\n',
            ),
        ),
        "a name looks like a 1": wrong(
            ("readings.py", "    readings = []\n", "    l = []\n"),
            ("readings.py", "            readings.append", "            l.append"),
            ("readings.py", "    return readings\n", "    return l\n"),
        ),
        "the function is gone": wrong(files={"readings.py": "import csv\n\nprint(csv)\n"}),
    },
    STATS: {
        "nothing was cleaned": wrong(files={"stats.py": FIRST["stats.py"]}),
        "the import with a star is there": wrong(
            ("stats.py", "import statistics\n", "from math import *\nimport statistics\n")
        ),
        "None is compared with ==": wrong(
            (
                "stats.py",
                '    for r in readings:\n        if r["temp"] is None:\n            n = n',
                '    for r in readings:\n        if r["temp"] == None:\n            n = n',
            ),
        ),
        "a condition is in one line": wrong(
            (
                "stats.py",
                "    if len(temps) == 0:\n        return None\n",
                "    if len(temps) == 0: return None\n",
            ),
        ),
        "a line ends with a blank": wrong(("stats.py", "    return best\n", "    return best \n")),
        "the position is not used": wrong(
            (
                "stats.py",
                '    for r in readings:\n        if r["temp"] is None:\n            n = n',
                "    for i, r in enumerate(readings):\n"
                '        if r["temp"] is None:\n            n = n',
            ),
        ),
        "a name looks like a 1": wrong(
            (
                "stats.py",
                "    temps = known(readings)\n    if len(temps)",
                "    l = known(readings)\n    if len(l)",
            ),
            ("stats.py", "statistics.mean(temps)", "statistics.mean(l)"),
        ),
        "one function is gone": wrong(
            ("stats.py", DONE["stats.py"][DONE["stats.py"].index("\n\ndef missing") :], "")
        ),
    },
    PRINTED: {
        "nothing was cleaned": wrong(files={"report.py": FIRST["report.py"]}),
        "a lambda has a name": wrong(
            (
                "report.py",
                "def show(temp):\n"
                '    return "no value" if temp is None else f"{temp:.1f} degrees"\n',
                'show = lambda temp: "no value" if temp is None else f"{temp:.1f} degrees"\n',
            ),
        ),
        "an import is not used": wrong(
            ("report.py", "import readings\n", "import json\n\nimport readings\n")
        ),
        "a string needs no f": wrong(
            ("report.py", 'print("Weather report")', 'print(f"Weather report")')
        ),
        "a line is much too long": wrong(
            ("report.py", "    print(\n", "    # " + "a long line " * 12 + "\n    print(\n")
        ),
        "a name looks like a zero": wrong(
            files={"report.py": DONE["report.py"].replace("own)", "O)").replace(" own ", " O ")}
        ),
        "not is before in": wrong(
            (
                "report.py",
                '        stations.setdefault(row["station"], []).append(row)\n',
                '        if not row["station"] in stations:\n'
                '            stations[row["station"]] = []\n'
                '        stations[row["station"]].append(row)\n',
            ),
        ),
        "the guard is in one line": wrong(
            ("report.py", '"__main__":\n    report(', '"__main__": report(')
        ),
        "the functions are gone": wrong(
            files={"report.py": '"""The report."""\n'}, also=(READINGS, STATS)
        ),
    },
    COMPARED: {
        "nothing was saved after the work": wrong(files={"after.txt": None}),
        "it prints something else": wrong(files={"after.txt": REPORT.replace("12.8", "12.9")}),
        "it prints only the title": wrong(files={"after.txt": "Weather report\n"}),
        "an error was saved": wrong(files={"after.txt": "Traceback (most recent call last):\n"}),
    },
}
