"""The tables of scripts/peers: tokens saved and values lost beside headroom, hits right and wrong
beside GPTCache. Tokens are counted by one counter, ours, whoever has made the text."""

import argparse
import json
import logging
import random
import re
import statistics
import subprocess
import time
import urllib.request

HEADROOM = {"headroom": {}, "headroom, lossless": {"mode": "agent"}}
# GPTCache's thresholds are shares of its scale, which ends at a squared distance of 4.
GPTCACHE = {"0.8, its default": 0.8, "0.97": 0.97, "0.985, a cosine of 0.97": 0.985}


def main():
    parser = argparse.ArgumentParser()
    for name in ["binary", "server", "payloads", "pairs"]:
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    ours = Ours(given.binary, given.server)
    with open(given.payloads, encoding="utf-8") as file:
        payloads = [text_of(item["payload"]) for item in json.load(file)]
    print("## Results of tools\n")
    compressing(ours, payloads, [values(text) for text in payloads])
    print("\n## Planted values: logs and lists, each with ten that nothing else is like\n")
    planted = [generated(random.Random(seed)) for seed in range(40)]
    compressing(ours, [text for text, _ in planted], [needles for _, needles in planted])
    print("\n## Questions that are the same, and others\n")
    caching(ours, given.pairs)


class Ours:
    """Dossier: a server for what is asked one by one, the program for its own evaluation."""

    def __init__(self, binary, server):
        self.binary, self.server = binary, server
        models = self.call("GET", "/v1/models")["data"]
        self.embedder = next(model["id"] for model in models if "minilm" in model["id"].lower())

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.server + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def count(self, text):
        return self.call("POST", "/api/refs", {"content": text})["tokens"] if text else 0

    def compress(self, text):
        """The text in short, and what can be had back by the ref that it names."""
        ref = self.call("POST", "/api/refs", {"content": parsed(text)})
        behind = self.call("POST", f"/api/refs/{ref['id']}/expand", {})
        return ref["compressed"], behind["content"] if ref["id"] in ref["compressed"] else ""

    def embed(self, text):
        body = {"model": self.embedder, "input": text}
        return self.call("POST", "/v1/embeddings", body)["data"][0]["embedding"]

    def evaluate(self, kind, path):
        command = [self.binary, "--quiet", "eval", kind, path, "--json"]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def compressing(ours, texts, wanted):
    """A row for each: tokens saved, values that are shown, and that nobody could get back."""
    rows = {"dossier": ours.compress}
    rows |= {name: headroom(options) for name, options in HEADROOM.items()}
    before = sum(ours.count(text) for text in texts)
    print("| | Tokens | Saved | Values | Shown | Lost | ms each |\n|---|---|---|---|---|---|---|")
    for name, compress in rows.items():
        compress(texts[0])  # what is loaded once is no part of the time
        after, shown, lost, times = 0, 0, 0, []
        for text, own in zip(texts, wanted):
            began = time.perf_counter()
            short, behind = compress(text)
            times.append(1e3 * (time.perf_counter() - began))
            after += ours.count(short)
            missing = [value for value in own if not stands_in(short, value)]
            shown += len(own) - len(missing)
            lost += sum(not stands_in(behind, value) for value in missing)
        total = sum(map(len, wanted))
        print(
            f"| {name} | {after:,} of {before:,} | {1 - after / before:.1%} | {total:,} "
            f"| {shown / total:.1%} | {lost:,} | {statistics.median(times):.1f} |"
        )


def headroom(options):
    from headroom import compress
    from headroom.cache.compression_store import get_compression_store

    def shortened(text):
        call = {"id": "c", "type": "function", "function": {"name": "get", "arguments": "{}"}}
        messages = [
            {"role": "user", "content": "What is in it?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": text},
        ]
        # Its own language model would have to be fetched; without, it goes by rules as we do.
        result = compress(
            messages, model="gpt-4o", protect_recent=0, kompress_model="disabled", **options
        )
        short = result.messages[-1]["content"]
        store = get_compression_store()
        kept = [store.retrieve(name) for name in re.findall(r"\b[0-9a-f]{12,64}\b", short)]
        return short, "\n".join(entry.original_content for entry in kept if entry)

    return shortened


