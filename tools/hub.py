"""Play a class on a real JupyterHub, with docs/jupyterhub_config.py, on this machine only.

    python tools/hub.py FOLDER --learners 30 --runs 3

It installs the pinned hub and proxy into FOLDER (a short path) with pip and npm, which takes some
minutes, so no test runs it. Each learner logs in, and is no administrator, starts a server, runs 00
and s02 with the solutions, moves a slider and saves. Then the hub is restarted while a cell runs, a
kernel that was left is culled, and all servers are ended. The exit status counts the failures. It
does not show what accounts, a network, https or thirty browsers do: all learners are one user of
this machine, and send what JupyterLab would send.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import httpx2
import nbformat
import psutil
from solved import has, solve

from lesson.common.solutions import read_solutions

ROOT = Path(__file__).parents[1]
CONFIG = str(ROOT / "docs" / "jupyterhub_config.py")
PACKAGES = ("jupyterhub==6.1.1", "jupyter-resource-usage==1.3.0", "nbgitpuller==1.3.0")
PROXY = "configurable-http-proxy@5.3.0"
LOCKED = r"^(?:jupyterlab|jupyter-(?:client|server)|ipykernel)==[^ ;]+"
WAIT = 300  # seconds, for a start or a cell
NEWS = "/lab/api/settings/@jupyterlab/apputils-extension:notification"
# What a trial needs in place of a school's accounts and ports.
TRIAL = """
import re
c.Spawner.args, c.Spawner.environment = ["--allow-root"], {{"SCHOOL": "ours"}}
load_subconfig({config!r})
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {run!r} + "/h/{{username}}"
assert c.Spawner.environment["SCHOOL"] == "ours", "the file replaces a setting of the school"
c.Spawner.environment |= {{"LESSON_CLASS": {run!r} + "/class", "TMPDIR": {run!r} + "/tmp"}}
c.Spawner.args = [re.sub("idle_timeout=.*", "idle_timeout=60", one) for one in c.Spawner.args]
c.Spawner.args += ["--MappingKernelManager.cull_interval=5"]
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
"""
CELL = "import time\nfor number in range(20):\n    print(number)\n    time.sleep(1)"
tornado = import_module("tornado.websocket")  # of jupyter-server, which is declared


def install(folder: Path) -> None:
    """Install the hub, the lesson as a user gets it, and the proxy."""
    env = folder / "env"
    if not env.exists():
        subprocess.run([sys.executable, "-m", "venv", env], check=True)
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, PROXY], check=True)
    locked = re.findall(LOCKED, (ROOT / "requirements.lock").read_text(), re.M)
    pip = [env / "bin" / "python", "-m", "pip", "install", "-q"]
    subprocess.run([*pip, f"{ROOT}[lab]", *PACKAGES, *locked], check=True)
    settings = env / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(
        ROOT / "lesson/program/jupyter/labconfig/default_setting_overrides.json",
        settings / "overrides.json",
    )


def find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


class Hub:
    """A hub and its proxy, whose learners live in a folder of this run."""

    def __init__(self, folder: Path):
        self.run = folder / uuid.uuid4().hex[:6]
        for name in ("h", "class", "tmp"):
            (self.run / name).mkdir(parents=True)
        port, hub, api = find_port(), find_port(), find_port()
        self.url = f"http://127.0.0.1:{port}"
        text = TRIAL.format(config=CONFIG, run=str(self.run), port=port, hub=hub, api=api)
        (self.run / "config.py").write_text(text)
        path = f"{folder / 'env' / 'bin'}:{folder / 'node_modules' / '.bin'}:{os.environ['PATH']}"
        secret = uuid.uuid4().hex
        self.env = {"HOME": str(self.run), "PATH": path, "CONFIGPROXY_AUTH_TOKEN": secret}
        proxy = f"configurable-http-proxy --ip=127.0.0.1 --port={port} --api-ip=127.0.0.1"
        self.proxy = self.begin(f"{proxy} --api-port={api} --default-target=http://127.0.0.1:{hub}")
        self.hub = self.start()

    def begin(self, command: str) -> subprocess.Popen:
        name, *options = command.split()
        where = {"cwd": self.run, "env": self.env, "stdin": subprocess.DEVNULL}
        with open(self.run / "log.txt", "ab") as log:
            found = shutil.which(name, path=self.env["PATH"])
            return subprocess.Popen([found, *options], stdout=log, stderr=log, **where)

    def start(self) -> subprocess.Popen:
        hub = self.begin("jupyterhub -f config.py")
        for _ in range(WAIT):
            with suppress(httpx2.TransportError):
                if httpx2.get(f"{self.url}/hub/health", trust_env=False).is_success:
                    return hub
            time.sleep(1)
        raise SystemExit(f"The hub does not answer: {self.run / 'log.txt'}")

    def processes(self) -> list[psutil.Process]:
        """Return the learners' servers and kernels."""
        found = psutil.process_iter(["environ"])
        homes = [(one, (one.info["environ"] or {}).get("HOME", "")) for one in found]
        return [one for one, home in homes if home.startswith(f"{self.run}/h")]

    def end(self) -> None:
        for one in (self.hub, self.proxy):
            one.terminate()
            one.wait()
        for one in self.processes():
            one.kill()


