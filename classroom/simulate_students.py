"""Simulate a class of students who all start at the same time, and measure how long each waits.

    make class-test STUDENTS=30
    CLASS_PASSWORD=... classroom/.venv/bin/python classroom/simulate_students.py 30 --hub ADDRESS

Each student logs in, waits for a server, opens s03, runs all cells as JupyterLab does, moves the
slider, and opens runs in the player. Without --hub, start a temporary hub. Measure memory and CPU
if the students' processes run on this machine. The exit code is 1 if any student had an error.
"""

import argparse
import asyncio
import contextlib
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import psutil
from yarl import URL

CONFIG = Path(__file__).with_name("jupyterhub_config.py")
NOTEBOOK = "my_lesson/s03_todo_write.ipynb"
WINDOWS = range(4, 49)  # the values of the slider, in messages
MOVES, OPENINGS = 20, 3  # moves of the slider and opened runs, for each student
PAUSE_SECONDS = (0.3, 1.5)  # range of the random pause before each of them
TIMEOUT_SECONDS = 3600  # for each phase: log_in, run_all, use_runs


class Student:
    """A student's browser: its cookies, and the state of the widgets from the kernel."""

    def __init__(self, hub: URL, name: str, password: str, waited: dict[str, list[float]]) -> None:
        self.hub, self.name, self.password, self.waited = hub, name, password, waited
        self.home = hub / "user" / name
        self.random = random.Random(name)
        self.replies: dict[str, asyncio.Future] = {}  # by the request's id
        self.widgets: dict[str, dict] = {}  # the state of each, by its comm's id
        self.changed = asyncio.Condition()  # notified of every change of a widget

    @contextlib.contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Record the seconds within the block as time waited for `what`."""
        begun = time.perf_counter()
        yield
        self.waited[what].append(time.perf_counter() - begun)

    async def log_in(self) -> None:
        """Log in, and wait for the server."""
        cookies = aiohttp.CookieJar(unsafe=True)  # accepts cookies from an IP address
        self.browser = aiohttp.ClientSession(cookie_jar=cookies, raise_for_status=True)
        with self.timed("log in"):
            page = self.hub / "hub" / "login"
            shown = await self.browser.get(page)
            if "An agent that plans" not in await shown.text():
                raise RuntimeError("The login page does not name the lesson.")
            form = {"username": self.name, "password": self.password, "_xsrf": self.token(page)}
            await self.browser.post(page, data=form, allow_redirects=False)
        with self.timed("server up"):
            await self.browser.get(self.hub / "hub" / "spawn")
            # The hub keeps a browser on its own pages until the server is up.
            while not (await self.browser.get(self.home / "lab")).url.path.startswith("/user/"):
                await asyncio.sleep(0.5)

    def token(self, page: URL) -> str:
        """Return the XSRF token, which a request must repeat."""
        return self.browser.cookie_jar.filter_cookies(page)["_xsrf"].value

    async def run_all(self) -> None:
        """Open the notebook, and run all cells."""
        with self.timed("kernel up"):
            await self.open_notebook()
        with self.timed("all cells of s03"):
            for cell in self.cells:
                code = {"code": cell["source"], "allow_stdin": False}
                reply = await self.request("execute_request", code, {"cellId": cell["id"]})
                if reply["status"] != "ok":
                    raise RuntimeError(f"cell {cell['id']}: {reply.get('evalue')}")

    async def open_notebook(self) -> None:
        """Fetch the notebook, and connect to a kernel for it."""
        file = await self.browser.get(self.home / "api/contents" / NOTEBOOK)
        cells = (await file.json())["content"]["cells"]
        self.cells = [cell for cell in cells if cell["cell_type"] == "code"]
        answer = await self.browser.post(
            self.home / "api/sessions",
            json={"path": NOTEBOOK, "name": "", "type": "notebook", "kernel": {"name": ""}},
            headers={"X-XSRFToken": self.token(self.home / "lab")},
        )
        kernel = (await answer.json())["kernel"]["id"]
        self.channels = await self.browser.ws_connect(
            self.home / "api/kernels" / kernel / "channels", max_msg_size=0
        )
        self.listener = asyncio.create_task(self.listen())

    async def use_runs(self) -> None:
        """Move the slider of the last Runs widget, then open some of its runs."""
        [*_, runs] = (comm for comm, state in self.widgets.items() if "columns" in state)
        await self.move_slider(runs)
        await self.open_runs(runs)

    async def move_slider(self, runs: str) -> None:
        """Set the window to random values, as a drag of the slider does."""
        state = self.widgets[runs]
        await self.until(lambda: not state["is_busy"])
        for window in self.random.sample(WINDOWS, MOVES):
            await asyncio.sleep(self.random.uniform(*PAUSE_SECONDS))
            begun = time.perf_counter()
            await self.set(runs, window=window)
            for what, fewest in ("slider, first run", 1), ("slider, all 17 runs", 17):
                await self.until(lambda: count_drawable(state, window) >= fewest)  # noqa: B023
                self.waited[what].append(time.perf_counter() - begun)

    async def open_runs(self, runs: str) -> None:
        """Open runs in the player, one after the other."""
        state = self.widgets[runs]
        for after in range(1, OPENINGS + 1):
            await asyncio.sleep(self.random.uniform(*PAUSE_SECONDS))
            before = state["opened"]
            with self.timed("player open"):
                await self.set(runs, is_open=True, after=after)
                await self.until(lambda: state["opened"] != before)  # noqa: B023

    async def leave(self) -> None:
        """Close the browser. The server continues to run."""
        await self.browser.close()

    async def set(self, comm: str, **traits: object) -> None:
        """Change traits of a widget, as its JavaScript does."""
        data = {"method": "update", "state": traits, "buffer_paths": []}
        await self.send("comm_msg", {"comm_id": comm, "data": data})

    async def request(self, kind: str, content: dict, metadata: dict | None = None) -> dict:
        """Send a message, and return the content of the kernel's reply."""
        reply = asyncio.get_running_loop().create_future()
        self.replies[await self.send(kind, content, metadata)] = reply
        return await self.wait_for(reply)

    async def send(self, kind: str, content: dict, metadata: dict | None = None) -> str:
        """Send a message to the kernel, and return its id."""
        number = uuid.uuid4().hex
        header = {"msg_id": number, "msg_type": kind, "username": "", "session": "", "version": "5"}
        message = {"header": header, "parent_header": {}, "metadata": metadata or {}}
        await self.channels.send_json(message | {"content": content, "channel": "shell"})
        return number

    async def listen(self) -> None:
        """Receive the kernel's messages: replies, and new states of widgets."""
        async for frame in self.channels:
            message = frame.json()
            kind, content = message["header"]["msg_type"], message["content"]
            if kind.endswith("_reply"):
                self.replies.pop(message["parent_header"]["msg_id"]).set_result(content)
            elif kind == "comm_open":
                self.widgets[content["comm_id"]] = content["data"].get("state", {})
            elif kind == "comm_msg" and "state" in content["data"]:
                async with self.changed:
                    self.widgets[content["comm_id"]].update(content["data"]["state"])
                    self.changed.notify_all()

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until a change of the widgets makes `is_true` return True."""
        async with self.changed:
            await self.wait_for(self.changed.wait_for(is_true))

    async def wait_for(self, awaited: Awaitable) -> Any:
        """Wait for a result that depends on the listener. Raise the exception that ended it."""
        task = asyncio.ensure_future(awaited)
        await asyncio.wait({task, self.listener}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else self.listener.result()


def count_drawable(state: dict, window: int) -> int:
    """Return how many runs the widget can draw for this window; 0 until the kernel has replied."""
    if state["window"] != window:
        return 0
    column = state["columns"].get(str(window), {"runs": []})
    return sum(run is not None for run in column["runs"])


async def simulate(hub: str, password: str, count: int) -> bool:
    """Simulate `count` students and print the results. Return True if none had an error."""
    waited: dict[str, list[float]] = defaultdict(list)
    names = [f"simulated-{number:02}" for number in range(1, count + 1)]
    students = [Student(URL(hub), name, password, waited) for name in names]
    present, failures = students, Counter()
    for phase in Student.log_in, Student.run_all, Student.use_runs:
        begun = time.perf_counter()
        jobs = (asyncio.wait_for(phase(student), TIMEOUT_SECONDS) for student in present)
        results = await asyncio.gather(*jobs, return_exceptions=True)
        failures.update(f"{phase.__name__}: {one!r}" for one in results if one is not None)
        present = [student for student, one in zip(present, results, strict=True) if one is None]
        waited[f"{phase.__name__}, the whole class"].append(time.perf_counter() - begun)
        print(f"{phase.__name__}: {len(present)} of {count} students", flush=True)
    print_table(waited)
    print_resources({student.name for student in present})
    for failure, times in failures.items():
        print(f"FAILED for {times}: {failure}")
    print(f"{len(present)} of {count} students did all of it.")
    for student in students:
        await student.leave()
    return len(present) == count


def print_table(waited: dict[str, list[float]]) -> None:
    """Print how long the students waited, in milliseconds."""
    print(f"\n{'milliseconds':32}{'median':>9}{'p95':>9}{'longest':>9}{'times':>7}")
    for what, seconds in waited.items():
        ordered = sorted(seconds)
        p95 = ordered[int(0.95 * (len(ordered) - 1) + 0.5)]
        figures = (statistics.median(ordered), p95, ordered[-1])
        row = "".join(f"{1000 * one:9,.0f}" for one in figures)
        print(f"{what:32}{row}{len(ordered):7}")


def print_resources(names: set[str]) -> None:
    """Print memory (PSS) and CPU of the students' processes, and the load of this machine."""
    memory, cpu = Counter(), Counter()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            name = process.environ().get("JUPYTERHUB_USER")
            if name in names:
                memory[name] += process.memory_full_info().pss
                cpu[name] += sum(process.cpu_times()[:2])
    if memory:
        megabytes = statistics.mean(memory.values()) / 1e6
        print(f"\nA student: {megabytes:.0f} MB, {statistics.mean(cpu.values()):.1f} s of CPU.")
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"The machine: {os.cpu_count()} cores, load {load}.\n")


