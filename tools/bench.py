"""Compare a kernel and the loop of this checkout with another commit: `make bench BASE=COMMIT`.

It sets up both, measures them in turn RUNS times (5), and prints the medians and their ratio, below
1 if this one is smaller. What a machine does besides changes the numbers, and the ratios less.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
OTHER = ROOT / "build" / "bench"  # the checkout of the other commit
NOTEBOOKS = "00", "s02", "s03a", "s03b"
CELLS = {  # of a new kernel, in this order
    "first play": "from lesson import play\nplay('hello', after=2)",
    "first check": "from agentlib import run as agent_loop\nfrom lesson import check\n"
    'check("agent_loop")',
}
# Processor time of 200 rounds with one tool call each: of our loop, divided by the bare SDK's.
LOOP = """
import time, anthropic, httpx2
from agentlib import Tool, rounds
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
        left, since = 200, time.process_time()
        loop()
        seconds[loop].append(time.process_time() - since)
print(min(seconds[ours][1:]) / min(seconds[bare][1:]))
"""


def main() -> None:
    if not (base := os.environ.get("BASE")):
        sys.exit("Set BASE to the commit to compare with: make bench BASE=COMMIT")
    if not OTHER.exists():
        subprocess.run(["git", "worktree", "add", "-f", "--detach", OTHER], cwd=ROOT, check=True)
    subprocess.run(["git", "checkout", "-q", "--detach", base], cwd=OTHER, check=True)
    found: dict[Path, list[dict[str, float]]] = {OTHER: [], ROOT: []}
    for checkout in found:
        subprocess.run(["make", "-s", ".venv/test.done"], cwd=checkout, check=True)
    for _ in range(int(os.environ.get("RUNS") or 5)):
        for checkout, runs in found.items():
            command = [checkout / ".venv" / "bin" / "python", __file__, "--measure"]
            said = subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True)
            runs.append(json.loads(said.stdout.splitlines()[-1]))
    print(f"{'':40}{base:>10}{'this':>10}{'ratio':>8}")
    for name in found[ROOT][0]:
        before, after = (statistics.median(run[name] for run in runs) for runs in found.values())
        print(f"{name:40}{before:10.2f}{after:10.2f}{after / before:8.2f}")


async def measure() -> dict[str, float]:
    """Return what is measured with this Python, whose checkout is the current folder."""
    said = subprocess.run([sys.executable, "-c", LOOP], check=True, capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as folder:
        lesson = Path(folder, "lesson")
        command = [sys.executable, "-m", "lesson", "lesson", lesson]
        subprocess.run(command, check=True, capture_output=True)
        os.chdir(lesson)
        seconds, _ = await run_cells(CELLS)
        paths = [path for name in NOTEBOOKS for path in Path().glob(f"{name}*.ipynb")]
        cells = [cell for path in paths for cell in json.loads(path.read_text())["cells"]]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        _, memory = await run_cells(dict(enumerate(code)))
    found = {f"{name}, processor s": seconds[name] for name in CELLS}
    found["kernel after 00 to s03b, MB (PSS)"] = memory
    return found | {"the loop / the bare SDK": float(said.stdout)}


async def run_cells(cells: dict) -> tuple[dict, float]:
    """Run code in a new kernel. Return the processor time of each cell, and its memory in MB."""
    import psutil
    from jupyter_client.manager import start_new_async_kernel

    manager, client = await start_new_async_kernel()
    kernel, seconds = psutil.Process(manager.provisioner.pid), {}
    for name, code in cells.items():
        before = sum(kernel.cpu_times()[:2])
        await client.execute_interactive(code, output_hook=lambda message: None, timeout=300)
        seconds[name] = sum(kernel.cpu_times()[:2]) - before
    memory = kernel.memory_full_info()
    await manager.shutdown_kernel(now=True)
    return seconds, getattr(memory, "pss", memory.rss) / 1e6


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure()))) if sys.argv[1:] == ["--measure"] else main()