class Learner:
    """One who works as a browser does: with cookies, and over a WebSocket."""

    def __init__(self, hub: Hub, number: int):
        self.name = f"learner{number:02}"
        self.hub, self.path = hub.url, f"/user/{self.name}"
        self.http = httpx2.AsyncClient(follow_redirects=True, timeout=WAIT, trust_env=False)
        self.slider, self.sockets, self.cells, self.moves = {}, [], [], []

    def cookie(self, path: str) -> str:
        jar = self.http.cookies.jar
        return next((one.value for one in jar if (one.name, one.path) == ("_xsrf", path)), "")

    async def ask(self, method: str, path: str, **more):
        headers = {"X-XSRFToken": self.cookie(f"{self.path}/")}
        answer = await self.http.request(
            method, self.hub + self.path + path, headers=headers, **more
        )
        answer.raise_for_status()
        return answer.json()

    async def log_in(self) -> None:
        """Log in, start the server, and wait until JupyterLab's page is there."""
        await self.http.get(f"{self.hub}/hub/login")
        form = {"username": self.name, "password": "x", "_xsrf": self.cookie("/hub/")}
        page = await self.http.post(f"{self.hub}/hub/login?next=/hub/spawn", data=form)
        while not page.raise_for_status().url.path.startswith(f"{self.path}/lab"):
            await asyncio.sleep(1)
            page = await self.http.get(f"{self.hub}/hub/spawn-pending/{self.name}")
        news = await self.ask("GET", NEWS)
        assert news["schema"]["properties"]["fetchNews"]["default"] == "false", "asks about news"

    async def work(self, stem: str) -> None:
        """Open a notebook, run it with the solutions, move its slider, and save it."""
        path = f"/my_lesson/{stem}.ipynb"
        content = (await self.ask("GET", f"/api/contents{path}"))["content"]
        body = {"path": path[1:], "name": stem, "type": "notebook", "kernel": {"name": "python3"}}
        self.kernel = (await self.ask("POST", "/api/sessions", json=body))["kernel"]["id"]
        url = f"{self.hub}{self.path}/api/kernels/{self.kernel}/channels"
        cookie = {"Cookie": self.http.build_request("GET", url).headers["cookie"]}
        request = tornado.httpclient.HTTPRequest(url.replace("http", "ws", 1), headers=cookie)
        self.read = asyncio.Queue()  # which also takes what nobody waits for, as a browser does
        put = self.read.put_nowait
        self.sockets.append(await tornado.websocket_connect(request, on_message_callback=put))
        notebook = solve(nbformat.from_dict(content), read_solutions())
        for cell in notebook.cells:
            if cell.cell_type == "code":
                said = await self.run(cell.source, cell.id)
                passes = f"{cell.metadata.tags[1]} passes " if has(cell, "check") else ""
                assert passes in said, f"{cell.id}: {said[:200]}"
        for value in (self.slider["value"] + 1, self.slider["value"]) * 4:
            data = {"method": "update", "state": {"value": value}, "buffer_paths": []}
            await self.send("comm_msg", self.moves, {"comm_id": self.slider["id"], "data": data})
        body = {"type": "notebook", "format": "json", "content": notebook}
        await self.ask("PUT", f"/api/contents{path}", json=body)
        program = (await self.ask("GET", "/api/contents/my_lesson/my_agent/loop.py"))["content"]
        assert "00" in stem or "def agent_loop" in program, "my_agent lacks a part"

    async def run(self, code: str, cell: str = "") -> str:
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        return await self.send("execute_request", self.cells, content, cell)

    async def send(self, kind: str, times: list[float], content: dict, cell: str = "") -> str:
        """Send a message to the kernel. Return what it has printed, when it is idle again."""
        began, text, sent = time.monotonic(), "", uuid.uuid4().hex
        header = {"msg_id": sent, "msg_type": kind, "session": self.name, "version": "5.3"}
        header |= {"username": self.name, "date": "2026-01-01T00:00:00Z"}
        message = {"header": header, "parent_header": {}, "metadata": {"cellId": cell}}
        message |= {"content": content, "buffers": [], "channel": "shell"}
        await self.sockets[-1].write_message(json.dumps(message))
        while data := await asyncio.wait_for(self.read.get(), WAIT):
            message = {} if isinstance(data, bytes) else json.loads(data)  # bytes have buffers
            kind, content = message.get("msg_type"), message.get("content", {})
            if kind == "comm_open":
                state = content["data"].get("state", {})
                if state.get("_model_name") == "IntSliderModel":
                    self.slider = {"id": content["comm_id"], "value": state["value"]}
            elif message.get("parent_header", {}).get("msg_id") == sent:
                assert kind != "error", f"{content['ename']}: {content['evalue'][:200]}"
                text += content["text"] if kind == "stream" else ""
                if content.get("execution_state") == "idle":
                    times.append(time.monotonic() - began)
                    return text
        raise ConnectionError("the kernel's connection was closed")

    async def stop(self) -> None:
        url, headers = f"{self.hub}/hub/api/users/{self.name}/server", {"Referer": self.hub}
        headers |= {"X-XSRFToken": self.cookie("/hub/")}
        while (await self.http.delete(url, headers=headers)).raise_for_status().status_code != 204:
            await asyncio.sleep(1)


