"""Play two jobs through real gateways, with the practice model behind them, on loopback only.

    python tools/gateways.py FOLDER [litellm portkey router]

It installs the pinned gateways into FOLDER with pip and npm, which takes some minutes, so no test
runs it. Each job is played with the package's loop and with that of the solutions, directly and
through each gateway, and must end in the same way. The exit status is the number of differences.
"""

import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import httpx2

from lesson import PracticeModel, connect
from lesson.practice.api import server
from lesson.program.my_agent import load_solutions
from lesson.runs.run import Run

LITELLM = "litellm[proxy]==1.108.7"
NODE = ("@portkey-ai/gateway@1.15.2", "@musistudio/claude-code-router@2.0.0")
JOBS, MODEL = ("hello", "ten_steps"), "claude-practice"
KEY = f"sk-{secrets.token_hex(24)}"  # LiteLLM does not start with a short one
START_SECONDS = 120  # until a gateway listens: litellm imports for half a minute


class Upstream(BaseHTTPRequestHandler):
    """The practice model as a server of the Messages API, and of OpenAI's chat completions."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        is_chat = self.path.endswith("/chat/completions")
        sent = from_chat(body) if is_chat else body | {"model": MODEL}
        request = httpx2.Request(
            "POST",
            f"http://practice.invalid{server.PATH}",
            headers={"anthropic-version": self.headers.get("anthropic-version", "2023-06-01")},
            content=json.dumps(sent).encode(),
        )
        answer = server.respond(request, PracticeModel().policy, [])
        kind, content = answer.headers["content-type"], answer.content
        if is_chat and answer.is_success:
            content = to_chat(answer.json(), body.get("stream"))
            kind = "text/event-stream" if body.get("stream") else kind
        self.send_response(answer.status_code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def from_chat(body):
    """Return a request for chat completions as one for the Messages API."""
    messages, system = [], []
    for one in body["messages"]:
        content = one.get("content") or ""
        if isinstance(content, list):
            content = "\n".join(part.get("text", "") for part in content)
        if one["role"] in ("system", "developer"):
            system.append(content)
            continue
        role, blocks = one["role"], [{"type": "text", "text": content}] if content else []
        for call in one.get("tool_calls") or ():
            function = call["function"]
            given = json.loads(function["arguments"] or "{}")
            use = {"type": "tool_use", "id": call["id"], "name": function["name"]}
            blocks.append(use | {"input": given})
        if role == "tool":
            role = "user"
            result = {"type": "tool_result", "tool_use_id": one["tool_call_id"]}
            blocks = [result | {"content": content}]
        if messages and messages[-1]["role"] == role == "user":
            messages[-1]["content"] += blocks
        else:
            messages.append({"role": role, "content": blocks})
    functions = [tool["function"] for tool in body.get("tools", ())]
    tools = [
        {
            "name": one["name"],
            "description": one.get("description", ""),
            "input_schema": one["parameters"],
        }
        for one in functions
    ]
    return {
        "model": MODEL,
        "max_tokens": 8000,
        "system": "\n".join(system),
        "messages": messages,
        "tools": tools,
    }


def to_chat(message, is_stream):
    """Return a message as the body of a chat completion, or of a stream of one."""
    text = "".join(block.get("text", "") for block in message["content"])
    uses = [block for block in message["content"] if block["type"] == "tool_use"]
    calls = [
        {
            "index": index,
            "id": use["id"],
            "type": "function",
            "function": {"name": use["name"], "arguments": json.dumps(use["input"])},
        }
        for index, use in enumerate(uses)
    ]
    said = {"role": "assistant", "content": text or None} | ({"tool_calls": calls} if calls else {})
    usage = {
        "prompt_tokens": message["usage"]["input_tokens"],
        "completion_tokens": message["usage"]["output_tokens"],
        "total_tokens": sum(message["usage"].values()),
    }
    whole = {"id": message["id"], "created": 0, "model": MODEL}
    reason = "tool_calls" if calls else "stop"
    if not is_stream:
        choice = {"index": 0, "message": said, "finish_reason": reason}
        chat = {"object": "chat.completion", "choices": [choice], "usage": usage}
        return json.dumps(whole | chat).encode()
    whole["object"] = "chat.completion.chunk"
    chunks = [
        {"choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
    ]
    lines = [json.dumps(whole | chunk) for chunk in chunks] + ["[DONE]"]
    return "".join(f"data: {line}\n\n" for line in lines).encode()


def find_port():
    """Return a free port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def install(folder):
    """Install the gateways into a folder, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "v" / "bin" / "litellm").exists():
        subprocess.run([sys.executable, "-m", "venv", folder / "v"], check=True)
        subprocess.run([folder / "v" / "bin" / "pip", "-q", "install", LITELLM], check=True)
    if not (folder / "n" / "node_modules" / "@portkey-ai").exists():
        subprocess.run(["npm", "i", "--silent", "--prefix", folder / "n", *NODE], check=True)


def start(name, folder, upstream):
    """Start a gateway. Return its process and the settings of `connect`."""
    port = find_port()
    env = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LITELLM_MASTER_KEY": KEY}
    extra = {}
    modules = folder / "n" / "node_modules"
    if name.startswith("litellm"):
        kind, base = ("anthropic", upstream)
        if name == "litellm-openai":
            kind, base = "hosted_vllm", f"{upstream}/v1"
        config = folder / f"{name}.yaml"
        config.write_text(
            f"model_list:\n  - model_name: {MODEL}\n    litellm_params:\n"
            f"      model: {kind}/{MODEL}\n      api_base: {base}\n      api_key: {KEY}\n"
        )
        command = [folder / "v" / "bin" / "litellm", "--config", config]
        command += ["--host", "127.0.0.1", "--port", str(port)]
    elif name == "portkey":
        command = ["node", modules / "@portkey-ai" / "gateway" / "build" / "start-server.js"]
        command += [f"--port={port}", "--headless"]
        extra = {
            "ANTHROPIC_CUSTOM_HEADERS": f"x-portkey-provider: anthropic\n"
            f"x-portkey-custom-host: {upstream}/v1"
        }
    else:
        home = Path(env["HOME"]) / ".claude-code-router"
        home.mkdir(parents=True, exist_ok=True)
        provider = {
            "name": "up",
            "api_base_url": f"{upstream}/v1/chat/completions",
            "api_key": KEY,
            "models": [MODEL],
        }
        settings = {"PORT": port, "HOST": "127.0.0.1", "APIKEY": KEY, "Providers": [provider]}
        settings["Router"] = {"default": f"up,{MODEL}"}
        (home / "config.json").write_text(json.dumps(settings))
        command = ["node", modules / "@musistudio" / "claude-code-router" / "dist" / "cli.js"]
        command += ["start"]
    log = open(folder / f"{name}.log", "w")  # noqa: SIM115 - the process writes to it
    process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    wait_for(port, process)
    return process, f"http://127.0.0.1:{port}", extra


def wait_for(port, process):
    """Wait until a gateway listens."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
            return
        except URLError as problem:
            if hasattr(problem, "code"):  # it answers, with an error
                return
            time.sleep(0.3)
        except OSError:
            time.sleep(0.3)
    raise SystemExit(f"The gateway does not listen on {port}: see its log.")


