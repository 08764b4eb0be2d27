"""A loopback server that plays a scripted model to a coding agent, and keeps what the agent sends.

It speaks four protocols: Anthropic's messages, OpenAI's chat completions and responses, and Gemini.
A request in any of them becomes a `Request`, and a `Reply` becomes a response in the same one.
"""

import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """What the scripted model answers: a text, and calls as pairs of a tool's name and its input.

    `claims` is the number of input tokens that the reply says it has read.
    """

    text: str = ""
    calls: tuple[tuple[str, dict], ...] = ()
    claims: int = 100


@dataclass(frozen=True)
class Part:
    """One piece of a conversation. `kind` is `text`, `call` or `result`."""

    role: str
    kind: str
    text: str


@dataclass(frozen=True)
class Request:
    """What an agent has sent: the model's name, the names of the tools, and the conversation."""

    model: str
    tools: list[str]
    parts: list[Part]
    body: dict

    def tail(self) -> list[Part]:
        """Return the parts after the model's last reply: the results, and what was added."""
        last = [at for at, part in enumerate(self.parts) if part.role == "assistant"]
        return self.parts[last[-1] + 1 if last else 0 :]

    @property
    def is_aside(self) -> bool:
        """Whether this is not a round of the agent: a request for a title or for a summary."""
        return not self.tools or "<summary>" in self.parts[-1].text


def join(content: object) -> str:
    """Return the texts of a content, which is a string, a block, or a list of blocks."""
    if isinstance(content, list):
        return "\n".join(join(block) for block in content)
    if isinstance(content, dict):
        return str(content.get("text") or content.get("content") or json.dumps(content))
    return "" if content is None else str(content)


