"""Compare this checkout with another commit: `make bench`, or `make bench BASE=COMMIT RUNS=5`.

ROWS=kernel,checks measures only these rows, of disk, site, line, kernel, checks, drawn and loop.
ROWS=tests runs all tests of both, which takes about twenty minutes for each run.

It builds both, measures them in turn, and prints the medians and their ratio, below 1 if this one
is smaller. It needs Chromium and npm, and takes some minutes for each run. What a machine does
besides changes the numbers, and the ratios less.
"""

import asyncio
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
OTHER = ROOT / "build" / "bench"  # the checkout of the other commit
BASE = "3a8053c3"  # before the SDK's imports were deferred
NOTEBOOKS = "00", "s02", "s03a", "s03b"
SEAT = "from lesson import Seat\nSeat()"
FIRST_PLAY = "from lesson import play\nplay('hello', after=2)"
READING_SECONDS = 10  # between these two
ROWS = "disk", "site", "line", "kernel", "checks", "drawn", "loop"
LINE_BYTES = 20e6 / 8  # a second
LOOP_SECTION = re.compile(r"(?ms)^# --- agent_loop --- \w*$(.*?)^# --- ")
FAILED_CHECKS = 50
IS_IDLE = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    return panel?.sessionContext?.session?.kernel?.status === 'idle'; }"""
EXECUTE = """async code => {
    const {kernel} = window.jupyterapp.shell.currentWidget.sessionContext.session;
    await kernel.requestExecute({code}, true, {cellId: "bench"}).done; }"""
# Processor time of N rounds with one tool call each: of a loop, divided by that of the bare SDK.
LOOP = """
import sys, time, anthropic, httpx2
from agentlib import Tool, rounds
ROUNDS = int(sys.argv[1])
def respond(request):
    global left
    left -= 1
    call = {"type": "tool_use", "id": f"toolu_{left}", "name": "note", "input": {"text": "x"}}
    content = [call] if left else [{"type": "text", "text": "Done."}]
    return httpx2.Response(200, json={"id": "msg_1", "type": "message", "role": "assistant",
        "model": "m", "content": content, "stop_reason": "tool_use" if left else "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}})
transport = httpx2.MockTransport(respond)
client = anthropic.Anthropic(api_key="k", base_url="http://bench.invalid", max_retries=0,
    http_client=httpx2.Client(transport=transport, trust_env=False))
schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
tool = Tool("note", "Note.", schema, lambda text: "noted " * 20)
settings = {"model": "m", "max_tokens": 100}
def bare():
    messages = [{"role": "user", "content": "Go."}]
    while True:
        reply = client.messages.create(messages=messages, tools=[tool.spec], **settings)
        messages.append({"role": "assistant", "content": reply.content})
        uses = [block for block in reply.content if block.type == "tool_use"]
        if not uses:
            return
        results = [{"type": "tool_result", "tool_use_id": use.id, "content": tool.run(**use.input)}
                   for use in uses]
        messages.append({"role": "user", "content": results})
def ours():
    for _ in rounds(client, [{"role": "user", "content": "Go."}], [tool], **settings):
        pass
seconds = {bare: [], ours: []}
for _ in range(6):
    for loop in seconds:
        left, since = ROUNDS, time.process_time()
        loop()
        seconds[loop].append(time.process_time() - since)
print(min(seconds[ours][1:]) / min(seconds[bare][1:]))
"""

# Processor time of following a run of 1,200 replies, each with one call, as every picture does.
DRAWN = """
import time
from anthropic.types import Message
from lesson.runs.from_messages import round_of
from lesson.runs.window import Viewer
messages, viewer = [{"role": "user", "content": "Go."}], Viewer()
call = {"type": "tool_use", "name": "bash", "input": {"command": "ls"}}
more = {"type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
    "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
since = time.process_time()
for number in range(1, 1201):
    viewer.look(messages)
    content = [call | {"id": f"toolu_{number}"}]
    result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "x"}
    new = [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
    reply = Message.model_validate(more | {"id": f"msg_{number}", "content": content})
    viewer.add(round_of(new, reply, number, None))
    messages = messages + new
print(time.process_time() - since)
"""


def main() -> None:
    base, runs = os.environ.get("BASE") or BASE, int(os.environ.get("RUNS") or 5)
    goals, rows = [".venv/test.done"], {*list_rows()}
    goals += ["site"] if rows & {"disk", "site", "line", "tests"} else []
    goals += ["build/env-grade/done"] if "tests" in rows else []
    if not OTHER.exists():
        subprocess.run(
            ["git", "worktree", "add", "--force", "--detach", OTHER, base], cwd=ROOT, check=True
        )
    subprocess.run(["git", "checkout", "-q", "--detach", base], cwd=OTHER, check=True)
    for checkout in (OTHER, ROOT):
        command = ["make", "-s", *goals]
        subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.DEVNULL)
    found: dict[Path, list[dict]] = {OTHER: [], ROOT: []}
    for number in range(runs):
        for checkout in found:
            python = checkout / ".venv" / "bin" / "python"
            command = [python, __file__, "--measure", checkout]
            said = subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True)
            found[checkout].append(json.loads(said.stdout.splitlines()[-1]))
        print(f"run {number + 1} of {runs}", flush=True)
    print(f"{'':60}{base:>10}{'this':>10}{'ratio':>8}")
    for name in found[ROOT][0]:
        before, after = (statistics.median(one[name] for one in found[it]) for it in found)
        print(f"{name:60}{before:10.2f}{after:10.2f}{after / before if before else 1:8.2f}")


def measure(checkout: Path) -> dict[str, float]:
    """Return what is measured of a checkout, by its name with the unit."""
    sys.path[:0] = [str(checkout / "tests" / "browser")]
    rows, found = list_rows(), dict[str, float]()
    if "disk" in rows:
        found["browser edition, size, MB"] = measure_folder(checkout / "build" / "site")
        found["own machine, .venv on disk, MB"] = measure_folder(checkout / ".venv")
    if "site" in rows:
        found |= measure_site(checkout / "build" / "site")
    if "line" in rows:
        found |= measure_line(checkout / "build" / "site")
    with tempfile.TemporaryDirectory() as folder:
        lesson = Path(folder, "lesson")
        command = [sys.executable, "-m", "lesson", "lesson", lesson]
        subprocess.run(command, check=True, capture_output=True)
        os.chdir(lesson)
        for names in (NOTEBOOKS, NOTEBOOKS[-1:]) if "kernel" in rows else ():
            name = f"own machine, kernel after {' '.join(names)}, MB (PSS)"
            found[name] = asyncio.run(measure_memory(names))
        if "checks" in rows:
            found |= asyncio.run(measure_checks(checkout))
        os.chdir(checkout)
    for rounds in ("50", "200") if "loop" in rows else ():
        command = [sys.executable, "-c", LOOP, rounds]
        said = subprocess.run(command, check=True, capture_output=True, text=True)
        found[f"the loop / the bare SDK, {rounds} rounds"] = float(said.stdout)
    if "drawn" in rows:
        said = subprocess.run(
            [sys.executable, "-c", DRAWN], check=True, capture_output=True, text=True
        )
        found["a run of 1,200 replies, processor s"] = float(said.stdout)
    if "tests" in rows:
        found |= measure_tests(checkout)
    return found


def list_rows() -> list[str]:
    """Return the rows that ROWS names, or all. Exit if there is no such row."""
    rows = (os.environ.get("ROWS") or ",".join(ROWS)).split(",")
    if unknown := {*rows} - {*ROWS, "tests"}:
        known = ", ".join([*ROWS, "tests"])
        sys.exit(f"bench.py has no rows {', '.join(sorted(unknown))}. It has: {known}.")
    return rows


def measure_folder(folder: Path) -> float:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def measure_site(site: Path) -> dict[str, float]:
    """Return the seconds of each step in 00 in Chromium, and what the server has sent.

    One visitor reads the seat, and another one runs `play` as soon as the kernel is idle.
    """
    sent = 0

    def copyfile(self, source, output):
        nonlocal sent
        data = source.read()
        sent += len(data)
        output.write(data)

    found = {}
    with open_site(site, copyfile) as (browser, url):
        for visitor in ("reader", "runner"):
            with browser.new_context() as context:  # with a cache of its own
                page = context.new_page()
                begin = time.monotonic()
                page.goto(f"{url}/lab/index.html?path=00_start_here.ipynb")
                page.wait_for_function(IS_IDLE, timeout=600_000)
                if visitor == "reader":
                    found["browser edition, page to kernel idle, s"] = time.monotonic() - begin
                    since = time.monotonic()
                    page.evaluate(EXECUTE, SEAT)
                    found["browser edition, seat, s"] = time.monotonic() - since
                    page.wait_for_timeout(READING_SECONDS * 1000)
                    since = time.monotonic()
                    page.evaluate(EXECUTE, FIRST_PLAY)
                    name = "browser edition, first play after the seat, s"
                    found[name] = time.monotonic() - since
                    found["browser edition, sent, MB"] = sent / 1e6
                else:
                    page.evaluate(EXECUTE, FIRST_PLAY)
                    name = "browser edition, page to first play without a seat, s"
                    found[name] = time.monotonic() - begin
    return found


@contextlib.contextmanager
def open_site(site: Path, copyfile):
    """Serve a site, whose files `copyfile` sends, and yield a browser and the address."""
    from lab import AS_ROOT, QUIET, QuietHandler, file_server, find_browser
    from playwright.sync_api import sync_playwright

    QuietHandler.copyfile = copyfile
    with sync_playwright() as playwright, file_server(site) as url:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
        )
        yield browser, url
        browser.close()


def measure_line(site: Path) -> dict[str, float]:
    """Return the seconds in which a first visitor at 20 Mbit/s sees something, and has a kernel.

    If the site has a page in front, the visitor plays with it before they open the lesson.
    """
    line = threading.Lock()

    def copyfile(self, source, output):
        while data := source.read(16384):
            with line:
                time.sleep(len(data) / LINE_BYTES)
            output.write(data)

    has_front = "Open the lesson" in (site / "index.html").read_text(encoding="utf-8")
    path = "" if has_front else "lab/index.html?path=00_start_here.ipynb"
    with open_site(site, copyfile) as (browser, url):
        page = browser.new_page()
        since = time.monotonic()
        page.goto(f"{url}/{path}", wait_until="commit")
        page.wait_for_selector("summary" if has_front else ".jp-CodeCell", timeout=600_000)
        seen = time.monotonic() - since
        if has_front:
            page.locator("summary").first.click()
            page.wait_for_timeout(READING_SECONDS * 1000)
            since = time.monotonic()
            page.get_by_role("link", name="Open the lesson").click()
        page.wait_for_function(IS_IDLE, timeout=600_000)
        idle = time.monotonic() - since
    place = "browser edition at 20 Mbit/s"
    return {f"{place}, something to use, s": seen, f"{place}, open to kernel idle, s": idle}


def measure_tests(checkout: Path) -> dict[str, float]:
    """Return the time of the tests that both checkouts have, and of the others."""
    both = list_tests(OTHER) & list_tests(ROOT)
    found = {}
    for name, tests in (("shared", both), ("other", list_tests(checkout) - both)):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(sorted(tests)))
            file.flush()
            options = ["-q", "-n", "2"]
            before, since = os.times(), time.monotonic()
            said = run_pytest(checkout, *options, f"@{file.name}").stdout
            after = os.times()
        found[f"tests, {name}: number"] = len(tests)
        found[f"tests, {name}: failed"] = sum(map(int, re.findall(r"(\d+) (?:failed|error)", said)))
        found[f"tests, {name}, s"] = time.monotonic() - since
        # Of the processes that it has waited for.
        found[f"tests, {name}, processor s"] = sum(after[2:4]) - sum(before[2:4])
    return found


def list_tests(checkout: Path) -> set[str]:
    said = run_pytest(checkout, "--collect-only", "-q")
    return {line for line in said.stdout.splitlines() if "::" in line}


def run_pytest(checkout: Path, *options: str) -> subprocess.CompletedProcess:
    command = [checkout / ".venv" / "bin" / "python", "-m", "pytest", *options]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True)


async def start_kernel():
    from jupyter_client.manager import AsyncKernelManager

    manager = AsyncKernelManager()
    await manager.start_kernel()
    client = manager.client()
    client.start_channels()
    await client.wait_for_ready(timeout=120)
    return manager, client


async def execute(client, code: str) -> None:
    """Run code as a page does, which names its cell."""
    content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
    message = client.session.msg("execute_request", content | {"user_expressions": {}})
    message["metadata"] = {"cellId": "bench"}
    client.shell_channel.send(message)
    while (await client.get_shell_msg(timeout=300))["parent_header"] != message["header"]:
        pass


async def measure_checks(checkout: Path) -> dict[str, float]:
    """Return the processor time of the first play and of checks, and what failed ones keep."""
    solutions = (checkout / "notebooks" / "solutions" / "my_agent.py").read_text(encoding="utf-8")
    [right] = LOOP_SECTION.findall(solutions)
    wrong = right.replace(r'"\n\n" + text', '" " + text')
    assert wrong != right, "the solution has another line for the reminder"
    manager, client = await start_kernel()
    pid = manager.provisioner.pid
    place, check = "own machine", "from lesson import check\ncheck(agent_loop, level='remind')"
    await execute(client, SEAT)
    await asyncio.sleep(READING_SECONDS)
    found = {}
    for name, before, code in (("first play", "", FIRST_PLAY), ("first check", right, check)):
        await execute(client, before)
        found[f"{place}, {name} after the seat, processor s"] = await work(client, pid, code)
    seconds = []
    for number in range(3):  # of code that has changed, in a cell of its own: only that is saved
        await execute(client, f"{right}\nx = {number}")
        seconds.append(await work(client, pid, check))
    found[f"{place}, slowest check, processor s"] = min(seconds)
    for number in range(-2, FAILED_CHECKS):
        if number == 0:
            kept = read_memory(pid)
        await execute(client, f"{wrong}\nx = {number}")
        await execute(client, check)
    name = f"{place}, growth by {FAILED_CHECKS} failed checks, MB (PSS)"
    found[name] = read_memory(pid) - kept
    await manager.shutdown_kernel(now=True)
    return found


async def work(client, pid: int, code: str) -> float:
    """Return the processor time of a kernel's process for a cell, in seconds."""
    import psutil

    before = psutil.Process(pid).cpu_times()
    await execute(client, code)
    after = psutil.Process(pid).cpu_times()
    return after.user + after.system - before.user - before.system


def read_memory(pid: int) -> float:
    """Return the memory of a process in MB: on Linux without the part that others share."""
    import psutil

    memory = psutil.Process(pid).memory_full_info()
    return getattr(memory, "pss", memory.rss) / 1e6


async def measure_memory(names) -> float:
    """Return the memory of a kernel that has run these notebooks, in MB."""
    manager, client = await start_kernel()
    for name in names:
        [path] = Path().glob(f"{name}*.ipynb")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                await execute(client, "".join(cell["source"]))
    memory = read_memory(manager.provisioner.pid)
    await manager.shutdown_kernel(now=True)
    return memory


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--measure", checkout]:
            print(json.dumps(measure(Path(checkout))))
        case []:
            main()
        case _:
            sys.exit("bench.py takes no arguments: set BASE, RUNS and ROWS, as in its first lines.")