def play(url, job, loop):
    """Play a job with the model at `url`. Return what counts."""
    env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY}
    # `real` is false, so that the prompt is the script's, and no one is asked about its calls.
    model = replace(connect(MODEL, env=env, say=str, max_rounds=99), real=False)
    run = Run(job, loop=loop, model=model, window=12, after=3).play()
    return run.not_judged or run.steps_done, len(run.rounds), run.problem


def main():
    folder, *names = sys.argv[1:]
    folder = Path(folder).resolve()
    names = names or ["litellm", "litellm-openai", "portkey", "router"]
    install(folder)
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{upstream.server_address[1]}"
    loops = {"the package's loop": None, "the learner's loop": load_solutions().agent_loop}
    direct = {(job, loop): play(address, job, loops[loop]) for job in JOBS for loop in loops}
    differences = 0
    for name in names:
        process, url, extra = start(name, folder, address)
        os.environ |= extra
        try:
            for (job, loop), expected in direct.items():
                result = play(url, job, loops[loop])
                differences += result != expected
                print(f"{name}, {job}, {loop}: {result}", "" if result == expected else expected)
        finally:
            process.terminate()
            process.wait()
            for variable in extra:
                del os.environ[variable]
    return differences


if __name__ == "__main__":
    sys.exit(main())