@contextlib.asynccontextmanager
async def temporary_hub(password: str) -> AsyncIterator[str]:
    """Start a hub in a temporary folder. Yield its address."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        os.chmod(folder, 0o711)
        settings = {"CLASS_PORT": str(port), "CLASS_PASSWORD": password}
        settings["CLASS_FOLDER"] = os.environ.get("CLASS_FOLDER", f"{folder}/students")
        command = [sys.executable, "-m", "jupyterhub", "-f", str(CONFIG)]
        with subprocess.Popen(command, env=os.environ | settings) as process:
            try:
                for number in port + 2, port:  # the hub, then the hub through the proxy
                    await wait_until_up(f"http://127.0.0.1:{number}", process)
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()


async def wait_until_up(hub: str, process: subprocess.Popen) -> None:
    """Wait until the hub responds. Raise SystemExit if its process ends before."""
    async with aiohttp.ClientSession() as browser:
        while process.poll() is None:
            with contextlib.suppress(aiohttp.ClientError):
                if (await browser.get(f"{hub}/hub/login")).ok:
                    return
            await asyncio.sleep(0.2)
    raise SystemExit("The hub did not start. See its message above.")


def free_port() -> int:
    """Return the first of a hundred ports, below the range that the system assigns."""
    for port in random.sample(range(10_000, 30_000, 100), 200):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("", port))
            return port
    raise OSError("no port is free")


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("students", type=int)
    parser.add_argument("--hub", metavar="ADDRESS", help="the address of a running hub")
    given = parser.parse_args()
    password = os.environ.get("CLASS_PASSWORD") or secrets.token_hex()
    if given.hub:
        return not await simulate(given.hub, password, given.students)
    async with temporary_hub(password) as hub:
        return not await simulate(hub, password, given.students)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