def read_anthropic(body: dict) -> list[Part]:
    parts = [Part("system", "text", join(body.get("system")))]
    for message in body["messages"]:
        blocks = message["content"]
        for block in [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks:
            if block["type"] == "text":
                parts.append(Part(message["role"], "text", block["text"]))
            elif block["type"] == "tool_use":
                parts.append(Part("assistant", "call", block["name"]))
            elif block["type"] == "tool_result":
                error = "Error: " if block.get("is_error") else ""
                parts.append(Part("user", "result", error + join(block.get("content"))))
    return parts


def read_chat(body: dict) -> list[Part]:
    parts = []
    for message in body["messages"]:
        role = "system" if message["role"] == "developer" else message["role"]
        if role == "tool":
            parts.append(Part("user", "result", join(message["content"])))
        elif message.get("content"):
            parts.append(Part(role, "text", join(message["content"])))
        for call in message.get("tool_calls") or []:
            parts.append(Part("assistant", "call", call["function"]["name"]))
    return parts


def read_responses(body: dict) -> list[Part]:
    parts = [Part("system", "text", join(body.get("instructions")))]
    items = body["input"]
    for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
        if item.get("type", "message") == "message":
            role = "system" if item["role"] == "developer" else item["role"]
            parts.append(Part(role, "text", join(item["content"])))
        elif item["type"].endswith("_call_output"):
            parts.append(Part("user", "result", join(item["output"])))
        elif item["type"].endswith("_call"):
            parts.append(Part("assistant", "call", item.get("name", item["type"])))
    return parts


def read_gemini(body: dict) -> list[Part]:
    instruction = body.get("systemInstruction") or {}
    parts = [Part("system", "text", join(instruction.get("parts")))]
    for message in body["contents"]:
        role = "assistant" if message["role"] == "model" else "user"
        for part in message["parts"]:
            if "functionCall" in part:
                parts.append(Part(role, "call", part["functionCall"]["name"]))
            elif "functionResponse" in part:
                text = json.dumps(part["functionResponse"]["response"], ensure_ascii=False)
                parts.append(Part(role, "result", text))
            else:
                parts.append(Part(role, "text", part.get("text", "")))
    return parts


def name_tools(body: dict) -> list[str]:
    """Return the names of the tools that a request offers, in any of the four protocols."""
    tools = list(body.get("tools") or [])
    for item in body["input"] if isinstance(body.get("input"), list) else []:
        tools += item.get("tools") or []  # an item of the type `additional_tools`
    names = []
    for tool in tools:
        declared = tool.get("functionDeclarations") or tool.get("function_declarations")
        for one in declared or [tool.get("function") or tool]:
            names.append(one.get("name") or one.get("type", "?"))
    return names


numbers = itertools.count(1)


def write_anthropic(reply: Reply, model: str) -> list[dict]:
    blocks: list[dict] = [{"type": "text", "text": reply.text}] if reply.text else []
    for name, given in reply.calls:
        number = f"toolu_{next(numbers):024}"
        blocks.append({"type": "tool_use", "id": number, "name": name, "input": given})
    usage = {"input_tokens": reply.claims, "output_tokens": 10}
    head = {"id": f"msg_{next(numbers):024}", "type": "message", "role": "assistant"}
    message = {**head, "model": model, "content": [], "stop_reason": None, "usage": usage}
    events: list[dict] = [{"type": "message_start", "message": {**message, "stop_sequence": None}}]
    for index, block in enumerate(blocks):
        is_text = block["type"] == "text"
        empty = {**block, "text": ""} if is_text else {**block, "input": {}}
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    why = {"stop_reason": "tool_use" if reply.calls else "end_turn", "stop_sequence": None}
    events.append({"type": "message_delta", "delta": why, "usage": usage})
    events.append({"type": "message_stop"})
    whole = {**message, **why, "content": blocks}
    return [*events, whole]


def write_chat(reply: Reply, model: str) -> list[dict]:
    calls = []
    for index, (name, given) in enumerate(reply.calls):
        function = {"name": name, "arguments": json.dumps(given)}
        calls.append({"index": index, "id": f"call_{next(numbers)}", "type": "function"})
        calls[-1]["function"] = function
    message: dict = {"role": "assistant", "content": reply.text or None}
    if calls:
        message["tool_calls"] = calls
    why = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": reply.claims, "completion_tokens": 10, "total_tokens": 110}
    head = {"id": f"chatcmpl-{next(numbers)}", "created": 1, "model": model}
    chunk = {**head, "object": "chat.completion.chunk"}
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": why}
    events = [{**chunk, "choices": [first]}, {**chunk, "choices": [last], "usage": usage}]
    whole = {"index": 0, "message": message, "finish_reason": why}
    return [*events, {**head, "object": "chat.completion", "choices": [whole], "usage": usage}]


def write_responses(reply: Reply, model: str) -> list[dict]:
    items: list[dict] = []
    if reply.text:
        text = {"type": "output_text", "text": reply.text, "annotations": []}
        items.append({"type": "message", "role": "assistant", "content": [text]})
    for name, given in reply.calls:
        call = {"type": "function_call", "call_id": f"call_{next(numbers)}", "name": name}
        items.append({**call, "arguments": json.dumps(given)})
    items = [{**item, "id": f"item_{next(numbers)}", "status": "completed"} for item in items]
    usage = {"input_tokens": reply.claims, "output_tokens": 10, "total_tokens": reply.claims + 10}
    usage |= {"input_tokens_details": {"cached_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    head = {"id": f"resp_{next(numbers)}", "object": "response", "created_at": 1, "model": model}
    whole = {**head, "status": "completed", "output": items, "usage": usage}
    events: list[dict] = [{"type": "response.created", "response": {**head, "output": []}}]
    for index, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": whole})
    return [*({**event, "sequence_number": at} for at, event in enumerate(events)), whole]


def write_gemini(reply: Reply, model: str) -> list[dict]:
    parts: list[dict] = [{"text": reply.text}] if reply.text else []
    parts += [{"functionCall": {"name": name, "args": given}} for name, given in reply.calls]
    content = {"role": "model", "parts": parts}
    usage = {"promptTokenCount": reply.claims, "candidatesTokenCount": 10, "totalTokenCount": 110}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model}
    return [whole, whole]


PROTOCOLS: dict[str, tuple[Callable, Callable]] = {
    "/messages": (read_anthropic, write_anthropic),
    "/chat/completions": (read_chat, write_chat),
    "/responses": (read_responses, write_responses),
    "enerateContent": (read_gemini, write_gemini),
}


class Handler(BaseHTTPRequestHandler):
    """Answer one HTTP request of an agent."""

    server: "ScriptedServer"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send(404, {"error": {"message": "not here", "type": "not_found_error"}})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("count_tokens") or path.endswith("countTokens"):
            return self.send(200, {"input_tokens": 100, "totalTokens": 100})
        for ending, (read, write) in PROTOCOLS.items():
            if path.endswith(ending):
                model = body.get("model") or path.rpartition("/")[2].partition(":")[0]
                request = Request(model, name_tools(body), read(body), body)
                *events, whole = write(self.server.answer(request), model)
                if not (body.get("stream") or path.endswith("streamGenerateContent")):
                    return self.send(200, whole)
                return self.stream(events, ends=ending == "/chat/completions")
        return self.do_GET()

    def send(self, status: int, data: dict) -> None:
        self.reply(status, "application/json", json.dumps(data))

    def stream(self, events: list[dict], ends: bool) -> None:
        lines = ""
        for event in events:
            lines += f"event: {event['type']}\n" if "type" in event else ""
            lines += f"data: {json.dumps(event)}\n\n"
        self.reply(200, "text/event-stream", lines + ("data: [DONE]\n\n" if ends else ""))

    def reply(self, status: int, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class ScriptedServer(ThreadingHTTPServer):
    """A server on 127.0.0.1 that gives the replies of a script, one for each round of an agent.

    `script` gets the request and its number, from 1. `requests` are those that it got. A request
    that is an aside is answered with a short text, and is not counted.
    """

    daemon_threads = True

    def __init__(self, script: Callable[[Request, int], Reply]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[Request] = []
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, request: Request) -> Reply:
        with self.lock:
            if request.is_aside:
                return Reply("<summary>The crossing is new soon.</summary>")
            self.requests.append(request)
            return self.script(request, len(self.requests))

    def __enter__(self) -> "ScriptedServer":
        threading.Thread(target=self.serve_forever, args=[0.02], daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