async def restart(hub: Hub, learner: Learner) -> None:
    """Restart the hub while a cell runs, which must go on, and so must everybody's processes."""
    before = set(hub.processes())
    cell = asyncio.create_task(learner.run(CELL))
    await asyncio.sleep(3)
    hub.hub.terminate()
    await asyncio.to_thread(hub.hub.wait)
    hub.hub = await asyncio.to_thread(hub.start)
    assert (await cell).split() == [str(number) for number in range(20)], "a cell has lost lines"
    assert before <= set(hub.processes()), "a learner's process was ended"
    await learner.ask("GET", "/api/contents/my_lesson")


async def cull(learner: Learner, other: Learner) -> None:
    """Leave a notebook: its kernel is ended, and that of one which is open goes on."""
    learner.sockets[-1].close()
    while learner.kernel in {one["id"] for one in await learner.ask("GET", "/api/kernels")}:
        await asyncio.sleep(1)
    await other.run("loop")


async def play(hub: Hub, count: int) -> int:
    """Play a class, print what it took, and return the number of failures."""
    learners = [Learner(hub, number) for number in range(count)]
    row, failed = {"load": round(os.getloadavg()[0], 1)}, {}

    async def at_once(what: str, jobs: dict) -> None:
        began = time.monotonic()
        tries = (asyncio.wait_for(job, 2 * WAIT) for job in jobs.values())
        results = dict(zip(jobs, await asyncio.gather(*tries, return_exceptions=True), strict=True))
        wrong = {name: one for name, one in results.items() if isinstance(one, Exception)}
        failed.update({name: f"{what}: {one!r}" for name, one in wrong.items()})
        row[f"{what}, s"] = round(time.monotonic() - began)
        memory = sum(one.memory_full_info().pss for one in hub.processes())  # shared: once
        row[f"{what}, MB each"] = round(memory / 2**20 / count)

    def well() -> list[Learner]:
        return [one for one in learners if one.name not in failed]

    await at_once("start", {one.name: one.log_in() for one in learners})
    for stem in ("00_start_here", "s02_tool_use"):
        await at_once(stem, {one.name: one.work(stem) for one in well()})
    moves = [one for who in learners for one in who.moves]
    row["longest cell, s"] = round(max(one for who in learners for one in who.cells), 1)
    row[f"slider p95 of {len(moves)}, s"] = round(statistics.quantiles(moves, n=20)[-1], 2)
    row["progress files"] = len(list((hub.run / "class").iterdir()))
    await at_once("restart", {"restart": restart(hub, well()[0])})
    await at_once("cull", {"cull": cull(well()[-1], well()[0])})
    await at_once("stop", {one.name: one.stop() for one in learners})
    left = [*(hub.run / "tmp").iterdir(), *hub.processes()]
    failed |= {"left": f"after the end: {left}"} if left else {}
    row |= {"load after": round(os.getloadavg()[0], 1), "failures": len(failed)}
    print(json.dumps(row), *map(": ".join, failed.items()), sep="\n", flush=True)
    return len(failed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--learners", type=int, default=30)
    parser.add_argument("--runs", type=int, default=1)
    given = parser.parse_args()
    install(given.folder.resolve())
    failures = 0
    for _ in range(given.runs):
        hub = Hub(given.folder.resolve())
        try:
            failures += asyncio.run(play(hub, given.learners))
        finally:
            hub.end()
    return min(failures, 255)


if __name__ == "__main__":
    sys.exit(main())
