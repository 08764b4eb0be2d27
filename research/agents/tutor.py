"""Say which coding agents send the rules of a learner's folder with their first request.

    python research/agents/tutor.py FOLDER [my_lesson]

FOLDER is where `measure.py --folder FOLDER` has installed the agents. A scripted model answers, so
this shows that a model gets the rules, and not that it keeps to them.
"""

import json
import sys
from pathlib import Path

from agents import AGENTS
from measure import enter_loopback, install, run

RULE = "You are their tutor"


def main() -> None:
    enter_loopback()
    folder, lesson = Path(sys.argv[1]).resolve(), Path([*sys.argv, "my_lesson"][2]).resolve()
    for key, agent in AGENTS.items():
        if (folder / key).exists() and not agent.packages[0].startswith(("pip:lang", "pip:pyd")):
            requests = run(agent, install(agent, folder / key), agent.model, False, [], lesson)
            is_sent = any(RULE in json.dumps(request.body) for request in requests)
            print(f"{agent.name}: {'sends' if is_sent else 'does not send'} the rules", flush=True)


if __name__ == "__main__":
    main()