def caching(ours, path):
    with open(path, encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file if line.strip()]
    told = ours.evaluate("cache", path)
    positives, negatives = told["positives"], told["negatives"]
    print("| | Right hits | Wrong hits | ms |\n|---|---|---|---|")

    def row(name, right, wrong, millis):
        print(
            f"| {name} | {right} of {positives} ({right / positives:.1%}) "
            f"| {wrong} of {negatives} ({wrong / negatives:.1%}) | {millis:.1f} |"
        )

    row("dossier, a whole turn", told["right_hits"], told["wrong_hits"], told["answer_ms"]["p50"])
    for name, threshold in GPTCACHE.items():
        hits, times = [0, 0], []
        for number, pair in enumerate(pairs):
            cache = gptcache(ours, f"{threshold}-{number}", threshold)
            put, get = cache
            put(pair["a"], "kept")
            began = time.perf_counter()
            found = get(pair["b"])
            times.append(1e3 * (time.perf_counter() - began))
            hits[pair["label"]] += found is not None
        row(f"GPTCache at {name}", hits[1], hits[0], statistics.median(times))


def gptcache(ours, name, threshold):
    """A cache of its own for each pair, set up as its documentation says."""
    import numpy
    from gptcache import Cache, Config
    from gptcache.adapter import api
    from gptcache.manager import CacheBase, VectorBase, get_data_manager
    from gptcache.processor.pre import get_prompt
    from gptcache.similarity_evaluation import SearchDistanceEvaluation

    def embed(text, **_):
        return numpy.array(ours.embed(text), dtype="float32")

    cache = Cache()
    cache.init(
        pre_embedding_func=get_prompt,
        embedding_func=embed,
        data_manager=get_data_manager(
            CacheBase("sqlite", sql_url=f"sqlite:///{name}.db"),
            VectorBase("faiss", dimension=384, index_path=f"{name}.index"),
        ),
        similarity_evaluation=SearchDistanceEvaluation(),
        config=Config(similarity_threshold=threshold, disable_report=True),
    )
    return (
        lambda question, answer: api.put(question, answer, cache_obj=cache),
        lambda question: api.get(question, cache_obj=cache),
    )


def generated(chance):
    """A log or a list, and the ten values in it that matter."""
    needles = [f"{chance.choice('KQXZ')}{chance.randrange(10**8):08d}" for _ in range(10)]
    places = dict(zip(chance.sample(range(400), 10), needles))
    if chance.random() < 0.5:
        lines = [
            f"2026-03-01T12:{n // 60:02d}:{n % 60:02d}Z INFO worker-{chance.randrange(8)} handled "
            f"/api/items/{chance.randrange(10**4)} in {chance.randrange(90)} ms"
            + (f" voucher {places[n]}" if n in places else "")
            for n in range(400)
        ]
        return "\n".join(lines), needles
    items = [
        {
            "id": n,
            "status": chance.choice(["open", "closed"]),
            "owner": chance.choice(["ana", "ben", "eva"]),
            "code": places.get(n, "none"),
        }
        for n in range(400)
    ]
    return json.dumps(items, separators=(",", ":")), needles


def text_of(payload):
    if isinstance(payload, str):
        return payload
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False)


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def values(text):
    """Every number, and every text with a digit, a link or an error in it."""
    found = set()

    def look(node):
        if isinstance(node, dict):
            node = list(node.values())
        if isinstance(node, list):
            for item in node:
                look(item)
        elif node is not None and not isinstance(node, bool):
            word = str(node).strip()
            if re.search(r"\d|://", word) or "error" in word.lower():
                found.add(word)

    content = parsed(text)
    look(content.split() if isinstance(content, str) else content)
    return found


def stands_in(text, value):
    """Whether it stands there by itself, as written or as JSON writes it."""
    # The end of a line within a JSON text is written with a letter, which is no part of a value.
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    quoted = json.dumps(value, ensure_ascii=False)[1:-1]
    return any(re.search(rf"(?<!\w){re.escape(v)}(?!\w)", text) for v in {value, quoted})


main()
